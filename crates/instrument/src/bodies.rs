//! Two bodies for each function, and the thunk that picks one.
//!
//! ```text
//!   define @f(...) {                          ; what everybody calls and points to
//!     %active = load i8, ptr @__off_active
//!     br (%active != 0), symbolic, plain
//!   symbolic: musttail call @f.sym(...)
//!   plain:    musttail call @f.plain(...)
//!   }
//! ```
//!
//! Within a module each body calls bodies of its own kind directly.

use crate::ir::{FUNCTION_INDEX, Ir, LLVMIntPredicate, LLVMLinkage, LLVMOpcode, Value};
use crate::mark::erase_markers;
use crate::shadow::runtime::Runtime;
use crate::shadow::{self, Shared};
use std::collections::{HashMap, HashSet};

pub const PLAIN_SUFFIX: &str = ".plain";
const SYMBOLIC_SUFFIX: &str = ".sym";
pub use offshoot_model::module::WRAPPER_PREFIX;

struct Bodies {
    thunk: Value,
    plain: Value,
    symbolic: Value,
}

pub fn split(shared: &mut Shared<'_>, libc_model: bool) {
    let ir = shared.ir;
    if !libc_model {
        use_wrappers(ir, shared.wrapped);
    }
    let resolvers: HashSet<Value> = ir.ifuncs().iter().map(|i| i.operand(0)).collect();
    let functions: Vec<Value> =
        ir.functions().into_iter().filter(|f| can_split(*f) && !resolvers.contains(f)).collect();
    let mut all = Vec::new();
    for plain in functions {
        let name = plain.name();
        let ty = plain.value_type();
        plain.set_name(&format!("{name}{PLAIN_SUFFIX}"));
        let thunk = ir.add_function(&name, ty);
        let symbolic = ir.add_function(&format!("{name}{SYMBOLIC_SUFFIX}"), ty);
        for function in [thunk, symbolic] {
            function.copy_function_traits(plain);
            shadow::drop_effect_attributes(function);
        }
        thunk.copy_linkage_traits(plain);
        symbolic.copy_placement(plain);
        symbolic.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        plain.replace_all_uses(thunk);
        // A weak or inline function may be another module's in the end.
        if matches!(thunk.linkage(), LLVMLinkage::LLVMExternalLinkage | LLVMLinkage::LLVMInternalLinkage) {
            shared.direct.insert(thunk, symbolic);
        }
        plain.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        all.push(Bodies { thunk, plain, symbolic });
    }
    for bodies in &all {
        shadow::translate(shared, bodies.plain, bodies.thunk, bodies.symbolic);
    }
    let plains: HashMap<Value, Value> =
        all.iter().filter(|b| shared.direct.contains_key(&b.thunk)).map(|b| (b.thunk, b.plain)).collect();
    for bodies in &all {
        erase_markers(bodies.plain);
        call_directly(ir, bodies.plain, &plains);
    }
    for bodies in &all {
        if bodies.thunk.is_local() && bodies.thunk.users().is_empty() {
            bodies.thunk.delete_function();
            continue;
        }
        let real = bodies.thunk.name().strip_prefix(WRAPPER_PREFIX).map(str::to_string);
        match real {
            // A model only stands in for the real function while somebody traces.
            Some(real) if libc_model => {
                let function = ir.declare(&real, bodies.thunk.value_type());
                fill_thunk(ir, bodies.thunk, bodies.symbolic, function);
                if bodies.plain.users().is_empty() {
                    bodies.plain.delete_function();
                }
            }
            _ => {
                fill_thunk(ir, bodies.thunk, bodies.symbolic, bodies.plain);
                if shared.wrapped.contains(&bodies.thunk.name()) && !bodies.thunk.is_local() {
                    let wrapper = format!("{WRAPPER_PREFIX}{}", bodies.thunk.name());
                    if let Some(declared) = ir.named_function(&wrapper) {
                        declared.replace_all_uses(bodies.thunk);
                        declared.delete_function();
                    }
                    let alias = ir.add_alias(&wrapper, bodies.thunk.value_type(), bodies.thunk);
                    alias.set_linkage(bodies.thunk.linkage());
                }
            }
        }
    }
}

fn can_split(function: Value) -> bool {
    !function.is_declaration()
        && function.linkage() != LLVMLinkage::LLVMAvailableExternallyLinkage
        && !function.has_attribute(FUNCTION_INDEX, "naked")
        && !function.name().starts_with("llvm.")
        && function.blocks().iter().all(|b| b.terminator().is_some_and(|t| t.opcode() != LLVMOpcode::LLVMCallBr))
}

/// Every mention of a libc function that has a wrapper becomes a mention of the wrapper; plain bodies call the real one
/// again (`call_directly`).
fn use_wrappers(ir: &Ir, wrapped: &HashSet<String>) {
    for function in ir.functions() {
        let name = function.name();
        if function.is_declaration() && wrapped.contains(&name) && !function.users().is_empty() {
            let wrapper = ir.declare(&format!("{WRAPPER_PREFIX}{name}"), function.value_type());
            wrapper.copy_function_traits(function);
            shadow::drop_effect_attributes(wrapper);
            function.replace_all_uses(wrapper);
        }
    }
}

fn call_directly(ir: &Ir, body: Value, plains: &HashMap<Value, Value>) {
    for block in body.blocks() {
        for instruction in block.instructions() {
            if !matches!(instruction.opcode(), LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke) {
                continue;
            }
            let callee = instruction.called();
            if !callee.is_function() {
                continue;
            }
            if let Some(plain) = plains.get(&callee) {
                instruction.set_called(*plain);
            } else if let Some(real) = callee.name().strip_prefix(WRAPPER_PREFIX)
                && let Some(function) = ir.named_function(real)
            {
                instruction.set_called(function);
            }
        }
    }
}

fn fill_thunk(ir: &Ir, thunk: Value, symbolic: Value, plain: Value) {
    let entry = ir.append_block(thunk, "entry");
    let yes = ir.append_block(thunk, "symbolic");
    let no = ir.append_block(thunk, "plain");
    ir.at_end(entry);
    let active = ir.load(ir.int(8), Runtime { ir }.active(), 1);
    let is_active = ir.icmp(LLVMIntPredicate::LLVMIntNE, active, ir.const_int(ir.int(8), 0));
    ir.cond_br(is_active, yes, no);
    let params = thunk.params();
    for (block, target) in [(yes, symbolic), (no, plain)] {
        ir.at_end(block);
        let call = ir.call(thunk.value_type(), target, &params);
        call.copy_call_attributes(thunk, params.len() as u32);
        call.set_must_tail();
        let returns = thunk.value_type().return_type();
        ir.ret((!returns.is_void()).then_some(call));
    }
}
