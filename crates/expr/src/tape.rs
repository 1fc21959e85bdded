//! Evaluating terms of a pool: the cone of some roots, laid out once, run under as many inputs as one likes.

use crate::input::Input;
use crate::term::{Pool, Term, TermId};
use offshoot_trace::eval::mask;
use std::sync::Arc;

enum Step {
    Const(u128),
    Read { source: u32, offset: u32, bytes: u8 },
    Apply { term: Term, wa: u8, slots: [u32; 3] },
    Select { cells: Arc<[u32]>, index: u32, bytes: u8 },
}

/// Terms laid out for evaluation: `slots` are positions in the tape.
pub struct Tape {
    steps: Vec<Step>,
    values: Vec<u128>,
    roots: Vec<u32>,
}

impl Tape {
    pub fn new(pool: &Pool, roots: &[TermId]) -> Tape {
        let mut cone = pool.cone(roots);
        // Constant cells of tables are not in the cone; they come in front.
        let mut cells: Vec<TermId> = cone
            .iter()
            .filter_map(|&id| if let Term::Select { table, .. } = pool.get(id) { Some(table) } else { None })
            .flat_map(|table| pool.cells(table).cells().iter().copied())
            .filter(|&cell| pool.value(cell).is_some())
            .collect();
        cells.append(&mut cone);
        cells.sort_unstable();
        cells.dedup();
        let order = cells;
        // An id outside the order cannot be asked for: the cone is closed.
        let slot = |id: TermId| order.binary_search(&id).map_or(0, |at| at as u32);
        let steps = order
            .iter()
            .map(|&id| match pool.get(id) {
                Term::Const { value, .. } => Step::Const(value),
                Term::Read { source, offset, bytes } => Step::Read { source, offset, bytes },
                Term::Select { table, index, bytes } => Step::Select {
                    cells: pool.cells(table).cells().iter().map(|&cell| slot(cell)).collect(),
                    index: slot(index),
                    bytes,
                },
                term => {
                    let mut slots = [0; 3];
                    let mut wa = 0;
                    for (at, operand) in term.operands().enumerate() {
                        slots[at] = slot(operand);
                        if at == 0 {
                            wa = pool.width(operand);
                        }
                    }
                    Step::Apply { term, wa, slots }
                }
            })
            .collect();
        let roots = roots.iter().map(|&root| slot(root)).collect();
        Tape { steps, values: Vec::new(), roots }
    }

    /// The values of the roots, in their order.
    pub fn run(&mut self, input: &Input) -> impl Iterator<Item = u128> + '_ {
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        for step in &self.steps {
            let get = |slot: u32| values[slot as usize];
            let value = match step {
                Step::Const(value) => *value,
                Step::Read { source, offset, bytes } => input.read(*source, *offset, *bytes),
                Step::Apply { term, wa, slots: [a, b, c] } => {
                    let operand = |at: usize, slot: u32| if at < arity(term) { get(slot) } else { 0 };
                    term.apply(*wa, operand(0, *a), operand(1, *b), operand(2, *c))
                }
                Step::Select { cells, index, bytes } => select(cells, get(*index), *bytes, get),
            };
            values.push(value);
        }
        self.values = values;
        self.roots.iter().map(|&root| self.values[root as usize])
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}

fn arity(term: &Term) -> usize {
    match term {
        Term::Const { .. } | Term::Read { .. } => 0,
        Term::Extract { .. } | Term::Unary { .. } | Term::Select { .. } => 1,
        Term::Binary { .. } => 2,
        Term::Ternary { .. } => 3,
    }
}

fn select(cells: &[u32], index: u128, bytes: u8, get: impl Fn(u32) -> u128) -> u128 {
    (0..bytes as u64).rev().fold(0, |value, byte| {
        let at = usize::try_from((index as u64).wrapping_add(byte)).unwrap_or(usize::MAX);
        value << 8 | cells.get(at).map_or(0, |&cell| get(cell) & mask(8))
    })
}

impl Pool {
    /// The value of one term under an input.
    pub fn eval(&self, term: TermId, input: &Input) -> u128 {
        Tape::new(self, &[term]).run(input).next().unwrap_or(0)
    }
}
