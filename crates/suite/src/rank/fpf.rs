//! Furthest-Point-First (FPF), after Gonzalez (1985): the next test is the one whose nearest ranked test is furthest
//! away, by the Hamming distance of the branches covered.

use crate::matrix::{Matrix, Profile, distance};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

pub fn rank(profiles: &[Profile], places: &[usize]) -> Vec<usize> {
    let Some(first) = (0..profiles.len()).min_by_key(|&test| places[test]) else { return Vec::new() };
    extend(profiles, places, vec![first])
}

/// Ranks what is left behind tests that are ranked already.
///
/// Lazily: the distance to the nearest ranked test only shrinks as more are ranked, so one that was computed earlier is
/// an upper bound, and a test whose figure is up to date and still beats the bounds of all others is the next.
pub fn extend(profiles: &[Profile], places: &[usize], ranked: Vec<usize>) -> Vec<usize> {
    let mut field = Field::new(profiles, ranked);
    let given: HashSet<usize> = field.ranked.iter().copied().collect();
    let mut heap: BinaryHeap<Entry> = (0..profiles.len())
        .filter(|test| !given.contains(test))
        .map(|test| (u32::MAX, Reverse(places[test]), test))
        .collect();
    while let Some(top) = heap.pop() {
        if field.backlog(top.2) == 0 {
            field.ranked.push(top.2);
            continue;
        }
        let group = group(&field, &mut heap, top);
        field.catch_up(&group);
        heap.extend(group.into_iter().map(|(_, place, test)| (field.nearest[test], place, test)));
    }
    field.ranked
}

/// The bound on a test's distance, where it stands in the draw, and the test.
type Entry = (u32, Reverse<usize>, usize);

/// Tests that are this far behind catch up together, so that the rows of ranked tests are read from memory once for all
/// of them; that, not the counting, is what takes the time in large suites.
const FAR_BEHIND: usize = 64;
const GROUP: usize = 32;
/// How many entries to look at for company.
const LOOK: usize = 64;

fn group(field: &Field, heap: &mut BinaryHeap<Entry>, top: Entry) -> Vec<Entry> {
    let mut group = vec![top];
    if field.backlog(top.2) <= FAR_BEHIND {
        return group;
    }
    let mut others = Vec::new();
    while group.len() < GROUP && others.len() < LOOK {
        match heap.pop() {
            Some(entry) if field.backlog(entry.2) > FAR_BEHIND => group.push(entry),
            Some(entry) => others.push(entry),
            None => break,
        }
    }
    heap.extend(others);
    group
}

struct Field {
    matrix: Matrix,
    weights: Vec<u32>,
    ranked: Vec<usize>,
    /// How many of the ranked tests each test has been compared with.
    seen: Vec<usize>,
    /// The distance to the nearest of those.
    nearest: Vec<u32>,
}

impl Field {
    fn new(profiles: &[Profile], ranked: Vec<usize>) -> Field {
        let matrix = Matrix::without_constant_columns(profiles);
        let weights = (0..profiles.len()).map(|test| matrix.weight(test)).collect();
        Field { matrix, weights, ranked, seen: vec![0; profiles.len()], nearest: vec![u32::MAX; profiles.len()] }
    }

    fn backlog(&self, test: usize) -> usize {
        self.ranked.len() - self.seen[test]
    }

    fn catch_up(&mut self, group: &[Entry]) {
        let start = group.iter().map(|entry| self.seen[entry.2]).min().unwrap_or(0);
        for at in start..self.ranked.len() {
            let other = self.ranked[at];
            for &(_, _, test) in group.iter().filter(|entry| self.seen[entry.2] <= at) {
                // |a ⊕ b| ≥ ||a| − |b||
                if self.weights[test].abs_diff(self.weights[other]) < self.nearest[test] {
                    let distance = distance(self.matrix.row(test), self.matrix.row(other));
                    self.nearest[test] = self.nearest[test].min(distance);
                }
            }
        }
        for entry in group {
            self.seen[entry.2] = self.ranked.len();
        }
    }
}
