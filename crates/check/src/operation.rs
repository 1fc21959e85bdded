//! Sensitive operations: what can go wrong for another input on the same path.

use offshoot_campaign::places::Places;
use offshoot_expr::TraceView;
use offshoot_model::{Callee, Module, SiteKind};
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
    /// Of a condition: the program aborts on this outcome.
    pub aborts_on: Option<bool>,
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

/// In the order of the run.
pub fn operations(view: &TraceView<'_>, places: &Places, aborts: &Aborts) -> Vec<Operation> {
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
        let aborts_on = (event.kind == EventKind::Branch && event.term != 0)
            .then(|| aborts.outcome(view, places, event.site))
            .flatten();
        let is_sensitive = match event.kind {
            EventKind::Access | EventKind::Divide | EventKind::Length | EventKind::Allocate => event.term != 0,
            EventKind::Assert => event.term != 0,
            EventKind::Branch => aborts_on.is_some_and(|outcome| outcome != event.bit),
            EventKind::Free => event.bit,
            _ => false,
        };
        if is_sensitive {
            let object = view.object(object).filter(|_| object != 0).map(|entry| Object {
                entry,
                name: view.object_name(&entry).map(|name| name.into_owned()),
                is_freed: freed.contains(&object),
            });
            let from = position - same_call(&recent, &event);
            found.push(Operation { position, from, step, event, object, aborts_on });
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
    found
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

/// The conditions of a program that lead straight to `abort` or a failed `assert`, by module and site.
#[derive(Default)]
pub struct Aborts {
    outcomes: HashMap<(u64, u32), bool>,
}

const ENDS: &[&str] =
    &["abort", "__assert_fail", "__assert_perror_fail", "__assert", "__off_w_abort", "__off_w___assert_fail"];

impl Aborts {
    pub fn new<'a>(modules: impl IntoIterator<Item = (u64, &'a Module)>) -> Aborts {
        let mut outcomes = HashMap::new();
        for (uid, module) in modules.into_iter().filter(|(_, module)| !module.is_libc_model) {
            for function in &module.functions {
                for block in &function.blocks {
                    let is_condition = module.sites.get(block.site as usize).map(|site| &site.kind)
                        == Some(&SiteKind::Condition)
                        && block.site != 0;
                    let ends = |outcome: usize| {
                        let next = block.successors.get(outcome).and_then(|&next| function.blocks.get(next as usize));
                        next.is_some_and(|next| {
                            next.successors.is_empty()
                                && !next.returns
                                && next.calls.iter().any(|call| is_end(module, call))
                        })
                    };
                    match (is_condition, ends(0), ends(1)) {
                        (true, true, false) => outcomes.insert((uid, block.site), false),
                        (true, false, true) => outcomes.insert((uid, block.site), true),
                        _ => None,
                    };
                }
            }
        }
        Aborts { outcomes }
    }

    fn outcome(&self, view: &TraceView<'_>, places: &Places, site: u32) -> Option<bool> {
        let (entry, local) = view.locate(site)?;
        places.module(entry.uid)?;
        self.outcomes.get(&(entry.uid, local)).copied()
    }
}

fn is_end(module: &Module, call: &Callee) -> bool {
    let Callee::Direct(symbol) = call else { return false };
    module.symbols.get(*symbol as usize).is_some_and(|name| ENDS.contains(&name.as_str()))
}
