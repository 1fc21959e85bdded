//! Dominator trees: K. Cooper, T. Harvey, K. Kennedy, "A Simple, Fast Dominance Algorithm", 2001.

use super::table::Table;

const NONE: u32 = u32::MAX;

/// The dominator tree of a graph from one root. A node that the root does not reach is in no tree.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    parent: Vec<u32>,
    /// A node's descendants are numbered `enter .. enter + size`, itself being the first.
    enter: Vec<u32>,
    size: Vec<u32>,
    root: u32,
}

impl Tree {
    pub fn new(successors: &Table, root: u32) -> Tree {
        let nodes = successors.len();
        let order = reverse_postorder(successors, root);
        let mut position = vec![NONE; nodes];
        for (i, node) in order.iter().enumerate() {
            position[*node as usize] = i as u32;
        }
        let predecessors = successors.inverted(nodes);
        let mut parent = vec![NONE; nodes];
        parent[root as usize] = root;
        let mut changed = true;
        while changed {
            changed = false;
            for &node in &order[1..] {
                let known = predecessors.of(node).iter().copied().filter(|p| parent[*p as usize] != NONE);
                let new = known.reduce(|a, b| meet(&parent, &position, a, b)).unwrap_or(NONE);
                changed |= parent[node as usize] != new;
                parent[node as usize] = new;
            }
        }
        // Parents come before their children in `order`.
        let mut size = vec![1_u32; nodes];
        for &node in order[1..].iter().rev() {
            size[parent[node as usize] as usize] += size[node as usize];
        }
        let mut enter = vec![0; nodes];
        let mut next = vec![1_u32; nodes];
        for &node in &order[1..] {
            let above = parent[node as usize] as usize;
            enter[node as usize] = next[above];
            next[above] += size[node as usize];
            next[node as usize] = enter[node as usize] + 1;
        }
        Tree { parent, enter, size, root }
    }

    pub fn has(&self, node: u32) -> bool {
        self.parent[node as usize] != NONE
    }

    /// `None` for the root and for what is not in the tree.
    pub fn parent(&self, node: u32) -> Option<u32> {
        Some(self.parent[node as usize]).filter(|parent| *parent != NONE && node != self.root)
    }

    /// From the parent up to and with the root.
    pub fn ancestors(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(self.parent(node), |node| self.parent(*node))
    }

    /// Every node dominates itself.
    pub fn dominates(&self, a: u32, b: u32) -> bool {
        let (enter, size) = (self.enter[a as usize], self.size[a as usize]);
        self.has(a) && self.has(b) && (enter..enter + size).contains(&self.enter[b as usize])
    }
}

fn meet(parent: &[u32], position: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while position[a as usize] > position[b as usize] {
            a = parent[a as usize];
        }
        while position[b as usize] > position[a as usize] {
            b = parent[b as usize];
        }
    }
    a
}

/// What `root` reaches, every node before its successors but for loops.
pub fn reverse_postorder(successors: &Table, root: u32) -> Vec<u32> {
    let mut seen = vec![false; successors.len()];
    let mut order = Vec::new();
    let mut open = vec![(root, 0)];
    seen[root as usize] = true;
    while let Some((node, next)) = open.last_mut() {
        match successors.of(*node).get(*next) {
            Some(&successor) => {
                *next += 1;
                if !std::mem::replace(&mut seen[successor as usize], true) {
                    open.push((successor, 0));
                }
            }
            None => {
                order.push(*node);
                open.pop();
            }
        }
    }
    order.reverse();
    order
}
