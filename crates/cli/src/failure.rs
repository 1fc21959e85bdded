//! Errors that the user sees: one line that says what to do, and an exit code.

use offshoot_base::Exit;
use std::fmt;

#[derive(Debug)]
pub struct Failure {
    pub exit: Exit,
    message: String,
}

impl Failure {
    /// Something about the command line or what it names.
    pub fn usage(message: impl fmt::Display) -> Failure {
        Failure { exit: Exit::Usage, message: message.to_string() }
    }

    /// Something that should have worked.
    pub fn internal(message: impl fmt::Display) -> Failure {
        Failure { exit: Exit::Internal, message: message.to_string() }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message.replace('\n', " "))
    }
}
