//! What a trace says about its run: the decisions in order, and for each symbolic one what must hold to go another way.

mod ask;

use crate::sites::Sites;
use offshoot_expr::path::Path;
use offshoot_expr::{Import, Imported, Input, Pool, TermId, TraceView, ViewError};
use offshoot_search::{Candidate, Site, Step};
use offshoot_solve::{Answer, Limits, PathState, Solver};
use offshoot_trace::{Event, EventKind, Op};

/// The decisions of a run, concrete ones too if the trace has them.
pub fn steps(view: &TraceView<'_>, sites: &Sites) -> Vec<Step> {
    let resolve = sites.resolver(view);
    let mut steps = Vec::new();
    for event in view.events() {
        let outcome = match event.kind {
            EventKind::Branch | EventKind::Assert => u32::from(event.bit),
            EventKind::Switch => 0,
            _ => continue,
        };
        let site = resolve.site(event.site);
        let outcome = if event.kind == EventKind::Switch { sites.outcome_of(site, event.payload[0]) } else { outcome };
        steps.push(Step { site, outcome, symbolic: event.term != 0 });
    }
    steps
}

fn is_symbolic_step(event: &Event) -> bool {
    event.term != 0 && matches!(event.kind, EventKind::Branch | EventKind::Assert | EventKind::Switch)
}

/// A trace kept to be solved on: its terms come in as far as they are asked for.
pub struct Trail {
    trace: Vec<u8>,
    pool: Pool,
    imported: Imported,
    path: Path,
    /// Events that are in `path`.
    events: usize,
    /// For each symbolic step so far: how many conditions come before it, and its own position there (damaged: none).
    steps: Vec<(usize, Option<usize>)>,
    hint: Input,
    /// What the solver knows of the path, and how many conditions it was told.
    state: PathState,
    told: usize,
    goals: Goals,
}

impl Trail {
    /// `trace` must be a trace; it is kept, so it should be compact.
    pub fn new(trace: Vec<u8>) -> Result<Trail, ViewError> {
        let hint = Input::of(&TraceView::new(&trace)?);
        Ok(Trail {
            trace,
            pool: Pool::new(),
            imported: Imported::default(),
            path: Path::default(),
            events: 0,
            steps: Vec::new(),
            hint,
            state: PathState::default(),
            told: 0,
            goals: Goals::Labels,
        })
    }

    /// The path is that of the blocks: of a switch it says where it leads ([`Sites::alike`]), not by which label.
    pub fn merging(self) -> Trail {
        Trail { goals: Goals::Places, ..self }
    }

    /// Bytes, roughly: a term is in the pool, in its index, in the import and in the solver's memos; a condition in the
    /// path and in the solver's index.
    pub fn memory(&self) -> usize {
        self.trace.len() + self.pool.len() * 200 + self.path.constraints.len() * 200
    }

    pub fn source_name(&self, source: u32) -> Option<Vec<u8>> {
        TraceView::new(&self.trace).ok()?.source(source).map(|source| source.raw_name)
    }

    /// Brings in the path up to and with its `depth`-th symbolic step.
    fn reach(&mut self, depth: usize, sites: &Sites) -> Result<(), ViewError> {
        self.advance(sites, |steps, _| steps > depth)
    }

    /// Brings in the path until there are enough symbolic steps or events of it.
    fn advance(&mut self, sites: &Sites, enough: impl Fn(usize, usize) -> bool) -> Result<(), ViewError> {
        if enough(self.steps.len(), self.events) {
            return Ok(());
        }
        let view = TraceView::new(&self.trace)?;
        let resolve = sites.resolver(&view);
        let mut import = Import::resume(view, std::mem::take(&mut self.imported));
        for (position, event) in view.events().enumerate().skip(self.events) {
            let before = self.path.constraints.len();
            self.path.add(&mut import, &mut self.pool, position, &event);
            self.events = position + 1;
            // A value that has no label is not fixed by the switch: it only has no label.
            if event.kind == EventKind::Switch
                && let Some(constraint) = self.path.constraints.get_mut(before)
            {
                let site = resolve.site(event.site);
                let outcome = sites.outcome_of(site, event.payload[0]);
                constraint.holds = self.goals.of(&mut self.pool, constraint.term, outcome, site, sites);
            }
            if is_symbolic_step(&event) {
                self.steps.push((before, (self.path.constraints.len() > before).then_some(before)));
            }
            if enough(self.steps.len(), self.events) {
                break;
            }
        }
        self.imported = import.pause();
        Ok(())
    }

