//! The path filter: by hand, and against every path there is.

#[path = "../../model/tests/common/mod.rs"]
mod common;
#[path = "filter/machine.rs"]
mod machine;

use common::{End, UID, function, goal, module};
use machine::Machine;
use offshoot_model::graph::{self, GoalSet};
use offshoot_model::{Graph, Linkage, Module};
use offshoot_search::structure::{Criterion, Part, branch, statement};
use offshoot_search::{
    Candidate, Filter, GoalId, Inserted, Knowledge, Options, Relevance, RunId, Site, Step, Structure, Tree, Verdict,
};
use proptest::prelude::*;

/// All there is to know is in the graph.
struct Known<'g> {
    graph: &'g Graph,
    structure: Structure<'g>,
}

impl<'g> Known<'g> {
    fn new(graph: &'g Graph) -> Known<'g> {
        Known { graph, structure: Structure::new(graph, Box::new(branch(Part::all(graph)))) }
    }
}

impl Knowledge for Known<'_> {
    fn outcomes(&self, site: Site) -> u32 {
        self.graph.outcomes(graph::SiteId(site.0))
    }
    fn goal(&self, site: Site, outcome: u32) -> Option<GoalId> {
        self.graph.goal(graph::SiteId(site.0), outcome).map(|goal| GoalId(goal.0))
    }
    fn goals(&self) -> u32 {
        self.graph.outcomes_of_all().len() as u32
    }
    fn is_covered(&self, goal: GoalId) -> bool {
        !self.structure.open().contains(graph::GoalId(goal.0))
    }
    fn covered(&self) -> u32 {
        self.structure.criterion().covered()
    }
    fn distance(&self, goal: GoalId) -> Option<u32> {
        self.structure.distance(graph::GoalId(goal.0))
    }
    fn dominates(&self, a: GoalId, b: GoalId) -> bool {
        self.graph.dominates(graph::GoalId(a.0), graph::GoalId(b.0))
    }
    fn weight(&self, goal: GoalId) -> u32 {
        self.graph.weight(graph::GoalId(goal.0))
    }
    fn potential(&self, goal: GoalId, levels: u32) -> u32 {
        self.structure.potential(graph::GoalId(goal.0), levels)
    }
    fn relevance(&self, site: Site, outcome: u32) -> Relevance {
        match self.graph.goal(graph::SiteId(site.0), outcome) {
            Some(goal) => self.structure.relevance(goal),
            None => Relevance::May,
        }
    }
}

fn step(graph: &Graph, goal: graph::GoalId) -> Step {
    Step { site: Site(graph.site_of(goal).0), outcome: graph.outcome_of(goal), symbolic: true }
}

/// A run that takes these outcomes, in the tree.
fn add(tree: &mut Tree, graph: &Graph, taken: &[graph::GoalId]) -> RunId {
    let steps: Vec<Step> = taken.iter().map(|goal| step(graph, *goal)).collect();
    match tree.insert(&steps, None) {
        Inserted::New { run, .. } => run,
        other => panic!("{other:?}"),
    }
}

/// `main` calls `same` in both arms of its decision, and decides once more behind the first.
fn two_arms() -> Module {
    let mut m = module();
    function(&mut m, "same", Linkage::Local, vec![(&[], End::If(1, 1)), (&[], End::Return)]);
    let blocks: Vec<(&[&str], End)> =
        vec![(&[], End::If(1, 2)), (&["same"], End::If(3, 3)), (&["same"], End::To(3)), (&[], End::Return)];
    function(&mut m, "main", Linkage::Strong, blocks);
    m
}

