//! A small subset of the tests that covers what all of them cover.
//!
//! Finding a smallest one is set cover, which is NP-hard. Tests that alone cover a branch are in every solution; what
//! they leave is solved exactly where branch and bound gets through, and otherwise greedily, with tests that turned out
//! superfluous taken away again.

use crate::matrix::Profile;
use fixedbitset::FixedBitSet;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashSet};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// In the order of the tests.
    pub tests: Vec<usize>,
    /// No smaller subset has the same coverage. `false`: perhaps none has.
    pub is_smallest: bool,
}

/// Nodes of the search tree that branch and bound may look at: well below a second.
const NODES: u32 = 100_000;

/// Larger rests than this are left to the greedy way.
const EXACT_TESTS: usize = 512;
const EXACT_BRANCHES: usize = 1024;

/// Among tests that add the same, the shorter path is taken, then the earlier test.
pub fn select(profiles: &[Profile]) -> Selection {
    let columns = profiles.iter().map(|profile| profile.branches.len()).max().unwrap_or(0);
    let mut uncovered = FixedBitSet::with_capacity(columns);
    for profile in profiles {
        uncovered.union_with(&profile.branches);
    }
    let essential = essential(profiles, columns);
    for &test in &essential {
        uncovered.difference_with(&profiles[test].branches);
    }
    let greedy = greedy(profiles, uncovered.clone());
    let greedy = without_superfluous(profiles, &essential, greedy, columns);
    let problem = Problem::new(profiles, &uncovered);
    let (rest, is_smallest) = match problem {
        // If one test were enough for the rest, it would have been the first choice.
        _ if greedy.len() <= 2 => (greedy, true),
        Some(problem) => problem.solve(greedy),
        None => (greedy, false),
    };
    let mut tests: Vec<usize> = essential.into_iter().chain(rest).collect();
    tests.sort_unstable();
    Selection { tests, is_smallest }
}

/// Tests that cover a branch which no other covers.
fn essential(profiles: &[Profile], columns: usize) -> Vec<usize> {
    let mut owner = vec![None; columns];
    let mut shared = FixedBitSet::with_capacity(columns);
    for (test, profile) in profiles.iter().enumerate() {
        for branch in profile.branches.ones() {
            if owner[branch].replace(test).is_some() {
                shared.insert(branch);
            }
        }
    }
    let alone = owner.iter().enumerate().filter(|(branch, _)| !shared.contains(*branch));
    let tests: BTreeSet<usize> = alone.filter_map(|(_, owner)| *owner).collect();
    tests.into_iter().collect()
}

/// Always the test that covers most of what is left; lazily, as in [`crate::rank`].
fn greedy(profiles: &[Profile], mut uncovered: FixedBitSet) -> Vec<usize> {
    let gain = |test: usize, uncovered: &FixedBitSet| profiles[test].branches.intersection_count(uncovered);
    let entry = |test: usize, gain: usize| (gain, Reverse(profiles[test].path_length), Reverse(test));
    let mut heap: BinaryHeap<_> = (0..profiles.len()).map(|test| entry(test, gain(test, &uncovered))).collect();
    let mut chosen = Vec::new();
    while let Some((bound, _, Reverse(test))) = heap.pop() {
        if bound == 0 {
            break;
        }
        let fresh = entry(test, gain(test, &uncovered));
        if heap.peek().is_some_and(|next| *next > fresh) {
            heap.push(fresh);
        } else {
            uncovered.difference_with(&profiles[test].branches);
            chosen.push(test);
        }
    }
    chosen
}

/// A greedy choice may be covered by later ones. Long paths go first.
fn without_superfluous(
    profiles: &[Profile],
    essential: &[usize],
    mut chosen: Vec<usize>,
    columns: usize,
) -> Vec<usize> {
    let mut times = vec![0u32; columns];
    for &test in essential.iter().chain(&chosen) {
        profiles[test].branches.ones().for_each(|branch| times[branch] += 1);
    }
    let mut by_cost = chosen.clone();
    by_cost.sort_by_key(|&test| (Reverse(profiles[test].path_length), Reverse(test)));
    for test in by_cost {
        if profiles[test].branches.ones().all(|branch| times[branch] > 1) {
            profiles[test].branches.ones().for_each(|branch| times[branch] -= 1);
            chosen.retain(|&kept| kept != test);
        }
    }
    chosen
}

