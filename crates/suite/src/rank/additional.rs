//! Branch Additional (BA). Once nothing adds a branch, all tests that are left tie, and chance orders them: the paper
//! does not start over with an empty set, as Rothermel's original does.

use crate::matrix::{Matrix, Profile, beyond};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

pub struct Additional {
    pub order: Vec<usize>,
    /// How many of the first tests add a branch to those before them.
    pub adding: usize,
}

/// Greedy with lazy evaluation: what a test adds only shrinks as others are ranked, so an old figure is an upper bound,
/// and a test whose fresh figure still beats the bounds of all others is the one.
pub fn rank(profiles: &[Profile], places: &[usize]) -> Additional {
    let matrix = Matrix::without_constant_columns(profiles);
    // Branches that all tests share were left out; they count for the first test, whichever it is.
    let shared = (0..profiles.len()).any(|test| profiles[test].branches.count_ones(..) as u32 > matrix.weight(test));
    let mut covered = vec![0u64; matrix.words()];
    let mut heap: BinaryHeap<(u32, Reverse<usize>, usize)> =
        (0..matrix.rows()).map(|test| (matrix.weight(test), Reverse(places[test]), test)).collect();
    let mut order = Vec::with_capacity(matrix.rows());
    let mut adding = 0;
    while let Some((bound, place, test)) = heap.pop() {
        let gain = if bound == 0 { 0 } else { beyond(matrix.row(test), &covered) };
        let fresh = (gain, place, test);
        if heap.peek().is_some_and(|next| *next > fresh) {
            heap.push(fresh);
            continue;
        }
        if gain > 0 || (shared && order.is_empty()) {
            adding += 1;
        }
        for (all, row) in covered.iter_mut().zip(matrix.row(test)) {
            *all |= row;
        }
        order.push(test);
    }
    Additional { order, adding }
}
