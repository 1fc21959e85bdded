//! A whole test made smaller: ddmin on stage after stage.

use crate::components::{Component, Split, Stage, stages};
use crate::ddmin::{Verdict, ddmin};
use crate::source::Source;
use crate::test::Test;
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// The smallest test seen for which the oracle's property holds. What was expected of the original is not expected
    /// of it.
    pub test: Test,
    /// Calls of the oracle.
    pub trials: u64,
    /// No stage was cut short by the budget: in each, dropping any single component lost the property at that time.
    pub is_minimal: bool,
}

/// Whole arguments first, then the sources, short ones first, each held as the stages before left it. The property is
/// taken to hold for `test`. `chosen` says how to split a source ([`Split::usual`] otherwise; an empty list leaves it
/// alone, and keeps an argument); `goes_on` is asked before each trial, with the number of trials so far.
///
/// `confirm` is the part of the property that is hardly ever lost and dear to ask for: it is asked of what a stage has come
/// to. Where that is refused, the stage goes on from a step on the way that is confirmed, and each further one must be.
pub fn reduce(
    test: &Test,
    chosen: &BTreeMap<Source, Vec<Split>>,
    mut oracle: impl FnMut(&Test) -> Verdict,
    mut confirm: impl FnMut(&Test) -> bool,
    mut goes_on: impl FnMut(u64) -> bool,
) -> Reduction {
    let mut reduction = Reduction { test: test.clone(), trials: 0, is_minimal: true };
    let mut run = |reduction: &mut Reduction, stage: &Stage| -> Vec<Component> {
        let before = reduction.test.clone();
        let stays = |component: &Component| match component {
            Component::Argument(number) => chosen.get(&Source::Arg(*number)).is_some_and(Vec::is_empty),
            Component::Piece(_) => false,
        };
        let (fixed, components): (Vec<_>, Vec<_>) = stage.components(&before).into_iter().partition(stays);
        let assemble = |kept: &[Component]| stage.assemble(&before, &[kept, &fixed[..]].concat());
        let trials = reduction.trials;
        let mut steps = Steps { components: &components, went: vec![None; components.len()], taken: 0 };
        let mut step = |kept: &[Component]| {
            let verdict = oracle(&assemble(kept));
            if verdict == Verdict::Holds {
                steps.take(kept);
            }
            verdict
        };
        let mut reduced = ddmin(&components, &mut step, |more| goes_on(trials + more));
        reduction.trials += reduced.trials;
        if steps.taken > 0 && !confirm(&assemble(&reduced.kept)) {
            let earlier: Vec<u32> = (1..steps.taken).collect();
            let good = earlier.partition_point(|&step| confirm(&assemble(&steps.behind(step))));
            let start = steps.behind(good as u32);
            let trials = reduction.trials;
            let both = |kept: &[Component]| match oracle(&assemble(kept)) {
                Verdict::Holds if !confirm(&assemble(kept)) => Verdict::Lost,
                verdict => verdict,
            };
            reduced = ddmin(&start, both, |more| goes_on(trials + more));
            reduction.trials += reduced.trials;
        }
        reduction.is_minimal &= reduced.is_minimal;
        if reduced.kept.len() < components.len() {
            reduction.test = assemble(&reduced.kept);
            reduction.test.expectation = Default::default();
        }
        [reduced.kept, fixed].concat()
    };
    let mut left = chosen.clone();
    if stages(test, chosen).first() == Some(&Stage::Arguments) {
        let kept = run(&mut reduction, &Stage::Arguments);
        left = renumbered(test, &kept, left);
    }
    for stage in stages(&reduction.test.clone(), &left).iter().filter(|stage| **stage != Stage::Arguments) {
        run(&mut reduction, stage);
    }
    reduction
}

/// The way of one ddmin: each list for which the property held is a part of the one before. A large source has many
/// components and many steps, so a list is not kept for each.
struct Steps<'a> {
    components: &'a [Component],
    /// The step with which each went, from 1.
    went: Vec<Option<u32>>,
    taken: u32,
}

impl Steps<'_> {
    fn take(&mut self, kept: &[Component]) {
        self.taken += 1;
        let mut kept = kept.iter().peekable();
        for (component, went) in self.components.iter().zip(&mut self.went) {
            if kept.next_if_eq(&component).is_none() {
                went.get_or_insert(self.taken);
            }
        }
    }

    /// What was left behind that step; behind 0 all.
    fn behind(&self, step: u32) -> Vec<Component> {
        let is_left = |went: &Option<u32>| went.is_none_or(|went| went > step);
        self.components.iter().zip(&self.went).filter(|(_, went)| is_left(went)).map(|(c, _)| c.clone()).collect()
    }
}

