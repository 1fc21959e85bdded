//! The words of the search.

use crate::structure::Relevance;

/// A place that decides, numbered densely over the program: conditions, switches, and what has no goals of its own (libc
/// models, branches of the optimiser, addresses that were fixed).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site(pub u32);

/// One outcome of one site that counts for coverage, numbered densely.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GoalId(pub u32);

/// One decision of a run, concrete ones too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    pub site: Site,
    /// Condition: 0 is false, 1 is true. Switch: the index of its label, behind the last one the default.
    pub outcome: u32,
    /// It depends on the input: its other outcomes are candidates.
    pub symbolic: bool,
}

/// A run that is in the tree, in the order they came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RunId(pub u32);

/// "Run this input again and make its `depth`-th symbolic step (from 0) go `outcome`."
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Candidate {
    pub run: RunId,
    pub depth: u32,
    pub outcome: u32,
}

/// What became of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Solved; the new run took the predicted path and is in the tree.
    Run(RunId),
    /// Solved, but the new run left the predicted path before the flipped step; it is not in the tree.
    Diverged,
    Unsat,
    /// The solver gave up.
    Unknown,
    /// Not tried: nothing can be covered there ([`crate::Filter`]).
    Filtered,
}

/// What is known of the program without running it, and what has been covered so far.
pub trait Knowledge {
    /// Number of outcomes of a site.
    fn outcomes(&self, site: Site) -> u32;
    /// `None`: not a coverage goal.
    fn goal(&self, site: Site, outcome: u32) -> Option<GoalId>;
    fn goals(&self) -> u32;
    fn is_covered(&self, goal: GoalId) -> bool;
    /// Changes whenever a goal gets covered, or what is left to do changes otherwise.
    fn covered(&self) -> u32;
    /// Branches between taking this outcome and the nearest uncovered goal, over calls and returns; 0 if it is
    /// uncovered itself, `None` if there is no way.
    fn distance(&self, goal: GoalId) -> Option<u32>;
    /// Every way from the entry of the function to `b` leads over `a`.
    fn dominates(&self, a: GoalId, b: GoalId) -> bool;
    /// Uncovered goals that are control-dependent on this one, over calls (CarFast).
    fn weight(&self, goal: GoalId) -> u32;
    /// Uncovered goals at most `levels` branches down from this outcome, itself included (PPS: *PotentialContr* with
    /// walk-down level s).
    fn potential(&self, goal: GoalId, levels: u32) -> u32;
    /// Can something be covered by taking this outcome, or behind it? Of what the static graph does not know it must say
    /// [`Relevance::May`].
    fn relevance(&self, site: Site, outcome: u32) -> Relevance;
    /// The same, if `before` is what the run has just decided, the last decision first.
    fn relevance_in_context(
        &self,
        site: Site,
        outcome: u32,
        before: &mut dyn Iterator<Item = (Site, u32)>,
    ) -> Relevance {
        let _ = before;
        self.relevance(site, outcome)
    }
}

/// Chooses. Contract: `next` gives no candidate whose step already went that way in the tree or that has a verdict or a
/// claim ([`crate::Tree::claim`]); `None` means that there is nothing left to try for this strategy until the next
/// `observe`. A candidate that was given may be given again until it is judged or claimed: who wants several at a time
/// claims each.
///
/// The order of calls for one candidate: `next`, (solve, run, coverage, insert), `fitness` if there is any, `observe` if
/// the run is in the tree, `judged`.
pub trait Strategy: Send {
    /// As the command line calls it.
    fn name(&self) -> String;
    /// Contexts run over concrete decisions too: runs must report them, and the tree must keep them.
    fn wants_concrete(&self) -> bool {
        false
    }
    /// It uses [`Strategy::fitness`]: whoever runs it must compute that.
    fn wants_fitness(&self) -> bool {
        false
    }
    /// A new run is in the tree. `from` is the candidate that it was made from; a seed has none.
    fn observe(&mut self, tree: &crate::Tree, knowledge: &dyn Knowledge, run: RunId, from: Option<Candidate>);
    fn next(&mut self, tree: &crate::Tree, knowledge: &dyn Knowledge) -> Option<Candidate>;
    /// What became of a candidate that this or another strategy proposed. `gain`: goals newly covered by it.
    fn judged(&mut self, tree: &crate::Tree, candidate: Candidate, verdict: Verdict, gain: u32) {
        let _ = (tree, candidate, verdict, gain);
    }
    /// How near the run came to goals that are still open: for each one whose site it passed, as far as that is known,
    /// the smallest normalised branch distance to that outcome, in `0.0..1.0` (`a == b`: `|a - b|` mapped by `x / (x + 1)`).
    /// Comes before the `observe` of the same run.
    fn fitness(&mut self, run: RunId, goals: &[(GoalId, f32)]) {
        let _ = (run, goals);
    }
}
