//! Random terms: a recipe is a list of numbers that proptest can shrink; cooking it gives terms without rewrites, which
//! can then be brought into a rewriting pool or into a trace.
#![allow(dead_code)]

use offshoot_expr::build::TraceBuilder;
use offshoot_expr::{Input, Pool, Term, TermId};
use offshoot_trace::node::HANDLE_BYTE_BITS;
use offshoot_trace::{NodeId, Op};
use proptest::prelude::*;
use std::collections::HashMap;

pub const SOURCES: u32 = 2;
pub const LENGTH: u32 = 20;

#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub what: u8,
    pub a: u8,
    pub b: u8,
    pub c: u8,
    pub number: u64,
}

pub fn recipe(steps: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = (any::<u8>(), any::<u8>(), any::<u8>(), any::<u8>(), any::<u64>());
    let step = step.prop_map(|(what, a, b, c, number)| Step { what, a, b, c, number });
    proptest::collection::vec(step, 1..steps)
}

pub fn input() -> impl Strategy<Value = Input> {
    // Few different bytes, so that comparisons come out both ways.
    let byte = prop_oneof![Just(0u8), Just(1), Just(b'0'), Just(0x7f), Just(0x80), Just(0xff), any::<u8>()];
    proptest::collection::vec(byte, (SOURCES * LENGTH) as usize).prop_map(|bytes| {
        let mut input = Input::new();
        for (source, chunk) in bytes.chunks(LENGTH as usize).enumerate() {
            input.set_bytes(source as u32 + 1, chunk.to_vec());
        }
        input
    })
}

const INTEGER: &[Op] = &[
    Op::Add,
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::UDiv,
    Op::SDiv,
    Op::URem,
    Op::SRem,
    Op::Shl,
    Op::LShr,
    Op::AShr,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Xor,
    Op::Eq,
    Op::Ne,
    Op::Eq,
    Op::Ult,
    Op::Ule,
    Op::Slt,
    Op::Sle,
];
const COUNTS: &[Op] = &[Op::Ctpop, Op::Ctlz, Op::Cttz, Op::Bitreverse, Op::Bswap];
const FLOAT_BINARY: &[Op] =
    &[Op::FAdd, Op::FSub, Op::FMul, Op::FDiv, Op::FMin, Op::FMax, Op::FOeq, Op::FOlt, Op::FOle, Op::FUno, Op::FRem];
const FLOAT_UNARY: &[Op] = &[Op::FSqrt, Op::FFloor, Op::FCeil, Op::FTrunc, Op::FRint, Op::FRound];
const WIDTHS: &[u8] = &[1, 7, 8, 16, 24, 32, 33, 64, 100, 128];

/// What a recipe may contain.
#[derive(Clone, Copy)]
pub struct Menu {
    pub floats: bool,
    pub tables: bool,
}

pub struct Cook {
    pub pool: Pool,
    pub terms: Vec<TermId>,
}

pub fn cook(recipe: &[Step], menu: Menu) -> Cook {
    let mut cook = Cook { pool: Pool::without_rewrites(), terms: Vec::new() };
    for (source, offset, bytes) in [(1, 0, 1), (1, 1, 1), (2, 3, 1), (1, 2, 2), (1, 4, 4), (2, 0, 8)] {
        let read = cook.pool.read(source, offset, bytes);
        cook.terms.push(read);
    }
    for step in recipe {
        let term = cook.step(step, menu);
        cook.terms.push(term);
    }
    cook
}

impl Cook {
    /// Mostly something new, so that terms grow deep.
    fn pick(&self, number: u8) -> TermId {
        let n = self.terms.len();
        let back = if number < 200 { number as usize % 5 } else { number as usize };
        self.terms[n - 1 - back % n]
    }

