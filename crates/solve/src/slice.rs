//! The prefix of a path, indexed by input byte: which of its conditions matter to a goal.
//!
//! A condition over one byte becomes part of that byte's domain and is otherwise only kept for checking. Of every byte
//! the domain is known as it was after each condition, so that a question about the first `upto` conditions costs a
//! binary search, however many follow.

use crate::answer::Change;
use crate::components::Components;
use crate::domain::Domain;
use crate::ground::Ground;
use offshoot_expr::hash::{FastMap, FastSet};
use offshoot_expr::{Pool, SetId, TermId};

/// Conditions over more bytes than this are not in every byte's list, but in one list of their own.
const WIDE: usize = 64;

#[derive(Clone, Copy, Debug)]
struct Condition {
    term: TermId,
    /// Among all that were pushed.
    position: u32,
    set: SetId,
}

/// A domain from a position on.
#[derive(Clone, Copy, Debug)]
struct Narrowed {
    position: u32,
    domain: Domain,
    /// The condition that narrowed it.
    term: TermId,
}

#[derive(Clone, Debug)]
struct Byte {
    source: u32,
    offset: u32,
    /// Conditions over this byte alone: all of them, and those that took values away.
    alone: Vec<(u32, TermId)>,
    own: Vec<Narrowed>,
    /// Indices of conditions over this byte and a few others.
    shared: Vec<u32>,
    /// What the shared conditions leave if all other bytes are as in the hint, as far as it was asked for.
    beside: Vec<Narrowed>,
    /// How many of `shared` and of the wide conditions are in `beside`.
    done: (usize, usize),
    /// From this position on `beside` is not known: a condition was too large.
    blind: u32,
}

impl Byte {
    fn at(history: &[Narrowed], upto: u32) -> Domain {
        match history.last() {
            None => Domain::FULL,
            Some(last) if last.position < upto => last.domain,
            _ => match history.partition_point(|n| n.position < upto) {
                0 => Domain::FULL,
                at => history[at - 1].domain,
            },
        }
    }
}

#[derive(Default)]
pub struct Prefix {
    pushed: u32,
    seen: FastSet<TermId>,
    conditions: Vec<Condition>,
    /// Indices of conditions over many bytes.
    wide: Vec<u32>,
    bytes: Vec<Byte>,
    ids: FastMap<(u32, u32), u32>,
    /// For walks: what was seen already.
    stamp: u32,
    condition_stamps: Vec<u32>,
    components: Components,
}

/// Every byte that matters to a goal, and the terms over them.
#[derive(Clone, Debug, Default)]
pub struct Slice {
    /// In path order, the goal excepted. Of conditions over one byte only those that narrow its domain.
    pub terms: Vec<TermId>,
    pub bytes: Vec<(u32, u32)>,
}

impl Prefix {
    /// How many conditions were pushed, those that were dropped included.
    pub fn len(&self) -> usize {
        self.pushed as usize
    }

    pub fn is_empty(&self) -> bool {
        self.pushed == 0
    }

    /// A position that holds no condition.
    pub fn skip(&mut self) {
        self.pushed += 1;
    }

    /// Contract: the hint satisfies `term`, which is no constant.
    pub fn push(&mut self, pool: &mut Pool, ground: &mut Ground, term: TermId) {
        let position = self.pushed;
        self.pushed += 1;
        if !self.seen.insert(term) {
            return;
        }
        let set = pool.support_id(term);
        let size = pool.support_set(set).len();
        if size == 1 {
            let Some(key) = pool.support_set(set).bytes().next() else { return };
            let id = self.byte(key);
            let byte = &mut self.bytes[id as usize];
            byte.alone.push((position, term));
            let before = Byte::at(&byte.own, u32::MAX);
            // One byte is never too large for lanes unless its terms are, and then it is shared with nobody else.
            match ground.lanes(pool, term, key) {
                Some(domain) if before.and(domain) != before => {
                    byte.own.push(Narrowed { position, domain: before.and(domain), term });
                }
                Some(_) => {}
                None => self.share(pool, Condition { term, position, set }),
            }
            return;
        }
        self.share(pool, Condition { term, position, set });
    }

    fn share(&mut self, pool: &Pool, condition: Condition) {
        let index = self.conditions.len() as u32;
        self.conditions.push(condition);
        let support = pool.support_set(condition.set);
        if support.len() > WIDE {
            self.wide.push(index);
        } else {
            for key in support.bytes() {
                let id = self.byte(key);
                self.bytes[id as usize].shared.push(index);
            }
        }
    }

    fn byte(&mut self, key: (u32, u32)) -> u32 {
        let next = self.bytes.len() as u32;
        let id = *self.ids.entry(key).or_insert(next);
        if id == next {
            self.bytes.push(Byte {
                source: key.0,
                offset: key.1,
                alone: Vec::new(),
                own: Vec::new(),
                shared: Vec::new(),
                beside: Vec::new(),
                done: (0, 0),
                blind: u32::MAX,
            });
        }
        id
    }

    /// The values that the conditions over this byte alone leave.
    pub fn own(&self, key: (u32, u32), upto: u32) -> Domain {
        self.ids.get(&key).map_or(Domain::FULL, |&id| Byte::at(&self.bytes[id as usize].own, upto))
    }

