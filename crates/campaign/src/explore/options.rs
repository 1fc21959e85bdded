//! What a campaign is given, and what can go wrong with it.

use crate::runner::Settings;
use crate::seed::Seed;
use crate::stages::{Found, Stage};
use crate::store::{Campaign, StoreError};
use crate::sync::SyncError;
use crate::target::TargetError;
use offshoot_model::graph::Place;
use offshoot_search::{strategy, structure};
use offshoot_solve::{CacheError, Limits};
use offshoot_suite::{Command, Origin};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

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
    /// Crashes and hangs among it.
    pub found: Vec<Found>,
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

impl Options {
    /// The one command of all seeds.
    pub(super) fn command(&self) -> Result<Arc<Command>, SyncError> {
        let mut commands = self.seeds.iter().map(|seed| &seed.input.command);
        let first = commands.next().ok_or(SyncError::Commands)?;
        if commands.all(|other| other == first) { Ok(Arc::clone(first)) } else { Err(SyncError::Commands) }
    }

    /// Of the program, as its user calls it.
    pub(super) fn name(&self) -> &std::ffi::OsStr {
        self.seeds.first().map_or(self.program.as_os_str(), |seed| seed.input.command.name())
    }
}

pub(super) fn about(options: &Options) -> Campaign {
    let wall = options.settings.budgets.wall;
    Campaign {
        format: offshoot_base::FORMAT_VERSION,
        program: options.program.display().to_string(),
        symbolic: options.settings.symbolic.clone(),
        run_s: Some(options.time.map_or(wall, |time| time.min(wall)).as_secs_f64().ceil() as u64),
        seeds: options.seeds.iter().map(|seed| seed.input.test(Origin::Seed).id().to_string()).collect(),
    }
}
