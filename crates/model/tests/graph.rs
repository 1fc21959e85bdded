//! The graph of small programs.

mod common;

use common::End::{Either, If, Never, Return, Switch, To};
use common::*;
use offshoot_model::graph::{GoalId, GoalSet};
use offshoot_model::{Alias, Graph, Linkage, Module, Site, SiteKind};

/// 0: if; 1: if (both ways to 3); 2: call g; 3: return
fn diamond() -> Module {
    let mut m = module();
    function(&mut m, "f", Linkage::Strong, vec![(&[], If(1, 2)), (&[], If(3, 3)), (&["g"], To(3)), (&[], Return)]);
    function(&mut m, "g", Linkage::Local, vec![(&[], Switch(vec![1, 2, 1])), (&[], Return), (&["exit"], Never)]);
    m
}

fn targets(goals: &[GoalId]) -> GoalSet {
    goals.iter().copied().collect()
}

#[test]
fn sites_and_goals_are_dense_and_found_again() {
    let g = graph(&diamond());
    assert_eq!(g.sites().count(), 3);
    assert_eq!(g.goals().count(), 2 + 2 + 3);
    for site in g.sites() {
        let (uid, local) = g.origin(site);
        assert_eq!(g.site(uid, local), Some(site));
        assert_eq!(g.goals_of(site).count() as u32, g.outcomes(site));
        for (i, goal) in g.goals_of(site).enumerate() {
            assert_eq!((g.site_of(goal), g.outcome_of(goal)), (site, i as u32));
            assert_eq!(g.goal(site, i as u32), Some(goal));
        }
        assert_eq!(g.goal(site, g.outcomes(site)), None);
    }
    assert_eq!(g.site(UID, 0), None);
    assert_eq!(g.site(UID + 1, 1), None);
}

#[test]
fn values_of_a_switch_are_outcomes() {
    let g = graph(&diamond());
    let switch = site(&g, "g", 0);
    let outcome = |value: u64| g.outcome_of(g.goal_for(switch, value));
    assert_eq!([outcome(0), outcome(1), outcome(2), outcome(0xff)], [0, 1, 2, 2]);
    assert_eq!(outcome(0x101), 1, "it is eight bits wide");
    assert_eq!(g.target(g.goal_for(switch, 1)), Some(block(&g, "g", 2)));
}

#[test]
fn ids_do_not_depend_on_the_order_of_modules() {
    let (a, b) = (diamond(), diamond());
    let one = Graph::of_modules([(1, &a), (2, &b), (1, &a)]);
    let other = Graph::of_modules([(2, &b), (1, &a)]);
    assert_eq!(one.sites().count(), 6);
    for site in one.sites() {
        assert_eq!(one.origin(site), other.origin(site));
    }
}

#[test]
fn what_is_not_of_the_source_is_no_goal() {
    let mut m = diamond();
    let derived = Site { kind: SiteKind::Derived, function: 0, file: 0, line: 1, column: 1 };
    m.sites.push(derived.clone());
    m.sites.push(Site { kind: SiteKind::Switch { width: 8, cases: vec![1] }, ..derived });
    let g = graph(&m);
    let made_by_optimiser: Vec<_> = g.sites().filter(|site| g.block_of(*site).is_none()).collect();
    assert_eq!(made_by_optimiser.len(), 2);
    assert!(made_by_optimiser.iter().all(|site| !g.is_goal(*site)));
    m.is_libc_model = true;
    assert_eq!(graph(&m).goals().count(), 0);
}

#[test]
fn outcomes_dominate_and_control() {
    let g = graph(&diamond());
    let (no, yes) = (goal(&g, "f", 0, 0), goal(&g, "f", 0, 1));
    let inner = site(&g, "f", 1);
    assert_eq!(g.dominators_of(inner).collect::<Vec<_>>(), [no]);
    assert!(g.dominates(no, goal(&g, "f", 1, 0)) && !g.dominates(yes, goal(&g, "f", 1, 0)));
    assert!(g.dominates_site(no, inner) && !g.dominates_site(yes, inner));
    let join = block(&g, "f", 3);
    assert!(g.block_postdominates(join, block(&g, "f", 0)));
    assert!(g.block_dominates(block(&g, "f", 0), join) && !g.block_dominates(block(&g, "f", 1), join));
    assert_eq!(g.depends_on(join).count(), 0);
    assert_eq!(g.depends_on(block(&g, "f", 2)).collect::<Vec<_>>(), [yes]);
    assert_eq!(g.dependents(no).collect::<Vec<_>>(), [block(&g, "f", 1)]);
    assert_eq!(g.dependents(goal(&g, "f", 1, 0)).count(), 0, "both outcomes go on at one place");
}

