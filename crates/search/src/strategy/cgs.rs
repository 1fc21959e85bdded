//! Context-guided search (FSE'14 section 3, algorithm 2): a decision is flipped only in a context that is new.
//!
//! The tree is traversed depth by depth, under 1-contexts first, then 2-contexts, and so on. A context is the taken
//! branch and the `k - 1` branches in front of it that do not dominate it, over *all* branches of the path, concrete ones
//! too (the tree must keep them: [`crate::Options::keep_concrete`]); depth counts symbolic ones. The runs that have a
//! decision at a depth are visited in random order. A context counts as used even if its query was unsat.
//!
//! Differs: after the largest k the authors start over from a fresh random input. Inputs are not ours to make: we forget
//! the contexts and traverse the same tree again; what was tried is closed, so each round goes on where the last one
//! stopped. The outcome of a switch that is wanted is part of the context.

use crate::Tree;
use crate::hash::{Set, fingerprint};
use crate::types::{Candidate, Knowledge, RunId, Step, Strategy};
use offshoot_base::Rng;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Steps that a context may look back over, should almost all of them dominate.
const BACK: usize = 1_000;

#[derive(Debug)]
pub(crate) struct Cgs {
    options: Options,
    rng: Rng,
    /// Size of contexts in this traversal.
    k: u32,
    depth: u32,
    /// Runs that have a decision of their own at `depth`, in the order of the visit; those up to `visited` are done.
    active: Vec<RunId>,
    visited: usize,
    /// Runs whose own decisions begin deeper.
    deeper: BinaryHeap<Reverse<(u32, RunId)>>,
    all: Vec<RunId>,
    /// Contexts that were used.
    cache: Set<u64>,
    /// A whole traversal with no context used found nothing.
    exhausted: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// `Some`: no other size of context.
    pub(crate) fixed: Option<u32>,
    pub(crate) largest: u32,
    pub(crate) keep_dominators: bool,
}

impl Default for Options {
    /// Section 5.3.1 goes up to 5.
    fn default() -> Options {
        Options { fixed: None, largest: 5, keep_dominators: false }
    }
}

impl Cgs {
    pub(crate) fn new(options: Options, rng: Rng) -> Cgs {
        Cgs {
            k: options.fixed.unwrap_or(1),
            options,
            rng,
            depth: 0,
            active: Vec::new(),
            visited: 0,
            deeper: BinaryHeap::new(),
            all: Vec::new(),
            cache: Set::default(),
            exhausted: false,
        }
    }

    fn context(&self, tree: &Tree, knowledge: &dyn Knowledge, candidate: Candidate, taken: Step) -> u64 {
        let goal = knowledge.goal(taken.site, taken.outcome);
        let irrelevant = |step: &Step| {
            let before = knowledge.goal(step.site, step.outcome);
            before.zip(goal).is_some_and(|(before, goal)| knowledge.dominates(before, goal))
        };
        let own = [packed(taken), u64::from(candidate.outcome)];
        if self.k == 1 {
            return fingerprint(own);
        }
        let preceding = tree.back(candidate.run, candidate.depth).skip(1).take(BACK);
        let relevant = preceding.filter(|step| self.options.keep_dominators || !irrelevant(step));
        fingerprint(own.into_iter().chain(relevant.take(self.k as usize - 1).map(packed)))
    }

    /// The first candidate of a decision that is open and has a new context.
    fn select(&mut self, tree: &Tree, knowledge: &dyn Knowledge, run: RunId) -> Option<Candidate> {
        let depth = self.depth;
        let taken = tree.step(run, depth)?;
        for outcome in (0..knowledge.outcomes(taken.site)).filter(|&outcome| outcome != taken.outcome) {
            let candidate = Candidate { run, depth, outcome };
            let context = self.context(tree, knowledge, candidate, taken);
            if !self.cache.contains(&context) && tree.is_open(candidate) {
                self.cache.insert(context);
                return Some(candidate);
            }
        }
        None
    }

    /// To the next depth that has decisions; `false` at the end of the traversal.
    fn descend(&mut self, tree: &Tree) -> bool {
        self.depth += 1;
        self.active.retain(|&run| self.depth < tree.depth(run));
        if self.active.is_empty() {
            let Some(Reverse((bound, _))) = self.deeper.peek() else { return false };
            self.depth = self.depth.max(*bound);
        }
        self.join(tree);
        true
    }

    /// Takes in the runs whose decisions begin here.
    fn join(&mut self, tree: &Tree) {
        while let Some(&Reverse((_, run))) = self.deeper.peek().filter(|Reverse((bound, _))| *bound <= self.depth) {
            self.deeper.pop();
            if self.depth < tree.depth(run) {
                self.active.push(run);
            }
        }
        self.rng.shuffle(&mut self.active);
        self.visited = 0;
    }

    /// From the top again, with longer contexts, or from the first ones.
    fn restart(&mut self, tree: &Tree) {
        if self.k < self.options.largest && self.options.fixed.is_none() {
            self.k += 1;
        } else {
            self.k = self.options.fixed.unwrap_or(1);
            self.exhausted = self.cache.is_empty();
            self.cache.clear();
        }
        self.depth = 0;
        self.active.clear();
        self.deeper = self.all.iter().map(|&run| Reverse((tree.bound(run), run))).collect();
        self.join(tree);
    }
}

impl Strategy for Cgs {
    fn wants_concrete(&self) -> bool {
        true
    }

    fn name(&self) -> String {
        let default = Options::default();
        let mut options = Vec::new();
        options.extend(self.options.fixed.map(|k| format!("k={k}")));
        options.extend((self.options.largest != default.largest).then(|| format!("largest={}", self.options.largest)));
        options.extend(self.options.keep_dominators.then(|| "dominators=keep".to_owned()));
        if options.is_empty() { "cgs".to_owned() } else { format!("cgs:{}", options.join(",")) }
    }

    fn observe(&mut self, tree: &Tree, _: &dyn Knowledge, run: RunId, _: Option<Candidate>) {
        self.exhausted = false;
        self.all.push(run);
        // A run that begins in front of where we are (a late seed, another strategy's) joins here; what it has farther
        // up is for the next traversal.
        self.deeper.push(Reverse((tree.bound(run), run)));
    }

    fn next(&mut self, tree: &Tree, knowledge: &dyn Knowledge) -> Option<Candidate> {
        if self.depth == 0 && self.active.is_empty() {
            self.join(tree);
        }
        while !self.exhausted {
            while let Some(&run) = self.active.get(self.visited) {
                let selected = self.select(tree, knowledge, run);
                if selected.is_some() {
                    return selected;
                }
                self.visited += 1;
            }
            if !self.descend(tree) {
                self.restart(tree);
            }
        }
        None
    }
}

fn packed(step: Step) -> u64 {
    u64::from(step.site.0) << 32 | u64::from(step.outcome)
}
