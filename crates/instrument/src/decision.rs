//! Which conditions make up a decision, and which way each run goes through it: for MC/DC.
//!
//! Clang numbers the ways through `a && b` so that each condition adds a number to a stack slot and the sum names the way:
//!
//! ```text
//!   store 0, slot
//!   %s = select i1 %a, (load slot) + 0, (load slot) + 1;  store %s, slot;  br i1 %a, ..     each condition
//!   call @llvm.instrprof.mcdc.tvbitmap.update(.., slot)                                     the end
//! ```
//!
//! [`take`] reads the decision out of that and removes it. What is emitted again ([`Decisions::put_back`], when the
//! conditions have their markers and the control-flow graph has been recorded) adds what the *marked* condition decided and
//! ends in a marker of its own, `__off_vector(site, way)`, whose outcome byte is that of the way.

use crate::ir::{Block, Ir, LLVMOpcode, Value};
use crate::mark::{CONDITION, as_marker, vector_marker};
use crate::sites::Sites;
use offshoot_model::Part;
use std::collections::{BTreeMap, HashMap, HashSet};

const UPDATE: &str = "llvm.instrprof.mcdc.tvbitmap.update";
/// Ways through a decision that get an outcome byte each; decisions with more are left out, and the model says so.
const MOST_WAYS: u32 = 1024;

/// The decisions of one function.
pub struct Decisions {
    slot: Value,
    /// What a condition adds to the slot, by its branch, in the order of the code.
    steps: Vec<(Value, [u32; 2])>,
    drafts: Vec<Draft>,
}

struct Draft {
    site: u32,
    /// One, or for `?:` one for each result.
    ends: Vec<Value>,
    /// The first instruction of the program behind each.
    behind: Vec<Value>,
    conditions: Vec<Condition>,
    /// 0: it is left out.
    ways: u32,
}

#[derive(Clone)]
struct Condition {
    branch: Value,
    steps: [u32; 2],
    /// Indices into [`Draft::conditions`]; `None`: the decision is over, and this outcome is its result.
    next: [Option<u16>; 2],
}

/// What comes next for a decision, in the order of the code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// The branch of a condition.
    Condition(Value),
    /// The end of the decision with this number.
    End(u64),
}

/// Reads the decisions of a function, gives them sites and takes out what makes them. `None` if there are none.
pub fn take(function: Value, sites: &mut Sites) -> Option<Decisions> {
    let blocks = function.blocks();
    let ends: Vec<Value> = blocks.iter().flat_map(|b| b.instructions()).filter(|i| is_end(*i)).collect();
    let slot = ends.first()?.args()[3];
    // Clang has one slot a function. Were there more, sums of one decision could go to several.
    if ends.iter().any(|end| end.args()[3] != slot) {
        let index = sites.function(function);
        ends.iter().for_each(|end| _ = sites.add_decision(0, index, &[*end]));
        return None;
    }
    let code = Code::new(&blocks, slot);
    let mut starts: HashMap<u64, Option<Value>> = HashMap::new();
    for (block, at) in &code.resets {
        if let Some(Stop::Condition(first)) = code.stop_from(*block, *at)
            && let Some(end) = code.end_of(first)
        {
            starts.entry(end).and_modify(|start| *start = None).or_insert(Some(first));
        }
    }
    let index = sites.function(function);
    let mut drafts = Vec::new();
    let mut by_number: BTreeMap<u64, Vec<Value>> = BTreeMap::new();
    for &end in &ends {
        by_number.entry(number(end)).or_default().push(end);
    }
    for (number, ends) in by_number {
        let start = starts.get(&number).copied().flatten();
        let conditions = start.and_then(|first| code.conditions(first, number));
        let (ways, conditions) =
            conditions.and_then(|conditions| Some((ways(&conditions)?, conditions))).unwrap_or_default();
        let site = sites.add_decision(ways, index, &ends);
        let behind = ends.iter().filter_map(|end| behind(*end)).collect();
        drafts.push(Draft { site, ends, behind, conditions, ways });
    }
    let branches = blocks.iter().filter_map(|block| block.terminator());
    let steps = branches.filter_map(|branch| Some((branch, *code.steps.get(&branch)?))).collect();
    let decisions = Decisions { slot, steps, drafts };
    decisions.clear();
    Some(decisions)
}

