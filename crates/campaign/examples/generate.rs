//! Every single-branch flip of one run, solved, and every answer run to see whether it flips its branch:
//! `generate --seed FILE --symbolic SPEC [--time MS] -- PROGRAM ARGS`. One JSON object; who answered what is on
//! standard error.
//!
//! A switch has as many flips as it has other outcomes. Short rounds are repeated and the best counts; each has a solver
//! and a trail of its own.

mod common;

use common::{Line, Result, Subject};
use offshoot_campaign::trail::Trail;
use offshoot_search::tree::{Inserted, Tree};
use offshoot_search::{Candidate, RunId, Step};
use offshoot_solve::{Answer, Change, Limits, Solver, Stats};
use offshoot_suite::{Edit, Source};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// All rounds together take at least this long.
const ENOUGH: Duration = Duration::from_secs(1);

/// CPU time of this thread: others may use the core too. Zero where the kernel does not say.
fn cpu() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split_whitespace().next().and_then(|nanos| nanos.parse().ok());
    Duration::from_nanos(nanos.unwrap_or(0))
}

/// One round of asking.
struct Asked {
    stats: Stats,
    answers: Vec<(Candidate, Option<Answer>)>,
    time: Duration,
    cpu: Duration,
    trail: Trail,
}

fn main() -> Result<()> {
    let line = Line::read()?;
    let mut subject = Subject::open(&line, 0)?;
    let seed = subject.seed.clone();
    let (execution, steps) = subject.run(&seed)?;
    let steps: Vec<Step> = steps.into_iter().filter(|step| step.symbolic).collect();
    let candidates: Vec<Candidate> = steps
        .iter()
        .enumerate()
        .flat_map(|(depth, step)| {
            let others = (0..subject.sites.outcomes(step.site)).filter(|&outcome| outcome != step.outcome);
            others.map(move |outcome| Candidate { run: RunId(0), depth: depth as u32, outcome })
        })
        .collect();

    let limits = Limits { time: Duration::from_millis(line.number("--time", 2000)?) };
    let round = || ask(&subject, &execution.trace, &steps, &candidates, limits);
    let mut best = round()?;
    let mut spent = best.time;
    while spent < ENOUGH {
        let asked = round()?;
        spent += asked.time;
        best = if asked.cpu < best.cpu { asked } else { best };
    }
    eprintln!("{}", best.stats);
    let Asked { answers, time, cpu, trail, .. } = best;

    let count = |what: fn(&Answer) -> bool| {
        answers.iter().filter_map(|(_, answer)| answer.as_ref()).filter(|a| what(a)).count()
    };
    let (sat, unsat) = (count(|a| matches!(a, Answer::Sat(_))), count(|a| *a == Answer::Unsat));
    let unknown = count(|a| matches!(a, Answer::Unknown(_)));
    let start = Instant::now();
    let mut verified = 0;
    let mut changed = HashSet::new();
    for (candidate, answer) in &answers {
        let Some(Answer::Sat(changes)) = answer else { continue };
        changed.insert(changes.clone());
        let input = seed.with(edits(&trail, changes));
        let (_, flipped) = subject.run(&input)?;
        // The tool's own test for divergence, against a tree that has the seed only.
        let mut tree = Tree::new(offshoot_search::Options::default());
        tree.insert(&steps, None);
        match tree.insert(&flipped, Some(*candidate)) {
            Inserted::Diverged { at, expected, found } => {
                let place = |step: Step| subject.sites.place(step.site);
                let place = |step| place(step).map_or("no known place".to_owned(), |place| place.to_string());
                let goal = place(steps[candidate.depth as usize]);
                let found = found.map_or("the end of the run".to_owned(), place);
                let expected = place(expected);
                eprintln!("not flipped: {candidate:?} at {goal}; at {at} {found} instead of {expected}; {changes:?}");
            }
            _ => verified += 1,
        }
    }
    let verifying = start.elapsed();
    println!(
        "{{\"decisions\": {}, \"asked\": {}, \"sat\": {sat}, \"unsat\": {unsat}, \"unknown\": {unknown}, \"damaged\": {}, \
         \"inputs\": {}, \"solving_s\": {}, \"solving_cpu_s\": {}, \"verified\": {verified}, \"verifying_s\": {}}}",
        steps.len(),
        candidates.len(),
        candidates.len() - sat - unsat - unknown,
        changed.len(),
        time.as_secs_f64(),
        cpu.as_secs_f64(),
        verifying.as_secs_f64(),
    );
    Ok(())
}

fn ask(subject: &Subject, trace: &[u8], steps: &[Step], candidates: &[Candidate], limits: Limits) -> Result<Asked> {
    let mut solver = Solver::new(offshoot_solve::Options::default());
    let (start, cpu_before) = (Instant::now(), cpu());
    let mut trail = Trail::new(trace.to_vec())?;
    let mut answers = Vec::with_capacity(candidates.len());
    for &candidate in candidates {
        let step = steps[candidate.depth as usize];
        answers.push((candidate, trail.solve(&mut solver, candidate, step, &subject.sites, limits)?));
    }
    let (time, cpu) = (start.elapsed(), cpu().saturating_sub(cpu_before));
    Ok(Asked { answers, time, cpu, trail, stats: solver.stats().clone() })
}

fn edits(trail: &Trail, changes: &[Change]) -> Vec<Edit> {
    let edit = |change: &Change| {
        let source = Source::parse(&trail.source_name(change.source)?)?;
        Some(Edit { source: Arc::new(source), offset: change.offset, value: change.value })
    };
    changes.iter().filter_map(edit).collect()
}
