//! Terms compiled for many evaluations: what the search layers run.

use crate::domain::Domain;
use crate::lanes::{self, Lanes, Operand};
use offshoot_expr::hash::FastMap;
use offshoot_expr::word::WordOp;
use offshoot_expr::{Input, Pool, Term, TermId};
use std::sync::Arc;

/// The position of a term in a program.
pub type Slot = u32;

#[derive(Clone)]
enum Step {
    Const(u128),
    /// The term that stands for the input: see [`Program::cut`].
    Cut,
    /// `bytes` variables from `first` on, little-endian.
    Read {
        first: u32,
        bytes: u8,
    },
    /// At most 64 bits, operands too.
    Word {
        op: WordOp,
        slots: [Slot; 3],
    },
    Wide {
        term: Term,
        wa: u8,
        slots: [Slot; 3],
        arity: usize,
    },
    Select {
        cells: Table,
        index: Slot,
        bytes: u8,
    },
}

#[derive(Clone, Copy)]
enum Cell {
    Byte(u8),
    Slot(Slot),
}

/// Most tables are constant, and large: their bytes are shared with the pool.
#[derive(Clone)]
enum Table {
    Constant(Arc<[u8]>),
    Mixed(Arc<[Cell]>),
}

impl Table {
    fn len(&self) -> usize {
        match self {
            Table::Constant(bytes) => bytes.len(),
            Table::Mixed(cells) => cells.len(),
        }
    }

    fn get(&self, at: usize) -> Option<Cell> {
        match self {
            Table::Constant(bytes) => bytes.get(at).copied().map(Cell::Byte),
            Table::Mixed(cells) => cells.get(at).copied(),
        }
    }

    fn any_slot(&self, is_wanted: impl Fn(Slot) -> bool) -> bool {
        match self {
            Table::Constant(_) => false,
            Table::Mixed(cells) => cells.iter().any(|cell| matches!(cell, Cell::Slot(slot) if is_wanted(*slot))),
        }
    }
}

/// Variables are the input bytes of the terms, sorted, so that a read is a range of them.
pub struct Program {
    steps: Vec<Step>,
    low: Vec<u64>,
    /// Upper halves; empty if no term is wide.
    high: Vec<u64>,
    roots: Vec<Slot>,
    vars: Vec<(u32, u32)>,
    terms: Vec<TermId>,
    /// For lanes: the lane of each step, if it has one.
    lane_of: Vec<u32>,
    lanes: Lanes,
    cut: u128,
}

const NO_LANE: u32 = u32::MAX;

impl Program {
    pub fn new(pool: &Pool, roots: &[TermId]) -> Program {
        Program::over(pool, roots, pool.cone(roots), None)
    }

    /// `roots` as functions of `cut` alone: `terms` are the terms they are made from down to it, ascending.
    pub fn cut(pool: &Pool, roots: &[TermId], terms: Vec<TermId>, cut: TermId) -> Program {
        Program::over(pool, roots, terms, Some(cut))
    }

