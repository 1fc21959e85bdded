//! MC/DC: each condition of a decision is shown to change the result alone, by a pair of ways through the decision.
//!
//! Which two ways are a pair is what `llvm-cov` says ([`offshoot_coverage::only_difference`]): their results differ, and of
//! the conditions that both evaluated exactly one. A condition that is a whole decision is shown by its two outcomes.
//!
//! Of a way that has not been seen two things are known. It is *wanted* if it is in any pair for a condition that is not
//! shown; and it *completes* if the other half of such a pair has been seen. Outcomes on wanted ways are open; the one by
//! which a completing way leaves what has been seen is urgent; and where in a decision a candidate is, and so on which ways it can be, is known from what its run
//! has just decided.

use super::criterion::{Part, conditions};
use super::{Criterion, Lacking, Relevance, condition_sites};
use crate::hash::Map;
use fixedbitset::FixedBitSet;
use offshoot_coverage::{Vector, only_difference};
use offshoot_model::Graph;
use offshoot_model::graph::{Decision, GoalId, GoalSet, SiteId};
use std::collections::BTreeMap;

#[derive(Debug)]
pub struct Mcdc {
    decisions: Vec<State>,
    /// Decision and index of each way.
    ways: Map<GoalId, (u32, u32)>,
    /// Decision and index of each condition.
    conditions: Map<SiteId, (u32, u32)>,
    /// Conditions on their own, by their outcomes; those of which both have been seen are gone.
    lone: Map<GoalId, GoalId>,
    total: u32,
    covered: u32,
    seen: u32,
    open: GoalSet,
    urgent: GoalSet,
}

#[derive(Debug)]
struct State {
    site: SiteId,
    conditions: Vec<Option<SiteId>>,
    /// The outcomes of each condition, false and true, that steer.
    outcomes: Vec<Option<[GoalId; 2]>>,
    ways: Vec<Vector>,
    seen: FixedBitSet,
    /// Conditions that are not shown.
    lacking: FixedBitSet,
    /// For each way the conditions that it shows with some other.
    shows: Vec<FixedBitSet>,
    /// For each way the conditions that it shows with one that has been seen.
    completes: Vec<FixedBitSet>,
}

impl State {
    fn new(graph: &Graph, decision: &Decision) -> State {
        let count = decision.conditions.len();
        let ways = decision.ways.iter().map(|way| Vector { values: way.values.clone(), result: way.result });
        let ways: Vec<Vector> = ways.collect();
        let none = vec![FixedBitSet::with_capacity(count); ways.len()];
        let outcomes = |site: &Option<SiteId>| {
            let site = site.filter(|site| graph.is_goal(*site))?;
            Some([graph.goal(site, 0)?, graph.goal(site, 1)?])
        };
        let mut lacking = FixedBitSet::with_capacity(count);
        // A constant is not counted: no branch decides it.
        decision.conditions.iter().enumerate().for_each(|(at, site)| lacking.set(at, site.is_some()));
        let mut state = State {
            site: decision.site,
            conditions: decision.conditions.clone(),
            outcomes: decision.conditions.iter().map(outcomes).collect(),
            seen: FixedBitSet::with_capacity(ways.len()),
            lacking,
            shows: none.clone(),
            completes: none,
            ways,
        };
        for (first, a) in state.ways.iter().enumerate() {
            for (second, b) in state.ways[..first].iter().enumerate() {
                if let Some(condition) = shown(a, b) {
                    state.shows[first].insert(condition);
                    state.shows[second].insert(condition);
                }
            }
        }
        state
    }

    /// Returns the number of conditions that are shown now and were not before.
    fn see(&mut self, way: usize) -> u32 {
        self.seen.insert(way);
        let before = self.lacking.count_ones(..);
        for (other, vector) in self.ways.iter().enumerate() {
            let Some(condition) = shown(&self.ways[way], vector) else { continue };
            if self.seen.contains(other) {
                self.lacking.set(condition, false);
            } else {
                self.completes[other].insert(condition);
            }
        }
        (before - self.lacking.count_ones(..)) as u32
    }

    fn is_wanted(&self, way: usize) -> bool {
        !self.seen.contains(way) && !self.shows[way].is_disjoint(&self.lacking)
    }

    fn completes(&self, way: usize) -> bool {
        !self.seen.contains(way) && !self.completes[way].is_disjoint(&self.lacking)
    }

    fn outcomes_on(&self, way: usize) -> impl Iterator<Item = GoalId> {
        let values = self.ways[way].values.iter().zip(&self.outcomes);
        values.filter_map(|(value, outcomes)| Some(outcomes.as_ref()?[usize::from((*value)?)]))
    }
}

impl State {
    /// The outcome by which a way that was not seen leaves the one that has most in common with it: what comes before it
    /// is taken often enough.
    fn turn_into(&self, way: usize) -> Option<GoalId> {
        let values = &self.ways[way].values;
        let on_way: Vec<usize> = (0..values.len()).filter(|at| values[*at].is_some()).collect();
        let shared = |seen: usize| {
            let other = &self.ways[seen].values;
            on_way.iter().take_while(|at| other[**at] == values[**at]).count()
        };
        let turn = *on_way.get(self.seen.ones().map(shared).max()?)?;
        Some(self.outcomes[turn].as_ref()?[usize::from(values[turn]?)])
    }
}

/// The condition that two ways show.
fn shown(a: &Vector, b: &Vector) -> Option<usize> {
    let differ = a.result != b.result;
    differ.then(|| only_difference(a, b)).flatten().map(|(condition, _)| condition)
}

