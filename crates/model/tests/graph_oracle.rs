//! The algorithms against the definitions of what they compute, on random programs.

mod common;

use common::{End, UID, function, module};
use offshoot_model::graph::{BlockId, FunctionId, GoalId, GoalSet, SiteId};
use offshoot_model::{Graph, Linkage, Module};
use proptest::prelude::*;
use std::collections::{HashMap, HashSet, VecDeque};

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

fn end(blocks: u32) -> impl Strategy<Value = End> {
    let to = 0..blocks;
    prop_oneof![
        4 => (to.clone(), to.clone()).prop_map(|(a, b)| End::If(a, b)),
        1 => prop::collection::vec(to.clone(), 2..5).prop_map(End::Switch),
        1 => (to.clone(), to.clone()).prop_map(|(a, b)| End::Either(a, b)),
        2 => to.prop_map(End::To),
        2 => Just(End::Return),
        1 => Just(End::Never),
    ]
}

type Blocks = Vec<(Vec<&'static str>, End)>;

fn body(functions: usize, most_blocks: usize) -> impl Strategy<Value = Blocks> {
    let call = prop_oneof![3 => prop::sample::select(NAMES[..functions].to_vec()), 1 => Just("*"), 1 => Just("puts")];
    let calls = prop_oneof![3 => Just(vec![]), 2 => prop::collection::vec(call, 1..3)];
    (1..=most_blocks).prop_flat_map(move |count| prop::collection::vec((calls.clone(), end(count as u32)), count))
}

/// Functions that call each other; the last may be called through pointers.
fn program(functions: usize, most_blocks: usize) -> impl Strategy<Value = Module> {
    prop::collection::vec(body(functions, most_blocks), functions).prop_map(|bodies| {
        let mut m = module();
        for (name, blocks) in NAMES.iter().zip(&bodies) {
            let blocks = blocks.iter().map(|(calls, end)| (calls.as_slice(), end.clone())).collect();
            function(&mut m, name, Linkage::Local, blocks);
        }
        let last = common::symbol(&mut m, NAMES[bodies.len() - 1]);
        m.address_taken.push(last);
        m
    })
}

/// What `from` reaches within its function without the outcome and the block that are forbidden.
fn reach(graph: &Graph, from: BlockId, no_goal: Option<GoalId>, no_block: Option<BlockId>) -> HashSet<BlockId> {
    let mut seen = HashSet::new();
    let mut open = vec![from];
    while let Some(block) = open.pop() {
        if Some(block) == no_block || !seen.insert(block) {
            continue;
        }
        let site = graph.decides(block);
        for (i, next) in graph.successors(block).enumerate() {
            let goal = site.and_then(|site| graph.goal(site, i as u32));
            if goal.is_none() || goal != no_goal {
                open.push(next);
            }
        }
    }
    seen
}

fn ends(graph: &Graph, block: BlockId) -> bool {
    graph.successors(block).next().is_none()
}

/// Does every path from `from` to the function's end go through `block`?
fn always_comes_by(graph: &Graph, from: BlockId, block: BlockId) -> bool {
    !reach(graph, from, None, Some(block)).into_iter().any(|other| ends(graph, other))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn dominators_are_what_cannot_be_avoided(m in program(1, 12)) {
        let graph = Graph::of_modules([(UID, &m)]);
        let entry = graph.entry(FunctionId(0)).expect("at least one block");
        let live = reach(&graph, entry, None, None);
        for site in graph.sites() {
            let block = graph.block_of(site).expect("all are of the source");
            let unavoidable = |goal: &GoalId| {
                let from = graph.block_of(graph.site_of(*goal)).expect("of the source");
                live.contains(&block) && live.contains(&from) && !reach(&graph, entry, Some(*goal), None).contains(&block)
            };
            let expected: HashSet<GoalId> = graph.goals().filter(unavoidable).collect();
            prop_assert_eq!(graph.dominators_of(site).collect::<HashSet<_>>(), expected.clone());
            for goal in graph.goals() {
                prop_assert_eq!(graph.dominates_site(goal, site), expected.contains(&goal));
                for outcome in graph.goals_of(site).filter(|outcome| *outcome != goal) {
                    prop_assert_eq!(graph.dominates(goal, outcome), expected.contains(&goal));
                }
            }
        }
        for (a, b) in graph.blocks().flat_map(|a| graph.blocks().map(move |b| (a, b))) {
            let expected =
                live.contains(&a) && live.contains(&b) && !reach(&graph, entry, None, Some(a)).contains(&b);
            prop_assert_eq!(graph.block_dominates(a, b), expected);
        }
    }

    #[test]
    fn control_dependence_is_as_defined(m in program(1, 12)) {
        let graph = Graph::of_modules([(UID, &m)]);
        // What loops for ever has no paths to the end, and so no definition.
        let leaves = |block: BlockId| reach(&graph, block, None, None).into_iter().any(|other| ends(&graph, other));
        prop_assume!(graph.blocks().all(leaves));
        for (a, b) in graph.blocks().flat_map(|a| graph.blocks().map(move |b| (a, b))) {
            prop_assert_eq!(graph.block_postdominates(a, b), always_comes_by(&graph, b, a));
        }
        for goal in graph.goals() {
            let decision = graph.block_of(graph.site_of(goal)).expect("of the source");
            let target = graph.target(goal).expect("of the source");
            let expected: HashSet<BlockId> = graph
                .blocks()
                .filter(|block| {
                    let strictly = *block != decision && always_comes_by(&graph, decision, *block);
                    always_comes_by(&graph, target, *block) && !strictly
                })
                .collect();
            prop_assert_eq!(graph.dependents(goal).collect::<HashSet<_>>(), expected.clone());
            for block in graph.blocks() {
                prop_assert_eq!(graph.depends_on(block).any(|g| g == goal), expected.contains(&block));
            }
        }
    }
}

/// Runs the model itself, with a stack: everything that the program might do.
struct Machine<'a> {
    module: &'a Module,
    /// Where each call of a function goes on, by function.
    callers: HashMap<usize, Vec<At>>,
}

