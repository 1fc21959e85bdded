//! What the loop works with: running, asking, and the checks of one operation.

use super::{CheckError, Load, Options, Sink};
use crate::event::Event;
use crate::finding::{Findings, Place};
use crate::judge::{Judge, Judged};
use crate::kinds::{Check, Terms, Violation};
use crate::operation::Operation;
use crate::path::{Asking, Path};
use crate::sampling::{Key, form};
use crate::source::Sources;
use crate::stats::{Counts, LineCount, Unconfirmed};
use crate::subject::{Known, Settled, Subject};
use offshoot_campaign::runner::{Runner, Settings};
use offshoot_campaign::target::TargetError;
use offshoot_campaign::{Ending, stats};
use offshoot_expr::{Evaluator, TraceView};
use offshoot_search::Site;
use offshoot_solve::{Answer, Change, Limits, Solver, Why};
use offshoot_suite::{Bytes, Command, Edit, Input, Origin, SEED, Test, TestId};
use offshoot_trace::EventKind;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

pub struct Engine<'a> {
    pub options: &'a Options,
    load: &'a mut Load<'a>,
    /// Programs that were loaded, and why others could not be.
    programs: HashMap<PathBuf, Result<usize, String>>,
    pub subjects: Vec<Subject>,
    /// What commands find around them, and its number.
    surroundings: HashMap<TestId, usize>,
    /// The subject, and the surroundings of its command, that the present seed runs.
    pub at: usize,
    pub around: usize,
    runner: Runner,
    solver: Solver,
    sink: &'a mut Sink<'a>,
    pub start: Instant,
    last_pulse: Instant,
    pub counts: Counts,
    pub lines: BTreeMap<String, LineCount>,
    pub findings: Findings,
    pub sources: Sources,
    pub unconfirmed: Vec<Unconfirmed>,
    postponed: Vec<Postponed>,
    pub ending: Option<Ending>,
    /// When the time for the present seed is used up, and whether that has ended anything.
    pub until: Option<Instant>,
    pub cut: bool,
    pub distance: u32,
}

/// A place is looked at so many times in search of a smaller change.
const TIMES: u32 = 4;

/// A check that was too expensive.
struct Postponed {
    input: Input,
    seed: String,
    distance: u32,
    position: usize,
    check: &'static dyn Check,
    title: &'static str,
}

/// What a failing run was predicted to do.
pub struct Prediction {
    pub check: &'static str,
    pub title: &'static str,
    pub site: Site,
    /// How many decisions come before.
    pub step: usize,
    pub place: Place,
    pub explanation: String,
    /// The access that is to fail, if it is one.
    pub is_write: Option<bool>,
}

const PULSE: Duration = Duration::from_millis(250);
/// How much longer the second try of an expensive check may take.
const SECOND_TRY: u32 = 8;
const MAX_POSTPONED: usize = 256;

/// One question at one place.
struct Question<'q> {
    operation: &'q Operation,
    check: &'static dyn Check,
    violation: Violation,
    key: Key,
    place: Place,
    seed: &'q str,
    distance: u32,
}

