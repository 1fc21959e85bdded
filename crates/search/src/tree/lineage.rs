//! Who left whom where: which run holds the step, and which one owns the decision, at a depth of a run.

use super::alphabet::Text;
use super::{NONE, Node, Tree};
use crate::types::{RunId, Step};

#[derive(Debug)]
pub(super) struct Run {
    /// Owner of the node where this run left the tree; `NONE` for the first run.
    pub(super) parent: u32,
    /// An ancestor farther up (skew-binary jump pointers, Myers 1983): any ancestor is found in O(log level).
    pub(super) jump: u32,
    pub(super) level: u32,
    /// Depth of its first own step.
    pub(super) fork: u32,
    /// Its first own step is a decision of its own, not another outcome of its parent's.
    pub(super) foreign: bool,
    /// Next older run that left the same node.
    pub(super) sibling: u32,
    /// Depth up to which younger runs need its steps.
    pub(super) needed: u32,
    /// Its own steps.
    pub(super) text: Text,
}

impl Tree {
    pub fn step(&self, run: RunId, depth: u32) -> Option<Step> {
        self.runs.get(run.0 as usize)?;
        self.own_step(self.holder(run.0, depth), depth)
    }

    /// Number of symbolic steps stored.
    pub fn depth(&self, run: RunId) -> u32 {
        self.runs.get(run.0 as usize).map_or(0, |run| run.fork + run.text.len() as u32)
    }

    /// Depth behind the flip that made it: candidates in front of it belong to older runs.
    pub fn bound(&self, run: RunId) -> u32 {
        self.runs.get(run.0 as usize).map_or(0, |run| run.fork + u32::from(!run.foreign))
    }

    /// The run that it left, and the depth at which it did; `None` for the first one.
    pub fn parent(&self, run: RunId) -> Option<(RunId, u32)> {
        let run = self.runs.get(run.0 as usize).filter(|run| run.parent != NONE)?;
        Some((RunId(run.parent), run.fork))
    }

    pub(super) fn own_letter(&self, run: u32, depth: u32) -> Option<u32> {
        let run = &self.runs[run as usize];
        run.text.get(depth.checked_sub(run.fork)? as usize)
    }

    pub(super) fn own_step(&self, run: u32, depth: u32) -> Option<Step> {
        self.own_letter(run, depth).map(|letter| self.alphabet.step(letter))
    }

    /// The run whose text holds the step of `run` at `depth`: its youngest ancestor, itself included, that forks at or
    /// in front of `depth`.
    pub(super) fn holder(&self, mut run: u32, depth: u32) -> u32 {
        while self.runs[run as usize].fork > depth {
            let Run { parent, jump, .. } = self.runs[run as usize];
            run = if self.runs[jump as usize].fork > depth { jump } else { parent };
        }
        run
    }

    /// The node of `run` at `depth`.
    pub(super) fn node(&self, run: u32, depth: u32) -> Node {
        let holder = self.holder(run, depth);
        let held = &self.runs[holder as usize];
        let owner = if held.fork == depth && !held.foreign { held.parent } else { holder };
        (owner, depth)
    }

    pub(super) fn forks_at(&self, node: Node) -> impl Iterator<Item = u32> + '_ {
        let youngest = self.forks.get(&node).copied();
        std::iter::successors(youngest, |&run| Some(self.runs[run as usize].sibling).filter(|&older| older != NONE))
    }

    /// The run that leaves this node by this outcome.
    pub(super) fn fork_with(&self, node: Node, outcome: u32) -> Option<u32> {
        self.forks_at(node).find(|&run| {
            !self.runs[run as usize].foreign && self.own_step(run, node.1).is_some_and(|step| step.outcome == outcome)
        })
    }

    /// Level and jump pointer of a new run.
    pub(super) fn ancestry(&self, run: u32, parent: u32) -> (u32, u32) {
        if parent == NONE {
            return (0, run);
        }
        let level = |run: u32| self.runs[run as usize].level;
        let jump = self.runs[parent as usize].jump;
        let farther = self.runs[jump as usize].jump;
        let even = level(parent) - level(jump) == level(jump) - level(farther);
        (level(parent) + 1, if even { farther } else { parent })
    }
}
