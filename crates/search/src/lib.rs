//! Where to go next: the execution tree, the candidates that it offers, and the strategies that choose among them.
//!
//! ```text
//!  run ──▶ Tree (site and outcome a step, shared prefixes once) ──▶ Strategy ──▶ Candidate ──▶ (solve, run) ──┐
//!            ▲                                                                                              │
//!            └──────────────────────────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! *Store inputs, not expressions*: the tree knows which way every symbolic decision of every run went, and nothing of
//! its terms; who wants to solve a candidate runs its input again. No IO.

mod hash;
pub mod strategy;
pub mod tree;
pub mod types;

pub use tree::{Inserted, Options, Statistics, Tree};
pub use types::{Candidate, GoalId, Knowledge, RunId, Site, Step, Strategy, Verdict};
