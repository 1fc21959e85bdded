//! What counts as covered.

use super::items::Items;
use super::mcdc::Mcdc;
use super::{Relevance, condition_sites};
use offshoot_model::Graph;
use offshoot_model::graph::{Decision, GoalId, GoalSet, SiteId};
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

/// The part of a program that a criterion is about. What is outside counts as covered, as the paper suggests.
#[derive(Clone, Copy)]
pub struct Part<'g> {
    pub graph: &'g Graph,
    inside: &'g dyn Fn(SiteId) -> bool,
}

impl<'g> Part<'g> {
    pub fn all(graph: &'g Graph) -> Part<'g> {
        Part { graph, inside: &|_| true }
    }

    pub fn only(graph: &'g Graph, inside: &'g dyn Fn(SiteId) -> bool) -> Part<'g> {
        Part { graph, inside }
    }

    pub(super) fn decisions(self) -> impl Iterator<Item = &'g Decision> {
        self.graph.decisions().iter().filter(move |decision| (self.inside)(decision.site))
    }
}

/// The criterion of that name.
pub fn criterion(name: &str, part: Part<'_>) -> Option<Box<dyn Criterion>> {
    let graph = part.graph;
    Some(match name {
        "statement" => Box::new(statement(part)),
        "branch" => Box::new(branch(part)),
        "condition" => Box::new(Items::each("condition", conditions(part))),
        "decision" => Box::new(decision(part)),
        "condition-decision" => {
            let mut items = decision(part);
            items.name = "condition-decision";
            // A lone condition is a decision, too: its outcomes are there already.
            let in_decision = condition_sites(graph);
            for outcome in conditions(part).filter(|goal| in_decision.contains(&graph.site_of(*goal))) {
                items.add(vec![outcome], vec![outcome]);
            }
            Box::new(items)
        }
        "mcdc" => Box::new(Mcdc::new(part)),
        _ => return None,
    })
}

/// What a run can take: not what libc models decide, and not what the compiler has proven impossible.
pub(super) fn possible(part: Part<'_>) -> impl Iterator<Item = GoalId> {
    let Part { graph, inside } = part;
    graph.goals().filter(move |goal| !graph.is_impossible(*goal) && inside(graph.site_of(*goal)))
}

pub(super) fn conditions(part: Part<'_>) -> impl Iterator<Item = GoalId> {
    possible(part).filter(move |goal| part.graph.cases(part.graph.site_of(*goal)).is_none())
}

/// Every outcome of every condition of the source, and every label of a `switch`: the parts of a decision count each.
pub fn branch(part: Part<'_>) -> Items {
    Items::each("branch", possible(part))
}

/// Every block that a decision leads to. The model has no statements; what comes behind a decision up to the next one runs
/// together, so a block stands for them.
pub fn statement(part: Part<'_>) -> Items {
    let mut into: BTreeMap<_, Vec<GoalId>> = BTreeMap::new();
    for goal in possible(part) {
        if let Some(block) = part.graph.target(goal) {
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
fn decision(part: Part<'_>) -> Items {
    let graph = part.graph;
    let mut items = Items::new("decision");
    for decision in part.decisions() {
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
    for outcome in possible(part).filter(|goal| !in_decision.contains(&graph.site_of(*goal))) {
        items.add(vec![outcome], vec![outcome]);
    }
    items
}