    fn over(pool: &Pool, roots: &[TermId], terms: Vec<TermId>, cut: Option<TermId>) -> Program {
        let slots: FastMap<TermId, Slot> = terms.iter().enumerate().map(|(at, &id)| (id, at as Slot)).collect();
        let mut vars: Vec<(u32, u32)> = Vec::new();
        for &id in &terms {
            if let Term::Read { source, offset, bytes } = pool.get(id)
                && Some(id) != cut
            {
                vars.extend((0..bytes as u32).map(|n| (source, offset.wrapping_add(n))));
            }
        }
        vars.sort_unstable();
        vars.dedup();
        let mut tables: FastMap<usize, Arc<[Cell]>> = FastMap::default();
        let mut wide = false;
        // The cone is closed, so every operand has a slot.
        let slot = |id: TermId| slots.get(&id).copied().unwrap_or(0);
        let steps = terms
            .iter()
            .map(|&id| match pool.get(id) {
                term if Some(id) == cut => {
                    wide |= term.width() > 64;
                    Step::Cut
                }
                Term::Const { value, width } => {
                    wide |= width > 64;
                    Step::Const(value)
                }
                Term::Read { source, offset, bytes } => {
                    wide |= bytes > 8;
                    Step::Read { first: vars.partition_point(|&var| var < (source, offset)) as u32, bytes }
                }
                Term::Select { table, index, bytes } => {
                    wide |= bytes > 8;
                    let cells = pool.cells(table);
                    let key = cells.cells().as_ptr() as usize;
                    let mixed = || {
                        let cell = |&cell| match pool.value(cell) {
                            Some(value) => Cell::Byte(value as u8),
                            None => Cell::Slot(slot(cell)),
                        };
                        cells.cells().iter().map(cell).collect()
                    };
                    let cells = match cells.constant() {
                        Some(bytes) => Table::Constant(bytes.clone()),
                        None => Table::Mixed(tables.entry(key).or_insert_with(mixed).clone()),
                    };
                    Step::Select { cells, index: slot(index), bytes }
                }
                term => {
                    let (mut operands, mut wa, mut widest, mut arity) = ([0; 3], 0, term.width(), 0);
                    for (at, kid) in term.operands().enumerate() {
                        operands[at] = slot(kid);
                        widest = widest.max(pool.width(kid));
                        arity = at + 1;
                        if at == 0 {
                            wa = pool.width(kid);
                        }
                    }
                    if widest > 64 {
                        wide = true;
                        Step::Wide { term, wa, slots: operands, arity }
                    } else {
                        Step::Word { op: WordOp::of(&term, wa), slots: operands }
                    }
                }
            })
            .collect::<Vec<_>>();
        let high = if wide { vec![0; steps.len()] } else { Vec::new() };
        let low = vec![0; steps.len()];
        let roots = roots.iter().map(|&root| slot(root)).collect();
        Program { lane_of: Vec::new(), lanes: Lanes::default(), steps, low, high, roots, vars, terms, cut: 0 }
    }

    /// `(source, offset)` of each variable, ascending.
    pub fn vars(&self) -> &[(u32, u32)] {
        &self.vars
    }

    pub fn roots(&self) -> &[Slot] {
        &self.roots
    }

    pub fn len(&self) -> usize {
        self.steps.len()
    }

    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// What running it for all values of a variable costs: 1 a step, more for a table, whose cells are looked up one by one.
    pub fn cost(&self) -> usize {
        let cost = |step: &Step| if let Step::Select { bytes, .. } = step { 8 * *bytes as usize } else { 1 };
        self.steps.iter().map(cost).sum()
    }

    /// Ascending, as the slots are.
    pub fn terms(&self) -> &[TermId] {
        &self.terms
    }

    pub fn slot(&self, term: TermId) -> Option<Slot> {
        self.terms.binary_search(&term).ok().map(|at| at as Slot)
    }

    /// The variables' values in an input.
    pub fn values_in(&self, input: &Input) -> Vec<u8> {
        self.vars.iter().map(|&(source, offset)| input.get(source, offset)).collect()
    }

    /// Of the last run.
    #[inline]
    pub fn value(&self, slot: Slot) -> u128 {
        let low = self.low[slot as usize] as u128;
        if self.high.is_empty() { low } else { low | (self.high[slot as usize] as u128) << 64 }
    }

    /// Evaluates all; whether all roots (of width 1) hold.
    pub fn run(&mut self, values: &[u8]) -> bool {
        for at in 0..self.steps.len() {
            self.step(at, values);
        }
        self.holds()
    }

    /// Of a program over a cut: whether all roots hold if the cut has this value.
    pub fn run_cut(&mut self, value: u128) -> bool {
        self.cut = value;
        self.run(&[])
    }

    /// Whether all roots held in the last run.
    pub fn holds(&self) -> bool {
        self.roots.iter().all(|&root| self.low[root as usize] != 0)
    }

