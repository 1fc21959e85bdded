//! What `offshoot check` leaves behind: files, text, and its exit status.

use super::display;
use crate::failure::Failure;
use crate::output::print;
use clap::{Args, ValueEnum};
use offshoot_base::Exit;
use offshoot_campaign::Ending;
use offshoot_campaign::store::{replace, replace_json};
use offshoot_check::baseline::Baseline;
use offshoot_check::source::Sources;
use offshoot_check::{Finding, Summary, github, html, junit, sarif};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args)]
pub struct Output {
    /// Hide what an earlier check.sarif or check.json has as well; known findings do not count for the exit status
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Exit with N instead of 1 if there are findings
    #[arg(long, value_name = "N")]
    error_exitcode: Option<u8>,
    /// How results are printed: text, json (one summary and nothing else), github (text, and an annotation for each
    /// finding); by default text, or github where GITHUB_ACTIONS is set
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    format: Option<Format>,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Github,
}

impl Output {
    fn format(&self) -> Format {
        let actions = || std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true");
        match self.format {
            Some(format) => format,
            None if self.json => Format::Json,
            None if actions() => Format::Github,
            None => Format::Text,
        }
    }

    pub fn is_json(&self) -> bool {
        self.format() == Format::Json
    }

    /// To be read before anything is written: it may lie in the folder that gives way.
    pub fn baseline(&self) -> Result<Option<Baseline>, Failure> {
        self.baseline.as_deref().map(Baseline::read).transpose().map_err(Failure::usage)
    }

    /// `out` is the folder, `named` as the user calls it.
    pub fn write(&self, summary: &Summary, out: &Path, named: &Path) -> Result<ExitCode, Failure> {
        replace_json(&out.join("check.json"), summary).map_err(Failure::usage)?;
        replace_json(&out.join("check.sarif"), &sarif::sarif(summary)).map_err(Failure::usage)?;
        replace(&out.join("check.xml"), junit::junit(summary).as_bytes()).map_err(Failure::usage)?;
        write_html(summary, out)?;
        match self.format() {
            Format::Json => print(&(serde_json::to_string_pretty(summary).map_err(Failure::internal)? + "\n"))?,
            Format::Github => print(&(github::github(summary) + &display::summary(summary, named)))?,
            Format::Text => print(&display::summary(summary, named))?,
        }
        Ok(match summary.ending {
            Ending::Interrupted => Exit::Interrupted.into(),
            _ if summary.findings.is_empty() => Exit::Clean.into(),
            _ => self.error_exitcode.map_or(Exit::Findings.into(), ExitCode::from),
        })
    }
}

fn write_html(summary: &Summary, out: &Path) -> Result<(), Failure> {
    let folder = out.join("html");
    let made = std::fs::create_dir_all(folder.join("findings"));
    made.map_err(|error| Failure::usage(format!("cannot make {}: {error}", folder.display())))?;
    let script = |finding: &Finding| {
        let bytes = std::fs::read(out.join(&finding.folder).join("cmd.sh")).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    for (path, text) in html::html(summary, &mut Sources::here(), script) {
        replace(&folder.join(path), text.as_bytes()).map_err(Failure::usage)?;
    }
    Ok(())
}
