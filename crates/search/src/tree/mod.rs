//! The execution tree: every symbolic decision of every run, shared prefixes once.
//!
//! ```text
//!  run 0   ●───●───●───●───●───●          a run keeps only the steps from where it left an older run (its fork)
//!              └───●───●───●              run 1: parent 0, fork 1
//!                      └───●───●          run 2: parent 1, fork 3
//! ```
//!
//! A *node* is a decision: run and depth. It belongs to the first run that came to it; the other outcomes of a node are
//! its candidates, and they exist once. What is not said of a candidate is that it is open: only children and verdicts
//! are stored, both at most one a solver call. So the tree costs about two bytes a new symbolic step.
//!
//! Two seeds may disagree on *which* site comes at a depth (another number of arguments, say). Then the younger run has
//! a node of its own there: it is *foreign* to its parent.

mod alphabet;
mod forget;
mod lineage;
mod options;
mod walk;

#[cfg(test)]
mod tests;

pub use alphabet::GAP;
pub use options::{Options, Statistics};

use crate::hash::{Map, table_bytes};
use crate::types::{Candidate, Knowledge, RunId, Step, Verdict};
use alphabet::{Alphabet, Text};
use lineage::Run;
use std::mem::size_of;

#[derive(Debug)]
pub struct Tree {
    options: Options,
    alphabet: Alphabet,
    runs: Vec<Run>,
    /// The youngest run that forks off at a node; older ones follow by `Run::sibling`.
    forks: Map<Node, u32>,
    /// Candidates that led to no run.
    closed: Map<(u32, u32, u32), Closed>,
    /// Bytes of all texts.
    text_bytes: usize,
    statistics: Statistics,
}

/// What an insertion did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// `shared`: symbolic steps that were in the tree already.
    New { run: RunId, shared: u32 },
    /// The whole path is in the tree; `run` is one that took it (and may go on behind it).
    Known { run: RunId },
    /// The run left the predicted path at symbolic depth `at`; it is not in the tree. `found`: `None` if it ended there.
    Diverged { at: u32, expected: Step, found: Option<Step> },
}