impl Decisions {
    /// Takes clang's code out, but for the slot and where it becomes 0.
    fn clear(&self) {
        self.drafts.iter().flat_map(|draft| &draft.ends).for_each(|end| end.erase());
        let mut dead: Vec<Value> = self.slot.users();
        dead.retain(|user| user.is_store() && !user.operand(0).is_const_int());
        while let Some(instruction) = dead.pop() {
            let operands: Vec<Value> = match instruction.is_store() {
                true => vec![instruction.operand(0)],
                false => instruction.operands(),
            };
            instruction.erase();
            let unused = |o: &Value| o.is_instruction() && o.users().is_empty() && is_arithmetic(*o, self.slot);
            for operand in operands.into_iter().filter(unused) {
                if !dead.contains(&operand) {
                    dead.push(operand);
                }
            }
        }
    }

    /// Call when conditions have been marked and nobody looks at the control flow of the source any more.
    pub fn put_back(&self, ir: &Ir, sites: &mut Sites) {
        for (branch, [no, yes]) in &self.steps {
            if (*no, *yes) == (0, 0) {
                continue;
            }
            ir.before(*branch);
            let sum = ir.load(ir.int(32), self.slot, 4);
            let step = ir.select(branch.operand(0), ir.i32(*yes), ir.i32(*no));
            ir.store(ir.binary(LLVMOpcode::LLVMAdd, sum, step), self.slot, 4);
        }
        for draft in self.drafts.iter().filter(|draft| draft.ways > 0) {
            for behind in &draft.behind {
                ir.before(*behind);
                let sum = ir.load(ir.int(32), self.slot, 4);
                let (marker, ty) = vector_marker(ir);
                ir.call(ty, marker, &[ir.i32(draft.site), sum]);
            }
            let part = |condition: &Condition| {
                let marker = as_marker(condition.branch.operand(0));
                let site = marker.filter(|_| condition.branch.operand(0).called().name() == CONDITION);
                Part { site: site.map_or(0, |(site, ..)| site), next: condition.next, steps: condition.steps }
            };
            sites.set_parts(draft.site, draft.conditions.iter().map(part).collect());
        }
    }
}

fn is_end(instruction: Value) -> bool {
    instruction.is_call() && instruction.intrinsic_name().as_deref() == Some(UPDATE)
}

/// Where the ways of a decision begin in clang's bitmap: its number within the function.
fn number(end: Value) -> u64 {
    end.args()[2].const_value().unwrap_or(u64::MAX)
}

fn is_arithmetic(value: Value, slot: Value) -> bool {
    value.is_select() || value.opcode() == LLVMOpcode::LLVMAdd || (value.is_load() && value.operand(0) == slot)
}

fn behind(end: Value) -> Option<Value> {
    let all = end.parent().instructions();
    let at = all.iter().position(|i| *i == end)?;
    let is_coverage = |i: &Value| i.is_call() && i.intrinsic_name().is_some_and(|n| n.starts_with("llvm.instrprof."));
    all[at + 1..].iter().find(|i| !is_coverage(i)).copied()
}

/// A function, as far as decisions are concerned.
struct Code {
    /// Block and index behind each `store 0`.
    resets: Vec<(Block, usize)>,
    instructions: HashMap<Block, Vec<Value>>,
    /// By the store into the slot: the branch that it belongs to.
    branches: HashMap<Value, Value>,
    steps: HashMap<Value, [u32; 2]>,
}

impl Code {
    fn new(blocks: &[Block], slot: Value) -> Code {
        let mut code =
            Code { resets: Vec::new(), instructions: HashMap::new(), branches: HashMap::new(), steps: HashMap::new() };
        for &block in blocks {
            let instructions = block.instructions();
            for (at, &instruction) in instructions.iter().enumerate() {
                if !instruction.is_store() || instruction.operand(1) != slot {
                    continue;
                }
                if instruction.operand(0).is_const_int() {
                    code.resets.push((block, at + 1));
                } else if let Some((condition, steps)) = added(instruction.operand(0))
                    && let Some(end) = block.terminator()
                    && end.opcode() == LLVMOpcode::LLVMBr
                    && end.is_conditional()
                    && end.operand(0) == condition
                {
                    code.branches.insert(instruction, end);
                    code.steps.insert(end, steps);
                }
            }
            code.instructions.insert(block, instructions);
        }
        code
    }

