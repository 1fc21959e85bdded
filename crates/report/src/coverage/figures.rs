//! What all forms agree on: which figures there are, how they are written, and what comes first.

use super::{File, Function, Summary, Tally};
use std::cmp::Reverse;

pub struct Metric {
    /// As in the document.
    pub key: &'static str,
    pub label: &'static str,
    pub of: fn(&Summary) -> Tally,
}

pub const METRICS: [Metric; 5] = [
    Metric { key: "line", label: "Lines", of: |summary| summary.line },
    Metric { key: "function", label: "Functions", of: |summary| summary.function },
    Metric { key: "region", label: "Regions", of: |summary| summary.region },
    Metric { key: "branch", label: "Branches", of: |summary| summary.branch },
    Metric { key: "mcdc", label: "MC/DC", of: |summary| summary.mcdc },
];

/// Rounded down: 100.0 means all. A dash where there is nothing to cover.
pub fn percent(tally: Tally) -> String {
    if tally.total == 0 {
        return "–".to_owned();
    }
    let tenths = u128::from(tally.covered) * 1000 / u128::from(tally.total);
    format!("{}.{}", tenths / 10, tenths % 10)
}

pub fn ratio(tally: Tally) -> String {
    format!("{}/{}", tally.covered, tally.total)
}

/// Lines, outcomes of branches and conditions that a test is still to be written for. Functions and regions without
/// coverage have such lines.
pub fn missing(summary: &Summary) -> u64 {
    let left = |tally: Tally| tally.total.saturating_sub(tally.covered);
    left(summary.line) + left(summary.branch) + left(summary.mcdc)
}

pub fn worst_files(files: &[File]) -> Vec<&File> {
    let mut files: Vec<&File> = files.iter().collect();
    files.sort_by_key(|file| (Reverse(missing(&file.summary)), &file.path));
    files
}

pub fn worst_functions(functions: &[Function]) -> Vec<&Function> {
    let mut functions: Vec<&Function> = functions.iter().collect();
    functions.sort_by_key(|function| (Reverse(missing(&function.summary)), function.line, &function.name));
    functions
}

/// Six characters at most, rounded down.
pub fn compact(count: u64) -> String {
    let units = [("E", 18), ("P", 15), ("T", 12), ("G", 9), ("M", 6)];
    match units.into_iter().find(|(_, power)| count >= 10u64.pow(*power)) {
        None => count.to_string(),
        Some((unit, power)) => {
            let tenths = count / 10u64.pow(power - 1);
            format!("{}.{}{unit}", tenths / 10, tenths % 10)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_all_is_100_percent() {
        let percent = |covered, total| percent(Tally { covered, total });
        assert_eq!(percent(9999, 10000), "99.9");
        assert_eq!(percent(7, 7), "100.0");
        assert_eq!(percent(1, 3), "33.3");
        assert_eq!(percent(0, 0), "–");
        assert_eq!(percent(u64::MAX, u64::MAX), "100.0");
    }

    #[test]
    fn large_counts_are_short() {
        assert_eq!(compact(0), "0");
        assert_eq!(compact(999_999), "999999");
        assert_eq!(compact(1_290_000), "1.2M");
        assert_eq!(compact(999_999_999), "999.9M");
        assert_eq!(compact(u64::MAX), "18.4E");
    }
}
