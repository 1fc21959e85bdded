//! Paths as a user sees them.

use std::path::Path;

/// As seen from `here`, if the file is below.
pub fn shown<'a>(name: &'a str, here: &Path) -> &'a str {
    let is_known = !here.as_os_str().is_empty();
    let below = is_known.then(|| Path::new(name).strip_prefix(here).ok()?.to_str()).flatten();
    below.unwrap_or(name)
}
