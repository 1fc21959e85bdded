//! Bitcode to object, and what an object carries besides code.

use crate::Language;
use crate::args::Command;
use crate::clang::{self, ClangError};
use crate::elf;
use crate::flags::Kind;
use offshoot_model::section::{self, BlobKind, SECTION, Unit};
use std::ffi::OsString;
use std::path::Path;

/// The flags with which every variant of this file is made.
///
/// Besides the back end's own flags: `-g` if the user asked for it and the folder of the compilation. Both are ordinary
/// clang flags without effect on bitcode; [`Recorded`] reads them back.
pub fn codegen_flags(command: &Command, directory: &str) -> Vec<String> {
    let wanted = command.words(|kind| matches!(kind, Kind::Codegen | Kind::Assembler));
    let mut flags: Vec<String> = wanted.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    flags.push(format!("-O{}", command.opt_level()));
    if command.level.as_deref() == Some("-Ofast") {
        flags.push("-ffast-math".into());
    }
    if command.debug {
        flags.push("-g".into());
    }
    flags.push(format!("{DIRECTORY}{directory}"));
    flags
}

const DIRECTORY: &str = "-fdebug-compilation-dir=";

/// What [`codegen_flags`] wrote down.
pub struct Recorded<'a> {
    pub opt_level: char,
    pub debug: bool,
    pub directory: &'a str,
}

impl Recorded<'_> {
    pub fn of(flags: &[String]) -> Recorded<'_> {
        let level = flags.iter().rev().find_map(|flag| flag.strip_prefix("-O")?.chars().next());
        Recorded {
            opt_level: level.unwrap_or('0'),
            debug: flags.iter().any(|flag| flag == "-g"),
            directory: flags.iter().find_map(|flag| flag.strip_prefix(DIRECTORY)).unwrap_or_default(),
        }
    }
}

/// How far the optimiser still goes over the bitcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passes {
    /// The instrumenter has optimised already.
    Done,
    /// The pipeline of the recorded level.
    Run,
}

#[derive(Debug, thiserror::Error)]
pub enum BackendError {
    #[error(transparent)]
    Clang(#[from] ClangError),
    #[error("code generation failed: {0}")]
    Failed(String),
}

/// How hard the register allocator tries to find the best region for a value that does not fit into a register all the
/// time; LLVM's own number is 10000. Symbolic bodies have thousands of small blocks with calls that nearly never happen,
/// and the search took most of the time of a build, without making programs faster.
const GROW_REGION: &str = "-grow-region-complexity-budget=100";

/// clang's warnings are swallowed: the user has seen those of the front end, and the others are about our code.
pub fn object(
    bitcode: &Path,
    flags: &[String],
    passes: Passes,
    extra: &[&str],
    out: &Path,
) -> Result<(), BackendError> {
    let level = Recorded::of(flags).opt_level;
    let mut args: Vec<OsString> = flags.iter().filter(|flag| !flag.starts_with("-O")).map(OsString::from).collect();
    args.push(if level == '0' { "-O1".into() } else { format!("-O{level}").into() });
    args.extend(["-w", "-Qunused-arguments"].map(OsString::from));
    if passes == Passes::Done {
        args.extend(["-Xclang", "-disable-llvm-passes", "-Xclang", "-disable-llvm-verifier"].map(OsString::from));
        args.extend(["-mllvm", GROW_REGION].map(OsString::from));
    }
    args.extend(extra.iter().map(OsString::from));
    args.extend(["-c".into(), "-o".into(), out.into(), "-x".into(), "ir".into(), bitcode.into()]);
    let result = clang::captured(Language::C, &args, None)?;
    if result.code == 0 { Ok(()) } else { Err(BackendError::Failed(last_line(&result.stderr))) }
}

/// The line that says most, for a one-line message.
fn last_line(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let error = text.lines().find(|line| line.contains("error"));
    error.or(text.lines().rfind(|line| !line.trim().is_empty())).unwrap_or("no message").trim().to_owned()
}

/// The blob that carries the front end's bitcode.
pub fn unit_blob(source: &str, codegen_flags: &[String], bitcode: &[u8]) -> std::io::Result<Vec<u8>> {
    let unit = Unit {
        source: source.to_owned(),
        codegen_flags: codegen_flags.to_vec(),
        bitcode: zstd::bulk::compress(bitcode, 1)?,
    };
    Ok(section::encode(BlobKind::Unit, 0, &unit))
}

/// The finished object: code plus blobs. Objects that cannot carry a section stay as they are.
pub fn with_blobs(object: Vec<u8>, blobs: &[u8]) -> Vec<u8> {
    match elf::add_section(object.clone(), SECTION, 0, blobs) {
        Some(object) => object,
        None => object,
    }
}
