//! The ledger: for every goal that stayed open, the reason why.

use crate::sites::Sites;
use offshoot_expr::TraceView;
use offshoot_search::structure::Lacking;
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
    /// Times that a run went on with one value of several without a loss, or that its trace was full: no candidate is for the
    /// others.
    narrowed: u64,
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
    /// Every path was tried, and nothing was given up on the way.
    Infeasible,
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
            Why::Infeasible => "infeasible: every path was tried",
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
    /// Conditions that MC/DC still lacks.
    #[serde(default)]
    pub pairs: Vec<OpenPair>,
}

/// A condition that was not shown to change its decision alone.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OpenPair {
    pub file: String,
    /// Of the condition.
    pub line: u32,
    pub column: u32,
    pub function: String,
    /// Which condition of its decision this is, from 1, and how many there are.
    pub condition: u32,
    pub conditions: u32,
    /// Evaluations of the decision of which one would do, such as `T F -`.
    pub wanted: Vec<String>,
    pub why: Why,
    /// Of the outcomes on those ways.
    pub tries: Tries,
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
        self.narrowed = self.narrowed.saturating_add(view.dropped_events());
        for event in view.events() {
            match event.kind {
                EventKind::Concretise | EventKind::Access => self.narrowed = self.narrowed.saturating_add(1),
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
            pairs: Vec::new(),
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
            } else if !self.is_symbolic(site) {
                Why::Concrete
            } else {
                tries.reason()
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

impl Ledger {
    /// Whether candidates stand for all that runs could have done instead.
    pub fn is_exact(&self) -> bool {
        self.losses.is_empty() && self.narrowed == 0
    }

    fn is_symbolic(&self, site: Site) -> bool {
        self.symbolic.get(site.0 as usize).is_some_and(|symbolic| *symbolic)
    }

    /// `is_proof`: whatever was not seen cannot be.
    pub fn add_pairs(
        &self,
        book: &mut Book,
        sites: &Sites,
        lacking: &[Lacking],
        covered: &[Option<u32>],
        is_proof: bool,
    ) {
        for open in lacking {
            let own = open.conditions[open.condition].unwrap_or(open.decision);
            let Some(place) = sites.place(Site(own.0)) else { continue };
            let mut tries = Tries::default();
            let mut outcomes: Vec<_> = open.wanted.iter().flat_map(|way| open.conditions.iter().zip(way)).collect();
            outcomes.sort();
            outcomes.dedup();
            for (site, value) in outcomes {
                let (Some(site), Some(value)) = (site, value) else { continue };
                if let Some(goal) = sites.goal(Site(site.0), u32::from(*value)) {
                    tries.add(self.tries.get(&goal).copied().unwrap_or_default());
                }
            }
            let ways = sites.graph().goals_of(open.decision);
            let is_reached = ways.into_iter().any(|way| covered[way.index()].is_some());
            let why = if is_proof {
                Why::Infeasible
            } else if !is_reached {
                Why::NeverReached
            } else if !self.is_symbolic(Site(own.0)) {
                Why::Concrete
            } else {
                tries.reason()
            };
            book.pairs.push(OpenPair {
                file: place.file.to_owned(),
                line: place.line,
                column: place.column,
                function: place.function.to_owned(),
                condition: open.condition as u32 + 1,
                conditions: open.conditions.len() as u32,
                wanted: open.wanted.iter().map(|way| in_letters(way)).collect(),
                why,
                tries,
            });
        }
    }
}

/// `T F -`
fn in_letters(way: &[Option<bool>]) -> String {
    let letter = |value: &Option<bool>| match value {
        Some(true) => "T",
        Some(false) => "F",
        None => "-",
    };
    way.iter().map(letter).collect::<Vec<_>>().join(" ")
}

impl Tries {
    fn add(&mut self, other: Tries) {
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.diverged += other.diverged;
        self.solved += other.solved;
        self.filtered += other.filtered;
    }

    /// Of what depends on the input and is open.
    fn reason(self) -> Why {
        if self.diverged > 0 {
            Why::Diverged
        } else if self.unknown > 0 {
            Why::SolverGaveUp
        } else if self.unsat > 0 {
            Why::Unsat
        } else {
            Why::NotTried
        }
    }
}

impl Book {
    /// Open goals by reason.
    pub fn reasons(&self) -> BTreeMap<&'static str, usize> {
        count(self.open.iter().map(|open| open.why))
    }

    /// The same for conditions that MC/DC lacks.
    pub fn pair_reasons(&self) -> BTreeMap<&'static str, usize> {
        count(self.pairs.iter().map(|pair| pair.why))
    }
}

fn count(reasons: impl Iterator<Item = Why>) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for why in reasons {
        *counts.entry(why.in_words()).or_default() += 1;
    }
    counts
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
