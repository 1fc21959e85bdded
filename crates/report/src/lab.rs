//! Strategies compared: the same subjects, the same budget, several repetitions each.

use crate::curve::{Axis, Run};
use crate::statistics::{self, Comparison};
use serde::Serialize;

/// What every run was given.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Budget {
    Iterations(u64),
    Seconds(f64),
}

impl Budget {
    pub fn axis(self) -> Axis {
        match self {
            Budget::Iterations(_) => Axis::Iterations,
            Budget::Seconds(_) => Axis::Seconds,
        }
    }
}

/// What came of one run.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub subject: String,
    pub strategy: String,
    pub repetition: u32,
    pub rng_seed: u64,
    /// Or why there is none.
    pub run: Result<Run, String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Lab {
    pub format: u32,
    pub budget: Budget,
    pub repetitions: u32,
    /// Share of the best strategy's mean that counts as reached.
    pub target: f64,
    /// Not every run was made.
    pub interrupted: bool,
    pub subjects: Vec<Subject>,
    /// Over all subjects, the best first; empty if there is only one.
    pub overall: Vec<Standing>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Subject {
    pub name: String,
    /// Branch outcomes that there are.
    pub goals: u32,
    /// Highest mean; `None` if every run failed.
    pub best: Option<String>,
    /// Covered outcomes that count as reached.
    pub target: f64,
    /// The best first.
    pub strategies: Vec<Row>,
}

/// One strategy on one subject.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub strategy: String,
    pub covered: Spread,
    pub to_target: ToTarget,
    /// Mean of a run.
    pub iterations: f64,
    pub queries: f64,
    pub unknown: f64,
    pub divergences: f64,
    pub findings: f64,
    pub seconds: f64,
    /// `None` for the best itself.
    pub against_best: Option<Comparison>,
    pub runs: Vec<Repetition>,
    pub failed: Vec<Failed>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Spread {
    pub mean: f64,
    pub deviation: f64,
    pub median: f64,
    pub min: f64,
    pub max: f64,
}

/// Medians of the runs that got there.
#[derive(Clone, Debug, Serialize)]
pub struct ToTarget {
    pub reached: usize,
    pub iterations: Option<f64>,
    pub seconds: Option<f64>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Repetition {
    pub repetition: u32,
    pub rng_seed: u64,
    #[serde(flatten)]
    pub run: Run,
}

#[derive(Clone, Debug, Serialize)]
pub struct Failed {
    pub repetition: u32,
    pub rng_seed: u64,
    pub why: String,
}

/// A strategy over all subjects.
#[derive(Clone, Debug, Serialize)]
pub struct Standing {
    pub strategy: String,
    /// Mean over the subjects of what it covered as a share of what the best one did.
    pub of_best: f64,
    /// Mean place among the strategies; who covers the same shares the places.
    pub rank: f64,
    pub subjects: usize,
}

impl Row {
    fn sample(&self) -> Vec<f64> {
        self.runs.iter().map(|one| f64::from(one.run.covered)).collect()
    }
}

impl Lab {
    /// Subjects in the order of `outcomes`.
    pub fn new(budget: Budget, repetitions: u32, target: f64, interrupted: bool, outcomes: Vec<Outcome>) -> Lab {
        let mut subjects: Vec<Subject> = Vec::new();
        for outcome in outcomes {
            let at = subjects.iter().position(|subject| subject.name == outcome.subject).unwrap_or_else(|| {
                subjects.push(Subject::empty(outcome.subject.clone()));
                subjects.len() - 1
            });
            subjects[at].add(outcome);
        }
        for subject in &mut subjects {
            subject.judge(target);
        }
        let overall = if subjects.len() > 1 { standings(&subjects) } else { Vec::new() };
        Lab { format: 1, budget, repetitions, target, interrupted, subjects, overall }
    }

    pub fn failed(&self) -> usize {
        self.subjects.iter().flat_map(|subject| &subject.strategies).map(|row| row.failed.len()).sum()
    }
}

impl Subject {
    fn empty(name: String) -> Subject {
        Subject { name, goals: 0, best: None, target: 0.0, strategies: Vec::new() }
    }

    fn add(&mut self, outcome: Outcome) {
        let at = self.strategies.iter().position(|row| row.strategy == outcome.strategy).unwrap_or_else(|| {
            self.strategies.push(Row::empty(outcome.strategy.clone()));
            self.strategies.len() - 1
        });
        let row = &mut self.strategies[at];
        let Outcome { repetition, rng_seed, run, .. } = outcome;
        match run {
            Ok(run) => {
                self.goals = self.goals.max(run.goals);
                row.runs.push(Repetition { repetition, rng_seed, run });
            }
            Err(why) => row.failed.push(Failed { repetition, rng_seed, why }),
        }
    }

    fn judge(&mut self, share: f64) {
        for row in &mut self.strategies {
            // Runs come in the order in which they ended.
            row.runs.sort_by_key(|one| one.repetition);
            row.failed.sort_by_key(|one| one.repetition);
            row.summarise();
        }
        let best = self.strategies.iter().filter(|row| !row.runs.is_empty()).map(|row| row.covered.mean);
        self.target = share * best.fold(0.0, f64::max);
        for row in &mut self.strategies {
            row.aim(self.target);
        }
        // Same mean: whoever is at the target sooner, more often. A stable sort leaves the rest as it was asked for.
        let late = |row: &Row| row.to_target.iterations.unwrap_or(f64::INFINITY);
        self.strategies.sort_by(|a, b| {
            let mean = b.covered.mean.total_cmp(&a.covered.mean);
            let runs = a.runs.is_empty().cmp(&b.runs.is_empty());
            let reached = b.to_target.reached.cmp(&a.to_target.reached);
            runs.then(mean).then(reached).then(late(a).total_cmp(&late(b)))
        });
        let Some((best, others)) = self.strategies.split_first_mut().filter(|(best, _)| !best.runs.is_empty()) else {
            return;
        };
        self.best = Some(best.strategy.clone());
        for row in others {
            row.against_best = statistics::compare(&row.sample(), &best.sample());
        }
    }
}

impl Row {
    fn empty(strategy: String) -> Row {
        Row {
            strategy,
            covered: Spread { mean: 0.0, deviation: 0.0, median: 0.0, min: 0.0, max: 0.0 },
            to_target: ToTarget { reached: 0, iterations: None, seconds: None },
            iterations: 0.0,
            queries: 0.0,
            unknown: 0.0,
            divergences: 0.0,
            findings: 0.0,
            seconds: 0.0,
            against_best: None,
            runs: Vec::new(),
            failed: Vec::new(),
        }
    }

    fn summarise(&mut self) {
        let sample = self.sample();
        self.covered = Spread {
            mean: statistics::mean(&sample),
            deviation: statistics::deviation(&sample),
            median: statistics::median(&sample).unwrap_or(0.0),
            min: sample.iter().copied().reduce(f64::min).unwrap_or(0.0),
            max: sample.iter().copied().reduce(f64::max).unwrap_or(0.0),
        };
        let mean =
            |of: fn(&Run) -> f64| statistics::mean(&self.runs.iter().map(|one| of(&one.run)).collect::<Vec<_>>());
        self.iterations = mean(|run| run.iterations as f64);
        self.queries = mean(|run| run.queries.all() as f64);
        self.unknown = mean(|run| run.queries.unknown as f64);
        self.divergences = mean(|run| run.divergences as f64);
        self.findings = mean(|run| run.findings as f64);
        self.seconds = mean(|run| run.elapsed_s);
    }

    fn aim(&mut self, target: f64) {
        let there: Vec<_> = self.runs.iter().filter_map(|one| one.run.curve.reaches(target)).collect();
        let median = |axis| statistics::median(&there.iter().map(|point| point.at(axis)).collect::<Vec<_>>());
        self.to_target =
            ToTarget { reached: there.len(), iterations: median(Axis::Iterations), seconds: median(Axis::Seconds) };
    }
}

fn standings(subjects: &[Subject]) -> Vec<Standing> {
    let mut standings: Vec<Standing> = Vec::new();
    for subject in subjects {
        let means: Vec<f64> =
            subject.strategies.iter().filter(|row| !row.runs.is_empty()).map(|row| row.covered.mean).collect();
        let best = means.iter().copied().fold(0.0, f64::max);
        for row in subject.strategies.iter().filter(|row| !row.runs.is_empty()) {
            let mean = row.covered.mean;
            let ahead = means.iter().filter(|&&other| other > mean).count() as f64;
            let same = means.iter().filter(|&&other| other == mean).count() as f64;
            let at = standings.iter().position(|one| one.strategy == row.strategy).unwrap_or_else(|| {
                let strategy = row.strategy.clone();
                standings.push(Standing { strategy, of_best: 0.0, rank: 0.0, subjects: 0 });
                standings.len() - 1
            });
            standings[at].of_best += if best > 0.0 { mean / best } else { 1.0 };
            standings[at].rank += ahead + (same + 1.0) / 2.0;
            standings[at].subjects += 1;
        }
    }
    for one in &mut standings {
        one.of_best /= one.subjects as f64;
        one.rank /= one.subjects as f64;
    }
    standings.sort_by(|a, b| a.rank.total_cmp(&b.rank).then(b.of_best.total_cmp(&a.of_best)));
    standings
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::curve::tests::steady;

    fn outcome(subject: &str, strategy: &str, repetition: u32, run: Result<Run, String>) -> Outcome {
        let rng_seed = u64::from(repetition);
        Outcome { subject: subject.to_owned(), strategy: strategy.to_owned(), repetition, rng_seed, run }
    }

    /// On `json`, `cgs` is ahead, `dfs` behind, and `<b&d>` fails; on `x`, `dfs` and `cgs` are the same.
    pub fn example() -> Lab {
        let mut outcomes = Vec::new();
        for repetition in 0..5 {
            outcomes.push(outcome("json", "dfs", repetition, Ok(steady(20 + repetition))));
            outcomes.push(outcome("json", "cgs", 4 - repetition, Ok(steady(40 + repetition))));
            outcomes.push(outcome("x", "dfs", repetition, Ok(steady(7))));
            outcomes.push(outcome("x", "cgs", repetition, Ok(steady(7))));
        }
        outcomes.push(outcome("json", "<b&d>", 0, Err("it broke".to_owned())));
        Lab::new(Budget::Iterations(50), 5, 0.9, false, outcomes)
    }

    #[test]
    fn the_best_comes_first_and_others_are_compared_with_it() {
        let lab = example();
        let json = &lab.subjects[0];
        let order: Vec<&str> = json.strategies.iter().map(|row| row.strategy.as_str()).collect();
        assert_eq!((order, json.best.as_deref(), json.goals), (vec!["cgs", "dfs", "<b&d>"], Some("cgs"), 100));
        let [cgs, dfs, bad] = json.strategies.as_slice() else { panic!("three rows") };
        assert_eq!((cgs.covered.mean, cgs.covered.min, cgs.covered.max, cgs.covered.median), (42.0, 40.0, 44.0, 42.0));
        assert_eq!(cgs.runs.iter().map(|one| one.repetition).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!(cgs.against_best, None);
        let against = dfs.against_best.expect("a comparison");
        assert_eq!((against.a12, against.exact), (0.0, true));
        assert!(against.p < 0.01);
        assert_eq!((bad.runs.len(), bad.failed.len(), bad.against_best, lab.failed()), (0, 1, None, 1));
    }

    #[test]
    fn the_target_is_a_share_of_the_best_mean() {
        let lab = example();
        let json = &lab.subjects[0];
        assert!((json.target - 37.8).abs() < 1e-9);
        assert_eq!((json.strategies[0].to_target.reached, json.strategies[0].to_target.iterations), (5, Some(38.0)));
        assert_eq!((json.strategies[1].to_target.reached, json.strategies[1].to_target.iterations), (0, None));
    }

    #[test]
    fn standings_share_places() {
        let lab = example();
        let standing = |name| lab.overall.iter().find(|one| one.strategy == name).expect("a standing");
        assert_eq!((standing("cgs").rank, standing("dfs").rank), (1.25, 1.75));
        assert_eq!((standing("cgs").of_best, standing("dfs").subjects), (1.0, 2));
        assert!(lab.overall.iter().all(|one| one.strategy != "<b&d>"));
    }

    #[test]
    fn nothing_but_failures_is_a_result_too() {
        let lab = Lab::new(Budget::Seconds(1.0), 1, 0.9, true, vec![outcome("x", "cgs", 0, Err("no".to_owned()))]);
        assert_eq!((lab.subjects[0].best.as_deref(), lab.failed()), (None, 1));
    }
}
