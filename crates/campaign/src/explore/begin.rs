//! Seeds, and what an earlier campaign left.

use super::endings::{in_words, was_cut};
use super::{ExploreError, Shared};
use crate::event::Event;
use crate::journal::{self, Line};
use crate::seed::Seed;
use crate::store::Campaign;
use crate::worker::{Cost, Ran, Worker};
use offshoot_search::Step;
use offshoot_suite::Input;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The share of the time that seeds may use: who gives thousands of them for a minute wants new tests, too.
const SEEDS: f64 = 0.5;
/// Seeds between two times that their names are written, which is all of them: a kill loses no more. Up to here, after each.
const OFTEN: usize = 64;

impl Shared<'_> {
    /// Seeds, and what the journal remembers.
    /// Runs of an earlier campaign are made again however long that takes, but none of them had more than `as_before`.
    pub(super) fn begin(
        &self,
        worker: &mut Worker,
        mut about: Campaign,
        as_before: Option<Duration>,
        journal: &[Line],
    ) -> Result<(), ExploreError> {
        let options = self.options;
        let goals = self.lock().covered.criterion().total();
        self.lock().emit(&Event::Started {
            program: options.name().display().to_string(),
            strategy: options.strategy.clone(),
            rng_seed: options.rng_seed,
            jobs: options.jobs,
            criterion: options.criterion.clone(),
            goals,
            seeds: options.seeds.len(),
        });
        let unmapped = self.sites.graph().unmapped_decisions();
        if unmapped > 0 && options.criterion != "branch" {
            let text = format!(
                "{unmapped} decisions have more ways through them than are told apart: their conditions count as decisions"
            );
            self.lock().emit(&Event::Warning { text });
        }
        {
            let mut state = self.lock();
            for stage in options.stages.iter().filter(|_| !options.resume) {
                state.store.event(&Event::Stage(stage.clone()))?;
            }
            state.snapshot.stages.clone_from(&options.stages);
        }
        if options.filter && self.sites.graph().starts_threads() {
            let text = "the program starts threads: the path filter lets everything pass as long as a branch is open";
            self.lock().emit(&Event::Warning { text: text.to_owned() });
        }
        let has_stages = !options.stages.is_empty();
        let is_staged = has_stages && !options.resume;
        let mut last_error = String::from("there is none");
        let known = about.seeds.len();
        self.leave_out(known, "they are no part of the campaign that goes on");
        let enough = options.time.filter(|_| !options.resume).map(|time| time.mul_f64(SEEDS));
        let left = || enough.map(|enough| enough.saturating_sub(self.start.elapsed()));
        for found in &options.found {
            self.lock().found(self, found)?;
        }
        for (number, Seed { name, input, flaky }) in options.seeds[..known].iter().enumerate() {
            if number > 0 && left() == Some(Duration::ZERO) {
                self.only_first(
                    number,
                    &mut about,
                    "those before them took half of the time, and new tests need some, too",
                )?;
                break;
            }
            worker.limit(as_before.or_else(left));
            let mut is_known = false;
            let mut cost = Cost::default();
            let twice = worker.run(input, self.sites, &mut cost).and_then(|first| {
                // Where the clock ends a run is chance, and a second one takes as long.
                let is_cut = was_cut(first.execution.status);
                let second = if is_cut { None } else { Some(worker.run(input, self.sites, &mut cost)?) };
                Ok((first, second))
            });
            match twice {
                Ok(runs) => {
                    is_known = self.seed(worker, name, input, runs, cost)?;
                    if !is_known && !options.settings.cancel.load(Ordering::Relaxed) {
                        last_error = format!("{name} did not come to its end; give it more than --time leaves it");
                        self.only_first(number, &mut about, "there was no time to run the first of them to its end")?;
                        break;
                    }
                }
                Err(error) => {
                    last_error = format!("{name}: {error}");
                    let text = format!("no seed: {last_error}");
                    self.lock().emit(&Event::Warning { text });
                    // The tests behind it keep their numbers.
                    if options.resume && !options.stages.is_empty() {
                        self.lock().unrun(input, flaky.clone())?;
                    }
                }
            }
            let is_cancelled = self.options.settings.cancel.load(Ordering::Relaxed);
            if is_staged && is_cancelled {
                // Nobody makes them again: who goes on runs them.
                for Seed { input, flaky, .. } in &options.seeds[number + usize::from(is_known)..known] {
                    self.lock().unrun(input, flaky.clone())?;
                }
            }
            if has_stages && is_cancelled || is_staged && (number < OFTEN || number.is_multiple_of(OFTEN)) {
                self.seeds_so_far(&mut about)?;
            }
            if is_cancelled {
                return Ok(());
            }
        }
        if self.lock().inputs.is_empty() {
            return Err(ExploreError::NoSeed(last_error));
        }
        if has_stages {
            self.seeds_so_far(&mut about)?;
        }
        {
            let mut state = self.lock();
            state.covered_by_seeds = state.covered.count();
        }
        journal::replay(journal, |line| self.again(worker, line))?;
        self.lock().replaying = false;
        Ok(())
    }

    /// Behind stages, who goes on takes its seeds from these tests, and they have brought the files that they read. Of an earlier
    /// campaign those that were not run again are still there.
    fn seeds_so_far(&self, about: &mut Campaign) -> Result<(), ExploreError> {
        let state = self.lock();
        let mut seeds: Vec<String> = state.ids.iter().map(ToString::to_string).collect();
        if self.options.resume {
            seeds.extend(about.seeds.drain(seeds.len().min(about.seeds.len())..));
        }
        about.seeds = seeds;
        Ok(state.store.about(about)?)
    }

    /// The campaign begins with so many seeds.
    fn only_first(&self, number: usize, about: &mut Campaign, why: &str) -> Result<(), ExploreError> {
        self.leave_out(number, why);
        about.seeds.truncate(number);
        self.lock().store.about(about)?;
        Ok(())
    }

    /// Those from here on.
    fn leave_out(&self, from: usize, why: &str) {
        let all = self.options.seeds.len();
        if from < all {
            let text = format!("{} of {all} seeds are left out: {why}", all - from);
            self.lock().emit(&Event::Warning { text });
        }
    }

    /// Whether it is one.
    pub(super) fn seed(
        &self,
        worker: &mut Worker,
        name: &str,
        input: &Input,
        (ran, second): (Ran, Option<Ran>),
        cost: Cost,
    ) -> Result<bool, ExploreError> {
        let mut state = self.lock();
        state.add_cost(cost);
        // A run that the clock ended may be shorter.
        let differs = |second: &Ran| {
            let shorter = ran.steps.len().min(second.steps.len());
            let at = first_difference(&ran.steps, &second.steps)?;
            (!was_cut(second.execution.status) || at < shorter).then_some(at)
        };
        if let Some(second) = second
            && let Some(at) = differs(&second)
        {
            let place = |step: Option<&Step>| match step.and_then(|step| self.sites.place(step.site)) {
                Some(place) => place.to_string(),
                None => "the end of the run".to_owned(),
            };
            let text = format!(
                "{name}: two runs of the same input differ, first at decision {at}: {} and {}; does the program look at \
                 the clock, its process id or random numbers?",
                place(ran.steps.get(at)),
                place(second.steps.get(at)),
            );
            state.emit(&Event::Warning { text });
        }
        let status = ran.execution.status;
        let symbolic_steps = ran.steps.iter().filter(|step| step.symbolic).count() as u32;
        let Some(gain) = state.record(self, worker, input.clone(), &[], ran, None)? else { return Ok(false) };
        let covered = state.covered.criterion().covered();
        state.emit(&Event::Seed { name: name.to_owned(), status: in_words(status), symbolic_steps, gain, covered });
        Ok(true)
    }

    /// One line of an earlier campaign.
    pub(super) fn again(&self, worker: &mut Worker, line: &Line) -> Result<(), ExploreError> {
        if let Some(bytes) = line.foreign_bytes() {
            return self.foreign_again(worker, bytes);
        }
        let candidate = line.candidate();
        let Some(parent) = self.lock().inputs.get(candidate.run.0 as usize).cloned() else { return Ok(()) };
        match line.verdict() {
            Some(verdict) => {
                let mut state = self.lock();
                state.judge(candidate, verdict, 0);
            }
            None => {
                let edits = line.edits();
                let input = parent.with(edits.iter().cloned());
                let mut cost = Cost::default();
                let ran = worker.run(&input, self.sites, &mut cost)?;
                let mut state = self.lock();
                state.add_cost(cost);
                state.record(self, worker, input, &edits, ran, Some(candidate))?;
            }
        }
        Ok(())
    }
}

fn first_difference(a: &[Step], b: &[Step]) -> Option<usize> {
    let shared = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    (shared < a.len().max(b.len())).then_some(shared)
}
