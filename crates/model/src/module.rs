//! The model of one translation unit.

use serde::{Deserialize, Serialize};

/// Index into [`Module::sites`]. Site 0 is "no site".
pub type SiteIndex = u32;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Module {
    /// The name of the source as it was given to the compiler.
    pub source: String,
    /// Working directory of the compilation.
    pub directory: String,
    /// libc model code: its branches are candidates for the search, never coverage goals.
    pub is_libc_model: bool,
    pub files: Vec<String>,
    pub functions: Vec<Function>,
    /// Entry 0 is a placeholder.
    pub sites: Vec<Site>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    pub name: String,
    pub file: u32,
    pub line: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    pub kind: SiteKind,
    /// Index into [`Module::functions`].
    pub function: u32,
    /// Index into [`Module::files`].
    pub file: u32,
    /// 0 if unknown.
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SiteKind {
    /// Entry 0 of every module.
    None,
    /// A condition in the source: outcome 0 is false, outcome 1 is true.
    Condition,
    /// A `switch`; `cases` are the values of its labels, the default excepted.
    Switch {
        width: u8,
        cases: Vec<u64>,
    },
    /// A branch that the optimiser made; not a goal.
    Derived,
    /// A memory access whose address may be symbolic.
    Access {
        write: bool,
    },
    Division,
    /// A call: events of libc interceptors and losses name it.
    Call {
        callee: String,
    },
    /// An instruction that is not modelled.
    Unmodelled {
        what: String,
    },
    /// A function's entry.
    Entry,
}
