//! The tests of a folder.

use super::warn;
use crate::failure::Failure;
use clap::Args;
use offshoot_suite::{Test, read_test};
use std::fs;
use std::path::{Path, PathBuf};

pub struct Case {
    /// `000007` for `DIR/tests/000007`; `findings/0001`.
    pub name: String,
    pub folder: PathBuf,
    pub test: Test,
}

/// Where a test is.
pub struct Place {
    /// As in [`Case`].
    pub name: String,
    pub folder: PathBuf,
}

impl Place {
    /// `None`, and a warning, if it is damaged.
    pub fn read(&self) -> Option<Test> {
        read_test(&self.folder).map_err(|error| warn(format!("left out: {error}"))).ok()
    }
}

#[derive(Args)]
pub struct Folder {
    /// The folder of the campaign
    #[arg(short, long, value_name = "DIR", default_value = "offshoot.out")]
    pub output: PathBuf,
    /// Work on what `offshoot reduce` left of the tests
    #[arg(long)]
    pub reduced: bool,
}

impl Folder {
    /// All tests, in order of their names. Damaged ones are reported and left out.
    pub fn tests(&self) -> Result<Vec<Case>, Failure> {
        let cases = read_all(self.places()?);
        if cases.is_empty() { Err(self.nothing()) } else { Ok(cases) }
    }

    /// The same without reading them: a recorded suite may have tens of thousands.
    pub fn places(&self) -> Result<Vec<Place>, Failure> {
        let (within, made_by) = self.within();
        let dir = self.output.display();
        if !self.output.join(within).is_dir() {
            let what = if self.reduced { "reduced tests" } else { "tests" };
            return Err(Failure::usage(format!("no {what} in {dir}; `offshoot {made_by} -o {dir}` makes some")));
        }
        let places = places(&self.output.join(within), "")?;
        if places.is_empty() { Err(self.nothing()) } else { Ok(places) }
    }

    /// There is a folder, and no test in it that can be read.
    pub fn nothing(&self) -> Failure {
        let ((within, made_by), dir) = (self.within(), self.output.display());
        Failure::tests(format!("{dir}/{within} has no tests; `offshoot {made_by} -o {dir}` makes some"))
    }

    fn within(&self) -> (&'static str, &'static str) {
        if self.reduced { ("reduced", "reduce") } else { ("tests", "explore") }
    }

    pub fn findings(&self) -> Result<Vec<Case>, Failure> {
        let folder = self.output.join("findings");
        if folder.is_dir() { read_cases(&folder, "findings/") } else { Ok(Vec::new()) }
    }

    /// Those that the user named: `000007`, `7`, `findings/0001`, or the id in `test.json`.
    pub fn named(&self, names: &[String]) -> Result<Vec<Case>, Failure> {
        let findings = self.findings()?;
        // A check leaves findings and no tests.
        let has_tests = findings.is_empty() || self.output.join("tests").is_dir();
        let mut known = if has_tests { self.tests()? } else { Vec::new() };
        known.extend(findings);
        let mut picked = Vec::new();
        for name in names {
            let at = known.iter().position(|case| case.is_called(name)).ok_or_else(|| {
                let some: Vec<&str> = known.iter().map(|case| case.name.as_str()).take(3).collect();
                let dots = if known.len() > some.len() { ", …" } else { "" };
                let (dir, some) = (self.output.display(), some.join(", "));
                Failure::usage(format!("no test {name} in {dir}; there are {} ({some}{dots})", known.len()))
            });
            // Somebody may name a test twice.
            match at {
                Ok(at) => picked.push(known.remove(at)),
                Err(_) if picked.iter().any(|case: &Case| case.is_called(name)) => {}
                Err(failure) => return Err(failure),
            }
        }
        Ok(picked)
    }
}

impl Case {
    fn is_called(&self, name: &str) -> bool {
        let short = |name: &str| name.strip_prefix("tests/").unwrap_or(name).trim_end_matches('/').to_owned();
        let number = |name: &str| if name.len() < 16 { name.parse::<u64>().ok() } else { None };
        let name = short(name);
        name == self.name
            || number(&name).is_some_and(|wanted| number(&self.name) == Some(wanted))
            || name == self.test.id().as_str()
    }
}

impl From<Case> for Place {
    fn from(case: Case) -> Place {
        Place { name: case.name, folder: case.folder }
    }
}

pub fn read_cases(within: &Path, prefix: &str) -> Result<Vec<Case>, Failure> {
    Ok(read_all(places(within, prefix)?))
}

fn read_all(places: Vec<Place>) -> Vec<Case> {
    let read = |place: Place| place.read().map(|test| Case { name: place.name, folder: place.folder, test });
    places.into_iter().filter_map(read).collect()
}

/// In order of their names.
fn places(within: &Path, prefix: &str) -> Result<Vec<Place>, Failure> {
    let unreadable = |error| Failure::usage(format!("cannot read {}: {error}", within.display()));
    let mut places = Vec::new();
    for entry in fs::read_dir(within).map_err(unreadable)? {
        let folder = entry.map_err(unreadable)?.path();
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with('.') && folder.is_dir() {
            places.push(Place { name: format!("{prefix}{name}"), folder });
        }
    }
    places.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(places)
}