/// Set cover on what the essential tests leave.
struct Problem {
    /// The tests in play, by their index in the suite.
    tests: Vec<usize>,
    /// What each of them covers.
    covers: Vec<FixedBitSet>,
    /// Who covers each branch.
    covered_by: Vec<Vec<usize>>,
    nodes: u32,
}

impl Problem {
    /// `None`: too large to be solved exactly.
    fn new(profiles: &[Profile], uncovered: &FixedBitSet) -> Option<Problem> {
        let mut tests: Vec<usize> =
            (0..profiles.len()).filter(|&test| profiles[test].branches.intersection_count(uncovered) > 0).collect();
        if tests.len() > EXACT_TESTS {
            return None;
        }
        // Branches that the same tests cover are one branch.
        let mut columns: HashSet<Vec<usize>> = HashSet::new();
        for branch in uncovered.ones() {
            let takers = (0..tests.len()).filter(|&at| profiles[tests[at]].branches.contains(branch));
            columns.insert(takers.collect());
        }
        let mut covered_by: Vec<Vec<usize>> = columns.into_iter().collect();
        covered_by.sort_unstable();
        if covered_by.len() > EXACT_BRANCHES {
            return None;
        }
        let mut covers = vec![FixedBitSet::with_capacity(covered_by.len()); tests.len()];
        for (branch, takers) in covered_by.iter().enumerate() {
            takers.iter().for_each(|&test| covers[test].insert(branch));
        }
        // A test that covers no more than another one is never needed; of equal ones the shorter path stays.
        let cost = |at: usize| (profiles[tests[at]].path_length, at);
        let dominated = |at: usize| {
            (0..tests.len()).any(|other| {
                other != at
                    && covers[at].is_subset(&covers[other])
                    && (covers[at] != covers[other] || cost(other) < cost(at))
            })
        };
        let stays: Vec<bool> = (0..tests.len()).map(|at| !dominated(at)).collect();
        let mut number = 0..;
        let renamed: Vec<Option<usize>> = stays.iter().map(|&stays| if stays { number.next() } else { None }).collect();
        for takers in &mut covered_by {
            *takers = takers.iter().filter_map(|&at| renamed[at]).collect();
        }
        let mut stay = stays.iter();
        covers.retain(|_| stay.next() == Some(&true));
        let mut stay = stays.iter();
        tests.retain(|_| stay.next() == Some(&true));
        Some(Problem { tests, covers, covered_by, nodes: 0 })
    }

    /// The smallest cover if it can be had, else the best that was seen, and which of the two it is.
    fn solve(mut self, greedy: Vec<usize>) -> (Vec<usize>, bool) {
        let mut uncovered = FixedBitSet::with_capacity(self.covered_by.len());
        uncovered.insert_range(..);
        let mut best: Option<Vec<usize>> = None;
        let mut limit = greedy.len();
        self.search(&uncovered, &mut Vec::new(), &mut best, &mut limit);
        let tests = best.map_or(greedy, |best| best.into_iter().map(|at| self.tests[at]).collect());
        (tests, self.nodes < NODES)
    }

    /// Looks for covers of fewer than `limit` tests that begin with `chosen`.
    fn search(
        &mut self,
        uncovered: &FixedBitSet,
        chosen: &mut Vec<usize>,
        best: &mut Option<Vec<usize>>,
        limit: &mut usize,
    ) {
        if uncovered.is_clear() {
            *limit = chosen.len();
            *best = Some(chosen.clone());
            return;
        }
        self.nodes += 1;
        if self.nodes >= NODES || chosen.len() + self.at_least(uncovered) >= *limit {
            return;
        }
        // Some test must cover the branch with the fewest takers.
        let Some(hardest) = uncovered.ones().min_by_key(|&branch| self.covered_by[branch].len()) else { return };
        let mut takers = self.covered_by[hardest].clone();
        takers.sort_by_cached_key(|&test| Reverse(self.covers[test].intersection_count(uncovered)));
        for test in takers {
            let mut rest = uncovered.clone();
            rest.difference_with(&self.covers[test]);
            chosen.push(test);
            self.search(&rest, chosen, best, limit);
            chosen.pop();
        }
    }

