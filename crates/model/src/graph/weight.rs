//! CarFast's score of a branch (FSE'14, 2.3.3): how much can be covered only if it is taken.

use super::{FunctionId, GoalId, Graph};
use std::collections::HashSet;

impl Graph {
    /// The number of goals that depend on the outcome: those of decisions that are transitively control-dependent on it,
    /// and those of every function that may be called from there. CarFast counts statements; every goal stands for the
    /// straight line of statements behind it.
    pub fn weight(&self, goal: GoalId) -> u32 {
        *self.weights[goal.0 as usize].get_or_init(|| self.weigh(goal))
    }

    fn weigh(&self, goal: GoalId) -> u32 {
        let mut blocks = HashSet::new();
        let mut called = Vec::new();
        let mut open = vec![goal];
        while let Some(goal) = open.pop() {
            for block in self.dependents(goal) {
                if blocks.insert(block) {
                    called.extend(self.called_in(block));
                    open.extend(self.decides(block).into_iter().flat_map(|site| self.goals_of(site)));
                }
            }
        }
        let functions = self.called_from(called);
        let mut sum = functions.iter().map(|function| self.goals_in(*function)).sum();
        for block in blocks {
            if !functions.contains(&self.function_of(block)) {
                sum += self.goals_decided(block);
            }
        }
        sum
    }

    /// These functions and all that they may call, directly or not.
    fn called_from(&self, mut open: Vec<FunctionId>) -> HashSet<FunctionId> {
        let mut seen: HashSet<FunctionId> = HashSet::new();
        let mut lists = HashSet::new();
        while let Some(function) = open.pop() {
            if !seen.insert(function) {
                continue;
            }
            for list in self.blocks_of(function).flat_map(|block| self.calls.lists_in(block.0)) {
                if lists.insert(*list) {
                    open.extend(self.calls.functions(*list).iter().copied().map(FunctionId));
                }
            }
        }
        seen
    }

    fn goals_in(&self, function: FunctionId) -> u32 {
        self.blocks_of(function).map(|block| self.goals_decided(block)).sum()
    }

    fn goals_decided(&self, block: super::BlockId) -> u32 {
        self.decides(block).filter(|site| self.is_goal(*site)).map_or(0, |site| self.outcomes(site))
    }
}
