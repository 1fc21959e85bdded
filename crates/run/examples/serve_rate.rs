//! Executions a second, invoked and served: `cargo run --release --example serve_rate -- RUNS PROGRAM SEED [ARGS]`.
//!
//! SEED is a file; it takes the place of `@@` in ARGS, or else of standard input. One byte of it changes from run to run.

use std::error::Error;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Instant;

use offshoot_base::Budgets;
use offshoot_run::{Delivery, Invocation, Server, TraceFile, invoke};

const SYMBOLIC: &str = "arg,stdin,file,nondet";

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args_os().skip(1);
    let usage = "usage: serve_rate RUNS PROGRAM SEED [ARGS]";
    let runs: u32 = args.next().ok_or(usage)?.to_str().ok_or(usage)?.parse()?;
    let program = PathBuf::from(args.next().ok_or(usage)?);
    let seed = PathBuf::from(args.next().ok_or(usage)?);
    let args: Vec<OsString> = args.collect();
    let by_file = args.iter().any(|arg| arg == "@@");
    let args = args.into_iter().map(|arg| if arg == "@@" { seed.clone().into_os_string() } else { arg });
    let base = Invocation::new(program).args(args);
    let bytes = std::fs::read(&seed)?;
    let delivery = |run: u32| {
        let mut bytes = bytes.clone();
        let at = run as usize % bytes.len().max(1);
        if let Some(byte) = bytes.get_mut(at) {
            *byte = b' ' + (run % 95) as u8;
        }
        match by_file {
            true => Delivery { files: vec![(seed.clone(), bytes)], ..Delivery::default() },
            false => Delivery { stdin: Some(bytes), ..Delivery::default() },
        }
    };

    let budgets = Budgets::default();
    let invoked = runs.div_ceil(10).min(100);
    let start = Instant::now();
    for run in 0..invoked {
        let trace = TraceFile::create(&budgets, 0, SYMBOLIC)?;
        invoke(&Invocation { trace: Some(&trace), ..delivery(run).apply(&base)? })?;
    }
    report("invoked", invoked, start);

    let mut server = Server::start(&base, &budgets, 0, SYMBOLIC)?;
    server.run(&delivery(0), None)?;
    let start = Instant::now();
    for run in 0..runs {
        server.run(&delivery(run), None)?;
    }
    report("served", runs, start);
    println!("{:?}", server.counts());
    Ok(())
}

fn report(how: &str, runs: u32, start: Instant) {
    let time = start.elapsed();
    println!("{how}: {:.0} executions/s, {:?} each", f64::from(runs) / time.as_secs_f64(), time / runs.max(1));
}
