//! Z3: the layer for whatever the ones before leave over, floats above all, and the judge of their tests.
//!
//! A fresh solver a query by default: Z3 then preprocesses the whole problem, which beats its incremental solver on hard
//! ones. [`Z3::incremental`] keeps one solver for all problems over a pool.

mod floats;
mod terms;

use crate::answer::{Answer, Change, Why};
use crate::problem::{Layer, Problem};
use ::z3::ast::{BV, Bool};
use ::z3::{Model, Params, SatResult, Solver};
use offshoot_expr::{Input, Tape, TermId};
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};
use terms::{Needs, Terms};

/// In megabytes, for one query.
const MEMORY: u32 = 2048;

/// The attempt that keeps the bytes of the rest gets this part of the time.
const CLOSE_SHARE: u32 = 4;

pub struct Z3 {
    terms: Terms,
    path: Option<Path>,
    keeps_close: bool,
}

impl Default for Z3 {
    fn default() -> Z3 {
        Z3::new()
    }
}

/// The solver of the incremental mode: each condition is behind a literal of its own, which a query assumes.
#[derive(Default)]
struct Path {
    solver: Option<Solver>,
    floats: bool,
    guards: HashMap<TermId, Bool>,
    held: HashSet<TermId>,
}

type Byte = (u32, u32);

impl Path {
    /// The literals behind which `terms` are asserted. Sides are definitions and hold without condition.
    fn guard(&mut self, translated: &Terms, terms: &[TermId], needs: &Needs) -> Vec<Bool> {
        if needs.floats && !self.floats {
            *self = Path { floats: true, ..Path::default() };
        }
        let solver = self.solver.get_or_insert_with(|| new_solver(needs.floats));
        for &side in &needs.sides {
            if self.held.insert(side)
                && let Some(side) = translated.side(side)
            {
                solver.assert(side);
            }
        }
        let mut guard = |&term: &TermId| {
            let new = || {
                let guard = Bool::fresh_const("guard");
                solver.assert(guard.implies(translated.condition(term)));
                guard
            };
            self.guards.entry(term).or_insert_with(new).clone()
        };
        terms.iter().map(&mut guard).collect()
    }
}

impl Z3 {
    pub fn new() -> Z3 {
        Z3 { terms: Terms::default(), path: None, keeps_close: true }
    }

    /// One solver for all problems over a pool.
    pub fn incremental() -> Z3 {
        Z3 { path: Some(Path::default()), ..Z3::new() }
    }

    /// Take the first model, however far from the hint: for comparison.
    pub fn anywhere(self) -> Z3 {
        Z3 { keeps_close: false, ..self }
    }

    /// Asks for `terms` under `fixed`, which hold by the hint.
    fn check(&mut self, terms: &[TermId], needs: &Needs, fixed: &[Byte], hint: &Input, time: Duration) -> Verdict {
        let mut params = Params::new();
        params.set_u32("timeout", time.as_millis().clamp(1, u32::MAX as u128 - 1) as u32);
        params.set_u32("max_memory", MEMORY);
        let fixed = fixed.iter().map(|&(source, offset)| {
            self.terms.byte(source, offset).eq(BV::from_u64(hint.get(source, offset) as u64, 8))
        });
        let fixed: Vec<Bool> = fixed.collect();
        let Some(path) = &mut self.path else {
            let solver = new_solver(needs.floats);
            solver.set_params(&params);
            needs.sides.iter().filter_map(|&side| self.terms.side(side)).for_each(|side| solver.assert(side));
            fixed.iter().for_each(|byte| solver.assert(byte));
            terms.iter().for_each(|&term| solver.assert(self.terms.condition(term)));
            let result = solver.check();
            return verdict(&solver, result);
        };
        let guards = path.guard(&self.terms, terms, needs);
        let solver = path.solver.get_or_insert_with(|| new_solver(needs.floats));
        solver.set_params(&params);
        // What is fixed differs from query to query.
        solver.push();
        fixed.iter().for_each(|byte| solver.assert(byte));
        let result = solver.check_assumptions(&guards);
        let verdict = verdict(solver, result);
        solver.pop(1);
        verdict
    }

