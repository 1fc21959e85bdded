//! The model of one translation unit.

use serde::{Deserialize, Serialize};

/// Index into [`Module::sites`]. Site 0 is "no site".
pub type SiteIndex = u32;

/// A wrapped libc function's name is this and its own.
pub const WRAPPER_PREFIX: &str = "__off_w_";

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
    /// Names of callees and texts of function types, each once.
    pub symbols: Vec<Symbol>,
    /// Functions whose address this module takes, whether it defines them or not.
    pub address_taken: Vec<SymbolIndex>,
    /// Other names of functions that are defined here.
    pub aliases: Vec<Alias>,
}

/// Index into [`Module::symbols`].
pub type SymbolIndex = u32;

pub type Symbol = String;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alias {
    pub symbol: SymbolIndex,
    /// Index into [`Module::functions`].
    pub function: u32,
    pub linkage: Linkage,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// The name as the linker sees it.
    pub name: String,
    pub file: u32,
    pub line: u32,
    pub linkage: Linkage,
    /// The function type, for indirect calls.
    pub ty: SymbolIndex,
    /// As the front end left them; the first is the entry. Empty if the function was not looked at (`naked`).
    pub blocks: Vec<Block>,
}

/// Which definition of a name the linker takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Linkage {
    #[default]
    Strong,
    /// Any of several, and only if none is strong.
    Weak,
    /// `static`: seen by its own module only.
    Local,
}

/// Calls, and then at most one decision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// Indices into [`Function::blocks`]. If the block decides a site, one for each outcome: of a condition false and
    /// true, of a switch its cases in order and then the default. Otherwise any of them may follow.
    pub successors: Vec<u32>,
    /// The `Condition` or `Switch` that the block ends with, or 0.
    pub site: SiteIndex,
    /// In the order in which they are made.
    pub calls: Vec<Callee>,
    /// Of the first instruction that has one, else 0.
    pub line: u32,
    /// Control goes back to the caller: what has neither this nor successors ends the program.
    pub returns: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Callee {
    Direct(SymbolIndex),
    /// Through a pointer to functions of this type.
    Indirect(SymbolIndex),
    /// A function that is handed to a call and may be called there (`pthread_create`, `atexit`, `qsort`).
    Passed(SymbolIndex),
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
    /// Two or more conditions that decide together, such as `a && (b || c)`. Its outcomes are the ways through it.
    Decision {
        /// Each behind those that lead to it, so the first is evaluated first.
        parts: Vec<Part>,
        /// 0: it has too many, or the front end's code for it was not understood; then there are no parts either.
        ways: u32,
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

/// A condition within a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The site of the condition; 0 if it is no decision of its own (it repeats another).
    pub site: SiteIndex,
    /// What is evaluated next if it is false and if it is true, as indices into the decision's parts; `None`: nothing,
    /// and the decision has the same result as this part.
    pub next: [Option<u16>; 2],
    /// What it adds to the number of the way if it is false and if it is true.
    pub steps: [u32; 2],
}
