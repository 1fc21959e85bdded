//! `offshoot import`: tests that somebody else made.

use super::cases::Folder;
use super::meter::Meter;
use super::running::Running;
use super::{print_json, warn};
use crate::failure::Failure;
use crate::output::print;
use crate::target::{find_program, read_models};
use crate::values;
use clap::{Args, ValueEnum};
use offshoot_base::Exit;
use offshoot_campaign::explore::seen;
use offshoot_campaign::pool::in_parallel;
use offshoot_campaign::runner::Runner;
use offshoot_suite::import::{Format, import};
use offshoot_suite::{Command, Suite, Test, TestId};
use serde::Serialize;
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

/// Take in tests of AFL, libFuzzer, KLEE, Test-Comp, plain files, or another folder of ours.
///
/// Each becomes a test in DIR/tests, named by a digest of its command and bytes, so that nothing is taken in twice. It is
/// run once, and what it does now is what is expected of it from then on. Files that cannot be used are listed; the rest
/// is done. The summary begins with the form that was taken.
#[derive(Args)]
#[command(after_help = "Examples:
  offshoot import --format afl findings/default -o offshoot.out -- ./jsonlint @@
  offshoot import --format folder corpus/ -- ./parser
  offshoot import --format ktest klee-last/ -- ./harness
  offshoot import other.out -o offshoot.out

In ARGS, @@ stands for the input file; without it an input is standard input. Tests of our own bring their command along.

Exit: 0 clean, 2 usage, 4 nothing could be imported, 130 interrupted.")]
pub struct Import {
    /// A folder, or a single file
    path: PathBuf,
    /// What lies there
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    format: Form,
    /// Where tests go: DIR/tests
    #[arg(short, long, value_name = "DIR", default_value = "offshoot.out")]
    output: PathBuf,
    /// Leave out files that are larger
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = values::size)]
    max_size: u64,
    /// Do not run the tests: nothing is expected of them then
    #[arg(long)]
    no_run: bool,
    #[command(flatten)]
    running: Running,
    /// Print one JSON object and nothing else
    #[arg(long)]
    json: bool,
    /// The program that the tests are for, built by offshoot-cc, and its arguments
    #[arg(last = true, value_name = "PROGRAM ARGS")]
    command: Vec<OsString>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// By what lies there
    Auto,
    /// A queue of afl-fuzz, an instance's folder, or a sync folder
    Afl,
    /// A corpus
    #[value(name = "libfuzzer")]
    LibFuzzer,
    /// `.ktest` files of KLEE
    #[value(alias = "klee")]
    Ktest,
    /// Test-Comp XML, in a folder or a zip file
    #[value(name = "testcomp", alias = "test-comp")]
    TestComp,
    /// Every file is an input
    #[value(alias = "plain")]
    Folder,
    /// A campaign, or a suite
    Offshoot,
}

#[derive(Serialize)]
struct Report {
    /// Which form they were taken for.
    format: String,
    imported: usize,
    known: usize,
    problems: Vec<String>,
    /// Names in DIR/tests.
    tests: Vec<String>,
}

impl Import {
    pub fn run(self) -> Result<ExitCode, Failure> {
        if let Err(error) = std::fs::metadata(&self.path) {
            return Err(Failure::usage(format!("cannot read {}: {error}", self.path.display())));
        }
        let format = self.format();
        let command = self.command(format)?;
        let imported = import(format, &inside(format, &self.path), &command, self.max_size);
        for problem in &imported.problems {
            warn(if problem.is_left_out { format!("left out: {problem}") } else { problem.to_string() });
        }
        if imported.tests.is_empty() {
            let path = self.path.display();
            let taken = if self.format == Form::Auto { format!(", taken for {}", name(format)) } else { String::new() };
            return Err(Failure::tests(format!("no test in {path}{taken}; --format says what lies there")));
        }
        let problems = imported.problems.iter().map(ToString::to_string).collect();
        let mut report = Report { format: name(format), imported: 0, known: 0, problems, tests: Vec::new() };
        let mut known = self.known();
        let count = imported.tests.len();
        let mut fresh: Vec<Test> = imported.tests.into_iter().filter(|test| known.insert(test.id())).collect();
        report.known = count - fresh.len();
        let interrupted = if self.no_run { false } else { self.observe(&mut fresh)? };
        let suite = Suite::create(&self.output).map_err(Failure::usage)?;
        for test in &fresh {
            let added = suite.add(test).map_err(Failure::usage)?;
            report.imported += 1;
            report.tests.push(added.id.to_string());
        }
        if self.json {
            print_json(&report)?;
        } else {
            let Report { format, imported, known, problems, .. } = &report;
            let (problems, output) = (problems.len(), self.output.display());
            print(&format!("{format}: {imported} tests to {output}/tests; {known} were known; {problems} problems\n"))?;
        }
        Ok(if interrupted { Exit::Interrupted } else { Exit::Clean }.into())
    }

