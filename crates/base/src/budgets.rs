//! What one execution may spend. Past a budget the run goes on concretely (nodes, events) or is ended (the others);
//! either is visible in its outcome.

use std::time::Duration;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budgets {
    /// Term nodes in the trace.
    pub nodes: u64,
    /// 8-byte words of the event log.
    pub events: u64,
    /// Bytes of memory that all processes of the run hold together.
    pub memory: u64,
    /// CPU time of all processes of the run together.
    pub cpu: Duration,
    pub wall: Duration,
    /// Bytes on standard output and standard error together.
    pub output: u64,
}

impl Default for Budgets {
    /// Generous for one test of a regression suite on a laptop, small enough that a run-away ends before it hurts.
    fn default() -> Budgets {
        Budgets {
            nodes: 32 << 20,
            events: 64 << 20,
            memory: 4 << 30,
            cpu: Duration::from_secs(60),
            wall: Duration::from_secs(120),
            output: 64 << 20,
        }
    }
}
