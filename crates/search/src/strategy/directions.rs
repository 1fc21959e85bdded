//! Open candidates by where they lead, without a list of them.
//!
//! What a candidate promises depends on its site and outcome, not on its path. So a direction is ranked once for all its
//! candidates, and keeps only runs that have some; the decision itself is looked up in the run when it is wanted. A program
//! has as many directions as outcomes, whatever the number of candidates, and a direction keeps a limited number of runs:
//! who must not miss any has a [`super::pool::Pool`] to fall back on.

use crate::Tree;
use crate::hash::Map;
use crate::structure::Relevance;
use crate::types::{Candidate, GoalId, Knowledge, RunId, Site, Step};
use offshoot_base::Rng;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Steps looked back over for the last goal in front of a decision that has none of its own.
const BACK: usize = 256;

/// Runs that a direction keeps.
const RUNS: usize = 512;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Direction {
    pub(crate) site: Site,
    pub(crate) outcome: u32,
    /// What it covers.
    pub(crate) goal: Option<GoalId>,
    /// If that is nothing (a branch in libc, say): the last goal that was passed. Ways from there lead over here.
    pub(crate) anchor: Option<GoalId>,
}

impl Direction {
    /// Branches from here to the nearest uncovered goal.
    pub(crate) fn distance(&self, knowledge: &dyn Knowledge) -> Option<u32> {
        match self.goal {
            Some(goal) => knowledge.distance(goal),
            // The anchor itself was just covered, so what it leads to is behind this decision.
            None => self.anchor.and_then(|anchor| knowledge.distance(anchor)),
        }
    }

    pub(crate) fn relevance(&self, knowledge: &dyn Knowledge) -> Relevance {
        knowledge.relevance(self.site, self.outcome)
    }
}

/// Names the directions of decisions one after the other, along a path.
pub(crate) struct Compass<'a> {
    knowledge: &'a dyn Knowledge,
    anchor: Option<GoalId>,
}

impl<'a> Compass<'a> {
    pub(crate) fn at(tree: &Tree, knowledge: &'a dyn Knowledge, run: RunId, depth: u32) -> Compass<'a> {
        let before = depth.checked_sub(1).map(|depth| tree.back(run, depth).take(BACK));
        let anchor = before.into_iter().flatten().find_map(|step| knowledge.goal(step.site, step.outcome));
        Compass { knowledge, anchor }
    }

    /// The direction of an outcome at the site that comes next.
    pub(crate) fn direction(&self, site: Site, outcome: u32) -> Direction {
        let goal = self.knowledge.goal(site, outcome);
        let anchor = if goal.is_some() { None } else { self.anchor };
        Direction { site, outcome, goal, anchor }
    }

    pub(crate) fn pass(&mut self, step: Step) {
        self.anchor = self.knowledge.goal(step.site, step.outcome).or(self.anchor);
    }
}

/// Which of a direction's candidates comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Random,
    Shallowest,
}

#[derive(Debug)]
enum Runs {
    Random(Vec<RunId>),
    /// With the depth in front of which there is none.
    Shallowest(BinaryHeap<Reverse<(u32, RunId)>>),
}

impl Runs {
    fn add(&mut self, run: RunId, depth: u32) {
        match self {
            // Of two runs in a full bag the younger one has less in common with what was tried.
            Runs::Random(runs) if runs.len() == RUNS => runs[run.0 as usize % RUNS] = run,
            Runs::Random(runs) => runs.push(run),
            Runs::Shallowest(runs) => {
                runs.push(Reverse((depth, run)));
                if runs.len() > 2 * RUNS {
                    let mut sorted = std::mem::take(runs).into_sorted_vec();
                    *runs = sorted.split_off(sorted.len() - RUNS).into();
                }
            }
        }
    }
}

#[derive(Debug)]
struct Entry {
    direction: Direction,
    runs: Runs,
    /// The last run that was added, so that it is added once.
    last: Option<RunId>,
}

#[derive(Debug)]
pub(crate) struct Directions {
    order: Order,
    index: Map<Direction, u32>,
    entries: Vec<Entry>,
}

