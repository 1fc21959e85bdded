//! Generational search (FSE'14 section 2.3.5; SAGE, NDSS 2008, section 2): all decisions of the run with the largest
//! coverage gain are flipped before the next run is chosen; a child offers only decisions behind its own flip.
//!
//! Differs: our coverage is of goals (outcomes of conditions), SAGE's of basic blocks. With equal gains older runs come
//! first, as in a queue; SAGE does not say.

use crate::Tree;
use crate::types::{Candidate, Knowledge, RunId, Strategy};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

#[derive(Debug, Default)]
pub(crate) struct Generational {
    /// Runs by gain.
    queue: BinaryHeap<(u32, Reverse<RunId>)>,
    /// The run that is being expanded, and its depth up to which it has been.
    current: Option<(RunId, u32)>,
    /// Goals covered when we last looked: what came since is the gain of the next run.
    covered: u32,
}

impl Strategy for Generational {
    fn name(&self) -> String {
        "generational".to_owned()
    }

    fn observe(&mut self, _: &Tree, knowledge: &dyn Knowledge, run: RunId, _: Option<Candidate>) {
        let gain = knowledge.covered().saturating_sub(self.covered);
        self.covered = knowledge.covered();
        self.queue.push((gain, Reverse(run)));
    }

    fn next(&mut self, tree: &Tree, knowledge: &dyn Knowledge) -> Option<Candidate> {
        // Runs that left their predicted path cover too, and are not observed.
        self.covered = knowledge.covered();
        loop {
            let (run, depth) = match self.current {
                Some(current) => current,
                None => {
                    let (_, Reverse(run)) = self.queue.pop()?;
                    (run, tree.bound(run))
                }
            };
            self.current = None;
            for depth in depth..tree.depth(run) {
                if let Some(candidate) = tree.open_at(knowledge, run, depth).next() {
                    self.current = Some((run, depth));
                    return Some(candidate);
                }
            }
        }
    }
}
