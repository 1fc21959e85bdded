//! The circuits compute what we compute, their clauses say what the circuits do, and Z3 agrees with the answers.

#[path = "../../expr/tests/common/mod.rs"]
mod common;

use common::{Menu, cook, input, recipe, transfer};
use offshoot_expr::{Input, Pool, Tape, Term, TermId};
use offshoot_solve::bits::Bits;
use offshoot_solve::blast::gates::{Gate, Lit};
use offshoot_solve::blast::instance::Hint;
use offshoot_solve::blast::terms::Words;
use offshoot_solve::z3::Z3;
use offshoot_solve::{Answer, Change, Layer, Limits, Problem, Why};
use offshoot_trace::Op;
use offshoot_trace::eval::mask;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use std::time::Duration;

const WIDTHS: [u8; 10] = [1, 7, 8, 13, 16, 32, 33, 64, 100, 128];
const LIMITS: Limits = Limits { time: Duration::from_secs(60) };

fn solve(layer: &mut dyn Layer, pool: &mut Pool, terms: &[TermId], hint: &Input) -> Answer {
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

/// The values of terms as the gates compute them under the input. All relations of divisions must hold.
fn run(words: &mut Words, pool: &Pool, terms: &[TermId], input: &Input) -> Vec<u128> {
    let terms: Vec<Vec<Lit>> =
        terms.iter().map(|&term| words.word(pool, term).expect("a small integer").to_vec()).collect();
    let mut hint = Hint::default();
    hint.update(words, input);
    let value = |lit: Lit| hint.value(lit.gate()) ^ lit.is_negated();
    for gate in 0..words.gates.end() {
        if let Gate::Division { division, .. } = words.gates.gate(gate) {
            assert!(
                words.gates.division(division).holds.iter().all(|&lit| value(lit)),
                "a division that does not hold"
            );
        }
    }
    terms.iter().map(|word| word.iter().rev().fold(0, |all, &lit| all << 1 | value(lit) as u128)).collect()
}

/// With every byte held, the terms are what we compute and nothing else: the clauses leave no freedom.
fn is_pinned(layer: &mut Bits, what: &str, pool: &mut Pool, roots: &[TermId], input: &Input) {
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
        let same = pool.eq_const(root, pool.eval(root, input));
        let other = pool.not(same);
        differs = pool.binary(Op::Or, differs, other);
    }
    let same = pool.not(differs);
    terms.push(same);
    assert_eq!(solve(layer, pool, &terms, input), Answer::Sat(Vec::new()), "{what}");
    terms.pop();
    terms.push(differs);
    assert_eq!(solve(layer, pool, &terms, input), Answer::Unsat, "{what}");
}

fn corner(width: u8) -> impl Strategy<Value = u128> {
    let max = mask(width);
    prop_oneof![
        Just(0u128),
        Just(1),
        Just(2),
        Just(3),
        Just(7),
        Just(10),
        Just(max),
        Just(max >> 1),
        Just((max >> 1).wrapping_add(1)),
        Just(width as u128),
        Just(width as u128 - 1),
        any::<u8>().prop_map(|value| value as u128),
        any::<u128>(),
        any::<u128>().prop_map(|value| value >> 70),
        (0..128u32).prop_map(|bit| 1 << bit),
    ]
    .prop_map(move |value| value & max)
}

/// All integer operations on two operands of a width: of both, of one and a constant, of one alone.
fn operations(pool: &mut Pool, width: u8, constant: u128) -> Vec<TermId> {
    let (a, b) = (pool.read(1, 0, 16), pool.read(1, 16, 16));
    let (a, b) = (pool.extract(a, 0, width), pool.extract(b, 0, width));
    let number = pool.constant(constant, width);
    let mut roots = Vec::new();
    for &op in Op::ALL.iter().filter(|op| op.is_binary() && !op.is_float()) {
        roots.extend([(a, b), (a, number), (number, a)].map(|(x, y)| pool.binary(op, x, y)));
    }
    for op in [Op::Ctpop, Op::Ctlz, Op::Cttz, Op::Bitreverse] {
        roots.push(pool.unary(op, a, width));
    }
    if width.is_multiple_of(8) {
        roots.push(pool.unary(Op::Bswap, a, width));
    }
    for wider in WIDTHS.into_iter().filter(|&wider| wider >= width) {
        roots.extend([pool.zext(a, wider), pool.sext(a, wider)]);
    }
    if width <= 64 {
        roots.push(pool.concat(a, b));
    }
    roots.push(pool.extract(a, width / 3, width - width / 2));
    let condition = pool.binary(Op::Slt, a, b);
    roots.push(pool.ite(condition, a, b));
    // The operands of a division that is narrower than it looks.
    if width > 8 {
        let low = pool.extract(a, 0, 8);
        let low = pool.zext(low, width);
        roots.extend([Op::UDiv, Op::URem, Op::SDiv, Op::Mul].map(|op| pool.binary(op, low, number)));
    }
    roots
}

