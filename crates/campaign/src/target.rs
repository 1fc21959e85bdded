//! The program under exploration: its command, and one execution of it on given bytes.

use offshoot_base::{Budgets, Thing, What};
use offshoot_expr::{TraceView, ViewError};
use offshoot_run::{Capture, Captured, Delivery, Invocation, Outcome, Policy, Server, Status, Stdin, invoke};
use offshoot_suite::{Bytes, Command, SEED, Sink, Source, World};
use offshoot_trace::recording::ENV_RECORD;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Target {
    pub command: Command,
    /// In the words of `Header::symbolic`; what stands for the seed file is never symbolic itself.
    pub symbolic: String,
    pub budgets: Budgets,
    pub policy: Policy,
    /// Bits of `layout::config`.
    pub config: u32,
    pub cancel: Arc<AtomicBool>,
}

#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    #[error(transparent)]
    Run(#[from] offshoot_run::Error),
    #[error(transparent)]
    Trace(#[from] ViewError),
    #[error("{0} ran but did not start a trace; is the address space limited (ulimit -v)? try `offshoot doctor`")]
    NoTrace(String),
}

/// What one execution came to.
#[derive(Debug)]
pub struct Execution {
    pub status: Status,
    pub stdout: Captured,
    pub stderr: Captured,
    pub wall: Duration,
    /// Compact.
    pub trace: Vec<u8>,
}

impl Target {
    /// `arg` without the arguments that are the seed's file name.
    pub fn symbolic(&self) -> String {
        let words = self.symbolic.split(',').flat_map(|word| match word {
            "arg" if self.command.takes_file() => {
                let free = self.command.args.iter().enumerate().filter(|(_, arg)| *arg != SEED);
                free.map(|(at, _)| format!("arg:{}", at + 1)).collect()
            }
            word => vec![word.to_owned()],
        });
        words.collect::<Vec<_>>().join(",")
    }

    /// A fork server for many runs, all with a standard input or all without one.
    pub fn serve(&self, has_stdin: bool) -> Result<Running, TargetError> {
        // Everything that runs may change must have its place from the start.
        let mut bytes = self.command.on_seed(Vec::new());
        if !has_stdin {
            bytes.remove(&Source::Stdin);
        }
        let base = self.invocation(&bytes);
        let server = Server::start(&base, &self.budgets, self.config, &self.symbolic())?;
        Ok(Running { target: self.clone(), server })
    }

    /// Without a trace: as its user would see it.
    pub fn replay(&self, bytes: &Bytes) -> Result<Status, TargetError> {
        Ok(self.plainly(bytes)?.status)
    }

    /// The same, with what it wrote; the trace is empty.
    pub fn plainly(&self, bytes: &Bytes) -> Result<Execution, TargetError> {
        let Outcome { status, stdout, stderr, wall, .. } = self.observe(bytes)?;
        Ok(Execution { status, stdout, stderr, wall, trace: Vec::new() })
    }

    /// The same, with all that is known of it.
    pub fn observe(&self, bytes: &Bytes) -> Result<Outcome, TargetError> {
        self.invoked(bytes, None)
    }

    /// The program is one of variant `count`, and counts in this file.
    pub fn count(&self, bytes: &Bytes, counts: &Path) -> Result<Outcome, TargetError> {
        self.invoked(bytes, Some(counts))
    }

    /// The same under the recorder, this library: what it writes about paths is among the changes, in `logs`. Of what is in
    /// files it writes nothing. Needs [`Policy::Sandboxed`].
    pub fn record(&self, bytes: &Bytes, recorder: &Path, logs: &Path) -> Result<Outcome, TargetError> {
        let mut invocation = Invocation { cancel: Some(&self.cancel), ..self.invocation(bytes) };
        let mut record = OsString::from("0:");
        record.push(logs);
        invocation.env.push((ENV_RECORD.into(), Some(record)));
        invocation.env.push(("LD_PRELOAD".into(), Some(recorder.into())));
        let folder = Thing { what: What::Directory, mode: 0o777, modified: None };
        invocation.world.push((logs.to_path_buf(), folder));
        Ok(invoke(&invocation)?)
    }

    fn invoked(&self, bytes: &Bytes, counts: Option<&Path>) -> Result<Outcome, TargetError> {
        Ok(invoke(&Invocation { cancel: Some(&self.cancel), counts, ..self.invocation(bytes) })?)
    }

    fn invocation(&self, bytes: &Bytes) -> Invocation<'static> {
        let args = self.command.arguments(bytes);
        let mut invocation = Invocation::with_policy(&self.command.program, self.policy).args(args);
        invocation.arg0 = Some(self.command.name().to_owned());
        invocation.cwd.clone_from(&self.command.cwd);
        invocation.env = self.command.environment(bytes).into_iter().collect();
        invocation.limits = (&self.budgets).into();
        self.surround(&mut invocation);
        for (source, value) in bytes.iter() {
            match source {
                Source::Stdin if self.command.world.stdin_closed => {}
                Source::Stdin if self.command.world.piped => invocation.stdin = Stdin::Pipe(value.to_vec()),
                Source::Stdin => invocation.stdin = Stdin::Bytes(value.to_vec()),
                Source::File(path) => invocation.files.push((path.clone(), value.to_vec())),
                Source::Nondet { .. } => invocation.nondet.push((nondet(source), value.to_vec())),
                Source::Arg(_) | Source::Env(_) => {}
            }
        }
        invocation
    }

    /// What a recorded command found around it.
    fn surround(&self, invocation: &mut Invocation<'_>) {
        let World { things, umask, nice, whole_env, stdin_closed, outputs, .. } = &self.command.world;
        if *stdin_closed {
            invocation.stdin = Stdin::Closed;
        }
        invocation.world = things.clone().into_iter().collect();
        invocation.umask = *umask;
        invocation.nice = *nice;
        invocation.clear_env = *whole_env;
        [invocation.stdout, invocation.stderr] = outputs.map(|sink| match sink {
            Sink::Kept => Capture::Pipe,
            Sink::Null => Capture::Null,
            Sink::Full => Capture::Full,
            Sink::Closed => Capture::Closed,
        });
    }

    fn delivery(&self, bytes: &Bytes) -> Delivery {
        let mut delivery = Delivery::default();
        for (source, value) in bytes.iter() {
            match source {
                Source::Arg(at) => delivery.args.push((*at as usize, up_to_nul(value))),
                Source::Stdin => delivery.stdin = Some(value.to_vec()),
                Source::File(path) => delivery.files.push((path.clone(), value.to_vec())),
                Source::Env(name) => delivery.env.push((name.clone(), up_to_nul(value))),
                Source::Nondet { .. } => delivery.nondet.push((nondet(source), value.to_vec())),
            }
        }
        delivery
    }
}

fn nondet(source: &Source) -> String {
    String::from_utf8_lossy(&source.name()).into_owned()
}

/// A program that is ready to run again and again.
pub struct Running {
    target: Target,
    server: Server,
}

impl Running {
    pub fn run(&mut self, bytes: &Bytes) -> Result<Execution, TargetError> {
        let served = self.server.run(&self.target.delivery(bytes), Some(&self.target.cancel))?;
        let view = TraceView::new(served.trace)?;
        let outcome = served.outcome;
        if view.pid() == 0 && outcome.status != Status::Interrupted {
            return Err(TargetError::NoTrace(self.target.command.program.display().to_string()));
        }
        let trace = view.compact();
        Ok(Execution {
            status: outcome.status,
            stdout: outcome.stdout,
            stderr: outcome.stderr,
            wall: outcome.wall,
            trace,
        })
    }
}

fn up_to_nul(value: &[u8]) -> Vec<u8> {
    value.split(|&byte| byte == 0).next().unwrap_or_default().to_vec()
}
