//! The strategies, one file each, and the names that the command line knows them by.

mod auto;
mod bfs;
mod carfast;
mod cfg;
mod cgs;
mod dfs;
mod directions;
mod fenwick;
mod fitness;
mod generational;
mod interleave;
mod md2u;
mod names;
mod parse;
mod pool;
mod pps;
mod random_branch;
mod random_path;
mod random_state;
mod ranking;
mod subpath;
mod uniform_random;

pub use names::{NAMES, Named, draws_nothing};
pub use parse::{ParseError, parse, parts};
