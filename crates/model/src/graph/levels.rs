//! What lies a few decisions below an outcome: PPS's *WalkDown* (SERE'14 section IV-C).

use super::{GoalId, Graph};
use std::collections::HashSet;

/// Points looked at for one outcome: with returns to hundreds of callers a few levels can be half of a program.
const MOST_POINTS: usize = 1_024;

impl Graph {
    /// The outcomes at most `levels` decisions down from this one, itself included; each once. Ways lead into callees and,
    /// from the function of the outcome, back to all of its callers.
    pub fn below(&self, goal: GoalId, levels: u32) -> Vec<GoalId> {
        let mut found = vec![goal];
        let mut taken = HashSet::from([goal]);
        // With whether it is in the outcome's own function or one that it returns to.
        let mut seen: HashSet<(u32, bool)> = HashSet::new();
        let mut open: Vec<(u32, bool)> =
            self.target(goal).map(|block| (self.calls.start(block.0), true)).into_iter().collect();
        for _ in 0..levels {
            let mut next = Vec::new();
            while let Some((point, is_own)) = open.pop() {
                if seen.len() >= MOST_POINTS || !seen.insert((point, is_own)) {
                    continue;
                }
                let block = self.calls.block_at(point);
                let made = (point - self.calls.start(block)) as usize;
                if let Some(&list) = self.calls.lists_in(block).get(made) {
                    let called = self.calls.functions(list).iter();
                    let entries = called.filter_map(|function| self.entry(super::FunctionId(*function)));
                    open.extend(entries.map(|entry| (self.calls.start(entry.0), false)));
                    open.extend(self.comes_back(list).then_some((point + 1, is_own)));
                } else if let Some(site) = self.blocks[block as usize].site {
                    for outcome in self.goals_of(site) {
                        found.extend(taken.insert(outcome).then_some(outcome));
                        next.extend(self.target(outcome).map(|block| (self.calls.start(block.0), is_own)));
                    }
                } else {
                    open.extend(self.successors.of(block).iter().map(|next| (self.calls.start(*next), is_own)));
                    if is_own && self.blocks[block as usize].returns {
                        let calls = self.calls.lists_with(self.blocks[block as usize].function.0).iter();
                        let points = calls.flat_map(|list| self.calls.points_before(*list));
                        open.extend(points.map(|point| (point + 1, true)));
                    }
                }
            }
            open = next;
        }
        found
    }
}