    /// The bytes of the model that are not the hint's. A byte that the model does not mention may keep its value.
    fn changes(&self, model: &Model, bytes: &[Byte], hint: &Input) -> Vec<Change> {
        let value = |source, offset| model.get_const_interp(self.terms.byte(source, offset))?.as_u64();
        let change = |&(source, offset): &Byte| {
            let value = value(source, offset)? as u8;
            (value != hint.get(source, offset)).then_some(Change { source, offset, value })
        };
        bytes.iter().filter_map(change).collect()
    }
}

/// Without a logic Z3 builds all its solvers before it knows which one it needs: 7 ms against 0.3.
fn new_solver(floats: bool) -> Solver {
    Solver::new_for_logic(if floats { "QF_BVFP" } else { "QF_BV" }).unwrap_or_default()
}

enum Verdict {
    Sat(Model),
    Unsat,
    Unknown(Why),
}

fn verdict(solver: &Solver, result: SatResult) -> Verdict {
    match result {
        SatResult::Unsat => Verdict::Unsat,
        SatResult::Sat => solver.get_model().map_or(Verdict::Unknown(Why::GaveUp), Verdict::Sat),
        SatResult::Unknown => Verdict::Unknown(why(solver)),
    }
}

fn why(solver: &Solver) -> Why {
    let reason = solver.get_reason_unknown().unwrap_or_default();
    let limits = ["timeout", "cancel", "memory", "resource", "interrupt"];
    if limits.iter().any(|limit| reason.contains(limit)) { Why::Limit } else { Why::GaveUp }
}

/// Of the bits of a NaN Z3 knows less than the processor, so a model is only a proposal.
fn holds(problem: &Problem<'_>, changes: &[Change]) -> bool {
    let mut input = problem.hint.clone();
    for change in changes {
        input.set(change.source, change.offset, change.value);
    }
    Tape::new(problem.pool, problem.terms).run(&input).all(|value| value == 1)
}

impl Layer for Z3 {
    fn name(&self) -> &'static str {
        "z3"
    }

    fn solve(&mut self, problem: &mut Problem<'_>) -> Answer {
        let start = Instant::now();
        let Some(goal) = problem.goal() else { return Answer::Sat(Vec::new()) };
        let Some(needs) = self.terms.translate(problem.pool, problem.terms) else {
            return Answer::Unknown(Why::NotMine);
        };
        let mut bytes: Vec<Byte> =
            problem.terms.iter().flat_map(|&term| problem.pool.support(term).bytes().collect::<Vec<_>>()).collect();
        bytes.sort_unstable();
        bytes.dedup();

        // All that the goal does not mention stays as it is; the conditions that mention nothing of the goal then hold.
        let of_goal = problem.pool.support(goal);
        let fixed: Vec<Byte> = bytes.iter().copied().filter(|&(s, o)| !of_goal.contains(s, o)).collect();
        if self.keeps_close && !fixed.is_empty() {
            let near: Vec<TermId> =
                problem.terms.iter().copied().filter(|&t| problem.pool.support(t).intersects(&of_goal)).collect();
            let time = problem.limits.time / CLOSE_SHARE;
            if let Verdict::Sat(model) = self.check(&near, &needs, &fixed, problem.hint, time) {
                let changes = self.changes(&model, &bytes, problem.hint);
                if holds(problem, &changes) {
                    return Answer::Sat(changes);
                }
            }
        }
        let Some(time) = problem.limits.time.checked_sub(start.elapsed()).filter(|left| !left.is_zero()) else {
            return Answer::Unknown(Why::Limit);
        };
        match self.check(problem.terms, &needs, &[], problem.hint, time) {
            Verdict::Unsat => Answer::Unsat,
            Verdict::Unknown(why) => Answer::Unknown(why),
            Verdict::Sat(model) => {
                let changes = self.changes(&model, &bytes, problem.hint);
                if holds(problem, &changes) { Answer::Sat(changes) } else { Answer::Unknown(Why::GaveUp) }
            }
        }
    }

    fn forget(&mut self) {
        self.terms = Terms::default();
        if let Some(path) = &mut self.path {
            *path = Path::default();
        }
    }
}
