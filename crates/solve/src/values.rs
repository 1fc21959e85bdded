//! Goals that see the input only through one term of few values: an index, a masked hash, an entry of a table.
//!
//! ```text
//!  hash(name) ── & 63 ──▶ d ── << 3 ──▶ entry of a table ──▶ pointer ──▶ field of an object ──▶ goal
//!                         └── conditions that the path has put on the way: stays in its table, is not null, …
//! ```
//!
//! However the hash comes about, `d` has 64 values at most. If for none of them the goal and all conditions that are
//! functions of `d` hold, the problem is unsat. If for some they do, inversion gets those values to aim at.

use crate::answer::{Answer, Why};
use crate::invert::Whole;
use crate::problem::{Layer, Problem};
use crate::program::Program;
use offshoot_expr::hash::FastMap;
use offshoot_expr::word::WordOp;
use offshoot_expr::{Pool, Term, TermId};
use offshoot_trace::Op;
use offshoot_trace::eval::mask;

/// Goals with more terms are not looked at.
const CONE: usize = 2000;
/// Values of one term at most, and of all terms of a goal together.
const VALUES: usize = 1024;
const ALL_VALUES: usize = 20_000;
/// Terms of a goal that are looked at.
const LOOKS: usize = 16;
/// Values of `d` that are aimed at.
const AIMS: usize = 4;

#[derive(Default)]
pub struct ValueSets;

impl Layer for ValueSets {
    fn name(&self) -> &'static str {
        "values"
    }

    fn solve(&mut self, problem: &mut Problem<'_>) -> Answer {
        const NOT_MINE: Answer = Answer::Unknown(Why::NotMine);
        let Some(goal) = problem.goal() else { return NOT_MINE };
        let cone = problem.pool.cone(&[goal]);
        if cone.len() > CONE {
            return NOT_MINE;
        }
        let mut sets = Sets { pool: problem.pool, known: FastMap::default(), room: ALL_VALUES };
        let cuts = cuts(problem.pool, &cone, goal);
        let Some((cut, values)) = cuts.into_iter().find_map(|cut| Some((cut, sets.of(cut)?.to_vec()))) else {
            return NOT_MINE;
        };
        let left = possible(problem.pool, problem.terms, cut, values);
        if left.is_empty() {
            return Answer::Unsat;
        }
        aim(problem, goal, cut, &left).unwrap_or(NOT_MINE)
    }
}

fn aim(problem: &mut Problem<'_>, goal: TermId, cut: TermId, values: &[u128]) -> Option<Answer> {
    if values.len() > AIMS {
        return None;
    }
    let mut whole = Whole::new(problem.terms);
    values.iter().find_map(|&value| whole.invert(problem.pool, problem.hint, goal, cut, value).map(Answer::Sat))
}

/// The terms that every way from the goal to an input byte goes through, nearest to the input first; the goal is not
/// among them. They are the dominators of the reads, seen from the goal.
fn cuts(pool: &Pool, cone: &[TermId], goal: TermId) -> Vec<TermId> {
    let at = |id: TermId| cone.binary_search(&id).ok();
    let mut above: Vec<Option<usize>> = vec![None; cone.len()];
    let meet = |above: &[Option<usize>], mut a: usize, mut b: usize| {
        // Whoever is made from another comes after it, so the smaller one has to climb.
        while a != b {
            let lower = a.min(b);
            let Some(up) = above[lower] else { break };
            (a, b) = (up, a.max(b));
        }
        a.max(b)
    };
    let mut lowest: Option<usize> = None;
    for index in (0..cone.len()).rev() {
        if matches!(pool.get(cone[index]), Term::Read { .. }) {
            lowest = Some(lowest.map_or(index, |low| meet(&above, low, index)));
        }
        pool.for_each_kid(cone[index], |kid| {
            if let Some(kid) = at(kid) {
                above[kid] = Some(above[kid].map_or(index, |other| meet(&above, other, index)));
            }
        });
    }
    let mut chain = Vec::new();
    let mut next = lowest;
    while let Some(index) = next.filter(|&index| cone[index] != goal) {
        chain.push(cone[index]);
        next = above[index];
    }
    chain
}

/// Terms inside the goal that the problem's conditions, the goal not among them, leave one value: the hint's.
pub fn fixed(problem: &mut Problem<'_>) -> Vec<(TermId, u128)> {
    let Some((&goal, conditions)) = problem.terms.split_last() else { return Vec::new() };
    let cone = problem.pool.cone(&[goal]);
    if cone.len() > CONE {
        return Vec::new();
    }
    let mut sets = Sets { pool: problem.pool, known: FastMap::default(), room: ALL_VALUES };
    let inner: Vec<(TermId, Vec<u128>)> = cone
        .iter()
        .filter(|&&id| {
            // Where the listing starts: what is computed from here on has no more values.
            let term = problem.pool.get(id);
            let open = problem.pool.value(id).is_none() && !matches!(term, Term::Read { .. });
            open && id != goal && term.width() > 1 && !term.operands().any(|kid| is_listed(&mut sets, kid))
        })
        .copied()
        .collect::<Vec<_>>()
        .into_iter()
        .filter_map(|id| Some((id, sets.of(id)?.to_vec())))
        .take(LOOKS)
        .collect();
    let mut fixed = Vec::new();
    for (cut, values) in inner {
        if let [value] = possible(problem.pool, conditions, cut, values)[..] {
            fixed.push((cut, value));
        }
    }
    fixed
}

