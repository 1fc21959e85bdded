//! What `offshoot trace` has to say, as data. The JSON form is this, the text form is printed from it.

use offshoot_campaign::places::Places;
use offshoot_expr::{Evaluator, Import, Input, Pool, TraceView, path, show};
use offshoot_model::SiteKind;
use offshoot_run::{Outcome, Status};
use offshoot_trace::event::LossReason;
use offshoot_trace::layout::{object_kind, status};
use offshoot_trace::{Event, EventKind};
use serde::Serialize;
use std::collections::HashSet;
use std::ffi::OsString;

#[derive(Serialize)]
pub struct Report {
    pub version: u32,
    pub command: Vec<String>,
    pub outcome: String,
    pub stdout: String,
    pub stderr: String,
    pub seconds: f64,
    pub cpu_seconds: f64,
    pub max_rss_bytes: u64,
    /// Why the trace does not cover the whole run; empty if it does.
    pub incomplete: Vec<String>,
    pub notes: Vec<String>,
    pub sources: Vec<Source>,
    pub events: Vec<Item>,
    pub losses: Vec<Loss>,
    pub summary: Summary,
    /// Heap objects whose `Free` event has been passed: the object table has the state at the end of the run.
    #[serde(skip)]
    freed: HashSet<u32>,
}

#[derive(Serialize)]
pub struct Source {
    pub name: String,
    pub length: usize,
    pub bytes: String,
}

#[derive(Serialize, Default)]
pub struct Item {
    pub kind: &'static str,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
    /// In the code of a libc model, or made by the optimiser: never a goal.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub libc: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub derived: bool,
    /// What held of the input (`branch`, `switch`, `concretise`, `assume`, `assert`), or the term in question.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub condition: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<u64>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

#[derive(Serialize)]
pub struct Loss {
    pub file: String,
    pub line: u32,
    pub function: String,
    pub reason: &'static str,
    pub what: String,
    pub count: u64,
}

#[derive(Serialize, Default)]
pub struct Summary {
    pub terms: u32,
    pub branches: u64,
    pub libc_branches: u64,
    /// Only if they were asked for.
    pub concrete_branches: u64,
    pub switches: u64,
    pub accesses: u64,
    pub divisions: u64,
    pub lengths: u64,
    pub allocations: u64,
    pub concretisations: u64,
    pub losses: u64,
    pub outcomes_covered: u64,
    pub outcomes_total: u64,
    pub selfcheck_compared: u64,
    pub selfcheck_mismatches: u64,
    /// Events whose term does not evaluate to what the run did; anything but 0 is a bug of ours.
    pub disagreements: u64,
}

impl Report {
    pub fn new(view: &TraceView<'_>, places: &Places, command: &[OsString], outcome: &Outcome) -> Report {
        let names = view.source_names();
        let (mut pool, mut import) = (Pool::new(), Import::new(*view));
        let values = Evaluator::new(*view).all(&Input::of(view));
        let mut report = Report {
            version: 1,
            command: command.iter().map(|w| w.to_string_lossy().into_owned()).collect(),
            outcome: describe(outcome.status),
            stdout: outcome.stdout.text().into_owned(),
            stderr: outcome.stderr.text().into_owned(),
            seconds: outcome.wall.as_secs_f64(),
            cpu_seconds: outcome.cpu.as_secs_f64(),
            max_rss_bytes: outcome.max_rss,
            incomplete: incomplete(view, outcome.status),
            notes: outcome.notes.clone(),
            sources: (1..view.source_end())
                .filter_map(|id| view.source(id))
                .map(|s| Source { name: s.name, length: s.bytes.len(), bytes: escaped(&s.bytes) })
                .collect(),
            events: Vec::new(),
            losses: Vec::new(),
            freed: HashSet::new(),
            summary: Summary {
                terms: view.node_end() - 1,
                selfcheck_compared: view.selfcheck_events(),
                selfcheck_mismatches: view.selfcheck_mismatches(),
                ..Summary::default()
            },
        };
        for (position, event) in view.events().enumerate() {
            let mut item = locate(view, places, &event);
            if let Some(found) = path::constraint(&mut import, &mut pool, position, &event) {
                match found {
                    Ok(constraint) => {
                        item.condition = show::show_constraint(&pool, &names, &constraint, show::Options::default());
                        let width = pool.width(constraint.term).min(64);
                        let mask = u128::MAX >> (128 - u32::from(width));
                        if values.get(event.term) & mask != constraint.value & mask {
                            report.summary.disagreements += 1;
                        }
                    }
                    Err(damage) => item.detail = damage.to_string(),
                }
            } else if event.term != 0
                && let Ok(term) = import.term(&mut pool, event.term)
            {
                item.condition = show::show(&pool, &names, term, show::Options::default());
            }
            report.add(view, event, item);
        }
        report.count_coverage(view, places);
        report
    }