    /// Branches of which no test covers two need a test each.
    fn at_least(&self, uncovered: &FixedBitSet) -> usize {
        let mut branches: Vec<usize> = uncovered.ones().collect();
        branches.sort_by_key(|&branch| self.covered_by[branch].len());
        let mut used = FixedBitSet::with_capacity(self.tests.len());
        let mut count = 0;
        for branch in branches {
            if self.covered_by[branch].iter().all(|&test| !used.contains(test)) {
                self.covered_by[branch].iter().for_each(|&test| used.insert(test));
                count += 1;
            }
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn profile(branches: impl IntoIterator<Item = usize>, path_length: u64) -> Profile {
        Profile { branches: branches.into_iter().collect(), path_length }
    }

    fn coverage(profiles: &[Profile], tests: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        tests.into_iter().flat_map(|test| profiles[test].branches.ones().collect::<Vec<_>>()).collect()
    }

    /// By trying all subsets.
    fn smallest(profiles: &[Profile]) -> usize {
        let all = coverage(profiles, 0..profiles.len());
        let subsets = 0..1u32 << profiles.len();
        let members = |subset: u32| (0..profiles.len()).filter(move |test| subset >> test & 1 == 1);
        let covering = subsets.filter(|&subset| coverage(profiles, members(subset)) == all);
        covering.map(|subset| subset.count_ones() as usize).min().expect("all tests cover what all cover")
    }

    proptest! {
        #[test]
        fn the_subset_is_smallest_and_covers_all(
            suite in prop::collection::vec((prop::collection::vec(0usize..14, 0..7), 0u64..4), 0..9),
        ) {
            let profiles: Vec<_> = suite.into_iter().map(|(branches, length)| profile(branches, length)).collect();
            let selection = select(&profiles);
            prop_assert!(selection.is_smallest);
            prop_assert_eq!(selection.tests.len(), smallest(&profiles));
            let all = coverage(&profiles, 0..profiles.len());
            prop_assert_eq!(coverage(&profiles, selection.tests), all);
        }

        /// The greedy way alone: complete, and nothing in it is superfluous.
        #[test]
        fn greedy_leaves_nothing_superfluous(suite in prop::collection::vec(prop::collection::vec(0usize..40, 0..9), 0..30)) {
            let profiles: Vec<_> = suite.into_iter().map(|branches| profile(branches, 1)).collect();
            let all = coverage(&profiles, 0..profiles.len());
            let chosen = greedy(&profiles, all.iter().copied().collect());
            let chosen = without_superfluous(&profiles, &[], chosen, 40);
            prop_assert_eq!(&coverage(&profiles, chosen.iter().copied()), &all);
            for &dropped in &chosen {
                let others = chosen.iter().copied().filter(|&test| test != dropped);
                prop_assert_ne!(&coverage(&profiles, others), &all);
            }
        }
    }

    #[test]
    fn greedy_is_beaten_where_it_is_wrong() {
        // Greedy takes the middle one, then the short paths at both ends.
        let ends = [profile([0], 1), profile([5], 1)];
        let profiles = [profile([0, 1, 2], 2), profile([1, 2, 3, 4], 2), profile([3, 4, 5], 2)];
        let profiles = [&profiles[..], &ends].concat();
        assert_eq!(greedy(&profiles, (0..6).collect()).len(), 3);
        assert_eq!(select(&profiles), Selection { tests: vec![0, 2], is_smallest: true });
    }

    #[test]
    fn of_equal_tests_the_shorter_path_is_taken() {
        let profiles = [profile([0, 1], 9), profile([0, 1], 3), profile([], 1)];
        assert_eq!(select(&profiles).tests, [1]);
    }
}
