//! Terms of a trace: reading, evaluating, rewriting and printing them. No IO: a trace is a byte slice.
//!
//! ```text
//!  bytes ──view──▶ nodes, events ──import──▶ terms (hash-consed, rewritten) ──▶ path ──▶ show, smt, tape
//!                     └──eval──▶ values
//! ```
//!
//! * [`view`]: a trace file as the run left it, which may be torn or hostile; [`check`] says which nodes can be trusted.
//! * [`input`]: what the input bytes are; [`eval`]: what the nodes of a trace are worth under them.
//! * [`term`]: a pool of terms that outlives the trace, kept in canonical form by the [`rules`]; [`support`] knows the
//!   input bytes of each, [`import`] fills it from a trace, [`tape`] evaluates it.
//! * [`path`]: the path condition. [`show`] prints terms for people, [`smt`] for solvers.
//! * [`word`]: the meaning of a term once more, for at most 64 bits and many evaluations. [`hash`]: tables by id.
//! * [`build`]: traces made by hand, for the tests of everybody who reads traces.

pub mod build;
pub mod check;
pub mod eval;
pub mod hash;
pub mod import;
pub mod input;
pub mod path;
pub mod rules;
pub mod show;
pub mod smt;
pub mod support;
pub mod tape;
pub mod term;
pub mod view;
pub mod word;

pub use check::Damage;
pub use eval::{Evaluator, Values};
pub use import::{Import, Imported};
pub use input::Input;
pub use path::{Constraint, Path};
pub use support::{ByteRange, SetId, Support};
pub use tape::Tape;
pub use term::{Pool, TableId, Term, TermId};
pub use view::{Source, TraceView, ViewError};
