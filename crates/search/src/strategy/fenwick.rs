//! Weights to draw by.

/// Sums of weights by a binary indexed tree (Fenwick 1994): change one and find by sum in O(log n).
#[derive(Debug, Default)]
pub(crate) struct Fenwick {
    weights: Vec<u64>,
    /// `sums[i]`: of the `lowest set bit of i + 1` weights that end at `i`.
    sums: Vec<u64>,
    total: u64,
}

impl Fenwick {
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    pub(crate) fn set(&mut self, index: usize, weight: u64) {
        while self.weights.len() <= index {
            self.push();
        }
        let old = std::mem::replace(&mut self.weights[index], weight);
        self.total = self.total - old + weight;
        let mut position = index;
        while position < self.sums.len() {
            self.sums[position] = self.sums[position] - old + weight;
            position |= position + 1;
        }
    }

    /// Appends a weight of 0.
    fn push(&mut self) {
        let end = self.weights.len() + 1;
        let mut sum = 0;
        let mut part = end - 1;
        let start = end - (end & end.wrapping_neg());
        while part > start {
            sum += self.sums[part - 1];
            part -= part & part.wrapping_neg();
        }
        self.weights.push(0);
        self.sums.push(sum);
    }

    /// The index whose weights up to it first exceed `target`, and what is left of `target` inside it.
    pub(crate) fn find(&self, mut target: u64) -> (usize, u64) {
        let mut position = 0;
        let mut stride = (self.sums.len() + 1).next_power_of_two();
        while stride > 0 {
            let next = position + stride;
            if next <= self.sums.len() && self.sums[next - 1] <= target {
                target -= self.sums[next - 1];
                position = next;
            }
            stride /= 2;
        }
        (position, target)
    }
}

#[cfg(test)]
mod tests {
    use super::Fenwick;
    use offshoot_base::Rng;

    #[test]
    fn sums_agree_with_a_plain_list() {
        let mut rng = Rng::new(3);
        let mut fenwick = Fenwick::default();
        let mut plain = vec![0u64; 50];
        for _ in 0..500 {
            let (index, weight) = (rng.index(50), rng.below(9));
            fenwick.set(index, weight);
            plain[index] = weight;
            assert_eq!(fenwick.total(), plain.iter().sum::<u64>());
            let mut expected = Vec::new();
            for (index, &weight) in plain.iter().enumerate() {
                expected.extend((0..weight).map(|rest| (index, rest)));
            }
            let found: Vec<_> = (0..fenwick.total()).map(|target| fenwick.find(target)).collect();
            assert_eq!(found, expected);
        }
    }
}
