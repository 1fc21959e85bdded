//! What a tree is asked to keep, and what it counts.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    pub keep_concrete: bool,
    pub budget: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { keep_concrete: false, budget: 512 << 20 }
    }
}

impl Options {
    /// Keep the concrete steps in front of each symbolic one (the last [`super::GAP`] of them): contexts need them.
    pub fn keep_concrete(self, keep_concrete: bool) -> Options {
        Options { keep_concrete, ..self }
    }

    /// Bytes past which the tails of old runs are forgotten.
    pub fn budget(self, budget: usize) -> Options {
        Options { budget, ..self }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub runs: u32,
    /// Symbolic steps stored.
    pub steps: u64,
    /// Symbolic steps that were stored once and made room for others; their candidates come back by running again.
    pub forgotten_steps: u64,
    /// Stretches of concrete steps that found no room.
    pub dropped_gaps: u64,
    /// Runs handed in that were in the tree already.
    pub known_runs: u64,
    /// Runs handed in that left their predicted path.
    pub diverged_runs: u64,
    /// Candidates by verdict.
    pub diverged: u64,
    pub unsat: u64,
    pub unknown: u64,
    pub filtered: u64,
}