impl<'a> Engine<'a> {
    pub fn new(options: &'a Options, load: &'a mut Load<'a>, sink: &'a mut Sink<'a>) -> Engine<'a> {
        let now = Instant::now();
        Engine {
            options,
            load,
            programs: HashMap::new(),
            subjects: Vec::new(),
            surroundings: HashMap::new(),
            at: 0,
            around: 0,
            runner: Runner::new(options.settings.clone()),
            solver: Solver::new(offshoot_solve::Options::default()),
            sink,
            start: now,
            last_pulse: now,
            counts: Counts::default(),
            lines: BTreeMap::new(),
            findings: Findings::default(),
            sources: Sources::here(),
            unconfirmed: Vec::new(),
            postponed: Vec::new(),
            ending: None,
            until: None,
            cut: false,
            distance: 0,
        }
    }

    /// From now on runs are runs of this command. An error says why its program cannot be looked at.
    pub fn turn_to(&mut self, command: &Command) -> Result<(), String> {
        let known = match self.programs.get(&command.program) {
            Some(known) => known.clone(),
            None => {
                let start = Instant::now();
                let loaded = (self.load)(&command.program).map(|subject| {
                    if !subject.missing.is_empty() {
                        let (program, missing) = (command.program.display(), subject.missing.join(","));
                        let text =
                            format!("{program} was built without -foffshoot-checks={missing}: none of that is checked");
                        (self.sink)(&Event::Warning { text });
                    }
                    self.subjects.push(subject);
                    self.subjects.len() - 1
                });
                // The budget is for checks.
                self.counts.loading_s += start.elapsed().as_secs_f64();
                self.start += start.elapsed();
                self.programs.insert(command.program.clone(), loaded.clone());
                loaded
            }
        };
        self.at = known?;
        let next = self.surroundings.len();
        self.around = *self.surroundings.entry(surroundings(command, &self.options.settings)).or_insert(next);
        Ok(())
    }

    /// [`Engine::turn_to`] must have gone well before.
    pub fn subject(&self) -> &Subject {
        &self.subjects[self.at]
    }

    /// What is known of a way of the present command.
    pub fn known(&self, way: u64) -> Option<Known> {
        self.subject().known.get(&(self.around, way)).copied()
    }

    pub fn remember(&mut self, way: u64, known: Known) {
        self.subjects[self.at].known.insert((self.around, way), known);
    }

    /// Whether changes like these led elsewhere before; every now and then one is let through.
    pub fn strays(&mut self, edits: &[Edit]) -> bool {
        let (subject, around) = (&mut self.subjects[self.at], self.around);
        let strays = edits.iter().any(|edit| !subject.strays.wants((around, edit.source.clone(), edit.offset)));
        self.counts.skipped.straying += u64::from(strays);
        strays
    }

    /// A run with these changes went as foretold, or not.
    pub fn went(&mut self, edits: &[Edit], as_foretold: bool) {
        let (subject, around) = (&mut self.subjects[self.at], self.around);
        for edit in edits {
            let key = (around, edit.source.clone(), edit.offset);
            if as_foretold {
                subject.strays.forgive(&key);
            } else {
                subject.strays.gave_up(key);
            }
        }
    }

    pub fn emit(&mut self, event: &Event) {
        if let Event::Distance { distance } = event {
            self.distance = *distance;
        }
        (self.sink)(event);
    }

    /// Some of the time is for what was put off.
    pub fn over_budget(&mut self) -> bool {
        self.pulse();
        let limit = self.options.time.map(|time| if self.postponed.is_empty() { time } else { time.mul_f64(0.9) });
        if self.ending.is_none() {
            if self.options.settings.cancel.load(Ordering::Relaxed) {
                self.ending = Some(Ending::Interrupted);
            } else if limit.is_some_and(|limit| self.start.elapsed() >= limit) {
                self.ending = Some(Ending::Time);
            }
        }
        self.ending.is_some()
    }

    /// The budget of the present seed or of all is used up.
    pub fn is_over(&mut self) -> bool {
        self.over_budget() || self.until.is_some_and(|until| Instant::now() >= until)
    }

    fn pulse(&mut self) {
        if self.last_pulse.elapsed() >= PULSE {
            self.last_pulse = Instant::now();
            self.counts.elapsed_s = self.start.elapsed().as_secs_f64();
            let (distance, findings, counts) = (self.distance, self.findings.len(), Box::new(self.counts.clone()));
            self.emit(&Event::Progress { distance, findings, counts });
        }
    }

    pub fn finish(&mut self) {
        self.counts.judge_runs = self.subjects.iter().map(|subject| subject.judge.runs).sum();
        self.counts.elapsed_s = self.start.elapsed().as_secs_f64();
        self.counts.peak_rss_bytes = stats::peak_rss_bytes();
    }

    pub fn asking(&mut self) -> Asking<'_> {
        let subject = &mut self.subjects[self.at];
        Asking {
            sites: &subject.sites,
            solver: &mut self.solver,
            limits: self.options.query,
            counts: &mut self.counts,
            expensive: &mut subject.expensive_ways,
        }
    }

    pub fn timed<R>(&mut self, judge: impl FnOnce(&mut Judge) -> Result<R, TargetError>) -> Result<R, TargetError> {
        let start = Instant::now();
        let judged = judge(&mut self.subjects[self.at].judge);
        self.counts.judging_s += start.elapsed().as_secs_f64();
        judged
    }

    pub fn run(&mut self, input: Input) -> Result<Path, TargetError> {
        let start = Instant::now();
        let execution = self.runner.run_on(&input.command, &input.bytes())?;
        self.counts.executions += 1;
        self.counts.running_s += start.elapsed().as_secs_f64();
        Path::new(input, execution, &mut self.subjects[self.at])
    }

    /// Brings back the decisions and terms of a path. False: it is another path this time.
    pub fn recall(&mut self, path: &mut Path) -> Result<bool, TargetError> {
        if path.trail.is_some() {
            return Ok(true);
        }
        let again = self.run(path.input.clone())?;
        path.steps = again.steps;
        path.trail = again.trail;
        Ok(path.prefix(usize::MAX) == path.way)
    }

