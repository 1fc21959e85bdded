//! What comes before the symbolic stage, if somebody asks for it: mutation, reduction, ranking.
//!
//! ```text
//!  seeds ──mutation──▶ inputs that cover more ──reduction──▶ smaller ones ──ranking──▶ seeds of the symbolic stage
//! ```
//!
//! Each stage has a share of the time at most; what it does not use is left for the next.

use crate::event::Event;
use crate::explore::{Sink, finding, place, ran_out_of_time, seen, was_cut};
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
use crate::trail;
use fixedbitset::FixedBitSet;
use offshoot_expr::TraceView;
use offshoot_run::{Policy, Status};
use offshoot_suite::{Bytes, Input, Order, Origin, Profile, Source, Test, rank};
use offshoot_trace::layout::config;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// What the first stage is called.
pub const MUTATION: &str = "mutation";
/// And the last one, which is not made here.
pub const SYMBOLIC: &str = "symbolic";

/// Shares of the time that mutation and reduction may use.
const MUTATING: f64 = 0.3;
const REDUCING: f64 = 0.1;
/// And to find out what the inputs of the mutation cover.
const MEASURING: f64 = 0.05;
/// Of the mutation's share, to find out what the seeds cover: it runs them, too.
const SEEDS: f64 = 0.5;
/// For the reduction of one test, if there is no limit of time.
const A_TEST: Duration = Duration::from_secs(1);

/// However little is left.
const A_RUN: Duration = Duration::from_secs(1);

/// What one stage did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// `mutation`, `reduction`, `ranking`, `symbolic`
    pub name: Cow<'static, str>,
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
    pub found: Vec<Found>,
    pub stages: Vec<Stage>,
}

/// A crash or hang that mutation came upon.
#[derive(Clone, Debug)]
pub struct Found {
    pub test: Test,
    /// As exploration names findings and tells them apart.
    pub kind: String,
    pub place: String,
    /// It happens without instrumentation, too.
    pub confirmed: bool,
}

/// What became of a crash or hang.
#[derive(PartialEq)]
enum Look {
    Done,
    /// There was no time to see how it ends.
    TooSoon,
    /// It could not be run.
    Failed,
}

/// What it takes to look at what mutation found, and what could not be looked at.
struct Looking {
    runner: Runner,
    explorer: Runner,
    strays: usize,
    unseen: usize,
}

/// An input, and what a run of it covers.
struct Measured {
    seed: Seed,
    profile: Profile,
    /// Its run was ended before it was over.
    is_cut: bool,
}

/// `tell` hears of each stage when it has ended.
pub fn prepare(plan: &Plan<'_>, tell: &mut Sink<'_>) -> Result<Prepared, TargetError> {
    let mut work = Work {
        plan,
        settings: Settings { config: 0, ..plan.settings.clone() },
        start: Instant::now(),
        wall: plan.settings.budgets.wall,
        covered: FixedBitSet::new(),
        unmeasured: Vec::new(),
        found: Vec::new(),
        stages: Vec::new(),
    };
    let inputs = work.mutation(tell)?;
    let inputs = work.reduction(inputs, tell);
    let seeds = work.ranking(inputs, tell);
    Ok(Prepared { seeds, found: work.found, stages: work.stages })
}

struct Work<'a> {
    plan: &'a Plan<'a>,
    settings: Settings,
    start: Instant,
    /// What a run may take; mutation finds out.
    wall: Duration,
    /// Goals, by all inputs so far.
    covered: FixedBitSet,
    /// Seeds for which there was no time, and after an interrupt all that nobody makes again.
    unmeasured: Vec<Seed>,
    found: Vec<Found>,
    stages: Vec<Stage>,
}

