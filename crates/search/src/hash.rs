//! A fast hasher for small keys that are our own numbers; nobody outside can choose them to collide.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;
pub(crate) type Set<K> = HashSet<K, BuildHasherDefault<Mixer>>;

#[derive(Clone, Copy, Default)]
pub(crate) struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        // The table takes the low bits for the place and the top ones for the tag: both must depend on the whole key.
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        mixed ^ (mixed >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(26) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
}

/// Hash of a sequence of numbers, for tables that keep only the hash.
pub(crate) fn fingerprint(values: impl IntoIterator<Item = u64>) -> u64 {
    let mut mixer = Mixer::default();
    let mut length = 0;
    for value in values {
        mixer.write_u64(value);
        length += 1;
    }
    mixer.write_u64(length);
    mixer.finish()
}

/// Bytes that a table holds, about: its slots are at most 7/8 full and have one byte of tag each.
pub(crate) fn table_bytes(capacity: usize, entry: usize) -> usize {
    capacity * 8 / 7 * (entry + 1)
}
