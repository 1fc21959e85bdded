//! Shortest Path (SP).

use crate::matrix::Profile;

pub fn rank(profiles: &[Profile], places: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..profiles.len()).collect();
    order.sort_by_key(|&test| (profiles[test].path_length, places[test]));
    order
}
