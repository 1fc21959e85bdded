//! Which of the seeds are looked at.

use clap::Args;
use offshoot_check::sample::{Sample, Size};

#[derive(Args)]
pub struct Selection {
    /// Look at a random sample of the seeds only: so many of them (20), or a part (20%)
    #[arg(long, value_name = "N|P%")]
    sample: Option<Size>,
    /// Seed of the random choice of a sample
    #[arg(long, value_name = "N", default_value_t = 0)]
    rng_seed: u64,
}

impl Selection {
    pub fn take<T>(&self, seeds: &mut Vec<T>) -> Option<Sample> {
        self.sample.map(|size| size.take(seeds, self.rng_seed))
    }
}
