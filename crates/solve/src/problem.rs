//! What a layer is asked.

use crate::answer::Answer;
use offshoot_expr::{Input, Pool, TermId};
use std::time::Duration;

/// A conjunction. Contract: `∀ t ∈ terms[..last]. eval(t, hint) = 1`, all terms have width 1 and are no constants, the
/// last one is the goal.
pub struct Problem<'a> {
    pub pool: &'a mut Pool,
    pub terms: &'a [TermId],
    pub hint: &'a Input,
    pub limits: Limits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For the whole query, over all layers.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: Duration::from_secs(2) }
    }
}

impl Problem<'_> {
    pub fn goal(&self) -> Option<TermId> {
        self.terms.last().copied()
    }
}

/// Contract: `Sat(m)` ⇒ every term of the problem is 1 under the hint changed by `m`; `Unsat` ⇒ none such exists.
pub trait Layer {
    /// As statistics call it.
    fn name(&self) -> &'static str;

    /// `Unknown(NotMine)` hands the problem to the next layer.
    fn solve(&mut self, problem: &mut Problem<'_>) -> Answer;

    /// Another layer has answered: `Sat` or `Unsat`, checked.
    fn learn(&mut self, _problem: &mut Problem<'_>, _answer: &Answer) {}

    /// What is worth keeping for the next campaign, if anything.
    fn keep(&self) -> Option<Vec<u8>> {
        None
    }

    /// The pool of the problems so far is gone; whatever is remembered by `TermId` means nothing any more.
    fn forget(&mut self) {}
}