impl Directions {
    pub(crate) fn new(order: Order) -> Directions {
        Directions { order, index: Map::default(), entries: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn get(&self, index: usize) -> &Direction {
        &self.entries[index].direction
    }

    /// Number of runs that may have candidates in it.
    pub(crate) fn runs(&self, index: usize) -> usize {
        match &self.entries[index].runs {
            Runs::Random(runs) => runs.len(),
            Runs::Shallowest(runs) => runs.len(),
        }
    }

    /// Adds a run's own decisions. Returns the directions that have it now, each with the depth of its first decision.
    pub(crate) fn add(&mut self, tree: &Tree, knowledge: &dyn Knowledge, run: RunId) -> Vec<(usize, u32)> {
        let mut added = Vec::new();
        let bound = tree.bound(run);
        let mut compass = Compass::at(tree, knowledge, run, bound);
        for (depth, step) in (bound..).zip(tree.steps_from(run, bound)) {
            for outcome in (0..knowledge.outcomes(step.site)).filter(|&outcome| outcome != step.outcome) {
                let index = self.entry(compass.direction(step.site, outcome));
                let entry = &mut self.entries[index];
                if entry.last.replace(run) != Some(run) {
                    entry.runs.add(run, depth);
                    added.push((index, depth));
                }
            }
            compass.pass(step);
        }
        added
    }

    /// An open candidate of a direction, the first one in our order; `None` if it has none.
    pub(crate) fn pick(
        &mut self,
        tree: &Tree,
        knowledge: &dyn Knowledge,
        rng: &mut Rng,
        index: usize,
    ) -> Option<Candidate> {
        let Entry { direction, runs, .. } = &mut self.entries[index];
        match runs {
            Runs::Random(runs) => {
                while !runs.is_empty() {
                    let chosen = rng.index(runs.len());
                    let run = runs[chosen];
                    let mut open = open(tree, knowledge, *direction, run, tree.bound(run));
                    if let Some(first) = open.next() {
                        // One of them all, each with the same chance.
                        let keep =
                            |(kept, seen), next| if rng.below(seen) == 0 { (next, seen + 1) } else { (kept, seen + 1) };
                        return Some(open.fold((first, 2), keep).0);
                    }
                    runs.swap_remove(chosen);
                }
            }
            Runs::Shallowest(runs) => {
                while let Some(Reverse((depth, run))) = runs.pop() {
                    let Some(candidate) = open(tree, knowledge, *direction, run, depth).next() else { continue };
                    runs.push(Reverse((candidate.depth, run)));
                    // It may have been the shallowest only as long as we did not look.
                    if runs.peek().is_none_or(|Reverse((least, _))| candidate.depth <= *least) {
                        return Some(candidate);
                    }
                }
            }
        }
        None
    }

    fn entry(&mut self, direction: Direction) -> usize {
        let next = self.entries.len() as u32;
        let index = *self.index.entry(direction).or_insert(next);
        if index == next {
            let runs = match self.order {
                Order::Random => Runs::Random(Vec::new()),
                Order::Shallowest => Runs::Shallowest(BinaryHeap::new()),
            };
            self.entries.push(Entry { direction, runs, last: None });
        }
        index as usize
    }
}

/// A run's own open candidates in a direction, from `depth` on.
fn open<'a>(
    tree: &'a Tree,
    knowledge: &'a dyn Knowledge,
    direction: Direction,
    run: RunId,
    depth: u32,
) -> impl Iterator<Item = Candidate> + 'a {
    let mut compass = direction.anchor.is_some().then(|| Compass::at(tree, knowledge, run, depth));
    (depth..).zip(tree.steps_from(run, depth)).filter_map(move |(depth, step)| {
        let candidate = Candidate { run, depth, outcome: direction.outcome };
        let leads = step.site == direction.site
            && compass.as_ref().is_none_or(|compass| compass.direction(step.site, direction.outcome) == direction);
        if let Some(compass) = &mut compass {
            compass.pass(step);
        }
        (leads && tree.is_open(candidate)).then_some(candidate)
    })
}
