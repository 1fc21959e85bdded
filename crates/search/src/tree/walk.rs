//! Paths of a run, forwards and backwards.

use super::Tree;
use crate::types::{RunId, Step};

impl Tree {
    /// The symbolic steps of a run.
    pub fn steps(&self, run: RunId) -> impl Iterator<Item = Step> + '_ {
        self.steps_from(run, 0)
    }

    pub fn steps_from(&self, run: RunId, from: u32) -> impl Iterator<Item = Step> + '_ {
        // Ends of the stretches that each ancestor holds, the oldest last.
        let mut stretches = Vec::new();
        let mut end = self.depth(run);
        let mut holder = run.0;
        while from < end {
            stretches.push((holder, end));
            end = self.runs[holder as usize].fork;
            holder = self.runs[holder as usize].parent;
        }
        let mut depth = from;
        std::iter::from_fn(move || {
            while stretches.last().is_some_and(|&(_, end)| end <= depth) {
                stretches.pop();
            }
            let &(holder, _) = stretches.last()?;
            depth += 1;
            self.own_step(holder, depth - 1)
        })
    }

    /// All steps of a run that are stored, concrete ones too, from its symbolic step at `depth` back to the start.
    pub fn back(&self, run: RunId, depth: u32) -> impl Iterator<Item = Step> + '_ {
        let known = (run.0 as usize) < self.runs.len();
        let mut position = known.then(|| (self.holder(run.0, depth), depth));
        let letters = std::iter::from_fn(move || {
            let (holder, depth) = position?;
            let letter = self.own_letter(holder, depth)?;
            position = depth.checked_sub(1).map(|depth| (self.holder(holder, depth), depth));
            Some(letter)
        });
        letters
            .flat_map(|letter| std::iter::once(self.alphabet.step(letter)).chain(self.alphabet.concrete(letter).rev()))
    }
}
