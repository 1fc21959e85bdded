//! Predictive path search (SERE'14 section IV-C): the candidate that may cover most goals within `s` levels below it,
//! must-relevant ones (their own outcome is uncovered) before may-relevant ones (something uncovered can be reached), the
//! shorter path first.
//!
//! Relevance and contribution are those of the coverage structure ([`crate::Structure`]). Differs: what is not relevant at
//! all comes last and is not dropped; dropping is the path filter's business ([`crate::Filter`]).

use super::directions::{Direction, Order};
use super::pool::Pool;
use super::ranking::Ranking;
use crate::Tree;
use crate::structure::Relevance;
use crate::types::{Candidate, Knowledge, RunId, Strategy};
use offshoot_base::Rng;

/// Section V: best over all subjects.
pub(crate) const LEVELS: u32 = 3;

#[derive(Debug)]
pub(crate) struct Pps {
    levels: u32,
    ranking: Ranking,
    /// For what is left when the ranking is empty; the rest is in order, and nothing is drawn.
    pool: Pool,
    rng: Rng,
}

impl Pps {
    pub(crate) fn new(levels: u32, rng: Rng) -> Pps {
        Pps { levels, ranking: Ranking::new(Order::Shallowest, score, levels), pool: Pool::default(), rng }
    }
}

fn score(direction: &Direction, knowledge: &dyn Knowledge, levels: u32) -> u64 {
    const MUST: u64 = 2 << 32;
    const MAY: u64 = 1 << 32;
    let contribution = direction.goal.or(direction.anchor).map_or(0, |goal| knowledge.potential(goal, levels));
    let relevance = match direction.relevance(knowledge) {
        Relevance::Must => MUST,
        Relevance::May => MAY,
        Relevance::Irrelevant => 0,
    };
    relevance + u64::from(contribution)
}

impl Strategy for Pps {
    fn name(&self) -> String {
        match self.levels {
            LEVELS => "pps".to_owned(),
            levels => format!("pps:levels={levels}"),
        }
    }

    fn observe(&mut self, tree: &Tree, knowledge: &dyn Knowledge, run: RunId, _: Option<Candidate>) {
        self.ranking.add(tree, knowledge, &mut self.rng, run);
        self.pool.add(tree, run);
    }

    fn next(&mut self, tree: &Tree, knowledge: &dyn Knowledge) -> Option<Candidate> {
        let best = self.ranking.best(tree, knowledge, &mut self.rng, 0);
        best.or_else(|| self.pool.pick(tree, knowledge, &mut self.rng))
    }
}
