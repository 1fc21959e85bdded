//! How near a run came to goals that are still open (Xie et al., DSN 2009, section 3: branch distances).
//!
//! Only decisions on the input count: of the others the trace has no operands.

use crate::coverage::Covered;
use crate::sites::Sites;
use offshoot_expr::check::{Operand, operands};
use offshoot_expr::{Evaluator, Input, TraceView, Values};
use offshoot_search::{GoalId, Knowledge};
use offshoot_trace::eval::mask;
use offshoot_trace::{EventKind, NodeId, Op};
use std::collections::BTreeMap;

/// Conditions inside one condition that are looked into.
const NESTING: u32 = 16;

/// For each open goal whose decision the run passed, the smallest distance in `0.0..1.0`, by goal.
pub fn fitness(view: &TraceView<'_>, sites: &Sites, covered: &Covered<'_>) -> Vec<(GoalId, f32)> {
    let resolve = sites.resolver(view);
    // Most runs pass no open goal: nothing is evaluated before one does.
    let mut distances: Option<Distances<'_>> = None;
    let mut nearest: BTreeMap<GoalId, f64> = BTreeMap::new();
    for event in view.events() {
        if event.term == 0 || !matches!(event.kind, EventKind::Branch | EventKind::Switch) {
            continue;
        }
        let site = resolve.site(event.site);
        for outcome in 0..sites.outcomes(site) {
            let Some(goal) = sites.goal(site, outcome).filter(|&goal| !covered.is_covered(goal)) else { continue };
            let distances = distances.get_or_insert_with(|| Distances::new(*view));
            let distance = match (event.kind, sites.cases(site)) {
                (EventKind::Switch, Some(cases)) => to_label(event.payload[0], cases, outcome),
                _ => distances.to(event.term, outcome != 0, NESTING),
            };
            let least = nearest.entry(goal).or_insert(f64::INFINITY);
            *least = least.min(distance);
        }
    }
    nearest.into_iter().map(|(goal, distance)| (goal, normalised(distance))).collect()
}

/// `x / (x + 1)`, below 1.
fn normalised(distance: f64) -> f32 {
    let share = if distance.is_finite() { distance / (distance + 1.0) } else { 1.0 };
    (share as f32).min(1.0 - f32::EPSILON)
}

/// From a value to the label of an outcome; any step leads from a label to the default.
fn to_label(value: u64, cases: &[u64], outcome: u32) -> f64 {
    match cases.get(outcome as usize) {
        Some(&case) => (value as i64).abs_diff(case as i64) as f64,
        None => f64::from(u8::from(cases.contains(&value))),
    }
}

struct Distances<'a> {
    view: TraceView<'a>,
    values: Values,
}

impl<'a> Distances<'a> {
    fn new(view: TraceView<'a>) -> Distances<'a> {
        Distances { view, values: Evaluator::new(view).all(&Input::of(&view)) }
    }

    /// What a condition lacks to be `wanted`; 0 if it is.
    fn to(&self, condition: NodeId, wanted: bool, nesting: u32) -> f64 {
        if (self.values.get(condition) & 1 == 1) == wanted {
            return 0.0;
        }
        let Ok(node) = self.view.node(condition) else { return 1.0 };
        let Some(op) = node.operation().filter(|_| nesting > 0) else { return 1.0 };
        let [a, b, c] = operands(&node);
        let width = [a, b].iter().find_map(|operand| self.width(*operand)).unwrap_or(node.width);
        match op {
            Op::Eq | Op::Ne if width == 1 => match (a, b) {
                // `x == false` and the like: one side is a condition itself, and it must change.
                (Operand::Node(inner), Operand::Immediate(_)) | (Operand::Immediate(_), Operand::Node(inner)) => {
                    self.to(inner, self.values.get(inner) & 1 == 0, nesting - 1)
                }
                _ => 1.0,
            },
            Op::Eq | Op::Ne | Op::Ult | Op::Ule | Op::Slt | Op::Sle => {
                if matches!(op, Op::Eq | Op::Ne)
                    && let (Operand::Node(inner), Operand::Immediate(0)) = (a, b)
                    && let Some(inner) = self.widened(inner)
                {
                    return self.to(inner, (op == Op::Ne) == wanted, nesting - 1);
                }
                // Unequal is one step from equal, and so is the bound of a strict comparison.
                let step = match op {
                    Op::Eq | Op::Ne => 0.0,
                    Op::Ule | Op::Sle => f64::from(u8::from(!wanted)),
                    _ => f64::from(u8::from(wanted)),
                };
                let (x, y) = (self.value(a, width), self.value(b, width));
                let apart = match op {
                    Op::Slt | Op::Sle => signed(x, width).abs_diff(signed(y, width)),
                    // Of equality nobody knows the sign; numbers near 0 on both sides are near.
                    Op::Eq | Op::Ne => signed(x, width).abs_diff(signed(y, width)).min(x.abs_diff(y)),
                    _ => x.abs_diff(y),
                };
                (apart as f64 + step).max(1.0)
            }
            Op::FOeq | Op::FOlt | Op::FOle => {
                let apart = (self.float(a, width) - self.float(b, width)).abs();
                if apart.is_nan() { f64::INFINITY } else { apart.max(f64::MIN_POSITIVE) }
            }
            Op::And | Op::Or => {
                let (x, y) = (self.part(a, wanted, nesting), self.part(b, wanted, nesting));
                if (op == Op::And) == wanted { x + y } else { x.min(y) }
            }
            Op::Xor => self.part(a, self.value(a, 1) == 0, nesting).min(self.part(b, self.value(b, 1) == 0, nesting)),
            Op::Ite => self.part(if self.value(a, 1) == 1 { b } else { c }, wanted, nesting),
            _ => 1.0,
        }
    }

    /// One side of a condition made of conditions; a constant never changes.
    fn part(&self, operand: Operand, wanted: bool, nesting: u32) -> f64 {
        match operand {
            Operand::Node(inner) => self.to(inner, wanted, nesting - 1),
            Operand::Immediate(value) if (value & 1 == 1) == wanted => 0.0,
            _ => f64::INFINITY,
        }
    }

    /// The condition of which a number is the zero-extension.
    fn widened(&self, number: NodeId) -> Option<NodeId> {
        let node = self.view.node(number).ok().filter(|node| node.operation() == Some(Op::Zext))?;
        (self.view.node(node.a).ok()?.width == 1).then_some(node.a)
    }

    fn width(&self, operand: Operand) -> Option<u8> {
        match operand {
            Operand::Node(id) => self.view.node(id).ok().map(|node| node.width),
            _ => None,
        }
    }

    fn value(&self, operand: Operand, width: u8) -> u128 {
        match operand {
            Operand::Node(id) => self.values.get(id),
            Operand::Immediate(value) => u128::from(value) & mask(width),
            Operand::None => 0,
        }
    }

    fn float(&self, operand: Operand, width: u8) -> f64 {
        let bits = self.value(operand, width);
        if width == 32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits as u64) }
    }
}

