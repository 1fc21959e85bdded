//! Exact search over the values of a few bytes: domains of single bytes, narrowed by every condition that has one byte
//! left open. It ends with a solution, with the proof that there is none, or with its budget.

use crate::answer::{Answer, Change, Why};
use crate::domain::Domain;
use crate::problem::{Layer, Problem};
use crate::program::Program;
use offshoot_expr::TermId;

/// Larger problems are not tried.
const TERMS: usize = 400;
const BYTES: usize = 48;
const STEPS: usize = 6000;
/// Lanes computed for one problem: about 100 ns each.
const WORK: usize = 60_000;

#[derive(Default)]
pub struct Domains;

struct Condition {
    program: Program,
    cost: usize,
    /// For each variable of the program, the problem's.
    vars: Vec<usize>,
    /// The variables' values, in the program's order: room for a run.
    values: Vec<u8>,
}

struct Search {
    conditions: Vec<Condition>,
    /// Indices of the conditions over each byte.
    of: Vec<Vec<usize>>,
    hint: Vec<u8>,
    values: Vec<Option<u8>>,
    work: usize,
}

enum End {
    Found,
    Nothing,
    Budget,
}

impl Layer for Domains {
    fn name(&self) -> &'static str {
        "domains"
    }

    fn solve(&mut self, problem: &mut Problem<'_>) -> Answer {
        const NOT_MINE: Answer = Answer::Unknown(Why::NotMine);
        let Some(goal) = problem.goal() else { return NOT_MINE };
        if problem.terms.len() > TERMS {
            return NOT_MINE;
        }
        let mut keys: Vec<(u32, u32)> = Vec::new();
        for &term in problem.terms {
            let set = problem.pool.support_id(term);
            if problem.pool.support_set(set).len() > BYTES {
                return NOT_MINE;
            }
            keys.extend(problem.pool.support_set(set).bytes());
        }
        keys.sort_unstable();
        keys.dedup();
        if keys.len() > BYTES {
            return NOT_MINE;
        }
        let mut steps = 0;
        let mut domains = vec![Domain::FULL; keys.len()];
        let mut conditions = Vec::new();
        for &term in problem.terms {
            let mut program = Program::new(problem.pool, &[term]);
            steps += program.len();
            if steps > STEPS {
                return NOT_MINE;
            }
            let vars: Vec<usize> = program.vars().iter().map(|key| keys.partition_point(|k| k < key)).collect();
            if let [var] = vars[..] {
                domains[var] = domains[var].and(program.domain(&[0], 0));
                if domains[var].is_empty() {
                    return Answer::Unsat;
                }
            } else {
                let values = vec![0; vars.len()];
                conditions.push(Condition { cost: program.cost(), program, vars, values });
            }
        }
        let mut of = vec![Vec::new(); keys.len()];
        for (at, condition) in conditions.iter().enumerate() {
            condition.vars.iter().for_each(|&var| of[var].push(at));
        }
        let hint: Vec<u8> = keys.iter().map(|&(source, offset)| problem.hint.get(source, offset)).collect();
        let order = order(problem, goal, &keys, &domains);
        let mut search = Search { conditions, of, hint, values: vec![None; keys.len()], work: WORK };
        // A byte with one value left is no choice.
        for (var, domain) in domains.clone().into_iter().enumerate() {
            if domain.len() == 1
                && search.values[var].is_none()
                && let Some(value) = domain.values().next()
            {
                search.values[var] = Some(value);
                match search.narrow(var, &mut domains) {
                    End::Nothing => return Answer::Unsat,
                    End::Budget => return NOT_MINE,
                    End::Found => {}
                }
            }
        }
        match search.choose(&order, domains) {
            End::Budget => NOT_MINE,
            End::Nothing => Answer::Unsat,
            End::Found => {
                let changes = keys.iter().zip(&search.values).zip(&search.hint);
                let changes = changes.filter_map(|((&(source, offset), &value), &hint)| {
                    value.filter(|&value| value != hint).map(|value| Change { source, offset, value })
                });
                Answer::Sat(changes.collect())
            }
        }
    }
}

/// The goal's bytes first, small domains before large ones.
fn order(problem: &mut Problem<'_>, goal: TermId, keys: &[(u32, u32)], domains: &[Domain]) -> Vec<usize> {
    let support = problem.pool.support(goal);
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by_key(|&var| (!support.contains(keys[var].0, keys[var].1), domains[var].len()));
    order
}

impl Search {
    fn choose(&mut self, order: &[usize], domains: Vec<Domain>) -> End {
        let Some((&var, rest)) = order.split_first() else { return End::Found };
        if self.values[var].is_some() {
            return self.choose(rest, domains);
        }
        for value in domains[var].by_liking(self.hint[var]) {
            self.values[var] = Some(value);
            let mut narrowed = domains.clone();
            let end = match self.narrow(var, &mut narrowed) {
                End::Found => self.choose(rest, narrowed),
                end => end,
            };
            if !matches!(end, End::Nothing) {
                return end;
            }
        }
        self.values[var] = None;
        End::Nothing
    }

    /// `var` got its value: whoever is the last open byte of a condition loses values. `Found`: nobody lost all.
    fn narrow(&mut self, var: usize, domains: &mut [Domain]) -> End {
        for at in 0..self.of[var].len() {
            let condition = &mut self.conditions[self.of[var][at]];
            let mut open = None;
            let mut several = false;
            for (at, &other) in condition.vars.iter().enumerate() {
                match self.values[other] {
                    Some(value) => condition.values[at] = value,
                    None => several |= open.replace(at).is_some(),
                }
            }
            if several {
                continue;
            }
            let Some(work) = self.work.checked_sub(condition.cost) else { return End::Budget };
            self.work = work;
            match open {
                None => {
                    if !condition.program.run(&condition.values) {
                        return End::Nothing;
                    }
                }
                Some(at) => {
                    let other = condition.vars[at];
                    let left = domains[other].and(condition.program.domain(&condition.values, at));
                    domains[other] = left;
                    if left.is_empty() {
                        return End::Nothing;
                    }
                }
            }
        }
        End::Found
    }
}
