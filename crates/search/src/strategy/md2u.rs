//! Minimum distance to uncovered (ISSTA'14 section 4: MD2U; KLEE's `nurs:md2u`): a random open candidate, weighted by
//! 1/d², where d is the distance from its other side to the nearest uncovered goal.
//!
//! Differs: KLEE counts instructions, we count branches. KLEE weighs states; we weigh a direction by the number of runs
//! that have candidates in it, so a loop counts once a run.

use super::directions::{Direction, Directions, Order};
use super::fenwick::Fenwick;
use super::pool::Pool;
use crate::Tree;
use crate::types::{Candidate, Knowledge, RunId, Strategy};
use offshoot_base::Rng;

/// Weight of what is uncovered itself. A direction that leads to nothing has weight 1, as if it were 10,000 branches
/// away (KLEE).
const SCALE: u64 = 100_000_000;

#[derive(Debug)]
pub(crate) struct Md2u {
    rng: Rng,
    directions: Directions,
    weights: Fenwick,
    pool: Pool,
    covered: u32,
}

impl Md2u {
    pub(crate) fn new(rng: Rng) -> Md2u {
        let directions = Directions::new(Order::Random);
        Md2u { rng, directions, weights: Fenwick::default(), pool: Pool::default(), covered: 0 }
    }

    fn weigh(&mut self, knowledge: &dyn Knowledge, index: usize) {
        let runs = self.directions.runs(index) as u64;
        self.weights.set(index, runs * weight(self.directions.get(index), knowledge));
    }
}

fn weight(direction: &Direction, knowledge: &dyn Knowledge) -> u64 {
    let distance = direction.distance(knowledge).map_or(u64::MAX, |distance| u64::from(distance) + 1);
    (SCALE / distance.saturating_mul(distance)).max(1)
}

impl Strategy for Md2u {
    fn name(&self) -> String {
        "md2u".to_owned()
    }

    fn observe(&mut self, tree: &Tree, knowledge: &dyn Knowledge, run: RunId, _: Option<Candidate>) {
        self.pool.add(tree, run);
        for (index, _) in self.directions.add(tree, knowledge, run) {
            self.weigh(knowledge, index);
        }
    }

    fn next(&mut self, tree: &Tree, knowledge: &dyn Knowledge) -> Option<Candidate> {
        if knowledge.covered() != self.covered {
            self.covered = knowledge.covered();
            (0..self.directions.len()).for_each(|index| self.weigh(knowledge, index));
        }
        while self.weights.total() > 0 {
            let (index, _) = self.weights.find(self.rng.below(self.weights.total()));
            let found = self.directions.pick(tree, knowledge, &mut self.rng, index);
            // Runs that had nothing left are gone from it.
            self.weigh(knowledge, index);
            if found.is_some() {
                return found;
            }
        }
        self.pool.pick(tree, knowledge, &mut self.rng)
    }
}
