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

use offshoot_coverage::{Names, Report};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [program, export, lcov, shown, runs @ ..] = &arguments[..] else {
        eprintln!("usage: against_llvm_cov PROGRAM EXPORT.json EXPORT.lcov SHOW.txt RUN.profraw ...");
        return ExitCode::FAILURE;
    };
    let read = |path: &String| fs::read_to_string(path).expect(path);
    let runs: Vec<Vec<u8>> = runs.iter().map(|run| fs::read(run).expect(run)).collect();
    let sections = program::sections(Path::new(program));
    let start = Instant::now();
    let mapping = sections.mapping();
    let mapping_time = start.elapsed();
    let profile = compare::profile(&sections, &runs);
    let profile_time = start.elapsed() - mapping_time;
    Report::new(&mapping, &profile, &Names::default());
    let report_time = start.elapsed() - mapping_time - profile_time;
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
    println!(
        "{mapping_time:?} for the mapping, {profile_time:?} for {} runs, {report_time:?} for the report",
        runs.len()
    );
    println!("{} dropped, {} differences", report.dropped.len(), found.len());
    if found.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
