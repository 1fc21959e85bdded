//! The loop: choose a candidate, solve it, run the answer, look at what it did ([`record`]).

mod begin;
mod choose;
mod endings;
mod options;
mod record;
mod shared;

pub(crate) use endings::{finding, place, ran_out_of_time, was_cut};
pub use endings::{in_words, seen, status_seen};
pub use options::{ExploreError, Focus, Options};

use crate::coverage::Covered;
use crate::event::{Ending, Event};
use crate::ledger::Ledger;
use crate::runner::Runner;
use crate::sites::Sites;
use crate::stages::{SYMBOLIC, Stage, share_out};
use crate::stats::{self, Snapshot};
use crate::store::{Campaign, Store};
use crate::sync::Sync;
use crate::trust::Trust;
use crate::worker::{Cost, Job, Tried, Worker};
use choose::{BETWEEN_SECONDS, Choice};
use offshoot_search::{Candidate, Filter, RunId, Strategy, Tree, Verdict, strategy, structure};
use offshoot_solve::{Cache, Limits, Solver};
use offshoot_suite::{Input, TestId};
use options::about;
use std::collections::{HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The solver's time for a first try. Most questions take microseconds; the few that do not must not hold up the others.
const FIRST: Duration = Duration::from_millis(100);

/// Until somebody who has nothing to do asks again, while other fuzzers work.
const IDLE: Duration = Duration::from_millis(100);

pub type Sink<'a> = dyn FnMut(&Event) + Send + 'a;

struct State<'a> {
    tree: Tree,
    strategy: Box<dyn Strategy>,
    covered: Covered<'a>,
    /// By run.
    inputs: Vec<Input>,
    /// The test of each run, if it became one.
    tests: HashMap<RunId, u32>,
    /// Of tests, by their numbers.
    ids: Vec<TestId>,
    ledger: Ledger,
    snapshot: Snapshot,
    store: Store,
    sink: &'a mut Sink<'a>,
    /// Candidates that workers are at.
    in_flight: usize,
    /// What comes in is in the journal already.
    replaying: bool,
    trust: Trust,
    /// `None`: everything is tried.
    filter: Option<Filter>,
    /// What may lead to something, but would not cover it itself: for when there is nothing better.
    aside: VecDeque<Candidate>,
    /// What the solver could not answer at once, and the iteration at which the next of it gets its second chance.
    postponed: VecDeque<Candidate>,
    second_at: u64,
    findings: HashSet<(String, String)>,
    /// Of the runs that came to their end.
    slowest: Duration,
    /// Candidates whose runs were ended too soon to say anything.
    given_up: u64,
    /// By the seeds.
    covered_by_seeds: u32,
    sync: Option<Sync>,
    last_gain: Instant,
    last_pulse: Instant,
    last_rewrite: Instant,
    /// Why to stop.
    ending: Option<Ending>,
    failure: Option<ExploreError>,
}

enum Next {
    Job(Box<Job>),
    /// Nothing at the moment.
    Idle,
    End,
}

struct Shared<'a> {
    options: &'a Options,
    sites: &'a Sites,
    start: Instant,
    state: Mutex<State<'a>>,
    /// A candidate came back: there may be new ones.
    changed: Condvar,
}

pub struct Summary {
    pub snapshot: Snapshot,
    pub ending: Ending,
}

pub fn explore<'a>(options: &'a Options, sites: &'a Sites, sink: &'a mut Sink<'a>) -> Result<Summary, ExploreError> {
    let strategy = strategy::parse(&options.strategy, options.rng_seed)?;
    let inside = |site| options.focus.as_ref().is_none_or(|focus| focus(&sites.graph().place(site)));
    let part = structure::Part::only(sites.graph(), &inside);
    let criterion = structure::criterion(&options.criterion, part)
        .ok_or_else(|| ExploreError::Criterion(options.criterion.clone()))?;
    let sync = match &options.sync {
        Some(folder) => Some(Sync::open(folder, options.command()?)?),
        None => None,
    };
    let mut about = about(options);
    let mut as_before = None;
    let (store, journal) = if options.resume {
        let (store, earlier) = Store::open(&options.out, &about)?;
        as_before = earlier.run_s.map(Duration::from_secs);
        about = Campaign { run_s: earlier.run_s.max(about.run_s), ..earlier };
        store.about(&about)?;
        (store, Store::read_journal(&options.out)?)
    } else {
        (Store::create(&options.out, &about, options.prepared)?, Vec::new())
    };
    let now = Instant::now();
    let shared = Shared {
        options,
        sites,
        start: now,
        changed: Condvar::new(),
        state: Mutex::new(State {
            tree: Tree::new(offshoot_search::Options::default().keep_concrete(strategy.wants_concrete())),
            covered: Covered::by(sites, criterion),
            inputs: Vec::new(),
            tests: HashMap::new(),
            ids: Vec::new(),
            ledger: Ledger::default(),
            snapshot: Snapshot { strategy: strategy.name(), ..Snapshot::default() },
            strategy,
            store,
            sink,
            in_flight: 0,
            replaying: options.resume,
            trust: Trust::default(),
            filter: options.filter.then(Filter::new),
            aside: VecDeque::new(),
            postponed: VecDeque::new(),
            second_at: BETWEEN_SECONDS,
            findings: HashSet::new(),
            slowest: Duration::ZERO,
            given_up: 0,
            covered_by_seeds: 0,
            sync,
            last_gain: now,
            last_pulse: now,
            last_rewrite: now,
            ending: None,
            failure: None,
        }),
    };
    let mut worker = shared.worker()?;
    shared.begin(&mut worker, about, as_before, &journal)?;
    std::thread::scope(|scope| {
        for _ in 1..options.jobs.max(1) {
            scope.spawn(|| match shared.worker() {
                Ok(mut worker) => shared.work(&mut worker),
                Err(error) => shared.fail(error),
            });
        }
        shared.work(&mut worker);
    });
    shared.end(&worker)
}

