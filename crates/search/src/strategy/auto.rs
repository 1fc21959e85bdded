//! `auto`: learns during the campaign which strategies pay on this program, and which seeds. Ours; the default.
//!
//! A portfolio of strategies that fail in different ways sees every run. Each is an arm of a bandit whose reward is what
//! its candidates covered, divided by what they cost. Rewards are discounted (Garivier and Moulines, ALT 2011): what pays
//! early does not pay later, when the easy goals are gone. The optimism of the choice is that of UCB1-tuned (Auer et al.
//! 2002), in the unit of the best arm: gains shrink over a campaign by orders of magnitude, so no fixed bonus fits.
//!
//! Seeds are a second bandit. Every run belongs to the family of the seed it comes from; a candidate of a family that pays
//! much less than the best is put aside, and comes back when its family is worth it or nothing else is left.

use crate::Tree;
use crate::hash::Set;
use crate::types::{Candidate, GoalId, Knowledge, RunId, Strategy, Verdict};
use offshoot_base::Rng;
use std::collections::VecDeque;

/// What is remembered of a reward one run later: about the last 200 runs count.
const DISCOUNT: f64 = 0.995;
/// How much less than its share a family may get before its candidates are put aside.
const POOR: f64 = 0.25;
/// Proposals that may be put aside for one decision.
const ASIDE: usize = 8;
/// What a query costs that gives no run, in runs.
const QUERY: f64 = 0.05;

pub(crate) struct Auto {
    arms: Vec<Box<dyn Strategy>>,
    strategies: Bandit,
    seeds: Bandit,
    /// By run.
    family: Vec<u32>,
    /// Candidates put aside, by family, with the arm that proposed them.
    aside: Vec<VecDeque<(Candidate, usize)>>,
    /// All of those.
    waiting: Set<Candidate>,
    asked: Vec<(Candidate, usize)>,
    rng: Rng,
}

impl Auto {
    pub(crate) fn new(arms: Vec<Box<dyn Strategy>>, rng: Rng) -> Auto {
        let strategies = Bandit { arms: vec![Arm::default(); arms.len()] };
        let seeds = Bandit { arms: Vec::new() };
        Auto {
            arms,
            strategies,
            seeds,
            family: Vec::new(),
            aside: Vec::new(),
            waiting: Set::default(),
            asked: Vec::new(),
            rng,
        }
    }

    fn family(&self, run: RunId) -> usize {
        self.family.get(run.0 as usize).map_or(0, |&family| family as usize)
    }

    /// The proposal of the arm with most hope, but rather of the next one than one of a poor family.
    fn propose(&mut self, tree: &Tree, knowledge: &dyn Knowledge) -> Option<(Candidate, usize)> {
        let mut aside = 0;
        let mut insisted = None;
        for arm in self.strategies.ranked(&mut self.rng) {
            while let Some(candidate) = self.arms[arm].next(tree, knowledge) {
                let family = self.family(candidate.run);
                if aside >= ASIDE || self.seeds.arms.len() < 2 || !self.seeds.is_poor(family) {
                    return Some((candidate, arm));
                }
                // An arm that neither draws nor moves on proposes the same one as long as it is open.
                if !self.waiting.insert(candidate) {
                    insisted = insisted.or(Some((candidate, arm)));
                    break;
                }
                self.aside[family].push_back((candidate, arm));
                aside += 1;
            }
        }
        insisted
    }

    /// The oldest candidate of this family that was put aside and is still open.
    fn take_back(&mut self, tree: &Tree, family: usize) -> Option<(Candidate, usize)> {
        while let Some((candidate, arm)) = self.aside[family].pop_front() {
            self.waiting.remove(&candidate);
            if tree.is_open(candidate) {
                return Some((candidate, arm));
            }
        }
        None
    }
}

impl Strategy for Auto {
    fn name(&self) -> String {
        "auto".to_owned()
    }

    fn observe(&mut self, tree: &Tree, knowledge: &dyn Knowledge, run: RunId, from: Option<Candidate>) {
        let family = match from {
            Some(candidate) => self.family(candidate.run),
            None => {
                self.seeds.arms.push(Arm::default());
                self.aside.push(VecDeque::new());
                self.seeds.arms.len() - 1
            }
        };
        self.family.resize(tree.runs() as usize, 0);
        self.family[run.0 as usize] = family as u32;
        self.arms.iter_mut().for_each(|arm| arm.observe(tree, knowledge, run, from));
    }

    fn next(&mut self, tree: &Tree, knowledge: &dyn Knowledge) -> Option<Candidate> {
        let rich = (0..self.aside.len()).find(|&family| !self.aside[family].is_empty() && !self.seeds.is_poor(family));
        let found = rich.and_then(|family| self.take_back(tree, family));
        let found = found.or_else(|| self.propose(tree, knowledge));
        let found = found.or_else(|| (0..self.aside.len()).find_map(|family| self.take_back(tree, family)));
        // Who proposed a candidate that nobody judged is forgotten in the end.
        self.asked.truncate(64);
        self.asked.splice(0..0, found);
        found.map(|(candidate, _)| candidate)
    }

