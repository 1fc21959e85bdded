//! The control-flow graph of the source, for the model: taken right after marking, when every decision is still where the
//! front end put it.
//!
//! A `?:` that clang emitted as `select` has no edges of its own, so its block is cut there:
//!
//! ```text
//!   b:  call f; %m = marker(S, c); %v = select %m, ..; call g; br %d
//!   ─▶  b:  calls f, decides S, successors [b', b']        b':  calls g, successors [d]
//! ```
//!
//! `while (a && b)` ends in a branch on a phi of what `a` and `b` have decided. That is no decision: whoever comes there
//! knows where it goes, and gets its edge straight to it ([`Raw::through`]). So does who leaves a scope early.

use crate::ir::{Block, Ir, LLVMOpcode, Value};
use crate::mark::{as_marker, cleanup_slot, unnegated};
use crate::sites::{Sites, linkage};
use offshoot_model::{Alias, Block as Node, Callee};
use std::collections::{HashMap, HashSet};

/// Fills the blocks of a function that has been marked.
pub fn record(function: Value, sites: &mut Sites) {
    let blocks = Raw::new(function, sites).nodes;
    let index = sites.function(function);
    sites.module.functions[index as usize].blocks = simplified(blocks);
}

/// Aliases, and functions whose address is taken.
pub fn record_names(ir: &Ir, sites: &mut Sites) {
    for alias in ir.aliases() {
        let target = alias.aliasee();
        if target.is_function() && !target.is_declaration() {
            let symbol = sites.symbol(&alias.name());
            let function = sites.function(target);
            sites.module.aliases.push(Alias { symbol, function, linkage: linkage(alias) });
        }
    }
    for function in ir.functions() {
        let name = function.name();
        if !name.starts_with("llvm.") && function.users().into_iter().any(|user| takes_address(user, function)) {
            let symbol = sites.symbol(&name);
            sites.module.address_taken.push(symbol);
        }
    }
}

fn takes_address(user: Value, function: Value) -> bool {
    if user.is_block_address() || user.is_alias() || user.is_function() {
        return false;
    }
    !is_call(user) || user.called() != function || user.args().contains(&function)
}

fn is_call(value: Value) -> bool {
    value.is_instruction()
        && matches!(value.opcode(), LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke | LLVMOpcode::LLVMCallBr)
}

/// The graph with every block of the IR in it.
struct Raw {
    nodes: Vec<Node>,
    /// Where each block of the IR begins.
    first: HashMap<Block, u32>,
}

impl Raw {
    fn new(function: Value, sites: &mut Sites) -> Raw {
        let mut raw = Raw { nodes: Vec::new(), first: HashMap::new() };
        let blocks = function.blocks();
        let mut ends = Vec::new();
        for &block in &blocks {
            raw.first.insert(block, raw.nodes.len() as u32);
            raw.add(block, sites);
            ends.push(raw.nodes.len() - 1);
        }
        for (block, end) in blocks.into_iter().zip(ends) {
            raw.nodes[end].successors = raw.successors(block);
        }
        raw
    }

    /// All of a block but its successors.
    fn add(&mut self, block: Block, sites: &mut Sites) {
        let mut node = Node::default();
        let end = block.terminator();
        for instruction in block.instructions() {
            if node.line == 0 {
                node.line = instruction.location().map_or(0, |(_, line, _)| line);
            }
            if let Some((site, _, _)) = as_marker(instruction) {
                node.site = site;
                if end.is_none_or(|end| end.operand_count() == 0 || end.operand(0) != instruction) {
                    let next = self.nodes.len() as u32 + 1;
                    node.successors = vec![next, next];
                    self.nodes.push(std::mem::take(&mut node));
                }
            } else if is_call(instruction) {
                calls(instruction, sites, &mut node.calls);
            }
        }
        node.returns = end.is_some_and(|e| matches!(e.opcode(), LLVMOpcode::LLVMRet | LLVMOpcode::LLVMResume));
        self.nodes.push(node);
    }

