//! Orders of tests: section 3 of Zhang, Groce and Alipour, "Using Test Case Reduction and Prioritization to Improve
//! Symbolic Execution" (ISSTA 2014). One file an order.
//!
//! An order is a permutation of the tests, the one to explore first in front. Wherever an order leaves a choice, chance
//! makes it: each test draws a place in a random permutation, and the one whose place comes first wins. So a fast way
//! to compute an order and the definition agree test by test.

mod additional;
mod auto;
mod fpf;
mod random;
mod shortest;
mod total;

use crate::matrix::Profile;
use offshoot_base::Rng;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Any permutation: what the others are measured against.
    Random,
    /// Branch Total: most branches first.
    Total,
    /// Branch Additional: most branches that no earlier test has.
    Additional,
    /// Furthest-Point-First: the largest Hamming distance to the nearest earlier test; the first is random.
    Fpf,
    /// Shortest Path: fewest branches taken, counting repetitions.
    Shortest,
    /// Ours: shortest for a depth-first search, else additional as long as it adds, and furthest-point-first behind it.
    Auto { depth_first: bool },
}

impl Order {
    pub const NAMES: [&str; 6] = ["random", "total", "additional", "fpf", "shortest", "auto"];

    /// `auto` is for a search that is not depth-first.
    pub fn parse(name: &str) -> Option<Order> {
        Some(match name {
            "random" => Order::Random,
            "total" => Order::Total,
            "additional" => Order::Additional,
            "fpf" => Order::Fpf,
            "shortest" => Order::Shortest,
            "auto" => Order::Auto { depth_first: false },
            _ => return None,
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Order::Random => "random",
            Order::Total => "total",
            Order::Additional => "additional",
            Order::Fpf => "fpf",
            Order::Shortest => "shortest",
            Order::Auto { .. } => "auto",
        }
    }
}

/// Every order of the tests equally likely; what ties are broken by.
fn drawn(count: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    Rng::new(seed).shuffle(&mut order);
    order
}

/// The indices of `profiles`, first things first.
pub fn rank(order: Order, profiles: &[Profile], seed: u64) -> Vec<usize> {
    let draw = drawn(profiles.len(), seed);
    match order {
        Order::Random => random::rank(draw),
        Order::Total => total::rank(profiles, &places(&draw)),
        Order::Additional => additional::rank(profiles, &places(&draw)).order,
        Order::Fpf => fpf::rank(profiles, &places(&draw)),
        Order::Shortest | Order::Auto { depth_first: true } => shortest::rank(profiles, &places(&draw)),
        Order::Auto { depth_first: false } => auto::rank(profiles, &places(&draw)),
    }
}

/// Where each test stands in a permutation: the inverse of it.
fn places(order: &[usize]) -> Vec<usize> {
    let mut places = vec![0; order.len()];
    for (place, &test) in order.iter().enumerate() {
        places[test] = place;
    }
    places
}

#[cfg(test)]
mod tests;
