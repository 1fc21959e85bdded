//! Strategies on toy programs whose feasible paths are known.

mod support;

use offshoot_base::Rng;
use offshoot_search::strategy::{NAMES, parse};
use offshoot_search::{Candidate, Knowledge};
use proptest::prelude::*;
use support::generate;
use support::knowledge::Toy;
use support::play::Game;
use support::program::{Input, Oracle, Program};

/// All names, and options that change what a strategy does.
fn specs() -> Vec<&'static str> {
    let variants = ["dfs:depth=1000", "cgs:k=3", "cgs:dominators=keep", "interleave(cgs,random-path)"];
    let names = NAMES.iter().map(|named| named.name).filter(|&name| name != "interleave");
    names.chain(variants).collect()
}

fn random_input(program: &Program, rng: &mut Rng) -> Input {
    (0..program.inputs).map(|_| rng.below(program.domain.into()) as u8).collect()
}

/// Plays to the end and returns what was proposed.
fn play(spec: &str, program: &Program, oracle: &Oracle, seeds: u32, rng_seed: u64) -> Vec<Candidate> {
    let mut rng = Rng::new(rng_seed);
    let mut strategy = parse(spec, rng_seed).expect("a valid specification");
    let mut game = Game::new(program, oracle);
    for _ in 0..seeds {
        game.seed(&mut *strategy, &random_input(program, &mut rng));
    }
    game.exhaust(&mut *strategy);
    // All that can be covered is: the paths are all there.
    assert_eq!(game.toy.covered(), coverable(program), "{spec}");
    game.proposed
}

fn coverable(program: &Program) -> u32 {
    let mut all = Toy::new(program);
    for input in program.all_inputs() {
        all.cover(&program.run(&input));
    }
    all.covered()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn every_strategy_tries_every_candidate_once(program_seed: u64, rng_seed: u64, seeds in 1..4u32) {
        let program = generate::random(program_seed);
        let oracle = Oracle::new(&program);
        for spec in specs() {
            let first = play(spec, &program, &oracle, seeds, rng_seed);
            let again = play(spec, &program, &oracle, seeds, rng_seed);
            prop_assert_eq!(first, again, "{} is not deterministic", spec);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    /// Several workers: a candidate that somebody is at work on is not proposed, and what comes of it is not missed.
    #[test]
    fn claims_keep_workers_apart(program_seed: u64, rng_seed: u64, width in 2..6usize) {
        let program = generate::random(program_seed);
        let oracle = Oracle::new(&program);
        for spec in specs() {
            let mut strategy = parse(spec, rng_seed).expect("a valid specification");
            let mut game = Game::new(&program, &oracle);
            game.seed(&mut *strategy, &random_input(&program, &mut Rng::new(rng_seed)));
            game.exhaust_together(&mut *strategy, width);
        }
    }
}

/// Queries until everything is covered, over several seeds of the generator, sorted: the middle one is the median.
fn queries(spec: &str, program: &Program, first: &Input) -> Vec<usize> {
    let oracle = Oracle::new(program);
    let mut counts: Vec<usize> = (0..25)
        .map(|rng_seed| {
            let mut strategy = parse(spec, rng_seed).expect("a valid specification");
            let mut game = Game::new(program, &oracle);
            game.seed(&mut *strategy, first);
            game.exhaust(&mut *strategy);
            game.queries_to(game.toy.covered())
        })
        .collect();
    counts.sort_unstable();
    counts
}

/// FSE'14 section 1: a new context for the last conditional is worth more than one more path to it.
#[test]
fn contexts_find_the_dependent_branch_sooner() {
    let program = generate::three_conditionals(3);
    let (cgs, bfs) = (queries("cgs", &program, &vec![0; 4]), queries("bfs", &program, &vec![0; 4]));
    assert!(cgs[24] < bfs[0], "cgs {cgs:?}, bfs {bfs:?}");
}

/// FSE'14 section 3.3, figure 5: branches that every path to the decision takes say nothing about it.
#[test]
fn dominators_are_no_context() {
    let program = generate::deep_nest(6, 3);
    let first = vec![0; 5];
    let (without, with) = (queries("cgs", &program, &first), queries("cgs:dominators=keep", &program, &first));
    let total = |counts: &[usize]| counts.iter().sum::<usize>();
    assert!(total(&without) < total(&with), "without dominators {without:?}, with them {with:?}");
}

/// SERE'14 section V: only a number of turns brings the goal nearer, and only the distance tells so.
#[test]
fn fitness_counts_up() {
    let program = generate::counted(7, 6);
    let total = |spec: &str| queries(spec, &program, &vec![0; 7]).iter().sum::<usize>();
    assert!(total("fitness") < total("random-state"));
    assert!(total("interleave(pps,fitness)") < total("pps"));
}

/// Goals that can be covered and are not, summed over the queries: small is good, early and in the end.
fn area(spec: &str, program: &Program, oracle: &Oracle, feasible: u32, rng_seed: u64) -> u64 {
    let mut rng = Rng::new(rng_seed);
    let mut strategy = parse(spec, rng_seed).expect("a valid specification");
    let mut game = Game::new(program, oracle);
    for _ in 0..3 {
        game.seed(&mut *strategy, &random_input(program, &mut rng));
    }
    let mut area = 0;
    for _ in 0..400 {
        game.turn(&mut *strategy);
        area += u64::from(feasible - game.toy.covered());
    }
    area
}

/// The price of not knowing which strategy is the right one.
#[test]
fn auto_is_close_to_the_best() {
    let programs: Vec<(Program, Oracle, u32)> = (0..20)
        .map(|seed| {
            let program = generate::large(seed);
            let oracle = Oracle::new(&program);
            let feasible = coverable(&program);
            (program, oracle, feasible)
        })
        .collect();
    let total = |spec: &str| -> u64 {
        let numbered = (0..).zip(&programs);
        numbered.map(|(seed, (program, oracle, feasible))| area(spec, program, oracle, *feasible, seed)).sum()
    };
    let mut areas: Vec<(u64, &str)> = specs().into_iter().map(|spec| (total(spec), spec)).collect();
    areas.sort_unstable();
    let auto = areas.iter().find(|(_, spec)| *spec == "auto").map_or(0, |(area, _)| *area);
    assert!(auto * 100 < areas[0].0 * 115, "{areas:?}");
}
