//! The order of the layers: the one place where the chain is put together.

use crate::bits::Bits;
use crate::cache::Cache;
use crate::domains::Domains;
use crate::invert::Invert;
use crate::local::Local;
use crate::problem::Layer;
use crate::values::ValueSets;
use crate::z3::Z3;

#[derive(Clone, Debug)]
pub struct Options {
    /// Layers that are left out, by name.
    pub off: Vec<String>,
    /// Ask the judge about every `Unsat` of a layer.
    pub solver_check: bool,
    /// Answers kept by structure.
    pub cached: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { off: Vec::new(), solver_check: false, cached: 1 << 16 }
    }
}

impl Options {
    /// Only these layers.
    pub fn only(names: &[&str]) -> Options {
        let off = NAMES.iter().filter(|name| !names.contains(name)).map(|&name| name.to_owned()).collect();
        Options { off, ..Options::default() }
    }

    pub fn is_on(&self, name: &str) -> bool {
        !self.off.iter().any(|off| off == name)
    }
}

/// All layers, in order; the first three look at the session itself.
pub const NAMES: &[&str] = &[
    crate::front::BYTE,
    crate::front::RECENT,
    crate::front::FIXED,
    "values",
    "cache",
    "invert",
    "domains",
    "local",
    "bits",
    "z3",
];

/// Cheap and narrow first, slow and complete last.
pub fn chain(cache: Cache) -> Vec<Box<dyn Layer>> {
    vec![
        Box::new(ValueSets),
        Box::new(cache),
        Box::new(Invert),
        Box::new(Domains),
        Box::new(Local::default()),
        Box::new(Bits::new()),
        Box::new(Z3::new()),
    ]
}
