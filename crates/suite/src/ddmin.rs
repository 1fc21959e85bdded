//! ddmin: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (TSE 2002), with any property in
//! place of the failure: cause reduction, section 2 of Zhang, Groce and Alipour (ISSTA 2014).

use fixedbitset::FixedBitSet;
use std::collections::HashSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The property holds: covers at least what the original covers, still fails, …
    Holds,
    Lost,
    /// Could not be decided. Treated as lost.
    Unresolved,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced<C> {
    /// The smallest list seen for which the property holds, in the original order.
    pub kept: Vec<C>,
    /// Calls of the oracle.
    pub trials: u64,
    /// Lists that needed no call because they had been tried before.
    pub repeated: u64,
    /// Dropping any single component loses the property. `false`: the budget ended first.
    pub is_minimal: bool,
}

/// What tried lists may cost in memory; past it they are forgotten, and may be tried again.
const MEMORY: usize = 64 << 20;

/// Drops components as long as the oracle says that the property holds. It is taken to hold for all of `components`:
/// they are not tried, and are the answer if nothing smaller does. `goes_on` is asked before each trial, with the number
/// of trials so far.
///
/// One deviation from the paper: after a complement was good, we go on with the next one, not with the first again. The
/// end is the same (a round over single components in which nothing could go), the trials on the way are fewer.
pub fn ddmin<C: Clone>(
    components: &[C],
    oracle: impl FnMut(&[C]) -> Verdict,
    goes_on: impl FnMut(u64) -> bool,
) -> Reduced<C> {
    let mut run = Run { components, oracle, goes_on, lost: HashSet::new(), trials: 0, repeated: 0 };
    let mut kept: Vec<usize> = (0..components.len()).collect();
    let ended = run.minimise(&mut kept);
    Reduced {
        kept: kept.iter().map(|&at| components[at].clone()).collect(),
        trials: run.trials,
        repeated: run.repeated,
        is_minimal: ended.is_ok(),
    }
}

struct Run<'a, C, O, G> {
    components: &'a [C],
    oracle: O,
    goes_on: G,
    lost: HashSet<FixedBitSet>,
    trials: u64,
    repeated: u64,
}

/// The caller's budget is used up.
struct Ended;

impl<C: Clone, O: FnMut(&[C]) -> Verdict, G: FnMut(u64) -> bool> Run<'_, C, O, G> {
    fn minimise(&mut self, kept: &mut Vec<usize>) -> Result<(), Ended> {
        if kept.is_empty() {
            return Ok(());
        }
        if self.holds(&[])? {
            kept.clear();
            return Ok(());
        }
        let mut parts = 2;
        while kept.len() > 1 {
            if let Some(part) = self.good_part(kept, parts)? {
                *kept = part;
                parts = 2;
                continue;
            }
            let left = self.drop_parts(kept, parts)?;
            parts = match left {
                Some(left) => left.max(2),
                None if parts >= kept.len() => return Ok(()),
                None => (2 * parts).min(kept.len()),
            };
        }
        Ok(())
    }

    /// Reduce to subset.
    fn good_part(&mut self, kept: &[usize], parts: usize) -> Result<Option<Vec<usize>>, Ended> {
        for part in 0..parts {
            let part = &kept[bounds(kept.len(), parts, part)];
            if self.holds(part)? {
                return Ok(Some(part.to_vec()));
            }
        }
        Ok(None)
    }

    /// Reduce to complement, part by part. Gives the number of parts that are left if any could go.
    fn drop_parts(&mut self, kept: &mut Vec<usize>, parts: usize) -> Result<Option<usize>, Ended> {
        let mut sizes: Vec<usize> = (0..parts).map(|part| bounds(kept.len(), parts, part).len()).collect();
        let (mut at, mut start) = (0, 0);
        while at < sizes.len() {
            let end = start + sizes[at];
            let complement = [&kept[..start], &kept[end..]].concat();
            if sizes.len() > 1 && self.holds(&complement)? {
                *kept = complement;
                sizes.remove(at);
            } else {
                start = end;
                at += 1;
            }
        }
        Ok((sizes.len() < parts).then_some(sizes.len()))
    }

    fn holds(&mut self, list: &[usize]) -> Result<bool, Ended> {
        let mut key = FixedBitSet::with_capacity(self.components.len());
        key.extend(list.iter().copied());
        if self.lost.contains(&key) {
            self.repeated += 1;
            return Ok(false);
        }
        if !(self.goes_on)(self.trials) {
            return Err(Ended);
        }
        self.trials += 1;
        let tried: Vec<C> = list.iter().map(|&at| self.components[at].clone()).collect();
        let holds = (self.oracle)(&tried) == Verdict::Holds;
        if !holds {
            if (self.lost.len() + 1) * self.components.len() / 8 > MEMORY {
                self.lost.clear();
            }
            self.lost.insert(key);
        }
        Ok(holds)
    }
}

