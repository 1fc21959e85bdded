//! What the papers walk through (`tests/walkthroughs/`), and what they say their strategies make of it.

use crate::place::{Explored, Place, root};

/// Choices that a strategy leaves to chance are averaged over these.
const SEEDS: [&str; 8] = ["0", "1", "2", "3", "4", "5", "6", "7"];

/// One campaign for each random seed, each until all is covered.
fn cover(program: &str, strategy: &str) -> Vec<Explored> {
    let place = Place::new(&format!("walkthroughs/{program}/{strategy}"));
    place.build(&root().join(format!("tests/walkthroughs/{program}.c")));
    let budget = ["--until-covered", "--iterations", "2000", "--time", "600s", "--strategy", strategy, "--rng-seed"];
    let explore = |seed| {
        let explored = place.explore_into(&format!("out{seed}"), &[&budget[..], &[seed]].concat());
        assert!(explored.is_all_covered(), "{program}, {strategy}, seed {seed}: {}", explored.stats);
        explored
    };
    SEEDS.into_iter().map(explore).collect()
}

fn iterations(campaigns: &[Explored]) -> u64 {
    campaigns.iter().map(|campaign| campaign.count("iterations")).sum()
}

fn queries(campaigns: &[Explored]) -> u64 {
    campaigns.iter().map(Explored::queries).sum()
}

/// SERE'14 section II: four tests for eight branches.
#[test]
fn pps_sorts_in_four_tests() {
    for campaign in cover("bubble", "pps") {
        assert_eq!(campaign.count("coverage.branch.total"), 8);
        assert_eq!((campaign.count("tests"), campaign.count("iterations")), (4, 4));
    }
}

/// SERE'14 section V-D: pps wanders, fitness knows the way; in turn they need a third of what pps needs there.
#[test]
fn fitness_counts_the_turns_of_a_loop() {
    let [pps, fitness, both] = ["pps", "fitness", "interleave(pps,fitness)"].map(|strategy| cover("loop", strategy));
    // The seed, the way in, and one run for each step of the counter: nothing in vain.
    assert!(fitness.iter().all(|campaign| campaign.count("iterations") == 6), "{}", iterations(&fitness));
    assert!(iterations(&both) * 2 < iterations(&pps), "{} and {}", iterations(&both), iterations(&pps));
}

/// FSE'14 section 1: the second condition decides, so cgs does not ask on both sides of the first.
#[test]
fn contexts_save_solver_calls() {
    let [cgs, bfs] = ["cgs", "bfs"].map(|strategy| cover("three_conditionals", strategy));
    assert!(cgs.iter().zip(&bfs).all(|(cgs, bfs)| cgs.queries() <= bfs.queries()));
    assert!(queries(&cgs) < queries(&bfs), "{} and {}", queries(&cgs), queries(&bfs));
}

/// FSE'14 section 3.3: without the dominators a 2-context tells the ways to the innermost condition apart; with them none
/// does, and it is a matter of luck.
#[test]
fn dominators_say_nothing() {
    let [without, with] = ["cgs", "cgs:dominators=keep"].map(|strategy| cover("deep_nest", strategy));
    let worst = |campaigns: &[Explored]| campaigns.iter().map(Explored::queries).max();
    assert!(worst(&without) < worst(&with), "{:?} and {:?}", worst(&without), worst(&with));
    assert!(queries(&without) < queries(&with), "{} and {}", queries(&without), queries(&with));
}
