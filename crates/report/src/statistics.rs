//! Summaries of samples, and whether two samples differ.

use serde::Serialize;
use std::collections::BTreeMap;

/// 0 for an empty sample.
pub fn mean(sample: &[f64]) -> f64 {
    if sample.is_empty() { 0.0 } else { sample.iter().sum::<f64>() / sample.len() as f64 }
}

/// Standard deviation of the population that the sample is from (divides by n − 1); 0 for fewer than two values.
pub fn deviation(sample: &[f64]) -> f64 {
    if sample.len() < 2 {
        return 0.0;
    }
    let mean = mean(sample);
    let squares: f64 = sample.iter().map(|x| (x - mean).powi(2)).sum();
    (squares / (sample.len() - 1) as f64).sqrt()
}

pub fn median(sample: &[f64]) -> Option<f64> {
    let mut sorted = sample.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[middle]),
        _ => Some((sorted[middle - 1] + sorted[middle]) / 2.0),
    }
}

/// Two samples compared.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Mann–Whitney U of the first sample: pairs in which it is ahead, ties as a half.
    pub u: f64,
    /// Two-sided: how likely a U this far from the middle is if both are the same.
    pub p: f64,
    /// Vargha and Delaney's A12: how likely a value of the first sample is ahead of one of the second.
    pub a12: f64,
    /// `p` was counted out and not approximated.
    pub exact: bool,
}

/// Samples up to this size are counted out.
const EXACT: usize = 8;

/// `None` if a sample is empty.
pub fn compare(first: &[f64], second: &[f64]) -> Option<Comparison> {
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let (n, m) = (first.len(), second.len());
    let pair = |a: f64, b: f64| if a > b { 1.0 } else { 0.5 * f64::from(u8::from(a == b)) };
    let u: f64 = first.iter().map(|&a| second.iter().map(|&b| pair(a, b)).sum::<f64>()).sum();
    let ties = tie_sizes(first, second);
    let exact = n <= EXACT && m <= EXACT;
    let p = if exact { counted(u, n, m, &ties) } else { approximated(u, n, m, &ties) };
    Some(Comparison { u, p, a12: u / (n * m) as f64, exact })
}

/// How many values of both samples are the same, for each value.
fn tie_sizes(first: &[f64], second: &[f64]) -> Vec<usize> {
    let mut all = [first, second].concat();
    all.sort_by(f64::total_cmp);
    all.chunk_by(|a, b| a == b).map(<[f64]>::len).collect()
}

/// Every deal of the values to the two samples is equally likely: the share of those whose U is at least as far from the
/// middle. With ties too, which deterministic strategies have all the time.
fn counted(u: f64, n: usize, m: usize, ties: &[usize]) -> f64 {
    // deals[i]: of the values so far, i went to the first sample; how many ways give which 2·U.
    let mut deals = vec![BTreeMap::new(); n + 1];
    deals[0] = BTreeMap::from([(0usize, 1u64)]);
    let mut seen = 0usize;
    for &size in ties {
        let mut next = vec![BTreeMap::new(); n + 1];
        for (i, ways) in deals.iter().enumerate() {
            for more in 0..=size.min(n - i) {
                // Ahead of all smaller values of the second sample, and half ahead of its own.
                let Some(smaller) = seen.checked_sub(i) else { continue };
                let ahead = more * (2 * smaller + size - more);
                for (twice_u, count) in ways {
                    *next[i + more].entry(twice_u + ahead).or_default() += count * choose(size, more);
                }
            }
        }
        deals = next;
        seen += size;
    }
    let middle = (n * m) as f64;
    let far = |twice_u: usize| (twice_u as f64 - middle).abs() >= (2.0 * u - middle).abs();
    let all: u64 = deals[n].values().sum();
    let tail: u64 = deals[n].iter().filter(|(twice_u, _)| far(**twice_u)).map(|(_, count)| count).sum();
    tail as f64 / all as f64
}

fn choose(n: usize, k: usize) -> u64 {
    (0..k).fold(1, |ways, at| ways * (n - at) as u64 / (at + 1) as u64)
}