/// The `part`-th of `parts` nearly equal stretches of a list.
fn bounds(length: usize, parts: usize, part: usize) -> std::ops::Range<usize> {
    length * part / parts..length * (part + 1) / parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn endless(_: u64) -> bool {
        true
    }

    fn verdict(holds: bool) -> Verdict {
        if holds { Verdict::Holds } else { Verdict::Lost }
    }

    #[test]
    fn the_example_of_the_paper() {
        // 1, 7 and 8 together are the cause.
        let reduced =
            ddmin(&[1, 2, 3, 4, 5, 6, 7, 8], |list| verdict([1, 7, 8].iter().all(|c| list.contains(c))), endless);
        assert_eq!((reduced.kept, reduced.is_minimal), (vec![1, 7, 8], true));
    }

    #[test]
    fn nothing_is_needed_or_everything() {
        assert!(ddmin(&[1, 2, 3], |_| Verdict::Holds, endless).kept.is_empty());
        let all = ddmin(&[1, 2, 3], |_| Verdict::Unresolved, endless);
        assert_eq!((all.kept, all.is_minimal), (vec![1, 2, 3], true));
        assert_eq!(ddmin::<u8>(&[], |_| Verdict::Holds, endless).trials, 0);
    }

    proptest! {
        /// For a property that no structure stands behind: any table of answers.
        #[test]
        fn the_result_holds_and_is_one_minimal(length in 0usize..10, answers: [u64; 16]) {
            let components: Vec<usize> = (0..length).collect();
            let full = (1usize << length) - 1;
            let mask = |list: &[usize]| list.iter().fold(0usize, |mask, c| mask | 1 << c);
            let answer = |mask: usize| mask == full || answers[mask / 64 % 16] >> (mask % 64) & 1 == 1;
            let mut tried = BTreeSet::new();
            let mut twice = false;
            let reduced = ddmin(&components, |list| { twice |= !tried.insert(mask(list)); verdict(answer(mask(list))) }, endless);
            let kept = mask(&reduced.kept);
            prop_assert!(answer(kept));
            prop_assert!(reduced.is_minimal);
            for component in &reduced.kept {
                prop_assert!(!answer(kept & !(1 << component)), "{component} of {:?} could go", reduced.kept);
            }
            prop_assert!(!twice, "no list is tried twice");
            prop_assert_eq!(reduced.trials, tried.len() as u64);
        }

        #[test]
        fn a_budget_ends_it_with_the_smallest_so_far(length in 1usize..40, needed in prop::collection::btree_set(0usize..40, 0..6), budget in 0u64..60) {
            let components: Vec<usize> = (0..length).collect();
            let needed: Vec<usize> = needed.into_iter().filter(|&c| c < length).collect();
            let mut smallest = length;
            let reduced = ddmin(&components, |list| {
                let holds = needed.iter().all(|c| list.contains(c));
                if holds { smallest = smallest.min(list.len()) }
                verdict(holds)
            }, |trials| trials < budget);
            prop_assert!(reduced.trials <= budget);
            prop_assert_eq!(reduced.kept.len(), smallest);
            prop_assert!(needed.iter().all(|c| reduced.kept.contains(c)));
            if reduced.is_minimal {
                prop_assert_eq!(reduced.kept, needed, "such a property has one minimal list");
            }
        }
    }
}
