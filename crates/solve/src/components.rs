//! Which bytes hang together through the conditions so far: a union-find that grows along the path, each component with
//! its bytes and its conditions.

use offshoot_expr::SetId;
use offshoot_expr::hash::FastSet;

#[derive(Default)]
pub struct Components {
    parent: Vec<u32>,
    /// At roots; empty elsewhere.
    members: Vec<Members>,
    /// Sets whose bytes are in one component already.
    joined: FastSet<SetId>,
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

    /// The next condition, over `bytes`, which must have been grown to.
    pub fn add(&mut self, condition: u32, set: SetId, mut bytes: impl Iterator<Item = u32>) {
        self.conditions += 1;
        let Some(first) = bytes.next() else { return };
        let mut root = self.find(first);
        if self.joined.insert(set) {
            for byte in bytes {
                let other = self.find(byte);
                if other != root {
                    root = self.unite(root, other);
                }
            }
        }
        self.members[root as usize].conditions.push(condition);
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
