//! What the wrapper has to say. It is silent by default: a compiler that prints makes `configure` tests fail.

use std::fmt::Display;
use std::io::Write;

/// Something that was done differently from what the user asked. Goes to the file `OFFSHOOT_BUILD_LOG` names, and to
/// the terminal under `OFFSHOOT_VERBOSE`.
pub fn note(about: impl Display, what: impl Display) {
    let line = format!("{about}: {what}\n");
    if let Some(path) = std::env::var_os("OFFSHOOT_BUILD_LOG") {
        // One write of one line to a file opened for appending: parallel compilations do not tear each other's lines.
        let log = std::fs::OpenOptions::new().create(true).append(true).open(path);
        // A log that cannot be written must not fail the build.
        let _ = log.and_then(|mut log| log.write_all(line.as_bytes()));
    }
    if is_set("OFFSHOOT_VERBOSE") && !is_set("OFFSHOOT_QUIET") {
        eprint!("offshoot: {line}");
    }
}

/// Set, and neither empty nor "0".
pub fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0")
}
