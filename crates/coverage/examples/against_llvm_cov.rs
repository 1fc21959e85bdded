//! Compares our figures of a program with those of `llvm-cov-19`.
//!
//! ```text
//! llvm-profdata-19 merge -o all.profdata RUN.profraw ...
//! llvm-cov-19 export PROGRAM -instr-profile all.profdata > all.json
//! llvm-cov-19 export PROGRAM -instr-profile all.profdata -format=lcov > all.lcov
//! llvm-cov-19 show PROGRAM -instr-profile all.profdata -show-mcdc -show-instantiations=false > all.txt
//! cargo run --release -p offshoot-coverage --example against_llvm_cov -- PROGRAM all.json all.lcov all.txt RUN.profraw ...
//! ```

#[path = "../tests/common/compare.rs"]
mod compare;
#[path = "../tests/common/program.rs"]
mod program;

use std::env;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [program, export, lcov, shown, runs @ ..] = &arguments[..] else {
        eprintln!("usage: against_llvm_cov PROGRAM EXPORT.json EXPORT.lcov SHOW.txt RUN.profraw ...");
        return ExitCode::FAILURE;
    };
    let read = |path: &String| fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let runs: Vec<Vec<u8>> =
        runs.iter().map(|run| fs::read(run).unwrap_or_else(|error| panic!("{run}: {error}"))).collect();
    let sections = program::sections(Path::new(program));
    let start = Instant::now();
    compare::report(&sections, &runs);
    let time = start.elapsed();
    let (report, found) = compare::compare(&sections, &runs, &read(export), &read(lcov), &read(shown));
    found.iter().for_each(|difference| println!("{difference}"));
    println!("{:?}", report.total);
    let vectors =
        report.functions.iter().flat_map(|function| &function.decisions).map(|decision| decision.vectors.len());
    println!(
        "{} files, {} functions, {} test vectors",
        report.files.len(),
        report.functions.len(),
        vectors.sum::<usize>()
    );
    println!("{} dropped, {} differences, {time:?} for {} runs", report.dropped.len(), found.len(), runs.len());
    if found.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