    /// The operations with that many decisions before them.
    pub fn check_operations(
        &mut self,
        path: &mut Path,
        seed: &str,
        distance: u32,
        steps: Range<usize>,
    ) -> Result<(), CheckError> {
        self.counts.skipped.crowded += std::mem::take(&mut path.left_out);
        let operations = std::mem::take(&mut path.operations);
        self.counts.skipped.beyond += operations.iter().filter(|operation| operation.step > steps.end).count() as u64;
        let mut wanted =
            operations.iter().filter(|operation| operation.step >= steps.start && operation.step <= steps.end);
        while let Some(operation) = wanted.next() {
            if self.is_over() {
                self.cut = true;
                self.counts.skipped.budget += 1 + wanted.count() as u64;
                break;
            }
            self.counts.operations += 1;
            for &check in &self.options.checks {
                self.check_one(path, operation, check, seed, distance, None, self.options.query)?;
            }
        }
        path.operations = operations;
        Ok(())
    }

    /// `only`: the question that was put off.
    #[allow(clippy::too_many_arguments)]
    fn check_one(
        &mut self,
        path: &mut Path,
        operation: &Operation,
        check: &'static dyn Check,
        seed: &str,
        distance: u32,
        only: Option<&'static str>,
        limits: Limits,
    ) -> Result<(), CheckError> {
        let Some(trail) = &mut path.trail else { return Ok(()) };
        let asked = trail.with_terms(|import, pool| {
            let violations = check.violations(operation, &mut Terms { import, pool });
            let with_form = |violation: Violation| (form(pool, violation.goal), violation);
            violations.into_iter().map(with_form).collect::<Vec<_>>()
        })?;
        if asked.is_empty() {
            return Ok(());
        }
        let view = TraceView::new(trail.trace())?;
        let subject = &self.subjects[self.at];
        let site = subject.sites.resolver(&view).site(operation.event.site);
        let place = subject.places.get(&view, operation.event.site).map(|place| Place {
            file: place.file.to_owned(),
            line: place.line,
            column: place.column,
            function: place.function.to_owned(),
        });
        let place = place.unwrap_or_default();
        for (form, violation) in asked {
            let key = Key { check: check.name(), title: violation.title, site, form };
            if only.is_some_and(|only| only != violation.title) {
                continue;
            }
            let is_best = |known: &Settled| known.distance < distance || known.changed <= 1 || known.times >= TIMES;
            let subject = &mut self.subjects[self.at];
            if subject.settled.get(&(violation.title, site)).is_some_and(is_best) {
                self.counts.skipped.known += 1;
                continue;
            }
            if only.is_none() && !subject.sampling.wants(key) {
                self.counts.skipped.sampled += 1;
                continue;
            }
            if only.is_none() && !subject.expensive.wants(key) {
                self.counts.skipped.given_up += 1;
                continue;
            }
            let question = Question { operation, check, violation, key, place: place.clone(), seed, distance };
            self.ask(path, &question, limits, only.is_some())?;
        }
        Ok(())
    }

    fn ask(&mut self, path: &mut Path, question: &Question<'_>, limits: Limits, again: bool) -> Result<(), CheckError> {
        let key = question.key;
        let at = self.at;
        let answer = self.solve(path, question, question.violation.goal, limits)?;
        let line = self.lines.entry(format!("{}:{}", question.place.file, question.place.line)).or_default();
        if !again {
            self.counts.checks += 1;
            line.checks += 1;
        }
        match answer {
            Answer::Unsat => {
                line.safe += 1;
                self.subjects[at].sampling.unsat(key);
            }
            Answer::Unknown(why) => {
                line.unknown += u64::from(!again);
                self.subjects[at].expensive.gave_up(key);
                if !again && why == Why::Limit && self.postponed.len() < MAX_POSTPONED {
                    self.postponed.push(Postponed {
                        input: path.input.clone(),
                        seed: question.seed.to_owned(),
                        distance: question.distance,
                        position: question.operation.position,
                        check: question.check,
                        title: question.violation.title,
                    });
                } else {
                    self.counts.skipped.given_up += 1;
                }
            }
            Answer::Sat(changes) => {
                line.violable += 1;
                self.subjects[at].sampling.sat(key);
                self.confirm(path, question, changes, limits)?;
            }
        }
        Ok(())
    }

    fn solve(
        &mut self,
        path: &mut Path,
        question: &Question<'_>,
        goal: offshoot_expr::TermId,
        limits: Limits,
    ) -> Result<Answer, CheckError> {
        let Some(trail) = &mut path.trail else { return Ok(Answer::Unknown(Why::GaveUp)) };
        let start = Instant::now();
        let sites = &self.subjects[self.at].sites;
        let answer = trail.solve_before(question.operation.from, goal, sites, &mut self.solver, limits)?;
        self.counts.solving_s += start.elapsed().as_secs_f64();
        match answer {
            Answer::Sat(_) => self.counts.queries.sat += 1,
            Answer::Unsat => self.counts.queries.unsat += 1,
            Answer::Unknown(_) => self.counts.queries.unknown += 1,
        }
        Ok(answer)
    }

