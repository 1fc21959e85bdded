//! Branch Total (BT).

use crate::matrix::Profile;
use std::cmp::Reverse;

pub fn rank(profiles: &[Profile], places: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..profiles.len()).collect();
    order.sort_by_cached_key(|&test| (Reverse(profiles[test].branches.count_ones(..)), places[test]));
    order
}