    fn format(&self) -> Format {
        match self.format {
            Form::Auto if inside(Format::Offshoot, &self.path) != self.path => Format::Offshoot,
            Form::Auto => Format::detect(&self.path),
            Form::Afl => Format::Afl,
            Form::LibFuzzer => Format::LibFuzzer,
            Form::Ktest => Format::Klee,
            Form::TestComp => Format::TestComp,
            Form::Folder => Format::Plain,
            Form::Offshoot => Format::Offshoot,
        }
    }

    fn command(&self, format: Format) -> Result<Command, Failure> {
        match self.command.split_first() {
            Some((name, args)) => {
                let program = find_program(name)?;
                read_models(&program)?;
                // Who looks for other files beside the inputs finds them from here only.
                let is_here = |arg: &OsString| Path::new(arg).is_relative() && Path::new(arg).exists();
                let cwd = if args.iter().any(is_here) { std::env::current_dir().ok() } else { None };
                Ok(Command { name: Some(name.clone()), cwd, ..Command::new(program, args) })
            }
            None if format == Format::Offshoot => Ok(Command::default()),
            None => Err(Failure::usage("for which program? end the command with `-- PROGRAM ARGS`")),
        }
    }

    /// What is in DIR already; a folder that is not there yet has nothing.
    fn known(&self) -> HashSet<TestId> {
        let folder = Folder { output: self.output.clone(), reduced: false };
        folder.tests().unwrap_or_default().iter().map(|case| case.test.id()).collect()
    }

    /// What they do now. Those that were not run when the user interrupts go. `true`: the user did.
    fn observe(&self, tests: &mut Vec<Test>) -> Result<bool, Failure> {
        let settings = self.running.settings()?;
        let meter = Meter::new(self.running.progress, self.json, "running test", tests.len());
        let expected = |test: &Test| test.expectation.status.is_some();
        let work = |runner: &mut Runner, test: &Test| (!expected(test)).then(|| runner.plainly(test));
        let start = || Runner::new(settings.clone());
        let results = in_parallel(tests, self.running.jobs(), &settings.cancel, start, work, |_, _| meter.step());
        drop(meter);
        let interrupted = settings.cancel.load(Ordering::Relaxed);
        let mut kept = Vec::new();
        for (mut test, result) in tests.drain(..).zip(results) {
            match result {
                None => continue,
                Some(None) => {}
                Some(Some(Ok(execution))) => test.expectation = seen(&execution),
                Some(Some(Err(error))) => warn(format!("test {} was not run: {error}", test.id())),
            }
            if interrupted && !expected(&test) {
                continue;
            }
            kept.push(test);
        }
        *tests = kept;
        Ok(interrupted)
    }
}

/// As --format has it.
fn name(format: Format) -> String {
    let form = match format {
        Format::Afl => Form::Afl,
        Format::LibFuzzer => Form::LibFuzzer,
        Format::Klee => Form::Ktest,
        Format::TestComp => Form::TestComp,
        Format::Plain => Form::Folder,
        Format::Offshoot => Form::Offshoot,
    };
    form.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// Our own tests are in a folder of the campaign.
fn inside(format: Format, path: &Path) -> PathBuf {
    let tests = path.join("tests");
    let holds_tests = |folder: &Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.into_iter().any(|entry| entry.path().join("test.json").exists())
    };
    if format == Format::Offshoot && holds_tests(&tests) { tests } else { path.to_path_buf() }
}
