//! What Z3 is told means what we compute, and what it answers is an answer.

#[path = "../../expr/tests/common/mod.rs"]
mod common;

use common::{Menu, cook, input, recipe, transfer};
use offshoot_expr::{Input, Pool, Tape, Term, TermId};
use offshoot_solve::z3::Z3;
use offshoot_solve::{Answer, Change, Layer, Limits, Problem, Why};
use offshoot_trace::Op;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::time::Duration;

const LIMITS: Limits = Limits { time: Duration::from_secs(60) };

fn solve(layer: &mut Z3, pool: &mut Pool, terms: &[TermId], hint: &Input) -> Answer {
    layer.solve(&mut Problem { pool, terms, hint, limits: LIMITS })
}

fn changed(hint: &Input, changes: &[Change]) -> Input {
    let mut input = hint.clone();
    for change in changes {
        assert_ne!(input.get(change.source, change.offset), change.value, "a change that changes nothing");
        input.set(change.source, change.offset, change.value);
    }
    input
}

/// A float in the cone is a NaN, whose bits Z3 does not know; or something cannot be expressed.
fn is_open(pool: &Pool, root: TermId, input: &Input) -> bool {
    let cone = pool.cone(&[root]);
    let values: Vec<u128> = Tape::new(pool, &cone).run(input).collect();
    cone.iter().zip(values).any(|(&id, value)| match pool.get(id) {
        Term::Binary { op: Op::FRem, width: 64, .. } => true,
        term if term.op().is_float() && term.width() == 32 => f32::from_bits(value as u32).is_nan(),
        term if term.op().is_float() && term.width() == 64 => f64::from_bits(value as u64).is_nan(),
        _ => false,
    })
}

/// With every byte held, each term is what we compute and nothing else.
fn agrees(layer: &mut Z3, what: &str, pool: &mut Pool, roots: &[TermId], input: &Input) {
    let mut terms = Vec::new();
    let mut bytes: Vec<(u32, u32)> =
        roots.iter().flat_map(|&root| pool.support(root).bytes().collect::<Vec<_>>()).collect();
    bytes.sort_unstable();
    bytes.dedup();
    for (source, offset) in bytes {
        let byte = pool.read(source, offset, 1);
        terms.push(pool.eq_const(byte, input.get(source, offset) as u128));
    }
    let mut differs = pool.boolean(false);
    for &root in roots {
        if is_open(pool, root, input) {
            continue;
        }
        let same = pool.eq_const(root, pool.eval(root, input));
        if pool.value(same).is_none() {
            let other = pool.not(same);
            differs = pool.binary(Op::Or, differs, other);
        }
    }
    if pool.value(differs).is_some() {
        return;
    }
    let same = pool.not(differs);
    terms.push(same);
    assert_eq!(solve(layer, pool, &terms, input), Answer::Sat(Vec::new()), "{what}");
    terms.pop();
    terms.push(differs);
    assert_eq!(solve(layer, pool, &terms, input), Answer::Unsat, "{what}");
}

