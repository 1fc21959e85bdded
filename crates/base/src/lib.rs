//! What every crate agrees on and nobody has to look up: exit codes, versions, units, budgets, seeded randomness. No IO.

mod budgets;
mod exit;
mod rng;
mod shown;
mod thing;
mod units;

pub use budgets::Budgets;
pub use exit::Exit;
pub use rng::Rng;
pub use shown::shown;
pub use thing::{Thing, What};
pub use units::{UnitError, format_duration, format_size, parse_duration, parse_size};

/// Version of everything that we write to disk and read back. A reader refuses another version by name.
pub const FORMAT_VERSION: u32 = 1;
