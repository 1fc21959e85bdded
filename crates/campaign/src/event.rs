//! Everything a user sees of a campaign. The terminal, `events.jsonl` and the tests read the same stream.

use crate::stages::Stage;
use crate::stats::Snapshot;
use serde::Serialize;

#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    Started {
        program: String,
        strategy: String,
        rng_seed: u64,
        jobs: usize,
        criterion: String,
        goals: u32,
        seeds: usize,
    },
    /// A seed was run.
    Seed { name: String, status: String, symbolic_steps: u32, gain: u32, covered: u32 },
    /// A stage before the symbolic one has ended.
    Stage(Stage),
    /// A new test that covers what none before did.
    Test {
        id: u32,
        /// The test or seed that it grew off.
        parent: Option<u32>,
        /// The decision that was turned, in source terms.
        flipped: Option<String>,
        changed: Vec<ChangedByte>,
        gain: u32,
        /// By all tests so far.
        covered: u32,
        iteration: u64,
        elapsed_s: f64,
    },
    Finding {
        id: u32,
        kind: String,
        place: String,
        /// It happens without instrumentation's eyes on it too.
        confirmed: bool,
        changed: Vec<ChangedByte>,
    },
    /// A solved input whose run left the predicted path before it came to its decision.
    Diverged {
        flipped: Option<String>,
        /// Which of the run's decisions on the input, from 0, and how many the prediction had.
        at: u32,
        of: u32,
        expected: String,
        found: Option<String>,
        changed: Vec<ChangedByte>,
    },
    /// From time to time.
    Progress(Snapshot),
    /// Something the user should know; the campaign goes on.
    Warning { text: String },
    Ended {
        why: Ending,
        #[serde(flatten)]
        snapshot: Snapshot,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedByte {
    pub source: String,
    pub offset: u32,
    /// `None`: the parent had no byte there.
    pub old: Option<u8>,
    pub new: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// Every candidate was tried.
    Exhausted,
    /// Every candidate was tried but those by which nothing can be covered.
    Filtered,
    /// Every goal is covered.
    Covered,
    /// The first finding was enough.
    Finding,
    Iterations,
    Time,
    Memory,
    Interrupted,
}

impl Ending {
    pub fn in_words(self) -> &'static str {
        match self {
            Ending::Exhausted => "nothing left to try",
            Ending::Filtered => "no candidate is left that could cover anything more",
            Ending::Covered => "everything is covered",
            Ending::Finding => "a finding",
            Ending::Iterations => "the iterations are used up",
            Ending::Time => "the time is used up",
            Ending::Memory => "the memory is used up",
            Ending::Interrupted => "interrupted",
        }
    }
}
