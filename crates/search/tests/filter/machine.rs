//! Runs a model with a stack: everything that such a program might do, also where it leaves the graph.

use offshoot_model::{Callee, Module};
use std::collections::HashSet;

/// Function, block, and how many of its calls have been made.
type At = (usize, usize, usize);
/// The last one runs.
pub type Stack = Vec<At>;
/// Site and outcome.
pub type Decision = (u32, u32);

pub struct Machine<'a> {
    module: &'a Module,
    /// Functions whose address is taken.
    escaped: Vec<usize>,
}

/// Frames, and states that are tried: what needs more is not looked for.
const DEEPEST: usize = 5;
const STATES: usize = 20_000;

impl<'a> Machine<'a> {
    pub fn new(module: &'a Module) -> Machine<'a> {
        let named = |symbol: &u32| position(module, &module.symbols[*symbol as usize]);
        Machine { module, escaped: module.address_taken.iter().filter_map(named).collect() }
    }

    /// A run from `main`: at each fork the next of `choices`. The decisions, each with the state that it was made in.
    pub fn walk(&self, choices: &[u16]) -> Vec<(Stack, Decision)> {
        let mut path = Vec::new();
        let mut stack = vec![(position(self.module, "main").unwrap_or(0), 0, 0)];
        for choice in choices {
            let mut next = self.next(&stack);
            if next.is_empty() {
                break;
            }
            let (to, decision) = next.swap_remove(*choice as usize % next.len());
            path.extend(decision.map(|decision| (stack, decision)));
            stack = to;
        }
        path
    }

    /// Is the decision open, or may an open one come behind it?
    pub fn leads_to(&self, from: &Stack, decision: Decision, is_open: impl Fn(Decision) -> bool) -> bool {
        let first = self.next(from).into_iter().find(|(_, made)| *made == Some(decision));
        let mut open: Vec<(Stack, Option<Decision>)> = first.into_iter().collect();
        let mut seen = HashSet::new();
        while let Some((stack, made)) = open.pop() {
            if made.is_some_and(&is_open) {
                return true;
            }
            if seen.len() < STATES && seen.insert(stack.clone()) {
                open.extend(self.next(&stack));
            }
        }
        false
    }

    /// Everything that may come next.
    fn next(&self, stack: &Stack) -> Vec<(Stack, Option<Decision>)> {
        let Some((&(f, b, c), below)) = stack.split_last() else { return Vec::new() };
        let block = &self.module.functions[f].blocks[b];
        let then = |at: At| [below, &[at]].concat();
        if let Some(call) = block.calls.get(c) {
            return self.call(call, stack, then((f, b, c + 1))).into_iter().map(|stack| (stack, None)).collect();
        }
        if block.returns {
            // What comes behind `main`, and behind that: handlers.
            let ended = below.is_empty().then(|| self.escaped.iter().map(|hook| vec![(*hook, 0, 0)]));
            let back = (!below.is_empty()).then(|| below.to_vec());
            return ended.into_iter().flatten().chain(back).map(|stack| (stack, None)).collect();
        }
        let to = |(outcome, next): (usize, &u32)| {
            (then((f, *next as usize, 0)), (block.site != 0).then_some((block.site, outcome as u32)))
        };
        block.successors.iter().enumerate().map(to).collect()
    }

    /// `behind`: the stack when the call has come back.
    fn call(&self, call: &Callee, stack: &Stack, behind: Stack) -> Vec<Stack> {
        let enter =
            |on: &Stack, function: usize| (on.len() < DEEPEST).then(|| [on.as_slice(), &[(function, 0, 0)]].concat());
        // It may call back as often as it likes.
        let mut leaving: Vec<Stack> = self.escaped.iter().filter_map(|hook| enter(stack, *hook)).collect();
        let name = match call {
            Callee::Direct(name) => self.module.symbols[*name as usize].as_str(),
            _ => "*",
        };
        match (position(self.module, name), name) {
            (Some(function), _) => enter(&behind, function).into_iter().collect(),
            (None, "puts" | "setjmp") => vec![behind],
            (None, "exit") => self.escaped.iter().map(|hook| vec![(*hook, 0, 0)]).collect(),
            (None, "longjmp") => self.jumps(stack),
            _ => {
                leaving.extend(self.jumps(stack));
                leaving.push(behind);
                leaving
            }
        }
    }

    /// Behind every `setjmp` of a function that is on the stack.
    fn jumps(&self, stack: &Stack) -> Vec<Stack> {
        let mut found = Vec::new();
        for (depth, &(f, ..)) in stack.iter().enumerate() {
            for (b, block) in self.module.functions[f].blocks.iter().enumerate() {
                for (c, call) in block.calls.iter().enumerate() {
                    if matches!(call, Callee::Direct(name) if self.module.symbols[*name as usize] == "setjmp") {
                        found.push([&stack[..depth], &[(f, b, c + 1)]].concat());
                    }
                }
            }
        }
        found
    }
}

fn position(module: &Module, name: &str) -> Option<usize> {
    module.functions.iter().position(|function| function.name == name)
}
