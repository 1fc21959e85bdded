//! `offshoot explore` and `offshoot explain` from the outside: what a user types, sees and finds on the disk.
//!
//! Needs what `make build` leaves in target/release/lib/offshoot.

mod bad_input;
mod cracks;
mod criteria;
mod explain;
mod filter;
mod place;
mod repeat;
mod slow;
mod stages;
mod walkthroughs;
