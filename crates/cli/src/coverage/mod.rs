//! `offshoot coverage`: what tests cover, in terms of the source.

mod document;
pub mod focus;
mod gates;
mod gather;
mod reasons;
mod write;

use crate::failure::Failure;
use crate::output::print;
use crate::suite::{Folder, Running};
use clap::Args;
use focus::Focus;
use gates::Gates;
use offshoot_base::Exit;
use offshoot_report::coverage::{Coverage as Document, text};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// Show what tests cover: lines, functions, regions, branches and MC/DC, as in the source.
///
/// Tests run on variant `count` of their program, which is made from the bitcode inside it. The figures are those of
/// `llvm-cov-19 report`; MC/DC is masking MC/DC, and unique-cause pairs are shown beside it.
#[derive(Args)]
#[command(after_help = "Examples:
  offshoot coverage -o offshoot.out --html cov
  offshoot coverage --seed corpus/ --lcov out.info -- ./jsonlint @@
  offshoot coverage --line src/parse.c:120
  offshoot coverage --in-diff change.patch --fail-under-branch 80

  offshoot variant count ./grep -o grep.count        # to count in a test suite of your own:
  OFFSHOOT_COUNTS=$PWD/counts make check GREP=$PWD/grep.count
  offshoot coverage --counts counts -- ./grep

Exit: 0 clean, 2 usage, 3 a gate was missed, 4 no tests, 130 interrupted.")]
pub struct Coverage {
    #[command(flatten)]
    folder: Folder,
    /// Run PROGRAM on this seed file, or on all of a folder; may be given several times
    #[arg(long, value_name = "FILE|DIR")]
    seed: Vec<PathBuf>,
    /// Run nothing: take what runs of variant `count` left in this file (OFFSHOOT_COUNTS); may be given several times
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    counts: Vec<PathBuf>,
    /// Show functions, too
    #[arg(long)]
    functions: bool,
    /// Say which tests cover this line, and nothing else
    #[arg(long, value_name = "FILE:LINE")]
    line: Option<String>,
    /// Write an lcov tracefile, MC/DC included
    #[arg(long, value_name = "FILE")]
    lcov: Option<PathBuf>,
    /// Write Cobertura XML
    #[arg(long, value_name = "FILE")]
    cobertura: Option<PathBuf>,
    /// Write pages to read: the source with counts, branches and truth tables
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,
    #[command(flatten)]
    focus: Focus,
    #[command(flatten)]
    gates: Gates,
    #[command(flatten)]
    running: Running,
    /// Print one JSON object and nothing else
    #[arg(long)]
    json: bool,
    /// The program, built by offshoot-cc, and its arguments; without it, the tests of the campaign are run
    #[arg(last = true, value_name = "PROGRAM ARGS")]
    command: Vec<OsString>,
}

impl Coverage {
    pub fn run(self) -> Result<ExitCode, Failure> {
        if self.command.is_empty() && !(self.seed.is_empty() && self.counts.is_empty()) {
            return Err(Failure::usage("--seed and --counts need the program: put it behind `--`"));
        }
        let line = self.line.as_deref().map(focus::file_and_line).transpose()?;
        let focus = self.focus.read()?;
        let mut document = self.document()?;
        if let Some((file, line)) = line {
            print(&write::tests_of_line(&document, &file, line)?)?;
            return Ok(Exit::Clean.into());
        }
        focus.apply(&mut document)?;
        for warning in &document.warnings {
            eprintln!("offshoot: warning: {warning}");
        }
        write::forms(&document, self.lcov.as_deref(), self.cobertura.as_deref(), self.html.as_deref())?;
        if self.json {
            let text = serde_json::to_string_pretty(&document).map_err(Failure::internal)?;
            print(&(text + "\n"))?;
        } else {
            print(&text(&document, self.functions))?;
        }
        let missed = self.gates.missed(&document);
        for gate in &missed {
            eprintln!("offshoot: {gate}");
        }
        Ok(if missed.is_empty() { Exit::Clean } else { Exit::GateMissed }.into())
    }

    fn document(&self) -> Result<Document, Failure> {
        let measured = match (&self.command[..], self.counts.is_empty()) {
            ([], _) => gather::tests(self.folder.tests()?, &self.running, self.json)?,
            (command, true) => gather::tests(gather::runs(command, &self.seed)?, &self.running, self.json)?,
            (command, false) => gather::counts(command, &self.counts)?,
        };
        let mut document = document::document(measured)?;
        if self.command.is_empty() {
            reasons::add(&mut document, &self.folder.output);
        }
        Ok(document)
    }
}
