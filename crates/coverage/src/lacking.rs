//! Which vectors of a decision would show what has not been shown yet.

use crate::mcdc::{Decision, Vector, only_difference};

/// A decision with more ways through it is not looked at.
const MOST_WAYS: usize = 4096;

impl Decision {
    /// All ways through it that C allows, seen or not; nothing if there are too many.
    pub fn ways(&self) -> Vec<Vector> {
        let position = |id: u16| self.conditions.iter().position(|condition| condition.id == id);
        let Some(first) = position(0) else { return Vec::new() };
        let mut ways = Vec::new();
        let mut open = vec![(first, vec![None; self.conditions.len()])];
        while let Some((at, values)) = open.pop() {
            for value in [true, false] {
                let mut values = values.clone();
                values[at] = Some(value);
                match self.conditions[at].next[usize::from(value)].and_then(position) {
                    // One that has a value already: no graph of a decision.
                    Some(next) if values[next].is_some() => return Vec::new(),
                    Some(next) => open.push((next, values)),
                    None => ways.push(Vector { values, result: value }),
                }
            }
            if ways.len() + open.len() > MOST_WAYS {
                return Vec::new();
            }
        }
        ways
    }

    /// What the condition at this position lacks: the vectors each of which would complete a pair with one that was
    /// seen; if there is none, two that are a pair. Nothing if it has a pair, or is a constant.
    pub fn lacking(&self, condition: usize) -> Vec<Vector> {
        if self.conditions.get(condition).is_none_or(|known| known.pair.is_some() || known.folded) {
            return Vec::new();
        }
        let is_pair = |a: &Vector, b: &Vector| {
            a.result != b.result && only_difference(a, b).is_some_and(|(differs, _)| differs == condition)
        };
        let mut unseen = self.ways();
        unseen.retain(|way| way.values[condition].is_some() && !self.vectors.contains(way));
        let alone: Vec<Vector> =
            unseen.iter().filter(|way| self.vectors.iter().any(|seen| is_pair(way, seen))).cloned().collect();
        if !alone.is_empty() {
            return alone;
        }
        let partner = |way: &Vector| unseen.iter().find(|other| is_pair(way, other)).cloned();
        unseen.iter().find_map(|way| Some(vec![way.clone(), partner(way)?])).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Condition, Decision, Position, Span, Vector};

    const T: Option<bool> = Some(true);
    const F: Option<bool> = Some(false);
    const NOWHERE: Position = Position { line: 1, column: 1 };
    const SPAN: Span = Span { start: NOWHERE, end: NOWHERE };

    /// `a && (b || c)` after these vectors.
    fn decision(vectors: &[([Option<bool>; 3], bool)]) -> Decision {
        let next = [[None, Some(1)], [Some(2), None], [None, None]];
        let condition =
            |(id, next)| Condition { id, next, file: 0, span: SPAN, folded: false, pair: None, unique_cause: None };
        let conditions = (0..).zip(next).map(condition).collect();
        let vectors = vectors.iter().map(|&(values, result)| Vector { values: values.to_vec(), result }).collect();
        Decision { file: 0, span: SPAN, conditions, vectors }
    }

    #[test]
    fn there_are_four_ways_through_three_conditions() {
        assert_eq!(decision(&[]).ways().len(), 4);
    }

    #[test]
    fn one_vector_is_enough_where_the_other_was_seen() {
        let lacking = decision(&[([T, F, F], false)]).lacking(2);
        assert_eq!(lacking, [Vector { values: vec![T, F, T], result: true }]);
    }

    #[test]
    fn two_are_named_where_none_was_seen() {
        let lacking = decision(&[]).lacking(1);
        assert_eq!(lacking.len(), 2);
        assert_eq!(lacking.iter().map(|way| way.values[1]).collect::<Vec<_>>(), [T, F]);
    }

    #[test]
    fn a_graph_that_turns_back_has_no_ways() {
        let mut turning = decision(&[]);
        turning.conditions[2].next = [Some(1), None];
        assert_eq!(turning.ways(), []);
    }
}
