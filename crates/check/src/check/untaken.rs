//! Before distance 1: the ways of decisions that no test takes, and then each way once for every turn.
//!
//! ZESTI goes back from sensitive operations one decision at a time, so what a suite leaves out comes up late if many
//! decisions lie between it and the next operation, as a file's header does. There are few such ways, compared with all
//! decisions of all tests, and behind each is code that nobody has run: each is taken once, before the distances.
//!
//! A turn is a decision with the one before it and the one that came next: a loop that goes on where it ended, at each place
//! that it leads to. There are more of them than ways, and by far fewer than decisions.

use super::engine::Engine;
use super::{CheckError, Checked};
use crate::path::{Path, others};
use crate::stats::Untaken;
use crate::subject::{Known, Subject};
use offshoot_run::Status;
use offshoot_search::Site;
use std::time::Instant;

/// A way that was opened may open others behind it, so many times.
const GENERATIONS: u32 = 2;
/// Operations behind the way are checked as far as so many decisions.
const BEHIND: usize = 32;
/// What is found on them is as close to the suite as anything outside it can be.
const DISTANCE: u32 = 1;
/// A turn is taken beside so many tests: what follows it is not the same everywhere.
const TESTS: u32 = 4;

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    Ways,
    Turns,
}

impl Engine<'_> {
    /// In half of the time that is left at most. Short paths first: a way that several seeds pass by is cheapest to take from
    /// there.
    pub fn beside(&mut self, seeds: &mut [Checked], what: Beside) -> Result<(), CheckError> {
        let end = self.options.time.map(|time| self.start + (time + self.start.elapsed()) / 2);
        let mut order: Vec<usize> = (0..seeds.len()).collect();
        order.sort_by_key(|&at| (seeds[at].is_flaky, seeds[at].decisions));
        self.count(what).seeds_left = 0;
        for (done, at) in order.into_iter().enumerate() {
            let start = Instant::now();
            let left = seeds.len() - done;
            if self.over_budget() || end.is_some_and(|end| start >= end) {
                self.count(what).seeds_left = left as u64;
                break;
            }
            let seed = &mut seeds[at];
            // What was run once can be turned to.
            if self.turn_to(&seed.path.input.command).is_err() || !self.recalled(seed)? {
                continue;
            }
            self.until = self.end_of(seed.spent, end, left);
            self.take(&mut seed.path, &seed.name, 0, GENERATIONS, what)?;
            seed.spent += start.elapsed();
            super::save_memory(seeds);
        }
        Ok(())
    }

    fn count(&mut self, what: Beside) -> &mut Untaken {
        match what {
            Beside::Ways => &mut self.counts.untaken,
            Beside::Turns => &mut self.counts.turns,
        }
    }

    /// The ways beside the decisions of `path` from number `first` on.
    fn take(
        &mut self,
        path: &mut Path,
        seed: &str,
        first: usize,
        generations: u32,
        what: Beside,
    ) -> Result<(), CheckError> {
        for depth in first..path.steps.len() {
            let step = path.steps[depth];
            for outcome in others(step, &self.subject().sites).collect::<Vec<_>>() {
                let goal = match what {
                    Beside::Ways => Goal::Way(step.site, outcome),
                    Beside::Turns => Goal::Turn(path.turn(depth, outcome)),
                };
                // Almost always: there may be millions of decisions.
                if goal.is_reached(self.subject(), self.around) {
                    continue;
                }
                if self.is_over() {
                    return Ok(());
                }
                if !goal.is_wanted(&mut self.subjects[self.at]) {
                    continue;
                }
                self.count(what).tried += 1;
                let edits = path.flip(depth, outcome, &mut self.asking())?;
                let Some(edits) = edits.filter(|edits| !self.strays(edits)) else {
                    goal.gave_up(&mut self.subjects[self.at]);
                    continue;
                };
                let mut run = self.run(path.input.with(edits.iter().cloned()))?;
                if run.status == Status::Interrupted {
                    return Ok(());
                }
                self.counts.paths += 1;
                self.judge_run(&mut run, seed, DISTANCE)?;
                let prefix = path.flipped_prefix(depth, outcome);
                let is_there = run.steps.len() > depth && run.prefix(depth + 1) == prefix;
                self.went(&edits, is_there);
                if !is_there {
                    self.counts.divergences += 1;
                    goal.gave_up(&mut self.subjects[self.at]);
                    continue;
                }
                goal.reached(&mut self.subjects[self.at], self.around);
                self.count(what).taken += 1;
                let end = depth + 1 + BEHIND;
                self.check_operations(&mut run, seed, DISTANCE, depth + 1..end)?;
                self.remember(prefix, Known { time_to_live: 0, checked: end + 1 });
                if generations > 1 && what == Beside::Ways {
                    self.take(&mut run, seed, depth + 1, generations - 1, what)?;
                }
            }
        }
        Ok(())
    }
}

/// One thing to be done beside a path.
#[derive(Clone, Copy)]
enum Goal {
    Way(Site, u32),
    Turn(u64),
}

impl Goal {
    fn is_reached(self, subject: &Subject, around: usize) -> bool {
        match self {
            Goal::Way(site, outcome) => subject.taken.contains(&(site, outcome)),
            Goal::Turn(turn) => subject.turns.get(&turn).is_some_and(|&(times, last)| times >= TESTS || last == around),
        }
    }

    fn is_wanted(self, subject: &mut Subject) -> bool {
        match self {
            Goal::Way(site, outcome) => subject.in_vain.wants((site, outcome)),
            Goal::Turn(turn) => subject.turns_in_vain.wants(turn),
        }
    }

    fn gave_up(self, subject: &mut Subject) {
        match self {
            Goal::Way(site, outcome) => subject.in_vain.gave_up((site, outcome)),
            Goal::Turn(turn) => subject.turns_in_vain.gave_up(turn),
        }
    }

    fn reached(self, subject: &mut Subject, around: usize) {
        // A run notes the ways that it takes.
        if let Goal::Turn(turn) = self {
            let (times, last) = subject.turns.entry(turn).or_default();
            (*times, *last) = (*times + 1, around);
        }
    }
}