    /// A number of the kind that programs contain.
    fn number(&self, step: &Step, width: u8) -> u128 {
        let max = u128::MAX >> (128 - width as u32);
        let value = match step.number % 11 {
            0 => 0,
            1 => 1,
            2 => max,
            3 => (step.number >> 8) as u128 % 16,
            4 => b'0' as u128,
            5 => 0xff,
            6 => 1 << (step.c as u32 % width as u32),
            7 => (1 << (step.c as u32 % width as u32)) - 1,
            8 => (step.c as u128).wrapping_neg(),
            9 => (step.number >> 8) as u128 % 256,
            _ => step.number as u128 | (step.number as u128) << 64,
        };
        value & max
    }

    fn coerce(&mut self, term: TermId, width: u8, signed: bool) -> TermId {
        let have = self.pool.width(term);
        match have.cmp(&width) {
            std::cmp::Ordering::Equal => term,
            std::cmp::Ordering::Greater => self.pool.extract(term, 0, width),
            std::cmp::Ordering::Less if signed => self.pool.sext(term, width),
            std::cmp::Ordering::Less => self.pool.zext(term, width),
        }
    }

    fn other(&mut self, step: &Step, width: u8) -> TermId {
        if step.number & 0x8000_0000 != 0 {
            let value = self.number(step, width);
            self.pool.constant(value, width)
        } else {
            let term = self.pick(step.b);
            self.coerce(term, width, step.number & 0x4000_0000 != 0)
        }
    }

    fn float(&mut self, which: u8, width: u8, step: &Step) -> TermId {
        if step.number.is_multiple_of(5) {
            let value = [0.0f64, -0.0, 1.0, -2.5, 1e9, 4e18, -3e9][step.number as usize / 5 % 7];
            let bits = if width == 32 { (value as f32).to_bits() as u128 } else { value.to_bits() as u128 };
            return self.pool.constant(bits, width);
        }
        let term = self.pick(which);
        if self.pool.width(term) == width {
            return term;
        }
        self.pool.unary(if step.number & 64 != 0 { Op::SToF } else { Op::UToF }, term, width)
    }

