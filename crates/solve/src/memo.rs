//! What is known by number, and forgotten all at once.

use offshoot_expr::{Pool, SetId, TermId};

/// Values by term, valid where the stamp is the current one.
pub struct Memo {
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
    pub fn clear(&mut self) {
        self.stamp += 1;
    }

    pub fn len(&self) -> usize {
        self.stamps.len()
    }

    /// Room for so many terms; what is known stays.
    pub fn grow(&mut self, len: usize) {
        if self.len() < len {
            self.stamps.resize(len, 0);
            self.values.resize(len, 0);
        }
    }

    #[inline]
    pub fn get(&self, id: TermId) -> Option<u128> {
        (self.stamps.get(id.index()) == Some(&self.stamp)).then(|| self.values[id.index()])
    }

    #[inline]
    pub fn set(&mut self, id: TermId, value: u128) {
        self.stamps[id.index()] = self.stamp;
        self.values[id.index()] = value;
    }
}

/// Which terms depend on one of a few bytes.
#[derive(Default)]
pub struct Watch {
    bytes: Vec<(u32, u32)>,
    stamp: u32,
    /// By set of bytes, valid where the stamp is the current one.
    sets: Vec<(u32, bool)>,
}

impl Watch {
    pub fn start(&mut self, bytes: impl Iterator<Item = (u32, u32)>) {
        self.bytes.clear();
        self.bytes.extend(bytes);
        self.stamp += 1;
    }

    #[inline]
    pub fn touches(&mut self, pool: &Pool, set: SetId) -> bool {
        if self.sets.len() <= set.index() {
            self.sets.resize(set.index() + 1, (0, false));
        }
        let entry = &mut self.sets[set.index()];
        if entry.0 != self.stamp {
            let support = pool.support_set(set);
            *entry = (self.stamp, self.bytes.iter().any(|&(source, offset)| support.contains(source, offset)));
        }
        entry.1
    }

    /// The support of `term` must be known to the pool.
    #[inline]
    pub fn touches_term(&mut self, pool: &Pool, term: TermId) -> bool {
        self.touches(pool, known_support(pool, term))
    }
}

/// Of a term that a question is about.
#[inline]
pub fn known_support(pool: &Pool, term: TermId) -> SetId {
    pool.known_support(term).unwrap_or_else(|| unreachable!("supports are computed before changes"))
}
