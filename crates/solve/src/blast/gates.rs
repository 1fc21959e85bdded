//! Gates: a graph of ands, exclusive ors, multiplexers and majorities over the bits of the input, each gate once.
//!
//! Invariant: a gate's inputs have smaller numbers than the gate, so ascending order is evaluation order.

use rustc_hash::FxHashMap;

/// A gate's output or its negation: `gate << 1 | negated`. Gate 0 is the constant true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

pub const TRUE: Lit = Lit(0);
pub const FALSE: Lit = Lit(1);

impl Lit {
    pub fn of(gate: usize, negated: bool) -> Lit {
        Lit((gate as u32) << 1 | negated as u32)
    }

    pub fn constant(value: bool) -> Lit {
        if value { TRUE } else { FALSE }
    }

    pub fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub fn is_negated(self) -> bool {
        self.0 & 1 != 0
    }

    pub fn is_constant(self) -> bool {
        self.gate() == 0
    }

    fn negated_if(self, negate: bool) -> Lit {
        Lit(self.0 ^ negate as u32)
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    True,
    /// Bit `bit` of the input byte with that number.
    Input {
        byte: u32,
        bit: u8,
    },
    /// Bit `bit` of the quotient or the remainder of a division by a constant; see [`Gates::divide`].
    Division {
        division: u32,
        bit: u8,
        remainder: bool,
    },
    And(Lit, Lit),
    Xor(Lit, Lit),
    /// `0 ? 1 : 2`
    Mux(Lit, Lit, Lit),
    Majority(Lit, Lit, Lit),
}

/// `dividend = quotient * divisor + remainder`: a relation, not gates from inputs to outputs.
pub struct Division {
    pub dividend: Vec<Lit>,
    pub divisor: u128,
    pub quotient: Vec<Lit>,
    pub remainder: Vec<Lit>,
    /// What must hold for the relation to do so. It can always be made to hold, and in one way only.
    pub holds: Vec<Lit>,
}

#[derive(Default)]
pub struct Gates {
    gates: Vec<Gate>,
    known: FxHashMap<Gate, u32>,
    /// How many gates use each gate, up to 2.
    fanout: Vec<u8>,
    divisions: Vec<Division>,
    division_of: FxHashMap<(Vec<Lit>, u128), u32>,
}

impl Gates {
    pub fn new() -> Gates {
        let mut gates = Gates::default();
        gates.insert(Gate::True);
        gates
    }

    /// One more than the largest number of a gate.
    pub fn end(&self) -> usize {
        self.gates.len()
    }

    pub fn gate(&self, gate: usize) -> Gate {
        self.gates[gate]
    }

    pub fn division(&self, division: u32) -> &Division {
        &self.divisions[division as usize]
    }

    /// At most one gate uses this one.
    pub fn is_used_once(&self, gate: usize) -> bool {
        self.fanout[gate] <= 1
    }

    fn insert(&mut self, gate: Gate) -> Lit {
        let next = self.gates.len() as u32;
        let number = *self.known.entry(gate).or_insert(next);
        if number == next {
            self.gates.push(gate);
            self.fanout.push(0);
            let mut used = |lit: Lit| {
                let fanout = &mut self.fanout[lit.gate()];
                *fanout = (*fanout + 1).min(2);
            };
            match gate {
                Gate::True | Gate::Input { .. } | Gate::Division { .. } => {}
                Gate::And(a, b) | Gate::Xor(a, b) => [a, b].into_iter().for_each(&mut used),
                Gate::Mux(a, b, c) | Gate::Majority(a, b, c) => [a, b, c].into_iter().for_each(&mut used),
            }
        }
        Lit(number << 1)
    }

    pub fn input(&mut self, byte: u32, bit: u8) -> Lit {
        self.insert(Gate::Input { byte, bit })
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (a.min(b), a.max(b));
        match (a, b) {
            (TRUE, b) => return b,
            (FALSE, _) => return FALSE,
            _ if a == b => return a,
            _ if a == !b => return FALSE,
            _ => {}
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Gate::And(p, q) = self.gates[y.gate()] {
                match y.is_negated() {
                    false if x == p || x == q => return y,
                    false if x == !p || x == !q => return FALSE,
                    true if x == !p || x == !q => return x,
                    true if x == p => return self.and(x, !q),
                    true if x == q => return self.and(x, !p),
                    _ => {}
                }
            }
        }
        self.insert(Gate::And(a, b))
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let negate = a.is_negated() ^ b.is_negated();
        let (a, b) = (a.negated_if(a.is_negated()), b.negated_if(b.is_negated()));
        let (a, b) = (a.min(b), a.max(b));
        let xor = match (a, b) {
            _ if a == b => FALSE,
            (TRUE, b) => !b,
            _ => self.insert(Gate::Xor(a, b)),
        };
        xor.negated_if(negate)
    }

