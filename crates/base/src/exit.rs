//! The exit codes of the command line; scripts and CI jobs depend on them, so a number never changes its meaning.

use std::process::{ExitCode, Termination};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Exit {
    Clean = 0,
    Findings = 1,
    Usage = 2,
    /// A gate such as `--fail-under-branch` was missed.
    GateMissed = 3,
    /// The given tests fail, or there are none.
    TestsFail = 4,
    /// `--require-complete`, and something stayed open.
    Inconclusive = 5,
    Internal = 70,
    /// Interrupted; results up to then are kept.
    Interrupted = 130,
}

impl Exit {
    pub const ALL: [Exit; 8] = [
        Exit::Clean,
        Exit::Findings,
        Exit::Usage,
        Exit::GateMissed,
        Exit::TestsFail,
        Exit::Inconclusive,
        Exit::Internal,
        Exit::Interrupted,
    ];

    pub fn code(self) -> u8 {
        self as u8
    }

    pub fn from_code(code: u8) -> Option<Exit> {
        Exit::ALL.into_iter().find(|exit| exit.code() == code)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

impl Termination for Exit {
    fn report(self) -> ExitCode {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn codes_are_those_of_the_manual() {
        let codes: Vec<u8> = Exit::ALL.into_iter().map(Exit::code).collect();
        assert_eq!(codes, [0, 1, 2, 3, 4, 5, 70, 130]);
        for exit in Exit::ALL {
            assert_eq!(Exit::from_code(exit.code()), Some(exit));
        }
        assert_eq!(Exit::from_code(6), None);
    }
}
