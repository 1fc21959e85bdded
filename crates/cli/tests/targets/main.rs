//! The file tests: every C or C++ file in `tests/targets/` is built, traced under self-check, and must make exactly the
//! events that stand beside its lines.
//!
//! ```c
//! // What the file is about.
//! // args: ab
//! int main(int argc, char **argv) {
//!     return argv[1][0] == 'a'; //~ branch: arg[1][0] == 'a'
//! }
//!
//! //~ sources: arg[1](2)
//! //~ no-loss
//! ```
//!
//! `docs/testing-targets.md` has the whole notation. `OFFSHOOT_BLESS=1` writes what happened into the files,
//! `OFFSHOOT_TARGET=substr` picks some of them, `OFFSHOOT_BIN` names another tool than `target/release/offshoot`.

mod bless;
mod observe;
mod target;

use observe::Observed;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use target::Target;

#[test]
fn targets() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there");
    let tool = std::env::var_os("OFFSHOOT_BIN").map_or_else(|| root.join("target/release/offshoot"), PathBuf::from);
    assert!(tool.is_file(), "{} is missing: run `make build` first, or set OFFSHOOT_BIN", tool.display());
    let wanted = std::env::var("OFFSHOOT_TARGET").unwrap_or_default();
    let is_blessing = std::env::var_os("OFFSHOOT_BLESS").is_some_and(|value| value == "1");
    let mut files = Vec::new();
    find(&root.join("tests/targets"), &mut files);
    files.retain(|path| path.to_string_lossy().contains(&wanted));
    files.sort();
    assert!(!files.is_empty(), "no file in tests/targets has {wanted:?} in its name");

    let scratch = std::env::temp_dir().join(format!("offshoot-targets-{}", std::process::id()));
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let folder = scratch.join(path.strip_prefix(&root).expect("found below the root"));
                    if let Err(report) = check(&tool, path, &folder, is_blessing) {
                        let name = path.strip_prefix(&root).unwrap_or(path).display().to_string();
                        failures.lock().expect("no panic holds it").push((name, report));
                    }
                }
            });
        }
    });
    // What is left behind is in the temporary folder anyway.
    let _ = std::fs::remove_dir_all(&scratch);
    let mut failures = failures.into_inner().expect("no panic held it");
    failures.sort();
    let mut text = String::new();
    for (name, report) in &failures {
        let _ = write!(text, "\n{name}\n{report}");
    }
    assert!(failures.is_empty(), "{} of {} targets fail\n{text}", failures.len(), files.len());
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("tests/targets can be read").flatten() {
        let path = entry.path();
        if path.is_dir() {
            find(&path, files);
        } else if path.extension().is_some_and(|e| e == "c" || e == "cc") {
            files.push(path);
        }
    }
}

/// `Err`: what is wrong, indented, to be printed below the name of the file.
fn check(tool: &Path, path: &Path, folder: &Path, is_blessing: bool) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("    {error}\n"))?;
    let target = Target::parse(&text).map_err(|error| format!("    {error}\n"))?;
    let mut runs: Vec<(String, Observed)> = Vec::new();
    for variant in &target.variants {
        let folder = folder.join(&variant.label);
        let observed = observe::run(tool, path, &target, variant, &folder)
            .map_err(|error| format!("  [{}]\n{}", variant.label, indent(&error)))?;
        runs.push((variant.label.clone(), observed));
    }
    let mut report = String::new();
    for (label, observed) in &runs {
        let difference = observed.compare(&target, label);
        if !difference.is_empty() {
            let _ = writeln!(report, "  [{label}]\n{difference}");
        }
    }
    if is_blessing && !report.is_empty() {
        let blessed = bless::rewrite(&target, &runs);
        if blessed != text {
            std::fs::write(path, blessed).map_err(|error| format!("    {error}\n"))?;
            return check(tool, path, folder, false);
        }
    }
    if report.is_empty() && !target.states_something() {
        report = "    it states nothing about the input\n".into();
    }
    if report.is_empty() { Ok(()) } else { Err(report) }
}

fn indent(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}
