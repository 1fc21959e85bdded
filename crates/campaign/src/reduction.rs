//! A test made smaller by running what is left of it: coverage-preserving ddmin (section 2 of Zhang, Groce and Alipour,
//! ISSTA 2014), or the usual one for failures.

pub use crate::preserved::{Counting, Preserve, Subject};

use crate::explore::{seen, was_cut};
use crate::preserved::Seen;
use crate::profile::{self, PathLength};
use crate::runner::{Runner, Settings};
use crate::target::{Execution, TargetError};
use crate::watch::Watch;
use offshoot_expr::TraceView;
use offshoot_run::Status;
use offshoot_suite::{Choice, Origin, Source, Test, Verdict, chosen};
use offshoot_trace::layout::config;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

#[derive(Debug, thiserror::Error)]
pub enum ReductionError {
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error("two runs of it differ: {0}")]
    Unstable(String),
    #[error(
        "variant count of its program gave no counts; does it start at all? `offshoot variant count` makes one to try"
    )]
    NoCounts,
    #[error("interrupted")]
    Interrupted,
}

/// What a test costs whoever explores from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Size {
    /// Of arguments and all other sources together.
    pub bytes: u64,
    pub path: PathLength,
}

impl Size {
    pub fn add(&mut self, other: &Size) {
        self.bytes += other.bytes;
        self.path.symbolic = self.path.symbolic.saturating_add(other.path.symbolic);
        // Whoever runs may write what its trace says of itself.
        self.path.all = self.path.all.saturating_add(other.path.all);
    }
}

#[derive(Debug)]
pub struct Smaller {
    /// With what its run gave as the expectation.
    pub test: Test,
    pub before: Size,
    pub after: Size,
    pub trials: u64,
    /// The budget did not end it.
    pub is_minimal: bool,
    /// Why it may look at files that it does not bring.
    pub unwatched: Option<String>,
    pub elapsed: Duration,
}

impl Smaller {
    /// There was no time to try anything.
    fn untouched(test: &Test, size: Size, execution: &Execution, start: Instant) -> Smaller {
        Smaller {
            test: Test { expectation: seen(execution), ..test.clone() },
            before: size,
            after: size,
            trials: 0,
            is_minimal: false,
            unwatched: None,
            elapsed: start.elapsed(),
        }
    }
}

/// What is left of a test may take so many times as long as its original, and at least this long: a budget has room for more
/// than one look at what waits for input that was taken away.
const SLOWER: u32 = 20;
const A_TRIAL: Duration = Duration::from_secs(1);

/// One for each thread.
pub struct Reducer<'a> {
    /// Counters only: there is a trial for every component.
    trials: Runner,
    /// With everything symbolic and all branches, for the length of a path.
    measures: Runner,
    settings: &'a Settings,
    preserve: Preserve,
    budget: Duration,
    keeps_command: bool,
    watch: Option<Watch>,
    choices: Vec<Choice>,
}

impl<'a> Reducer<'a> {
    pub fn new(settings: &'a Settings, preserve: Preserve, budget: Duration) -> Reducer<'a> {
        let trials = Settings { symbolic: "none".to_owned(), config: 0, ..settings.clone() };
        let measures = Settings { config: config::CONCRETE_BRANCHES, ..settings.clone() };
        Reducer {
            trials: Runner::new(trials),
            measures: Runner::new(measures),
            settings,
            preserve,
            budget,
            keeps_command: false,
            watch: None,
            choices: Vec::new(),
        }
    }

    /// What is left of a test may not live on files that its original did not look at. `recorder`: the library that
    /// watches.
    pub fn watched_by(self, recorder: PathBuf) -> Reducer<'a> {
        Reducer { watch: Some(Watch::new(self.settings.clone(), recorder)), ..self }
    }

