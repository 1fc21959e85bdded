//! `offshoot reduce`: smaller tests that do the same.

mod report;

use super::cases::{Case, Folder};
use super::counting::Variants;
use super::measure::Programs;
use super::meter::Meter;
use super::record::recorder_or_warning;
use super::running::Running;
use super::{json, print_json, warn};
use crate::failure::Failure;
use crate::output::print;
use crate::values;
use clap::{Args, ValueEnum};
use offshoot_base::Exit;
use offshoot_campaign::pool::each_in_parallel;
use offshoot_campaign::reduction::{Preserve, Reducer, ReductionError, Smaller, Subject};
use offshoot_campaign::store;
use offshoot_suite::{Choice, Test, write_test};
use report::{Left, Line, Report};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Make tests smaller without losing what they cover, or how they fail.
///
/// Arguments, lines, characters or bytes are taken away as long as the rest runs at least the statements of the original
/// (delta debugging). Smaller tests are faster to explore from and easier to read. They go to DIR/reduced; the originals
/// stay as they are.
#[derive(Args)]
#[command(after_help = "Examples:
  offshoot reduce
  offshoot reduce -o offshoot.out --budget 20s -j 2
  offshoot reduce 000007 000012
  offshoot reduce --preserve mcdc
  offshoot reduce --preserve failure findings/0000
  offshoot reduce --split seed=records:16 --split arg=whole

Statements and MC/DC are counted on variant `count` of the program, which is made from the bitcode inside it.
Without TEST: all tests, or all findings with --preserve failure. --reduced reduces what an earlier reduction left.

What a test looks at in the file system, its reduction may look at, and nothing else that is there: whatever lies beside the
files of a test by chance is no part of it. What belongs to the machine (/usr, /etc and the like) counts as there for all.

SOURCE: seed (@@ or standard input), arg, file (all of them), stdin, arg[N], file:PATH, env:NAME.
HOW: lines, characters, bytes, records:N, delimiter:TEXT (last; \\n, \\t, \\0, \\\\, \\xHH), or whole to leave it alone (and keep an argument).
Usual: lines, then characters of text; bytes of other files; characters of arguments.

Exit: 0 clean, 2 usage, 4 no tests, 130 interrupted (tests that were finished are kept).")]
pub struct Reduce {
    /// Tests by name (DIR/tests/NAME), or findings/NAME
    #[arg(value_name = "TEST")]
    tests: Vec<String>,
    #[command(flatten)]
    folder: Folder,
    /// What must not be lost
    #[arg(long, value_name = "WHAT", default_value = "statement")]
    preserve: What,
    /// Time for each test; then the smallest so far is the answer
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = values::duration)]
    budget: Duration,
    /// How a source falls into pieces, coarse to fine, such as stdin=records:16 or file=lines,bytes (see below)
    #[arg(long, value_name = "SOURCE=HOW")]
    split: Vec<Choice>,
    #[command(flatten)]
    running: Running,
    /// Print what reduction.json holds and nothing else
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// Every line of source that the original runs
    Statement,
    /// Every branch outcome that the original covers
    Branch,
    /// The same, and what the conditions of each decision were together
    Mcdc,
    /// The exit code or signal by which the original ends
    Failure,
}