    fn step(&mut self, step: &Step, menu: Menu) -> TermId {
        let a = self.pick(step.a);
        let width = self.pool.width(a);
        let wanted = WIDTHS[step.c as usize % WIDTHS.len()];
        match step.what % 32 {
            0..=11 => {
                let op = INTEGER[step.what as usize / 32 % INTEGER.len() + (step.c as usize % 3) * 7];
                let b = self.other(step, width);
                if step.number & 0x2000_0000 != 0 { self.pool.binary(op, b, a) } else { self.pool.binary(op, a, b) }
            }
            14 | 15 => self.coerce(a, wanted.max(width), false),
            16 => self.coerce(a, wanted.max(width), true),
            17 | 18 => {
                let low = step.b % width;
                let low = if step.number & 1 != 0 { low & !7 } else { low };
                let room = width - low;
                self.pool.extract(a, low, if step.number & 2 != 0 { wanted.min(room) } else { 1 + step.c % room })
            }
            19 | 20 => {
                let b = self.pick(step.b);
                if width as u32 + self.pool.width(b) as u32 > 128 {
                    return a;
                }
                self.pool.concat(a, b)
            }
            21 => {
                let bytes = [1, 1, 2, 3, 4, 8][step.c as usize % 6];
                self.pool.read(step.a as u32 % SOURCES + 1, step.b as u32 % 8, bytes)
            }
            22 | 23 => {
                let condition = self.coerce(a, 1, false);
                let x = self.pick(step.b);
                let width = self.pool.width(x);
                let pick = |cook: &mut Cook, at: u64| match at {
                    0 => cook.pool.constant(0, width),
                    1 => cook.pool.constant(1, width),
                    2 => cook.pool.constant(step.number as u128, width),
                    3 => {
                        let y = cook.pick(step.c);
                        cook.coerce(y, width, false)
                    }
                    _ => x,
                };
                let (x, y) = (pick(self, step.number >> 8 & 7), pick(self, step.number >> 16 & 7));
                self.pool.ite(condition, x, y)
            }
            24 => {
                let op = COUNTS[step.c as usize % COUNTS.len()];
                if op == Op::Bswap && !width.is_multiple_of(8) { a } else { self.pool.unary(op, a, width) }
            }
            25 => {
                // `high << 8 | low`, the way C reads numbers.
                let width = wanted.max(32);
                let high = self.pick(step.b);
                let high = self.coerce(high, 8, false);
                let high = self.coerce(high, width, false);
                let shifted = self.pool.binary_const(Op::Shl, high, 8 * (1 + step.c as u128 % 3));
                let low = self.coerce(a, 8, false);
                let low = self.coerce(low, width, false);
                self.pool.binary(if step.number & 1 != 0 { Op::Or } else { Op::Add }, shifted, low)
            }
            26 if menu.tables => {
                let mut cells: Vec<_> = (0..step.number % 12).map(|n| self.pool.constant(n as u128 * 37, 8)).collect();
                if step.number & 0x100 != 0 && !cells.is_empty() {
                    let cell = self.pick(step.b);
                    cells[0] = self.coerce(cell, 8, false);
                }
                let table = self.pool.table(&cells);
                let index = self.coerce(a, 64, false);
                let index = if step.number & 0x200 != 0 { self.pool.constant(step.b as u128 % 16, 64) } else { index };
                self.pool.select(table, index, [1, 1, 2, 4][step.c as usize % 4])
            }
            27..=31 if menu.floats => {
                let width = if step.number & 0x1000 != 0 { 32 } else { 64 };
                let x = self.float(step.a, width, step);
                match step.c % 8 {
                    0..=3 => {
                        let y = self.float(step.b, width, &Step { number: step.number >> 16, ..*step });
                        self.pool.binary(FLOAT_BINARY[step.b as usize % FLOAT_BINARY.len()], x, y)
                    }
                    4 => self.pool.unary(FLOAT_UNARY[step.b as usize % FLOAT_UNARY.len()], x, width),
                    5 => self.pool.unary(Op::FToS, x, wanted),
                    6 => self.pool.unary(Op::FToU, x, wanted),
                    _ => self.pool.unary(Op::FToF, x, 96 - width),
                }
            }
            12 => self.range_check(step, a, wanted),
            _ => self.echo(step, a),
        }
    }

    /// A range check over a widened byte.
    fn range_check(&mut self, step: &Step, a: TermId, wanted: u8) -> TermId {
        let byte = self.coerce(a, 8, false);
        let wide = self.pool.zext(byte, wanted.max(9));
        let shifted = self.pool.binary_const(Op::Add, wide, (step.b as u128).wrapping_neg());
        let bound = self.pool.constant(step.number as u128 % 300, wanted.max(9));
        match step.c % 4 {
            0 => self.pool.binary(Op::Ult, shifted, bound),
            1 => self.pool.binary(Op::Ule, shifted, bound),
            2 => self.pool.binary(Op::Ult, bound, shifted),
            _ => self.pool.binary(Op::Ule, bound, shifted),
        }
    }

    /// The operation of `a` once more: around it, or beside it and compared.
    fn echo(&mut self, step: &Step, a: TermId) -> TermId {
        match self.pool.get(a) {
            Term::Unary { op: op @ (Op::Bswap | Op::Bitreverse), width, .. } => self.pool.unary(op, a, width),
            Term::Binary { op, width, b, .. } if !op.is_comparison() && op != Op::Concat && !op.is_float() => {
                if step.number & 1 != 0 {
                    return self.pool.binary_const(op, a, step.c as u128 % (width as u128 + 2));
                }
                let other = self.pick(step.b);
                let other = self.coerce(other, width, false);
                let beside = self.pool.binary(op, other, b);
                self.pool.binary(Op::Eq, a, beside)
            }
            Term::Read { bytes, .. } if step.number & 1 != 0 => self.pool.unary(Op::Bswap, a, bytes * 8),
            _ => {
                let width = self.pool.width(a);
                let op = if step.number & 2 != 0 { Op::Shl } else { Op::LShr };
                self.pool.binary_const(op, a, step.c as u128 % 5 % width as u128)
            }
        }
    }
}

