//! Conditions as functions of one byte, by their form: the name of the byte is left out, and all that does not depend on it
//! is the value that it has under the hint. A parser asks the same of every byte of every input, so whoever wants to know
//! for which values a condition holds finds the answer of an earlier path more often than not.

use crate::digest::Digest;
use crate::domain::Domain;
use crate::generations::Generations;
use crate::memo::{Memo, Watch};
use offshoot_expr::hash::FastMap;
use offshoot_expr::{Pool, TableId, Term, TermId};

/// Domains kept: about 4 MiB.
const KEPT: usize = 1 << 16;

pub struct Forms {
    domains: Generations<Domain>,
    /// Names of terms as functions of this byte.
    names: Memo,
    byte: Option<(u32, u32)>,
    watch: Watch,
    /// Names of constant tables.
    tables: FastMap<TableId, u128>,
    stack: Vec<TermId>,
    named: usize,
}

impl Default for Forms {
    fn default() -> Forms {
        Forms {
            domains: Generations::new(KEPT),
            names: Memo::default(),
            byte: None,
            watch: Watch::default(),
            tables: FastMap::default(),
            stack: Vec::new(),
            named: 0,
        }
    }
}

impl Forms {
    /// For another pool or hint. Domains mean the same everywhere.
    pub fn clear(&mut self) {
        self.byte = None;
        self.tables.clear();
    }

    pub fn get(&mut self, name: u128) -> Option<Domain> {
        self.domains.get(name)
    }

    pub fn put(&mut self, name: u128, domain: Domain) {
        self.domains.put(name, domain);
    }

    /// Terms named so far.
    pub fn named(&self) -> usize {
        self.named
    }

    /// `root`, which depends on `byte`, as a function of it; `hint` gives a term's value under the hint. Terms with equal names
    /// are equal functions. `None`: one of its tables has cells that are no constants.
    pub fn name(
        &mut self,
        pool: &Pool,
        root: TermId,
        byte: (u32, u32),
        mut hint: impl FnMut(TermId) -> u128,
    ) -> Option<u128> {
        self.names.grow(pool.len());
        if self.byte != Some(byte) {
            self.names.clear();
            self.watch.start([byte].into_iter());
            self.byte = Some(byte);
        }
        self.stack.clear();
        self.stack.push(root);
        while let Some(&top) = self.stack.last() {
            if self.names.get(top).is_some() {
                self.stack.pop();
                continue;
            }
            let term = pool.get(top);
            let waiting = self.stack.len();
            for kid in term.operands() {
                if self.names.get(kid).is_none() && self.watch.touches_term(pool, kid) {
                    self.stack.push(kid);
                }
            }
            if self.stack.len() == waiting {
                let name = self.name_of(pool, top, term, byte, &mut hint)?;
                self.names.set(top, name);
                self.named += 1;
                self.stack.pop();
            }
        }
        self.names.get(root)
    }

    /// Of a term that depends on the byte, as all its operands do that have a name.
    fn name_of(
        &mut self,
        pool: &Pool,
        id: TermId,
        term: Term,
        (_, offset): (u32, u32),
        hint: &mut impl FnMut(TermId) -> u128,
    ) -> Option<u128> {
        let mut digest = Digest::default();
        let mut add = |value: u128| {
            digest.add(value as u64);
            digest.add((value >> 64) as u64);
        };
        // The width of an operand is in its name, or here if it is a value.
        let mut head = (term.op() as u64) << 8 | term.width() as u64;
        for kid in term.operands() {
            let name = self.names.get(kid);
            head = head << 9 | name.map_or(0x100 | pool.width(kid) as u64, |_| 0);
            add(name.unwrap_or_else(|| hint(kid)));
        }
        match term {
            Term::Read { offset: start, .. } => {
                let shift = 8 * offset.wrapping_sub(start);
                add((hint(id) & !(0xFF << shift)) | 1 << shift);
                head = head << 9 | shift as u64;
            }
            Term::Extract { low, .. } => head = head << 9 | low as u64,
            Term::Select { table, .. } => {
                let constant = pool.cells(table).constant()?;
                add(*self.tables.entry(table).or_insert_with(|| Digest::of(constant)));
            }
            _ => {}
        }
        digest.add(head);
        Some(digest.finish())
    }
}
