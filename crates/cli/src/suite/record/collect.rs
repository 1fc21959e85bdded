//! From logs to tests on disk.

use super::command::Recording;
use crate::failure::Failure;
use crate::suite::replay::differences;
use crate::suite::warn;
use offshoot_run::{Links, read_regular};
use offshoot_suite::recording::{self, End};
use offshoot_suite::{Expectation, Expected, Standing, Suite, Test, TestId};
use offshoot_trace::recording::OTHERS;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Default, Serialize)]
pub struct Collected {
    /// Of instrumented programs.
    pub runs: usize,
    /// Tests that DIR did not have.
    pub fresh: Vec<TestId>,
    /// Runs like one that is there already.
    pub known: usize,
    /// Tests of an earlier recording that did something else this time: what they did now is what is expected of them.
    pub changed: Vec<TestId>,
    pub killed: usize,
    pub became: usize,
    /// Why runs are no tests.
    pub dropped: Vec<String>,
    /// What tests lack, and how many.
    pub losses: BTreeMap<String, usize>,
    /// Programs of ours that nothing could be loaded into.
    pub statics: BTreeSet<String>,
    /// Programs that are none of ours.
    pub others: BTreeSet<String>,
    /// Bytes of logs that are no records.
    pub strange: usize,
    #[serde(skip)]
    pub killed_tests: Vec<TestId>,
    /// Tests of an earlier recording of which nobody knows whether they do again what they did now.
    #[serde(skip)]
    pub renewed: Vec<TestId>,
    /// Tests that this recording has met.
    #[serde(skip)]
    seen: HashSet<TestId>,
}

/// More than the logs of a recording come to. A sparse file that somebody put there can be larger than any memory.
const LARGEST_LOG: u64 = 4 << 30;
/// The recorder makes it no longer than 1 MiB.
const LARGEST_LIST: u64 = 16 << 20;
const LARGEST_PROGRAM: u64 = 1 << 30;

pub fn collect(recording: &Recording, suite: &Suite) -> Result<Collected, Failure> {
    let folder = &recording.folder;
    let unreadable = |error| Failure::usage(format!("cannot read {}: {error}", folder.display()));
    let mut logs: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "log") {
            logs.push(path);
        }
    }
    logs.sort();
    let mut collected = Collected::default();
    let mut sees_all = HashMap::new();
    for log in &logs {
        let text = match read_regular(log, LARGEST_LOG, Links::Refused) {
            Ok(text) => text,
            Err(error) => {
                collected
                    .dropped
                    .push(format!("cannot read {}, which the recorder did not leave so: {error}", log.display()));
                continue;
            }
        };
        // A log for many is made before the first of them writes to it, and the interrupt may come there.
        if text.is_empty() && is_of_one(log) {
            collected.dropped.push(
                "a process that may not write files as large as its first record, or was killed before it".to_owned(),
            );
            continue;
        }
        let beside =
            |name: &OsStr| read_regular(&folder.join(Path::new(name).file_name()?), LARGEST_LOG, Links::Refused).ok();
        let found = recording::read(&text, &beside, |program| {
            *sees_all.entry(program.to_path_buf()).or_insert_with(|| names_environ(program))
        });
        collected.strange += found.strange;
        for run in found.runs {
            collected.runs += 1;
            match run {
                Ok(run) => collected.add(run, suite)?,
                Err(why) => collected.dropped.push(why),
            }
        }
    }
    let others = match read_regular(&folder.join(OTHERS), LARGEST_LIST, Links::Refused) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            warn(format!("which programs ran that are not recorded is not known: cannot read {OTHERS}: {error}"));
            Vec::new()
        }
        list => list.unwrap_or_default(),
    };
    for line in others.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let text = |path: &[u8]| String::from_utf8_lossy(path).into_owned();
        match line.strip_prefix(b"static ") {
            Some(path) => collected.statics.insert(text(path)),
            None => collected.others.insert(text(line)),
        };
    }
    Ok(collected)
}

/// `PID-SECONDS-NANOSECONDS.log`: of a process with a limit on the size of files.
fn is_of_one(log: &Path) -> bool {
    log.file_stem().is_some_and(|stem| stem.as_encoded_bytes().iter().filter(|byte| **byte == b'-').count() == 2)
}

impl Collected {
    fn add(&mut self, run: recording::Run, suite: &Suite) -> Result<(), Failure> {
        let mut test = run.test;
        match run.end {
            End::Exited(_) => {}
            End::Became(_) => self.became += 1,
            End::Killed => self.killed += 1,
        }
        for loss in &run.losses {
            *self.losses.entry(loss.clone()).or_default() += 1;
        }
        if !run.losses.is_empty() {
            test.flaky = Some(run.losses.join("; "));
        }
        let added = suite.add(&test).map_err(Failure::usage)?;
        let is_first = self.seen.insert(added.id.clone());
        if is_first && run.end == End::Killed {
            self.killed_tests.push(added.id.clone());
        }
        if !added.known {
            self.fresh.push(added.id);
            return Ok(());
        }
        self.known += 1;
        let mut first = suite.read(&added.id).map_err(Failure::usage)?;
        if is_first {
            return self.renew(first, test, suite);
        }
        // The same input, and something else came of it.
        let found = differences(&first.expectation, &test.expectation, ["first", "later"]);
        if first.flaky.is_none() && !found.is_empty() && !is_judged(&first.expectation) {
            first.flaky = Some(format!("runs differ: {}", found.join("; ")));
            suite.update(&first).map_err(Failure::usage)?;
        }
        Ok(())
    }
}

impl Collected {
    /// Between two recordings the program may have been built anew: that does not make a test flaky.
    fn renew(&mut self, mut known: Test, now: Test, suite: &Suite) -> Result<(), Failure> {
        let has_changed = !differences(&known.expectation, &now.expectation, ["before", "now"]).is_empty();
        if has_changed && known.flaky.is_none() {
            self.changed.push(known.id());
        }
        // Somebody has said what is right. It is for a replay to say that this is something else.
        if has_changed && is_judged(&known.expectation) {
            return Ok(());
        }
        let Expectation { status, stdout, stderr } = known.expectation;
        known.expectation = Expectation {
            status: judged_or(status, now.expectation.status),
            stdout: judged_or(stdout, now.expectation.stdout),
            stderr: judged_or(stderr, now.expectation.stderr),
        };
        known.flaky = now.flaky;
        self.renewed.push(known.id());
        suite.update(&known).map_err(Failure::usage)
    }
}

fn is_judged(expectation: &Expectation) -> bool {
    let Expectation { status, stdout, stderr } = expectation;
    let outputs = [stdout, stderr].into_iter().flatten().map(|output| output.standing);
    outputs.chain(status.iter().map(|status| status.standing)).any(|standing| standing == Standing::Judged)
}

fn judged_or<T>(known: Option<Expected<T>>, now: Option<Expected<T>>) -> Option<Expected<T>> {
    known.filter(|known| known.standing == Standing::Judged).or(now)
}

/// Whether a program may look at its whole environment: it imports libc's list of variables.
fn names_environ(program: &Path) -> bool {
    let file = match read_regular(program, LARGEST_PROGRAM, Links::Followed) {
        Ok(file) => file,
        // The whole environment is never too little.
        Err(error) => return error.kind() == io::ErrorKind::FileTooLarge,
    };
    [&b"\0environ\0"[..], b"\0__environ\0", b"\0_environ\0"]
        .iter()
        .any(|name| file.windows(name.len()).any(|window| window == *name))
}
