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
        let mut targets: Vec<Block> = Vec::new();
        for target in jump.successors() {
            // A label may be listed twice; a switch must not have a case twice, and the phis have one entry a listing.
            if !targets.contains(&target) {
                targets.push(target);
            }
        }
        ir.before(jump);
        let number = ir.cast(LLVMOpcode::LLVMPtrToInt, jump.operand(0), ir.int(64));
        let cases: Vec<_> = targets.iter().map(|b| (ir.i64(numbers[b]), *b)).collect();
        ir.switch(number, impossible, &cases).copy_location(jump);
        jump.erase();
    }
    for (block, number) in numbers {
        for user in block.as_value().users() {
            if user.is_block_address() {
                user.replace_all_uses(ir.const_int_to_ptr(ir.i64(number)));
            }
        }
    }
}
