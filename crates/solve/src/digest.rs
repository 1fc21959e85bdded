//! A name for a structure: long enough that two never share one.

/// 128 bits out of words: two multiplications whose halves are folded, with different constants.
#[derive(Clone, Copy)]
pub struct Digest {
    a: u64,
    b: u64,
}

impl Default for Digest {
    fn default() -> Digest {
        Digest { a: 0x243F_6A88_85A3_08D3, b: 0x1319_8A2E_0370_7344 }
    }
}

impl Digest {
    pub fn of(bytes: &[u8]) -> u128 {
        let mut digest = Digest::default();
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            digest.add(u64::from_le_bytes(word));
        }
        digest.add(bytes.len() as u64);
        digest.finish()
    }

    fn fold(a: u64, b: u64) -> u64 {
        let product = a as u128 * b as u128;
        product as u64 ^ (product >> 64) as u64
    }

    #[inline]
    pub fn add(&mut self, word: u64) {
        self.a = Digest::fold(self.a ^ word, 0xA409_3822_299F_31D1).wrapping_add(0x9E37_79B9_7F4A_7C15);
        self.b =
            Digest::fold(self.b ^ word.rotate_left(32), 0x082E_FA98_EC4E_6C89).wrapping_add(self.a.rotate_left(17));
    }

    pub fn finish(mut self) -> u128 {
        self.add(0x4528_21E6_38D0_1377);
        self.add(0xBE54_66CF_34E9_0C6C);
        (self.a as u128) << 64 | self.b as u128
    }
}
