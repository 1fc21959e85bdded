//! Running clang.

use crate::Language;
use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

#[derive(Debug, thiserror::Error)]
pub enum ClangError {
    #[error("{0} not found; install it with: apt-get install clang-19")]
    Missing(&'static str),
    #[error("cannot run {program}: {source}")]
    Spawn { program: &'static str, source: std::io::Error },
}

pub fn name(language: Language) -> &'static str {
    match language {
        Language::C => "clang-19",
        Language::Cplusplus => "clang++-19",
    }
}

fn failed(program: &'static str, source: std::io::Error) -> ClangError {
    match source.kind() {
        ErrorKind::NotFound => ClangError::Missing(program),
        _ => ClangError::Spawn { program, source },
    }
}

/// Becomes clang; returns only if that is impossible.
pub fn exec(language: Language, args: &[OsString]) -> ClangError {
    failed(name(language), Command::new(name(language)).args(args).exec())
}

/// Runs clang with our own standard streams.
pub fn status<S: AsRef<OsStr>>(language: Language, args: &[S], stdin: Option<Stdio>) -> Result<i32, ClangError> {
    let mut command = Command::new(name(language));
    command.args(args);
    if let Some(stdin) = stdin {
        command.stdin(stdin);
    }
    command.status().map(code).map_err(|source| failed(name(language), source))
}

pub struct Captured {
    pub code: i32,
    pub stderr: Vec<u8>,
}

/// Runs clang and keeps what it writes to standard error.
pub fn captured<S: AsRef<OsStr>>(language: Language, args: &[S], stdin: Option<Stdio>) -> Result<Captured, ClangError> {
    let mut command = Command::new(name(language));
    // These make clang write dependencies of its own accord, under the name of our temporary file.
    command.args(args).env_remove("DEPENDENCIES_OUTPUT").env_remove("SUNPRO_DEPENDENCIES");
    command.stdin(stdin.unwrap_or_else(Stdio::null)).stdout(Stdio::inherit()).stderr(Stdio::piped());
    let output = command.output().map_err(|source| failed(name(language), source))?;
    Ok(Captured { code: code(output.status), stderr: output.stderr })
}

/// The same in another folder, with nothing on standard input.
pub fn captured_in<S: AsRef<OsStr>>(folder: &Path, language: Language, args: &[S]) -> Result<Captured, ClangError> {
    let mut command = Command::new(name(language));
    command.args(args).stdin(Stdio::null());
    if folder.is_dir() {
        command.current_dir(folder);
    }
    let output = command.output().map_err(|source| failed(name(language), source))?;
    Ok(Captured { code: code(output.status), stderr: output.stderr })
}

/// An exit code as a shell reports it.
fn code(status: ExitStatus) -> i32 {
    status.code().or(status.signal().map(|signal| 128 + signal)).unwrap_or(1)
}
