//! Subpath-guided search (Li et al., OOPSLA 2013; FSE'14 section 6.1): the candidate whose last `n` branches, the flipped
//! one included, have been taken least often.
//!
//! Differs: the least of all is found in a sample of the open candidates, not in a queue of all of them: the counts of
//! many change with every run. Counts are kept in a table of fixed size; two subpaths may share one, and then look more
//! travelled than they are. And a candidate for which there is no input counts as taken: KLEE's states, which the paper chooses
//! from, are feasible, ours are not known to be, and subpaths that nothing can take would stay the least taken for ever.

use super::pool::Pool;
use crate::Tree;
use crate::hash::fingerprint;
use crate::types::{Candidate, Knowledge, RunId, Step, Strategy, Verdict};
use offshoot_base::Rng;
use std::collections::VecDeque;

/// The paper tries 1, 2, 4 and 8, and finds none best for all programs.
pub(crate) const LENGTH: u32 = 4;
const SAMPLE: usize = 24;
const COUNTS: usize = 1 << 20;

#[derive(Debug)]
pub(crate) struct Subpath {
    rng: Rng,
    length: usize,
    pool: Pool,
    counts: Vec<u16>,
}

impl Subpath {
    pub(crate) fn new(length: u32, rng: Rng) -> Subpath {
        Subpath { rng, length: length as usize, pool: Pool::default(), counts: vec![0; COUNTS] }
    }

    fn count(&self, tree: &Tree, candidate: Candidate) -> u16 {
        self.counts[self.slot(tree, candidate)]
    }

    fn slot(&self, tree: &Tree, candidate: Candidate) -> usize {
        let symbolic = tree.back(candidate.run, candidate.depth).filter(|step| step.symbolic);
        let mut last: Vec<Step> = symbolic.take(self.length).collect();
        if let Some(flipped) = last.first_mut() {
            flipped.outcome = candidate.outcome;
        }
        slot(last.into_iter())
    }
}

/// Of steps from the last to the first.
fn slot(steps: impl Iterator<Item = Step>) -> usize {
    fingerprint(steps.map(|step| u64::from(step.site.0) << 32 | u64::from(step.outcome))) as usize % COUNTS
}

impl Strategy for Subpath {
    fn name(&self) -> String {
        match self.length as u32 {
            LENGTH => "subpath".to_owned(),
            length => format!("subpath:n={length}"),
        }
    }

    fn observe(&mut self, tree: &Tree, _: &dyn Knowledge, run: RunId, _: Option<Candidate>) {
        self.pool.add(tree, run);
        // What it shares with older runs was counted with them.
        let new = tree.parent(run).map_or(0, |(_, fork)| fork);
        let start = new.saturating_sub(self.length as u32 - 1);
        let mut last: VecDeque<Step> = VecDeque::new();
        for (depth, step) in (start..).zip(tree.steps_from(run, start)) {
            last.push_front(step);
            last.truncate(self.length);
            if depth >= new {
                let slot = slot(last.iter().copied());
                self.counts[slot] = self.counts[slot].saturating_add(1);
            }
        }
    }

    fn judged(&mut self, tree: &Tree, candidate: Candidate, verdict: Verdict, _: u32) {
        if matches!(verdict, Verdict::Unsat | Verdict::Unknown) {
            let slot = self.slot(tree, candidate);
            self.counts[slot] = self.counts[slot].saturating_add(1);
        }
    }

    fn next(&mut self, tree: &Tree, knowledge: &dyn Knowledge) -> Option<Candidate> {
        let sample: Vec<Candidate> =
            (0..SAMPLE).map_while(|_| self.pool.pick(tree, knowledge, &mut self.rng)).collect();
        sample.into_iter().min_by_key(|&candidate| self.count(tree, candidate))
    }
}
