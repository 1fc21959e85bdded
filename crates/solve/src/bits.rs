//! Bit-blasting to a SAT solver that stays: integers of all widths and tables. Conditions are assumptions, so one
//! solver answers all queries along a path and keeps what it has learnt.

use crate::answer::{Answer, Change, Why};
use crate::blast::gates::{Gate, Lit};
use crate::blast::instance::{Hint, Instance, Verdict, Walk, split};
use crate::blast::terms::{GATES, Refusal, Words};
use crate::problem::{Layer, Problem};
use std::collections::BTreeMap;
use std::time::Instant;

/// An instance serves a query if it has no more gates than so many times those of the query, or is small anyway: every
/// model assigns all gates, also those that the query does not reach.
const PART: usize = 4;
const SMALL: usize = 1_000;

/// As slices along a path alternate, each has its own.
const INSTANCES: usize = 16;

/// Of all instances together, half a gigabyte or so; those that were not used for longest go first.
const CLAUSES: usize = 5_000_000;
/// Past this many queries an instance is given up: learnt clauses cost time and memory that is not counted.
const QUERIES: usize = 5_000;

/// How often bytes that are in the way are set free before all are.
const ROUNDS: usize = 6;
/// For each of these rounds.
const CLOSE_CONFLICTS: u32 = 2_000;

#[derive(Default)]
pub struct Bits {
    words: Words,
    /// The one that was used last is the last.
    instances: Vec<Instance>,
    hint: Hint,
    walk: Walk,
    conflicts: Option<u32>,
    statistics: Statistics,
}

/// What the layer has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub queries: u64,
    pub instances: u64,
    /// Of the cones of all queries.
    pub gates: u64,
}

impl Bits {
    pub fn new() -> Bits {
        Bits::default()
    }

    /// Gives up after so many conflicts: a limit that does not depend on the machine.
    pub fn with_conflicts(conflicts: u32) -> Bits {
        Bits { conflicts: Some(conflicts), ..Bits::default() }
    }

    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// The instance that has most of a cone and little else, or a new one.
    fn choose(&mut self, cone: &[u32]) -> Instance {
        let clauses = |instances: &[Instance]| instances.iter().map(Instance::clauses).sum::<usize>();
        while clauses(&self.instances) > CLAUSES {
            self.instances.remove(0);
        }
        let is_fit =
            |instance: &Instance| instance.gates() <= SMALL.max(PART * cone.len()) && instance.queries() <= QUERIES;
        let fit = self.instances.iter().enumerate().filter(|(_, instance)| is_fit(instance));
        let best = fit.map(|(at, instance)| (instance.overlap(cone), at)).max();
        if let Some((overlap, at)) = best
            && (overlap > 0 || self.instances[at].gates() <= SMALL)
        {
            return self.instances.remove(at);
        }
        if self.instances.len() >= INSTANCES {
            self.instances.remove(0);
        }
        self.statistics.instances += 1;
        Instance::default()
    }

    /// Asks with the bytes that the goal does not mention held at the hint, and frees those that turn out to be in the
    /// way. Most queries end in the first round, with everything decided by the assumptions.
    fn search(
        &self,
        instance: &mut Instance,
        conditions: &[Lit],
        cone: &[u32],
        free: &[u32],
        deadline: Instant,
    ) -> Verdict {
        let mut is_free = vec![false; self.words.bytes().len()];
        free.iter().filter_map(|&gate| self.input_byte(gate)).for_each(|byte| is_free[byte as usize] = true);
        for _ in 0..ROUNDS {
            let held = cone.iter().filter(|&&gate| self.input_byte(gate).is_some_and(|byte| !is_free[byte as usize]));
            let held = held.map(|&gate| Lit::of(gate as usize, !self.hint.value(gate as usize)));
            let assumptions: Vec<Lit> = conditions.iter().copied().chain(held).collect();
            let holds_any = assumptions.len() > conditions.len();
            let close = self.conflicts.map_or(CLOSE_CONFLICTS, |conflicts| conflicts.min(CLOSE_CONFLICTS));
            let conflicts = if holds_any { Some(close) } else { self.conflicts };
            match instance.solve(&assumptions, deadline, conflicts) {
                Verdict::Unsat if holds_any => {}
                Verdict::Limit if holds_any => break,
                verdict => return verdict,
            }
            let Some(blamed) = instance.blamed() else { break };
            let mut is_to_blame = false;
            for lit in blamed {
                if let Some(byte) = self.input_byte(lit.gate() as u32)
                    && !is_free[byte as usize]
                {
                    is_free[byte as usize] = true;
                    is_to_blame = true;
                }
            }
            if !is_to_blame {
                return Verdict::Unsat;
            }
        }
        instance.solve(conditions, deadline, self.conflicts)
    }

