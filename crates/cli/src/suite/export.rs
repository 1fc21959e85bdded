//! `offshoot export`: tests for other tools.

use super::cases::{Case, Folder};
use super::meter::Meter;
use super::running::Running;
use super::{print_json, warn};
use crate::failure::Failure;
use crate::output::print;
use clap::{Args, ValueEnum};
use offshoot_base::Exit;
use offshoot_campaign::pool::in_parallel;
use offshoot_campaign::runner::Runner;
use offshoot_suite::export::{Exported, Target, export, may_write};
use offshoot_suite::testcomp::{COVER_BRANCHES, Metadata};
use offshoot_suite::{Suite, Test};
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{SystemTime, UNIX_EPOCH};

/// Hand out tests in a form that other tools take.
///
/// Tests that a form cannot hold, in part or at all, are listed with the reason; the rest is done. `shell`, `ctest` and `automake` need nothing
/// of ours to run: expected status and output are what was seen when the test was made. For `ktest` and `testcomp` each
/// test is run once, to learn which values its harness asks for.
#[derive(Args)]
#[command(after_help = "Examples:
  offshoot export --format shell tests/offshoot && tests/offshoot/run-tests.sh
  offshoot export --format afl -o offshoot.out sync/offshoot
  offshoot export --format testcomp-zip --source harness.c suite.zip
  offshoot export --reduced --format folder corpus 000007 000012

Exit: 0 clean, 2 usage, 4 there are no tests, or none that the form can hold.")]
pub struct Export {
    /// The folder to write (for testcomp-zip: the file); files that are there are replaced, but for ktest and testcomp, which
    /// refuse a folder with such files. An AFL queue goes on behind its last number
    path: PathBuf,
    /// Tests by name (DIR/tests/NAME), or findings/NAME; without: all tests
    #[arg(value_name = "TEST")]
    tests: Vec<String>,
    /// What to write
    #[arg(long, value_name = "FORMAT")]
    format: Form,
    #[command(flatten)]
    folder: Folder,
    /// For Test-Comp: the source file that the tests are for
    #[arg(long, value_name = "FILE")]
    source: Option<PathBuf>,
    #[command(flatten)]
    running: Running,
    /// Print one JSON object and nothing else
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A queue that afl-fuzz can sync with
    Afl,
    /// A corpus: files named by their SHA-1
    #[value(name = "libfuzzer")]
    LibFuzzer,
    /// A `.ktest` for each test of a harness
    #[value(alias = "klee")]
    Ktest,
    /// Test-Comp XML for each test of a harness
    #[value(name = "testcomp", alias = "test-comp")]
    TestComp,
    /// The same in one zip file, as TestCov wants it
    #[value(name = "testcomp-zip", alias = "test-comp-zip")]
    TestCompZip,
    /// The input of each test as a file
    #[value(alias = "plain")]
    Folder,
    /// A script for each test, and one that runs them all
    Shell,
    /// The same and CTestTestfile.cmake
    #[value(name = "ctest")]
    CTest,
    /// The same and a fragment for Makefile.am
    Automake,
    /// Our own tests, in PATH/tests
    Offshoot,
}

#[derive(Serialize)]
struct Report {
    written: usize,
    left_out: Vec<Said>,
    /// Written without some of their bytes.
    lossy: Vec<Said>,
}

#[derive(Serialize)]
struct Said {
    test: String,
    why: String,
}

