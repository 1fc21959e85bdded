//! Before any optimisation: clang's coverage intrinsics go, and every source condition gets a marker.
//!
//! ```text
//!   br i1 %c, label %t, label %f      ─▶     %m = call i1 @__off_cond(i32 SITE, i1 %c)
//!                                            br i1 %m, label %t, label %f
//! ```
//!
//! A marker only touches memory that nobody can see, so loads still move across it; it may be copied (inlining, jump
//! threading) but neither dropped, merged nor moved to where it would not have run. `switch` values and the conditions
//! of `?:` that clang emitted as `select` are marked likewise.

use crate::ir::{Block, FUNCTION_INDEX, Ir, LLVMOpcode, Type, Value};
use crate::sites::Sites;
use offshoot_model::SiteKind;
use std::collections::HashSet;

pub const CONDITION: &str = "__off_cond";
/// Followed by the width of the value.
pub const SWITCH: &str = "__off_switch.i";
/// Which way a run went through a decision; see [`crate::decision`].
const VECTOR: &str = "__off_vector";

/// `-fno-builtin` makes clang forget that these return more than once, and the optimiser must know.
pub fn restore_returns_twice(ir: &Ir) {
    for name in ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "savectx", "vfork", "getcontext"] {
        if let Some(function) = ir.named_function(name).filter(|f| f.is_declaration()) {
            function.add_attribute(FUNCTION_INDEX, ir.enum_attribute("returns_twice", 0));
        }
    }
}

/// Takes out what `-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc` put in.
pub fn remove_coverage(ir: &Ir) {
    for function in ir.functions() {
        let mut bitmaps = HashSet::new();
        let mut calls = Vec::new();
        for block in function.blocks() {
            for instruction in block.instructions() {
                if !instruction.is_call() {
                    continue;
                }
                let Some(name) = instruction.intrinsic_name() else { continue };
                if name.starts_with("llvm.instrprof.") {
                    if name.contains("tvbitmap") {
                        bitmaps.extend(instruction.args().into_iter().filter(|a| a.is_alloca()));
                    }
                    calls.push(instruction);
                }
            }
        }
        calls.into_iter().for_each(Value::erase);
        // The MC/DC bitmap index lives in a stack slot that `select`s on each condition update: no branches of the
        // program.
        for slot in bitmaps {
            let mut dead = slot.users();
            dead.retain(|user| user.is_store() || user.is_load());
            while let Some(instruction) = dead.pop() {
                let operands = if instruction.is_store() { vec![instruction.operand(0)] } else { Vec::new() };
                if instruction.is_load() || !instruction.users().is_empty() {
                    continue;
                }
                instruction.erase();
                dead.extend(operands.into_iter().filter(|o| o.is_select() && o.users().is_empty()));
            }
        }
    }
    let is_coverage = |name: &str| {
        name.starts_with("__covrec_")
            || name.starts_with("__llvm_coverage_mapping")
            || name.starts_with("__profn_")
            || name.starts_with("__llvm_coverage_names")
            || name.starts_with("__llvm_profile_")
    };
    for list in ["llvm.used", "llvm.compiler.used"] {
        let Some(used) = ir.named_global(list) else { continue };
        let Some(entries) = used.initializer() else { continue };
        let kept: Vec<Value> = entries.operands().into_iter().filter(|g| !is_coverage(&g.name())).collect();
        used.set_name("offshoot.removed");
        used.delete_global();
        if !kept.is_empty() {
            let array = ir.const_array(ir.ptr(), &kept);
            let global = ir.add_global(list, array.ty());
            global.set_initializer(array);
            global.set_linkage(crate::ir::LLVMLinkage::LLVMAppendingLinkage);
            global.set_section("llvm.metadata");
        }
    }
    for global in ir.globals() {
        if is_coverage(&global.name()) && global.users().is_empty() {
            global.delete_global();
        }
    }
    for function in ir.functions() {
        if function.name().starts_with("llvm.instrprof.") && function.users().is_empty() {
            function.delete_function();
        }
    }
}

