//! Runs target programs: each execution in its own sandbox, under limits, with a trace if asked for.
//!
//! ```text
//! Invocation ──plan──▶ Launch (all memory that the child needs) ──clone──▶ child: namespaces, mounts, exec
//!                                                                  └─────▶ supervise: pipes, limits ──▶ Outcome
//! ```
//!
//! Invariants: nothing is allocated between clone and exec (the tool may have other threads, and one of them may hold
//! the allocator's lock at that moment); a sandbox that cannot be had is an error, never a weaker sandbox.

mod changes;
mod child;
pub mod doctor;
mod error;
mod invocation;
mod landlock;
mod mounts;
mod outcome;
mod sandbox;
mod supervise;
mod sys;
mod tracefile;
mod tree;

pub use changes::{Change, ChangeKind};
pub use error::{Error, Result};
pub use invocation::{Capture, Invocation, Limits, Stdin, invoke};
pub use outcome::{Captured, Limit, Outcome, Status};
pub use sandbox::{Detected, Policy};
pub use tracefile::TraceFile;
