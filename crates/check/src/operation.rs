//! Sensitive operations: what can go wrong for another input on the same path.

use offshoot_campaign::places::Places;
use offshoot_expr::TraceView;
use offshoot_model::{Block, Callee, Module, SiteKind};
use offshoot_trace::layout::{ObjectEntry, object_kind};
use offshoot_trace::{Event, EventKind};
use std::collections::{HashMap, HashSet};

#[derive(Clone, Debug)]
pub struct Operation {
    /// Position among the events of the trace.
    pub position: usize,
    /// Its conditions are those of the events before this one: what the same call has fixed for its own use does not
    /// bind the other arguments of that call.
    pub from: usize,
    /// How many symbolic decisions come before it.
    pub step: usize,
    pub event: Event,
    pub object: Option<Object>,
    /// Of a condition.
    pub guard: Option<Guard>,
}

/// What an operation works on.
#[derive(Clone, Debug)]
pub struct Object {
    pub entry: ObjectEntry,
    pub name: Option<String>,
    /// It was freed before the operation.
    pub is_freed: bool,
}

impl Object {
    /// `heap block of 10 bytes`
    pub fn in_words(&self, size: u64) -> String {
        let kind = match self.entry.kind {
            object_kind::HEAP | object_kind::FREED => "heap block",
            object_kind::STACK => "stack object",
            object_kind::GLOBAL => "global",
            _ => "object",
        };
        let freed = if self.is_freed { "freed " } else { "" };
        let name = self.name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
        format!("{freed}{kind}{name} of {size} bytes")
    }
}

/// So many of one run are kept: a hundred megabytes.
const KEPT: usize = 1 << 19;

/// In the order of the run, and how many more there are than can be kept.
pub fn operations(view: &TraceView<'_>, places: &Places, guards: &Guards) -> (Vec<Operation>, u64) {
    let mut left_out = 0;
    let mut found: Vec<Operation> = Vec::new();
    let mut freed: HashSet<u32> = HashSet::new();
    let mut recent: Vec<Event> = Vec::new();
    let mut step = 0;
    for (position, event) in view.events().enumerate() {
        let object = match event.kind {
            EventKind::Access => (event.payload[1] >> 32) as u32,
            EventKind::Length => (event.payload[2] >> 32) as u32,
            EventKind::Allocate => event.payload[0] as u32,
            _ => 0,
        };
        let is_decision = matches!(event.kind, EventKind::Branch | EventKind::Assert | EventKind::Switch);
        let guard = (event.kind == EventKind::Branch && event.term != 0)
            .then(|| guards.get(view, places, event.site))
            .flatten();
        let is_sensitive = match event.kind {
            EventKind::Access | EventKind::Divide | EventKind::Length | EventKind::Allocate => event.term != 0,
            EventKind::Assert => event.term != 0,
            EventKind::Branch => guard.is_some_and(|guard| guard.outcome != event.bit),
            EventKind::Free => event.bit,
            _ => false,
        };
        if is_sensitive && found.len() == KEPT {
            left_out += 1;
        } else if is_sensitive {
            let object = view.object(object).filter(|_| object != 0).map(|entry| Object {
                entry,
                name: view.object_name(&entry).map(|name| name.into_owned()),
                is_freed: freed.contains(&object),
            });
            let from = position - same_call(&recent, &event);
            found.push(Operation { position, from, step, event, object, guard });
        }
        if event.kind == EventKind::Free && !event.bit {
            freed.insert(event.payload[0] as u32);
        }
        if is_decision && event.term != 0 {
            step += 1;
        }
        if recent.len() == MAX_IN_CALL {
            recent.remove(0);
        }
        recent.push(event);
    }
    (found, left_out)
}

/// The events of one call of `memcpy`: two lengths and two addresses, each followed by what was fixed of it.
const MAX_IN_CALL: usize = 7;

/// How many of the last events belong to the call that `event` belongs to.
fn same_call(recent: &[Event], event: &Event) -> usize {
    let is_argument = |kind| matches!(kind, EventKind::Length | EventKind::Access);
    if event.site == 0 || !is_argument(event.kind) {
        return 0;
    }
    let belongs = |other: &&Event| {
        other.site == event.site
            && (other.kind == EventKind::Concretise
                // The same argument once more is the next call from that place.
                || is_argument(other.kind) && (other.kind, other.bit) != (event.kind, event.bit))
    };
    let run = recent.iter().rev().take_while(belongs).count();
    // What was fixed behind an argument of an earlier call belongs to that call.
    let start = recent.len() - run;
    run - recent[start..].iter().take_while(|other| other.kind == EventKind::Concretise).count()
}

/// What a condition keeps the program from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Guarded {
    Abort,
    /// These are compiled in on demand (`offshoot-cc -foffshoot-checks=…`).
    Overflow,
    Shift,
    Conversion,
}

/// A condition, and the outcome on which it leads straight there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    pub from: Guarded,
    pub outcome: bool,
}

/// The guards of a program, by module and site.
#[derive(Default)]
pub struct Guards {
    known: HashMap<(u64, u32), Guard>,
}

/// Calls that do not return.
const ENDS: &[&str] = &["abort", "__assert_fail", "__assert_perror_fail", "__assert"];
const WRAPPER: &str = "__off_w_";

impl Guards {
    /// Only those from `wanted`.
    pub fn new<'a>(modules: impl IntoIterator<Item = (u64, &'a Module)>, wanted: &[Guarded]) -> Guards {
        let mut known = HashMap::new();
        for (uid, module) in modules.into_iter().filter(|(_, module)| !module.is_libc_model) {
            for function in &module.functions {
                for block in &function.blocks {
                    let is_condition = module.sites.get(block.site as usize).map(|site| &site.kind)
                        == Some(&SiteKind::Condition)
                        && block.site != 0;
                    if !is_condition {
                        continue;
                    }
                    let behind = |outcome: usize| {
                        let next = function.blocks.get(*block.successors.get(outcome)? as usize)?;
                        next.calls.iter().find_map(|call| guarded(module, next, call))
                    };
                    let guard = match (behind(0), behind(1)) {
                        (Some(from), None) => Guard { from, outcome: false },
                        (None, Some(from)) => Guard { from, outcome: true },
                        _ => continue,
                    };
                    if wanted.contains(&guard.from) {
                        known.insert((uid, block.site), guard);
                    }
                }
            }
        }
        Guards { known }
    }

    /// Whether there are any from this.
    pub fn has(&self, from: Guarded) -> bool {
        self.known.values().any(|guard| guard.from == from)
    }

    fn get(&self, view: &TraceView<'_>, places: &Places, site: u32) -> Option<Guard> {
        let (entry, local) = view.locate(site)?;
        places.module(entry.uid)?;
        self.known.get(&(entry.uid, local)).copied()
    }
}

/// What a call in this block means.
fn guarded(module: &Module, block: &Block, call: &Callee) -> Option<Guarded> {
    let Callee::Direct(symbol) = call else { return None };
    let name = module.symbols.get(*symbol as usize)?;
    let name = name.strip_prefix(WRAPPER).unwrap_or(name);
    if ENDS.contains(&name) {
        return (block.successors.is_empty() && !block.returns).then_some(Guarded::Abort);
    }
    match name.strip_prefix("__ubsan_handle_")?.strip_suffix("_minimal")? {
        "shift_out_of_bounds" => Some(Guarded::Shift),
        "implicit_conversion" => Some(Guarded::Conversion),
        other => other.ends_with("_overflow").then_some(Guarded::Overflow),
    }
}
