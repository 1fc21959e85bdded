//! A set of values of one byte.

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Domain([u64; 4]);

/// Bytes that people write, nearest kin first.
const DIGITS: Domain = Domain::range(b'0', b'9');
const LOWER: Domain = Domain::range(b'a', b'z');
const UPPER: Domain = Domain::range(b'A', b'Z');
const LETTERS: Domain = LOWER.union(UPPER);
const PRINTABLE: Domain = Domain::range(b' ', b'~');
const TEXT: Domain = PRINTABLE.union(Domain::range(b'\t', b'\n')).union(Domain::range(b'\r', b'\r'));

impl Domain {
    pub const FULL: Domain = Domain([u64::MAX; 4]);
    pub const EMPTY: Domain = Domain([0; 4]);

    const fn range(low: u8, high: u8) -> Domain {
        let mut words = [0; 4];
        let mut value = low as usize;
        while value <= high as usize {
            words[value / 64] |= 1 << (value % 64);
            value += 1;
        }
        Domain(words)
    }

    pub const fn one(value: u8) -> Domain {
        Domain::range(value, value)
    }

    /// The values `v` for which `holds(v)`.
    #[inline]
    pub fn of(mut holds: impl FnMut(u8) -> bool) -> Domain {
        let mut words = [0; 4];
        for (at, word) in words.iter_mut().enumerate() {
            for bit in 0..64 {
                *word |= (holds((at * 64 + bit) as u8) as u64) << bit;
            }
        }
        Domain(words)
    }

    pub const fn union(self, other: Domain) -> Domain {
        let (a, b) = (self.0, other.0);
        Domain([a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]])
    }

    #[inline]
    pub const fn and(self, other: Domain) -> Domain {
        let (a, b) = (self.0, other.0);
        Domain([a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]])
    }

    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == [0; 4]
    }

    pub fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    pub fn contains(self, value: u8) -> bool {
        self.0[value as usize / 64] >> (value % 64) & 1 != 0
    }

    pub fn remove(&mut self, value: u8) {
        self.0[value as usize / 64] &= !(1 << (value % 64));
    }

    /// Ascending.
    pub fn values(self) -> impl Iterator<Item = u8> {
        (0..4).flat_map(move |at| {
            let mut word = self.0[at];
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let bit = word.trailing_zeros();
                    word &= word - 1;
                    (at as u32 * 64 + bit) as u8
                })
            })
        })
    }

    /// The value that a person would have written in place of `hint`: of its kind if possible, else printable, else
    /// near.
    pub fn pick(self, hint: u8) -> Option<u8> {
        if self.contains(hint) {
            return Some(hint);
        }
        let kin: &[Domain] = match hint {
            b'0'..=b'9' => &[DIGITS, PRINTABLE, TEXT],
            b'a'..=b'z' => &[LOWER, LETTERS, PRINTABLE, TEXT],
            b'A'..=b'Z' => &[UPPER, LETTERS, PRINTABLE, TEXT],
            _ if TEXT.contains(hint) => &[PRINTABLE, TEXT],
            _ => &[],
        };
        kin.iter().chain([&Domain::FULL]).find_map(|&kind| self.and(kind).nearest(hint))
    }

    fn nearest(self, hint: u8) -> Option<u8> {
        if self.is_empty() {
            return None;
        }
        (0..=255u8).find_map(|step| {
            let (up, down) = (hint.checked_add(step), hint.checked_sub(step));
            up.into_iter().chain(down).find(|&value| self.contains(value))
        })
    }

    /// All values, likeliest first: [`pick`](Self::pick) again and again, cheaper.
    pub fn by_liking(self, hint: u8) -> Vec<u8> {
        let mut left = self;
        let mut values = Vec::with_capacity(self.len());
        let first = left.pick(hint);
        if let Some(value) = first {
            values.push(value);
            left.remove(value);
        }
        values.extend(left.and(PRINTABLE).values());
        values.extend(left.values().filter(|&value| !PRINTABLE.contains(value)));
        values
    }
}

impl std::fmt::Debug for Domain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.values()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_length() {
        let set = Domain::of(|v| v % 63 == 1);
        assert_eq!(set.values().collect::<Vec<_>>(), [1, 64, 127, 190, 253]);
        assert_eq!(set.len(), 5);
        assert!(Domain::EMPTY.is_empty() && Domain::FULL.len() == 256);
        assert_eq!(Domain::one(9).values().collect::<Vec<_>>(), [9]);
    }

    #[test]
    fn picks_its_kind_first() {
        assert_eq!(Domain::FULL.pick(7), Some(7));
        assert_eq!(Domain::of(|v| v != b'5').pick(b'5'), Some(b'6'));
        assert_eq!(Domain::of(|v| !v.is_ascii_digit()).pick(b'5'), Some(b':'));
        assert_eq!(Domain::of(|v| v == b'x' || v == b'(').pick(b'\''), Some(b'('));
        assert_eq!(Domain::of(|v| v == 3 || v == b'A').pick(b'z'), Some(b'A'));
        assert_eq!(Domain::of(|v| v == 3 || v == 200).pick(b'z'), Some(200));
        assert_eq!(Domain::EMPTY.pick(0), None);
    }

    #[test]
    fn liking_is_a_permutation() {
        let set = Domain::of(|v| v % 3 == 0);
        let mut liked = set.by_liking(b'a');
        assert_eq!(liked[0], b'c');
        liked.sort_unstable();
        assert_eq!(liked, set.values().collect::<Vec<_>>());
    }
}
