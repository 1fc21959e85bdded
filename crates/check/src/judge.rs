//! Is it an error? The AddressSanitizer variant of the program decides; where there is none, the program's own end.

use crate::asan::{self, Frame, Report};
use offshoot_campaign::explore::in_words;
use offshoot_campaign::target::{Target, TargetError};
use offshoot_run::Status;
use offshoot_suite::Bytes;
use std::collections::HashSet;
use std::path::Path;

pub struct Judge {
    asan: Option<Target>,
    plain: Target,
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
}

/// AddressSanitizer costs time and memory, which must not look like a hang.
const SLACK: u32 = 4;

/// The target with the variant at `program` instead of its program.
pub fn asan_target(target: &Target, program: &Path, symbolizer: Option<&Path>) -> Target {
    let mut target = target.clone();
    target.command.name = Some(target.command.name().to_owned());
    target.command.program = program.to_path_buf();
    target.command.env.insert("ASAN_OPTIONS".into(), Some(asan::OPTIONS.into()));
    if let Some(symbolizer) = symbolizer {
        target.command.env.insert("ASAN_SYMBOLIZER_PATH".into(), Some(symbolizer.into()));
    }
    target.budgets.wall *= SLACK;
    target.budgets.cpu *= SLACK;
    target
}

impl Judge {
    pub fn new(asan: Option<Target>, plain: Target, functions: HashSet<String>) -> Judge {
        Judge { asan, plain, functions, runs: 0 }
    }

    /// The program that shows the error.
    pub fn target(&self) -> &Target {
        self.asan.as_ref().unwrap_or(&self.plain)
    }

    pub fn has_asan(&self) -> bool {
        self.asan.is_some()
    }

    pub fn judge(&mut self, bytes: &Bytes) -> Result<Judged, TargetError> {
        self.runs += 1;
        let outcome = self.target().observe(bytes)?;
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
            return Ok(Judged::Failed(Failure { kind, frames, is_write, lines: report.lines }));
        }
        Ok(match outcome.status {
            Status::Signaled { signal, .. } if signal != libc::SIGPIPE => Judged::Failed(Failure {
                kind: in_words(outcome.status),
                frames: Vec::new(),
                is_write: None,
                lines: stderr.lines().take(8).map(str::to_owned).collect(),
            }),
            _ => Judged::Clean,
        })
    }

    /// The instrumented run did not end in its time. Does the program as its user has it?
    pub fn judge_hang(&mut self, bytes: &Bytes) -> Result<Judged, TargetError> {
        self.runs += 1;
        Ok(match self.plain.replay(bytes)? {
            Status::Interrupted => Judged::Interrupted,
            status @ (Status::TimedOut | Status::KilledBy(_)) => Judged::Failed(Failure {
                kind: "hang".to_owned(),
                frames: Vec::new(),
                is_write: None,
                lines: vec![format!("the program {}", in_words(status))],
            }),
            _ => Judged::Clean,
        })
    }

    /// What the user sees without AddressSanitizer.
    pub fn plainly(&mut self, bytes: &Bytes) -> Result<Status, TargetError> {
        self.runs += 1;
        self.plain.replay(bytes)
    }
}
