//! What exploration and checks start from.

use offshoot_suite::Input;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct Seed {
    pub name: String,
    pub input: Input,
    /// Why a run of it need not be like the last one.
    pub flaky: Option<String>,
}

impl Seed {
    pub fn new(name: String, input: Input) -> Seed {
        Seed { name, input, flaky: None }
    }

    /// Why a run of an input need not be like the last one: the seed that it grew off is so.
    pub fn flaky(seeds: &[Seed], input: &Input) -> Option<String> {
        let origin = seeds.iter().find(|seed| Arc::ptr_eq(&seed.input.seed, &input.seed))?;
        origin.flaky.clone()
    }
}