#[test]
fn the_path_knows_the_caller() {
    let m = two_arms();
    let graph = common::graph(&m);
    let mut known = Known::new(&graph);
    let [first, second] = [0, 1].map(|outcome| goal(&graph, "main", 0, outcome));
    let [no, yes] = [0, 1].map(|outcome| goal(&graph, "same", 0, outcome));
    let mut tree = Tree::new(Options::default());
    let (near, far) = (add(&mut tree, &graph, &[first, no]), add(&mut tree, &graph, &[second, no]));
    let mut filter = Filter::new();
    let at = |run, depth| Candidate { run, depth, outcome: 1 };
    known.structure.update(&[first, second, no]);
    assert_eq!(filter.relevance(&tree, &known, at(near, 1)), Relevance::Must);
    assert_eq!(filter.relevance(&tree, &known, at(far, 1)), Relevance::Must);
    known.structure.update(&[yes]);
    assert_eq!(filter.relevance(&tree, &known, at(near, 1)), Relevance::May, "main's last decision is open");
    assert_eq!(filter.relevance(&tree, &known, at(far, 1)), Relevance::Irrelevant, "but not behind this call");
    let last: Vec<graph::GoalId> = [0, 1].map(|outcome| goal(&graph, "main", 1, outcome)).to_vec();
    known.structure.update(&last);
    assert!(known.structure.is_complete());
    assert!(!filter.passes(&tree, &known, at(near, 1)));
    assert_eq!(filter.filtered(), 1);
}

/// SERE'14 section IV-B, on its example: what is left of the bubble sort when all is covered is irrelevant.
#[test]
fn what_was_filtered_is_closed() {
    let m = two_arms();
    let graph = common::graph(&m);
    let mut tree = Tree::new(Options::default());
    let run = add(&mut tree, &graph, &[goal(&graph, "main", 0, 1), goal(&graph, "same", 0, 0)]);
    let candidate = Candidate { run, depth: 1, outcome: 1 };
    assert!(tree.is_open(candidate));
    tree.judge(candidate, Verdict::Filtered);
    assert!(!tree.is_open(candidate));
    assert_eq!((tree.verdict(candidate), tree.statistics().filtered), (Some(Verdict::Filtered), 1));
}

/// Two ways to one block: a statement needs one of them, a branch both.
#[test]
fn criteria_differ_in_what_is_open() {
    let mut m = module();
    let blocks: Vec<(&[&str], End)> = vec![(&[], End::If(2, 1)), (&["puts"], End::To(2)), (&[], End::Return)];
    function(&mut m, "main", Linkage::Strong, blocks);
    let graph = common::graph(&m);
    let (mut branch, mut statement) = (branch(Part::all(&graph)), statement(Part::all(&graph)));
    let [no, yes] = [0, 1].map(|outcome| goal(&graph, "main", 0, outcome));
    assert_eq!((branch.total(), statement.total()), (2, 2));
    let mut covered = |taken: &[graph::GoalId]| {
        branch.evaluate(taken);
        statement.evaluate(taken);
        (branch.covered(), statement.covered())
    };
    assert_eq!(covered(&[no]), (1, 1));
    assert_eq!(covered(&[no, yes]), (2, 2));
    assert!(branch.open().is_empty() && statement.open().is_empty());
}

#[test]
fn a_statement_has_one_entry_too_few_to_be_a_branch() {
    let mut m = module();
    function(&mut m, "main", Linkage::Strong, vec![(&[], End::If(1, 1)), (&[], End::Return)]);
    let graph = common::graph(&m);
    let mut structure = Structure::new(&graph, Box::new(statement(Part::all(&graph))));
    assert_eq!(structure.update(&[goal(&graph, "main", 0, 0)]), 1);
    assert!(structure.is_complete());
    assert_eq!(structure.relevance(goal(&graph, "main", 0, 1)), Relevance::Irrelevant);
}

const NAMES: [&str; 4] = ["main", "a", "b", "hook"];

fn end(blocks: u32) -> impl Strategy<Value = End> {
    let to = 0..blocks;
    prop_oneof![
        5 => (to.clone(), to.clone()).prop_map(|(a, b)| End::If(a, b)),
        1 => prop::collection::vec(to.clone(), 2..4).prop_map(End::Switch),
        1 => to.prop_map(End::To),
        2 => Just(End::Return),
        1 => Just(End::Never),
    ]
}

