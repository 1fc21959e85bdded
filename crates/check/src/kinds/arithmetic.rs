//! Arithmetic that is allowed to the compiler but seldom meant: signed overflow, shifts, conversions that lose. Off unless
//! asked for, and compiled in on demand: clang puts a condition in front of each.

use super::{Check, Terms, Violation};
use crate::operation::{Guarded, Operation};

pub struct Arithmetic {
    name: &'static str,
    help: &'static str,
    title: &'static str,
    from: Guarded,
}

pub static OVERFLOW: Arithmetic = Arithmetic {
    name: "overflow",
    help: "signed overflow (off by default; build with -foffshoot-checks=overflow)",
    title: "signed overflow",
    from: Guarded::Overflow,
};

pub static SHIFT: Arithmetic = Arithmetic {
    name: "shift",
    help: "shifts by too much, or of what does not fit (off by default; build with -foffshoot-checks=shift)",
    title: "shift out of range",
    from: Guarded::Shift,
};

pub static CONVERSION: Arithmetic = Arithmetic {
    name: "conversion",
    help: "implicit conversions that change the value (off by default; build with -foffshoot-checks=conversion)",
    title: "lossy conversion",
    from: Guarded::Conversion,
};

impl Check for Arithmetic {
    fn name(&self) -> &'static str {
        self.name
    }

    fn help(&self) -> &'static str {
        self.help
    }

    fn is_on(&self) -> bool {
        false
    }

    fn guards(&self) -> Option<Guarded> {
        Some(self.from)
    }

    fn violations(&self, operation: &Operation, terms: &mut Terms<'_, '_>) -> Vec<Violation> {
        let Some(guard) = operation.guard.filter(|guard| guard.from == self.from) else { return Vec::new() };
        let condition = terms.node(operation.event.term).filter(|&term| terms.pool.width(term) == 1);
        let goal = condition.map(|condition| if guard.outcome { condition } else { terms.pool.not(condition) });
        goal.into_iter().map(|goal| Violation { title: self.title, goal, surer: Vec::new() }).collect()
    }

    fn explain(&self, _: &Operation, _: u128, _: u64) -> String {
        "clang's own condition for it holds".to_owned()
    }
}
