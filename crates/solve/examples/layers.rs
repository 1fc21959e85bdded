//! Queries a second of the layers that call a solver, on conditions as programs have them: along a path whose prefix
//! grows, every condition is negated once.
//!
//! `cargo run --release -p offshoot-solve --example layers [CONDITIONS]`

use offshoot_expr::{Input, Pool, TermId};
use offshoot_solve::bits::Bits;
use offshoot_solve::z3::Z3;
use offshoot_solve::{Answer, Layer, Limits, Problem};
use offshoot_trace::Op;
use std::time::{Duration, Instant};

/// Makes the condition number `at` of a path.
type Kind = (&'static str, fn(&mut Pool, u32) -> TermId);

const KINDS: &[Kind] = &[
    ("byte compares", |pool, at| {
        let byte = pool.read(1, at, 1);
        pool.binary_const(if at.is_multiple_of(2) { Op::Eq } else { Op::Ult }, byte, 0x41 + at as u128 % 20)
    }),
    ("4-byte equality", |pool, at| {
        let word = pool.read(1, at * 2, 4);
        pool.eq_const(word, 0x4142_4344 + at as u128)
    }),
    ("sums of neighbours", |pool, at| {
        let [a, b, c] = [0, 1, 2].map(|next| {
            let byte = pool.read(1, at + next, 1);
            pool.zext(byte, 32)
        });
        let sum = pool.binary(Op::Add, a, b);
        let sum = pool.binary(Op::Add, sum, c);
        pool.binary_const(Op::Ult, sum, 120 + at as u128 % 64)
    }),
    ("running checksum", |pool, at| {
        let mut sum = pool.constant(1, 32);
        for byte in 0..=at {
            let byte = pool.read(1, byte, 1);
            let byte = pool.zext(byte, 32);
            sum = pool.binary_const(Op::Mul, sum, 31);
            sum = pool.binary(Op::Add, sum, byte);
        }
        let low = pool.extract(sum, 0, 8);
        pool.eq_const(low, 0x5a)
    }),
    ("table of 256 bytes", |pool, at| {
        let cells: Vec<TermId> = (0..256u32).map(|n| pool.constant((n * 167 + 13) as u128 & 0xff, 8)).collect();
        let table = pool.table(&cells);
        let byte = pool.read(1, at, 1);
        let index = pool.zext(byte, 64);
        let select = pool.select(table, index, 1);
        pool.binary_const(Op::Ult, select, 9)
    }),
    ("table of 256 words", |pool, at| {
        let word = |n: u32| n.wrapping_mul(0x9e37_79b9) ^ n << 7;
        let cells: Vec<TermId> =
            (0..272).flat_map(|n| word(n).to_le_bytes()).map(|byte| pool.constant(byte as u128, 8)).collect();
        let table = pool.table(&cells);
        let byte = pool.read(1, at, 1);
        let index = pool.zext(byte, 64);
        let index = pool.binary_const(Op::Mul, index, 4);
        let index = pool.binary_const(Op::Add, index, 60);
        let select = pool.select(table, index, 4);
        pool.binary_const(Op::Ult, select, 0x0400_0000)
    }),
    ("product by a constant", |pool, at| {
        let word = pool.read(1, at * 2, 4);
        let product = pool.binary_const(Op::Mul, word, 0x0101_4321);
        pool.eq_const(product, 0x1234_5670 + at as u128)
    }),
    ("decimal digits", |pool, at| {
        let half = pool.read(1, at * 2, 2);
        let half = pool.zext(half, 32);
        let tens = pool.binary_const(Op::UDiv, half, 10);
        let digit = pool.binary_const(Op::URem, tens, 10);
        pool.eq_const(digit, 7)
    }),
];

/// The conditions that share input bytes with the goal, directly or through others.
fn slice(pool: &mut Pool, prefix: &[TermId], goal: TermId) -> Vec<TermId> {
    let mut support = pool.support(goal);
    let mut is_in = vec![false; prefix.len()];
    loop {
        let mut grew = false;
        for (at, &term) in prefix.iter().enumerate() {
            let other = pool.support(term);
            if !is_in[at] && other.intersects(&support) {
                support = support.union(&other);
                is_in[at] = true;
                grew = true;
            }
        }
        if !grew {
            return prefix.iter().zip(is_in).filter(|(_, is_in)| *is_in).map(|(&term, _)| term).collect();
        }
    }
}

struct Tally {
    sat: u32,
    unsat: u32,
    unknown: u32,
    changed: usize,
    time: Duration,
    slowest: Duration,
}

/// Negates each condition of the path behind those before it.
fn walk(layer: &mut dyn Layer, make: fn(&mut Pool, u32) -> TermId, conditions: u32, sliced: bool) -> Tally {
    let mut pool = Pool::new();
    let mut hint = Input::new();
    hint.set_bytes(1, (0..conditions * 2 + 8).map(|at| (at * 73 % 251) as u8).collect());
    let mut tally = Tally { sat: 0, unsat: 0, unknown: 0, changed: 0, time: Duration::ZERO, slowest: Duration::ZERO };
    let mut terms: Vec<TermId> = Vec::new();
    for at in 0..conditions {
        let condition = make(&mut pool, at);
        let negated = pool.not(condition);
        let (holds, goal) = if pool.eval(condition, &hint) == 1 { (condition, negated) } else { (negated, condition) };
        if pool.value(goal).is_some() || terms.contains(&holds) {
            continue;
        }
        let mut asked = if sliced { slice(&mut pool, &terms, goal) } else { terms.clone() };
        asked.push(goal);
        let start = Instant::now();
        let answer =
            layer.solve(&mut Problem { pool: &mut pool, terms: &asked, hint: &hint, limits: Limits::default() });
        let time = start.elapsed();
        tally.time += time;
        tally.slowest = tally.slowest.max(time);
        match answer {
            Answer::Sat(changes) => {
                tally.sat += 1;
                tally.changed += changes.len();
            }
            Answer::Unsat => tally.unsat += 1,
            Answer::Unknown(_) => tally.unknown += 1,
        }
        terms.push(holds);
    }
    tally
}

fn main() {
    let conditions = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(200);
    println!(
        "{:24}{:8}{:18}{:>6}{:>6}{:>8}{:>12}{:>12}{:>12}{:>14}",
        "conditions",
        "prefix",
        "layer",
        "sat",
        "unsat",
        "unknown",
        "queries/s",
        "mean µs",
        "slowest µs",
        "bytes changed"
    );
    for (&(name, make), sliced) in KINDS.iter().flat_map(|kind| [(kind, true), (kind, false)]) {
        let layers: [(&str, Box<dyn Layer>); 4] = [
            ("bits", Box::new(Bits::new())),
            ("z3", Box::new(Z3::new())),
            ("z3, anywhere", Box::new(Z3::new().anywhere())),
            ("z3, incremental", Box::new(Z3::incremental())),
        ];
        for (layer_name, mut layer) in layers {
            let tally = walk(&mut *layer, make, conditions, sliced);
            let queries = (tally.sat + tally.unsat + tally.unknown).max(1);
            println!(
                "{name:24}{:8}{layer_name:18}{:>6}{:>6}{:>8}{:>12.0}{:>12.1}{:>12.1}{:>14.1}",
                if sliced { "sliced" } else { "whole" },
                tally.sat,
                tally.unsat,
                tally.unknown,
                queries as f64 / tally.time.as_secs_f64(),
                tally.time.as_secs_f64() * 1e6 / queries as f64,
                tally.slowest.as_secs_f64() * 1e6,
                tally.changed as f64 / tally.sat.max(1) as f64
            );
        }
    }
}