impl<'a> Shared<'a> {
    fn lock(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn worker(&self) -> Result<Worker, ExploreError> {
        let options = self.options;
        let layers = offshoot_solve::Options { solver_check: options.solver_check, ..Default::default() };
        let cache = self.read_cache(layers.cached)?;
        let solver = Solver::with_cache(layers, cache).judged_by(Box::new(offshoot_solve::z3::Z3::new()));
        let mut settings = options.settings.clone();
        if self.lock().strategy.wants_concrete() {
            settings.config |= offshoot_trace::layout::config::CONCRETE_BRANCHES;
        }
        Ok(Worker::new(Runner::new(settings), solver))
    }

    fn first_limits(&self) -> Limits {
        Limits { time: self.options.query.time.min(FIRST) }
    }

    /// The solver's answers from the last time.
    fn cache_path(&self) -> PathBuf {
        self.options.solver_cache.clone().unwrap_or_else(|| self.options.out.join("solver.cache"))
    }

    fn read_cache(&self, capacity: usize) -> Result<Cache, ExploreError> {
        let path = self.cache_path();
        match std::fs::read(&path) {
            Ok(bytes) => Cache::from_bytes(&bytes, capacity).map_err(|source| ExploreError::Cache { path, source }),
            Err(_) => Ok(Cache::new(capacity)),
        }
    }

    fn fail(&self, error: ExploreError) {
        let mut state = self.lock();
        state.failure.get_or_insert(error);
        self.changed.notify_all();
    }

    /// Of the time for the campaign; `None`: there is no end to it.
    fn left(&self) -> Option<Duration> {
        self.options.time.map(|time| time.saturating_sub(self.start.elapsed()))
    }

    fn work(&self, worker: &mut Worker) {
        loop {
            worker.limit(self.left());
            if let Err(error) = self.take_in(worker) {
                self.fail(error);
            }
            let job = match self.next() {
                Next::Job(job) => *job,
                Next::Idle => continue,
                Next::End => break,
            };
            let mut cost = Cost::default();
            let tried = worker.work(&job, self.sites, &mut cost);
            let done = tried.map_err(ExploreError::from).and_then(|tried| self.done(worker, &job, tried, cost));
            if let Err(error) = done {
                self.fail(error);
            }
            self.changed.notify_all();
        }
        self.leave(worker);
    }

    /// What a worker's solver did, and what it did wrong.
    fn leave(&self, worker: &Worker) {
        let mut state = self.lock();
        let stats = worker.solver.stats();
        for layer in &stats.layers {
            let count = state.snapshot.layers.entry(layer.name.to_owned()).or_default();
            count.sat += layer.sat;
            count.unsat += layer.unsat;
            count.seconds += layer.time.as_secs_f64();
        }
        for error in &stats.errors {
            let text = format!("internal error of the solver, its answer was not used: {error}");
            state.emit(&Event::Warning { text });
        }
    }

    /// What the worker has to do now.
    fn next(&self) -> Next {
        let mut state = self.lock();
        loop {
            if state.failure.is_some() {
                return Next::End;
            }
            state.pulse(self);
            state.ending = state.ending.or_else(|| self.over_budget(&state));
            if state.ending.is_some() {
                return Next::End;
            }
            match state.choose() {
                Ok(Choice::Try(candidate, is_second)) => {
                    state.in_flight += 1;
                    let input = state.inputs[candidate.run.0 as usize].clone();
                    let Some(step) = state.tree.step(candidate.run, candidate.depth) else { return Next::End };
                    let limits = if is_second { self.options.query } else { self.first_limits() };
                    return Next::Job(Box::new(Job { candidate, input, step, limits }));
                }
                Ok(Choice::Later) => continue,
                Ok(Choice::Nothing) => {}
                Err(error) => {
                    state.failure.get_or_insert(error);
                    return Next::End;
                }
            }
            // Other fuzzers may find something yet.
            if state.sync.is_some() {
                _ = self.changed.wait_timeout(state, IDLE).unwrap_or_else(PoisonError::into_inner);
                return Next::Idle;
            }
            if state.in_flight == 0 {
                let filtered = state.snapshot.filtered > 0;
                state.ending = Some(if filtered { Ending::Filtered } else { Ending::Exhausted });
                return Next::End;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn over_budget(&self, state: &State<'_>) -> Option<Ending> {
        let options = self.options;
        if options.settings.cancel.load(Ordering::Relaxed) {
            Some(Ending::Interrupted)
        } else if options.iterations.is_some_and(|limit| state.snapshot.iterations >= limit) {
            Some(Ending::Iterations)
        } else if options.time.is_some_and(|limit| self.start.elapsed() >= limit) {
            Some(Ending::Time)
        } else if (options.stop_when_covered || options.filter) && state.covered.is_complete() {
            Some(Ending::Covered)
        } else if options
            .memory
            .is_some_and(|limit| state.snapshot.iterations.is_multiple_of(64) && stats::rss_bytes() > limit)
        {
            Some(Ending::Memory)
        } else {
            None
        }
    }

    fn done(&self, worker: &mut Worker, job: &Job, tried: Tried, cost: Cost) -> Result<(), ExploreError> {
        let mut state = self.lock();
        state.in_flight -= 1;
        state.add_cost(cost);
        match tried {
            Tried::Ran { input, edits, run } => {
                let gain = state.record(self, worker, input, &edits, *run, Some(job.candidate))?;
                state.snapshot.queries.sat += u64::from(gain.is_some());
                state.given_up += u64::from(gain.is_none());
            }
            Tried::Unsat => {
                state.snapshot.queries.unsat += 1;
                state.verdict(job.candidate, Verdict::Unsat)?;
            }
            // Not judged yet: it has another chance when there is time.
            Tried::Unknown if job.limits.time < self.options.query.time => state.postponed.push_back(job.candidate),
            Tried::Unknown => {
                state.snapshot.queries.unknown += 1;
                state.verdict(job.candidate, Verdict::Unknown)?;
            }
            Tried::Unrepeatable => {
                state.snapshot.divergences += 1;
                state.verdict(job.candidate, Verdict::Diverged)?;
            }
            Tried::Interrupted => state.given_up += 1,
        }
        Ok(())
    }

    fn end(&self, worker: &Worker) -> Result<Summary, ExploreError> {
        let mut state = self.lock();
        // Not in the journal: who resumes may have more time for them.
        for candidate in std::mem::take(&mut state.postponed) {
            state.snapshot.queries.unknown += 1;
            state.judge(candidate, Verdict::Unknown, 0);
        }
        state.refresh(self);
        if let Some(error) = state.failure.take() {
            return Err(error);
        }
        let ending = *state.ending.get_or_insert(Ending::Exhausted);
        if !state.snapshot.stages.is_empty() {
            let stage = state.symbolic_stage(ending);
            state.snapshot.stages.push(stage);
            share_out(&mut state.snapshot.stages);
        }
        state.book(self);
        let snapshot = state.snapshot.clone();
        state.emit(&Event::Ended { why: ending, snapshot: snapshot.clone() });
        state.write_out(self)?;
        if let Some(cache) = worker.solver.keep() {
            crate::store::replace(&self.cache_path(), &cache)?;
        }
        Ok(Summary { snapshot, ending })
    }
}

impl State<'_> {
    fn emit(&mut self, event: &Event) {
        // Progress is for eyes only; the rest is kept.
        if !matches!(event, Event::Progress(_))
            && let Err(error) = self.store.event(event)
        {
            self.failure.get_or_insert(error.into());
        }
        (self.sink)(event);
    }

    fn symbolic_stage(&self, ending: Ending) -> Stage {
        let covered = self.covered.count();
        let before = self.snapshot.stages.last().map_or(0, |stage| stage.covered).max(self.covered_by_seeds);
        Stage {
            name: SYMBOLIC.into(),
            seconds: self.snapshot.elapsed_s,
            runs: self.snapshot.executions,
            gain: covered.saturating_sub(before),
            covered,
            why: ending.in_words().to_owned(),
            ..Stage::default()
        }
    }

    fn add_cost(&mut self, cost: Cost) {
        self.snapshot.executions += cost.executions;
        self.snapshot.solving_s += cost.solving.as_secs_f64();
        self.snapshot.running_s += cost.running.as_secs_f64();
    }
}
