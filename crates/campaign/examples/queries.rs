//! The queries of a campaign, asked again of our chain and of Z3:
//! `queries --campaign DIR --seed FILE --symbolic SPEC [--strategy NAME] [--most N] [--time MS] [--unsliced-every N]
//! [--chain-only 1] -- PROGRAM ARGS`.
//!
//! The journal says which decision of which run was asked for, and the runs' inputs bring back the terms: all solvers get
//! the same questions, those of a path one after the other. Of more than `--most` questions evenly spread ones are asked.
//! One line a question: nanoseconds and answer (`sat`, `unsat`, `unknown`) of each solver in the order of `SOLVERS`, `-`
//! where a solver was not asked (`--chain-only 1`, for profiles: nobody else). Exit 1 if one says `sat` and another `unsat`.
//!
//! Of the chain everything counts: telling it the path, slicing, checking, shortening. Of Z3 only Z3 counts: translating
//! new terms, asserting, checking, reading the model.

mod common;

use common::{Line, Result, Subject};
use offshoot_campaign::journal;
use offshoot_campaign::store::Store;
use offshoot_campaign::trail::Trail;
use offshoot_expr::{Input, Pool, TermId};
use offshoot_search::tree::{Inserted, Tree};
use offshoot_search::{Candidate, Step, strategy};
use offshoot_solve::z3::Z3;
use offshoot_solve::{Answer, Layer, Limits, Options, PathState, Problem, Solver};
use offshoot_trace::layout::config;
use std::cell::Cell;
use std::collections::{BTreeMap, HashSet};
use std::process::ExitCode;
use std::rc::Rc;
use std::time::{Duration, Instant};

const SOLVERS: [&str; 6] = ["chain", "fresh", "fresh-first", "incremental", "incremental-first", "unsliced"];

