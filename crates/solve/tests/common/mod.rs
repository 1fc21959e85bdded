//! Random problems, and who knows the answers: the evaluator for `Sat`, Z3 and plain enumeration for `Unsat`.
#![allow(dead_code)]

#[path = "../../../expr/tests/common/mod.rs"]
pub mod terms;

use offshoot_expr::smt::{Assertion, script};
use offshoot_expr::{Input, Pool, Tape, TermId};
use offshoot_solve::Change;
use terms::{Menu, Step, cook, transfer};

/// Conditions that hold for the input, in the order of the recipe, each with its negation as a goal.
pub struct Random {
    pub pool: Pool,
    pub holds: Vec<TermId>,
    pub input: Input,
}

pub fn random(recipe: &[Step], menu: Menu, input: Input) -> Random {
    let raw = cook(recipe, menu);
    let mut pool = Pool::new();
    let map = transfer(&raw.pool, &raw.terms, &mut pool);
    let mut holds = Vec::new();
    for id in &raw.terms {
        let term = map[id];
        let value = pool.eval(term, &input);
        // A wider term makes a condition by the bound that it just keeps.
        let condition = match pool.width(term) {
            1 => pool.eq_const(term, value),
            _ if value.is_multiple_of(3) => pool.eq_const(term, value),
            width => {
                let bound = pool.constant(value, width);
                pool.binary(offshoot_trace::Op::Ule, term, bound)
            }
        };
        if pool.value(condition).is_none() {
            holds.push(condition);
        }
    }
    Random { pool, holds, input }
}

pub fn changed(hint: &Input, changes: &[Change]) -> Input {
    let mut input = hint.clone();
    changes.iter().for_each(|c| input.set(c.source, c.offset, c.value));
    input
}

pub fn satisfies(pool: &Pool, terms: &[TermId], input: &Input) -> bool {
    Tape::new(pool, terms).run(input).all(|value| value == 1)
}

/// What Z3 says of the conjunction; `None` if it does not know in time. Not for floats: of the bits of a NaN it knows
/// less than we do.
pub fn z3(pool: &Pool, terms: &[TermId]) -> Option<bool> {
    let names = ["", "one", "two"].map(str::to_owned);
    let assertions: Vec<Assertion> = terms.iter().map(|&term| Assertion { term, comment: String::new() }).collect();
    let solver = z3::Solver::new();
    let mut params = z3::Params::new();
    params.set_u32("timeout", 500);
    solver.set_params(&params);
    solver.from_string(script(pool, &names, &assertions, &[]).text);
    match solver.check() {
        z3::SatResult::Sat => Some(true),
        z3::SatResult::Unsat => Some(false),
        z3::SatResult::Unknown => None,
    }
}

/// Tries all values of at most two bytes; `None` if there are more.
pub fn enumerate(pool: &mut Pool, terms: &[TermId], hint: &Input) -> Option<bool> {
    let mut bytes: Vec<(u32, u32)> = Vec::new();
    for &term in terms {
        bytes.extend(pool.support(term).bytes());
    }
    bytes.sort_unstable();
    bytes.dedup();
    let mut tape = Tape::new(pool, terms);
    let mut holds = |input: &Input| tape.run(input).all(|value| value == 1);
    let mut input = hint.clone();
    match bytes[..] {
        [] => Some(holds(&input)),
        [(source, offset)] => Some((0..=255).any(|value| {
            input.set(source, offset, value);
            holds(&input)
        })),
        [a, b] => Some((0..=u16::MAX).any(|value| {
            input.set(a.0, a.1, value as u8);
            input.set(b.0, b.1, (value >> 8) as u8);
            holds(&input)
        })),
        _ => None,
    }
}
