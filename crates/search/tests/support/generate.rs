//! Programs: random ones, and small ones with a point to make.

use super::program::{Node, Program, Test};
use offshoot_base::Rng;

/// Builds from the end to the front: every piece is told where to go on.
pub struct Builder {
    pub nodes: Vec<Node>,
    pub outcomes: Vec<u32>,
}

impl Default for Builder {
    fn default() -> Builder {
        Builder { nodes: vec![Node::End], outcomes: Vec::new() }
    }
}

pub const END: usize = 0;

impl Builder {
    /// `to[outcome]`; of a condition, 0 is false.
    pub fn decide(&mut self, test: Test, to: &[usize]) -> usize {
        let site = self.outcomes.len() as u32;
        self.outcomes.push(to.len() as u32);
        self.push(Node::Decide { site, test, to: to.to_vec() })
    }

    pub fn add(&mut self, register: usize, n: u8, to: usize) -> usize {
        self.push(Node::Add { register, n, to })
    }

    pub fn finish(self, entry: usize, inputs: usize, domain: u8) -> Program {
        Program { nodes: self.nodes, entry, outcomes: self.outcomes, inputs, domain, library: |_| false }
    }

    fn push(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }
}

pub fn random(seed: u64) -> Program {
    let mut rng = Rng::new(seed);
    let mut builder = Builder::default();
    let (inputs, domain) = (3, 5);
    let mut entry = END;
    for _ in 0..2 + rng.index(4) {
        entry = statement(&mut builder, &mut rng, inputs, domain, 2, entry);
    }
    Program { library: |site| site.0 % 4 == 3, ..builder.finish(entry, inputs, domain) }
}

/// Large enough that no strategy sees more than a part of its paths.
pub fn large(seed: u64) -> Program {
    let mut rng = Rng::new(seed);
    let mut builder = Builder::default();
    let (inputs, domain) = (5, 5);
    let mut entry = END;
    for _ in 0..8 + rng.index(5) {
        entry = statement(&mut builder, &mut rng, inputs, domain, 5, entry);
    }
    builder.finish(entry, inputs, domain)
}

fn statement(builder: &mut Builder, rng: &mut Rng, inputs: usize, domain: u8, levels: u32, next: usize) -> usize {
    let test = match rng.index(6) {
        0 | 1 => Test::Below(rng.index(inputs), 1 + rng.index(domain as usize - 1) as u8),
        2 => Test::Is(rng.index(inputs), rng.index(domain as usize) as u8),
        3 => Test::Less(rng.index(inputs), rng.index(inputs)),
        4 => Test::Switch(rng.index(inputs)),
        _ => Test::Register(rng.index(4), 1 + rng.index(3) as u8),
    };
    let outcomes = if matches!(test, Test::Switch(_)) { 2 + rng.index(3) } else { 2 };
    let body = |builder: &mut Builder, rng: &mut Rng| match (levels, rng.index(4)) {
        (0, _) | (_, 0) => next,
        (_, 1) => builder.add(rng.index(4), 1, next),
        _ => statement(builder, rng, inputs, domain, levels - 1, next),
    };
    let to: Vec<usize> = (0..outcomes).map(|_| body(builder, rng)).collect();
    if rng.index(5) == 0 {
        return looped(builder, rng, inputs, next);
    }
    builder.decide(test, &to)
}

/// `do { if (input[i] < register 3) …; register 3 += 1 } while (register 3 < 3)`: a concrete loop around a symbolic test.
fn looped(builder: &mut Builder, rng: &mut Rng, inputs: usize, next: usize) -> usize {
    // The loop's end is known only when its start is: reserve the node.
    let end = builder.decide(Test::Register(3, 3), &[next, END]);
    let count = builder.add(3, 1, end);
    let mark = builder.add(rng.index(3), 1, count);
    let start = builder.decide(Test::Below(rng.index(inputs), 2), &[count, mark]);
    if let Node::Decide { to, .. } = &mut builder.nodes[end] {
        to[1] = start;
    }
    start
}

/// FSE'14 figure 1: `total < 100` before `total >= 200`; three paths to the last conditional, of which only one can go
/// on. `a` others in front decide nothing, and only make paths.
pub fn three_conditionals(others: usize) -> Program {
    let mut builder = Builder::default();
    let total = others;
    let mut entry = builder.decide(Test::Is(total, 4), &[END, END]);
    entry = builder.decide(Test::Below(total, 2), &[entry, entry]);
    for input in 0..others {
        entry = builder.decide(Test::Below(input, 1), &[entry, entry]);
    }
    builder.finish(entry, others + 1, 5)
}

/// FSE'14 figure 5: a deep nest whose last test can only be met if the branch in front of the nest went the right way.
/// The nest's own branches dominate the test: without them the second context tells the two ways apart.
pub fn deep_nest(levels: usize, others: usize) -> Program {
    let mut builder = Builder::default();
    let key = 0;
    let deepest = builder.decide(Test::Is(key, 4), &[END, END]);
    let mut entry = deepest;
    for level in 0..levels {
        // Always met: input 1 is never 0 once the first of them was passed.
        entry = builder.decide(Test::Below(1, 4 - (level % 3) as u8), &[END, entry]);
    }
    entry = builder.decide(Test::Below(key, 3), &[entry, entry]);
    for input in 0..others {
        entry = builder.decide(Test::Below(2 + input, 1), &[entry, entry]);
    }
    builder.finish(entry, 2 + others, 5)
}

/// SERE'14 section V: each input that is 3 counts; the last test needs `enough` of them and does not itself depend on the
/// input.
pub fn counted(inputs: usize, enough: u8) -> Program {
    let mut builder = Builder::default();
    let mut entry = builder.decide(Test::Register(0, enough), &[END, END]);
    for input in (0..inputs).rev() {
        let count = builder.add(0, 1, entry);
        entry = builder.decide(Test::Is(input, 3), &[entry, count]);
    }
    builder.finish(entry, inputs, 4)
}
