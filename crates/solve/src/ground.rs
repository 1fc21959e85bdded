//! What terms are worth under the hint, and under the hint with a few bytes changed.
//!
//! Values under the hint are computed once per term. A question about a change then only walks the terms that depend on
//! a changed byte, and everything else is looked up.

use crate::answer::Change;
use crate::domain::Domain;
use crate::lanes::{self, Lane, Operand};
use offshoot_expr::word::WordOp;
use offshoot_expr::{Input, Pool, SetId, Term, TermId};

/// Lanes kept at most: 8 MiB.
const LANES: usize = 4096;

/// For one pool that only grows, and one hint.
pub struct Ground {
    /// The hint; while a change is looked at, with the change.
    input: Input,
    hint: Memo,
    /// Empty while the path rests.
    desk: Desk,
    /// Lanes computed so far: what questions about bytes cost.
    spent: usize,
}

/// What is only of use while questions about one path are asked: much larger than what is known of a path.
#[derive(Default)]
pub struct Desk {
    changed: Memo,
    changes: Vec<(u32, u32)>,
    /// Whether a set of bytes contains a changed one, by set, if the stamp is the current one.
    touched: Vec<(u32, bool)>,
    /// The byte whose lanes are in `changed`, as slots.
    lanes_of: Option<(u32, u32)>,
    lanes: Vec<Lane>,
    stack: Vec<TermId>,
}

impl Desk {
    /// For another pool.
    fn clear(&mut self) {
        self.changed.stamp += 1;
        self.lanes_of = None;
    }
}

/// Values by term, valid where the stamp is the current one.
struct Memo {
    stamp: u32,
    stamps: Vec<u32>,
    values: Vec<u128>,
}

impl Default for Memo {
    fn default() -> Memo {
        Memo { stamp: 1, stamps: Vec::new(), values: Vec::new() }
    }
}

impl Memo {
    fn len(&self) -> usize {
        self.stamps.len()
    }
    fn grow(&mut self, len: usize) {
        if self.len() < len {
            self.stamps.resize(len, 0);
            self.values.resize(len, 0);
        }
    }
    #[inline]
    fn get(&self, id: TermId) -> Option<u128> {
        (self.stamps.get(id.index()) == Some(&self.stamp)).then(|| self.values[id.index()])
    }
    #[inline]
    fn set(&mut self, id: TermId, value: u128) {
        self.stamps[id.index()] = self.stamp;
        self.values[id.index()] = value;
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
        self.desk.changes.clear();
        self.desk.changes.extend(bytes);
        self.desk.changed.grow(pool.len());
        self.desk.changed.stamp += 1;
    }

    fn is_touched(&mut self, pool: &Pool, term: TermId) -> bool {
        let set = pool.known_support(term).unwrap_or_else(|| unreachable!("supports are computed before changes"));
        touched(&mut self.desk.touched, self.desk.changed.stamp, pool, set, &self.desk.changes)
    }

    fn changed_value(&mut self, pool: &Pool, root: TermId) -> u128 {
        let (input, hint, stamps, changes) = (&self.input, &self.hint, &mut self.desk.touched, &self.desk.changes);
        let stamp = self.desk.changed.stamp;
        evaluate(pool, root, input, &mut self.desk.changed, &mut self.desk.stack, |id| {
            let known = hint.get(id)?;
            let set = pool.known_support(id)?;
            (!touched(stamps, stamp, pool, set, changes)).then_some(known)
        })
    }

    /// Lanes computed so far, each worth some 100 ns.
    pub fn spent(&self) -> usize {
        self.spent
    }

    /// The values of one byte for which `root` (of width 1) holds, all other bytes as in the hint. `None`: too large.
    pub fn lanes(&mut self, pool: &Pool, root: TermId, byte: (u32, u32)) -> Option<Domain> {
        if self.desk.lanes_of != Some(byte) || self.desk.lanes.len() > LANES / 2 || self.desk.changed.len() < pool.len()
        {
            self.start(pool, [byte].into_iter());
            self.desk.lanes_of = Some(byte);
            self.desk.lanes.clear();
        }
        if !self.is_touched(pool, root) {
            return Some(if self.value(pool, root) != 0 { Domain::FULL } else { Domain::EMPTY });
        }
        match self.fill(pool, root) {
            Ok(slot) => Some(lanes::domain(&self.desk.lanes[slot])),
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
        let mut words = [0; 3];
        for (at, kid) in term.operands().enumerate() {
            if self.desk.changed.get(kid).is_none() {
                words[at] = self.value(pool, kid) as u64;
            }
        }
        let mut lane = [0; 256];
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
                for &cell in cells.symbolic() {
                    if self.desk.changed.get(cell).is_none() {
                        self.value(pool, cell);
                    }
                }
                let (slots, hint, filled) = (&self.desk.changed, &self.hint, &self.desk.lanes);
                let index = match slots.get(index) {
                    Some(slot) => Operand::Lane(&filled[slot as usize]),
                    None => Operand::Word(words[0]),
                };
                lanes::select(&mut lane, index, bytes, cells.cells().len(), |at, v| {
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
                    operands[at] = match self.desk.changed.get(kid) {
                        Some(slot) => Operand::Lane(&self.desk.lanes[slot as usize]),
                        None => Operand::Word(words[at]),
                    };
                    if at == 0 {
                        wa = pool.width(kid);
                    }
                }
                let [a, b, c] = operands;
                lanes::apply(WordOp::of(&term, wa), &mut lane, a, b, c);
            }
        }
        self.desk.changed.set(id, self.desk.lanes.len() as u128);
        self.desk.lanes.push(lane);
        self.spent += 1;
        Ok(())
    }
}

enum TooLarge {
    Width,
    Lanes,
}

#[inline]
fn touched(stamps: &mut Vec<(u32, bool)>, stamp: u32, pool: &Pool, set: SetId, changes: &[(u32, u32)]) -> bool {
    if stamps.len() <= set.index() {
        stamps.resize(set.index() + 1, (0, false));
    }
    let entry = &mut stamps[set.index()];
    if entry.0 != stamp {
        let support = pool.support_set(set);
        *entry = (stamp, changes.iter().any(|&(source, offset)| support.contains(source, offset)));
    }
    entry.1
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
