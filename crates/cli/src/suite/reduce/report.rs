//! What reduction came to: a line for each test, and the columns of the paper's table 2.

use offshoot_base::FORMAT_VERSION;
use offshoot_campaign::reduction::{Size, Smaller};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fmt::Write;
use std::path::Path;

/// A path has ten digits at most in a run that ends in time; one more keeps columns apart.
const CELL: usize = 11;

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    version: u32,
    preserve: String,
    #[serde(rename = "tests")]
    pub lines: Vec<Line>,
    pub left: Vec<Left>,
}

/// A test that could not be made smaller.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Left {
    pub test: String,
    pub why: String,
}

impl Left {
    pub fn uncounted(test: &str) -> Left {
        Left { test: test.to_owned(), why: "no variant of its program counts lines".to_owned() }
    }
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    pub test: String,
    /// What was preserved, if it is not what the report says: an earlier call was for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    preserve: Option<String>,
    before: Size,
    after: Size,
    /// (PL₁ − PL₂) / PL₁ with all branches of the path, section 5.1.
    rate: f64,
    trials: u64,
    /// The budget did not end it.
    is_minimal: bool,
    seconds: f64,
    /// Why it may look at files that it does not bring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unwatched: Option<String>,
}

impl Line {
    pub fn of(test: &str, smaller: &Smaller) -> Line {
        let &Smaller { before, after, trials, is_minimal, elapsed, ref unwatched, .. } = smaller;
        Line {
            test: test.to_owned(),
            preserve: None,
            before,
            after,
            rate: rate(before.path.all, after.path.all),
            trials,
            is_minimal,
            seconds: elapsed.as_secs_f64(),
            unwatched: unwatched.clone(),
        }
    }

    pub fn text(&self) -> String {
        let Line { test, before, after, trials, seconds, .. } = self;
        let ended = if self.is_minimal { "" } else { ", ended by the budget" };
        format!(
            "{test}: {} → {} bytes, path {} → {} ({} → {} on the input), {trials} runs, {seconds:.1} s{ended}",
            before.bytes, after.bytes, before.path.all, after.path.all, before.path.symbolic, after.path.symbolic,
        )
    }
}

fn rate(before: u64, after: u64) -> f64 {
    if before == 0 { 0.0 } else { (before as f64 - after as f64) / before as f64 }
}

impl Report {
    pub fn new(preserve: &str) -> Report {
        Report { version: FORMAT_VERSION, preserve: preserve.to_owned(), lines: Vec::new(), left: Vec::new() }
    }

    /// What an earlier call wrote; nothing if none did.
    pub fn read(path: &Path) -> Result<Option<Report>, String> {
        let text = match std::fs::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        let report: Report = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
        match report.version {
            FORMAT_VERSION => Ok(Some(report)),
            other => Err(format!("it is of version {other}")),
        }
    }

    /// This, and what is left of `earlier`: tests that this call did not reduce and that are still there, by `is_reduced` or, if
    /// they were left as they are, by `is_test`.
    pub fn behind(&self, earlier: Report, is_reduced: impl Fn(&str) -> bool, is_test: impl Fn(&str) -> bool) -> Report {
        let mut all = self.clone();
        let reduced: HashSet<&str> = self.lines.iter().map(|line| &*line.test).collect();
        let left: HashSet<&str> = self.left.iter().map(|left| &*left.test).collect();
        let is_new = |test: &str| reduced.contains(test);
        let is_news = |test: &str| is_new(test) || left.contains(test);
        for mut line in earlier.lines.into_iter().filter(|line| !is_new(&line.test) && is_reduced(&line.test)) {
            let preserve = line.preserve.take().unwrap_or_else(|| earlier.preserve.clone());
            line.preserve = Some(preserve).filter(|preserve| *preserve != self.preserve);
            all.lines.push(line);
        }
        all.left.extend(earlier.left.into_iter().filter(|left| !is_news(&left.test) && is_test(&left.test)));
        all.sort();
        all
    }

    pub fn sort(&mut self) {
        self.lines.sort_by(|a, b| a.test.cmp(&b.test));
        self.left.sort_by(|a, b| a.test.cmp(&b.test));
    }

