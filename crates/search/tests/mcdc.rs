//! MC/DC of random decisions, seen in random order, against the definition.

use offshoot_model::graph::{GoalId, GoalSet, Way};
use offshoot_model::{Block, Function, Graph, Linkage, Module, Part, Site, SiteKind};
use offshoot_search::structure::{Criterion, Mcdc, Part as Whole};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Expression {
    Leaf,
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
}

fn expression() -> impl Strategy<Value = Expression> {
    let tree = Just(Expression::Leaf).prop_recursive(4, 6, 2, |inner| {
        let two = (inner.clone(), inner).prop_map(|(a, b)| (Box::new(a), Box::new(b)));
        prop_oneof![two.clone().prop_map(|(a, b)| Expression::And(a, b)), two.prop_map(|(a, b)| Expression::Or(a, b))]
    });
    tree.prop_filter("two to six conditions", |tree| (2..=6).contains(&leaves(tree)))
}

fn leaves(expression: &Expression) -> usize {
    match expression {
        Expression::Leaf => 1,
        Expression::And(a, b) | Expression::Or(a, b) => leaves(a) + leaves(b),
    }
}

/// Conditions in the order of the source; `next`: where the whole goes if it is false and if it is true. A condition adds
/// its own bit to the number of the way, so no two ways have one number.
fn parts(expression: &Expression, next: [Option<u16>; 2], into: &mut Vec<Part>) {
    let here = into.len() as u16;
    match expression {
        Expression::Leaf => into.push(Part { site: u32::from(here) + 1, next, steps: [0, 1 << here] }),
        Expression::And(a, b) => {
            parts(a, [next[0], Some(here + leaves(a) as u16)], into);
            parts(b, next, into);
        }
        Expression::Or(a, b) => {
            parts(a, [Some(here + leaves(a) as u16), next[1]], into);
            parts(b, next, into);
        }
    }
}

/// A program that is one decision: its conditions are sites 1 to n, behind them the decision and room for its ways.
fn graph(expression: &Expression) -> Graph {
    let mut found = Vec::new();
    parts(expression, [None, None], &mut found);
    let count = found.len() as u32;
    let site = |kind| Site { kind, function: 0, file: 0, line: 1, column: 1 };
    let mut sites = vec![site(SiteKind::None)];
    sites.extend((0..count).map(|_| site(SiteKind::Condition)));
    let blocks = found.iter().enumerate().map(|(at, part)| Block {
        successors: part.next.map(|next| next.map_or(count, u32::from)).to_vec(),
        site: at as u32 + 1,
        ..Block::default()
    });
    let end = Block { returns: true, ..Block::default() };
    let blocks = blocks.chain([end]).collect();
    sites.push(site(SiteKind::Decision { parts: found, ways: 1 << count }));
    let main = Function { name: "main".to_owned(), file: 0, line: 1, linkage: Linkage::Strong, ty: 0, blocks };
    let symbols = vec!["int ()".to_owned()];
    let module = Module { files: vec!["a.c".to_owned()], functions: vec![main], sites, symbols, ..Module::default() };
    Graph::of_modules([(1, &module)])
}

/// Is there a pair for this condition: different results, and no other condition that both evaluated differs?
fn is_shown(ways: &[&Way], condition: usize) -> bool {
    let differ = |a: &Way, b: &Way, at: usize| matches!((a.values[at], b.values[at]), (Some(a), Some(b)) if a != b);
    ways.iter().any(|a| {
        ways.iter().any(|b| a.result != b.result && (0..a.values.len()).all(|at| differ(a, b, at) == (at == condition)))
    })
}

fn is_within(part: &GoalSet, whole: &GoalSet) -> bool {
    part.iter().all(|goal| whole.contains(goal))
}

proptest! {
    #[test]
    fn what_is_shown_and_what_is_open(expression in expression(), order in prop::collection::vec(any::<prop::sample::Index>(), 0..80)) {
        let graph = graph(&expression);
        let ways = &graph.decisions()[0].ways;
        let count = leaves(&expression);
        let mut mcdc = Mcdc::new(Whole::all(&graph));
        prop_assert_eq!(mcdc.total() as usize, count);
        let mut seen: Vec<&Way> = Vec::new();
        let everything = order.iter().map(|index| index.get(ways)).chain(ways);
        for way in everything {
            if seen.contains(&way) {
                continue;
            }
            let (open, before) = (mcdc.open().clone(), mcdc.seen());
            // Whatever is not shown is lacking, and what it wants was not seen.
            for lacking in mcdc.lacking() {
                prop_assert!(!lacking.wanted.is_empty());
                prop_assert!(lacking.wanted.iter().all(|values| seen.iter().all(|way| way.values != *values)));
            }
            mcdc.evaluate(&[way.goal]);
            seen.push(way);
            let shown = (0..count).filter(|condition| is_shown(&seen, *condition)).count();
            prop_assert_eq!(mcdc.covered() as usize, shown);
            prop_assert_eq!(mcdc.lacking().len(), count - shown);
            prop_assert!(is_within(mcdc.open(), &open), "what is open only shrinks");
            prop_assert!(is_within(mcdc.urgent(), mcdc.open()));
            prop_assert!(mcdc.seen() > before || *mcdc.open() == open, "a change of what is open is told");
        }
        // In such trees every condition can be shown.
        prop_assert_eq!(mcdc.covered() as usize, count);
        prop_assert!(mcdc.open().is_empty());
    }

    /// A candidate that the context calls irrelevant is on no way that is in a pair for what is lacking.
    #[test]
    fn context_loses_nothing(expression in expression(), seen in prop::collection::vec(any::<prop::sample::Index>(), 0..8)) {
        use offshoot_search::Relevance;
        let graph = graph(&expression);
        let decision = &graph.decisions()[0];
        let mut mcdc = Mcdc::new(Whole::all(&graph));
        let taken: Vec<GoalId> = seen.iter().map(|index| index.get(&decision.ways).goal).collect();
        for goal in &taken {
            mcdc.evaluate(&[*goal]);
        }
        let open: Vec<_> = mcdc.lacking();
        for way in &decision.ways {
            let wanted = open.iter().any(|lacking| lacking.wanted.contains(&way.values));
            let steps: Vec<_> = decision.conditions.iter().zip(&way.values)
                .filter_map(|(site, value)| Some(((*site)?, u32::from((*value)?)))).collect();
            for (at, (site, outcome)) in steps.iter().enumerate() {
                let mut before = steps[..at].iter().rev().copied();
                let relevance = mcdc.in_context(*site, *outcome, &mut before);
                prop_assert!(!wanted || relevance != Some(Relevance::Irrelevant));
            }
        }
    }
}