    fn add(&mut self, view: &TraceView<'_>, event: Event, mut item: Item) {
        let summary = &mut self.summary;
        match event.kind {
            EventKind::Branch => {
                item.taken = Some(event.bit);
                if event.term == 0 {
                    item.condition = format!("concretely {}", event.bit);
                    summary.concrete_branches += 1;
                } else if item.libc {
                    summary.libc_branches += 1;
                } else {
                    summary.branches += 1;
                }
            }
            EventKind::Switch => {
                item.value = Some(event.payload[0]);
                summary.switches += 1;
            }
            EventKind::Concretise => {
                item.value = Some(event.payload[0]);
                summary.concretisations += 1;
            }
            EventKind::Access => {
                summary.accesses += 1;
                let verb = if event.bit { "write of" } else { "read of" };
                let object = object(view, (event.payload[1] >> 32) as u32, event.payload[0], &self.freed);
                item.value = Some(event.payload[0]);
                item.detail = format!("{verb} {} bytes {object}", event.payload[1] as u32);
            }
            EventKind::Divide => {
                summary.divisions += 1;
                item.value = Some(event.payload[0]);
                item.detail = if event.bit { "signed" } else { "unsigned" }.into();
            }
            EventKind::Length => {
                summary.lengths += 1;
                item.value = Some(event.payload[0]);
                let verb = if event.bit { "bytes written" } else { "bytes read" };
                item.detail =
                    format!("{verb} {}", object(view, (event.payload[2] >> 32) as u32, event.payload[1], &self.freed));
            }
            EventKind::Allocate => {
                summary.allocations += 1;
                item.value = Some(event.payload[1]);
            }
            EventKind::Free => {
                item.detail = if event.bit { "not a live object" } else { "" }.into();
                if !event.bit {
                    self.freed.insert(event.payload[0] as u32);
                }
            }
            EventKind::Output => {
                if let Some(output) = view.output(&event) {
                    item.value = Some(output.fd as u64);
                    item.detail = escaped(output.bytes);
                    let symbolic = (0..output.bytes.len()).filter(|i| output.handle(*i) != 0).count();
                    item.condition = format!("{symbolic} of {} bytes symbolic", output.bytes.len());
                }
            }
            EventKind::Assert | EventKind::Assume => item.taken = Some(event.kind == EventKind::Assume || event.bit),
            EventKind::Loss => {
                summary.losses += 1;
                return self.add_loss(view, event, item);
            }
            EventKind::Call => item.detail = if event.bit { "return" } else { "call" }.into(),
        }
        self.events.push(item);
    }

    fn add_loss(&mut self, view: &TraceView<'_>, event: Event, item: Item) {
        let (reason, name) = view.loss(&event).unwrap_or((LossReason::Instruction, "".into()));
        let what = if name.is_empty() { item.detail } else { name.into_owned() };
        let reason = reason_text(reason);
        let known = self
            .losses
            .iter_mut()
            .find(|l| l.line == item.line && l.reason == reason && l.what == what && l.file == item.file);
        match known {
            Some(loss) => loss.count += 1,
            None => self.losses.push(Loss {
                file: item.file,
                line: item.line,
                function: item.function,
                reason,
                what,
                count: 1,
            }),
        }
    }

