//! What the run-time library and the tool agree on: the layout of a trace in shared memory, and the meaning of a term.
//!
//! The run-time library (inside the target) writes; the tool reads. Nothing here allocates, does IO or needs `std`.
//!
//! * [`node`]: terms, 16 bytes each, in an append-only arena. A child's id is always smaller than its parent's.
//! * [`eval`]: the value of one node from the values of its operands. Both sides use this one definition, and the
//!   self-check compares it with what the processor computed.
//! * [`event`]: what happened, in order, as a stream of 64-bit words.
//! * [`layout`]: the header and the regions of a trace file.
//! * [`serve`]: how the tool asks a process for many runs.
//! * [`recording`]: what a process of somebody's test suite tells of itself.
#![no_std]

pub mod eval;
pub mod event;
pub mod layout;
pub mod node;
pub mod recording;
pub mod serve;

pub use eval::apply;
pub use event::{Event, EventKind};
pub use layout::{Header, RegionId, TRACE_VERSION};
pub use node::{Node, NodeId, Op};