#[test]
fn a_loop_decides_whether_it_runs_again() {
    let mut m = module();
    function(&mut m, "f", Linkage::Strong, vec![(&[], To(1)), (&[], If(3, 2)), (&[], If(1, 1)), (&[], Return)]);
    let g = graph(&m);
    let again = goal(&g, "f", 1, 1);
    assert!(g.depends_on(block(&g, "f", 1)).eq([again]), "the head depends on itself");
    assert!(g.depends_on(block(&g, "f", 2)).eq([again]));
    assert_eq!(g.dominators_of(site(&g, "f", 1)).count(), 0);
    assert_eq!(g.distances_to(&targets(&[again])).from_outcome(goal(&g, "f", 2, 0)), Some(1));
}

#[test]
fn an_endless_loop_has_postdominators() {
    let mut m = module();
    function(&mut m, "f", Linkage::Strong, vec![(&[], If(1, 2)), (&[], To(2)), (&[], To(3)), (&[], To(2))]);
    let g = graph(&m);
    assert!(g.block_postdominates(block(&g, "f", 2), block(&g, "f", 0)));
    assert!(g.depends_on(block(&g, "f", 1)).eq([goal(&g, "f", 0, 0)]));
}

#[test]
fn distances_go_into_callees_and_back_to_callers() {
    let g = graph(&diamond());
    let one = goal(&g, "g", 0, 1);
    let d = g.distances_to(&targets(&[one]));
    assert_eq!(d.from_outcome(one), Some(0));
    assert_eq!(d.from_outcome(goal(&g, "f", 0, 1)), Some(1));
    assert_eq!(d.from_outcome(goal(&g, "f", 0, 0)), None);
    assert_eq!(d.from_block(block(&g, "f", 0)), Some(2));
    assert_eq!(d.from_outcome(goal(&g, "g", 0, 0)), None, "back in f nothing calls g again");
    assert!(g.reaches_any(goal(&g, "f", 0, 1), &targets(&[one])));
    assert!(!g.reaches_any(goal(&g, "f", 0, 0), &targets(&[one])));
}

#[test]
fn a_call_costs_the_callees_shortest_way_to_a_return() {
    let mut m = module();
    function(&mut m, "main", Linkage::Strong, vec![(&["deep"], If(1, 1)), (&[], Return)]);
    function(&mut m, "deep", Linkage::Local, vec![(&["deeper"], If(1, 0)), (&[], Return)]);
    function(&mut m, "deeper", Linkage::Local, vec![(&[], If(1, 2)), (&["deeper"], If(2, 2)), (&[], Return)]);
    let g = graph(&m);
    assert_eq!(g.returns_after(named(&g, "deeper")), Some(1));
    assert_eq!(g.returns_after(named(&g, "deep")), Some(2));
    let d = g.distances_to(&targets(&[goal(&g, "main", 0, 1)]));
    assert_eq!(d.from_block(block(&g, "main", 0)), Some(3));
    assert_eq!(d.from_outcome(goal(&g, "deeper", 0, 1)), Some(2), "up through deep");
}

#[test]
fn what_never_returns_is_a_dead_end() {
    let mut m = module();
    function(&mut m, "main", Linkage::Strong, vec![(&["die"], If(1, 1)), (&[], Return)]);
    function(&mut m, "die", Linkage::Local, vec![(&["exit"], Never)]);
    let g = graph(&m);
    assert_eq!(g.returns_after(named(&g, "die")), None);
    let d = g.distances_to(&targets(&[goal(&g, "main", 0, 1)]));
    assert_eq!(d.from_block(block(&g, "main", 0)), None);
}

