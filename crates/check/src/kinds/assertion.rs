//! Assertions of a harness, and conditions that lead straight to `abort` or out of `assert`.

use super::{Check, Terms, Violation};
use crate::operation::{Guarded, Operation};
use offshoot_trace::EventKind;

pub struct Assertion;

impl Check for Assertion {
    fn name(&self) -> &'static str {
        "assertion"
    }

    fn help(&self) -> &'static str {
        "assertions that can fail, and calls of abort that can be reached"
    }

    fn guards(&self) -> Option<Guarded> {
        Some(Guarded::Abort)
    }

    fn violations(&self, operation: &Operation, terms: &mut Terms<'_, '_>) -> Vec<Violation> {
        let event = &operation.event;
        let fails_on = match event.kind {
            EventKind::Assert => false,
            EventKind::Branch => match operation.guard.filter(|guard| guard.from == Guarded::Abort) {
                Some(guard) => guard.outcome,
                None => return Vec::new(),
            },
            _ => return Vec::new(),
        };
        let Some(condition) = terms.node(event.term).filter(|&term| terms.pool.width(term) == 1) else {
            return Vec::new();
        };
        let goal = if fails_on { condition } else { terms.pool.not(condition) };
        vec![Violation { title: "assertion failure", goal, surer: Vec::new() }]
    }

    fn explain(&self, _: &Operation, _: u128, _: u64) -> String {
        "the condition goes the way that ends in abort".to_owned()
    }
}
