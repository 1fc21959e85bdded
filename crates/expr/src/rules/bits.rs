//! Extensions, extracts, concatenations and bitwise operations.

use super::Rule;
use crate::term::{Pool, Term, TermId};
use offshoot_trace::Op;
use offshoot_trace::eval::mask;

pub static RULES: &[Rule] = &[
    Rule {
        name: "extend-same",
        law: "zext x, sext x → x where the width stays",
        ops: &[Op::Zext, Op::Sext],
        rewrite: |p, t| t.only().filter(|&x| p.width(x) == t.width()),
    },
    Rule {
        name: "extend-extend",
        law: "zext (zext x), sext (zext x) → zext x; sext (sext x) → sext x",
        ops: &[Op::Zext, Op::Sext],
        rewrite: |p, t| {
            let a = t.only()?;
            if let Some(x) = p.as_zext(a) {
                return Some(p.zext(x, t.width()));
            }
            let x = p.as_sext(a).filter(|_| t.op() == Op::Sext)?;
            Some(p.sext(x, t.width()))
        },
    },
    Rule {
        name: "twice",
        law: "bswap (bswap x), bitreverse (bitreverse x) → x",
        ops: &[Op::Bswap, Op::Bitreverse],
        rewrite: |p, t| p.as_unary(t.only()?, t.op()),
    },
    Rule {
        name: "bswap-byte",
        law: "bswap x → x where x is one byte",
        ops: &[Op::Bswap],
        rewrite: |_, t| t.only().filter(|_| t.width() == 8),
    },
    Rule {
        name: "concat-zero",
        law: "concat 0 x → zext x",
        ops: &[Op::Concat],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            (p.value(a)? == 0).then(|| p.zext(b, t.width()))
        },
    },
    Rule {
        name: "concat-zext",
        law: "concat (zext x) y → zext (concat x y)",
        ops: &[Op::Concat],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            let x = p.as_zext(a)?;
            let inner = p.concat(x, b);
            Some(p.zext(inner, t.width()))
        },
    },
    Rule {
        name: "concat-merge",
        law: "concat of neighbouring reads, extracts or constants → one",
        ops: &[Op::Concat],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            neighbours(p, a, b)
        },
    },
    Rule {
        name: "concat-merge-inner",
        law: "concat x (concat y z) → concat (merge x y) z; concat (concat x y) z → concat x (merge y z)",
        ops: &[Op::Concat],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            if let Some((y, z)) = p.as_binary(b, Op::Concat)
                && let Some(merged) = neighbours(p, a, y)
            {
                return Some(p.concat(merged, z));
            }
            let (x, y) = p.as_binary(a, Op::Concat)?;
            let merged = neighbours(p, y, b)?;
            Some(p.concat(x, merged))
        },
    },
    Rule {
        name: "extract-all",
        law: "extract x from 0 → x where the width stays",
        ops: &[Op::Extract],
        rewrite: |p, t| {
            let (a, _) = part(t)?;
            (p.width(a) == t.width()).then_some(a)
        },
    },
    Rule {
        name: "extract-extract",
        law: "extract (extract x from c) from k → extract x from c + k",
        ops: &[Op::Extract],
        rewrite: |p, t| {
            let (a, k) = part(t)?;
            let (x, c) = part(p.get(a))?;
            Some(p.extract(x, c + k, t.width()))
        },
    },
    Rule {
        name: "extract-read",
        law: "extract (read s o n) from 8k → read s (o + k)",
        ops: &[Op::Extract],
        rewrite: |p, t| {
            let (a, low) = part(t)?;
            let Term::Read { source, offset, .. } = p.get(a) else { return None };
            let whole = low.is_multiple_of(8) && t.width().is_multiple_of(8);
            let offset = offset.checked_add(low as u32 / 8)?;
            whole.then(|| p.read(source, offset, t.width() / 8))
        },
    },
    Rule {
        name: "extract-zext",
        law: "extract (zext x) → extract x, zext (extract x) or 0, by where it lies",
        ops: &[Op::Extract],
        rewrite: |p, t| {
            let (a, low) = part(t)?;
            let x = p.as_zext(a)?;
            let n = p.width(x);
            if low >= n {
                return Some(p.constant(0, t.width()));
            }
            let bits = p.extract(x, low, t.width().min(n - low));
            Some(p.zext(bits, t.width()))
        },
    },
    Rule {
        name: "extract-sext",
        law: "extract (sext x) → extract x inside x; sext x from 0",
        ops: &[Op::Extract],
        rewrite: |p, t| {
            let (a, low) = part(t)?;
            let x = p.as_sext(a)?;
            let n = p.width(x);
            if low + t.width() <= n {
                Some(p.extract(x, low, t.width()))
            } else if low < n {
                let bits = p.extract(x, low, n - low);
                Some(p.sext(bits, t.width()))
            } else {
                None
            }
        },
    },
    Rule {
        name: "extract-concat",
        law: "extract (concat x y) → extract x or extract y where it lies in one; concat of both else",
        ops: &[Op::Extract],
        rewrite: |p, t| {
            let (a, low) = part(t)?;
            let (x, y) = p.as_binary(a, Op::Concat)?;
            let n = p.width(y);
            if low >= n {
                Some(p.extract(x, low - n, t.width()))
            } else if low + t.width() <= n {
                Some(p.extract(y, low, t.width()))
            } else {
                let lower = p.extract(y, low, n - low);
                let upper = p.extract(x, 0, t.width() - (n - low));
                Some(p.concat(upper, lower))
            }
        },
    },
    Rule {
        name: "extract-shift",
        law: "extract (x >> c) from k → extract x from c + k; extract (x << c) from k → extract x from k - c",
        ops: &[Op::Extract],
        rewrite: |p, t| {
            let (a, k) = part(t)?;
            let n = p.width(a) as u128;
            if let Some((x, c)) = p.as_const_rhs(a, Op::LShr) {
                return (c + k as u128 + t.width() as u128 <= n).then(|| p.extract(x, k + c as u8, t.width()));
            }
            let (x, c) = p.as_const_rhs(a, Op::Shl)?;
            (c <= k as u128).then(|| p.extract(x, k - c as u8, t.width()))
        },
    },
    Rule {
        name: "extract-bswap",
        law: "extract (bswap x) of byte k → extract x of the byte opposite",
        ops: &[Op::Extract],
        rewrite: |p, t| {
            let (a, low) = part(t).filter(|&(_, low)| t.width() == 8 && low % 8 == 0)?;
            let x = p.as_unary(a, Op::Bswap)?;
            Some(p.extract(x, p.width(x) - 8 - low, 8))
        },
    },
    Rule {
        // `(unsigned char)(c + 1)` computes in 32 bits only because C says so.
        name: "extract-narrow",
        law: "extract (x op y) from 0 → x' op y' where x and y are extensions of at most the width, or constants",
        ops: &[Op::Extract],
        rewrite: |p, t| {
            let (a, low) = part(t)?;
            let Term::Binary { op, a: x, b: y, .. } = p.get(a) else { return None };
            if low != 0 || !matches!(op, Op::Add | Op::Sub | Op::Mul | Op::And | Op::Or | Op::Xor) {
                return None;
            }
            let narrows = |id| {
                let inner = p.as_zext(id).or_else(|| p.as_sext(id));
                p.value(id).is_some() || inner.is_some_and(|inner| p.width(inner) <= t.width())
            };
            if !narrows(x) || !narrows(y) {
                return None;
            }
            let (x, y) = (p.extract(x, 0, t.width()), p.extract(y, 0, t.width()));
            Some(p.binary(op, x, y))
        },
    },
    Rule {
        name: "bitwise-const",
        law: "x & 0 → 0; x & 1… → x; x | 0 → x; x | 1… → 1…; x ^ 0 → x",
        ops: &[Op::And, Op::Or, Op::Xor],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            let c = p.value(b)?;
            let ones = mask(t.width());
            match t.op() {
                Op::And if c == 0 => Some(b),
                Op::And if c == ones => Some(a),
                Op::Or if c == ones => Some(b),
                Op::Or | Op::Xor if c == 0 => Some(a),
                _ => None,
            }
        },
    },
    Rule {
        name: "bitwise-self",
        law: "x & x, x | x → x; x ^ x → 0",
        ops: &[Op::And, Op::Or, Op::Xor],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            match t.op() {
                _ if a != b => None,
                Op::Xor => Some(p.constant(0, t.width())),
                _ => Some(a),
            }
        },
    },
    Rule {
        name: "bitwise-zext",
        law: "zext x op c → zext (x op c) where c fits (&: always); zext x op zext y → zext (x op y)",
        ops: &[Op::And, Op::Or, Op::Xor],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            let x = p.as_zext(a)?;
            let n = p.width(x);
            let narrow = match (p.value(b), p.as_zext(b)) {
                (Some(c), _) if t.op() == Op::And || c <= mask(n) => p.binary_const(t.op(), x, c & mask(n)),
                (_, Some(y)) if p.width(y) == n => p.binary(t.op(), x, y),
                _ => return None,
            };
            Some(p.zext(narrow, t.width()))
        },
    },
    Rule {
        name: "and-low",
        law: "x & (2^k - 1) → zext (extract x from 0 to k) where the extract dissolves",
        ops: &[Op::And],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            let c = p.value(b)?;
            let k = c.trailing_ones() as u8;
            if c != mask(k) || k == 0 || k >= t.width() || !p.extracts_freely(a, 0, k) {
                return None;
            }
            let bits = p.extract(a, 0, k);
            Some(p.zext(bits, t.width()))
        },
    },
    Rule {
        name: "not-compare",
        law: "not (x == y) → x != y; not (x < y) → y <= x, and back",
        ops: &[Op::Xor],
        rewrite: |p, t| {
            let (a, b) = t.pair().filter(|_| t.width() == 1)?;
            p.value(b)?;
            let Term::Binary { op, a: x, b: y, .. } = p.get(a) else { return None };
            match op {
                Op::Eq => Some(p.binary(Op::Ne, x, y)),
                Op::Ne => Some(p.binary(Op::Eq, x, y)),
                Op::Ult => Some(p.binary(Op::Ule, y, x)),
                Op::Ule => Some(p.binary(Op::Ult, y, x)),
                Op::Slt => Some(p.binary(Op::Sle, y, x)),
                Op::Sle => Some(p.binary(Op::Slt, y, x)),
                _ => None,
            }
        },
    },
];

fn part(t: Term) -> Option<(TermId, u8)> {
    if let Term::Extract { a, low, .. } = t { Some((a, low)) } else { None }
}

/// `concat high low` as one term, if they are neighbours.
fn neighbours(p: &mut Pool, high: TermId, low: TermId) -> Option<TermId> {
    let width = p.width(high) + p.width(low);
    match (p.get(high), p.get(low)) {
        (Term::Read { source, offset, bytes }, Term::Read { source: s, offset: o, bytes: n }) => {
            (s == source && o.checked_add(n as u32) == Some(offset)).then(|| p.read(source, o, bytes + n))
        }
        (Term::Extract { a, low: top, .. }, Term::Extract { a: same, low: bottom, width: n }) => {
            (a == same && bottom + n == top).then(|| p.extract(a, bottom, width))
        }
        (Term::Const { value, .. }, Term::Const { value: lower, width: n }) => {
            Some(p.constant(value << n | lower, width))
        }
        _ => None,
    }
}
