//! From counters to what people and tools read.

use super::gather::{Measured, Program};
use crate::failure::Failure;
use offshoot_base::shown;
use offshoot_coverage::{self as exact, Mapping, Names, Profile, Report, Span};
use offshoot_report::coverage::{
    Branch, Condition, Coverage, Decision, FORMAT, File, Function, Line, Place, Summary, Tally, Vector,
};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

pub fn document(measured: Measured) -> Result<Coverage, Failure> {
    let Measured { programs, tests, by_test } = measured;
    let mut whole = Whole::default();
    for (at, program) in programs.iter().enumerate() {
        let mut sum = program.counted.nothing();
        tests.iter().filter(|(_, of, _)| *of == at).for_each(|(_, _, counts)| sum.add(counts));
        let profile = program.counted.profile(&sum, &program.path).map_err(Failure::usage)?;
        whole.add(program, &profile);
    }
    let report = Report::new(&whole.mapping, &whole.profile, &whole.names);
    let mut document = Coverage {
        format: FORMAT,
        programs: programs.iter().map(|program| program.path.display().to_string()).collect(),
        tests: tests.iter().map(|(name, _, _)| name.clone()).collect(),
        totals: summary(&report.total),
        ..Coverage::default()
    };
    let here = std::env::current_dir().unwrap_or_default();
    let mut sources = Sources::new(&programs);
    for file in &report.files {
        document.files.push(one_file(&report, file, &whole.mapping, &mut sources, &here));
    }
    document.files.sort_by(|a, b| a.path.cmp(&b.path));
    document.warnings = sources.warnings;
    document.warnings.extend(left_out(&report));
    if by_test {
        for (number, (_, of, counts)) in (0..).zip(&tests) {
            let program = &programs[*of];
            let profile = program.counted.profile(counts, &program.path).map_err(Failure::usage)?;
            let report = Report::new(&program.counted.mapping, &profile, &program.counted.names);
            credit(&mut document, &report, number, &here);
        }
    }
    Ok(document)
}

/// All programs as if they were one: a function that several have is one function.
#[derive(Default)]
struct Whole {
    mapping: Mapping,
    profile: Profile,
    names: Names,
}

impl Whole {
    fn add(&mut self, program: &Program, profile: &Profile) {
        self.mapping.merge(&program.counted.mapping);
        self.names.merge(&program.counted.names);
        self.profile.merge(profile);
    }
}

/// Notes that a test covers lines.
fn credit(document: &mut Coverage, report: &Report, test: u32, here: &Path) {
    for exact in &report.files {
        let path = shown(&exact.name, here);
        // They are in order.
        let Ok(at) = document.files.binary_search_by(|file| file.path.as_str().cmp(path)) else { continue };
        let mut lines = document.files[at].lines.iter_mut().peekable();
        for covered in exact.lines.iter().filter(|line| line.count > 0) {
            while lines.next_if(|line| line.line < covered.line).is_some() {}
            if let Some(line) = lines.next_if(|line| line.line == covered.line) {
                line.covered_by.push(test);
            }
        }
    }
}

fn one_file(report: &Report, file: &exact::File, mapping: &Mapping, sources: &mut Sources, here: &Path) -> File {
    let groups = file.groups.iter().filter_map(|group| {
        let function = &report.functions[*group.functions.first()?];
        let main = function.main_file;
        let last = function.regions.iter().filter(|region| Some(region.file) == main).map(|r| r.span.end.line).max();
        Some(Function {
            name: plain_name(&function.name).to_owned(),
            line: group.start.line,
            end_line: last.unwrap_or(group.start.line),
            count: group.count,
            summary: summary(&group.summary),
        })
    });
    let functions = groups.collect();
    let branches = merged_branches(report, file);
    let decisions = merged_decisions(report, file, mapping, sources);
    let lines = file.lines.iter().map(|line| Line { line: line.line, count: line.count, covered_by: Vec::new() });
    File {
        path: shown(&file.name, here).to_owned(),
        summary: summary(&file.summary),
        functions,
        lines: lines.collect(),
        branches,
        decisions,
        source: sources.text(&file.name).map(str::to_owned),
    }
}

/// `static` functions have their file in front of the name.
fn plain_name(name: &str) -> &str {
    name.rsplit([':', ';']).next().unwrap_or(name)
}

/// A macro or an inline function has a branch for each use; here they are one.
fn merged_branches(report: &Report, file: &exact::File) -> Vec<Branch> {
    let mut by_place: BTreeMap<Span, (u64, u64)> = BTreeMap::new();
    for (_, branch) in report.branches(file).filter(|(_, branch)| !branch.folded) {
        let counts = by_place.entry(branch.span).or_default();
        counts.0 = counts.0.saturating_add(branch.count_true);
        counts.1 = counts.1.saturating_add(branch.count_false);
    }
    let branch = |(span, (true_count, false_count))| Branch { at: place(span), true_count, false_count };
    by_place.into_iter().map(branch).collect()
}

