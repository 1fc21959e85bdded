//! From where goals may be taken, where the graph has holes: pointers, callbacks, jumps, handlers, threads.

mod common;

use common::{End, block, function, goal, graph, module};
use offshoot_model::graph::{GoalId, GoalSet};
use offshoot_model::{Graph, Linkage, Module};

fn strong(m: &mut Module, name: &str, blocks: Vec<(&[&str], End)>) {
    function(m, name, Linkage::Strong, blocks);
}

fn takes_address(m: &mut Module, name: &str) {
    let symbol = common::symbol(m, name);
    m.address_taken.push(symbol);
}

fn only(goal: GoalId) -> GoalSet {
    [goal].into_iter().collect()
}

fn reaches(graph: &Graph, from: GoalId, to: GoalId) -> bool {
    graph.reach(&only(to)).from_outcome(from)
}

/// `main` decides twice, and leaves by the first decision if it is true; `then` is what it calls there.
fn two_decisions(m: &mut Module, then: &[&str]) {
    let blocks: Vec<(&[&str], End)> =
        vec![(&[], End::If(1, 2)), (&[], End::If(3, 3)), (then, End::To(3)), (&[], End::Return)];
    strong(m, "main", blocks);
}

#[test]
fn behind_an_edge_is_what_its_paths_take() {
    let mut m = module();
    two_decisions(&mut m, &[]);
    let graph = graph(&m);
    let (on, left, second) = (goal(&graph, "main", 0, 0), goal(&graph, "main", 0, 1), goal(&graph, "main", 1, 1));
    assert!(reaches(&graph, on, second));
    assert!(!reaches(&graph, left, second));
    assert!(reaches(&graph, left, left), "a target reaches itself");
    assert!(!reaches(&graph, second, on));
    assert!(!graph.reach(&GoalSet::new()).from_block(block(&graph, "main", 0)));
}

#[test]
fn a_return_goes_to_every_caller_but_a_call_comes_back_to_its_own() {
    let mut m = module();
    strong(&mut m, "helper", vec![(&[], End::If(1, 1)), (&[], End::Return)]);
    strong(&mut m, "other", vec![(&["helper"], End::If(1, 1)), (&[], End::Return)]);
    two_decisions(&mut m, &["helper"]);
    let graph = graph(&m);
    let (left, second) = (goal(&graph, "main", 0, 1), goal(&graph, "main", 1, 1));
    let (in_helper, in_other) = (goal(&graph, "helper", 0, 1), goal(&graph, "other", 0, 1));
    assert!(reaches(&graph, left, in_helper));
    assert!(reaches(&graph, in_helper, in_other), "nobody knows who called it");
    assert!(!reaches(&graph, left, in_other), "in at one call and out at another");
    assert!(!reaches(&graph, left, second));
}

#[test]
fn whatever_leaves_the_graph_may_call_what_has_an_address() {
    for (then, expected) in [("*", true), ("unknown", true), ("puts", false)] {
        let mut m = module();
        strong(&mut m, "hook", vec![(&[], End::If(1, 1)), (&[], End::Return)]);
        two_decisions(&mut m, &[then]);
        // `main` itself leads to it when it ends; what loops for ever does not.
        m.functions[1].blocks[3].returns = false;
        m.functions[1].blocks[3].successors = vec![3];
        takes_address(&mut m, "hook");
        let graph = graph(&m);
        let (left, hook) = (goal(&graph, "main", 0, 1), goal(&graph, "hook", 0, 1));
        assert_eq!(reaches(&graph, left, hook), expected, "{then}");
    }
}

#[test]
fn a_callback_goes_on_behind_the_call_that_left() {
    let mut m = module();
    strong(&mut m, "hook", vec![(&[], End::If(1, 1)), (&[], End::Return)]);
    strong(&mut m, "main", vec![(&["unknown"], End::If(1, 1)), (&[], End::Return)]);
    takes_address(&mut m, "hook");
    let graph = graph(&m);
    assert!(reaches(&graph, goal(&graph, "hook", 0, 1), goal(&graph, "main", 0, 1)));
}

