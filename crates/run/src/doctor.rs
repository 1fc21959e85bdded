//! Whether this machine has what Offshoot needs, and what to do where it has not.

use std::path::Path;
use std::process::Command;

use crate::sandbox::try_namespaces;
use crate::{Error, sys};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    pub name: &'static str,
    pub ok: bool,
    /// What was found.
    pub detail: String,
    /// For the user; empty if all is well.
    pub how_to_mend: String,
}

/// Shadow memory as the run-time library reserves it.
const SHADOW_START: usize = 0x1000_0000_0000;
const SHADOW_LENGTH: usize = 64 << 40;

/// `resources` is the directory with the run-time library and the libc models.
pub fn checks(resources: &Path) -> Vec<Check> {
    let mut checks = vec![
        tool("clang-19", "--version", "install the package clang-19"),
        tool("llvm-config-19", "--version", "install the package llvm-19-dev"),
        tool("llvm-profdata-19", "--version", "install the package llvm-19"),
        tool("llvm-cov-19", "--version", "install the package llvm-19"),
        z3(),
    ];
    checks.extend(namespaces());
    checks.extend([landlock(), randomisation(), address_space(), shared_memory(), resource_directory(resources)]);
    checks
}

fn check(name: &'static str, result: Result<String, String>, how_to_mend: &str) -> Check {
    match result {
        Ok(detail) => Check { name, ok: true, detail, how_to_mend: String::new() },
        Err(detail) => Check { name, ok: false, detail, how_to_mend: how_to_mend.to_owned() },
    }
}

fn tool(name: &'static str, argument: &str, how_to_mend: &str) -> Check {
    check(name, first_line(name, argument), how_to_mend)
}

fn first_line(program: &str, argument: &str) -> Result<String, String> {
    let output = Command::new(program).arg(argument).output().map_err(|error| format!("{program}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{program} {argument}: {}", output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    // llvm-cov and llvm-profdata begin with their maker's address.
    let line = text.lines().find(|line| line.contains(|c: char| c.is_ascii_digit())).unwrap_or_default();
    Ok(line.trim().to_owned())
}

/// The library is what the solver needs; the program is welcome too but proves nothing.
fn z3() -> Check {
    let library = Command::new("/sbin/ldconfig").arg("-p").output().ok().and_then(|output| {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().find(|line| line.trim_start().starts_with("libz3.so")).map(|line| line.trim().to_owned())
    });
    let result = match (library, first_line("z3", "--version")) {
        (Some(library), Ok(version)) => Ok(format!("{version}, {library}")),
        (Some(library), Err(_)) => Ok(library),
        (None, Ok(version)) => Err(format!("{version}, but no libz3.so")),
        (None, Err(_)) => Err("neither libz3.so nor z3 was found".to_owned()),
    };
    check("z3", result, "install the package libz3-dev")
}

/// One try answers both: how far it came.
fn namespaces() -> [Check; 2] {
    let users = "allow user namespaces: `sysctl user.max_user_namespaces=10000`, on Debian also \
                 `sysctl kernel.unprivileged_userns_clone=1`, on Ubuntu \
                 `sysctl kernel.apparmor_restrict_unprivileged_userns=0`; in a container run it with \
                 `--security-opt seccomp=unconfined`. Without them programs run under Landlock only";
    let overlay = "load the module (`modprobe overlay`) and use Linux 5.11 or later, in a container Linux 6.6 or later. \
                   Without it programs run under Landlock only";
    let user_namespace = || match sys::can_make_user_namespace() {
        Ok(()) => Ok("available".to_owned()),
        Err(error) => Err(error.to_string()),
    };
    let whole = match try_namespaces() {
        Ok(()) => Ok("available, whole sandbox works".to_owned()),
        Err(Error::Sandbox { step, source }) => Err(format!("{step}: {source}")),
        Err(error) => Err(error.to_string()),
    };
    [check("user namespaces", user_namespace(), users), check("overlay in a user namespace", whole, overlay)]
}

fn landlock() -> Check {
    let result = match sys::landlock_abi() {
        0 => Err("not in this kernel, or not enabled".to_owned()),
        abi => Ok(format!("version {abi}")),
    };
    check("landlock", result, "boot with `lsm=landlock,...`; needed only where namespaces are refused")
}

fn randomisation() -> Check {
    let result = sys::can_stop_randomisation().map(|()| "can be switched off".to_owned()).map_err(|e| e.to_string());
    let mend = "allow personality(ADDR_NO_RANDOMIZE); in a container run it with `--security-opt seccomp=unconfined`";
    check("address space layout randomisation", result, mend)
}

fn address_space() -> Check {
    let result = sys::can_reserve(SHADOW_START, SHADOW_LENGTH)
        .map(|()| format!("64 TiB can be reserved at {SHADOW_START:#x}"))
        .map_err(|error| {
            let overcommit = std::fs::read_to_string("/proc/sys/vm/overcommit_memory").unwrap_or_default();
            format!("64 TiB at {SHADOW_START:#x}: {error} (vm.overcommit_memory = {})", overcommit.trim())
        });
    check("shadow memory", result, "`ulimit -v unlimited`, and `sysctl vm.overcommit_memory=0` (or 1, not 2)")
}

fn shared_memory() -> Check {
    const ENOUGH: u64 = 1 << 30;
    let path = Path::new("/dev/shm");
    let result = match rustix::fs::statvfs(path) {
        Ok(_) if !sys::is_tmpfs(path) => Err("not a tmpfs; traces go to the temporary directory".to_owned()),
        Ok(info) => {
            let free = info.f_bavail * info.f_frsize;
            let text = format!("{} MiB free", free >> 20);
            if free >= ENOUGH { Ok(text) } else { Err(text) }
        }
        Err(error) => Err(error.to_string()),
    };
    check("/dev/shm", result, "mount a tmpfs of 1 GiB or more there; in a container run it with `--shm-size=4g`")
}

fn resource_directory(path: &Path) -> Check {
    let result = match std::fs::read_dir(path).map(|entries| entries.count()) {
        Ok(0) => Err(format!("{} is empty", path.display())),
        Ok(count) => Ok(format!("{} ({count} entries)", path.display())),
        Err(error) => Err(format!("{}: {error}", path.display())),
    };
    check("run-time library and models", result, "install Offshoot again; the directory belongs next to its program")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failed_check_says_how_to_mend_it() {
        let checks = checks(Path::new("/nonexistent/offshoot"));
        assert!(checks.iter().all(|check| check.ok == check.how_to_mend.is_empty()), "{checks:#?}");
        let resources = checks.iter().find(|check| check.name == "run-time library and models");
        assert!(resources.is_some_and(|check| !check.ok && check.detail.contains("/nonexistent/offshoot")));
    }

    #[test]
    fn a_missing_tool_is_not_ok() {
        assert!(!tool("offshoot-no-such-tool", "--version", "install it").ok);
    }
}