impl Export {
    pub fn run(self) -> Result<ExitCode, Failure> {
        let mut cases = if self.tests.is_empty() { self.folder.tests()? } else { self.folder.named(&self.tests)? };
        let target = self.target()?;
        if let Some(target) = &target {
            may_write(target, &self.path).map_err(Failure::usage)?;
        }
        if matches!(target, Some(Target::Klee | Target::TestComp(_) | Target::TestCompZip(_))) {
            cases = self.with_all_values(cases)?;
        }
        let tests: Vec<Test> = cases.iter().map(|case| case.test.clone()).collect();
        let exported = match target {
            Some(target) => export(&tests, &target, &self.path).map_err(Failure::usage)?,
            None => self.copy(&tests)?,
        };
        let report = report(&cases, exported);
        for Said { test, why } in &report.left_out {
            warn(format!("test {test} left out: {why}"));
        }
        for Said { test, why } in &report.lossy {
            warn(format!("test {test} is written in part: {why}"));
        }
        let (written, left_out) = (report.written, report.left_out.len());
        if written == 0 {
            // Made for nothing; a folder that holds something stays.
            _ = std::fs::remove_dir(&self.path);
            let format = self.format.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
            return Err(Failure::tests(format!("none of {left_out} tests can be written as {format}")));
        }
        if self.json {
            print_json(&report)?;
        } else {
            print(&format!("{written} tests to {}; {left_out} left out\n", self.path.display()))?;
        }
        Ok(Exit::Clean.into())
    }

    /// `None`: ours.
    fn target(&self) -> Result<Option<Target>, Failure> {
        Ok(Some(match self.format {
            Form::Afl => Target::Afl,
            Form::LibFuzzer => Target::LibFuzzer,
            Form::Ktest => Target::Klee,
            Form::TestComp => Target::TestComp(self.metadata()?),
            Form::TestCompZip => Target::TestCompZip(self.metadata()?),
            Form::Folder => Target::Plain,
            Form::Shell => Target::Shell,
            Form::CTest => Target::CTest,
            Form::Automake => Target::Automake,
            Form::Offshoot => return Ok(None),
        }))
    }

    fn metadata(&self) -> Result<Metadata, Failure> {
        let source = self.source.as_ref();
        let source = source.ok_or_else(|| Failure::usage("Test-Comp names the source; add --source FILE.c"))?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Metadata::of(source, COVER_BRANCHES, &iso_8601(now)).map_err(Failure::usage)
    }

    /// These forms know the values of a harness by their order, so none may be missing.
    fn with_all_values(&self, cases: Vec<Case>) -> Result<Vec<Case>, Failure> {
        let settings = self.running.settings()?;
        let meter = Meter::new(self.running.progress, self.json, "running test", cases.len());
        let start = || Runner::new(settings.clone());
        let work = |runner: &mut Runner, case: &Case| runner.with_all_values(&case.test);
        let results = in_parallel(&cases, self.running.jobs(), &settings.cancel, start, work, |_, _| meter.step());
        drop(meter);
        if settings.cancel.load(Ordering::Relaxed) {
            return Err(Failure::interrupted("interrupted before all tests had run; nothing was written"));
        }
        let mut whole = Vec::new();
        for (case, result) in cases.into_iter().zip(results.into_iter().flatten()) {
            match result {
                Ok(test) => whole.push(Case { test, ..case }),
                Err(error) => warn(format!("test {} left out: {error}", case.name)),
            }
        }
        Ok(whole)
    }

    fn copy(&self, tests: &[Test]) -> Result<Exported, Failure> {
        let suite = Suite::create(&self.path).map_err(Failure::usage)?;
        for test in tests {
            suite.add(test).map_err(Failure::usage)?;
        }
        Ok(Exported { written: tests.len(), ..Exported::default() })
    }
}

/// With the names that the user knows.
fn report(cases: &[Case], exported: Exported) -> Report {
    let named = |id: &offshoot_suite::TestId| {
        let case = cases.iter().find(|case| case.test.id() == *id);
        case.map_or_else(|| id.to_string(), |case| case.name.clone())
    };
    let said = |tests: Vec<(offshoot_suite::TestId, String)>| {
        tests.into_iter().map(|(id, why)| Said { test: named(&id), why }).collect()
    };
    Report { written: exported.written, left_out: said(exported.left_out), lossy: said(exported.lossy) }
}

/// A time in seconds since 1970, in UTC. Days to a date after Hinnant, "chrono-compatible low-level date algorithms".
fn iso_8601(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::iso_8601;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(iso_8601(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso_8601(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(iso_8601(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(iso_8601(1_700_000_000), "2023-11-14T22:13:20Z");
    }
}
