//! Layered solver: `solve(path prefix, goal, hint) → Sat(changed bytes) | Unsat | Unknown(why)`.
//!
//! ```text
//!  Session (prefix of one path)
//!    byte ── one byte changed, from the index of the path by byte: most flips end here
//!    recent ── an answer to an earlier question about the same bytes
//!    fixed ── terms that the path leaves one value become constants; the goal may dissolve
//!      └─ slice ─▶ values ─▶ cache ─▶ invert ─▶ domains ─▶ local ─▶ bit-blasting ─▶ Z3
//! ```
//!
//! * [`slice`] and `components`: which conditions matter to a goal. `ground`: terms under the hint and next to it;
//!   `forms`: what was found out there, for all paths.
//! * [`values`]: goals behind one term of few values. [`cache`]: by structure. [`invert`]: backwards through operations.
//!   [`domains`]: exact search over a few bytes. [`local`]: by distance.
//! * [`session`] guards the outside: every `Sat` is evaluated, shortened by [`minimise`], and counted in [`stats`].
//!   [`chain`] is where the order is.
//!
//! Each layer answers a [`Problem`] or leaves it to the next one. The hint is the input of the run that the prefix comes
//! from, so it satisfies the prefix; an answer keeps every byte of it that need not change.
//!
//! No IO: caches are handed in and out as bytes.

pub mod answer;
pub mod bits;
pub mod blast;
pub mod cache;
pub mod chain;
mod components;
mod digest;
pub mod domain;
pub mod domains;
mod forms;
mod front;
mod generations;
mod ground;
pub mod invert;
mod lanes;
pub mod local;
mod memo;
pub mod minimise;
pub mod problem;
pub mod program;
pub mod session;
pub mod slice;
pub mod stats;
pub mod values;
pub mod z3;

pub use answer::{Answer, Change, Why};
pub use cache::{Cache, CacheError};
pub use chain::{NAMES, Options};
pub use domain::Domain;
pub use problem::{Layer, Limits, Problem};
pub use session::{PathState, Session, Solver};
pub use stats::{LayerStats, Stats};
