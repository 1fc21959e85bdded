//! Which bytes hang together through the conditions so far: a union-find that grows along the path, each component with
//! its bytes and its conditions.

use offshoot_expr::hash::FastMap;
use offshoot_expr::{ByteRange, SetId};
use std::collections::BTreeMap;

#[derive(Default)]
pub struct Components {
    parent: Vec<u32>,
    /// At roots; empty elsewhere.
    members: Vec<Members>,
    /// Sets whose bytes are in one component already, with one of them.
    joined: FastMap<SetId, u32>,
    /// Bytes side by side in one component: where they begin, where they end, and one of them. Conditions on a checksum
    /// are over all bytes so far, each over one more.
    runs: BTreeMap<(u32, u32), (u32, u32)>,
    /// How many conditions are in.
    conditions: usize,
}

#[derive(Default)]
struct Members {
    bytes: Vec<u32>,
    conditions: Vec<u32>,
}

impl Components {
    /// How many conditions are in.
    pub fn len(&self) -> usize {
        self.conditions
    }

    fn find(&mut self, byte: u32) -> u32 {
        let mut at = byte;
        while self.parent[at as usize] != at {
            let above = self.parent[at as usize];
            self.parent[at as usize] = self.parent[above as usize];
            at = above;
        }
        at
    }

    pub fn grow(&mut self, bytes: usize) {
        for id in self.parent.len() as u32..bytes as u32 {
            self.parent.push(id);
            self.members.push(Members { bytes: vec![id], conditions: Vec::new() });
        }
    }

    /// The next condition, if there was one over the same bytes before.
    pub fn add_to_known(&mut self, condition: u32, set: SetId) -> bool {
        let Some(&byte) = self.joined.get(&set) else { return false };
        self.conditions += 1;
        let root = self.find(byte);
        self.members[root as usize].conditions.push(condition);
        true
    }

    /// The next condition, over the bytes in `ranges`; `number` gives the number of one.
    pub fn add(&mut self, condition: u32, set: SetId, ranges: &[ByteRange], mut number: impl FnMut((u32, u32)) -> u32) {
        self.conditions += 1;
        let mut root = None;
        for range in ranges {
            root = self.join(root, range, &mut number);
        }
        if let Some(root) = root {
            self.joined.insert(set, root);
            self.members[root as usize].conditions.push(condition);
        }
    }

    /// All bytes of the range and of the component at `root` become one component; its root.
    fn join(
        &mut self,
        mut root: Option<u32>,
        &ByteRange { source, start, end }: &ByteRange,
        number: &mut impl FnMut((u32, u32)) -> u32,
    ) -> Option<u32> {
        let before = self.runs.range(..(source, start)).next_back();
        let reaching_in = before.filter(|((of, _), (run_end, _))| *of == source && *run_end > start);
        let first = reaching_in.map_or(start, |(&(_, run_start), _)| run_start);
        let (mut at, mut last) = (first, end);
        while at < end {
            let next = self.runs.range((source, at)..(source, end)).next().map(|(&key, &run)| (key, run));
            let gap = next.map_or(end, |((_, run_start), _)| run_start);
            for offset in at..gap {
                let byte = number((source, offset));
                self.grow(byte as usize + 1);
                root = Some(self.with(root, byte));
            }
            at = gap;
            if let Some((key, (run_end, byte))) = next {
                self.runs.remove(&key);
                root = Some(self.with(root, byte));
                at = run_end;
                last = last.max(run_end);
            }
        }
        if let Some(root) = root {
            self.runs.insert((source, first), (last, root));
        }
        root
    }

    fn with(&mut self, root: Option<u32>, byte: u32) -> u32 {
        let other = self.find(byte);
        match root {
            Some(root) if root != other => self.unite(root, other),
            _ => other,
        }
    }

    /// The smaller goes into the larger.
    fn unite(&mut self, a: u32, b: u32) -> u32 {
        let size = |at: u32| self.members[at as usize].bytes.len() + self.members[at as usize].conditions.len();
        let (large, small) = if size(a) >= size(b) { (a, b) } else { (b, a) };
        let moved = std::mem::take(&mut self.members[small as usize]);
        let members = &mut self.members[large as usize];
        members.bytes.extend(moved.bytes);
        members.conditions.extend(moved.conditions);
        self.parent[small as usize] = large;
        large
    }

    /// Bytes and conditions of all components that contain one of `bytes`; in no particular order.
    pub fn of(&mut self, bytes: impl Iterator<Item = u32>) -> (Vec<u32>, Vec<u32>) {
        let mut roots: Vec<u32> = bytes.map(|byte| self.find(byte)).collect();
        roots.sort_unstable();
        roots.dedup();
        let (mut all, mut conditions) = (Vec::new(), Vec::new());
        for root in roots {
            all.extend_from_slice(&self.members[root as usize].bytes);
            conditions.extend_from_slice(&self.members[root as usize].conditions);
        }
        (all, conditions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use offshoot_expr::Pool;
    use std::collections::BTreeSet;

    /// Every component by its smallest byte.
    fn expected(sets: &[Vec<ByteRange>]) -> Vec<BTreeSet<(u32, u32)>> {
        let mut found: Vec<BTreeSet<(u32, u32)>> = Vec::new();
        for set in sets {
            let mut all: BTreeSet<_> = set.iter().flat_map(|r| (r.start..r.end).map(|at| (r.source, at))).collect();
            found.retain(|one| {
                let is_apart = one.is_disjoint(&all);
                if !is_apart {
                    all.extend(one);
                }
                is_apart
            });
            found.push(all);
        }
        found.sort();
        found
    }

    proptest::proptest! {
        #[test]
        fn runs_join_what_single_bytes_would(
            sets in proptest::collection::vec(
                proptest::collection::vec((0u32..2, 0u32..40, 1u32..12), 1..4),
                1..20,
            ),
        ) {
            let mut pool = Pool::new();
            let (mut components, mut numbers) = (Components::default(), Vec::new());
            let mut all = Vec::new();
            for (index, ranges) in sets.iter().enumerate() {
                let reads = ranges.iter().flat_map(|&(source, start, len)| (start..start + len).map(move |at| (source, at)));
                let sum = reads.fold(pool.constant(0, 8), |sum, (source, at)| {
                    let byte = pool.read(source, at, 1);
                    pool.binary(offshoot_trace::Op::Add, sum, byte)
                });
                let set = pool.support_id(sum);
                let ranges = pool.support_set(set).ranges().to_vec();
                if !components.add_to_known(index as u32, set) {
                    components.add(index as u32, set, &ranges, |key| match numbers.iter().position(|one| *one == key) {
                        Some(at) => at as u32,
                        None => {
                            numbers.push(key);
                            numbers.len() as u32 - 1
                        }
                    });
                }
                all.push(ranges);
            }
            proptest::prop_assert_eq!(components.len(), sets.len());
            let mut found: Vec<BTreeSet<(u32, u32)>> = Vec::new();
            let mut conditions = 0;
            for byte in 0..numbers.len() as u32 {
                if components.find(byte) == byte {
                    let (bytes, own) = components.of([byte].into_iter());
                    found.push(bytes.into_iter().map(|at| numbers[at as usize]).collect());
                    conditions += own.len();
                }
            }
            found.sort();
            proptest::prop_assert_eq!(found, expected(&all));
            proptest::prop_assert_eq!(conditions, sets.len());
        }
    }
}
