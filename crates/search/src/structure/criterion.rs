//! What counts as covered.

use super::items::Items;
use super::mcdc::Mcdc;
use super::{Relevance, condition_sites};
use offshoot_model::Graph;
use offshoot_model::graph::{GoalId, GoalSet, SiteId};
use std::collections::BTreeMap;

/// C, *Eval* and *Cov* of a coverage structure: which evaluations of the program's conditions have been seen, and which
/// *items* of its source are covered by them.
pub trait Criterion: Send {
    fn name(&self) -> &'static str;
    /// Items there are.
    fn total(&self) -> u32;
    fn covered(&self) -> u32;
    /// Evaluations that have covered an item or are part of what covers one: whoever makes one more is worth keeping. Grows
    /// whenever [`Criterion::open`] changes.
    fn seen(&self) -> u32;
    /// Adds outcomes that a run took, each for the first time.
    fn evaluate(&mut self, taken: &[GoalId]);
    /// The outcomes of which a further evaluation can help to cover an item. Shrinks only.
    fn open(&self) -> &GoalSet;
    /// Those of them by which an item would be covered now.
    fn urgent(&self) -> &GoalSet {
        self.open()
    }
    /// What this outcome is good for in front of what the run has just decided, the last decision first; `None`: that
    /// makes no difference.
    fn in_context(
        &self,
        _site: SiteId,
        _outcome: u32,
        _before: &mut dyn Iterator<Item = (SiteId, u32)>,
    ) -> Option<Relevance> {
        None
    }
    /// What is not covered though its decisions are known, for people who ask why.
    fn lacking(&self) -> Vec<Lacking> {
        Vec::new()
    }
}

/// A condition within a decision that no two runs have shown to matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lacking {
    /// Of the decision.
    pub decision: SiteId,
    /// Of all its conditions.
    pub conditions: Vec<Option<SiteId>>,
    /// Index of this one.
    pub condition: usize,
    /// Ways through the decision, by the values of its conditions, that would show it together with one that was seen;
    /// if none was, all that are in a pair for it.
    pub wanted: Vec<Vec<Option<bool>>>,
}

/// The criteria, by the names that the command line knows.
pub const NAMES: &[(&str, &str)] = &[
    ("statement", "every statement that a decision leads to"),
    ("branch", "every outcome of every condition, every label of a switch"),
    ("condition", "every outcome of every condition"),
    ("decision", "every result of every decision, whatever its conditions; every label of a switch"),
    ("condition-decision", "both"),
    ("mcdc", "every condition shown to change its decision alone (pairs as llvm-cov counts them)"),
];

/// The criterion of that name.
pub fn criterion(name: &str, graph: &Graph) -> Option<Box<dyn Criterion>> {
    Some(match name {
        "statement" => Box::new(statement(graph)),
        "branch" => Box::new(branch(graph)),
        "condition" => Box::new(Items::each("condition", conditions(graph))),
        "decision" => Box::new(decision(graph)),
        "condition-decision" => {
            let mut items = decision(graph);
            items.name = "condition-decision";
            // A lone condition is a decision, too: its outcomes are there already.
            let in_decision = condition_sites(graph);
            for outcome in conditions(graph).filter(|goal| in_decision.contains(&graph.site_of(*goal))) {
                items.add(vec![outcome], vec![outcome]);
            }
            Box::new(items)
        }
        "mcdc" => Box::new(Mcdc::new(graph)),
        _ => return None,
    })
}

/// What a run can take: not what libc models decide, and not what the compiler has proven impossible.
pub(super) fn possible(graph: &Graph) -> impl Iterator<Item = GoalId> + '_ {
    graph.goals().filter(|goal| !graph.is_impossible(*goal))
}

pub(super) fn conditions(graph: &Graph) -> impl Iterator<Item = GoalId> + '_ {
    possible(graph).filter(|goal| graph.cases(graph.site_of(*goal)).is_none())
}

/// Every outcome of every condition of the source, and every label of a `switch`: the parts of a decision count each.
pub fn branch(graph: &Graph) -> Items {
    Items::each("branch", possible(graph))
}

/// Every block that a decision leads to. The model has no statements; what comes behind a decision up to the next one runs
/// together, so a block stands for them.
pub fn statement(graph: &Graph) -> Items {
    let mut into: BTreeMap<_, Vec<GoalId>> = BTreeMap::new();
    for goal in possible(graph) {
        if let Some(block) = graph.target(goal) {
            into.entry(block).or_default().push(goal);
        }
    }
    let mut items = Items::new("statement");
    for goals in into.into_values() {
        items.add(goals.clone(), goals);
    }
    items
}

/// True and false of every decision. One of several conditions is known by the ways through it, and one steers towards a
/// result by the outcomes on such ways.
fn decision(graph: &Graph) -> Items {
    let mut items = Items::new("decision");
    for decision in graph.decisions() {
        for result in [false, true] {
            let ways: Vec<_> = decision.ways.iter().filter(|way| way.result == result).collect();
            let outcomes = ways.iter().flat_map(|way| super::outcomes_on(graph, decision, way));
            let mut outcomes: Vec<GoalId> = outcomes.collect();
            outcomes.sort_unstable();
            outcomes.dedup();
            items.add(ways.iter().map(|way| way.goal).collect(), outcomes);
        }
    }
    let in_decision = condition_sites(graph);
    for outcome in possible(graph).filter(|goal| !in_decision.contains(&graph.site_of(*goal))) {
        items.add(vec![outcome], vec![outcome]);
    }
    items
}
