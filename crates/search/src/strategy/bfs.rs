//! Breadth-first search (FSE'14 section 2.3.1): the shallowest open decision of the whole tree; at one depth, older
//! runs first.

use crate::Tree;
use crate::types::{Candidate, Knowledge, RunId, Strategy};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

#[derive(Debug, Default)]
pub(crate) struct Bfs {
    /// Each run with the depth up to which it has been looked at.
    queue: BinaryHeap<Reverse<(u32, RunId)>>,
}

impl Strategy for Bfs {
    fn name(&self) -> String {
        "bfs".to_owned()
    }

    fn observe(&mut self, tree: &Tree, _: &dyn Knowledge, run: RunId, _: Option<Candidate>) {
        self.queue.push(Reverse((tree.bound(run), run)));
    }

    fn next(&mut self, tree: &Tree, knowledge: &dyn Knowledge) -> Option<Candidate> {
        while let Some(mut entry) = self.queue.peek_mut() {
            let Reverse((depth, run)) = *entry;
            if depth >= tree.depth(run) {
                PeekMut::pop(entry);
                continue;
            }
            let candidate = tree.open_at(knowledge, run, depth).next();
            if candidate.is_some() {
                return candidate;
            }
            *entry = Reverse((depth + 1, run));
        }
        None
    }
}
