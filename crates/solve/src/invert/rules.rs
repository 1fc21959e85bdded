//! One rule an operation: which operand values make it be what it should.

use offshoot_expr::{Pool, Term, TermId};
use offshoot_trace::Op;
use offshoot_trace::eval::{mask, signed};

/// What terms are worth now.
pub trait Values {
    fn pool(&self) -> &Pool;
    fn current(&self, term: TermId) -> u128;
}

/// Likeliest first; each a conjunction of at most two wishes.
#[derive(Default, Debug)]
pub struct Alternatives {
    pub list: Vec<Vec<(TermId, u128)>>,
}

/// Indices of a table that are tried.
const INDICES: usize = 64;

impl Alternatives {
    fn one(&mut self, term: TermId, value: u128) {
        self.list.push(vec![(term, value)]);
    }
    fn both(&mut self, a: (TermId, u128), b: (TermId, u128)) {
        self.list.push(vec![a, b]);
    }
}

/// How `id` can become `value`. A rule may promise too much (the candidate is checked in the end), never a wrong width.
pub fn alternatives(now: &impl Values, id: TermId, value: u128, out: &mut Alternatives) {
    let pool = now.pool();
    let term = pool.get(id);
    let w = term.width();
    match term {
        Term::Const { .. } | Term::Read { .. } => {}
        Term::Extract { a, low, width } => {
            let hole = mask(width) << low;
            out.one(a, now.current(a) & !hole | value << low);
        }
        Term::Select { table, index, bytes } => select(now, table, index, bytes, value, out),
        Term::Unary { op, a, .. } => unary(now, op, w, a, value, out),
        Term::Ternary { op: Op::Ite, a, b, c, .. } => {
            // The branch that is taken now may stay taken; the other one may become so by the same change.
            let (taken, other, side) = if now.current(a) != 0 { (b, c, 0) } else { (c, b, 1) };
            out.one(taken, value);
            out.both((other, value), (a, side));
            out.one(other, value);
        }
        Term::Ternary { .. } => {}
        Term::Binary { op, a, b, .. } if op.is_comparison() => {
            compare(now, op, a, b, value != 0, out);
        }
        Term::Binary { op: Op::Concat, a, b, .. } => {
            let low = pool.width(b);
            out.both((a, value >> low), (b, value & mask(low)));
        }
        Term::Binary { op, a, b, .. } if op.is_float() => float(now, op, w, a, b, value, out),
        Term::Binary { op, a, b, .. } => binary(now, op, w, a, b, value, out),
    }
}

fn select(
    now: &impl Values,
    table: offshoot_expr::TableId,
    index: TermId,
    bytes: u8,
    value: u128,
    out: &mut Alternatives,
) {
    let pool = now.pool();
    let cells = pool.cells(table).cells();
    let cell = |at: usize| cells.get(at).map_or(0, |&cell| now.current(cell));
    let at = now.current(index) as usize;
    // A table of words is read in steps of a word.
    let step = if at.is_multiple_of(bytes as usize) { bytes as usize } else { 1 };
    let mut found: Vec<usize> = (0..cells.len())
        .step_by(step)
        .filter(|&at| (0..bytes as usize).rev().fold(0, |value, byte| value << 8 | cell(at + byte) & 0xFF) == value)
        .collect();
    found.sort_by_key(|&other| other.abs_diff(at));
    found.iter().take(INDICES).for_each(|&at| out.one(index, at as u128));
    // The cell that is read now may be made so.
    if bytes == 1
        && let Some(&cell) = cells.get(at)
        && pool.value(cell).is_none()
    {
        out.both((index, at as u128), (cell, value));
    }
}

