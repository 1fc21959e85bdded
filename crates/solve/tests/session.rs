//! A session over a random path: every flip is answered as Z3 would on the whole prefix.

mod common;

use common::terms::{Menu, input, recipe};
use common::{changed, enumerate, random, satisfies, z3};
use offshoot_expr::{Input, Pool, TermId};
use offshoot_solve::{Answer, Cache, Layer, Limits, NAMES, Options, Problem, Solver, Why};
use offshoot_trace::Op;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// All flips of random paths, in order and once more backwards; how many were sat, unsat, unknown.
fn flips(solver: &mut Solver, menu: Menu, cases: usize) -> [usize; 3] {
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let mut seen = [0; 3];
    for case in 0..cases {
        let recipe = recipe(20).new_tree(&mut runner).expect("a recipe").current();
        let input = input().new_tree(&mut runner).expect("an input").current();
        let mut random = random(&recipe, menu, input);
        let holds = random.holds.clone();
        let goals: Vec<TermId> = holds.iter().map(|&term| random.pool.not(term)).collect();
        let mut session = solver.open(&mut random.pool, &random.input);
        let mut answers = Vec::new();
        for (at, (&term, &goal)) in holds.iter().zip(&goals).enumerate() {
            answers.push((at, session.solve(at, goal, Limits::default())));
            session.push(term);
        }
        for at in (0..holds.len()).rev().step_by(3) {
            answers.push((at, session.solve(at, goals[at], Limits::default())));
        }
        drop(session);
        for (at, answer) in answers {
            let terms: Vec<TermId> = holds[..at].iter().copied().chain([goals[at]]).collect();
            match answer {
                Answer::Sat(changes) => {
                    seen[0] += 1;
                    assert!(satisfies(&random.pool, &terms, &changed(&random.input, &changes)), "case {case}, {at}");
                    assert!(changes.is_sorted() && !changes.is_empty(), "case {case}, {at}");
                    assert!(changes.iter().all(|c| random.input.get(c.source, c.offset) != c.value), "{changes:?}");
                }
                Answer::Unsat => {
                    seen[1] += 1;
                    let oracle = match enumerate(&mut random.pool, &terms, &random.input) {
                        None if menu.floats => has_model(&mut random.pool, &terms, &random.input),
                        None => z3(&random.pool, &terms),
                        known => known,
                    };
                    assert_ne!(oracle, Some(true), "case {case}, {at}: not unsat\n{}", solver.stats());
                }
                Answer::Unknown(_) => seen[2] += 1,
            }
        }
        solver.forget();
    }
    assert_eq!(solver.stats().errors, Vec::<String>::new());
    seen
}

/// Whether Z3 knows an input that satisfies floats and all: of a NaN's bits it knows less than we do, so only what the
/// evaluator confirms counts, and so does its own `Unsat`.
fn has_model(pool: &mut Pool, terms: &[TermId], hint: &Input) -> Option<bool> {
    let limits = Limits { time: std::time::Duration::from_millis(100) };
    match offshoot_solve::z3::Z3::new().solve(&mut Problem { pool, terms, hint, limits }) {
        Answer::Sat(changes) => satisfies(pool, terms, &changed(hint, &changes)).then_some(true),
        Answer::Unsat => Some(false),
        Answer::Unknown(_) => None,
    }
}

#[test]
fn all_layers_together() {
    let [sat, unsat, _] = flips(&mut Solver::new(Options::default()), Menu { floats: false, tables: true }, 60);
    assert!(sat > 200 && unsat > 50, "{sat} {unsat}");
    let [sat, unsat, _] = flips(&mut Solver::new(Options::default()), Menu { floats: true, tables: true }, 60);
    assert!(sat > 200 && unsat > 50, "{sat} {unsat}");
}

#[test]
fn every_layer_alone() {
    for &name in NAMES {
        flips(&mut Solver::new(Options::only(&[name])), Menu { floats: false, tables: true }, 10);
    }
}

fn hint(bytes: &[u8]) -> Input {
    let mut input = Input::new();
    input.set_bytes(1, bytes.to_vec());
    input
}

/// `read(1, at) op value`
fn byte(pool: &mut Pool, at: u32, op: Op, value: u128) -> TermId {
    let read = pool.read(1, at, 1);
    pool.binary_const(op, read, value)
}

#[test]
fn only_the_first_conditions_count() {
    let mut pool = Pool::new();
    let input = hint(b"57");
    let conditions = [byte(&mut pool, 0, Op::Ult, 58), byte(&mut pool, 0, Op::Ne, 54), byte(&mut pool, 0, Op::Ule, 53)];
    let goal = {
        let read = pool.read(1, 0, 1);
        let least = pool.constant(54, 8);
        pool.binary(Op::Ule, least, read)
    };
    let mut solver = Solver::new(Options::default());
    let mut session = solver.open(&mut pool, &input);
    conditions.iter().for_each(|&term| session.push(term));
    let mut value = |upto| match session.solve(upto, goal, Limits::default()) {
        Answer::Sat(changes) => Some(changes[0].value),
        _ => None,
    };
    assert_eq!([value(0), value(1), value(2), value(3)], [Some(54), Some(54), Some(55), None]);
}

