//! `offshoot coverage` and variant `count`, from source to figures. llvm-cov on variant `cov` is the judge.
//!
//! Needs what `make build` leaves in target/release/lib/offshoot.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = r#"#include "shared.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int helped(int);
static int in_range(int a, int b, int c) {
    return a > 10 && (b < 5 || c == 3);
}
static void never(void) { abort(); }
int main(int argc, char **argv) {
    if (argc < 2)
        return 1;
    if (strcmp(argv[1], "never-given") == 0)
        never();
    if (strcmp(argv[1], "range") == 0 && argc == 5)
        return in_range(atoi(argv[2]), atoi(argv[3]), atoi(argv[4]));
    if (strcmp(argv[1], "kill") == 0) {
        shared(1);
        kill(getpid(), SIGKILL);
    }
    if (strcmp(argv[1], "term") == 0) {
        helped(1);
        kill(getpid(), SIGTERM);
    }
    if (strcmp(argv[1], "fork") == 0) {
        if (fork() == 0)
            _exit(shared(0) + helped(7));
        wait(0);
    }
    return helped(argc);
}
"#;
const OTHER: &str = "#include \"shared.h\"\nint helped(int n) {\n    return shared(n > 2) ? 3 : 4;\n}\n";
const SHARED: &str = "static inline int shared(int which) {\n    if (which)\n        return 1;\n    return 0;\n}\n";

fn resource() -> PathBuf {
    let resource = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/lib/offshoot");
    assert!(resource.join("liboffshoot_counts.a").exists(), "no run-time library; run: make build");
    resource
}

fn offshoot(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_offshoot"));
    command.args(args).current_dir(folder).env("OFFSHOOT_LIB", resource()).stdin(Stdio::null());
    command.output().expect("offshoot starts")
}

fn succeeds(folder: &Path, args: &[&str]) -> String {
    let done = offshoot(folder, args);
    assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).expect("text")
}

/// A folder of its own for one test, with the program and two variants of it.
fn built(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("coverage").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the folder of an earlier run goes");
    }
    fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in [("main.c", PROGRAM), ("other.c", OTHER), ("shared.h", SHARED)] {
        fs::write(folder.join(name), text).expect("a source");
    }
    succeeds(&folder, &["cc", "-O2", "main.c", "other.c", "-o", "prog"]);
    for kind in ["count", "cov"] {
        succeeds(&folder, &["variant", kind, "prog", "-o", kind]);
    }
    folder
}

/// `fork` has a child that leaves by `_exit`, `term` is ended by SIGTERM.
const RUNS: [&[&str]; 8] = [
    &[],
    &["range", "11", "9", "3"],
    &["range", "11", "9", "4"],
    &["range", "9", "0", "0"],
    &["x"],
    &["x", "y"],
    &["fork"],
    &["term"],
];

fn run(folder: &Path, variant: &str, args: &[&str]) -> Option<i32> {
    let mut command = Command::new(folder.join(variant));
    command.args(args).env("OFFSHOOT_COUNTS", folder.join("counts"));
    command.env("LLVM_PROFILE_FILE", folder.join("%p.profraw"));
    command.status().expect("the variant starts").code()
}

fn counted(folder: &Path) -> Value {
    let text = succeeds(folder, &["coverage", "--json", "--counts", "counts", "--", "./prog"]);
    serde_json::from_str(&text).expect("JSON")
}

const METRICS: [(&str, &str); 5] =
    [("line", "lines"), ("function", "functions"), ("region", "regions"), ("branch", "branches"), ("mcdc", "mcdc")];

/// By file name and metric: covered and all.
fn figures(document: &Value) -> Vec<(String, u64, u64)> {
    let number = |value: &Value| value.as_u64().expect("a number");
    let mut found = Vec::new();
    for file in document["files"].as_array().expect("files") {
        for (metric, _) in METRICS {
            let tally = &file["summary"][metric];
            let name = file["path"].as_str().expect("a path");
            found.push((format!("{name} {metric}"), number(&tally["covered"]), number(&tally["total"])));
        }
    }
    found
}

