//! Making room: the tails of old runs go first.
//!
//! Only steps that no younger run shares are forgotten, so that every run in the tree is complete from the root to its
//! depth. The inputs are not in the tree; who wants the candidates back runs the input again (see [`Tree::remember`]).

use super::Tree;
use super::alphabet::Text;
use crate::types::{RunId, Step};

impl Tree {
    /// Cuts tails, the longest and oldest first, until an eighth of the budget is free; never those of run `keep`.
    pub(super) fn forget(&mut self, keep: u32) {
        let goal = self.options.budget / 8 * 7;
        let mut limit = self.runs.iter().map(|run| run.text.len()).max().unwrap_or(0);
        while limit > 0 && self.memory() > goal {
            limit /= 2;
            for run in 0..self.runs.len() as u32 {
                if run != keep && self.memory() > goal {
                    self.cut(run, limit);
                }
            }
        }
    }

    /// Takes up again the steps of a run that were forgotten. `false`: nothing was missing, or `steps` is another path.
    /// Strategies look at a run once: let them observe it again.
    pub fn remember(&mut self, run: RunId, steps: &[Step]) -> bool {
        let depth = self.depth(run);
        let mut symbolic = steps.iter().filter(|step| step.symbolic);
        let same = (run.0 as usize) < self.runs.len() && self.steps(run).all(|step| symbolic.next() == Some(&step));
        let missing = if same { self.letters(steps, depth) } else { Vec::new() };
        if missing.is_empty() {
            return false;
        }
        let this = &mut self.runs[run.0 as usize];
        let letters: Vec<u32> = (0..this.text.len()).map_while(|index| this.text.get(index)).chain(missing).collect();
        self.statistics.steps += (letters.len() - this.text.len()) as u64;
        self.text_bytes -= this.text.memory();
        this.text = Text::new(&letters);
        self.text_bytes += this.text.memory();
        if self.memory() > self.options.budget {
            self.forget(run.0);
        }
        true
    }

    fn cut(&mut self, run: u32, limit: usize) {
        let this = &mut self.runs[run as usize];
        // The first own step says which outcome the run stands for.
        let least = ((this.needed - this.fork) as usize).max(1);
        let length = limit.max(least);
        let forgotten = this.text.len().saturating_sub(length);
        if forgotten == 0 {
            return;
        }
        self.text_bytes -= this.text.memory();
        this.text.truncate(length);
        self.text_bytes += this.text.memory();
        self.statistics.steps -= forgotten as u64;
        self.statistics.forgotten_steps += forgotten as u64;
    }
}
