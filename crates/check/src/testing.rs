//! What tests start from.

use crate::asan::Frame;
use crate::finding::{FINGERPRINTS, Finding, Place};
use crate::stats::{Counts, SeedCount, Summary, Unconfirmed};
use crate::way::{Decision, Way};
use offshoot_campaign::{ChangedByte, Ending};

#[path = "../tests/support/example.rs"]
mod examples;
pub use examples::{Example, example};
