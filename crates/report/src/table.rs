//! A lab as tables: columns for terminals, Markdown for documents, rows for the page.

use crate::lab::{Budget, Lab, Row, Subject};
use std::fmt::Write;

pub const COLUMNS: [&str; 9] = ["strategy", "covered", "min–max", "%", "to target", "queries", "diverged", "p", "A12"];

pub const OVERALL: [&str; 4] = ["strategy", "mean rank", "% of the best", "subjects"];

/// Cells in the order of [`COLUMNS`]. Times stay out: the same seeds give the same table.
pub fn cells(subject: &Subject, row: &Row) -> Vec<String> {
    let mut name = row.strategy.clone();
    if !row.failed.is_empty() {
        _ = write!(name, " ({} failed)", row.failed.len());
    }
    if row.runs.is_empty() {
        let mut cells = vec![name];
        cells.resize(COLUMNS.len(), "–".to_owned());
        return cells;
    }
    let (p, a12) = match &row.against_best {
        Some(against) => (probability(against.p), format!("{:.2}", against.a12)),
        None => ("best".to_owned(), "–".to_owned()),
    };
    vec![
        name,
        format!("{:.1} ± {:.1}", row.covered.mean, row.covered.deviation),
        format!("{:.0}–{:.0}", row.covered.min, row.covered.max),
        format!("{:.1}", 100.0 * row.covered.mean / f64::from(subject.goals.max(1))),
        to_target(row),
        format!("{:.0}", row.queries),
        format!("{:.1}", row.divergences),
        p,
        a12,
    ]
}

/// Median iterations, and how many runs got there if not all did.
fn to_target(row: &Row) -> String {
    let all = row.runs.len();
    match row.to_target.iterations {
        None => "never".to_owned(),
        Some(iterations) if row.to_target.reached == all => format!("{iterations:.0}"),
        Some(iterations) => format!("{iterations:.0} ({}/{all})", row.to_target.reached),
    }
}

fn probability(p: f64) -> String {
    if p < 0.001 { "<0.001".to_owned() } else { format!("{p:.3}") }
}

pub fn overall_cells(lab: &Lab) -> Vec<Vec<String>> {
    let cells = lab.overall.iter().map(|one| {
        let share = format!("{:.1}", 100.0 * one.of_best);
        vec![one.strategy.clone(), format!("{:.2}", one.rank), share, one.subjects.to_string()]
    });
    cells.collect()
}

pub fn heading(subject: &Subject) -> String {
    format!("{}: {} branch outcomes, target {:.1}", subject.name, subject.goals, subject.target)
}

/// What the columns mean.
pub fn legend(lab: &Lab) -> String {
    let budget = match lab.budget {
        Budget::Iterations(iterations) => format!("{iterations} iterations"),
        Budget::Seconds(seconds) => format!("{seconds} s"),
    };
    let partly = if lab.interrupted { " Interrupted: not every run was made." } else { "" };
    format!(
        "{} repetitions of {budget}.{partly} covered: mean ± standard deviation of the branch outcomes. to target: median \
         iterations until {:.0} % of the best mean. queries, diverged: mean of a run. p: two-sided Mann–Whitney U against \
         the best strategy. A12: how likely a run covers more than one of the best (0.5: the same).",
        lab.repetitions,
        100.0 * lab.target,
    )
}

