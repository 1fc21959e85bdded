//! Other programs out of the same build: every object again from its bitcode, linked by the recorded line.

use crate::backend::{self, BackendError, Passes, Recorded};
use crate::clang::{self, ClangError};
use crate::resource::Resource;
use crate::{Language, carried, link, record};
use offshoot_instrument::Options;
use offshoot_model::section::{LinkLine, Unit};
use offshoot_model::{Program, ReadError};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Native speed, one counter for each outcome of each condition.
    Plain,
    /// Clang's own coverage counters, kept in a file of ours.
    Count,
    /// The same counters for llvm-profdata and llvm-cov, our independent judges.
    Cov,
    /// AddressSanitizer, which confirms findings.
    Asan,
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Clang(#[from] ClangError),
    #[error("{0} keeps no link line; link it with offshoot-cc or offshoot-c++")]
    NoLinkLine(PathBuf),
    #[error(
        "{0} has no bitcode inside; build all of it with CC=offshoot-cc, and look into OFFSHOOT_BUILD_LOG for the reason"
    )]
    NoUnits(PathBuf),
    #[error("the bitcode of {source_file} is damaged; build the program again")]
    Bitcode { source_file: String },
    #[error("cannot rebuild {source_file}: {reason}")]
    Rebuild { source_file: String, reason: String },
    #[error("cannot read {archive}, which was linked into the program; build the program again")]
    Archive { archive: PathBuf },
    #[error(
        "linking the variant failed; is everything that was linked still in {directory}? The linker said: {message}"
    )]
    Link { directory: String, message: String },
    #[error("cannot write {path}: {source}")]
    Write { path: PathBuf, source: std::io::Error },
}

/// Writes the variant of `program` to `output`, whole or not at all.
pub fn variant(kind: Variant, program: &Path, output: &Path) -> Result<(), Error> {
    variant_with(&Resource::find(), kind, program, output)
}

pub fn variant_with(resource: &Resource, kind: Variant, program: &Path, output: &Path) -> Result<(), Error> {
    let content = Program::read(program)?;
    let line = content.link.ok_or_else(|| Error::NoLinkLine(program.into()))?;
    if content.units.is_empty() {
        return Err(Error::NoUnits(program.into()));
    }
    let output = std::path::absolute(output).map_err(|source| Error::Write { path: output.into(), source })?;
    let cannot_write = |source| Error::Write { path: output.clone(), source };
    // Beside the output, so that the last step is a rename within one file system.
    let folder = output.parent().unwrap_or(Path::new("/"));
    let scratch = tempfile::Builder::new().prefix(".offshoot-").tempdir_in(folder).map_err(cannot_write)?;

    let prepared = prepare(resource, kind, &content.units, scratch.path())?;
    let objects = compile_all(kind, &content.units, &prepared)?;
    let linked = scratch.path().join("program");
    relink(resource, kind, &line, &objects, scratch.path(), &linked)?;
    std::fs::rename(&linked, &output).map_err(cannot_write)
}

/// Bitcode on its way to an object.
struct Ready {
    path: PathBuf,
    /// The instrumenter could not: clang's own counters are still inside and are lowered, to be read by nobody.
    raw: bool,
}

/// One after the other: LLVM's global state is not ours to share between threads.
fn prepare(resource: &Resource, kind: Variant, units: &[Unit], scratch: &Path) -> Result<Vec<Ready>, Error> {
    let wrapped = resource.wrapped();
    let mut ready = Vec::new();
    for (index, unit) in units.iter().enumerate() {
        let bitcode = zstd::stream::decode_all(&*unit.bitcode)
            .map_err(|_| Error::Bitcode { source_file: unit.source.clone() })?;
        let recorded = Recorded::of(&unit.codegen_flags);
        let options = Options {
            opt_level: recorded.opt_level,
            libc_model: false,
            keep_debug: recorded.debug,
            directory: recorded.directory.to_owned(),
            wrapped: wrapped.clone(),
        };
        let changed = match kind {
            Variant::Cov | Variant::Count => offshoot_instrument::cov(&bitcode),
            Variant::Plain => offshoot_instrument::plain(&bitcode, &options),
            Variant::Asan => offshoot_instrument::asan(&bitcode),
        };
        let (bitcode, raw) = match changed {
            Ok(changed) => (changed, matches!(kind, Variant::Cov | Variant::Count)),
            Err(reason) => {
                crate::log::note(&unit.source, format_args!("no counters in variant {kind:?}: {reason}"));
                (bitcode, true)
            }
        };
        let path = scratch.join(format!("{index}.bc"));
        std::fs::write(&path, bitcode).map_err(|source| Error::Write { path: path.clone(), source })?;
        ready.push(Ready { path, raw });
    }
    Ok(ready)
}

