//! The coverage of many tests as rows of bits.

use fixedbitset::FixedBitSet;
use multiversion::multiversion;

/// What a test did, as far as ranking and selection look at it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// Which branches (outcomes of conditions) it took at least once.
    pub branches: FixedBitSet,
    /// How many branches it took, each as often as it was taken.
    pub path_length: u64,
}

const BITS: usize = u64::BITS as usize;

/// Rows of equal length, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    bits: Vec<u64>,
    words: usize,
    rows: usize,
}

impl Matrix {
    /// Columns in which all tests agree are left out: no order depends on them, except through [`Matrix::weight`],
    /// which they change by the same amount for every test.
    pub fn without_constant_columns(profiles: &[Profile]) -> Matrix {
        let columns = profiles.iter().map(|profile| profile.branches.len()).max().unwrap_or(0);
        let (mut any, mut all) = (vec![0u64; columns.div_ceil(BITS)], vec![u64::MAX; columns.div_ceil(BITS)]);
        for profile in profiles {
            let blocks = profile.branches.as_slice();
            for (at, (any, all)) in any.iter_mut().zip(&mut all).enumerate() {
                let block = blocks.get(at).map_or(0, |&block| block as u64);
                *any |= block;
                *all &= block;
            }
        }
        let varies = |column: &usize| (any[column / BITS] & !all[column / BITS]) >> (column % BITS) & 1 == 1;
        let kept: Vec<usize> = (0..columns).filter(varies).collect();
        // Whole rounds, so that nothing is counted word by word.
        let words = kept.len().div_ceil(BITS).next_multiple_of(ROUND);
        let mut bits = vec![0u64; words * profiles.len()];
        let mut place = vec![usize::MAX; columns];
        for (new, &column) in kept.iter().enumerate() {
            place[column] = new;
        }
        for (row, profile) in profiles.iter().enumerate() {
            for column in profile.branches.ones().map(|column| place[column]).filter(|&place| place != usize::MAX) {
                bits[row * words + column / BITS] |= 1 << (column % BITS);
            }
        }
        Matrix { bits, words, rows: profiles.len() }
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    pub fn words(&self) -> usize {
        self.words
    }

    pub fn row(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..(row + 1) * self.words]
    }

    pub fn weight(&self, row: usize) -> u32 {
        count(self.row(row), &[], |word, _| word)
    }
}

/// |a ⊕ b|
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn distance(a: &[u64], b: &[u64]) -> u32 {
    count(a, b, |a, b| a ^ b)
}

/// |a ∖ b|
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn beyond(a: &[u64], b: &[u64]) -> u32 {
    count(a, b, |a, b| a & !b)
}

/// Words that are counted side by side, in vector registers.
const LANES: usize = 4;
/// Words of one round: sixteen vectors.
const ROUND: usize = 16 * LANES;

type Vector = [u64; LANES];

/// The ones of `f(a, b)`, word by word; words that `b` does not have are 0.
///
/// Bits are counted in columns by carry-save adders (Harley and Seal), sixteen vectors at a time: a processor without an
/// instruction for it, which is what we compile for, needs a fraction of the time that counting each word takes.
#[inline(always)]
fn count(a: &[u64], b: &[u64], f: impl Fn(u64, u64) -> u64) -> u32 {
    let [mut ones, mut twos, mut fours, mut eights, mut sixteens] = [[0; LANES]; 5];
    let (rounds, tail) = if b.len() >= a.len() { a.as_chunks::<ROUND>() } else { (&[][..], a) };
    let (b_rounds, _) = b.as_chunks::<ROUND>();
    for (a, b) in rounds.iter().zip(b_rounds) {
        let vector =
            |at: usize| -> Vector { std::array::from_fn(|lane| f(a[at * LANES + lane], b[at * LANES + lane])) };
        let mut eight = [[0; LANES]; 2];
        for (half, eight) in eight.iter_mut().enumerate() {
            let mut four = [[0; LANES]; 2];
            for (quarter, four) in four.iter_mut().enumerate() {
                let at = 8 * half + 4 * quarter;
                let (sum, two) = add(ones, vector(at), vector(at + 1));
                let (sum, other) = add(sum, vector(at + 2), vector(at + 3));
                ones = sum;
                (twos, *four) = add(twos, two, other);
            }
            (fours, *eight) = add(fours, four[0], four[1]);
        }
        let sixteen;
        (eights, sixteen) = add(eights, eight[0], eight[1]);
        sixteens = std::array::from_fn(|lane| sixteens[lane] + u64::from(sixteen[lane].count_ones()));
    }
    let in_columns = [(1, ones), (2, twos), (4, fours), (8, eights)];
    let in_columns: u32 = in_columns.iter().map(|(weight, vector)| weight * ones_of(vector)).sum();
    let start = a.len() - tail.len();
    let tail = tail.iter().enumerate().map(|(at, &word)| f(word, b.get(start + at).copied().unwrap_or(0)).count_ones());
    16 * sixteens.iter().sum::<u64>() as u32 + in_columns + tail.sum::<u32>()
}

/// Sum and carry of three bits, in each place of a vector.
#[inline(always)]
fn add(a: Vector, b: Vector, c: Vector) -> (Vector, Vector) {
    let half: Vector = std::array::from_fn(|lane| a[lane] ^ b[lane]);
    let sum = std::array::from_fn(|lane| half[lane] ^ c[lane]);
    let carry = std::array::from_fn(|lane| (a[lane] & b[lane]) | (half[lane] & c[lane]));
    (sum, carry)
}

fn ones_of(vector: &Vector) -> u32 {
    vector.iter().map(|word| word.count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counting_in_columns_counts(pairs in prop::collection::vec(any::<(u64, u64)>(), 0..200)) {
            let (a, b): (Vec<u64>, Vec<u64>) = pairs.iter().copied().unzip();
            prop_assert_eq!(distance(&a, &b), pairs.iter().map(|(a, b)| (a ^ b).count_ones()).sum::<u32>());
            prop_assert_eq!(beyond(&a, &b), pairs.iter().map(|(a, b)| (a & !b).count_ones()).sum::<u32>());
            prop_assert_eq!(beyond(&a, &[]), a.iter().map(|a| a.count_ones()).sum::<u32>());
        }
    }
}
