//! The path condition of a run: what must hold of the input for the run to go the way it went.

use crate::check::Damage;
use crate::import::Import;
use crate::term::{Pool, TermId};
use offshoot_trace::{Event, EventKind, NodeId, Op};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// Position among the events of the trace.
    pub event: usize,
    /// `Branch`, `Switch`, `Concretise`, `Assume`, `Assert`, or `Access`, which stayed in its object.
    pub kind: EventKind,
    /// 0: none.
    pub site: u32,
    pub node: NodeId,
    /// What was decided on.
    pub term: TermId,
    /// The value it had.
    pub value: u128,
    /// `term == value`, as a condition; of an access, that it stays in its object.
    pub holds: TermId,
}

#[derive(Clone, Debug, Default)]
pub struct Path {
    /// In the order of the run.
    pub constraints: Vec<Constraint>,
    /// Events whose terms cannot be trusted, by position: the path condition is weaker than the path.
    pub damaged: Vec<(usize, Damage)>,
}

impl Path {
    pub fn of(import: &mut Import<'_>, pool: &mut Pool) -> Path {
        let mut path = Path::default();
        for (position, event) in import.view().events().enumerate() {
            path.add(import, pool, position, &event);
        }
        path
    }

    /// What one more event adds.
    pub fn add(&mut self, import: &mut Import<'_>, pool: &mut Pool, position: usize, event: &Event) {
        let added = match event.kind {
            EventKind::Access => in_bounds(import, pool, position, event),
            _ => constraint(import, pool, position, event),
        };
        match added {
            Some(Ok(constraint)) => self.constraints.push(constraint),
            Some(Err(damage)) => self.damaged.push((position, damage)),
            None => {}
        }
    }
}

/// An access through a symbolic address stayed in its object: `address - base <= size - bytes`. A term that reads a
/// table means something only as long as that holds.
fn in_bounds(
    import: &mut Import<'_>,
    pool: &mut Pool,
    position: usize,
    event: &Event,
) -> Option<Result<Constraint, Damage>> {
    let (address, bytes) = (event.payload[0], event.payload[1] & 0xFFFF_FFFF);
    let object = import.view().object((event.payload[1] >> 32) as u32).filter(|object| object.size >= bytes)?;
    let last = object.size - bytes;
    if address.wrapping_sub(object.base) > last {
        return None;
    }
    let term = match import.term(pool, event.term) {
        Ok(term) => term,
        Err(damage) => return Some(Err(damage)),
    };
    let offset = pool.binary_const(Op::Add, term, u128::from(object.base.wrapping_neg()));
    let limit = pool.constant(u128::from(last), 64);
    let holds = pool.binary(Op::Ule, offset, limit);
    let (node, site, kind) = (event.term, event.site, event.kind);
    Some(Ok(Constraint { event: position, kind, site, node, term, value: u128::from(address), holds }))
}

/// What one event adds to the path condition; `None` if nothing.
pub fn constraint(
    import: &mut Import<'_>,
    pool: &mut Pool,
    position: usize,
    event: &Event,
) -> Option<Result<Constraint, Damage>> {
    let value = match event.kind {
        EventKind::Branch | EventKind::Assert => event.bit as u128,
        EventKind::Assume => 1,
        EventKind::Switch | EventKind::Concretise => event.payload[0] as u128,
        _ => return None,
    };
    if event.term == 0 {
        return None;
    }
    let term = match import.term(pool, event.term) {
        Ok(term) => term,
        Err(damage) => return Some(Err(damage)),
    };
    let is_condition = matches!(event.kind, EventKind::Branch | EventKind::Assert | EventKind::Assume);
    if is_condition && pool.width(term) != 1 {
        return Some(Err(Damage::Width { node: event.term }));
    }
    // The event has room for 64 bits of the value.
    let compared = if pool.width(term) > 64 { pool.extract(term, 0, 64) } else { term };
    let holds = pool.eq_const(compared, value);
    let (node, site, kind) = (event.term, event.site, event.kind);
    Some(Ok(Constraint { event: position, kind, site, node, term, value, holds }))
}
