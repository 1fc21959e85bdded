//! Lengths handed to memory and string functions: is there that much room?

use super::{Check, Terms, Violation};
use crate::operation::Operation;
use offshoot_trace::{EventKind, Op};

pub struct Length;

/// AddressSanitizer guards at least this much behind an object.
const GUARDED: u64 = 16;

impl Check for Length {
    fn name(&self) -> &'static str {
        "length"
    }

    fn help(&self) -> &'static str {
        "lengths of memory and string functions that lead past the object"
    }

    fn violations(&self, operation: &Operation, terms: &mut Terms<'_, '_>) -> Vec<Violation> {
        let event = &operation.event;
        let Some(object) = operation.object.as_ref().filter(|_| event.kind == EventKind::Length) else {
            return Vec::new();
        };
        let Some(length) = terms.wide(event.term) else { return Vec::new() };
        let size = terms.size(object);
        let start = terms.number(event.payload[1].wrapping_sub(object.entry.base));
        let room = terms.pool.binary(Op::Sub, size, start);
        // size < start ∨ size - start < length
        let too_small = terms.less(size, start);
        let too_long = terms.less(room, length);
        let goal = terms.or(too_small, too_long);
        let beyond = terms.pool.binary(Op::Sub, length, room);
        let guarded = terms.number(GUARDED + 1);
        let just_behind = terms.less(beyond, guarded);
        let surer = vec![terms.and(goal, just_behind)];
        let title = if event.bit { "length past the end (write)" } else { "length past the end (read)" };
        vec![Violation { title, goal, surer }]
    }

    fn explain(&self, operation: &Operation, value: u128, size: u64) -> String {
        let Some(object) = &operation.object else { return String::new() };
        let start = operation.event.payload[1].wrapping_sub(object.entry.base);
        let verb = if operation.event.bit { "written" } else { "read" };
        format!("{value} bytes {verb} from offset {start} of the {}", object.in_words(size))
    }
}
