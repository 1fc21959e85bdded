//! Terms: bit vectors of 1 to 128 bits over input bytes, hash-consed in a [`Pool`] that outlives the traces they come
//! from.
//!
//! Invariants: equal terms have equal ids; an operand's id is smaller than that of the term made from it, so ascending
//! order is evaluation order; every term of a rewriting pool is in the normal form of [`crate::rules`].

use crate::hash::{FastMap, FastSet};
use crate::rules::{self, RULES};
use crate::support::Supports;
use offshoot_trace::eval::mask;
use offshoot_trace::{Node, Op, apply};
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub(crate) u32);

impl TermId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A table of [`Pool::table`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableId(pub(crate) u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    Const {
        value: u128,
        width: u8,
    },
    /// `bytes` consecutive input bytes, little-endian.
    Read {
        source: u32,
        offset: u32,
        bytes: u8,
    },
    /// `width` bits of `a` from bit `low` on.
    Extract {
        a: TermId,
        low: u8,
        width: u8,
    },
    /// `Zext`, `Sext`, bit counts, swaps, roundings and conversions.
    Unary {
        op: Op,
        width: u8,
        a: TermId,
    },
    /// Arithmetic, comparisons, and `Concat` (`a` above `b`).
    Binary {
        op: Op,
        width: u8,
        a: TermId,
        b: TermId,
    },
    /// `Ite` and `FFma`.
    Ternary {
        op: Op,
        width: u8,
        a: TermId,
        b: TermId,
        c: TermId,
    },
    /// `bytes` bytes, little-endian, of a table at a 64-bit byte offset; what is outside is 0.
    Select {
        table: TableId,
        index: TermId,
        bytes: u8,
    },
}

impl Term {
    pub fn width(&self) -> u8 {
        match *self {
            Term::Read { bytes, .. } | Term::Select { bytes, .. } => bytes * 8,
            Term::Const { width, .. }
            | Term::Extract { width, .. }
            | Term::Unary { width, .. }
            | Term::Binary { width, .. }
            | Term::Ternary { width, .. } => width,
        }
    }

    pub fn op(&self) -> Op {
        match *self {
            Term::Const { .. } => Op::Const,
            Term::Read { .. } => Op::Read,
            Term::Extract { .. } => Op::Extract,
            Term::Select { .. } => Op::Select,
            Term::Unary { op, .. } | Term::Binary { op, .. } | Term::Ternary { op, .. } => op,
        }
    }

    /// Operands, the cells of a table excepted.
    pub fn operands(&self) -> impl Iterator<Item = TermId> + use<> {
        let operands = match *self {
            Term::Const { .. } | Term::Read { .. } => [None; 3],
            Term::Extract { a, .. } | Term::Unary { a, .. } | Term::Select { index: a, .. } => [Some(a), None, None],
            Term::Binary { a, b, .. } => [Some(a), Some(b), None],
            Term::Ternary { a, b, c, .. } => [Some(a), Some(b), Some(c)],
        };
        operands.into_iter().flatten()
    }

    /// The value from the operands' values; `wa` is the width of the first. Only for terms that have operands and no
    /// table.
    pub fn apply(&self, wa: u8, a: u128, b: u128, c: u128) -> u128 {
        let rest = if let Term::Extract { low, .. } = *self { low as u64 } else { 0 };
        apply(&Node { op: self.op() as u8, width: self.width(), rest, ..Node::default() }, wa, a, b, c)
    }
}

/// The content of a table: one term of width 8 a byte.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cells {
    cells: Arc<[TermId]>,
    /// The cells that are no constants, each once.
    symbolic: Arc<[TermId]>,
    /// All bytes, if there is none of those.
    constant: Option<Arc<[u8]>>,
}

impl Cells {
    pub fn cells(&self) -> &[TermId] {
        &self.cells
    }
    pub fn symbolic(&self) -> &[TermId] {
        &self.symbolic
    }
    pub fn constant(&self) -> Option<&Arc<[u8]>> {
        self.constant.as_ref()
    }
}

pub struct Pool {
    terms: Vec<Term>,
    ids: FastMap<Term, TermId>,
    tables: Vec<Cells>,
    table_ids: FastMap<Arc<[TermId]>, TableId>,
    pub(crate) supports: Supports,
    rewriting: bool,
    fired: Vec<u64>,
}

impl Default for Pool {
    fn default() -> Self {
        Pool::new()
    }
}

impl Pool {
    pub fn new() -> Pool {
        Pool {
            terms: Vec::new(),
            ids: FastMap::default(),
            tables: Vec::new(),
            table_ids: FastMap::default(),
            supports: Supports::new(),
            rewriting: true,
            fired: vec![0; RULES.len()],
        }
    }

