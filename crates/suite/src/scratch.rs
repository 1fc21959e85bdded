//! Where the names of a test lead in a scratch folder that stands for its working directory and for folders above it. The folder
//! is empty but for what the test brings, so its links are all the links there are.

use crate::test::Command;
use offshoot_base::What;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

/// As many as Linux follows.
const LINKS_FOLLOWED: usize = 40;

pub(crate) struct Scratch<'t> {
    /// From the root down; nothing if nobody knows what is above.
    cwd: Vec<&'t OsStr>,
    /// By where they are.
    links: HashMap<Vec<&'t OsStr>, &'t Path>,
}

struct Way<'t> {
    at: Vec<&'t OsStr>,
    /// How many folders are left of the working directory where the way is highest.
    highest: usize,
}

impl<'t> Scratch<'t> {
    pub fn of(command: &'t Command) -> Scratch<'t> {
        let cwd = command.cwd.iter().flat_map(|cwd| cwd.components());
        let cwd = cwd.filter_map(|part| match part {
            Component::Normal(name) => Some(name),
            _ => None,
        });
        let mut scratch = Scratch { cwd: cwd.collect(), links: HashMap::new() };
        let mut links: Vec<(&Path, &Path)> = command
            .world
            .things
            .iter()
            .filter_map(|(path, thing)| match &thing.what {
                What::Link(to) => Some((path.as_path(), to.as_path())),
                _ => None,
            })
            .collect();
        // One may be behind another.
        links.sort_by_key(|(path, _)| path.components().count());
        for (path, to) in links {
            if let Some(way) = scratch.walk(path, false) {
                scratch.links.insert(way.at, to);
            }
        }
        scratch
    }

    /// Whether what is written under this name stays in the folder.
    pub fn keeps(&self, path: &'t Path) -> bool {
        path.file_name().is_some() && self.walk(path, true).is_some()
    }

    /// Whether a link of this name is in the folder, wherever it leads.
    pub fn keeps_link(&self, path: &'t Path) -> bool {
        path.file_name().is_some() && self.walk(path, false).is_some()
    }

    /// The way down to the working directory from the highest folder that one of these names leads through.
    pub fn depth(&self, names: impl Iterator<Item = &'t Path>) -> PathBuf {
        let ways = names.filter_map(|path| self.walk(path, true).or_else(|| self.walk(path, false)));
        let highest = ways.map(|way| way.highest).min().unwrap_or(self.cwd.len());
        self.cwd[highest..].iter().collect()
    }

    /// As the kernel does it; nothing if the way leads out.
    fn walk(&self, path: &'t Path, follows_last: bool) -> Option<Way<'t>> {
        let mut way = Way { at: self.cwd.clone(), highest: self.cwd.len() };
        let mut rest: Vec<Component<'t>> = path.components().rev().collect();
        let mut followed = 0;
        while let Some(part) = rest.pop() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => {
                    way.at.pop()?;
                    way.highest = way.highest.min(way.at.len());
                }
                Component::Normal(name) => {
                    way.at.push(name);
                    let link = self.links.get(&way.at).filter(|_| follows_last || !rest.is_empty());
                    if let Some(to) = link {
                        followed += 1;
                        if followed > LINKS_FOLLOWED {
                            return None;
                        }
                        way.at.pop();
                        rest.extend(to.components().rev());
                    }
                }
                Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        Some(way)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use offshoot_base::Thing;

    fn command(links: &[(&str, &str)]) -> Command {
        let mut command = Command::new("/bin/true", [""; 0]);
        command.cwd = Some("/top/mid/low".into());
        for (path, to) in links {
            let thing = Thing { what: What::Link(to.into()), mode: 0o777, modified: None };
            command.world.things.insert(path.into(), thing);
        }
        command
    }

    #[test]
    fn names_lead_where_the_kernel_would_go() {
        let links = [("out", "/etc"), ("up", "../x"), ("d/down", "../e"), ("e/away", "../out/y"), ("loop", "loop")];
        let command = command(&links);
        let scratch = Scratch::of(&command);
        for name in ["a", "./a", "d/a", "../a", "../../../a", "up/a", "d/../a", "d/down/a", "up/../mid/a"] {
            assert!(scratch.keeps(Path::new(name)), "{name}");
        }
        for name in
            ["/a", "..", "../../../../a", "out/a", "./out/a", "out", "d/../out/a", "d/down/away", "e/away/b", "loop"]
        {
            assert!(!scratch.keeps(Path::new(name)), "{name}");
        }
        assert!(scratch.keeps_link(Path::new("out")) && !scratch.keeps_link(Path::new("out/link")));
    }

    #[test]
    fn the_folder_is_as_deep_as_names_lead_up() {
        let command = command(&[("up", "../../x")]);
        let scratch = Scratch::of(&command);
        let depth = |names: &[&'static str]| scratch.depth(names.iter().map(Path::new));
        assert_eq!(depth(&["a", "d/../b"]), Path::new(""));
        assert_eq!(depth(&["a", "../b"]), Path::new("low"));
        assert_eq!(depth(&["up/c"]), Path::new("mid/low"));
    }

    #[test]
    fn without_a_working_directory_nothing_is_above() {
        let command = Command::new("/bin/true", [""; 0]);
        assert!(!Scratch::of(&command).keeps(Path::new("../a")));
    }
}
