//! `offshoot record`: the tests that a project already has.

mod collect;
mod command;
mod verify;

pub use command::recorder_or_warning;

use super::running::Running;
use super::{json, warn};
use crate::failure::Failure;
use crate::values;
use clap::Args;
use collect::{Collected, collect};
use command::{Ended, Recording, run};
use offshoot_base::Exit;
use offshoot_campaign::runner::Settings;
use offshoot_suite::Suite;
use serde::Serialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};
use std::sync::atomic::Ordering;
use verify::{Verified, verify};

/// Run a project's own tests and make a test of every run of an instrumented program.
///
/// CMD is whatever runs the tests: `make check`, `ctest`, a script. Its output and exit status are its own. Each run of a
/// program built by offshoot-cc, at any depth, becomes a test in DIR/tests: arguments, variables that it asked for, working
/// directory, standard input, the files that it read, exit status and output. Then each is run again in a sandbox; those
/// that do something else are marked flaky, with the reason.
#[derive(Args)]
#[command(after_help = "Examples:
  offshoot record -- make check
  offshoot record -o sed.out --max-size 1M -- make -j2 check
  offshoot replay -o sed.out all

Not recorded: programs that are linked statically or run as another user (setuid), and programs that uninstrumented
ones started without libc's execve.

Exit: that of CMD; 2 usage, or nothing could be kept although CMD succeeded, and 4 if CMD succeeds but ran no instrumented program.")]
pub struct Record {
    /// Where tests go: DIR/tests
    #[arg(short, long, value_name = "DIR", default_value = "offshoot.out")]
    output: PathBuf,
    /// Do not keep files and standard inputs that are larger
    #[arg(long, value_name = "SIZE", default_value = "16M", value_parser = values::size)]
    max_size: u64,
    /// Do not run the tests again
    #[arg(long)]
    no_verify: bool,
    #[command(flatten)]
    running: Running,
    /// What runs the tests, and its arguments
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<OsString>,
}

/// What is to be recorded, and how.
pub struct Session<'a> {
    pub command: &'a [OsString],
    /// Of the tests.
    pub folder: &'a Path,
    /// Bytes of one file.
    pub max_size: u64,
    pub verify: bool,
    /// Where the command's standard output goes.
    pub stdout: Stdio,
}

/// What came of it.
pub struct Recorded {
    pub ended: Ended,
    collected: Collected,
    verified: Option<Verified>,
}

/// `DIR/record.json`.
#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    /// As CMD ended.
    status: i32,
    elapsed_s: f64,
    /// Processes that CMD started outlived it, and what they did later is not here.
    left_running: bool,
    #[serde(flatten)]
    collected: &'a Collected,
    #[serde(flatten)]
    verified: Option<&'a Verified>,
}

/// Why there is no recording.
pub struct Unrecorded {
    failure: Failure,
    /// Of the command, if it ran: it has done its work, whatever became of ours.
    code: Option<i32>,
}

impl From<Failure> for Unrecorded {
    fn from(failure: Failure) -> Unrecorded {
        Unrecorded { failure, code: None }
    }
}

impl From<Unrecorded> for Failure {
    fn from(unrecorded: Unrecorded) -> Failure {
        unrecorded.failure
    }
}

/// From here on Ctrl-C is the command's; what it did until then is kept.
pub fn record(session: Session<'_>, settings: Settings, running: &Running) -> Result<Recorded, Unrecorded> {
    let Session { command, folder, max_size, verify, stdout } = session;
    let suite = Suite::create(folder).map_err(Failure::usage)?;
    let recording = Recording::new(folder, max_size)?;
    let ended = run(command, &recording, stdout)?;
    let code = ended.code;
    keep(&recording, &suite, folder, ended, verify, settings, running).map_err(|failure| {
        let failure = match recording.folder.exists() {
            true => failure,
            false => Failure::usage(format!(
                "{} ended with status {code} and removed {}, which had what was recorded; \
                 name a folder that it leaves alone with -o",
                command.join(std::ffi::OsStr::new(" ")).display(),
                recording.folder.display()
            )),
        };
        Unrecorded { failure, code: Some(code) }
    })
}