    /// A pool that keeps terms as they are made: the other side of every test of a rewrite.
    pub fn without_rewrites() -> Pool {
        Pool { rewriting: false, ..Pool::new() }
    }

    pub fn len(&self) -> usize {
        self.terms.len()
    }

    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    #[inline]
    pub fn get(&self, id: TermId) -> Term {
        self.terms[id.index()]
    }

    pub fn width(&self, id: TermId) -> u8 {
        self.get(id).width()
    }

    /// The value of a constant.
    pub fn value(&self, id: TermId) -> Option<u128> {
        match self.get(id) {
            Term::Const { value, .. } => Some(value),
            _ => None,
        }
    }

    /// How often each rewrite was used, by name.
    pub fn rewrites(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        RULES.iter().zip(&self.fired).map(|(rule, &count)| (rule.name, count))
    }

    // --- making terms

    /// The normal form of `term`, whose operands are in this pool and whose widths must fit.
    pub fn make(&mut self, term: Term) -> TermId {
        debug_assert!(self.is_well_formed(&term), "{term:?}");
        if self.rewriting {
            for &rule in rules::for_op(term.op()) {
                if let Some(id) = (RULES[rule as usize].rewrite)(self, term) {
                    debug_assert_eq!(self.width(id), term.width(), "{}", RULES[rule as usize].name);
                    self.fired[rule as usize] += 1;
                    return id;
                }
            }
        }
        self.intern(term)
    }

    fn intern(&mut self, term: Term) -> TermId {
        let next = TermId(self.terms.len() as u32);
        let id = *self.ids.entry(term).or_insert(next);
        if id == next {
            self.terms.push(term);
        }
        id
    }

    pub fn constant(&mut self, value: u128, width: u8) -> TermId {
        self.intern(Term::Const { value: value & mask(width), width })
    }

    /// A condition's value.
    pub fn boolean(&mut self, value: bool) -> TermId {
        self.constant(value as u128, 1)
    }

    pub fn read(&mut self, source: u32, offset: u32, bytes: u8) -> TermId {
        self.intern(Term::Read { source, offset, bytes })
    }

    pub fn extract(&mut self, a: TermId, low: u8, width: u8) -> TermId {
        self.make(Term::Extract { a, low, width })
    }

    pub fn zext(&mut self, a: TermId, width: u8) -> TermId {
        self.make(Term::Unary { op: Op::Zext, width, a })
    }

    pub fn sext(&mut self, a: TermId, width: u8) -> TermId {
        self.make(Term::Unary { op: Op::Sext, width, a })
    }

    /// A unary operation that keeps the width or changes it to `width`.
    pub fn unary(&mut self, op: Op, a: TermId, width: u8) -> TermId {
        self.make(Term::Unary { op, width, a })
    }

    /// An arithmetic operation or comparison; the width follows from the operands.
    pub fn binary(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        let width = match op {
            Op::Concat => self.width(a) + self.width(b),
            _ if op.is_comparison() => 1,
            _ => self.width(a),
        };
        self.make(Term::Binary { op, width, a, b })
    }

