//! Several strategies in turn (KLEE, OSDI 2008, section 3.4; SERE'14 section V: RP-MD2U, and PPS with fitness): each one
//! sees every run, whoever asked for it, and none gets stuck alone.

use crate::Tree;
use crate::types::{Candidate, GoalId, Knowledge, RunId, Strategy, Verdict};

pub(crate) struct Interleave {
    name: String,
    parts: Vec<Box<dyn Strategy>>,
    turn: usize,
}

impl Interleave {
    pub(crate) fn new(parts: Vec<Box<dyn Strategy>>) -> Interleave {
        let names: Vec<String> = parts.iter().map(|part| part.name()).collect();
        Interleave::named(format!("interleave({})", names.join(",")), parts)
    }

    /// With a name of its own.
    pub(crate) fn named(name: String, parts: Vec<Box<dyn Strategy>>) -> Interleave {
        Interleave { name, parts, turn: 0 }
    }
}

impl Strategy for Interleave {
    fn wants_concrete(&self) -> bool {
        self.parts.iter().any(|part| part.wants_concrete())
    }

    fn wants_fitness(&self) -> bool {
        self.parts.iter().any(|part| part.wants_fitness())
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn observe(&mut self, tree: &Tree, knowledge: &dyn Knowledge, run: RunId, from: Option<Candidate>) {
        self.parts.iter_mut().for_each(|part| part.observe(tree, knowledge, run, from));
    }

    fn next(&mut self, tree: &Tree, knowledge: &dyn Knowledge) -> Option<Candidate> {
        (0..self.parts.len()).find_map(|_| {
            let turn = self.turn % self.parts.len();
            self.turn = turn + 1;
            self.parts[turn].next(tree, knowledge)
        })
    }

    fn judged(&mut self, tree: &Tree, candidate: Candidate, verdict: Verdict, gain: u32) {
        self.parts.iter_mut().for_each(|part| part.judged(tree, candidate, verdict, gain));
    }

    fn fitness(&mut self, run: RunId, goals: &[(GoalId, f32)]) {
        self.parts.iter_mut().for_each(|part| part.fitness(run, goals));
    }
}