    /// In the order of outcomes.
    fn successors(&self, block: Block) -> Vec<u32> {
        let Some(end) = block.terminator() else { return Vec::new() };
        let mut targets = end.successors();
        let mut edges: Vec<usize> = (0..targets.len()).collect();
        match end.opcode() {
            LLVMOpcode::LLVMBr if end.is_conditional() => match end.operand(0).const_value() {
                Some(value) => edges = vec![usize::from(value == 0)],
                None => edges.reverse(),
            },
            // The default comes first there, and last here.
            LLVMOpcode::LLVMSwitch => edges.rotate_left(1),
            // The labels of `asm goto` and the two ways out of an `invoke` are taken as they come.
            _ => {}
        }
        for edge in &edges {
            targets[*edge] = self.through(block, *edge, targets[*edge]);
        }
        edges.into_iter().map(|edge| self.first[&targets[edge]]).collect()
    }

    /// Where an edge of `from` ends up if blocks that only repeat what is decided already are passed through.
    fn through(&self, mut from: Block, edge: usize, mut to: Block) -> Block {
        if only_jump(to).is_none() {
            return to;
        }
        let mut end = to;
        let mut known = at_end(from, edge);
        for _ in 0..self.first.len() {
            let Some(jump) = only_jump(to) else { break };
            learn(&mut known, from, to);
            let Some(next) = next(jump, &known) else { break };
            from = to;
            to = next;
            if jump.successors().len() > 1 {
                end = to;
            }
        }
        end
    }
}

/// Conditions, and stack slots that hold where control is bound for, with their values.
type Known = HashMap<Value, u64>;

fn at_end(block: Block, edge: usize) -> Known {
    let mut known = Known::new();
    for store in block.instructions().into_iter().filter(|i| i.is_store()) {
        match store.operand(0).const_value() {
            Some(value) => known.insert(store.operand(1), value),
            None => known.remove(&store.operand(1)),
        };
    }
    if let Some(branch) = block.terminator().filter(|e| e.opcode() == LLVMOpcode::LLVMBr && e.is_conditional()) {
        let (inner, negated) = unnegated(branch.operand(0));
        known.insert(inner, u64::from((edge == 0) != negated));
        known.insert(branch.operand(0), u64::from(edge == 0));
    }
    known
}

/// The branch or switch of a block that does nothing but join values and go on.
fn only_jump(block: Block) -> Option<Value> {
    let jump = block.terminator()?;
    let is_cleanup = match jump.opcode() {
        LLVMOpcode::LLVMBr => false,
        LLVMOpcode::LLVMSwitch if cleanup_slot(jump).is_some() => true,
        _ => return None,
    };
    let is_condition = |i: Value| {
        jump.operand_count() > 1 && i == jump.operand(0) && (is_cleanup || i.is_instruction() && unnegated(i).1)
    };
    let does_nothing = |i: &Value| i.is_phi() || *i == jump || is_condition(*i) || is_nothing(*i);
    block.instructions().iter().all(does_nothing).then_some(jump)
}

fn next(jump: Value, known: &Known) -> Option<Block> {
    let edge = if jump.opcode() == LLVMOpcode::LLVMSwitch {
        let value = *known.get(&cleanup_slot(jump)?)?;
        // Operands: value, default, then case and block in turn; successors likewise.
        let case = (2..jump.operand_count()).step_by(2).position(|i| jump.operand(i).const_value() == Some(value));
        case.map_or(0, |case| case + 1)
    } else if jump.is_conditional() {
        let (inner, negated) = unnegated(jump.operand(0));
        usize::from((*known.get(&inner)? != 0) == negated)
    } else {
        0
    };
    jump.successors().get(edge).copied()
}

/// The values of the phis of `to` for whoever comes from `from`.
fn learn(known: &mut Known, from: Block, to: Block) {
    let phis = to.instructions().into_iter().take_while(|i| i.is_phi());
    let joined: Vec<(Value, Option<u64>)> = phis
        .map(|phi| {
            let value = phi.incoming().into_iter().find(|(_, origin)| *origin == from).map(|(value, _)| value);
            (phi, value.and_then(|value| value.const_value().or_else(|| known.get(&value).copied())))
        })
        .collect();
    for (phi, value) in joined {
        match value {
            Some(value) => known.insert(phi, value),
            None => known.remove(&phi),
        };
    }
}