fn marker(ir: &Ir, name: &str, width: u32) -> (Value, Type) {
    let ty = ir.function_type(ir.int(width), &[ir.int(32), ir.int(width)], false);
    opaque(ir, name, ty)
}

pub fn vector_marker(ir: &Ir) -> (Value, Type) {
    opaque(ir, VECTOR, ir.function_type(ir.void(), &[ir.int(32), ir.int(32)], false))
}

fn opaque(ir: &Ir, name: &str, ty: Type) -> (Value, Type) {
    let known = ir.named_function(name);
    let function = ir.declare(name, ty);
    if known.is_none() {
        // nomerge: SimplifyCFG would sink the markers of two branches into one whose site is a phi.
        for attribute in ["nounwind", "willreturn", "nofree", "nocallback", "nomerge"] {
            function.add_attribute(FUNCTION_INDEX, ir.enum_attribute(attribute, 0));
        }
        // memory(inaccessiblemem: readwrite): two bits a location, inaccessible memory being the second.
        function.add_attribute(FUNCTION_INDEX, ir.enum_attribute("memory", 3 << 2));
    }
    (function, ty)
}

pub fn mark(ir: &Ir, function: Value, sites: &mut Sites) {
    let index = sites.function(function);
    let blocks = function.blocks();
    let mut branches = Vec::new();
    let mut conditions = HashSet::new();
    for block in &blocks {
        let Some(end) = block.terminator() else { continue };
        if end.opcode() == LLVMOpcode::LLVMBr && end.is_conditional() && !end.operand(0).is_constant() {
            branches.push(end);
            conditions.insert(end.operand(0));
        }
    }
    for block in &blocks {
        for instruction in block.instructions() {
            if instruction.is_select() && instruction.operand(0).ty() == ir.int(1) {
                mark_select(ir, instruction, index, sites);
            } else if instruction.opcode() == LLVMOpcode::LLVMSwitch {
                mark_switch(ir, instruction, index, sites);
            }
        }
    }
    // Before the first of them is marked: marking changes the phis that this looks at.
    branches.retain(|branch| !repeats(branch.operand(0), &conditions, 8));
    for branch in branches {
        mark_branch(ir, branch, index, sites);
    }
}

/// The condition only joins others that are marked already: clang ends `a && b` with a branch on a phi of constants and
/// the last condition.
fn repeats(condition: Value, conditions: &HashSet<Value>, depth: u32) -> bool {
    if depth == 0 {
        return false;
    }
    let (inner, negated) = unnegated(condition);
    if negated {
        return inner.is_phi() && repeats(inner, conditions, depth - 1);
    }
    condition.is_phi()
        && condition.incoming().iter().all(|(value, _)| {
            value.is_constant()
                || if value.is_phi() { repeats(*value, conditions, depth - 1) } else { conditions.contains(value) }
        })
}

/// What `!` stands in front of, and whether it does.
pub fn unnegated(condition: Value) -> (Value, bool) {
    let negated =
        condition.is_instruction() && condition.opcode() == LLVMOpcode::LLVMXor && condition.operand(1).is_constant();
    if negated { (condition.operand(0), true) } else { (condition, false) }
}

fn mark_branch(ir: &Ir, branch: Value, function: u32, sites: &mut Sites) {
    let condition = branch.operand(0);
    let site = sites.add(SiteKind::Condition, function, &[condition, branch]);
    let (marker, ty) = marker(ir, CONDITION, 1);
    ir.before(branch);
    let marked = ir.call(ty, marker, &[ir.i32(site), condition]);
    branch.set_operand(0, marked);
    // A phi behind the branch that takes the condition's value takes the marker's: it is decided there.
    let here = branch.parent();
    let behind: Vec<Block> = here.successors();
    for user in condition.users() {
        if !user.is_phi() {
            continue;
        }
        for (i, (value, from)) in user.incoming().into_iter().enumerate() {
            if value == condition && (from == here || (behind.contains(&from) && only_predecessor(from, here))) {
                user.set_operand(i as u32, marked);
            }
        }
    }
}

