//! Other fuzzers beside us: their inputs come in, our tests go out.

use super::{ExploreError, Shared, State};
use crate::event::Event;
use crate::journal::Line;
use crate::target::TargetError;
use crate::worker::{Cost, Worker};
use offshoot_expr::TraceView;
use offshoot_run::Status;
use offshoot_suite::{Bytes, Input};
use std::sync::Arc;

/// Inputs of others between two candidates of our own.
const AT_A_TIME: usize = 8;

impl Shared<'_> {
    /// Runs what other fuzzers have found, and keeps what covers something new.
    pub(super) fn take_in(&self, worker: &mut Worker) -> Result<(), ExploreError> {
        for _ in 0..AT_A_TIME {
            let mut state = self.lock();
            let taken = state.sync.as_mut().and_then(|sync| sync.take());
            let warnings = state.sync.as_mut().map(|sync| sync.warnings()).unwrap_or_default();
            warnings.into_iter().for_each(|text| state.emit(&Event::Warning { text }));
            drop(state);
            let Some((name, bytes)) = taken else { break };
            if self.foreign(worker, &name, &bytes)?
                && let Some(sync) = &mut self.lock().sync
            {
                sync.counts.taken += 1;
            }
        }
        Ok(())
    }

    /// Whether it was kept.
    fn foreign(&self, worker: &mut Worker, name: &str, bytes: &Bytes) -> Result<bool, ExploreError> {
        let Some(command) = self.lock().sync.as_ref().map(|sync| Arc::clone(&sync.command)) else { return Ok(false) };
        let input = Input::of(command, bytes.clone());
        let mut cost = Cost::default();
        let ran = worker.run(&input, self.sites, &mut cost)?;
        let mut state = self.lock();
        state.add_cost(cost);
        let view = TraceView::new(&ran.execution.trace).map_err(TargetError::from)?;
        if ran.execution.status == Status::Interrupted || !state.covered.would_gain(&view) {
            return Ok(false);
        }
        let status = super::in_words(ran.execution.status);
        let symbolic_steps = ran.steps.iter().filter(|step| step.symbolic).count() as u32;
        let Some(gain) = state.record(self, worker, input, &[], ran, None)? else { return Ok(false) };
        state.store.journal(&Line::foreign(bytes))?;
        let covered = state.covered.criterion().covered();
        state.emit(&Event::Seed { name: name.to_owned(), status, symbolic_steps, gain, covered });
        Ok(true)
    }

    /// One of an earlier campaign.
    pub(super) fn foreign_again(&self, worker: &mut Worker, bytes: Bytes) -> Result<(), ExploreError> {
        // Whoever shared inputs had one command.
        let Some(command) = self.options.seeds.first().map(|seed| Arc::clone(&seed.input.command)) else {
            return Ok(());
        };
        let input = Input::of(command, bytes);
        let mut cost = Cost::default();
        let ran = worker.run(&input, self.sites, &mut cost)?;
        let mut state = self.lock();
        state.add_cost(cost);
        state.record(self, worker, input, &[], ran, None)?;
        Ok(())
    }
}

impl State<'_> {
    /// A new test for the others. If they cannot have it any more, the campaign goes on without them.
    pub(super) fn hand_out(&mut self, shared: &Shared<'_>, test: u32, input: &Input, parent: Option<u32>) {
        let Some(sync) = self.sync.as_mut().filter(|_| !self.replaying) else { return };
        if let Err(error) = sync.give(test, &input.bytes(), parent, shared.start.elapsed()) {
            self.snapshot.sync = Some(sync.counts);
            self.sync = None;
            self.emit(&Event::Warning { text: format!("no longer shared with other fuzzers: {error}") });
        }
    }
}
