//! Answers by structure: the problem with its bytes numbered in order of occurrence, as a 128-bit hash. A loop asks the
//! same question about each byte, and so does tomorrow's campaign.
//!
//! Of an `Unsat` only the hash is kept; of a `Sat` the bytes, which are tried on the new problem before they count.

use crate::answer::{Answer, Change, Why};
use crate::digest::Digest;
use crate::generations::Generations;
use crate::problem::{Layer, Problem};
use offshoot_expr::hash::FastMap;
use offshoot_expr::{Input, Pool, TableId, Tape, Term, TermId};

/// Of the format below and of the numbering: another version's hashes mean something else.
const VERSION: u32 = 1;
const MAGIC: &[u8; 8] = b"OFFSOLVE";
/// Problems with more terms than this cost more to hash than they are likely to save.
const TERMS: usize = 500;
const CONE: usize = 5000;

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum CacheError {
    #[error("not a solver cache")]
    Magic,
    #[error("a solver cache of version {found}, this is version {VERSION}; remove it to start afresh")]
    Version { found: u32 },
    #[error("the solver cache is damaged; remove it to start afresh")]
    Damaged,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Entry {
    Unsat,
    /// Values of the bytes, in order of occurrence.
    Sat(Box<[u8]>),
}

pub struct Cache {
    entries: Generations<Entry>,
    /// The numbering of the problem that was just asked about: whoever answers it tells us next.
    last: Option<(Vec<TermId>, Key)>,
}

/// A problem's name, and the bytes behind the numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    hash: u128,
    bytes: Vec<(u32, u32)>,
}

impl Cache {
    /// At most about `capacity` answers.
    pub fn new(capacity: usize) -> Cache {
        Cache { entries: Generations::new(capacity), last: None }
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// For keeping on disk: magic, version, entries, checksum.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        let mut entries: Vec<_> = self.entries.iter().collect();
        entries.sort_unstable_by_key(|&(hash, _)| hash);
        for (hash, entry) in entries {
            bytes.extend(hash.to_le_bytes());
            let (len, values): (u32, &[u8]) = match entry {
                Entry::Unsat => (u32::MAX, &[]),
                Entry::Sat(values) => (values.len() as u32, values),
            };
            bytes.extend(len.to_le_bytes());
            bytes.extend(values);
        }
        let sum = Digest::of(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    pub fn from_bytes(bytes: &[u8], capacity: usize) -> Result<Cache, CacheError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(CacheError::Magic)?;
        let (version, _) = rest.split_first_chunk().ok_or(CacheError::Damaged)?;
        let found = u32::from_le_bytes(*version);
        if found != VERSION {
            return Err(CacheError::Version { found });
        }
        let (content, sum) = bytes.split_last_chunk().ok_or(CacheError::Damaged)?;
        if Digest::of(content) != u128::from_le_bytes(*sum) {
            return Err(CacheError::Damaged);
        }
        let mut rest = content.get(MAGIC.len() + 4..).ok_or(CacheError::Damaged)?;
        let mut cache = Cache::new(capacity);
        while !rest.is_empty() {
            let (hash, tail) = rest.split_first_chunk().ok_or(CacheError::Damaged)?;
            let (len, tail) = tail.split_first_chunk().ok_or(CacheError::Damaged)?;
            let (entry, tail) = match u32::from_le_bytes(*len) {
                u32::MAX => (Entry::Unsat, tail),
                len => {
                    let (values, tail) = tail.split_at_checked(len as usize).ok_or(CacheError::Damaged)?;
                    (Entry::Sat(values.into()), tail)
                }
            };
            cache.entries.put(u128::from_le_bytes(*hash), entry);
            rest = tail;
        }
        Ok(cache)
    }
}

impl Layer for Cache {
    fn name(&self) -> &'static str {
        "cache"
    }

    fn solve(&mut self, problem: &mut Problem<'_>) -> Answer {
        const NOT_MINE: Answer = Answer::Unknown(Why::NotMine);
        self.last = None;
        if problem.terms.len() > TERMS {
            return NOT_MINE;
        }
        let Some(key) = Key::of(problem.pool, problem.terms) else { return NOT_MINE };
        let entry = self.entries.get(key.hash);
        let bytes = key.bytes.clone();
        self.last = Some((problem.terms.to_vec(), key));
        match entry {
            None => NOT_MINE,
            Some(Entry::Unsat) => Answer::Unsat,
            Some(Entry::Sat(values)) => {
                let changes =
                    bytes.iter().zip(&values).map(|(&(source, offset), &value)| Change { source, offset, value });
                let mut changes: Vec<Change> =
                    changes.filter(|c| problem.hint.get(c.source, c.offset) != c.value).collect();
                changes.sort_unstable();
                if satisfies(problem.pool, problem.terms, problem.hint, &changes) {
                    Answer::Sat(changes)
                } else {
                    NOT_MINE
                }
            }
        }
    }

