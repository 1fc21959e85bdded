//! Dominators, postdominators and control dependence within functions.
//!
//! All functions are analysed in one go: blocks and outcomes are the nodes (an edge of a decision leads to its outcome,
//! and that to the next block), and one more node stands before all entries, or behind all exits.

use super::dominance::{Tree, reverse_postorder};
use super::table::Table;
use super::{BlockId, GoalId, Graph, SiteId};

#[derive(Debug, Default)]
pub struct Control {
    dominators: Tree,
    postdominators: Tree,
    /// Goal to the blocks that depend on it.
    dependents: Table,
    /// Block to the goals that it depends on.
    depends_on: Table,
}

impl Control {
    pub fn new(graph: &Graph) -> Control {
        let outside = graph.node_count() as u32;
        let forward = forward(graph);
        let order = reverse_postorder(&forward, outside);
        let dominators = Tree::new(&forward, outside);
        let postdominators = Tree::new(&backward(graph, &forward, &order), outside);
        let mut pairs = Vec::new();
        for goal in graph.outcomes_of_all() {
            let Some(decision) = graph.block_of(graph.site_of(goal)) else { continue };
            // J. Ferrante, K. Ottenstein, J. Warren, "The program dependence graph and its use in optimization", 1987:
            // what postdominates the outcome and not the decision.
            let end = postdominators.parent(decision.0);
            let mut node = graph.node(goal);
            while Some(node) != end && node != outside {
                if (node as usize) < graph.blocks.len() {
                    pairs.push((goal.0, node));
                }
                let Some(next) = postdominators.parent(node) else { break };
                node = next;
            }
        }
        let dependents = Table::from_pairs(graph.goals.len(), pairs.iter().copied());
        let depends_on = dependents.inverted(graph.blocks.len());
        Control { dominators, postdominators, dependents, depends_on }
    }
}

fn forward(graph: &Graph) -> Table {
    let mut edges = Table::empty();
    for block in graph.blocks() {
        match graph.decides(block) {
            Some(site) => edges.push(graph.goals_of(site).map(|goal| graph.node(goal))),
            None => edges.push(graph.successors.of(block.0).iter().copied()),
        }
    }
    for goal in graph.outcomes_of_all() {
        edges.push(graph.target(goal).map(|block| block.0));
    }
    edges.push(graph.functions().filter_map(|function| graph.entry(function)).map(|block| block.0));
    edges
}

/// Blocks without successors lead outside. So does the last block of a loop that cannot be left: without that nothing
/// before the loop would have a postdominator.
fn backward(graph: &Graph, forward: &Table, order: &[u32]) -> Table {
    let nodes = graph.node_count();
    let outside = nodes as u32;
    let within = forward.pairs().filter(|(from, _)| *from != outside);
    let predecessors = Table::from_pairs(nodes, within.clone().map(|(from, to)| (to, from)));
    let ends = (0..graph.blocks.len() as u32).filter(|block| forward.of(*block).is_empty());
    let mut exits = Vec::new();
    let mut seen = vec![false; nodes + 1];
    seen[nodes] = true;
    for exit in ends.chain(order.iter().rev().copied()) {
        if seen[exit as usize] {
            continue;
        }
        exits.push(exit);
        let mut open = vec![exit];
        seen[exit as usize] = true;
        while let Some(node) = open.pop() {
            for &before in predecessors.of(node) {
                if !std::mem::replace(&mut seen[before as usize], true) {
                    open.push(before);
                }
            }
        }
    }
    let reversed: Vec<(u32, u32)> =
        within.map(|(from, to)| (to, from)).chain(exits.into_iter().map(|exit| (outside, exit))).collect();
    Table::from_pairs(nodes + 1, reversed.iter().copied())
}

impl Graph {
    fn node(&self, goal: GoalId) -> u32 {
        self.blocks.len() as u32 + goal.0
    }

    fn as_goal(&self, node: u32) -> Option<GoalId> {
        let goal = (node as usize).checked_sub(self.blocks.len())?;
        (goal < self.goals.len()).then_some(GoalId(goal as u32))
    }

    /// Does every path from the function's entry to outcome `b` take outcome `a`? An outcome dominates itself.
    pub fn dominates(&self, a: GoalId, b: GoalId) -> bool {
        self.control.dominators.dominates(self.node(a), self.node(b))
    }

    /// Does every path from the function's entry to the decision take the outcome?
    pub fn dominates_site(&self, goal: GoalId, site: SiteId) -> bool {
        self.block_of(site).is_some_and(|block| self.control.dominators.dominates(self.node(goal), block.0))
    }

    /// The outcomes of the same function that every path from its entry to the decision takes, the nearest first. Context
    /// guided search leaves them out of a branch's context (FSE'14, 3.3).
    pub fn dominators_of(&self, site: SiteId) -> impl Iterator<Item = GoalId> + '_ {
        let block = self.block_of(site);
        let above = block.into_iter().flat_map(|block| self.control.dominators.ancestors(block.0));
        above.filter_map(|node| self.as_goal(node))
    }

    pub fn block_dominates(&self, a: BlockId, b: BlockId) -> bool {
        self.control.dominators.dominates(a.0, b.0)
    }

    /// Does every path from `b` to the function's end go through `a`?
    pub fn block_postdominates(&self, a: BlockId, b: BlockId) -> bool {
        self.control.postdominators.dominates(a.0, b.0)
    }

    /// The blocks that run because the outcome was taken and, had another been taken, might not.
    pub fn dependents(&self, goal: GoalId) -> impl Iterator<Item = BlockId> + '_ {
        self.control.dependents.of(goal.0).iter().copied().map(BlockId)
    }

    /// The outcomes that decide directly whether the block runs; none if it always does.
    pub fn depends_on(&self, block: BlockId) -> impl Iterator<Item = GoalId> + '_ {
        self.control.depends_on.of(block.0).iter().copied().map(GoalId)
    }
}
