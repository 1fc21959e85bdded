//! LLVM 19 IR in, instrumented IR and model out.

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
    let _ = (bitcode, options);
    Err(Error::Parse("not yet".into()))
}

/// Variant `plain`: optimised with one byte store for each outcome of each condition. The same model, by uid, as the
/// instrumented program's.
pub fn plain(bitcode: &[u8], options: &Options) -> Result<Vec<u8>, Error> {
    instrument(bitcode, options).map(|r| r.bitcode)
}

/// Variant `asan`: every function marked for AddressSanitizer, coverage intrinsics removed; not optimised yet.
pub fn asan(bitcode: &[u8]) -> Result<Vec<u8>, Error> {
    let _ = bitcode;
    Err(Error::Parse("not yet".into()))
}