fn judged(folder: &Path) -> Vec<(String, u64, u64)> {
    let profiles = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path());
    let profiles = profiles.filter(|path| path.extension().is_some_and(|end| end == "profraw"));
    let mut merge = Command::new("llvm-profdata-19");
    merge.args(["merge", "-o", "merged"]).args(profiles).current_dir(folder);
    assert!(merge.status().expect("llvm-profdata-19").success());
    let mut export = Command::new("llvm-cov-19");
    export.args(["export", "-summary-only", "-instr-profile=merged", "cov"]).current_dir(folder);
    let exported: Value = serde_json::from_slice(&export.output().expect("llvm-cov-19").stdout).expect("JSON");
    let mut found = Vec::new();
    for file in exported["data"][0]["files"].as_array().expect("files") {
        let path = Path::new(file["filename"].as_str().expect("a name"));
        let name = path.file_name().expect("a name").to_string_lossy();
        for (metric, theirs) in METRICS {
            let tally = &file["summary"][theirs];
            let number = |key: &str| tally[key].as_u64().expect("a number");
            found.push((format!("{name} {metric}"), number("covered"), number("count")));
        }
    }
    found.sort();
    found
}

#[test]
fn figures_are_those_of_llvm_cov() {
    let folder = built("figures");
    for args in RUNS {
        assert_eq!(run(&folder, "count", args), run(&folder, "cov", args), "{args:?}");
    }
    let mut ours = figures(&counted(&folder));
    ours.sort();
    assert_eq!(ours, judged(&folder));
}

/// Calls of a function, by its name.
fn calls(document: &Value, name: &str) -> u64 {
    let files = document["files"].as_array().expect("files").iter();
    let functions = files.flat_map(|file| file["functions"].as_array().expect("functions"));
    functions.filter(|f| f["name"] == name).map(|f| f["count"].as_u64().expect("a count")).sum()
}

#[test]
fn a_killed_run_counts_and_so_does_a_forked_child() {
    let folder = built("endings");
    assert_eq!(run(&folder, "count", &["kill"]), None, "ended by a signal");
    assert_eq!(calls(&counted(&folder), "main"), 1);
    assert_eq!(calls(&counted(&folder), "shared"), 1);
    run(&folder, "count", &["fork"]);
    let document = counted(&folder);
    assert_eq!(calls(&document, "main"), 3, "a child has what its parent counted before it, as clang's profiles do");
    assert_eq!(calls(&document, "helped"), 2, "one by the child, one by its parent");
    assert_eq!(calls(&document, "shared"), 4);
    // Its count is a difference: `if` is the child's alone.
    let line = 1 + PROGRAM.lines().position(|line| line.contains("wait(0)")).expect("the line") as u64;
    let mut files = document["files"].as_array().expect("files").iter();
    let main = files.find(|file| file["path"].as_str().is_some_and(|path| path.ends_with("main.c")));
    let lines = main.expect("main.c")["lines"].as_array().expect("lines");
    let waits = lines.iter().find(|one| one["line"] == line).expect("a line with code");
    assert_eq!(waits["count"], 1, "what only the parent does");
}

#[test]
fn processes_at_the_same_time_lose_no_count() {
    let folder = built("parallel");
    let start = || {
        let mut command = Command::new(folder.join("count"));
        command.args(["x", "y"]).env("OFFSHOOT_COUNTS", folder.join("counts")).spawn().expect("the variant starts")
    };
    for _ in 0..5 {
        let children: Vec<_> = (0..8).map(|_| start()).collect();
        for mut child in children {
            child.wait().expect("it ends");
        }
    }
    assert_eq!(calls(&counted(&folder), "main"), 40);
    let size = fs::metadata(folder.join("counts")).expect("a file").len();
    assert!(size <= 10 * 20480, "records of processes that ended are used again: {size}");
}

