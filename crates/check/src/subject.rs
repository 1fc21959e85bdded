//! One program whose tests are checked, and what was learnt of it so far. The tests of a suite may run several.

use crate::judge::{Asan, Judge};
use crate::kinds::Check;
use crate::operation::{Guarded, Guards};
use crate::sampling::{Expensive, Key, Sampling};
use offshoot_campaign::Sites;
use offshoot_campaign::places::Places;
use offshoot_campaign::runner::Settings;
use offshoot_model::Program;
use offshoot_search::Site;
use offshoot_suite::Source;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

pub struct Subject {
    pub sites: Sites,
    pub places: Places,
    pub guards: Guards,
    /// Checks that cannot be made: the program was built without them.
    pub missing: Vec<&'static str>,
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
    /// Turns that were taken: how often, and around what last. And others that were tried.
    pub turns: HashMap<u64, (u32, usize)>,
    pub turns_in_vain: Expensive<u64>,
    /// Bytes, by what the command finds around it, that led runs elsewhere when they were changed.
    pub strays: Expensive<(usize, Arc<Source>, u32)>,
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
    pub fn new(models: Vec<Program>, asan: Option<Asan>, settings: Settings, checks: &[&dyn Check]) -> Subject {
        let sites = Sites::new(&models);
        let guarded: Vec<(&'static str, Guarded)> =
            checks.iter().filter_map(|check| Some((check.name(), check.guards()?))).collect();
        let wanted: Vec<Guarded> = guarded.iter().map(|(_, from)| *from).collect();
        let modules = models.iter().flat_map(|model| &model.modules).map(|(uid, module)| (*uid, module));
        let guards = Guards::new(modules, &wanted);
        let arithmetic = guarded.iter().filter(|(_, from)| *from != Guarded::Abort);
        let (there, missing): (Vec<_>, Vec<_>) = arithmetic.partition(|(_, from)| guards.has(*from));
        let names = |these: Vec<&(&'static str, Guarded)>| these.iter().map(|(name, _)| *name).collect::<Vec<_>>();
        let (abort_on, missing) = (names(there).join(","), names(missing));
        let places = Places::new(models);
        let own =
            places.modules().filter(|(_, module)| !module.is_libc_model).flat_map(|(_, module)| &module.functions);
        let functions = own.map(|function| function.name.clone()).collect();
        Subject {
            sites,
            places,
            guards,
            missing,
            judge: Judge::new(asan, settings, functions, abort_on),
            sampling: Sampling::default(),
            settled: HashMap::new(),
            known: HashMap::new(),
            expensive: Expensive::default(),
            expensive_ways: Expensive::default(),
            taken: HashSet::new(),
            in_vain: Expensive::default(),
            turns: HashMap::new(),
            turns_in_vain: Expensive::default(),
            strays: Expensive::default(),
        }
    }
}
