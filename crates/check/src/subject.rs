//! One program whose tests are checked, and what was learnt of it so far. The tests of a suite may run several.

use crate::judge::{Asan, Judge};
use crate::operation::Aborts;
use crate::sampling::{Expensive, Key, Sampling};
use offshoot_campaign::Sites;
use offshoot_campaign::places::Places;
use offshoot_campaign::runner::Settings;
use offshoot_model::Program;
use offshoot_search::Site;
use std::collections::{HashMap, HashSet};

pub struct Subject {
    pub sites: Sites,
    pub places: Places,
    pub aborts: Aborts,
    pub judge: Judge,
    pub sampling: Sampling,
    /// Places that have a finding, and how it is.
    pub settled: HashMap<(&'static str, Site), Settled>,
    /// Ways beside the seeds' paths, by what the command finds around it.
    pub known: HashMap<(usize, u64), Known>,
    pub expensive: Expensive<Key>,
    pub expensive_ways: Expensive<(Site, u32)>,
    /// Ways of decisions that some run took, whether the input decided it or not.
    pub taken: HashSet<(Site, u32)>,
    /// Others that were tried, without an input for them.
    pub in_vain: Expensive<(Site, u32)>,
}

/// The best finding of one check at one place.
#[derive(Clone, Copy)]
pub struct Settled {
    pub distance: u32,
    /// Bytes changed.
    pub changed: usize,
    pub times: u32,
}

/// How far a way was explored.
#[derive(Clone, Copy)]
pub struct Known {
    pub time_to_live: u32,
    /// Operations before this decision are checked.
    pub checked: usize,
}

impl Subject {
    /// `models`: of the program and of its shared libraries.
    pub fn new(models: Vec<Program>, asan: Option<Asan>, settings: Settings) -> Subject {
        let sites = Sites::new(&models);
        let aborts = Aborts::new(models.iter().flat_map(|model| &model.modules).map(|(uid, module)| (*uid, module)));
        let places = Places::new(models);
        let own =
            places.modules().filter(|(_, module)| !module.is_libc_model).flat_map(|(_, module)| &module.functions);
        let functions = own.map(|function| function.name.clone()).collect();
        Subject {
            sites,
            places,
            aborts,
            judge: Judge::new(asan, settings, functions),
            sampling: Sampling::default(),
            settled: HashMap::new(),
            known: HashMap::new(),
            expensive: Expensive::default(),
            expensive_ways: Expensive::default(),
            taken: HashSet::new(),
            in_vain: Expensive::default(),
        }
    }
}
