//! The cheap stage: random changes to inputs, with coverage as the guide, until coverage no longer grows.
//!
//! LibAFL's havoc mutators make the changes ([`havoc`]). Runs are those of the fork server on variant `count`, in the
//! sandbox; an input is kept if it makes some counter reach a height that none did before ([`heights`]).

mod endings;
mod havoc;
mod heights;

use crate::explore::{ran_out_of_time, was_cut};
use crate::preserved::Counting;
use crate::runner::{Runner, Settings};
use crate::seed::Seed;
use crate::target::TargetError;
use endings::Endings;
use havoc::Havoc;
use heights::Heights;
use offshoot_expr::TraceView;
use offshoot_run::Status;
use offshoot_suite::{Command, Input, Source};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Children of one input before the next has its turn.
const CHILDREN: usize = 64;
/// Runs without a new counter after which coverage may be called saturated, at the least.
const QUIET: u64 = 5_000;
/// A changed input may take so many times as long as the slowest seed, and at least this long, before it counts as a hang.
const SLOWER: u32 = 20;
const HANG: Duration = Duration::from_secs(1);

pub type Pulse<'a> = dyn FnMut(u64, Duration) + Send + 'a;

pub struct Options<'a> {
    pub settings: &'a Settings,
    pub counting: &'a Counting,
    /// For the instrumented program.
    pub seeds: &'a [Seed],
    pub rng_seed: u64,
    pub jobs: usize,
    pub deadline: Option<Instant>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// So many runs, as many as half of all, reached nothing new.
    Saturated {
        quiet: u64,
    },
    Time,
    /// None of the sources holds bytes that may be changed here.
    NothingToChange,
    /// There was no time for any seed, or all were ended.
    NoSeed,
    Interrupted,
}

impl Why {
    pub fn in_words(&self) -> String {
        match self {
            Why::Saturated { quiet } => format!("coverage is saturated, the last {quiet} runs reached nothing new"),
            Why::Time => "its share of the time is used up".to_owned(),
            Why::NothingToChange => "the seeds have no bytes that it may change".to_owned(),
            Why::NoSeed => "no seed came to its end in time".to_owned(),
            Why::Interrupted => "interrupted".to_owned(),
        }
    }
}

#[derive(Debug)]
pub struct Mutated {
    /// In the order in which they were found; the seeds are not among them. What grew off a flaky one is flaky.
    pub kept: Vec<Seed>,
    /// Inputs that crash or hang in ways of their own, and how they ended.
    pub endings: Vec<(Seed, Status)>,
    /// Runs that crashed or hung, these among them.
    pub ended: u64,
    /// What a run may take; one that took longer counts as a hang.
    pub wall: Duration,
    pub runs: u64,
    /// Runs that could not be made.
    pub failed: u64,
    /// Counters that some run reached, seeds included.
    pub reached: usize,
    pub why: Why,
}

struct State {
    queue: Vec<Seed>,
    turn: usize,
    seen: Heights,
    endings: Endings,
    mutated: Mutated,
    /// The run with it.
    last_gain: u64,
    last_gain_at: Instant,
    stop: Option<Why>,
    error: Option<TargetError>,
}

struct Shared<'a> {
    options: &'a Options<'a>,
    state: Mutex<State>,
}

/// How often somebody hears of it.
const PULSE: Duration = Duration::from_millis(250);

/// Fails only if no seed can be run. `pulse` gets the runs so far and the time since the last gain.
pub fn mutate(options: &Options<'_>, pulse: &mut Pulse<'_>) -> Result<Mutated, TargetError> {
    let mutated = Mutated {
        kept: Vec::new(),
        endings: Vec::new(),
        ended: 0,
        wall: HANG,
        runs: 0,
        failed: 0,
        reached: 0,
        why: Why::NothingToChange,
    };
    let state = State {
        queue: Vec::new(),
        turn: 0,
        seen: Heights::default(),
        endings: Endings::default(),
        mutated,
        last_gain: 0,
        last_gain_at: Instant::now(),
        stop: None,
        error: None,
    };
    let shared = Shared { options, state: Mutex::new(state) };
    let mut runner = shared.runner(options.settings.budgets.wall);
    let mut slowest = Duration::ZERO;
    for seed in options.seeds {
        if shared.is_over() {
            break;
        }
        runner.limit(shared.left());
        slowest = slowest.max(shared.try_input(&mut runner, seed, true).unwrap_or_default());
    }
    let wall = (slowest * SLOWER).max(HANG).min(options.settings.budgets.wall);
    let has_seeds = !shared.lock().queue.is_empty();
    let able = shared.lock().queue.iter().any(|Seed { input, .. }| {
        let symbolic = shared.symbolic(input);
        input.seed.iter().any(|(source, _)| is_open(source, &symbolic))
    });
    if able {
        std::thread::scope(|scope| {
            let shared = &shared;
            runner = shared.runner(wall);
            for worker in 1..options.jobs.max(1) as u64 {
                scope.spawn(move || shared.work(&mut shared.runner(wall), worker, &mut |_, _| ()));
            }
            shared.work(&mut runner, 0, pulse);
        });
    }
    let mut state = shared.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    if state.queue.is_empty()
        && let Some(error) = state.error
    {
        return Err(error);
    }
    state.mutated.reached = state.seen.reached();
    state.mutated.ended = state.endings.count;
    state.mutated.wall = wall;
    if !has_seeds {
        state.mutated.why = Why::NoSeed;
    }
    if let Some(why) = state.stop {
        state.mutated.why = why;
    }
    Ok(state.mutated)
}

