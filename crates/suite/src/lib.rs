//! Tests: what they are, how they lie on disk, which come first, which are needed, how they get smaller, and how they
//! come from and go to other tools.
//!
//! ```text
//!  import ──▶ Test (command, bytes by source, what was seen) ──▶ Suite (a folder a test, identical ones once) ──▶ export
//!                │                          coverage of each ──▶ rank, select
//!                └─ components ──▶ ddmin
//! ```
//!
//! Nothing here runs a program: who reduces or ranks brings the oracle and the coverage.

pub mod apbd;
pub mod bytes;
pub mod choice;
pub mod components;
pub mod ddmin;
mod error;
pub mod export;
pub mod folder;
pub mod import;
pub mod inputs;
pub mod ktest;
mod matrix;
pub mod rank;
pub mod recording;
pub mod reduce;
mod scratch;
pub mod select;
pub mod shell;
pub mod source;
pub mod steady;
pub mod suite;
pub mod test;
pub mod testcomp;
mod text;
pub mod world;

pub use apbd::apbd;
pub use bytes::{Bytes, Edit, Input};
pub use choice::{Choice, chosen};
pub use components::{Component, Split, Stage, stages};
pub use ddmin::{Reduced, Verdict, ddmin};
pub use error::{Error, Result};
pub use folder::{read_test, write_test};
pub use matrix::Profile;
pub use offshoot_base::{Thing, What};
pub use rank::{Order, rank};
pub use reduce::{Reduction, reduce};
pub use select::{Selection, select};
pub use source::Source;
pub use steady::{select_steady, steady_first};
pub use suite::{Added, Suite};
pub use test::{Command, Expectation, Expected, Origin, Output, SEED, SEED_PATH, Standing, Status, Test, TestId};
pub use world::{Sink, World};
