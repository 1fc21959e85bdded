//! `offshoot variant`

use crate::failure::Failure;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::process::ExitCode;

/// Make another program from the bitcode inside an instrumented one.
///
/// plain: native speed, one byte for each outcome of each condition. count: clang's coverage counters, kept in the file
/// that OFFSHOOT_COUNTS names. cov: the same counters for llvm-cov-19. asan: AddressSanitizer.
#[derive(Args)]
pub struct Variant {
    kind: Kind,
    /// A program built by offshoot-cc
    program: PathBuf,
    /// Where to put the new program
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    Plain,
    Count,
    Cov,
    Asan,
}

impl Variant {
    pub fn run(self) -> Result<ExitCode, Failure> {
        let kind = match self.kind {
            Kind::Plain => offshoot_compile::Variant::Plain,
            Kind::Count => offshoot_compile::Variant::Count,
            Kind::Cov => offshoot_compile::Variant::Cov,
            Kind::Asan => offshoot_compile::Variant::Asan,
        };
        offshoot_compile::variant(kind, &self.program, &self.output).map_err(Failure::usage)?;
        Ok(ExitCode::SUCCESS)
    }
}
