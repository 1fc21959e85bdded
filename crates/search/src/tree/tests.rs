use super::*;
use crate::types::Site;
use proptest::prelude::*;

/// `a` to `z` are sites, `0` to `9` the outcome that follows; upper case is concrete.
fn path(text: &str) -> Vec<Step> {
    let letters: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let step = |pair: &[char]| Step {
        site: Site(pair[0].to_ascii_lowercase() as u32),
        outcome: pair[1].to_digit(10).expect("an outcome"),
        symbolic: pair[0].is_ascii_lowercase(),
    };
    letters.chunks(2).map(step).collect()
}

fn candidate(run: u32, depth: u32, outcome: u32) -> Candidate {
    Candidate { run: RunId(run), depth, outcome }
}

fn new(run: u32, shared: u32) -> Inserted {
    Inserted::New { run: RunId(run), shared }
}

#[test]
fn prefixes_are_shared_and_nodes_have_one_owner() {
    let mut tree = Tree::new(Options::default());
    assert_eq!(tree.insert(&path("a0 b0 c0 d0"), None), new(0, 0));
    assert_eq!(tree.insert(&path("a0 b1 c0 d0"), Some(candidate(0, 1, 1))), new(1, 1));
    assert_eq!(tree.insert(&path("a0 b1 c0 d1"), Some(candidate(1, 3, 1))), new(2, 3));
    assert_eq!((tree.bound(RunId(0)), tree.bound(RunId(1)), tree.bound(RunId(2))), (0, 2, 4));
    assert_eq!(tree.steps(RunId(2)).collect::<Vec<_>>(), path("a0 b1 c0 d1"));
    assert_eq!(tree.canonical(candidate(2, 2, 1)), Some(candidate(1, 2, 1)));
    assert_eq!(tree.canonical(candidate(2, 1, 0)), Some(candidate(0, 1, 0)));
    assert!(!tree.is_open(candidate(2, 1, 0)), "run 0 went there");
    assert_eq!(tree.child(candidate(0, 1, 1)), Some(RunId(1)));
    tree.judge(candidate(2, 0, 1), Verdict::Unsat);
    assert!((0..3).all(|run| !tree.is_open(candidate(run, 0, 1))), "a verdict holds for all runs through the node");
    assert_eq!(tree.verdict(candidate(1, 0, 1)), Some(Verdict::Unsat));
    assert!(tree.is_open(candidate(1, 2, 1)) && tree.is_open(candidate(2, 2, 1)));
}

#[test]
fn a_path_that_is_there_is_known() {
    let mut tree = Tree::new(Options::default());
    tree.insert(&path("a0 b0 c0"), None);
    assert_eq!(tree.insert(&path("a0 Z1 b0 c0"), None), Inserted::Known { run: RunId(0) });
    assert_eq!(tree.insert(&path("a0 b0"), None), Inserted::Known { run: RunId(0) });
    assert_eq!(tree.runs(), 1);
}

#[test]
fn divergence_is_found_where_it_happens() {
    let mut tree = Tree::new(Options::default());
    tree.insert(&path("a0 b0 c0"), None);
    let diverged = |at, expected: &str, found: Option<&str>| Inserted::Diverged {
        at,
        expected: path(expected)[0],
        found: found.map(|found| path(found)[0]),
    };
    let from = Some(candidate(0, 2, 1));
    assert_eq!(tree.insert(&path("a1 b0 c1"), from), diverged(0, "a0", Some("a1")));
    assert_eq!(tree.insert(&path("a0 x0 c1"), from), diverged(1, "b0", Some("x0")));
    assert_eq!(tree.insert(&path("a0 b0 c0"), from), diverged(2, "c1", Some("c0")));
    assert_eq!(tree.insert(&path("a0 b0"), from), diverged(2, "c1", None));
    assert_eq!((tree.runs(), tree.statistics().diverged_runs), (1, 4));
    assert!(tree.is_open(candidate(0, 2, 1)));
    tree.judge(candidate(0, 2, 1), Verdict::Diverged);
    assert!(!tree.is_open(candidate(0, 2, 1)));
}

