//! What a module tells the run-time library when the program starts.
//!
//! ```text
//!   { u64 uid, u32 sites, u32 objects, ptr coverage, ptr site base, ptr [objects x { ptr, u64 size, ptr name }] }
//! ```

use crate::Options;
use crate::ir::{Ir, LLVMLinkage, LLVMTypeKind, Value};
use offshoot_model::Module;

/// Identity of a model: FNV-1a over what it is made from.
pub fn uid(bitcode: &[u8], options: &Options) -> u64 {
    let level = [options.opt_level as u8, options.libc_model as u8];
    let bytes = bitcode.iter().chain(&level).chain(options.directory.as_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

pub fn site_base(ir: &Ir) -> Value {
    let global = ir.add_global("__off_site_base", ir.int(32));
    global.set_initializer(ir.i32(0));
    global.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    global
}

/// The outcome bytes. Sites are still being added, so the array's final size comes with [`register`]: this is a
/// stand-in.
pub fn coverage(ir: &Ir) -> Value {
    ir.add_global("__off_coverage.stand_in", ir.int(8))
}

/// Whole pages: the run-time library maps the trace's coverage region over them.
fn final_coverage(ir: &Ir, stand_in: Value, sites: usize) -> Value {
    let size = (2 * sites as u64).next_multiple_of(4096);
    let ty = ir.array(ir.int(8), size);
    let global = ir.add_global("__off_coverage", ty);
    global.set_initializer(ir.null(ty));
    global.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    global.set_alignment(4096);
    stand_in.replace_all_uses(global);
    stand_in.delete_global();
    global
}

pub fn register(ir: &Ir, uid: u64, model: &Module, site_base: Value, coverage: Value) {
    let objects = objects(ir);
    let coverage = final_coverage(ir, coverage, model.sites.len());
    let count = objects.len();
    let entry_type = ir.structure(&[ir.ptr(), ir.int(64), ir.ptr()]);
    let array = ir.const_array(entry_type, &objects);
    let table = constant(ir, "__off_objects", array);
    let description = ir.const_struct(&[
        ir.i64(uid),
        ir.i32(model.sites.len() as u32),
        ir.i32(count as u32),
        coverage,
        site_base,
        table,
    ]);
    let description = constant(ir, "__off_module", description);
    call_at_start(ir, "__off_register", description);
}

pub fn register_counters(ir: &Ir, uid: u64, model: &Module, coverage: Value) {
    let coverage = final_coverage(ir, coverage, model.sites.len());
    let description = ir.const_struct(&[
        ir.i64(uid),
        ir.i32(model.sites.len() as u32),
        ir.i32(0),
        coverage,
        ir.null(ir.ptr()),
        ir.null(ir.ptr()),
    ]);
    let description = constant(ir, "__off_module", description);
    call_at_start(ir, "__off_register_counters", description);
}

fn constant(ir: &Ir, name: &str, value: Value) -> Value {
    let global = ir.add_global(name, value.ty());
    global.set_initializer(value);
    global.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    global.set_constant();
    global
}

/// Constructors get `argc`, `argv` and `envp` from glibc; the first module to register hands them on.
fn call_at_start(ir: &Ir, callee: &str, description: Value) {
    let ty = ir.function_type(ir.void(), &[ir.int(32), ir.ptr(), ir.ptr()], false);
    let constructor = ir.add_function("__off_constructor", ty);
    constructor.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    let block = ir.append_block(constructor, "entry");
    ir.at_end(block);
    let params = constructor.params();
    let target_type = ir.function_type(ir.void(), &[ir.ptr(), ir.int(32), ir.ptr(), ir.ptr()], false);
    let target = ir.declare(callee, target_type);
    ir.call(target_type, target, &[description, params[0], params[1], params[2]]);
    ir.ret(None);
    ir.add_constructor(constructor, 0);
}

/// Globals that are defined here, with size and name.
fn objects(ir: &Ir) -> Vec<Value> {
    let mut found = Vec::new();
    for global in ir.globals() {
        let name = global.name();
        let ours = name.starts_with("__off_") || name.starts_with("llvm.");
        let may_be_elsewhere = matches!(
            global.linkage(),
            LLVMLinkage::LLVMAvailableExternallyLinkage | LLVMLinkage::LLVMExternalWeakLinkage
        );
        // A comdat's loser is thrown away, and so must be what points into it; the winner's module lists it.
        if ours
            || global.is_declaration()
            || global.is_thread_local()
            || may_be_elsewhere
            || !global.section().is_empty()
            || (global.has_comdat() && global.is_local())
        {
            continue;
        }
        let ty = global.value_type();
        if ty.kind() == LLVMTypeKind::LLVMVoidTypeKind {
            continue;
        }
        let text = ir.const_string(&name);
        let text = constant(ir, "__off_name", text);
        found.push(ir.const_struct(&[global, ir.i64(ir.alloc_size(ty)), text]));
    }
    found
}
