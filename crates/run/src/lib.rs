//! Runs target programs: each execution in its own sandbox, under limits, with a trace if asked for.
//!
//! ```text
//! Invocation ──plan──▶ Launch (all memory that the child needs) ──clone──▶ child: namespaces, mounts, exec
//!                                                                  └─────▶ supervise: pipes, limits ──▶ Outcome
//! ```
//!
//! [`Server`] makes many runs of one command out of one process that stopped at its beginning.
//!
//! Invariants: nothing is allocated between clone and exec (the tool may have other threads, and one of them may hold
//! the allocator's lock at that moment); a sandbox that cannot be had is an error, never a weaker sandbox.

mod changes;
mod child;
mod delivery;
mod descendants;
pub mod doctor;
mod error;
mod invocation;
mod landlock;
mod live;
mod mounts;
mod outcome;
mod place;
mod process;
mod reaper;
mod regular;
mod sandbox;
mod server;
mod streams;
mod supervise;
mod sys;
mod tracefile;
mod tree;
mod world;

pub use changes::{Change, ChangeKind};
pub use delivery::Delivery;
pub use descendants::{Finished, run_with_descendants};
pub use error::{Error, Result};
pub use invocation::{Capture, Invocation, Limits, Stdin, invoke};
pub use offshoot_base::{Thing, What};
pub use outcome::{Captured, Limit, Outcome, Status};
pub use regular::{Links, read_regular};
pub use sandbox::{Detected, Policy};
pub use server::{Counts, Served, Server};
pub use sys::trim_memory;
pub use tracefile::TraceFile;
