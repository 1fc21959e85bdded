//! Bounded local search: from the hint towards the goal, by distance.
//!
//! Each term of the problem has a distance, 0 if it holds: how far apart the operands of its comparison are, over integers
//! or in steps of IEEE floats. The search changes bytes and words of violated terms and keeps what brings the sum down;
//! where nothing does, it jumps. It never says unsat.

use crate::answer::{Answer, Why};
use crate::invert::changes;
use crate::problem::{Layer, Problem};
use crate::program::{Program, Slot};
use offshoot_expr::{Pool, Term, TermId};
use offshoot_trace::Op;
use offshoot_trace::eval::signed;
use std::time::Instant;

/// Steps of the program, over all runs of one problem: a few nanoseconds each.
const WORK: usize = 300_000;
const RUNS: usize = 3000;
/// Longer problems are not even compiled.
const TERMS: usize = 2000;
/// Runs without progress before a jump.
const PATIENCE: usize = 200;
const CONSTANTS: usize = 64;

/// After so many problems in a row that it did not solve it tries one in [`SELDOM`]: the next layer decides most of them in
/// less time. Not with floats, of which that one knows nothing.
const MISSES: u32 = 64;
const SELDOM: u32 = 16;

#[derive(Default)]
pub struct Local {
    /// In a row, without those passed over.
    misses: u32,
    passed_over: u32,
}

impl Local {
    fn passes_over(&mut self, pool: &Pool, program: &Program) -> bool {
        if self.misses < MISSES || program.terms().iter().any(|&id| pool.get(id).op().is_float()) {
            return false;
        }
        self.passed_over += 1;
        !self.passed_over.is_multiple_of(SELDOM)
    }
}

impl Layer for Local {
    fn name(&self) -> &'static str {
        "local"
    }

    fn solve(&mut self, problem: &mut Problem<'_>) -> Answer {
        const NOT_MINE: Answer = Answer::Unknown(Why::NotMine);
        let start = Instant::now();
        if problem.terms.len() > TERMS {
            return NOT_MINE;
        }
        let program = Program::new(problem.pool, problem.terms);
        let runs = (WORK / program.len().max(1)).min(RUNS);
        if runs < 16 || program.vars().is_empty() || self.passes_over(problem.pool, &program) {
            return NOT_MINE;
        }
        let hint = program.values_in(problem.hint);
        let Some(goal) = problem.goal() else { return NOT_MINE };
        let mut search = Search::new(problem.pool, program, &hint, goal);
        self.misses += 1;
        for run in 0..runs {
            if run % 64 == 63 && start.elapsed() > problem.limits.time {
                return Answer::Unknown(Why::Limit);
            }
            if search.step() {
                self.misses = 0;
                return Answer::Sat(changes(&search.program, &hint, &search.best));
            }
        }
        NOT_MINE
    }
}

struct Search<'a> {
    pool: &'a Pool,
    program: Program,
    /// The roots' terms, in the order of the problem.
    roots: Vec<TermId>,
    best: Vec<u8>,
    distance: f64,
    hint: Vec<u8>,
    /// Variables of the goal; where the search starts.
    focus: Vec<usize>,
    /// Reads of several bytes: first variable and length.
    words: Vec<(usize, usize)>,
    constants: Vec<u128>,
    random: Random,
    stale: usize,
    trial: Vec<u8>,
}

