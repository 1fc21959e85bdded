//! `offshoot record`: the tests that a project already has.

mod collect;
mod command;
mod verify;

use super::running::Running;
use super::{json, warn};
use crate::failure::Failure;
use crate::values;
use clap::Args;
use collect::{Collected, collect};
use command::{Recording, run};
use offshoot_base::Exit;
use offshoot_suite::Suite;
use serde::Serialize;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
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

Exit: that of CMD; 2 usage, and 4 if CMD succeeds but ran no instrumented program.")]
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

/// `DIR/record.json`.
#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    /// As CMD ended.
    status: i32,
    elapsed_s: f64,
    #[serde(flatten)]
    collected: &'a Collected,
    #[serde(flatten)]
    verified: Option<&'a Verified>,
}

impl Record {
    pub fn run(self) -> Result<ExitCode, Failure> {
        let suite = Suite::create(&self.output).map_err(Failure::usage)?;
        let recording = Recording::new(&self.output, self.max_size)?;
        // From here on Ctrl-C is the command's; what it did until then is kept.
        let settings = self.running.settings()?;
        let ended = run(&self.command, &recording)?;
        let collected = collect(&recording, &suite)?;
        let interrupted = settings.cancel.load(Ordering::Relaxed);
        let verified = match self.no_verify || interrupted {
            true => None,
            false => Some(verify(&suite, &collected, settings, &self.running)?),
        };
        let report = Report {
            version: offshoot_base::FORMAT_VERSION,
            status: ended.code,
            elapsed_s: ended.elapsed.as_secs_f64(),
            collected: &collected,
            verified: verified.as_ref(),
        };
        let path = self.output.join("record.json");
        std::fs::write(&path, json(&report)?)
            .map_err(|error| Failure::usage(format!("cannot write {}: {error}", path.display())))?;
        self.tell(&report);
        if collected.runs == 0 && ended.code == 0 {
            return Ok(Exit::TestsFail.into());
        }
        Ok(ExitCode::from(ended.code as u8))
    }

    /// On standard error: standard output is the command's.
    fn tell(&self, report: &Report<'_>) {
        let Collected { runs, fresh, known, killed, became, dropped, losses, statics, others, .. } = report.collected;
        for reason in dropped {
            warn(format!("a run was not recorded: {reason}"));
        }
        for path in statics {
            warn(format!("{path} is linked statically: its runs cannot be recorded"));
        }
        for (what, count) in losses {
            warn(format!("{count} tests are incomplete: {what}"));
        }
        if *runs == 0 {
            let shown: Vec<&str> = others.iter().map(String::as_str).take(12).collect();
            let more = others.len().saturating_sub(shown.len());
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let ran = if shown.is_empty() { "nothing that we can look into".into() } else { shown.join(", ") + &more };
            eprintln!(
                "offshoot: no instrumented program was run; what ran: {ran}\n\
                 offshoot: build the project with Offshoot first, in a clean tree:\n    \
                 ./configure CC=offshoot-cc    (or: cmake -DCMAKE_C_COMPILER=offshoot-cc)\n    make CC=offshoot-cc"
            );
            return;
        }
        let output = self.output.display();
        let unique = fresh.len();
        eprintln!(
            "offshoot: {runs} runs recorded: {unique} new tests in {output}/tests, {known} known; {killed} killed, \
             {became} went on as another program, {} dropped",
            dropped.len()
        );
        if let Some(Verified { same, flaky, .. }) = report.verified {
            eprintln!("offshoot: replayed: {same} the same, {flaky} flaky");
        }
    }
}
