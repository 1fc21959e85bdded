//! Clang 19's coverage mapping, evaluated the way `llvm-cov-19` does: lines, functions, regions, branches and MC/DC.
//!
//! Nothing here opens a file. A [`Mapping`] comes from the sections `__llvm_covmap` and `__llvm_covfun` of a program,
//! [`Names`] from `__llvm_prf_names`, and a [`Profile`] from `__llvm_prf_data` of the program and the contents that
//! `__llvm_prf_cnts` and `__llvm_prf_bits` had when a run ended. A [`Report`] puts them together.
//!
//! What clang 19 itself leaves out: a decision with another one inside of an operand, as in `f(a && b) || c` and
//! `!(a && b) || c`, gets a warning and no MC/DC; its conditions are branches only. There is no limit of six conditions
//! any more, as there was in clang 18.
//!
//! The figures are those of `llvm-cov-19 export`; `tests/oracle.rs` holds them against each other.

mod counter;
mod covered;
mod cursor;
mod decision;
mod error;
mod filenames;
mod function;
mod lacking;
mod mapping;
mod mcdc;
mod names;
mod profile;
mod record;
mod region;
mod report;
mod segments;
mod summary;

pub use counter::{Counter, Expression, Expressions};
pub use covered::{covered_branches, covered_lines};
pub use error::{MappingError, ProfileError};
pub use function::{Branch, CountedRegion, DropReason, Function};
pub use mapping::Mapping;
pub use mcdc::{Condition, Decision, Vector, only_difference};
pub use names::Names;
pub use profile::{Addresses, Counts, Profile};
pub use record::Record;
pub use region::{Position, Region, RegionKind, Span};
pub use report::{Dropped, File, Group, Report};
pub use segments::{Line, Segment};
pub use summary::{Summary, Tally};
