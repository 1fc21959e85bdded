//! Directions by a score that changes only when coverage does, the best first.

use super::directions::{Direction, Directions, Order};
use crate::Tree;
use crate::types::{Candidate, Knowledge, RunId};
use offshoot_base::Rng;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub(crate) type Score = fn(&Direction, &dyn Knowledge, u32) -> u64;

#[derive(Debug)]
pub(crate) struct Ranking {
    order: Order,
    score: Score,
    /// Handed to `score`.
    parameter: u32,
    directions: Directions,
    /// Score, then the smaller tie-breaker: a depth (shallowest first), or a random number. An item whose tie-breaker
    /// is not the direction's present one is stale.
    queue: BinaryHeap<(u64, Reverse<u32>, u32)>,
    /// The present tie-breaker; `None`: not in the queue.
    ties: Vec<Option<u32>>,
    covered: u32,
}

impl Ranking {
    pub(crate) fn new(order: Order, score: Score, parameter: u32) -> Ranking {
        Ranking {
            order,
            score,
            parameter,
            directions: Directions::new(order),
            queue: BinaryHeap::new(),
            ties: Vec::new(),
            covered: 0,
        }
    }

    pub(crate) fn add(&mut self, tree: &Tree, knowledge: &dyn Knowledge, rng: &mut Rng, run: RunId) {
        for (index, depth) in self.directions.add(tree, knowledge, run) {
            self.ties.resize(self.directions.len(), None);
            match (self.order, self.ties[index]) {
                (Order::Random, None) => self.push(knowledge, index, rng.next_u64() as u32),
                (Order::Shallowest, tie) if tie.is_none_or(|tie| depth < tie) => self.push(knowledge, index, depth),
                _ => {}
            }
        }
    }

    /// An open candidate of the best direction that scores at least `least`.
    pub(crate) fn best(
        &mut self,
        tree: &Tree,
        knowledge: &dyn Knowledge,
        rng: &mut Rng,
        least: u64,
    ) -> Option<Candidate> {
        if knowledge.covered() != self.covered {
            self.covered = knowledge.covered();
            self.queue.clear();
            for index in 0..self.ties.len() {
                if let Some(tie) = self.ties[index] {
                    self.push(knowledge, index, tie);
                }
            }
        }
        while let Some(&(_, Reverse(tie), index)) = self.queue.peek().filter(|(score, ..)| *score >= least) {
            let index = index as usize;
            let found = if self.ties[index] == Some(tie) {
                self.directions.pick(tree, knowledge, rng, index)
            } else {
                self.queue.pop();
                continue;
            };
            match found {
                Some(candidate) if self.order == Order::Random || candidate.depth == tie => return found,
                Some(candidate) => {
                    self.queue.pop();
                    self.push(knowledge, index, candidate.depth);
                }
                None => {
                    self.queue.pop();
                    self.ties[index] = None;
                }
            }
        }
        None
    }

    fn push(&mut self, knowledge: &dyn Knowledge, index: usize, tie: u32) {
        let score = (self.score)(self.directions.get(index), knowledge, self.parameter);
        self.ties[index] = Some(tie);
        self.queue.push((score, Reverse(tie), index as u32));
    }
}