    /// There is a solution. Is it an error? The narrower conditions first: the judge sees those best.
    fn confirm(
        &mut self,
        path: &mut Path,
        question: &Question<'_>,
        any: Vec<Change>,
        limits: Limits,
    ) -> Result<(), CheckError> {
        let mut tried: Vec<Vec<Change>> = Vec::new();
        for goal in question.violation.surer.iter().copied().map(Some).chain([None]) {
            let changes = match goal {
                None => any.clone(),
                Some(goal) => match self.solve(path, question, goal, limits)? {
                    Answer::Sat(changes) => changes,
                    _ => continue,
                },
            };
            // The run itself was judged already.
            if tried.contains(&changes) || changes.is_empty() && path.is_clean {
                continue;
            }
            let Some(edits) = path.trail.as_ref().and_then(|trail| trail.edits(&changes)) else { continue };
            let input = path.input.with(edits);
            match self.timed(|judge| judge.confirm(&input))? {
                Judged::Failed(failure) => {
                    let prediction = Prediction {
                        check: question.check.name(),
                        title: question.violation.title,
                        site: question.key.site,
                        step: question.operation.step,
                        place: question.place.clone(),
                        explanation: explain(path, question, &changes),
                        is_write: matches!(question.operation.event.kind, EventKind::Access | EventKind::Length)
                            .then_some(question.operation.event.bit),
                    };
                    return self.record(&input, failure, question.seed, question.distance, Some(prediction), None);
                }
                Judged::Interrupted => return Ok(()),
                Judged::Clean(_) => tried.push(changes),
            }
        }
        self.subjects[self.at].sampling.unconfirmed(question.key);
        let explanation = explain(path, question, tried.last().unwrap_or(&any));
        self.not_confirmed(question, explanation);
        Ok(())
    }

    fn not_confirmed(&mut self, question: &Question<'_>, explanation: String) {
        let (what, place) = (question.violation.title.to_owned(), question.place.to_string());
        match self.unconfirmed.iter_mut().find(|known| known.what == what && known.place == place) {
            Some(known) => known.times += 1,
            None => {
                let seed = question.seed.to_owned();
                self.unconfirmed.push(Unconfirmed { what, place, explanation, seed, times: 1 });
            }
        }
    }

    /// The expensive checks, with more time each.
    pub fn postponed(&mut self) -> Result<(), CheckError> {
        let ended = self.ending;
        if ended == Some(Ending::Time) {
            self.ending = None;
        }
        self.until = None;
        let mut postponed = std::mem::take(&mut self.postponed).into_iter();
        while let Some(one) = postponed.next() {
            if self.over_budget() {
                self.counts.skipped.postponed += 1 + postponed.len() as u64;
                break;
            }
            // What was run once can be turned to.
            if self.turn_to(&one.input.command).is_err() {
                continue;
            }
            let mut path = self.run(one.input)?;
            let operations = std::mem::take(&mut path.operations);
            if let Some(operation) = operations.iter().find(|operation| operation.position == one.position) {
                let limits = Limits { time: self.options.query.time * SECOND_TRY };
                self.check_one(&mut path, operation, one.check, &one.seed, one.distance, Some(one.title), limits)?;
            }
        }
        self.ending = self.ending.or(ended);
        Ok(())
    }
}

/// What two commands must have in common for the same decisions to mean the same: all but the text of symbolic arguments.
fn surroundings(command: &Command, settings: &Settings) -> TestId {
    let mut command = command.clone();
    if settings.symbolic.split(',').any(|word| word == "arg") {
        for arg in command.args.iter_mut().filter(|arg| *arg != SEED) {
            *arg = "x".repeat(arg.len()).into();
        }
    }
    Test::new(command, Bytes::new(), Origin::Seed).id()
}

/// What happens under these changes, in numbers.
fn explain(path: &Path, question: &Question<'_>, changes: &[Change]) -> String {
    let Some(trail) = &path.trail else { return String::new() };
    let Ok(view) = TraceView::new(trail.trace()) else { return String::new() };
    let mut input = trail.input().clone();
    changes.iter().for_each(|change| input.set(change.source, change.offset, change.value));
    let evaluator = Evaluator::new(view);
    let operation = question.operation;
    let value = |node| evaluator.one(node, &input).unwrap_or(0);
    let term = if operation.event.term == 0 { 0 } else { value(operation.event.term) };
    let size = operation.object.as_ref().map_or(0, |object| match object.entry.size_term {
        0 => object.entry.size,
        term => value(term) as u64,
    });
    question.check.explain(operation, term, size)
}
