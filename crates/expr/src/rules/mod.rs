//! Rewrites to normal form, as data: each rule has a name, its law, and the operations it looks at. The pool counts how
//! often each fires; a property test holds every law against the evaluator and fails for a rule that never fires.
//!
//! A rule sees a term whose operands are in normal form and returns an equal one, also in normal form. Rules only go
//! down: fewer nodes, narrower nodes, or a constant moved towards the right and outwards. None looks deeper than two
//! levels, so making a term costs constant time.

mod arith;
mod basic;
mod bits;
mod compare;

use crate::term::{Pool, Term, TermId};
use offshoot_trace::Op;
use std::sync::LazyLock;

pub struct Rule {
    pub name: &'static str,
    /// `before → after`; letters are terms, `c` and `k` constants.
    pub law: &'static str,
    pub ops: &'static [Op],
    pub(crate) rewrite: fn(&mut Pool, Term) -> Option<TermId>,
}

/// All rules; for each operation the first that fits is taken.
pub static RULES: LazyLock<Vec<&'static Rule>> =
    LazyLock::new(|| [basic::RULES, arith::RULES, bits::RULES, compare::RULES].into_iter().flatten().collect());

/// Indices into [`RULES`] by operation.
static BY_OP: LazyLock<Vec<Vec<u16>>> = LazyLock::new(|| {
    let mut by_op = vec![Vec::new(); 256];
    for (index, rule) in RULES.iter().enumerate() {
        for &op in rule.ops {
            by_op[op as usize].push(index as u16);
        }
    }
    by_op
});

pub(crate) fn for_op(op: Op) -> &'static [u16] {
    &BY_OP[op as usize]
}

/// Matching, in the words of the laws.
impl Term {
    fn pair(&self) -> Option<(TermId, TermId)> {
        if let Term::Binary { a, b, .. } = *self { Some((a, b)) } else { None }
    }
    fn only(&self) -> Option<TermId> {
        if let Term::Unary { a, .. } = *self { Some(a) } else { None }
    }
}

impl Pool {
    fn as_unary(&self, id: TermId, wanted: Op) -> Option<TermId> {
        match self.get(id) {
            Term::Unary { op, a, .. } if op == wanted => Some(a),
            _ => None,
        }
    }
    fn as_binary(&self, id: TermId, wanted: Op) -> Option<(TermId, TermId)> {
        match self.get(id) {
            Term::Binary { op, a, b, .. } if op == wanted => Some((a, b)),
            _ => None,
        }
    }
    /// `x op c`
    fn as_const_rhs(&self, id: TermId, wanted: Op) -> Option<(TermId, u128)> {
        let (a, b) = self.as_binary(id, wanted)?;
        Some((a, self.value(b)?))
    }
    /// `zext x` to a larger width.
    fn as_zext(&self, id: TermId) -> Option<TermId> {
        self.as_unary(id, Op::Zext)
    }
    fn as_sext(&self, id: TermId) -> Option<TermId> {
        self.as_unary(id, Op::Sext)
    }

    /// `extract x` will not leave an `Extract` of `x` behind.
    fn extracts_freely(&self, x: TermId, low: u8, width: u8) -> bool {
        match self.get(x) {
            Term::Const { .. } => true,
            Term::Read { .. } => low.is_multiple_of(8) && width.is_multiple_of(8),
            Term::Unary { op: Op::Zext, a, .. } => {
                let n = self.width(a);
                low >= n || low == 0 && width >= n || self.extracts_freely(a, low, width.min(n - low))
            }
            Term::Binary { op: Op::Concat, b, .. } => {
                let n = self.width(b);
                low >= n || low + width <= n
            }
            _ => false,
        }
    }
}
