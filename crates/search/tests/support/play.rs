//! The campaign: asks a strategy, solves, runs, tells it; and checks it on the way.

use super::knowledge::Toy;
use super::program::{Input, Oracle, Program};
use offshoot_search::{Candidate, GoalId, Inserted, Knowledge, Options, RunId, Step, Strategy, Tree, Verdict};
use std::collections::{BTreeMap, HashSet, VecDeque};

pub struct Game<'a> {
    pub program: &'a Program,
    pub oracle: &'a Oracle,
    pub tree: Tree,
    pub toy: Toy,
    /// Candidates proposed, as the runs that own them call them.
    pub proposed: Vec<Candidate>,
    /// Goals covered after each query.
    pub curve: Vec<u32>,
}

impl<'a> Game<'a> {
    pub fn new(program: &'a Program, oracle: &'a Oracle) -> Game<'a> {
        let tree = Tree::new(Options::default().keep_concrete(true));
        Game { program, oracle, tree, toy: Toy::new(program), proposed: Vec::new(), curve: Vec::new() }
    }

    pub fn seed(&mut self, strategy: &mut dyn Strategy, input: &Input) {
        let steps = self.program.run(input);
        self.toy.cover(&steps);
        if let Inserted::New { run, .. } = self.tree.insert(&steps, None) {
            self.observe(strategy, run, input, None);
        }
    }

    /// One query. `false`: the strategy has nothing left.
    pub fn turn(&mut self, strategy: &mut dyn Strategy) -> bool {
        let candidate = self.ask(strategy);
        candidate.into_iter().for_each(|candidate| self.resolve(strategy, candidate));
        candidate.is_some()
    }

    /// To the end, with this many candidates claimed at a time; see [`Game::exhaust`].
    pub fn exhaust_together(&mut self, strategy: &mut dyn Strategy, width: usize) {
        let mut claimed = VecDeque::new();
        loop {
            let asked = if claimed.len() < width { self.ask(strategy) } else { None };
            match asked {
                Some(candidate) => {
                    self.tree.claim(candidate);
                    assert!(!self.tree.is_open(candidate));
                    claimed.push_back(candidate);
                }
                None => match claimed.pop_front() {
                    Some(candidate) => self.resolve(strategy, candidate),
                    None => break,
                },
            }
        }
        self.check(strategy);
    }

    fn ask(&mut self, strategy: &mut dyn Strategy) -> Option<Candidate> {
        let candidate = strategy.next(&self.tree, &self.toy)?;
        assert!(self.tree.is_open(candidate), "{}: {candidate:?} is closed", strategy.name());
        Some(candidate)
    }

    fn resolve(&mut self, strategy: &mut dyn Strategy, candidate: Candidate) {
        self.proposed.push(self.tree.canonical(candidate).expect("a candidate is in the tree"));
        let mut prefix: Vec<Step> = self.tree.steps(candidate.run).take(candidate.depth as usize + 1).collect();
        prefix.last_mut().expect("a step to flip").outcome = candidate.outcome;
        let (verdict, gain) = match self.oracle.solve(&prefix) {
            None => (Verdict::Unsat, 0),
            Some(input) => {
                let steps = self.program.run(input);
                let gain = self.toy.cover(&steps);
                match self.tree.insert(&steps, Some(candidate)) {
                    Inserted::New { run, .. } => {
                        self.observe(strategy, run, input, Some(candidate));
                        (Verdict::Run(run), gain)
                    }
                    other => panic!("{}: {candidate:?} gave {other:?}", strategy.name()),
                }
            }
        };
        self.tree.judge(candidate, verdict);
        strategy.judged(&self.tree, candidate, verdict, gain);
        self.curve.push(self.toy.covered());
    }

    /// To the end: every candidate once, every feasible path in the tree.
    pub fn exhaust(&mut self, strategy: &mut dyn Strategy) {
        while self.turn(strategy) {}
        self.check(strategy);
    }

    fn check(&self, strategy: &dyn Strategy) {
        let name = strategy.name();
        let distinct: HashSet<Candidate> = self.proposed.iter().copied().collect();
        assert_eq!(distinct.len(), self.proposed.len(), "{name} proposed a candidate twice");
        assert_eq!(self.tree.runs() as usize, self.oracle.paths, "{name} left feasible paths");
        for run in (0..self.tree.runs()).map(RunId) {
            assert_eq!(self.tree.open(&self.toy, run, 0).next(), None, "{name} left an open candidate");
        }
    }

    /// Queries until this many goals are covered.
    pub fn queries_to(&self, goals: u32) -> usize {
        self.curve.iter().take_while(|&&covered| covered < goals).count() + 1
    }

    fn observe(&mut self, strategy: &mut dyn Strategy, run: RunId, input: &Input, from: Option<Candidate>) {
        let mut near: BTreeMap<GoalId, f32> = BTreeMap::new();
        for (step, far) in self.program.trace(input) {
            for outcome in (0..self.toy.outcomes(step.site)).filter(|&outcome| outcome != step.outcome) {
                if let Some(goal) = self.toy.goal(step.site, outcome).filter(|&goal| !self.toy.is_covered(goal)) {
                    near.entry(goal).and_modify(|known| *known = known.min(far)).or_insert(far);
                }
            }
        }
        strategy.fitness(run, &near.into_iter().collect::<Vec<_>>());
        strategy.observe(&self.tree, &self.toy, run, from);
    }
}
