//! `offshoot replay`: does a test still do what it did?

mod difference;

use super::cases::{Folder, Place};
use super::meter::Meter;
use super::print_json;
use super::running::{Running, patient};
use crate::failure::Failure;
use crate::output::print;
use clap::Args;
pub use difference::differences;
use offshoot_base::Exit;
use offshoot_campaign::explore::{in_words, seen};
use offshoot_campaign::pool::in_parallel;
use offshoot_campaign::runner::Runner;
use offshoot_run::Status;
use offshoot_suite::{Status as Ended, Test, write_test};
use serde::Serialize;
use std::fmt::Write;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// Run tests again and compare exit status and output with what is expected.
///
/// Each test gets its own arguments, files and standard input back, in a sandbox. What is expected is what was seen when
/// the test was made: a difference says that the program does something else now, not which of the two is right.
#[derive(Args)]
#[command(after_help = "Examples:
  offshoot replay all
  offshoot replay 000007 findings/0000
  offshoot replay -o offshoot.out --runs 5 -j 2 all

With --runs, a test whose runs differ among themselves is flaky: its test.json says so from then on, and it does not count
as failed.

Exit: 0 all as expected, 2 usage, 4 a test failed or there are none, 130 interrupted.")]
pub struct Replay {
    /// Tests by name (DIR/tests/NAME), findings/NAME, or `all`
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
    #[command(flatten)]
    folder: Folder,
    /// Run each test so often
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,
    #[command(flatten)]
    running: Running,
    /// Print one JSON object and nothing else
    #[arg(long)]
    json: bool,
}

struct Runners {
    usual: Runner,
    /// For tests that are known to end.
    patient: Runner,
}

#[derive(Serialize)]
struct Report {
    passed: usize,
    failed: usize,
    flaky: usize,
    tests: Vec<Line>,
}

#[derive(Clone, Serialize)]
struct Line {
    test: String,
    verdict: Verdict,
    /// How the last run ended.
    status: String,
    /// In words; empty if all is as expected.
    differences: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Verdict {
    Passed,
    Failed,
    Flaky,
}

impl Replay {
    pub fn run(self) -> Result<ExitCode, Failure> {
        let places = if self.ids.iter().any(|id| id == "all") {
            self.folder.places()?
        } else {
            self.folder.named(&self.ids)?.into_iter().map(Place::from).collect()
        };
        let settings = self.running.settings()?;
        let meter = Meter::new(self.running.progress, self.json, "running test", places.len());
        let patient = patient(&settings);
        let start = || Runners { usual: Runner::new(settings.clone()), patient: Runner::new(patient.clone()) };
        let work = |runners: &mut Runners, place: &Place| self.replay(runners, place).transpose();
        let results = in_parallel(&places, self.running.jobs(), &settings.cancel, start, work, |_, _| meter.step());
        drop(meter);
        let mut report = Report { passed: 0, failed: 0, flaky: 0, tests: Vec::new() };
        for line in results.into_iter().flatten().flatten() {
            let line = line?;
            match line.verdict {
                Verdict::Passed => report.passed += 1,
                Verdict::Failed => report.failed += 1,
                Verdict::Flaky => report.flaky += 1,
            }
            report.tests.push(line);
        }
        let interrupted = settings.cancel.load(Ordering::Relaxed);
        if report.tests.is_empty() && !interrupted {
            return Err(self.folder.nothing());
        }
        if self.json {
            print_json(&report)?;
        } else {
            print(&text(&report))?;
        }
        Ok(match report.failed {
            _ if interrupted => Exit::Interrupted,
            0 => Exit::Clean,
            _ => Exit::TestsFail,
        }
        .into())
    }

    /// `None`: interrupted, or it cannot be read. A test that turns out to be flaky says so from now on.
    fn replay(&self, runners: &Runners, place: &Place) -> Result<Option<Line>, Failure> {
        let Some(mut test) = place.read() else { return Ok(None) };
        let runner = match &test.expectation.status {
            Some(status) if !matches!(status.value, Ended::Ended(_)) => &runners.patient,
            _ => &runners.usual,
        };
        let line = self.compared(runner, place, &test);
        if let Some(Line { verdict: Verdict::Flaky, differences, .. }) = &line
            && test.flaky.is_none()
        {
            test.flaky = Some(differences.join("; "));
            write_test(&place.folder, &test).map_err(Failure::usage)?;
        }
        Ok(line)
    }

    /// `None`: interrupted.
    fn compared(&self, runner: &Runner, place: &Place, test: &Test) -> Option<Line> {
        let Test { expectation, flaky, .. } = test;
        let line = |verdict, status, differences| Line { test: place.name.clone(), verdict, status, differences };
        let mut first = None;
        let mut status = String::new();
        for _ in 0..self.runs {
            let execution = match runner.plainly(test) {
                Ok(execution) if execution.status == Status::Interrupted => return None,
                Ok(execution) => execution,
                Err(error) => {
                    let verdict = if flaky.is_some() { Verdict::Flaky } else { Verdict::Failed };
                    return Some(line(verdict, "did not run".into(), vec![error.to_string()]));
                }
            };
            status = in_words(execution.status);
            let now = seen(&execution);
            let first = first.get_or_insert_with(|| now.clone());
            let between = differences(first, &now, ["first", "later"]);
            if !between.is_empty() {
                let reasons = between.iter().map(|difference| format!("runs differ: {difference}")).collect();
                return Some(line(Verdict::Flaky, status, reasons));
            }
        }
        let found = first.map(|now| differences(expectation, &now, ["expected", "got"])).unwrap_or_default();
        let verdict = match flaky {
            _ if found.is_empty() => Verdict::Passed,
            Some(_) => Verdict::Flaky,
            None => Verdict::Failed,
        };
        Some(line(verdict, status, found))
    }
}

fn text(report: &Report) -> String {
    let mut text = String::new();
    for line in &report.tests {
        let verdict = match line.verdict {
            Verdict::Passed => "ok",
            Verdict::Failed => "FAILED",
            Verdict::Flaky => "flaky",
        };
        _ = writeln!(text, "{}: {verdict} ({})", line.test, line.status);
        for difference in &line.differences {
            _ = writeln!(text, "    {difference}");
        }
    }
    let Report { passed, failed, flaky, tests } = report;
    _ = writeln!(text, "{} tests: {passed} as expected, {failed} failed, {flaky} flaky", tests.len());
    text
}
