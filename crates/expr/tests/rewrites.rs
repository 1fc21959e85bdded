//! Every rewrite keeps the value, and every rewrite is tried.

mod common;

use common::{Menu, as_trace, cook, input, recipe, transfer};
use offshoot_expr::rules::RULES;
use offshoot_expr::{Evaluator, Import, Input, Pool, Tape, TraceView};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use std::cell::RefCell;

const MENU: Menu = Menu { floats: true, tables: true };

fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

fn check(recipe: &[common::Step], inputs: &[Input], pool: &mut Pool) -> Result<(), TestCaseError> {
    let raw = cook(recipe, MENU);
    let map = transfer(&raw.pool, &raw.terms, pool);
    let rewritten: Vec<_> = raw.terms.iter().map(|id| map[id]).collect();
    let (mut before, mut after) = (Tape::new(&raw.pool, &raw.terms), Tape::new(pool, &rewritten));
    for input in inputs {
        let (x, y) = (before.run(input).collect::<Vec<_>>(), after.run(input).collect::<Vec<_>>());
        for at in 0..x.len() {
            let terms = || (raw.pool.get(raw.terms[at]), pool.get(rewritten[at]));
            prop_assert_eq!(x[at], y[at], "{:?}", terms());
        }
    }
    Ok(())
}

#[test]
fn rewrites_keep_values_and_every_rule_fires() {
    let fired = RefCell::new(vec![0; RULES.len()]);
    let strategy = (recipe(40), proptest::collection::vec(input(), 3));
    let result = runner(2500).run(&strategy, |(recipe, inputs)| {
        let mut pool = Pool::new();
        let result = check(&recipe, &inputs, &mut pool);
        for (total, (_, count)) in fired.borrow_mut().iter_mut().zip(pool.rewrites()) {
            *total += count;
        }
        result
    });
    result.unwrap();
    let idle: Vec<_> = RULES.iter().zip(fired.borrow().iter()).filter(|(_, n)| **n == 0).map(|(r, _)| r.name).collect();
    assert!(idle.is_empty(), "rules that no random term reaches: {idle:?}");
}

#[test]
fn rewriting_is_idempotent() {
    runner(300)
        .run(&recipe(40), |recipe| {
            let raw = cook(&recipe, MENU);
            let mut pool = Pool::new();
            let map = transfer(&raw.pool, &raw.terms, &mut pool);
            let roots: Vec<_> = raw.terms.iter().map(|id| map[id]).collect();
            let before = pool.len();
            for &root in &roots {
                prop_assert_eq!(pool.substitute(root, |_| None), root);
            }
            prop_assert_eq!(before, pool.len());
            let mut other = Pool::new();
            let again = transfer(&pool, &roots, &mut other);
            for &root in &roots {
                prop_assert_eq!(pool.get(root).op(), other.get(again[&root]).op());
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn the_trace_evaluator_import_and_tape_agree() {
    runner(600)
        .run(&(recipe(30), input()), |(recipe, input)| {
            let raw = cook(&recipe, MENU);
            let (trace, nodes) = as_trace(&raw.pool, &raw.terms, &input);
            let bytes = trace.finish();
            let view = TraceView::new(&bytes).unwrap();
            prop_assert_eq!(Input::of(&view).read(1, 0, 16), input.read(1, 0, 16));
            let evaluator = Evaluator::new(view);
            let values = evaluator.all(&input);
            prop_assert!(values.damaged().is_empty(), "{:?}", values.damaged());
            let (mut pool, mut import) = (Pool::new(), Import::new(view));
            let expected: Vec<_> = Tape::new(&raw.pool, &raw.terms).run(&input).collect();
            for (&id, &expected) in raw.terms.iter().zip(&expected) {
                prop_assert_eq!(values.get(nodes[&id]), expected);
                prop_assert_eq!(evaluator.one(nodes[&id], &input), Ok(expected));
                let term = import.term(&mut pool, nodes[&id]).unwrap();
                prop_assert_eq!(pool.eval(term, &input), expected);
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn only_the_support_matters_and_substituting_a_byte_is_setting_it() {
    runner(500)
        .run(&(recipe(30), input(), input()), |(recipe, input, other)| {
            let raw = cook(&recipe, MENU);
            let mut pool = Pool::new();
            let map = transfer(&raw.pool, &raw.terms, &mut pool);
            let Some(root) = raw.terms.last().map(|id| map[id]) else { return Ok(()) };
            let support = pool.support(root);
            let mut mixed = other.clone();
            for (source, offset) in support.bytes() {
                mixed.set(source, offset, input.get(source, offset));
            }
            let value = pool.eval(root, &input);
            prop_assert_eq!(pool.eval(root, &mixed), value);
            let reads: Vec<_> = pool
                .cone(&[root])
                .into_iter()
                .filter_map(|id| match pool.get(id) {
                    offshoot_expr::Term::Read { source, offset, bytes } => {
                        Some((id, input.read(source, offset, bytes)))
                    }
                    _ => None,
                })
                .collect();
            let fixed: Vec<_> = reads.iter().map(|&(id, value)| (id, pool.constant(value, pool.width(id)))).collect();
            let folded = pool.substitute(root, |id| fixed.iter().find(|f| f.0 == id).map(|f| f.1));
            prop_assert_eq!(pool.value(folded), Some(value));
            Ok(())
        })
        .unwrap();
}
