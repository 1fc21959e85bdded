//! One campaign as its `events.jsonl` tells it: how coverage grew, and what it came to.

use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    pub iteration: u64,
    pub elapsed_s: f64,
    /// From here on.
    pub covered: u32,
}

/// Coverage over a campaign: steps, in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Curve(Vec<Point>);

/// What a curve is drawn over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Axis {
    Iterations,
    Seconds,
}

impl Point {
    pub fn at(&self, axis: Axis) -> f64 {
        match axis {
            Axis::Iterations => self.iteration as f64,
            Axis::Seconds => self.elapsed_s,
        }
    }
}

impl Curve {
    pub fn points(&self) -> &[Point] {
        &self.0
    }

    /// Covered when `x` is over; 0 before the first point.
    pub fn covered_at(&self, axis: Axis, x: f64) -> u32 {
        let behind = self.0.partition_point(|point| point.at(axis) <= x);
        behind.checked_sub(1).map_or(0, |last| self.0[last].covered)
    }

    /// Where so much was covered for the first time.
    pub fn reaches(&self, covered: f64) -> Option<Point> {
        self.0.iter().find(|point| f64::from(point.covered) >= covered).copied()
    }
}

/// A finished campaign.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run {
    /// Branch outcomes that there are.
    pub goals: u32,
    pub covered: u32,
    pub iterations: u64,
    pub executions: u64,
    pub elapsed_s: f64,
    pub queries: Queries,
    pub divergences: u64,
    pub findings: u64,
    /// Why it ended, in the campaign's words.
    pub ending: String,
    /// What the campaign warned of: a program that is not deterministic, say.
    pub warnings: Vec<String>,
    pub curve: Curve,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queries {
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
}

impl Queries {
    pub fn all(self) -> u64 {
        self.sat + self.unsat + self.unknown
    }
}

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error("cannot read {path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error("{path}: line {line}: {source}")]
    Line { path: PathBuf, line: usize, source: serde_json::Error },
    #[error("{path} stops before the campaign ended")]
    Unfinished { path: PathBuf },
}

/// The part of the campaign's events that counts here; what is not named is passed over.
#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
enum Event {
    Seed {
        covered: u32,
    },
    Test {
        covered: u32,
        iteration: u64,
        elapsed_s: f64,
    },
    Warning {
        text: String,
    },
    Ended {
        why: String,
        iterations: u64,
        executions: u64,
        elapsed_s: f64,
        queries: Queries,
        divergences: u64,
        findings: u64,
        coverage: Coverage,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Coverage {
    branch: Covered,
}

#[derive(Deserialize)]
struct Covered {
    covered: u32,
    total: u32,
}

impl Run {
    /// Reads `events.jsonl` of a campaign's folder.
    pub fn read(folder: &Path) -> Result<Run, RunError> {
        let path = folder.join("events.jsonl");
        let unreadable = |source| RunError::Io { path: path.clone(), source };
        let mut lines = BufReader::new(File::open(&path).map_err(unreadable)?).lines();
        let (mut curve, mut warnings) = (Vec::new(), Vec::new());
        let mut number = 0;
        while let Some(line) = lines.next().transpose().map_err(unreadable)? {
            number += 1;
            let event = serde_json::from_str(&line).map_err(|source| RunError::Line {
                path: path.clone(),
                line: number,
                source,
            })?;
            match event {
                // A seed is an iteration too; when it was run is not told, but seeds come first.
                Event::Seed { covered } => {
                    curve.push(Point { iteration: curve.len() as u64 + 1, elapsed_s: 0.0, covered });
                }
                Event::Test { covered, iteration, elapsed_s } => {
                    curve.push(Point { iteration, elapsed_s, covered });
                }
                Event::Warning { text } => warnings.push(text),
                Event::Ended { why, iterations, executions, elapsed_s, queries, divergences, findings, coverage } => {
                    return Ok(Run {
                        goals: coverage.branch.total,
                        covered: coverage.branch.covered,
                        iterations,
                        executions,
                        elapsed_s,
                        queries,
                        divergences,
                        findings,
                        ending: why,
                        warnings,
                        curve: Curve(curve),
                    });
                }
                Event::Other => {}
            }
        }
        Err(RunError::Unfinished { path })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A campaign that covers `covered` of 100 outcomes, one more in each iteration.
    pub fn steady(covered: u32) -> Run {
        let point = |at: u32| Point { iteration: u64::from(at), elapsed_s: f64::from(at) / 10.0, covered: at };
        Run {
            goals: 100,
            covered,
            iterations: 50,
            executions: 60,
            elapsed_s: 5.0,
            queries: Queries { sat: 49, unsat: 10, unknown: 1 },
            divergences: 2,
            findings: 0,
            ending: "iterations".to_owned(),
            warnings: Vec::new(),
            curve: Curve((1..=covered).map(point).collect()),
        }
    }

    const EVENTS: &str = concat!(
        r#"{"event":"started","program":"p","strategy":"cgs","rng_seed":0,"jobs":1,"goals":9,"seeds":2}"#,
        "\n",
        r#"{"event":"seed","name":"a","status":"exit 0","symbolic_steps":3,"gain":2,"covered":2}"#,
        "\n",
        r#"{"event":"seed","name":"b","status":"exit 0","symbolic_steps":3,"gain":1,"covered":3}"#,
        "\n",
        r#"{"event":"warning","text":"…"}"#,
        "\n",
        r#"{"event":"test","id":2,"parent":0,"flipped":null,"changed":[],"gain":2,"covered":5,"iteration":7,"elapsed_s":0.5}"#,
        "\n",
        r#"{"event":"ended","why":"iterations","iterations":20,"executions":25,"divergences":1,"#,
        r#""queries":{"sat":18,"unsat":4,"unknown":0},"coverage":{"branch":{"covered":5,"total":9}},"#,
        r#""tests":3,"findings":1,"elapsed_s":1.5,"peak_rss_bytes":1}"#,
        "\n",
    );

    fn stored(events: &str) -> (tempfile::TempDir, Result<Run, RunError>) {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("events.jsonl"), events).expect("a file");
        let run = Run::read(folder.path());
        (folder, run)
    }

    #[test]
    fn events_become_a_curve() {
        let run = stored(EVENTS).1.expect("a campaign");
        assert_eq!((run.covered, run.goals, run.iterations, run.queries.all()), (5, 9, 20, 22));
        let at = |x| run.curve.covered_at(Axis::Iterations, x);
        assert_eq!([at(0.0), at(1.0), at(2.0), at(6.9), at(7.0), at(99.0)], [0, 2, 3, 3, 5, 5]);
        assert_eq!(run.curve.covered_at(Axis::Seconds, 0.4), 3);
        assert_eq!(run.curve.reaches(2.5).map(|point| point.iteration), Some(2));
        assert_eq!(run.curve.reaches(5.1), None);
        assert_eq!(run.warnings, ["…"]);
    }

    #[test]
    fn damage_is_named() {
        let message = |events| stored(events).1.err().map(|error| error.to_string()).unwrap_or_default();
        let half = &EVENTS[..EVENTS.find(r#"{"event":"ended""#).expect("an end")];
        assert!(message(half).contains("stops before the campaign ended"));
        assert!(message("{\"event\":\"seed\"}\n").contains("line 1: missing field `covered`"));
        assert!(message("no JSON\n").contains("line 1"));
    }
}
