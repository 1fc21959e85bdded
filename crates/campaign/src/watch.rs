//! Which paths that are there a run looks at, and how closely. A test that was made smaller may name other files than its original did, and
//! what it finds there by chance (`gunzip` has become `gzip`, and a program of that name lies beside it) is not part of it:
//! on another machine, or in the scratch folder of `cmd.sh`, it would be another test.

use crate::runner::Settings;
use crate::target::TargetError;
use offshoot_base::What;
use offshoot_run::{Change, Policy, Status};
use offshoot_suite::Test;
use offshoot_suite::recording::{self, Run, normal};
use offshoot_trace::recording::OTHERS;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::ops::Bound;
use std::path::{Path, PathBuf};

/// Inside the sandbox. The recorder tells nothing about what lies below /dev.
const LOGS: &str = "/dev/shm/offshoot-recording";

/// As much as the recorder itself writes.
const LARGEST_LOG: u64 = 256 << 20;

/// Runs tests under the recorder.
pub struct Watch {
    settings: Settings,
    recorder: PathBuf,
}

/// What a run found.
#[derive(Debug, PartialEq, Eq)]
pub struct Met {
    /// From the root.
    places: BTreeMap<PathBuf, Depth>,
    /// Why there may be more.
    gap: Option<&'static str>,
}

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

    pub fn met(&self, test: &Test) -> Result<Met, TargetError> {
        let mut met = Met { places: BTreeMap::new(), gap: None };
        if self.settings.policy != Policy::Sandboxed {
            met.gap = Some("there is no sandbox");
            return Ok(met);
        }
        let target = self.settings.target(test.command.clone());
        let outcome = target.record(&test.bytes, &self.recorder, Path::new(LOGS))?;
        if !matches!(outcome.status, Status::Exited(_) | Status::Signaled { .. }) {
            met.gap = Some("its run was ended before it was over");
        }
        let mut is_logged = false;
        let of_logs = || outcome.changes.iter().filter(|change| change.path.starts_with(LOGS));
        for change in of_logs() {
            if change.path.ends_with(OTHERS) {
                met.gap = Some("it starts programs that are not ours or are linked statically");
            } else if change.path.extension().is_some_and(|end| end == "log") {
                // The program could write there.
                let Ok(log) = change.read(LARGEST_LOG) else {
                    met.gap = Some("its log cannot be read");
                    continue;
                };
                let beside = |name: &OsStr| {
                    let is_meant = |change: &&Change| change.path.file_name() == Some(name);
                    // What the files hold that it read is of no interest.
                    let more = Path::new(name).extension().is_some_and(|end| end == "more");
                    of_logs().filter(|_| more).find(is_meant)?.read(LARGEST_LOG).ok()
                };
                let found = recording::read(&log, &beside, |_| false);
                if found.strange > 0 {
                    met.gap = Some("somebody else wrote to its log");
                }
                for run in found.runs {
                    is_logged = true;
                    match run {
                        Ok(run) => met.add(&run),
                        Err(_) => met.gap = Some("its log cannot be read"),
                    }
                }
            }
        }
        if !is_logged {
            met.gap = Some("it has no log: it is linked statically, or ended before it began");
        }
        Ok(met)
    }
}

impl Met {
    fn add(&mut self, run: &Run) {
        let cwd = run.test.command.cwd.as_deref().unwrap_or(Path::new("/"));
        if !run.is_whole {
            self.gap = Some("its log is not whole: it grew too large, or a folder has too many files");
        }
        for (path, thing) in &run.test.command.world.things {
            let depth = match &thing.what {
                What::Absent => continue,
                _ if run.read.contains(path) => Depth::Read,
                What::Link(_) if !thing.is_any_link(path) => Depth::Asked,
                _ if thing.modified.is_some() => Depth::Asked,
                _ => Depth::Listed,
            };
            let known = self.places.entry(normal(&cwd.join(path))).or_insert(depth);
            *known = depth.max(*known);
        }
    }

    /// Why it may not be all.
    pub fn gap(&self) -> Option<&'static str> {
        self.gap
    }

    /// Whether a run that met `other` looked at nothing that is not here, or not as closely. A folder is here if something
    /// in it is.
    pub fn has_all_of(&self, other: &Met) -> bool {
        let has = |(path, depth): (&PathBuf, &Depth)| {
            let mut below = self.places.range::<Path, _>((Bound::Excluded(path.as_path()), Bound::Unbounded));
            self.places.get(path).is_some_and(|known| known >= depth)
                || below.next().is_some_and(|(next, _)| next.starts_with(path))
        };
        (other.gap.is_none() || self.gap.is_some()) && other.places.iter().all(has)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(paths: &[(&str, Depth)]) -> Met {
        Met { places: paths.iter().map(|(path, depth)| (path.into(), *depth)).collect(), gap: None }
    }

    #[test]
    fn folders_above_are_known_and_what_lies_beside_is_not() {
        let asked = |paths: &[&str]| met(&paths.iter().map(|path| (*path, Depth::Asked)).collect::<Vec<_>>());
        let known = asked(&["/build/gunzip", "/build/tests/a-b/in"]);
        let has = |paths: &[&str]| known.has_all_of(&asked(paths));
        assert!(has(&["/", "/build", "/build/tests", "/build/tests/a-b", "/build/gunzip"]));
        assert!(!has(&["/build", "/build/gzip"]));
        assert!(!has(&["/build/tests/a"]), "a beginning of a name is no folder");
        assert!(!has(&["/build/tests/a-b/in/x"]));
    }

    #[test]
    fn a_name_in_a_list_is_not_yet_a_file_and_a_size_is_not_its_bytes() {
        let depths = [Depth::Listed, Depth::Asked, Depth::Read];
        for before in depths {
            for after in depths {
                let has = met(&[("/build/gzip", before)]).has_all_of(&met(&[("/build/gzip", after)]));
                assert_eq!(has, after <= before, "{before:?}, {after:?}");
            }
        }
    }

    #[test]
    fn nobody_knows_what_is_in_a_gap() {
        let (whole, part) = (met(&[]), Met { gap: Some("a reason"), ..met(&[]) });
        assert!(!whole.has_all_of(&part));
        assert!(part.has_all_of(&whole) && part.has_all_of(&part));
    }
}
