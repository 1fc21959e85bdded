//! What strategies and tree cost on a large campaign: runs of 5,000 new symbolic steps each, made up.
//!
//! `cargo run --release -p offshoot-search --example scale -- [RUNS] [STRATEGY…]` prints, for each strategy, the time
//! of `next` (median, 99th percentile, mean), of `observe` and of the insertion (medians), and the bytes of the tree.

use offshoot_base::Rng;
use offshoot_search::strategy::{NAMES, parse};
use offshoot_search::{Candidate, GoalId, Inserted, Knowledge, Options, Relevance, RunId, Site, Step, Tree, Verdict};
use std::time::{Duration, Instant};

const SITES: u32 = 4_000;
const STEPS: u32 = 5_000;
const QUERIES: u32 = 2_000;

/// One in eight goals is open, and some queries cover one.
struct Made {
    covered: Vec<bool>,
    count: u32,
}

impl Knowledge for Made {
    fn outcomes(&self, site: Site) -> u32 {
        if site.0.is_multiple_of(50) { 6 } else { 2 }
    }
    fn goal(&self, site: Site, outcome: u32) -> Option<GoalId> {
        (!site.0.is_multiple_of(10)).then_some(GoalId(site.0 * 2 + outcome % 2))
    }
    fn goals(&self) -> u32 {
        2 * SITES
    }
    fn is_covered(&self, goal: GoalId) -> bool {
        self.covered[goal.0 as usize]
    }
    fn covered(&self) -> u32 {
        self.count
    }
    fn distance(&self, goal: GoalId) -> Option<u32> {
        if self.is_covered(goal) { Some(1 + goal.0 % 30).filter(|&distance| distance < 25) } else { Some(0) }
    }
    fn dominates(&self, a: GoalId, b: GoalId) -> bool {
        a.0 / 16 == b.0 / 16 && a.0 < b.0
    }
    fn weight(&self, goal: GoalId) -> u32 {
        goal.0 % 20
    }
    fn potential(&self, goal: GoalId, levels: u32) -> u32 {
        u32::from(!self.is_covered(goal)) + (goal.0 % 20).min(levels)
    }
    fn relevance(&self, site: Site, outcome: u32) -> Relevance {
        match self.goal(site, outcome) {
            Some(goal) if !self.is_covered(goal) => Relevance::Must,
            Some(goal) if self.distance(goal).is_none() => Relevance::Irrelevant,
            _ => Relevance::May,
        }
    }
}

/// A path with `fork` steps of another one, then a walk through the program that goes mostly on and sometimes far away.
fn path(rng: &mut Rng, mut steps: Vec<Step>) -> Vec<Step> {
    let mut site = steps.last().map_or(0, |step| step.site.0);
    for _ in 0..STEPS {
        // Every site leads to few others, as in a program.
        let next = if rng.below(20) == 0 { site * 13 + 7 } else { site + 1 + rng.below(3) as u32 };
        site = next % SITES;
        for near in 0..rng.below(3) as u32 {
            steps.push(Step { site: Site((site + near) % SITES), outcome: near % 2, symbolic: false });
        }
        steps.push(Step { site: Site(site), outcome: rng.below(2) as u32, symbolic: true });
    }
    steps
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let runs: u32 = arguments.next().and_then(|runs| runs.parse().ok()).unwrap_or(2_000);
    let mut specs: Vec<String> = arguments.collect();
    if specs.is_empty() {
        let names = NAMES.iter().map(|named| named.name.to_owned());
        specs = names.filter(|name| name != "interleave").collect();
    }
    for spec in specs {
        match parse(&spec, 1) {
            Ok(mut strategy) => measure(&mut *strategy, runs),
            Err(error) => eprintln!("{error}"),
        }
    }
}

fn measure(strategy: &mut dyn offshoot_search::Strategy, runs: u32) {
    let mut rng = Rng::new(1);
    let covered: Vec<bool> = (0..2 * SITES).map(|goal| !goal.is_multiple_of(8)).collect();
    let mut knowledge = Made { count: covered.iter().filter(|covered| **covered).count() as u32, covered };
    let mut tree = Tree::new(Options::default().keep_concrete(true));
    let (mut insert, mut observe, mut next) = (Times::default(), Times::default(), Times::default());
    let mut add =
        |tree: &mut Tree, strategy: &mut dyn offshoot_search::Strategy, knowledge: &Made, from: Option<Candidate>| {
            let mut steps = Vec::new();
            if let Some(Candidate { run, depth, outcome }) = from {
                steps.extend(tree.steps(run).take(depth as usize + 1));
                steps.last_mut().expect("a step to flip").outcome = outcome;
            }
            let steps = path(&mut rng, steps);
            let start = Instant::now();
            let inserted = tree.insert(&steps, from);
            insert.0.push(start.elapsed());
            let Inserted::New { run, .. } = inserted else { return None };
            let start = Instant::now();
            strategy.observe(tree, knowledge, run, from);
            observe.0.push(start.elapsed());
            Some(run)
        };
    add(&mut tree, strategy, &knowledge, None);
    for run in 1..runs {
        // Fork anywhere, so that there are deep families and shallow ones.
        let mut draw = Rng::new(run.into());
        let parent = RunId(draw.below(run.into()) as u32);
        let depth = tree.bound(parent) + draw.below((tree.depth(parent) - tree.bound(parent)).min(200).into()) as u32;
        let open = tree.open_at(&knowledge, parent, depth).next();
        if let Some(candidate) = open {
            let made = add(&mut tree, strategy, &knowledge, Some(candidate));
            tree.judge(candidate, Verdict::Run(made.unwrap_or(RunId(0))));
        }
    }
    for query in 0..QUERIES {
        let start = Instant::now();
        let candidate = strategy.next(&tree, &knowledge);
        next.0.push(start.elapsed());
        let Some(candidate) = candidate else { break };
        let mut gain = 0;
        let verdict = if query % 10 == 0 {
            if let Some(open) = knowledge.covered.iter().position(|covered| !covered).filter(|_| query % 50 == 0) {
                knowledge.covered[open] = true;
                knowledge.count += 1;
                gain = 1;
            }
            add(&mut tree, strategy, &knowledge, Some(candidate)).map_or(Verdict::Diverged, Verdict::Run)
        } else {
            Verdict::Unsat
        };
        tree.judge(candidate, verdict);
        strategy.judged(&tree, candidate, verdict, gain);
    }
    let statistics = tree.statistics();
    println!(
        "{:16} next {:7.1} {:8.1} {:7.1} us, observe {:7.1} us, insert {:7.1} us; {} runs, {} steps, {} MiB, {:.2} bytes a step",
        strategy.name(),
        next.at(0.5),
        next.at(0.99),
        next.mean(),
        observe.at(0.5),
        insert.at(0.5),
        statistics.runs,
        statistics.steps,
        tree.memory() >> 20,
        tree.memory() as f64 / statistics.steps as f64,
    );
}

#[derive(Default)]
struct Times(Vec<Duration>);

impl Times {
    fn at(&mut self, share: f64) -> f64 {
        self.0.sort_unstable();
        let index = (self.0.len() as f64 * share) as usize;
        self.0.get(index).map_or(0.0, |time| time.as_secs_f64() * 1e6)
    }

    fn mean(&self) -> f64 {
        self.0.iter().sum::<Duration>().as_secs_f64() * 1e6 / self.0.len() as f64
    }
}
