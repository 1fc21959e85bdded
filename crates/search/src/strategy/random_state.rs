//! Random state search (ISSTA'14 section 4: RSS; KLEE's random-state): any open candidate, all alike.

use super::pool::Pool;
use crate::Tree;
use crate::types::{Candidate, Knowledge, RunId, Strategy};
use offshoot_base::Rng;

#[derive(Debug)]
pub(crate) struct RandomState {
    rng: Rng,
    pool: Pool,
}

impl RandomState {
    pub(crate) fn new(rng: Rng) -> RandomState {
        RandomState { rng, pool: Pool::default() }
    }
}

impl Strategy for RandomState {
    fn name(&self) -> String {
        "random-state".to_owned()
    }

    fn observe(&mut self, tree: &Tree, _: &dyn Knowledge, run: RunId, _: Option<Candidate>) {
        self.pool.add(tree, run);
    }

    fn next(&mut self, tree: &Tree, knowledge: &dyn Knowledge) -> Option<Candidate> {
        self.pool.pick(tree, knowledge, &mut self.rng)
    }
}
