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
    /// By where they are; nothing if that comes to no end, and then nobody knows where anything is.
    links: Option<HashMap<Vec<&'t OsStr>, &'t Path>>,
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
        let mut scratch = Scratch { cwd: cwd.collect(), links: Some(HashMap::new()) };
        let links: Vec<(&Path, &Path)> = command
            .world
            .things
            .iter()
            .filter_map(|(path, thing)| match &thing.what {
                What::Link(to) => Some((path.as_path(), to.as_path())),
                _ => None,
            })
            .collect();
        // One may be behind another, which may lead behind a third.
        for _ in 0..=LINKS_FOLLOWED {
            let found = links.iter().filter_map(|(path, to)| Some((scratch.walk(path, false)?.at, *to))).collect();
            if scratch.links.replace(found) == scratch.links {
                return scratch;
            }
        }
        scratch.links = None;
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

    /// How deep the highest folder is that one of these names leads through: the top of what has to be built.
    pub fn top(&self, names: impl Iterator<Item = &'t Path>) -> usize {
        let ways = names.filter_map(|path| self.walk(path, true).or_else(|| self.walk(path, false)));
        ways.map(|way| way.highest).min().unwrap_or(self.cwd.len())
    }

    /// The way down to the working directory from `top`.
    pub fn depth(&self, top: usize) -> PathBuf {
        self.cwd[top..].iter().collect()
    }

    /// Where the file or folder of this name is, as a way down from `top` without a link on it.
    pub fn place(&self, path: &'t Path, top: usize) -> Option<PathBuf> {
        self.down(self.walk(path, true)?, top)
    }

    /// Where the link itself is.
    pub fn place_of_link(&self, path: &'t Path, top: usize) -> Option<PathBuf> {
        self.down(self.walk(path, false)?, top)
    }

    fn down(&self, way: Way<'t>, top: usize) -> Option<PathBuf> {
        let place: PathBuf = way.at.get(top..)?.iter().collect();
        Some(if place.as_os_str().is_empty() { PathBuf::from(".") } else { place })
    }

    /// As the kernel does it; nothing if the way leads out.
    fn walk(&self, path: &'t Path, follows_last: bool) -> Option<Way<'t>> {
        let links = self.links.as_ref()?;
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
                    let link = links.get(&way.at).filter(|_| follows_last || !rest.is_empty());
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
    fn links_behind_links_are_where_those_lead() {
        let links =
            [("current", "rel/latest"), ("rel/latest", "v2"), ("current/config", "/home/cfg"), ("current/in", "x")];
        let command = command(&links);
        let scratch = Scratch::of(&command);
        let place = |path: &'static str| scratch.place(Path::new(path), 3);
        for name in ["current/config/x", "rel/v2/config/x", "rel/latest/config/x", "current/config"] {
            assert_eq!((scratch.keeps(Path::new(name)), place(name)), (false, None), "{name}");
        }
        assert_eq!(place("current/a"), Some("rel/v2/a".into()));
        assert_eq!(place("rel/latest/in/a"), Some("rel/v2/x/a".into()));
        assert_eq!(scratch.place_of_link(Path::new("current/config"), 3), Some("rel/v2/config".into()));
        assert_eq!(scratch.place(Path::new("../low/current"), 2), Some("low/rel/v2".into()));
    }

    #[test]
    fn where_links_cannot_be_told_nothing_is_kept() {
        // Each is there only as long as the other is not.
        let command = command(&[("a", "/etc"), ("b", "a/../c"), ("b/d", "x"), ("c/d", "../a")]);
        assert!(!Scratch::of(&command).keeps(Path::new("b/d/e")));
    }

    #[test]
    fn the_folder_is_as_deep_as_names_lead_up() {
        let command = command(&[("up", "../../x")]);
        let scratch = Scratch::of(&command);
        let depth = |names: &[&'static str]| scratch.depth(scratch.top(names.iter().map(Path::new)));
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
