//! `offshoot select`: the tests that are needed.

use super::cases::{Case, Folder};
use super::measure::measure;
use super::print_json;
use super::running::Running;
use crate::failure::Failure;
use crate::output::print;
use clap::Args;
use offshoot_base::Exit;
use offshoot_suite::{select_steady, write_test};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Find the smallest subset of the tests that covers what all of them cover.
///
/// Each test is run once for what it covers. Flaky tests are taken only for what no other covers, and are last. Nothing is deleted: --copy-to makes a folder of the chosen ones.
#[derive(Args)]
#[command(after_help = "Examples:
  offshoot select
  offshoot select -o offshoot.out --copy-to smoke.out && offshoot replay -o smoke.out all

Exit: 0 clean, 2 usage, 4 no tests, 130 interrupted.")]
pub struct Select {
    #[command(flatten)]
    folder: Folder,
    /// Write the chosen tests to DIR2/tests; DIR2 must be new or empty
    #[arg(long, value_name = "DIR2")]
    copy_to: Option<PathBuf>,
    #[command(flatten)]
    running: Running,
    /// Print one JSON object and nothing else
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Selected<'a> {
    tests: Vec<&'a str>,
    of: usize,
    covered: usize,
    total: u32,
    /// No smaller subset covers as much; `false`: perhaps none does.
    is_smallest: bool,
}

impl Select {
    pub fn run(self) -> Result<ExitCode, Failure> {
        if let Some(folder) = &self.copy_to {
            must_be_empty(folder)?;
        }
        let measured = measure(self.folder.tests()?, &self.running, self.json)?;
        let selection = select_steady(&measured.profiles, |at| measured.cases[at].test.flaky.is_some());
        let chosen: Vec<&Case> = selection.tests.iter().map(|&at| &measured.cases[at]).collect();
        if let Some(folder) = &self.copy_to {
            for case in &chosen {
                write_test(&folder.join("tests").join(&case.name), &case.test).map_err(Failure::usage)?;
            }
        }
        let selected = Selected {
            tests: chosen.iter().map(|case| case.name.as_str()).collect(),
            of: measured.cases.len(),
            covered: measured.covered(),
            total: measured.total,
            is_smallest: selection.is_smallest,
        };
        if self.json {
            print_json(&selected)?;
        } else {
            print(&text(&selected, self.copy_to.as_deref()))?;
        }
        Ok(Exit::Clean.into())
    }
}

fn must_be_empty(folder: &Path) -> Result<(), Failure> {
    let is_empty = match std::fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(_) => !folder.exists(),
    };
    if is_empty {
        return Ok(());
    }
    Err(Failure::usage(format!("{} is there already; name a new folder to copy to", folder.display())))
}

fn text(selected: &Selected<'_>, copied: Option<&Path>) -> String {
    let mut text = selected.tests.join("\n");
    let Selected { tests, of, covered, total, is_smallest } = selected;
    let smallest = if *is_smallest { "no smaller subset does" } else { "perhaps a smaller subset does too" };
    let count = tests.len();
    _ = writeln!(text, "\n{count} of {of} tests cover the same {covered} of {total} branch outcomes; {smallest}");
    if let Some(folder) = copied {
        _ = writeln!(text, "copied to {}", folder.display());
    }
    text
}
