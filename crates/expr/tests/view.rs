//! Reading traces: what a run leaves, and what a killed or hostile one may leave.

mod common;

use common::{Menu, as_trace, cook, input, recipe};
use offshoot_expr::build::TraceBuilder;
use offshoot_expr::smt::path_condition;
use offshoot_expr::{Damage, Evaluator, Import, Input, Path, Pool, TraceView, ViewError, show};
use offshoot_trace::layout::{ModuleEntry, ObjectEntry};
use offshoot_trace::node::{IMM_LHS, IMM_RHS};
use offshoot_trace::{EventKind, Node, Op};
use proptest::prelude::*;

/// `if (stdin[0] == 'a') switch (stdin[1]) { case 7: p[stdin[2]] }`
fn sample() -> TraceBuilder {
    let mut t = TraceBuilder::new();
    let stdin = t.source("stdin", b"a\x07\x02");
    let byte = t.byte(stdin, 0);
    let wide = t.unary(Op::Sext, 32, byte);
    let equal = t.binary_imm(Op::Eq, 1, wide, b'a' as u64);
    t.branch(11, equal, true);
    let second = t.byte(stdin, 1);
    t.event(EventKind::Switch, false, 12, second, &[7]);
    let third = t.byte(stdin, 2);
    let index = t.unary(Op::Zext, 64, third);
    let table = t.table(&[10, 20, 30, 40], &[0, 0, 0, byte << 3]);
    let cell = t.select(table, index, 2);
    let small = t.binary_imm(Op::Ult, 1, cell, 9);
    t.branch(13, small, false);
    let name = t.blob(b"memfrob\0");
    t.event(EventKind::Loss, false, 13, cell, &[1 | name << 32]);
    let out = t.blob(b"hi\0\0\x08\0\0\0\0\0\0\0");
    t.event(EventKind::Output, false, 0, 0, &[1 << 32 | 2, out | 1 << 63]);
    t.objects.push(ObjectEntry { base: 0x1000, size: 8, name: name as u32, ..ObjectEntry::default() });
    t.modules.push(ModuleEntry { uid: 77, base: 10, sites: 5, coverage: 2, reserved: 0 });
    t.coverage = (0..12).collect();
    t
}

#[test]
fn everything_in_its_place() {
    let bytes = sample().finish();
    let view = TraceView::new(&bytes).unwrap();
    assert_eq!(view.source(1).unwrap().bytes, b"a\x07\x02");
    assert_eq!(view.source(1).unwrap().name, "stdin");
    assert_eq!((view.source(0), view.source(2)), (None, None));
    let events: Vec<_> = view.events().collect();
    assert_eq!(events.len(), 5);
    assert_eq!((events[1].kind, events[1].site, events[1].payload[0]), (EventKind::Switch, 12, 7));
    assert_eq!(view.loss(&events[3]).unwrap().1, "memfrob");
    let output = view.output(&events[4]).unwrap();
    assert_eq!((output.fd, output.bytes, output.handle(0), output.handle(1)), (1, &b"hi"[..], 8, 0));
    let object = view.object(1).unwrap();
    assert_eq!(view.object_name(&object).as_deref(), Some("memfrob"));
    let (module, local) = view.locate(12).unwrap();
    assert_eq!((module.uid, local), (77, 2));
    assert_eq!(view.module_coverage(&module), Some(&bytes_of(2..12)[..]));
    assert!(view.locate(15).is_none() && view.locate(9).is_none());
    // cell 2 and cell 3, the latter being stdin[0]
    assert_eq!(Evaluator::new(view).one(7, &Input::of(&view)), Ok(30 | (b'a' as u128) << 8));
}

fn bytes_of(range: std::ops::Range<u8>) -> Vec<u8> {
    range.collect()
}

