//! Which candidate is next, and what becomes of those that are not.

use super::{ExploreError, State};
use crate::journal::Line;
use offshoot_search::{Candidate, Knowledge, Relevance, Verdict};

/// Candidates that are filtered until somebody looks at the clock again.
const FILTERED_AT_A_TIME: u64 = 10_000;
/// Iterations between two second chances, as long as there is something else to try.
pub(super) const BETWEEN_SECONDS: u64 = 64;

pub(super) enum Choice {
    /// With whether it is its second chance with the solver.
    Try(Candidate, bool),
    /// There may be some, but it is time to look at the budget.
    Later,
    Nothing,
}

impl State<'_> {
    pub(super) fn choose(&mut self) -> Result<Choice, ExploreError> {
        let is_time = self.snapshot.iterations >= self.second_at;
        if let Some(candidate) = if is_time { self.second() } else { None } {
            self.second_at = self.snapshot.iterations + BETWEEN_SECONDS;
            return Ok(Choice::Try(candidate, true));
        }
        let enough = self.snapshot.filtered + FILTERED_AT_A_TIME;
        while let Some((candidate, is_last)) = self.propose() {
            if !self.passes(candidate) {
                if self.snapshot.filtered >= enough {
                    return Ok(Choice::Later);
                }
                continue;
            }
            if !is_last && self.can_wait(candidate) {
                self.aside.push_back(candidate);
                continue;
            }
            let step = self.tree.step(candidate.run, candidate.depth);
            if step.is_some_and(|step| self.trust.pass_over(step.site, candidate.outcome)) {
                self.snapshot.passed_over += 1;
                self.verdict(candidate, Verdict::Diverged)?;
                continue;
            }
            return Ok(Choice::Try(candidate, false));
        }
        Ok(self.second().map_or(Choice::Nothing, |candidate| Choice::Try(candidate, true)))
    }

    /// What the strategy wants, and if that is nothing, what was put aside, which is said.
    fn propose(&mut self) -> Option<(Candidate, bool)> {
        if let Some(candidate) = self.strategy.next(&self.tree, &self.covered) {
            self.tree.claim(candidate);
            return Some((candidate, false));
        }
        self.aside.pop_front().map(|candidate| (candidate, true))
    }

    /// The strategy thinks that it covers something. In front of what its run has just decided it does not.
    fn can_wait(&mut self, candidate: Candidate) -> bool {
        let Some(filter) = &mut self.filter else { return false };
        let Some(step) = self.tree.step(candidate.run, candidate.depth) else { return false };
        self.covered.relevance(step.site, candidate.outcome) == Relevance::Must
            && filter.relevance(&self.tree, &self.covered, candidate) != Relevance::Must
    }

    /// What was put off first, unless there is no use in it any more.
    fn second(&mut self) -> Option<Candidate> {
        while let Some(candidate) = self.postponed.pop_front() {
            if self.passes(candidate) {
                return Some(candidate);
            }
        }
        None
    }

    /// What the filter drops is not in the journal: who resumes may want it.
    fn passes(&mut self, candidate: Candidate) -> bool {
        let Some(filter) = &mut self.filter else { return true };
        let passes = filter.passes(&self.tree, &self.covered, candidate);
        if !passes {
            self.snapshot.filtered += 1;
            self.judge(candidate, Verdict::Filtered, 0);
        }
        passes
    }

    pub(super) fn judge(&mut self, candidate: Candidate, verdict: Verdict, gain: u32) {
        let step = self.tree.step(candidate.run, candidate.depth);
        let goal = step.and_then(|step| self.covered.goal(step.site, candidate.outcome));
        self.ledger.judged(goal, verdict);
        if let Some(step) = step
            && let Verdict::Run(_) = verdict
        {
            self.trust.followed(step.site, candidate.outcome);
        }
        self.tree.judge(candidate, verdict);
        self.strategy.judged(&self.tree, candidate, verdict, gain);
    }

    pub(super) fn verdict(&mut self, candidate: Candidate, verdict: Verdict) -> Result<(), ExploreError> {
        self.judge(candidate, verdict, 0);
        self.store.journal(&Line::judged(candidate, verdict))?;
        Ok(())
    }
}