    fn learn(&mut self, problem: &mut Problem<'_>, answer: &Answer) {
        let Some((terms, key)) = self.last.take() else { return };
        if terms != problem.terms {
            return;
        }
        let entry = match answer {
            Answer::Unknown(_) => return,
            Answer::Unsat => Entry::Unsat,
            Answer::Sat(changes) => {
                let value = |&(source, offset): &(u32, u32)| {
                    let at = changes.binary_search_by_key(&(source, offset), |c| (c.source, c.offset));
                    at.map_or_else(|_| problem.hint.get(source, offset), |at| changes[at].value)
                };
                Entry::Sat(key.bytes.iter().map(value).collect())
            }
        };
        self.entries.put(key.hash, entry);
    }

    fn keep(&self) -> Option<Vec<u8>> {
        Some(self.to_bytes())
    }

    fn forget(&mut self) {
        self.last = None;
    }
}

fn satisfies(pool: &Pool, terms: &[TermId], hint: &Input, changes: &[Change]) -> bool {
    let mut input = hint.clone();
    changes.iter().for_each(|c| input.set(c.source, c.offset, c.value));
    Tape::new(pool, terms).run(&input).all(|value| value != 0)
}

impl Key {
    fn of(pool: &Pool, terms: &[TermId]) -> Option<Key> {
        let mut walk = Walk::default();
        let mut stack = Vec::new();
        for &term in terms {
            stack.push(term);
            while let Some(&top) = stack.last() {
                if walk.numbers.contains_key(&top) {
                    stack.pop();
                    continue;
                }
                let waiting = stack.len();
                pool.for_each_kid(top, |kid| {
                    if !walk.numbers.contains_key(&kid) {
                        stack.push(kid);
                    }
                });
                if stack.len() == waiting {
                    walk.visit(pool, top);
                    stack.pop();
                }
            }
            walk.hash.add(walk.numbers.get(&term).copied().unwrap_or(0) as u64);
            if walk.numbers.len() > CONE {
                return None;
            }
        }
        walk.hash.add(terms.len() as u64);
        Some(Key { hash: walk.hash.finish(), bytes: walk.bytes })
    }
}

#[derive(Default)]
struct Walk {
    hash: Digest,
    /// Terms in order of completion.
    numbers: FastMap<TermId, u32>,
    byte_numbers: FastMap<(u32, u32), u32>,
    bytes: Vec<(u32, u32)>,
    tables: FastMap<TableId, u32>,
}

impl Walk {
    fn visit(&mut self, pool: &Pool, id: TermId) {
        let term = pool.get(id);
        self.hash.add((term.op() as u64) << 16 | (term.width() as u64) << 8 | term.operands().count() as u64);
        match term {
            Term::Const { value, .. } => {
                self.hash.add(value as u64);
                self.hash.add((value >> 64) as u64);
            }
            Term::Read { source, offset, bytes } => {
                for key in (0..bytes as u32).map(|n| (source, offset.wrapping_add(n))) {
                    let next = self.bytes.len() as u32;
                    let number = *self.byte_numbers.entry(key).or_insert(next);
                    if number == next {
                        self.bytes.push(key);
                    }
                    self.hash.add(number as u64);
                }
            }
            Term::Extract { low, .. } => self.hash.add(low as u64),
            Term::Select { table, .. } => self.table(pool, table),
            _ => {}
        }
        for kid in term.operands() {
            self.hash.add(self.numbers.get(&kid).copied().unwrap_or(0) as u64);
        }
        self.numbers.insert(id, self.numbers.len() as u32);
    }

    fn table(&mut self, pool: &Pool, table: TableId) {
        let next = self.tables.len() as u32;
        let number = *self.tables.entry(table).or_insert(next);
        self.hash.add(number as u64);
        if number != next {
            return;
        }
        let cells = pool.cells(table).cells();
        self.hash.add(cells.len() as u64);
        for &cell in cells {
            // A constant and a term of the same number must differ.
            match pool.value(cell) {
                Some(value) => self.hash.add(value as u64),
                None => self.hash.add(1 << 32 | self.numbers.get(&cell).copied().unwrap_or(0) as u64),
            }
        }
    }
}
