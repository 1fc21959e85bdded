//! The loop: choose a candidate, solve it, run the answer, look at what it did ([`record`]).

mod endings;
mod record;
mod shared;

pub use endings::{in_words, seen, status_seen};

use crate::coverage::Covered;
use crate::event::{Ending, Event};
use crate::journal::{self, Line};
use crate::ledger::Ledger;
use crate::runner::{Runner, Settings};
use crate::seed::Seed;
use crate::sites::Sites;
use crate::stages::{Stage, share_out};
use crate::stats::{self, Snapshot};
use crate::store::{Campaign, Store, StoreError};
use crate::sync::{Sync, SyncError};
use crate::target::TargetError;
use crate::trust::Trust;
use crate::worker::{Cost, Job, Ran, Tried, Worker};
use endings::was_cut;
use offshoot_model::graph::Place;
use offshoot_search::{
    Candidate, Filter, Knowledge, Relevance, RunId, Step, Strategy, Tree, Verdict, strategy, structure,
};
use offshoot_solve::{Cache, CacheError, Limits, Solver};
use offshoot_suite::{Command, Input, Origin};
use std::collections::{HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Whether a place counts.
pub type Focus = Box<dyn Fn(&Place<'_>) -> bool + Send + std::marker::Sync>;

pub struct Options {
    /// What all seeds run.
    pub program: PathBuf,
    pub settings: Settings,
    /// Flaky ones last.
    pub seeds: Vec<Seed>,
    pub strategy: String,
    /// One of [`offshoot_search::structure::NAMES`].
    pub criterion: String,
    /// What is to be covered; `None`: everything.
    pub focus: Option<Focus>,
    pub rng_seed: u64,
    pub iterations: Option<u64>,
    pub time: Option<Duration>,
    /// Resident bytes of this process.
    pub memory: Option<u64>,
    pub jobs: usize,
    pub out: PathBuf,
    /// `out` is empty but for what the caller has put there.
    pub prepared: bool,
    pub resume: bool,
    pub query: Limits,
    pub solver_check: bool,
    /// Answers of earlier campaigns: read if it is there, written at the end.
    pub solver_cache: Option<PathBuf>,
    /// End when everything is covered.
    pub stop_when_covered: bool,
    /// End at the first finding that is confirmed.
    pub stop_at_finding: bool,
    /// Leave alone what cannot cover anything, and end when nothing else is left.
    pub filter: bool,
    /// What came before.
    pub stages: Vec<Stage>,
    /// A folder that other fuzzers work in, too.
    pub sync: Option<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
pub enum ExploreError {
    #[error(transparent)]
    Strategy(#[from] strategy::ParseError),
    #[error("no criterion {0}; there are {known}", known = criteria())]
    Criterion(String),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error("cannot use {path}: {source}", path = path.display())]
    Cache { path: PathBuf, source: CacheError },
    #[error(transparent)]
    Sync(#[from] SyncError),
    #[error("no seed could be run: {0}")]
    NoSeed(String),
}

fn criteria() -> String {
    structure::NAMES.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

/// The solver's time for a first try. Most questions take microseconds; the few that do not must not hold up the others.
const FIRST: Duration = Duration::from_millis(100);
/// Candidates that are filtered until somebody looks at the clock again.
const FILTERED_AT_A_TIME: u64 = 10_000;
/// Iterations between two second chances, as long as there is something else to try.
const BETWEEN_SECONDS: u64 = 64;

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

enum Choice {
    /// With whether it is its second chance with the solver.
    Try(Candidate, bool),
    /// There may be some, but it is time to look at the budget.
    Later,
    Nothing,
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
    let about = about(options);
    let (store, journal) = if options.resume {
        (Store::open(&options.out, &about)?, Store::read_journal(&options.out)?)
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
            ledger: Ledger::default(),
            snapshot: Snapshot { strategy: strategy.name(), ..Snapshot::default() },
            strategy,
            store,
            sink,
            in_flight: 0,
            replaying: false,
            trust: Trust::default(),
            filter: options.filter.then(Filter::new),
            aside: VecDeque::new(),
            postponed: VecDeque::new(),
            second_at: BETWEEN_SECONDS,
            findings: HashSet::new(),
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
    shared.begin(&mut worker, &journal)?;
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

impl Options {
    /// The one command of all seeds.
    fn command(&self) -> Result<Arc<Command>, SyncError> {
        let mut commands = self.seeds.iter().map(|seed| &seed.input.command);
        let first = commands.next().ok_or(SyncError::Commands)?;
        if commands.all(|other| other == first) { Ok(Arc::clone(first)) } else { Err(SyncError::Commands) }
    }

    /// Of the program, as its user calls it.
    fn name(&self) -> &std::ffi::OsStr {
        self.seeds.first().map_or(self.program.as_os_str(), |seed| seed.input.command.name())
    }
}

fn about(options: &Options) -> Campaign {
    Campaign {
        format: offshoot_base::FORMAT_VERSION,
        program: options.program.display().to_string(),
        symbolic: options.settings.symbolic.clone(),
        seeds: options.seeds.iter().map(|seed| seed.input.test(Origin::Seed).id().to_string()).collect(),
    }
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

    /// Seeds, or what the journal remembers.
    fn begin(&self, worker: &mut Worker, journal: &[Line]) -> Result<(), ExploreError> {
        let options = self.options;
        let goals = self.lock().covered.criterion().total();
        self.lock().emit(&Event::Started {
            program: options.name().display().to_string(),
            strategy: options.strategy.clone(),
            rng_seed: options.rng_seed,
            jobs: options.jobs,
            criterion: options.criterion.clone(),
            goals,
            seeds: options.seeds.len(),
        });
        let unmapped = self.sites.graph().unmapped_decisions();
        if unmapped > 0 && options.criterion != "branch" {
            let text = format!(
                "{unmapped} decisions have more ways through them than are told apart: their conditions count as decisions"
            );
            self.lock().emit(&Event::Warning { text });
        }
        {
            let mut state = self.lock();
            for stage in &options.stages {
                state.store.event(&Event::Stage(stage.clone()))?;
            }
            state.snapshot.stages.clone_from(&options.stages);
        }
        if options.filter && self.sites.graph().starts_threads() {
            let text = "the program starts threads: the path filter lets everything pass as long as a branch is open";
            self.lock().emit(&Event::Warning { text: text.to_owned() });
        }
        let mut last_error = String::from("there is none");
        for Seed { name, input, .. } in &options.seeds {
            let mut cost = Cost::default();
            let twice = worker.run(input, self.sites, &mut cost).and_then(|first| {
                let second = worker.run(input, self.sites, &mut cost)?;
                Ok([first, second])
            });
            match twice {
                Ok(runs) => self.seed(worker, name, input, runs, cost)?,
                Err(error) => {
                    last_error = format!("{name}: {error}");
                    let text = format!("no seed: {last_error}");
                    self.lock().emit(&Event::Warning { text });
                }
            }
            if self.options.settings.cancel.load(Ordering::Relaxed) {
                return Ok(());
            }
        }
        if self.lock().inputs.is_empty() {
            return Err(ExploreError::NoSeed(last_error));
        }
        {
            let mut state = self.lock();
            state.covered_by_seeds = state.covered.count();
            state.replaying = true;
        }
        journal::replay(journal, |line| self.again(worker, line))?;
        self.lock().replaying = false;
        Ok(())
    }

    fn seed(
        &self,
        worker: &mut Worker,
        name: &str,
        input: &Input,
        [ran, second]: [Ran; 2],
        cost: Cost,
    ) -> Result<(), ExploreError> {
        let mut state = self.lock();
        state.add_cost(cost);
        // Runs that the clock ended may be of different length.
        let either_cut = [&ran, &second].iter().any(|run| was_cut(run.execution.status));
        let shorter = ran.steps.len().min(second.steps.len());
        if let Some(at) = first_difference(&ran.steps, &second.steps).filter(|&at| !either_cut || at < shorter) {
            let place = |step: Option<&Step>| match step.and_then(|step| self.sites.place(step.site)) {
                Some(place) => place.to_string(),
                None => "the end of the run".to_owned(),
            };
            let text = format!(
                "{name}: two runs of the same input differ, first at decision {at}: {} and {}; does the program look at \
                 the clock, its process id or random numbers?",
                place(ran.steps.get(at)),
                place(second.steps.get(at)),
            );
            state.emit(&Event::Warning { text });
        }
        let status = ran.execution.status;
        let symbolic_steps = ran.steps.iter().filter(|step| step.symbolic).count() as u32;
        let gain = state.record(self, worker, input.clone(), &[], ran, None)?;
        let covered = state.covered.criterion().covered();
        state.emit(&Event::Seed { name: name.to_owned(), status: in_words(status), symbolic_steps, gain, covered });
        Ok(())
    }

    /// One line of an earlier campaign.
    fn again(&self, worker: &mut Worker, line: &Line) -> Result<(), ExploreError> {
        if let Some(bytes) = line.foreign_bytes() {
            return self.foreign_again(worker, bytes);
        }
        let candidate = line.candidate();
        let Some(parent) = self.lock().inputs.get(candidate.run.0 as usize).cloned() else { return Ok(()) };
        match line.verdict() {
            Some(verdict) => {
                let mut state = self.lock();
                state.judge(candidate, verdict, 0);
            }
            None => {
                let edits = line.edits();
                let input = parent.with(edits.iter().cloned());
                let mut cost = Cost::default();
                let ran = worker.run(&input, self.sites, &mut cost)?;
                let mut state = self.lock();
                state.add_cost(cost);
                state.record(self, worker, input, &edits, ran, Some(candidate))?;
            }
        }
        Ok(())
    }

    fn fail(&self, error: ExploreError) {
        let mut state = self.lock();
        state.failure.get_or_insert(error);
        self.changed.notify_all();
    }

    fn work(&self, worker: &mut Worker) {
        loop {
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
                state.snapshot.queries.sat += 1;
                state.record(self, worker, input, &edits, *run, Some(job.candidate))?;
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
            Tried::Interrupted => {}
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
        Stage {
            name: "symbolic",
            seconds: self.snapshot.elapsed_s,
            runs: self.snapshot.executions,
            gain: covered - self.covered_by_seeds.min(covered),
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

    fn choose(&mut self) -> Result<Choice, ExploreError> {
        let is_time = self.snapshot.iterations >= self.second_at;
        if let Some(candidate) = if is_time { self.second() } else { None } {
            self.second_at = self.snapshot.iterations + BETWEEN_SECONDS;
            return Ok(Choice::Try(candidate, true));
        }
        let enough = self.snapshot.filtered + FILTERED_AT_A_TIME;
        while let Some((candidate, is_last)) = self.propose() {
            if !self.passes(candidate) {
                if self.snapshot.filtered >= enough {
                    return Ok(Choice::Later);
                }
                continue;
            }
            if !is_last && self.can_wait(candidate) {
                self.aside.push_back(candidate);
                continue;
            }
            let step = self.tree.step(candidate.run, candidate.depth);
            if step.is_some_and(|step| self.trust.pass_over(step.site, candidate.outcome)) {
                self.snapshot.passed_over += 1;
                self.verdict(candidate, Verdict::Diverged)?;
                continue;
            }
            return Ok(Choice::Try(candidate, false));
        }
        Ok(self.second().map_or(Choice::Nothing, |candidate| Choice::Try(candidate, true)))
    }

    /// What the strategy wants, and if that is nothing, what was put aside, which is said.
    fn propose(&mut self) -> Option<(Candidate, bool)> {
        if let Some(candidate) = self.strategy.next(&self.tree, &self.covered) {
            self.tree.claim(candidate);
            return Some((candidate, false));
        }
        self.aside.pop_front().map(|candidate| (candidate, true))
    }

    /// The strategy thinks that it covers something. In front of what its run has just decided it does not.
    fn can_wait(&mut self, candidate: Candidate) -> bool {
        let Some(filter) = &mut self.filter else { return false };
        let Some(step) = self.tree.step(candidate.run, candidate.depth) else { return false };
        self.covered.relevance(step.site, candidate.outcome) == Relevance::Must
            && filter.relevance(&self.tree, &self.covered, candidate) != Relevance::Must
    }

    /// What was put off first, unless there is no use in it any more.
    fn second(&mut self) -> Option<Candidate> {
        while let Some(candidate) = self.postponed.pop_front() {
            if self.passes(candidate) {
                return Some(candidate);
            }
        }
        None
    }

    /// What the filter drops is not in the journal: who resumes may want it.
    fn passes(&mut self, candidate: Candidate) -> bool {
        let Some(filter) = &mut self.filter else { return true };
        let passes = filter.passes(&self.tree, &self.covered, candidate);
        if !passes {
            self.snapshot.filtered += 1;
            self.judge(candidate, Verdict::Filtered, 0);
        }
        passes
    }

    fn judge(&mut self, candidate: Candidate, verdict: Verdict, gain: u32) {
        let step = self.tree.step(candidate.run, candidate.depth);
        let goal = step.and_then(|step| self.covered.goal(step.site, candidate.outcome));
        self.ledger.judged(goal, verdict);
        if let Some(step) = step
            && let Verdict::Run(_) = verdict
        {
            self.trust.followed(step.site, candidate.outcome);
        }
        self.tree.judge(candidate, verdict);
        self.strategy.judged(&self.tree, candidate, verdict, gain);
    }

    fn verdict(&mut self, candidate: Candidate, verdict: Verdict) -> Result<(), ExploreError> {
        self.judge(candidate, verdict, 0);
        self.store.journal(&Line::judged(candidate, verdict))?;
        Ok(())
    }
}

fn first_difference(a: &[Step], b: &[Step]) -> Option<usize> {
    let shared = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    (shared < a.len().max(b.len())).then_some(shared)
}
