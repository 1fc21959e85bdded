//! How tests are run.

use crate::failure::Failure;
use crate::progress::Progress;
use crate::target::settings;
use crate::values;
use clap::Args;
use offshoot_base::Budgets;
use offshoot_campaign::runner::Settings;
use std::time::Duration;

#[derive(Args)]
pub struct Running {
    /// Tests that run at the same time
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// End a single run after this time
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = values::duration)]
    run_time: Duration,
    /// How progress is shown
    #[arg(long, value_name = "HOW", default_value = "auto")]
    pub progress: Progress,
}

/// A test that is known to end gets so many times the time of a run: a busy machine is no reason to call it another one.
const PATIENCE: u32 = 3;

/// Of one run's event log, in words; what is beyond is counted but not kept.
const EVENTS: u64 = 16 << 20;

impl Running {
    /// One after the other.
    pub fn in_turn(run_time: Duration, progress: Progress) -> Running {
        Running { jobs: 1, run_time, progress }
    }

    pub fn jobs(&self) -> usize {
        usize::from(self.jobs)
    }

    /// Everything symbolic and no concrete branches; Ctrl-C raises the flag.
    pub fn settings(&self) -> Result<Settings, Failure> {
        let settings = settings("arg,stdin,file,nondet", self.run_time)?;
        Ok(Settings { budgets: Budgets { events: EVENTS, ..settings.budgets.clone() }, ..settings })
    }
}

/// For a test that is known to end.
pub fn patient(settings: &Settings) -> Settings {
    within(settings, settings.budgets.wall * PATIENCE)
}

/// With that time for a run.
pub fn within(settings: &Settings, wall: Duration) -> Settings {
    let budgets = Budgets { wall, cpu: wall * 2, ..settings.budgets.clone() };
    Settings { budgets, ..settings.clone() }
}
