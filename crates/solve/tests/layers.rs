//! Each layer alone, on random problems: a `Sat` satisfies, an `Unsat` is one.

mod common;

use common::terms::{Menu, input, recipe};
use common::{changed, enumerate, random, satisfies, z3};
use offshoot_solve::domains::Domains;
use offshoot_solve::invert::Invert;
use offshoot_solve::local::Local;
use offshoot_solve::values::ValueSets;
use offshoot_solve::{Answer, Cache, Layer, Limits, Problem};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

#[derive(Default, Debug)]
struct Seen {
    sat: usize,
    unsat: usize,
    judged: usize,
    unknown: usize,
}

/// Problems of a few conditions each; the layer's answers are held against the oracles.
fn check(mut layer: impl Layer, menu: Menu, cases: usize, most: usize) -> Seen {
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let mut seen = Seen::default();
    for case in 0..cases {
        let recipe = recipe(24).new_tree(&mut runner).expect("a recipe").current();
        let input = input().new_tree(&mut runner).expect("an input").current();
        let mut random = random(&recipe, menu, input);
        for at in 0..random.holds.len() {
            let mut terms = random.holds[at.saturating_sub(case % most)..at].to_vec();
            terms.retain(|&term| term != random.holds[at]);
            terms.push(random.pool.not(random.holds[at]));
            let hint = &random.input;
            let mut problem = Problem { pool: &mut random.pool, terms: &terms, hint, limits: Limits::default() };
            match layer.solve(&mut problem) {
                Answer::Sat(changes) => {
                    seen.sat += 1;
                    let input = changed(&random.input, &changes);
                    assert!(satisfies(&random.pool, &terms, &input), "case {case}, {at}: {changes:?}");
                    assert!(changes.is_sorted(), "case {case}, {at}: {changes:?}");
                }
                Answer::Unsat => {
                    seen.unsat += 1;
                    let oracle = match enumerate(&mut random.pool, &terms, &random.input) {
                        None if menu.floats => None,
                        None => z3(&random.pool, &terms),
                        known => known,
                    };
                    seen.judged += oracle.is_some() as usize;
                    assert_ne!(oracle, Some(true), "case {case}, {at}: not unsat");
                }
                Answer::Unknown(_) => seen.unknown += 1,
            }
        }
        layer.forget();
    }
    seen
}

const PLAIN: Menu = Menu { floats: false, tables: true };
const FLOATS: Menu = Menu { floats: true, tables: true };

#[test]
fn domains() {
    let seen = check(Domains, PLAIN, 25, 3);
    assert!(seen.sat > 50 && seen.unsat > 3 && seen.judged > 3, "{seen:?}");
    check(Domains, FLOATS, 20, 3);
}

#[test]
fn invert() {
    let seen = check(Invert, PLAIN, 150, 4);
    assert!(seen.sat > 500 && seen.unsat == 0, "{seen:?}");
    check(Invert, FLOATS, 150, 4);
}

#[test]
fn local() {
    let seen = check(Local::default(), PLAIN, 60, 4);
    assert!(seen.sat > 200 && seen.unsat == 0, "{seen:?}");
    check(Local::default(), FLOATS, 60, 4);
}

#[test]
fn values() {
    let seen = check(ValueSets, PLAIN, 120, 6);
    assert!(seen.unsat > 10 && seen.judged > 5, "{seen:?}");
    check(ValueSets, FLOATS, 60, 6);
}

/// The cache with the exact search behind it, asked about the same problems twice, elsewhere in the input.
#[test]
fn a_cache_answers_as_whoever_filled_it() {
    struct Both(Cache, Domains);
    impl Layer for Both {
        fn name(&self) -> &'static str {
            "both"
        }
        fn solve(&mut self, problem: &mut Problem<'_>) -> Answer {
            match self.0.solve(problem) {
                Answer::Unknown(_) => {
                    let answer = self.1.solve(problem);
                    self.0.learn(problem, &answer);
                    answer
                }
                answer => answer,
            }
        }
    }
    let seen = check(Both(Cache::new(1000), Domains), PLAIN, 50, 3);
    assert!(seen.unsat > 8, "{seen:?}");
}
