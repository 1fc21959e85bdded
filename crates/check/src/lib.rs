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
//! * [`judge`], [`asan`]: is it an error? [`finding`]: which ones are the same.
//! * [`sarif`], [`junit`], [`stats`], [`event`]: what is told.

pub mod asan;
pub mod check;
pub mod event;
pub mod finding;
pub mod judge;
pub mod junit;
pub mod kinds;
pub mod operation;
pub mod path;
pub mod sampling;
pub mod sarif;
pub mod stats;
pub mod subject;

pub use check::{CheckError, Options, check};
pub use event::Event;
pub use finding::Finding;
pub use stats::Summary;
pub use subject::Subject;