    fn input_byte(&self, gate: u32) -> Option<u32> {
        match self.words.gates.gate(gate as usize) {
            Gate::Input { byte, .. } => Some(byte),
            _ => None,
        }
    }

    fn changes(&self, instance: &Instance, cone: &[u32]) -> Vec<Change> {
        let mut changed: BTreeMap<(u32, u32), (u8, u8)> = BTreeMap::new();
        for &gate in cone {
            if let Gate::Input { byte, bit } = self.words.gates.gate(gate as usize)
                && let Some(value) = instance.value(gate as usize)
            {
                let old = self.hint.byte(byte);
                let (_, new) = changed.entry(self.words.byte(byte)).or_insert((old, old));
                *new = *new & !(1 << bit) | (value as u8) << bit;
            }
        }
        let differ = changed.into_iter().filter(|(_, (old, new))| old != new);
        differ.map(|((source, offset), (_, value))| Change { source, offset, value }).collect()
    }
}

impl Layer for Bits {
    fn name(&self) -> &'static str {
        "bits"
    }

    fn solve(&mut self, problem: &mut Problem<'_>) -> Answer {
        // The last layer shall have some time left.
        let deadline = Instant::now() + problem.limits.time * 3 / 4;
        if self.words.gates.end() > GATES / 2 {
            self.forget();
        }
        let mut conditions: Vec<Lit> = Vec::with_capacity(problem.terms.len());
        for &term in problem.terms {
            match self.words.word(problem.pool, term) {
                Ok(word) => conditions.extend(word),
                Err(Refusal::Float) => return Answer::Unknown(Why::NotMine),
                Err(Refusal::TooBig) => {
                    self.forget();
                    return Answer::Unknown(Why::Limit);
                }
            }
        }
        let goal: Vec<Lit> = conditions.last().copied().into_iter().collect();
        let Some(conditions) = split(&self.words.gates, &conditions) else { return Answer::Unsat };
        let changed = self.hint.update(&self.words, problem.hint);
        self.instances.iter_mut().for_each(|instance| instance.prefer_again(&changed));

        let of_goal = self.walk.cone(&self.words.gates, &goal);
        let cone = self.walk.cone(&self.words.gates, &conditions);
        self.statistics.queries += 1;
        self.statistics.gates += cone.len() as u64;
        let mut instance = self.choose(&cone);
        instance.add(&self.words.gates, &cone, &self.hint);
        let answer = match self.search(&mut instance, &conditions, &cone, &of_goal, deadline) {
            Verdict::Unsat => Answer::Unsat,
            Verdict::Limit => Answer::Unknown(Why::Limit),
            Verdict::Sat => Answer::Sat(self.changes(&instance, &cone)),
            // It is in no state to be asked again.
            Verdict::Failed => return Answer::Unknown(Why::GaveUp),
        };
        self.instances.push(instance);
        answer
    }

    fn forget(&mut self) {
        *self = Bits { conflicts: self.conflicts, statistics: self.statistics, ..Bits::default() };
    }
}
