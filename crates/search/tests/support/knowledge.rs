//! What is known of a toy program: goals are all outcomes of its sites, but for those that play the C library.

use super::program::{Node, Program};
use offshoot_search::{GoalId, Knowledge, Relevance, Site, Step};
use std::cell::RefCell;
use std::collections::VecDeque;

pub struct Toy {
    outcomes: Vec<u32>,
    /// First goal of each site.
    first: Vec<u32>,
    /// Goals that can be the next ones behind a goal.
    next: Vec<Vec<usize>>,
    /// `dominates[a][b]`
    dominates: Vec<Vec<bool>>,
    /// What is no goal counts as covered from the start.
    covered: Vec<bool>,
    count: u32,
    library: fn(Site) -> bool,
    distances: RefCell<Option<Vec<Option<u32>>>>,
}

impl Toy {
    pub fn new(program: &Program) -> Toy {
        let mut first = Vec::new();
        let mut goals = 0;
        for &outcomes in &program.outcomes {
            first.push(goals);
            goals += outcomes;
        }
        let mut next = vec![Vec::new(); goals as usize];
        for node in &program.nodes {
            if let Node::Decide { site, to, .. } = node {
                for (outcome, &target) in to.iter().enumerate() {
                    let goal = first[*site as usize] as usize + outcome;
                    next[goal].extend(behind(program, &first, target));
                }
            }
        }
        let entry = behind(program, &first, program.entry);
        let all = reached(&next, &entry, None);
        let dominates = (0..goals as usize)
            .map(|a| {
                let without = reached(&next, &entry, Some(a));
                (0..goals as usize).map(|b| all[b] && !without[b]).collect()
            })
            .collect();
        let library = program.library;
        let sites = (0..).zip(&program.outcomes);
        let covered = sites.flat_map(|(site, &outcomes)| (0..outcomes).map(move |_| library(Site(site)))).collect();
        let outcomes = program.outcomes.clone();
        Toy { outcomes, first, next, dominates, covered, count: 0, library, distances: None.into() }
    }

    /// Returns the number of goals that were new.
    pub fn cover(&mut self, steps: &[Step]) -> u32 {
        let before = self.count;
        for step in steps {
            let goal = (self.first[step.site.0 as usize] + step.outcome) as usize;
            if !std::mem::replace(&mut self.covered[goal], true) {
                self.count += 1;
                self.distances.replace(None);
            }
        }
        self.count - before
    }

    fn compute_distances(&self) -> Vec<Option<u32>> {
        let mut before = vec![Vec::new(); self.next.len()];
        for (goal, next) in self.next.iter().enumerate() {
            next.iter().for_each(|&next| before[next].push(goal));
        }
        let mut distances = vec![None; self.next.len()];
        let mut queue: VecDeque<usize> = (0..self.next.len()).filter(|&goal| !self.covered[goal]).collect();
        queue.iter().for_each(|&goal| distances[goal] = Some(0));
        while let Some(goal) = queue.pop_front() {
            for &before in &before[goal] {
                if distances[before].is_none() {
                    distances[before] = distances[goal].map(|distance| distance + 1);
                    queue.push_back(before);
                }
            }
        }
        distances
    }
}

/// Goals of the first decision at or behind a node.
fn behind(program: &Program, first: &[u32], mut at: usize) -> Vec<usize> {
    loop {
        match &program.nodes[at] {
            Node::End => return Vec::new(),
            Node::Add { to, .. } => at = *to,
            Node::Decide { site, to, .. } => {
                return (0..to.len()).map(|outcome| first[*site as usize] as usize + outcome).collect();
            }
        }
    }
}

fn reached(next: &[Vec<usize>], entry: &[usize], without: Option<usize>) -> Vec<bool> {
    let mut seen = vec![false; next.len()];
    let mut stack = entry.to_vec();
    while let Some(goal) = stack.pop() {
        if Some(goal) != without && !std::mem::replace(&mut seen[goal], true) {
            stack.extend(&next[goal]);
        }
    }
    seen
}

impl Knowledge for Toy {
    fn outcomes(&self, site: Site) -> u32 {
        self.outcomes[site.0 as usize]
    }

    fn goal(&self, site: Site, outcome: u32) -> Option<GoalId> {
        (!(self.library)(site)).then(|| GoalId(self.first[site.0 as usize] + outcome))
    }

    fn goals(&self) -> u32 {
        self.covered.len() as u32
    }

    fn is_covered(&self, goal: GoalId) -> bool {
        self.covered[goal.0 as usize]
    }

    fn covered(&self) -> u32 {
        self.count
    }

    fn distance(&self, goal: GoalId) -> Option<u32> {
        self.distances.borrow_mut().get_or_insert_with(|| self.compute_distances())[goal.0 as usize]
    }

    fn dominates(&self, a: GoalId, b: GoalId) -> bool {
        self.dominates[a.0 as usize][b.0 as usize]
    }

    fn potential(&self, goal: GoalId, levels: u32) -> u32 {
        let mut below = vec![goal.0 as usize];
        for _ in 0..levels {
            below.extend(below.iter().flat_map(|&goal| &self.next[goal]).copied().collect::<Vec<_>>());
            below.sort_unstable();
            below.dedup();
        }
        below.into_iter().filter(|&goal| !self.covered[goal]).count() as u32
    }

    fn relevance(&self, site: Site, outcome: u32) -> Relevance {
        let goal = GoalId(self.first[site.0 as usize] + outcome);
        match self.distance(goal) {
            _ if !self.is_covered(goal) => Relevance::Must,
            Some(_) => Relevance::May,
            None => Relevance::Irrelevant,
        }
    }

    fn weight(&self, goal: GoalId) -> u32 {
        let dominated = self.dominates[goal.0 as usize].iter().enumerate();
        dominated.filter(|&(b, &dominated)| dominated && b as u32 != goal.0 && !self.covered[b]).count() as u32
    }
}
