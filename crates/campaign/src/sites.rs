//! The decision sites of a program, numbered once for the whole campaign.
//!
//! A trace numbers the sites of its modules in the order in which they were loaded; the campaign needs numbers that mean
//! the same in every run: those of the static model.

use offshoot_expr::TraceView;
use offshoot_model::{Graph, Program, graph};
use offshoot_search::{GoalId, Site, Step};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

pub struct Sites {
    graph: Graph,
    goals: u32,
    /// For every outcome, the first one of its decision that leads to the same block.
    alike: Vec<u32>,
    /// Sites that the model does not know as decisions: assertions, and all of modules that no file told us of.
    strangers: Mutex<HashMap<(u64, u32), Site>>,
}

fn first_alike(graph: &Graph, goal: graph::GoalId) -> u32 {
    let (site, own) = (graph.site_of(goal), graph.outcome_of(goal));
    let Some(target) = graph.cases(site).and_then(|_| graph.target(goal)) else { return own };
    let first = graph.goals_of(site).find(|&other| graph.target(other) == Some(target));
    first.map_or(own, |first| graph.outcome_of(first))
}

impl Sites {
    pub fn new(programs: &[Program]) -> Sites {
        let graph = Graph::new(programs);
        let goals = graph.goals().filter(|goal| !graph.is_impossible(*goal)).count() as u32;
        let alike = graph.outcomes_of_all().map(|goal| first_alike(&graph, goal)).collect();
        Sites { graph, goals, alike, strangers: Mutex::default() }
    }

    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    fn known(&self, site: Site) -> Option<graph::SiteId> {
        (site.0 < self.graph.sites().len() as u32).then_some(graph::SiteId(site.0))
    }

    /// The labels of a switch.
    pub fn cases(&self, site: Site) -> Option<&[u64]> {
        self.graph.cases(self.known(site)?)
    }

    pub fn outcomes(&self, site: Site) -> u32 {
        self.known(site).map_or(2, |site| self.graph.outcomes(site))
    }

    /// The outcome that a value decides.
    pub fn outcome_of(&self, site: Site, value: u64) -> u32 {
        match self.known(site) {
            Some(site) => self.graph.outcome_of(self.graph.goal_for(site, value)),
            None => u32::from(value != 0),
        }
    }

    /// The first outcome that leads to the same place as this one: a switch may have several labels there.
    pub fn alike(&self, site: Site, outcome: u32) -> u32 {
        self.outcome(site, outcome).map_or(outcome, |goal| self.alike[goal.index()])
    }

    /// `true`, `false`, `case 3`, `default`
    pub fn outcome_name(&self, site: Site, outcome: u32) -> String {
        match self.cases(site) {
            Some(cases) => match cases.get(outcome as usize) {
                Some(&case) => format!("case {}", case as i64),
                None => "default".to_owned(),
            },
            None => (outcome != 0).to_string(),
        }
    }

    /// `None`: it does not count for coverage.
    pub fn goal(&self, site: Site, outcome: u32) -> Option<GoalId> {
        let site = self.known(site).filter(|site| self.graph.is_goal(*site))?;
        let goal = self.graph.goal(site, outcome).filter(|goal| !self.graph.is_impossible(*goal))?;
        Some(GoalId(goal.0))
    }

    /// The same, whether it counts or not; `None`: the model does not know it.
    pub fn outcome(&self, site: Site, outcome: u32) -> Option<graph::GoalId> {
        self.graph.goal(self.known(site)?, outcome)
    }

    pub fn goal_name(&self, goal: GoalId) -> String {
        let (site, outcome) = self.decision(goal);
        match self.place(site) {
            Some(place) => format!("{place} {}", self.outcome_name(site, outcome)),
            None => format!("goal {}", goal.0),
        }
    }

    pub fn step_name(&self, step: Step) -> String {
        let outcome = self.outcome_name(step.site, step.outcome);
        match self.place(step.site) {
            Some(place) => format!("{place} {outcome}"),
            None => format!("site {} {outcome}", step.site.0),
        }
    }

    /// Site and outcome of a goal.
    pub fn decision(&self, goal: GoalId) -> (Site, u32) {
        let goal = graph::GoalId(goal.0);
        (Site(self.graph.site_of(goal).0), self.graph.outcome_of(goal))
    }

    /// Those that count for coverage, ascending.
    pub fn goals(&self) -> impl Iterator<Item = GoalId> + '_ {
        self.graph.goals().filter(|goal| !self.graph.is_impossible(*goal)).map(|goal| GoalId(goal.0))
    }

    pub fn goal_count(&self) -> u32 {
        self.goals
    }

    /// One more than the largest goal.
    pub fn goal_end(&self) -> usize {
        self.graph.outcomes_of_all().len()
    }

    pub fn place(&self, site: Site) -> Option<graph::Place<'_>> {
        self.known(site).map(|site| self.graph.place(site))
    }

    pub fn resolver(&self, view: &TraceView<'_>) -> Resolver<'_> {
        let loaded = |module: offshoot_trace::layout::ModuleEntry| (module.base, module.sites, module.uid);
        let mut modules: Vec<(u32, u32, u64)> = view.modules().map(loaded).collect();
        modules.sort_unstable();
        Resolver { sites: self, modules }
    }

    fn stranger(&self, uid: u64, local: u32) -> Site {
        let mut strangers = self.strangers.lock().unwrap_or_else(PoisonError::into_inner);
        let next = Site((self.graph.sites().len() + strangers.len()) as u32);
        *strangers.entry((uid, local)).or_insert(next)
    }
}

/// From the site numbers of one trace to ours.
pub struct Resolver<'a> {
    sites: &'a Sites,
    /// First number, number of sites, uid.
    modules: Vec<(u32, u32, u64)>,
}

impl Resolver<'_> {
    pub fn site(&self, number: u32) -> Site {
        let index = self.modules.partition_point(|(first, ..)| *first <= number);
        let loaded = index.checked_sub(1).map(|at| self.modules[at]);
        match loaded.filter(|(first, sites, _)| number - first < *sites) {
            Some((first, _, uid)) => match self.sites.graph.site(uid, number - first) {
                Some(site) => Site(site.0),
                None => self.sites.stranger(uid, number - first),
            },
            None => self.sites.stranger(0, number),
        }
    }
}
