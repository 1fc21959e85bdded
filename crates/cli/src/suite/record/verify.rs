//! Does a recorded test do the same again?

use super::collect::Collected;
use crate::failure::Failure;
use crate::suite::meter::Meter;
use crate::suite::replay::differences;
use crate::suite::running::Running;
use offshoot_campaign::explore::seen;
use offshoot_campaign::pool::in_parallel;
use offshoot_campaign::runner::{Runner, Settings};
use offshoot_suite::{Expectation, Status, Suite, Test, TestId};
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

enum Checked {
    Same,
    Flaky(String),
    /// What it did says nothing.
    Interrupted,
}

pub fn verify(
    suite: &Suite,
    collected: &Collected,
    settings: Settings,
    running: &Running,
) -> Result<Verified, Failure> {
    let meter = Meter::new(running.progress, false, "replaying test", collected.fresh.len());
    let mut short = settings.clone();
    short.budgets.wall = short.budgets.wall.min(UNKNOWN_END);
    let start = || [Runner::new(settings.clone()), Runner::new(short.clone())];
    // Each test is written at once: a suite can have tens of thousands, and somebody may interrupt.
    let work = |[runner, short]: &mut [Runner; 2], id: &TestId| -> Result<Checked, String> {
        let mut test = suite.read(id).map_err(|error| error.to_string())?;
        let was_killed = collected.killed_tests.contains(id);
        let runner = if test.expectation.status.is_some() { runner } else { short };
        let replayed = replay(runner, &mut test, was_killed);
        if settings.cancel.load(Ordering::Relaxed) {
            return Ok(Checked::Interrupted);
        }
        if let Err(reason) = replayed
            && test.flaky.is_none()
        {
            test.flaky = Some(reason);
        }
        suite.update(&test).map_err(|error| error.to_string())?;
        Ok(test.flaky.map_or(Checked::Same, Checked::Flaky))
    };
    let results = in_parallel(&collected.fresh, running.jobs(), &settings.cancel, start, work, |_, _| meter.step());
    drop(meter);
    let mut verified = Verified::default();
    for (id, result) in collected.fresh.iter().zip(results) {
        match result.transpose().map_err(Failure::usage)? {
            Some(Checked::Same) => verified.same += 1,
            Some(Checked::Flaky(reason)) => {
                verified.flaky += 1;
                verified.reasons.push((id.clone(), reason));
            }
            Some(Checked::Interrupted) | None => verified.unverified += 1,
        }
    }
    Ok(verified)
}

/// What the recording could not tell is what the replay gives, if it gives it twice. An error says how runs differ.
fn replay(runner: &Runner, test: &mut Test, was_killed: bool) -> Result<(), String> {
    let run = |test: &Test| runner.plainly(test).map(|execution| seen(&execution)).map_err(|error| error.to_string());
    let first = run(test)?;
    let Expectation { status, stdout, stderr } = &test.expectation;
    let found = differences(&test.expectation, &first, ["recorded", "replayed"]);
    if !found.is_empty() {
        return Err(found.join("; "));
    }
    if status.is_some() && stdout.is_some() && stderr.is_some() {
        return Ok(());
    }
    let signaled = matches!(&first.status, Some(status) if matches!(status.value, Status::Signaled(_)));
    if was_killed && !signaled {
        return Err("it was killed when it was recorded, and a replay is not".to_owned());
    }
    if let (None, Some(Status::Ended(why))) = (status, first.status.as_ref().map(|status| &status.value)) {
        return Err(format!("how it ends was not recorded, and a replay {why}"));
    }
    let found = differences(&first, &run(test)?, ["first", "later"]);
    if !found.is_empty() {
        return Err(format!("replays differ: {}", found.join("; ")));
    }
    let [discards_stdout, discards_stderr] = test.command.world.discarded;
    let expectation = &mut test.expectation;
    expectation.status = expectation.status.take().or(first.status);
    if !discards_stdout {
        expectation.stdout = expectation.stdout.take().or(first.stdout);
    }
    if !discards_stderr {
        expectation.stderr = expectation.stderr.take().or(first.stderr);
    }
    Ok(())
}
