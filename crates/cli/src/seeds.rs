//! Where the seeds of `check` and `explore` come from: files for one program, or the tests of a suite, each with a command
//! of its own.

mod recorded;
mod tests;

pub use tests::Programs;

use crate::failure::Failure;
use crate::progress::Progress;
use crate::suite::Folder;
use crate::target::find_program;
use clap::Args;
use offshoot_campaign::Seed;
use offshoot_campaign::runner::Settings;
use offshoot_campaign::store::SUITE;
use offshoot_model::Program;
use offshoot_suite::{Command, Input};
use recorded::Recorded;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

#[derive(Args)]
pub struct SeedArgs {
    /// A seed file, or a folder of them, for PROGRAM; may be given several times. Without one: an empty seed
    #[arg(long, value_name = "FILE|DIR", conflicts_with = "suite")]
    seed: Vec<PathBuf>,
    /// Take the tests in DIR as seeds, which `offshoot record -o DIR` made
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    suite: Option<PathBuf>,
    /// The program, built by offshoot-cc, and its arguments; or whatever runs its tests: it is recorded first
    #[arg(last = true, value_name = "PROGRAM ARGS|CMD")]
    command: Vec<OsString>,
}

/// What else recording needs to know.
pub struct Around<'a> {
    /// `check`, `explore`.
    pub verb: &'static str,
    /// Of the results.
    pub output: &'a Path,
    pub settings: &'a Settings,
    pub run_time: Duration,
    /// Nothing but our own summary may be on standard output.
    pub json: bool,
    pub progress: Progress,
    /// The suite may be in `output` already.
    pub resume: bool,
}

pub struct Seeds {
    /// Flaky ones last.
    pub seeds: Vec<Seed>,
    /// The user named the program itself.
    pub is_one_program: bool,
    recorded: Option<Recorded>,
}

impl SeedArgs {
    pub fn read(&self, around: &Around<'_>) -> Result<Seeds, Failure> {
        if let Some(suite) = &self.suite {
            return Seeds::of_suite(suite, None);
        }
        let Some(name) = self.command.first() else {
            let verb = around.verb;
            return Err(Failure::usage(format!(
                "nothing to {verb}; name a program or what runs its tests: offshoot {verb} -- PROGRAM ARGS, or offshoot \
                 {verb} -- make check"
            )));
        };
        let program = find_program(name)?;
        let not_ours = match Program::read(&program) {
            Ok(_) => return self.of_program(program, &around.settings.symbolic),
            Err(error) => error,
        };
        // Only a program has seeds.
        if !self.seed.is_empty() || self.command.iter().any(|arg| arg == offshoot_suite::SEED) {
            return Err(Failure::usage(not_ours));
        }
        let there = around.output.join(SUITE);
        if around.resume && there.is_dir() {
            return Seeds::of_suite(&there, None);
        }
        let recorded = Recorded::new(&self.command, around)?;
        let folder = recorded.folder().to_path_buf();
        Seeds::of_suite(&folder, Some(recorded))
    }

    fn of_program(&self, program: PathBuf, symbolic: &str) -> Result<Seeds, Failure> {
        let args = self.command.iter().skip(1);
        // Tests bring the files that they read, where files are looked out for; elsewhere they need the folder.
        let brings_files = symbolic.split(',').any(|word| word == "file");
        let cwd = if brings_files { None } else { std::env::current_dir().ok() };
        let command = Arc::new(Command { name: self.command.first().cloned(), cwd, ..Command::new(program, args) });
        let mut seeds = Vec::new();
        for seed in &self.seed {
            for file in seed_files(seed)? {
                let bytes = std::fs::read(&file)
                    .map_err(|error| Failure::usage(format!("cannot read the seed {}: {error}", file.display())))?;
                let input = Input::of(Arc::clone(&command), command.on_seed(bytes));
                seeds.push(Seed::new(file.display().to_string(), input));
            }
        }
        if seeds.is_empty() {
            let empty = command.on_seed(Vec::new());
            seeds.push(Seed::new("the empty seed".to_owned(), Input::of(command, empty)));
        }
        Ok(Seeds { seeds, is_one_program: true, recorded: None })
    }
}

impl Seeds {
    fn of_suite(folder: &Path, recorded: Option<Recorded>) -> Result<Seeds, Failure> {
        let cases = Folder { output: folder.to_path_buf(), reduced: false }.tests()?;
        Ok(Seeds { seeds: tests::seeds(cases, folder)?, is_one_program: false, recorded })
    }

    /// Whether there is a suite to be put into the folder of the results.
    pub fn is_recorded(&self) -> bool {
        self.recorded.is_some()
    }

    /// Puts the suite into the folder of the results, which is there.
    pub fn keep(&mut self, output: &Path) -> Result<(), Failure> {
        self.recorded.take().map_or(Ok(()), |recorded| recorded.keep(output))
    }
}

/// The file itself, or the files of a folder in order of their names.
pub fn seed_files(seed: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |error| Failure::usage(format!("cannot read the seed {}: {error}", seed.display()));
    if !seed.is_dir() {
        return Ok(vec![seed.to_path_buf()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(seed).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(Failure::usage(format!("the seed folder {} has no files", seed.display())));
    }
    Ok(files)
}
