//! Random path selection (ISSTA'14 section 4: RPS; KLEE, OSDI 2008, section 3.4): from the root down, at each decision a
//! random one of the ways that still lead to something open. An open candidate at the n-th fork has weight 2⁻ⁿ.
//!
//! As in KLEE, decisions with only one way left count for nothing: they are skipped, by pointers that get longer as the
//! tree fills up, so that a walk does not cost the length of the path.

use crate::Tree;
use crate::hash::Map;
use crate::types::{Candidate, Knowledge, RunId, Strategy};
use offshoot_base::Rng;

#[derive(Debug)]
pub(crate) struct RandomPath {
    rng: Rng,
    /// From a decision with nothing open and no run below it that leads to something open: where to look next on the
    /// same run.
    skip: Map<(RunId, u32), u32>,
}

/// A question on the way to an answer: is there something from here on?
struct Frame {
    run: RunId,
    depth: u32,
    /// Runs that leave here and have not been asked; `None`: the decision itself has not been looked at.
    below: Option<Vec<RunId>>,
}

/// Where a walk can go from a decision.
#[derive(Clone, Copy)]
enum Way {
    Open(Candidate),
    /// On along the run, to the next decision with something below it.
    On(u32),
    Into(RunId),
}

impl RandomPath {
    pub(crate) fn new(rng: Rng) -> RandomPath {
        RandomPath { rng, skip: Map::default() }
    }

    /// The first depth of `run` from `depth` on where there is something open, or a run that leads to it.
    fn live(&mut self, tree: &Tree, knowledge: &dyn Knowledge, run: RunId, depth: u32) -> Option<u32> {
        // A chain of runs each of which hangs on the last can be as long as the campaign: no recursion.
        let mut frames = vec![Frame { run, depth, below: None }];
        let mut answer = None;
        while let Some(frame) = frames.last_mut() {
            let Frame { run, depth, .. } = *frame;
            let below = match &mut frame.below {
                // A run below this decision leads to something open, so this decision does.
                Some(_) if answer.is_some() => {
                    answer = Some(depth);
                    frames.pop();
                    continue;
                }
                Some(below) => below,
                None => {
                    frame.depth = self.skipped(run, depth);
                    let open = tree.open_at(knowledge, run, frame.depth).next().is_some();
                    if open || frame.depth > tree.depth(run) {
                        answer = open.then_some(frame.depth);
                        frames.pop();
                        continue;
                    }
                    frame.below.insert(tree.children(run, frame.depth).collect())
                }
            };
            if let Some(child) = below.pop() {
                frames.push(Frame { run: child, depth: tree.bound(child), below: None });
                continue;
            }
            let depth = frame.depth;
            (frame.depth, frame.below) = (depth + 1, None);
            if self.is_settled(tree, knowledge, run, depth) {
                self.skip.insert((run, depth), depth + 1);
            }
        }
        answer
    }

    /// Nothing will ever be open here or below. Somebody may be at work on a claimed candidate, and bring a run.
    fn is_settled(&mut self, tree: &Tree, knowledge: &dyn Knowledge, run: RunId, depth: u32) -> bool {
        let outcomes = tree.step(run, depth).map_or(0, |step| knowledge.outcomes(step.site));
        (0..outcomes).all(|outcome| !tree.is_claimed(Candidate { run, depth, outcome }))
            && tree.children(run, depth).all(|child| self.is_dead(tree, child))
    }

    fn is_dead(&mut self, tree: &Tree, run: RunId) -> bool {
        self.skipped(run, tree.bound(run)) > tree.depth(run)
    }

    /// Follows the pointers, and shortens them.
    fn skipped(&mut self, run: RunId, depth: u32) -> u32 {
        let mut end = depth;
        while let Some(&next) = self.skip.get(&(run, end)) {
            end = next;
        }
        let mut at = depth;
        while at < end {
            at = self.skip.insert((run, at), end).unwrap_or(end);
        }
        end
    }
}

impl Strategy for RandomPath {
    fn name(&self) -> String {
        "random-path".to_owned()
    }

    fn observe(&mut self, _: &Tree, _: &dyn Knowledge, _: RunId, from: Option<Candidate>) {
        // A seed can hang anywhere, also where nothing was left. (A run made from a candidate hangs on that.)
        if from.is_none() {
            self.skip.clear();
        }
    }

    fn next(&mut self, tree: &Tree, knowledge: &dyn Knowledge) -> Option<Candidate> {
        if tree.runs() == 0 {
            return None;
        }
        let mut run = RunId(0);
        let mut depth = self.live(tree, knowledge, run, 0)?;
        loop {
            let mut ways: Vec<Way> = tree.open_at(knowledge, run, depth).map(Way::Open).collect();
            for child in tree.children(run, depth).collect::<Vec<_>>() {
                let live = self.live(tree, knowledge, child, tree.bound(child));
                ways.extend(live.map(|_| Way::Into(child)));
            }
            ways.extend(self.live(tree, knowledge, run, depth + 1).map(Way::On));
            let way = *ways.get(self.rng.index(ways.len()))?;
            match way {
                Way::Open(candidate) => return Some(candidate),
                Way::On(next) => depth = next,
                Way::Into(child) => {
                    run = child;
                    depth = self.live(tree, knowledge, run, tree.bound(run))?;
                }
            }
        }
    }
}
