//! What is done with a block after it was freed. It happens on the path itself; the judge decides whether it is an error.

use super::{Check, Terms, Violation};
use crate::operation::Operation;
use offshoot_trace::EventKind;

pub struct Freed;

impl Check for Freed {
    fn name(&self) -> &'static str {
        "freed"
    }

    fn help(&self) -> &'static str {
        "use after free, double free, and free of what was not allocated"
    }

    fn violations(&self, operation: &Operation, terms: &mut Terms<'_, '_>) -> Vec<Violation> {
        let is_freed = operation.object.as_ref().is_some_and(|object| object.is_freed);
        let title = match operation.event.kind {
            EventKind::Free => "double or wild free",
            EventKind::Access | EventKind::Length if is_freed => "use after free",
            _ => return Vec::new(),
        };
        vec![Violation { title, goal: terms.pool.boolean(true), surer: Vec::new() }]
    }

    fn explain(&self, operation: &Operation, _: u128, size: u64) -> String {
        match &operation.object {
            Some(object) => format!("the {} is used", object.in_words(size)),
            None => format!("address {:#x} is freed, which is no live block", operation.event.payload[0]),
        }
    }
}
