//! MC/DC: which test vectors of a decision ran, and which conditions they show to matter.
//!
//! A decision is a graph of conditions: each leads, if false or true, to the next one or to the end. Each way through it
//! is a test vector and has a bit. Clang numbers the ways so that a run only has to add up one number a condition.

use crate::Span;

/// A decision of two or more conditions, such as `a && (b || c)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// Index into the files of the function.
    pub file: u32,
    pub span: Span,
    pub conditions: Vec<Condition>,
    /// What ran, each once: those with the result false before those with the result true.
    pub vectors: Vec<Vector>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// Clang's number for it; 0 is evaluated first.
    pub id: u16,
    /// The numbers of those to evaluate next, if it is false and if it is true; `None` if that is the result.
    pub next: [Option<u16>; 2],
    /// Index into the files of the function: of another file than the decision's if the condition is in a macro.
    pub file: u32,
    pub span: Span,
    /// A constant. It is not counted.
    pub folded: bool,
    /// Indices of two vectors with different results that differ in this condition and in no other, as far as both
    /// evaluated it: what `llvm-cov` counts. A condition that one of them skipped may be taken to have had the other's
    /// value, so there are always inputs for which this is a unique-cause pair.
    pub pair: Option<(usize, usize)>,
    /// The same, where both vectors also evaluated the same conditions. C skips conditions, so for the left side of
    /// `&&` and `||` there is often no such pair at all.
    pub unique_cause: Option<(usize, usize)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vector {
    /// In the order of [`Decision::conditions`]; `None` for what was not evaluated.
    pub values: Vec<Option<bool>>,
    pub result: bool,
}

/// The condition to evaluate next, if one is false and if it is true.
pub(crate) type Next = [Option<u16>; 2];

/// Numbers to add up on the way through a decision.
struct Indices {
    steps: Vec<[u32; 2]>,
    ways: u32,
}

impl Indices {
    /// `None` if the conditions are no graph that starts at the first and ends, or there are too many ways.
    ///
    /// A condition that is reached in `width` ways needs as many numbers. A way into it adds the number of those that
    /// came before; a way out of the decision starts behind all that came before, the widest first.
    fn new(next: &[Next]) -> Option<Self> {
        let mut incoming = vec![0u32; next.len()];
        for &to in next.iter().flatten().flatten() {
            *incoming.get_mut(usize::from(to))? += 1;
        }
        if *incoming.first()? != 0 {
            return None;
        }
        let mut widths = vec![0u32; next.len()];
        widths[0] = 1;
        let mut steps = vec![[0; 2]; next.len()];
        let mut ends = Vec::new();
        let mut queue = vec![0];
        let mut head = 0;
        while let Some(&condition) = queue.get(head) {
            head += 1;
            let width = widths[condition];
            for (outcome, to) in next[condition].iter().enumerate() {
                let Some(to) = to.map(usize::from) else {
                    ends.push((condition, outcome));
                    continue;
                };
                steps[condition][outcome] = widths[to];
                widths[to] = widths[to].checked_add(width).filter(|&width| width <= i32::MAX as u32)?;
                incoming[to] -= 1;
                if incoming[to] == 0 {
                    queue.push(to);
                }
            }
        }
        if queue.len() != next.len() {
            return None;
        }
        // Stable: what ends first is first among equals.
        ends.sort_by_key(|&(condition, _)| std::cmp::Reverse(widths[condition]));
        let mut ways = 0u32;
        for (condition, outcome) in ends {
            steps[condition][outcome] = ways;
            ways = ways.checked_add(widths[condition]).filter(|&ways| ways <= i32::MAX as u32)?;
        }
        Some(Self { steps, ways })
    }
}

/// Bits of a bitmap that end before bit `end`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Bits<'a> {
    /// No run has been there.
    None,
    Before {
        bitmap: &'a [u8],
        end: u32,
    },
}

