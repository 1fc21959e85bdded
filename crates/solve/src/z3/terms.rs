//! Terms as expressions of Z3. Must say exactly what `trace::apply` computes, as `expr::smt` does in text.
//!
//! A term of width 1 is a `Bool`, any other a bit vector. A term that is used as a float has a second face; see
//! [`super::floats`].

use ::z3::ast::{BV, Bool, Float};
use offshoot_expr::{Pool, TableId, Term, TermId};
use offshoot_trace::Op;
use std::collections::HashMap;

#[derive(Clone)]
pub(super) enum Bits {
    Bool(Bool),
    Vector(BV),
}

/// What a problem needs besides its terms.
#[derive(Default)]
pub(super) struct Needs {
    /// The terms whose [`Terms::side`] belongs to the problem.
    pub(super) sides: Vec<TermId>,
    pub(super) floats: bool,
}

/// What is translated so far.
#[derive(Default)]
pub(super) struct Terms {
    bits: HashMap<TermId, Bits>,
    pub(super) floats: HashMap<TermId, Float>,
    /// What ties the bits of a float result to the float.
    sides: HashMap<TermId, Bool>,
    bytes: HashMap<(u32, u32), BV>,
    always: Option<Bool>,
}

/// Which faces of a term are used.
#[derive(Clone, Copy, Default)]
struct Demand {
    bits: bool,
    float: bool,
}

/// The result of the operation is a float.
fn makes_float(op: Op) -> bool {
    matches!(op, Op::SToF | Op::UToF | Op::FToF) || op.is_float() && (op as u8) < Op::FOeq as u8
}

/// The operands of the operation are floats.
fn takes_floats(op: Op) -> bool {
    op.is_float() && !matches!(op, Op::SToF | Op::UToF)
}

impl Terms {
    /// Translates all that `roots` need; `None` if there is something that Z3 cannot express.
    pub(super) fn translate(&mut self, pool: &Pool, roots: &[TermId]) -> Option<Needs> {
        let cone = pool.cone(roots);
        // The circuit of fp.rem grows with the exponent's range: no solver gets through that of doubles.
        let too_hard = |id: &TermId| matches!(pool.get(*id), Term::Binary { op: Op::FRem, width: 64, .. });
        if cone.iter().any(too_hard) {
            return None;
        }
        let demand = demands(pool, roots, &cone);
        let mut needs = Needs::default();
        for id in cone {
            let demand = demand.get(&id).copied().unwrap_or_default();
            let term = pool.get(id);
            needs.floats |= term.op().is_float();
            if makes_float(term.op()) {
                if !self.floats.contains_key(&id) {
                    let float = self.float_result(pool, term);
                    self.floats.insert(id, float);
                }
                if demand.bits {
                    self.tie(id, term.width());
                    needs.sides.push(id);
                }
                continue;
            }
            if demand.bits && !self.bits.contains_key(&id) {
                let bits = self.term(pool, term);
                self.bits.insert(id, bits);
            }
            if demand.float && !self.floats.contains_key(&id) {
                let float = match term {
                    Term::Ternary { op: Op::Ite, a, b, c, .. } => self.condition(a).ite(&self.float(b), &self.float(c)),
                    _ => super::floats::of_bits(&self.vector(id)),
                };
                self.floats.insert(id, float);
            }
        }
        Some(needs)
    }

    /// The bits of a float result are whatever stands for that float.
    fn tie(&mut self, id: TermId, width: u8) {
        if self.sides.contains_key(&id) {
            return;
        }
        let bits = BV::fresh_const("bits", width as u32);
        let side = super::floats::of_bits(&bits).eq(self.float(id));
        self.bits.insert(id, Bits::Vector(bits));
        self.sides.insert(id, side);
    }

    pub(super) fn side(&self, id: TermId) -> Option<&Bool> {
        self.sides.get(&id)
    }

    /// A translated term of width 1.
    pub(super) fn condition(&self, id: TermId) -> Bool {
        match &self.bits[&id] {
            Bits::Bool(bool) => bool.clone(),
            Bits::Vector(vector) => vector.eq(BV::from_u64(1, 1)),
        }
    }

    /// A translated term as a bit vector, also where it has width 1.
    pub(super) fn vector(&self, id: TermId) -> BV {
        match &self.bits[&id] {
            Bits::Vector(vector) => vector.clone(),
            Bits::Bool(bool) => bool.ite(&BV::from_u64(1, 1), &BV::from_u64(0, 1)),
        }
    }

    pub(super) fn float(&self, id: TermId) -> Float {
        self.floats[&id].clone()
    }

