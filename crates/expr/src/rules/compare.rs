//! Comparisons: mostly of bytes that C has widened, against constants.

use super::Rule;
use crate::term::{Pool, Term, TermId};
use offshoot_trace::Op;
use offshoot_trace::eval::{mask, signed};

pub static RULES: &[Rule] = &[
    Rule {
        name: "compare-self",
        law: "x == x, x <= x → 1; x != x, x < x → 0",
        ops: &[Op::Eq, Op::Ne, Op::Ult, Op::Ule, Op::Slt, Op::Sle],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            (a == b).then(|| p.boolean(matches!(t.op(), Op::Eq | Op::Ule | Op::Sle)))
        },
    },
    Rule {
        name: "compare-bit",
        law: "b == 1, b != 0 → b; b == 0, b != 1 → not b (one bit)",
        ops: &[Op::Eq, Op::Ne],
        rewrite: |p, t| {
            let (a, b) = t.pair().filter(|&(a, _)| p.width(a) == 1)?;
            let keep = (p.value(b)? == 1) == (t.op() == Op::Eq);
            Some(if keep { a } else { p.not(a) })
        },
    },
    Rule {
        name: "eq-invert",
        law: "x + c == k → x == k - c; x ^ c == k → x == k ^ c; c - x == k → x == c - k; bswap x == k → x == bswap k",
        ops: &[Op::Eq, Op::Ne],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            let k = p.value(b)?;
            match p.get(a) {
                Term::Binary { op: Op::Add, a: x, b: c, .. } => {
                    let c = p.value(c)?;
                    Some(p.binary_const(t.op(), x, k.wrapping_sub(c)))
                }
                Term::Binary { op: Op::Xor, a: x, b: c, .. } if p.value(c).is_some() => {
                    let c = p.value(c)?;
                    Some(p.binary_const(t.op(), x, k ^ c))
                }
                Term::Binary { op: Op::Sub, a: c, b: x, .. } if p.value(c).is_some() => {
                    let c = p.value(c)?;
                    Some(p.binary_const(t.op(), x, c.wrapping_sub(k)))
                }
                inner @ Term::Unary { op: Op::Bswap | Op::Bitreverse, width, a: x } => {
                    let swapped = inner.apply(width, k, 0, 0);
                    Some(p.binary_const(t.op(), x, swapped))
                }
                _ => None,
            }
        },
    },
    Rule {
        name: "eq-difference",
        law: "x - y == 0, x ^ y == 0 → x == y",
        ops: &[Op::Eq, Op::Ne],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            if p.value(b)? != 0 {
                return None;
            }
            let (x, y) = p.as_binary(a, Op::Sub).or_else(|| p.as_binary(a, Op::Xor))?;
            Some(p.binary(t.op(), x, y))
        },
    },
    Rule {
        name: "eq-common",
        law: "x + z == y + z → x == y; x ^ z == y ^ z → x == y",
        ops: &[Op::Eq, Op::Ne],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            let (Term::Binary { op, a: x, b: z, .. }, Term::Binary { op: same, a: y, b: w, .. }) = (p.get(a), p.get(b))
            else {
                return None;
            };
            (op == same && z == w && matches!(op, Op::Add | Op::Sub | Op::Xor)).then(|| p.binary(t.op(), x, y))
        },
    },
    Rule {
        name: "eq-ite-const",
        law: "ite b c k == c → b; … == k → not b; … == anything else → 0",
        ops: &[Op::Eq, Op::Ne],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            let Term::Ternary { op: Op::Ite, a: condition, b: x, c: y, .. } = p.get(a) else { return None };
            let (k, x, y) = (p.value(b)?, p.value(x)?, p.value(y)?);
            let equal = match (x == k, y == k) {
                (true, false) => condition,
                (false, true) => p.not(condition),
                (same, _) => p.boolean(same),
            };
            Some(if t.op() == Op::Eq { equal } else { p.not(equal) })
        },
    },
    Rule {
        name: "eq-concat-const",
        law: "concat x c == k → x == the upper bits of k where the lower are c, else 0; and the other way round",
        ops: &[Op::Eq, Op::Ne],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            let k = p.value(b)?;
            let (x, y) = p.as_binary(a, Op::Concat)?;
            let n = p.width(y);
            let (upper, lower) = (k >> n, k & mask(n));
            let (fits, rest, wanted) = match (p.value(x), p.value(y)) {
                (Some(c), _) => (c == upper, y, lower),
                (_, Some(c)) => (c == lower, x, upper),
                _ => return None,
            };
            Some(if fits { p.binary_const(t.op(), rest, wanted) } else { p.boolean(t.op() == Op::Ne) })
        },
    },
    Rule {
        name: "compare-zext-const",
        law: "zext x ~ c → x ~ c where c fits, else a constant; signed comparisons become unsigned",
        ops: &[Op::Eq, Op::Ne, Op::Ult, Op::Ule, Op::Slt, Op::Sle],
        rewrite: |p, t| {
            let (x, c, swapped) = against_const(p, t, Op::Zext)?;
            let (n, wide) = (p.width(x), operand_width(p, t)?);
            let is_signed = matches!(t.op(), Op::Slt | Op::Sle);
            let op = match t.op() {
                Op::Slt => Op::Ult,
                Op::Sle => Op::Ule,
                op => op,
            };
            if is_signed && signed(c, wide) < 0 {
                // x is above c.
                return Some(p.boolean(swapped));
            }
            if c > mask(n) {
                // x is below c.
                return Some(match op {
                    Op::Eq => p.boolean(false),
                    Op::Ne => p.boolean(true),
                    _ => p.boolean(!swapped),
                });
            }
            Some(compare_const(p, op, x, c, swapped))
        },
    },
    Rule {
        name: "compare-sext-const",
        law: "sext x ~ c → x ~ c where c fits, else a constant (signed or equality)",
        ops: &[Op::Eq, Op::Ne, Op::Slt, Op::Sle],
        rewrite: |p, t| {
            let (x, c, swapped) = against_const(p, t, Op::Sext)?;
            let (n, wide) = (p.width(x), operand_width(p, t)?);
            let value = signed(c, wide);
            if signed(c & mask(n), n) == value {
                return Some(compare_const(p, t.op(), x, c & mask(n), swapped));
            }
            Some(match t.op() {
                Op::Eq => p.boolean(false),
                Op::Ne => p.boolean(true),
                _ => p.boolean((value > 0) != swapped),
            })
        },
    },
    Rule {
        name: "compare-zext-zext",
        law: "zext x ~ zext y → x ~ y; signed comparisons become unsigned",
        ops: &[Op::Eq, Op::Ne, Op::Ult, Op::Ule, Op::Slt, Op::Sle],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            let (x, y) = (p.as_zext(a)?, p.as_zext(b)?);
            let n = p.width(x).max(p.width(y));
            let op = match t.op() {
                Op::Slt => Op::Ult,
                Op::Sle => Op::Ule,
                op => op,
            };
            let (x, y) = (p.zext(x, n), p.zext(y, n));
            Some(p.binary(op, x, y))
        },
    },
    Rule {
        name: "compare-sext-sext",
        law: "sext x ~ sext y → x ~ y where they are as wide",
        ops: &[Op::Eq, Op::Ne, Op::Ult, Op::Ule, Op::Slt, Op::Sle],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            let (x, y) = (p.as_sext(a)?, p.as_sext(b)?);
            (p.width(x) == p.width(y)).then(|| p.binary(t.op(), x, y))
        },
    },
    Rule {
        name: "ult-bounds",
        law: "x < 0, max < x → 0; 0 <= x, x <= max → 1; x < 1, x <= 0 → x == 0; 0 < x, 1 <= x → x != 0",
        ops: &[Op::Ult, Op::Ule],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            let max = mask(p.width(a));
            match (t.op(), p.value(a), p.value(b)) {
                (Op::Ult, _, Some(0)) => Some(p.boolean(false)),
                (Op::Ult, Some(c), _) if c == max => Some(p.boolean(false)),
                (Op::Ule, Some(0), _) => Some(p.boolean(true)),
                (Op::Ule, _, Some(c)) if c == max => Some(p.boolean(true)),
                (Op::Ult, _, Some(1)) | (Op::Ule, _, Some(0)) => Some(p.eq_const(a, 0)),
                (Op::Ult, Some(0), _) | (Op::Ule, Some(1), _) => Some(p.binary_const(Op::Ne, b, 0)),
                _ => None,
            }
        },
    },
    Rule {
        // The way compilers write `'0' <= c && c <= '9'`.
        name: "range-narrow",
        law: "zext x - d < k → x - d < k where d + k ≤ 2^n, so that a wrapped difference is too large in both; <= too",
        ops: &[Op::Ult, Op::Ule],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            let (sum, k, swapped) = match (p.value(a), p.value(b)) {
                (None, Some(k)) => (a, k, false),
                (Some(k), None) => (b, k, true),
                _ => return None,
            };
            let (extended, c) = p.as_const_rhs(sum, Op::Add)?;
            let x = p.as_zext(extended)?;
            let (n, wide) = (p.width(x), p.width(extended));
            let d = c.wrapping_neg() & mask(wide);
            // `y < k` and `k <= y` split at k; `y <= k` and `k < y` at k + 1.
            let split = if (t.op() == Op::Ult) != swapped { k } else { k.checked_add(1)? };
            if n >= 127 || d > mask(n) || split > (1 << n) - d {
                return None;
            }
            let narrow = p.binary_const(Op::Add, x, d.wrapping_neg());
            Some(compare_const(p, t.op(), narrow, k, swapped))
        },
    },
];

fn operand_width(p: &Pool, t: Term) -> Option<u8> {
    Some(p.width(t.pair()?.0))
}

/// `ext x ~ c` as `(x, c, false)`, `c ~ ext x` as `(x, c, true)`.
fn against_const(p: &Pool, t: Term, extension: Op) -> Option<(TermId, u128, bool)> {
    let (a, b) = t.pair()?;
    match (p.value(a), p.value(b)) {
        (None, Some(c)) => Some((p.as_unary(a, extension)?, c, false)),
        (Some(c), None) => Some((p.as_unary(b, extension)?, c, true)),
        _ => None,
    }
}

fn compare_const(p: &mut Pool, op: Op, x: TermId, c: u128, swapped: bool) -> TermId {
    let c = p.constant(c, p.width(x));
    if swapped { p.binary(op, c, x) } else { p.binary(op, x, c) }
}