    /// All arguments stay, though not their text: for whoever runs all tests by one command.
    pub fn keeping_the_command(self) -> Reducer<'a> {
        Reducer { keeps_command: true, ..self }
    }

    pub fn splitting(self, choices: Vec<Choice>) -> Reducer<'a> {
        Reducer { choices, ..self }
    }

    /// `subject` is the test's program.
    pub fn reduce(&mut self, test: &Test, subject: Subject<'_>) -> Result<Smaller, ReductionError> {
        let start = Instant::now();
        let (before, execution) = self.measure(test)?;
        // One run may have taken it all.
        if start.elapsed() >= self.budget {
            return Ok(Smaller::untouched(test, before, &execution, start));
        }
        let is_whole = !was_cut(execution.status);
        self.trials.limit(is_whole.then(|| (execution.wall * SLOWER).max(A_TRIAL)));
        let wanted = self.look_patiently(test, subject)?;
        // Where the clock ends a run is chance: a second look says nothing, and takes as long.
        if !was_cut(wanted.status) {
            let again = self.look_patiently(test, subject)?;
            if let Some(difference) = wanted.difference(&again) {
                return Err(ReductionError::Unstable(difference));
            }
        }
        let (trials, settings, budget, preserve) = (&mut self.trials, self.settings, self.budget, self.preserve);
        let arguments = self.keeps_command.then_some(test.command.args.len());
        let is_other = |candidate: &Test| arguments.is_some_and(|count| count != candidate.command.args.len());
        let mut look = |candidate: &Test| match Seen::of(trials, candidate, subject, preserve) {
            Ok(Some(found)) if trials.gave_up(found.status) => Verdict::Unresolved,
            Ok(Some(found)) if wanted.is_kept_by(&found) => Verdict::Holds,
            Ok(Some(_)) => Verdict::Lost,
            Ok(None) | Err(_) => Verdict::Unresolved,
        };
        let oracle = |candidate: &Test| if is_other(candidate) { Verdict::Lost } else { look(candidate) };
        let mut known = None;
        let confirm = |candidate: &Test| {
            let Some(watch) = &self.watch else { return true };
            let known = known.get_or_insert_with(|| watch.met(test));
            let Ok(known) = known else { return true };
            watch.met(candidate).is_ok_and(|met| known.has_all_of(&met))
        };
        let goes_on = |_| start.elapsed() < budget && !settings.cancel.load(Ordering::Relaxed);
        let reduction = offshoot_suite::reduce(test, &chosen(test, &self.choices), oracle, confirm, goes_on);
        let unwatched = known.and_then(|known| match known {
            Ok(met) => met.gap().map(str::to_owned),
            Err(error) => Some(error.to_string()),
        });
        let mut smaller = reduction.test;
        let (after, execution) = match smaller.id() == test.id() {
            true => (before, execution),
            false => self.measure(&smaller)?,
        };
        smaller.expectation = seen(&execution);
        if smaller.id() != test.id() {
            smaller.origin = Origin::Reduced { original: test.id() };
        }
        let elapsed = start.elapsed();
        Ok(Smaller {
            test: smaller,
            before,
            after,
            trials: reduction.trials,
            is_minimal: reduction.is_minimal,
            unwatched,
            elapsed,
        })
    }

    fn measure(&mut self, test: &Test) -> Result<(Size, Execution), ReductionError> {
        let execution = self.measures.run(test)?;
        if execution.status == Status::Interrupted {
            return Err(ReductionError::Interrupted);
        }
        let path = profile::path_length(&TraceView::new(&execution.trace).map_err(TargetError::from)?);
        Ok((Size { bytes: bytes(test), path }, execution))
    }

    /// On a busy machine the original may take longer than its trials are to take.
    fn look_patiently(&mut self, test: &Test, subject: Subject<'_>) -> Result<Seen, ReductionError> {
        let seen = self.look(test, subject)?;
        if !self.trials.gave_up(seen.status) {
            return Ok(seen);
        }
        self.trials.limit(None);
        self.look(test, subject)
    }

    fn look(&mut self, test: &Test, subject: Subject<'_>) -> Result<Seen, ReductionError> {
        let seen = Seen::of(&mut self.trials, test, subject, self.preserve)?.ok_or(ReductionError::NoCounts)?;
        if seen.status == Status::Interrupted { Err(ReductionError::Interrupted) } else { Ok(seen) }
    }
}

fn bytes(test: &Test) -> u64 {
    let arguments = test.command.words(&test.bytes).flatten().map(|arg| arg.as_bytes().len());
    let others = test.bytes.iter().filter(|(source, _)| !matches!(source, Source::Arg(_)));
    (arguments.sum::<usize>() + others.map(|(_, bytes)| bytes.len()).sum::<usize>()) as u64
}