/// The same terms, made in another pool.
pub fn transfer(from: &Pool, roots: &[TermId], to: &mut Pool) -> HashMap<TermId, TermId> {
    let mut map: HashMap<TermId, TermId> = HashMap::new();
    for id in from.cone(roots) {
        let term = match from.get(id) {
            term @ (Term::Const { .. } | Term::Read { .. }) => term,
            Term::Extract { a, low, width } => Term::Extract { a: map[&a], low, width },
            Term::Unary { op, width, a } => Term::Unary { op, width, a: map[&a] },
            Term::Binary { op, width, a, b } => Term::Binary { op, width, a: map[&a], b: map[&b] },
            Term::Ternary { op, width, a, b, c } => Term::Ternary { op, width, a: map[&a], b: map[&b], c: map[&c] },
            Term::Select { table, index, bytes } => {
                let cells: Vec<TermId> = from
                    .cells(table)
                    .cells()
                    .iter()
                    .map(|&cell| match from.value(cell) {
                        Some(value) => to.constant(value, 8),
                        None => map[&cell],
                    })
                    .collect();
                Term::Select { table: to.table(&cells), index: map[&index], bytes }
            }
        };
        map.insert(id, to.make(term));
    }
    map
}

/// The same terms as nodes of a trace whose sources hold `input`. Constants over 64 bits are put together.
pub fn as_trace(pool: &Pool, roots: &[TermId], input: &Input) -> (TraceBuilder, HashMap<TermId, NodeId>) {
    let mut trace = TraceBuilder::new();
    for source in 1..=SOURCES {
        trace.source(if source == 1 { "stdin" } else { "file:x" }, input.bytes(source));
    }
    let mut map: HashMap<TermId, NodeId> = HashMap::new();
    for id in pool.cone(roots) {
        let node = match pool.get(id) {
            Term::Const { value, width } if width > 64 => {
                let low = trace.constant(value as u64, 64);
                let high = trace.constant((value >> 64) as u64, width - 64);
                trace.binary(Op::Concat, width, high, low)
            }
            Term::Const { value, width } => trace.constant(value as u64, width),
            Term::Read { source, offset, bytes: 1 } => trace.byte(source, offset),
            Term::Read { source, offset, bytes } => trace.read(source, offset, bytes),
            Term::Extract { a, low, width } => trace.extract(map[&a], low, width),
            Term::Unary { op, width, a } => trace.unary(op, width, map[&a]),
            Term::Binary { op, width, a, b } if op != Op::Concat => match (pool.value(a), pool.value(b)) {
                (None, Some(value)) if value >> 64 == 0 => trace.binary_imm(op, width, map[&a], value as u64),
                (Some(value), None) if value >> 64 == 0 => trace.imm_binary(op, width, value as u64, map[&b]),
                _ => trace.binary(op, width, map[&a], map[&b]),
            },
            Term::Binary { op, width, a, b } => trace.binary(op, width, map[&a], map[&b]),
            Term::Ternary { op, width, a, b, c } => trace.ternary(op, width, map[&a], map[&b], map[&c]),
            Term::Select { table, index, bytes } => {
                let cells = pool.cells(table).cells();
                let concrete: Vec<u8> = cells.iter().map(|&c| pool.value(c).unwrap_or(0xee) as u8).collect();
                let handle = |&c: &TermId| pool.value(c).map_or_else(|| map[&c] << HANDLE_BYTE_BITS, |_| 0);
                let handles: Vec<u32> = cells.iter().map(handle).collect();
                let table = trace.table(&concrete, &handles);
                trace.select(table, map[&index], bytes)
            }
        };
        map.insert(id, node);
    }
    (trace, map)
}
