//! What is checked. Each kind turns a sensitive operation into conditions on the input under which it goes wrong.

mod allocation;
mod arithmetic;
mod assertion;
mod bounds;
mod division;
mod freed;
mod length;
mod null;
#[cfg(test)]
mod tests;

use crate::operation::{Guarded, Object, Operation};
use offshoot_expr::{Import, Pool, Term, TermId};
use offshoot_trace::{NodeId, Op};

/// One way in which an operation goes wrong.
pub struct Violation {
    /// `out-of-bounds read`
    pub title: &'static str,
    /// Of width 1.
    pub goal: TermId,
    /// Narrower conditions that the judge is surer to see than just any solution of `goal`.
    pub surer: Vec<TermId>,
}

pub trait Check: Sync {
    /// As `--checks` calls it.
    fn name(&self) -> &'static str;
    fn help(&self) -> &'static str;
    /// Unless something else is asked for.
    fn is_on(&self) -> bool {
        true
    }
    /// The conditions of the program that it looks at, if it does so.
    fn guards(&self) -> Option<Guarded> {
        None
    }
    /// Empty: none of its business, or its terms are damaged.
    fn violations(&self, operation: &Operation, terms: &mut Terms<'_, '_>) -> Vec<Violation>;
    /// What happens if the operation's term has this `value`, and the object this `size`.
    fn explain(&self, operation: &Operation, value: u128, size: u64) -> String;
}

pub static ALL: [&dyn Check; 10] = [
    &null::Null,
    &bounds::Bounds,
    &freed::Freed,
    &division::Division,
    &length::Length,
    &allocation::Allocation,
    &assertion::Assertion,
    &arithmetic::OVERFLOW,
    &arithmetic::SHIFT,
    &arithmetic::CONVERSION,
];

pub fn by_name(name: &str) -> Option<&'static dyn Check> {
    ALL.into_iter().find(|check| check.name() == name)
}

#[derive(Debug, thiserror::Error)]
#[error("no check {name:?}; there are: {}, default, all, and -NAME switches one off", names())]
pub struct UnknownCheck {
    pub name: String,
}

pub fn names() -> String {
    ALL.map(|check| check.name()).join(", ")
}

/// `bounds,null`: these. `-null`: the others that are on by default. `default,overflow`: one more.
pub fn parse(list: &str) -> Result<Vec<&'static dyn Check>, UnknownCheck> {
    let words: Vec<&str> = list.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
    let only_removes = words.iter().all(|word| word.starts_with('-'));
    let default = ALL.map(|check| check.is_on());
    let mut on = if only_removes { default } else { [false; ALL.len()] };
    for word in words {
        let (name, wanted) = word.strip_prefix('-').map_or((word, true), |name| (name, false));
        if name == "all" {
            on = [wanted; ALL.len()];
            continue;
        }
        if name == "default" {
            on.iter_mut().zip(default).filter(|(_, is_default)| *is_default).for_each(|(on, _)| *on = wanted);
            continue;
        }
        let at = ALL.iter().position(|check| check.name() == name);
        on[at.ok_or_else(|| UnknownCheck { name: name.to_owned() })?] = wanted;
    }
    Ok(ALL.into_iter().zip(on).filter_map(|(check, on)| on.then_some(check)).collect())
}

/// Below this address there is nothing, and no field of a struct is further from its start.
const PAGE: u64 = 4096;

/// What an address is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Address {
    /// A fixed place and an index.
    Indexed,
    /// One of several pointers that lie in memory.
    Chosen,
    /// A number out of the input.
    Wild,
}

fn address_kind(pool: &Pool, address: TermId) -> Address {
    let mut kind = Address::Indexed;
    let mut summands = vec![address];
    while let Some(summand) = summands.pop() {
        match pool.get(summand) {
            Term::Const { value, .. } if (PAGE..PAGE.wrapping_neg()).contains(&(value as u64)) => {
                return Address::Indexed;
            }
            Term::Binary { op: Op::Add, a, b, .. } => summands.extend([a, b]),
            Term::Select { bytes: 8, .. } => kind = Address::Chosen,
            Term::Ternary { op: Op::Ite, .. } => kind = Address::Chosen,
            Term::Read { bytes: 8, .. } | Term::Binary { op: Op::Concat, .. } => kind = Address::Wild,
            _ => {}
        }
    }
    kind
}

/// Makes conditions.
pub struct Terms<'a, 'v> {
    pub import: &'a mut Import<'v>,
    pub pool: &'a mut Pool,
}

impl Terms<'_, '_> {
    /// `None`: concrete or damaged.
    fn node(&mut self, node: NodeId) -> Option<TermId> {
        if node == 0 { None } else { self.import.term(self.pool, node).ok() }
    }

    /// The same, as 64 bits.
    fn wide(&mut self, node: NodeId) -> Option<TermId> {
        let term = self.node(node)?;
        match self.pool.width(term) {
            64 => Some(term),
            width if width < 64 => Some(self.pool.zext(term, 64)),
            _ => Some(self.pool.extract(term, 0, 64)),
        }
    }

    fn number(&mut self, value: u64) -> TermId {
        self.pool.constant(u128::from(value), 64)
    }

    fn less(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.binary(Op::Ult, a, b)
    }

    fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.binary(Op::And, a, b)
    }

    fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.pool.binary(Op::Or, a, b)
    }

    /// The object's size on this path for any input.
    fn size(&mut self, object: &Object) -> TermId {
        match self.wide(object.entry.size_term) {
            Some(term) => term,
            None => self.number(object.entry.size),
        }
    }
}