/// Function, block, and how many of its calls have been made.
type At = (usize, usize, usize);

/// Where it goes, with which stack, and the site and outcome if it is a branch.
type Step = (At, Vec<At>, Option<(u32, u32)>);

impl<'a> Machine<'a> {
    fn new(module: &'a Module) -> Machine<'a> {
        let mut machine = Machine { module, callers: HashMap::new() };
        let mut callers: HashMap<usize, Vec<At>> = HashMap::new();
        for (f, function) in module.functions.iter().enumerate() {
            for (b, block) in function.blocks.iter().enumerate() {
                for c in 0..block.calls.len() {
                    for callee in machine.called((f, b, c)).0 {
                        callers.entry(callee).or_default().push((f, b, c + 1));
                    }
                }
            }
        }
        machine.callers = callers;
        machine
    }

    /// What the next call may reach, and whether it may go elsewhere.
    fn called(&self, (f, b, c): At) -> (Vec<usize>, bool) {
        use offshoot_model::Callee::{Direct, Indirect, Passed};
        let named = |symbol: u32| {
            let name = &self.module.symbols[symbol as usize];
            self.module.functions.iter().position(|function| function.name == *name)
        };
        match self.module.functions[f].blocks[b].calls[c] {
            Direct(name) => (named(name).into_iter().collect(), named(name).is_none()),
            Indirect(_) => (vec![self.module.functions.len() - 1], true),
            Passed(_) => unreachable!("not made here"),
        }
    }

    /// Everything that may come next.
    fn steps(&self, at: At, stack: &[At], deepest: usize) -> Vec<Step> {
        let (f, b, c) = at;
        let block = &self.module.functions[f].blocks[b];
        let mut next = Vec::new();
        if c < block.calls.len() {
            let (callees, elsewhere) = self.called(at);
            if elsewhere {
                next.push(((f, b, c + 1), stack.to_vec(), None));
            }
            for callee in callees.into_iter().filter(|_| stack.len() < deepest) {
                let mut stack = stack.to_vec();
                stack.push((f, b, c + 1));
                next.push(((callee, 0, 0), stack, None));
            }
        } else if block.returns {
            match stack.split_last() {
                Some((back, stack)) => next.push((*back, stack.to_vec(), None)),
                None => next.extend(self.callers.get(&f).into_iter().flatten().map(|back| (*back, vec![], None))),
            }
        } else {
            for (i, to) in block.successors.iter().enumerate() {
                let outcome = (block.site != 0).then_some((block.site, i as u32));
                next.push(((f, *to as usize, 0), stack.to_vec(), outcome));
            }
        }
        next
    }

    /// Breadth first over branches: how many until a target is taken?
    fn distance(&self, from: At, is_target: impl Fn(u32, u32) -> bool, deepest: usize) -> Option<u32> {
        let mut seen = HashSet::new();
        let mut open = VecDeque::from([(from, vec![], 0)]);
        while let Some((at, stack, taken)) = open.pop_front() {
            if !seen.insert((at, stack.clone())) {
                continue;
            }
            for (at, stack, outcome) in self.steps(at, &stack, deepest) {
                match outcome {
                    Some((site, outcome)) if is_target(site, outcome) => {
                        // All that is still open has taken as many, or one more.
                        return Some(taken + 1);
                    }
                    Some(_) => open.push_back((at, stack, taken + 1)),
                    None => open.push_front((at, stack, taken)),
                }
            }
        }
        None
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn distances_are_those_of_the_shortest_run(m in program(3, 4), pick in any::<prop::sample::Index>()) {
        let calls: usize = m.functions.iter().flat_map(|f| &f.blocks).map(|block| block.calls.len()).sum();
        let graph = Graph::of_modules([(UID, &m)]);
        // With more calls the stacks are too many to try them all.
        prop_assume!(calls <= 5 && graph.goals().count() > 0);
        let goals: Vec<GoalId> = graph.goals().collect();
        let target = *pick.get(&goals);
        let (_, target_site) = graph.origin(graph.site_of(target));
        let target_outcome = graph.outcome_of(target);
        let targets: GoalSet = [target].into_iter().collect();
        let distances = graph.distances_to(&targets);
        let machine = Machine::new(&m);
        let is_target = |site: u32, outcome: u32| (site, outcome) == (target_site, target_outcome);
        // A shortest run is in no function twice on its way down, and neither in a call that it comes back from.
        let deepest = 2 * m.functions.len();
        let mut id = 0;
        for (f, function) in m.functions.iter().enumerate() {
            for b in 0..function.blocks.len() {
                let expected = machine.distance((f, b, 0), is_target, deepest);
                prop_assert_eq!(distances.from_block(BlockId(id)), expected, "{} block {}", function.name, b);
                id += 1;
            }
        }
        for goal in goals {
            let behind = distances.from_block(graph.target(goal).expect("of the source"));
            let expected = if goal == target { Some(0) } else { behind };
            prop_assert_eq!(distances.from_outcome(goal), expected);
            prop_assert_eq!(graph.reaches_any(goal, &targets), expected.is_some());
        }
    }

    /// What the filter goes by has every path that distances have, and where nothing leaves the graph no other.
    #[test]
    fn reach_is_at_least_what_has_a_distance(m in program(4, 8), wanted in prop::collection::vec(any::<bool>(), 64)) {
        let graph = Graph::of_modules([(UID, &m)]);
        let targets: GoalSet = graph.goals().zip(wanted).filter(|(_, w)| *w).map(|(goal, _)| goal).collect();
        let (reach, distances) = (graph.reach(&targets), graph.distances_to(&targets));
        // A function that nobody calls may be a constructor, and the others come behind it.
        let is_called = |function: FunctionId| !graph.callers(function).is_empty();
        let mut calls = m.functions.iter().flat_map(|f| &f.blocks).flat_map(|block| &block.calls);
        let leaves = calls.any(|call| !matches!(call, offshoot_model::Callee::Direct(_)));
        let ends = |block: &offshoot_model::Block| block.successors.is_empty() && !block.returns && !block.calls.is_empty();
        let leaves = leaves || m.functions.iter().flat_map(|f| &f.blocks).any(ends);
        let is_closed = !leaves && graph.functions().all(is_called);
        for block in graph.blocks() {
            let (reached, near) = (reach.from_block(block), distances.from_block(block).is_some());
            prop_assert!(reached || !near, "{block:?}");
            prop_assert!(reached == near || !is_closed, "{block:?}");
        }
        for goal in graph.goals() {
            prop_assert!(reach.from_outcome(goal) || distances.from_outcome(goal).is_none());
        }
    }

    #[test]
    fn the_nearest_of_several_targets_counts(m in program(4, 8), wanted in prop::collection::vec(any::<bool>(), 64)) {
        let graph = Graph::of_modules([(UID, &m)]);
        let targets: GoalSet = graph.goals().zip(wanted).filter(|(_, w)| *w).map(|(goal, _)| goal).collect();
        let each: Vec<_> = targets.iter().map(|goal| graph.distances_to(&[goal].into_iter().collect())).collect();
        let all = graph.distances_to(&targets);
        for goal in graph.goals() {
            prop_assert_eq!(all.from_outcome(goal), each.iter().filter_map(|d| d.from_outcome(goal)).min());
        }
    }

    #[test]
    fn weights_count_what_depends(m in program(3, 8)) {
        let graph = Graph::of_modules([(UID, &m)]);
        for goal in graph.goals() {
            // Sites that depend on it, by rules applied until nothing is new.
            let mut sites: HashSet<SiteId> = HashSet::new();
            let mut blocks: HashSet<BlockId> = graph.dependents(goal).collect();
            loop {
                let before = blocks.len();
                for block in blocks.clone() {
                    sites.extend(graph.decides(block));
                    blocks.extend(graph.called_in(block).flat_map(|function| graph.blocks_of(function)));
                    let outcomes = graph.decides(block).into_iter().flat_map(|site| graph.goals_of(site));
                    blocks.extend(outcomes.flat_map(|goal| graph.dependents(goal).collect::<Vec<_>>()));
                }
                if blocks.len() == before {
                    break;
                }
            }
            sites.extend(blocks.iter().filter_map(|block| graph.decides(*block)));
            let expected: u32 = sites.iter().map(|site| graph.outcomes(*site)).sum();
            prop_assert_eq!(graph.weight(goal), expected);
        }
    }
}
