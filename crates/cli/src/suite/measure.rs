//! What each test covers.

use super::cases::Case;
use super::meter::Meter;
use super::running::Running;
use super::warn;
use crate::failure::Failure;
use crate::target::read_models;
use fixedbitset::FixedBitSet;
use offshoot_campaign::Sites;
use offshoot_campaign::pool::in_parallel;
use offshoot_campaign::profile;
use offshoot_campaign::runner::{Runner, Settings};
use offshoot_campaign::target::TargetError;
use offshoot_expr::TraceView;
use offshoot_run::Status;
use offshoot_suite::{Profile, Test};
use offshoot_trace::layout::config;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// The programs that the tests run. Goals of several programs are numbered one behind the other.
pub struct Programs {
    /// And the number of its first goal.
    known: BTreeMap<PathBuf, (Sites, usize)>,
    end: usize,
}

impl Programs {
    pub fn of(cases: &[Case]) -> Result<Programs, Failure> {
        let mut programs = Programs { known: BTreeMap::new(), end: 0 };
        for case in cases {
            let program = &case.test.command.program;
            if !programs.known.contains_key(program) {
                let sites = Sites::new(&read_models(program)?);
                let first = programs.end;
                programs.end += sites.goal_end();
                programs.known.insert(program.clone(), (sites, first));
            }
        }
        Ok(programs)
    }

    /// `None`: not one of the tests that these were made of.
    pub fn sites(&self, test: &Test) -> Option<&Sites> {
        self.known.get(&test.command.program).map(|(sites, _)| sites)
    }

    pub fn goal_count(&self) -> u32 {
        self.known.values().map(|(sites, _)| sites.goal_count()).sum()
    }

    fn profile(&self, test: &Test, trace: &[u8]) -> Result<Profile, TargetError> {
        let view = TraceView::new(trace)?;
        let mut branches = FixedBitSet::with_capacity(self.end);
        if let Some((sites, first)) = self.known.get(&test.command.program) {
            profile::each_goal(&view, sites, |goal| branches.insert(first + goal.0 as usize));
        }
        Ok(Profile { branches, path_length: profile::path_length(&view).all })
    }
}

/// Tests that ran, and what they did.
pub struct Measured {
    pub cases: Vec<Case>,
    pub profiles: Vec<Profile>,
    /// Branch outcomes of the programs.
    pub total: u32,
}

impl Measured {
    pub fn covered(&self) -> usize {
        let mut all = FixedBitSet::new();
        self.profiles.iter().for_each(|profile| all.union_with(&profile.branches));
        all.count_ones(..)
    }
}

/// Runs each test once. Those that cannot be run are reported and left out.
pub fn measure(cases: Vec<Case>, running: &Running, json: bool) -> Result<Measured, Failure> {
    let programs = Programs::of(&cases)?;
    let settings = running.settings()?;
    let settings = Settings { symbolic: "none".to_owned(), config: config::CONCRETE_BRANCHES, ..settings };
    let meter = Meter::new(running.progress, json, "running test", cases.len());
    let work = |runner: &mut Runner, case: &Case| -> Result<Option<Profile>, TargetError> {
        let execution = runner.run(&case.test)?;
        if execution.status == Status::Interrupted {
            return Ok(None);
        }
        programs.profile(&case.test, &execution.trace).map(Some)
    };
    let start = || Runner::new(settings.clone());
    let results = in_parallel(&cases, running.jobs(), &settings.cancel, start, work, |_, _| meter.step());
    drop(meter);
    if settings.cancel.load(Ordering::Relaxed) {
        return Err(Failure::interrupted("interrupted before all tests had run; nothing was written"));
    }
    let mut measured = Measured { cases: Vec::new(), profiles: Vec::new(), total: programs.goal_count() };
    for (case, result) in cases.into_iter().zip(results) {
        match result {
            Some(Ok(Some(profile))) => {
                measured.cases.push(case);
                measured.profiles.push(profile);
            }
            Some(Err(error)) => warn(format!("test {} left out: {error}", case.name)),
            Some(Ok(None)) | None => {}
        }
    }
    if measured.cases.is_empty() {
        return Err(Failure::tests("no test could be run; `offshoot doctor` checks this machine"));
    }
    Ok(measured)
}
