//! Every order against its definition, word for word and slow.

use super::*;
use fixedbitset::FixedBitSet;
use proptest::prelude::*;
use std::cmp::Reverse;

fn profiles() -> impl Strategy<Value = Vec<Profile>> {
    (1usize..90).prop_flat_map(|branches| {
        let branches = prop::collection::vec(any::<bool>(), branches);
        let profile = (branches, 0u64..6).prop_map(|(taken, path_length)| Profile {
            branches: taken.iter().enumerate().filter(|(_, taken)| **taken).map(|(at, _)| at).collect(),
            path_length,
        });
        prop::collection::vec(profile, 0..12)
    })
}

/// Picks again and again what scores best, given what was picked; ties go to the place that was drawn.
fn greedy<K: Ord>(
    profiles: &[Profile],
    seed: u64,
    mut ranked: Vec<usize>,
    score: impl Fn(usize, &[usize]) -> K,
) -> Vec<usize> {
    let draw = drawn(profiles.len(), seed);
    while ranked.len() < profiles.len() {
        let left = (0..profiles.len()).filter(|test| !ranked.contains(test));
        let place = |test: usize| draw.iter().position(|&drawn| drawn == test);
        ranked.extend(left.max_by_key(|&test| (score(test, &ranked), Reverse(place(test)))));
    }
    ranked
}

fn covered(profiles: &[Profile], tests: &[usize]) -> FixedBitSet {
    let mut all = FixedBitSet::new();
    for &test in tests {
        all.grow(profiles[test].branches.len());
        all.union_with(&profiles[test].branches);
    }
    all
}

fn gain(profiles: &[Profile], test: usize, ranked: &[usize]) -> usize {
    profiles[test].branches.difference(&covered(profiles, ranked)).count()
}

fn nearest(profiles: &[Profile], test: usize, ranked: &[usize]) -> Option<usize> {
    let hamming = |other: &usize| profiles[test].branches.symmetric_difference(&profiles[*other].branches).count();
    ranked.iter().map(hamming).min()
}

proptest! {
    #[test]
    fn orders_are_as_defined(profiles in profiles(), seed: u64) {
        let rank = |order| super::rank(order, &profiles, seed);
        let draw = drawn(profiles.len(), seed);
        prop_assert_eq!(rank(Order::Random), draw.clone());
        prop_assert_eq!(
            rank(Order::Total),
            greedy(&profiles, seed, vec![], |test, _| profiles[test].branches.count_ones(..))
        );
        prop_assert_eq!(
            rank(Order::Additional),
            greedy(&profiles, seed, vec![], |test, ranked| gain(&profiles, test, ranked))
        );
        let first = draw.first().copied().into_iter().collect();
        prop_assert_eq!(rank(Order::Fpf), greedy(&profiles, seed, first, |test, ranked| nearest(&profiles, test, ranked)));
        let shortest = greedy(&profiles, seed, vec![], |test, _| Reverse(profiles[test].path_length));
        prop_assert_eq!(rank(Order::Auto { depth_first: true }), shortest.clone());
        prop_assert_eq!(rank(Order::Shortest), shortest);
    }

    #[test]
    fn auto_adds_as_long_as_it_can_and_then_spreads(profiles in profiles(), seed: u64) {
        let order = super::rank(Order::Auto { depth_first: false }, &profiles, seed);
        let additional = super::rank(Order::Additional, &profiles, seed);
        let adding = (0..additional.len()).take_while(|&at| gain(&profiles, additional[at], &additional[..at]) > 0).count();
        let kept = additional[..adding.max(1).min(profiles.len())].to_vec();
        prop_assert_eq!(order, greedy(&profiles, seed, kept, |test, ranked| nearest(&profiles, test, ranked)));
    }
}

/// Enough tests that some are far behind and catch up with the ranked ones together.
#[test]
fn many_tests_are_spread_as_few_are() {
    for seed in 0..4 {
        let mut rng = offshoot_base::Rng::new(seed);
        // Many near each other and few far away: the many are not asked for long.
        let profile = |test: u64, rng: &mut offshoot_base::Rng| Profile {
            branches: (0..40).filter(|_| rng.below(if test.is_multiple_of(3) { 2 } else { 12 }) == 0).collect(),
            path_length: 1,
        };
        let profiles: Vec<Profile> = (0..300).map(|test| profile(test, &mut rng)).collect();
        let first = drawn(profiles.len(), seed).first().copied().into_iter().collect();
        let slow = greedy(&profiles, seed, first, |test, ranked| nearest(&profiles, test, ranked));
        assert_eq!(super::rank(Order::Fpf, &profiles, seed), slow);
    }
}

#[test]
fn names_and_orders_belong_together() {
    for name in Order::NAMES {
        assert_eq!(Order::parse(name).map(Order::name), Some(name));
    }
    assert_eq!(Order::parse("best"), None);
}
