//! Does a recorded test do the same again?

use super::collect::Collected;
use crate::failure::Failure;
use crate::suite::meter::Meter;
use crate::suite::replay::differences;
use crate::suite::running::{Running, patient, within};
use offshoot_campaign::explore::seen;
use offshoot_campaign::pool::in_parallel;
use offshoot_campaign::runner::{Runner, Settings};
use offshoot_suite::{Expectation, Sink, Status, Suite, Test, TestId};
use serde::Serialize;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// For a run of which nobody knows how it ends: it was killed, or went on as another program, which may be a whole test
/// of the suite.
const UNKNOWN_END: Duration = Duration::from_secs(1);

#[derive(Default, Serialize)]
pub struct Verified {
    pub same: usize,
    pub flaky: usize,
    /// Not run: the user interrupted.
    pub unverified: usize,
    /// Why each of the flaky ones is.
    pub reasons: Vec<(TestId, String)>,
}

/// Between two runs that are to be the same: what prints the time tells itself from one second to the next.
const APART: Duration = Duration::from_secs(1);

enum Checked {
    Same,
    Flaky(String),
    /// It does what was recorded, as far as that goes; the rest of what it is expected to do is what it did now.
    Learnt,
    /// What it did says nothing.
    Interrupted,
}

pub fn verify(
    suite: &Suite,
    collected: &Collected,
    settings: Settings,
    running: &Running,
) -> Result<Verified, Failure> {
    let runners = || Runners {
        known: Runner::new(patient(&settings)),
        unknown: Runner::new(within(&settings, settings.budgets.wall.min(UNKNOWN_END))),
    };
    // Each test is written at once: a suite can have tens of thousands, and somebody may interrupt.
    let pass = |what: &'static str, ids: &[TestId], check: &(dyn Fn(&Runners, &mut Test) -> Checked + Sync)| {
        let meter = Meter::new(running.progress, false, what, ids.len());
        let work = |runners: &mut Runners, id: &TestId| -> Result<Checked, String> {
            let mut test = suite.read(id).map_err(|error| error.to_string())?;
            let checked = check(runners, &mut test);
            if settings.cancel.load(Ordering::Relaxed) {
                return Ok(Checked::Interrupted);
            }
            if let Checked::Flaky(reason) = &checked {
                test.flaky.get_or_insert_with(|| reason.clone());
            }
            suite.update(&test).map_err(|error| error.to_string())?;
            Ok(test.flaky.map_or(checked, Checked::Flaky))
        };
        in_parallel(ids, running.jobs(), &settings.cancel, runners, work, |_, _| meter.step())
    };
    let mut verified = Verified::default();
    let mut learnt = Vec::new();
    let first = |runners: &Runners, test: &mut Test| replay(runners, test, collected.killed_tests.contains(&test.id()));
    let recorded = [&collected.fresh[..], &collected.renewed].concat();
    let results = pass("replaying test", &recorded, &first);
    for (id, result) in recorded.iter().zip(results) {
        match result.transpose().map_err(Failure::usage)? {
            Some(Checked::Learnt) => learnt.push(id.clone()),
            checked => verified.add(id, checked),
        }
    }
    if !learnt.is_empty() {
        std::thread::sleep(APART);
    }
    let results = pass("replaying again test", &learnt, &replay_again);
    for (id, result) in learnt.iter().zip(results) {
        verified.add(id, result.transpose().map_err(Failure::usage)?);
    }
    Ok(verified)
}

impl Verified {
    /// `None`: nobody came to it.
    fn add(&mut self, id: &TestId, checked: Option<Checked>) {
        match checked {
            Some(Checked::Same | Checked::Learnt) => self.same += 1,
            Some(Checked::Flaky(reason)) => {
                self.flaky += 1;
                self.reasons.push((id.clone(), reason));
            }
            Some(Checked::Interrupted) | None => self.unverified += 1,
        }
    }
}

/// For tests that are known to end, and for others.
struct Runners {
    known: Runner,
    unknown: Runner,
}

impl Runners {
    fn run(&self, test: &Test) -> Result<Expectation, String> {
        let runner = if test.expectation.status.is_some() { &self.known } else { &self.unknown };
        runner.plainly(test).map(|execution| seen(&execution)).map_err(|error| error.to_string())
    }
}

fn replay(runners: &Runners, test: &mut Test, was_killed: bool) -> Checked {
    let now = match runners.run(test) {
        Ok(now) => now,
        Err(error) => return Checked::Flaky(error),
    };
    let found = differences(&test.expectation, &now, ["recorded", "replayed"]);
    if !found.is_empty() {
        return Checked::Flaky(found.join("; "));
    }
    let expectation = &mut test.expectation;
    if expectation.status.is_some() && expectation.stdout.is_some() && expectation.stderr.is_some() {
        return Checked::Same;
    }
    let signaled = matches!(&now.status, Some(status) if matches!(status.value, Status::Signaled(_)));
    if was_killed && !signaled {
        return Checked::Flaky(
            "it was killed when it was recorded (or ended without libc), and a replay is not".to_owned(),
        );
    }
    if let (None, Some(Status::Ended(why))) = (&expectation.status, now.status.as_ref().map(|status| &status.value)) {
        return Checked::Flaky(format!("how it ends was not recorded, and a replay {why}"));
    }
    let [keeps_stdout, keeps_stderr] = test.command.world.outputs.map(|sink| sink == Sink::Kept);
    expectation.status = expectation.status.take().or(now.status);
    if keeps_stdout {
        expectation.stdout = expectation.stdout.take().or(now.stdout);
    }
    if keeps_stderr {
        expectation.stderr = expectation.stderr.take().or(now.stderr);
    }
    Checked::Learnt
}

fn replay_again(runners: &Runners, test: &mut Test) -> Checked {
    let found = runners.run(test).map(|now| differences(&test.expectation, &now, ["first", "later"]));
    match found {
        Ok(found) if found.is_empty() => Checked::Same,
        Ok(found) => Checked::Flaky(format!("replays differ: {}", found.join("; "))),
        Err(error) => Checked::Flaky(error),
    }
}