    /// The constant of an input byte that has been translated.
    pub(super) fn byte(&self, source: u32, offset: u32) -> &BV {
        &self.bytes[&(source, offset)]
    }

    fn read(&mut self, source: u32, offset: u32) -> BV {
        let new = || BV::new_const(format!("{source}[{offset}]"), 8);
        self.bytes.entry((source, offset)).or_insert_with(new).clone()
    }

    fn always(&mut self, value: bool) -> Bool {
        let always = self.always.get_or_insert_with(|| Bool::from_bool(true)).clone();
        if value { always } else { always.not() }
    }

    fn term(&mut self, pool: &Pool, term: Term) -> Bits {
        let width = term.width();
        match term {
            Term::Const { value, width: 1 } => Bits::Bool(self.always(value != 0)),
            Term::Const { value, width } => Bits::Vector(number(value, width)),
            Term::Read { source, offset, bytes } => {
                let low = self.read(source, offset);
                let join = |low: BV, at: u32| self.read(source, offset.saturating_add(at)).concat(low);
                Bits::Vector((1..bytes as u32).fold(low, join))
            }
            Term::Extract { a, low, width } => {
                sorted(self.vector(a).extract((low + width - 1) as u32, low as u32), width)
            }
            Term::Unary { op: op @ (Op::FToS | Op::FToU), a, .. } => {
                sorted(super::floats::to_integer(&self.float(a), pool.width(a), width, op == Op::FToS), width)
            }
            Term::Unary { op, a, .. } => sorted(unary(op, width, self.vector(a), pool.width(a)), width),
            Term::Binary { op, a, b, .. } if op.is_float() => {
                Bits::Bool(super::floats::compare(op, &self.float(a), &self.float(b)))
            }
            Term::Binary { op, a, b, .. } => self.binary(pool, op, a, b),
            Term::Ternary { a, b, c, .. } => match (&self.bits[&b], &self.bits[&c]) {
                (Bits::Bool(b), Bits::Bool(c)) => Bits::Bool(self.condition(a).ite(b, c)),
                _ => Bits::Vector(self.condition(a).ite(&self.vector(b), &self.vector(c))),
            },
            Term::Select { table, index, bytes } => Bits::Vector(self.select(pool, table, index, bytes)),
        }
    }

    fn binary(&mut self, pool: &Pool, op: Op, a: TermId, b: TermId) -> Bits {
        if let (Bits::Bool(a), Bits::Bool(b)) = (&self.bits[&a], &self.bits[&b]) {
            let logic = match op {
                Op::Eq => Some(a.iff(b)),
                Op::Ne | Op::Xor => Some(a.xor(b)),
                Op::And => Some(Bool::and(&[a, b])),
                Op::Or => Some(Bool::or(&[a, b])),
                _ => None,
            };
            if let Some(logic) = logic {
                return Bits::Bool(logic);
            }
        }
        let (x, y) = (self.vector(a), self.vector(b));
        let comparison = match op {
            Op::Eq => Some(x.eq(&y)),
            Op::Ne => Some(x.eq(&y).not()),
            Op::Ult => Some(x.bvult(&y)),
            Op::Ule => Some(x.bvule(&y)),
            Op::Slt => Some(x.bvslt(&y)),
            Op::Sle => Some(x.bvsle(&y)),
            _ => None,
        };
        if let Some(comparison) = comparison {
            return Bits::Bool(comparison);
        }
        let width = if op == Op::Concat { pool.width(a) + pool.width(b) } else { pool.width(a) };
        let result = match op {
            Op::Concat => x.concat(&y),
            Op::Add => x.bvadd(&y),
            Op::Sub => x.bvsub(&y),
            Op::Mul => x.bvmul(&y),
            Op::UDiv => x.bvudiv(&y),
            Op::SDiv => x.bvsdiv(&y),
            Op::URem => x.bvurem(&y),
            Op::SRem => x.bvsrem(&y),
            Op::Shl => x.bvshl(&y),
            Op::LShr => x.bvlshr(&y),
            Op::AShr => x.bvashr(&y),
            Op::And => x.bvand(&y),
            Op::Or => x.bvor(&y),
            _ => x.bvxor(&y),
        };
        let divides = matches!(op, Op::UDiv | Op::SDiv | Op::URem | Op::SRem);
        let result = if divides && pool.value(b).is_none_or(|value| value == 0) {
            // SMT-LIB gives a quotient by 0 all ones; ours is 0.
            let zero = number(0, width);
            y.eq(&zero).ite(&zero, &result)
        } else {
            result
        };
        sorted(result, width)
    }

