//! All open candidates, to draw from at random, without a list of them.
//!
//! A run is drawn by the number of decisions that it owns, then a decision of it; one that is closed is drawn again.
//! So nothing is kept but a weight for each run, and nothing has to be told when a candidate closes.

use super::fenwick::Fenwick;
use crate::Tree;
use crate::types::{Candidate, Knowledge, RunId};
use offshoot_base::Rng;

/// Draws that may hit closed candidates before a run is searched from end to end.
const MISSES: u32 = 32;

#[derive(Debug, Default)]
pub(crate) struct Pool {
    weights: Fenwick,
}

impl Pool {
    pub(crate) fn add(&mut self, tree: &Tree, run: RunId) {
        self.weights.set(run.0 as usize, u64::from(tree.depth(run) - tree.bound(run)));
    }

    /// Uniform over open candidates as long as not almost all are closed.
    pub(crate) fn pick(&mut self, tree: &Tree, knowledge: &dyn Knowledge, rng: &mut Rng) -> Option<Candidate> {
        let mut misses = 0;
        while self.weights.total() > 0 {
            let (run, offset) = self.weights.find(rng.below(self.weights.total()));
            let run = RunId(run as u32);
            let bound = tree.bound(run);
            let found = match misses {
                MISSES.. => scan(tree, knowledge, rng, run, bound),
                _ => at(tree, knowledge, rng, run, bound + offset as u32),
            };
            if found.is_some() {
                return found;
            }
            if misses >= MISSES {
                self.weights.set(run.0 as usize, 0);
            }
            misses += 1;
        }
        None
    }
}

/// A random open candidate of the whole path of a run from depth `from` on.
pub(crate) fn pick_in(
    tree: &Tree,
    knowledge: &dyn Knowledge,
    rng: &mut Rng,
    run: RunId,
    from: u32,
) -> Option<Candidate> {
    let length = tree.depth(run).saturating_sub(from);
    let draws = MISSES.min(length);
    let drawn = (0..draws).find_map(|_| {
        let depth = from + rng.below(length.into()) as u32;
        at(tree, knowledge, rng, run, depth)
    });
    drawn.or_else(|| scan(tree, knowledge, rng, run, from))
}

/// A random open candidate of one decision.
pub(crate) fn at(tree: &Tree, knowledge: &dyn Knowledge, rng: &mut Rng, run: RunId, depth: u32) -> Option<Candidate> {
    let mut open = tree.open_at(knowledge, run, depth);
    let first = open.next()?;
    let Some(second) = open.next() else { return Some(first) };
    let all: Vec<Candidate> = [first, second].into_iter().chain(open).collect();
    Some(all[rng.index(all.len())])
}

/// The first open candidate behind a random depth, going round.
fn scan(tree: &Tree, knowledge: &dyn Knowledge, rng: &mut Rng, run: RunId, from: u32) -> Option<Candidate> {
    let end = tree.depth(run);
    let middle = from + rng.below(end.saturating_sub(from).into()) as u32;
    (middle..end).chain(from..middle).find_map(|depth| at(tree, knowledge, rng, run, depth))
}
