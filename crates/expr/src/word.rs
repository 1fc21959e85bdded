//! The meaning of terms of at most 64 bits over operands of at most 64 bits: what [`offshoot_trace::apply`] computes,
//! without its 128-bit arithmetic. Solvers evaluate millions of terms, and nearly all are that narrow.

use crate::term::Term;
use offshoot_trace::Op;

/// An operation with everything that its value depends on besides the operands' values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordOp {
    pub op: Op,
    pub width: u8,
    /// Of the first operand.
    pub wa: u8,
    /// Of an `Extract`.
    pub low: u8,
}

#[inline]
pub const fn word_mask(width: u8) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// `value`, of `width` bits, as a signed number.
#[inline]
pub const fn word_signed(value: u64, width: u8) -> i64 {
    let shift = 64 - width as u32;
    ((value << shift) as i64) >> shift
}

impl WordOp {
    /// For terms that have operands and no table. `wa`: the width of the first operand.
    pub fn of(term: &Term, wa: u8) -> WordOp {
        let low = if let Term::Extract { low, .. } = *term { low } else { 0 };
        WordOp { op: term.op(), width: term.width(), wa, low }
    }

    /// Equal to [`Term::apply`] where all widths are at most 64.
    #[inline]
    pub fn apply(self, a: u64, b: u64, c: u64) -> u64 {
        let (w, wa) = (self.width, self.wa);
        let m = word_mask(w);
        match self.op {
            Op::Concat => a << (w - wa) | b,
            Op::Extract => (a >> self.low) & m,
            Op::Zext => a,
            Op::Sext => word_signed(a, wa) as u64 & m,
            Op::Ite => {
                if a != 0 {
                    b
                } else {
                    c
                }
            }
            Op::Add => a.wrapping_add(b) & m,
            Op::Sub => a.wrapping_sub(b) & m,
            Op::Mul => a.wrapping_mul(b) & m,
            Op::UDiv => a.checked_div(b).unwrap_or(0),
            Op::URem => a.checked_rem(b).unwrap_or(0),
            Op::SDiv if b == 0 => 0,
            Op::SDiv => word_signed(a, w).wrapping_div(word_signed(b, w)) as u64 & m,
            Op::SRem if b == 0 => 0,
            Op::SRem => word_signed(a, w).wrapping_rem(word_signed(b, w)) as u64 & m,
            Op::Shl if b >= w as u64 => 0,
            Op::Shl => (a << b) & m,
            Op::LShr if b >= w as u64 => 0,
            Op::LShr => a >> b,
            Op::AShr => (word_signed(a, w) >> b.min(w as u64 - 1)) as u64 & m,
            Op::And => a & b,
            Op::Or => a | b,
            Op::Xor => a ^ b,
            Op::Eq => (a == b) as u64,
            Op::Ne => (a != b) as u64,
            Op::Ult => (a < b) as u64,
            Op::Ule => (a <= b) as u64,
            Op::Slt => (word_signed(a, wa) < word_signed(b, wa)) as u64,
            Op::Sle => (word_signed(a, wa) <= word_signed(b, wa)) as u64,
            _ => self.rare(a, b, c),
        }
    }

    /// Counts, swaps and floats go the long way.
    #[cold]
    #[inline(never)]
    fn rare(self, a: u64, b: u64, c: u64) -> u64 {
        let node = offshoot_trace::Node { op: self.op as u8, width: self.width, ..offshoot_trace::Node::default() };
        offshoot_trace::apply(&node, self.wa, a as u128, b as u128, c as u128) as u64
    }
}
