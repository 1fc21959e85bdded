//! Variant `plain`: counters only, put in before optimisation.
//!
//! ```text
//!   br i1 %m, %t, %f      ─▶      br i1 %c, %t', %f'
//!                               t': store i8 1, coverage[2 * SITE + 1]; br %t
//!                               f': store i8 1, coverage[2 * SITE];     br %f
//! ```
//!
//! A `switch` likewise, with one byte a label and one for the default, and at the end of a decision the byte of its way.
//!
//! The optimiser sees ordinary stores of a constant to a constant address: it may move them out of loops, and knows
//! everything about the condition.

use crate::ir::{Block, Ir, LLVMOpcode, Value};
use crate::mark::{as_marker, as_vector};

pub fn count(ir: &Ir, function: Value, coverage: Value) {
    for block in function.blocks() {
        for instruction in block.instructions() {
            if let Some((site, way)) = as_vector(instruction) {
                ir.before(instruction);
                ir.store(ir.const_int(ir.int(8), 1), vector_cell(ir, coverage, site, way), 1);
                instruction.erase();
                continue;
            }
            let Some((site, value, is_switch)) = as_marker(instruction) else { continue };
            let cell = |outcome: u64| ir.const_byte_offset(coverage, 2 * u64::from(site) + outcome);
            let one = ir.const_int(ir.int(8), 1);
            let branch = block
                .terminator()
                .filter(|t| t.opcode() == LLVMOpcode::LLVMBr && t.is_conditional() && t.operand(0) == instruction);
            let switch = block
                .terminator()
                .filter(|t| is_switch && t.opcode() == LLVMOpcode::LLVMSwitch && t.operand(0) == instruction);
            if let Some(switch) = switch {
                // Successor 0 is the default, the last outcome.
                let cases = switch.successors().len() as u32 - 1;
                for successor in 0..=cases {
                    let outcome = if successor == 0 { cases } else { successor - 1 };
                    split_edge(ir, function, block, switch, successor, |ir| {
                        ir.store(one, cell(outcome.into()), 1);
                    });
                }
            } else if let Some(branch) = branch {
                for (successor, outcome) in [(0, 1), (1, 0)] {
                    split_edge(ir, function, block, branch, successor, |ir| {
                        ir.store(one, cell(outcome), 1);
                    });
                }
            } else {
                ir.before(instruction);
                let outcome = ir.cast(LLVMOpcode::LLVMZExt, value, ir.int(64));
                let at = ir.byte_offset(cell(0), outcome);
                ir.store(one, at, 1);
            }
            instruction.replace_all_uses(value);
            instruction.erase();
        }
    }
}

/// The outcome byte of a way through a decision.
pub fn vector_cell(ir: &Ir, coverage: Value, site: u32, way: Value) -> Value {
    let way = ir.cast(LLVMOpcode::LLVMZExt, way, ir.int(64));
    ir.byte_offset(ir.const_byte_offset(coverage, 2 * u64::from(site)), way)
}

fn split_edge(ir: &Ir, function: Value, from: Block, branch: Value, successor: u32, fill: impl Fn(&Ir)) {
    let to = branch.successors()[successor as usize];
    let middle = ir.append_block(function, "");
    ir.at_end(middle);
    fill(ir);
    ir.br(to);
    branch.set_successor(successor, middle);
    redirect_phis(ir, to, from, middle);
}

/// One entry of each phi in `block` comes from `middle` instead of `from`. The C API cannot change a phi's blocks, so
/// the phis are made anew.
fn redirect_phis(ir: &Ir, block: Block, from: Block, middle: Block) {
    for phi in block.instructions().into_iter().take_while(|i| i.is_phi()) {
        ir.before(phi);
        let new = ir.phi(phi.ty());
        let mut redirected = false;
        for (value, origin) in phi.incoming() {
            let origin = if origin == from && !redirected {
                redirected = true;
                middle
            } else {
                origin
            };
            new.add_incoming(value, origin);
        }
        phi.replace_all_uses(new);
        phi.erase();
    }
}