    fn count_coverage(&mut self, view: &TraceView<'_>, places: &Places) {
        for entry in view.modules() {
            let Some(module) = places.module(entry.uid).filter(|m| !m.is_libc_model) else { continue };
            let Some(bytes) = view.module_coverage(&entry) else { continue };
            for (i, site) in module.sites.iter().enumerate() {
                if site.kind == SiteKind::Condition {
                    self.summary.outcomes_total += 2;
                    self.summary.outcomes_covered +=
                        bytes.get(2 * i..2 * i + 2).map_or(0, |b| b.iter().filter(|b| **b != 0).count() as u64);
                }
            }
        }
    }
}

fn locate(view: &TraceView<'_>, places: &Places, event: &Event) -> Item {
    let mut item = Item { kind: kind_text(event.kind), ..Item::default() };
    if let Some(place) = places.get(view, event.site) {
        item.file = place.file.to_string();
        item.line = place.line;
        item.column = place.column;
        item.function = place.function.to_string();
        item.libc = place.is_libc_model;
        item.derived = *place.kind == SiteKind::Derived;
        item.detail = match place.kind {
            SiteKind::Call { callee } => format!("call of {callee}"),
            SiteKind::Unmodelled { what } => what.clone(),
            _ => String::new(),
        };
    }
    item
}

fn kind_text(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Branch => "branch",
        EventKind::Switch => "switch",
        EventKind::Concretise => "concretise",
        EventKind::Access => "access",
        EventKind::Divide => "divide",
        EventKind::Length => "length",
        EventKind::Allocate => "allocate",
        EventKind::Free => "free",
        EventKind::Output => "output",
        EventKind::Assume => "assume",
        EventKind::Assert => "assert",
        EventKind::Loss => "loss",
        EventKind::Call => "call",
    }
}

fn reason_text(reason: LossReason) -> &'static str {
    match reason {
        LossReason::Unmodelled => "not instrumented and not modelled",
        LossReason::Instruction => "instruction without a model",
        LossReason::LargeObject => "symbolic address into a large or unknown object",
        LossReason::Budget => "budget used up",
        LossReason::Assembly => "inline assembly",
        LossReason::PartialModel => "modelled only in part",
    }
}

fn object(view: &TraceView<'_>, id: u32, address: u64, freed: &HashSet<u32>) -> String {
    let Some(object) = view.object(id).filter(|_| id != 0) else { return format!("at {address:#x}, unknown object") };
    let kind = match object.kind {
        object_kind::HEAP => "heap block",
        object_kind::FREED if !freed.contains(&id) => "heap block",
        object_kind::STACK => "stack object",
        object_kind::GLOBAL => "global",
        _ => "freed block",
    };
    let name = view.object_name(&object).map_or(String::new(), |n| format!(" {n}"));
    let offset = address.wrapping_sub(object.base) as i64;
    format!("at offset {offset} of {kind}{name} of {} bytes", object.size)
}

fn describe(status: Status) -> String {
    match status {
        Status::Exited(code) => format!("exit status {code}"),
        Status::Signaled { signal, .. } => format!("killed by signal {signal}"),
        Status::TimedOut => "ended: time budget used up".into(),
        Status::KilledBy(limit) => format!("ended: {limit} budget used up"),
        Status::Interrupted => "interrupted".into(),
    }
}

fn incomplete(view: &TraceView<'_>, outcome: Status) -> Vec<String> {
    let bits = view.status();
    let mut reasons = Vec::new();
    for (bit, text) in [
        (status::NODE_BUDGET, "the budget of terms was used up; the rest of the run was concrete"),
        (status::EVENT_BUDGET, "the budget of events was used up; the rest of the run was concrete"),
        (status::TIME_BUDGET, "the budget of CPU time was used up; the rest of the run was concrete"),
        (status::BLOB_BUDGET, "the budget of bytes was used up; some inputs or tables stayed concrete"),
        (status::OBJECT_BUDGET, "the budget of objects was used up; some objects are unknown"),
        (status::COVERAGE_BUDGET, "the budget of coverage bytes was used up"),
        (status::EXEC, "the process became another program, which was not traced"),
        (status::FORKED, "the process forked; its children were not traced"),
    ] {
        if bits & bit != 0 {
            reasons.push(text.to_string());
        }
    }
    if bits & status::EXITED == 0 && !matches!(outcome, Status::Exited(_)) {
        reasons.push("the process did not reach its end; this is the trace so far".into());
    }
    reasons
}

/// Printable characters as they are, others as in C.
fn escaped(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|b| std::ascii::escape_default(*b)).map(char::from).collect()
}
