//! Depth-first search (FSE'14 section 2.3.1, ISSTA'14 section 4; DART, CUTE).
//!
//! Flips the deepest decision of the youngest run. Of several seeds the first is exhausted first.

use crate::Tree;
use crate::types::{Candidate, Knowledge, RunId, Strategy};
use std::collections::VecDeque;

#[derive(Debug)]
pub(crate) struct Dfs {
    /// Decisions behind this depth are left alone.
    limit: u32,
    /// Runs, the youngest last, each with the depth in front of which it has not been looked at.
    stack: VecDeque<(RunId, u32)>,
}

impl Dfs {
    pub(crate) fn new(limit: u32) -> Dfs {
        Dfs { limit, stack: VecDeque::new() }
    }
}

impl Strategy for Dfs {
    fn name(&self) -> String {
        match self.limit {
            u32::MAX => "dfs".to_owned(),
            limit => format!("dfs:depth={limit}"),
        }
    }

    fn observe(&mut self, tree: &Tree, _: &dyn Knowledge, run: RunId, from: Option<Candidate>) {
        let entry = (run, tree.depth(run).min(self.limit));
        match from {
            Some(_) => self.stack.push_back(entry),
            None => self.stack.push_front(entry),
        }
    }

    fn next(&mut self, tree: &Tree, knowledge: &dyn Knowledge) -> Option<Candidate> {
        while let Some((run, end)) = self.stack.back_mut() {
            if *end <= tree.bound(*run) {
                self.stack.pop_back();
                continue;
            }
            if let Some(candidate) = tree.open_at(knowledge, *run, *end - 1).next() {
                return Some(candidate);
            }
            *end -= 1;
        }
        None
    }
}
