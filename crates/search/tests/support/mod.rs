//! A toy that plays the program, the solver and the campaign, so that a strategy can be judged exactly.
//!
//! A program is a control-flow graph over a few small input values and a few registers. The inputs are so few that all
//! of them can be run: the solver is a search through them, and the feasible paths are known.

pub mod generate;
pub mod knowledge;
pub mod play;
pub mod program;