impl<'a> Search<'a> {
    fn new(pool: &'a Pool, mut program: Program, hint: &[u8], goal: TermId) -> Search<'a> {
        let roots: Vec<TermId> = program.roots().iter().map(|&slot| program.terms()[slot as usize]).collect();
        let var = |key: (u32, u32)| program.vars().partition_point(|&var| var < key);
        let (mut words, mut constants) = (Vec::new(), Vec::new());
        for &id in program.terms() {
            match pool.get(id) {
                Term::Read { source, offset, bytes } if bytes > 1 => {
                    words.push((var((source, offset)), bytes as usize))
                }
                Term::Const { value, width } if width > 1 && constants.len() < CONSTANTS => constants.push(value),
                _ => {}
            }
        }
        let mut focus: Vec<usize> = pool
            .cone(&[goal])
            .into_iter()
            .filter_map(|id| match pool.get(id) {
                Term::Read { source, offset, bytes } => Some((var((source, offset)), bytes as usize)),
                _ => None,
            })
            .flat_map(|(first, bytes)| first..first + bytes)
            .collect();
        focus.sort_unstable();
        focus.dedup();
        program.run(hint);
        let mut search = Search {
            pool,
            program,
            roots,
            best: hint.to_vec(),
            distance: 0.0,
            hint: hint.to_vec(),
            focus,
            words,
            constants,
            random: Random(0x9E37_79B9_7F4A_7C15),
            stale: 0,
            trial: hint.to_vec(),
        };
        search.distance = search.total();
        search
    }

    /// One mutation; whether all holds.
    fn step(&mut self) -> bool {
        self.trial.copy_from_slice(&self.best);
        if self.stale > PATIENCE {
            self.jump();
        }
        self.mutate();
        if self.program.run(&self.trial) {
            std::mem::swap(&mut self.best, &mut self.trial);
            return true;
        }
        let distance = self.total();
        // A jump is taken whatever it costs; a plateau may be walked along.
        if self.stale > PATIENCE || distance <= self.distance {
            self.stale = if distance < self.distance || self.stale > PATIENCE { 0 } else { self.stale + 1 };
            self.distance = distance;
            std::mem::swap(&mut self.best, &mut self.trial);
        } else {
            self.stale += 1;
        }
        false
    }

    /// Back to the hint, with a few bytes of the goal at random.
    fn jump(&mut self) {
        self.trial.copy_from_slice(&self.hint);
        for _ in 0..1 + self.random.below(4) {
            let var = self.focus[self.random.below(self.focus.len())];
            self.trial[var] = self.random.next() as u8;
        }
    }

    fn mutate(&mut self) {
        if !self.words.is_empty() && self.random.below(3) == 0 {
            let (first, bytes) = self.words[self.random.below(self.words.len())];
            let range = first..first + bytes;
            let word = self.trial[range.clone()].iter().rev().fold(0u128, |word, &byte| word << 8 | byte as u128);
            let new = self.changed(word, 8 * bytes as u32);
            for (at, byte) in self.trial[range].iter_mut().enumerate() {
                *byte = (new >> (8 * at)) as u8;
            }
            return;
        }
        // Mostly the goal's bytes; the others to repair what that broke.
        let focused = self.random.below(4) != 0;
        let var = match focused {
            true => self.focus[self.random.below(self.focus.len())],
            false => self.random.below(self.trial.len()),
        };
        self.trial[var] = self.changed(self.trial[var] as u128, 8) as u8;
    }

    fn changed(&mut self, word: u128, bits: u32) -> u128 {
        match self.random.below(6) {
            0 => word.wrapping_add(1),
            1 => word.wrapping_sub(1),
            2 => word ^ 1 << self.random.below(bits as usize),
            3 if !self.constants.is_empty() => {
                let constant = self.constants[self.random.below(self.constants.len())];
                constant.wrapping_add(self.random.below(3) as u128).wrapping_sub(1)
            }
            4 => {
                let step = 1u128 << self.random.below(bits as usize);
                if self.random.below(2) == 0 { word.wrapping_add(step) } else { word.wrapping_sub(step) }
            }
            _ => self.random.next() as u128 | (self.random.next() as u128) << 64,
        }
    }

    /// Of the last run.
    fn total(&self) -> f64 {
        let each = self.roots.iter().zip(self.program.roots());
        each.map(|(&root, &slot)| if self.program.value(slot) != 0 { 0.0 } else { self.away(root, true, 0) }).sum()
    }

    fn now(&self, term: TermId) -> u128 {
        self.program.slot(term).map_or(0, |slot: Slot| self.program.value(slot))
    }

    /// How far a condition is from being `wanted`: 0 if it is, at least 1 if not. Large numbers count by their size in
    /// bits, so that no single term outweighs all others.
    fn away(&self, id: TermId, wanted: bool, depth: usize) -> f64 {
        if (self.now(id) != 0) == wanted {
            return 0.0;
        }
        const DEPTH: usize = 16;
        let Term::Binary { op, a, b, width } = self.pool.get(id) else { return 64.0 };
        if depth > DEPTH {
            return 64.0;
        }
        let (x, y) = (self.now(a), self.now(b));
        let wa = self.pool.width(a);
        let log = |distance: f64| 1.0 + (1.0 + distance).log2();
        match op {
            Op::Eq | Op::Ne if wa == 1 => 1.0 + self.away(a, x == 0, depth + 1).min(self.away(b, y == 0, depth + 1)),
            Op::Eq | Op::Ne => match (op == Op::Eq) == wanted {
                true => log(x.abs_diff(y).min((x ^ y).count_ones() as u128 * 64) as f64),
                false => 1.0,
            },
            Op::Ult | Op::Ule => log(x.abs_diff(y) as f64),
            Op::Slt | Op::Sle => log(signed(x, wa).abs_diff(signed(y, wa)) as f64),
            Op::FOeq | Op::FOlt | Op::FOle => log(steps(x, wa).abs_diff(steps(y, wa)) as f64),
            Op::And | Op::Or if width == 1 => {
                let (a, b) = (self.away(a, wanted, depth + 1), self.away(b, wanted, depth + 1));
                if (op == Op::And) == wanted { a + b } else { a.min(b) }
            }
            Op::Xor if width == 1 => self.away(a, x == 0, depth + 1).min(self.away(b, y == 0, depth + 1)),
            _ => 64.0,
        }
    }
}

/// The position of a float on the line of all floats; NaNs lie beyond the infinities.
fn steps(bits: u128, width: u8) -> i128 {
    let top = 1u128 << (width - 1);
    if bits & top != 0 { -((bits & !top) as i128) } else { bits as i128 }
}

/// Xorshift: the same for the same problem.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// `0..n`; `n` is not 0.
    fn below(&mut self, n: usize) -> usize {
        (((self.next() >> 32) * n as u64) >> 32) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Limits;
    use offshoot_expr::Input;

    #[track_caller]
    fn found(bytes: &[u8], terms: impl FnOnce(&mut Pool) -> Vec<TermId>) {
        let mut pool = Pool::new();
        let terms = terms(&mut pool);
        let mut hint = Input::new();
        hint.set_bytes(1, bytes.to_vec());
        let mut problem = Problem { pool: &mut pool, terms: &terms, hint: &hint, limits: Limits::default() };
        let Answer::Sat(changes) = Local::default().solve(&mut problem) else { panic!("nothing found") };
        changes.iter().for_each(|c| hint.set(c.source, c.offset, c.value));
        assert!(terms.iter().all(|&term| pool.eval(term, &hint) == 1), "{changes:?}");
    }

    #[test]
    fn follows_integer_distances() {
        found(&[0; 8], |pool| {
            let (x, y) = (pool.read(1, 0, 4), pool.read(1, 4, 4));
            let sum = pool.binary(Op::Mul, x, y);
            let large = pool.constant(1 << 30, 32);
            let even = pool.binary_const(Op::And, x, 1);
            vec![pool.eq_const(even, 0), pool.binary(Op::Ult, large, sum)]
        });
    }

    #[test]
    fn follows_float_distances() {
        found(&1.0f64.to_le_bytes(), |pool| {
            let x = pool.read(1, 0, 8);
            let square = pool.binary(Op::FMul, x, x);
            let (low, high) =
                (pool.constant(1e6f64.to_bits() as u128, 64), pool.constant(2e6f64.to_bits() as u128, 64));
            let above = pool.binary(Op::FOlt, low, square);
            let below = pool.binary(Op::FOlt, square, high);
            vec![pool.binary(Op::And, above, below)]
        });
    }

    #[test]
    fn samples_a_masked_hash() {
        found(b"name", |pool| {
            let x = pool.read(1, 0, 4);
            let square = pool.binary(Op::Mul, x, x);
            let mixed = pool.binary_const(Op::LShr, square, 13);
            let index = pool.binary_const(Op::And, mixed, 63);
            vec![pool.eq_const(index, 17)]
        });
    }
}
