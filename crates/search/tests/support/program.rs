//! The program: a graph of decisions and additions.

use offshoot_search::{Site, Step};
use std::collections::HashMap;

pub type Input = Vec<u8>;

/// What a decision looks at.
#[derive(Clone, Copy, Debug)]
pub enum Test {
    /// `input[i] < c`
    Below(usize, u8),
    /// `input[i] == c`
    Is(usize, u8),
    /// `input[i] < input[j]`
    Less(usize, usize),
    /// `switch (input[i])` with labels from 0 on; behind the last one the default.
    Switch(usize),
    /// `register[r] < c`: concrete.
    Register(usize, u8),
}

#[derive(Clone, Debug)]
pub enum Node {
    Decide {
        site: u32,
        test: Test,
        to: Vec<usize>,
    },
    /// `register[r] += n`
    Add {
        register: usize,
        n: u8,
        to: usize,
    },
    End,
}

#[derive(Clone, Debug)]
pub struct Program {
    /// Node 0 is `End`.
    pub nodes: Vec<Node>,
    pub entry: usize,
    /// By site.
    pub outcomes: Vec<u32>,
    pub inputs: usize,
    /// An input value is below it.
    pub domain: u8,
    /// Sites that are no goals.
    pub library: fn(Site) -> bool,
}

const STEPS: usize = 4_000;

impl Program {
    pub fn run(&self, input: &Input) -> Vec<Step> {
        self.trace(input).into_iter().map(|(step, _)| step).collect()
    }

    /// Steps with the normalised branch distance to the other outcome; of a switch, 0.5.
    pub fn trace(&self, input: &Input) -> Vec<(Step, f32)> {
        let mut registers = [0u8; 4];
        let mut steps = Vec::new();
        let mut at = self.entry;
        while steps.len() < STEPS {
            match &self.nodes[at] {
                Node::End => break,
                Node::Add { register, n, to } => {
                    registers[*register] = registers[*register].saturating_add(*n);
                    at = *to;
                }
                Node::Decide { site, test, to } => {
                    let outcome = match *test {
                        Test::Below(i, c) => u32::from(input[i] < c),
                        Test::Is(i, c) => u32::from(input[i] == c),
                        Test::Less(i, j) => u32::from(input[i] < input[j]),
                        Test::Switch(i) => u32::from(input[i]).min(to.len() as u32 - 1),
                        Test::Register(r, c) => u32::from(registers[r] < c),
                    };
                    let apart = |a: u8, b: u8| f32::from(a.abs_diff(b));
                    let far = match *test {
                        Test::Below(i, c) => apart(input[i], c),
                        Test::Is(i, c) => apart(input[i], c),
                        Test::Less(i, j) => apart(input[i], input[j]),
                        Test::Switch(_) => 1.0,
                        Test::Register(r, c) => apart(registers[r], c),
                    };
                    let symbolic = !matches!(test, Test::Register(..));
                    steps.push((Step { site: Site(*site), outcome, symbolic }, far / (far + 1.0)));
                    at = to[outcome as usize];
                }
            }
        }
        steps
    }

    pub fn all_inputs(&self) -> Vec<Input> {
        let mut all = vec![Input::new()];
        for _ in 0..self.inputs {
            all = all.iter().flat_map(|input| (0..self.domain).map(|value| [&input[..], &[value]].concat())).collect();
        }
        all
    }

    pub fn symbolic(steps: &[Step]) -> Vec<Step> {
        steps.iter().copied().filter(|step| step.symbolic).collect()
    }
}

/// All inputs by all beginnings of their paths: answers any query at once.
pub struct Oracle {
    first: HashMap<Vec<Step>, Input>,
    /// Number of feasible paths.
    pub paths: usize,
}

impl Oracle {
    pub fn new(program: &Program) -> Oracle {
        let mut first: HashMap<Vec<Step>, Input> = HashMap::new();
        let mut paths = std::collections::HashSet::new();
        for input in program.all_inputs() {
            let path = Program::symbolic(&program.run(&input));
            if paths.insert(path.clone()) {
                for length in 1..=path.len() {
                    first.entry(path[..length].to_vec()).or_insert_with(|| input.clone());
                }
            }
        }
        Oracle { first, paths: paths.len() }
    }

    pub fn solve(&self, prefix: &[Step]) -> Option<&Input> {
        self.first.get(prefix)
    }
}
