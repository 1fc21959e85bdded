//! Which paths that are there a run looks at, and how closely. A test that was made smaller may name other files than its original did, and
//! what it finds there by chance (`gunzip` has become `gzip`, and a program of that name lies beside it) is not part of it:
//! on another machine, or in the scratch folder of `cmd.sh`, it would be another test.

use crate::runner::Settings;
use crate::target::TargetError;
use offshoot_base::What;
use offshoot_run::Policy;
use offshoot_suite::recording::{self, normal};
use offshoot_suite::{Source, Test};
use std::collections::BTreeMap;
use std::ops::Bound;
use std::path::{Path, PathBuf};

/// Inside the sandbox. The recorder tells nothing about what lies below /dev.
const LOGS: &str = "/dev/shm/offshoot-recording";

/// Runs tests under the recorder.
pub struct Watch {
    settings: Settings,
    recorder: PathBuf,
}

/// Places from the root.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Met(BTreeMap<PathBuf, Depth>);

/// How closely somebody looked at a place, and with it how much of the place is part of the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Depth {
    /// Its name was in a folder that was listed.
    Listed,
    /// Its size, times and mode, or where it leads.
    Asked,
    /// Its bytes.
    Read,
}

impl Watch {
    /// `recorder`: the library.
    pub fn new(settings: Settings, recorder: PathBuf) -> Watch {
        Watch { settings, recorder }
    }

    /// What a run of the test finds; `None`: it cannot be watched, because it is linked statically or there is no sandbox.
    pub fn met(&self, test: &Test) -> Result<Option<Met>, TargetError> {
        if self.settings.policy != Policy::Sandboxed {
            return Ok(None);
        }
        let target = self.settings.target(test.command.clone());
        let outcome = target.record(&test.bytes, &self.recorder, Path::new(LOGS))?;
        let is_log = |path: &Path| path.starts_with(LOGS) && path.extension().is_some_and(|end| end == "log");
        let mut met = None;
        for log in
            outcome.changes.iter().filter(|change| is_log(&change.path)).filter_map(|change| change.stored.as_ref())
        {
            // A log that cannot be read tells as little as one that is not there.
            for run in recording::read(Path::new(LOGS), log, |_| false).into_iter().flatten().flatten() {
                met.get_or_insert_with(Met::default).add(&run.test);
            }
        }
        Ok(met)
    }
}

impl Met {
    fn add(&mut self, run: &Test) {
        let cwd = run.command.cwd.as_deref().unwrap_or(Path::new("/"));
        let things = run.command.world.things.iter().filter(|(_, thing)| thing.what != What::Absent);
        for (path, thing) in things {
            let depth = match &thing.what {
                _ if run.bytes.contains(&Source::File(path.clone())) => Depth::Read,
                What::Link(_) if !thing.is_any_link(path) => Depth::Asked,
                _ if thing.modified.is_some() => Depth::Asked,
                _ => Depth::Listed,
            };
            let known = self.0.entry(normal(&cwd.join(path))).or_insert(depth);
            *known = depth.max(*known);
        }
    }

    /// What is not here, or not as closely looked at, and is no folder above something that is.
    pub fn first_unknown<'a>(&self, other: &'a Met) -> Option<&'a Path> {
        let is_known = |(path, depth): &(&'a PathBuf, &Depth)| {
            let mut below = self.0.range::<Path, _>((Bound::Excluded(path.as_path()), Bound::Unbounded));
            self.0.get(*path).is_some_and(|known| known >= depth)
                || below.next().is_some_and(|(next, _)| next.starts_with(path))
        };
        other.0.iter().find(|met| !is_known(met)).map(|(path, _)| path.as_path())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(paths: &[&str]) -> Met {
        Met(paths.iter().map(|path| (PathBuf::from(path), Depth::Asked)).collect())
    }

    #[test]
    fn folders_above_are_known_and_what_lies_beside_is_not() {
        let known = met(&["/build/gunzip", "/build/tests/a-b/in"]);
        let unknown = |paths: &[&str]| known.first_unknown(&met(paths)).map(Path::to_path_buf);
        assert_eq!(unknown(&["/", "/build", "/build/tests", "/build/tests/a-b", "/build/gunzip"]), None);
        assert_eq!(unknown(&["/build", "/build/gzip"]), Some("/build/gzip".into()));
        assert_eq!(unknown(&["/build/tests/a"]), Some("/build/tests/a".into()), "a beginning of a name is no folder");
        assert_eq!(unknown(&["/build/tests/a-b/in/x"]), Some("/build/tests/a-b/in/x".into()));
    }

    #[test]
    fn a_name_in_a_list_is_not_yet_a_file_and_a_size_is_not_its_bytes() {
        let at = |depth| Met([("/build/gzip".into(), depth)].into());
        let depths = [Depth::Listed, Depth::Asked, Depth::Read];
        for (known, before) in depths.iter().enumerate() {
            for (met, after) in depths.iter().enumerate() {
                assert_eq!(at(*before).first_unknown(&at(*after)).is_none(), met <= known, "{before:?}, {after:?}");
            }
        }
    }
}
