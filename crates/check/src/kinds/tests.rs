//! Each kind's conditions against arithmetic on plain numbers: for every input byte, the condition holds if and only if
//! the operation goes wrong.

use super::*;
use offshoot_expr::build::TraceBuilder;
use offshoot_expr::{Evaluator, Input, TraceView};
use offshoot_trace::layout::{ObjectEntry, object_kind};
use offshoot_trace::{Event, EventKind};
use proptest::prelude::*;

const BASE: u64 = 0x5000;

/// An event on a term over the one input byte, made by `term`, and an object of `size` bytes whose size may be a term.
struct Case {
    trace: Vec<u8>,
    operation: Operation,
}

fn case(
    kind: EventKind,
    bit: bool,
    payload: [u64; 3],
    object: Option<(u64, bool)>,
    term: impl FnOnce(&mut TraceBuilder, NodeId) -> NodeId,
) -> Case {
    let mut trace = TraceBuilder::new();
    let source = trace.source("stdin", &[0]);
    let byte = trace.byte(source, 0);
    let node = term(&mut trace, byte);
    let size_term = trace.unary(Op::Zext, 64, byte);
    let object = object.map(|(size, symbolic)| Object {
        entry: ObjectEntry {
            base: BASE,
            size,
            size_term: if symbolic { size_term } else { 0 },
            kind: object_kind::HEAP,
            ..ObjectEntry::default()
        },
        name: None,
        is_freed: false,
    });
    let event = Event { kind, bit, site: 1, term: node, payload };
    Case { trace: trace.finish(), operation: Operation { position: 0, from: 0, step: 0, event, object, guard: None } }
}

/// Under which values of the byte the first violation holds.
fn violating(check: &dyn Check, case: &Case) -> Vec<bool> {
    let view = TraceView::new(&case.trace).expect("a trace");
    let mut import = Import::new(view);
    let mut pool = Pool::new();
    let violations = check.violations(&case.operation, &mut Terms { import: &mut import, pool: &mut pool });
    let goal = violations.first().expect("a violation").goal;
    let surer: Vec<TermId> = violations[0].surer.clone();
    (0..=255)
        .map(|value| {
            let mut input = Input::new();
            input.set(1, 0, value);
            let holds = |term| pool.eval(term, &input) != 0;
            assert!(!surer.iter().any(|&term| holds(term)) || holds(goal), "a surer condition implies the goal");
            holds(goal)
        })
        .collect()
}

fn value_of(case: &Case, byte: u8) -> u128 {
    let view = TraceView::new(&case.trace).expect("a trace");
    let mut input = Input::new();
    input.set(1, 0, byte);
    Evaluator::new(view).one(case.operation.event.term, &input).expect("a value")
}

proptest! {
    #[test]
    fn an_access_is_outside_or_inside(size in 0u64..300, bytes in 1u64..17, shift in 0u64..600, symbolic: bool) {
        let start = BASE.wrapping_add(shift).wrapping_sub(300);
        let case = case(EventKind::Access, false, [BASE, 1 << 32 | bytes, 0], Some((size, symbolic)), |trace, byte| {
            let wide = trace.unary(Op::Zext, 64, byte);
            trace.binary_imm(Op::Add, 64, wide, start)
        });
        for (byte, violated) in (0u8..=255).zip(violating(&bounds::Bounds, &case)) {
            let address = value_of(&case, byte) as u64;
            let size = if symbolic { u64::from(byte) } else { size };
            let inside = address >= BASE && address + bytes <= BASE + size;
            prop_assert_eq!(violated, !inside, "byte {}", byte);
        }
    }

    #[test]
    fn a_length_is_past_the_end_or_not(size in 0u64..300, start in 0u64..300, symbolic: bool) {
        prop_assume!(start <= size);
        let payload = [0, BASE + start, 1 << 32];
        let case = case(EventKind::Length, false, payload, Some((size, symbolic)), |trace, byte| {
            trace.unary(Op::Sext, 64, byte)
        });
        for (byte, violated) in (0u8..=255).zip(violating(&length::Length, &case)) {
            let length = value_of(&case, byte);
            let size = if symbolic { u64::from(byte) } else { size };
            prop_assert_eq!(violated, u128::from(start) + length > u128::from(size), "byte {}", byte);
        }
    }

    #[test]
    fn a_divisor_is_zero_or_not(added: u8) {
        let case = case(EventKind::Divide, false, [0, 32, 0], None, |trace, byte| {
            trace.binary_imm(Op::Add, 8, byte, u64::from(added))
        });
        for (byte, violated) in (0u8..=255).zip(violating(&division::Division, &case)) {
            prop_assert_eq!(violated, byte.wrapping_add(added) == 0);
        }
    }
}

#[test]
fn lists_of_checks_are_understood() {
    let names = |list| parse(list).map(|checks| checks.iter().map(|check| check.name()).collect::<Vec<_>>());
    assert_eq!(names("null, division").expect("known"), ["null", "division"]);
    assert_eq!(names("all").expect("known").len(), ALL.len());
    assert_eq!(names("").expect("known"), names("default").expect("known"));
    assert_eq!(names("default").expect("known").len(), ALL.len() - 3);
    assert_eq!(names("-null").expect("known").len(), ALL.len() - 4);
    assert_eq!(names("default,shift").expect("known").last(), Some(&"shift"));
    assert_eq!(names("default,-bounds,-null,-freed,-length,-allocation,-assertion").expect("known"), ["division"]);
    let error = names("bound").expect_err("unknown").to_string();
    assert!(error.contains("\"bound\"") && error.contains("null, bounds, freed"), "{error}");
}
