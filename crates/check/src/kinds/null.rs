//! Pointers that the input chooses: may they be null?

use super::{Address, Check, PAGE, Terms, Violation, address_kind};
use crate::operation::Operation;
use offshoot_trace::EventKind;

pub struct Null;

impl Check for Null {
    fn name(&self) -> &'static str {
        "null"
    }

    fn help(&self) -> &'static str {
        "reads and writes through pointers that may be null"
    }

    fn violations(&self, operation: &Operation, terms: &mut Terms<'_, '_>) -> Vec<Violation> {
        if operation.event.kind != EventKind::Access {
            return Vec::new();
        }
        let Some(address) = terms.wide(operation.event.term) else { return Vec::new() };
        if operation.object.is_some() && address_kind(terms.pool, address) == Address::Indexed {
            return Vec::new();
        }
        let page = terms.number(PAGE);
        let goal = terms.less(address, page);
        vec![Violation { title: "null pointer dereference", goal, surer: Vec::new() }]
    }

    fn explain(&self, operation: &Operation, value: u128, _: u64) -> String {
        let verb = if operation.event.bit { "written" } else { "read" };
        format!("{} bytes {verb} at address {value:#x}", operation.event.payload[1] & 0xFFFF_FFFF)
    }
}
