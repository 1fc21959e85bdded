//! Sums, products, quotients and shifts.

use super::Rule;
use crate::term::{Pool, Term, TermId};
use offshoot_trace::Op;
use offshoot_trace::eval::mask;

pub static RULES: &[Rule] = &[
    Rule {
        name: "right-identity",
        law: "x + 0, x - 0, x * 1, x / 1, x << 0, x >> 0 → x",
        ops: &[Op::Add, Op::Sub, Op::Mul, Op::UDiv, Op::SDiv, Op::Shl, Op::LShr, Op::AShr],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            // A signed division of one bit by 1 is one by -1.
            let identity = match t.op() {
                Op::SDiv if t.width() == 1 => return None,
                Op::Mul | Op::UDiv | Op::SDiv => 1,
                _ => 0,
            };
            (p.value(b)? == identity).then_some(a)
        },
    },
    Rule {
        name: "annihilate",
        law: "x * 0, x / 0, x % 0, x % 1 → 0",
        ops: &[Op::Mul, Op::UDiv, Op::SDiv, Op::URem, Op::SRem],
        rewrite: |p, t| {
            let b = p.value(t.pair()?.1)?;
            let zero = b == 0 || b == 1 && matches!(t.op(), Op::URem | Op::SRem);
            zero.then(|| p.constant(0, t.width()))
        },
    },
    Rule {
        name: "sub-const",
        law: "x - c → x + (-c)",
        ops: &[Op::Sub],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            let c = p.value(b)?;
            Some(p.binary_const(Op::Add, a, c.wrapping_neg()))
        },
    },
    Rule {
        name: "sub-self",
        law: "x - x → 0",
        ops: &[Op::Sub],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            (a == b).then(|| p.constant(0, t.width()))
        },
    },
    Rule {
        name: "chain",
        law: "(x op c) op k → x op (c op k)",
        ops: &[Op::Add, Op::Mul, Op::And, Op::Or, Op::Xor],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            let k = p.value(b)?;
            let (x, c) = p.as_const_rhs(a, t.op())?;
            let both = t.apply(t.width(), c, k, 0);
            Some(p.binary_const(t.op(), x, both))
        },
    },
    Rule {
        name: "sub-chain",
        law: "(c - x) + k → (c + k) - x; c - (x + k) → (c - k) - x; c - (k - x) → x + (c - k)",
        ops: &[Op::Add, Op::Sub],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            if t.op() == Op::Add {
                let k = p.value(b)?;
                let (c, x) = p.as_binary(a, Op::Sub)?;
                let c = p.value(c)?;
                let sum = p.constant(c.wrapping_add(k), t.width());
                return Some(p.binary(Op::Sub, sum, x));
            }
            let c = p.value(a)?;
            if let Some((x, k)) = p.as_const_rhs(b, Op::Add) {
                let difference = p.constant(c.wrapping_sub(k), t.width());
                return Some(p.binary(Op::Sub, difference, x));
            }
            let (k, x) = p.as_binary(b, Op::Sub)?;
            let k = p.value(k)?;
            Some(p.binary_const(Op::Add, x, c.wrapping_sub(k)))
        },
    },
    Rule {
        name: "divide-power",
        law: "x / 2^k → x >> k; x % 2^k → x & (2^k - 1), unsigned",
        ops: &[Op::UDiv, Op::URem],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            let c = p.value(b).filter(|c| c.is_power_of_two())?;
            Some(match t.op() {
                Op::UDiv => p.binary_const(Op::LShr, a, c.trailing_zeros() as u128),
                _ => p.binary_const(Op::And, a, c - 1),
            })
        },
    },
    Rule {
        name: "divide-unsigned",
        law: "zext x /s c → zext x /u c where c is not negative",
        ops: &[Op::SDiv, Op::SRem],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            p.as_zext(a)?;
            let c = p.value(b)?;
            let op = if t.op() == Op::SDiv { Op::UDiv } else { Op::URem };
            (c >> (t.width() - 1) == 0).then(|| p.binary(op, a, b))
        },
    },
    Rule {
        name: "divide-narrow",
        law: "zext x / c → zext (x / c); zext x % c → zext (x % c), unsigned, where c fits",
        ops: &[Op::UDiv, Op::URem],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            let (x, c) = (p.as_zext(a)?, p.value(b)?);
            if c > mask(p.width(x)) {
                // The quotient of a smaller number is 0, the remainder the number.
                return Some(if t.op() == Op::UDiv { p.constant(0, t.width()) } else { a });
            }
            let narrow = p.binary_const(t.op(), x, c);
            Some(p.zext(narrow, t.width()))
        },
    },
    Rule {
        name: "shift-out",
        law: "x << c, x >> c → 0 where c ≥ width",
        ops: &[Op::Shl, Op::LShr],
        rewrite: |p, t| {
            let c = p.value(t.pair()?.1)?;
            (c >= t.width() as u128).then(|| p.constant(0, t.width()))
        },
    },
    Rule {
        name: "ashr-positive",
        law: "zext x >>s y → zext x >>u y where y < width",
        ops: &[Op::AShr],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            p.as_zext(a)?;
            // Past the width both are 0 as well, the sign being 0.
            Some(p.binary(Op::LShr, a, b))
        },
    },
    Rule {
        name: "shl-concat",
        law: "zext x << c → zext (concat x 0:c) where nothing is lost",
        ops: &[Op::Shl],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            let (x, c) = (p.as_zext(a)?, p.value(b)?);
            if c + p.width(x) as u128 > t.width() as u128 {
                return None;
            }
            let zeros = p.constant(0, c as u8);
            let shifted = p.concat(x, zeros);
            Some(p.zext(shifted, t.width()))
        },
    },
    Rule {
        name: "lshr-extract",
        law: "x >> c → zext (extract x from c) where the extract dissolves",
        ops: &[Op::LShr],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            let c = p.value(b).filter(|&c| c < t.width() as u128)? as u8;
            let width = t.width() - c;
            if !p.extracts_freely(a, c, width) {
                return None;
            }
            let top = p.extract(a, c, width);
            Some(p.zext(top, t.width()))
        },
    },
    Rule {
        name: "shift-chain",
        law: "(x << c) << k → x << (c + k), and >>",
        ops: &[Op::Shl, Op::LShr],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            let k = p.value(b)?;
            let (x, c) = p.as_const_rhs(a, t.op())?;
            // Both are below the width, so the sum fits unless it shifts everything out.
            if c + k >= t.width() as u128 {
                return Some(p.constant(0, t.width()));
            }
            Some(p.binary_const(t.op(), x, c + k))
        },
    },
    Rule {
        name: "join-disjoint",
        law: "zext (concat x 0:k) | zext y → zext (concat x (zext y)) where y has at most k bits; + and ^ too",
        ops: &[Op::Or, Op::Add, Op::Xor],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            join(p, t, a, b).or_else(|| join(p, t, b, a))
        },
    },
];

/// `high` has zeros where `low` has its bits.
fn join(p: &mut Pool, t: Term, high: TermId, low: TermId) -> Option<TermId> {
    let inner = p.as_zext(high).unwrap_or(high);
    let (x, zeros) = p.as_binary(inner, Op::Concat)?;
    // `concat (concat x y) 0` is kept with the zeros on the right, so one look is enough.
    if p.value(zeros)? != 0 {
        return None;
    }
    let k = p.width(zeros);
    let y = match p.value(low) {
        Some(c) if c <= mask(k) => p.constant(c, k),
        Some(_) => return None,
        None => {
            let y = p.as_zext(low)?;
            if p.width(y) > k {
                return None;
            }
            p.zext(y, k)
        }
    };
    let joined = p.concat(x, y);
    Some(p.zext(joined, t.width()))
}
