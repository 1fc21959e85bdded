//! CFG-directed search (FSE'14 section 2.3.4, SERE'14 section V; Burnim and Sen, ASE 2008): on the last run that covered
//! something, flip the decision whose other side is nearest to an uncovered goal; a decision that occurs often on the path
//! costs one more each time. A flip that covers nothing but brings us nearer is searched behind, a few runs long and with
//! the distance going down; one that covers something is the next run to start from.
//!
//! Differs: behind a flip CREST follows one shortest static path; we search all decisions behind it that are nearer.
//! When a search is used up CREST starts over from a random input and forgets its coverage; we go on with a random run
//! of the tree and forget nothing.

use super::directions::Compass;
use super::pool::Pool;
use crate::Tree;
use crate::hash::Map;
use crate::types::{Candidate, Knowledge, RunId, Strategy, Verdict};
use offshoot_base::Rng;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// CREST: `DoSearch(5, 30, …)`.
const LEVELS: usize = 5;
const TOP_RUNS: u32 = 30;
const INNER_RUNS: u32 = 5;
/// Of what leads to nothing: farther than anything, but not out of reach.
const FAR: u32 = 10_000;

#[derive(Debug)]
pub(crate) struct Cfg {
    rng: Rng,
    /// A search, and the searches behind its flips.
    searches: Vec<Search>,
    /// The candidate that was proposed last, and its score.
    asked: Option<(Candidate, u32)>,
    /// The run to start from next.
    start: Option<RunId>,
    pool: Pool,
}

#[derive(Debug)]
struct Search {
    run: RunId,
    /// Score, a random number, depth, outcome.
    queue: BinaryHeap<Reverse<(u32, u32, u32, u32)>>,
    runs_left: u32,
    /// Scores above it are of no use.
    limit: u32,
}

impl Cfg {
    pub(crate) fn new(rng: Rng) -> Cfg {
        Cfg { rng, searches: Vec::new(), asked: None, start: None, pool: Pool::default() }
    }

    fn search(&mut self, tree: &Tree, knowledge: &dyn Knowledge, run: RunId, from: u32, top: bool) -> Search {
        let mut candidates = Vec::new();
        let mut compass = Compass::at(tree, knowledge, run, from);
        for (depth, step) in (from..).zip(tree.steps_from(run, from)) {
            for outcome in (0..knowledge.outcomes(step.site)).filter(|&outcome| outcome != step.outcome) {
                let direction = compass.direction(step.site, outcome);
                let distance = direction.distance(knowledge).map_or(FAR, |distance| distance.min(FAR));
                candidates.push((depth, outcome, step.site, distance));
            }
            compass.pass(step);
        }
        // Which of a site's decisions is cheapest is left to chance.
        self.rng.shuffle(&mut candidates);
        let mut seen: Map<(u32, u32), u32> = Map::default();
        let mut scored = Vec::with_capacity(candidates.len());
        for (depth, outcome, site, distance) in candidates {
            let times = seen.entry((site.0, outcome)).or_default();
            scored.push(Reverse((distance + *times, scored.len() as u32, depth, outcome)));
            *times += 1;
        }
        let runs_left = if top { TOP_RUNS } else { INNER_RUNS };
        Search { run, queue: scored.into(), runs_left, limit: u32::MAX }
    }
}

impl Search {
    fn next(&mut self, tree: &Tree) -> Option<(Candidate, u32)> {
        while self.runs_left > 0 {
            let &Reverse((score, _, depth, outcome)) = self.queue.peek()?;
            let candidate = Candidate { run: self.run, depth, outcome };
            if score > self.limit {
                return None;
            }
            if tree.is_open(candidate) {
                return Some((candidate, score));
            }
            self.queue.pop();
        }
        None
    }
}

impl Strategy for Cfg {
    fn name(&self) -> String {
        "cfg".to_owned()
    }

    fn observe(&mut self, tree: &Tree, knowledge: &dyn Knowledge, run: RunId, from: Option<Candidate>) {
        self.pool.add(tree, run);
        let Some(from) = from else {
            // The first seed; later ones wait until this search is used up.
            self.start = self.start.or(Some(run));
            return;
        };
        // Something is left to come nearer to.
        let asked = self.asked.filter(|&(asked, score)| asked == from && (1..FAR).contains(&score));
        if let Some((_, score)) = asked.filter(|_| self.searches.len() < LEVELS) {
            let inner = self.search(tree, knowledge, run, from.depth + 1, false);
            self.searches.push(Search { limit: score - 1, ..inner });
        }
    }

    fn next(&mut self, tree: &Tree, knowledge: &dyn Knowledge) -> Option<Candidate> {
        loop {
            if let Some(search) = self.searches.last_mut() {
                self.asked = search.next(tree);
                match self.asked {
                    Some((candidate, _)) => return Some(candidate),
                    None => drop(self.searches.pop()),
                }
                continue;
            }
            let start = match self.start.take() {
                Some(run) => run,
                None => self.pool.pick(tree, knowledge, &mut self.rng)?.run,
            };
            let search = self.search(tree, knowledge, start, 0, true);
            self.searches.push(search);
        }
    }

    fn judged(&mut self, _: &Tree, candidate: Candidate, verdict: Verdict, gain: u32) {
        if self.asked.is_none_or(|(asked, _)| asked != candidate) {
            return;
        }
        self.asked = None;
        if let Verdict::Run(run) = verdict {
            // Whoever asked is the innermost search on the candidate's run; a new one may be on top of it.
            if let Some(search) = self.searches.iter_mut().rev().find(|search| search.run == candidate.run) {
                search.runs_left = search.runs_left.saturating_sub(1);
            }
            if gain > 0 {
                self.searches.clear();
                self.start = Some(run);
            }
        }
    }
}
