//! What terms are worth under the hint, and under the hint with a few bytes changed.
//!
//! Values under the hint are computed once per term. A question about a change then only walks the terms that depend on
//! a changed byte, and everything else is looked up.

use crate::answer::Change;
use crate::domain::Domain;
use crate::forms::Forms;
use crate::lanes::{self, Lanes, Operand};
use crate::memo::{Memo, Watch, known_support};
use offshoot_expr::word::WordOp;
use offshoot_expr::{Input, Pool, Term, TermId};

/// Lanes kept at most: 8 MiB.
const LANES: usize = 4096;

/// For one pool that only grows, and one hint.
pub struct Ground {
    /// The hint; while a change is looked at, with the change.
    input: Input,
    hint: Memo,
    /// Empty while the path rests.
    desk: Desk,
    /// Terms looked at so far as functions of a byte.
    spent: usize,
}

/// What is only of use while questions about one path are asked: much larger than what is known of a path.
#[derive(Default)]
pub struct Desk {
    changed: Memo,
    changes: Watch,
    /// The byte whose lanes are in `changed`, as slots.
    lanes_of: Option<(u32, u32)>,
    lanes: Lanes,
    forms: Forms,
    stack: Vec<TermId>,
}

impl Desk {
    /// For another pool.
    fn clear(&mut self) {
        self.changed.clear();
        self.lanes_of = None;
        self.forms.clear();
    }
}

impl Ground {
    pub fn new(hint: &Input) -> Ground {
        Ground { input: hint.clone(), hint: Memo::default(), desk: Desk::default(), spent: 0 }
    }

    /// Goes on, at a desk where another path may have been before.
    pub fn sit_down(&mut self, desk: Desk, is_ours: bool) {
        self.desk = desk;
        if !is_ours {
            self.desk.clear();
        }
    }

    pub fn leave(&mut self) -> Desk {
        std::mem::take(&mut self.desk)
    }

    /// Under the hint.
    pub fn value(&mut self, pool: &Pool, root: TermId) -> u128 {
        if let Some(value) = self.hint.get(root) {
            return value;
        }
        self.hint.grow(pool.len());
        let (input, memo) = (&self.input, &mut self.hint);
        evaluate(pool, root, input, memo, &mut self.desk.stack, |_| None)
    }

    /// Looks at the hint with `changes`: `ask` gets a function that says what a term is worth then. The support of
    /// every term asked for must be known to the pool.
    pub fn under<T>(
        &mut self,
        pool: &Pool,
        changes: &[Change],
        ask: impl FnOnce(&mut dyn FnMut(TermId) -> u128) -> T,
    ) -> T {
        let before: Vec<u8> = changes.iter().map(|c| self.input.get(c.source, c.offset)).collect();
        for change in changes {
            self.input.set(change.source, change.offset, change.value);
        }
        self.desk.lanes_of = None;
        self.start(pool, changes.iter().map(|c| (c.source, c.offset)));
        let answer = ask(&mut |root| self.changed_value(pool, root));
        for (change, &value) in changes.iter().zip(&before) {
            self.input.set(change.source, change.offset, value);
        }
        answer
    }

    fn start(&mut self, pool: &Pool, bytes: impl Iterator<Item = (u32, u32)>) {
        self.desk.changes.start(bytes);
        self.desk.changed.grow(pool.len());
        self.desk.changed.clear();
    }

    fn is_touched(&mut self, pool: &Pool, term: TermId) -> bool {
        self.desk.changes.touches_term(pool, term)
    }

    fn changed_value(&mut self, pool: &Pool, root: TermId) -> u128 {
        let (input, hint, changes) = (&self.input, &self.hint, &mut self.desk.changes);
        evaluate(pool, root, input, &mut self.desk.changed, &mut self.desk.stack, |id| {
            let known = hint.get(id)?;
            let set = pool.known_support(id)?;
            (!changes.touches(pool, set)).then_some(known)
        })
    }

    /// Terms looked at so far as functions of a byte: each worth some 100 ns, or less if its form is known.
    pub fn spent(&self) -> usize {
        self.spent
    }