/// Normal approximation, corrected for ties and for continuity.
fn approximated(u: f64, n: usize, m: usize, ties: &[usize]) -> f64 {
    let (n, m) = (n as f64, m as f64);
    let all = n + m;
    let tied: f64 = ties.iter().map(|&size| (size as f64).powi(3) - size as f64).sum();
    let variance = n * m / 12.0 * (all + 1.0 - tied / (all * (all - 1.0)));
    let distance = (u - n * m / 2.0).abs() - 0.5;
    if variance <= 0.0 || distance <= 0.0 {
        return 1.0;
    }
    libm::erfc(distance / variance.sqrt() / std::f64::consts::SQRT_2).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn summaries() {
        let sample = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0];
        assert_eq!(mean(&sample), 5.0);
        assert!(near(deviation(&sample), (32.0_f64 / 7.0).sqrt()));
        assert_eq!(median(&sample), Some(4.5));
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!((mean(&[]), deviation(&[1.0]), median(&[])), (0.0, 0.0, None));
    }

    /// The example of SciPy's `mannwhitneyu`: ages at which men and women were diagnosed.
    const MEN: [f64; 5] = [19.0, 22.0, 16.0, 29.0, 24.0];
    const WOMEN: [f64; 4] = [20.0, 11.0, 17.0, 12.0];

    #[test]
    fn published_example() {
        let both = compare(&MEN, &WOMEN).expect("samples");
        assert_eq!((both.u, both.a12, both.exact), (17.0, 0.85, true));
        assert!(near(both.p, 1.0 / 9.0), "{}", both.p);
        assert!(near(approximated(17.0, 5, 4, &[1; 9]), 0.11134688653314041));
    }

    /// By hand: U = 0.5, ties of 2, 2 and 1, variance 6/12 · (6 − 12/20) = 2.7, z = (3 − 0.5 − 0.5) / √2.7.
    #[test]
    fn ties_narrow_the_distribution() {
        let (first, second) = ([1.0, 1.0, 2.0], [2.0, 3.0]);
        let both = compare(&first, &second).expect("samples");
        assert_eq!(both.u, 0.5);
        let z: f64 = (3.0 - 0.5 - 0.5) / 2.7_f64.sqrt();
        let p = approximated(both.u, 3, 2, &tie_sizes(&first, &second));
        assert!(near(p, libm::erfc(z / std::f64::consts::SQRT_2)));
        // Of the ten pairs that the second sample may be, {2, 3} twice and {1, 1} are as far out.
        assert!(both.exact && near(both.p, 0.3), "{}", both.p);
    }

    #[test]
    fn large_samples_are_approximated() {
        let sample = |from: u32| (from..from + 12).map(f64::from).collect::<Vec<_>>();
        let both = compare(&sample(0), &sample(6)).expect("samples");
        assert!(!both.exact && both.u == 18.0);
        // Six ties of two; z = (72 − 18 − 0.5) / √(12 · (25 − 36/552)).
        let z: f64 = 53.5 / (12.0_f64 * (25.0 - 36.0 / 552.0)).sqrt();
        assert!(near(both.p, libm::erfc(z / std::f64::consts::SQRT_2)));
    }

    #[test]
    fn nothing_to_tell_apart() {
        let same = compare(&[7.0; 5], &[7.0; 5]).expect("samples");
        assert_eq!((same.p, same.a12, same.exact), (1.0, 0.5, true));
        let apart = compare(&[1.0, 2.0, 3.0, 4.0, 5.0], &[6.0, 7.0, 8.0, 9.0, 10.0]).expect("samples");
        assert!(near(apart.p, 2.0 / 252.0));
        assert_eq!(apart.a12, 0.0);
        assert_eq!(compare(&[], &[1.0]), None);
    }

    fn twice_u(first: &[u8], second: &[u8]) -> usize {
        let pair = |a: &u8, b: &u8| 2 * usize::from(a > b) + usize::from(a == b);
        first.iter().map(|a| second.iter().map(|b| pair(a, b)).sum::<usize>()).sum()
    }

    /// Deals all values to the two samples in every way.
    fn by_enumeration(first: &[u8], second: &[u8]) -> f64 {
        let values = [first, second].concat();
        let (n, middle) = (first.len(), first.len() * second.len());
        let seen = twice_u(first, second).abs_diff(middle);
        let (mut far, mut all) = (0u32, 0u32);
        for hand in (0u32..1 << values.len()).filter(|hand| hand.count_ones() as usize == n) {
            let deal = |side: u32| -> Vec<u8> {
                (0..values.len()).filter(|at| hand >> at & 1 == side).map(|at| values[at]).collect()
            };
            all += 1;
            far += u32::from(twice_u(&deal(1), &deal(0)).abs_diff(middle) >= seen);
        }
        f64::from(far) / f64::from(all)
    }

    fn float(sample: &[u8]) -> Vec<f64> {
        sample.iter().map(|&x| f64::from(x)).collect()
    }

    proptest! {
        #[test]
        fn exact_is_what_enumeration_finds(
            first in prop::collection::vec(0u8..12, 1..7),
            second in prop::collection::vec(0u8..12, 1..7),
        ) {
            let both = compare(&float(&first), &float(&second)).expect("samples");
            prop_assert!(both.exact);
            prop_assert!(near(both.p, by_enumeration(&first, &second)));
        }

        #[test]
        fn sides_may_be_swapped(
            first in prop::collection::vec(0u8..9, 1..12),
            second in prop::collection::vec(0u8..9, 1..12),
        ) {
            let (first, second) = (float(&first), float(&second));
            let (one, other) = (compare(&first, &second).expect("samples"), compare(&second, &first).expect("samples"));
            prop_assert_eq!(one.u + other.u, (first.len() * second.len()) as f64);
            prop_assert!(near(one.p, other.p) && (0.0..=1.0).contains(&one.p));
            prop_assert!(near(one.a12 + other.a12, 1.0));
        }
    }
}