#[test]
fn seeds_may_disagree_on_the_site() {
    let mut tree = Tree::new(Options::default());
    assert_eq!(tree.insert(&[], None), new(0, 0));
    assert_eq!(tree.insert(&path("a0 b0"), None), new(1, 0));
    assert_eq!(tree.insert(&path("x0 y0"), None), new(2, 0));
    assert_eq!(tree.insert(&path("x1 y0"), None), new(3, 0));
    assert_eq!(tree.insert(&path("a0 b0 c0"), None), new(4, 2));
    assert_eq!(tree.insert(&path("x1 y0"), None), Inserted::Known { run: RunId(3) });
    assert_eq!([1, 2, 3, 4].map(|run| tree.bound(RunId(run))), [0, 0, 1, 2]);
    assert!(tree.is_open(candidate(1, 0, 1)));
    assert!(!tree.is_open(candidate(2, 0, 1)), "run 3 went there");
    assert_eq!(tree.steps(RunId(4)).collect::<Vec<_>>(), path("a0 b0 c0"));
}

#[test]
fn a_claim_closes_until_the_run_comes() {
    let mut tree = Tree::new(Options::default());
    tree.insert(&path("a0 b0"), None);
    tree.claim(candidate(0, 1, 1));
    assert!(!tree.is_open(candidate(0, 1, 1)));
    assert_eq!(tree.verdict(candidate(0, 1, 1)), None);
    tree.insert(&path("a0 b1"), Some(candidate(0, 1, 1)));
    tree.judge(candidate(0, 1, 1), Verdict::Run(RunId(1)));
    assert_eq!(tree.verdict(candidate(0, 1, 1)), Some(Verdict::Run(RunId(1))));
}

#[test]
fn concrete_steps_are_kept_on_demand() {
    let text = "A0 B1 c0 D0 d1 e1 F0";
    let mut tree = Tree::new(Options::default().keep_concrete(true));
    tree.insert(&path(text), None);
    tree.insert(&path("A0 B1 c0 D0 d1 e0"), Some(candidate(0, 2, 0)));
    let back: Vec<Step> = tree.back(RunId(1), 2).collect();
    assert_eq!(back, path("e0 d1 D0 c0 B1 A0"));
    let mut plain = Tree::new(Options::default());
    plain.insert(&path(text), None);
    assert_eq!(plain.back(RunId(0), 1).collect::<Vec<_>>(), path("d1 c0"));
}

#[test]
fn old_tails_are_forgotten_and_remembered() {
    let budget = 60_000;
    let mut tree = Tree::new(Options::default().budget(budget));
    let run_path = |fork: usize| -> Vec<Step> {
        let step =
            |depth: usize| Step { site: Site(depth as u32 % 7), outcome: u32::from(depth == fork), symbolic: true };
        (0..5_000).map(step).collect()
    };
    tree.insert(&run_path(usize::MAX), None);
    for fork in 1..20u32 {
        let inserted = tree.insert(&run_path(fork as usize), Some(candidate(0, fork, 1)));
        assert_eq!(inserted, new(fork, fork));
        assert!(tree.memory() <= budget, "{} at run {fork}", tree.memory());
    }
    let statistics = tree.statistics();
    assert!(statistics.forgotten_steps > 0);
    let stored: u64 = (0..20).map(|run| u64::from(tree.depth(RunId(run)) - tree.runs[run as usize].fork)).sum();
    assert_eq!(statistics.steps, stored);
    assert_eq!(statistics.steps + statistics.forgotten_steps, (0..20).map(|fork| 5_000 - fork).sum::<u64>());
    // What is left of each is the beginning of its path.
    for run in 0..20u32 {
        let full = run_path(if run == 0 { usize::MAX } else { run as usize });
        let depth = tree.depth(RunId(run)) as usize;
        assert_eq!(tree.steps(RunId(run)).collect::<Vec<_>>(), full[..depth]);
        assert!(!tree.is_open(candidate(run, depth as u32, 1)));
    }
    let short = (0..20).find(|&run| tree.depth(RunId(run)) < 5_000).expect("a run that was cut");
    assert!(!tree.remember(RunId(short), &run_path(3_000)[..10]));
    assert!(tree.remember(RunId(short), &run_path(if short == 0 { usize::MAX } else { short as usize })));
    assert_eq!(tree.depth(RunId(short)), 5_000);
}

