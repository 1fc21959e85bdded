//! One run: its decisions on the input, its sensitive operations, and which decisions can go another way.

use crate::operation::{Operation, operations};
use crate::sampling::Expensive;
use crate::stats::Counts;
use crate::subject::Subject;
use offshoot_campaign::target::{Execution, TargetError};
use offshoot_campaign::trail::{self, Trail};
use offshoot_campaign::{Sites, profile};
use offshoot_expr::{TraceView, ViewError};
use offshoot_run::Status;
use offshoot_search::{Candidate, RunId, Site, Step};
use offshoot_solve::{Answer, Limits, Solver};
use offshoot_suite::{Edit, Input, Source};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;
use std::time::Instant;

pub struct Path {
    pub input: Input,
    pub status: Status,
    /// Those that depend on the input. Outcomes that lead to the same place are one ([`Sites::alike`]).
    pub steps: Vec<Step>,
    /// Identifies all of them.
    pub way: u64,
    pub operations: Vec<Operation>,
    /// More of them, for which there is no room.
    pub left_out: u64,
    /// `None`: given back to save memory, and the decisions too; run the input again.
    pub trail: Option<Trail>,
    /// By decision and outcome. `None`: it cannot go there, or the solver gave up.
    flips: HashMap<(usize, u32), Option<Rc<[Edit]>>>,
    /// The judge saw nothing wrong with the run itself.
    pub is_clean: bool,
}

/// Another way that a decision can go.
pub struct Flip {
    pub outcome: u32,
    pub edits: Rc<[Edit]>,
}

/// What finding flips needs, and what it cost.
pub struct Asking<'a> {
    pub sites: &'a Sites,
    pub solver: &'a mut Solver,
    pub limits: Limits,
    pub counts: &'a mut Counts,
    pub expensive: &'a mut Expensive<(Site, u32)>,
}

/// The outcomes that lead elsewhere than this step, one for each place.
pub fn others(step: Step, sites: &Sites) -> impl Iterator<Item = u32> + use<'_> {
    (0..sites.outcomes(step.site))
        .filter(move |&outcome| outcome != step.outcome && sites.alike(step.site, outcome) == outcome)
}

impl Path {
    pub fn new(input: Input, execution: Execution, subject: &mut Subject) -> Result<Path, TargetError> {
        let view = TraceView::new(&execution.trace)?;
        let mut steps = trail::steps(&view, &subject.sites);
        steps.iter_mut().for_each(|step| step.outcome = subject.sites.alike(step.site, step.outcome));
        subject.taken.extend(steps.iter().map(|step| (step.site, step.outcome)));
        steps.retain(|step| step.symbolic);
        let (operations, left_out) = operations(&view, &subject.places, &subject.guards);
        let trail = Some(Trail::new(execution.trace)?.merging());
        let status = execution.status;
        let flips = HashMap::new();
        let mut path = Path { input, status, steps, way: 0, operations, left_out, trail, flips, is_clean: false };
        path.way = path.prefix(usize::MAX);
        Ok(path)
    }

    pub fn save_memory(&mut self) {
        self.trail = None;
        self.steps = Vec::new();
    }

    /// Nothing if its trace was given back.
    pub fn files_read(&self) -> Vec<Source> {
        let view = self.trail.as_ref().and_then(|trail| TraceView::new(trail.trace()).ok());
        view.map(|view| profile::files_read(&view)).unwrap_or_default()
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

    /// Identifies decision `depth` going `outcome`, behind the one before it and instead of going to the next.
    pub fn turn(&self, depth: usize, outcome: u32) -> u64 {
        let mut hasher = DefaultHasher::new();
        let before = depth.checked_sub(1).map(|before| (self.steps[before].site.0, self.steps[before].outcome));
        let next = self.steps.get(depth + 1).map(|next| next.site.0);
        (before, self.steps[depth].site.0, outcome, next).hash(&mut hasher);
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
    pub fn flips(&mut self, depth: usize, asking: &mut Asking<'_>) -> Result<Vec<Flip>, ViewError> {
        let step = self.steps[depth];
        let mut flips = Vec::new();
        for outcome in others(step, asking.sites) {
            flips.extend(self.flip(depth, outcome, asking)?.map(|edits| Flip { outcome, edits }));
        }
        Ok(flips)
    }

    /// The one that takes `outcome` at decision `depth`.
    pub fn flip(
        &mut self,
        depth: usize,
        outcome: u32,
        asking: &mut Asking<'_>,
    ) -> Result<Option<Rc<[Edit]>>, ViewError> {
        if let Some(known) = self.flips.get(&(depth, outcome)) {
            return Ok(known.clone());
        }
        let step = self.steps[depth];
        let Some(trail) = &mut self.trail else { return Ok(None) };
        if !asking.expensive.wants((step.site, outcome)) {
            asking.counts.skipped.ways += 1;
            self.flips.insert((depth, outcome), None);
            return Ok(None);
        }
        let start = Instant::now();
        let candidate = Candidate { run: RunId(0), depth: depth as u32, outcome };
        let answer = trail.solve(asking.solver, candidate, step, asking.sites, asking.limits)?;
        asking.counts.solving_s += start.elapsed().as_secs_f64();
        let flip = match answer {
            Some(Answer::Sat(changes)) => {
                asking.counts.queries.sat += 1;
                trail.edits(&changes).map(Rc::from)
            }
            Some(Answer::Unsat) => {
                asking.counts.queries.unsat += 1;
                None
            }
            Some(Answer::Unknown(_)) => {
                asking.counts.queries.unknown += 1;
                asking.expensive.gave_up((step.site, outcome));
                None
            }
            None => None,
        };
        self.flips.insert((depth, outcome), flip.clone());
        Ok(flip)
    }
}
