//! CarFast (FSE'14 section 2.3.3; Park et al., FSE 2012): greedy. Of all decisions whose other side is uncovered, the one
//! on which most uncovered goals depend; if there is none, any.
//!
//! Differs: the score counts uncovered goals, not statements; equal scores in random order.

use super::directions::{Direction, Order};
use super::pool::Pool;
use super::ranking::Ranking;
use crate::Tree;
use crate::types::{Candidate, Knowledge, RunId, Strategy};
use offshoot_base::Rng;

#[derive(Debug)]
pub(crate) struct CarFast {
    rng: Rng,
    ranking: Ranking,
    pool: Pool,
}

impl CarFast {
    pub(crate) fn new(rng: Rng) -> CarFast {
        CarFast { rng, ranking: Ranking::new(Order::Random, score, 0), pool: Pool::default() }
    }
}

/// 0: covered.
fn score(direction: &Direction, knowledge: &dyn Knowledge, _: u32) -> u64 {
    let uncovered = direction.goal.filter(|&goal| !knowledge.is_covered(goal));
    uncovered.map_or(0, |goal| 1 + u64::from(knowledge.weight(goal)))
}

impl Strategy for CarFast {
    fn name(&self) -> String {
        "carfast".to_owned()
    }

    fn observe(&mut self, tree: &Tree, knowledge: &dyn Knowledge, run: RunId, _: Option<Candidate>) {
        self.ranking.add(tree, knowledge, &mut self.rng, run);
        self.pool.add(tree, run);
    }

    fn next(&mut self, tree: &Tree, knowledge: &dyn Knowledge) -> Option<Candidate> {
        let best = self.ranking.best(tree, knowledge, &mut self.rng, 1);
        best.or_else(|| self.pool.pick(tree, knowledge, &mut self.rng))
    }
}