impl Shared<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `wall`: for one run.
    fn runner(&self, wall: Duration) -> Runner {
        let settings = self.options.settings.within(wall);
        Runner::new(Settings { symbolic: "none".to_owned(), config: 0, ..settings })
    }

    fn left(&self) -> Option<Duration> {
        self.options.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    fn work(&self, runner: &mut Runner, worker: u64, pulse: &mut Pulse<'_>) {
        let mut last_pulse = Instant::now();
        let longest =
            self.options.seeds.iter().flat_map(|seed| seed.input.seed.iter()).map(|(_, bytes)| bytes.len()).max();
        let mut havoc = Havoc::new(self.options.rng_seed.wrapping_add(worker), longest.unwrap_or(0));
        while let Some((parent, other)) = self.next(&mut havoc) {
            havoc.learn(&other.input.seed);
            let Seed { input, flaky, .. } = parent;
            let symbolic = self.symbolic(&input);
            for _ in 0..CHILDREN {
                let Some(child) = havoc.change(&input.seed, |source| is_open(source, &symbolic)) else { break };
                let child = Input::of(Arc::clone(&input.command), child);
                // Only near the end is that less than it was.
                runner.limit(self.left());
                self.try_input(runner, &Seed { name: String::new(), input: child, flaky: flaky.clone() }, false);
                if last_pulse.elapsed() >= PULSE {
                    last_pulse = Instant::now();
                    let (runs, since) = self.so_far();
                    pulse(runs, since);
                }
                if self.is_over() {
                    break;
                }
            }
        }
    }

    /// Sources to change, as `Header::symbolic` names them.
    fn symbolic(&self, input: &Input) -> String {
        self.options.settings.target((*input.command).clone()).symbolic()
    }

    fn so_far(&self) -> (u64, Duration) {
        let state = self.lock();
        (state.mutated.runs, state.last_gain_at.elapsed())
    }

    /// The input whose turn it is, and another one to take parts from; `None` ends the worker.
    fn next(&self, havoc: &mut Havoc) -> Option<(Seed, Seed)> {
        if self.is_over() {
            return None;
        }
        let mut state = self.lock();
        let at = state.turn % state.queue.len().max(1);
        state.turn += 1;
        let other = havoc.below(state.queue.len());
        Some((state.queue.get(at)?.clone(), state.queue.get(other)?.clone()))
    }

    fn is_over(&self) -> bool {
        let mut state = self.lock();
        let quiet = state.mutated.runs - state.last_gain;
        if state.stop.is_none() {
            let options = self.options;
            state.stop = if options.settings.cancel.load(Ordering::Relaxed) {
                Some(Why::Interrupted)
            } else if options.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                Some(Why::Time)
            } else if quiet >= QUIET.max(state.mutated.runs / 2) {
                Some(Why::Saturated { quiet })
            } else {
                None
            };
        }
        state.stop.is_some()
    }

    /// What the run took, if it came to its end by itself.
    fn try_input(&self, runner: &mut Runner, seed: &Seed, is_seed: bool) -> Option<Duration> {
        let counting = self.options.counting;
        let input = &seed.input;
        let command = &input.command;
        let name = Some(command.name().to_owned());
        let command = Command { program: counting.variant.clone(), name, ..(**command).clone() };
        let ran = runner.run_on(&command, &input.seed);
        let counts = ran.and_then(|ran| {
            let counts = counting.counted.served(&TraceView::new(&ran.trace)?);
            Ok((ran.status, ran.wall, counts))
        });
        let mut state = self.lock();
        let state = &mut *state;
        state.mutated.runs += 1;
        let (status, wall, counts) = match counts {
            Ok((status, wall, Some(counts))) => (status, wall, counts),
            Ok((_, _, None)) => {
                state.mutated.failed += 1;
                return None;
            }
            Err(error) => {
                state.mutated.failed += 1;
                state.error.get_or_insert(error);
                return None;
            }
        };
        // With more time it may have come to its end.
        if runner.gave_up(status) {
            return None;
        }
        let is_ending = !matches!(status, Status::Exited(_));
        if is_ending && !is_seed {
            if state.endings.takes(ran_out_of_time(status), counts.counters()) {
                state.mutated.endings.push((seed.clone(), status));
            }
            // Nothing grows off a run that was cut short.
            return None;
        }
        if was_cut(status) {
            return None;
        }
        let gain = state.seen.add(counts.counters());
        if gain.counters > 0 {
            state.last_gain = state.mutated.runs;
            state.last_gain_at = Instant::now();
        }
        if is_seed {
            state.queue.push(seed.clone());
        } else if gain.any() {
            state.queue.push(seed.clone());
            state.mutated.kept.push(seed.clone());
        }
        Some(wall)
    }
}

/// Whether `symbolic` names the source. The values of a harness have names and sizes that only a traced run knows.
pub fn is_open(source: &Source, symbolic: &str) -> bool {
    let named = |kind: &str, name: &str| {
        symbolic
            .split(',')
            .any(|word| word == kind || word.strip_prefix(kind).is_some_and(|rest| rest == format!(":{name}")))
    };
    match source {
        Source::Stdin => named("stdin", ""),
        Source::Arg(number) => named("arg", &number.to_string()),
        Source::File(path) => named("file", &path.to_string_lossy()),
        Source::Env(name) => symbolic.split(',').any(|word| word == format!("env:{}", name.to_string_lossy())),
        Source::Nondet { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_symbolic_is_changed() {
        let open = |source, symbolic| is_open(&source, symbolic);
        assert!(open(Source::Stdin, "arg,stdin,file,nondet"));
        assert!(open(Source::Arg(2), "arg") && open(Source::Arg(2), "arg:2"));
        assert!(!open(Source::Arg(2), "arg:1,stdin"));
        assert!(open(Source::File("/a".into()), "file:/a") && !open(Source::File("/b".into()), "file:/a"));
        assert!(!open(Source::Env("HOME".into()), "arg,stdin,file"));
    }
}
