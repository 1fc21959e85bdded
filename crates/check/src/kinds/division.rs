//! Divisors from the input.

use super::{Check, Terms, Violation};
use crate::operation::Operation;
use offshoot_trace::EventKind;

pub struct Division;

impl Check for Division {
    fn name(&self) -> &'static str {
        "division"
    }

    fn help(&self) -> &'static str {
        "division and remainder by zero, and of the smallest number by -1"
    }

    fn violations(&self, operation: &Operation, terms: &mut Terms<'_, '_>) -> Vec<Violation> {
        let event = &operation.event;
        if event.kind != EventKind::Divide {
            return Vec::new();
        }
        let Some(divisor) = terms.node(event.term) else { return Vec::new() };
        let width = terms.pool.width(divisor);
        let zero = terms.pool.eq_const(divisor, 0);
        let mut violations = vec![Violation { title: "division by zero", goal: zero, surer: Vec::new() }];
        // The event does not tell the value of a concrete dividend. Narrower quotients have room for the result.
        let dividend = terms.node((event.payload[1] >> 32) as u32);
        if let Some(dividend) = dividend.filter(|_| event.bit && matches!(width, 32 | 64)) {
            let minus_one = terms.pool.eq_const(divisor, u128::MAX >> (128 - u32::from(width)));
            let smallest = terms.pool.eq_const(dividend, 1 << (width - 1));
            let goal = terms.and(minus_one, smallest);
            violations.push(Violation { title: "division overflow", goal, surer: Vec::new() });
        }
        violations
    }

    fn explain(&self, operation: &Operation, value: u128, _: u64) -> String {
        let width = operation.event.payload[1] as u32 & 0xFF;
        let minus_one = width < 128 && value == (1u128 << width) - 1;
        match operation.event.bit && minus_one {
            true => "the smallest number is divided by -1".to_owned(),
            false => format!("the divisor is {value}"),
        }
    }
}