#[test]
fn a_path_does_not_return_to_where_it_did_not_come_from() {
    let mut m = module();
    function(&mut m, "a", Linkage::Strong, vec![(&["shared"], To(1)), (&[], Return)]);
    function(&mut m, "b", Linkage::Strong, vec![(&["shared"], If(1, 1)), (&[], Return)]);
    function(&mut m, "shared", Linkage::Local, vec![(&[], If(1, 1)), (&[], Return)]);
    let g = graph(&m);
    let d = g.distances_to(&targets(&[goal(&g, "b", 0, 0)]));
    assert_eq!(d.from_block(block(&g, "a", 0)), None);
    assert_eq!(d.from_outcome(goal(&g, "shared", 0, 0)), Some(1));
}

#[test]
fn decisions_without_a_site_cost_nothing() {
    let mut m = module();
    function(&mut m, "f", Linkage::Strong, vec![(&[], Either(1, 2)), (&[], To(2)), (&[], If(3, 3)), (&[], Return)]);
    let g = graph(&m);
    assert_eq!(g.distances_to(&targets(&[goal(&g, "f", 2, 0)])).from_block(block(&g, "f", 0)), Some(1));
}

#[test]
fn static_functions_of_one_name_are_two() {
    let mut a = module();
    function(&mut a, "f", Linkage::Strong, vec![(&["same", "g"], Return)]);
    function(&mut a, "same", Linkage::Local, vec![(&[], Return)]);
    let mut b = module();
    function(&mut b, "g", Linkage::Strong, vec![(&["same"], Return)]);
    function(&mut b, "same", Linkage::Local, vec![(&[], Return)]);
    let g = Graph::of_modules([(1, &a), (2, &b)]);
    let same: Vec<_> = g.functions_named("same").collect();
    assert_eq!(g.callees(named(&g, "f")), [same[0], named(&g, "g")]);
    assert_eq!(g.callees(named(&g, "g")), [same[1]]);
    assert_eq!(g.callers(same[1]), [named(&g, "g")]);
}

#[test]
fn strong_definitions_win_over_weak_ones() {
    let mut caller = module();
    function(&mut caller, "f", Linkage::Strong, vec![(&["g"], Return)]);
    let define = |linkage| {
        let mut m = module();
        function(&mut m, "g", linkage, vec![(&[], Return)]);
        m
    };
    let (weak, strong) = (define(Linkage::Weak), define(Linkage::Strong));
    let g = Graph::of_modules([(1, &caller), (2, &weak), (3, &strong)]);
    assert_eq!(g.callees(named(&g, "f")), [g.functions_named("g").nth(1).expect("two")]);
    let g = Graph::of_modules([(1, &caller), (2, &weak)]);
    assert_eq!(g.callees(named(&g, "f")), [named(&g, "g")]);
}

#[test]
fn libc_calls_reach_models_unless_the_program_has_its_own() {
    let mut m = module();
    function(&mut m, "f", Linkage::Strong, vec![(&["strlen"], Return)]);
    let mut model = module();
    model.is_libc_model = true;
    function(&mut model, "__off_w_strlen", Linkage::Strong, vec![(&[], Return)]);
    function(&mut model, "__off_w_strdup", Linkage::Strong, vec![(&["__off_w_strlen"], Return)]);
    function(&mut model, "__off_w_puts", Linkage::Strong, vec![(&["strlen"], Return)]);
    let g = Graph::of_modules([(1, &m), (2, &model)]);
    assert_eq!(g.callees(named(&g, "f")), [named(&g, "__off_w_strlen")]);
    assert_eq!(g.callees(named(&g, "__off_w_strdup")), [named(&g, "__off_w_strlen")]);
    assert_eq!(g.callees(named(&g, "__off_w_puts")), [], "the real one");
    function(&mut m, "strlen", Linkage::Strong, vec![(&[], Return)]);
    let g = Graph::of_modules([(1, &m), (2, &model)]);
    assert_eq!(g.callees(named(&g, "f")), [named(&g, "strlen")]);
    assert!(g.is_libc_model(named(&g, "__off_w_strdup")));
}

