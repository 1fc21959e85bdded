//! A test made smaller by running what is left of it: coverage-preserving ddmin (section 2 of Zhang, Groce and Alipour,
//! ISSTA 2014), or the usual one for failures.

use crate::explore::{in_words, seen};
use crate::profile::{self, PathLength};
use crate::runner::{Runner, Settings};
use crate::sites::Sites;
use crate::target::{Execution, TargetError};
use fixedbitset::FixedBitSet;
use offshoot_expr::TraceView;
use offshoot_run::Status;
use offshoot_suite::{Origin, SEED, Source, Test, Verdict};
use offshoot_trace::layout::config;
use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preserve {
    /// Covers at least what the original covers, and ends in the same way. Exit codes may differ.
    Branch,
    /// Ends as the original does: same exit code, same signal.
    Failure,
}

#[derive(Debug, thiserror::Error)]
pub enum ReductionError {
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error("two runs of it differ: {0}")]
    Unstable(String),
    #[error("interrupted")]
    Interrupted,
}

/// What a test costs whoever explores from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Size {
    /// Of arguments and all other sources together.
    pub bytes: u64,
    pub path: PathLength,
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
    pub elapsed: Duration,
}

/// One for each thread.
pub struct Reducer<'a> {
    /// Counters only: there is a trial for every component.
    trials: Runner,
    /// With everything symbolic and all branches, for the length of a path.
    measures: Runner,
    settings: &'a Settings,
    preserve: Preserve,
    budget: Duration,
}

impl<'a> Reducer<'a> {
    pub fn new(settings: &'a Settings, preserve: Preserve, budget: Duration) -> Reducer<'a> {
        let trials = Settings { symbolic: "none".to_owned(), config: 0, ..settings.clone() };
        let measures = Settings { config: config::CONCRETE_BRANCHES, ..settings.clone() };
        Reducer { trials: Runner::new(trials), measures: Runner::new(measures), settings, preserve, budget }
    }

    /// `sites` are those of the test's program.
    pub fn reduce(&mut self, test: &Test, sites: &Sites) -> Result<Smaller, ReductionError> {
        let start = Instant::now();
        let (before, _) = self.measure(test)?;
        let wanted = self.look(test, sites)?;
        let again = self.look(test, sites)?;
        if let Some(difference) = wanted.difference(&again, self.preserve) {
            return Err(ReductionError::Unstable(difference));
        }
        let (trials, settings, budget, preserve) = (&mut self.trials, self.settings, self.budget, self.preserve);
        let oracle = |candidate: &Test| match trials.run(candidate).ok().and_then(|ran| Seen::of(&ran, sites).ok()) {
            Some(found) if found.status == Status::Interrupted => Verdict::Unresolved,
            Some(found) if wanted.is_kept_by(&found, preserve) => Verdict::Holds,
            Some(_) => Verdict::Lost,
            None => Verdict::Unresolved,
        };
        let goes_on = |_| start.elapsed() < budget && !settings.cancel.load(Ordering::Relaxed);
        let reduction = offshoot_suite::reduce(test, &BTreeMap::new(), oracle, goes_on);
        let mut smaller = reduction.test;
        let (after, execution) = self.measure(&smaller)?;
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

    fn look(&mut self, test: &Test, sites: &Sites) -> Result<Seen, ReductionError> {
        let seen = Seen::of(&self.trials.run(test)?, sites)?;
        if seen.status == Status::Interrupted { Err(ReductionError::Interrupted) } else { Ok(seen) }
    }
}

/// What the oracle looks at.
struct Seen {
    status: Status,
    goals: FixedBitSet,
}

impl Seen {
    fn of(execution: &Execution, sites: &Sites) -> Result<Seen, TargetError> {
        let goals = profile::goals(&TraceView::new(&execution.trace)?, sites);
        Ok(Seen { status: execution.status, goals })
    }

    fn is_kept_by(&self, other: &Seen, preserve: Preserve) -> bool {
        match preserve {
            Preserve::Branch => {
                let both_exit = matches!((self.status, other.status), (Status::Exited(_), Status::Exited(_)));
                (both_exit || same_end(self.status, other.status)) && self.goals.is_subset(&other.goals)
            }
            Preserve::Failure => same_end(self.status, other.status),
        }
    }

    /// Between two runs of one test, in words.
    fn difference(&self, other: &Seen, preserve: Preserve) -> Option<String> {
        if !same_end(self.status, other.status) {
            return Some(format!("{} and {}", in_words(self.status), in_words(other.status)));
        }
        let branches = self.goals.symmetric_difference_count(&other.goals);
        (preserve == Preserve::Branch && branches > 0).then(|| format!("{branches} branches were taken by one only"))
    }
}

/// Whether a core was dumped depends on the machine.
fn same_end(a: Status, b: Status) -> bool {
    match (a, b) {
        (Status::Signaled { signal: a, .. }, Status::Signaled { signal: b, .. }) => a == b,
        (a, b) => a == b,
    }
}

fn bytes(test: &Test) -> u64 {
    let arguments = test.command.templates(&test.bytes);
    let arguments = arguments.iter().filter(|arg| *arg != SEED).map(|arg| arg.as_bytes().len());
    let others = test.bytes.iter().filter(|(source, _)| !matches!(source, Source::Arg(_)));
    (arguments.sum::<usize>() + others.map(|(_, bytes)| bytes.len()).sum::<usize>()) as u64
}