/// Of a decision that several functions have (a macro, an inline function), the use with the most pairs.
fn merged_decisions(report: &Report, file: &exact::File, mapping: &Mapping, sources: &mut Sources) -> Vec<Decision> {
    let pairs = |decision: &exact::Decision| decision.conditions.iter().filter(|c| c.pair.is_some()).count();
    let mut by_place: BTreeMap<Span, (&exact::Function, &exact::Decision)> = BTreeMap::new();
    for (function, decision) in report.decisions(file) {
        let known = by_place.entry(decision.span).or_insert((function, decision));
        if pairs(decision) > pairs(known.1) {
            *known = (function, decision);
        }
    }
    let decision = |(function, decision): (&exact::Function, &exact::Decision)| {
        let conditions = decision.conditions.iter().enumerate().map(|(at, condition)| {
            let name = function.files.get(condition.file as usize).map(|&file| mapping.files[file].as_str());
            Condition {
                at: place(condition.span),
                text: name.and_then(|name| sources.piece(name, condition.span)),
                is_constant: condition.folded,
                pair: condition.pair.map(numbers),
                unique_pair: condition.unique_cause.map(numbers),
                lacking: decision.lacking(at).iter().map(vector).collect(),
                reason: None,
            }
        });
        let conditions = conditions.collect();
        Decision { at: place(decision.span), conditions, vectors: decision.vectors.iter().map(vector).collect() }
    };
    by_place.into_values().map(decision).collect()
}

fn numbers((a, b): (usize, usize)) -> (u32, u32) {
    (a as u32, b as u32)
}

fn vector(vector: &exact::Vector) -> Vector {
    Vector { conditions: vector.values.clone(), result: vector.result }
}

fn place(span: Span) -> Place {
    let Span { start, end } = span;
    Place { line: start.line, column: start.column, end_line: end.line, end_column: end.column }
}

fn tally(tally: exact::Tally) -> Tally {
    Tally { covered: tally.covered as u64, total: tally.total as u64 }
}

fn summary(summary: &exact::Summary) -> Summary {
    Summary {
        line: tally(summary.lines),
        function: tally(summary.functions),
        region: tally(summary.regions),
        branch: tally(summary.branches),
        mcdc: tally(summary.mcdc),
    }
}

fn left_out(report: &Report) -> Vec<String> {
    let mut warnings = Vec::new();
    let broken: usize = report.functions.iter().map(|function| function.broken_decisions).sum();
    if broken > 0 {
        warnings
            .push(format!("{broken} decisions are not measured: clang describes them in a way that makes no sense"));
    }
    let other = report.dropped.iter().filter(|dropped| dropped.reason == exact::DropReason::OtherBody);
    let names: Vec<&str> = other.map(|dropped| dropped.name.as_str()).collect();
    if !names.is_empty() {
        let (count, some) = (names.len(), names[..names.len().min(3)].join(", "));
        warnings.push(format!("{count} functions are left out: another one has the same name ({some} …)"));
    }
    warnings
}

/// The text of source files, as far as it is what was compiled.
struct Sources {
    built: Option<SystemTime>,
    read: BTreeMap<String, Option<String>>,
    warnings: Vec<String>,
}

impl Sources {
    fn new(programs: &[Program]) -> Sources {
        let built = programs.iter().filter_map(|program| program.built).min();
        Sources { built, read: BTreeMap::new(), warnings: Vec::new() }
    }

    fn text(&mut self, name: &str) -> Option<&str> {
        if !self.read.contains_key(name) {
            let text = self.load(name);
            self.read.insert(name.to_owned(), text);
        }
        self.read.get(name)?.as_deref()
    }

    fn load(&mut self, name: &str) -> Option<String> {
        let bytes = match std::fs::read(name) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.warnings.push(format!("cannot show {name}: {error}"));
                return None;
            }
        };
        let changed = std::fs::metadata(name).and_then(|data| data.modified()).ok();
        if changed.zip(self.built).is_some_and(|(changed, built)| changed > built) {
            self.warnings.push(format!("{name} has changed since the program was built: lines may have moved"));
        }
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The text between two places, in one line.
    fn piece(&mut self, name: &str, span: Span) -> Option<String> {
        let text = self.text(name)?;
        let mut piece = Vec::new();
        for (number, line) in (1..).zip(text.lines()).take(span.end.line as usize).skip(span.start.line as usize - 1) {
            let bytes = line.as_bytes();
            let from = if number == span.start.line { span.start.column as usize - 1 } else { 0 };
            let to = if number == span.end.line { span.end.column as usize - 1 } else { bytes.len() };
            piece.extend_from_slice(bytes.get(from.min(bytes.len())..to.min(bytes.len()))?);
            piece.push(b' ');
        }
        let text = String::from_utf8_lossy(&piece).split_whitespace().collect::<Vec<_>>().join(" ");
        (!text.is_empty()).then_some(text)
    }
}
