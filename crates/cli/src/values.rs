//! Values of options.

use std::time::Duration;

pub fn duration(text: &str) -> Result<Duration, String> {
    offshoot_base::parse_duration(text).map_err(|error| error.to_string())
}

pub fn size(text: &str) -> Result<u64, String> {
    offshoot_base::parse_size(text).map_err(|error| error.to_string())
}