fn is_listed(sets: &mut Sets<'_>, term: TermId) -> bool {
    sets.pool.value(term).is_none() && sets.of(term).is_some()
}

/// Those values of `cut` for which all conditions hold that are functions of it.
fn possible(pool: &mut Pool, conditions: &[TermId], cut: TermId, mut values: Vec<u128>) -> Vec<u128> {
    let set = pool.support_id(cut);
    let mut through: FastMap<TermId, bool> = FastMap::from_iter([(cut, true)]);
    let mut roots = Vec::new();
    for &term in conditions {
        if pool.support_id(term) == set && is_through(pool, term, &mut through) {
            roots.push(term);
        }
    }
    if !roots.is_empty() {
        let terms = terms_down_to(pool, &roots, cut);
        let mut program = Program::cut(pool, &roots, terms, cut);
        values.retain(|&value| program.run_cut(value));
    }
    values
}

/// Whether a term is a function of the cut (which is in `known`) alone.
fn is_through(pool: &Pool, root: TermId, known: &mut FastMap<TermId, bool>) -> bool {
    let mut stack = vec![root];
    while let Some(&top) = stack.last() {
        if known.contains_key(&top) {
            stack.pop();
            continue;
        }
        let waiting = stack.len();
        let mut through = !matches!(pool.get(top), Term::Read { .. });
        pool.for_each_kid(top, |kid| match known.get(&kid) {
            None => stack.push(kid),
            Some(kid) => through &= kid,
        });
        if stack.len() == waiting || !through {
            stack.truncate(waiting - 1);
            known.insert(top, through);
        }
    }
    known.get(&root).copied().unwrap_or(false)
}

fn terms_down_to(pool: &Pool, roots: &[TermId], cut: TermId) -> Vec<TermId> {
    let mut seen = offshoot_expr::hash::FastSet::default();
    let mut stack = roots.to_vec();
    while let Some(id) = stack.pop() {
        if seen.insert(id) && id != cut {
            pool.for_each_kid(id, |kid| stack.push(kid));
        }
    }
    let mut terms: Vec<TermId> = seen.into_iter().collect();
    terms.sort_unstable();
    terms
}

/// Values that terms can have: supersets, sorted.
struct Sets<'a> {
    pool: &'a Pool,
    known: FastMap<TermId, Option<Vec<u128>>>,
    /// Values that may still be listed.
    room: usize,
}