    pub fn text(&self, folder: &str) -> String {
        let mut text = String::new();
        if self.lines.is_empty() {
            return "no test was reduced\n".to_owned();
        }
        const WIDTH: usize = 3 * CELL;
        _ = writeln!(text, "{:<18}{:^WIDTH$}{:^WIDTH$}{:^WIDTH$}", "", "before", "after", "rate %");
        let ends = format!("{:>CELL$}{:>CELL$}{:>CELL$}", "min", "median", "max");
        _ = writeln!(text, "{:<18}{ends}{ends}{ends}", "");
        type Of = fn(&Size) -> u64;
        let rows: [(&str, Of); 3] = [
            ("bytes", |size| size.bytes),
            ("path on the input", |size| size.path.symbolic),
            ("path", |size| size.path.all),
        ];
        for (name, of) in rows {
            let column = |numbers: Vec<f64>, digits: usize| {
                let cells = spread(numbers).map(|number| format!("{number:>CELL$.digits$}"));
                cells.concat()
            };
            let before = column(self.lines.iter().map(|line| of(&line.before) as f64).collect(), 0);
            let after = column(self.lines.iter().map(|line| of(&line.after) as f64).collect(), 0);
            let rates = self.lines.iter().map(|line| 100.0 * rate(of(&line.before), of(&line.after)));
            _ = writeln!(text, "{name:<18}{before}{after}{}", column(rates.collect(), 1));
        }
        let trials: u64 = self.lines.iter().map(|line| line.trials).sum();
        let seconds: f64 = self.lines.iter().map(|line| line.seconds).sum();
        let cut = self.lines.iter().filter(|line| !line.is_minimal).count();
        let count = self.lines.len();
        let left = match self.left.len() {
            0 => String::new(),
            left => format!("{left} left as they are; "),
        };
        _ = writeln!(
            text,
            "{count} tests, {trials} runs, {seconds:.1} s; {cut} ended by the budget; {left}written to {folder}"
        );
        text
    }
}

/// Least, median and greatest; of an even number the median is the mean of the two in the middle.
fn spread(mut numbers: Vec<f64>) -> [f64; 3] {
    numbers.sort_by(f64::total_cmp);
    let at = |index: usize| numbers.get(index).copied().unwrap_or(0.0);
    let last = numbers.len().saturating_sub(1);
    [at(0), (at(last / 2) + at(last.div_ceil(2))) / 2.0, at(last)]
}

#[cfg(test)]
mod tests {
    use super::{Left, Line, Report, rate, spread};
    use offshoot_campaign::reduction::Size;

    fn report(preserve: &str, lines: &[&str], left: &[&str]) -> Report {
        let line = |test: &&str| Line {
            test: (*test).to_owned(),
            preserve: None,
            before: Size::default(),
            after: Size::default(),
            rate: 0.0,
            trials: 1,
            is_minimal: true,
            seconds: 0.0,
            unwatched: None,
        };
        let lines = lines.iter().map(line).collect();
        Report { lines, left: left.iter().map(|test| Left::uncounted(test)).collect(), ..Report::new(preserve) }
    }

    #[test]
    fn a_later_call_adds_to_what_is_there() {
        let earlier = report("branch", &["1", "2", "gone"], &["3", "4", "removed"]);
        let first = report("branch", &["0"], &[]).behind(earlier, |test| test != "gone", |test| test != "removed");
        let merged = report("mcdc", &["2", "4"], &["0"]).behind(first, |_| true, |_| true);
        let lines: Vec<_> = merged.lines.iter().map(|line| (&*line.test, line.preserve.as_deref())).collect();
        assert_eq!(lines, [("0", Some("branch")), ("1", Some("branch")), ("2", None), ("4", None)]);
        assert_eq!(merged.left.iter().map(|left| &*left.test).collect::<Vec<_>>(), ["0", "3"]);
        let back = report("branch", &[], &[]).behind(merged, |_| true, |_| true);
        let preserved =
            |test: &str| back.lines.iter().find(|line| line.test == test).expect("a line").preserve.as_deref();
        assert_eq!([preserved("1"), preserved("2")], [None, Some("mcdc")]);
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(spread(vec![3.0, 1.0, 2.0]), [1.0, 2.0, 3.0]);
        assert_eq!(spread(vec![4.0, 1.0, 2.0, 3.0]), [1.0, 2.5, 4.0]);
        assert_eq!(spread(vec![7.0]), [7.0; 3]);
    }

    #[test]
    fn rates_are_those_of_the_paper() {
        assert_eq!(rate(200, 50), 0.75);
        assert_eq!(rate(0, 0), 0.0);
        assert!(rate(10, 12) < 0.0, "a superset of branches may take a longer path");
    }
}
