//! The page of a file: its figures, its functions, and its source with what was seen beside it.

use super::figures::{METRICS, compact, worst_functions};
use super::html::{cards, cell, heads};
use super::{Branch, Coverage, Decision, File, Line, decision};
use crate::html::{Scanner, begin, breakable, coloured, counted, end, escaped, lines, offset};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Tests that are named for a line; the others are counted.
const NAMED_TESTS: usize = 24;

pub fn page(coverage: &Coverage, file: &File) -> String {
    let mut out = String::new();
    begin(&mut out, &format!("{} – coverage", file.path), "../");
    out.push_str("<header>\n<nav><a href=\"../index.html\">← All files</a></nav>\n");
    _ = writeln!(out, "<h1 class=\"path\">{}</h1>\n</header>", breakable(&file.path));
    cards(&mut out, "file", &file.summary);
    let text = file.source.as_deref().map(lines);
    let rows = rows(file, text.as_ref().map_or(0, Vec::len));
    functions(&mut out, file, &rows);
    let tests = TestSets::new(file);
    source(&mut out, file, text.as_deref(), &rows, &tests);
    tests.write(&mut out, coverage);
    end(&mut out);
    out
}

fn functions(out: &mut String, file: &File, rows: &BTreeSet<u32>) {
    if file.functions.is_empty() {
        return;
    }
    // A function is one function.
    let metrics = || METRICS.iter().filter(|metric| metric.key != "function");
    let heading = counted(file.functions.len(), "function", "functions");
    _ = writeln!(out, "<section>\n<h2>{heading}</h2>");
    out.push_str("<div class=\"wide tall\"><table class=\"list\">\n<thead><tr><th>Function</th><th>Calls</th>");
    heads(out, metrics());
    out.push_str("</tr></thead>\n<tbody>\n");
    for function in worst_functions(&file.functions) {
        let (name, line) = (escaped(&function.name), function.line);
        let count = function.count;
        // Without a source, only lines that something is known about have a row.
        let link = match rows.range(line..).next() {
            Some(target) => format!("<a href=\"#L{target}\"><code>{name}</code></a>"),
            None => format!("<code>{name}</code>"),
        };
        _ = write!(
            out,
            "<tr data-scope=\"function\" data-name=\"{name}\" data-line=\"{line}\" data-count=\"{count}\">\
             <th>{link}</th><td class=\"{}\">{}</td>",
            if count == 0 { "zero" } else { "count" },
            compact(count)
        );
        for metric in metrics() {
            cell(out, metric, &function.summary);
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n</section>\n");
}

/// Lines of the text, and those that something is known about, even if the text has no such line.
fn rows(file: &File, length: usize) -> BTreeSet<u32> {
    let branches = file.branches.iter().map(|branch| branch.at.end_line);
    let decisions = file.decisions.iter().map(|decision| decision.at.end_line);
    let known = file.lines.iter().map(|line| line.line).chain(branches).chain(decisions);
    (1..).take(length).chain(known).collect()
}

fn source(out: &mut String, file: &File, text: Option<&[&str]>, rows: &BTreeSet<u32>, tests: &TestSets) {
    out.push_str("<section>\n<h2>Source</h2>\n");
    if text.is_none() {
        out.push_str(
            "<p class=\"note\">The source is not shown: it cannot be read, or it is no longer what was compiled. What is \
             known by line follows without it.</p>\n",
        );
    }
    out.push_str(LEGEND);
    if !tests.0.is_empty() {
        out.push_str("<p class=\"legend soft\">A count opens the list of the tests behind it.</p>\n");
    }
    out.push_str("<div class=\"source\"><table>\n<tbody>\n");
    let counts: BTreeMap<u32, &Line> = file.lines.iter().map(|line| (line.line, line)).collect();
    let mut marks: BTreeMap<u32, Vec<&Branch>> = BTreeMap::new();
    let mut partly: BTreeSet<u32> = BTreeSet::new();
    for branch in &file.branches {
        marks.entry(branch.at.end_line).or_default().push(branch);
        if branch.true_count == 0 || branch.false_count == 0 {
            partly.insert(branch.at.line);
        }
    }
    let mut decisions: BTreeMap<u32, Vec<&Decision>> = BTreeMap::new();
    for one in &file.decisions {
        decisions.entry(one.at.end_line).or_default().push(one);
        let lacks = one.conditions.iter().filter(|condition| !condition.is_constant && condition.pair.is_none());
        partly.extend(lacks.map(|condition| condition.at.line));
    }
    let mut scanner = Scanner::default();
    for &number in rows {
        let marks = marks.get(&number).map_or(&[][..], Vec::as_slice);
        let code = match line_of(text, number) {
            Some(text) => {
                let at = |branch: &&Branch| (offset(text, branch.at.end_column), mark(branch));
                coloured(text, &mut scanner, marks.iter().map(at).collect())
            }
            None => marks.iter().map(|branch| format!("column {} {}", branch.at.column, mark(branch))).collect(),
        };
        row(out, number, counts.get(&number).copied(), partly.contains(&number), tests, &code);
        for one in decisions.get(&number).into_iter().flatten() {
            out.push_str("<tr class=\"under\"><td colspan=\"3\">");
            decision::write(out, one, text.unwrap_or_default());
            out.push_str("</td></tr>\n");
        }
    }
    out.push_str("</tbody>\n</table></div>\n</section>\n");
}

fn line_of<'a>(text: Option<&[&'a str]>, number: u32) -> Option<&'a str> {
    text?.get((number as usize).checked_sub(1)?).copied()
}

