//! How tests are run.

use super::warn;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::values;
use clap::Args;
use offshoot_base::Budgets;
use offshoot_campaign::runner::Settings;
use offshoot_run::Policy;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
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

/// Of one run's event log, in words; what is beyond is counted but not kept.
const EVENTS: u64 = 16 << 20;

impl Running {
    pub fn jobs(&self) -> usize {
        usize::from(self.jobs)
    }

    /// Everything symbolic and no concrete branches; Ctrl-C raises the flag.
    pub fn settings(&self) -> Result<Settings, Failure> {
        let cancel = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            signal_hook::flag::register(signal, Arc::clone(&cancel)).map_err(Failure::internal)?;
        }
        let detected = Policy::detect();
        for reason in &detected.why {
            warn(format!("weaker sandbox: {reason}"));
        }
        let budgets = Budgets { wall: self.run_time, cpu: self.run_time * 2, events: EVENTS, ..Budgets::default() };
        let symbolic = "arg,stdin,file,nondet".to_owned();
        Ok(Settings { symbolic, budgets, policy: detected.policy, config: 0, cancel })
    }
}
