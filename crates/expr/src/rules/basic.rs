//! Constants, order of operands, choices and tables.

use super::Rule;
use crate::term::{Term, TermId};
use offshoot_trace::Op;

pub static RULES: &[Rule] = &[
    Rule {
        name: "fold",
        law: "op c k → the value",
        ops: Op::ALL,
        rewrite: |p, t| {
            if matches!(t, Term::Const { .. } | Term::Read { .. } | Term::Select { .. }) {
                return None;
            }
            let mut values = [0; 3];
            let mut wa = 0;
            for (at, operand) in t.operands().enumerate() {
                values[at] = p.value(operand)?;
                if at == 0 {
                    wa = p.width(operand);
                }
            }
            let [a, b, c] = values;
            Some(p.constant(t.apply(wa, a, b, c), t.width()))
        },
    },
    Rule {
        name: "commute-const",
        law: "c op x → x op c",
        ops: &[Op::Add, Op::Mul, Op::And, Op::Or, Op::Xor, Op::Eq, Op::Ne],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            (p.value(a).is_some() && p.value(b).is_none()).then(|| p.binary(t.op(), b, a))
        },
    },
    Rule {
        // One order for both, so that equal terms are the same term. Not for floats: which NaN comes out of an
        // addition of two depends on the order.
        name: "commute-order",
        law: "y op x → x op y",
        ops: &[Op::Add, Op::Mul, Op::And, Op::Or, Op::Xor, Op::Eq, Op::Ne],
        rewrite: |p, t| {
            let (a, b) = t.pair()?;
            (p.value(b).is_none() && a > b).then(|| p.binary(t.op(), b, a))
        },
    },
    Rule {
        name: "ite-const",
        law: "ite 1 x y → x; ite 0 x y → y",
        ops: &[Op::Ite],
        rewrite: |p, t| {
            let (c, x, y) = choice(t)?;
            Some(if p.value(c)? != 0 { x } else { y })
        },
    },
    Rule {
        name: "ite-same",
        law: "ite c x x → x",
        ops: &[Op::Ite],
        rewrite: |_, t| {
            let (_, x, y) = choice(t)?;
            (x == y).then_some(x)
        },
    },
    Rule {
        name: "ite-not",
        law: "ite (not b) x y → ite b y x",
        ops: &[Op::Ite],
        rewrite: |p, t| {
            let (c, x, y) = choice(t)?;
            let (b, _) = p.as_const_rhs(c, Op::Xor)?;
            Some(p.ite(b, y, x))
        },
    },
    Rule {
        name: "ite-bit",
        law: "ite b 1 0 → zext b; ite b 0 1 → zext (not b)",
        ops: &[Op::Ite],
        rewrite: |p, t| {
            let (c, x, y) = choice(t)?;
            let bit = match (p.value(x)?, p.value(y)?) {
                (1, 0) => c,
                (0, 1) => p.not(c),
                _ => return None,
            };
            Some(p.zext(bit, t.width()))
        },
    },
    Rule {
        name: "ite-logic",
        law: "ite b x 0 → b & x; ite b 1 x → b | x; ite b 0 x → not b & x; ite b x 1 → not b | x (one bit)",
        ops: &[Op::Ite],
        rewrite: |p, t| {
            let (c, x, y) = choice(t).filter(|_| t.width() == 1)?;
            match (p.value(x), p.value(y)) {
                (None, Some(0)) => Some(p.binary(Op::And, c, x)),
                (Some(1), None) => Some(p.binary(Op::Or, c, y)),
                (Some(0), None) => {
                    let not = p.not(c);
                    Some(p.binary(Op::And, not, y))
                }
                (None, Some(1)) => {
                    let not = p.not(c);
                    Some(p.binary(Op::Or, not, x))
                }
                _ => None,
            }
        },
    },
    Rule {
        name: "ite-nested",
        law: "ite b (ite b x y) z → ite b x z; ite b x (ite b y z) → ite b x z",
        ops: &[Op::Ite],
        rewrite: |p, t| {
            let (c, x, y) = choice(t)?;
            match (choice(p.get(x)), choice(p.get(y))) {
                (Some((inner, x, _)), _) if inner == c => Some(p.ite(c, x, y)),
                (_, Some((inner, _, y))) if inner == c => Some(p.ite(c, x, y)),
                _ => None,
            }
        },
    },
    Rule {
        name: "select-const",
        law: "select t c → the cells at c; outside the table: 0",
        ops: &[Op::Select],
        rewrite: |p, t| {
            let Term::Select { table, index, bytes } = t else { return None };
            let index = p.value(index)? as u64;
            let mut whole: Option<TermId> = None;
            for byte in 0..bytes as u64 {
                let at = usize::try_from(index.wrapping_add(byte)).ok()?;
                let cell = match p.cells(table).cells().get(at) {
                    Some(&cell) => cell,
                    None => p.constant(0, 8),
                };
                whole = Some(match whole {
                    Some(low) => p.concat(cell, low),
                    None => cell,
                });
            }
            whole
        },
    },
    Rule {
        name: "select-empty",
        law: "select t x → 0 where t is empty",
        ops: &[Op::Select],
        rewrite: |p, t| {
            let Term::Select { table, bytes, .. } = t else { return None };
            p.cells(table).cells().is_empty().then(|| p.constant(0, bytes * 8))
        },
    },
];

fn choice(t: Term) -> Option<(TermId, TermId, TermId)> {
    if let Term::Ternary { op: Op::Ite, a, b, c, .. } = t { Some((a, b, c)) } else { None }
}