    /// `a op constant`
    pub fn binary_const(&mut self, op: Op, a: TermId, constant: u128) -> TermId {
        let b = self.constant(constant, self.width(a));
        self.binary(op, a, b)
    }

    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        self.binary(Op::Concat, high, low)
    }

    pub fn ite(&mut self, condition: TermId, a: TermId, b: TermId) -> TermId {
        self.make(Term::Ternary { op: Op::Ite, width: self.width(a), a: condition, b: a, c: b })
    }

    /// All bits flipped; of a condition: its negation.
    pub fn not(&mut self, a: TermId) -> TermId {
        self.binary_const(Op::Xor, a, mask(self.width(a)))
    }

    pub fn eq_const(&mut self, a: TermId, value: u128) -> TermId {
        self.binary_const(Op::Eq, a, value)
    }

    pub fn select(&mut self, table: TableId, index: TermId, bytes: u8) -> TermId {
        self.make(Term::Select { table, index, bytes })
    }

    /// Cells have width 8.
    pub fn table(&mut self, cells: &[TermId]) -> TableId {
        if let Some(&id) = self.table_ids.get(cells) {
            return id;
        }
        let mut symbolic: Vec<_> = cells.iter().copied().filter(|&cell| self.value(cell).is_none()).collect();
        symbolic.sort_unstable();
        symbolic.dedup();
        let constant = cells.iter().map(|&cell| self.value(cell).map(|value| value as u8)).collect();
        let cells: Arc<[TermId]> = cells.into();
        let id = TableId(self.tables.len() as u32);
        self.tables.push(Cells { cells: cells.clone(), symbolic: symbolic.into(), constant });
        self.table_ids.insert(cells, id);
        id
    }

    pub fn cells(&self, table: TableId) -> &Cells {
        &self.tables[table.0 as usize]
    }

    // --- walking terms

    /// All terms that `term` is directly made from, symbolic table cells too.
    pub fn for_each_kid(&self, term: TermId, mut visit: impl FnMut(TermId)) {
        let term = self.get(term);
        term.operands().for_each(&mut visit);
        if let Term::Select { table, .. } = term {
            self.cells(table).symbolic.iter().copied().for_each(visit);
        }
    }

    /// The terms that `roots` are made from, themselves included, operands first.
    pub fn cone(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut seen = FastSet::default();
        let mut stack: Vec<TermId> = roots.to_vec();
        while let Some(id) = stack.pop() {
            if seen.insert(id) {
                self.for_each_kid(id, |kid| {
                    if !seen.contains(&kid) {
                        stack.push(kid);
                    }
                });
            }
        }
        let mut cone: Vec<_> = seen.into_iter().collect();
        cone.sort_unstable();
        cone
    }

    pub fn cone_size(&self, root: TermId) -> usize {
        self.cone(&[root]).len()
    }

    /// `root` with every term for which `replace` gives another of the same width replaced, outermost terms too.
    /// What is put in is not looked into again.
    pub fn substitute(&mut self, root: TermId, replace: impl Fn(TermId) -> Option<TermId>) -> TermId {
        let mut done: FastMap<TermId, TermId> = FastMap::default();
        for id in self.cone(&[root]) {
            let new = match replace(id) {
                Some(new) => {
                    debug_assert_eq!(self.width(new), self.width(id));
                    new
                }
                None => self.rebuild(id, |kid| done.get(&kid).copied().unwrap_or(kid)),
            };
            done.insert(id, new);
        }
        done.get(&root).copied().unwrap_or(root)
    }

    /// The term with its operands exchanged.
    fn rebuild(&mut self, id: TermId, new: impl Fn(TermId) -> TermId) -> TermId {
        let old = self.get(id);
        let term = match old {
            Term::Const { .. } | Term::Read { .. } => old,
            Term::Extract { a, low, width } => Term::Extract { a: new(a), low, width },
            Term::Unary { op, width, a } => Term::Unary { op, width, a: new(a) },
            Term::Binary { op, width, a, b } => Term::Binary { op, width, a: new(a), b: new(b) },
            Term::Ternary { op, width, a, b, c } => Term::Ternary { op, width, a: new(a), b: new(b), c: new(c) },
            Term::Select { table, index, bytes } => {
                let cells = self.cells(table);
                let table = if cells.symbolic.iter().all(|&cell| new(cell) == cell) {
                    table
                } else {
                    let cells: Vec<_> = cells.cells.iter().map(|&cell| new(cell)).collect();
                    self.table(&cells)
                };
                Term::Select { table, index: new(index), bytes }
            }
        };
        if term == old { id } else { self.make(term) }
    }

    /// Whether the widths fit the operation.
    fn is_well_formed(&self, term: &Term) -> bool {
        let w = term.width();
        let float = |w: u8| w == 32 || w == 64;
        (1..=128).contains(&w)
            && match *term {
                Term::Const { value, width } => value & !mask(width) == 0,
                Term::Read { bytes, .. } => bytes <= 16,
                Term::Extract { a, low, width } => low as u32 + width as u32 <= self.width(a) as u32,
                Term::Unary { op: Op::Zext | Op::Sext, width, a } => width >= self.width(a),
                Term::Unary { op: Op::FToS | Op::FToU, a, .. } => float(self.width(a)),
                Term::Unary { op: Op::SToF | Op::UToF | Op::FToF, width, .. } => float(width),
                Term::Unary { op, width, a } => op.is_unary() && width == self.width(a),
                Term::Binary { op: Op::Concat, width, a, b } => width == self.width(a) + self.width(b),
                Term::Binary { op, width, a, b } => {
                    op.is_binary()
                        && self.width(a) == self.width(b)
                        && width == if op.is_comparison() { 1 } else { self.width(a) }
                }
                Term::Ternary { op: Op::Ite, width, a, b, c } => {
                    self.width(a) == 1 && width == self.width(b) && width == self.width(c)
                }
                Term::Ternary { op, .. } => op == Op::FFma && float(w),
                Term::Select { index, bytes, .. } => self.width(index) == 64 && bytes <= 16,
            }
    }
}
