//! Is it an error? The AddressSanitizer variant of the program decides; where there is none, the program's own end.

use crate::asan::{self, Frame, Report};
use offshoot_campaign::explore::in_words;
use offshoot_campaign::runner::{Runner, Settings};
use offshoot_campaign::target::{Execution, TargetError};
use offshoot_run::{Limit, Status};
use offshoot_suite::{Command, Input};
use offshoot_trace::layout::config;
use std::collections::HashSet;
use std::path::PathBuf;

pub struct Judge {
    asan: Option<Asan>,
    settings: Settings,
    /// Of the variant.
    runner: Runner,
    /// Of the program.
    functions: HashSet<String>,
    /// Checks of arithmetic that the variant ends at, separated by commas.
    abort_on: String,
    pub runs: u64,
}

#[derive(Debug)]
pub enum Judged {
    /// Nothing to be seen, and how it ended.
    Clean(Status),
    Failed(Failure),
    Interrupted,
}

#[derive(Clone, Debug)]
pub struct Failure {
    /// `heap-buffer-overflow`, `SIGFPE`, `hang`
    pub kind: String,
    /// From the program's own innermost function on.
    pub frames: Vec<Frame>,
    /// Whether it is a write or a read that failed, if that is known.
    pub is_write: Option<bool>,
    pub lines: Vec<String>,
    /// How the program that shows the error ended; `None`: it did not.
    pub status: Option<Status>,
}

/// AddressSanitizer costs time and memory, which must not look like a hang.
const SLACK: u32 = 4;

/// The AddressSanitizer variant of a program.
#[derive(Clone, Debug)]
pub struct Asan {
    pub program: PathBuf,
    pub symbolizer: Option<PathBuf>,
}

impl Asan {
    /// The same command with the variant instead of its program.
    fn command(&self, command: &Command, abort_on: &str) -> Command {
        let mut command = Command { name: Some(command.name().to_owned()), ..command.clone() };
        command.program.clone_from(&self.program);
        command.env.insert("ASAN_OPTIONS".into(), Some(asan::OPTIONS.into()));
        if !abort_on.is_empty() {
            command.env.insert("OFFSHOOT_ABORT_ON".into(), Some(abort_on.into()));
        }
        if let Some(symbolizer) = &self.symbolizer {
            command.env.insert("ASAN_SYMBOLIZER_PATH".into(), Some(symbolizer.into()));
        }
        command
    }
}

impl Judge {
    /// Without a variant only crashes of the program itself are seen.
    pub fn new(asan: Option<Asan>, settings: Settings, functions: HashSet<String>, abort_on: String) -> Judge {
        let mut slower = Settings { symbolic: "none".to_owned(), config: config::UNTRACED, ..settings.clone() };
        slower.budgets.wall *= SLACK;
        slower.budgets.cpu *= SLACK;
        Judge { asan, settings, runner: Runner::new(slower), functions, abort_on, runs: 0 }
    }

    /// Of the program that shows the error.
    pub fn command(&self, command: &Command) -> Command {
        self.asan.as_ref().map_or_else(|| command.clone(), |asan| asan.command(command, &self.abort_on))
    }

    fn run(&mut self, input: &Input) -> Result<Execution, TargetError> {
        let (command, bytes) = (self.command(&input.command), input.bytes());
        if self.asan.is_none() {
            return self.settings.target(command).plainly(&bytes);
        }
        match self.runner.run_on(&command, &bytes) {
            // It ended before it could say that it is there.
            Err(TargetError::NoTrace(_)) => self.runner.settings().target(command).plainly(&bytes),
            ran => ran,
        }
    }

    pub fn judge(&mut self, input: &Input) -> Result<Judged, TargetError> {
        self.runs += 1;
        let outcome = self.run(input)?;
        let stderr = outcome.stderr.text();
        if outcome.status == Status::Interrupted {
            return Ok(Judged::Interrupted);
        }
        if let Some(report) = Report::parse(&stderr).filter(|_| self.asan.is_some()) {
            let kind = match report.kind.as_str() {
                "ABRT" => arithmetic(&stderr).unwrap_or("SIGABRT").to_owned(),
                kind => kind.to_owned(),
            };
            let is_write = report.is_write();
            let own = report.own_frame(&self.functions);
            let frames = own.map(|own| report.frames[own..].to_vec()).unwrap_or_default();
            return Ok(Judged::Failed(Failure {
                kind,
                frames,
                is_write,
                lines: report.lines,
                status: Some(outcome.status),
            }));
        }
        Ok(by_its_end(&outcome))
    }

    /// For an error that is foretold: where AddressSanitizer sees nothing, the program's own end decides. It may come
    /// further without.
    pub fn confirm(&mut self, input: &Input) -> Result<Judged, TargetError> {
        match self.judge(input)? {
            Judged::Clean(_) if self.asan.is_some() => Ok(by_its_end(&self.plainly(input)?)),
            judged => Ok(judged),
        }
    }

    /// The instrumented run was ended. Does the program as its user has it not end? It may write as much as it likes: a
    /// large output that comes to its end is none that never does.
    pub fn judge_hang(&mut self, input: &Input) -> Result<Judged, TargetError> {
        self.runs += 1;
        let mut settings = self.settings.clone();
        settings.budgets.output = u64::MAX;
        Ok(match settings.target((*input.command).clone()).plainly(&input.bytes())?.status {
            Status::Interrupted => Judged::Interrupted,
            status @ (Status::TimedOut | Status::KilledBy(Limit::Cpu)) => Judged::Failed(Failure {
                kind: "hang".to_owned(),
                frames: Vec::new(),
                is_write: None,
                lines: vec![format!("the program {}", in_words(status))],
                status: None,
            }),
            status => Judged::Clean(status),
        })
    }

    /// What the user sees without AddressSanitizer.
    pub fn plainly(&mut self, input: &Input) -> Result<Execution, TargetError> {
        self.runs += 1;
        self.settings.target((*input.command).clone()).plainly(&input.bytes())
    }
}

/// The check of arithmetic that ended the variant: `crates/runtime/counters/served.c` says it last.
fn arithmetic(stderr: &str) -> Option<&'static str> {
    const KINDS: [&str; 3] = ["signed-overflow", "shift-out-of-range", "lossy-conversion"];
    let said = stderr.lines().rev().find_map(|line| line.strip_prefix("runtime error: "))?;
    KINDS.into_iter().find(|kind| *kind == said)
}

fn by_its_end(execution: &Execution) -> Judged {
    match execution.status {
        Status::Interrupted => Judged::Interrupted,
        Status::Signaled { signal, .. } if signal != libc::SIGPIPE => Judged::Failed(Failure {
            kind: in_words(execution.status),
            frames: Vec::new(),
            is_write: None,
            lines: execution.stderr.text().lines().take(8).map(str::to_owned).collect(),
            status: Some(execution.status),
        }),
        status => Judged::Clean(status),
    }
}
