//! Some of the seeds instead of all: which, and what that may miss (ZESTI, §IV-C).

use offshoot_base::Rng;
use serde::Serialize;
use std::str::FromStr;

/// How many were taken out of how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Sample {
    pub taken: usize,
    pub of: usize,
    pub rng_seed: u64,
}

/// `20%` or `20`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size {
    Percent(f64),
    Count(usize),
}

#[derive(Debug, thiserror::Error)]
#[error("{0:?} is no size of a sample; write a number of seeds (20) or a part of them (20%), more than none")]
pub struct NoSize(String);

impl FromStr for Size {
    type Err = NoSize;

    fn from_str(text: &str) -> Result<Size, NoSize> {
        let size = match text.strip_suffix('%') {
            Some(percent) => percent.trim().parse().ok().map(Size::Percent),
            None => text.parse().ok().map(Size::Count),
        };
        let is_some = |size: &Size| match *size {
            Size::Percent(percent) => percent > 0.0 && percent <= 100.0,
            Size::Count(count) => count > 0,
        };
        size.filter(is_some).ok_or_else(|| NoSize(text.to_owned()))
    }
}

impl Size {
    /// At least one, if there is one.
    fn of(self, all: usize) -> usize {
        match self {
            Size::Percent(percent) => (all as f64 * percent / 100.0).ceil() as usize,
            Size::Count(count) => count,
        }
        .min(all)
    }

    /// Keeps a random sample, in the order that was there.
    pub fn take<T>(self, seeds: &mut Vec<T>, rng_seed: u64) -> Sample {
        let sample = Sample { taken: self.of(seeds.len()), of: seeds.len(), rng_seed };
        let mut order: Vec<usize> = (0..seeds.len()).collect();
        Rng::new(rng_seed).shuffle(&mut order);
        order.truncate(sample.taken);
        let mut at = 0..;
        seeds.retain(|_| at.next().is_some_and(|at| order.contains(&at)));
        sample
    }
}

/// The share of tests that expose a bug for which a sample is rated: the middle one of the paper's figure 5.
const EXPOSING: f64 = 0.1;

impl Sample {
    /// `20 of 100 tests: 90 % confidence to see a bug that 10 % of them expose`
    pub fn in_words(&self) -> String {
        let exposing = ((self.of as f64 * EXPOSING).round() as usize).max(1);
        let share = if self.of < 10 {
            "one of them exposes".to_owned()
        } else {
            format!("{:.0} % of them expose", EXPOSING * 100.0)
        };
        // Rounded down: nobody shall be surer than the sample is.
        let percent = (confidence(self.of, exposing, self.taken) * 100.0).floor();
        format!("{} of {} tests: {percent} % confidence to see a bug that {share}", self.taken, self.of)
    }
}

/// That at least one of the `exposing` tests among `all` is among those `taken` at random, without putting back:
/// 1 - C(all - exposing, taken) / C(all, taken). The number of such tests is distributed hypergeometrically.
pub fn confidence(all: usize, exposing: usize, taken: usize) -> f64 {
    let (exposing, taken) = (exposing.min(all), taken.min(all));
    // The chance that none is drawn, draw by draw.
    let draw = |drawn: usize| (all - exposing).saturating_sub(drawn) as f64 / (all - drawn) as f64;
    1.0 - (0..taken).map(draw).product::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "for a test suite of size 100, in order to find the bug with at least 90% probability, it is enough to run only 7
    /// (when m=30%), 20 (when m=10%), and 32 tests (when m=6%)"
    #[test]
    fn the_papers_numbers() {
        for (exposing, enough) in [(30, 7), (10, 20), (6, 32)] {
            let first = (0..=100).find(|&taken| confidence(100, exposing, taken) >= 0.9);
            assert_eq!(first, Some(enough), "{exposing} %");
        }
        let sample = Sample { taken: 20, of: 100, rng_seed: 0 };
        assert_eq!(sample.in_words(), "20 of 100 tests: 90 % confidence to see a bug that 10 % of them expose");
    }

    /// The formula, with binomial coefficients counted out.
    #[test]
    fn draws_give_the_formula() {
        let choose = |n: usize, k: usize| (0..k).fold(1u128, |c, i| c * (n - i) as u128 / (i + 1) as u128);
        for all in 1..=20 {
            for exposing in 0..=all {
                for taken in 0..=all {
                    let none = if all - exposing < taken { 0 } else { choose(all - exposing, taken) };
                    let expected = 1.0 - none as f64 / choose(all, taken) as f64;
                    let got = confidence(all, exposing, taken);
                    assert!((got - expected).abs() < 1e-12, "{all} {exposing} {taken}: {got} is not {expected}");
                }
            }
        }
    }

    #[test]
    fn sizes() {
        let of = |text: &str, all| text.parse::<Size>().map(|size| size.of(all)).ok();
        assert_eq!(
            (of("20%", 100), of("1%", 5), of("100%", 7), of("3", 2), of("2.5%", 200)),
            (Some(20), Some(1), Some(7), Some(2), Some(5))
        );
        for wrong in ["", "0", "0%", "101%", "-1", "-5%", "x", "NaN%", "inf%", "1.5"] {
            assert_eq!(of(wrong, 10), None, "{wrong}");
        }
        assert_eq!(of("20%", 0), Some(0));
    }

    #[test]
    fn a_sample_is_random_but_the_same_again() {
        let take = |seed| {
            let mut seeds: Vec<u32> = (0..100).collect();
            assert_eq!(Size::Count(20).take(&mut seeds, seed), Sample { taken: 20, of: 100, rng_seed: seed });
            seeds
        };
        assert_eq!(take(1), take(1));
        assert_ne!(take(1), take(2));
        assert!(take(1).len() == 20 && take(1).is_sorted());
    }

    #[test]
    fn small_suites() {
        let words = |taken, of| Sample { taken, of, rng_seed: 0 }.in_words();
        assert_eq!(words(1, 4), "1 of 4 tests: 25 % confidence to see a bug that one of them exposes");
        assert_eq!(words(4, 4), "4 of 4 tests: 100 % confidence to see a bug that one of them exposes");
    }
}