/// As many at a time as there are processors.
fn compile_all(kind: Variant, units: &[Unit], ready: &[Ready]) -> Result<Vec<PathBuf>, Error> {
    let next = AtomicUsize::new(0);
    let worker = || -> Result<(), Error> {
        while let Some((unit, ready)) = {
            let index = next.fetch_add(1, Ordering::Relaxed);
            units.get(index).zip(ready.get(index))
        } {
            compile(kind, unit, ready)?;
        }
        Ok(())
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(units.len());
    std::thread::scope(|scope| {
        // Where no more threads are to be had, those that run, this one among them, do the work.
        let more = || std::thread::Builder::new().spawn_scoped(scope, worker).ok();
        let running: Vec<_> = (1..workers).filter_map(|_| more()).collect();
        let mine = worker();
        let join =
            |thread: std::thread::ScopedJoinHandle<_>| thread.join().unwrap_or_else(|p| std::panic::resume_unwind(p));
        running.into_iter().map(join).fold(mine, Result::and)
    })?;
    Ok(ready.iter().map(|ready| ready.path.with_extension("o")).collect())
}

fn compile(kind: Variant, unit: &Unit, ready: &Ready) -> Result<(), Error> {
    let mut flags = unit.codegen_flags.clone();
    let mut extra = Vec::new();
    if ready.raw {
        extra.extend(["-fprofile-instr-generate", "-fcoverage-mapping"]);
    }
    if kind == Variant::Asan {
        extra.push("-fsanitize=address");
        flags.push("-O1".into());
    }
    let passes = if kind == Variant::Plain && !ready.raw { Passes::Done } else { Passes::Run };
    backend::object(&ready.path, &flags, passes, &extra, &ready.path.with_extension("o")).map_err(|error| match error {
        BackendError::Clang(error) => Error::Clang(error),
        BackendError::Failed(reason) => Error::Rebuild { source_file: unit.source.clone(), reason },
    })
}

fn relink(
    resource: &Resource,
    kind: Variant,
    line: &LinkLine,
    objects: &[PathBuf],
    scratch: &Path,
    output: &Path,
) -> Result<(), Error> {
    let directory = Path::new(&line.directory);
    let mut archives = 0;
    let rebuilt = record::reconstruct(&line.args, objects, |archive| {
        archives += 1;
        foreign_part(&directory.join(archive), &scratch.join(format!("foreign{archives}.a")))
    })?;
    let mut args = rebuilt.args;
    match kind {
        Variant::Plain => args.extend(resource.counters().map(OsString::from)),
        // Last, behind all counters. Nothing in the objects refers to it.
        Variant::Count => {
            args.push("-Wl,-u,__off_counts".into());
            // The run-time library makes it a fork server; where nobody asks for that it stays out of the way.
            args.extend(resource.runtime().map(|_| OsString::from("-Wl,-u,__off_register")));
            args.extend(resource.counts().map(OsString::from));
        }
        Variant::Cov => {
            args.push("-fprofile-instr-generate".into());
            if let Some(profile) = resource.profile() {
                args.extend([OsString::from("-Wl,-u,__off_profile"), profile.into()]);
            }
        }
        Variant::Asan => {
            // AddressSanitizer has to stand between the program and a shared libc.
            args.retain(|arg| arg != "-static" && arg != "-static-pie");
            args.push("-fsanitize=address".into());
            if let Some(served) = resource.served() {
                let asked = ["-Wl,-u,__off_served", "-Wl,-u,__off_register", "-Wl,--wrap=aligned_alloc"];
                args.extend(asked.map(OsString::from));
                args.push(served.into());
            }
        }
    }
    if rebuilt.needs_fuzzer {
        args.extend(resource.fuzzer_main().map(OsString::from));
    }
    // A harness calls it by name (`klee_make_symbolic`); what nobody calls stays in the archive.
    args.extend(link::runtime(resource, false));
    args.extend(link::system_libraries());
    args.extend(["-lm".into(), "-Qunused-arguments".into(), "-o".into(), output.into()]);
    let language = if line.cplusplus { Language::Cplusplus } else { Language::C };
    // Relative names in the line, wherever they are, mean what they meant then.
    let result = clang::captured_in(directory, language, &args)?;
    if result.code != 0 {
        let message = String::from_utf8_lossy(&result.stderr).trim().replace('\n', "; ");
        return Err(Error::Link { directory: line.directory.clone(), message });
    }
    Ok(())
}

/// An archive of those members that were not compiled by us: assembler files, mostly.
fn foreign_part(archive: &Path, output: &Path) -> Result<PathBuf, Error> {
    let unreadable = || Error::Archive { archive: archive.into() };
    let data = std::fs::read(archive).map_err(|_| unreadable())?;
    let folder = output.with_extension("d");
    std::fs::create_dir(&folder).map_err(|source| Error::Write { path: folder.clone(), source })?;
    let mut members = Vec::new();
    for (index, member) in carried::members(archive, &data).into_iter().enumerate() {
        if !carried::has_units(&member) {
            let path = folder.join(format!("{index}.o"));
            std::fs::write(&path, member).map_err(|source| Error::Write { path: path.clone(), source })?;
            members.push(path);
        }
    }
    let done = std::process::Command::new("ar").arg("rcs").arg(output).args(&members).status();
    if done.is_ok_and(|status| status.success()) { Ok(output.into()) } else { Err(unreadable()) }
}
