//! What was logged already. A set that forgets what does not fit: it is logged once more then, and the first counts.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

const PLACES: usize = 2048;
const TRIES: usize = 16;

static SET: [AtomicU64; PLACES] = [const { AtomicU64::new(0) }; PLACES];

#[derive(Clone, Copy)]
pub enum Why {
    Met = 1,
    Taken = 2,
    Asked = 3,
    /// As the program wrote it, with what is behind links; and not.
    Looked = 4,
    LookedAt = 5,
    Opened = 6,
}

/// Counts what may have given a name another meaning: calls that change what there is, or the working directory.
static AGE: AtomicU64 = AtomicU64::new(0);

pub fn names_changed() {
    AGE.fetch_add(1, Relaxed);
}

/// `true`: the name, as the program wrote it, was not there since names changed last.
pub fn is_new_name(why: Why, name: &[u8]) -> bool {
    is_new_with(why, AGE.load(Relaxed), name)
}

/// `true`: it was not there yet, and is now.
pub fn is_new(why: Why, name: &[u8]) -> bool {
    is_new_with(why, 0, name)
}

fn is_new_with(why: Why, age: u64, name: &[u8]) -> bool {
    let mut hash = 0xcbf2_9ce4_8422_2325u64 ^ why as u64 ^ age.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    for byte in name {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    }
    hash |= 1;
    for step in 0..TRIES {
        let place = &SET[(hash as usize / 2 + step) % PLACES];
        match place.compare_exchange(0, hash, Relaxed, Relaxed) {
            Ok(_) => return true,
            Err(known) if known == hash => return false,
            Err(_) => {}
        }
    }
    true
}
