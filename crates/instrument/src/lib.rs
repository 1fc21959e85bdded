//! LLVM 19 IR in, instrumented IR and model out. The steps are those of docs/architecture.md, "Mark early, shadow late".

mod bodies;
mod decision;
mod flow;
mod goto;
mod ir;
mod mark;
mod module;
mod plain;
mod shadow;
mod sites;

use ir::{FUNCTION_INDEX, Ir};
use offshoot_model::section::{BlobKind, encode};
use shadow::Shared;
use sites::Sites;
use std::collections::{HashMap, HashSet};

/// What the compiler wrapper asks for.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The user's optimisation level: '0', '1', '2', '3', 's' or 'z'.
    pub opt_level: char,
    /// libc model code: symbolic bodies only, no renaming of libc calls.
    pub libc_model: bool,
    /// Keep debug information in the result (the user asked for `-g`).
    pub keep_debug: bool,
    /// Working directory of the compilation, for the model.
    pub directory: String,
    /// libc functions that have a wrapper `__off_w_NAME` in the run-time library or the models.
    pub wrapped: HashSet<String>,
}

pub struct Instrumented {
    /// Optimised, instrumented; ready for code generation without further passes.
    pub bitcode: Vec<u8>,
    /// A blob for the `.offshoot` section.
    pub model: Vec<u8>,
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("LLVM cannot read the front end's bitcode: {0}")]
    Parse(String),
    #[error("LLVM pass failed: {0}")]
    Pass(String),
    #[error("instrumentation made invalid IR: {0}")]
    Verify(String),
}

/// The program itself: plain and symbolic bodies.
pub fn instrument(bitcode: &[u8], options: &Options) -> Result<Instrumented, Error> {
    let ir = Ir::parse(bitcode)?;
    let uid = module::uid(bitcode, options);
    let sites = prepare(&ir, options);
    ir.run_passes(pipeline(options))?;
    let mut shared = Shared {
        ir: &ir,
        sites,
        wrapped: &options.wrapped,
        direct: HashMap::new(),
        site_base: module::site_base(&ir),
        coverage: module::coverage(&ir),
    };
    bodies::split(&mut shared, options.libc_model);
    if let Some(marker) = mark::leftover(&ir) {
        return Err(Error::Verify(format!("the optimiser changed a call of {marker} beyond recognition")));
    }
    let Shared { sites, site_base, coverage, .. } = shared;
    module::register(&ir, uid, &sites.module, site_base, coverage);
    if !options.keep_debug {
        ir.strip_debug();
    }
    ir.verify()?;
    Ok(Instrumented { bitcode: ir.to_bitcode(), model: encode(BlobKind::Model, uid, &sites.module) })
}

/// Variant `plain`: optimised with one byte store for each outcome of each condition. The same model, by uid, as the
/// instrumented program's.
pub fn plain(bitcode: &[u8], options: &Options) -> Result<Vec<u8>, Error> {
    let ir = Ir::parse(bitcode)?;
    let uid = module::uid(bitcode, options);
    let sites = prepare(&ir, options);
    let coverage = module::coverage(&ir);
    for function in ir.functions() {
        plain::count(&ir, function, coverage);
    }
    module::register_counters(&ir, uid, &sites.module, coverage);
    ir.run_passes(pipeline(options))?;
    if !options.keep_debug {
        ir.strip_debug();
    }
    ir.verify()?;
    Ok(ir.to_bitcode())
}

/// Variant `cov`: as the front end left it, clang's coverage intrinsics inside; not optimised yet.
pub fn cov(bitcode: &[u8]) -> Result<Vec<u8>, Error> {
    let ir = Ir::parse(bitcode)?;
    mark::restore_returns_twice(&ir);
    Ok(ir.to_bitcode())
}

/// Variant `asan`: every function marked for AddressSanitizer, coverage intrinsics removed; not optimised yet.
pub fn asan(bitcode: &[u8]) -> Result<Vec<u8>, Error> {
    let ir = Ir::parse(bitcode)?;
    mark::restore_returns_twice(&ir);
    mark::remove_coverage(&ir);
    for function in ir.functions() {
        if !function.is_declaration() && !function.has_attribute(FUNCTION_INDEX, "naked") {
            function.add_attribute(FUNCTION_INDEX, ir.enum_attribute("sanitize_address", 0));
        }
    }
    ir.verify()?;
    Ok(ir.to_bitcode())
}

/// Computed gotos, coverage intrinsics, markers, control-flow graph, decisions: everything that comes before optimisation.
fn prepare(ir: &Ir, options: &Options) -> Sites {
    mark::restore_returns_twice(ir);
    let mut sites = Sites::new(ir.source_name(), options.directory.clone(), options.libc_model);
    let mut functions = ir.functions();
    functions.retain(|f| !f.is_declaration() && !f.has_attribute(FUNCTION_INDEX, "naked"));
    let decisions: Vec<_> = functions.iter().map(|function| decision::take(*function, &mut sites)).collect();
    mark::remove_coverage(ir);
    for (function, decisions) in functions.into_iter().zip(decisions) {
        goto::lower(ir, function);
        mark::mark(ir, function, &mut sites);
        flow::record(function, &mut sites);
        if let Some(decisions) = decisions {
            decisions.put_back(ir, &mut sites);
        }
    }
    flow::record_names(ir, &mut sites);
    sites
}

fn pipeline(options: &Options) -> &'static str {
    match options.opt_level {
        '0' | '1' => "default<O1>",
        '3' => "default<O3>",
        's' => "default<Os>",
        'z' => "default<Oz>",
        _ => "default<O2>",
    }
}