/// Why runs failed, and what campaigns warned of; the same thing once.
pub fn notes(lab: &Lab) -> Vec<String> {
    let mut lines = Vec::new();
    for subject in &lab.subjects {
        for row in &subject.strategies {
            let failed =
                row.failed.iter().map(|one| format!("failed: {}, {}: {}", subject.name, row.strategy, one.why));
            let warnings = row.runs.iter().flat_map(|one| &one.run.warnings);
            let warnings = warnings.map(|text| format!("warning: {}: {text}", subject.name));
            for line in failed.chain(warnings) {
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
    }
    lines
}

pub fn text(lab: &Lab) -> String {
    let mut out = String::new();
    for subject in &lab.subjects {
        _ = writeln!(out, "{}", heading(subject));
        out.push_str(&columns(&COLUMNS, &subject_cells(subject)));
        out.push('\n');
    }
    if !lab.overall.is_empty() {
        out.push_str("all subjects\n");
        out.push_str(&columns(&OVERALL, &overall_cells(lab)));
        out.push('\n');
    }
    for line in notes(lab) {
        _ = writeln!(out, "{line}");
    }
    for line in wrapped(&legend(lab), 100) {
        _ = writeln!(out, "{line}");
    }
    out
}

pub fn markdown(lab: &Lab) -> String {
    let mut out = String::new();
    for subject in &lab.subjects {
        _ = writeln!(out, "## {}\n", escaped(&heading(subject)));
        out.push_str(&pipes(&COLUMNS, &subject_cells(subject)));
        out.push('\n');
    }
    if !lab.overall.is_empty() {
        out.push_str("## All subjects\n\n");
        out.push_str(&pipes(&OVERALL, &overall_cells(lab)));
        out.push('\n');
    }
    let notes = notes(lab);
    for line in &notes {
        _ = writeln!(out, "* {}", escaped(line));
    }
    if !notes.is_empty() {
        out.push('\n');
    }
    _ = writeln!(out, "{}", legend(lab));
    out
}

pub fn subject_cells(subject: &Subject) -> Vec<Vec<String>> {
    subject.strategies.iter().map(|row| cells(subject, row)).collect()
}

/// Names to the left, numbers to the right.
fn columns(head: &[&str], rows: &[Vec<String>]) -> String {
    let length = |cell: &str| cell.chars().count();
    let widths: Vec<usize> = (0..head.len())
        .map(|at| rows.iter().map(|row| length(&row[at])).chain([length(head[at])]).max().unwrap_or(0))
        .collect();
    let mut out = String::new();
    let mut line = |cells: &mut dyn Iterator<Item = &str>| {
        for (at, cell) in cells.enumerate() {
            let space = " ".repeat(widths[at] - length(cell));
            _ = if at == 0 { write!(out, "  {cell}{space}") } else { write!(out, "  {space}{cell}") };
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
    };
    line(&mut head.iter().copied());
    for row in rows {
        line(&mut row.iter().map(String::as_str));
    }
    out
}

fn pipes(head: &[&str], rows: &[Vec<String>]) -> String {
    let mut out = format!("| {} |\n|---|", head.join(" | "));
    out.push_str(&"---:|".repeat(head.len() - 1));
    out.push('\n');
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| escaped(cell)).collect();
        _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    out
}

/// As it is in Markdown, also inside a table.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\n' | '\r' => out.push(' '),
            '\\' | '|' | '*' | '_' | '`' | '<' | '[' | '#' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
    out
}

fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().unwrap_or_else(|| unreachable!("there is one from the start"));
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::tests::example;

    #[test]
    fn terminals() {
        let text = text(&example());
        let expected = "\
json: 100 branch outcomes, target 37.8
  strategy             covered  min–max     %  to target  queries  diverged      p   A12
  cgs               42.0 ± 1.6    40–44  42.0         38       60       2.0   best     –
  dfs               22.0 ± 1.6    20–24  22.0      never       60       2.0  0.008  0.00
  <b&d> (1 failed)           –        –     –          –        –         –      –     –

x: 100 branch outcomes, target 6.3
  strategy    covered  min–max    %  to target  queries  diverged      p   A12
  dfs       7.0 ± 0.0      7–7  7.0          7       60       2.0   best     –
  cgs       7.0 ± 0.0      7–7  7.0          7       60       2.0  1.000  0.50

all subjects
  strategy  mean rank  % of the best  subjects
  cgs            1.25          100.0         2
  dfs            1.75           76.2         2

failed: json, <b&d>: it broke
5 repetitions of 50 iterations. covered: mean ± standard deviation of the branch outcomes. to
";
        assert!(text.starts_with(expected), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 100));
    }

    #[test]
    fn documents() {
        let text = markdown(&example());
        assert!(text.contains("\n| cgs | 42.0 ± 1.6 | 40–44 | 42.0 | 38 | 60 | 2.0 | best | – |\n"), "{text}");
        assert!(text.contains(r"| \<b&d> (1 failed) |"), "{text}");
        let bars = |line: &str| line.replace(r"\|", "").matches('|').count();
        assert!(text.lines().filter(|line| line.starts_with('|')).all(|line| [5, 10].contains(&bars(line))), "{text}");
    }

    #[test]
    fn some_runs_that_get_there_are_counted() {
        let mut lab = example();
        let row = &mut lab.subjects[0].strategies[0];
        row.to_target.reached = 3;
        assert_eq!(to_target(row), "38 (3/5)");
        assert_eq!([probability(0.0004), probability(0.05)], ["<0.001", "0.050"]);
    }
}