fn keep(
    recording: &Recording,
    suite: &Suite,
    folder: &Path,
    ended: Ended,
    verifies: bool,
    settings: Settings,
    running: &Running,
) -> Result<Recorded, Failure> {
    let collected = collect(recording, suite)?;
    // Logs are large, and thousands of runs follow.
    offshoot_run::trim_memory();
    let interrupted = settings.cancel.load(Ordering::Relaxed);
    let verified = match verifies && !interrupted {
        true => Some(verify(suite, &collected, settings, running)?),
        false => None,
    };
    let report = Report {
        version: offshoot_base::FORMAT_VERSION,
        status: ended.code,
        elapsed_s: ended.elapsed.as_secs_f64(),
        left_running: ended.are_left,
        collected: &collected,
        verified: verified.as_ref(),
    };
    let path = folder.join("record.json");
    std::fs::write(&path, json(&report)?)
        .map_err(|error| Failure::usage(format!("cannot write {}: {error}", path.display())))?;
    Ok(Recorded { ended, collected, verified })
}

impl Record {
    pub fn run(self) -> Result<ExitCode, Failure> {
        let settings = self.running.settings()?;
        let session = Session {
            command: &self.command,
            folder: &self.output,
            max_size: self.max_size,
            verify: !self.no_verify,
            stdout: Stdio::inherit(),
        };
        let recorded = match record(session, settings, &self.running) {
            Ok(recorded) => recorded,
            Err(Unrecorded { failure, code: Some(code) }) if code != 0 => {
                eprintln!("offshoot: error: {failure}");
                return Ok(ExitCode::from(code as u8));
            }
            Err(unrecorded) => return Err(unrecorded.into()),
        };
        recorded.tell(&self.output);
        let code = recorded.ended.code;
        match recorded.nothing() {
            Some(why) => {
                why.lines().for_each(|line| eprintln!("offshoot: {line}"));
                Ok(if code == 0 { Exit::TestsFail.into() } else { ExitCode::from(code as u8) })
            }
            None => Ok(ExitCode::from(code as u8)),
        }
    }
}

impl Recorded {
    /// On standard error: standard output is the command's. `folder`: as the user knows it.
    pub fn tell(&self, folder: &Path) {
        let Collected { runs, fresh, known, killed, became, dropped, losses, statics, strange, changed, .. } =
            &self.collected;
        if self.ended.are_left {
            warn("processes that the command started still run; what they do from now on is not recorded");
        }
        for reason in dropped {
            warn(format!("a run was not recorded: {reason}"));
        }
        for path in statics {
            warn(format!("{path} is linked statically: its runs cannot be recorded"));
        }
        for (what, count) in losses {
            warn(format!("{count} tests are incomplete: {what}"));
        }
        if *strange > 0 {
            warn(format!(
                "{strange} bytes of the logs are no records: a program wrote to a file that it did not open, and runs may be missing"
            ));
        }
        if *runs == 0 {
            return;
        }
        eprintln!(
            "offshoot: {runs} runs recorded: {} new tests in {}/tests, {known} known; {killed} killed, {became} went on \
             as another program, {} dropped",
            fresh.len(),
            folder.display(),
            dropped.len()
        );
        match changed.len() {
            0 => {}
            1 => eprintln!("offshoot: 1 known test did something else than when it was recorded before"),
            n => eprintln!("offshoot: {n} known tests did something else than when they were recorded before"),
        }
        if let Some(Verified { same, flaky, .. }) = &self.verified {
            eprintln!("offshoot: replayed: {same} the same, {flaky} flaky");
        }
    }

    /// If no program of ours was run: what was, and how to build.
    pub fn nothing(&self) -> Option<String> {
        if self.collected.runs > 0 {
            return None;
        }
        let others = &self.collected.others;
        let shown: Vec<&str> = others.iter().map(String::as_str).take(12).collect();
        let more = others.len().saturating_sub(shown.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let ran = if shown.is_empty() { "nothing that we can look into".into() } else { shown.join(", ") + &more };
        Some(format!(
            "no instrumented program was run; what ran: {ran}\n\
             build the project with Offshoot first, in a clean tree:\n    \
             ./configure CC=offshoot-cc    (or: cmake -DCMAKE_C_COMPILER=offshoot-cc)\n    make CC=offshoot-cc"
        ))
    }
}
