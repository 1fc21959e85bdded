//! The ledger: for every goal that stayed open, the reason why.

use crate::sites::Sites;
use offshoot_expr::TraceView;
use offshoot_search::{GoalId, Site, Verdict};
use offshoot_trace::EventKind;
use offshoot_trace::event::LossReason;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tries {
    pub unsat: u32,
    pub unknown: u32,
    pub diverged: u32,
    pub solved: u32,
    /// Not tried, because nothing could be covered there any more.
    #[serde(default)]
    pub filtered: u32,
}

/// Something symbolic that went on concretely.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Loss {
    site: Site,
    reason: &'static str,
    name: String,
}

#[derive(Default)]
pub struct Ledger {
    tries: HashMap<GoalId, Tries>,
    filtered: u64,
    /// By site: its decision depended on the input in some run.
    symbolic: Vec<bool>,
    losses: HashMap<Loss, u64>,
}

/// One open goal, as `ledger.json` has it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Open {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
    /// `true`, `false`, `case 3`, `default`
    pub outcome: String,
    pub why: Why,
    pub tries: Tries,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// No run came to the decision.
    NeverReached,
    /// Runs came to it, but it never depended on the input there.
    Concrete,
    /// Unsatisfiable in every context that was tried.
    Unsat,
    SolverGaveUp,
    /// Solved, but the run went elsewhere.
    Diverged,
    NotTried,
}

impl Why {
    pub fn in_words(self) -> &'static str {
        match self {
            Why::NeverReached => "no run came to this decision",
            Why::Concrete => "runs came here, but the decision never depended on the input",
            Why::Unsat => "no input can make it go this way on any path that was tried",
            Why::SolverGaveUp => "the solver gave up",
            Why::Diverged => "an input was found, but its run went another way before it came here",
            Why::NotTried => "not tried yet",
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LossLine {
    pub file: String,
    pub line: u32,
    pub function: String,
    pub reason: String,
    pub name: String,
    pub times: u64,
}

/// `ledger.json`
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Book {
    pub format: u32,
    pub program: String,
    pub covered: Vec<CoveredLine>,
    pub open: Vec<Open>,
    pub losses: Vec<LossLine>,
    /// Candidates that were not tried, because nothing could be covered by them any more.
    #[serde(default)]
    pub filtered: u64,
}

/// A line all of whose outcomes were seen, or the outcomes that were.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CoveredLine {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
    pub outcome: String,
    /// The first test that did.
    pub test: u32,
    /// Candidates that would have taken it again, and were not tried.
    #[serde(default)]
    pub filtered: u32,
}

impl Ledger {
    /// What a run lost, and which decisions depended on its input.
    pub fn observe(&mut self, view: &TraceView<'_>, sites: &Sites) {
        let resolve = sites.resolver(view);
        for event in view.events() {
            match event.kind {
                EventKind::Branch | EventKind::Switch if event.term != 0 => {
                    let site = resolve.site(event.site).0 as usize;
                    if self.symbolic.len() <= site {
                        self.symbolic.resize(site + 1, false);
                    }
                    self.symbolic[site] = true;
                }
                EventKind::Loss => {
                    let Some((reason, name)) = view.loss(&event) else { continue };
                    let loss =
                        Loss { site: resolve.site(event.site), reason: in_words(reason), name: name.into_owned() };
                    *self.losses.entry(loss).or_default() += 1;
                }
                _ => {}
            }
        }
    }

    /// `goal`: of a decision that has none, only the sums.
    pub fn judged(&mut self, goal: Option<GoalId>, verdict: Verdict) {
        self.filtered += u64::from(verdict == Verdict::Filtered);
        let Some(goal) = goal else { return };
        let tries = self.tries.entry(goal).or_default();
        match verdict {
            Verdict::Run(_) => tries.solved += 1,
            Verdict::Diverged => tries.diverged += 1,
            Verdict::Unsat => tries.unsat += 1,
            Verdict::Unknown => tries.unknown += 1,
            Verdict::Filtered => tries.filtered += 1,
        }
    }

    /// `covered`: the first test of each goal.
    pub fn close(&self, program: &str, sites: &Sites, covered: &[Option<u32>]) -> Book {
        let is_reached = |site: Site| {
            (0..sites.outcomes(site))
                .filter_map(|outcome| sites.goal(site, outcome))
                .any(|goal| covered[goal.0 as usize].is_some())
        };
        let mut book = Book {
            format: offshoot_base::FORMAT_VERSION,
            program: program.to_owned(),
            covered: Vec::new(),
            open: Vec::new(),
            losses: Vec::new(),
            filtered: self.filtered,
        };
        for goal in sites.goals() {
            let (site, outcome) = sites.decision(goal);
            let Some(place) = sites.place(site) else { continue };
            let (file, function) = (place.file.to_owned(), place.function.to_owned());
            let (line, column) = (place.line, place.column);
            let outcome = sites.outcome_name(site, outcome);
            let tries = self.tries.get(&goal).copied().unwrap_or_default();
            if let Some(test) = covered[goal.0 as usize] {
                let filtered = tries.filtered;
                book.covered.push(CoveredLine { file, line, column, function, outcome, test, filtered });
                continue;
            }
            let why = if !is_reached(site) {
                Why::NeverReached
            } else if !self.symbolic.get(site.0 as usize).is_some_and(|symbolic| *symbolic) {
                Why::Concrete
            } else if tries.diverged > 0 {
                Why::Diverged
            } else if tries.unknown > 0 {
                Why::SolverGaveUp
            } else if tries.unsat > 0 {
                Why::Unsat
            } else {
                Why::NotTried
            };
            book.open.push(Open { file, line, column, function, outcome, why, tries });
        }
        let mut losses: Vec<_> = self.losses.iter().collect();
        losses.sort();
        for (loss, &times) in losses {
            let place = sites.place(loss.site);
            book.losses.push(LossLine {
                file: place.map_or(String::new(), |place| place.file.to_owned()),
                line: place.map_or(0, |place| place.line),
                function: place.map_or(String::new(), |place| place.function.to_owned()),
                reason: loss.reason.to_owned(),
                name: loss.name.clone(),
                times,
            });
        }
        book
    }
}

impl Book {
    /// Open goals by reason.
    pub fn reasons(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::new();
        for open in &self.open {
            *counts.entry(open.why.in_words()).or_default() += 1;
        }
        counts
    }
}

fn in_words(reason: LossReason) -> &'static str {
    match reason {
        LossReason::Unmodelled => "a call into code that is neither instrumented nor modelled",
        LossReason::Instruction => "an instruction without a model",
        LossReason::LargeObject => "a read through a symbolic address from a large or unknown object",
        LossReason::Budget => "a budget was used up",
        LossReason::Assembly => "inline assembly",
        LossReason::PartialModel => "arguments that the model of a libc function does not cover",
    }
}