/// Debug and lifetime intrinsics.
fn is_nothing(instruction: Value) -> bool {
    let what = if instruction.is_call() { instruction.intrinsic_name() } else { None };
    what.is_some_and(|name| name.starts_with("llvm.dbg.") || name.starts_with("llvm.lifetime."))
}

fn calls(call: Value, sites: &mut Sites, found: &mut Vec<Callee>) {
    let mut callee = call.called();
    // Nothing to go on with, but where the program may well end.
    if callee.is_inline_asm() {
        return found.push(Callee::Direct(sites.symbol("llvm.asm")));
    }
    if callee.is_function() && callee.name().starts_with("llvm.") && !callee.name().ends_with("trap") {
        return;
    }
    if callee.is_alias() && callee.aliasee().is_function() {
        callee = callee.aliasee();
    }
    let name = callee.name();
    found.push(if callee.is_constant() && !name.is_empty() {
        Callee::Direct(sites.symbol(&name))
    } else {
        Callee::Indirect(sites.symbol(&call.called_type().text()))
    });
    for function in call.args().into_iter().filter(|arg| arg.is_function()) {
        found.push(Callee::Passed(sites.symbol(&function.name())));
    }
}

/// Leaves out what cannot be reached (decisions are kept all the same) and what is empty, and joins chains.
fn simplified(mut nodes: Vec<Node>) -> Vec<Node> {
    let targets: Vec<u32> = (0..nodes.len() as u32).map(|node| past_empty(&nodes, node)).collect();
    for node in &mut nodes {
        node.successors.iter_mut().for_each(|s| *s = targets[*s as usize]);
        if node.site == 0 {
            node.successors.dedup();
        }
    }
    let mut entered = vec![0_u32; nodes.len()];
    let live = reachable(&nodes);
    for &node in &live {
        nodes[node as usize].successors.iter().for_each(|s| entered[*s as usize] += 1);
    }
    for &node in &live {
        while let Some(next) = only_successor(&nodes, node).filter(|next| entered[*next as usize] == 1) {
            if next == 0 || next == node {
                break;
            }
            let Node { successors, site, calls, line, returns } = std::mem::take(&mut nodes[next as usize]);
            let node = &mut nodes[node as usize];
            node.calls.extend(calls);
            (node.successors, node.site, node.returns) = (successors, site, returns);
            if node.line == 0 {
                node.line = line;
            }
        }
    }
    let live = reachable(&nodes);
    let new: HashMap<u32, u32> = live.iter().enumerate().map(|(new, old)| (*old, new as u32)).collect();
    let rename = |old: u32| {
        let mut node = std::mem::take(&mut nodes[old as usize]);
        node.successors.iter_mut().for_each(|s| *s = new[s]);
        node
    };
    live.into_iter().map(rename).collect()
}

fn only_successor(nodes: &[Node], node: u32) -> Option<u32> {
    match nodes[node as usize] {
        Node { site: 0, ref successors, .. } if successors.len() == 1 => Some(successors[0]),
        _ => None,
    }
}

/// `node`, or what follows if nothing is called or decided in between.
fn past_empty(nodes: &[Node], mut node: u32) -> u32 {
    for _ in 0..nodes.len() {
        match only_successor(nodes, node) {
            Some(next) if nodes[node as usize].calls.is_empty() => node = next,
            _ => break,
        }
    }
    node
}

/// From the entry and from every decision, in ascending order.
fn reachable(nodes: &[Node]) -> Vec<u32> {
    let mut open: Vec<u32> =
        (0..nodes.len() as u32).filter(|node| *node == 0 || nodes[*node as usize].site != 0).collect();
    let mut seen: HashSet<u32> = open.iter().copied().collect();
    while let Some(node) = open.pop() {
        let next = &nodes[node as usize].successors;
        open.extend(next.iter().copied().filter(|next| seen.insert(*next)));
    }
    let mut found: Vec<u32> = seen.into_iter().collect();
    found.sort_unstable();
    found
}
