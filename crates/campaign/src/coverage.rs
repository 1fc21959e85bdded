//! Which goals have been covered, by which test first, and what that means for the search.

use crate::profile;
use crate::sites::Sites;
use offshoot_expr::TraceView;
use offshoot_model::graph;
use offshoot_search::structure::{Branch, Criterion};
use offshoot_search::{GoalId, Knowledge, Relevance, Site, Structure};

pub struct Covered<'a> {
    sites: &'a Sites,
    /// The first test of each goal.
    tests: Vec<Option<u32>>,
    count: u32,
    structure: Structure<'a>,
}

impl<'a> Covered<'a> {
    pub fn new(sites: &'a Sites) -> Covered<'a> {
        Covered::by(sites, Box::new(Branch::new(sites.graph())))
    }

    /// With another idea of what is left to do. Tests and counts are of branches all the same.
    pub fn by(sites: &'a Sites, criterion: Box<dyn Criterion>) -> Covered<'a> {
        let structure = Structure::new(sites.graph(), criterion);
        Covered { sites, tests: vec![None; sites.goal_end()], count: 0, structure }
    }

    pub fn count(&self) -> u32 {
        self.count
    }

    pub fn is_complete(&self) -> bool {
        self.structure.is_complete()
    }

    pub fn tests(&self) -> &[Option<u32>] {
        &self.tests
    }

    /// Goals that this run is the first to take.
    pub fn add(&mut self, view: &TraceView<'_>, test: u32) -> Vec<GoalId> {
        let mut gained = Vec::new();
        profile::each_goal(view, self.sites, |goal| self.take(goal, test, &mut gained));
        let taken: Vec<graph::GoalId> = gained.iter().map(|goal| graph::GoalId(goal.0)).collect();
        self.structure.update(&taken);
        gained
    }

    /// Whether this run takes goals that none before did.
    pub fn would_gain(&self, view: &TraceView<'_>) -> bool {
        let mut gains = false;
        profile::each_goal(view, self.sites, |goal| gains |= self.tests[goal.0 as usize].is_none());
        gains
    }

    fn take(&mut self, goal: GoalId, test: u32, gained: &mut Vec<GoalId>) {
        let first = &mut self.tests[goal.0 as usize];
        if first.is_none() {
            *first = Some(test);
            self.count += 1;
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
        !self.structure.open().contains(graph::GoalId(goal.0))
    }
    fn covered(&self) -> u32 {
        self.structure.criterion().covered()
    }
    fn distance(&self, goal: GoalId) -> Option<u32> {
        self.structure.distance(graph::GoalId(goal.0))
    }
    fn dominates(&self, a: GoalId, b: GoalId) -> bool {
        self.sites.graph().dominates(graph::GoalId(a.0), graph::GoalId(b.0))
    }
    fn weight(&self, goal: GoalId) -> u32 {
        self.sites.graph().weight(graph::GoalId(goal.0))
    }
    fn potential(&self, goal: GoalId, levels: u32) -> u32 {
        self.structure.potential(graph::GoalId(goal.0), levels)
    }
    fn relevance(&self, site: Site, outcome: u32) -> Relevance {
        match self.sites.outcome(site, outcome) {
            Some(outcome) => self.structure.relevance(outcome),
            None if self.is_complete() => Relevance::Irrelevant,
            None => Relevance::May,
        }
    }
}
