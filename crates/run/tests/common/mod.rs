//! Helpers of the integration tests.
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};

use offshoot_run::{Invocation, Outcome, Policy, Status, invoke};
use tempfile::TempDir;

/// A shell script in the full sandbox.
pub fn sh(script: &str) -> Invocation<'static> {
    Invocation::new("/bin/sh").args(["-c", script])
}

pub fn sh_under(policy: Policy, script: &str) -> Invocation<'static> {
    Invocation::with_policy("/bin/sh", policy).args(["-c", script])
}

pub fn run(invocation: &Invocation<'_>) -> Outcome {
    let outcome = invoke(invocation).expect("the program starts");
    assert_eq!(outcome.policy, invocation.policy);
    outcome
}

/// Runs it and expects success.
pub fn succeed(invocation: &Invocation<'_>) -> Outcome {
    let outcome = run(invocation);
    assert_eq!(outcome.status, Status::Exited(0), "{outcome:#?}");
    outcome
}

/// A directory with files, to be harmed. Its real path, as the program will see it.
pub fn scratch(files: &[(&str, &str)]) -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().canonicalize().expect("its path");
    for (name, content) in files {
        let file = path.join(name);
        fs::create_dir_all(file.parent().expect("a parent")).expect("a directory");
        fs::write(file, content).expect("a file");
    }
    (dir, path)
}

pub fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).expect("a readable file")
}

/// Whether any process of this machine has `marker` in its command line.
pub fn somebody_runs(marker: &str) -> bool {
    let processes = fs::read_dir("/proc").expect("/proc").flatten();
    processes
        .filter_map(|process| fs::read(process.path().join("cmdline")).ok())
        .any(|line| line.windows(marker.len()).any(|window| window == marker.as_bytes()))
}

/// Runs the other tests of this file again as a user without privileges, if we have any to give up.
pub fn again_as_an_ordinary_user() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    if !rustix::process::geteuid().is_root() {
        return;
    }
    // A copy, because the build directory may be closed to others.
    let open = fs::Permissions::from_mode(0o755);
    let dir = tempfile::Builder::new().permissions(open).tempdir().expect("a directory");
    let copy = dir.path().join("tests");
    fs::copy(std::env::current_exe().expect("our path"), &copy).expect("a copy");
    let start = || std::process::Command::new(&copy).uid(65534).gid(65534).current_dir("/").output();
    let output = loop {
        match start() {
            // Another test was just making a process, which has the copy open for writing until it is a program.
            Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => std::thread::yield_now(),
            result => break result.expect("it starts"),
        }
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