fn unary(now: &impl Values, op: Op, w: u8, a: TermId, value: u128, out: &mut Alternatives) {
    let wa = now.pool().width(a);
    match op {
        Op::Zext if value <= mask(wa) => out.one(a, value),
        Op::Sext if signed(value & mask(wa), wa) as u128 & mask(w) == value => out.one(a, value & mask(wa)),
        Op::Bswap => out.one(a, value.swap_bytes() >> (128 - w as u32)),
        Op::Bitreverse => out.one(a, value.reverse_bits() >> (128 - w as u32)),
        Op::Ctpop if value <= w as u128 => out.one(a, mask(value as u8) & mask(w)),
        Op::Ctlz if value == w as u128 => out.one(a, 0),
        Op::Ctlz if value < w as u128 => out.one(a, 1 << (w as u128 - 1 - value)),
        Op::Cttz if value == w as u128 => out.one(a, 0),
        Op::Cttz if value < w as u128 => out.one(a, 1 << value),
        Op::SToF | Op::UToF => {
            let number = to_f64(value, w);
            let whole = number as i128;
            let fits =
                if op == Op::SToF { signed(whole as u128 & mask(wa), wa) == whole } else { whole as u128 <= mask(wa) };
            if whole as f64 == number && fits {
                out.one(a, whole as u128 & mask(wa));
            }
        }
        Op::FToF => out.one(a, from_f64(to_f64(value, w), wa)),
        Op::FToS => out.one(a, from_f64(signed(value, w) as f64, wa)),
        Op::FToU => out.one(a, from_f64(value as f64, wa)),
        Op::FSqrt => out.one(a, from_f64(to_f64(value, w) * to_f64(value, w), wa)),
        Op::FFloor | Op::FCeil | Op::FTrunc | Op::FRint | Op::FRound => out.one(a, value),
        _ => {}
    }
}

/// Integer arithmetic: `a op b` becomes `value` by one of the operands, the other being what it is.
fn binary(now: &impl Values, op: Op, w: u8, a: TermId, b: TermId, value: u128, out: &mut Alternatives) {
    let m = mask(w);
    let (x, y) = (now.current(a), now.current(b));
    let open = |term: TermId| now.pool().value(term).is_none();
    if w == 1 && matches!(op, Op::And | Op::Or) {
        // `value` of an `and` that is 1 (an `or` that is 0) needs both, otherwise one will do.
        if (op == Op::And) == (value != 0) {
            out.both((a, value), (b, value));
        } else {
            out.one(a, value);
            out.one(b, value);
        }
        return;
    }
    if op == Op::Or || op == Op::Add || op == Op::Xor {
        rotate(now, w, a, b, value, out);
    }
    if open(a) {
        match op {
            Op::Add => out.one(a, value.wrapping_sub(y) & m),
            Op::Sub => out.one(a, value.wrapping_add(y) & m),
            Op::Xor => out.one(a, value ^ y),
            Op::Mul => divide(value, y, w, x).into_iter().for_each(|x| out.one(a, x)),
            Op::And if value & !y == 0 => out.one(a, x & !y | value),
            Op::Or if y & !value == 0 => out.one(a, value & !y | x & y),
            Op::Shl if y < w as u128 && value & mask(y as u8) == 0 => {
                out.one(a, value >> y | x & !(m >> y));
            }
            Op::LShr if y < w as u128 && value <= m >> y => out.one(a, value << y & m | x & mask(y as u8)),
            Op::AShr if y < w as u128 && (signed(value << y & m, w) >> y) as u128 & m == value => {
                out.one(a, value << y & m | x & mask(y as u8));
            }
            Op::UDiv if y != 0 => {
                if let Some(product) = value.checked_mul(y).filter(|&product| product <= m) {
                    out.one(a, product.saturating_add(x % y).min(m));
                    out.one(a, product);
                }
            }
            Op::URem if value < y => {
                let base = x - x % y;
                let near = [base.checked_add(value), base.checked_sub(y).and_then(|b| b.checked_add(value))];
                near.into_iter().flatten().filter(|&x| x <= m).for_each(|x| out.one(a, x));
                out.one(a, value);
            }
            Op::SDiv if y != 0 => {
                let product = signed(value, w).wrapping_mul(signed(y, w));
                out.one(a, product as u128 & m);
            }
            Op::SRem => out.one(a, value),
            _ => {}
        }
    }
    if open(b) {
        match op {
            Op::Add => out.one(b, value.wrapping_sub(x) & m),
            Op::Sub => out.one(b, x.wrapping_sub(value) & m),
            Op::Xor => out.one(b, value ^ x),
            Op::Mul => divide(value, x, w, y).into_iter().for_each(|y| out.one(b, y)),
            Op::And if value & !x == 0 => out.one(b, y & !x | value),
            Op::Or if x & !value == 0 => out.one(b, value & !x | y & x),
            Op::Shl | Op::LShr | Op::AShr => {
                let shifted = |by: u32| match op {
                    Op::Shl => x << by & m,
                    Op::LShr => x >> by,
                    _ => (signed(x, w) >> by) as u128 & m,
                };
                (0..w as u32).filter(|&by| shifted(by) == value).for_each(|by| out.one(b, by as u128));
            }
            Op::UDiv => {
                if let Some(y) = x.checked_div(value) {
                    out.one(b, y);
                }
            }
            _ => {}
        }
    }
    if open(a) && open(b) && matches!(op, Op::And | Op::Or) {
        out.both((a, value), (b, value));
    }
}

