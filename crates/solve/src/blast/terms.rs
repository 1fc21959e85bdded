//! Terms as words of literals. Must say exactly what `trace::apply` computes.

use super::gates::{FALSE, Gates, Lit};
use super::words::{Word, constant};
use offshoot_expr::{Pool, Term, TermId};
use offshoot_trace::Op;
use rustc_hash::FxHashMap;

/// Where the word of a term begins.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Start(u32);

const UNKNOWN: Start = Start(u32::MAX);
/// The term contains an operation on floats.
const FLOAT: Start = Start(u32::MAX - 1);

/// Why there is no word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The term contains an operation on floats.
    Float,
    /// It takes more gates than we want to hold; those that were made stay.
    TooBig,
}

/// Some 60 bytes each, and about as much again in a solver.
pub const GATES: usize = 4_000_000;

/// The words of all terms that were asked for, for as long as the pool lives.
pub struct Words {
    pub gates: Gates,
    starts: Vec<Start>,
    lits: Vec<Lit>,
    bytes: Vec<(u32, u32)>,
    byte_numbers: FxHashMap<(u32, u32), u32>,
}

impl Default for Words {
    fn default() -> Words {
        Words {
            gates: Gates::new(),
            starts: Vec::new(),
            lits: Vec::new(),
            bytes: Vec::new(),
            byte_numbers: FxHashMap::default(),
        }
    }
}

impl Words {
    /// Source and offset of an input byte by its number in the gates.
    pub fn byte(&self, number: u32) -> (u32, u32) {
        self.bytes[number as usize]
    }

    /// All input bytes, by their numbers.
    pub fn bytes(&self) -> &[(u32, u32)] {
        &self.bytes
    }

    /// The word of a term.
    pub fn word(&mut self, pool: &Pool, root: TermId) -> Result<&[Lit], Refusal> {
        if self.starts.len() < pool.len() {
            self.starts.resize(pool.len(), UNKNOWN);
        }
        let mut stack = vec![root];
        while let Some(&top) = stack.last() {
            if self.start(top) != UNKNOWN {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            pool.for_each_kid(top, |kid| {
                if self.start(kid) == UNKNOWN {
                    stack.push(kid);
                }
            });
            if stack.len() > waiting {
                continue;
            }
            if self.gates.end() > GATES {
                return Err(Refusal::TooBig);
            }
            stack.pop();
            let mut is_float = pool.get(top).op().is_float();
            pool.for_each_kid(top, |kid| is_float |= self.start(kid) == FLOAT);
            self.starts[top.index()] = if is_float {
                FLOAT
            } else {
                let word = self.make(pool, pool.get(top));
                debug_assert_eq!(word.len(), pool.width(top) as usize, "{:?}", pool.get(top));
                let start = self.lits.len() as u32;
                self.lits.extend(word);
                Start(start)
            };
        }
        if self.start(root) == FLOAT { Err(Refusal::Float) } else { Ok(self.made(pool, root)) }
    }

    fn start(&self, term: TermId) -> Start {
        self.starts[term.index()]
    }

    /// The word of a term that is there.
    pub(super) fn made(&self, pool: &Pool, term: TermId) -> &[Lit] {
        let start = self.start(term).0 as usize;
        &self.lits[start..start + pool.width(term) as usize]
    }

    fn made_owned(&self, pool: &Pool, term: TermId) -> Word {
        self.made(pool, term).to_vec()
    }

    fn read(&mut self, source: u32, offset: u32) -> u32 {
        let next = self.bytes.len() as u32;
        let number = *self.byte_numbers.entry((source, offset)).or_insert(next);
        if number == next {
            self.bytes.push((source, offset));
        }
        number
    }

    fn make(&mut self, pool: &Pool, term: Term) -> Word {
        let width = term.width() as usize;
        match term {
            Term::Const { value, .. } => constant(value, width),
            Term::Read { source, offset, bytes } => {
                let mut word = Vec::with_capacity(width);
                for at in 0..bytes as u32 {
                    let byte = self.read(source, offset.saturating_add(at));
                    word.extend((0..8).map(|bit| self.gates.input(byte, bit)));
                }
                word
            }
            Term::Extract { a, low, .. } => self.made(pool, a)[low as usize..][..width].to_vec(),
            Term::Unary { op, a, .. } => {
                let a = self.made_owned(pool, a);
                self.unary(op, width, a)
            }
            Term::Binary { op, a, b, .. } => {
                let (a, b) = (self.made_owned(pool, a), self.made_owned(pool, b));
                self.binary(op, a, b)
            }
            Term::Ternary { a, b, c, .. } => {
                let (b, c) = (self.made_owned(pool, b), self.made_owned(pool, c));
                let condition = self.made(pool, a)[0];
                self.gates.mux_word(condition, &b, &c)
            }
            Term::Select { table, index, bytes } => self.select(pool, table, index, bytes),
        }
    }

    fn unary(&mut self, op: Op, width: usize, mut a: Word) -> Word {
        match op {
            Op::Zext => a.resize(width, FALSE),
            Op::Sext => a.resize(width, a.last().copied().unwrap_or(FALSE)),
            Op::Bitreverse => a.reverse(),
            Op::Bswap => a = a.chunks(8).rev().flatten().copied().collect(),
            Op::Ctpop => a = self.gates.population(&a),
            Op::Cttz => a = self.gates.zeros(&a),
            Op::Ctlz => {
                a.reverse();
                a = self.gates.zeros(&a);
            }
            // All others are operations on floats.
            _ => unreachable!("{op:?} is no unary operation on integers"),
        }
        a
    }

    fn binary(&mut self, op: Op, a: Word, b: Word) -> Word {
        let gates = &mut self.gates;
        match op {
            Op::Concat => b.into_iter().chain(a).collect(),
            Op::Add => gates.add(&a, &b, FALSE),
            Op::Sub => gates.subtract(&a, &b),
            Op::Mul => gates.multiply(&a, &b),
            Op::UDiv => gates.divide_words(&a, &b).0,
            Op::URem => gates.divide_words(&a, &b).1,
            Op::SDiv => gates.divide_signed(&a, &b).0,
            Op::SRem => gates.divide_signed(&a, &b).1,
            Op::Shl => gates.shift_left(&a, &b),
            Op::LShr => gates.shift_right(&a, &b, FALSE),
            Op::AShr => gates.shift_right(&a, &b, a[a.len() - 1]),
            Op::And => gates.and_word(&a, &b),
            Op::Or => gates.or_word(&a, &b),
            Op::Xor => gates.xor_word(&a, &b),
            Op::Eq => vec![gates.equal(&a, &b)],
            Op::Ne => vec![!gates.equal(&a, &b)],
            Op::Ult => vec![gates.less(&a, &b, false)],
            Op::Ule => vec![gates.less(&a, &b, true)],
            Op::Slt => vec![gates.signed_less(&a, &b, false)],
            Op::Sle => vec![gates.signed_less(&a, &b, true)],
            _ => unreachable!("{op:?} is no binary operation on integers"),
        }
    }
}
