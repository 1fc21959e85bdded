//! Our report and the export of `llvm-cov-19`, in one form that can be compared.

use std::collections::BTreeMap;

use offshoot_coverage::{
    Branch, Condition, Decision, File, Mapping, Names, Profile, RegionKind, Report, Span, Summary, Tally, covered_lines,
};
use serde_json::{Value, json};

use super::program::{Sections, raw_profile};

/// Of all runs, given as contents of `.profraw` files.
pub fn profile(sections: &Sections, runs: &[Vec<u8>]) -> Profile {
    let mut profile = Profile::default();
    for run in runs {
        let (counters, bitmaps) = raw_profile(run);
        profile.merge(&Profile::read(&sections.data, counters, bitmaps, sections.addresses).expect("a profile"));
    }
    profile
}

/// The report in the form of the export, without what follows from the rest.
pub fn render(report: &Report, mapping: &Mapping) -> Value {
    let files = report.files.iter().map(|file| {
        let segments = file.segments.iter().map(|segment| {
            let start = segment.start;
            json!([start.line, start.column, count(segment.count), segment.has_count, segment.is_entry, segment.is_gap])
        });
        // The export has branches of macros only with their functions.
        let own = report.branches(file).filter(|(function, branch)| function.main_file == Some(branch.file));
        json!({
            "filename": file.name,
            "segments": segments.collect::<Vec<_>>(),
            "branches": own.map(|(_, branch)| render_branch(branch)).collect::<Vec<_>>(),
            "mcdc_records": report.decisions(file).map(|(_, decision)| render_decision(decision)).collect::<Vec<_>>(),
            "summary": render_summary(&file.summary),
        })
    });
    let functions = report.functions.iter().map(|function| {
        let regions = function.regions.iter().map(|region| {
            let expanded = if let RegionKind::Expansion { file } = region.kind { file } else { 0 };
            let [a, b, c, d] = numbers(region.span);
            json!([a, b, c, d, count(region.count), region.file, expanded, region.kind.number()])
        });
        let branches = function.branches.iter().filter(|branch| !branch.folded).map(render_branch);
        json!({
            "name": function.name,
            "count": count(function.count),
            "regions": regions.collect::<Vec<_>>(),
            "branches": branches.collect::<Vec<_>>(),
            "mcdc_records": function.decisions.iter().map(render_decision).collect::<Vec<_>>(),
            "filenames": function.files.iter().map(|&file| &mapping.files[file]).collect::<Vec<_>>(),
        })
    });
    json!({
        "files": files.collect::<Vec<_>>(),
        "functions": functions.collect::<Vec<_>>(),
        "totals": render_summary(&report.total),
    })
}

fn numbers(span: Span) -> [u32; 4] {
    [span.start.line, span.start.column, span.end.line, span.end.column]
}

/// Their numbers are signed.
fn count(value: u64) -> u64 {
    value.min(i64::MAX as u64)
}

fn render_branch(branch: &Branch) -> Value {
    let [a, b, c, d] = numbers(branch.span);
    let kind = if branch.condition.is_some() { 6 } else { 4 };
    json!([a, b, c, d, count(branch.count_true), count(branch.count_false), branch.file, 0, kind])
}

fn render_decision(decision: &Decision) -> Value {
    let [a, b, c, d] = numbers(decision.span);
    let conditions: Vec<bool> = decision.conditions.iter().map(|condition| condition.pair.is_some()).collect();
    json!([a, b, c, d, 0, 5, conditions])
}

fn render_summary(summary: &Summary) -> Value {
    let tally = |tally: Tally| json!({"count": tally.total, "covered": tally.covered});
    json!({
        "lines": tally(summary.lines),
        "functions": tally(summary.functions),
        "instantiations": tally(summary.instantiations),
        "regions": tally(summary.regions),
        "branches": tally(summary.branches),
        "mcdc": tally(summary.mcdc),
    })
}

/// The export without what [`render`] leaves out: percentages, what is not covered, and expansions.
pub fn strip(export: &Value) -> Value {
    match export {
        Value::Object(fields) => {
            let kept =
                fields.iter().filter(|(key, _)| !["percent", "notcovered", "expansions"].contains(&key.as_str()));
            Value::Object(kept.map(|(key, value)| (key.clone(), strip(value))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(strip).collect()),
        other => other.clone(),
    }
}

/// Where they differ, one line each.
pub fn differences(path: &str, ours: &Value, theirs: &Value, found: &mut Vec<String>) {
    match (ours, theirs) {
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
            a.iter().for_each(|(key, value)| differences(&format!("{path}.{key}"), value, &b[key], found));
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let each = a.iter().zip(b).enumerate();
            each.for_each(|(index, (a, b))| differences(&format!("{path}[{index}]"), a, b, found));
        }
        (a, b) if a == b => {}
        (a, b) => found.push(format!("{path}: ours {a}, theirs {b}")),
    }
}

/// Lines and their counts by file, from an `lcov` export.
pub fn lcov_lines(text: &str) -> BTreeMap<String, Vec<(u32, u64)>> {
    let mut files = BTreeMap::new();
    let mut current = None;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("SF:") {
            current = Some(files.entry(name.to_owned()).or_insert_with(Vec::new));
        } else if let (Some(rest), Some(lines)) = (line.strip_prefix("DA:"), &mut current) {
            let (line, count) = rest.split_once(',').expect("a line and a count");
            lines.push((line.parse().expect("a line"), count.parse().expect("a count")));
        }
    }
    files
}