/// `x << k | x >> (w - k) == value`, as a rotate is written in C.
fn rotate(now: &impl Values, w: u8, a: TermId, b: TermId, value: u128, out: &mut Alternatives) {
    let pool = now.pool();
    let shift = |id: TermId| match pool.get(id) {
        Term::Binary { op: op @ (Op::Shl | Op::LShr), a, b, .. } => Some((op, a, now.current(b))),
        _ => None,
    };
    // The normal form of a right shift may be a widened extract.
    let right = |id: TermId| match pool.get(id) {
        Term::Unary { op: Op::Zext, a, .. } => match pool.get(a) {
            Term::Extract { a, low, width } if low + width == w && pool.width(a) == w => Some((a, low as u128)),
            _ => None,
        },
        _ => None,
    };
    let as_right = |id| shift(id).filter(|s| s.0 == Op::LShr).map(|s| (s.1, s.2)).or_else(|| right(id));
    for (left, other) in [(a, b), (b, a)] {
        if let (Some((Op::Shl, x, by)), Some((y, back))) = (shift(left), as_right(other))
            && x == y
            && by + back == w as u128
        {
            out.one(x, (value >> by | value << back) & mask(w));
        }
    }
}

/// `x` with `x * y == value`, in `w` bits; near `now` where bits of it are free.
fn divide(value: u128, y: u128, w: u8, now: u128) -> Option<u128> {
    if y == 0 {
        return None;
    }
    let zeros = y.trailing_zeros();
    if value & mask(zeros as u8) != 0 {
        return None;
    }
    // Newton's iteration doubles the number of correct low bits.
    let odd = y >> zeros;
    let mut inverse = 1u128;
    for _ in 0..7 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    let bits = mask(w) >> zeros;
    let exact = (value >> zeros).wrapping_mul(inverse) & bits;
    // A small quotient is what a program would compute; the free top bits stay only if they must.
    Some(if value.is_multiple_of(y) { value / y } else { exact | now & mask(w) & !bits })
}

fn compare(now: &impl Values, op: Op, a: TermId, b: TermId, wanted: bool, out: &mut Alternatives) {
    let pool = now.pool();
    let w = pool.width(a);
    let m = mask(w);
    let (x, y) = (now.current(a), now.current(b));
    let open = |term: TermId| pool.value(term).is_none();
    let is_signed = matches!(op, Op::Slt | Op::Sle);
    // Signed order is unsigned order with the top bit flipped.
    let flip = if is_signed { 1 << (w - 1) } else { 0 };
    match (op, wanted) {
        (Op::Eq, true) | (Op::Ne, false) => {
            if open(a) {
                out.one(a, y);
            }
            if open(b) {
                out.one(b, x);
            }
        }
        (Op::Eq, false) | (Op::Ne, true) => {
            for (term, value) in [(a, y), (b, x)].into_iter().filter(|&(term, _)| open(term)) {
                for other in [value.wrapping_add(1), value.wrapping_sub(1), value ^ 1 << (w - 1), !value, 0] {
                    out.one(term, other & m);
                }
            }
        }
        (Op::Ult | Op::Slt, true) => below(a, b, x ^ flip, y ^ flip, m, true, flip, open, out),
        (Op::Ult | Op::Slt, false) => below(b, a, y ^ flip, x ^ flip, m, false, flip, open, out),
        (Op::Ule | Op::Sle, true) => below(a, b, x ^ flip, y ^ flip, m, false, flip, open, out),
        (Op::Ule | Op::Sle, false) => below(b, a, y ^ flip, x ^ flip, m, true, flip, open, out),
        _ => float_compare(now, op, a, b, wanted, out),
    }
}