#[test]
fn the_path_in_words() {
    let bytes = sample().finish();
    let view = TraceView::new(&bytes).unwrap();
    let (mut pool, mut import) = (Pool::new(), Import::new(view));
    let path = Path::of(&mut import, &mut pool);
    let names = view.source_names();
    let shown: Vec<_> =
        path.constraints.iter().map(|c| show::show_constraint(&pool, &names, c, show::Options::default())).collect();
    assert_eq!(shown, ["stdin[0] == 'a'", "stdin[1] == 7", "table0<4>[stdin[2]]:u16 >= 9"]);
    let input = Input::of(&view);
    for constraint in &path.constraints {
        assert_eq!(pool.eval(constraint.holds, &input), 1, "the path condition holds of the run's own input");
    }
}

#[test]
fn a_table_in_pieces() {
    let mut trace = TraceBuilder::new();
    let content: Vec<u8> = (0..150).collect();
    let mut handles = vec![0; 150];
    (handles[64], handles[149]) = (1 << 3, 1 << 3 | 5);
    let id = trace.table(&content, &handles);
    let bytes = trace.finish();
    let table = TraceView::new(&bytes).unwrap().table(id).unwrap();
    assert!(table.is_whole());
    assert_eq!((0..table.len()).filter_map(|at| table.byte(at)).collect::<Vec<_>>(), content);
    assert_eq!((0..table.len()).map(|at| table.handle(at)).collect::<Vec<_>>(), handles);
    assert_eq!(table.symbolic().collect::<Vec<_>>(), [(64, 1 << 3), (149, 1 << 3 | 5)]);
    assert_eq!((table.byte(150), table.handle(150)), (None, 0));
}

