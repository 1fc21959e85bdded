//! Which goals have been covered, by which test first, and what that means for the search.

use crate::profile;
use crate::sites::Sites;
use offshoot_expr::TraceView;
use offshoot_model::graph::{self, Distances, GoalSet};
use offshoot_search::{GoalId, Knowledge, Site};
use std::cell::OnceCell;

pub struct Covered<'a> {
    sites: &'a Sites,
    /// The first test of each goal.
    tests: Vec<Option<u32>>,
    count: u32,
    open: GoalSet,
    /// To the nearest open goal; made anew after each gain, and only if a strategy asks.
    distances: OnceCell<Distances>,
}

impl<'a> Covered<'a> {
    pub fn new(sites: &'a Sites) -> Covered<'a> {
        let mut open = GoalSet::new();
        for goal in sites.goals() {
            open.insert(graph::GoalId(goal.0));
        }
        Covered { sites, tests: vec![None; sites.goal_end()], count: 0, open, distances: OnceCell::new() }
    }

    pub fn count(&self) -> u32 {
        self.count
    }

    pub fn is_complete(&self) -> bool {
        self.count == self.sites.goal_count()
    }

    pub fn tests(&self) -> &[Option<u32>] {
        &self.tests
    }

    /// Goals that this run is the first to take.
    pub fn add(&mut self, view: &TraceView<'_>, test: u32) -> Vec<GoalId> {
        let mut gained = Vec::new();
        profile::each_goal(view, self.sites, |goal| self.take(goal, test, &mut gained));
        if !gained.is_empty() {
            self.distances.take();
        }
        gained
    }

    fn take(&mut self, goal: GoalId, test: u32, gained: &mut Vec<GoalId>) {
        let first = &mut self.tests[goal.0 as usize];
        if first.is_none() {
            *first = Some(test);
            self.count += 1;
            self.open.remove(graph::GoalId(goal.0));
            gained.push(goal);
        }
    }
}

impl Knowledge for Covered<'_> {
    fn outcomes(&self, site: Site) -> u32 {
        self.sites.outcomes(site)
    }
    fn goal(&self, site: Site, outcome: u32) -> Option<GoalId> {
        self.sites.goal(site, outcome)
    }
    fn goals(&self) -> u32 {
        self.tests.len() as u32
    }
    fn is_covered(&self, goal: GoalId) -> bool {
        self.tests.get(goal.0 as usize).is_none_or(Option::is_some)
    }
    fn covered(&self) -> u32 {
        self.count
    }
    fn distance(&self, goal: GoalId) -> Option<u32> {
        let distances = self.distances.get_or_init(|| self.sites.graph().distances_to(&self.open));
        distances.from_outcome(graph::GoalId(goal.0))
    }
    fn dominates(&self, a: GoalId, b: GoalId) -> bool {
        self.sites.graph().dominates(graph::GoalId(a.0), graph::GoalId(b.0))
    }
    fn weight(&self, goal: GoalId) -> u32 {
        self.sites.graph().weight(graph::GoalId(goal.0))
    }
}