#[test]
fn constants_and_repetitions_take_a_position() {
    let mut pool = Pool::new();
    let input = hint(b"a");
    let (always, term) = (pool.boolean(true), byte(&mut pool, 0, Op::Eq, 97));
    let goal = pool.not(term);
    let mut solver = Solver::new(Options::default());
    let mut session = solver.open(&mut pool, &input);
    for condition in [always, always, term, term] {
        session.push(condition);
    }
    assert_eq!(session.len(), 4);
    assert!(matches!(session.solve(2, goal, Limits::default()), Answer::Sat(_)));
    assert_eq!(session.solve(3, goal, Limits::default()), Answer::Unsat);
}

#[test]
fn a_condition_that_the_hint_breaks_is_counted_and_left_out() {
    let mut pool = Pool::new();
    let input = hint(b"a");
    let broken = byte(&mut pool, 0, Op::Eq, 98);
    let goal = byte(&mut pool, 0, Op::Eq, 99);
    let mut solver = Solver::new(Options::default());
    let mut session = solver.open(&mut pool, &input);
    session.push(broken);
    assert!(matches!(session.solve(1, goal, Limits::default()), Answer::Sat(_)));
    drop(session);
    assert_eq!(solver.stats().foreign, 1);
}

/// Says `Sat` with nonsense, or `Unsat` without a reason.
struct Liar(Answer);

impl Layer for Liar {
    fn name(&self) -> &'static str {
        "liar"
    }
    fn solve(&mut self, _: &mut Problem<'_>) -> Answer {
        self.0.clone()
    }
}

/// Two bytes that must be equal, and must not.
fn ask_liar(answer: Answer, judge: Option<Box<dyn Layer>>) -> (Answer, Vec<String>) {
    let mut pool = Pool::new();
    let input = hint(b"ab");
    let (x, y) = (pool.read(1, 0, 1), pool.read(1, 1, 1));
    let goal = pool.binary(Op::Eq, x, y);
    let options = Options { solver_check: judge.is_some(), ..Options::only(&[]) };
    let mut solver = Solver::with_layers(options, vec![Box::new(Liar(answer))]);
    if let Some(judge) = judge {
        solver = solver.judged_by(judge);
    }
    let answer = solver.open(&mut pool, &input).solve(0, goal, Limits::default());
    (answer, solver.stats().errors.clone())
}

#[test]
fn a_wrong_sat_becomes_unknown_and_is_named() {
    let (answer, errors) = ask_liar(Answer::Sat(Vec::new()), None);
    assert_eq!(answer, Answer::Unknown(Why::GaveUp));
    assert!(errors.len() == 1 && errors[0].contains("liar"), "{errors:?}");
}

#[test]
fn a_judge_finds_a_wrong_unsat() {
    let (answer, errors) = ask_liar(Answer::Unsat, Some(Box::new(offshoot_solve::domains::Domains)));
    assert_eq!(answer, Answer::Unknown(Why::GaveUp));
    assert!(errors.len() == 1 && errors[0].contains("liar"), "{errors:?}");
    assert_eq!(ask_liar(Answer::Unsat, None), (Answer::Unsat, Vec::new()));
}

#[test]
fn few_bytes_change() {
    let mut pool = Pool::new();
    let input = hint(b"abcdefgh");
    let read = pool.read(1, 0, 8);
    let goal = pool.eq_const(read, u64::from_le_bytes(*b"abcdeFgH") as u128);
    let mut solver = Solver::new(Options::default());
    let answer = solver.open(&mut pool, &input).solve(0, goal, Limits::default());
    let Answer::Sat(changes) = answer else { panic!("{answer:?}") };
    assert_eq!(changes.iter().map(|c| c.offset).collect::<Vec<_>>(), [5, 7]);
}

#[test]
fn a_cache_is_kept_between_campaigns() {
    let ask = |solver: &mut Solver| {
        let mut pool = Pool::new();
        let input = hint(b"ab");
        let (x, y) = (pool.read(1, 0, 1), pool.read(1, 1, 1));
        let (sum, product) = (pool.binary(Op::Add, x, y), pool.binary(Op::Mul, x, y));
        let (one, two) = (pool.eq_const(sum, 5), pool.eq_const(product, 6));
        let goal = pool.binary(Op::And, one, two);
        solver.open(&mut pool, &input).solve(0, goal, Limits::default())
    };
    let mut first = Solver::new(Options::default());
    let answer = ask(&mut first);
    assert!(matches!(answer, Answer::Sat(_)));
    let cache = Cache::from_bytes(&first.keep().expect("a cache"), 100).expect("our own");
    let mut second = Solver::with_cache(Options::default(), cache);
    assert_eq!(ask(&mut second), answer);
    let asked = |name: &str| second.stats().layers.iter().find(|layer| layer.name == name).map(|layer| layer.sat);
    assert_eq!([asked("cache"), asked("domains")], [Some(1), Some(0)]);
}
