//! What comes before the symbolic stage, if somebody asks for it: mutation, reduction, ranking.
//!
//! ```text
//!  seeds ──mutation──▶ inputs that cover more ──reduction──▶ smaller ones ──ranking──▶ seeds of the symbolic stage
//! ```
//!
//! Each stage has a share of the time at most; what it does not use is left for the next.

use crate::event::Event;
use crate::explore::Sink;
use crate::mutation::{self, mutate};
use crate::pool::in_parallel;
use crate::preserved::{Counting, Preserve, Subject};
use crate::profile;
use crate::reduction::{Reducer, Size, Smaller};
use crate::runner::{Runner, Settings};
use crate::seed::Seed;
use crate::sites::Sites;
use crate::stats::{Coverage, Covered, Snapshot};
use crate::target::TargetError;
use fixedbitset::FixedBitSet;
use offshoot_expr::TraceView;
use offshoot_suite::{Input, Order, Origin, Profile, rank};
use offshoot_trace::layout::config;
use serde::Serialize;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Shares of the time that mutation and reduction may use.
const MUTATION: f64 = 0.3;
const REDUCTION: f64 = 0.1;
/// And to find out what the inputs of the mutation cover.
const MEASURING: f64 = 0.05;
/// For the reduction of one test, if there is no limit of time.
const A_TEST: Duration = Duration::from_secs(1);

/// What one stage did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Stage {
    /// `mutation`, `reduction`, `ranking`, `symbolic`
    pub name: &'static str,
    pub seconds: f64,
    /// Of the time that all stages took; known when all have ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// Of the program.
    pub runs: u64,
    /// Branch outcomes that no stage before covers.
    pub gain: u32,
    /// After it.
    pub covered: u32,
    /// Why it ended, and what else there is to say.
    pub why: String,
}

pub struct Plan<'a> {
    pub settings: &'a Settings,
    pub sites: &'a Sites,
    pub counting: &'a Counting,
    /// The recorder's library, see [`Reducer::watched_by`].
    pub recorder: Option<PathBuf>,
    pub seeds: &'a [Seed],
    /// For all stages, the symbolic one too.
    pub time: Option<Duration>,
    pub depth_first: bool,
    pub rng_seed: u64,
    pub jobs: usize,
}

/// What the symbolic stage starts from.
pub struct Prepared {
    /// In order.
    pub seeds: Vec<Seed>,
    pub stages: Vec<Stage>,
}

/// An input, and what a run of it covers.
struct Measured {
    seed: Seed,
    profile: Profile,
}

/// `tell` hears of each stage when it has ended.
pub fn prepare(plan: &Plan<'_>, tell: &mut Sink<'_>) -> Result<Prepared, TargetError> {
    let mut work = Work { plan, settings: plan.settings(), covered: FixedBitSet::new(), stages: Vec::new() };
    let inputs = work.mutation(tell)?;
    let inputs = work.reduction(inputs, tell)?;
    let seeds = work.ranking(inputs, tell);
    Ok(Prepared { seeds, stages: work.stages })
}

impl Plan<'_> {
    fn settings(&self) -> Settings {
        Settings { config: 0, ..self.settings.clone() }
    }
}

struct Work<'a> {
    plan: &'a Plan<'a>,
    settings: Settings,
    /// Goals, by all inputs so far.
    covered: FixedBitSet,
    stages: Vec<Stage>,
}

