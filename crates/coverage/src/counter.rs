//! Counters of the mapping: a counter of the program, or a sum or difference of others.

use crate::MappingError;
use crate::cursor::Cursor;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counter {
    Zero,
    /// Index into the counters of the function.
    Of(u32),
    /// Index into the expressions of the function.
    Expression(u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expression {
    pub subtract: bool,
    pub left: Counter,
    pub right: Counter,
}

/// The expressions of a function. None contains itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Expressions {
    all: Vec<Expression>,
    /// Indices of `all`, what is used before what uses it.
    order: Vec<u32>,
}

/// The counters that a function's expressions are evaluated over.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Counters<'a> {
    Known(&'a [u64]),
    /// That many zeros: the profile does not know the function.
    Zeros(u64),
}

impl Counters<'_> {
    pub fn get(&self, index: u32) -> Option<u64> {
        match self {
            Self::Known(counters) => counters.get(index as usize).copied(),
            Self::Zeros(count) => (u64::from(index) < *count).then_some(0),
        }
    }
}

/// Reads a counter and notes in the expression that it names whether that adds or subtracts: the mapping says so at
/// each use, and not where the expression is.
pub(crate) fn decode(cursor: &Cursor, encoded: u32, expressions: &mut [Expression]) -> Result<Counter, MappingError> {
    let index = encoded >> 2;
    match encoded & 3 {
        0 => Ok(Counter::Zero),
        1 => Ok(Counter::Of(index)),
        tag => {
            let count = expressions.len();
            let expression = expressions
                .get_mut(index as usize)
                .ok_or_else(|| cursor.malformed(format!("a counter is expression {index} of {count}")))?;
            expression.subtract = tag == 2;
            Ok(Counter::Expression(index))
        }
    }
}

impl Expressions {
    /// `None` if an expression contains itself.
    pub(crate) fn new(all: Vec<Expression>) -> Option<Self> {
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            New,
            Open,
            Done,
        }
        let mut state = vec![State::New; all.len()];
        let mut order = Vec::with_capacity(all.len());
        for root in 0..all.len() {
            let mut stack = vec![root];
            while let Some(&index) = stack.last() {
                let expression = all[index];
                let parts = [expression.left, expression.right].map(|part| match part {
                    Counter::Expression(part) => Some(part as usize),
                    _ => None,
                });
                if state[index] == State::New {
                    state[index] = State::Open;
                    for part in parts.into_iter().flatten() {
                        match state.get(part)? {
                            State::New => stack.push(part),
                            State::Open => return None,
                            State::Done => {}
                        }
                    }
                } else {
                    stack.pop();
                    if state[index] == State::Open {
                        state[index] = State::Done;
                        order.push(index as u32);
                    }
                }
            }
        }
        Some(Self { all, order })
    }

    pub fn all(&self) -> &[Expression] {
        &self.all
    }

    /// The values of all expressions; those that need a counter that is not there have none.
    pub(crate) fn values(&self, counters: Counters) -> Values {
        let mut values = vec![None; self.all.len()];
        for &index in &self.order {
            let Expression { subtract, left, right } = self.all[index as usize];
            let operation = if subtract { i64::wrapping_sub } else { i64::wrapping_add };
            let value = |counter| value(counter, counters, &values);
            values[index as usize] = value(left).zip(value(right)).map(|(left, right)| operation(left, right));
        }
        Values(values)
    }

    /// The highest index of a counter that each expression uses.
    pub(crate) fn highest(&self) -> Vec<u32> {
        let mut highest = vec![0; self.all.len()];
        for &index in &self.order {
            let Expression { left, right, .. } = self.all[index as usize];
            highest[index as usize] =
                [left, right].map(|part| highest_of(part, &highest)).into_iter().fold(0, u32::max);
        }
        highest
    }
}

pub(crate) fn highest_of(counter: Counter, expressions: &[u32]) -> u32 {
    match counter {
        Counter::Zero => 0,
        Counter::Of(index) => index,
        Counter::Expression(index) => expressions[index as usize],
    }
}

/// LLVM computes with signed 64 bits and reads the result as unsigned.
pub(crate) struct Values(Vec<Option<i64>>);

impl Values {
    pub fn of(&self, counter: Counter, counters: Counters) -> Option<u64> {
        value(counter, counters, &self.0).map(|value| value as u64)
    }
}

fn value(counter: Counter, counters: Counters, expressions: &[Option<i64>]) -> Option<i64> {
    match counter {
        Counter::Zero => Some(0),
        Counter::Of(index) => counters.get(index).map(|value| value as i64),
        Counter::Expression(index) => expressions[index as usize],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expression(subtract: bool, left: Counter, right: Counter) -> Expression {
        Expression { subtract, left, right }
    }

    #[test]
    fn parts_may_come_behind_what_uses_them() {
        let all = vec![
            expression(true, Counter::Expression(1), Counter::Of(2)),
            expression(false, Counter::Of(0), Counter::Of(1)),
            expression(false, Counter::Expression(1), Counter::Expression(0)),
        ];
        let expressions = Expressions::new(all).expect("no cycle");
        let counters = Counters::Known(&[10, 5, 3]);
        let values = expressions.values(counters);
        let value = |index| values.of(Counter::Expression(index), counters);
        assert_eq!([value(0), value(1), value(2)], [Some(12), Some(15), Some(27)]);
        assert_eq!(expressions.highest(), [2, 1, 2]);
    }

    #[test]
    fn a_missing_counter_leaves_the_rest_alone() {
        let all =
            vec![expression(false, Counter::Of(0), Counter::Of(7)), expression(true, Counter::Zero, Counter::Of(0))];
        let expressions = Expressions::new(all).expect("no cycle");
        let counters = Counters::Known(&[4]);
        let values = expressions.values(counters);
        assert_eq!(values.of(Counter::Expression(0), counters), None);
        assert_eq!(values.of(Counter::Expression(1), counters), Some(-4i64 as u64));
    }

    #[test]
    fn an_expression_in_itself_is_refused() {
        let all = vec![
            expression(false, Counter::Expression(1), Counter::Zero),
            expression(false, Counter::Zero, Counter::Expression(0)),
        ];
        assert_eq!(Expressions::new(all), None);
        assert_eq!(Expressions::new(vec![expression(false, Counter::Of(0), Counter::Expression(0))]), None);
    }
}
