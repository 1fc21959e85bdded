//! The loop that ties it together; everything a user sees is an event it emits.
//!
//! ```text
//!  explore ──candidate──▶ worker: recall trail ─▶ solve ─▶ run ──▶ explore: coverage, tree, test, finding, ledger
//!     │                                                               │
//!     └── strategy ◀──────────────────────────────────────────────────┘──▶ store, events
//! ```
//!
//! * [`explore`]: the loop and its state. [`worker`]: what may happen in parallel.
//! * [`runner`], [`profile`], [`reduction`], [`preserved`], [`watch`], [`pool`]: tests that are there already, what they
//!   cover, and less of them.
//! * [`stages`]: what may come before the loop: [`mutation`], reduction, ranking.
//! * [`target`]: the program. [`seed`]: an input to begin with. [`trail`]: what a trace says.
//! * [`sites`], [`coverage`]: decisions numbered for the whole campaign, and which of them were taken. [`fitness`]: how
//!   near a run came to the others. [`places`]: where any site of a trace is in the source.
//! * [`sync`]: other fuzzers beside it.
//! * [`store`], [`journal`], [`ledger`]: what is kept. [`event`], [`stats`]: what is told.

pub mod counted;
pub mod coverage;
pub mod event;
pub mod explore;
pub mod fitness;
pub mod journal;
pub mod ledger;
pub mod mutation;
pub mod places;
pub mod pool;
pub mod preserved;
pub mod profile;
pub mod reduction;
pub mod runner;
pub mod seed;
pub mod sites;
pub mod stages;
pub mod stats;
pub mod store;
pub mod sync;
pub mod target;
pub mod trail;
mod trust;
pub mod watch;
pub mod worker;

pub use event::{ChangedByte, Ending, Event};
pub use seed::Seed;
pub use sites::Sites;
