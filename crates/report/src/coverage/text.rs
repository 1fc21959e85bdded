//! As a table for terminals.

use super::figures::{METRICS, percent, ratio, worst_files, worst_functions};
use super::{Coverage, Summary};
use crate::html::counted;
use std::fmt::Write;

/// Files with the most missing first; with `functions`, those of each file below it in the same order.
pub fn text(coverage: &Coverage, functions: bool) -> String {
    let mut rows = vec![head()];
    for file in worst_files(&coverage.files) {
        rows.push(row(file.path.clone(), &file.summary));
        if functions {
            for function in worst_functions(&file.functions) {
                rows.push(row(format!("  {}:{}", function.name, function.line), &function.summary));
            }
        }
    }
    rows.push(row("total".to_owned(), &coverage.totals));
    let mut out = aligned(&rows);
    _ = writeln!(
        out,
        "\n{}, {}; most missing first",
        counted(coverage.files.len(), "file", "files"),
        counted(coverage.tests.len(), "test", "tests")
    );
    for warning in &coverage.warnings {
        _ = writeln!(out, "warning: {}", plain(warning));
    }
    out
}

/// What a metric takes: covered and total, percent.
fn head() -> Vec<String> {
    let metrics = METRICS.iter().flat_map(|metric| [metric.label.to_lowercase(), "%".to_owned()]);
    ["file".to_owned()].into_iter().chain(metrics).collect()
}

fn row(name: String, summary: &Summary) -> Vec<String> {
    let cells = METRICS.iter().flat_map(|metric| {
        let tally = (metric.of)(summary);
        let ratio = if tally.total == 0 { "–".to_owned() } else { ratio(tally) };
        [ratio, percent(tally)]
    });
    [plain(&name)].into_iter().chain(cells).collect()
}

fn aligned(rows: &[Vec<String>]) -> String {
    let length = |cell: &String| cell.chars().count();
    let columns = rows.first().map_or(0, Vec::len);
    let widths: Vec<usize> =
        (0..columns).map(|at| rows.iter().map(|row| length(&row[at])).max().unwrap_or_default()).collect();
    let mut out = String::new();
    for (number, row) in rows.iter().enumerate() {
        // The total stands apart.
        if number + 1 == rows.len() {
            let width = widths.iter().sum::<usize>() + widths.len() - 1 + columns / 2;
            _ = writeln!(out, "{}", "─".repeat(width));
        }
        let mut line = String::new();
        for (at, cell) in row.iter().enumerate() {
            let space = " ".repeat(widths[at] - length(cell));
            _ = match at {
                0 => write!(line, "{cell}{space}"),
                // A percentage stands close to what it is of.
                _ if at % 2 == 0 => write!(line, " {space}{cell}"),
                _ => write!(line, "  {space}{cell}"),
            };
        }
        _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// Names come from elsewhere and must not steer the terminal.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::example::example;

    #[test]
    fn columns_are_aligned_and_the_worst_is_first() {
        let mut coverage = example();
        coverage.files.retain(|file| !file.path.contains("odd"));
        coverage.warnings = vec!["a\u{1b}[31mb".to_owned()];
        let text = text(&coverage, true);
        let expected = "\
file                 lines     %  functions     %  regions     %  branches     %  mc/dc     %
src/door.c           10/14  71.4        2/3  66.6    14/19  73.6      6/10  60.0    2/5  40.0
  open_door:5          7/8  87.5        1/1 100.0     9/11  81.8       3/6  50.0    1/3  33.3
  broken:21            0/3   0.0        0/1   0.0      0/3   0.0         –     –      –     –
  main:16              3/3 100.0        1/1 100.0      5/5 100.0       3/4  75.0    1/2  50.0
/usr/include/gone.h    1/2  50.0          –     –      2/3  66.6       1/2  50.0      –     –
lib/tabs.c             4/4 100.0        1/1 100.0      5/5 100.0       2/2 100.0    1/1 100.0
  tabs:1               4/4 100.0        1/1 100.0      5/5 100.0       2/2 100.0    1/1 100.0
─────────────────────────────────────────────────────────────────────────────────────────────
total                15/22  68.1        3/5  60.0    21/30  70.0      9/16  56.2    3/6  50.0

3 files, 40 tests; most missing first
warning: a\u{fffd}[31mb
";
        assert_eq!(text, expected, "\n{text}");
    }

    #[test]
    fn functions_are_shown_on_demand() {
        let without = text(&example(), false);
        assert!(!without.contains("open_door:5"), "{without}");
        assert!(without.lines().nth(1).is_some_and(|line| line.starts_with("src/door.c ")), "{without}");
    }

    #[test]
    fn nothing_is_a_table_too() {
        assert!(text(&Coverage::default(), true).contains("0 files, 0 tests"));
    }
}