fn signed(value: u128, width: u8) -> i128 {
    let unused = 128 - u32::from(width.clamp(1, 128));
    (value << unused) as i128 >> unused
}

#[cfg(test)]
mod tests {
    use super::*;
    use offshoot_expr::build::TraceBuilder;

    /// The distance of a condition over four input bytes to the outcome that it does not have.
    fn distance(bytes: [u8; 4], make: impl Fn(&mut TraceBuilder, NodeId) -> NodeId) -> f64 {
        let mut builder = TraceBuilder::new();
        let source = builder.source("stdin", &bytes);
        let number = builder.read(source, 0, 4);
        let condition = make(&mut builder, number);
        let trace = builder.finish();
        let distances = Distances::new(TraceView::new(&trace).expect("a trace"));
        let is = distances.values.get(condition) == 1;
        assert_eq!(distances.to(condition, is, NESTING), 0.0);
        distances.to(condition, !is, NESTING)
    }

    fn compared(op: Op, value: i32, bound: i32) -> f64 {
        distance(value.to_le_bytes(), |builder, number| builder.binary_imm(op, 1, number, u64::from(bound as u32)))
    }

    #[test]
    fn comparisons() {
        assert_eq!(compared(Op::Eq, 2, 6), 4.0);
        assert_eq!(compared(Op::Eq, 6, 6), 1.0);
        assert_eq!(compared(Op::Ne, 6, 6), 1.0);
        assert_eq!(compared(Op::Eq, -1, 1), 2.0);
        assert_eq!(compared(Op::Slt, 9, 6), 4.0);
        assert_eq!(compared(Op::Slt, -3, 6), 9.0);
        assert_eq!(compared(Op::Sle, 9, 6), 3.0);
        assert_eq!(compared(Op::Sle, 6, 6), 1.0);
        assert_eq!(compared(Op::Ult, -1, 6), f64::from(u32::MAX - 6) + 1.0);
    }

    #[test]
    fn conditions_of_conditions() {
        let pair = |op: Op| {
            distance(5i32.to_le_bytes(), move |builder, number| {
                let near = builder.binary_imm(Op::Eq, 1, number, 7);
                let far = builder.binary_imm(Op::Eq, 1, number, 15);
                builder.binary(op, 1, near, far)
            })
        };
        assert_eq!((pair(Op::And), pair(Op::Or), pair(Op::Xor)), (12.0, 2.0, 2.0));
        let not = distance(5i32.to_le_bytes(), |builder, number| {
            let is = builder.binary_imm(Op::Eq, 1, number, 7);
            builder.binary_imm(Op::Xor, 1, is, 1)
        });
        assert_eq!(not, 2.0);
        let widened = distance(5i32.to_le_bytes(), |builder, number| {
            let is = builder.binary_imm(Op::Eq, 1, number, 7);
            let wide = builder.unary(Op::Zext, 32, is);
            builder.binary_imm(Op::Ne, 1, wide, 0)
        });
        assert_eq!(widened, 2.0);
    }

    #[test]
    fn floats() {
        let compared = |value: f32| {
            let bound = u64::from(2.5f32.to_bits());
            distance(value.to_le_bytes(), move |builder, number| builder.binary_imm(Op::FOeq, 1, number, bound))
        };
        assert_eq!(compared(1.0), 1.5);
        assert_eq!(normalised(compared(f32::NAN)), 1.0 - f32::EPSILON);
    }

    #[test]
    fn labels() {
        let cases = [3, 10, (-4i64) as u64];
        assert_eq!([0, 1, 2, 3].map(|outcome| to_label(3, &cases, outcome)), [0.0, 7.0, 7.0, 1.0]);
        assert_eq!(to_label(5, &cases, 3), 0.0);
    }
}