/// The run that owns the decision, and its depth.
type Node = (u32, u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Closed {
    Claimed,
    Diverged,
    Unsat,
    Unknown,
    Filtered,
}

const NONE: u32 = u32::MAX;

impl Tree {
    pub fn new(options: Options) -> Tree {
        let alphabet = Alphabet::new(options.budget / 2);
        Tree {
            options,
            alphabet,
            runs: Vec::new(),
            forks: Map::default(),
            closed: Map::default(),
            text_bytes: 0,
            statistics: Statistics::default(),
        }
    }

    /// Adds a run. With `from`, the run must take the steps of the candidate's run up to its depth and then the wanted
    /// outcome; a run that does not is reported and left out. Steps behind the last symbolic one are not kept.
    pub fn insert(&mut self, steps: &[Step], from: Option<Candidate>) -> Inserted {
        let symbolic: Vec<Step> = steps.iter().copied().filter(|step| step.symbolic).collect();
        if let Some(diverged) = from.and_then(|candidate| self.divergence(&symbolic, candidate)) {
            self.statistics.diverged_runs += 1;
            return diverged;
        }
        match self.locate(&symbolic) {
            Place::Known { run } => {
                self.statistics.known_runs += 1;
                Inserted::Known { run: RunId(run) }
            }
            Place::Fork { parent, depth, foreign } => {
                let letters = self.letters(steps, depth);
                let run = self.push(parent, depth, foreign, &letters);
                if self.memory() > self.options.budget {
                    self.forget(run);
                }
                Inserted::New { run: RunId(run), shared: depth }
            }
        }
    }

    /// Somebody is at work on it: it is no longer open, and [`Tree::judge`] will follow.
    pub fn claim(&mut self, candidate: Candidate) {
        if self.is_open(candidate) {
            self.close(candidate, Closed::Claimed);
        }
    }

    pub fn judge(&mut self, candidate: Candidate, verdict: Verdict) {
        let (closed, count) = match verdict {
            // What is in the tree is closed by being there.
            Verdict::Run(_) if self.child(candidate).is_some() => return,
            Verdict::Run(_) => (Closed::Claimed, None),
            Verdict::Diverged => (Closed::Diverged, Some(&mut self.statistics.diverged)),
            Verdict::Unsat => (Closed::Unsat, Some(&mut self.statistics.unsat)),
            Verdict::Unknown => (Closed::Unknown, Some(&mut self.statistics.unknown)),
            Verdict::Filtered => (Closed::Filtered, Some(&mut self.statistics.filtered)),
        };
        count.into_iter().for_each(|count| *count += 1);
        self.close(candidate, closed);
    }

    /// The step is in the tree, did not go that way from that node in any run, and nobody claimed or judged it.
    pub fn is_open(&self, candidate: Candidate) -> bool {
        let Candidate { run, depth, outcome } = candidate;
        if run.0 as usize >= self.runs.len() || depth >= self.depth(run) {
            return false;
        }
        let node = self.node(run.0, depth);
        self.own_step(node.0, depth).is_some_and(|step| step.outcome != outcome)
            && !self.closed.contains_key(&(node.0, depth, outcome))
            && self.fork_with(node, outcome).is_none()
    }

    pub fn is_claimed(&self, candidate: Candidate) -> bool {
        let key = self.canonical(candidate).map(|Candidate { run, depth, outcome }| (run.0, depth, outcome));
        key.is_some_and(|key| self.closed.get(&key) == Some(&Closed::Claimed))
    }

    /// What became of a candidate; `None`: open, claimed, or not in the tree.
    pub fn verdict(&self, candidate: Candidate) -> Option<Verdict> {
        if let Some(run) = self.child(candidate) {
            return Some(Verdict::Run(run));
        }
        let candidate = self.canonical(candidate)?;
        match self.closed.get(&(candidate.run.0, candidate.depth, candidate.outcome))? {
            Closed::Claimed => None,
            Closed::Diverged => Some(Verdict::Diverged),
            Closed::Unsat => Some(Verdict::Unsat),
            Closed::Unknown => Some(Verdict::Unknown),
            Closed::Filtered => Some(Verdict::Filtered),
        }
    }

    /// The same candidate, named by the run that owns its node; `None` if it is not in the tree.
    pub fn canonical(&self, candidate: Candidate) -> Option<Candidate> {
        self.step(candidate.run, candidate.depth)?;
        let (owner, depth) = self.node(candidate.run.0, candidate.depth);
        Some(Candidate { run: RunId(owner), depth, outcome: candidate.outcome })
    }

    /// The oldest run that takes this outcome at the candidate's node.
    pub fn child(&self, candidate: Candidate) -> Option<RunId> {
        let Candidate { run: RunId(owner), depth, outcome } = self.canonical(candidate)?;
        if self.own_step(owner, depth)?.outcome == outcome {
            return Some(RunId(owner));
        }
        self.fork_with((owner, depth), outcome).map(RunId)
    }

    /// Runs that leave `run` at its node of this depth, youngest first: for another outcome, or (seeds) another site.
    /// `run` must own the node, or end at `depth`.
    pub fn children(&self, run: RunId, depth: u32) -> impl Iterator<Item = RunId> + '_ {
        self.forks_at((run.0, depth)).map(RunId)
    }

    /// Open candidates of a run's steps from `from_depth` on; its own ones begin at [`Tree::bound`].
    pub fn open<'a>(
        &'a self,
        knowledge: &'a dyn Knowledge,
        run: RunId,
        from_depth: u32,
    ) -> impl Iterator<Item = Candidate> + 'a {
        let depths = (from_depth..).zip(self.steps_from(run, from_depth));
        depths.flat_map(move |(depth, step)| self.open_of(knowledge, run, depth, step.site))
    }

    /// Open candidates at one node.
    pub fn open_at<'a>(
        &'a self,
        knowledge: &'a dyn Knowledge,
        run: RunId,
        depth: u32,
    ) -> impl Iterator<Item = Candidate> + 'a {
        let step = self.step(run, depth);
        step.into_iter().flat_map(move |step| self.open_of(knowledge, run, depth, step.site))
    }

    pub fn runs(&self) -> u32 {
        self.runs.len() as u32
    }

    /// Bytes held, about.
    pub fn memory(&self) -> usize {
        self.text_bytes
            + self.alphabet.memory()
            + self.runs.capacity() * size_of::<Run>()
            + table_bytes(self.forks.capacity(), size_of::<(Node, u32)>())
            + table_bytes(self.closed.capacity(), size_of::<((u32, u32, u32), Closed)>())
    }

    pub fn statistics(&self) -> Statistics {
        Statistics { runs: self.runs(), dropped_gaps: self.alphabet.dropped_gaps, ..self.statistics.clone() }
    }

    fn open_of<'a>(
        &'a self,
        knowledge: &'a dyn Knowledge,
        run: RunId,
        depth: u32,
        site: crate::Site,
    ) -> impl Iterator<Item = Candidate> + 'a {
        let outcomes = (0..knowledge.outcomes(site)).map(move |outcome| Candidate { run, depth, outcome });
        outcomes.filter(|&candidate| self.is_open(candidate))
    }

    fn close(&mut self, candidate: Candidate, closed: Closed) {
        if let Some(Candidate { run, depth, outcome }) = self.canonical(candidate) {
            self.closed.insert((run.0, depth, outcome), closed);
        }
    }

    /// The letters of the symbolic steps behind `skip` ones.
    fn letters(&mut self, steps: &[Step], skip: u32) -> Vec<u32> {
        let mut letters = Vec::new();
        let mut gap = 0;
        let symbolic = steps.iter().enumerate().filter(|(_, step)| step.symbolic);
        for (depth, (position, step)) in symbolic.enumerate() {
            if depth >= skip as usize {
                let concrete = if self.options.keep_concrete { &steps[gap..position] } else { &[] };
                letters.push(self.alphabet.letter(*step, concrete));
            }
            gap = position + 1;
        }
        letters
    }

    /// Where the run leaves the path that the candidate predicts, if it does.
    fn divergence(&self, symbolic: &[Step], candidate: Candidate) -> Option<Inserted> {
        let length = candidate.depth as usize + 1;
        for (at, mut expected) in self.steps(candidate.run).take(length).enumerate() {
            if at + 1 == length {
                expected.outcome = candidate.outcome;
            }
            let found = symbolic.get(at).copied();
            if found != Some(expected) {
                return Some(Inserted::Diverged { at: at as u32, expected, found });
            }
        }
        None
    }

    fn locate(&self, symbolic: &[Step]) -> Place {
        if self.runs.is_empty() {
            return Place::Fork { parent: NONE, depth: 0, foreign: true };
        }
        let (mut run, mut depth) = (0, 0);
        loop {
            let same = |depth: u32| symbolic.get(depth as usize).copied() == self.own_step(run, depth);
            while (depth as usize) < symbolic.len() && same(depth) {
                depth += 1;
            }
            let Some(&wanted) = symbolic.get(depth as usize) else { return Place::Known { run } };
            match self.leave(run, depth, wanted) {
                Leave::Into(child) => (run, depth) = (child, depth + 1),
                Leave::Off { node, foreign } => return Place::Fork { parent: node, depth, foreign },
            }
        }
    }

    /// How a path goes on that is with `run` up to `depth` and then wants another step than `run` has.
    fn leave(&self, run: u32, depth: u32, wanted: Step) -> Leave {
        let mut owner = self.node(run, depth).0;
        'node: loop {
            for child in self.forks_at((owner, depth)) {
                let first = self.own_step(child, depth);
                if first == Some(wanted) {
                    return Leave::Into(child);
                }
                if self.runs[child as usize].foreign && first.is_some_and(|first| first.site == wanted.site) {
                    owner = child;
                    continue 'node;
                }
            }
            let foreign = self.own_step(owner, depth).is_none_or(|step| step.site != wanted.site);
            return Leave::Off { node: owner, foreign };
        }
    }

    fn push(&mut self, parent: u32, fork: u32, foreign: bool, letters: &[u32]) -> u32 {
        let run = self.runs.len() as u32;
        let text = Text::new(letters);
        self.text_bytes += text.memory();
        self.statistics.steps += letters.len() as u64;
        let (level, jump) = self.ancestry(run, parent);
        let sibling = match parent {
            NONE => NONE,
            _ => {
                // The fork's own step says which decision it is; a run that only goes on longer needs none.
                let needed = fork + u32::from(self.own_step(parent, fork).is_some());
                let parent_run = &mut self.runs[parent as usize];
                parent_run.needed = parent_run.needed.max(needed);
                self.forks.insert((parent, fork), run).unwrap_or(NONE)
            }
        };
        if let Some(&first) = letters.first().filter(|_| !foreign) {
            // It may have been claimed.
            self.closed.remove(&(parent, fork, self.alphabet.step(first).outcome));
        }
        self.runs.push(Run { parent, jump, level, fork, foreign, sibling, needed: fork, text });
        run
    }
}

enum Place {
    Known { run: u32 },
    Fork { parent: u32, depth: u32, foreign: bool },
}

enum Leave {
    Into(u32),
    Off { node: u32, foreign: bool },
}
