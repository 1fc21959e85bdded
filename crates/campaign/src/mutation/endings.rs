//! Which crashes and hangs are looked into.

use super::heights::Heights;

/// Of each kind, as long as they are of any new height.
const EACH: usize = 16;
/// Crashes that reach a new counter are in other code: more of these.
const CRASHES: usize = 256;

#[derive(Default)]
pub struct Endings {
    crashes: Kind,
    hangs: Kind,
    /// All of them.
    pub count: u64,
}

#[derive(Default)]
struct Kind {
    seen: Heights,
    taken: usize,
}

impl Endings {
    /// Whether to look into this one.
    pub fn takes(&mut self, is_hang: bool, counters: &[u64]) -> bool {
        self.count += 1;
        let kind = if is_hang { &mut self.hangs } else { &mut self.crashes };
        let gain = kind.seen.add(counters);
        let is_rare = !is_hang && gain.counters > 0 && kind.taken < CRASHES;
        let takes = is_rare || gain.any() && kind.taken < EACH;
        kind.taken += usize::from(takes);
        takes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hangs_and_mere_heights_leave_room_for_other_crashes() {
        let mut endings = Endings::default();
        let hangs = (0..100).filter(|&at| endings.takes(true, &counter(at))).count();
        assert_eq!(hangs, EACH);
        assert!(endings.takes(false, &counter(0)), "a crash may be where a hang was");
        let heights = (1..8).filter(|step| endings.takes(false, &[1 << step])).count();
        assert_eq!(heights, 6, "two heights are one step");
        let crashes = (1..1000).filter(|&at| endings.takes(false, &counter(at))).count();
        assert_eq!(1 + heights + crashes, CRASHES);
        assert_eq!(endings.count, 100 + 1 + 7 + 999);
    }

    fn counter(at: usize) -> Vec<u64> {
        let mut counters = vec![0; 1000];
        counters[at] = 1;
        counters
    }
}
