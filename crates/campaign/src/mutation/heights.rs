//! How high each counter ever got, in the steps that AFL tells apart.

/// A bit for each step, for each counter.
#[derive(Default)]
pub struct Heights {
    seen: Vec<u8>,
}

/// What a run was the first to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gain {
    /// Counters that were 0 in all runs before.
    pub counters: usize,
    /// Those that reached another step than in any run before, too.
    pub heights: usize,
}

impl Gain {
    pub fn any(self) -> bool {
        self.heights > 0
    }
}

impl Heights {
    pub fn add(&mut self, counters: &[u64]) -> Gain {
        if self.seen.len() < counters.len() {
            self.seen.resize(counters.len(), 0);
        }
        let mut gain = Gain::default();
        for (seen, &count) in self.seen.iter_mut().zip(counters).filter(|(_, count)| **count != 0) {
            let step = step(count);
            gain.counters += usize::from(*seen == 0);
            gain.heights += usize::from(*seen & step == 0);
            *seen |= step;
        }
        gain
    }

    pub fn reached(&self) -> usize {
        self.seen.iter().filter(|seen| **seen != 0).count()
    }
}

/// 1, 2, 3, 4–7, 8–15, 16–31, 32–127, 128 and more.
fn step(count: u64) -> u8 {
    match count {
        0 => 0,
        1 => 1,
        2 => 1 << 1,
        3 => 1 << 2,
        4..=7 => 1 << 3,
        8..=15 => 1 << 4,
        16..=31 => 1 << 5,
        32..=127 => 1 << 6,
        _ => 1 << 7,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_counter_and_a_new_height_are_told_apart() {
        let mut heights = Heights::default();
        assert_eq!(heights.add(&[1, 0, 5]), Gain { counters: 2, heights: 2 });
        assert_eq!(heights.add(&[1, 0, 7]), Gain::default());
        assert_eq!(heights.add(&[1, 0, 8]), Gain { counters: 0, heights: 1 });
        assert_eq!(heights.add(&[0, 200, 0]), Gain { counters: 1, heights: 1 });
        assert_eq!(heights.reached(), 3);
    }
}
