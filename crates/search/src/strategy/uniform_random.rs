//! Uniform random search (FSE'14 section 2.3.2; Burnim and Sen, ASE 2008): from the root down, a coin at each decision;
//! heads goes along, tails takes the other way and goes on behind it, whatever run that leads to.
//!
//! Differs: where the other way is in the tree already it is followed at no cost, CREST would solve it again. A walk
//! whose every tails is infeasible ends with its path; when many walks in a row find nothing open, any open candidate of
//! the tree is taken, so that the search ends only when there is nothing left.

use super::pool::{Pool, at};
use crate::Tree;
use crate::types::{Candidate, Knowledge, RunId, Strategy, Verdict};
use offshoot_base::Rng;

/// Walks that may find nothing.
const WALKS: u32 = 16;

#[derive(Debug)]
pub(crate) struct UniformRandom {
    rng: Rng,
    seeds: Vec<RunId>,
    /// The run we walk on, and the next depth.
    position: Option<(RunId, u32)>,
    pool: Pool,
}

impl UniformRandom {
    pub(crate) fn new(rng: Rng) -> UniformRandom {
        UniformRandom { rng, seeds: Vec::new(), position: None, pool: Pool::default() }
    }

    fn walk(&mut self, tree: &Tree, knowledge: &dyn Knowledge) -> Option<Candidate> {
        let (mut run, start) =
            self.position.take().unwrap_or_else(|| (self.seeds[self.rng.index(self.seeds.len())], 0));
        let mut depth = start;
        while let Some(step) = tree.step(run, depth) {
            if self.rng.coin() {
                if let Some(candidate) = at(tree, knowledge, &mut self.rng, run, depth) {
                    self.position = Some((run, depth + 1));
                    return Some(candidate);
                }
                let others = u64::from(knowledge.outcomes(step.site)).saturating_sub(1);
                let other = (step.outcome + 1 + self.rng.below(others) as u32) % (others as u32 + 1);
                run = tree.child(Candidate { run, depth, outcome: other }).unwrap_or(run);
            }
            depth += 1;
        }
        None
    }
}

impl Strategy for UniformRandom {
    fn name(&self) -> String {
        "uniform-random".to_owned()
    }

    fn observe(&mut self, tree: &Tree, _: &dyn Knowledge, run: RunId, from: Option<Candidate>) {
        self.pool.add(tree, run);
        if from.is_none() {
            self.seeds.push(run);
        }
    }

    fn next(&mut self, tree: &Tree, knowledge: &dyn Knowledge) -> Option<Candidate> {
        let walks = if self.seeds.is_empty() { 0 } else { WALKS };
        let walked = (0..walks).find_map(|_| self.walk(tree, knowledge));
        walked.or_else(|| self.pool.pick(tree, knowledge, &mut self.rng))
    }

    fn judged(&mut self, _: &Tree, candidate: Candidate, verdict: Verdict, _: u32) {
        // Tails came true: go on in the new run. Otherwise we stay on the old one, one step farther.
        if let (Verdict::Run(run), Some((on, depth))) = (verdict, self.position)
            && (on, depth) == (candidate.run, candidate.depth + 1)
        {
            self.position = Some((run, depth));
        }
    }
}