fn two_words(a: u128, b: u128) -> Input {
    let mut input = Input::new();
    input.set_bytes(1, [a.to_le_bytes(), b.to_le_bytes()].concat());
    input
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn circuits_compute(
        (width, constant, pairs) in proptest::sample::select(&WIDTHS[..]).prop_flat_map(|width| {
            (Just(width), corner(width), proptest::collection::vec((corner(width), corner(width)), 12))
        })
    ) {
        let mut pool = Pool::without_rewrites();
        let roots = operations(&mut pool, width, constant);
        let mut words = Words::default();
        for (a, b) in pairs {
            let input = two_words(a, b);
            let values: Vec<u128> = Tape::new(&pool, &roots).run(&input).collect();
            for ((&root, value), wanted) in roots.iter().zip(run(&mut words, &pool, &roots, &input)).zip(values) {
                let what = format!("{:?} of {a:#x}, {b:#x}, {constant:#x}, {width} bits", pool.get(root));
                prop_assert_eq!(value, wanted, "{}", what);
            }
        }
    }

    /// Indices as C makes them, into tables of any length.
    #[test]
    fn tables_compute(
        cells in proptest::collection::vec(any::<u8>(), 0..700),
        symbolic in proptest::collection::vec(any::<proptest::sample::Index>(), 0..5),
        (shape, scale, base) in (0..8u8, proptest::sample::select(&[1u128, 2, 4, 12][..]), 0..300u128),
        bytes in proptest::sample::select(&[1u8, 2, 4, 8][..]),
        inputs in proptest::collection::vec(input(), 8),
    ) {
        let mut pool = Pool::without_rewrites();
        let mut cells: Vec<TermId> = cells.iter().map(|&cell| pool.constant(cell as u128, 8)).collect();
        for (at, place) in symbolic.iter().enumerate() {
            if !cells.is_empty() {
                let place = place.index(cells.len());
                cells[place] = pool.read(2, at as u32, 1);
            }
        }
        let table = pool.table(&cells);
        let (byte, half) = (pool.read(1, 0, 1), pool.read(1, 2, 2));
        let x = match shape {
            0 => pool.zext(byte, 64),
            1 => pool.sext(byte, 64),
            2 => {
                let other = pool.zext(byte, 16);
                let mixed = pool.binary(Op::Xor, half, other);
                let low = pool.binary_const(Op::And, mixed, 0xff);
                pool.zext(low, 64)
            }
            3 => pool.zext(half, 64),
            4 => {
                let bits = pool.extract(half, 3, 9);
                pool.zext(bits, 64)
            }
            5 => {
                let nine = pool.constant(9, 64);
                let byte = pool.zext(byte, 64);
                pool.binary(Op::Sub, nine, byte)
            }
            6 => {
                let top = pool.constant(0x123, 56);
                pool.concat(top, byte)
            }
            _ => pool.constant(7, 64),
        };
        let scaled = pool.binary_const(Op::Mul, x, scale);
        let index = pool.binary_const(Op::Add, scaled, base);
        let roots = [pool.select(table, index, bytes), pool.select(table, x, bytes)];
        let mut words = Words::default();
        for input in inputs {
            let values: Vec<u128> = Tape::new(&pool, &roots).run(&input).collect();
            prop_assert_eq!(run(&mut words, &pool, &roots, &input), values);
        }
    }

    #[test]
    fn graphs_compute(recipe in recipe(40), input in input()) {
        let raw = cook(&recipe, Menu { floats: false, tables: true });
        let mut words = Words::default();
        let values: Vec<u128> = Tape::new(&raw.pool, &raw.terms).run(&input).collect();
        prop_assert_eq!(run(&mut words, &raw.pool, &raw.terms, &input), values);
    }
}

/// Each operation at each width.
#[test]
fn clauses_pin_the_outputs() {
    let mut runner = runner();
    for width in WIDTHS {
        let mut layer = Bits::new();
        let constant = corner(width).new_tree(&mut runner).expect("a number").current() | 5 & mask(width);
        let mut pool = Pool::without_rewrites();
        let roots = operations(&mut pool, width, constant);
        for _ in 0..if width > 64 { 1 } else { 3 } {
            let (a, b) = (corner(width), corner(width)).new_tree(&mut runner).expect("numbers").current();
            let what = format!("{a:#x}, {b:#x}, constant {constant:#x}, {width} bits");
            is_pinned(&mut layer, &what, &mut pool, &roots, &two_words(a, b));
        }
    }
}

