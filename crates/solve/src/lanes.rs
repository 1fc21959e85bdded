//! One operation on all 256 values of a byte at once.

use crate::domain::Domain;
use offshoot_expr::word::{WordOp, word_mask, word_signed};
use offshoot_trace::Op;

/// A term's value for each value of the byte.
pub type Lane = [u64; 256];

/// Lanes one after the other, written in place: room that was made once is kept.
#[derive(Default)]
pub struct Lanes {
    all: Vec<Lane>,
    filled: usize,
}

impl Lanes {
    pub fn len(&self) -> usize {
        self.filled
    }

    pub fn clear(&mut self) {
        self.filled = 0;
    }

    /// Those that are filled, and the next one, whatever is in it.
    pub fn next(&mut self) -> (&[Lane], &mut Lane) {
        if self.filled == self.all.len() {
            self.all.push([0; 256]);
        }
        let (filled, rest) = self.all.split_at_mut(self.filled);
        (filled, &mut rest[0])
    }

    /// The next one is filled now; its number.
    pub fn keep(&mut self) -> usize {
        self.filled += 1;
        self.filled - 1
    }

    pub fn domain(&self, at: usize) -> Domain {
        domain(&self.all[at])
    }
}

#[derive(Clone, Copy)]
pub enum Operand<'a> {
    Lane(&'a Lane),
    /// The same for all.
    Word(u64),
}

impl Operand<'_> {
    #[inline]
    pub fn at(self, index: usize) -> u64 {
        match self {
            Operand::Lane(lane) => lane[index],
            Operand::Word(word) => word,
        }
    }
}

/// Where the lane is not 0.
fn domain(lane: &Lane) -> Domain {
    Domain::of(|value| lane[value as usize] != 0)
}

/// Loops that the compiler turns into vector code: one for each shape of the operands.
#[inline(always)]
fn two(out: &mut Lane, a: Operand<'_>, b: Operand<'_>, f: impl Fn(u64, u64) -> u64) {
    match (a, b) {
        (Operand::Lane(a), Operand::Lane(b)) => out.iter_mut().zip(a).zip(b).for_each(|((o, &a), &b)| *o = f(a, b)),
        (Operand::Lane(a), Operand::Word(b)) => out.iter_mut().zip(a).for_each(|(o, &a)| *o = f(a, b)),
        (Operand::Word(a), Operand::Lane(b)) => out.iter_mut().zip(b).for_each(|(o, &b)| *o = f(a, b)),
        (Operand::Word(a), Operand::Word(b)) => out.fill(f(a, b)),
    }
}

/// `out[v] = op.apply(a[v], b[v], c[v])`
pub fn apply(op: WordOp, out: &mut Lane, a: Operand<'_>, b: Operand<'_>, c: Operand<'_>) {
    let (w, wa) = (op.width, op.wa);
    let m = word_mask(w);
    let none = Operand::Word(0);
    match op.op {
        Op::Zext => two(out, a, none, |a, _| a),
        Op::Sext => two(out, a, none, |a, _| word_signed(a, wa) as u64 & m),
        Op::Extract => two(out, a, none, |a, _| (a >> op.low) & m),
        Op::Concat => two(out, a, b, |a, b| a << (w - wa) | b),
        Op::Add => two(out, a, b, |a, b| a.wrapping_add(b) & m),
        Op::Sub => two(out, a, b, |a, b| a.wrapping_sub(b) & m),
        Op::Mul => two(out, a, b, |a, b| a.wrapping_mul(b) & m),
        Op::And => two(out, a, b, |a, b| a & b),
        Op::Or => two(out, a, b, |a, b| a | b),
        Op::Xor => two(out, a, b, |a, b| a ^ b),
        Op::Eq => two(out, a, b, |a, b| (a == b) as u64),
        Op::Ne => two(out, a, b, |a, b| (a != b) as u64),
        Op::Ult => two(out, a, b, |a, b| (a < b) as u64),
        Op::Ule => two(out, a, b, |a, b| (a <= b) as u64),
        Op::Slt => two(out, a, b, |a, b| (word_signed(a, wa) < word_signed(b, wa)) as u64),
        Op::Sle => two(out, a, b, |a, b| (word_signed(a, wa) <= word_signed(b, wa)) as u64),
        Op::Shl => match b {
            Operand::Word(by) if by < w as u64 => two(out, a, none, |a, _| (a << by) & m),
            _ => two(out, a, b, |a, b| op.apply(a, b, 0)),
        },
        Op::LShr => match b {
            Operand::Word(by) if by < w as u64 => two(out, a, none, |a, _| a >> by),
            _ => two(out, a, b, |a, b| op.apply(a, b, 0)),
        },
        _ => out.iter_mut().enumerate().for_each(|(v, o)| *o = op.apply(a.at(v), b.at(v), c.at(v))),
    }
}

/// `bytes` cells, little-endian, from `index[v]` on; `cell(at, v)` is the value of a cell.
pub fn select(out: &mut Lane, index: Operand<'_>, bytes: u8, cells: usize, mut cell: impl FnMut(usize, usize) -> u64) {
    for (v, o) in out.iter_mut().enumerate() {
        *o = 0;
        for byte in 0..bytes as u64 {
            let at = usize::try_from(index.at(v).wrapping_add(byte)).unwrap_or(usize::MAX);
            if at < cells {
                *o |= (cell(at, v) & 0xFF) << (8 * byte);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_the_words_one() {
        let lane: Lane = std::array::from_fn(|v| v as u64 * 0x0101_0101_0101_0101);
        let mixed: Lane = std::array::from_fn(|v| (v as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 7);
        for &op in Op::ALL {
            if matches!(op, Op::Byte | Op::Const | Op::Pointer | Op::Read | Op::Select) {
                continue;
            }
            for wa in [1u8, 8, 13, 32, 64] {
                if op.is_float() && wa < 32 || op == Op::Bswap && wa % 8 != 0 {
                    continue;
                }
                let width = match op {
                    Op::Concat => 64,
                    Op::Extract => wa.div_ceil(2),
                    Op::Zext | Op::Sext => 64,
                    Op::FToF => 96 - wa.max(32),
                    Op::SToF | Op::UToF => 64,
                    _ if op.is_comparison() => 1,
                    _ => wa,
                };
                if op == Op::Concat && wa == 64 || op == Op::FToF && wa < 32 {
                    continue;
                }
                let op = WordOp { op, width, wa, low: wa / 2 };
                let wb = if op.op == Op::Concat { 64 - wa } else { wa };
                let a: Lane = lane.map(|x| x & word_mask(if op.op == Op::Ite { 1 } else { wa }));
                let b: Lane = mixed.map(|x| x & word_mask(wb));
                let c: Lane = mixed.map(|x| !x & word_mask(wa));
                let word = 3 & word_mask(wb.min(wa));
                let words = |operand: Operand<'_>, v| operand.at(v);
                for (x, y) in [
                    (Operand::Lane(&a), Operand::Lane(&b)),
                    (Operand::Lane(&a), Operand::Word(word)),
                    (Operand::Word(word & 1), Operand::Lane(&b)),
                    (Operand::Word(word & 1), Operand::Word(word)),
                ] {
                    let mut out = [0; 256];
                    apply(op, &mut out, x, y, Operand::Lane(&c));
                    for (v, &got) in out.iter().enumerate() {
                        assert_eq!(got, op.apply(words(x, v), words(y, v), c[v]), "{op:?} at {v}");
                    }
                }
            }
        }
    }
}
