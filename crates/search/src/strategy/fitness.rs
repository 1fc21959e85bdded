//! Fitness-guided search (Xie et al., DSN 2009: Fitnex; SERE'14 section V): for one open goal at a time, flip decisions of
//! the runs that came nearest to it, and of those decisions the ones whose flips have brought runs nearer so far.
//!
//! What it is for: a goal whose own condition does not depend on the input, or whose flip is unsat, but whose operands
//! move with the number of times that some other branch is taken.
//!
//! Differs: Fitnex ranks all nodes of all paths by fitness and gain; we take the nearest run and the best of a sample of
//! its candidates, and put a run back a little each time it is asked, so that no run is asked for ever. Goals take turns.
//! Without any fitness, any open candidate.

use super::pool::{Pool, pick_in};
use crate::Tree;
use crate::hash::Map;
use crate::types::{Candidate, GoalId, Knowledge, RunId, Site, Strategy, Verdict};
use offshoot_base::Rng;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

/// Candidates looked at in the nearest run.
const SAMPLE: usize = 16;
/// What a try costs a run, in thousandths of a normalised distance.
const TRY: u32 = 20;
/// Runs that a goal keeps.
const RUNS: usize = 64;

#[derive(Debug)]
pub(crate) struct Fitness {
    rng: Rng,
    targets: BTreeMap<GoalId, Target>,
    /// Whose turn it is.
    turns: VecDeque<GoalId>,
    /// Sum and number of what flips of a site to an outcome brought, in thousandths.
    gains: Map<(Site, u32), (i64, u32)>,
    asked: Option<(Candidate, GoalId)>,
    pool: Pool,
}

#[derive(Debug, Default)]
struct Target {
    /// Runs by distance and what they were charged.
    queue: BinaryHeap<Reverse<(u32, RunId)>>,
    distances: Map<RunId, u32>,
}

impl Fitness {
    pub(crate) fn new(rng: Rng) -> Fitness {
        Fitness {
            rng,
            targets: BTreeMap::new(),
            turns: VecDeque::new(),
            gains: Map::default(),
            asked: None,
            pool: Pool::default(),
        }
    }

    /// The average gain of a candidate's site and outcome.
    fn gain(&self, tree: &Tree, candidate: Candidate) -> i64 {
        let site = tree.step(candidate.run, candidate.depth).map(|step| step.site);
        let gain = site.and_then(|site| self.gains.get(&(site, candidate.outcome)));
        gain.map_or(0, |&(sum, number)| sum / i64::from(number))
    }

    fn toward(&mut self, tree: &Tree, knowledge: &dyn Knowledge, goal: GoalId) -> Option<Candidate> {
        loop {
            let queue = &mut self.targets.get_mut(&goal)?.queue;
            let Reverse((charged, run)) = queue.pop()?;
            let sample: Vec<Candidate> =
                (0..SAMPLE).map_while(|_| pick_in(tree, knowledge, &mut self.rng, run, 0)).collect();
            // The first of equals: they come in random order.
            if let Some(best) = sample.into_iter().min_by_key(|&candidate| -self.gain(tree, candidate)) {
                self.targets.get_mut(&goal)?.queue.push(Reverse((charged + TRY, run)));
                return Some(best);
            }
        }
    }
}

impl Target {
    fn add(&mut self, run: RunId, distance: u32) {
        self.distances.insert(run, distance);
        self.queue.push(Reverse((distance, run)));
        if self.queue.len() > 2 * RUNS {
            // The nearest come first.
            let mut nearest = std::mem::take(&mut self.queue).into_sorted_vec();
            nearest.reverse();
            nearest.truncate(RUNS);
            self.distances = nearest
                .iter()
                .filter_map(|Reverse((_, run))| self.distances.get_key_value(run))
                .map(|(&run, &distance)| (run, distance))
                .collect();
            self.queue = nearest.into();
        }
    }
}

impl Strategy for Fitness {
    fn name(&self) -> String {
        "fitness".to_owned()
    }

    fn wants_fitness(&self) -> bool {
        true
    }

    fn fitness(&mut self, run: RunId, goals: &[(GoalId, f32)]) {
        for &(goal, distance) in goals {
            let distance = (distance.clamp(0.0, 1.0) * 1_000.0) as u32;
            self.targets.entry(goal).or_insert_with(|| {
                self.turns.push_back(goal);
                Target::default()
            });
            self.targets.entry(goal).or_default().add(run, distance);
        }
    }

    fn observe(&mut self, tree: &Tree, _: &dyn Knowledge, run: RunId, _: Option<Candidate>) {
        self.pool.add(tree, run);
    }

    fn next(&mut self, tree: &Tree, knowledge: &dyn Knowledge) -> Option<Candidate> {
        for _ in 0..self.turns.len() {
            let goal = self.turns.pop_front()?;
            let found = if knowledge.is_covered(goal) { None } else { self.toward(tree, knowledge, goal) };
            if let Some(candidate) = found {
                self.turns.push_back(goal);
                self.asked = Some((candidate, goal));
                return Some(candidate);
            }
            self.targets.remove(&goal);
        }
        self.asked = None;
        self.pool.pick(tree, knowledge, &mut self.rng)
    }

    fn judged(&mut self, tree: &Tree, candidate: Candidate, verdict: Verdict, _: u32) {
        let Some((_, goal)) = self.asked.take_if(|(asked, _)| *asked == candidate) else { return };
        let (Verdict::Run(run), Some(target)) = (verdict, self.targets.get(&goal)) else { return };
        let distances = target.distances.get(&candidate.run).zip(target.distances.get(&run));
        let (Some((&before, &after)), Some(step)) = (distances, tree.step(candidate.run, candidate.depth)) else {
            return;
        };
        let (sum, number) = self.gains.entry((step.site, candidate.outcome)).or_default();
        *sum += i64::from(before) - i64::from(after);
        *number += 1;
    }
}
