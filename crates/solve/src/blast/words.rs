//! Operations on words: vectors of literals, the lowest bit first.

use super::gates::{FALSE, Gates, Lit, TRUE};

pub type Word = Vec<Lit>;

pub fn constant(value: u128, width: usize) -> Word {
    (0..width).map(|bit| Lit::constant(bit < 128 && value >> bit & 1 != 0)).collect()
}

/// The value of a word that is one.
pub fn value(word: &[Lit]) -> Option<u128> {
    word.iter().rev().try_fold(0, |all, lit| lit.is_constant().then(|| all << 1 | (*lit == TRUE) as u128))
}

/// How many bits are left without the constant zeros on top.
fn significant(word: &[Lit]) -> usize {
    word.iter().rposition(|&lit| lit != FALSE).map_or(0, |at| at + 1)
}

pub fn not(word: &[Lit]) -> Word {
    word.iter().map(|&lit| !lit).collect()
}

impl Gates {
    pub fn mux_word(&mut self, condition: Lit, a: &[Lit], b: &[Lit]) -> Word {
        a.iter().zip(b).map(|(&a, &b)| self.mux(condition, a, b)).collect()
    }

    pub fn and_word(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        a.iter().zip(b).map(|(&a, &b)| self.and(a, b)).collect()
    }

    pub fn or_word(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        a.iter().zip(b).map(|(&a, &b)| self.or(a, b)).collect()
    }

    pub fn xor_word(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        a.iter().zip(b).map(|(&a, &b)| self.xor(a, b)).collect()
    }

    fn mask_word(&mut self, word: &[Lit], with: Lit) -> Word {
        word.iter().map(|&lit| self.and(lit, with)).collect()
    }

    // --- comparisons

