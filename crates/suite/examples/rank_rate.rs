//! How long the orders take: `cargo run --release -p offshoot-suite --example rank_rate [TESTS [BRANCHES]]`.
//!
//! Two synthetic suites. *Noise*: each test takes each branch with probability 1/4, so no test is near another and no
//! shortcut helps. *Families*: as programs have it, a common core, and variants of few behaviours.

use offshoot_base::Rng;
use offshoot_suite::{Order, Profile, rank, select};

fn main() {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse::<usize>());
    let mut next = |usual| numbers.next().map_or(usual, |number| number.unwrap_or(usual));
    let (tests, branches) = (next(10_000), next(20_000));
    for (name, suite) in [("noise", noise(tests, branches)), ("families", families(tests, branches))] {
        println!("{name}: {tests} tests, {branches} branches");
        for order in Order::NAMES.into_iter().filter_map(Order::parse) {
            let start = cpu_seconds();
            let ranked = rank(order, &suite, 1);
            println!(
                "  {:<10} {:>7.3} s  first {:?}",
                order.name(),
                cpu_seconds() - start,
                &ranked[..ranked.len().min(4)]
            );
        }
        let start = cpu_seconds();
        let selection = select(&suite);
        let seconds = cpu_seconds() - start;
        println!(
            "  {:<10} {seconds:>7.3} s  {} tests, smallest: {}",
            "select",
            selection.tests.len(),
            selection.is_smallest
        );
    }
}

/// Time on a processor, not on the clock: others may be using the machine.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|number| number.parse::<f64>().ok());
    nanoseconds.unwrap_or(f64::NAN) / 1e9
}

fn noise(tests: usize, branches: usize) -> Vec<Profile> {
    let mut random = Rng::new(1);
    let mut profile = |_| Profile {
        branches: (0..branches).filter(|_| random.index(4) == 0).collect(),
        path_length: random.next_u64() >> 40,
    };
    (0..tests).map(&mut profile).collect()
}

fn families(tests: usize, branches: usize) -> Vec<Profile> {
    let mut random = Rng::new(2);
    let core = branches / 5;
    let families: Vec<Vec<usize>> =
        (0..200).map(|_| (0..branches / 20).map(|_| core + random.index(branches - core)).collect()).collect();
    let mut profile = |_| {
        let mut taken: Vec<usize> = (0..core).filter(|_| random.index(10) != 0).collect();
        for _ in 0..1 + random.index(3) {
            let family = &families[random.index(families.len())];
            taken.extend(family.iter().copied().filter(|_| random.index(20) != 0));
        }
        Profile { branches: taken.into_iter().collect(), path_length: random.next_u64() >> 40 }
    };
    (0..tests).map(&mut profile).collect()
}
