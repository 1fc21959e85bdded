//! The path filter (SERE'14 section IV-B, algorithm 2): candidates behind which nothing can be covered any more are not
//! solved. It works with every strategy, and looks at coverage only: a crash on covered code is no reason to try one.
//!
//! Along the candidate's path, from the root: if one of its outcomes is irrelevant, so is all that comes behind it. The
//! static graph does not know to which caller a function returns. The path does: where the caller has passed a decision
//! behind which nothing is open, it does not matter what else could be reached from the end of the function.
//!
//! Coverage only grows, so what is irrelevant stays so; the rest is looked at again when it is its turn, which is no later
//! than after every fruitful run.

use crate::Tree;
use crate::structure::Relevance;
use crate::types::{Candidate, Knowledge};

/// Steps looked back over for the conditions in front of one, in the same decision.
const BACK: usize = 64;

#[derive(Debug, Default)]
pub struct Filter {
    /// By run.
    checked: Vec<Checked>,
    filtered: u64,
}

/// How far a run's steps have been looked at.
#[derive(Clone, Copy, Debug, Default)]
struct Checked {
    /// [`Knowledge::covered`] at that time.
    covered: u32,
    /// Steps in front of it lead to something.
    relevant_to: u32,
    /// The step at `relevant_to` does not.
    is_end: bool,
}

impl Filter {
    pub fn new() -> Filter {
        Filter::default()
    }

    /// Candidates that were found irrelevant.
    pub fn filtered(&self) -> u64 {
        self.filtered
    }

    /// What a candidate of the tree is good for.
    pub fn relevance(&mut self, tree: &Tree, knowledge: &dyn Knowledge, candidate: Candidate) -> Relevance {
        let Some(step) = tree.step(candidate.run, candidate.depth) else { return Relevance::May };
        let before = candidate.depth.checked_sub(1).map(|depth| tree.back(candidate.run, depth).take(BACK));
        let mut before = before.into_iter().flatten().map(|step| (step.site, step.outcome));
        let own = knowledge.relevance_in_context(step.site, candidate.outcome, &mut before);
        if own == Relevance::May && !self.leads_there(tree, knowledge, candidate) { Relevance::Irrelevant } else { own }
    }

    /// Is it worth a solver's time?
    pub fn passes(&mut self, tree: &Tree, knowledge: &dyn Knowledge, candidate: Candidate) -> bool {
        let passes = self.relevance(tree, knowledge, candidate) != Relevance::Irrelevant;
        self.filtered += u64::from(!passes);
        passes
    }

    /// Are all steps in front of it relevant?
    fn leads_there(&mut self, tree: &Tree, knowledge: &dyn Knowledge, candidate: Candidate) -> bool {
        let run = candidate.run.0 as usize;
        if self.checked.len() <= run {
            self.checked.resize(run + 1, Checked::default());
        }
        let checked = &mut self.checked[run];
        if checked.covered != knowledge.covered() {
            *checked = Checked { covered: knowledge.covered(), relevant_to: 0, is_end: false };
        }
        let steps = tree.steps_from(candidate.run, checked.relevant_to);
        let left = candidate.depth.saturating_sub(checked.relevant_to) as usize;
        for step in steps.take(if checked.is_end { 0 } else { left }) {
            if knowledge.relevance(step.site, step.outcome) == Relevance::Irrelevant {
                checked.is_end = true;
                break;
            }
            checked.relevant_to += 1;
        }
        !(checked.is_end && checked.relevant_to < candidate.depth)
    }
}
