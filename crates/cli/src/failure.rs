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

    /// There are no tests, or none that can be run.
    pub fn tests(message: impl fmt::Display) -> Failure {
        Failure { exit: Exit::TestsFail, message: message.to_string() }
    }

    /// The user's Ctrl-C, where there is nothing to keep.
    pub fn interrupted(message: impl fmt::Display) -> Failure {
        Failure { exit: Exit::Interrupted, message: message.to_string() }
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
