//! The coverage structure of SERE'14 (section III, definition 2): S = (G, C, Eval, Cov).
//!
//! G is the control-flow graph of the whole program, [`Graph`]; C, with the evaluations it has seen and what they cover,
//! is a [`Criterion`]. What the search asks of the two together is here, so whoever adds a criterion adds nothing else:
//!
//! | question | for |
//! |---|---|
//! | would this outcome cover something (*must-relevant*), can something be covered behind it (*may-relevant*)? | path filter, PPS |
//! | how much could be covered close behind it (*PotentialContr*)? | PPS |
//! | how many branches to something uncovered? | CFG-directed, MD2U |
//!
//! Differs from the paper: a candidate is irrelevant there if a decision and "its successors" are all covered. Here it is
//! irrelevant if nothing uncovered can be reached at all, over calls and returns, which is what that is meant to say.

mod criterion;
mod items;
mod mcdc;

pub use criterion::{Criterion, Lacking, NAMES, Part, branch, criterion, statement};
pub use items::Items;
pub use mcdc::Mcdc;

use crate::hash::Map;
use offshoot_model::Graph;
use offshoot_model::graph::{Decision, Distances, GoalId, GoalSet, Reach, SiteId, Way};
use std::cell::{OnceCell, RefCell};
use std::collections::HashSet;

/// What a candidate may be good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relevance {
    /// Nothing can be covered by it or behind it; so it stays.
    Irrelevant,
    /// Something uncovered can be reached behind it.
    May,
    /// It covers something itself.
    Must,
}

/// What lies below an outcome, by the number of levels.
type Below = Map<(GoalId, u32), Box<[GoalId]>>;

pub struct Structure<'g> {
    graph: &'g Graph,
    criterion: Box<dyn Criterion>,
    /// To what is open; made anew after each gain, and only if somebody asks.
    reach: OnceCell<Reach>,
    distances: OnceCell<Distances>,
    /// A walk each, and the same whatever is open.
    below: RefCell<Below>,
}

impl<'g> Structure<'g> {
    pub fn new(graph: &'g Graph, criterion: Box<dyn Criterion>) -> Structure<'g> {
        Structure { graph, criterion, reach: OnceCell::new(), distances: OnceCell::new(), below: RefCell::default() }
    }

    pub fn criterion(&self) -> &dyn Criterion {
        &*self.criterion
    }

    /// *UpdateCS*: outcomes that one run took, ways through decisions among them, each once in all. Returns how many
    /// evaluations it is the first to make that cover something or are half of it.
    pub fn update(&mut self, taken: &[GoalId]) -> u32 {
        let before = self.criterion.seen();
        self.criterion.evaluate(taken);
        let gain = self.criterion.seen() - before;
        if gain > 0 {
            self.reach.take();
            self.distances.take();
        }
        gain
    }

    pub fn is_complete(&self) -> bool {
        self.open().is_empty()
    }

    /// Outcomes that would cover something, or help to.
    pub fn open(&self) -> &GoalSet {
        self.criterion.open()
    }

    pub fn relevance(&self, outcome: GoalId) -> Relevance {
        if self.criterion.urgent().contains(outcome) {
            Relevance::Must
        } else if self.open().contains(outcome) {
            Relevance::May
        } else {
            self.behind(outcome)
        }
    }

    /// The same for an outcome in front of what the run has just decided, the last decision first.
    pub fn relevance_in_context(&self, outcome: GoalId, before: &mut dyn Iterator<Item = (SiteId, u32)>) -> Relevance {
        let (site, number) = (self.graph.site_of(outcome), self.graph.outcome_of(outcome));
        match self.criterion.in_context(site, number, before) {
            Some(Relevance::Irrelevant) => self.behind(outcome),
            Some(relevance) => relevance,
            None => self.relevance(outcome),
        }
    }

    fn behind(&self, outcome: GoalId) -> Relevance {
        let reach = self.reach.get_or_init(|| self.graph.reach(self.open()));
        if reach.from_outcome(outcome) { Relevance::May } else { Relevance::Irrelevant }
    }

    /// *PotentialContr*: open outcomes at most `levels` decisions down from this one, itself included.
    pub fn potential(&self, outcome: GoalId, levels: u32) -> u32 {
        let mut known = self.below.borrow_mut();
        let below = known.entry((outcome, levels)).or_insert_with(|| self.graph.below(outcome, levels).into());
        below.iter().filter(|goal| self.open().contains(**goal)).count() as u32
    }

    /// Branches between taking this outcome and the nearest open one; see [`Graph::distances_to`].
    pub fn distance(&self, outcome: GoalId) -> Option<u32> {
        self.distances.get_or_init(|| self.graph.distances_to(self.open())).from_outcome(outcome)
    }
}

/// The conditions that are part of a decision.
fn condition_sites(graph: &Graph) -> HashSet<SiteId> {
    graph.decisions().iter().flat_map(|decision| decision.conditions.iter().copied().flatten()).collect()
}

/// The outcomes of conditions on a way through a decision.
fn outcomes_on(graph: &Graph, decision: &Decision, way: &Way) -> Vec<GoalId> {
    let values = decision.conditions.iter().zip(&way.values);
    values.filter_map(|(site, value)| graph.goal((*site)?, u32::from((*value)?))).collect()
}