#[test]
fn pointers_reach_what_has_its_address_taken() {
    let mut m = module();
    function(&mut m, "f", Linkage::Strong, vec![(&["*", "atexit", "&bye", "f", "&unused"], Return)]);
    function(&mut m, "taken", Linkage::Local, vec![(&[], If(1, 1)), (&[], Return)]);
    function(&mut m, "not_taken", Linkage::Local, vec![(&[], Return)]);
    function(&mut m, "bye", Linkage::Local, vec![(&[], Return)]);
    function(&mut m, "unused", Linkage::Local, vec![(&[], Return)]);
    m.functions[3].ty = symbol(&mut m, "void ()");
    for name in ["taken", "bye"] {
        let name = symbol(&mut m, name);
        m.address_taken.push(name);
    }
    let g = graph(&m);
    assert_eq!(g.callees(named(&g, "f")), [named(&g, "f"), named(&g, "taken"), named(&g, "bye")]);
}

#[test]
fn what_has_been_handed_out_may_run_at_the_end() {
    let mut m = module();
    function(
        &mut m,
        "main",
        Linkage::Strong,
        vec![(&["atexit", "&bye"], If(1, 2)), (&[], If(3, 3)), (&["abort"], Never), (&[], Return)],
    );
    function(&mut m, "bye", Linkage::Local, vec![(&[], If(1, 1)), (&[], Return)]);
    let g = graph(&m);
    let d = g.distances_to(&targets(&[goal(&g, "bye", 0, 1)]));
    assert_eq!(d.from_block(block(&g, "main", 0)), Some(1), "there and then");
    assert_eq!(d.from_outcome(goal(&g, "main", 0, 0)), Some(2));
    assert_eq!(d.from_outcome(goal(&g, "main", 0, 1)), Some(1));
}

#[test]
fn an_alias_is_a_definition() {
    let mut a = module();
    function(&mut a, "f", Linkage::Strong, vec![(&["other_name"], Return)]);
    let mut b = module();
    function(&mut b, "g", Linkage::Local, vec![(&[], Return)]);
    let other = symbol(&mut b, "other_name");
    b.aliases.push(Alias { symbol: other, function: 0, linkage: Linkage::Strong });
    let g = Graph::of_modules([(1, &a), (2, &b)]);
    assert_eq!(g.callees(named(&g, "f")), [named(&g, "g")]);
}

#[test]
fn weight_is_what_depends_on_an_outcome() {
    let g = graph(&diamond());
    assert_eq!(g.weight(goal(&g, "f", 0, 0)), 2, "the inner condition");
    assert_eq!(g.weight(goal(&g, "f", 0, 1)), 3, "the switch in g");
    assert_eq!(g.weight(goal(&g, "f", 1, 0)), 0);
}

#[test]
fn what_the_compiler_excludes_is_impossible() {
    let mut m = module();
    function(
        &mut m,
        "f",
        Linkage::Strong,
        vec![(&[], Switch(vec![1, 2, 3])), (&[], Return), (&["abort"], Never), (&[], Never)],
    );
    let g = graph(&m);
    let impossible: Vec<bool> = g.goals().map(|goal| g.is_impossible(goal)).collect();
    assert_eq!(impossible, [false, false, true]);
}

#[test]
fn places_are_found_by_file_and_line() {
    let g = graph(&diamond());
    let place = g.place(site(&g, "f", 1));
    assert_eq!((place.file, place.line, place.function), ("src/lib/a.c", 1, "f"));
    assert_eq!(g.sites_at("lib/a.c", 1), [site(&g, "f", 1)]);
    assert_eq!(g.sites_at("a.c", 0), [site(&g, "f", 0), site(&g, "g", 0)]);
    assert!(g.sites_at("b/a.c", 1).is_empty() && g.sites_at(".c", 1).is_empty());
}

#[test]
fn a_damaged_model_loses_only_what_does_not_fit() {
    let mut m = diamond();
    m.functions[0].blocks[1].successors = vec![3, 99];
    m.functions[0].blocks[2].calls.push(offshoot_model::Callee::Direct(1234));
    m.functions[1].ty = 1234;
    m.sites[1].function = 77;
    m.sites[2].file = 77;
    m.address_taken.push(9999);
    m.aliases.push(Alias { symbol: 9999, function: 9999, linkage: Linkage::Strong });
    let g = graph(&m);
    assert_eq!(g.goals().count(), 5);
    assert_eq!(g.place(site(&g, "f", 0)).function, "");
}