/// `a < b` (`strict`) or `a <= b`, in unsigned order; what is handed on gets `flip` back.
#[allow(clippy::too_many_arguments)]
fn below(
    a: TermId,
    b: TermId,
    x: u128,
    y: u128,
    m: u128,
    strict: bool,
    flip: u128,
    open: impl Fn(TermId) -> bool,
    out: &mut Alternatives,
) {
    let gap = strict as u128;
    if open(a) && y >= gap {
        let largest = y - gap;
        [largest, largest / 2, 0].into_iter().for_each(|x| out.one(a, x ^ flip));
    }
    if open(b) && x <= m - gap {
        let least = x + gap;
        [least, least + (m - least) / 2, m].into_iter().for_each(|y| out.one(b, y ^ flip));
    }
}

fn to_f64(bits: u128, width: u8) -> f64 {
    if width == 32 { f32::from_bits(bits as u32) as f64 } else { f64::from_bits(bits as u64) }
}

fn from_f64(value: f64, width: u8) -> u128 {
    if width == 32 { (value as f32).to_bits() as u128 } else { value.to_bits() as u128 }
}

/// The float next to a float, upwards or downwards, in its width.
fn next(value: f64, width: u8, up: bool) -> u128 {
    if width == 32 {
        let value = value as f32;
        (if up { value.next_up() } else { value.next_down() }).to_bits() as u128
    } else {
        (if up { value.next_up() } else { value.next_down() }).to_bits() as u128
    }
}

/// The exact inverse may lie a rounding away.
fn near(term: TermId, value: f64, width: u8, out: &mut Alternatives) {
    if !value.is_nan() {
        out.one(term, from_f64(value, width));
        out.one(term, next(value, width, true));
        out.one(term, next(value, width, false));
    }
}

fn float(now: &impl Values, op: Op, w: u8, a: TermId, b: TermId, value: u128, out: &mut Alternatives) {
    let (x, y, v) = (to_f64(now.current(a), w), to_f64(now.current(b), w), to_f64(value, w));
    let open = |term: TermId| now.pool().value(term).is_none();
    let (for_a, for_b) = match op {
        Op::FAdd => (v - y, v - x),
        Op::FSub => (v + y, x - v),
        Op::FMul => (v / y, v / x),
        Op::FDiv => (v * y, x / v),
        Op::FMin | Op::FMax => (v, v),
        _ => return,
    };
    if open(a) {
        near(a, for_a, w, out);
    }
    if open(b) {
        near(b, for_b, w, out);
    }
}

fn float_compare(now: &impl Values, op: Op, a: TermId, b: TermId, wanted: bool, out: &mut Alternatives) {
    let w = now.pool().width(a);
    let (x, y) = (to_f64(now.current(a), w), to_f64(now.current(b), w));
    let open = |term: TermId| now.pool().value(term).is_none();
    let nan = from_f64(f64::NAN, w);
    let mut wish = |term: TermId, values: &[u128]| {
        if open(term) {
            values.iter().for_each(|&value| out.one(term, value));
        }
    };
    let low = |v: f64| [next(v, w, false), from_f64((v - 1.0).floor(), w), from_f64(f64::NEG_INFINITY, w)];
    let high = |v: f64| [next(v, w, true), from_f64((v + 1.0).ceil(), w), from_f64(f64::INFINITY, w)];
    let same = |v: f64| [from_f64(v, w)];
    match (op, wanted) {
        (Op::FUno, true) => {
            wish(a, &[nan]);
            wish(b, &[nan]);
        }
        (Op::FUno, false) => {
            wish(a, &same(0.0));
            wish(b, &same(0.0));
        }
        (Op::FOeq, true) => {
            wish(a, &same(y));
            wish(b, &same(x));
        }
        (Op::FOlt, true) => {
            wish(a, &low(y));
            wish(b, &high(x));
        }
        (Op::FOle, true) => {
            wish(a, &same(y));
            wish(a, &low(y));
            wish(b, &same(x));
            wish(b, &high(x));
        }
        (Op::FOeq, false) => {
            wish(a, &high(y));
            wish(a, &low(y));
            wish(b, &high(x));
        }
        (Op::FOlt, false) => {
            wish(a, &same(y));
            wish(a, &high(y));
            wish(b, &same(x));
            wish(b, &low(x));
            wish(a, &[nan]);
        }
        (Op::FOle, false) => {
            wish(a, &high(y));
            wish(b, &low(x));
            wish(a, &[nan]);
        }
        _ => {}
    }
}
