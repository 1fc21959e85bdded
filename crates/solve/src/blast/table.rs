//! Tables as trees of multiplexers over the bits of the index. Equal halves need no decision, so a constant table costs
//! what its content has of structure.

use super::gates::{FALSE, Gates, Lit, TRUE};
use super::terms::Words;
use super::words::{Word, constant};
use offshoot_expr::{Pool, TableId, Term, TermId};
use offshoot_trace::{Node, apply};

impl Words {
    /// `bytes` bytes at byte offset `index`, little-endian; what is outside the table is 0.
    pub(super) fn select(&mut self, pool: &Pool, table: TableId, index: TermId, bytes: u8) -> Word {
        let cells: Vec<[Lit; 8]> = pool
            .cells(table)
            .cells()
            .iter()
            .map(|&cell| {
                let mut lits = [FALSE; 8];
                match pool.value(cell) {
                    Some(value) => lits.copy_from_slice(&constant(value, 8)),
                    None => lits.copy_from_slice(self.made(pool, cell)),
                }
                lits
            })
            .collect();
        let mut word = Vec::with_capacity(bytes as usize * 8);
        if let Some(few) = self.few(pool, index) {
            let offsets: Vec<u64> = (0..1u32 << few.bits.len()).map(|choice| few.index(pool, choice)).collect();
            let cell = |at: u64| usize::try_from(at).ok().and_then(|at| cells.get(at)).copied().unwrap_or([FALSE; 8]);
            for byte in 0..bytes as u64 {
                let cells: Vec<[Lit; 8]> = offsets.iter().map(|offset| cell(offset.wrapping_add(byte))).collect();
                word.extend(self.gates.tree(&cells, &few.bits));
            }
            return word;
        }
        let index = self.made(pool, index).to_vec();
        for byte in 0..bytes {
            // Where the index is known to be aligned the sum has no carries.
            let at = self.gates.add(&index, &constant(byte as u128, index.len()), FALSE);
            word.extend(self.gates.cell(&cells, &at));
        }
        word
    }

    /// Looks for few bits that the index is made from: a byte, say, of `60 + 4 * byte`. A tree over those decides better
    /// than one over the sum, whose bits are carries.
    fn few(&self, pool: &Pool, index: TermId) -> Option<Few> {
        let mut found: Option<Few> = None;
        let mut steps = Vec::new();
        let mut core = index;
        loop {
            let word = self.made(pool, core);
            let mut bits: Vec<Lit> = word.iter().copied().filter(|lit| !lit.is_constant()).collect();
            bits.iter_mut().for_each(|lit| *lit = Lit::of(lit.gate(), false));
            bits.sort_unstable();
            bits.dedup();
            if bits.len() <= found.as_ref().map_or(FEW, |few| few.bits.len()) {
                found = Some(Few { bits, core: word.to_vec(), steps: steps.clone() });
            }
            let next = match pool.get(core) {
                Term::Extract { a, .. } | Term::Unary { a, .. } => a,
                Term::Binary { a, b, .. } if pool.value(b).is_some() => a,
                Term::Binary { a, b, .. } if pool.value(a).is_some() => b,
                _ => break,
            };
            steps.push(core);
            core = next;
        }
        found
    }
}

/// Past this many bits it is not few.
const FEW: usize = 11;

/// An index that is made from few bits.
struct Few {
    bits: Vec<Lit>,
    /// The word that has no other bits.
    core: Word,
    /// The terms that lead from there to the index, the index first.
    steps: Vec<TermId>,
}

impl Few {
    /// The index for one choice of the bits.
    fn index(&self, pool: &Pool, choice: u32) -> u64 {
        let bit = |lit: &Lit| match self.bits.binary_search(&Lit::of(lit.gate(), false)) {
            Ok(at) => (choice >> at & 1 != 0) ^ lit.is_negated(),
            Err(_) => *lit == TRUE,
        };
        let core = self.core.iter().rev().fold(0u128, |value, lit| value << 1 | bit(lit) as u128);
        let (value, _) = self.steps.iter().rev().fold((core, self.core.len() as u8), |(value, width), &step| {
            let term = pool.get(step);
            let rest = if let Term::Extract { low, .. } = term { low as u64 } else { 0 };
            let node = Node { op: term.op() as u8, width: term.width(), rest, ..Node::default() };
            let result = match term {
                Term::Binary { a, b, .. } => match (pool.value(a), pool.value(b)) {
                    (_, Some(constant)) => apply(&node, width, value, constant, 0),
                    (constant, None) => apply(&node, pool.width(a), constant.unwrap_or(0), value, 0),
                },
                _ => apply(&node, width, value, 0, 0),
            };
            (result, term.width())
        });
        value as u64
    }
}

impl Gates {
    fn cell(&mut self, cells: &[[Lit; 8]], index: &[Lit]) -> [Lit; 8] {
        let bits = (usize::BITS - cells.len().saturating_sub(1).leading_zeros()) as usize;
        let (low, high) = index.split_at(bits);
        let outside = self.any(high.iter().copied());
        if outside == TRUE || cells.is_empty() {
            return [FALSE; 8];
        }
        self.tree(cells, low).map(|lit| self.and(lit, !outside))
    }

    /// The cell at an index of so many bits.
    fn tree(&mut self, cells: &[[Lit; 8]], index: &[Lit]) -> [Lit; 8] {
        let Some(&first) = cells.first() else { return [FALSE; 8] };
        let Some((&decision, rest)) = index.split_last() else { return first };
        let (low, high) = cells.split_at((1 << rest.len()).min(cells.len()));
        match decision {
            TRUE => self.tree(high, rest),
            FALSE => self.tree(low, rest),
            _ => {
                let (low, high) = (self.tree(low, rest), self.tree(high, rest));
                std::array::from_fn(|bit| self.mux(decision, high[bit], low[bit]))
            }
        }
    }
}
