//! Decisions of several conditions, and the ways through them.

use super::ids::{GoalId, SiteId};
use crate::module::Part;

/// Such as `a && (b || c)`.
#[derive(Debug)]
pub struct Decision {
    /// Its outcomes are the ways; no branch of the program decides it.
    pub site: SiteId,
    /// The sites of its conditions, each behind those that lead to it; `None` for one that no branch decides.
    pub conditions: Vec<Option<SiteId>>,
    pub ways: Vec<Way>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Way {
    /// Taken by a run that went this way.
    pub goal: GoalId,
    /// Of each condition; `None` for what is not evaluated.
    pub values: Vec<Option<bool>>,
    pub result: bool,
}

/// The ways through the parts of a decision whose outcomes begin at `first`, those with the result false before the others.
/// Empty if the parts make no sense.
pub(super) fn ways(parts: &[Part], first: GoalId, count: u32) -> Vec<Way> {
    let mut found = Vec::new();
    if parts.is_empty() {
        return found;
    }
    let mut open = vec![(0_usize, 0_u32, vec![None; parts.len()])];
    while let Some((at, sum, values)) = open.pop() {
        for (outcome, result) in [(0, false), (1, true)] {
            let part = &parts[at];
            let mut values = values.clone();
            values[at] = Some(result);
            let sum = sum + part.steps[outcome];
            match part.next[outcome].map(usize::from) {
                Some(next) if next > at && next < parts.len() => open.push((next, sum, values)),
                None if sum < count && found.len() < count as usize => {
                    found.push(Way { goal: GoalId(first.0 + sum), values, result });
                }
                _ => return Vec::new(),
            }
        }
    }
    found.sort_by_key(|way| (way.result, way.goal));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(next: [Option<u16>; 2], steps: [u32; 2]) -> Part {
        Part { site: 1, next, steps }
    }

    #[test]
    fn every_way_has_its_outcome() {
        // a && (b || c)
        let parts = [part([None, Some(1)], [2, 0]), part([Some(2), None], [0, 3]), part([None, None], [0, 1])];
        let ways = ways(&parts, GoalId(10), 4);
        let (yes, no) = (Some(true), Some(false));
        let expected = [
            (10, vec![yes, no, no], false),
            (12, vec![no, None, None], false),
            (11, vec![yes, no, yes], true),
            (13, vec![yes, yes, None], true),
        ];
        let expected = expected.map(|(goal, values, result)| Way { goal: GoalId(goal), values, result });
        assert_eq!(ways, expected);
    }

    #[test]
    fn nonsense_has_no_ways() {
        let back = [part([None, Some(0)], [0, 0])];
        let outside = [part([None, Some(7)], [0, 0])];
        let too_far = [part([None, None], [0, 9])];
        for parts in [&back[..], &outside, &too_far, &[]] {
            assert_eq!(ways(parts, GoalId(0), 2), []);
        }
    }
}
