//! Leaves out of a change what a failure does not need.

/// What became of it.
#[derive(Debug, PartialEq, Eq)]
pub struct Reduced<T> {
    pub left: Vec<T>,
    pub runs: u32,
    /// No single item can be left out any more. Otherwise the runs were used up.
    pub is_minimal: bool,
}

/// Up to this many, items are tried one by one from the start.
const FEW: usize = 8;

/// `fails` says whether a part of the items is still enough; all of them are. Large pieces are left out first, then ever
/// smaller ones (Zeller and Hildebrandt's ddmin, without its test of the pieces alone: a solver's bytes need each other).
pub fn reduce<T: Clone, E>(
    items: Vec<T>,
    max_runs: u32,
    mut fails: impl FnMut(&[T]) -> Result<bool, E>,
) -> Result<Reduced<T>, E> {
    let mut reduced = Reduced { left: items, runs: 0, is_minimal: false };
    let mut piece = if reduced.left.len() <= FEW { 1 } else { reduced.left.len() / 2 };
    loop {
        let mut start = 0;
        let mut is_smaller = false;
        while start < reduced.left.len() {
            if reduced.runs == max_runs {
                return Ok(reduced);
            }
            let end = (start + piece).min(reduced.left.len());
            let rest = [&reduced.left[..start], &reduced.left[end..]].concat();
            reduced.runs += 1;
            if fails(&rest)? {
                reduced.left = rest;
                is_smaller = true;
            } else {
                start = end;
            }
        }
        if piece == 1 && !is_smaller {
            reduced.is_minimal = true;
            return Ok(reduced);
        }
        piece = (piece / 2).max(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(count: u32, max_runs: u32, fails: impl Fn(&[u32]) -> bool) -> Reduced<u32> {
        let Ok(reduced) =
            reduce((0..count).collect(), max_runs, |part| Ok::<bool, std::convert::Infallible>(fails(part)));
        reduced
    }

    #[test]
    fn one_of_many_takes_few_runs() {
        let reduced = of(1000, 100, |part| part.contains(&707));
        assert_eq!((reduced.left, reduced.is_minimal), (vec![707], true));
        assert!(reduced.runs < 40, "{}", reduced.runs);
    }

    #[test]
    fn what_is_needed_stays() {
        let reduced = of(3, 100, |part| part.len() == 3);
        assert_eq!(reduced, Reduced { left: vec![0, 1, 2], runs: 3, is_minimal: true });
    }

    #[test]
    fn runs_are_bounded() {
        let reduced = of(100, 10, |part| part.len() == 100);
        assert_eq!((reduced.left.len(), reduced.runs, reduced.is_minimal), (100, 10, false));
    }

    proptest! {
        /// For any set of needed items nothing else is left, however they depend on each other.
        #[test]
        fn nothing_more_can_be_left_out(needed in prop::collection::btree_set(0..60u32, 0..6), either in 0..60u32, or in 0..60u32) {
            let fails = |part: &[u32]| needed.iter().all(|one| part.contains(one)) && (part.contains(&either) || part.contains(&or));
            let reduced = of(60, 100_000, fails);
            prop_assert!(reduced.is_minimal && fails(&reduced.left));
            for at in 0..reduced.left.len() {
                let mut smaller = reduced.left.clone();
                smaller.remove(at);
                prop_assert!(!fails(&smaller), "{:?}", reduced.left);
            }
        }
    }
}
