//! Average Percentage of Branches Discovered (section 6.2 of the paper): how early an order finds what it finds.

use fixedbitset::FixedBitSet;

/// APBD = (Σ_{i=1}^{n-1} BC_i) / (n·m) + 1 / (2n), where BC_i counts the branches that exploring the first i seeds found
/// and m those that exploring all n found. `found[i]`: the new branches of the i-th seed, in the order to be judged.
///
/// `None` if nothing was found or nothing was explored: there is no curve to speak of. The figure compares orders of
/// one set of explorations; it says nothing across sets with another m.
pub fn apbd(found: &[FixedBitSet]) -> Option<f64> {
    let mut all = FixedBitSet::new();
    let mut curve = Vec::with_capacity(found.len());
    for branches in found {
        all.grow(branches.len());
        all.union_with(branches);
        curve.push(all.count_ones(..));
    }
    let (n, m) = (found.len() as f64, curve.last().copied().filter(|&m| m > 0)? as f64);
    let area: usize = curve[..curve.len() - 1].iter().sum();
    Some(area as f64 / (n * m) + 1.0 / (2.0 * n))
}

#[cfg(test)]
mod tests {
    use super::apbd;
    use fixedbitset::FixedBitSet;

    fn set(branches: &[usize]) -> FixedBitSet {
        branches.iter().copied().collect()
    }

    #[test]
    fn early_finds_are_worth_more() {
        // n = 4, m = 4: (4 + 4 + 4) / 16 + 1/8, and (0 + 0 + 0) / 16 + 1/8
        let nothing = set(&[]);
        let first = [set(&[0, 1, 2, 3]), nothing.clone(), nothing.clone(), nothing.clone()];
        assert_eq!(apbd(&first), Some(0.875));
        let last = [nothing.clone(), nothing.clone(), nothing.clone(), set(&[0, 1, 2, 3])];
        assert_eq!(apbd(&last), Some(0.125));
        // (1 + 2) / 9 + 1/6, with a find that is counted once
        assert_eq!(apbd(&[set(&[5]), set(&[5, 7]), set(&[1])]), Some(3.0 / 9.0 + 1.0 / 6.0));
    }

    #[test]
    fn without_finds_there_is_no_figure() {
        assert_eq!(apbd(&[]), None);
        assert_eq!(apbd(&[set(&[]), set(&[])]), None);
    }
}
