//! Terms as functions of a byte, against the evaluator: at a desk where other paths have left their forms.

use super::*;
use offshoot_expr::Tape;
use offshoot_trace::Op;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use terms::{Menu, cook, input, recipe, transfer};

#[path = "../../../expr/tests/common/mod.rs"]
mod terms;

fn by_evaluation(pool: &Pool, root: TermId, hint: &Input, (source, offset): (u32, u32)) -> Domain {
    let (mut tape, mut input) = (Tape::new(pool, &[root]), hint.clone());
    Domain::of(|value| {
        input.set(source, offset, value);
        tape.run(&input).all(|value| value == 1)
    })
}

#[test]
fn domains_are_those_of_the_evaluator_whatever_was_asked_before() {
    let mut runner = TestRunner::deterministic();
    let (mut desk, mut compared, mut known) = (Desk::default(), 0, 0);
    for _ in 0..80 {
        let recipe = recipe(24).new_tree(&mut runner).expect("a recipe").current();
        let hint = input().new_tree(&mut runner).expect("an input").current();
        let raw = cook(&recipe, Menu { floats: false, tables: true });
        let mut pool = Pool::new();
        let map = transfer(&raw.pool, &raw.terms, &mut pool);
        let mut ground = Ground::new(&hint);
        ground.sit_down(desk, false);
        for id in &raw.terms {
            let value = pool.eval(map[id], &hint);
            let root = pool.eq_const(map[id], value);
            let bytes: Vec<(u32, u32)> = pool.support(root).bytes().take(3).collect();
            for byte in bytes {
                let expected = by_evaluation(&pool, root, &hint, byte);
                let is_known = ground.name(&pool, root, byte).is_some_and(|name| ground.desk.forms.get(name).is_some());
                known += is_known as usize;
                // What was just computed must be found again.
                for _ in 0..2 {
                    let found = ground.lanes(&pool, root, byte);
                    assert!(found.is_none_or(|domain| domain == expected), "{found:?} is not {expected:?}");
                    compared += found.is_some() as usize;
                }
            }
        }
        desk = ground.leave();
    }
    assert!(compared > 1000 && known > 20, "{compared} domains, {known} of them known by their form");
}

/// `digit(byte) == value` with a byte, a value beside it, and a table.
fn conditions(pool: &mut Pool, at: u32, beside: u32, table: &[u8; 16], value: u128) -> Vec<TermId> {
    let cells: Vec<TermId> = table.iter().map(|&byte| pool.constant(byte as u128, 8)).collect();
    let table = pool.table(&cells);
    let (byte, other) = (pool.read(1, at, 1), pool.read(1, beside, 1));
    let index = pool.zext(byte, 64);
    let entry = pool.select(table, index, 1);
    let sum = pool.binary(Op::Add, byte, other);
    let wide = pool.read(1, at, 2);
    let all = [byte, entry, sum, wide].map(|term| pool.eq_const(term, value));
    for term in all {
        pool.support_id(term);
    }
    all.to_vec()
}

#[test]
fn equal_forms_are_equal_functions_and_no_others() {
    let mut hint = Input::new();
    hint.set_bytes(1, vec![1, 9, 9, 1, 9, 7]);
    let names = |at, beside, table: [u8; 16], value| {
        let mut pool = Pool::new();
        let terms = conditions(&mut pool, at, beside, &table, value);
        let mut ground = Ground::new(&hint);
        terms.into_iter().map(|term| ground.name(&pool, term, (1, at)).expect("constant tables")).collect::<Vec<_>>()
    };
    let squares = std::array::from_fn(|at| (at * at) as u8);
    let first = names(0, 1, squares, 4);
    // Another byte that has the same beside it.
    assert_eq!(first, names(3, 4, squares, 4));
    let differs = |other: Vec<u128>| first.iter().zip(&other).map(|(a, b)| a != b).collect::<Vec<_>>();
    assert_eq!(differs(names(0, 1, squares, 5)), [true; 4]);
    assert_eq!(differs(names(0, 1, [4; 16], 4)), [false, true, false, false]);
    assert_eq!(differs(names(0, 5, squares, 4)), [false, false, true, false]);
    assert_eq!(differs(names(4, 1, squares, 4)), [false, false, false, true]);
}