    /// What a candidate asks: how many conditions come before its step, and what must hold there. `None`: the trace has
    /// no such step (any more), or its term cannot be trusted.
    pub fn question(
        &mut self,
        candidate: Candidate,
        expected: Step,
        sites: &Sites,
    ) -> Result<Option<(usize, TermId)>, ViewError> {
        self.reach(candidate.depth as usize, sites)?;
        let Some(&(before, Some(own))) = self.steps.get(candidate.depth as usize) else { return Ok(None) };
        let constraint = self.path.constraints[own];
        let site = sites.resolver(&TraceView::new(&self.trace)?).site(constraint.site);
        if site != expected.site {
            return Ok(None);
        }
        Ok(Some((before, self.goals.of(&mut self.pool, constraint.term, candidate.outcome, site, sites))))
    }

    /// For asking another solver: terms, input and the path as far as questions have brought it in.
    pub fn parts(&mut self) -> (&mut Pool, &Input, &Path) {
        (&mut self.pool, &self.hint, &self.path)
    }

    /// An input that makes the candidate's step go its way; `None` as in [`Trail::question`].
    pub fn solve(
        &mut self,
        solver: &mut Solver,
        candidate: Candidate,
        expected: Step,
        sites: &Sites,
        limits: Limits,
    ) -> Result<Option<Answer>, ViewError> {
        let Some((before, goal)) = self.question(candidate, expected, sites)? else { return Ok(None) };
        let state = std::mem::take(&mut self.state);
        let mut session = solver.resume(&mut self.pool, &self.hint, state);
        for constraint in &self.path.constraints[self.told.min(before)..before] {
            session.push(constraint.holds);
        }
        self.told = self.told.max(before);
        let answer = session.solve(before, goal, limits);
        self.state = session.pause();
        Ok(Some(answer))
    }
}

/// What an outcome of a switch is.
#[derive(Clone, Copy)]
enum Goals {
    /// One of its labels, or none of them.
    Labels,
    /// Where it leads: labels of the same place are one.
    Places,
}

impl Goals {
    /// What must hold for a decision on `term` to go `outcome`.
    fn of(self, pool: &mut Pool, term: TermId, outcome: u32, site: Site, sites: &Sites) -> TermId {
        let Some(cases) = sites.cases(site) else {
            return if outcome == 0 { pool.not(term) } else { term };
        };
        let default = cases.len() as u32;
        let is_like = |one: u32, other: u32| match self {
            Goals::Labels => one == other,
            Goals::Places => sites.alike(site, one) == sites.alike(site, other),
        };
        let is_case = |pool: &mut Pool, case: u32| pool.eq_const(term, cases[case as usize].into());
        if is_like(outcome, default) {
            // Any value but the labels of elsewhere.
            let elsewhere = (0..default).filter(|&case| !is_like(case, outcome));
            elsewhere.fold(pool.boolean(true), |all, case| {
                let is_case = is_case(pool, case);
                let other = pool.not(is_case);
                pool.binary(Op::And, all, other)
            })
        } else {
            let labels = (0..default).filter(|&case| is_like(case, outcome));
            labels.fold(pool.boolean(false), |any, case| {
                let is_case = is_case(pool, case);
                pool.binary(Op::Or, any, is_case)
            })
        }
    }
}
