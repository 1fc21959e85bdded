//! Computed `goto` becomes a `switch` over small numbers.
//!
//! A block's address belongs to one function, but each function gets two bodies. So the address of the k-th label whose
//! address is taken becomes the constant k, and
//!
//! ```text
//!   indirectbr ptr %p, [label %a, label %b]     ─▶     switch i64 (ptrtoint %p), label %unreachable [1: %a, 2: %b]
//! ```
//!
//! Label differences (`&&a - &&b`) keep working: they are differences of numbers.
//!
//! clang lets all computed gotos of a function meet in one `indirectbr`. Each gets a `switch` of its own again: it is a
//! place in the source, and to an interpreter's loop the difference between one shared jump and one for each instruction.

use crate::ir::{Block, Ir, LLVMOpcode, Value};
use std::collections::HashMap;

pub fn lower(ir: &Ir, function: Value) {
    let jumps: Vec<Value> = function
        .blocks()
        .into_iter()
        .filter_map(|b| b.terminator())
        .filter(|t| t.opcode() == LLVMOpcode::LLVMIndirectBr)
        .collect();
    if jumps.is_empty() {
        return;
    }
    let mut numbers: HashMap<Block, u64> = HashMap::new();
    for jump in &jumps {
        for target in jump.successors() {
            let next = numbers.len() as u64 + 1;
            numbers.entry(target).or_insert(next);
        }
    }
    let impossible = ir.append_block(function, "goto.nowhere");
    ir.at_end(impossible);
    ir.unreachable();
    for jump in jumps {
        let mut cases: Vec<(Value, Block)> = Vec::new();
        for target in jump.successors() {
            // A label may be listed twice; a switch must not have a case twice, and the phis have one entry a listing.
            if !cases.iter().any(|(_, block)| *block == target) {
                cases.push((ir.i64(numbers[&target]), target));
            }
        }
        match meeting_point(jump) {
            Some(phi) => {
                for (address, from) in phi.incoming() {
                    if let Some(end) = from.terminator() {
                        switch_instead(ir, end, address, impossible, &cases);
                    }
                }
                ir.before(jump);
                ir.unreachable();
                jump.erase();
                phi.erase();
            }
            None => switch_instead(ir, jump, jump.operand(0), impossible, &cases),
        }
    }
    for (block, number) in numbers {
        for user in block.as_value().users() {
            if user.is_block_address() {
                user.replace_all_uses(ir.const_int_to_ptr(ir.i64(number)));
            }
        }
    }
}

fn switch_instead(ir: &Ir, jump: Value, address: Value, impossible: Block, cases: &[(Value, Block)]) {
    ir.before(jump);
    let number = ir.cast(LLVMOpcode::LLVMPtrToInt, address, ir.int(64));
    ir.switch(number, impossible, cases).copy_location(jump);
    jump.erase();
}

/// The phi of a block that does nothing but join addresses and jump; `None` if there is more to it.
fn meeting_point(jump: Value) -> Option<Value> {
    let block = jump.parent();
    let [phi, _] = block.instructions()[..] else { return None };
    let goes_straight_here =
        |from: &Block| from.terminator().is_some_and(|end| end.opcode() == LLVMOpcode::LLVMBr && !end.is_conditional());
    let simple = phi.is_phi()
        && phi == jump.operand(0)
        && phi.users().len() == 1
        && phi.incoming().iter().all(|(_, from)| goes_straight_here(from))
        && jump.successors().iter().all(|target| !target.instructions().first().is_some_and(|i| i.is_phi()));
    simple.then_some(phi)
}