/// What was chosen for an argument goes with it to its new place.
fn renumbered(before: &Test, kept: &[Component], chosen: BTreeMap<Source, Vec<Split>>) -> BTreeMap<Source, Vec<Split>> {
    let removable = Stage::Arguments.components(before);
    let stays = |number: &u32| {
        let component = Component::Argument(*number);
        !removable.contains(&component) || kept.contains(&component)
    };
    let moved = |source: Source| match source {
        Source::Arg(number) if !stays(&number) => None,
        Source::Arg(number) => Some(Source::Arg((1..=number).filter(stays).count() as u32)),
        other => Some(other),
    };
    chosen.into_iter().filter_map(|(source, splits)| Some((moved(source)?, splits))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::{Command, Origin, SEED};

    fn grep() -> Test {
        let command = Command::new("grep", ["-i", "pat*ern", SEED, "-n"]);
        let bytes = command.on_seed(b"one line\nthe pattern\nlast line\n".to_vec());
        Test::new(command, bytes, Origin::Seed)
    }

    fn property(test: &Test) -> Verdict {
        let pattern = test.command.templates(&test.bytes).iter().any(|arg| arg.to_string_lossy().contains('*'));
        let line = test.seed().is_some_and(|seed| seed.windows(2).any(|pair| pair == b"tt"));
        if pattern && line { Verdict::Holds } else { Verdict::Lost }
    }

    #[test]
    fn a_test_is_reduced_stage_by_stage() {
        let reduction = reduce(&grep(), &BTreeMap::new(), property, |_| true, |_| true);
        let test = &reduction.test;
        assert_eq!(test.command.templates(&test.bytes), ["*", SEED]);
        assert_eq!(test.seed(), Some(&b"tt"[..]));
        assert!(reduction.is_minimal);
    }

    #[test]
    fn steps_are_what_was_left_behind_each() {
        let components: Vec<Component> = (1..=6).map(Component::Argument).collect();
        let mut steps = Steps { components: &components, went: vec![None; 6], taken: 0 };
        let lists = [vec![0, 2, 3, 5], vec![2, 5], vec![]];
        let of = |list: &Vec<usize>| list.iter().map(|&at| components[at].clone()).collect::<Vec<_>>();
        lists.iter().for_each(|list| steps.take(&of(list)));
        assert_eq!(steps.behind(0), components);
        for (step, list) in (1..).zip(&lists) {
            assert_eq!(steps.behind(step), of(list));
        }
    }

    #[test]
    fn choices_follow_their_argument() {
        let chosen = [(Source::Arg(2), vec![]), (grep().command.seed_source(), vec![Split::Lines])].into();
        let test = reduce(&grep(), &chosen, property, |_| true, |_| true).test;
        assert_eq!(test.command.templates(&test.bytes), ["pat*ern", SEED]);
        assert_eq!(test.seed(), Some(&b"the pattern\n"[..]));
    }

    #[test]
    fn what_is_not_confirmed_is_not_the_answer() {
        let pattern = |test: &Test| test.command.templates(&test.bytes)[0].to_string_lossy().into_owned();
        let free = reduce(&grep(), &BTreeMap::new(), property, |_| true, |_| true);
        let mut asked = 0;
        let confirm = |test: &Test| {
            asked += 1;
            pattern(test) != "*"
        };
        let reduction = reduce(&grep(), &BTreeMap::new(), property, confirm, |_| true);
        assert_eq!(pattern(&reduction.test).len(), 2, "one step before the answer that is refused");
        assert_eq!(reduction.test.seed(), free.test.seed(), "other stages are as they were");
        assert!(reduction.is_minimal);
        assert!(asked < reduction.trials, "{asked} times of {} trials", reduction.trials);
        let none = reduce(&grep(), &BTreeMap::new(), property, |_| false, |_| true);
        assert_eq!(none.test, grep());
    }

    #[test]
    fn an_argument_that_is_left_alone_stays() {
        let chosen = [(Source::Arg(4), vec![])].into();
        let test = reduce(&grep(), &chosen, property, |_| true, |_| true).test;
        assert_eq!(test.command.templates(&test.bytes), ["*", SEED, "-n"]);
    }

    #[test]
    fn a_refusal_when_the_budget_is_used_up_costs_what_was_refused_only() {
        let size = |test: &Test| test.seed().unwrap_or_default().len();
        let least = reduce(&grep(), &BTreeMap::new(), property, |_| true, |_| true);
        // Exactly as long as the first pass over the file, whose last stage is the longest.
        let confirm = |test: &Test| size(test) > 4;
        let reduction = reduce(&grep(), &BTreeMap::new(), property, confirm, |trials| trials < least.trials);
        assert!((5..12).contains(&size(&reduction.test)), "{reduction:?}");
        assert_eq!(property(&reduction.test), Verdict::Holds);
    }

    #[test]
    fn a_budget_covers_all_stages() {
        for budget in 0..40 {
            let reduction = reduce(&grep(), &BTreeMap::new(), property, |_| true, |trials| trials < budget);
            assert!(reduction.trials <= budget);
            assert_eq!(property(&reduction.test), Verdict::Holds);
        }
        assert_eq!(reduce(&grep(), &BTreeMap::new(), property, |_| true, |_| false).test, grep());
    }
}