type Blocks = Vec<(Vec<&'static str>, End)>;

fn body() -> impl Strategy<Value = Blocks> {
    let calls = ["a", "b", "a", "b", "hook", "*", "puts", "unknown", "setjmp", "longjmp", "exit"];
    let calls = prop_oneof![3 => Just(vec![]), 2 => prop::collection::vec(prop::sample::select(calls.to_vec()), 1..3)];
    (2..=5_usize).prop_flat_map(move |count| prop::collection::vec((calls.clone(), end(count as u32)), count))
}

/// `hook` may be called by whatever is not in the graph, if its address is taken. Half of the programs jump where others
/// would end.
fn program() -> impl Strategy<Value = Module> {
    (prop::collection::vec(body(), NAMES.len()), any::<bool>(), any::<bool>()).prop_map(
        |(mut bodies, escapes, jumps)| {
            let mut m = module();
            if jumps {
                bodies[0][0].0 = vec!["setjmp"];
                let ends = bodies.iter_mut().flatten().filter(|(_, end)| matches!(end, End::Never));
                ends.for_each(|(calls, _)| *calls = vec!["longjmp"]);
            }
            for (name, blocks) in NAMES.iter().zip(&bodies) {
                let blocks = blocks.iter().map(|(calls, end)| (calls.as_slice(), end.clone())).collect();
                function(&mut m, name, Linkage::Strong, blocks);
            }
            if escapes {
                let hook = common::symbol(&mut m, "hook");
                m.address_taken.push(hook);
            }
            m
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    /// No candidate is dropped from which some path takes an open goal, whatever was covered and however the run came there.
    #[test]
    fn nothing_is_dropped_that_leads_somewhere(
        m in program(),
        choices in prop::collection::vec(any::<u16>(), 80),
        covered in prop::collection::vec(prop::bool::weighted(0.8), 64),
        symbolic in prop::collection::vec(prop::bool::weighted(0.7), 80),
    ) {
        let graph = Graph::of_modules([(UID, &m)]);
        let machine = Machine::new(&m);
        let named = |(site, outcome): (u32, u32)| {
            let site = graph.site(UID, site).expect("a decision");
            graph.goal(site, outcome).expect("an outcome")
        };
        let walk = machine.walk(&choices);
        prop_assume!(!walk.is_empty());
        let taken: Vec<graph::GoalId> = walk.iter().map(|(_, decision)| named(*decision)).collect();
        let mut known = Known::new(&graph);
        known.structure.update(&taken);
        let more: GoalSet = graph.goals().zip(covered).filter(|(_, c)| *c).map(|(goal, _)| goal).collect();
        known.structure.update(&more.iter().collect::<Vec<_>>());
        let steps: Vec<Step> =
            taken.iter().zip(&symbolic).map(|(goal, s)| Step { symbolic: *s, ..step(&graph, *goal) }).collect();
        let mut tree = Tree::new(Options::default());
        let Inserted::New { run, .. } = tree.insert(&steps, None) else { panic!("the first run") };
        let mut filter = Filter::new();
        let mut depth = 0;
        for ((state, (site, outcome)), step) in walk.iter().zip(&steps) {
            if !step.symbolic {
                continue;
            }
            for other in (0..known.outcomes(step.site)).filter(|other| other != outcome) {
                let passes = filter.passes(&tree, &known, Candidate { run, depth, outcome: other });
                let is_open = |decision| known.structure.open().contains(named(decision));
                if !passes && machine.leads_to(state, (*site, other), is_open) {
                    prop_assert!(false, "decision {depth} (site {site}) to {other} was dropped: {m:#?}");
                }
            }
            depth += 1;
        }
    }
}
