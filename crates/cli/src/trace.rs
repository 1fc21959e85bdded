//! `offshoot trace`
mod text { }
use crate::failure::Failure;
use crate::places::Places;
use clap::Args;
use offshoot_base::Budgets;
use offshoot_expr::TraceView;
use offshoot_model::Program;
use offshoot_run::{Invocation, TraceFile, Stdin, invoke, Policy};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args)]
pub struct Trace {
    #[arg(long)] smt2: bool,
    #[arg(long, default_value = "arg,stdin,file,nondet")] symbolic: String,
    #[arg(long)] seed: Option<PathBuf>,
    #[arg(last = true, required = true)] command: Vec<OsString>,
}

impl Trace {
    pub fn run(self) -> Result<ExitCode, Failure> {
        let program = PathBuf::from(&self.command[0]);
        let model = Program::read(&program).map_err(Failure::usage)?;
        let places = Places::new(vec![model]);
        let trace = TraceFile::create(&Budgets::default(), 0, &self.symbolic).map_err(Failure::internal)?;
        let mut inv = Invocation::with_policy(&program, Policy::detect().policy).args(self.command[1..].to_vec());
        if let Some(s) = &self.seed { inv.stdin = Stdin::File(s.clone()); }
        inv.trace = Some(&trace);
        let outcome = invoke(&inv).map_err(Failure::internal)?;
        let map = trace.map().map_err(Failure::internal)?;
        let view = TraceView::new(&map).map_err(Failure::internal)?;
        if self.smt2 {
            let s = offshoot_expr::smt::path_condition(view, Some(&|site| places.get(&view, site).map(|p| p.to_string())));
            println!("{}", s.text);
        } else {
            for e in view.events() { println!("{:?} {}", e, places.get(&view, e.site).map_or(String::new(), |p| p.to_string())); }
        }
        eprintln!("{:?} nodes={} stdout={:?} stderr={:?}", outcome.status, view.node_end(), outcome.stdout, outcome.stderr);
        Ok(ExitCode::SUCCESS)
    }
}
