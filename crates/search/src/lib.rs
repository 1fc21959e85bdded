//! Where to go next: the execution tree, the candidates that it offers, the filter that drops those that cannot cover
//! anything, and the strategies that choose among the rest.
//!
//! ```text
//!  run ──▶ Tree (site and outcome a step, shared prefixes once) ──▶ Strategy ──▶ Filter ──▶ (solve, run) ─────┐
//!            ▲                                                                                              │
//!            └──────────────────────────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! *Store inputs, not expressions*: the tree knows which way every symbolic decision of every run went, and nothing of
//! its terms; who wants to solve a candidate runs its input again. No IO.

pub mod filter;
mod hash;
pub mod strategy;
pub mod structure;
pub mod tree;
pub mod types;

pub use filter::Filter;
pub use structure::{Relevance, Structure};
pub use tree::{Inserted, Options, Statistics, Tree};
pub use types::{Candidate, GoalId, Knowledge, RunId, Site, Step, Strategy, Verdict};
