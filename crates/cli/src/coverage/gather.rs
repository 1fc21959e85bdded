//! Runs tests on variant `count` of their programs, or reads what such runs left.

use crate::failure::Failure;
use crate::seeds::seed_files;
use crate::suite::{Case, Meter, Running, warn};
use crate::target::find_program;
use offshoot_campaign::counted::{Counted, CountedError, Sum};
use offshoot_campaign::pool::in_parallel;
use offshoot_campaign::runner::Settings;
use offshoot_compile::Variant;
use offshoot_run::Status;
use offshoot_suite::{Command, Origin, Test};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::SystemTime;
use tempfile::TempDir;

/// What each test counted in its program.
pub struct Measured {
    pub programs: Vec<Program>,
    /// Name, position in `programs`, counts.
    pub tests: Vec<(String, usize, Sum)>,
    /// Runs are told apart.
    pub by_test: bool,
}

pub struct Program {
    /// As the user knows it.
    pub path: PathBuf,
    pub built: Option<SystemTime>,
    pub counted: Counted,
    /// Variant `count` of it.
    variant: PathBuf,
}

/// One for each seed, or one without.
pub fn runs(command: &[OsString], seeds: &[PathBuf]) -> Result<Vec<Case>, Failure> {
    let [name, args @ ..] = command else { return Ok(Vec::new()) };
    let command = Command { name: Some(name.clone()), ..Command::new(find_program(name)?, args) };
    let mut files = Vec::new();
    for seed in seeds {
        files.extend(seed_files(seed)?);
    }
    let case = |name: String, seed: Vec<u8>| {
        let bytes = command.on_seed(seed);
        Case { name, folder: PathBuf::new(), test: Test::new(command.clone(), bytes, Origin::Seed) }
    };
    if files.is_empty() {
        return Ok(vec![case("the run".to_owned(), Vec::new())]);
    }
    let read = |file: PathBuf| match std::fs::read(&file) {
        Ok(seed) => Ok(case(file.display().to_string(), seed)),
        Err(error) => Err(Failure::usage(format!("cannot read the seed {}: {error}", file.display()))),
    };
    files.into_iter().map(read).collect()
}

pub fn tests(cases: Vec<Case>, running: &Running, json: bool) -> Result<Measured, Failure> {
    let folder = TempDir::with_prefix("offshoot-").map_err(Failure::internal)?;
    let mut programs: BTreeMap<PathBuf, usize> = BTreeMap::new();
    let mut made = Vec::new();
    for case in &cases {
        let path = &case.test.command.program;
        if !programs.contains_key(path) {
            programs.insert(path.clone(), made.len());
            made.push(program(path, &folder.path().join(made.len().to_string()))?);
        }
    }
    let settings = running.settings()?;
    let meter = Meter::new(running.progress, json, "counting in test", cases.len());
    let work = |(): &mut (), case: &Case| -> anyhow::Result<Option<Sum>> {
        match programs.get(&case.test.command.program) {
            Some(&at) => count(&made[at], &case.test, &settings, folder.path()),
            None => Ok(None),
        }
    };
    let results = in_parallel(&cases, running.jobs(), &settings.cancel, || (), work, |_, _| meter.step());
    drop(meter);
    if settings.cancel.load(Ordering::Relaxed) {
        return Err(Failure::interrupted("interrupted before all tests had run; nothing was written"));
    }
    let mut tests = Vec::new();
    for (case, result) in cases.into_iter().zip(results) {
        match result {
            Some(Ok(Some(sum))) => tests.push((case.name, programs[&case.test.command.program], sum)),
            Some(Err(error)) => warn(format!("test {} left out: {error}", case.name)),
            Some(Ok(None)) | None => {}
        }
    }
    if tests.is_empty() {
        return Err(Failure::tests("no test could be run; `offshoot doctor` checks this machine"));
    }
    Ok(Measured { programs: made, tests, by_test: true })
}

/// What runs of variant `count` left, whoever ran it.
pub fn counts(command: &[OsString], files: &[PathBuf]) -> Result<Measured, Failure> {
    let [name, rest @ ..] = command else { return Err(Failure::usage("name the program behind `--`")) };
    if let [first, ..] = rest {
        let first = first.display();
        return Err(Failure::usage(format!("--counts runs nothing: leave out what is behind the program ({first} …)")));
    }
    let path = find_program(name)?;
    let folder = TempDir::with_prefix("offshoot-").map_err(Failure::internal)?;
    // The variant itself will do, too.
    let program = match Counted::read(&path) {
        Ok(counted) => Program { built: built(&path), counted, variant: path.clone(), path },
        Err(CountedError::NoSection { .. }) => program(&path, &folder.path().join("program"))?,
        Err(error) => return Err(Failure::usage(error)),
    };
    let mut tests = Vec::new();
    for file in files {
        let sum = program.counted.sum(file).map_err(Failure::usage)?;
        if sum.foreign > 0 {
            let (count, file) = (sum.foreign, file.display());
            warn(format!("{count} processes in {file} ran another program, or another build of it; they are left out"));
        }
        tests.push((file.display().to_string(), 0, sum));
    }
    Ok(Measured { programs: vec![program], by_test: files.len() > 1, tests })
}

fn program(path: &Path, variant: &Path) -> Result<Program, Failure> {
    offshoot_compile::variant(Variant::Count, path, variant).map_err(Failure::usage)?;
    let counted = Counted::read(variant).map_err(Failure::usage)?;
    Ok(Program { path: path.into(), built: built(path), counted, variant: variant.into() })
}

fn built(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|data| data.modified()).ok()
}

/// `None`: interrupted.
fn count(program: &Program, test: &Test, settings: &Settings, folder: &Path) -> anyhow::Result<Option<Sum>> {
    let file = tempfile::Builder::new().suffix(".counts").tempfile_in(folder)?;
    let name = test.command.name().to_owned();
    let command = Command { program: program.variant.clone(), name: Some(name), ..test.command.clone() };
    let outcome = settings.target(command).count(&test.bytes, file.path())?;
    if outcome.status == Status::Interrupted {
        return Ok(None);
    }
    Ok(Some(program.counted.sum(file.path())?))
}