impl Reduce {
    pub fn run(self) -> Result<ExitCode, Failure> {
        let cases = self.cases()?;
        for choice in &self.split {
            if cases.iter().all(|case| choice.sources(&case.test).is_empty()) {
                warn(format!("--split: no test has a source {}", choice.name));
            }
        }
        let programs = Programs::of(&cases)?;
        let settings = self.running.settings()?;
        let preserve = match self.preserve {
            What::Statement => Preserve::Statement,
            What::Branch => Preserve::Branch,
            What::Mcdc => Preserve::Mcdc,
            What::Failure => Preserve::Failure,
        };
        let variants = if preserve.needs_counts() { Variants::of(&cases)? } else { Variants::none()? };
        let meter = Meter::new(self.running.progress, self.json, "reducing test", cases.len());
        let mut report = Report::new(preserve.name());
        let recorder = recorder_or_warning();
        let start = || {
            let reducer = Reducer::new(&settings, preserve, self.budget).splitting(self.split.clone());
            match &recorder {
                Some(recorder) => reducer.watched_by(recorder.clone()),
                None => reducer,
            }
        };
        let work = |reducer: &mut Reducer<'_>, case: &Case| {
            let subject = Subject { sites: programs.sites(&case.test)?, counting: variants.get(&case.test) };
            let has_all = subject.counting.is_some() || !preserve.needs_counts();
            has_all.then(|| reducer.reduce(&case.test, subject))
        };
        let mut failed = None;
        let done = |at: usize, result: Option<Result<Smaller, ReductionError>>| {
            meter.step();
            let name = &cases[at].name;
            match result {
                Some(Ok(smaller)) => {
                    if let Err(failure) = keep(&self.folder.output, name, &smaller.test) {
                        failed.get_or_insert(failure);
                        // Where one cannot be written the others cannot.
                        settings.cancel.store(true, Ordering::Relaxed);
                    }
                    let line = Line::of(name, &smaller);
                    meter.line(line.text());
                    if let Some(why) = &smaller.unwatched {
                        meter.warn(format_args!("test {name}: not all files that it looks at are known, and what is left of it may need some that it does not bring: {why}"));
                    }
                    report.lines.push(line);
                }
                Some(Err(ReductionError::Interrupted)) => {}
                None => report.left.push(Left::uncounted(name)),
                Some(Err(error)) => {
                    meter.warn(format_args!("test {name} left as it is: {error}"));
                    report.left.push(Left { test: name.clone(), why: error.to_string() });
                }
            }
        };
        each_in_parallel(&cases, self.running.jobs(), &settings.cancel, start, work, done);
        drop(meter);
        if let Some(failure) = failed {
            return Err(failure);
        }
        self.show(report, cases.len(), settings.cancel.load(Ordering::Relaxed))
    }

    fn cases(&self) -> Result<Vec<Case>, Failure> {
        if !self.tests.is_empty() {
            return self.folder.named(&self.tests);
        }
        match self.preserve {
            What::Statement | What::Branch | What::Mcdc => self.folder.tests(),
            What::Failure => {
                // For the error that says what to do.
                self.folder.tests()?;
                let findings = self.folder.findings()?;
                let none = format!("{} has no findings; name the tests to reduce", self.folder.output.display());
                if findings.is_empty() { Err(Failure::tests(none)) } else { Ok(findings) }
            }
        }
    }

    fn show(&self, mut report: Report, asked: usize, interrupted: bool) -> Result<ExitCode, Failure> {
        report.sort();
        let output = &self.folder.output;
        let path = output.join("reduction.json");
        let earlier = Report::read(&path).unwrap_or_else(|error| {
            let path = path.display();
            warn(format!("cannot read {path}: {error}; it is replaced, and has this reduction only"));
            None
        });
        let all = match earlier {
            Some(earlier) => report.behind(
                earlier,
                |test| output.join("reduced").join(reduced_name(test)).is_dir(),
                |test| output.join("tests").join(test).is_dir() || output.join(test).is_dir(),
            ),
            None => report.clone(),
        };
        store::replace(&path, json(&all)?.as_bytes()).map_err(Failure::usage)?;
        if interrupted {
            warn(format!("interrupted; {} of {asked} tests were reduced and are kept", report.lines.len()));
        }
        if self.json {
            print_json(&all)?;
        } else {
            print(&report.text(&self.folder.output.join("reduced").display().to_string()))?;
        }
        Ok(match interrupted {
            true => Exit::Interrupted,
            false if report.lines.is_empty() => Exit::TestsFail,
            false => Exit::Clean,
        }
        .into())
    }
}

/// Of its folder.
fn reduced_name(test: &str) -> String {
    test.replace("findings/", "finding-")
}

/// A test of an earlier reduction is replaced whole.
fn keep(output: &Path, name: &str, test: &Test) -> Result<(), Failure> {
    let name = reduced_name(name);
    let folder: PathBuf = output.join("reduced").join(&name);
    let new = output.join("reduced").join(format!(".{name}.new"));
    let failed = |error: std::io::Error| Failure::usage(format!("cannot write {}: {error}", folder.display()));
    if new.exists() {
        fs::remove_dir_all(&new).map_err(failed)?;
    }
    write_test(&new, test).map_err(Failure::usage)?;
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(failed)?;
    }
    fs::rename(&new, &folder).map_err(failed)
}