    /// The one condition or end that control comes to next; `None` if there are several or none.
    fn stop_from(&self, block: Block, at: usize) -> Option<Stop> {
        let mut found = None;
        let mut seen = HashSet::new();
        let mut open = vec![(block, at)];
        while let Some((block, at)) = open.pop() {
            let instructions = &self.instructions[&block];
            let stop = instructions[at..].iter().find_map(|i| match self.branches.get(i) {
                Some(&branch) => Some(Stop::Condition(branch)),
                None if is_end(*i) => Some(Stop::End(number(*i))),
                None => None,
            });
            match stop {
                Some(stop) if found.is_some_and(|found| found != stop) => return None,
                Some(stop) => found = Some(stop),
                None => open.extend(block.successors().into_iter().filter(|b| seen.insert(*b)).map(|b| (b, 0))),
            }
        }
        found
    }

    /// False and true.
    fn after(&self, branch: Value) -> [Option<Stop>; 2] {
        let targets = branch.successors();
        [targets[1], targets[0]].map(|target| self.stop_from(target, 0))
    }

    /// The first end behind a condition.
    fn end_of(&self, mut branch: Value) -> Option<u64> {
        for _ in 0..=self.steps.len() {
            let [no, yes] = self.after(branch);
            match (no?, yes?) {
                (Stop::End(end), _) | (_, Stop::End(end)) => return Some(end),
                (Stop::Condition(next), _) => branch = next,
            }
        }
        None
    }

    /// The conditions from `first` to `end`, each behind those that lead to it; `None` if they are no such graph.
    fn conditions(&self, first: Value, end: u64) -> Option<Vec<Condition>> {
        let mut done = Vec::new();
        let mut on_way = HashSet::new();
        self.visit(first, end, &mut on_way, &mut done)?;
        done.reverse();
        let number = |branch: Value| done.iter().position(|one| *one == branch).map(|at| at as u16);
        let conditions = done.iter().map(|&branch| {
            let next = self.after(branch).map(|stop| match stop {
                Some(Stop::Condition(next)) => number(next),
                _ => None,
            });
            Condition { branch, steps: self.steps[&branch], next }
        });
        Some(conditions.collect())
    }

    fn visit(&self, branch: Value, end: u64, on_way: &mut HashSet<Value>, done: &mut Vec<Value>) -> Option<()> {
        if done.contains(&branch) {
            return Some(());
        }
        if !on_way.insert(branch) || done.len() > usize::from(u16::MAX) {
            return None;
        }
        // What comes last in the source first: the order is reversed at the end.
        let mut stops = self.after(branch);
        stops.sort_by_key(|stop| matches!(stop, Some(Stop::Condition(_))));
        for stop in stops {
            match stop? {
                Stop::Condition(next) => self.visit(next, end, on_way, done)?,
                Stop::End(found) if found == end => {}
                Stop::End(_) => return None,
            }
        }
        done.push(branch);
        Some(())
    }
}

/// `select c, slot + yes, slot + no`: the condition and what it adds if it is false and if it is true.
fn added(value: Value) -> Option<(Value, [u32; 2])> {
    if !value.is_select() {
        return None;
    }
    let step = |sum: Value| {
        let is_sum = sum.is_instruction() && sum.opcode() == LLVMOpcode::LLVMAdd;
        is_sum.then(|| sum.operand(1).const_value()).flatten().map(|step| step as u32)
    };
    Some((value.operand(0), [step(value.operand(2))?, step(value.operand(1))?]))
}

/// One more than the largest sum; `None` if there are too many ways, or if their sums are not all different.
fn ways(conditions: &[Condition]) -> Option<u32> {
    let mut sums = HashSet::new();
    let mut open = vec![(0_u16, 0_u32)];
    while let Some((condition, sum)) = open.pop() {
        let Condition { steps, next, .. } = &conditions[usize::from(condition)];
        for (step, next) in steps.iter().zip(next) {
            let sum = sum.checked_add(*step).filter(|sum| *sum < MOST_WAYS)?;
            match next {
                Some(next) => open.push((*next, sum)),
                None if !sums.insert(sum) => return None,
                None => {}
            }
        }
        if open.len() > MOST_WAYS as usize {
            return None;
        }
    }
    sums.into_iter().max().map(|largest| largest + 1)
}
