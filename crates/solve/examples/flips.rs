//! Every single-branch flip of a run: `flips [--off LAYER,...] [--time MS] [--rounds N] [--every N] [--z3] TRACE...`.
//!
//! `--z3` asks Z3 instead, afresh for each query, with the same slices: what the chain is compared with. `--every N`
//! asks only each Nth flip, `--verbose` prints those that stay open.
//!
//! A trace is a file as a run leaves it (`keep_trace` of the crate `run` makes one).

use offshoot_expr::smt::{Assertion, script};
use offshoot_expr::{Import, Input, Path, Pool, TraceView};
use offshoot_solve::{Answer, Layer, Limits, Options, Problem, Solver, Why};
use offshoot_trace::EventKind;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut options = Options::default();
    let mut limits = Limits::default();
    let mut rounds = 1;
    let mut verbose = false;
    let mut fresh = false;
    let mut every = 1;
    let mut args = std::env::args().skip(1);
    let mut files = Vec::new();
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value"));
        match arg.as_str() {
            "--off" => options.off = value()?.split(',').map(str::to_owned).collect(),
            "--time" => limits.time = Duration::from_millis(value()?.parse()?),
            "--rounds" => rounds = value()?.parse()?,
            "--every" => every = value()?.parse::<usize>()?.max(1),
            "--z3" => fresh = true,
            "--verbose" => verbose = true,
            _ => files.push(arg),
        }
    }
    let mut solver = match fresh {
        true => Solver::with_layers(Options::only(&[FRESH]), vec![Box::new(Fresh)]),
        false => Solver::new(options),
    };
    for file in &files {
        let bytes = std::fs::read(file)?;
        let view = TraceView::new(&bytes)?;
        for _ in 0..rounds {
            let mut pool = Pool::new();
            let path = Path::of(&mut Import::new(view), &mut pool);
            flip_all(&mut solver, file, &mut pool, &Input::of(&view), &path, limits, (every, verbose));
            solver.forget();
        }
    }
    println!("{}", solver.stats());
    for error in &solver.stats().errors {
        println!("error: {error}");
    }
    Ok(())
}

const FRESH: &str = "fresh z3";

/// A new solver for each query, through text. Only the time counts: a `Sat` is not brought back.
struct Fresh;

impl Layer for Fresh {
    fn name(&self) -> &'static str {
        FRESH
    }

    fn solve(&mut self, problem: &mut Problem<'_>) -> Answer {
        let names: Vec<String> = (0..problem.hint.source_end()).map(|source| format!("s{source}")).collect();
        let assertions: Vec<Assertion> =
            problem.terms.iter().map(|&term| Assertion { term, comment: String::new() }).collect();
        let solver = z3::Solver::new();
        let mut params = z3::Params::new();
        params.set_u32("timeout", problem.limits.time.as_millis() as u32);
        solver.set_params(&params);
        solver.from_string(script(problem.pool, &names, &assertions, &[]).text);
        match solver.check() {
            z3::SatResult::Unsat => Answer::Unsat,
            z3::SatResult::Sat => Answer::Unknown(Why::NotMine),
            z3::SatResult::Unknown => Answer::Unknown(Why::Limit),
        }
    }
}

fn flip_all(
    solver: &mut Solver,
    file: &str,
    pool: &mut Pool,
    hint: &Input,
    path: &Path,
    limits: Limits,
    (every, verbose): (usize, bool),
) {
    let names: Vec<String> = (0..hint.source_end()).map(|source| format!("s{source}")).collect();
    let start = Instant::now();
    let mut seen = 0;
    let (mut asked, mut answered) = (0u32, 0u32);
    let mut open = Vec::new();
    let mut session = solver.open(pool, hint);
    for (at, constraint) in path.constraints.iter().enumerate() {
        if matches!(constraint.kind, EventKind::Branch | EventKind::Switch) {
            let goal = session.pool().not(constraint.holds);
            seen += 1;
            if session.pool().value(goal).is_none() && seen % every == 0 {
                asked += 1;
                match session.solve(at, goal, limits) {
                    Answer::Unknown(_) => open.push(goal),
                    _ => answered += 1,
                }
            }
        }
        session.push(constraint.holds);
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{file}: {} conditions, {asked} flips, {answered} answered, {:.1} ms, {:.0} answered a second",
        path.constraints.len(),
        seconds * 1e3,
        f64::from(answered) / seconds
    );
    if verbose {
        for goal in open {
            let support = pool.support(goal);
            println!("  open: {} bytes, {} terms, {}", support.len(), pool.cone_size(goal), show(pool, &names, goal));
        }
    }
}

fn show(pool: &Pool, names: &[String], goal: offshoot_expr::TermId) -> String {
    let text = offshoot_expr::smt::script(pool, names, &[], &[goal]);
    let last = text.values.first().cloned().unwrap_or_default();
    format!("{last} {}", text.text.lines().rev().take(3).collect::<Vec<_>>().join(" "))
}