impl Work<'_> {
    fn mutation(&mut self, tell: &mut Sink<'_>) -> Result<Vec<Measured>, TargetError> {
        let start = Instant::now();
        let plan = self.plan;
        let mut runner = self.measuring();
        let mut inputs = Vec::new();
        let mut failure = None;
        for seed in plan.seeds {
            match self.measure(&mut runner, seed.clone()) {
                Ok(measured) => inputs.push(measured),
                Err(error) => failure = Some(error),
            }
        }
        if let Some(error) = failure.filter(|_| inputs.is_empty()) {
            return Err(error);
        }
        inputs.iter().for_each(|input| self.covered.union_with(&input.profile.branches));
        let before = self.covered.count_ones(..);
        let seeds: Vec<Input> = plan.seeds.iter().map(|seed| seed.input.clone()).collect();
        let options = mutation::Options {
            settings: &self.settings,
            counting: plan.counting,
            seeds: &seeds,
            rng_seed: plan.rng_seed,
            jobs: plan.jobs,
            deadline: plan.time.map(|time| start + time.mul_f64(MUTATION)),
        };
        let branch = Covered { covered: before as u32, total: plan.sites.goal_count() };
        let mutated = mutate(&options, &mut |runs, since_gain| {
            tell(&Event::Progress(Snapshot {
                iterations: runs,
                executions: runs,
                elapsed_s: start.elapsed().as_secs_f64(),
                since_gain_s: since_gain.as_secs_f64(),
                coverage: Coverage { branch, ..Coverage::default() },
                strategy: "mutation".to_owned(),
                ..Snapshot::default()
            }));
        })?;
        let until = plan.time.map(|time| start.elapsed().max(time.mul_f64(MUTATION)) + time.mul_f64(MEASURING));
        let (mut added, mut strays, mut unseen) = (0, 0, 0);
        for (number, input) in mutated.kept.iter().enumerate() {
            let is_over = until.is_some_and(|until| start.elapsed() > until);
            if is_over || plan.settings.cancel.load(Ordering::Relaxed) {
                unseen = mutated.kept.len() - number;
                break;
            }
            // What crashes only under a trace, or cannot be run there, is for nobody to explore from.
            let Ok(measured) = self.measure(&mut runner, Seed::new(format!("mutation {number}"), input.clone())) else {
                strays += 1;
                continue;
            };
            // Counters tell more apart than goals do: not everything that was kept covers more.
            if !measured.profile.branches.is_subset(&self.covered) {
                self.covered.union_with(&measured.profile.branches);
                inputs.push(measured);
                added += 1;
            }
        }
        for (number, input) in mutated.endings.iter().enumerate() {
            match self.measure(&mut runner, Seed::new(format!("crash or hang {number}"), input.clone())) {
                Ok(measured) => {
                    self.covered.union_with(&measured.profile.branches);
                    inputs.push(measured);
                }
                Err(_) => strays += 1,
            }
        }
        let mut why = mutated.why.in_words();
        why.push_str(&format!("; {} inputs kept, {added} of them cover new branches", mutated.kept.len()));
        let oddities = [
            (mutated.endings.len(), "crash or hang"),
            (mutated.failed as usize + strays, "could not be run"),
            (unseen, "were left out for want of time"),
        ];
        for (count, what) in oddities.into_iter().filter(|(count, _)| *count > 0) {
            why.push_str(&format!(", {count} {what}"));
        }
        let gain = self.covered.count_ones(..) - before;
        self.ended(
            Stage { name: "mutation", runs: mutated.runs, gain: gain as u32, why, ..Stage::default() },
            start,
            tell,
        );
        Ok(inputs)
    }

    /// Branch outcomes stay, because they are what the next stage starts from.
    fn reduction(&mut self, inputs: Vec<Measured>, tell: &mut Sink<'_>) -> Result<Vec<Measured>, TargetError> {
        let start = Instant::now();
        let plan = self.plan;
        let jobs = plan.jobs.max(1);
        let deadline = plan.time.map(|time| start + time.mul_f64(REDUCTION));
        let a_test = plan.time.map_or(A_TEST, |time| {
            time.mul_f64(REDUCTION).mul_f64(jobs as f64 / inputs.len().max(1) as f64).min(A_TEST)
        });
        let subject = Subject { sites: plan.sites, counting: None };
        let reducer = || {
            let reducer = Reducer::new(&self.settings, Preserve::Branch, a_test).keeping_the_command();
            match &plan.recorder {
                Some(recorder) => reducer.watched_by(recorder.clone()),
                None => reducer,
            }
        };
        let work = |reducer: &mut Reducer<'_>, input: &Measured| -> Option<Smaller> {
            let in_time = deadline.is_none_or(|deadline| Instant::now() < deadline);
            in_time.then(|| reducer.reduce(&input.seed.input.test(Origin::Seed), subject).ok()).flatten()
        };
        let reduced = in_parallel(&inputs, jobs, &self.settings.cancel, reducer, work, |_, _| ());
        let mut runner = self.measuring();
        let (mut before, mut after) = (Size::default(), Size::default());
        let (mut count, mut unwatched, mut runs, mut known) = (0, 0, 0, HashSet::new());
        let mut smaller = Vec::new();
        for (input, reduced) in inputs.into_iter().zip(reduced) {
            let Some(reduced) = reduced.flatten() else {
                smaller.push(input);
                continue;
            };
            count += 1;
            unwatched += usize::from(reduced.unwatched.is_some());
            runs += reduced.trials;
            before.add(&reduced.before);
            after.add(&reduced.after);
            if known.insert(reduced.test.id()) {
                let bytes = Input::of(Arc::clone(&input.seed.input.command), reduced.test.bytes);
                smaller.push(self.measure(&mut runner, Seed { input: bytes, ..input.seed })?);
            }
        }
        let left = smaller.len();
        let mut why = format!(
            "{count} inputs reduced to {left} in all; bytes {} → {}, path {} → {} decisions",
            before.bytes, after.bytes, before.path.all, after.path.all,
        );
        if unwatched > 0 {
            why.push_str(&format!("; {unwatched} of them may look at files that they do not bring"));
        }
        smaller.iter().for_each(|input| self.covered.union_with(&input.profile.branches));
        self.ended(Stage { name: "reduction", runs, why, ..Stage::default() }, start, tell);
        Ok(smaller)
    }

    fn ranking(&mut self, inputs: Vec<Measured>, tell: &mut Sink<'_>) -> Vec<Seed> {
        let start = Instant::now();
        let profiles: Vec<Profile> = inputs.iter().map(|input| input.profile.clone()).collect();
        let order = Order::Auto { depth_first: self.plan.depth_first };
        let order = rank(order, &profiles, self.plan.rng_seed);
        let mut seeds: Vec<Seed> = order.into_iter().map(|at| inputs[at].seed.clone()).collect();
        seeds.sort_by_key(|seed| seed.flaky.is_some());
        let how = if self.plan.depth_first { "the shortest first" } else { "what adds most first" };
        self.ended(Stage { name: "ranking", why: how.to_owned(), ..Stage::default() }, start, tell);
        seeds
    }

    fn ended(&mut self, stage: Stage, start: Instant, tell: &mut Sink<'_>) {
        let covered = self.covered.count_ones(..) as u32;
        let stage = Stage { seconds: start.elapsed().as_secs_f64(), covered, ..stage };
        tell(&Event::Stage(stage.clone()));
        self.stages.push(stage);
    }

    fn measuring(&self) -> Runner {
        let none = "none".to_owned();
        Runner::new(Settings { symbolic: none, config: config::CONCRETE_BRANCHES, ..self.settings.clone() })
    }

    fn measure(&self, runner: &mut Runner, seed: Seed) -> Result<Measured, TargetError> {
        let execution = runner.run_on(&seed.input.command, &seed.input.bytes())?;
        let view = TraceView::new(&execution.trace)?;
        let branches = profile::goals(&view, self.plan.sites);
        let path_length = profile::path_length(&view).all;
        Ok(Measured { seed, profile: Profile { branches, path_length } })
    }
}

/// Shares, now that all have ended.
pub fn share_out(stages: &mut [Stage]) {
    let all: f64 = stages.iter().map(|stage| stage.seconds).sum();
    stages.iter_mut().for_each(|stage| stage.share = Some(stage.seconds / all.max(f64::MIN_POSITIVE)));
}
