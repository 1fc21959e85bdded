//! Random branch search (FSE'14 section 2.3.2; Burnim and Sen, ASE 2008): a random decision of the last run, anywhere on
//! its path.
//!
//! Differs: CREST has no tree and tries the same flip again and again; we know what was tried. Where CREST starts over
//! from a random input because nothing is left to flip, we take any open candidate of the tree.

use super::pool::{Pool, pick_in};
use crate::Tree;
use crate::types::{Candidate, Knowledge, RunId, Strategy};
use offshoot_base::Rng;

#[derive(Debug)]
pub(crate) struct RandomBranch {
    rng: Rng,
    /// The last run, until it has nothing left.
    last: Option<RunId>,
    pool: Pool,
}

impl RandomBranch {
    pub(crate) fn new(rng: Rng) -> RandomBranch {
        RandomBranch { rng, last: None, pool: Pool::default() }
    }
}

impl Strategy for RandomBranch {
    fn name(&self) -> String {
        "random-branch".to_owned()
    }

    fn observe(&mut self, tree: &Tree, _: &dyn Knowledge, run: RunId, _: Option<Candidate>) {
        self.last = Some(run);
        self.pool.add(tree, run);
    }

    fn next(&mut self, tree: &Tree, knowledge: &dyn Knowledge) -> Option<Candidate> {
        let found = self.last.and_then(|run| pick_in(tree, knowledge, &mut self.rng, run, 0));
        if found.is_none() {
            self.last = None;
        }
        found.or_else(|| self.pool.pick(tree, knowledge, &mut self.rng))
    }
}
