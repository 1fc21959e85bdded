//! What was covered, as a document: what `offshoot coverage --json` prints, and what the other forms are made of.

mod cobertura;
mod decision;
mod figures;
mod file_page;
mod html;
mod lcov;
mod text;

#[cfg(test)]
#[path = "../../tests/support/example.rs"]
mod example;

pub use cobertura::cobertura;
pub use html::html;
pub use lcov::lcov;
pub use text::text;

use serde::{Deserialize, Serialize};

pub const FORMAT: u32 = 1;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Coverage {
    pub format: u32,
    /// Programs that ran, as they were named.
    pub programs: Vec<String>,
    /// By name; `covered_by` of a line counts in this list.
    pub tests: Vec<String>,
    pub totals: Summary,
    /// By path.
    pub files: Vec<File>,
    /// What could not be shown, and why: sources that changed, records that do not fit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub covered: u64,
    pub total: u64,
}

impl Tally {
    pub fn of(all: impl IntoIterator<Item = bool>) -> Tally {
        all.into_iter().fold(Tally::default(), |tally, covered| Tally {
            covered: tally.covered + u64::from(covered),
            total: tally.total + 1,
        })
    }

    /// Of nothing, everything is covered.
    pub fn percent(self) -> f64 {
        if self.total == 0 { 100.0 } else { 100.0 * self.covered as f64 / self.total as f64 }
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.covered += other.covered;
        self.total += other.total;
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    pub line: Tally,
    pub function: Tally,
    pub region: Tally,
    /// Outcomes: every condition has two.
    pub branch: Tally,
    /// Conditions with an independence pair.
    pub mcdc: Tally,
}

impl std::ops::AddAssign for Summary {
    fn add_assign(&mut self, other: Summary) {
        self.line += other.line;
        self.function += other.function;
        self.region += other.region;
        self.branch += other.branch;
        self.mcdc += other.mcdc;
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct File {
    /// As seen from the folder where the report is made, if the file is in it.
    pub path: String,
    pub summary: Summary,
    pub functions: Vec<Function>,
    /// Lines with code on them.
    pub lines: Vec<Line>,
    pub branches: Vec<Branch>,
    pub decisions: Vec<Decision>,
    /// Its text, if it is still what was compiled.
    #[serde(skip)]
    pub source: Option<String>,
}

/// Lines and columns count from 1; the end is behind the last character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Function {
    pub name: String,
    pub line: u32,
    pub end_line: u32,
    pub count: u64,
    pub summary: Summary,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    pub line: u32,
    pub count: u64,
    /// Positions in `Coverage::tests`, in ascending order; empty if runs were not kept apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub covered_by: Vec<u32>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Branch {
    pub at: Place,
    pub true_count: u64,
    pub false_count: u64,
}

/// `None` where a condition is not evaluated.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Vector {
    pub conditions: Vec<Option<bool>>,
    pub result: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    pub at: Place,
    pub conditions: Vec<Condition>,
    /// Those that were seen.
    pub vectors: Vec<Vector>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Condition {
    /// In the file of the decision, or in another one if it stands in a macro.
    pub at: Place,
    /// As the source has it, in one line; `None` if the source cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The compiler knows its value; it counts for nothing.
    pub is_constant: bool,
    /// Two vectors (positions in `vectors`) that show that it decides the result by itself, other conditions being masked
    /// (what counts).
    pub pair: Option<(u32, u32)>,
    /// The same with every other condition as it was (unique cause).
    pub unique_pair: Option<(u32, u32)>,
    /// Vectors that were not seen and would complete a pair, those that need one more vector first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacking: Vec<Vector>,
    /// What the ledger of the campaign says about why, if it says something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