    #[inline]
    fn step(&mut self, at: usize, values: &[u8]) {
        if let Step::Word { op, slots: [a, b, c] } = self.steps[at] {
            let low = &self.low;
            self.low[at] = op.apply(low[a as usize], low[b as usize], low[c as usize]);
            return;
        }
        let value = match &self.steps[at] {
            Step::Word { .. } => return,
            Step::Const(value) => *value,
            Step::Cut => self.cut,
            Step::Read { first, bytes } => {
                let first = *first as usize;
                values[first..first + *bytes as usize].iter().rev().fold(0, |value, &byte| value << 8 | byte as u128)
            }
            Step::Wide { term, wa, slots, arity } => {
                let get = |n: usize| if n < *arity { self.value(slots[n]) } else { 0 };
                term.apply(*wa, get(0), get(1), get(2))
            }
            Step::Select { cells, index, bytes } => {
                let index = self.low[*index as usize];
                (0..*bytes as u64).rev().fold(0, |value, byte| {
                    let at = usize::try_from(index.wrapping_add(byte)).unwrap_or(usize::MAX);
                    let cell = match cells.get(at) {
                        None => 0,
                        Some(Cell::Byte(byte)) => byte as u128,
                        Some(Cell::Slot(slot)) => self.low[slot as usize] as u128 & 0xFF,
                    };
                    value << 8 | cell
                })
            }
        };
        self.low[at] = value as u64;
        if !self.high.is_empty() {
            self.high[at] = (value >> 64) as u64;
        }
    }

    /// For one variable, the values for which all roots hold, the others being `values`.
    pub fn domain(&mut self, values: &[u8], var: usize) -> Domain {
        self.run(values);
        self.lane_of.clear();
        self.lane_of.resize(self.steps.len(), NO_LANE);
        self.lanes.clear();
        for at in 0..self.steps.len() {
            if !self.lane(at, values, var) {
                let mut values = values.to_vec();
                return Domain::of(|value| {
                    values[var] = value;
                    self.run(&values)
                });
            }
        }
        self.roots.iter().fold(Domain::FULL, |domain, &root| match self.lane_of[root as usize] {
            NO_LANE if self.low[root as usize] != 0 => domain,
            NO_LANE => Domain::EMPTY,
            lane => domain.and(self.lanes.domain(lane as usize)),
        })
    }

    /// Gives the step a lane if it depends on the variable; `false` if it is too wide for that.
    fn lane(&mut self, at: usize, values: &[u8], var: usize) -> bool {
        let (filled, lane) = self.lanes.next();
        let depends = |slot: Slot| self.lane_of[slot as usize] != NO_LANE;
        let operand = |slot: Slot| match self.lane_of[slot as usize] {
            NO_LANE => Operand::Word(self.low[slot as usize]),
            lane => Operand::Lane(&filled[lane as usize]),
        };
        match &self.steps[at] {
            Step::Const(_) | Step::Cut => return true,
            Step::Read { first, bytes } => {
                let first = *first as usize;
                if !(first..first + *bytes as usize).contains(&var) {
                    return true;
                }
                if *bytes > 8 {
                    return false;
                }
                let shift = 8 * (var - first);
                let word = values[first..first + *bytes as usize].iter().rev().fold(0, |w, &b| w << 8 | b as u64);
                let rest = word & !(0xFF << shift);
                lane.iter_mut().enumerate().for_each(|(v, out)| *out = rest | (v as u64) << shift);
            }
            Step::Wide { slots, arity, .. } => return !slots[..*arity].iter().any(|&slot| depends(slot)),
            Step::Word { op, slots: [a, b, c] } => {
                // Unused operands are slot 0, which may well depend on the variable: that costs, but changes nothing.
                if !depends(*a) && !depends(*b) && !depends(*c) {
                    return true;
                }
                lanes::apply(*op, lane, operand(*a), operand(*b), operand(*c));
            }
            Step::Select { cells, index, bytes } => {
                if !depends(*index) && !cells.any_slot(depends) {
                    return true;
                }
                if *bytes > 8 {
                    return false;
                }
                lanes::select(lane, operand(*index), *bytes, cells.len(), |at, v| match cells.get(at) {
                    None => 0,
                    Some(Cell::Byte(byte)) => byte as u64,
                    Some(Cell::Slot(slot)) => operand(slot).at(v),
                });
            }
        }
        self.lane_of[at] = self.lanes.keep() as u32;
        true
    }
}
