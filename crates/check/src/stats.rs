//! What is counted.

use crate::finding::Finding;
use offshoot_campaign::Ending;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    pub format: u32,
    pub program: String,
    pub ending: Ending,
    /// Everything up to here was looked at.
    pub completed_distance: Option<u32>,
    #[serde(flatten)]
    pub counts: Counts,
    /// By source line.
    pub lines: BTreeMap<String, LineCount>,
    pub findings: Vec<Finding>,
    pub unconfirmed: Vec<Unconfirmed>,
    pub seeds: Vec<SeedCount>,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct Counts {
    /// Sensitive operations that were looked at.
    pub operations: u64,
    pub checks: u64,
    pub queries: Queries,
    pub skipped: Skipped,
    /// Runs of the instrumented program, and of the judge's.
    pub executions: u64,
    pub judge_runs: u64,
    /// Seeds that could not be run, and those that there was no time for.
    pub seeds_left_out: u64,
    pub seeds_not_reached: u64,
    /// Runs beside the seeds' paths.
    pub paths: u64,
    /// Runs that left the predicted path.
    pub divergences: u64,
    pub solving_s: f64,
    pub running_s: f64,
    pub judging_s: f64,
    /// Reading the programs and making their variants, before and beside the rest.
    pub loading_s: f64,
    pub elapsed_s: f64,
    /// Of that, until the paths of the seeds themselves were done.
    pub distance_0_s: f64,
    pub peak_rss_bytes: u64,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Queries {
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
}

/// Checks that were not made, by reason.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Skipped {
    /// Many like them were answered the same way, or gave nothing that could be confirmed.
    pub sampled: u64,
    /// Their place has a finding already.
    pub known: u64,
    /// Behind the end of a path's time to live.
    pub beyond: u64,
    /// The solver gave up on them, the second time too.
    pub given_up: u64,
    /// Put off because they were expensive, and then there was no time.
    pub postponed: u64,
    /// Other ways of decisions that the solver gave up on before.
    pub ways: u64,
    /// Found before the budget ended, but not looked at.
    pub budget: u64,
}

impl Skipped {
    pub fn total(&self) -> u64 {
        self.sampled + self.known + self.beyond + self.given_up + self.postponed + self.ways + self.budget
    }
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct LineCount {
    pub checks: u64,
    pub safe: u64,
    pub violable: u64,
    pub unknown: u64,
}

/// A solution that no judge saw fail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unconfirmed {
    pub what: String,
    pub place: String,
    pub explanation: String,
    pub seed: String,
    pub times: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct SeedCount {
    pub name: String,
    pub status: String,
    pub symbolic_decisions: usize,
    pub operations: usize,
    pub seconds: f64,
}
