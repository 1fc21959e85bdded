//! Questions about any place of a path, not only about its decisions.

use super::Trail;
use crate::sites::Sites;
use offshoot_expr::{Import, Input, Pool, TermId, TraceView, ViewError};
use offshoot_solve::{Answer, Change, Limits, Solver};
use offshoot_suite::{Edit, Source};
use std::sync::Arc;

impl Trail {
    pub fn trace(&self) -> &[u8] {
        &self.trace
    }

    /// The bytes of the run, by the trace's own numbers of sources.
    pub fn input(&self) -> &Input {
        &self.hint
    }

    /// Terms of this trace, in the pool that questions are asked in.
    pub fn with_terms<R>(&mut self, make: impl FnOnce(&mut Import<'_>, &mut Pool) -> R) -> Result<R, ViewError> {
        let view = TraceView::new(&self.trace)?;
        let mut import = Import::resume(view, std::mem::take(&mut self.imported));
        let made = make(&mut import, &mut self.pool);
        self.imported = import.pause();
        Ok(made)
    }

    /// An input that goes the way of this run up to the event at `position` and makes `goal` (of width 1) hold there.
    pub fn solve_before(
        &mut self,
        position: usize,
        goal: TermId,
        sites: &Sites,
        solver: &mut Solver,
        limits: Limits,
    ) -> Result<Answer, ViewError> {
        self.advance(sites, |_, events| events >= position)?;
        let before = self.path.constraints.partition_point(|constraint| constraint.event < position);
        let state = std::mem::take(&mut self.state);
        let mut session = solver.resume(&mut self.pool, &self.hint, state);
        for constraint in &self.path.constraints[self.told.min(before)..before] {
            session.push(constraint.holds);
        }
        self.told = self.told.max(before);
        let answer = session.solve(before, goal, limits);
        self.state = session.pause();
        Ok(answer)
    }

    /// The solver's changes in the words of tests. `None`: a source that no test can name.
    pub fn edits(&self, changes: &[Change]) -> Option<Vec<Edit>> {
        let edit = |change: &Change| {
            let source = Source::parse(&self.source_name(change.source)?)?;
            Some(Edit { source: Arc::new(source), offset: change.offset, value: change.value })
        };
        changes.iter().map(edit).collect()
    }
}