    /// Whether there are conditions over this byte and others.
    pub fn is_shared(&self, pool: &Pool, (source, offset): (u32, u32), upto: u32) -> bool {
        let first = |list: &[u32]| list.first().is_some_and(|&at| self.conditions[at as usize].position < upto);
        self.ids.get(&(source, offset)).is_some_and(|&id| first(&self.bytes[id as usize].shared))
            || first(&self.wide)
                && self.wide.iter().map(|&at| &self.conditions[at as usize]).any(|condition| {
                    condition.position < upto && pool.support_set(condition.set).contains(source, offset)
                })
    }

    /// The values that all conditions leave while all other bytes are as in the hint. `None`: not known.
    pub fn alone(&mut self, pool: &Pool, ground: &mut Ground, key: (u32, u32), upto: u32) -> Option<Domain> {
        let id = self.byte(key);
        self.extend(pool, ground, id, upto);
        let byte = &self.bytes[id as usize];
        (byte.blind >= upto).then(|| Byte::at(&byte.own, upto).and(Byte::at(&byte.beside, upto)))
    }

    /// Brings `beside` up to `upto`.
    fn extend(&mut self, pool: &Pool, ground: &mut Ground, id: u32, upto: u32) {
        let byte = &mut self.bytes[id as usize];
        let key = (byte.source, byte.offset);
        while byte.blind == u32::MAX {
            let conditions = &self.conditions;
            let peek = |list: &[u32], at: usize| {
                list.get(at).map(|&c| conditions[c as usize]).filter(|condition| condition.position < upto)
            };
            let condition = match (peek(&byte.shared, byte.done.0), peek(&self.wide, byte.done.1)) {
                (None, None) => break,
                (Some(near), wide) if wide.is_none_or(|wide| near.position < wide.position) => {
                    byte.done.0 += 1;
                    near
                }
                (_, Some(wide)) => {
                    byte.done.1 += 1;
                    wide
                }
                (Some(_), None) => break,
            };
            let before = Byte::at(&byte.beside, u32::MAX);
            // The hint's own value stays whatever comes.
            if before.len() == 1 || !pool.support_set(condition.set).contains(key.0, key.1) {
                continue;
            }
            match ground.lanes(pool, condition.term, key) {
                Some(domain) if before.and(domain) != before => {
                    let (position, term) = (condition.position, condition.term);
                    byte.beside.push(Narrowed { position, domain: before.and(domain), term });
                }
                Some(_) => {}
                None => byte.blind = condition.position,
            }
        }
    }

    /// All conditions before `upto` that a change of these bytes can break, the goal not among them.
    pub fn touching(
        &mut self,
        pool: &Pool,
        changes: &[Change],
        upto: u32,
        mut visit: impl FnMut(TermId) -> bool,
    ) -> bool {
        self.fresh();
        for change in changes {
            if let Some(&id) = self.ids.get(&(change.source, change.offset)) {
                let byte = &self.bytes[id as usize];
                if !byte.alone.iter().take_while(|c| c.0 < upto).all(|&(_, term)| visit(term)) {
                    return false;
                }
                for &at in &byte.shared {
                    let condition = &self.conditions[at as usize];
                    if condition.position >= upto {
                        break;
                    }
                    if std::mem::replace(&mut self.condition_stamps[at as usize], self.stamp) != self.stamp
                        && !visit(condition.term)
                    {
                        return false;
                    }
                }
            }
        }
        self.wide.iter().map(|&at| self.conditions[at as usize]).take_while(|c| c.position < upto).all(|condition| {
            let support = pool.support_set(condition.set);
            !changes.iter().any(|c| support.contains(c.source, c.offset)) || visit(condition.term)
        })
    }

    fn fresh(&mut self) {
        self.stamp += 1;
        self.condition_stamps.resize(self.conditions.len(), 0);
    }

    /// What shares bytes with the goal, directly and through others.
    pub fn slice(&mut self, pool: &Pool, goal: SetId, upto: u32) -> Slice {
        let count = self.conditions.partition_point(|condition| condition.position < upto);
        if count < self.components.len() {
            // Questions come in path order; one that goes back starts over.
            self.components = Components::default();
        }
        let goal: Vec<u32> = pool.support_set(goal).bytes().map(|key| self.byte(key)).collect();
        let mut components = std::mem::take(&mut self.components);
        for index in components.len()..count {
            let set = self.conditions[index].set;
            if !components.add_to_known(index as u32, set) {
                components.add(index as u32, set, pool.support_set(set).ranges(), |key| self.byte(key));
            }
        }
        self.components = components;
        self.components.grow(self.bytes.len());
        let (bytes, conditions) = self.components.of(goal.into_iter());
        let shared = conditions.iter().map(|&at| self.conditions[at as usize]).map(|c| (c.position, c.term));
        let mut terms: Vec<(u32, TermId)> = shared.collect();
        let mut keys = Vec::with_capacity(bytes.len());
        for byte in bytes.iter().map(|&id| &self.bytes[id as usize]) {
            keys.push((byte.source, byte.offset));
            terms.extend(byte.own.iter().take_while(|n| n.position < upto).map(|n| (n.position, n.term)));
        }
        terms.sort_unstable();
        keys.sort_unstable();
        Slice { terms: terms.into_iter().map(|(_, term)| term).collect(), bytes: keys }
    }
}
