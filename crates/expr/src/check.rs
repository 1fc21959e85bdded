//! Which nodes of a trace can be trusted: local well-formedness, so that evaluating or importing a node neither panics
//! nor goes in circles.

use crate::view::{Table, TraceView};
use offshoot_trace::node::{IMM_LHS, IMM_RHS};
use offshoot_trace::{Node, NodeId, Op};

/// What is wrong with a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    #[error("node {node} is outside the trace")]
    Missing { node: NodeId },
    #[error("node {node} has the unknown operation {op}")]
    Operation { node: NodeId, op: u8 },
    #[error("node {node} has an operand {operand} that does not come before it")]
    Operand { node: NodeId, operand: NodeId },
    #[error("the widths of node {node} do not fit its operation")]
    Width { node: NodeId },
    #[error("node {node} names the unknown source {source_id} or an offset past 4 GiB")]
    Source { node: NodeId, source_id: u32 },
    #[error("node {node} names the unknown or damaged table {table}")]
    Table { node: NodeId, table: u32 },
    #[error("node {node} is made from the damaged node {operand}")]
    Inherited { node: NodeId, operand: NodeId },
}

/// One operand of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    None,
    Node(NodeId),
    /// Zero-extended to 64 bits; its width is the other operand's.
    Immediate(u64),
}

/// The operands of a checked node, in the order of `trace::apply`. (`Select`: the index is the second.)
pub fn operands(node: &Node) -> [Operand; 3] {
    use Operand::{Immediate, Node as Of, None as Nothing};
    let Some(op) = node.operation() else { return [Nothing; 3] };
    match op {
        Op::Byte | Op::Const | Op::Pointer | Op::Read => [Nothing; 3],
        Op::Select => [Nothing, Of(node.b()), Nothing],
        Op::Ite | Op::FFma => [Of(node.a), Of(node.b()), Of(node.c())],
        _ if op.is_unary() => [Of(node.a), Nothing, Nothing],
        _ if node.flags & IMM_RHS != 0 => [Of(node.a), Immediate(node.rest), Nothing],
        _ if node.flags & IMM_LHS != 0 => [Immediate(node.rest), Of(node.a), Nothing],
        _ => [Of(node.a), Of(node.b()), Nothing],
    }
}

pub(crate) fn node(view: &TraceView<'_>, id: NodeId) -> Result<Node, Damage> {
    let node = view.raw_node(id).ok_or(Damage::Missing { node: id })?;
    let op = node.operation().ok_or(Damage::Operation { node: id, op: node.op })?;
    let mut widths = [0u8; 3];
    for (operand, width) in operands(&node).into_iter().zip(&mut widths) {
        if let Operand::Node(operand) = operand {
            if operand == 0 || operand >= id {
                return Err(Damage::Operand { node: id, operand });
            }
            *width = view.raw_node(operand).ok_or(Damage::Missing { node: operand })?.width;
            if *width == 0 || *width > 128 {
                return Err(Damage::Inherited { node: id, operand });
            }
        }
    }
    leaf(view, id, &node, op)?;
    let immediate = node.flags & (IMM_RHS | IMM_LHS);
    let fits = (1..=128).contains(&node.width) && immediate != IMM_RHS | IMM_LHS && widths_fit(&node, op, widths);
    if fits { Ok(node) } else { Err(Damage::Width { node: id }) }
}

/// What a node says about sources, tables and other nodes' kinds.
fn leaf(view: &TraceView<'_>, id: NodeId, node: &Node, op: Op) -> Result<(), Damage> {
    match op {
        Op::Byte if node.a == 0 || node.a >= view.source_end() || node.rest > u32::MAX as u64 => {
            Err(Damage::Source { node: id, source_id: node.a })
        }
        Op::Read => {
            let first = view.raw_node(node.a).ok_or(Damage::Operand { node: id, operand: node.a })?;
            for index in 0..node.aux as u32 {
                let operand = node.a.saturating_add(index);
                let byte = view.raw_node(operand).filter(|_| operand < id);
                let expected = Node { rest: first.rest.wrapping_add(index as u64), ..first };
                if byte != Some(expected) || first.operation() != Some(Op::Byte) {
                    return Err(Damage::Operand { node: id, operand });
                }
            }
            if first.rest.saturating_add(node.aux as u64) > u32::MAX as u64 {
                return Err(Damage::Source { node: id, source_id: first.a });
            }
            Ok(())
        }
        Op::Select => {
            let table = view.table(node.a).filter(Table::is_whole).ok_or(Damage::Table { node: id, table: node.a })?;
            let late = |(_, handle)| handle >> offshoot_trace::node::HANDLE_BYTE_BITS >= id;
            if table.symbolic().any(late) { Err(Damage::Table { node: id, table: node.a }) } else { Ok(()) }
        }
        _ => Ok(()),
    }
}

/// `widths`: of the node operands, 0 where there is none.
fn widths_fit(node: &Node, op: Op, widths: [u8; 3]) -> bool {
    let w = node.width as u32;
    let [a, b, c] = widths.map(u32::from);
    // An immediate has the width of the other operand.
    let (a, b) = if op.is_binary() { (a.max(if a == 0 { b } else { 0 }), if b == 0 { a } else { b }) } else { (a, b) };
    let float = |w: u32| w == 32 || w == 64;
    match op {
        Op::Byte => w == 8,
        Op::Const => true,
        Op::Pointer => w == 64,
        Op::Read => (1..=16).contains(&node.aux) && w == 8 * node.aux as u32,
        Op::Select => (1..=16).contains(&node.aux) && w == 8 * node.aux as u32 && b == 64,
        Op::Concat => match (a, b) {
            (0, known) | (known, 0) => known < w,
            (a, b) => a + b == w,
        },
        Op::Extract => node.rest < 128 && node.rest as u32 + w <= a,
        Op::Zext | Op::Sext => a <= w,
        Op::Ite => a == 1 && b == w && c == w,
        Op::FFma => float(w) && a == w && b == w && c == w,
        Op::Bswap => a == w && w.is_multiple_of(8),
        Op::FToS | Op::FToU => float(a),
        Op::SToF | Op::UToF => float(w),
        Op::FToF => float(a) && float(w) && a != w,
        _ if op.is_comparison() => w == 1 && a == b && (!op.is_float() || float(a)),
        _ if op.is_binary() => a == w && b == w && (!op.is_float() || float(w)),
        _ => a == w && (!op.is_float() || float(w)),
    }
}
