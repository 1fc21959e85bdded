//! Direct inversion: from the value that a term should have to values of the input bytes.
//!
//! The goal `f(x) == c` is walked down through operations that can be undone, with the hint's values for everything that
//! is not on the way. Each rule gives alternatives, each alternative the values that operands should have; where the walk
//! arrives at input bytes there is a candidate, and it counts only if the whole problem holds for it.

mod rules;

use crate::answer::{Answer, Change, Why};
use crate::problem::{Layer, Problem};
use crate::program::Program;
use offshoot_expr::{Input, Pool, Term, TermId};
use rules::{Alternatives, Values};

/// Goals beyond this cost more to set up than inversion is likely to save.
const STEPS: usize = 10_000;
/// Longer problems are too dear to check candidates on; so are more steps than this in all checks together.
const TERMS: usize = 4000;
const CHECKS: usize = 200_000;
/// Terms walked through, and candidates tried.
const WALK: usize = 1500;
const CANDIDATES: usize = 100;
const DEPTH: usize = 400;

#[derive(Default)]
pub struct Invert;

impl Layer for Invert {
    fn name(&self) -> &'static str {
        "invert"
    }

    fn solve(&mut self, problem: &mut Problem<'_>) -> Answer {
        const NOT_MINE: Answer = Answer::Unknown(Why::NotMine);
        let Some(goal) = problem.goal() else { return NOT_MINE };
        let mut whole = Whole::new(problem.terms);
        match whole.invert(problem.pool, problem.hint, goal, goal, 1) {
            None => NOT_MINE,
            Some(changes) => Answer::Sat(changes),
        }
    }
}

/// A problem that is compiled when a candidate has satisfied its goal, not before: most never do.
pub struct Whole<'a> {
    terms: &'a [TermId],
    program: Option<Program>,
    /// Steps that checks may still take.
    room: usize,
}

impl<'a> Whole<'a> {
    pub fn new(terms: &'a [TermId]) -> Whole<'a> {
        Whole { terms, program: None, room: if terms.len() > TERMS { 0 } else { CHECKS } }
    }

    /// Changes for which all terms hold, found by making `term`, a part of the goal, be `value`.
    pub fn invert(
        &mut self,
        pool: &Pool,
        hint: &Input,
        goal: TermId,
        term: TermId,
        value: u128,
    ) -> Option<Vec<Change>> {
        let mut program = Program::new(pool, &[goal]);
        if program.len() > STEPS {
            return None;
        }
        let before = program.values_in(hint);
        let vars = program.vars().to_vec();
        let values = invert(pool, &mut program, &before, term, value, &mut |values| {
            self.terms.len() == 1 || self.check(pool, hint, &vars, values)
        })?;
        Some(changes(&program, &before, &values))
    }

    fn check(&mut self, pool: &Pool, hint: &Input, vars: &[(u32, u32)], values: &[u8]) -> bool {
        if self.room == 0 {
            return false;
        }
        let program = self.program.get_or_insert_with(|| Program::new(pool, self.terms));
        self.room = self.room.saturating_sub(program.len());
        let mut all = program.values_in(hint);
        for (key, &value) in vars.iter().zip(values) {
            // The goal is one of the terms, so its bytes are among theirs.
            let at = program.vars().partition_point(|var| var < key);
            all[at] = value;
        }
        program.run(&all)
    }
}

/// What differs, sorted.
pub fn changes(program: &Program, hint: &[u8], values: &[u8]) -> Vec<Change> {
    let differ = program.vars().iter().zip(hint).zip(values).filter(|((_, hint), value)| hint != value);
    differ.map(|((&(source, offset), _), &value)| Change { source, offset, value }).collect()
}

/// Values of the program's variables for which its roots hold and that pass the `check`, found by making `term` be
/// `value`.
fn invert(
    pool: &Pool,
    program: &mut Program,
    hint: &[u8],
    term: TermId,
    value: u128,
    check: &mut dyn FnMut(&[u8]) -> bool,
) -> Option<Vec<u8>> {
    program.run(hint);
    let current: Vec<u128> = (0..program.len() as u32).map(|slot| program.value(slot)).collect();
    let mut walk = Walk {
        pool,
        current,
        values: hint.to_vec(),
        set: vec![false; hint.len()],
        program,
        check,
        walked: 0,
        candidates: 0,
    };
    walk.go(Some(&Agenda { term, value, rest: None }), 0).then_some(walk.values)
}

/// What is still to be made so.
struct Agenda<'a> {
    term: TermId,
    value: u128,
    rest: Option<&'a Agenda<'a>>,
}