impl Work<'_> {
    fn mutation(&mut self, tell: &mut Sink<'_>) -> Result<Vec<Measured>, TargetError> {
        let plan = self.plan;
        let share = plan.time.map(|time| time.mul_f64(MUTATING));
        let mut runner = self.measuring();
        let mut inputs = self.seeds(&mut runner, share.map(|share| share.mul_f64(SEEDS)), tell)?;
        inputs.iter().for_each(|input| self.covered.union_with(&input.profile.branches));
        let before = self.covered.count_ones(..);
        let whole = inputs.iter().filter(|input| !input.is_cut).map(|input| &input.seed);
        let seeds: Vec<Seed> = whole.chain(&self.unmeasured).cloned().collect();
        let options = mutation::Options {
            settings: &self.settings,
            counting: plan.counting,
            seeds: &seeds,
            rng_seed: plan.rng_seed,
            jobs: plan.jobs,
            deadline: share.map(|share| self.start + share),
        };
        let branch = Covered { covered: before as u32, total: plan.sites.goal_count() };
        let mutated = mutate(&options, &mut |runs, since_gain| {
            tell(&Event::Progress(Snapshot {
                iterations: runs,
                executions: runs,
                elapsed_s: self.start.elapsed().as_secs_f64(),
                since_gain_s: since_gain.as_secs_f64(),
                coverage: Coverage { branch, ..Coverage::default() },
                strategy: MUTATION.to_owned(),
                ..Snapshot::default()
            }));
        })?;
        self.wall = mutated.wall;
        let from = self.start.elapsed().max(share.unwrap_or_default());
        let window = |part: f64| plan.time.map(|time| from + time.mul_f64(MEASURING * part));
        // A hang takes all of its time: it is looked at when everything else has been, and is no seed.
        let (hangs, crashes): (Vec<_>, Vec<_>) = mutated.endings.iter().partition(|(_, status)| was_cut(*status));
        let unmeasured = self.unmeasured.len();
        let mut look = Looking { runner, explorer: Runner::new(plan.settings.clone()), strays: 0, unseen: 0 };
        // Neither may take all of the time from the other.
        let mut crashes = crashes.into_iter().enumerate();
        self.crashes(&mut crashes, 1, &mut look, window(0.5), &mut inputs);
        let (mut added, mut late) = (0, 0);
        for (number, seed) in mutated.kept.iter().enumerate() {
            if self.is_cancelled() {
                self.unmeasured.extend_from_slice(&mutated.kept[number..]);
                break;
            }
            if number > 0 && self.is_late(window(1.0)) {
                late = mutated.kept.len() - number;
                break;
            }
            look.runner.limit(Some(self.a_run()));
            // What comes to no end under a trace, or cannot be run there, is for nobody to explore from.
            let measured =
                self.measure(&mut look.runner, Seed { name: format!("{MUTATION} {number}"), ..seed.clone() });
            if self.is_cancelled() {
                self.unmeasured.push(seed.clone());
                continue;
            }
            let Some(measured) = measured.ok().filter(|measured| !measured.is_cut) else {
                look.strays += 1;
                continue;
            };
            // Counters tell more apart than goals do: not everything that was kept covers more.
            added += usize::from(self.adds(measured, &mut inputs));
        }
        self.crashes(&mut crashes, 0, &mut look, window(1.0), &mut inputs);
        look.unseen += crashes.count();
        for (number, (seed, _)) in hangs.iter().enumerate() {
            // Who goes on would wait for each of them, and soon finds more.
            if self.is_cancelled() || number > 0 && self.is_late(window(1.0)) {
                look.unseen += hangs.len() - number;
                break;
            }
            self.look_into(&mut look, seed);
        }
        let Looking { strays, unseen, .. } = look;
        let is_cut_short = self.is_cancelled();
        let mut why = mutated.why.in_words();
        why.push_str(&format!("; {} inputs kept, {added} of them cover new branches", mutated.kept.len()));
        if mutated.ended > 0 {
            why.push_str(&format!(", {} crashes or hangs", mutated.ended));
            if !is_cut_short {
                why.push_str(&format!(", {} of them looked into", mutated.endings.len() - unseen));
            }
        }
        let oddities = [
            (mutated.failed as usize + strays, "could not be run"),
            (late + unseen, "were left out for want of time"),
            (self.unmeasured.len() - unmeasured, "of what it found are kept as they are"),
        ];
        for (count, what) in oddities.into_iter().filter(|(count, _)| *count > 0) {
            why.push_str(&format!(", {count} {what}"));
        }
        let gain = self.covered.count_ones(..) - before;
        let stage = Stage { name: MUTATION.into(), runs: mutated.runs, gain: gain as u32, why, ..Stage::default() };
        self.ended(stage, self.start, tell);
        Ok(inputs)
    }

    /// Those that come next, as long as there is time, and so many if there is none.
    fn crashes<'s>(
        &mut self,
        crashes: &mut impl Iterator<Item = (usize, &'s (Seed, Status))>,
        least: usize,
        look: &mut Looking,
        until: Option<Duration>,
        inputs: &mut Vec<Measured>,
    ) {
        let mut count = 0;
        while count < least || self.is_cancelled() || !self.is_late(until) {
            let Some((number, (seed, _))) = crashes.next() else { break };
            count += 1;
            let known = self.found.len();
            let measured = (!self.is_cancelled()).then(|| {
                self.look_into(look, seed);
                look.runner.limit(Some(self.a_run()));
                self.measure(&mut look.runner, Seed { name: format!("crash {number}"), ..seed.clone() })
            });
            match measured.filter(|_| !self.is_cancelled()) {
                None => self.unmeasured.push(seed.clone()),
                // There may be more to find beside a crash of its own.
                Some(Ok(measured)) if self.found.len() > known => {
                    self.covered.union_with(&measured.profile.branches);
                    inputs.push(measured);
                }
                Some(Ok(measured)) => _ = self.adds(measured, inputs),
                Some(Err(_)) => look.strays += 1,
            }
        }
    }

    /// Whether it covers what none before did; then it is one of the inputs.
    fn adds(&mut self, measured: Measured, inputs: &mut Vec<Measured>) -> bool {
        let adds = !measured.profile.branches.is_subset(&self.covered);
        if adds {
            self.covered.union_with(&measured.profile.branches);
            inputs.push(measured);
        }
        adds
    }

    fn is_late(&self, until: Option<Duration>) -> bool {
        until.is_some_and(|until| self.start.elapsed() > until)
    }

    fn is_cancelled(&self) -> bool {
        self.plan.settings.cancel.load(Ordering::Relaxed)
    }

    /// What the seeds cover, as far as there is time for it.
    fn seeds(
        &mut self,
        runner: &mut Runner,
        time: Option<Duration>,
        tell: &mut Sink<'_>,
    ) -> Result<Vec<Measured>, TargetError> {
        let plan = self.plan;
        let mut inputs = Vec::new();
        let mut failure = None;
        for (number, seed) in plan.seeds.iter().enumerate() {
            let left = time.map(|time| time.saturating_sub(self.start.elapsed()));
            if number > 0 && left == Some(Duration::ZERO) || self.is_cancelled() {
                self.unmeasured = plan.seeds[number..].to_vec();
                break;
            }
            runner.limit(left);
            match self.measure(runner, seed.clone()) {
                Ok(measured) => inputs.push(measured),
                Err(error) => {
                    tell(&Event::Warning { text: format!("no seed: {}: {error}", seed.name) });
                    failure = Some(error);
                }
            }
        }
        match failure.filter(|_| inputs.is_empty() && self.unmeasured.is_empty()) {
            Some(error) => Err(error),
            None => Ok(inputs),
        }
    }

    /// Branch outcomes stay, because they are what the next stage starts from.
    fn reduction(&mut self, inputs: Vec<Measured>, tell: &mut Sink<'_>) -> Vec<Measured> {
        let start = Instant::now();
        let plan = self.plan;
        let jobs = plan.jobs.max(1);
        let deadline = plan.time.map(|time| start + time.mul_f64(REDUCING));
        let a_test = plan.time.map_or(A_TEST, |time| {
            time.mul_f64(REDUCING).mul_f64(jobs as f64 / inputs.len().max(1) as f64).min(A_TEST)
        });
        let subject = Subject { sites: plan.sites, counting: None };
        let settings = self.settings.within(self.a_run());
        let reducer = || {
            let reducer = Reducer::new(&settings, Preserve::Branch, a_test).keeping_the_command();
            match &plan.recorder {
                Some(recorder) => reducer.watched_by(recorder.clone()),
                None => reducer,
            }
        };
        let work = |reducer: &mut Reducer<'_>, input: &Measured| -> Option<Smaller> {
            let in_time = deadline.is_none_or(|deadline| Instant::now() < deadline);
            // Every look at what does not end takes all of its time.
            let is_fit = in_time && !input.is_cut;
            is_fit.then(|| reducer.reduce(&input.seed.input.test(Origin::Seed), subject).ok()).flatten()
        };
        let reduced = in_parallel(&inputs, jobs, &self.settings.cancel, reducer, work, |_, _| ());
        let mut runner = self.measuring();
        let (mut before, mut after) = (Size::default(), Size::default());
        let (mut count, mut unwatched, mut runs, mut known) = (0, 0, 0, HashSet::new());
        let covered = self.covered.count_ones(..);
        let mut smaller = Vec::new();
        for (input, reduced) in inputs.into_iter().zip(reduced) {
            let Some(reduced) = reduced.flatten() else {
                smaller.push(input);
                continue;
            };
            runs += reduced.trials;
            if !has_content(&reduced.test.bytes) && has_content(&input.seed.input.test(Origin::Seed).bytes) {
                smaller.push(input);
                continue;
            }
            let id = reduced.test.id();
            if !known.contains(&id) {
                let bytes = Input::of(Arc::clone(&input.seed.input.command), reduced.test.bytes);
                runner.limit(Some(self.a_run()));
                let measured = self.measure(&mut runner, Seed { input: bytes, ..input.seed.clone() });
                let Some(measured) = measured.ok().filter(|measured| !measured.is_cut) else {
                    // What cannot be measured once more is of no use to the ranking; the input as it was is.
                    smaller.push(input);
                    continue;
                };
                known.insert(id);
                smaller.push(measured);
            }
            count += 1;
            unwatched += usize::from(reduced.unwatched.is_some());
            before.add(&reduced.before);
            after.add(&reduced.after);
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
        let gain = (self.covered.count_ones(..) - covered) as u32;
        self.ended(Stage { name: "reduction".into(), runs, gain, why, ..Stage::default() }, start, tell);
        smaller
    }

    fn ranking(&mut self, inputs: Vec<Measured>, tell: &mut Sink<'_>) -> Vec<Seed> {
        let start = Instant::now();
        let profiles: Vec<Profile> = inputs.iter().map(|input| input.profile.clone()).collect();
        let order = Order::Auto { depth_first: self.plan.depth_first };
        let order = rank(order, &profiles, self.plan.rng_seed);
        // What does not end by itself takes the time of all others.
        let (whole, cut): (Vec<usize>, Vec<usize>) = order.into_iter().partition(|&at| !inputs[at].is_cut);
        let of = |places: Vec<usize>| places.into_iter().map(|at| inputs[at].seed.clone());
        let mut seeds: Vec<Seed> = of(whole).chain(self.unmeasured.drain(..)).chain(of(cut)).collect();
        seeds.sort_by_key(|seed| seed.flaky.is_some());
        let how = if self.plan.depth_first { "the shortest first" } else { "what adds most first" };
        self.ended(Stage { name: "ranking".into(), why: how.to_owned(), ..Stage::default() }, start, tell);
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

    /// What the next run may take.
    fn a_run(&self) -> Duration {
        let left = self.plan.time.map(|time| time.saturating_sub(self.start.elapsed()));
        left.map_or(self.wall, |left| left.min(self.wall)).max(A_RUN)
    }

    fn measure(&self, runner: &mut Runner, seed: Seed) -> Result<Measured, TargetError> {
        let execution = runner.run_on(&seed.input.command, &seed.input.bytes())?;
        let view = TraceView::new(&execution.trace)?;
        let branches = profile::goals(&view, self.plan.sites);
        let path_length = profile::path_length(&view).all;
        Ok(Measured { seed, profile: Profile { branches, path_length }, is_cut: was_cut(execution.status) })
    }

    /// Runs a crash or hang of variant `count` as exploration would, and keeps it if it is a finding there.
    fn look_into(&mut self, look: &mut Looking, seed: &Seed) {
        look.explorer.limit(Some(self.a_run()));
        let looked = self.finding(&mut look.explorer, seed).unwrap_or(Look::Failed);
        let counts = !self.is_cancelled();
        look.strays += usize::from(counts && looked == Look::Failed);
        look.unseen += usize::from(counts && looked == Look::TooSoon);
    }

    /// Whether a run with these settings that ended so might have gone on, had it had what runs may take.
    fn is_too_soon(&self, settings: &Settings, status: Status) -> bool {
        settings.budgets.wall < self.wall && ran_out_of_time(status)
    }

    fn finding(&mut self, explorer: &mut Runner, seed: &Seed) -> Result<Look, TargetError> {
        let input = &seed.input;
        let bytes = input.bytes();
        let execution = explorer.run_on(&input.command, &bytes)?;
        if execution.status == Status::Interrupted {
            return Ok(Look::TooSoon);
        }
        let Some(kind) = finding(execution.status) else { return Ok(Look::Done) };
        if self.is_too_soon(explorer.settings(), execution.status) {
            return Ok(Look::TooSoon);
        }
        let view = TraceView::new(&execution.trace)?;
        let place = place(&trail::steps(&view, self.plan.sites), self.plan.sites);
        if self.found.iter().any(|found| (&found.kind, &found.place) == (&kind, &place)) {
            return Ok(Look::Done);
        }
        let settings = self.plan.settings.within(self.a_run());
        let replayed = settings.target((*input.command).clone()).replay(&bytes)?;
        let confirmed = finding(replayed).as_ref() == Some(&kind);
        let is_open = was_cut(execution.status) && self.is_too_soon(&settings, replayed);
        if is_open || replayed == Status::Interrupted {
            return Ok(Look::TooSoon);
        }
        // Traced programs are slow.
        if !confirmed && was_cut(execution.status) {
            return Ok(Look::Done);
        }
        let mut test = input.test(Origin::Seed);
        test.expectation = seen(&execution);
        test.flaky.clone_from(&seed.flaky);
        // Without a sandbox a run cannot be given files.
        if settings.policy == Policy::Sandboxed {
            test.bring(profile::files_read(&view));
        }
        self.found.push(Found { test, kind, place, confirmed });
        Ok(Look::Done)
    }
}

/// Shares, now that all have ended.
pub fn share_out(stages: &mut [Stage]) {
    let all: f64 = stages.iter().map(|stage| stage.seconds).sum();
    stages.iter_mut().for_each(|stage| stage.share = Some(stage.seconds / all.max(f64::MIN_POSITIVE)));
}

/// Exploration makes no input longer: out of nothing it can make nothing.
fn has_content(bytes: &Bytes) -> bool {
    bytes.iter().any(|(source, bytes)| !matches!(source, Source::Arg(_)) && !bytes.is_empty())
}