fn runner() -> TestRunner {
    TestRunner::new_with_rng(ProptestConfig::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

#[test]
fn graphs_are_pinned() {
    let mut runner = runner();
    for case in 0..60 {
        let recipe = recipe(30).new_tree(&mut runner).expect("a recipe").current();
        let input = input().new_tree(&mut runner).expect("an input").current();
        let mut raw = cook(&recipe, Menu { floats: false, tables: true });
        let roots = raw.terms.clone();
        is_pinned(&mut Bits::new(), &format!("case {case}: {recipe:?}"), &mut raw.pool, &roots, &input);
    }
}

/// A product or quotient of wide operands, which neither solver may get through in time.
fn is_hard(pool: &Pool, id: TermId) -> bool {
    matches!(
        pool.get(id),
        Term::Binary { op: Op::Mul | Op::UDiv | Op::URem | Op::SDiv | Op::SRem, width: 17.., a, b }
            if pool.value(a).is_none() && pool.value(b).is_none()
    )
}

/// One layer for many queries with a growing prefix, each answer compared with Z3's.
#[test]
fn z3_agrees() {
    let mut runner = runner();
    let (mut sat, mut unsat) = (0, 0);
    for case in 0..80 {
        let recipe = recipe(30).new_tree(&mut runner).expect("a recipe").current();
        let hint = input().new_tree(&mut runner).expect("an input").current();
        let other = input().new_tree(&mut runner).expect("an input").current();
        let raw = cook(&recipe, Menu { floats: false, tables: true });
        let mut pool = Pool::new();
        let map = transfer(&raw.pool, &raw.terms, &mut pool);
        let mut bits = Bits::new();
        let mut prefix: Vec<TermId> = Vec::new();
        for root in raw.terms.iter().map(|id| map[id]) {
            if pool.cone(&[root]).iter().any(|&id| is_hard(&pool, id)) {
                continue;
            }
            // Not the hint's value but that of another input, or any at all.
            let values: Vec<u128> = [&hint, &other].map(|input| pool.eval(root, input)).to_vec();
            let holds = pool.eq_const(root, values[0]);
            let goal = if values[0] != values[1] { pool.eq_const(root, values[1]) } else { pool.not(holds) };
            if pool.value(goal).is_some() {
                continue;
            }
            let terms: Vec<TermId> = prefix.iter().copied().chain([goal]).collect();
            let answer = solve(&mut bits, &mut pool, &terms, &hint);
            let judge = solve(&mut Z3::new().anywhere(), &mut pool, &terms, &hint);
            match &answer {
                Answer::Sat(changes) => {
                    sat += 1;
                    let input = changed(&hint, changes);
                    let values: Vec<u128> = Tape::new(&pool, &terms).run(&input).collect();
                    assert!(values.iter().all(|&value| value == 1), "case {case}: {recipe:?}");
                    assert!(matches!(judge, Answer::Sat(_)), "case {case}: Z3 says {judge:?}: {recipe:?}");
                }
                Answer::Unsat => {
                    unsat += 1;
                    assert_eq!(judge, Answer::Unsat, "case {case}: {recipe:?}");
                }
                Answer::Unknown(why) => panic!("case {case}: {why:?}: {recipe:?}"),
            }
            if pool.value(holds).is_none() && prefix.len() < 8 {
                prefix.push(holds);
            }
        }
    }
    assert!(sat > 100 && unsat > 100, "too few of one kind: {sat} and {unsat}");
}

/// A table of a protocol: constant, four bytes a cell, some of them input.
#[test]
fn tables_are_searched() {
    for symbolic in [false, true] {
        let mut pool = Pool::new();
        let mut cells: Vec<TermId> = (0..1024u32)
            .flat_map(|at| (at * at + 7).to_le_bytes())
            .map(|byte| pool.constant(byte as u128, 8))
            .collect();
        if symbolic {
            for at in 0..8 {
                cells[400 + at] = pool.read(1, 10 + at as u32, 1);
            }
        }
        let table = pool.table(&cells);
        let index = pool.read(1, 0, 2);
        let index = pool.zext(index, 64);
        let index = pool.binary_const(Op::Shl, index, 2);
        let index = pool.binary_const(Op::Add, index, 64);
        let select = pool.select(table, index, 4);
        let mut layer = Bits::new();
        let hint = Input::new();
        for (wanted, is_there) in [(777 * 777 + 7, true), (778 * 777, symbolic), (0, true)] {
            let goal = pool.eq_const(select, wanted);
            match solve(&mut layer, &mut pool, &[goal], &hint) {
                Answer::Sat(changes) => assert_eq!(pool.eval(goal, &changed(&hint, &changes)), 1),
                answer => assert_eq!((answer, is_there), (Answer::Unsat, false), "{wanted}"),
            }
        }
    }
}

#[test]
fn bytes_that_need_not_change_stay() {
    let mut pool = Pool::new();
    let mut hint = Input::new();
    hint.set_bytes(1, (0..64).map(|at| at * 3 + 1).collect());
    let mut prefix = Vec::new();
    for at in 0..60 {
        let (a, b) = (pool.read(1, at, 1), pool.read(1, at + 1, 1));
        let (a, b) = (pool.zext(a, 32), pool.zext(b, 32));
        let sum = pool.binary(Op::Add, a, b);
        prefix.push(pool.binary_const(Op::Ult, sum, 400));
    }
    let read = pool.read(1, 10, 4);
    let goal = pool.eq_const(read, 0x2122_2324);
    let terms: Vec<TermId> = prefix.into_iter().chain([goal]).collect();
    let Answer::Sat(changes) = solve(&mut Bits::new(), &mut pool, &terms, &hint) else { panic!("satisfiable") };
    let bytes: Vec<u32> = changes.iter().map(|change| change.offset).collect();
    assert_eq!(bytes, [10, 11, 12, 13]);
}

#[test]
fn the_hint_may_change_and_the_pool_too() {
    let mut layer = Bits::new();
    for round in 0..3u8 {
        let mut pool = Pool::new();
        let (a, b) = (pool.read(1, round as u32, 1), pool.read(1, 9, 1));
        let sum = pool.binary(Op::Add, a, b);
        let goal = pool.eq_const(sum, 100 + round as u128);
        for value in [3u8, 90, 255] {
            let mut hint = Input::new();
            hint.set_bytes(1, vec![value; 10]);
            let Answer::Sat(changes) = solve(&mut layer, &mut pool, &[goal], &hint) else { panic!("satisfiable") };
            assert_eq!(pool.eval(goal, &changed(&hint, &changes)), 1);
        }
        layer.forget();
    }
}

#[test]
fn floats_are_left_to_others() {
    let mut pool = Pool::new();
    let (a, b) = (pool.read(1, 0, 8), pool.read(1, 8, 8));
    let sum = pool.binary(Op::FAdd, a, b);
    let less = pool.binary(Op::FOlt, a, sum);
    let byte = pool.read(1, 20, 1);
    let easy = pool.eq_const(byte, 5);
    let goal = pool.binary(Op::And, less, easy);
    let mut layer = Bits::new();
    assert_eq!(solve(&mut layer, &mut pool, &[goal], &Input::new()), Answer::Unknown(Why::NotMine));
    assert!(matches!(solve(&mut layer, &mut pool, &[easy], &Input::new()), Answer::Sat(_)));
}

/// Quotients of quotients, each of tens of thousands of gates.
#[test]
fn what_is_too_big_is_refused() {
    let mut pool = Pool::new();
    let byte = pool.read(1, 0, 1);
    let easy = pool.eq_const(byte, 5);
    let mut term = pool.read(1, 0, 16);
    for at in 1..200 {
        let other = pool.read(1, at * 16, 16);
        term = pool.binary(Op::UDiv, other, term);
    }
    let goal = pool.eq_const(term, 77);
    let mut layer = Bits::new();
    assert_eq!(solve(&mut layer, &mut pool, &[goal], &Input::new()), Answer::Unknown(Why::Limit));
    assert!(matches!(solve(&mut layer, &mut pool, &[easy], &Input::new()), Answer::Sat(_)));
}

/// The product of two primes of 32 bits each, which is far too hard for what is given.
#[test]
fn a_hard_problem_ends() {
    let mut pool = Pool::new();
    let (a, b) = (pool.read(1, 0, 4), pool.read(1, 4, 4));
    let (x, y) = (pool.zext(a, 64), pool.zext(b, 64));
    let product = pool.binary(Op::Mul, x, y);
    let goal = pool.eq_const(product, 4_294_967_291 * 4_294_967_279);
    let mut hint = Input::new();
    hint.set_bytes(1, vec![1; 8]);
    let short = Limits { time: Duration::from_millis(100) };
    for (mut layer, limits) in [(Bits::new(), short), (Bits::with_conflicts(100), LIMITS)] {
        let answer = layer.solve(&mut Problem { pool: &mut pool, terms: &[goal], hint: &hint, limits });
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