fn only_predecessor(block: Block, predecessor: Block) -> bool {
    // The users of a block are the terminators that go to it.
    block.as_value().users().iter().all(|user| user.is_instruction() && user.parent() == predecessor)
}

fn mark_select(ir: &Ir, select: Value, function: u32, sites: &mut Sites) {
    let condition = select.operand(0);
    if condition.is_constant() {
        return;
    }
    let site = sites.add(SiteKind::Condition, function, &[condition, select]);
    let (marker, ty) = marker(ir, CONDITION, 1);
    ir.before(select);
    let marked = ir.call(ty, marker, &[ir.i32(site), condition]);
    select.set_operand(0, marked);
}

fn mark_switch(ir: &Ir, switch: Value, function: u32, sites: &mut Sites) {
    let value = switch.operand(0);
    let Some(width @ 1..=64) = value.ty().int_width() else { return };
    if value.is_constant() || cleanup_slot(switch).is_some() {
        return;
    }
    // Operands: value, default, then case and block in turn.
    let cases = (2..switch.operand_count()).step_by(2).filter_map(|i| switch.operand(i).const_value()).collect();
    let site = sites.add_switch(width as u8, cases, function, &[switch, value]);
    let (marker, ty) = marker(ir, &format!("{SWITCH}{width}"), width);
    ir.before(switch);
    let marked = ir.call(ty, marker, &[ir.i32(site), value]);
    switch.set_operand(0, marked);
}

/// Whoever leaves a scope early goes through its end, and clang notes in a stack slot where it is bound for. A `switch` on
/// that slot is not in the source, and nothing but constants ever gets there.
pub fn cleanup_slot(switch: Value) -> Option<Value> {
    let load = switch.operand(0);
    if !load.is_load() || load.location().is_some() || switch.location().is_some() {
        return None;
    }
    let slot = load.operand(0);
    let is_note = |user: &Value| user.is_load() || user.is_store() && user.operand(0).is_const_int();
    (slot.is_alloca() && slot.users().iter().all(is_note)).then_some(slot)
}

/// Is this call a marker? Its site and value.
pub fn as_marker(instruction: Value) -> Option<(u32, Value, bool)> {
    if !instruction.is_call() || !instruction.called().is_function() {
        return None;
    }
    let name = instruction.called().name();
    let is_switch = name.starts_with(SWITCH);
    if !is_switch && name != CONDITION {
        return None;
    }
    let args = instruction.args();
    Some((args[0].const_value()? as u32, args[1], is_switch))
}

/// Is this call the end of a decision? Its site and the number of the way.
pub fn as_vector(instruction: Value) -> Option<(u32, Value)> {
    let is_vector =
        instruction.is_call() && instruction.called().is_function() && instruction.called().name() == VECTOR;
    let args = is_vector.then(|| instruction.args())?;
    Some((args[0].const_value()? as u32, args[1]))
}

/// A marker that is still called although every body has been through [`erase_markers`] or the translation.
pub fn leftover(ir: &Ir) -> Option<String> {
    let is_marker = |name: &str| name == CONDITION || name == VECTOR || name.starts_with(SWITCH);
    ir.functions().into_iter().find(|f| is_marker(&f.name()) && !f.users().is_empty()).map(Value::name)
}

/// Puts the marked values in the markers' places.
pub fn erase_markers(function: Value) {
    for block in function.blocks() {
        for instruction in block.instructions() {
            if let Some((_, value, _)) = as_marker(instruction) {
                instruction.replace_all_uses(value);
                instruction.erase();
            } else if as_vector(instruction).is_some() {
                instruction.erase();
            }
        }
    }
}
