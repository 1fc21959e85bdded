//! Does everybody agree on the values of the cases?

use crate::program::{Case, OTHERS, RECORD, Runs};
use crate::z3;
use offshoot_expr::{Evaluator, Import, Input, Pool, Tape, TermId, TraceView, Values};
use offshoot_model::{Program, SiteKind};
use offshoot_trace::event::LossReason;
use offshoot_trace::{Event, EventKind, NodeId};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub cases: usize,
    /// The value is a term.
    pub symbolic: usize,
    /// Not, or not wholly, because of something that is not modelled; by what.
    pub lost: BTreeMap<String, usize>,
    /// Evaluations under other inputs that follow the same path.
    pub transferred: usize,
    pub solved: usize,
    pub unknown: usize,
    /// The SMT-LIB text leaves something open.
    pub unsupported: usize,
}

impl Summary {
    pub fn add(&mut self, other: Summary) {
        self.cases += other.cases;
        self.symbolic += other.symbolic;
        for (what, count) in other.lost {
            *self.lost.entry(what).or_default() += count;
        }
        self.transferred += other.transferred;
        self.solved += other.solved;
        self.unknown += other.unknown;
        self.unsupported += other.unsupported;
    }
}

/// A case on which somebody disagrees.
#[derive(Clone, Debug)]
pub struct Failure {
    pub case: usize,
    /// Stays the same while shrinking.
    pub kind: &'static str,
    pub detail: String,
}

/// The part of a trace that belongs to one case.
#[derive(Default)]
struct Part {
    /// Low and high half of the value.
    halves: Vec<(NodeId, u64)>,
    events: Vec<Event>,
    losses: Vec<String>,
}

pub fn check(name: &str, cases: &[Case], runs: &Runs, solve: bool) -> (Summary, Vec<Failure>) {
    let map = runs.trace.map().expect("the trace is there");
    let view = TraceView::new(&map).expect("the trace is sound");
    let parts = parts(&view, &runs.program);
    assert_eq!(parts.len(), cases.len(), "{name}: one observation for each case");
    let mut checker = Checker::new(view, cases, runs, &parts);
    for case in 0..cases.len() {
        checker.case(case);
    }
    if solve {
        checker.solve();
    }
    // Self-check saw something that no event shows.
    if view.selfcheck_mismatches() != 0 && checker.failures.is_empty() {
        checker.fail(0, "self-check", format!("{} mismatches somewhere in {name}", view.selfcheck_mismatches()));
    }
    (checker.summary, checker.failures)
}

/// Cuts the trace at the observations.
fn parts(view: &TraceView<'_>, program: &std::path::Path) -> Vec<Part> {
    let program = Program::read(program).expect("the program has its model");
    let modules: BTreeMap<u64, _> = program.modules.into_iter().collect();
    let site = |event: &Event| {
        let (entry, local) = view.locate(event.site)?;
        let module = modules.get(&entry.uid)?;
        let site = module.sites.get(local as usize)?;
        Some((module.functions.get(site.function as usize)?.name.as_str(), &site.kind))
    };
    let mut parts = Vec::new();
    let mut part = Part::default();
    for event in view.events() {
        match event.kind {
            EventKind::Switch if site(&event).is_some_and(|(function, _)| function == "observe") => {
                part.halves.push((event.term, event.payload[0]));
                if part.halves.len() == 2 {
                    parts.push(std::mem::take(&mut part));
                }
            }
            EventKind::Loss => part.losses.push(match (view.loss(&event), site(&event)) {
                (_, Some((_, SiteKind::Unmodelled { what }))) => what.clone(),
                (_, Some((_, SiteKind::Call { callee }))) => callee.clone(),
                (Some((LossReason::LargeObject, _)), _) => "large object".to_owned(),
                (Some((reason, name)), _) => format!("{reason:?} {name}"),
                _ => "?".to_owned(),
            }),
            _ => part.events.push(event),
        }
    }
    parts
}

struct Checker<'a> {
    view: TraceView<'a>,
    cases: &'a [Case],
    runs: &'a Runs,
    parts: &'a [Part],
    /// One for each input: of the trace's nodes, and of the rewritten terms of the halves.
    values: Vec<Values>,
    rewritten: Vec<Vec<u128>>,
    pool: Pool,
    /// Of the halves, with their places in `rewritten`.
    terms: Vec<[Option<(TermId, usize)>; 2]>,
    summary: Summary,
    failures: Vec<Failure>,
}

