//! What is counted.

use crate::finding::Finding;
use crate::sample::Sample;
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
    /// What the findings' fingerprints are.
    pub fingerprints: &'static str,
    pub findings: Vec<Finding>,
    /// Findings that the baseline has as well.
    pub known: Vec<Finding>,
    pub unconfirmed: Vec<Unconfirmed>,
    pub seeds: Vec<SeedCount>,
    /// Only some of the seeds were looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<Sample>,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct Counts {
    /// Sensitive operations that were looked at.
    pub operations: u64,
    pub checks: u64,
    pub queries: Queries,
    pub skipped: Skipped,
    pub reduction: Reduction,
    pub untaken: Untaken,
    /// Each way of a decision, once for what came before and what would come next.
    pub turns: Untaken,
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

/// What taking back changed bytes of findings cost and gave.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Reduction {
    /// Of the judge.
    pub runs: u64,
    /// Bytes that are the seed's again.
    pub bytes: u64,
    /// Findings for which it was ended early: some of their bytes may not need to change.
    pub cut: u64,
}

/// Ways of decisions, beside those of the tests.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Untaken {
    /// Asked for: the same way at several decisions, if need be.
    pub tried: u64,
    /// Taken by a run beside a test.
    pub taken: u64,
    /// Seeds that there was no time for.
    pub seeds_left: u64,
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
    /// Runs: changes of bytes that led elsewhere than foretold before, such as those of a file's name.
    pub straying: u64,
    /// Runs that used up what they may have of memory, files or processes: where they would have ended is not known.
    pub limited: u64,
    /// On paths with so many that not all can be kept.
    pub crowded: u64,
    /// Found before the budget ended, but not looked at.
    pub budget: u64,
}

impl Skipped {
    /// Each with its reason in words.
    pub fn reasons(&self) -> [(u64, &'static str); 10] {
        [
            (self.sampled, "sampled (many alike were safe)"),
            (self.known, "at places with a finding"),
            (self.beyond, "behind a path's time to live"),
            (self.given_up, "too hard for the solver"),
            (self.postponed, "put off"),
            (self.crowded, "on paths with more than can be kept"),
            (self.budget, "for lack of time"),
            (self.ways, "other ways of decisions too hard"),
            (self.straying, "inputs that would go elsewhere, as those like them did"),
            (self.limited, "runs that used up their memory, files or processes"),
        ]
    }

    pub fn total(&self) -> u64 {
        self.reasons().iter().map(|(count, _)| count).sum()
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
