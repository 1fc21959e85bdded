//! Random C expressions: the real program, the trace's term, our evaluator, the rewritten term and Z3 agree on their
//! values.
//!
//! Each case is a function of a few variables that lie in its own record of standard input. A batch of cases is one C
//! file, which is compiled by clang-19 at `-O0` and `-O2`, and by `offshoot cc` at one level after the other.
//!
//! ```text
//!  clang -O0, -O2 ──▶ real values, of several inputs                          ┐
//!  offshoot cc ──▶ untraced ──▶ values                                        │
//!              └─▶ traced with the first input ──▶ values, events, terms      │ all equal
//!                    terms ──evaluator, rewritten──▶ values of every input    │
//!                          │               that takes the same path           │
//!                          └─SMT-LIB──▶ Z3: the value, and no other           ┘
//! ```
//!
//! `OFFSHOOT_SEED` sets the seed, `OFFSHOOT_CASES` the number of cases, `OFFSHOOT_BIN` the tool.

#[path = "expressions/check.rs"]
mod check;
#[path = "expressions/generate.rs"]
mod generate;
#[path = "expressions/program.rs"]
mod program;
#[path = "expressions/random.rs"]
mod random;
#[path = "expressions/shrink.rs"]
mod shrink;
#[path = "expressions/types.rs"]
mod types;
#[path = "expressions/z3.rs"]
mod z3;

use check::{Failure, Summary};
use program::{Bench, Case, Flags};
use random::Random;
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const SEED: u64 = 2;
const CASES: usize = 10_080;
const BATCH: usize = 240;
const LEVELS: [&str; 4] = ["-O0", "-O1", "-O2", "-O3"];
/// Failures that are made small and shown.
const SHOWN: usize = 3;

fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")),
        Err(_) => default,
    }
}

/// The cases of one file, and how it is compiled: the same for the same seed.
fn batch(seed: u64, number: usize) -> (Vec<Case>, Flags) {
    let flags = Flags { level: LEVELS[number % LEVELS.len()], wraps: (number / LEVELS.len()).is_multiple_of(2) };
    let mut random = Random::new(seed.wrapping_mul(0x1_0000_0001).wrapping_add(number as u64));
    ((0..BATCH).map(|_| Case::generate(&mut random, flags.wraps)).collect(), flags)
}

#[test]
fn everybody_agrees_on_random_expressions() {
    let seed = setting("OFFSHOOT_SEED", SEED);
    let batches = (setting("OFFSHOOT_CASES", CASES as u64) as usize).div_ceil(BATCH);
    let bench = Bench::new();
    let next = AtomicUsize::new(0);
    let results = Mutex::new((Summary::default(), Vec::new()));
    let workers = std::thread::available_parallelism().map_or(2, |n| n.get().min(8));
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= batches {
                        break;
                    }
                    let (cases, flags) = batch(seed, number);
                    let name = format!("batch-{number}");
                    let runs = bench.run(&name, &cases, flags);
                    let (summary, failures) = check::check(&name, &cases, &runs, true);
                    let mut results = results.lock().expect("no panic");
                    results.0.add(summary);
                    results.1.extend(failures.into_iter().map(|failure| (number, failure)));
                }
            });
        }
    });
    let (summary, mut failures) = results.into_inner().expect("no panic");
    println!("seed {seed}: {summary:?}");
    failures.sort_by_key(|(number, failure)| (*number, failure.case));
    if !failures.is_empty() {
        panic!("{}", describe(&bench, seed, &failures));
    }
    assert!(summary.cases >= batches * BATCH);
    assert!(summary.symbolic * 10 >= summary.cases * 9, "fewer than 90% of the cases have a term: {summary:?}");
    assert!(summary.unknown * 100 <= summary.solved, "Z3 does not know more than 1%: {summary:?}");
}

/// Counts by kind, and some failures of different kinds in full.
fn describe(bench: &Bench, seed: u64, failures: &[(usize, Failure)]) -> String {
    let mut text = format!("{} failures with OFFSHOOT_SEED={seed}\n", failures.len());
    let mut kinds: Vec<(&str, &str)> = Vec::new();
    for (number, failure) in failures {
        let level = batch(seed, *number).1.level;
        let _ = writeln!(text, "  {}: batch {number} ({level}), case {}", failure.kind, failure.case);
        if kinds.len() == SHOWN || kinds.contains(&(failure.kind, level)) {
            continue;
        }
        kinds.push((failure.kind, level));
        let (cases, flags) = batch(seed, *number);
        let (small, failure) = shrink::shrink(bench, &cases[failure.case], flags, failure);
        let mut function = String::new();
        small.print(&mut function, 0);
        let _ = writeln!(text, "{flags:?}\n{function}{}: {}", failure.kind, failure.detail);
        for (input, record) in small.inputs.iter().enumerate() {
            for (i, variable) in small.variables.iter().enumerate() {
                let bytes = &record[variable.offset..variable.offset + variable.ty.bytes()];
                let _ =
                    write!(text, "{}v{i}: {bytes:02x?}", if i == 0 { format!("input {input}: ") } else { ", ".into() });
            }
            text.push('\n');
        }
    }
    text
}