    fn judged(&mut self, tree: &Tree, candidate: Candidate, verdict: Verdict, gain: u32) {
        self.arms.iter_mut().for_each(|arm| arm.judged(tree, candidate, verdict, gain));
        let cost = match verdict {
            Verdict::Run(_) | Verdict::Diverged => 1.0,
            Verdict::Unsat | Verdict::Unknown => QUERY,
            // Costs nothing, and says nothing of who proposed it.
            Verdict::Filtered => return self.asked.retain(|(asked, _)| *asked != candidate),
        };
        if let Some(position) = self.asked.iter().position(|(asked, _)| *asked == candidate) {
            let (_, arm) = self.asked.remove(position);
            self.strategies.pay(arm, gain.into(), cost);
        }
        if !self.seeds.arms.is_empty() {
            let family = self.family(candidate.run);
            self.seeds.pay(family, gain.into(), cost);
        }
    }

    fn fitness(&mut self, run: RunId, goals: &[(GoalId, f32)]) {
        self.arms.iter_mut().for_each(|arm| arm.fitness(run, goals));
    }
}

#[derive(Clone, Debug, Default)]
struct Arm {
    gain: f64,
    cost: f64,
}

#[derive(Debug)]
struct Bandit {
    arms: Vec<Arm>,
}

impl Bandit {
    fn pay(&mut self, paid: usize, gain: f64, cost: f64) {
        // Time is counted in runs: a thousand quick answers of the solver are no reason to forget what paid.
        let discount = DISCOUNT.powf(cost);
        for arm in &mut self.arms {
            arm.gain *= discount;
            arm.cost *= discount;
        }
        // One lucky run opens a whole part of a program, and says little about the next: large gains count less.
        self.arms[paid].gain += (1.0 + gain).ln();
        self.arms[paid].cost += cost;
    }

    fn total_cost(&self) -> f64 {
        self.arms.iter().map(|arm| arm.cost).sum()
    }

    /// What an arm may pay, if we are in luck.
    fn hope(&self, arm: &Arm) -> f64 {
        // As if each had paid the average once: an arm that was never asked is neither the best nor lost.
        let total = self.total_cost();
        let average = (self.arms.iter().map(|arm| arm.gain).sum::<f64>() + 1e-3) / (total + 1.0);
        let mean = (arm.gain + average) / (arm.cost + 1.0);
        mean + average.max(mean) * ((1.0 + total).ln() / (arm.cost + 1.0)).sqrt()
    }

    /// All arms, the one with most hope first; equals in random order.
    fn ranked(&self, rng: &mut Rng) -> Vec<usize> {
        let mut ranked: Vec<usize> = (0..self.arms.len()).collect();
        rng.shuffle(&mut ranked);
        ranked.sort_by(|&a, &b| self.hope(&self.arms[b]).total_cmp(&self.hope(&self.arms[a])));
        ranked
    }

    fn is_poor(&self, arm: usize) -> bool {
        let best = self.arms.iter().map(|arm| self.hope(arm)).fold(0.0, f64::max);
        self.hope(&self.arms[arm]) < POOR * best
    }
}

#[cfg(test)]
mod tests {
    use super::{Arm, Bandit};
    use offshoot_base::Rng;

    /// How often each arm is chosen if it pays 1 with these chances.
    fn play(bandit: &mut Bandit, rng: &mut Rng, chances: &[f64], decisions: u32) -> Vec<u32> {
        let mut chosen = vec![0; chances.len()];
        for _ in 0..decisions {
            let arm = bandit.ranked(rng)[0];
            chosen[arm] += 1;
            let gain = if rng.unit() < chances[arm] { 1.0 } else { 0.0 };
            bandit.pay(arm, gain, 1.0);
        }
        chosen
    }

    #[test]
    fn the_arm_that_pays_is_asked_and_a_change_is_noticed() {
        let mut rng = Rng::new(5);
        let mut bandit = Bandit { arms: vec![Arm::default(); 3] };
        let early = play(&mut bandit, &mut rng, &[0.5, 0.05, 0.05], 1_000);
        assert!(early[0] > 600 && early[1] > 20 && early[2] > 20, "{early:?}");
        let late = play(&mut bandit, &mut rng, &[0.02, 0.02, 0.3], 2_000);
        assert!(late[2] > 1_000, "{late:?}");
    }

    #[test]
    fn a_family_is_poor_only_after_it_was_tried() {
        let mut bandit = Bandit { arms: vec![Arm::default(); 3] };
        for _ in 0..100 {
            bandit.pay(0, 1.0, 1.0);
            bandit.pay(1, 0.0, 1.0);
        }
        assert_eq!([0, 1, 2].map(|arm| bandit.is_poor(arm)), [false, true, false]);
    }
}
