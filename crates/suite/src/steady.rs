//! Tests whose runs differ come last: what they cover today they may not cover tomorrow.

use crate::matrix::Profile;
use crate::select::{Selection, select};
use fixedbitset::FixedBitSet;

/// The same order, with the flaky tests behind all others.
pub fn steady_first(order: &[usize], is_flaky: impl Fn(usize) -> bool) -> Vec<usize> {
    let (flaky, steady): (Vec<usize>, Vec<usize>) = order.iter().partition(|&&at| is_flaky(at));
    steady.into_iter().chain(flaky).collect()
}

/// Covers what all tests cover with as few tests as [`select`] finds, flaky ones only for what no other covers; they are
/// behind the others. That there is no smaller subset is known only where no test is flaky.
pub fn select_steady(profiles: &[Profile], is_flaky: impl Fn(usize) -> bool) -> Selection {
    let (flaky, steady): (Vec<usize>, Vec<usize>) = (0..profiles.len()).partition(|&at| is_flaky(at));
    if flaky.is_empty() {
        return select(profiles);
    }
    let mut covered = FixedBitSet::new();
    let mut tests = Vec::new();
    for part in [steady, flaky] {
        let left = |&at: &usize| {
            let mut branches = profiles[at].branches.clone();
            branches.difference_with(&covered);
            Profile { branches, ..profiles[at].clone() }
        };
        let open: Vec<Profile> = part.iter().map(left).collect();
        tests.extend(select(&open).tests.into_iter().map(|at| part[at]));
        part.iter().for_each(|&at| covered.union_with(&profiles[at].branches));
    }
    Selection { tests, is_smallest: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(branches: &[usize]) -> Profile {
        let mut set = FixedBitSet::with_capacity(8);
        set.extend(branches.iter().copied());
        Profile { branches: set, path_length: 1 }
    }

    #[test]
    fn flaky_tests_are_last_and_only_for_what_nobody_else_covers() {
        assert_eq!(steady_first(&[3, 1, 0, 2], |at| at == 3 || at == 0), [1, 2, 3, 0]);
        let profiles = [profile(&[0, 1, 2, 3, 4]), profile(&[0, 1]), profile(&[2]), profile(&[1])];
        assert_eq!(select_steady(&profiles, |_| false).tests, [0]);
        let selection = select_steady(&profiles, |at| at == 0);
        assert_eq!(selection, Selection { tests: vec![1, 2, 0], is_smallest: false });
        let all_steady_do = [profile(&[0, 1]), profile(&[0]), profile(&[1])];
        assert_eq!(select_steady(&all_steady_do, |at| at == 0).tests, [1, 2]);
    }
}
