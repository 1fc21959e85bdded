//! Is it an error? The AddressSanitizer variant of the program decides; where there is none, the program's own end.

use crate::asan::{self, Frame, Report};
use offshoot_campaign::explore::in_words;
use offshoot_campaign::runner::Settings;
use offshoot_campaign::target::{Target, TargetError};
use offshoot_run::Status;
use offshoot_suite::{Command, Input};
use std::collections::HashSet;
use std::path::PathBuf;

pub struct Judge {
    asan: Option<Asan>,
    settings: Settings,
    /// Of the program.
    functions: HashSet<String>,
    pub runs: u64,
}

#[derive(Debug)]
pub enum Judged {
    Clean,
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
    fn command(&self, command: &Command) -> Command {
        let mut command = Command { name: Some(command.name().to_owned()), ..command.clone() };
        command.program.clone_from(&self.program);
        command.env.insert("ASAN_OPTIONS".into(), Some(asan::OPTIONS.into()));
        if let Some(symbolizer) = &self.symbolizer {
            command.env.insert("ASAN_SYMBOLIZER_PATH".into(), Some(symbolizer.into()));
        }
        command
    }
}

impl Judge {
    /// Without a variant only crashes of the program itself are seen.
    pub fn new(asan: Option<Asan>, settings: Settings, functions: HashSet<String>) -> Judge {
        Judge { asan, settings, functions, runs: 0 }
    }

    /// Of the program that shows the error.
    pub fn command(&self, command: &Command) -> Command {
        self.asan.as_ref().map_or_else(|| command.clone(), |asan| asan.command(command))
    }

    fn target(&self, command: &Command) -> Target {
        let mut target = self.settings.target(self.command(command));
        if self.asan.is_some() {
            target.budgets.wall *= SLACK;
            target.budgets.cpu *= SLACK;
        }
        target
    }

    pub fn judge(&mut self, input: &Input) -> Result<Judged, TargetError> {
        self.runs += 1;
        let outcome = self.target(&input.command).observe(&input.bytes())?;
        let stderr = outcome.stderr.text();
        if outcome.status == Status::Interrupted {
            return Ok(Judged::Interrupted);
        }
        if let Some(report) = Report::parse(&stderr).filter(|_| self.asan.is_some()) {
            let kind = match report.kind.as_str() {
                "ABRT" => "SIGABRT".to_owned(),
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
        Ok(match outcome.status {
            Status::Signaled { signal, .. } if signal != libc::SIGPIPE => Judged::Failed(Failure {
                kind: in_words(outcome.status),
                frames: Vec::new(),
                is_write: None,
                lines: stderr.lines().take(8).map(str::to_owned).collect(),
                status: Some(outcome.status),
            }),
            _ => Judged::Clean,
        })
    }

    /// The instrumented run did not end in its time. Does the program as its user has it?
    pub fn judge_hang(&mut self, input: &Input) -> Result<Judged, TargetError> {
        Ok(match self.plainly(input)? {
            Status::Interrupted => Judged::Interrupted,
            status @ (Status::TimedOut | Status::KilledBy(_)) => Judged::Failed(Failure {
                kind: "hang".to_owned(),
                frames: Vec::new(),
                is_write: None,
                lines: vec![format!("the program {}", in_words(status))],
                status: None,
            }),
            _ => Judged::Clean,
        })
    }

    /// What the user sees without AddressSanitizer.
    pub fn plainly(&mut self, input: &Input) -> Result<Status, TargetError> {
        self.runs += 1;
        self.settings.target((*input.command).clone()).replay(&input.bytes())
    }
}