#[test]
fn tests_are_told_apart_and_forms_are_written() {
    let folder = built("tests");
    fs::create_dir(folder.join("seeds")).expect("a folder");
    fs::write(folder.join("seeds/a"), "").expect("a seed");
    let text = succeeds(
        &folder,
        &["coverage", "--seed", "seeds", "--line", "main.c:9", "--", "./prog", "range", "11", "9", "3"],
    );
    assert_eq!(text, "seeds/a\n1 of 1 tests cover main.c:9; it ran 1 times\n");
    let all =
        ["coverage", "--lcov", "info", "--cobertura", "xml", "--html", "site", "--functions", "--", "./prog", "x"];
    let text = succeeds(&folder, &all);
    assert!(text.contains("main.c") && text.contains("in_range"), "{text}");
    for name in ["info", "xml", "site/index.html"] {
        assert!(fs::metadata(folder.join(name)).is_ok_and(|data| data.len() > 100), "{name}");
    }
    assert!(fs::read_to_string(folder.join("info")).expect("lcov").contains("\nMCDC:9,3,t,"));
}

#[test]
fn gates_and_focus_decide_the_exit() {
    let folder = built("gates");
    let exit = |args: &[&str]| {
        let done = offshoot(&folder, &[&["coverage"], args, &["--", "./prog", "x"]].concat());
        (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned())
    };
    assert_eq!(exit(&["--fail-under-line", "10"]).0, Some(0));
    let (status, said) = exit(&["--fail-under-branch", "100", "--fail-under-mcdc", "50"]);
    assert_eq!(status, Some(3));
    assert_eq!(said.matches("gate missed").count(), 2, "{said}");
    assert_eq!(exit(&["--only", "helped", "--fail-under-line", "100"]).0, Some(0));
    assert_eq!(exit(&["--only", "in_range", "--fail-under-line", "1"]).0, Some(3));
    assert_eq!(exit(&["--only", "nothing"]).0, Some(2));
    fs::write(folder.join("patch"), "--- a/main.c\n+++ b/main.c\n@@ -9,0 +9 @@\n+x\n").expect("a patch");
    assert_eq!(exit(&["--in-diff", "patch", "--fail-under-line", "1"]).0, Some(3));
    assert_eq!(exit(&["--in-diff", "prog"]).0, Some(2));
}

#[test]
fn what_does_not_fit_is_said() {
    let folder = built("mixed");
    run(&folder, "count", &["x"]);
    // Another build of the same program.
    fs::write(folder.join("other.c"), format!("{OTHER}int more(int n) {{ return n ? 1 : 2; }}\n")).expect("a source");
    succeeds(&folder, &["cc", "-O2", "main.c", "other.c", "-o", "prog"]);
    let counted = ["coverage", "--counts", "counts", "--", "./prog"];
    let said = |done: Output| (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned());
    let (status, text) = said(offshoot(&folder, &counted));
    assert_eq!(status, Some(2));
    assert!(text.contains("another build"), "{text}");
    succeeds(&folder, &["variant", "count", "prog", "-o", "count"]);
    run(&folder, "count", &["x"]);
    let (status, text) = said(offshoot(&folder, &counted));
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("1 processes in counts ran another program"), "{text}");
    // A source that is gone, and one that is newer than the program.
    fs::remove_file(folder.join("shared.h")).expect("it goes");
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    fs::File::options().write(true).open(folder.join("main.c")).expect("a source").set_modified(later).expect("a time");
    let (status, text) = said(offshoot(&folder, &counted));
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("cannot show") && text.contains("has changed since"), "{text}");
    fs::write(folder.join("counts"), "no counts").expect("a file");
    assert_eq!(said(offshoot(&folder, &counted)).0, Some(2));
}
