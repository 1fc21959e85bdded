//! One worker: brings back the terms of an input, asks the solver, runs the answer.

use crate::runner::Runner;
use crate::sites::Sites;
use crate::target::{Execution, TargetError};
use crate::trail::{self, Trail};
use offshoot_expr::TraceView;
use offshoot_search::{Candidate, RunId, Step};
use offshoot_solve::{Answer, Limits, Solver};
use offshoot_suite::{Edit, Input, Source};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes of traces that a worker keeps.
const TRAILS: usize = 384 << 20;

pub struct Worker {
    runner: Runner,
    pub solver: Solver,
    /// The most recently used one last.
    trails: VecDeque<Kept>,
}

struct Kept {
    run: RunId,
    trail: Trail,
    /// The run was given up before its end.
    is_part: bool,
}

/// A candidate to try.
pub struct Job {
    pub candidate: Candidate,
    /// Of the candidate's run.
    pub input: Input,
    /// What the run decided there.
    pub step: Step,
    pub limits: Limits,
}

pub enum Tried {
    /// The solver found an input, and this is what it did.
    Ran {
        input: Input,
        edits: Vec<Edit>,
        run: Box<Ran>,
    },
    Unsat,
    Unknown,
    /// The parent does not come to this decision any more when it is run again.
    Unrepeatable,
    /// Runs were given up before they could say anything.
    Interrupted,
}

/// A finished run.
pub struct Ran {
    pub execution: Execution,
    pub steps: Vec<Step>,
}

/// What a job cost.
#[derive(Default, Clone, Copy)]
pub struct Cost {
    pub executions: u64,
    pub running: Duration,
    pub solving: Duration,
}

impl Worker {
    pub fn new(runner: Runner, solver: Solver) -> Worker {
        Worker { runner, solver, trails: VecDeque::new() }
    }

    /// See [`Runner::limit`].
    pub fn limit(&mut self, left: Option<Duration>) {
        self.runner.limit(left);
    }

    pub fn runner(&self) -> &Runner {
        &self.runner
    }

    pub fn run(&mut self, input: &Input, sites: &Sites, cost: &mut Cost) -> Result<Ran, TargetError> {
        let start = Instant::now();
        let execution = self.runner.run_on(&input.command, &input.bytes())?;
        cost.executions += 1;
        cost.running += start.elapsed();
        let steps = trail::steps(&TraceView::new(&execution.trace)?, sites);
        Ok(Ran { execution, steps })
    }

    /// Keeps the trace of a run that is in the tree now.
    pub fn remember(&mut self, run: RunId, trace: Vec<u8>) -> Result<(), TargetError> {
        self.keep(Kept { run, trail: Trail::new(trace)?, is_part: false });
        Ok(())
    }

    fn keep(&mut self, kept: Kept) {
        self.trails.push_back(kept);
        let mut all: usize = self.trails.iter().map(|kept| kept.trail.memory()).sum();
        while all > TRAILS && self.trails.len() > 1 {
            if let Some(kept) = self.trails.pop_front() {
                all -= kept.trail.memory();
            }
        }
    }

    /// Moves the run's trail to the back of the queue, running its input again if it is gone.
    fn recall(&mut self, job: &Job, sites: &Sites, cost: &mut Cost) -> Result<(), TargetError> {
        match self.trails.iter().position(|kept| kept.run == job.candidate.run) {
            Some(at) => {
                if let Some(entry) = self.trails.remove(at) {
                    self.trails.push_back(entry);
                }
                Ok(())
            }
            None => {
                let ran = self.run(&job.input, sites, cost)?;
                let is_part = self.runner.gave_up(ran.execution.status);
                self.keep(Kept { run: job.candidate.run, trail: Trail::new(ran.execution.trace)?, is_part });
                Ok(())
            }
        }
    }

    pub fn work(&mut self, job: &Job, sites: &Sites, cost: &mut Cost) -> Result<Tried, TargetError> {
        self.recall(job, sites, cost)?;
        let Some(Kept { trail, is_part, .. }) = self.trails.back_mut() else { return Ok(Tried::Unrepeatable) };
        let start = Instant::now();
        let answer = trail.solve(&mut self.solver, job.candidate, job.step, sites, job.limits)?;
        cost.solving += start.elapsed();
        let changes = match answer {
            Some(Answer::Sat(changes)) => changes,
            Some(Answer::Unsat) => return Ok(Tried::Unsat),
            Some(Answer::Unknown(_)) => return Ok(Tried::Unknown),
            None if *is_part => return Ok(Tried::Interrupted),
            None => return Ok(Tried::Unrepeatable),
        };
        let mut edits = Vec::with_capacity(changes.len());
        for change in changes {
            let source = trail.source_name(change.source).and_then(|name| Source::parse(&name));
            let Some(source) = source else { return Ok(Tried::Unknown) };
            edits.push(Edit { source: Arc::new(source), offset: change.offset, value: change.value });
        }
        let input = job.input.with(edits.iter().cloned());
        let run = self.run(&input, sites, cost)?;
        if run.execution.status == offshoot_run::Status::Interrupted {
            return Ok(Tried::Interrupted);
        }
        Ok(Tried::Ran { input, edits, run: Box::new(run) })
    }
}
