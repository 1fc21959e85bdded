//! Which input bytes a term depends on.
//!
//! Sets are sorted lists of ranges: a checksum over a whole file depends on one range, however long. They are interned,
//! so that the many terms over the same bytes share one set and a union is computed once.

use crate::hash::FastMap;
use crate::term::{Pool, Term, TermId};
use std::sync::Arc;

/// Bytes `start..end` of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ByteRange {
    pub source: u32,
    pub start: u32,
    pub end: u32,
}

/// A set of input bytes: sorted, not empty, neither overlapping nor touching ranges.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Support {
    ranges: Arc<[ByteRange]>,
}

impl Support {
    pub fn ranges(&self) -> &[ByteRange] {
        &self.ranges
    }

    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Number of bytes.
    pub fn len(&self) -> usize {
        self.ranges.iter().map(|r| (r.end - r.start) as usize).sum()
    }

    /// `(source, offset)`, ascending.
    pub fn bytes(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.ranges.iter().flat_map(|r| (r.start..r.end).map(move |offset| (r.source, offset)))
    }

    pub fn contains(&self, source: u32, offset: u32) -> bool {
        let at = self.ranges.partition_point(|r| (r.source, r.end) <= (source, offset));
        self.ranges.get(at).is_some_and(|r| r.source == source && r.start <= offset)
    }

    pub fn intersects(&self, other: &Support) -> bool {
        let (mut a, mut b) = (self.ranges.iter().peekable(), other.ranges.iter().peekable());
        while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
            if (x.source, x.end) <= (y.source, y.start) {
                a.next();
            } else if (y.source, y.end) <= (x.source, x.start) {
                b.next();
            } else {
                return true;
            }
        }
        false
    }

    pub fn union(&self, other: &Support) -> Support {
        let mut all: Vec<ByteRange> = self.ranges.iter().chain(other.ranges.iter()).copied().collect();
        all.sort_unstable();
        let mut merged: Vec<ByteRange> = Vec::with_capacity(all.len());
        for range in all {
            match merged.last_mut() {
                Some(last) if last.source == range.source && range.start <= last.end => {
                    last.end = last.end.max(range.end);
                }
                _ => merged.push(range),
            }
        }
        Support { ranges: merged.into() }
    }
}

/// An interned [`Support`] of one pool: equal sets have equal ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SetId(u32);

impl SetId {
    /// Dense, from 0 on.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

const UNKNOWN: SetId = SetId(u32::MAX);
const EMPTY: SetId = SetId(0);

/// The cache behind [`Pool::support`]. The default is an empty place, which costs nothing.
#[derive(Default)]
pub(crate) struct Supports {
    of: Vec<SetId>,
    sets: Vec<Support>,
    ids: FastMap<Support, SetId>,
    unions: FastMap<(SetId, SetId), SetId>,
    /// Room for a walk.
    stack: Vec<TermId>,
}

impl Supports {
    pub(crate) fn new() -> Supports {
        let empty = Support::default();
        let ids = FastMap::from_iter([(empty.clone(), EMPTY)]);
        Supports { sets: vec![empty], ids, ..Supports::default() }
    }

    fn known(&self, term: TermId) -> SetId {
        self.of.get(term.index()).copied().unwrap_or(UNKNOWN)
    }

    fn intern(&mut self, set: Support) -> SetId {
        let next = SetId(self.sets.len() as u32);
        let id = *self.ids.entry(set.clone()).or_insert(next);
        if id == next {
            self.sets.push(set);
        }
        id
    }

    fn union(&mut self, a: SetId, b: SetId) -> SetId {
        match (a, b) {
            _ if a == b => a,
            (EMPTY, other) | (other, EMPTY) => other,
            _ => {
                let key = (a.min(b), a.max(b));
                if let Some(&id) = self.unions.get(&key) {
                    return id;
                }
                let set = self.sets[a.0 as usize].union(&self.sets[b.0 as usize]);
                let id = self.intern(set);
                self.unions.insert(key, id);
                id
            }
        }
    }
}

impl Pool {
    /// The input bytes that `term` is made from (after rewriting: a byte that cancelled out is not among them).
    pub fn support(&mut self, term: TermId) -> Support {
        let id = self.support_id(term);
        self.supports.sets[id.index()].clone()
    }

    /// The set behind an id of this pool.
    pub fn support_set(&self, id: SetId) -> &Support {
        &self.supports.sets[id.index()]
    }

    /// The support's id, if [`support_id`](Self::support_id) was asked for the term or for one made from it.
    pub fn known_support(&self, term: TermId) -> Option<SetId> {
        Some(self.supports.known(term)).filter(|&id| id != UNKNOWN)
    }

    /// [`support`](Self::support), by id.
    pub fn support_id(&mut self, term: TermId) -> SetId {
        if let Some(id) = self.known_support(term) {
            return id;
        }
        let mut cache = std::mem::take(&mut self.supports);
        cache.of.resize(self.len(), UNKNOWN);
        let mut stack = std::mem::take(&mut cache.stack);
        stack.push(term);
        while let Some(&top) = stack.last() {
            if cache.known(top) != UNKNOWN {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            self.for_each_kid(top, |kid| {
                if cache.known(kid) == UNKNOWN {
                    stack.push(kid);
                }
            });
            if stack.len() > waiting {
                continue;
            }
            let mut set = match self.get(top) {
                Term::Read { source, offset, bytes } => {
                    let range = ByteRange { source, start: offset, end: offset.saturating_add(bytes as u32) };
                    cache.intern(Support { ranges: [range].into() })
                }
                _ => EMPTY,
            };
            self.for_each_kid(top, |kid| set = cache.union(set, cache.known(kid)));
            cache.of[top.index()] = set;
            stack.pop();
        }
        cache.stack = stack;
        let id = cache.known(term);
        self.supports = cache;
        id
    }
}
