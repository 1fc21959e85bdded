//! Which goals have been covered, by which test first, and what that means for the search.

use crate::profile;
use crate::sites::Sites;
use offshoot_expr::TraceView;
use offshoot_model::graph;
use offshoot_search::structure::{Criterion, Lacking, Part, branch};
use offshoot_search::{GoalId, Knowledge, Relevance, Site, Structure};

/// What a run is the first to do.
pub struct Gained {
    /// Branches.
    pub goals: Vec<GoalId>,
    /// Evaluations that count for the criterion; for branches as many as there are goals.
    pub gain: u32,
}

pub struct Covered<'a> {
    sites: &'a Sites,
    /// The first test of each outcome, ways through decisions among them.
    tests: Vec<Option<u32>>,
    count: u32,
    structure: Structure<'a>,
}

impl<'a> Covered<'a> {
    pub fn new(sites: &'a Sites) -> Covered<'a> {
        Covered::by(sites, Box::new(branch(Part::all(sites.graph()))))
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

    pub fn criterion(&self) -> &dyn Criterion {
        self.structure.criterion()
    }

    pub fn lacking(&self) -> Vec<Lacking> {
        self.structure.criterion().lacking()
    }

    pub fn add(&mut self, view: &TraceView<'_>, test: u32) -> Gained {
        let mut goals = Vec::new();
        let mut taken = Vec::new();
        profile::each_outcome(view, self.sites, |site, number| {
            let Some(outcome) = self.sites.outcome(site, number) else { return };
            let first = &mut self.tests[outcome.index()];
            if first.is_none() {
                *first = Some(test);
                taken.push(outcome);
                if let Some(goal) = self.sites.goal(site, number) {
                    self.count += 1;
                    goals.push(goal);
                }
            }
        });
        let gain = self.structure.update(&taken);
        Gained { goals, gain }
    }

    /// Whether [`Covered::add`] would gain branches or, if it is about something else, may gain that.
    pub fn would_gain(&self, view: &TraceView<'_>) -> bool {
        let counts_ways = self.criterion().name() != "branch";
        let mut gains = false;
        profile::each_outcome(view, self.sites, |site, number| {
            let counts = counts_ways || self.sites.goal(site, number).is_some();
            let is_new = self.sites.outcome(site, number).is_some_and(|outcome| self.tests[outcome.index()].is_none());
            gains |= counts && is_new;
        });
        gains
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
        self.structure.criterion().seen()
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
    fn relevance_in_context(
        &self,
        site: Site,
        outcome: u32,
        before: &mut dyn Iterator<Item = (Site, u32)>,
    ) -> Relevance {
        let Some(goal) = self.sites.outcome(site, outcome) else { return self.relevance(site, outcome) };
        let mut before = before.map(|(site, outcome)| (graph::SiteId(site.0), outcome));
        self.structure.relevance_in_context(goal, &mut before)
    }
}
