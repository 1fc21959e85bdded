//! What an execution came to.

use std::io;
use std::path::Path;
use std::time::Duration;

use crate::changes::{Change, Scratch};
use crate::sandbox::Policy;

/// Of [`Outcome::content`].
const LARGEST_CONTENT: u64 = 1 << 30;

/// The private file system, and with it the content of every [`Change`], lives as long as the outcome.
#[derive(Debug)]
pub struct Outcome {
    pub status: Status,
    pub stdout: Captured,
    pub stderr: Captured,
    pub wall: Duration,
    /// User and system time of all processes of the run.
    pub cpu: Duration,
    /// Largest resident set of a single process, in bytes. Never below the tool's own size at the time of the fork:
    /// the kernel carries that over.
    pub max_rss: u64,
    /// What was really in force.
    pub policy: Policy,
    /// Where the sandbox differs from the plain system, in words for the user; empty in the usual case.
    pub notes: Vec<String>,
    /// In order of path; empty unless the policy is [`Policy::Sandboxed`].
    pub changes: Vec<Change>,
    pub(crate) _scratch: Option<Scratch>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Exited(i32),
    Signaled {
        signal: i32,
        core: bool,
    },
    TimedOut,
    KilledBy(Limit),
    /// The cancellation flag was raised.
    Interrupted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    Cpu,
    Memory,
    Output,
    FileSize,
    Processes,
}

/// What there was too little of: "used up its …".
impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Limit::Cpu => "processor time",
            Limit::Memory => "memory",
            Limit::Output => "output",
            Limit::FileSize => "file size",
            Limit::Processes => "processes",
        })
    }
}

/// One output stream.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Captured {
    /// The beginning, up to [`crate::Limits::capture`].
    pub bytes: Vec<u8>,
    /// All that the program wrote (as far as it lived).
    pub total: u64,
}

impl std::fmt::Debug for Captured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Captured").field("text", &self.text()).field("total", &self.total).finish()
    }
}

impl Captured {
    pub fn is_cut(&self) -> bool {
        self.total > self.bytes.len() as u64
    }

    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }
}

impl Status {
    pub(crate) fn from_wait(status: i32) -> Status {
        if libc::WIFSIGNALED(status) {
            return match libc::WTERMSIG(status) {
                libc::SIGXCPU => Status::KilledBy(Limit::Cpu),
                libc::SIGXFSZ => Status::KilledBy(Limit::FileSize),
                signal => Status::Signaled { signal, core: libc::WCOREDUMP(status) },
            };
        }
        Status::Exited(libc::WEXITSTATUS(status))
    }

    pub fn is_success(self) -> bool {
        self == Status::Exited(0)
    }
}

impl Outcome {
    pub fn change(&self, path: impl AsRef<Path>) -> Option<&Change> {
        self.changes.iter().find(|change| change.path == path.as_ref())
    }

    /// What the program left at `path`, if it created or changed it.
    ///
    /// A sparse file can be larger than any memory, and takes no room in the sandbox: what is larger than a run may write
    /// ([`crate::Limits::file_size`], by default) is an error.
    pub fn content(&self, path: impl AsRef<Path>) -> Option<io::Result<Vec<u8>>> {
        self.change(path).filter(|change| change.stored.is_some()).map(|change| change.read(LARGEST_CONTENT))
    }
}