#[test]
fn the_end_of_the_program_runs_handlers() {
    let mut m = module();
    strong(&mut m, "at_end", vec![(&[], End::If(1, 1)), (&[], End::Return)]);
    two_decisions(&mut m, &[]);
    takes_address(&mut m, "at_end");
    let graph = graph(&m);
    assert!(reaches(&graph, goal(&graph, "main", 0, 1), goal(&graph, "at_end", 0, 1)));
}

#[test]
fn a_jump_lands_behind_setjmp() {
    for (landing, expected) in [("setjmp", true), ("puts", false)] {
        let mut m = module();
        strong(&mut m, "fails", vec![(&[], End::If(1, 2)), (&["longjmp"], End::Never), (&[], End::To(2))]);
        strong(&mut m, "main", vec![(&[landing], End::If(1, 2)), (&["fails"], End::Never), (&[], End::Return)]);
        let graph = graph(&m);
        let (jumps, hangs) = (goal(&graph, "fails", 0, 0), goal(&graph, "fails", 0, 1));
        let landed = goal(&graph, "main", 0, 1);
        assert_eq!(reaches(&graph, jumps, landed), expected, "{landing}");
        assert!(!reaches(&graph, hangs, landed), "{landing}");
        assert_eq!(reaches(&graph, goal(&graph, "main", 0, 0), landed), expected, "over the call: {landing}");
    }
}

#[test]
fn handlers_and_threads_run_whenever_they_like() {
    for (start, from_handler, to_second) in [("sigaction", true, false), ("pthread_create", true, true)] {
        let mut m = module();
        strong(&mut m, "handler", vec![(&[], End::If(1, 1)), (&[], End::Return)]);
        two_decisions(&mut m, &[]);
        strong(&mut m, "setup", vec![(&[start], End::Return)]);
        takes_address(&mut m, "handler");
        let graph = graph(&m);
        assert_eq!(graph.starts_threads(), to_second);
        let (left, second) = (goal(&graph, "main", 0, 1), goal(&graph, "main", 1, 1));
        let handler = goal(&graph, "handler", 0, 1);
        assert!(reaches(&graph, left, handler), "{start}");
        assert_eq!(reaches(&graph, handler, second), from_handler, "{start}");
        assert_eq!(reaches(&graph, left, second), to_second, "{start}");
    }
}

#[test]
fn exceptions_may_be_caught_anywhere() {
    for (what, expected) in [("__cxa_begin_catch", true), ("puts", false)] {
        let mut m = module();
        two_decisions(&mut m, &["unknown"]);
        strong(&mut m, "catches", vec![(&[what], End::Return)]);
        let graph = graph(&m);
        assert_eq!(reaches(&graph, goal(&graph, "main", 0, 1), goal(&graph, "main", 1, 1)), expected, "{what}");
    }
}

#[test]
fn constructors_come_before_main() {
    let mut m = module();
    strong(&mut m, "set_up", vec![(&[], End::If(1, 1)), (&[], End::Return)]);
    two_decisions(&mut m, &[]);
    let graph = graph(&m);
    assert!(reaches(&graph, goal(&graph, "set_up", 0, 1), goal(&graph, "main", 1, 1)));
    assert!(!reaches(&graph, goal(&graph, "main", 1, 1), goal(&graph, "set_up", 0, 1)));
}

#[test]
fn levels_count_decisions_over_calls() {
    let mut m = module();
    strong(&mut m, "helper", vec![(&[], End::If(1, 1)), (&[], End::Return)]);
    let blocks: Vec<(&[&str], End)> = vec![
        (&[], End::If(1, 4)),
        (&["helper"], End::If(2, 4)),
        (&[], End::If(3, 4)),
        (&[], End::If(4, 4)),
        (&[], End::Return),
    ];
    strong(&mut m, "main", blocks);
    let graph = graph(&m);
    let from = goal(&graph, "main", 0, 0);
    let below = |levels| graph.below(from, levels).len();
    assert_eq!([below(0), below(1), below(2), below(3), below(9)], [1, 5, 7, 9, 9]);
    assert_eq!(graph.below(goal(&graph, "main", 0, 1), 9).len(), 1);
    // From the helper back to its caller.
    assert_eq!(graph.below(goal(&graph, "helper", 0, 0), 1).len(), 3);
}