/// The figure that the whole design is for: a long path costs two bytes a step, concrete steps almost nothing more.
#[test]
fn bytes_a_step() {
    for keep_concrete in [false, true] {
        let mut tree = Tree::new(Options::default().keep_concrete(keep_concrete));
        let mut rng = offshoot_base::Rng::new(1);
        let mut symbolic = 0u64;
        for run in 0..200u32 {
            let mut steps = vec![Step { site: Site(9_999), outcome: run, symbolic: true }];
            for _ in 0..5_000 {
                let site = rng.below(2_000) as u32;
                steps.extend((1..4).map(|near| Step { site: Site(site + near), outcome: near % 2, symbolic: false }));
                steps.push(Step { site: Site(site), outcome: rng.below(2) as u32, symbolic: true });
            }
            symbolic += 5_001;
            assert!(matches!(tree.insert(&steps, None), Inserted::New { .. }));
        }
        let bytes = tree.memory() as f64 / symbolic as f64;
        assert!(bytes < 2.6, "{bytes} bytes a step with keep_concrete({keep_concrete})");
        assert_eq!(tree.statistics().steps, symbolic);
    }
}

#[test]
fn big_outcomes_and_big_alphabets() {
    let mut tree = Tree::new(Options::default());
    let steps: Vec<Step> =
        (0..100_000).map(|n| Step { site: Site(n * 31), outcome: u32::MAX - n, symbolic: true }).collect();
    tree.insert(&steps, None);
    assert_eq!(tree.steps(RunId(0)).collect::<Vec<_>>(), steps);
}

fn step() -> impl Strategy<Value = Step> {
    // The site depends on nothing: seeds of any kind.
    (0..3u32, 0..3u32, prop::bool::weighted(0.7)).prop_map(|(site, outcome, symbolic)| Step {
        site: Site(site),
        outcome,
        symbolic,
    })
}

proptest! {
    #[test]
    fn what_goes_in_comes_out(paths in prop::collection::vec(prop::collection::vec(step(), 0..12), 1..60)) {
        let mut tree = Tree::new(Options::default().keep_concrete(true));
        let mut inserted = Vec::new();
        for path in &paths {
            let symbolic: Vec<Step> = path.iter().copied().filter(|step| step.symbolic).collect();
            match tree.insert(path, None) {
                Inserted::New { run, .. } => {
                    let known = inserted.iter().any(|known: &Vec<Step>| known.starts_with(&symbolic));
                    prop_assert!(!known || inserted.is_empty());
                    prop_assert_eq!(run.0 as usize, inserted.len());
                    inserted.push(symbolic);
                }
                Inserted::Known { run } => prop_assert!(inserted[run.0 as usize].starts_with(&symbolic)),
                Inserted::Diverged { .. } => prop_assert!(false),
            }
        }
        for (run, path) in inserted.iter().enumerate() {
            let run = RunId(run as u32);
            prop_assert_eq!(&tree.steps(run).collect::<Vec<_>>(), path);
            prop_assert_eq!(tree.depth(run) as usize, path.len());
            for (depth, &step) in path.iter().enumerate() {
                prop_assert_eq!(tree.step(run, depth as u32), Some(step));
                prop_assert!(tree.steps_from(run, depth as u32).eq(path[depth..].iter().copied()));
                let back: Vec<Step> = tree.back(run, depth as u32).filter(|step| step.symbolic).collect();
                prop_assert!(back.iter().rev().eq(path[..=depth].iter()));
                // Open: nobody who came here the same way went there.
                for outcome in 0..3 {
                    let mut prefix = path[..depth].to_vec();
                    prefix.push(Step { outcome, ..step });
                    let taken = inserted.iter().any(|other| other.starts_with(&prefix));
                    let candidate = Candidate { run, depth: depth as u32, outcome };
                    prop_assert_eq!(tree.is_open(candidate), !taken);
                }
            }
        }
    }
}