fn main() -> Result<ExitCode> {
    let line = Line::read()?;
    let strategy = line.get("--strategy").unwrap_or("auto");
    let wants_concrete = strategy::parse(strategy, 0)?.wants_concrete();
    let mut subject = Subject::open(&line, if wants_concrete { config::CONCRETE_BRANCHES } else { 0 })?;
    let limits = Limits { time: Duration::from_millis(line.number("--time", 2000)?) };
    let most = line.number("--most", u64::MAX)? as usize;
    let recorded = Recorded::read(&mut subject, line.get("--campaign")?, wants_concrete)?;
    let all = recorded.asked.len();
    let mut by_run: BTreeMap<usize, Vec<(Candidate, Step)>> = BTreeMap::new();
    for at in 0..all.min(most) {
        let (candidate, step) = recorded.asked[at * all / all.min(most)];
        by_run.entry(candidate.run.0 as usize).or_default().push((candidate, step));
    }
    let unsliced_every = line.number("--unsliced-every", 20)?.max(1);
    let mut asking = Asking::new(limits, unsliced_every);
    if line.number("--chain-only", 0)? != 0 {
        asking.ask_nobody_else();
    }
    println!("{}", SOLVERS.join("\t"));
    for (run, questions) in by_run {
        let (execution, _) = subject.run(&recorded.inputs[run])?;
        let mut trail = Trail::new(execution.trace)?;
        asking.begin();
        for (candidate, step) in questions {
            if let Some((before, goal)) = trail.question(candidate, step, &subject.sites)? {
                asking.ask(&mut trail, before, goal);
            }
        }
    }
    for error in asking.contradictions.iter().chain(&asking.chain.stats().errors) {
        eprintln!("error: {error}");
    }
    let good = asking.contradictions.is_empty() && asking.chain.stats().errors.is_empty();
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What a campaign asked, and the inputs it asked about.
struct Recorded {
    inputs: Vec<offshoot_suite::Input>,
    asked: Vec<(Candidate, Step)>,
}

impl Recorded {
    fn read(subject: &mut Subject, folder: &str, wants_concrete: bool) -> Result<Recorded> {
        let lines: Vec<journal::Line> = Store::read_journal(folder.as_ref())?;
        let mut tree = Tree::new(offshoot_search::Options::default().keep_concrete(wants_concrete));
        let seed = subject.seed.clone();
        tree.insert(&subject.run(&seed)?.1, None);
        let mut inputs = vec![seed];
        let mut asked = Vec::new();
        for line in &lines {
            let candidate = line.candidate();
            let step = tree.step(candidate.run, candidate.depth);
            let (Some(parent), Some(step)) = (inputs.get(candidate.run.0 as usize), step) else { continue };
            asked.push((candidate, step));
            if line.verdict().is_none() {
                let input = parent.with(line.edits());
                let (_, steps) = subject.run(&input)?;
                if let Inserted::New { .. } = tree.insert(&steps, Some(candidate)) {
                    inputs.push(input);
                }
            }
        }
        Ok(Recorded { inputs, asked })
    }
}

/// A layer that is asked by our session, for its slices, and timed by itself.
struct Timed {
    inner: Z3,
    last: Rc<Cell<Option<Taken>>>,
}

#[derive(Clone, Copy)]
struct Taken {
    time: Duration,
    word: &'static str,
}

impl Taken {
    fn of(answer: &Answer, time: Duration) -> Taken {
        let word = match answer {
            Answer::Sat(_) => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown(_) => "unknown",
        };
        Taken { time, word }
    }
}

impl Layer for Timed {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn solve(&mut self, problem: &mut Problem<'_>) -> Answer {
        let start = Instant::now();
        let answer = self.inner.solve(problem);
        self.last.set(Some(Taken::of(&answer, start.elapsed())));
        answer
    }

    fn forget(&mut self) {
        self.inner.forget();
    }
}

/// Z3 in one of its ways, with what the session knows of the path.
struct Peer {
    solver: Solver,
    last: Rc<Cell<Option<Taken>>>,
    path: Path,
}

#[derive(Default)]
struct Path {
    state: PathState,
    told: usize,
}

impl Path {
    fn ask(&mut self, solver: &mut Solver, trail: &mut Trail, before: usize, goal: TermId, limits: Limits) -> Answer {
        let (pool, hint, path) = trail.parts();
        let mut session = solver.resume(pool, hint, std::mem::take(&mut self.state));
        for constraint in &path.constraints[self.told.min(before)..before] {
            session.push(constraint.holds);
        }
        self.told = self.told.max(before);
        let answer = session.solve(before, goal, limits);
        self.state = session.pause();
        answer
    }
}

impl Peer {
    fn new(inner: Z3) -> Peer {
        let last = Rc::new(Cell::new(None));
        let layer = Timed { inner, last: Rc::clone(&last) };
        Peer { solver: Solver::with_layers(Options::only(&["z3"]), vec![Box::new(layer)]), last, path: Path::default() }
    }
}

struct Asking {
    limits: Limits,
    chain: Solver,
    path: Path,
    peers: Vec<Peer>,
    unsliced: Z3,
    unsliced_every: u64,
    asked: u64,
    contradictions: Vec<String>,
}

impl Asking {
    fn new(limits: Limits, unsliced_every: u64) -> Asking {
        let peers = [Z3::new(), Z3::new().anywhere(), Z3::incremental(), Z3::incremental().anywhere()];
        Asking {
            limits,
            chain: Solver::new(Options::default()),
            path: Path::default(),
            peers: peers.into_iter().map(Peer::new).collect(),
            unsliced: Z3::new(),
            unsliced_every,
            asked: 0,
            contradictions: Vec::new(),
        }
    }

    fn ask_nobody_else(&mut self) {
        self.peers.clear();
        self.unsliced_every = u64::MAX;
    }

    /// Another path.
    fn begin(&mut self) {
        self.path = Path::default();
        self.peers.iter_mut().for_each(|peer| peer.path = Path::default());
        self.unsliced.forget();
    }

    fn ask(&mut self, trail: &mut Trail, before: usize, goal: TermId) {
        let (pool, hint, _) = trail.parts();
        // Nothing to solve: Z3 would not be asked.
        if pool.value(goal).is_some() || pool.eval(goal, hint) != 0 {
            return;
        }
        self.asked += 1;
        let start = Instant::now();
        let answer = self.path.ask(&mut self.chain, trail, before, goal, self.limits);
        let mut taken = vec![Some(Taken::of(&answer, start.elapsed()))];
        for peer in &mut self.peers {
            peer.last.set(None);
            peer.path.ask(&mut peer.solver, trail, before, goal, self.limits);
            taken.push(peer.last.get());
        }
        taken.resize(SOLVERS.len() - 1, None);
        taken.push(self.asked.is_multiple_of(self.unsliced_every).then(|| self.ask_unsliced(trail, before, goal)));
        self.compare(&taken);
        let cell = |taken: &Option<Taken>| match taken {
            Some(taken) => format!("{} {}", taken.time.as_nanos(), taken.word),
            None => "-".to_owned(),
        };
        println!("{}", taken.iter().map(cell).collect::<Vec<_>>().join("\t"));
    }

    fn ask_unsliced(&mut self, trail: &mut Trail, before: usize, goal: TermId) -> Taken {
        let (pool, hint, path) = trail.parts();
        let mut terms = conditions(pool, hint, path.constraints[..before].iter().map(|constraint| constraint.holds));
        terms.push(goal);
        let start = Instant::now();
        let answer = self.unsliced.solve(&mut Problem { pool, terms: &terms, hint, limits: self.limits });
        Taken::of(&answer, start.elapsed())
    }

    fn compare(&mut self, taken: &[Option<Taken>]) {
        let said = |word| taken.iter().flatten().any(|taken| taken.word == word);
        if said("sat") && said("unsat") {
            let words =
                SOLVERS.iter().zip(taken).filter_map(|(name, taken)| Some(format!("{name} {}", (*taken)?.word)));
            self.contradictions.push(format!("question {}: {}", self.asked, words.collect::<Vec<_>>().join(", ")));
        }
    }
}

/// As a session takes them: each once, none that is constant or does not hold.
fn conditions(pool: &Pool, hint: &Input, all: impl Iterator<Item = TermId>) -> Vec<TermId> {
    let mut seen = HashSet::new();
    all.filter(|&term| pool.value(term).is_none() && seen.insert(term) && pool.eval(term, hint) != 0).collect()
}