    pub fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same: Vec<Lit> = a.iter().zip(b).map(|(&a, &b)| !self.xor(a, b)).collect();
        self.all(same)
    }

    /// `a < b`, or `a <= b` if `or_equal`.
    pub fn less(&mut self, a: &[Lit], b: &[Lit], or_equal: bool) -> Lit {
        let start = Lit::constant(or_equal);
        a.iter().zip(b).fold(start, |less, (&a, &b)| self.majority(!a, b, less))
    }

    pub fn signed_less(&mut self, a: &[Lit], b: &[Lit], or_equal: bool) -> Lit {
        let (mut a, mut b) = (a.to_vec(), b.to_vec());
        if let (Some(a), Some(b)) = (a.last_mut(), b.last_mut()) {
            (*a, *b) = (!*a, !*b);
        }
        self.less(&a, &b, or_equal)
    }

    // --- sums

    pub fn add(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Word {
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            carry = self.majority(a, b, carry);
        }
        sum
    }

    pub fn subtract(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.add(a, &not(b), TRUE)
    }

    /// `-a` if `condition`.
    fn negate_if(&mut self, a: &[Lit], condition: Lit) -> Word {
        let flipped: Word = a.iter().map(|&a| self.xor(a, condition)).collect();
        self.add(&flipped, &constant(0, a.len()), condition)
    }

    // --- products

    pub fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        match (value(a), value(b)) {
            (_, Some(factor)) => return self.multiply_by(a, factor),
            (Some(factor), None) => return self.multiply_by(b, factor),
            _ => {}
        }
        // As many rows as the factor with fewer bits has.
        let (a, b) = if significant(b) <= significant(a) { (a, b) } else { (b, a) };
        let width = a.len();
        let mut sum = constant(0, width);
        for (at, &bit) in b[..significant(b)].iter().enumerate() {
            let row = self.mask_word(&a[..width - at], bit);
            let upper = self.add(&sum[at..], &row, FALSE);
            sum.truncate(at);
            sum.extend(upper);
        }
        sum
    }

    /// By the non-adjacent form of the factor: the fewest sums and differences of shifted words.
    pub fn multiply_by(&mut self, a: &[Lit], factor: u128) -> Word {
        let width = a.len();
        let mut sum = constant(0, width);
        let (mut rest, mut at) = (factor, 0);
        while rest != 0 && at < width {
            if rest & 1 != 0 {
                let upper = if rest & 3 == 3 {
                    rest = (rest >> 1) + 1;
                    self.subtract(&sum[at..], &a[..width - at])
                } else {
                    rest >>= 1;
                    self.add(&sum[at..], &a[..width - at], FALSE)
                };
                sum.truncate(at);
                sum.extend(upper);
            } else {
                rest >>= 1;
            }
            at += 1;
        }
        sum
    }

    // --- quotients

    /// Quotient and remainder; both are 0 for a divisor of 0.
    pub fn divide_words(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let width = a.len();
        match value(b) {
            Some(0) => return (constant(0, width), constant(0, width)),
            Some(1) => return (a.to_vec(), constant(0, width)),
            Some(divisor) => return self.divide_by(a, divisor),
            None => {}
        }
        // Restoring division: one bit of the quotient a row, the highest first.
        let mut remainder = constant(0, width);
        let mut quotient = constant(0, width);
        let wide_b: Word = b.iter().copied().chain([FALSE]).collect();
        for at in (0..width).rev() {
            let shifted: Word = [a[at]].into_iter().chain(remainder.iter().copied()).collect();
            let fits = self.less(&wide_b, &shifted, true);
            let less = self.subtract(&shifted, &wide_b);
            quotient[at] = fits;
            remainder = self.mux_word(fits, &less[..width], &shifted[..width]);
        }
        let defined = self.any(b.iter().copied());
        (self.mask_word(&quotient, defined), self.mask_word(&remainder, defined))
    }

    fn divide_by(&mut self, a: &[Lit], divisor: u128) -> (Word, Word) {
        let width = a.len();
        let zero_extended = |word: &[Lit], width: usize| -> Word {
            word.iter().copied().chain(std::iter::repeat(FALSE)).take(width).collect()
        };
        if divisor.is_power_of_two() {
            let low = divisor.ilog2() as usize;
            return (zero_extended(&a[low..], width), zero_extended(&a[..low], width));
        }
        if divisor > offshoot_trace::eval::mask(significant(a) as u8) {
            return (constant(0, width), a.to_vec());
        }
        let a = &a[..significant(a)];
        let used = a.len();
        let (quotient, remainder) = self.divide(a, divisor, |gates, quotient, remainder| {
            // quotient < 2^(used - floor(log2 divisor)), so quotient * divisor + remainder < 2^(used + 1).
            let product = gates.multiply_by(&zero_extended(quotient, used + 1), divisor);
            let sum = gates.add(&product, &zero_extended(remainder, used + 1), FALSE);
            let limit = constant(divisor, remainder.len());
            let small = gates.less(remainder, &limit, false);
            let same = gates.equal(&sum, &zero_extended(a, used + 1));
            vec![small, same]
        });
        (zero_extended(&quotient, width), zero_extended(&remainder, width))
    }

    /// Truncating: the remainder has the sign of the dividend.
    pub fn divide_signed(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let sign = |word: &[Lit]| word.last().copied().unwrap_or(FALSE);
        let (sa, sb) = (sign(a), sign(b));
        let (a, b) = (self.negate_if(a, sa), self.negate_if(b, sb));
        let (quotient, remainder) = self.divide_words(&a, &b);
        let signs_differ = self.xor(sa, sb);
        (self.negate_if(&quotient, signs_differ), self.negate_if(&remainder, sa))
    }

    // --- shifts

    /// Towards bit 0, with `fill` coming in on top; by the width or more: nothing but `fill`.
    pub fn shift_right(&mut self, a: &[Lit], by: &[Lit], fill: Lit) -> Word {
        let width = a.len();
        let mut word = a.to_vec();
        let mut beyond = FALSE;
        for (at, &bit) in by.iter().enumerate() {
            if at >= 8 || 1 << at >= width {
                beyond = self.or(beyond, bit);
                continue;
            }
            let shifted: Word = word[1 << at..].iter().copied().chain(std::iter::repeat(fill)).take(width).collect();
            word = self.mux_word(bit, &shifted, &word);
        }
        word.into_iter().map(|lit| self.mux(beyond, fill, lit)).collect()
    }

    pub fn shift_left(&mut self, a: &[Lit], by: &[Lit]) -> Word {
        let reversed: Word = a.iter().rev().copied().collect();
        let mut shifted = self.shift_right(&reversed, by, FALSE);
        shifted.reverse();
        shifted
    }

    // --- counts

    /// How many bits are set, in as few bits as that takes.
    fn count(&mut self, bits: &[Lit]) -> Word {
        if bits.len() <= 1 {
            return bits.to_vec();
        }
        let (low, high) = bits.split_at(bits.len() / 2);
        let (low, high) = (self.count(low), self.count(high));
        let width = low.len().max(high.len()) + 1;
        let extended = |word: Word| -> Word { word.into_iter().chain(std::iter::repeat(FALSE)).take(width).collect() };
        let (low, high) = (extended(low), extended(high));
        self.add(&low, &high, FALSE)
    }

    pub fn population(&mut self, a: &[Lit]) -> Word {
        let count = self.count(a);
        count.into_iter().chain(std::iter::repeat(FALSE)).take(a.len()).collect()
    }

    /// How many bits are 0 before the first 1, which is looked for in the order of `bits`.
    pub fn zeros(&mut self, bits: &[Lit]) -> Word {
        let width = bits.len();
        bits.iter().enumerate().rev().fold(constant(width as u128, width), |rest, (at, &bit)| {
            self.mux_word(bit, &constant(at as u128, width), &rest)
        })
    }
}