    pub fn mux(&mut self, condition: Lit, a: Lit, b: Lit) -> Lit {
        let (c, a, b) = if condition.is_negated() { (!condition, b, a) } else { (condition, a, b) };
        match (c, a, b) {
            (TRUE, ..) => a,
            _ if a == b => a,
            _ if a == !b => self.xor(!c, a),
            (_, TRUE, b) => self.or(c, b),
            (_, FALSE, b) => self.and(!c, b),
            (_, a, TRUE) => self.or(!c, a),
            (_, a, FALSE) => self.and(c, a),
            _ if c == a => self.or(c, b),
            _ if c == !a => self.and(!c, b),
            _ if c == b => self.and(c, a),
            _ if c == !b => self.or(!c, a),
            _ => {
                let negate = a.is_negated();
                self.insert(Gate::Mux(c, a.negated_if(negate), b.negated_if(negate))).negated_if(negate)
            }
        }
    }

    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut inputs = [a, b, c];
        inputs.sort_unstable();
        let [a, b, c] = inputs;
        match (a, b, c) {
            (TRUE, ..) => self.or(b, c),
            (FALSE, ..) => self.and(b, c),
            _ if a == b => a,
            _ if b == c => b,
            _ if a == !b => c,
            _ if b == !c => a,
            _ => {
                let negate = a.is_negated();
                let [a, b, c] = inputs.map(|lit| lit.negated_if(negate));
                self.insert(Gate::Majority(a, b, c)).negated_if(negate)
            }
        }
    }

    pub fn all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        lits.into_iter().fold(TRUE, |all, lit| self.and(all, lit))
    }

    pub fn any(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        !self.all(lits.into_iter().map(|lit| !lit).collect::<Vec<_>>())
    }

    /// Quotient and remainder of a division by a constant over 1 and below `2^dividend.len()`, as bits of their own that `holds` ties to the
    /// dividend: much smaller than a divider.
    pub fn divide(
        &mut self,
        dividend: &[Lit],
        divisor: u128,
        holds: impl FnOnce(&mut Gates, &[Lit], &[Lit]) -> Vec<Lit>,
    ) -> (Vec<Lit>, Vec<Lit>) {
        let key = (dividend.to_vec(), divisor);
        if let Some(&division) = self.division_of.get(&key) {
            let division = self.division(division);
            return (division.quotient.clone(), division.remainder.clone());
        }
        let number = self.divisions.len() as u32;
        let floor = divisor.ilog2() as usize;
        let mut bit =
            |bit: usize, remainder| self.insert(Gate::Division { division: number, bit: bit as u8, remainder });
        let quotient: Vec<Lit> = (0..dividend.len() - floor).map(|at| bit(at, false)).collect();
        let remainder: Vec<Lit> = (0..=floor).map(|at| bit(at, true)).collect();
        // Holds its place while the relation is made.
        self.divisions.push(Division {
            dividend: dividend.to_vec(),
            divisor,
            quotient: quotient.clone(),
            remainder: remainder.clone(),
            holds: Vec::new(),
        });
        self.division_of.insert(key, number);
        let holds = holds(self, &quotient, &remainder);
        self.divisions[number as usize].holds = holds;
        (quotient, remainder)
    }

    /// The value of a gate from those of the ones before it.
    pub fn value(&self, gate: usize, input: impl Fn(u32) -> u8, value: impl Fn(Lit) -> bool) -> bool {
        match self.gates[gate] {
            Gate::True => true,
            Gate::Input { byte, bit } => input(byte) >> bit & 1 != 0,
            Gate::And(a, b) => value(a) && value(b),
            Gate::Xor(a, b) => value(a) ^ value(b),
            Gate::Mux(c, a, b) => value(if value(c) { a } else { b }),
            Gate::Majority(a, b, c) => value(a) as u8 + value(b) as u8 + value(c) as u8 >= 2,
            Gate::Division { division, bit, remainder } => {
                let division = self.division(division);
                let dividend = division.dividend.iter().rev().fold(0u128, |all, &lit| all << 1 | value(lit) as u128);
                let result = if remainder { dividend % division.divisor } else { dividend / division.divisor };
                result >> bit & 1 != 0
            }
        }
    }
}
