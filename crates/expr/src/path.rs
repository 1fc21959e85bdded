//! The path condition of a run: what must hold of the input for the run to go the way it went.

use crate::check::Damage;
use crate::import::Import;
use crate::term::{Pool, TermId};
use offshoot_trace::{Event, EventKind, NodeId};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// Position among the events of the trace.
    pub event: usize,
    /// `Branch`, `Switch`, `Concretise`, `Assume` or `Assert`.
    pub kind: EventKind,
    /// 0: none.
    pub site: u32,
    pub node: NodeId,
    /// What was decided on.
    pub term: TermId,
    /// The value it had.
    pub value: u128,
    /// `term == value`, as a condition.
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
            match constraint(import, pool, position, &event) {
                Some(Ok(constraint)) => path.constraints.push(constraint),
                Some(Err(damage)) => path.damaged.push((position, damage)),
                None => {}
            }
        }
        path
    }
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
