//! Before distance 1: the ways of decisions that no test takes.
//!
//! ZESTI goes back from sensitive operations one decision at a time, so what a suite leaves out comes up late if many
//! decisions lie between it and the next operation, as a file's header does. There are few such ways, compared with all
//! decisions of all tests, and behind each is code that nobody has run: each is taken once, before the distances.

use super::engine::Engine;
use super::{CheckError, Checked};
use crate::path::Path;
use crate::subject::Known;
use offshoot_run::Status;
use std::time::Instant;

/// A way that was opened may open others behind it, so many times.
const GENERATIONS: u32 = 2;
/// Operations behind the way are checked as far as so many decisions.
const BEHIND: usize = 32;
/// What is found on them is as close to the suite as anything outside it can be.
const DISTANCE: u32 = 1;

impl Engine<'_> {
    /// In half of the time that is left at most. Short paths first: a way that several seeds pass by is cheapest to take from
    /// there.
    pub fn untaken(&mut self, seeds: &mut [Checked]) -> Result<(), CheckError> {
        let end = self.options.time.map(|time| self.start + (time + self.start.elapsed()) / 2);
        let mut order: Vec<usize> = (0..seeds.len()).collect();
        order.sort_by_key(|&at| (seeds[at].is_flaky, seeds[at].decisions));
        for (done, at) in order.into_iter().enumerate() {
            let start = Instant::now();
            let left = seeds.len() - done;
            if self.over_budget() || end.is_some_and(|end| start >= end) {
                self.counts.untaken.seeds_left += left as u64;
                break;
            }
            let seed = &mut seeds[at];
            // What was run once can be turned to.
            if self.turn_to(&seed.path.input.command).is_err() || !self.recalled(seed)? {
                continue;
            }
            self.until = self.end_of(seed.spent, end, left);
            self.take(&mut seed.path, &seed.name, 0, GENERATIONS)?;
            seed.spent += start.elapsed();
            super::save_memory(seeds);
        }
        Ok(())
    }

    /// The ways beside the decisions of `path` from number `first` on.
    fn take(&mut self, path: &mut Path, seed: &str, first: usize, generations: u32) -> Result<(), CheckError> {
        for depth in first..path.steps.len() {
            let step = path.steps[depth];
            for outcome in 0..self.subject().sites.outcomes(step.site) {
                let way = (step.site, outcome);
                // Almost always: there may be millions of decisions.
                if self.subject().taken.contains(&way) {
                    continue;
                }
                if self.is_over() {
                    return Ok(());
                }
                if !self.subjects[self.at].in_vain.wants(way) {
                    continue;
                }
                self.counts.untaken.tried += 1;
                let Some(edits) = path.flip(depth, outcome, &mut self.asking())? else {
                    self.subjects[self.at].in_vain.gave_up(way);
                    continue;
                };
                let mut run = self.run(path.input.with(edits.iter().cloned()))?;
                if run.status == Status::Interrupted {
                    return Ok(());
                }
                self.counts.paths += 1;
                self.judge_run(&mut run, seed, DISTANCE)?;
                let prefix = path.flipped_prefix(depth, outcome);
                if run.steps.len() <= depth || run.prefix(depth + 1) != prefix {
                    self.counts.divergences += 1;
                    self.subjects[self.at].in_vain.gave_up(way);
                    continue;
                }
                self.counts.untaken.taken += 1;
                let end = depth + 1 + BEHIND;
                self.check_operations(&mut run, seed, DISTANCE, depth + 1..end)?;
                self.remember(prefix, Known { time_to_live: 0, checked: end + 1 });
                if generations > 1 {
                    self.take(&mut run, seed, depth + 1, generations - 1)?;
                }
            }
        }
        Ok(())
    }
}
