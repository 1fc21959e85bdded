//! Accesses through symbolic addresses, and accesses to blocks of symbolic size: do they stay in their object?

use super::{Address, Check, Terms, Violation, address_kind};
use crate::operation::Operation;
use offshoot_trace::{EventKind, Op};

pub struct Bounds;

/// AddressSanitizer guards at least this much behind an object, and mostly before it: not before the first global.
const GUARDED: u64 = 16;
/// Further away than this there is most likely nothing at all.
const FAR: u64 = 1 << 28;

impl Check for Bounds {
    fn name(&self) -> &'static str {
        "bounds"
    }

    fn help(&self) -> &'static str {
        "reads and writes outside of their heap, stack or global object, also against a symbolic size"
    }

    fn violations(&self, operation: &Operation, terms: &mut Terms<'_, '_>) -> Vec<Violation> {
        let event = &operation.event;
        let Some(object) = operation.object.as_ref().filter(|_| event.kind == EventKind::Access) else {
            return Vec::new();
        };
        let bytes = event.payload[1] & 0xFFFF_FFFF;
        let Some(address) = terms.wide(event.term) else { return Vec::new() };
        // Each of several pointers has an object of its own, and we know only that of the one that was taken.
        if address_kind(terms.pool, address) == Address::Chosen {
            return Vec::new();
        }
        let offset = terms.pool.binary_const(Op::Add, address, u128::from(object.entry.base.wrapping_neg()));
        let size = terms.size(object);
        // size < bytes ∨ size - bytes < offset
        let bytes = terms.number(bytes);
        let too_small = terms.less(size, bytes);
        let last = terms.pool.binary(Op::Sub, size, bytes);
        let outside = terms.less(last, offset);
        let goal = terms.or(too_small, outside);

        let guarded = terms.number(GUARDED);
        let beyond = terms.pool.binary(Op::Sub, offset, size);
        let just_behind = terms.less(beyond, guarded);
        let before = terms.pool.binary_const(Op::Add, offset, u128::from(GUARDED));
        let just_before = terms.less(before, guarded);
        let far = terms.pool.binary_const(Op::Add, offset, u128::from(FAR));
        let near = terms.number(2 * FAR);
        let far_away = terms.less(near, far);
        let surer =
            [just_behind, just_before, far_away].into_iter().map(|condition| terms.and(goal, condition)).collect();
        let title = if event.bit { "out-of-bounds write" } else { "out-of-bounds read" };
        vec![Violation { title, goal, surer }]
    }

    fn explain(&self, operation: &Operation, value: u128, size: u64) -> String {
        let Some(object) = &operation.object else { return String::new() };
        let bytes = operation.event.payload[1] & 0xFFFF_FFFF;
        let offset = (value as u64).wrapping_sub(object.entry.base) as i64;
        let verb = if operation.event.bit { "written" } else { "read" };
        format!("{bytes} bytes {verb} at offset {offset} of the {}, whose offsets end at {size}", object.in_words(size))
    }
}