impl<'a> Checker<'a> {
    fn new(view: TraceView<'a>, cases: &'a [Case], runs: &'a Runs, parts: &'a [Part]) -> Checker<'a> {
        let stdin = view.source_names().iter().position(|name| name == "stdin").unwrap_or(0) as u32;
        let inputs: Vec<Input> = (0..=OTHERS)
            .map(|number| {
                let mut input = Input::of(&view);
                input.set_bytes(stdin, cases.iter().flat_map(|case| case.inputs[number]).collect());
                input
            })
            .collect();
        let evaluator = Evaluator::new(view);
        let values = inputs.iter().map(|input| evaluator.all(input)).collect();
        let (mut pool, mut import) = (Pool::new(), Import::new(view));
        let mut roots = Vec::new();
        let terms = parts
            .iter()
            .map(|part| {
                let mut half = |at: usize| match part.halves[at].0 {
                    0 => None,
                    node => {
                        let term = import.term(&mut pool, node).expect("the trace is sound");
                        roots.push(term);
                        Some((term, roots.len() - 1))
                    }
                };
                [half(0), half(1)]
            })
            .collect();
        let mut tape = Tape::new(&pool, &roots);
        let rewritten = inputs.iter().map(|input| tape.run(input).collect()).collect();
        Checker {
            view,
            cases,
            runs,
            parts,
            values,
            rewritten,
            pool,
            terms,
            summary: Summary { cases: cases.len(), ..Summary::default() },
            failures: Vec::new(),
        }
    }

    fn fail(&mut self, case: usize, kind: &'static str, detail: String) {
        self.failures.push(Failure { case, kind, detail });
    }

    fn case(&mut self, case: usize) {
        let part = &self.parts[case];
        for what in &part.losses {
            *self.summary.lost.entry(what.clone()).or_default() += 1;
        }
        self.summary.symbolic += part.halves.iter().any(|half| half.0 != 0) as usize;
        if let Err((kind, detail)) = self.concrete(case).and_then(|()| self.events(case)) {
            return self.fail(case, kind, detail);
        }
        for input in 0..=OTHERS {
            match self.evaluated(case, input) {
                Ok(true) => self.summary.transferred += (input != 0) as usize,
                Ok(false) => {}
                Err((kind, detail)) => return self.fail(case, kind, detail),
            }
        }
    }

    /// Real programs, and the instrumented one with and without a trace.
    fn concrete(&self, case: usize) -> Result<(), (&'static str, String)> {
        for input in 0..=OTHERS {
            let [unoptimised, optimised] = [0, 1].map(|level: usize| self.runs.real[level][input][case]);
            if unoptimised != optimised {
                let detail = format!("clang -O0 {unoptimised:#x}, clang -O2 {optimised:#x}, input {input}");
                return Err(("undefined: the test is at fault", detail));
            }
        }
        let real = self.runs.real[0][0][case];
        let half = |at: usize| u128::from(self.parts[case].halves[at].1);
        let event = half(0) | half(1) << 64;
        for (who, value) in [
            ("instrumented, untraced", self.runs.untraced[case]),
            ("instrumented, traced", self.runs.traced[case]),
            ("event", event),
        ] {
            if value != real {
                return Err(("concrete", format!("real {real:#x}, {who} {value:#x}")));
            }
        }
        Ok(())
    }

    /// The terms of all other events, under the run's own input.
    fn events(&self, case: usize) -> Result<(), (&'static str, String)> {
        for event in self.parts[case].events.iter().filter(|event| event.term != 0) {
            let expected = match event.kind {
                EventKind::Branch | EventKind::Assert => event.bit as u64,
                EventKind::Assume => 1,
                EventKind::Switch | EventKind::Concretise | EventKind::Divide | EventKind::Access => event.payload[0],
                _ => continue,
            };
            let width = self.view.node(event.term).map_or(64, |node| node.width).min(64);
            let mask = u64::MAX >> (64 - width);
            let value = self.values[0].get(event.term) as u64;
            if (value ^ expected) & mask != 0 {
                return Err(("event", format!("{:?}: run {expected:#x}, evaluator {value:#x}", event.kind)));
            }
        }
        Ok(())
    }

    /// The path of the traced run is that of this input too, and nothing was lost on it.
    fn same_path(&self, case: usize, input: usize) -> bool {
        let values = &self.values[input];
        self.parts[case].losses.is_empty()
            && self.parts[case].events.iter().filter(|event| event.term != 0).all(|event| match event.kind {
                EventKind::Branch | EventKind::Assert => (values.get(event.term) & 1 != 0) == event.bit,
                EventKind::Assume => values.get(event.term) & 1 != 0,
                EventKind::Switch | EventKind::Concretise => values.get(event.term) as u64 == event.payload[0],
                _ => true,
            })
    }

    /// `Ok(false)`: says nothing about this input.
    fn evaluated(&self, case: usize, input: usize) -> Result<bool, (&'static str, String)> {
        if input != 0 && !self.same_path(case, input) {
            return Ok(false);
        }
        let real = self.runs.real[0][input][case];
        for (at, &(node, concrete)) in self.parts[case].halves.iter().enumerate() {
            let expected = (real >> (64 * at)) as u64;
            let (plain, rewritten) = match self.terms[case][at] {
                None => (concrete, concrete),
                Some((_, slot)) => (self.values[input].get(node) as u64, self.rewritten[input][slot] as u64),
            };
            if plain != expected || rewritten != expected {
                let kind = match (input, plain == expected) {
                    (0, false) => "evaluator",
                    (0, true) => "rewriting",
                    (_, false) => "evaluator, other input",
                    (_, true) => "rewriting, other input",
                };
                let detail = format!(
                    "bits {} up, input {input}: real {expected:#x}, evaluator {plain:#x}, rewritten term {rewritten:#x}",
                    64 * at
                );
                return Err((kind, detail));
            }
        }
        Ok(true)
    }

    fn solve(&mut self) {
        let names = self.view.source_names();
        let mut queries = Vec::new();
        for (case, terms) in self.terms.iter().enumerate() {
            let failed = self.failures.iter().any(|failure| failure.case == case);
            for (at, term) in terms.iter().enumerate() {
                if let Some((term, _)) = term.filter(|_| !failed) {
                    let value = self.parts[case].halves[at].1;
                    match z3::Query::new(&self.pool, &names, term, value, |offset| {
                        self.cases[offset / RECORD].inputs[0][offset % RECORD]
                    }) {
                        Some(query) => queries.push((case, query)),
                        None => self.summary.unsupported += 1,
                    }
                }
            }
        }
        let answers = z3::ask(queries.iter().map(|(_, query)| query));
        for ((case, query), answer) in queries.iter().zip(answers) {
            match answer {
                z3::Answer::Agrees => self.summary.solved += 1,
                z3::Answer::Unknown => self.summary.unknown += 1,
                z3::Answer::Disagrees(why) => {
                    let detail = format!("real {:#x}, Z3: {why}\n{}", query.value, query.text);
                    self.fail(*case, "Z3", detail);
                }
            }
        }
    }
}
