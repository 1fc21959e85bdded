//! Results on standard output.

use crate::failure::Failure;
use std::io::{ErrorKind, Write};

/// Whoever reads may stop reading (`| head`): that is no failure.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(|error| Failure::internal(format!("cannot write to standard output: {error}"))),
    }
}
