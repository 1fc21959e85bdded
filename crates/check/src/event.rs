//! Everything a user sees while it runs.

use crate::finding::Finding;
use crate::stats::Counts;
use serde::Serialize;

#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    Started {
        program: String,
        seeds: usize,
        checks: Vec<&'static str>,
    },
    Seed {
        name: String,
        status: String,
        operations: usize,
        symbolic_decisions: usize,
    },
    /// All seeds are looked at from this distance now.
    Distance {
        distance: u32,
    },
    Finding {
        finding: Box<Finding>,
    },
    Warning {
        text: String,
    },
    Progress {
        distance: u32,
        findings: usize,
        counts: Box<Counts>,
    },
}