const LEGEND: &str = "<p class=\"legend soft\"><span class=\"key hit\">12</span> covered \
    <span class=\"key part\">◐ 12</span> partly: an outcome or an MC/DC pair is missing \
    <span class=\"key miss\">0</span> not covered \
    <span class=\"marks\"><i class=\"yes\">T✓</i><i class=\"no\">F✗</i></span> the condition before it was true, and never \
    false</p>\n";

fn row(out: &mut String, number: u32, line: Option<&Line>, partly: bool, tests: &TestSets, code: &str) {
    let (class, sign) = match line {
        Some(line) if line.count == 0 => ("miss", ""),
        Some(_) if partly => ("part", "◐ "),
        Some(_) => ("hit", ""),
        None => ("", ""),
    };
    let count = match line {
        None => String::new(),
        Some(line) => match tests.of(line) {
            Some(set) => format!(
                "<button popovertarget=\"T{set}\" title=\"{} times, by {}\">{sign}{}</button>",
                line.count,
                counted(line.covered_by.len(), "test", "tests"),
                compact(line.count)
            ),
            None => format!("<span title=\"{} times\">{sign}{}</span>", line.count, compact(line.count)),
        },
    };
    let data = line.map(|line| format!(" data-count=\"{}\"", line.count)).unwrap_or_default();
    _ = writeln!(
        out,
        "<tr id=\"L{number}\" class=\"{class}\"{data}><td class=\"n\"><a href=\"#L{number}\">{number}</a></td>\
         <td class=\"c\">{count}</td><td class=\"t\">{code}</td></tr>"
    );
}

/// Letter and sign say what the colour says.
fn mark(branch: &Branch) -> String {
    let outcome = |letter: char, count: u64| {
        let (class, sign) = if count > 0 { ("yes", '✓') } else { ("no", '✗') };
        format!("<i class=\"{class}\">{letter}{sign}</i>")
    };
    let (yes, no) = (branch.true_count, branch.false_count);
    format!(
        "<span class=\"marks\" data-true=\"{yes}\" data-false=\"{no}\" title=\"true {yes} ×, false {no} ×\">{}{}</span>",
        outcome('T', yes),
        outcome('F', no)
    )
}

/// Sets of tests that cover the same lines are written once.
struct TestSets<'a>(BTreeMap<&'a [u32], usize>);

impl<'a> TestSets<'a> {
    fn new(file: &'a File) -> Self {
        let mut sets = BTreeMap::new();
        for line in file.lines.iter().filter(|line| !line.covered_by.is_empty()) {
            let next = sets.len() + 1;
            sets.entry(line.covered_by.as_slice()).or_insert(next);
        }
        Self(sets)
    }

    fn of(&self, line: &Line) -> Option<usize> {
        self.0.get(line.covered_by.as_slice()).copied()
    }

    fn write(&self, out: &mut String, coverage: &Coverage) {
        for (tests, number) in &self.0 {
            let heading = counted(tests.len(), "test", "tests");
            _ = writeln!(out, "<div id=\"T{number}\" popover=\"auto\" class=\"tests\"><h3>{heading}</h3>\n<ul>");
            for test in tests.iter().take(NAMED_TESTS) {
                let name = coverage.tests.get(*test as usize).map_or("(a test without a name)", String::as_str);
                _ = writeln!(out, "<li>{}</li>", escaped(name));
            }
            out.push_str("</ul>\n");
            if tests.len() > NAMED_TESTS {
                _ = writeln!(out, "<p class=\"soft\">and {} more</p>", tests.len() - NAMED_TESTS);
            }
            out.push_str("</div>\n");
        }
    }
}
