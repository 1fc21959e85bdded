//! Our figures against those of `llvm-cov-19`, on the programs of `tests/coverage`.
//!
//! A program says in comments how it is built and run: `with:` a further file of `tests/coverage/parts`, `flags:` for the
//! compiler, and `run:` with the arguments of each run. The profile is that of all runs.

#[path = "common/compare.rs"]
mod compare;
#[path = "common/program.rs"]
mod program;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use compare::compare;
use program::sections;

fn folder() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/coverage");
    path.canonicalize().expect("tests/coverage")
}

fn succeed(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?}: {status}\n{}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).expect("UTF-8")
}

/// Values of the comments `// key: value`.
fn directives<'a>(source: &'a str, key: &str) -> Vec<&'a str> {
    let prefix = format!("// {key}:");
    source.lines().filter_map(|line| line.strip_prefix(&prefix)).map(str::trim).collect()
}

/// Builds and runs a program, and returns all differences, and the decisions and test vectors that there were.
fn check(path: &Path) -> (Vec<String>, usize, usize) {
    let source = fs::read_to_string(path).expect("the source");
    let scratch = tempfile::tempdir().expect("a folder");
    let program = scratch.path().join("program");

    let mut clang = Command::new("clang-19");
    clang.args(["-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc", "-O1", "-w"]);
    clang.args(directives(&source, "flags").iter().flat_map(|flags| flags.split_whitespace()));
    clang.arg(path).args(directives(&source, "with").iter().map(|part| folder().join("parts").join(part)));
    succeed(clang.arg("-o").arg(&program));

    let mut runs = Vec::new();
    for (index, arguments) in directives(&source, "run").iter().enumerate() {
        let raw = scratch.path().join(format!("{index}.profraw"));
        let mut command = Command::new(&program);
        command.args(arguments.split_whitespace()).env("LLVM_PROFILE_FILE", &raw);
        let output = command.output().expect("the program");
        assert!(output.status.code().is_some(), "{}: {:?}", path.display(), output.status);
        runs.push(raw);
    }

    let merged = scratch.path().join("merged.profdata");
    let mut merge = Command::new("llvm-profdata-19");
    merge.args(["merge", "-o"]).arg(&merged).args(&runs);
    if runs.is_empty() {
        // Function, hash, number of counters, counter.
        let text = scratch.path().join("another.proftext");
        fs::write(&text, "another_program\n1\n1\n1\n").expect("a profile");
        merge.arg(text);
    }
    succeed(&mut merge);
    let mut export = Command::new("llvm-cov-19");
    export.arg("export").arg(&program).arg("-instr-profile").arg(&merged);
    let json = succeed(&mut export);
    let lcov = succeed(export.arg("-format=lcov"));
    let mut show = Command::new("llvm-cov-19");
    show.arg("show").arg(&program).arg("-instr-profile").arg(&merged);
    let shown = succeed(show.args(["-show-mcdc", "-show-instantiations=false"]));

    let runs: Vec<Vec<u8>> = runs.iter().map(|run| fs::read(run).expect("the profile of a run")).collect();
    let (report, found) = compare(&sections(&program), &runs, &json, &lcov, &shown);
    let decisions = || report.functions.iter().flat_map(|function| &function.decisions);
    (found, decisions().count(), decisions().map(|decision| decision.vectors.len()).sum())
}

#[test]
fn figures_are_those_of_llvm_cov() {
    let entries = fs::read_dir(folder()).expect("tests/coverage").map(|entry| entry.expect("an entry").path());
    let programs: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "c")).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mine = std::iter::from_fn(|| programs.get(next.fetch_add(1, Ordering::Relaxed)));
        mine.map(|path| (path, check(path))).collect::<Vec<_>>()
    };
    let checked = thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect::<Vec<_>>()
    });

    let (mut differences, mut decisions, mut vectors) = (Vec::new(), 0, 0);
    for (path, (found, some_decisions, some_vectors)) in checked {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        differences.extend(found.iter().map(|difference| format!("{name}: {difference}")));
        decisions += some_decisions;
        vectors += some_vectors;
    }
    println!("{} programs, {decisions} decisions, {vectors} test vectors", programs.len());
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
    assert!(programs.len() >= 60 && decisions >= 150 && vectors >= 250, "has something been left out?");
}
