//! From logs to tests on disk.

use super::command::Recording;
use crate::failure::Failure;
use crate::suite::replay::differences;
use offshoot_suite::recording::{self, End};
use offshoot_suite::{Suite, TestId};
use offshoot_trace::recording::OTHERS;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Default, Serialize)]
pub struct Collected {
    /// Of instrumented programs.
    pub runs: usize,
    /// Tests that DIR did not have.
    pub fresh: Vec<TestId>,
    /// Runs like one that is there already.
    pub known: usize,
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
    #[serde(skip)]
    pub killed_tests: Vec<TestId>,
}

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
        let text = fs::read(log).map_err(unreadable)?;
        let runs = recording::read(&text, Some(folder), |program| {
            *sees_all.entry(program.to_path_buf()).or_insert_with(|| names_environ(program))
        });
        for run in runs {
            collected.runs += 1;
            match run {
                Ok(run) => collected.add(run, suite)?,
                Err(why) => collected.dropped.push(why),
            }
        }
    }
    let others = fs::read_to_string(folder.join(OTHERS)).unwrap_or_default();
    for line in others.lines() {
        match line.strip_prefix("static ") {
            Some(path) => collected.statics.insert(path.to_owned()),
            None => collected.others.insert(line.to_owned()),
        };
    }
    Ok(collected)
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
        if !added.known {
            if run.end == End::Killed {
                self.killed_tests.push(added.id.clone());
            }
            self.fresh.push(added.id);
            return Ok(());
        }
        self.known += 1;
        // The same input, and something else came of it.
        let mut first = suite.read(&added.id).map_err(Failure::usage)?;
        let found = differences(&first.expectation, &test.expectation, ["first", "later"]);
        if first.flaky.is_none() && !found.is_empty() {
            first.flaky = Some(format!("runs differ: {}", found.join("; ")));
            suite.update(&first).map_err(Failure::usage)?;
        }
        Ok(())
    }
}

/// Whether a program may look at its whole environment: it imports libc's list of variables.
fn names_environ(program: &Path) -> bool {
    let Ok(file) = fs::read(program) else { return false };
    [&b"\0environ\0"[..], b"\0__environ\0", b"\0_environ\0"]
        .iter()
        .any(|name| file.windows(name.len()).any(|window| window == *name))
}
