//! What counts as covered.

use offshoot_model::Graph;
use offshoot_model::graph::{BlockId, GoalId, GoalSet};
use std::collections::HashSet;

/// C, *Eval* and *Cov* of a coverage structure: which evaluations of the program's conditions have been seen, and which
/// *items* of its source are covered by them.
pub trait Criterion: Send {
    fn name(&self) -> &'static str;
    /// Items there are.
    fn total(&self) -> u32;
    fn covered(&self) -> u32;
    /// Adds what the conditions of one run evaluated to. Returns the number of items that are new.
    fn evaluate(&mut self, graph: &Graph, taken: &[GoalId]) -> u32;
    /// The outcomes of which a further evaluation can cover an item. Shrinks only.
    fn open(&self) -> &GoalSet;
}

/// What a run can take: not what libc models decide, and not what the compiler has proven impossible.
fn possible(graph: &Graph) -> impl Iterator<Item = GoalId> + '_ {
    graph.goals().filter(|goal| !graph.is_impossible(*goal))
}

/// Every outcome of every condition of the source, and every label of a `switch`: the parts of a decision count each.
#[derive(Debug)]
pub struct Branch {
    total: u32,
    covered: u32,
    open: GoalSet,
}

impl Branch {
    pub fn new(graph: &Graph) -> Branch {
        let open: GoalSet = possible(graph).collect();
        Branch { total: open.len() as u32, covered: 0, open }
    }
}

impl Criterion for Branch {
    fn name(&self) -> &'static str {
        "branch"
    }
    fn total(&self) -> u32 {
        self.total
    }
    fn covered(&self) -> u32 {
        self.covered
    }
    fn evaluate(&mut self, _: &Graph, taken: &[GoalId]) -> u32 {
        let before = self.covered;
        for &goal in taken {
            if self.open.contains(goal) {
                self.open.remove(goal);
                self.covered += 1;
            }
        }
        self.covered - before
    }
    fn open(&self) -> &GoalSet {
        &self.open
    }
}

/// Every block that a decision leads to. The model has no statements; what comes behind a decision up to the next one runs
/// together, so a block stands for them.
#[derive(Debug)]
pub struct Statement {
    total: u32,
    entered: HashSet<BlockId>,
    open: GoalSet,
}

impl Statement {
    pub fn new(graph: &Graph) -> Statement {
        let open: GoalSet = possible(graph).filter(|goal| graph.target(*goal).is_some()).collect();
        let items: HashSet<BlockId> = open.iter().filter_map(|goal| graph.target(goal)).collect();
        Statement { total: items.len() as u32, entered: HashSet::new(), open }
    }
}

impl Criterion for Statement {
    fn name(&self) -> &'static str {
        "statement"
    }
    fn total(&self) -> u32 {
        self.total
    }
    fn covered(&self) -> u32 {
        self.entered.len() as u32
    }
    fn evaluate(&mut self, graph: &Graph, taken: &[GoalId]) -> u32 {
        let before = self.covered();
        for &goal in taken.iter().filter(|goal| graph.is_goal(graph.site_of(**goal))) {
            self.entered.extend(graph.target(goal));
        }
        let gain = self.covered() - before;
        if gain > 0 {
            let is_open = |goal: &GoalId| graph.target(*goal).is_some_and(|block| !self.entered.contains(&block));
            self.open = self.open.iter().filter(is_open).collect();
        }
        gain
    }
    fn open(&self) -> &GoalSet {
        &self.open
    }
}
