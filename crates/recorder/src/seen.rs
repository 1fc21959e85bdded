//! What was logged already. Both tables forget what does not fit: it is logged once more then, and the first counts.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

const PLACES: usize = 2048;
const TRIES: usize = 16;

static SET: [AtomicU64; PLACES] = [const { AtomicU64::new(0) }; PLACES];

/// For as long as the process lives.
#[derive(Clone, Copy)]
pub enum Why {
    Met = 1,
    Taken = 2,
    Asked = 3,
}

#[derive(Clone, Copy)]
pub struct Mark(u64);

impl Mark {
    pub fn of(why: Why, name: &[u8]) -> Mark {
        Mark(hash(why as u64, name))
    }

    pub fn is_set(self) -> bool {
        self.places().any(|place| place.load(Relaxed) == self.0)
    }

    /// `true`: it was not set yet, and is now.
    pub fn set(self) -> bool {
        for place in self.places() {
            match place.compare_exchange(0, self.0, Relaxed, Relaxed) {
                Ok(_) => return true,
                Err(known) if known == self.0 => return false,
                Err(_) => {}
            }
        }
        true
    }

    fn places(self) -> impl Iterator<Item = &'static AtomicU64> {
        (0..TRIES).map(move |step| &SET[(self.0 as usize / 2 + step) % PLACES])
    }
}

/// `true`: it was not there yet, and is now.
pub fn is_new(why: Why, name: &[u8]) -> bool {
    Mark::of(why, name).set()
}

const NAMES: usize = 512;

/// What names meant a while ago is of no use to anybody: a new one takes the place of an old one.
static KNOWN: [AtomicU64; NAMES] = [const { AtomicU64::new(0) }; NAMES];

/// Counts what may have given a name another meaning: calls that change what there is, or the working directory.
static AGE: AtomicU64 = AtomicU64::new(0);

pub fn names_changed() {
    AGE.fetch_add(1, Relaxed);
}

#[derive(Clone, Copy)]
pub enum Sight {
    /// With what is behind links; and not.
    Looked = 4,
    LookedAt = 5,
    Opened = 6,
}

/// As the program wrote it, until names change.
#[derive(Clone, Copy)]
pub struct Name(u64);

impl Name {
    /// It may be another file's each time.
    pub const NONE: Name = Name(0);

    pub fn of(sight: Sight, name: &[u8]) -> Name {
        Name(hash(AGE.load(Relaxed) << 8 | sight as u64, name))
    }

    pub fn is_known(self) -> bool {
        self.0 != 0 && self.place().load(Relaxed) == self.0
    }

    pub fn note(self) {
        if self.0 != 0 {
            self.place().store(self.0, Relaxed);
        }
    }

    fn place(self) -> &'static AtomicU64 {
        &KNOWN[self.0 as usize / 2 % NAMES]
    }
}

/// Never zero. The first byte of a name can make up for nothing in `start`.
fn hash(start: u64, name: &[u8]) -> u64 {
    let mut hash = (0xcbf2_9ce4_8422_2325u64 ^ start).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    for byte in name {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    }
    hash | 1
}
