//! One source file to one object: front end, instrumenter, back end; and plainly where that fails.

use crate::args::{Command, Input};
use crate::backend::{self, Passes};
use crate::clang::ClangError;
use crate::resource::Resource;
use crate::{frontend, guard, log};
use offshoot_instrument::Options;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// How an object came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// It carries its bitcode, so that variants can be made from it.
    Unit,
    /// clang's own object.
    Plain,
    /// clang refused; it has said why.
    Refused(i32),
}

pub struct Job<'a> {
    pub command: &'a Command,
    pub resource: &'a Resource,
    pub input: &'a Input,
    /// A copy of standard input, if that is the source: it may have to be read twice.
    pub stdin: Option<&'a Path>,
    pub object: &'a Path,
    /// A folder of this job's own.
    pub scratch: &'a Path,
}

impl Job<'_> {
    pub fn run(&self) -> Result<Made, ClangError> {
        let source = self.input.path.to_string_lossy();
        if let Some(reason) = self.why_plain() {
            log::note(&source, format_args!("compiled plainly: {reason}"));
            return self.plainly();
        }
        let front = self.scratch.join("front.bc");
        let Some(front) = frontend::bitcode(self.command, self.resource, self.input, self.stdin, &front)? else {
            let made = self.plainly()?;
            if made == Made::Plain {
                log::note(&source, "compiled plainly: clang refused it with the flags for instrumentation");
            }
            return Ok(made);
        };
        let directory = std::env::current_dir().unwrap_or_default().to_string_lossy().into_owned();
        let flags = backend::codegen_flags(self.command, &directory);
        // The libc models are part of the instrumented program only: no variant is made from them.
        let unit = match self.command.libc_model {
            true => Vec::new(),
            false => backend::unit_blob(&source, &flags, &front.bytes).unwrap_or_default(),
        };
        match self.instrumented(&front.bytes, &flags, directory) {
            Ok((object, model)) => {
                let object = backend::with_blobs(object, &[model, unit].concat());
                match put(self.object, &object) {
                    Ok(()) => {
                        // Only now: had anything failed, the plain compilation would have said it all.
                        let _ = std::io::stderr().write_all(&front.diagnostics);
                        Ok(Made::Unit)
                    }
                    // clang words it as the user's tools expect it.
                    Err(_) => self.plainly(),
                }
            }
            Err(reason) => {
                log::note(&source, format_args!("compiled plainly: {reason}"));
                match self.plainly()? {
                    Made::Plain if !unit.is_empty() => Ok(self.attach(&unit)),
                    made => Ok(made),
                }
            }
        }
    }

    fn why_plain(&self) -> Option<&'static str> {
        if self.command.freestanding {
            Some("-ffreestanding leaves no room for the run-time library")
        } else if !self.command.libc_model && self.resource.runtime().is_none() {
            Some("liboffshoot_runtime.a not found; set OFFSHOOT_LIB to the folder that has it")
        } else {
            None
        }
    }

    fn instrumented(&self, front: &[u8], flags: &[String], directory: String) -> Result<(Vec<u8>, Vec<u8>), String> {
        let options = Options {
            opt_level: self.command.opt_level(),
            libc_model: self.command.libc_model,
            keep_debug: self.command.debug,
            directory,
            wrapped: self.resource.wrapped(),
        };
        let done = guard::instrument(front, &options, self.scratch)?;
        let (bitcode, object) = (self.scratch.join("instrumented.bc"), self.scratch.join("instrumented.o"));
        backend::object(&bitcode, flags, Passes::Done, &[], &object).map_err(|error| error.to_string())?;
        let object = std::fs::read(&object).map_err(|error| error.to_string())?;
        Ok((object, done.model))
    }

    fn plainly(&self) -> Result<Made, ClangError> {
        let code = frontend::plainly(self.command, self.resource, self.input, self.stdin, self.object)?;
        Ok(if code == 0 { Made::Plain } else { Made::Refused(code) })
    }

    /// Bitcode into a plain object: its variants are as good as anybody's.
    fn attach(&self, unit: &[u8]) -> Made {
        let done = std::fs::read(self.object).and_then(|object| put(self.object, &backend::with_blobs(object, unit)));
        if done.is_ok() { Made::Unit } else { Made::Plain }
    }
}

/// Writes an object as clang does: whole or not at all, and through whatever else the name stands for (`/dev/null`).
fn put(path: &Path, data: &[u8]) -> std::io::Result<()> {
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return std::fs::write(path, data);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let written = std::fs::write(&temporary, data).and_then(|()| std::fs::rename(&temporary, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    written
}

/// Standard input for a child.
pub fn open(stdin: Option<&Path>) -> Option<Stdio> {
    stdin.and_then(|path| std::fs::File::open(path).ok()).map(Stdio::from)
}
