//! Commands on the tests of an earlier campaign: `DIR/tests/*`, and `DIR/findings/*` where they are asked for.

mod cases;
mod counting;
mod export;
mod import;
mod measure;
mod meter;
mod rank;
mod record;
mod reduce;
mod replay;
mod running;
mod select;

pub use cases::{Case, Folder, read_cases};
pub use counting::Variants;
pub use export::Export;
pub use import::Import;
pub use meter::Meter;
pub use rank::{ORDER, Rank};
pub use record::{Record, Session, record, recorder_or_warning};
pub use reduce::Reduce;
pub use replay::Replay;
pub use running::Running;
pub use select::Select;

use crate::failure::Failure;
use crate::output::print;

pub fn warn(text: impl std::fmt::Display) {
    eprintln!("offshoot: warning: {text}");
}

fn json(value: &impl serde::Serialize) -> Result<String, Failure> {
    Ok(serde_json::to_string_pretty(value).map_err(Failure::internal)? + "\n")
}

fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    print(&json(value)?)
}
