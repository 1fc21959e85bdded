//! Counters and bitmaps of runs, by function.

use rustc_hash::FxHashMap;

use crate::ProfileError;

/// What a run counted in one function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    pub counters: Vec<u64>,
    /// One bit for each test vector of each MC/DC decision.
    pub bitmap: Vec<u8>,
}

/// Where the sections are in the program: records of `__llvm_prf_data` point to the others relative to themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Addresses {
    pub data: u64,
    pub counters: u64,
    pub bitmaps: u64,
}

/// What one or more runs counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Profile {
    /// By name, then hash: functions of one name with different bodies are told apart, as in `llvm-profdata`.
    functions: FxHashMap<u64, Vec<(u64, Counts)>>,
    /// Functions with the name and hash of another, but more or fewer counters or bits, which were left out.
    pub conflicts: usize,
}

pub(crate) enum Lookup<'a> {
    Known(&'a Counts),
    /// There is a function of this name, but with another body.
    OtherHash,
    Unknown,
}

/// `NameRef`, `FuncHash`, `CounterPtr`, `BitmapPtr`, `FunctionPointer`, `Values`, `NumCounters` (32 bits),
/// `NumValueSites` (3 times 16 bits), 16 bits of padding, `NumBitmapBytes` (32 bits).
const RECORD: usize = 64;

/// No sum gets higher, in LLVM.
const MOST: u64 = u64::MAX - 2;

/// Tells functions that are profiled twice apart, in the hash.
const CONTEXT_SENSITIVE: u64 = 1 << 60;

impl Profile {
    /// From the contents of `__llvm_prf_data`, `__llvm_prf_cnts` and `__llvm_prf_bits` of an x86-64 program.
    pub fn read(data: &[u8], counters: &[u8], bitmaps: &[u8], addresses: Addresses) -> Result<Self, ProfileError> {
        if !data.len().is_multiple_of(RECORD) {
            return Err(ProfileError::DataSize { bytes: data.len(), record: RECORD });
        }
        let mut profile = Self::default();
        for (index, record) in data.chunks_exact(RECORD).enumerate() {
            let number = |at: usize, size: usize| {
                record[at..at + size].iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
            };
            let own_address = addresses.data.wrapping_add((index * RECORD) as u64);
            let slice = |section, bytes, pointer: u64, start, size| {
                let start = pointer.wrapping_add(own_address).wrapping_sub(start) as i64;
                slice(bytes, start, size).map_err(|(start, end)| ProfileError::Outside {
                    record: index,
                    section,
                    start,
                    end,
                    size: bytes.len(),
                })
            };
            let (name, hash) = (number(0, 8), number(8, 8));
            let (count, bytes) = (number(48, 4), number(60, 4));
            if count == 0 {
                return Err(ProfileError::NoCounters { record: index });
            }
            let own = slice("__llvm_prf_cnts", counters, number(16, 8), addresses.counters, count * 8)?;
            let (own, _) = own.as_chunks::<8>();
            let own = own.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
            let bitmap = match bytes {
                0 => Vec::new(),
                _ => slice("__llvm_prf_bits", bitmaps, number(24, 8), addresses.bitmaps, bytes)?.to_vec(),
            };
            profile.add(name, hash, Counts { counters: own, bitmap });
        }
        Ok(profile)
    }

    /// The runs of `other`, too: counters are added, test vectors united.
    pub fn merge(&mut self, other: &Self) {
        for (&name, bodies) in &other.functions {
            for (hash, counts) in bodies {
                self.add(name, *hash, counts.clone());
            }
        }
        self.conflicts += other.conflicts;
    }

    pub fn get(&self, name: u64, hash: u64) -> Option<&Counts> {
        match self.look_up(name, hash) {
            Lookup::Known(counts) => Some(counts),
            Lookup::OtherHash | Lookup::Unknown => None,
        }
    }

    pub(crate) fn look_up(&self, name: u64, hash: u64) -> Lookup<'_> {
        let Some(bodies) = self.functions.get(&name) else { return Lookup::Unknown };
        if let Some((_, counts)) = bodies.iter().find(|(other, _)| *other == hash) {
            return Lookup::Known(counts);
        }
        let comparable = |(other, _): &(u64, Counts)| (other ^ hash) & CONTEXT_SENSITIVE == 0;
        if bodies.iter().any(comparable) { Lookup::OtherHash } else { Lookup::Unknown }
    }

    fn add(&mut self, name: u64, hash: u64, counts: Counts) {
        let bodies = self.functions.entry(name).or_default();
        let Some((_, known)) = bodies.iter_mut().find(|(other, _)| *other == hash) else {
            bodies.push((hash, counts));
            return;
        };
        if known.counters.len() != counts.counters.len() {
            self.conflicts += 1;
            return;
        }
        for (sum, count) in known.counters.iter_mut().zip(&counts.counters) {
            *sum = sum.saturating_add(*count).min(MOST);
        }
        if known.bitmap.len() != counts.bitmap.len() {
            self.conflicts += 1;
            return;
        }
        for (bits, more) in known.bitmap.iter_mut().zip(&counts.bitmap) {
            *bits |= more;
        }
    }
}

/// `size` bytes from `start`, or the range that is not in `bytes`.
fn slice(bytes: &[u8], start: i64, size: u64) -> Result<&[u8], (i128, i128)> {
    let (from, to) = (i128::from(start), i128::from(start) + i128::from(size));
    let range = usize::try_from(from).ok().zip(usize::try_from(to).ok());
    range.and_then(|(from, to)| bytes.get(from..to)).ok_or((from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One function of 2 counters and 1 byte of bits, whose sections follow each other: counters, bits, data.
    fn read(counters: [u64; 2], bits: u8, hash: u64) -> Profile {
        let addresses = Addresses { data: 0x1020, counters: 0x1000, bitmaps: 0x1010 };
        let words = [7, hash, (-0x20i64) as u64, (-0x10i64) as u64, 0, 0, 2, 1 << 32];
        let data: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let counters: Vec<u8> = counters.iter().flat_map(|word| word.to_le_bytes()).collect();
        Profile::read(&data, &counters, &[bits], addresses).expect("well-formed")
    }

    #[test]
    fn runs_add_up() {
        let mut all = read([1, u64::MAX - 5], 0b01, 9);
        all.merge(&read([2, 10], 0b10, 9));
        all.merge(&read([5, 5], 0b100, 8));
        assert_eq!(all.get(7, 9), Some(&Counts { counters: vec![3, MOST], bitmap: vec![0b11] }));
        assert_eq!(all.get(7, 8), Some(&Counts { counters: vec![5, 5], bitmap: vec![0b100] }));
        assert_eq!(all.get(6, 9), None);
        assert!(matches!(all.look_up(7, 1), Lookup::OtherHash));
        assert!(matches!(all.look_up(7, 1 << 60), Lookup::Unknown));
        assert_eq!(all.conflicts, 0);
    }

    #[test]
    fn what_points_elsewhere_is_an_error() {
        let addresses = Addresses { data: 0, counters: 64, bitmaps: 80 };
        let words = [7u64, 9, 72, 80, 0, 0, 2, 0];
        let data: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let error = Profile::read(&data, &[0; 16], &[], addresses).unwrap_err();
        assert_eq!(
            error.to_string(),
            "record 0 of __llvm_prf_data points outside of __llvm_prf_cnts: bytes 8 to 24 of 16"
        );
        let error = Profile::read(&data[..63], &[0; 16], &[], addresses).unwrap_err();
        assert!(matches!(error, ProfileError::DataSize { bytes: 63, .. }));
    }
}
