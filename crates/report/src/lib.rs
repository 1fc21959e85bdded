//! What stored campaigns say when they are put beside each other. Starts no process and knows no solver: it reads
//! `events.jsonl` and writes text.
//!
//! * [`curve`]: one campaign. [`statistics`]: many numbers.
//! * [`coverage`]: what was covered, in the forms of other tools and for people.
//! * [`html`]: what pages are made of.
//! * [`lab`]: strategies compared. [`table`], [`plot`], [`page`]: the forms in which people read it.

pub mod coverage;
pub mod curve;
pub mod html;
pub mod lab;
pub mod page;
pub mod plot;
pub mod statistics;
pub mod table;

pub use curve::{Curve, Run, RunError};
pub use lab::{Budget, Lab, Outcome};