    /// The values of one byte for which `root` (of width 1) holds, all other bytes as in the hint. `None`: too large.
    pub fn lanes(&mut self, pool: &Pool, root: TermId, byte: (u32, u32)) -> Option<Domain> {
        if !pool.support_set(known_support(pool, root)).contains(byte.0, byte.1) {
            return Some(if self.value(pool, root) != 0 { Domain::FULL } else { Domain::EMPTY });
        }
        let name = self.name(pool, root, byte);
        if let Some(domain) = name.and_then(|name| self.desk.forms.get(name)) {
            return Some(domain);
        }
        let before = self.spent;
        let domain = self.computed(pool, root, byte)?;
        if let Some(name) = name {
            self.desk.forms.put(name, domain);
            // Its terms are counted, and what is tried next must not depend on what was known.
            self.spent = before;
        }
        Some(domain)
    }

    fn name(&mut self, pool: &Pool, root: TermId, byte: (u32, u32)) -> Option<u128> {
        let (input, hint, stack) = (&self.input, &mut self.hint, &mut self.desk.stack);
        hint.grow(pool.len());
        let before = self.desk.forms.named();
        let value = |id| hint.get(id).unwrap_or_else(|| evaluate(pool, id, input, hint, stack, |_| None));
        let name = self.desk.forms.name(pool, root, byte, value);
        self.spent += self.desk.forms.named() - before;
        name
    }

    fn computed(&mut self, pool: &Pool, root: TermId, byte: (u32, u32)) -> Option<Domain> {
        if self.desk.lanes_of != Some(byte) || self.desk.lanes.len() > LANES / 2 || self.desk.changed.len() < pool.len()
        {
            self.start(pool, [byte].into_iter());
            self.desk.lanes_of = Some(byte);
            self.desk.lanes.clear();
        }
        match self.fill(pool, root) {
            Ok(slot) => Some(self.desk.lanes.domain(slot)),
            Err(TooLarge::Lanes) => None,
            Err(TooLarge::Width) => Some(self.one_by_one(pool, root, byte)),
        }
    }

    fn one_by_one(&mut self, pool: &Pool, root: TermId, (source, offset): (u32, u32)) -> Domain {
        self.spent += 64;
        Domain::of(|value| self.under(pool, &[Change { source, offset, value }], |eval| eval(root) != 0))
    }