impl Sets<'_> {
    /// `None`: too many to list.
    fn of(&mut self, root: TermId) -> Option<&[u128]> {
        let mut stack = vec![root];
        while let Some(&top) = stack.last() {
            if self.known.contains_key(&top) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            let term = self.pool.get(top);
            // What has few values by its width needs no look at its operands.
            if term.width() > 8 || matches!(term, Term::Select { .. }) {
                stack.extend(term.operands().filter(|kid| !self.known.contains_key(kid)));
            }
            if stack.len() == waiting {
                let set = self.compute(&term).filter(|set| set.len() <= self.room);
                self.room -= set.as_ref().map_or(0, Vec::len);
                self.known.insert(top, set);
                stack.pop();
            }
        }
        self.get(root)
    }

    fn get(&self, term: TermId) -> Option<&[u128]> {
        self.known.get(&term).and_then(|set| set.as_deref())
    }

    fn compute(&self, term: &Term) -> Option<Vec<u128>> {
        let w = term.width();
        let exact = match *term {
            Term::Const { value, .. } => Some(vec![value]),
            Term::Select { table, index, bytes } => self.select(table, self.get(index), bytes),
            _ if w <= 8 => None,
            Term::Extract { a, .. } | Term::Unary { a, .. } => self.map(term, self.get(a)?),
            Term::Binary { op: Op::And, a, b, .. } if self.get(a).is_none() || self.get(b).is_none() => {
                self.masked(self.pool.value(b).or(self.pool.value(a))?)
            }
            Term::Binary { op: Op::URem, b, .. } => {
                let by = self.pool.value(b).filter(|&by| by <= VALUES as u128)?;
                Some((0..by.max(1)).collect())
            }
            Term::Binary { a, b, .. } => self.pairs(term, self.get(a)?, self.get(b)?),
            Term::Ternary { op: Op::Ite, b, c, .. } => {
                let mut both = self.get(b)?.to_vec();
                both.extend_from_slice(self.get(c)?);
                Some(both)
            }
            _ => None,
        };
        let mut set = exact.or_else(|| (w <= 8).then(|| (0..=mask(w)).collect()))?;
        set.sort_unstable();
        set.dedup();
        (set.len() <= VALUES).then_some(set)
    }

    fn map(&self, term: &Term, set: &[u128]) -> Option<Vec<u128>> {
        let wa = term.operands().next().map_or(0, |a| self.pool.width(a));
        Some(set.iter().map(|&a| term.apply(wa, a, 0, 0)).collect())
    }

    fn pairs(&self, term: &Term, a: &[u128], b: &[u128]) -> Option<Vec<u128>> {
        if a.len() * b.len() > VALUES {
            return None;
        }
        let wa = term.operands().next().map_or(0, |a| self.pool.width(a));
        let op = WordOp::of(term, wa);
        let narrow = term.operands().all(|kid| self.pool.width(kid) <= 64) && term.width() <= 64;
        let value = |a: u128, b: u128| match narrow {
            true => op.apply(a as u64, b as u64, 0) as u128,
            false => term.apply(wa, a, b, 0),
        };
        Some(a.iter().flat_map(|&a| b.iter().map(move |&b| value(a, b))).collect())
    }

    /// All parts of a mask.
    fn masked(&self, bits: u128) -> Option<Vec<u128>> {
        if bits.count_ones() > VALUES.ilog2() {
            return None;
        }
        let mut parts = vec![0];
        while let Some(&last) = parts.last()
            && last != bits
        {
            parts.push((last | !bits).wrapping_add(1) & bits);
        }
        Some(parts)
    }

    fn select(&self, table: offshoot_expr::TableId, index: Option<&[u128]>, bytes: u8) -> Option<Vec<u128>> {
        let cells = self.pool.cells(table);
        if !cells.symbolic().is_empty() || cells.cells().len() > VALUES {
            return None;
        }
        let cell = |at: u64| {
            let at = usize::try_from(at).ok()?;
            cells.cells().get(at).and_then(|&cell| self.pool.value(cell))
        };
        let read = |at: u64| (0..bytes as u64).rev().fold(0, |v, n| v << 8 | cell(at.wrapping_add(n)).unwrap_or(0));
        Some(match index {
            Some(index) => index.iter().map(|&at| read(at as u64)).collect(),
            None => {
                // Also what is half outside, on either side.
                let ends = (0..cells.cells().len() as u64).chain((1..bytes as u64).map(|n| n.wrapping_neg()));
                ends.map(read).chain([0]).collect()
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Limits;
    use offshoot_expr::Input;

    /// A hash table of four pointers behind an unwieldy hash; the object of the second is known.
    fn answer(goal: impl FnOnce(&mut Pool, TermId) -> Vec<TermId>) -> Answer {
        let mut pool = Pool::new();
        let name = pool.read(1, 0, 8);
        let mixed = pool.binary(Op::Mul, name, name);
        let mixed = pool.binary(Op::Xor, mixed, name);
        let index = pool.binary_const(Op::And, mixed, 3 << 3);
        let pointers = [0u64, 0x1000, 0x2000, 0];
        let cells: Vec<TermId> =
            pointers.iter().flat_map(|p| p.to_le_bytes()).map(|byte| pool.constant(byte as u128, 8)).collect();
        let table = pool.table(&cells);
        let pointer = pool.select(table, index, 8);
        let terms = goal(&mut pool, pointer);
        let hint = Input::new();
        let mut problem = Problem { pool: &mut pool, terms: &terms, hint: &hint, limits: Limits::default() };
        ValueSets.solve(&mut problem)
    }

    #[test]
    fn a_pointer_that_no_entry_has() {
        assert_eq!(answer(|pool, pointer| vec![pool.eq_const(pointer, 0x3000)]), Answer::Unsat);
        assert_ne!(answer(|pool, pointer| vec![pool.eq_const(pointer, 0x2000)]), Answer::Unsat);
    }

    #[test]
    fn an_access_that_stays_in_its_object() {
        let through = |first: u128| {
            answer(|pool, pointer| {
                let offset = pool.binary_const(Op::Sub, pointer, 0x1000);
                let limit = pool.constant(8, 64);
                let inside = pool.binary(Op::Ule, offset, limit);
                let cells: Vec<TermId> = (0..16u128).map(|n| pool.constant(first + n, 8)).collect();
                let object = pool.table(&cells);
                let field = pool.select(object, offset, 8);
                vec![inside, pool.eq_const(field, 0x0706_0504_0302_0100)]
            })
        };
        assert_ne!(through(0), Answer::Unsat);
        assert_eq!(through(1), Answer::Unsat);
    }

    #[test]
    fn cuts_are_nearest_first() {
        let mut pool = Pool::new();
        let (a, b) = (pool.read(1, 0, 4), pool.read(1, 4, 4));
        let sum = pool.binary(Op::Mul, a, b);
        let low = pool.extract(sum, 0, 6);
        let one = pool.eq_const(low, 1);
        let two = pool.eq_const(low, 2);
        let goal = pool.binary(Op::Or, one, two);
        let cone = pool.cone(&[goal]);
        assert_eq!(cuts(&pool, &cone, goal), [sum, low]);
    }
}