fn runner() -> TestRunner {
    TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

fn agree(menu: Menu, cases: usize, steps: usize) {
    let mut runner = runner();
    for case in 0..cases {
        let recipe = recipe(steps).new_tree(&mut runner).expect("a recipe").current();
        let input = input().new_tree(&mut runner).expect("an input").current();
        let raw = cook(&recipe, menu);
        let mut pool = if case % 3 == 0 { Pool::without_rewrites() } else { Pool::new() };
        let map = transfer(&raw.pool, &raw.terms, &mut pool);
        let roots: Vec<TermId> = raw.terms.iter().map(|id| map[id]).collect();
        // Without preprocessing a circuit of floats is not computed but searched, even if all of its inputs are given.
        let mut layer = if case % 2 == 0 || menu.floats { Z3::new() } else { Z3::incremental() };
        agrees(&mut layer, &format!("case {case}: {recipe:?}"), &mut pool, &roots, &input);
    }
}

#[test]
fn integers_and_tables() {
    agree(Menu { floats: false, tables: true }, 200, 25);
}

#[test]
fn floats() {
    agree(Menu { floats: true, tables: false }, 150, 12);
}

/// Every float operation where something is special: zeros, ties, ends of ranges.
#[test]
fn float_corners() {
    let pairs = [
        (0.0, -0.0),
        (-0.0, 0.0),
        (1.0, f64::NAN),
        (f64::NAN, -2.5),
        (2.5, 3.0),
        (-2.5, 0.75),
        (255.9, -129.0),
        (3e9, -3e9),
        (-3e9, 9.3e18),
        (1.5e19, -1.5e19),
        (-1.5e19, 3e30),
        (3e30, 3e38),
        (-3e30, 1e-42),
        (f64::INFINITY, f64::NEG_INFINITY),
        (f64::NEG_INFINITY, 1e39),
        (1e39, 4.0),
    ];
    for width in [32u8, 64] {
        let mut pool = Pool::new();
        let (a, b) = (pool.read(1, 0, width / 8), pool.read(1, 8, width / 8));
        let mut roots = Vec::new();
        for &op in Op::ALL.iter().filter(|&&op| op.is_float() && op != Op::FRem) {
            match op {
                Op::FToS | Op::FToU => {
                    roots.extend([8, 16, 31, 32, 33, 64, 100, 128].map(|to| pool.unary(op, a, to)));
                }
                Op::SToF | Op::UToF => roots.extend([32, 64].map(|to| pool.unary(op, a, to))),
                Op::FToF => roots.push(pool.unary(op, a, 96 - width)),
                Op::FFma => roots.push(pool.make(Term::Ternary { op, width, a, b, c: a })),
                _ if op.is_binary() => roots.push(pool.binary(op, a, b)),
                _ => roots.push(pool.unary(op, a, width)),
            }
        }
        let mut layer = Z3::new();
        for (x, y) in pairs {
            let bits = |number: f64| match width {
                32 => ((number as f32).to_bits() as u64).to_le_bytes(),
                _ => number.to_bits().to_le_bytes(),
            };
            let mut input = Input::new();
            input.set_bytes(1, [bits(x), bits(y)].concat());
            agrees(&mut layer, &format!("{x} and {y}, {width} bits"), &mut pool, &roots, &input);
        }
    }
}

#[test]
fn a_float_compare_is_cracked() {
    let mut pool = Pool::new();
    let read = pool.read(1, 0, 8);
    let three = pool.constant(3.5f64.to_bits() as u128, 64);
    let half = pool.constant(0.5f64.to_bits() as u128, 64);
    let product = pool.binary(Op::FMul, read, half);
    let goal = pool.binary(Op::FOeq, product, three);
    let hint = Input::new();
    let Answer::Sat(changes) = solve(&mut Z3::new(), &mut pool, &[goal], &hint) else { panic!("7.0 is one") };
    assert_eq!(f64::from_bits(changed(&hint, &changes).read(1, 0, 8) as u64), 7.0);
}

#[test]
fn what_the_goal_does_not_mention_stays() {
    let mut pool = Pool::new();
    let (a, b) = (pool.read(1, 0, 1), pool.read(1, 1, 1));
    let sum = pool.binary(Op::Add, a, b);
    let prefix = pool.binary_const(Op::Ult, sum, 200);
    let goal = pool.eq_const(a, 7);
    let mut hint = Input::new();
    hint.set_bytes(1, vec![50, 60]);
    for mut layer in [Z3::new(), Z3::incremental()] {
        let answer = solve(&mut layer, &mut pool, &[prefix, goal], &hint);
        assert_eq!(answer, Answer::Sat(vec![Change { source: 1, offset: 0, value: 7 }]));
    }
}

#[test]
fn bytes_of_the_prefix_move_if_they_must() {
    let mut pool = Pool::new();
    let (a, b) = (pool.read(1, 0, 1), pool.read(1, 1, 1));
    let prefix = pool.binary(Op::Eq, a, b);
    let goal = pool.eq_const(a, 7);
    let contrary = pool.binary_const(Op::Ult, b, 5);
    let hint = Input::new();
    for mut layer in [Z3::new(), Z3::incremental()] {
        let change = |offset| Change { source: 1, offset, value: 7 };
        let answer = solve(&mut layer, &mut pool, &[prefix, goal], &hint);
        assert_eq!(answer, Answer::Sat(vec![change(0), change(1)]));
        assert_eq!(solve(&mut layer, &mut pool, &[prefix, contrary, goal], &hint), Answer::Unsat);
        layer.forget();
        let answer = solve(&mut layer, &mut pool, &[prefix, goal], &hint);
        assert_eq!(answer, Answer::Sat(vec![change(0), change(1)]));
    }
}

#[test]
fn the_remainder_of_doubles_is_left_to_others() {
    let mut pool = Pool::new();
    let (a, b) = (pool.read(1, 0, 8), pool.read(1, 8, 8));
    let rest = pool.binary(Op::FRem, a, b);
    let goal = pool.binary(Op::FOlt, a, rest);
    assert_eq!(solve(&mut Z3::new(), &mut pool, &[goal], &Input::new()), Answer::Unknown(Why::NotMine));
}

/// The product of two primes of 32 bits each, which is far too hard for the time given.
#[test]
fn a_hard_problem_ends() {
    let mut pool = Pool::new();
    let (a, b) = (pool.read(1, 0, 4), pool.read(1, 4, 4));
    let (x, y) = (pool.zext(a, 64), pool.zext(b, 64));
    let product = pool.binary(Op::Mul, x, y);
    let goal = pool.eq_const(product, 4_294_967_291 * 4_294_967_279);
    let one = pool.binary_const(Op::Ult, b, 4_294_967_280);
    let mut hint = Input::new();
    hint.set_bytes(1, vec![1; 8]);
    for mut layer in [Z3::new(), Z3::incremental()] {
        let limits = Limits { time: Duration::from_millis(200) };
        let answer = layer.solve(&mut Problem { pool: &mut pool, terms: &[one, goal], hint: &hint, limits });
        match answer {
            Answer::Unknown(why) => assert_eq!(why, Why::Limit),
            Answer::Sat(changes) => assert_eq!(pool.eval(goal, &changed(&hint, &changes)), 1),
            Answer::Unsat => panic!("the primes are a solution"),
        }
        // The layer still works afterwards.
        let easy = pool.eq_const(a, 5);
        assert!(matches!(solve(&mut layer, &mut pool, &[easy], &hint), Answer::Sat(_)));
    }
}