pub fn our_lines(report: &Report) -> BTreeMap<String, Vec<(u32, u64)>> {
    let lines = |file: &File| file.lines.iter().map(|line| (line.line, line.count)).collect();
    report.files.iter().map(|file| (file.name.clone(), lines(file))).collect()
}

/// Every decision of the files in the words of `llvm-cov-19 show -show-mcdc`: conditions, test vectors, pairs.
pub fn decision_texts(report: &Report) -> Vec<String> {
    let decisions = report.files.iter().flat_map(|file| report.decisions(file)).map(|(_, decision)| decision);
    let mut texts: Vec<String> = decisions.map(decision_text).collect();
    texts.sort();
    texts
}

fn decision_text(decision: &Decision) -> String {
    let [a, b, c, d] = numbers(decision.span);
    let mut lines = vec![format!("({a}:{b}) to ({c}:{d})")];
    for (index, condition) in decision.conditions.iter().enumerate() {
        let start = condition.span.start;
        lines.push(format!("Condition C{} --> ({}:{})", index + 1, start.line, start.column));
    }
    for (index, vector) in decision.vectors.iter().enumerate() {
        let value = |(value, condition): (&Option<bool>, &Condition)| match value {
            _ if condition.folded => "C",
            Some(true) => "T",
            Some(false) => "F",
            None => "-",
        };
        let values: Vec<&str> = vector.values.iter().zip(&decision.conditions).map(value).collect();
        let result = if vector.result { "T" } else { "F" };
        lines.push(format!("{} {{ {}  = {result}      }}", index + 1, values.join(",  ")));
    }
    for (index, condition) in decision.conditions.iter().enumerate() {
        let pair = match condition.pair {
            _ if condition.folded => "constant folded".to_owned(),
            Some((a, b)) => format!("covered: ({},{})", a + 1, b + 1),
            None => "not covered".to_owned(),
        };
        lines.push(format!("C{}-Pair: {pair}", index + 1));
    }
    lines.join("\n")
}

/// The same from the text that `llvm-cov-19 show -show-mcdc` prints.
pub fn their_decision_texts(shown: &str) -> Vec<String> {
    let mut texts: Vec<Vec<&str>> = Vec::new();
    for line in shown.lines().filter_map(|line| line.trim_start().strip_prefix('|')).map(str::trim) {
        if let Some(place) = line.strip_prefix("---> MC/DC Decision Region ") {
            texts.push(vec![place]);
        } else if let Some(text) = texts.last_mut() {
            let is_vector = line.ends_with('}') && line.starts_with(|first: char| first.is_ascii_digit());
            if is_vector || line.starts_with("Condition C") || line.contains("-Pair: ") {
                text.push(line);
            }
        }
    }
    let mut texts: Vec<String> = texts.iter().map(|lines| lines.join("\n")).collect();
    texts.sort();
    texts
}

/// Between the lines of the report that ran and the set of them.
fn set_difference(report: &Report, set: &[(usize, u32)]) -> Option<String> {
    let lines = |file: &offshoot_coverage::File| {
        let ran = file.lines.iter().filter(|line| line.count > 0);
        ran.map(|line| (file.index, line.line)).collect::<Vec<_>>()
    };
    let mut ran: Vec<(usize, u32)> = report.files.iter().flat_map(lines).collect();
    ran.sort_unstable();
    (ran != set).then(|| format!("covered lines: in the report {ran:?}, as a set {set:?}"))
}

/// Compares everything. `export` is the JSON of `llvm-cov-19 export`, `lcov` its other format, `shown` what
/// `llvm-cov-19 show -show-mcdc -show-instantiations=false` prints.
pub fn compare(sections: &Sections, runs: &[Vec<u8>], export: &str, lcov: &str, shown: &str) -> (Report, Vec<String>) {
    let names = Names::read(&sections.names).expect("names");
    let report = Report::new(&sections.mapping(), &profile(sections, runs), &names);
    let export: Value = serde_json::from_str(export).expect("JSON");
    let mut found = Vec::new();
    differences("", &render(&report, &sections.mapping()), &strip(&export["data"][0]), &mut found);
    let (ours, theirs) = (our_lines(&report), lcov_lines(lcov));
    if !ours.keys().eq(theirs.keys()) {
        found.push(format!("files: ours {:?}, theirs {:?}", ours.keys(), theirs.keys()));
    }
    for (name, lines) in ours {
        let theirs = &theirs.get(&name).cloned().unwrap_or_default();
        if &lines != theirs {
            found.push(format!("lines of {name}: ours {lines:?}, theirs {theirs:?}"));
        }
    }
    found.extend(set_difference(&report, &covered_lines(&sections.mapping(), &profile(sections, runs))));
    let (ours, theirs) = (decision_texts(&report), their_decision_texts(shown));
    if ours != theirs {
        found.push(format!("decisions: ours\n{}\ntheirs\n{}", ours.join("\n\n"), theirs.join("\n\n")));
    }
    (report, found)
}
