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
        let (within, made_by) = if self.reduced { ("reduced", "reduce") } else { ("tests", "explore") };
        let dir = self.output.display();
        if !self.output.join(within).is_dir() {
            let what = if self.reduced { "reduced tests" } else { "tests" };
            return Err(Failure::usage(format!("no {what} in {dir}; `offshoot {made_by} -o {dir}` makes some")));
        }
        let cases = read_cases(&self.output.join(within), "")?;
        if cases.is_empty() {
            return Err(Failure::tests(format!(
                "{dir}/{within} has no tests; `offshoot {made_by} -o {dir}` makes some"
            )));
        }
        Ok(cases)
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

pub fn read_cases(within: &Path, prefix: &str) -> Result<Vec<Case>, Failure> {
    let unreadable = |error| Failure::usage(format!("cannot read {}: {error}", within.display()));
    let mut cases = Vec::new();
    for entry in fs::read_dir(within).map_err(unreadable)? {
        let folder = entry.map_err(unreadable)?.path();
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with('.') || !folder.is_dir() {
            continue;
        }
        match read_test(&folder) {
            Ok(test) => cases.push(Case { name: format!("{prefix}{name}"), folder, test }),
            Err(error) => warn(format!("left out: {error}")),
        }
    }
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(cases)
}