    /// What is outside the table is 0; inside, decides on the bits of the index one after the other.
    fn select(&mut self, pool: &Pool, table: TableId, index: TermId, bytes: u8) -> BV {
        let cells: Vec<BV> = pool.cells(table).cells().iter().map(|&cell| self.cell(pool, cell)).collect();
        let index = self.vector(index);
        let zero = number(0, 8);
        let mut result: Option<BV> = None;
        for byte in 0..bytes as u64 {
            let at = if byte == 0 { index.clone() } else { index.bvadd(BV::from_u64(byte, 64)) };
            let inside = at.bvult(BV::from_u64(cells.len() as u64, 64));
            let one = BV::from_u64(1, 1);
            let bits = usize::BITS - cells.len().saturating_sub(1).leading_zeros();
            let decisions: Vec<Bool> = (0..bits).map(|bit| at.extract(bit, bit).eq(&one)).collect();
            let cell = inside.ite(&tree(&cells, &decisions, &zero), &zero);
            result = Some(match result {
                None => cell,
                Some(low) => cell.concat(low),
            });
        }
        result.unwrap_or(zero)
    }

    fn cell(&self, pool: &Pool, cell: TermId) -> BV {
        match pool.value(cell) {
            Some(value) => number(value, 8),
            None => self.vector(cell),
        }
    }
}

/// What the uses of the terms mean for their operands; roots are used as bits.
fn demands(pool: &Pool, roots: &[TermId], cone: &[TermId]) -> HashMap<TermId, Demand> {
    let mut demands: HashMap<TermId, Demand> = HashMap::with_capacity(cone.len());
    for &root in roots {
        demands.entry(root).or_default().bits = true;
    }
    for &id in cone.iter().rev() {
        let term = pool.get(id);
        let Demand { bits, float } = demands.get(&id).copied().unwrap_or_default();
        if let Term::Ternary { op: Op::Ite, a, b, c, .. } = term {
            demands.entry(a).or_default().bits = true;
            for arm in [b, c] {
                let arm = demands.entry(arm).or_default();
                arm.bits |= bits;
                arm.float |= float;
            }
            continue;
        }
        if float && !makes_float(term.op()) {
            demands.entry(id).or_default().bits = true;
        }
        pool.for_each_kid(id, |kid| {
            let kid = demands.entry(kid).or_default();
            if takes_floats(term.op()) { kid.float = true } else { kid.bits = true }
        });
    }
    demands
}

fn unary(op: Op, width: u8, x: BV, wa: u8) -> BV {
    let bit = |at: u8| x.extract(at as u32, at as u32);
    match op {
        Op::Zext => x.zero_ext((width - wa) as u32),
        Op::Sext => x.sign_ext((width - wa) as u32),
        Op::Bswap => {
            let byte = |at: u8| x.extract((at * 8 + 7) as u32, (at * 8) as u32);
            (1..width / 8).fold(byte(0), |high, at| high.concat(byte(at)))
        }
        Op::Bitreverse => (1..width).fold(bit(0), |high, at| high.concat(bit(at))),
        Op::Ctpop => (0..width).fold(number(0, width), |sum, at| sum.bvadd(bit(at).zero_ext((width - 1) as u32))),
        Op::Ctlz | Op::Cttz => (0..width).rev().fold(number(width as u128, width), |rest, at| {
            let bit = bit(if op == Op::Cttz { at } else { width - 1 - at });
            bit.eq(BV::from_u64(1, 1)).ite(&number(at as u128, width), &rest)
        }),
        // No other unary operation on integers.
        _ => x,
    }
}

/// A half that is not there is never asked for.
fn tree(cells: &[BV], decisions: &[Bool], zero: &BV) -> BV {
    let Some(first) = cells.first() else { return zero.clone() };
    let Some((decision, rest)) = decisions.split_last() else { return first.clone() };
    let (low, high) = cells.split_at((1 << rest.len()).min(cells.len()));
    if high.is_empty() {
        return tree(low, rest, zero);
    }
    let (low, high) = (tree(low, rest, zero), tree(high, rest, zero));
    if low.ast_eq(&high) { low } else { decision.ite(&high, &low) }
}

pub(super) fn number(value: u128, width: u8) -> BV {
    let value = value & offshoot_trace::eval::mask(width);
    if width <= 64 {
        return BV::from_u64(value as u64, width as u32);
    }
    BV::from_u64((value >> 64) as u64, width as u32 - 64).concat(BV::from_u64(value as u64, 64))
}

/// A bit vector as what a term of the width is.
fn sorted(vector: BV, width: u8) -> Bits {
    if width == 1 { Bits::Bool(vector.eq(BV::from_u64(1, 1))) } else { Bits::Vector(vector) }
}