#[test]
fn the_path_for_a_solver() {
    let bytes = sample().finish();
    let view = TraceView::new(&bytes).unwrap();
    let script = path_condition(view, Some(&|site| (site == 12).then(|| "a.c:3".to_owned())));
    assert_eq!(script.unsupported, Vec::<String>::new());
    let expected = "\
(set-logic QF_BV)
(declare-const |stdin[0]| (_ BitVec 8))
(declare-const |stdin[1]| (_ BitVec 8))
(declare-const |stdin[2]| (_ BitVec 8))
; site 11: branch, true
(assert (= |stdin[0]| #x61))
; a.c:3: switch, 7
(assert (= |stdin[1]| #x07))
";
    assert!(script.text.starts_with(expected), "{}", script.text);
    assert!(script.text.ends_with("(check-sat)\n(get-model)\n"), "{}", script.text);
}

#[test]
fn later_chunks_win_and_holes_are_zero() {
    let mut t = TraceBuilder::new();
    let file = t.source("file:x", b"abc");
    t.chunk(file, 5, b"xy");
    t.chunk(file, 1, b"B");
    let bytes = t.finish();
    assert_eq!(TraceView::new(&bytes).unwrap().source(1).unwrap().bytes, b"aBc\0\0xy");
}

#[test]
fn a_chunk_list_that_is_a_cycle_is_damage() {
    let mut t = TraceBuilder::new();
    t.source("stdin", b"abc");
    let first = t.sources[1].first_chunk as usize;
    t.blob[first..first + 8].copy_from_slice(&(first as u64).to_le_bytes());
    let bytes = t.finish();
    assert_eq!(TraceView::new(&bytes).unwrap().source(1), None);
}

#[test]
fn bad_headers_are_errors() {
    let good = sample().finish();
    assert_eq!(TraceView::new(&[]).unwrap_err(), ViewError::TooShort { len: 0 });
    let with = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        TraceView::new(&bytes).map(|_| ()).unwrap_err()
    };
    assert!(matches!(with(0, 0), ViewError::Magic { .. }));
    assert!(matches!(with(8, 99), ViewError::Version { found: 99 }));
    assert!(matches!(with(24 + 7, 0xff), ViewError::Region { region: 0, .. }));
    assert!(TraceView::new(&good[..5000]).is_err());
}

#[test]
fn a_count_past_the_capacity_is_cut() {
    let mut bytes = sample().finish();
    let end = TraceView::new(&bytes).unwrap().node_end();
    bytes[24 + 16..24 + 24].fill(0xff);
    assert_eq!(TraceView::new(&bytes).unwrap().node_end(), end);
}

#[test]
fn damaged_nodes_are_named_and_spread() {
    let mut t = sample();
    let forward = t.push(Node { op: Op::Bswap as u8, width: 32, a: 99, ..Node::default() });
    let above = t.unary(Op::Bswap, 32, forward);
    let torn = t.push(Node::default());
    t.branch(1, above, true);
    let bytes = t.finish();
    let view = TraceView::new(&bytes).unwrap();
    assert_eq!(view.node(forward), Err(Damage::Operand { node: forward, operand: 99 }));
    let values = Evaluator::new(view).all(&Input::of(&view));
    assert_eq!(values.damaged(), [forward, above, torn]);
    let path = Path::of(&mut Import::new(view), &mut Pool::new());
    assert_eq!((path.constraints.len(), path.damaged.len()), (3, 1));
    assert_eq!(path_condition(view, None).unsupported.len(), 1);
}

/// Damage to the flags makes an immediate of an operand's number, which need not fit its place.
#[test]
fn a_damaged_immediate_is_cut_to_its_place() {
    for (flags, expected) in [(IMM_RHS, 0x61 << 1), (IMM_LHS, 0x61)] {
        let mut t = TraceBuilder::new();
        t.source("stdin", b"a");
        let byte = t.byte(1, 0);
        let joined = t.push(Node { op: Op::Concat as u8, width: 9, flags, a: byte, rest: 22, ..Node::default() });
        let bytes = t.finish();
        let view = TraceView::new(&bytes).unwrap();
        let input = Input::of(&view);
        assert_eq!(Evaluator::new(view).all(&input).get(joined), expected);
        let mut pool = Pool::new();
        let term = Import::new(view).term(&mut pool, joined).unwrap();
        assert_eq!(pool.eval(term, &input), expected);
    }
}

/// Everything that can be asked of a trace.
fn exercise(bytes: &[u8]) {
    let Ok(view) = TraceView::new(bytes) else { return };
    let input = Input::of(&view);
    let evaluator = Evaluator::new(view);
    let values = evaluator.all(&input);
    let (mut pool, mut import) = (Pool::new(), Import::new(view));
    let names = view.source_names();
    for id in 0..view.node_end() {
        if let Ok(term) = import.term(&mut pool, id) {
            assert_eq!(pool.eval(term, &input), values.get(id));
            show::show(&pool, &names, term, show::Options::default());
        }
    }
    for event in view.events() {
        let _ = (view.loss(&event), view.output(&event), view.locate(event.site));
    }
    for id in 0..view.object_end() {
        let _ = view.object(id).and_then(|object| view.object_name(&object));
    }
    for module in view.modules() {
        let _ = view.module_coverage(&module);
    }
    path_condition(view, None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_damage_makes_the_reader_panic(
        recipe in recipe(25),
        input in input(),
        damage in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>(), any::<bool>()), 0..40),
        cut in any::<proptest::sample::Index>(),
    ) {
        let raw = cook(&recipe, Menu { floats: true, tables: true });
        let (mut trace, nodes) = as_trace(&raw.pool, &raw.terms, &input);
        for (site, id) in raw.terms.iter().enumerate() {
            trace.branch(site as u32, nodes[id], true);
            trace.event(EventKind::Concretise, true, site as u32, nodes[id], &[1]);
        }
        let mut bytes = trace.finish();
        let nodes = trace.nodes.len() * 16;
        for (at, byte, in_nodes) in damage {
            // Nodes are where damage hurts most; the header is mostly fatal at once.
            let at = if in_nodes { 4096 + at.index(nodes) } else { 4096 + at.index(bytes.len() - 4096) };
            bytes[at] = byte;
        }
        exercise(&bytes);
        let length = cut.index(bytes.len());
        exercise(&bytes[..length]);
        bytes[24..24 + 192].rotate_left(length % 192);
        exercise(&bytes);
    }
}
