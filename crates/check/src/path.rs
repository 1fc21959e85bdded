//! One run: its decisions on the input, its sensitive operations, and which decisions can go another way.

use crate::operation::{Aborts, Operation, operations};
use crate::sampling::Expensive;
use crate::stats::Counts;
use offshoot_campaign::Sites;
use offshoot_campaign::places::Places;
use offshoot_campaign::target::{Execution, TargetError};
use offshoot_campaign::trail::{self, Trail};
use offshoot_expr::{TraceView, ViewError};
use offshoot_run::Status;
use offshoot_search::{Candidate, RunId, Site, Step};
use offshoot_solve::{Answer, Limits, Solver};
use offshoot_suite::{Edit, Input};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;
use std::time::Instant;

pub struct Path {
    pub input: Input,
    pub status: Status,
    /// Those that depend on the input.
    pub steps: Vec<Step>,
    /// Identifies all of them.
    pub way: u64,
    pub operations: Vec<Operation>,
    /// `None`: given back to save memory, and the decisions too; run the input again.
    pub trail: Option<Trail>,
    flips: HashMap<usize, Rc<Vec<Flip>>>,
    /// The judge saw nothing wrong with the run itself.
    pub is_clean: bool,
}

/// Another way that a decision can go.
pub struct Flip {
    pub outcome: u32,
    pub edits: Vec<Edit>,
}

/// What finding flips needs, and what it cost.
pub struct Asking<'a> {
    pub sites: &'a Sites,
    pub solver: &'a mut Solver,
    pub limits: Limits,
    pub counts: &'a mut Counts,
    pub expensive: &'a mut Expensive<(Site, u32)>,
}

impl Path {
    pub fn new(
        input: Input,
        execution: Execution,
        sites: &Sites,
        places: &Places,
        aborts: &Aborts,
    ) -> Result<Path, TargetError> {
        let view = TraceView::new(&execution.trace)?;
        let steps = trail::steps(&view, sites).into_iter().filter(|step| step.symbolic).collect();
        let operations = operations(&view, places, aborts);
        let trail = Some(Trail::new(execution.trace)?);
        let status = execution.status;
        let flips = HashMap::new();
        let mut path = Path { input, status, steps, way: 0, operations, trail, flips, is_clean: false };
        path.way = path.prefix(usize::MAX);
        Ok(path)
    }

    pub fn save_memory(&mut self) {
        self.trail = None;
        self.steps = Vec::new();
    }

    /// Identifies the way up to and with the first `count` decisions.
    pub fn prefix(&self, count: usize) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.steps[..count.min(self.steps.len())].iter().for_each(|step| (step.site.0, step.outcome).hash(&mut hasher));
        hasher.finish()
    }

    /// The same if decision `depth` had gone `outcome`.
    pub fn flipped_prefix(&self, depth: usize, outcome: u32) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.steps[..depth].iter().for_each(|step| (step.site.0, step.outcome).hash(&mut hasher));
        (self.steps[depth].site.0, outcome).hash(&mut hasher);
        hasher.finish()
    }

    /// Whether there is an operation at this site with so many decisions before it.
    pub fn has_operation(&self, site: Site, step: usize, sites: &Sites) -> bool {
        let Some(Ok(view)) = self.trail.as_ref().map(|trail| TraceView::new(trail.trace())) else { return false };
        let resolver = sites.resolver(&view);
        let mut there = self.operations.iter().filter(|operation| operation.step == step);
        step <= self.steps.len() && there.any(|operation| resolver.site(operation.event.site) == site)
    }

    /// Inputs that take the same way up to decision `depth` and another one there. Empty: it can only go its own way, or
    /// the solver gave up.
    pub fn flips(&mut self, depth: usize, asking: &mut Asking<'_>) -> Result<Rc<Vec<Flip>>, ViewError> {
        if let Some(known) = self.flips.get(&depth) {
            return Ok(Rc::clone(known));
        }
        let mut flips = Vec::new();
        let step = self.steps[depth];
        if let Some(trail) = &mut self.trail {
            for outcome in (0..asking.sites.outcomes(step.site)).filter(|&outcome| outcome != step.outcome) {
                if !asking.expensive.wants((step.site, outcome)) {
                    asking.counts.skipped.ways += 1;
                    continue;
                }
                let start = Instant::now();
                let candidate = Candidate { run: RunId(0), depth: depth as u32, outcome };
                let answer = trail.solve(asking.solver, candidate, step, asking.sites, asking.limits)?;
                asking.counts.solving_s += start.elapsed().as_secs_f64();
                match answer {
                    Some(Answer::Sat(changes)) => {
                        asking.counts.queries.sat += 1;
                        flips.extend(trail.edits(&changes).map(|edits| Flip { outcome, edits }));
                    }
                    Some(Answer::Unsat) => asking.counts.queries.unsat += 1,
                    Some(Answer::Unknown(_)) => {
                        asking.counts.queries.unknown += 1;
                        asking.expensive.gave_up((step.site, outcome));
                    }
                    None => {}
                }
            }
        }
        let flips = Rc::new(flips);
        self.flips.insert(depth, Rc::clone(&flips));
        Ok(flips)
    }
}