struct Walk<'a> {
    pool: &'a Pool,
    program: &'a mut Program,
    check: &'a mut dyn FnMut(&[u8]) -> bool,
    /// Under the hint, by slot.
    current: Vec<u128>,
    values: Vec<u8>,
    /// Variables that got their value on the way.
    set: Vec<bool>,
    walked: usize,
    candidates: usize,
}

impl Values for Walk<'_> {
    fn pool(&self) -> &Pool {
        self.pool
    }

    fn current(&self, term: TermId) -> u128 {
        match self.program.slot(term) {
            Some(slot) => self.current[slot as usize],
            // Constant cells of tables are in no program.
            None => self.pool.value(term).unwrap_or(0),
        }
    }
}

impl Walk<'_> {
    /// Whether the agenda can be done so that all holds; `values` then say how.
    fn go(&mut self, agenda: Option<&Agenda<'_>>, depth: usize) -> bool {
        let Some(&Agenda { term, value, rest }) = agenda else {
            self.candidates += 1;
            return self.program.run(&self.values) && (self.check)(&self.values);
        };
        self.walked += 1;
        if self.walked > WALK || self.candidates > CANDIDATES || depth > DEPTH {
            return false;
        }
        match self.pool.get(term) {
            Term::Const { value: constant, .. } => constant == value && self.go(rest, depth + 1),
            Term::Read { source, offset, bytes } => self.read((source, offset), bytes, value, rest, depth),
            _ => {
                let mut alternatives = Alternatives::default();
                rules::alternatives(self, term, value, &mut alternatives);
                alternatives.list.iter().any(|alternative| self.all(alternative, rest, depth))
            }
        }
    }

    fn all(&mut self, wanted: &[(TermId, u128)], rest: Option<&Agenda<'_>>, depth: usize) -> bool {
        match wanted.split_first() {
            None => self.go(rest, depth + 1),
            // Built from the back, so that the first is done first.
            Some((&(term, value), more)) => match more.split_first() {
                None => self.go(Some(&Agenda { term, value, rest }), depth + 1),
                Some((&(next, next_value), [])) => {
                    let rest = Agenda { term: next, value: next_value, rest };
                    self.go(Some(&Agenda { term, value, rest: Some(&rest) }), depth + 1)
                }
                Some(_) => false,
            },
        }
    }

    fn read(&mut self, key: (u32, u32), bytes: u8, value: u128, rest: Option<&Agenda<'_>>, depth: usize) -> bool {
        let first = self.program.vars().partition_point(|&var| var < key);
        let range = first..first + bytes as usize;
        let wanted = |at: usize| (value >> (8 * (at - first))) as u8;
        if range.clone().any(|at| self.set[at] && self.values[at] != wanted(at)) {
            return false;
        }
        let before: Vec<(bool, u8)> = range.clone().map(|at| (self.set[at], self.values[at])).collect();
        for at in range.clone() {
            (self.set[at], self.values[at]) = (true, wanted(at));
        }
        if self.go(rest, depth + 1) {
            return true;
        }
        for (at, before) in range.zip(before) {
            (self.set[at], self.values[at]) = before;
        }
        false
    }
}

#[cfg(test)]
mod tests;
