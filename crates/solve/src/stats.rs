//! Who answered what, and how long it took.

use crate::answer::Answer;
use std::time::Duration;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerStats {
    pub name: &'static str,
    pub asked: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    /// `Sat` answers that did not satisfy their problem.
    pub wrong: u64,
    pub time: Duration,
    pub latency: Histogram,
}

impl LayerStats {
    pub fn new(name: &'static str) -> LayerStats {
        let latency = Histogram::default();
        LayerStats { name, asked: 0, sat: 0, unsat: 0, unknown: 0, wrong: 0, time: Duration::ZERO, latency }
    }

    pub fn count(&mut self, answer: &Answer, time: Duration) {
        self.asked += 1;
        match answer {
            Answer::Sat(_) => self.sat += 1,
            Answer::Unsat => self.unsat += 1,
            Answer::Unknown(_) => self.unknown += 1,
        }
        self.time += time;
        self.latency.add(time);
    }
}

/// Counts by the logarithm of the nanoseconds: bucket `k` is `2^k ..= 2^(k+1) - 1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    pub buckets: [u64; 64],
}

impl Default for Histogram {
    fn default() -> Self {
        Histogram { buckets: [0; 64] }
    }
}

impl Histogram {
    pub fn add(&mut self, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX).max(1);
        self.buckets[nanos.ilog2() as usize] += 1;
    }

    pub fn count(&self) -> u64 {
        self.buckets.iter().sum()
    }

    /// The middle of the bucket that the median lies in.
    pub fn median(&self) -> Option<Duration> {
        self.quantile(1, 2)
    }

    /// The middle of the bucket in which the `part / whole` smallest end.
    pub fn quantile(&self, part: u64, whole: u64) -> Option<Duration> {
        let wanted = (self.count() * part).div_ceil(whole).max(1);
        let mut sum = 0;
        let bucket = self.buckets.iter().position(|&count| {
            sum += count;
            sum >= wanted
        })?;
        Some(Duration::from_nanos((1u64 << bucket).saturating_add((1u64 << bucket) / 2)))
    }
}

/// Of all queries of a solver.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// In the order of the chain.
    pub layers: Vec<LayerStats>,
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    pub time: Duration,
    pub latency: Histogram,
    /// Conditions that the hint did not satisfy: the trace and the input do not belong together.
    pub foreign: u64,
    /// Answers of our own layers that were wrong: bugs.
    pub errors: Vec<String>,
}

impl Stats {
    pub fn layer(&mut self, name: &'static str) -> &mut LayerStats {
        let at = self.layers.iter().position(|layer| layer.name == name).unwrap_or_else(|| {
            self.layers.push(LayerStats::new(name));
            self.layers.len() - 1
        });
        &mut self.layers[at]
    }

    pub fn count(&mut self, answer: &Answer, time: Duration) {
        self.queries += 1;
        match answer {
            Answer::Sat(_) => self.sat += 1,
            Answer::Unsat => self.unsat += 1,
            Answer::Unknown(_) => self.unknown += 1,
        }
        self.time += time;
        self.latency.add(time);
    }
}

impl std::fmt::Display for Stats {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "layer       asked     sat   unsat unknown  time ms   median")?;
        for layer in &self.layers {
            writeln!(
                f,
                "{:8} {:8} {:7} {:7} {:7} {:8.1} {:>8.1?}",
                layer.name,
                layer.asked,
                layer.sat,
                layer.unsat,
                layer.unknown,
                layer.time.as_secs_f64() * 1e3,
                layer.latency.median().unwrap_or_default(),
            )?;
        }
        write!(
            f,
            "{:8} {:8} {:7} {:7} {:7} {:8.1} {:>8.1?}",
            "all",
            self.queries,
            self.sat,
            self.unsat,
            self.unknown,
            self.time.as_secs_f64() * 1e3,
            self.latency.median().unwrap_or_default(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_lies_in_its_bucket() {
        let mut histogram = Histogram::default();
        assert_eq!(histogram.median(), None);
        for nanos in [1, 100, 1000, 1_000_000, u64::MAX] {
            histogram.add(Duration::from_nanos(nanos));
        }
        assert_eq!(histogram.median(), Some(Duration::from_nanos(512 + 256)));
        assert_eq!(histogram.quantile(1, 1).map(|d| d.as_nanos().ilog2()), Some(63));
    }
}
