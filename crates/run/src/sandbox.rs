//! Which protection a run gets, and what has to be made ready for it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{fs, io};

use rustix::fs::{MemfdFlags, XattrFlags, fsetxattr, memfd_create};

use crate::changes::Scratch;
use crate::child::Confinement;
use crate::invocation::{Invocation, Limits, invoke};
use crate::landlock;
use crate::mounts::{Plan, SHARED_INSIDE};
use crate::{Error, Result};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Policy {
    /// Own user, mount, pid, ipc, uts and network namespaces, all writes into a private overlay.
    Sandboxed,
    /// Reads everything, writes only into a private directory (`TMPDIR`).
    LandlockOnly,
    /// Limits only. For programs that the user trusts.
    None,
}

/// The best policy of this machine, and why it is not a better one.
#[derive(Clone, Debug)]
pub struct Detected {
    pub policy: Policy,
    /// Empty if the policy is [`Policy::Sandboxed`].
    pub why: Vec<String>,
}

impl Policy {
    /// By trying, once for each process.
    pub fn detect() -> &'static Detected {
        static DETECTED: OnceLock<Detected> = OnceLock::new();
        DETECTED.get_or_init(|| {
            let mut why = Vec::new();
            match try_namespaces() {
                Ok(()) => return Detected { policy: Policy::Sandboxed, why },
                Err(error) => why.push(error.to_string()),
            }
            let private = std::env::temp_dir();
            match landlock::ruleset(&private, None) {
                Ok(_) => Detected { policy: Policy::LandlockOnly, why },
                Err(error) => {
                    why.push(error);
                    Detected { policy: Policy::None, why }
                }
            }
        })
    }
}

/// A whole sandbox around an exec that must fail: a directory is no program.
pub(crate) fn try_namespaces() -> Result<()> {
    let probe = Invocation { cwd: Some("/".into()), ..Invocation::new("/") };
    match invoke(&probe) {
        Err(Error::Exec { .. }) | Ok(_) => Ok(()),
        Err(error) => Err(error),
    }
}

/// What the policy adds to an invocation.
pub(crate) struct Prepared {
    pub confinement: Confinement,
    pub scratch: Option<Scratch>,
    pub environment: Vec<(OsString, OsString)>,
    /// Where the program finds the file that it shares with us.
    pub shared: Option<PathBuf>,
}

impl Prepared {
    pub fn new(
        policy: Policy,
        limits: &Limits,
        cwd: &Path,
        shared: Option<&Path>,
        in_memory: bool,
    ) -> Result<Prepared> {
        let outside = shared.map(Path::to_path_buf);
        let scratch = |in_memory| Scratch::new(in_memory).map_err(Error::system("make a private directory"));
        match policy {
            Policy::Sandboxed => {
                let scratch = scratch(in_memory)?;
                let plan = Plan::new(
                    scratch.path(),
                    in_memory.then_some(limits.disk),
                    pid_max(limits.processes),
                    cwd,
                    outside.as_deref(),
                )?;
                Ok(Prepared {
                    confinement: Confinement::Namespaces(plan),
                    scratch: Some(scratch),
                    environment: Vec::new(),
                    shared: outside.map(|_| PathBuf::from(SHARED_INSIDE)),
                })
            }
            Policy::LandlockOnly => {
                let scratch = scratch(false)?;
                let ruleset = landlock::ruleset(scratch.path(), outside.as_deref())
                    .map_err(|text| Error::Sandbox { step: "Landlock".to_owned(), source: io::Error::other(text) })?;
                Ok(Prepared {
                    confinement: Confinement::Landlock(ruleset),
                    environment: vec![("TMPDIR".into(), scratch.path().into())],
                    scratch: Some(scratch),
                    shared: outside,
                })
            }
            Policy::None => {
                Ok(Prepared { confinement: Confinement::None, scratch: None, environment: Vec::new(), shared: outside })
            }
        }
    }
}

/// Tells the kernel which users exist in the child's user namespace: all of ours for user 0, else only ourselves, under
/// the same numbers, so that the program sees the owner it would see outside.
pub(crate) fn write_identity_maps(pid: i32) -> io::Result<()> {
    let (uid, gid) = (rustix::process::geteuid(), rustix::process::getegid());
    if uid.is_root() {
        for map in ["uid_map", "gid_map"] {
            fs::write(format!("/proc/{pid}/{map}"), identity(&fs::read_to_string(format!("/proc/self/{map}"))?))?;
        }
        return Ok(());
    }
    // Without this the kernel lets nobody but root write a group map.
    fs::write(format!("/proc/{pid}/setgroups"), "deny")?;
    fs::write(format!("/proc/{pid}/uid_map"), format!("{0} {0} 1\n", uid.as_raw()))?;
    fs::write(format!("/proc/{pid}/gid_map"), format!("{0} {0} 1\n", gid.as_raw()))
}

/// Each line is "first inside, first outside, count"; what is inside for us is outside for the child.
fn identity(own: &str) -> String {
    own.lines()
        .filter_map(|line| {
            let mut fields = line.split_whitespace();
            let (inside, _, count) = (fields.next()?, fields.next()?, fields.next()?);
            Some(format!("{inside} {inside} {count}\n"))
        })
        .collect()
}

/// Threads have pids too, so this is only the wall behind [`Limits::processes`], for what grows faster than the
/// supervisor looks.
pub(crate) fn task_limit(processes: u64) -> u64 {
    processes.saturating_mul(8).saturating_add(64)
}

/// Before Linux 6.14 there is only one `pid_max`, that of the whole machine, and user 0 could write it from inside.
pub(crate) fn pid_max(processes: u64) -> Option<u64> {
    /// The kernel hands these numbers out only once.
    const RESERVED_PIDS: u64 = 300;
    (kernel_version() >= (6, 14)).then(|| (RESERVED_PIDS + task_limit(processes)).min(4 << 20))
}

/// (0, 0) if it cannot be told.
pub(crate) fn kernel_version() -> (u32, u32) {
    let release = rustix::system::uname().release().to_string_lossy().into_owned();
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map_while(|number| number.parse().ok());
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

/// An overlay keeps its marks in user attributes of the upper layer; tmpfs has them since Linux 6.6.
pub(crate) fn tmpfs_has_user_attributes() -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    *HAS.get_or_init(|| {
        memfd_create(c"offshoot-probe", MemfdFlags::CLOEXEC)
            .is_ok_and(|file| fsetxattr(&file, c"user.offshoot", b"y", XattrFlags::empty()).is_ok())
    })
}

#[cfg(test)]
mod tests {
    use super::identity;

    #[test]
    fn maps_are_taken_over_by_their_inner_numbers() {
        assert_eq!(identity("         0          0 4294967295\n"), "0 0 4294967295\n");
        assert_eq!(identity("0 100000 65536\n70000 1000 1\n"), "0 0 65536\n70000 70000 1\n");
    }
}
