//! What a campaign counts.

use crate::stages::Stage;
use crate::sync;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, Serialize)]
pub struct Snapshot {
    /// Inputs that were run and looked at, seeds included.
    pub iterations: u64,
    /// Runs of the program, also those that only brought back the terms of an earlier input.
    pub executions: u64,
    pub divergences: u64,
    /// Candidates that were not tried, because all of their kind had diverged.
    pub passed_over: u64,
    /// Candidates that were not tried, because nothing can be covered by them.
    pub filtered: u64,
    pub queries: Queries,
    pub coverage: Coverage,
    /// Conditions of decisions that are not shown and cannot be: every path was tried, and nothing stands in the way of
    /// that being all there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub infeasible: Option<u32>,
    pub tests: u64,
    pub findings: u64,
    pub elapsed_s: f64,
    pub peak_rss_bytes: u64,
    /// Seconds since the last new goal.
    pub since_gain_s: f64,
    /// Answers by solver layer.
    pub layers: BTreeMap<String, LayerCount>,
    /// Seconds spent in the solver, in running the program, and in everything else.
    pub solving_s: f64,
    pub running_s: f64,
    pub strategy: String,
    /// With `--stages`: each of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<Stage>,
    /// With `--sync`: what was shared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sync: Option<sync::Counts>,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct Queries {
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct LayerCount {
    pub sat: u64,
    pub unsat: u64,
    pub seconds: f64,
}

/// By criterion.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Coverage {
    pub branch: Covered,
    /// What was explored for, if it was not branches.
    #[serde(flatten)]
    pub others: BTreeMap<&'static str, Covered>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Covered {
    pub covered: u32,
    pub total: u32,
}

/// Of this process; 0 where the system does not say.
pub fn peak_rss_bytes() -> u64 {
    status_field("VmHWM:")
}

pub fn rss_bytes() -> u64 {
    status_field("VmRSS:")
}

fn status_field(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) * 1024
}
