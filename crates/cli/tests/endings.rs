//! However a traced program ends, the tool says so and keeps the trace up to there.
//!
//! Needs what `make build` leaves in target/release/lib/offshoot.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Each program branches on its argument first, then ends in its own way.
fn program(name: &str, ending: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("endings");
    std::fs::create_dir_all(&folder).expect("a folder");
    let source = folder.join(format!("{name}.c"));
    let text = format!(
        "#define _GNU_SOURCE\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
         #include <unistd.h>\nint main(int argc, char **argv) {{\n    if (argc > 1 && argv[1][0] == 'a')\n        \
         puts(\"a\");\n    fflush(stdout);\n    {ending}\n    return 0;\n}}\n"
    );
    std::fs::write(&source, text).expect("a source");
    let program = folder.join(name);
    let built = offshoot(&["cc", "-O1", source.to_str().unwrap(), "-o", program.to_str().unwrap()]);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    program
}

fn offshoot(args: &[&str]) -> Output {
    let resource = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/lib/offshoot");
    assert!(resource.join("liboffshoot_runtime.a").exists(), "no run-time library; run: make build");
    Command::new(env!("CARGO_BIN_EXE_offshoot"))
        .args(args)
        .env("OFFSHOOT_LIB", resource)
        .env_remove("OFFSHOOT_SELFCHECK")
        .stdin(Stdio::null())
        .output()
        .expect("offshoot starts")
}

fn trace(program: &Path, flags: &[&str]) -> Value {
    let mut args = vec!["trace", "--json"];
    args.extend(flags);
    args.extend(["--", program.to_str().unwrap(), "abc"]);
    let output = offshoot(&args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[track_caller]
fn check(report: &Value, outcome: &str) {
    let said = report["outcome"].as_str().unwrap_or_default();
    assert!(said.contains(outcome), "outcome `{said}`, expected `{outcome}`");
    let first = &report["events"][0];
    assert_eq!(first["kind"], "branch", "the trace up to the end is kept");
    assert_eq!(first["condition"], "arg[1][0] == 'a'");
}

#[track_caller]
fn says(report: &Value, words: &str) {
    let notes: Vec<&str> = report["incomplete"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    assert!(notes.iter().any(|n| n.contains(words)), "nothing about `{words}` in {notes:?}");
}

#[test]
fn normal_end() {
    let report = trace(&program("normal", "return 7;"), &[]);
    check(&report, "exit status 7");
    assert_eq!(report["incomplete"].as_array().map(Vec::len), Some(0));
}

#[test]
fn crash() {
    let report = trace(&program("crash", "*(volatile int *)8 = 1;"), &[]);
    check(&report, "killed by signal 11");
    says(&report, "did not reach its end");
}

#[test]
fn abort() {
    check(&trace(&program("abort", "abort();"), &[]), "killed by signal 6");
}

#[test]
fn sigkill() {
    let report = trace(&program("sigkill", "raise(SIGKILL);"), &[]);
    check(&report, "killed by signal 9");
    says(&report, "did not reach its end");
}

#[test]
fn hang() {
    let report = trace(&program("hang", "for (;;) pause();"), &["--time", "1s"]);
    check(&report, "time budget");
}

#[test]
fn busy_loop() {
    let report = trace(&program("busy", "for (volatile int i = 0;; i++) ;"), &["--time", "1s"]);
    check(&report, "budget");
}

#[test]
fn infinite_output() {
    let report = trace(&program("output", "for (;;) puts(\"all work and no play\");"), &[]);
    check(&report, "output budget");
}

#[test]
fn fork_bomb() {
    let report = trace(&program("bomb", "for (;;) fork();"), &["--time", "2s"]);
    let said = report["outcome"].as_str().unwrap_or_default().to_string();
    assert!(said.contains("budget") || said.contains("killed"), "{said}");
    says(&report, "forked");
}

#[test]
fn memory() {
    let eater = "for (;;) { char *p = malloc(1 << 20); if (p) memset(p, 1, 1 << 20); }";
    let report = trace(&program("memory", eater), &["--memory", "200M"]);
    check(&report, "budget");
}

#[test]
fn past_the_budget_of_terms_the_run_goes_on() {
    let loops = "unsigned h = 0; for (int i = 0; i < 1000; i++) h = h * 31 + (unsigned char)argv[1][i % 3]; \
                 if (h == 7) puts(\"seven\"); return 3;";
    let program = program("terms", loops);
    let report = trace(&program, &["--max-terms", "100"]);
    check(&report, "exit status 3");
    says(&report, "budget of terms");
    assert_eq!(report["summary"]["terms"], 99);
    let all = trace(&program, &[]);
    check(&all, "exit status 3");
    assert_eq!(all["incomplete"].as_array().map(Vec::len), Some(0));
}

#[test]
fn past_the_budget_of_events_the_run_goes_on() {
    let loops = "int n = 0; for (int i = 0; i < 1000; i++) if (argv[1][i % 3] == 'x' + i % 5) n++; return 3 + n;";
    let report = trace(&program("events", loops), &["--max-events", "50"]);
    check(&report, "exit status 3");
    says(&report, "budget of events");
}

#[test]
fn exec_and_fork_are_said() {
    let report = trace(&program("exec", "execl(\"/bin/true\", \"true\", (char *)0);"), &[]);
    check(&report, "exit status 0");
    says(&report, "another program");
    let report = trace(&program("fork", "if (fork() == 0) _exit(0);"), &[]);
    check(&report, "exit status 0");
    says(&report, "forked");
}
