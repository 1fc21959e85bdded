//! Sizes of allocations: may their computation overflow, or may they be more than there is?

use super::{Check, Terms, Violation};
use crate::operation::Operation;
use offshoot_expr::{Term, TermId};
use offshoot_trace::{EventKind, Op};

pub struct Allocation;

/// No allocator here gives as much as this.
const HUGE: u64 = 1 << 40;

impl Check for Allocation {
    fn name(&self) -> &'static str {
        "allocation"
    }

    fn help(&self) -> &'static str {
        "sizes of allocations that overflow, or that no allocator can give (an error if the program then fails)"
    }

    fn violations(&self, operation: &Operation, terms: &mut Terms<'_, '_>) -> Vec<Violation> {
        if operation.event.kind != EventKind::Allocate {
            return Vec::new();
        }
        let Some(size) = terms.wide(operation.event.term) else { return Vec::new() };
        let huge = terms.number(HUGE - 1);
        let goal = terms.less(huge, size);
        let mut violations = vec![Violation { title: "huge allocation", goal, surer: Vec::new() }];
        if let Some(goal) = overflow(terms, size) {
            // What is left is too small for any element.
            let few = terms.number(8);
            let tiny = terms.less(size, few);
            let surer = vec![terms.and(goal, tiny)];
            violations.push(Violation { title: "allocation size overflow", goal, surer });
        }
        violations
    }

    fn explain(&self, _: &Operation, value: u128, _: u64) -> String {
        format!("{value} bytes are asked for")
    }
}

/// The last sum or product of the size does not fit.
fn overflow(terms: &mut Terms<'_, '_>, size: TermId) -> Option<TermId> {
    let mut term = size;
    while let Term::Unary { op: Op::Zext | Op::Sext, a, .. } = terms.pool.get(term) {
        term = a;
    }
    let Term::Binary { op, a, b, width } = terms.pool.get(term) else { return None };
    let pool = &mut *terms.pool;
    match op {
        // a + b < b. A large constant is a subtraction.
        Op::Add if pool.value(b).is_none_or(|b| b < 1 << (width - 1)) => Some(pool.binary(Op::Ult, term, b)),
        Op::Mul if width <= 64 => {
            let (a, b) = (pool.zext(a, 2 * width), pool.zext(b, 2 * width));
            let product = pool.binary(Op::Mul, a, b);
            let high = pool.extract(product, width, width);
            let fits = pool.eq_const(high, 0);
            Some(pool.not(fits))
        }
        Op::Shl => {
            let back = pool.binary(Op::LShr, term, b);
            Some(pool.binary(Op::Ne, back, a))
        }
        _ => None,
    }
}