    /// The lane of a touched term.
    fn fill(&mut self, pool: &Pool, root: TermId) -> Result<usize, TooLarge> {
        let mut stack = std::mem::take(&mut self.desk.stack);
        stack.clear();
        stack.push(root);
        let mut result = Ok(());
        while let Some(&top) = stack.last() {
            if self.desk.changed.get(top).is_some() {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            pool.for_each_kid(top, |kid| {
                if self.desk.changed.get(kid).is_none() && self.is_touched(pool, kid) {
                    stack.push(kid);
                }
            });
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            result = self.lane(pool, top);
            if result.is_err() {
                break;
            }
        }
        self.desk.stack = stack;
        result?;
        self.desk.changed.get(root).map(|slot| slot as usize).ok_or(TooLarge::Lanes)
    }

    fn lane(&mut self, pool: &Pool, id: TermId) -> Result<(), TooLarge> {
        let term = pool.get(id);
        if term.width() > 64 || term.operands().any(|kid| pool.width(kid) > 64) {
            return Err(TooLarge::Width);
        }
        if self.desk.lanes.len() >= LANES {
            return Err(TooLarge::Lanes);
        }
        // Values under the hint first: they need `self` whole.
        if let Term::Select { table, .. } = term {
            for &cell in pool.cells(table).symbolic() {
                if self.desk.changed.get(cell).is_none() {
                    self.value(pool, cell);
                }
            }
        }
        let mut words = [0; 3];
        for (at, kid) in term.operands().enumerate() {
            if self.desk.changed.get(kid).is_none() {
                words[at] = self.value(pool, kid) as u64;
            }
        }
        let (slots, hint) = (&self.desk.changed, &self.hint);
        let (filled, lane) = self.desk.lanes.next();
        match term {
            Term::Const { value, .. } => lane.fill(value as u64),
            Term::Read { source, offset, bytes } => {
                let word = self.input.read(source, offset, bytes) as u64;
                let (_, changed) = self.desk.lanes_of.unwrap_or_default();
                let shift = 8 * changed.wrapping_sub(offset).min(7);
                let rest = word & !(0xFF << shift);
                lane.iter_mut().enumerate().for_each(|(v, out)| *out = rest | (v as u64) << shift);
            }
            Term::Select { table, index, bytes } => {
                let cells = pool.cells(table);
                let index = match slots.get(index) {
                    Some(slot) => Operand::Lane(&filled[slot as usize]),
                    None => Operand::Word(words[0]),
                };
                lanes::select(lane, index, bytes, cells.cells().len(), |at, v| {
                    let cell = cells.cells()[at];
                    match (pool.value(cell), slots.get(cell)) {
                        (Some(value), _) => value as u64,
                        (None, Some(slot)) => filled[slot as usize][v],
                        (None, None) => hint.get(cell).unwrap_or(0) as u64,
                    }
                });
            }
            _ => {
                let mut operands = [Operand::Word(0); 3];
                let mut wa = 0;
                for (at, kid) in term.operands().enumerate() {
                    operands[at] = match slots.get(kid) {
                        Some(slot) => Operand::Lane(&filled[slot as usize]),
                        None => Operand::Word(words[at]),
                    };
                    if at == 0 {
                        wa = pool.width(kid);
                    }
                }
                let [a, b, c] = operands;
                lanes::apply(WordOp::of(&term, wa), lane, a, b, c);
            }
        }
        let slot = self.desk.lanes.keep();
        self.desk.changed.set(id, slot as u128);
        self.spent += 1;
        Ok(())
    }
}

enum TooLarge {
    Width,
    Lanes,
}

/// The value of `root`; `known` cuts the walk short.
fn evaluate(
    pool: &Pool,
    root: TermId,
    input: &Input,
    memo: &mut Memo,
    stack: &mut Vec<TermId>,
    mut known: impl FnMut(TermId) -> Option<u128>,
) -> u128 {
    stack.clear();
    stack.push(root);
    while let Some(&top) = stack.last() {
        if memo.get(top).is_some() {
            stack.pop();
            continue;
        }
        if let Some(value) = known(top) {
            memo.set(top, value);
            stack.pop();
            continue;
        }
        let waiting = stack.len();
        pool.for_each_kid(top, |kid| {
            if memo.get(kid).is_none() {
                stack.push(kid);
            }
        });
        if stack.len() == waiting {
            memo.set(top, compute(pool, top, input, memo));
            stack.pop();
        }
    }
    memo.get(root).unwrap_or(0)
}

/// The value of a term whose operands' values are in the memo.
fn compute(pool: &Pool, id: TermId, input: &Input, memo: &Memo) -> u128 {
    let get = |kid| memo.get(kid).unwrap_or(0);
    let term = pool.get(id);
    match term {
        Term::Const { value, .. } => value,
        Term::Read { source, offset, bytes } => input.read(source, offset, bytes),
        Term::Select { table, index, bytes } => {
            let cells = pool.cells(table).cells();
            (0..bytes as u64).rev().fold(0, |value, byte| {
                let at = usize::try_from((get(index) as u64).wrapping_add(byte)).unwrap_or(usize::MAX);
                let cell = cells.get(at).map_or(0, |&cell| pool.value(cell).unwrap_or_else(|| get(cell)));
                value << 8 | cell & 0xFF
            })
        }
        _ => {
            let mut values = [0; 3];
            let (mut wa, mut widest) = (0, term.width());
            for (at, kid) in term.operands().enumerate() {
                values[at] = get(kid);
                let width = pool.width(kid);
                widest = widest.max(width);
                if at == 0 {
                    wa = width;
                }
            }
            let [a, b, c] = values;
            if widest <= 64 {
                WordOp::of(&term, wa).apply(a as u64, b as u64, c as u64) as u128
            } else {
                term.apply(wa, a, b, c)
            }
        }
    }
}

#[cfg(test)]
mod tests;