/// The vectors that ran, with values by the ids of the conditions. `None` if graph or bitmap make no sense.
pub(crate) fn executed(next: &[Next], bits: Bits) -> Option<Vec<Vector>> {
    let indices = Indices::new(next)?;
    let Bits::Before { bitmap, end } = bits else { return Some(Vec::new()) };
    let start = end.checked_sub(indices.ways)? as usize;
    if end as usize > bitmap.len() * 8 {
        return None;
    }
    let is_set = |index: u32| {
        let bit = start + index as usize;
        bitmap[bit / 8] >> (bit % 8) & 1 == 1
    };
    if !(0..indices.ways).any(is_set) {
        return Some(Vec::new());
    }

    let mut found = [Vec::new(), Vec::new()];
    let mut values = vec![None; next.len()];
    // Condition, sum of the steps up to it, and the number of its outcomes that are done.
    let mut way = vec![(0usize, 0u32, 0usize)];
    while let Some((condition, sum, done)) = way.last_mut() {
        let (condition, sum, outcome) = (*condition, *sum, *done);
        *done += 1;
        let Some(&to) = next[condition].get(outcome) else {
            values[condition] = None;
            way.pop();
            continue;
        };
        values[condition] = Some(outcome == 1);
        let sum = sum + indices.steps[condition][outcome];
        match to {
            Some(to) => way.push((usize::from(to), sum, 0)),
            None if is_set(sum) => found[outcome].push(Vector { values: values.clone(), result: outcome == 1 }),
            None => {}
        }
    }
    let [mut vectors, positive] = found;
    vectors.extend(positive);
    Some(vectors)
}

/// For each condition the first two vectors that show it, and the first two that show it and evaluate the same.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    pub masking: Vec<Option<(usize, usize)>>,
    pub unique_cause: Vec<Option<(usize, usize)>>,
}

pub(crate) fn pairs(vectors: &[Vector], conditions: usize) -> Pairs {
    let mut pairs = Pairs { masking: vec![None; conditions], unique_cause: vec![None; conditions] };
    for (second, b) in vectors.iter().enumerate() {
        for (first, a) in vectors[..second].iter().enumerate().filter(|(_, a)| a.result != b.result) {
            let Some((condition, strict)) = only_difference(a, b) else { continue };
            pairs.masking[condition].get_or_insert((first, second));
            if strict {
                pairs.unique_cause[condition].get_or_insert((first, second));
            }
        }
    }
    pairs
}

/// The one condition that both evaluated differently, and whether all others are the same even in not being evaluated.
pub fn only_difference(a: &Vector, b: &Vector) -> Option<(usize, bool)> {
    let mut difference = None;
    let mut strict = true;
    for (condition, values) in a.values.iter().zip(&b.values).enumerate() {
        match values {
            (Some(a), Some(b)) if a != b => {
                if difference.replace(condition).is_some() {
                    return None;
                }
            }
            (a, b) => strict &= a == b,
        }
    }
    difference.map(|condition| (condition, strict))
}

#[cfg(test)]
mod tests {
    use super::*;

    const T: Option<bool> = Some(true);
    const F: Option<bool> = Some(false);

    /// `a && (b || c)`
    const GRAPH: [Next; 3] = [[None, Some(1)], [Some(2), None], [None, None]];

    fn vector(values: [Option<bool>; 3], result: bool) -> Vector {
        Vector { values: values.to_vec(), result }
    }

    #[test]
    fn every_way_has_one_bit() {
        let indices = Indices::new(&GRAPH).expect("a graph");
        assert_eq!(indices.ways, 4);
        let all = executed(&GRAPH, Bits::Before { bitmap: &[0b1111_0000], end: 8 }).expect("in the bitmap");
        let expected = [
            vector([F, None, None], false),
            vector([T, F, F], false),
            vector([T, F, T], true),
            vector([T, T, None], true),
        ];
        assert_eq!(all, expected);
        for bit in 0..4 {
            let one = executed(&GRAPH, Bits::Before { bitmap: &[1 << bit], end: 4 }).expect("in the bitmap");
            assert_eq!(one.len(), 1);
        }
    }

    #[test]
    fn pairs_of_all_vectors() {
        let all = executed(&GRAPH, Bits::Before { bitmap: &[0b1111], end: 4 }).expect("in the bitmap");
        let pairs = pairs(&all, 3);
        assert_eq!(pairs.masking, [Some((0, 2)), Some((1, 3)), Some((1, 2))]);
        assert_eq!(pairs.unique_cause, [None, None, Some((1, 2))]);
    }

    #[test]
    fn nonsense_is_refused() {
        let ring: [Next; 2] = [[Some(1), None], [Some(1), None]];
        let to_the_first: [Next; 2] = [[Some(1), None], [Some(0), None]];
        let nowhere: [Next; 1] = [[Some(3), None]];
        let alone: [Next; 2] = [[None, None], [None, None]];
        for graph in [&ring[..], &to_the_first, &nowhere, &alone, &[]] {
            assert_eq!(executed(graph, Bits::None), None);
        }
        assert_eq!(executed(&GRAPH, Bits::Before { bitmap: &[1], end: 9 }), None);
        assert_eq!(executed(&GRAPH, Bits::Before { bitmap: &[1], end: 3 }), None);
    }
}
