//! `offshoot trace`: one run, and what it decided on.

mod report;
mod text;

use crate::failure::Failure;
use crate::target::{find_program, read_models};
use crate::values;
use clap::Args;
use offshoot_base::{Budgets, Exit};
use offshoot_campaign::places::Places;
use offshoot_expr::{TraceView, smt};
use offshoot_run::{Invocation, Policy, Status, Stdin, TraceFile, invoke};
use offshoot_trace::layout::config;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Run a program once and print its path condition, sensitive operations and losses.
///
/// Each line of the path condition is something that must hold of the input for the run to go the way it went. The
/// program runs in a sandbox: what it writes goes nowhere.
#[derive(Args)]
#[command(after_help = "Example:\n  offshoot trace --seed input.txt -- ./cut -c 1-3 @@")]
pub struct Trace {
    /// Print one JSON object
    #[arg(long, conflicts_with = "smt2")]
    json: bool,
    /// Print the path condition as an SMT-LIB 2 script
    #[arg(long)]
    smt2: bool,
    /// What is symbolic: arg, arg:N, stdin, file, file:PATH, env:NAME, nondet, none; separated by commas
    #[arg(long, value_name = "SPEC", default_value = "arg,stdin,file,nondet")]
    symbolic: String,
    /// A file that takes the place of @@ in ARGS, or else of standard input
    #[arg(long, value_name = "FILE")]
    seed: Option<PathBuf>,
    /// End the run after this time
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = values::duration)]
    time: Duration,
    /// Terms to keep; past them the run goes on concretely
    #[arg(long, value_name = "N")]
    max_terms: Option<u64>,
    /// Words of events to keep; past them the run goes on concretely
    #[arg(long, value_name = "N")]
    max_events: Option<u64>,
    /// Memory that the run may use, with a suffix K, M or G
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    memory: Option<u64>,
    /// List concrete branches and output too
    #[arg(long)]
    all: bool,
    /// Evaluate every term under the input and compare with the concrete value
    #[arg(long)]
    self_check: bool,
    /// Write to FILE instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The program, built by offshoot-cc, and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM ARGS")]
    command: Vec<OsString>,
}

impl Trace {
    pub fn run(self) -> Result<ExitCode, Failure> {
        let program = find_program(&self.command[0])?;
        let places = Places::new(read_models(&program)?);
        let trace = TraceFile::create(&self.budgets(), self.config(), &self.symbolic).map_err(Failure::internal)?;
        let cancel = Arc::new(AtomicBool::new(false));
        signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&cancel)).map_err(Failure::internal)?;
        let mut invocation = self.invocation(&program)?;
        invocation.trace = Some(&trace);
        invocation.cancel = Some(&cancel);
        let outcome = invoke(&invocation).map_err(Failure::usage)?;
        let map = trace.map().map_err(Failure::internal)?;
        let view = TraceView::new(&map).map_err(Failure::internal)?;
        let mut out: Box<dyn Write> = match &self.output {
            Some(path) => Box::new(std::io::BufWriter::new(
                std::fs::File::create(path)
                    .map_err(|error| Failure::usage(format!("cannot write {}: {error}", path.display())))?,
            )),
            None => Box::new(std::io::BufWriter::new(std::io::stdout().lock())),
        };
        let printed = if self.smt2 {
            let place = |site| places.get(&view, site).map(|p| p.to_string());
            let script = smt::path_condition(view, Some(&place));
            write!(out, "{}", script.text)
        } else {
            let report = report::Report::new(&view, &places, &self.command, &outcome);
            if self.json {
                serde_json::to_writer_pretty(&mut out, &report)
                    .map_err(std::io::Error::from)
                    .and_then(|()| writeln!(out))
            } else {
                text::print(&mut out, &report)
            }
        };
        match printed.and_then(|()| out.flush()) {
            // `| head` has seen enough.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
            result => result.map_err(Failure::internal)?,
        }
        if view.pid() == 0 {
            return Err(Failure::internal(format!(
                "{} ran but did not start a trace; is the address space limited (ulimit -v)? try `offshoot doctor`",
                program.display()
            )));
        }
        Ok(if outcome.status == Status::Interrupted { Exit::Interrupted } else { Exit::Clean }.into())
    }

    fn budgets(&self) -> Budgets {
        let mut budgets = Budgets { wall: self.time, cpu: self.time * 2, ..Budgets::default() };
        budgets.nodes = self.max_terms.unwrap_or(budgets.nodes);
        budgets.events = self.max_events.unwrap_or(budgets.events);
        budgets.memory = self.memory.unwrap_or(budgets.memory);
        budgets
    }

    fn config(&self) -> u32 {
        let mut bits = 0;
        if self.all {
            bits |= config::CONCRETE_BRANCHES | config::OUTPUT;
        }
        if self.self_check {
            bits |= config::SELFCHECK;
        }
        bits
    }

    fn invocation(&self, program: &Path) -> Result<Invocation<'_>, Failure> {
        let mut args: Vec<OsString> = self.command[1..].to_vec();
        let policy = Policy::detect();
        for reason in &policy.why {
            eprintln!("offshoot: warning: weaker sandbox: {reason}");
        }
        let mut stdin = Stdin::Null;
        if let Some(seed) = &self.seed {
            if !seed.is_file() {
                return Err(Failure::usage(format!("cannot read the seed {}", seed.display())));
            }
            let mut placed = false;
            for arg in args.iter_mut().filter(|arg| *arg == "@@") {
                *arg = seed.clone().into();
                placed = true;
            }
            if !placed {
                stdin = Stdin::File(seed.clone());
            }
        } else if !std::io::IsTerminal::is_terminal(&std::io::stdin()) {
            stdin = Stdin::Inherit;
        }
        let mut invocation = Invocation::with_policy(program, policy.policy).args(args);
        invocation.arg0 = Some(self.command[0].clone());
        invocation.stdin = stdin;
        invocation.limits = (&self.budgets()).into();
        Ok(invocation)
    }
}
