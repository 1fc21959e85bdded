//! Checks every sensitive operation of the given tests for all inputs that take the same path, and then of paths that lie
//! beside those (ZESTI, ICSE 2012).
//!
//! ```text
//!  seed ──run──▶ path: sensitive operations ──▶ kinds: violation ──solve──▶ input ──▶ judge (asan) ──▶ finding
//!                  │                                                                   ▲
//!                  └─ distance 1, 2, 3 …: decisions before an operation ──solve──▶ run ┘
//! ```
//!
//! * [`kinds`]: what is checked, one file each. [`operation`]: where. [`path`]: one run, its decisions and operations.
//! * [`check`]: the loop over distances. [`subject`]: one of the programs that the tests run. [`sampling`]: what is left out.
//! * [`judge`], [`asan`]: is it an error? [`finding`]: which ones are the same, [`baseline`]: which ones are known. [`way`]: the
//!   decisions that lead there, [`source`]: their text. [`reduce`]: which changed bytes it needs. [`sample`]: some seeds instead of all.
//! * [`html`], [`sarif`], [`junit`], [`github`], [`stats`], [`event`]: what is told.

pub mod asan;
pub mod baseline;
pub mod check;
pub mod event;
pub mod finding;
pub mod github;
pub mod html;
pub mod judge;
pub mod junit;
pub mod kinds;
pub mod operation;
pub mod path;
pub mod reduce;
pub mod sample;
pub mod sampling;
pub mod sarif;
pub mod source;
pub mod stats;
pub mod subject;
pub mod way;

#[cfg(test)]
mod testing;

pub use check::{CheckError, Options, check};
pub use event::Event;
pub use finding::Finding;
pub use stats::Summary;
pub use subject::Subject;