impl Mcdc {
    pub fn new(part: Part<'_>) -> Mcdc {
        let graph = part.graph;
        let decisions: Vec<State> = part.decisions().map(|decision| State::new(graph, decision)).collect();
        let mut ways = Map::default();
        let mut by_site = Map::default();
        for (index, (state, decision)) in decisions.iter().zip(part.decisions()).enumerate() {
            ways.extend(decision.ways.iter().enumerate().map(|(at, way)| (way.goal, (index as u32, at as u32))));
            let sites = state.conditions.iter().enumerate().filter_map(|(at, site)| Some(((*site)?, at)));
            by_site.extend(sites.map(|(site, at)| (site, (index as u32, at as u32))));
        }
        let in_decision = condition_sites(graph);
        let mut both: BTreeMap<SiteId, Vec<GoalId>> = BTreeMap::new();
        for goal in conditions(part).filter(|goal| !in_decision.contains(&graph.site_of(*goal))) {
            both.entry(graph.site_of(goal)).or_default().push(goal);
        }
        let mut lone = Map::default();
        let mut alone = 0;
        for goals in both.into_values() {
            if let [a, b] = goals[..] {
                lone.extend([(a, b), (b, a)]);
                alone += 1;
            }
        }
        let total = alone + decisions.iter().map(|state| state.lacking.count_ones(..) as u32).sum::<u32>();
        let (open, urgent) = (GoalSet::new(), GoalSet::new());
        let mut mcdc = Mcdc { decisions, ways, conditions: by_site, lone, total, covered: 0, seen: 0, open, urgent };
        mcdc.update();
        mcdc
    }

    /// What is open. Decisions that nobody has got to are urgent as a whole.
    fn update(&mut self) {
        (self.open, self.urgent) = (GoalSet::new(), GoalSet::new());
        let (open, urgent) = (&mut self.open, &mut self.urgent);
        for state in self.decisions.iter().filter(|state| !state.lacking.is_clear()) {
            let is_new = state.seen.is_clear();
            for way in 0..state.ways.len() {
                if state.is_wanted(way) {
                    state.outcomes_on(way).for_each(|goal| _ = open.insert(goal));
                    if is_new {
                        state.outcomes_on(way).for_each(|goal| _ = urgent.insert(goal));
                    } else if state.completes(way) {
                        state.turn_into(way).into_iter().for_each(|goal| _ = urgent.insert(goal));
                    }
                }
            }
        }
        for &goal in self.lone.keys() {
            open.insert(goal);
            urgent.insert(goal);
        }
    }
}

impl Criterion for Mcdc {
    fn name(&self) -> &'static str {
        "mcdc"
    }
    fn total(&self) -> u32 {
        self.total
    }
    fn covered(&self) -> u32 {
        self.covered
    }
    fn seen(&self) -> u32 {
        self.seen
    }
    fn evaluate(&mut self, taken: &[GoalId]) {
        let before = self.seen;
        for goal in taken {
            if let Some(&(decision, way)) = self.ways.get(goal) {
                let state = &mut self.decisions[decision as usize];
                self.seen += u32::from(state.is_wanted(way as usize));
                self.covered += state.see(way as usize);
            } else if let Some(other) = self.lone.remove(goal) {
                self.seen += 1;
                // The last of the two.
                self.covered += u32::from(!self.lone.contains_key(&other));
            }
        }
        if self.seen != before {
            self.update();
        }
    }
    fn open(&self) -> &GoalSet {
        &self.open
    }
    fn urgent(&self) -> &GoalSet {
        &self.urgent
    }

    fn in_context(
        &self,
        site: SiteId,
        outcome: u32,
        before: &mut dyn Iterator<Item = (SiteId, u32)>,
    ) -> Option<Relevance> {
        let &(decision, at) = self.conditions.get(&site)?;
        let state = &self.decisions[decision as usize];
        let mut known = vec![(at as usize, outcome != 0)];
        let mut last = at;
        // Conditions come one behind the other; what is not in order belongs to an earlier evaluation.
        for (site, outcome) in before {
            match self.conditions.get(&site) {
                Some(&(same, at)) if same == decision => {
                    if at >= last {
                        break;
                    }
                    known.push((at as usize, outcome != 0));
                    last = at;
                    if at == 0 {
                        break;
                    }
                }
                _ => {}
            }
        }
        let fits = |way: &usize| known.iter().all(|(at, value)| state.ways[*way].values[*at] == Some(*value));
        let mut best = Relevance::Irrelevant;
        for way in (0..state.ways.len()).filter(fits) {
            if state.completes(way) {
                return Some(Relevance::Must);
            }
            if state.is_wanted(way) {
                best = if state.seen.is_clear() { Relevance::Must } else { best.max(Relevance::May) };
            }
        }
        Some(best)
    }

    fn lacking(&self) -> Vec<Lacking> {
        let mut found = Vec::new();
        for state in &self.decisions {
            for condition in state.lacking.ones() {
                let of = |sets: &[FixedBitSet]| -> Vec<Vec<Option<bool>>> {
                    let ways = (0..state.ways.len()).filter(|way| sets[*way].contains(condition));
                    let unseen = ways.filter(|way| !state.seen.contains(*way));
                    unseen.map(|way| state.ways[way].values.clone()).collect()
                };
                let completing = of(&state.completes);
                let wanted = if completing.is_empty() { of(&state.shows) } else { completing };
                let (decision, conditions) = (state.site, state.conditions.clone());
                found.push(Lacking { decision, conditions, condition, wanted });
            }
        }
        found
    }
}
