//! What the nodes of a trace are worth under an input.
//!
//! Operands come before the nodes made from them, so one pass in the order of the arena values everything; and a single
//! root needs only the nodes it is made from (its cone).

use crate::check::{Damage, Operand, operands};
use crate::hash::FastMap;
use crate::input::Input;
use crate::view::TraceView;
use offshoot_trace::eval::mask;
use offshoot_trace::node::{HANDLE_BYTE_BITS, Handle};
use offshoot_trace::{Node, NodeId, Op, apply};

/// The values of all nodes. Nearly all have at most 64 bits; the upper halves of the others are kept apart.
#[derive(Clone, Debug, Default)]
pub struct Values {
    low: Vec<u64>,
    /// Sorted, as the pass is.
    high: Vec<(NodeId, u64)>,
    /// Sorted: nodes that are damaged or made from a damaged one.
    damaged: Vec<NodeId>,
}

impl Values {
    /// 0 for damaged nodes and for node 0.
    #[inline]
    pub fn get(&self, id: NodeId) -> u128 {
        let low = self.low.get(id as usize).copied().unwrap_or(0) as u128;
        if self.high.is_empty() {
            return low;
        }
        match self.high.binary_search_by_key(&id, |&(node, _)| node) {
            Ok(at) => low | (self.high[at].1 as u128) << 64,
            Err(_) => low,
        }
    }

    /// The value of one byte of a term, as a shadow cell names it.
    pub fn handle(&self, handle: Handle) -> u8 {
        byte_of(self.get(handle >> HANDLE_BYTE_BITS), handle)
    }

    pub fn is_damaged(&self, id: NodeId) -> bool {
        !self.damaged.is_empty() && self.damaged.binary_search(&id).is_ok()
    }

    pub fn damaged(&self) -> &[NodeId] {
        &self.damaged
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Evaluator<'a> {
    view: TraceView<'a>,
}

impl<'a> Evaluator<'a> {
    pub fn new(view: TraceView<'a>) -> Evaluator<'a> {
        Evaluator { view }
    }

    /// One linear pass over the arena.
    pub fn all(&self, input: &Input) -> Values {
        let end = self.view.node_end();
        let mut values = Values { low: Vec::with_capacity(end as usize), ..Values::default() };
        values.low.push(0);
        for id in 1..end {
            let value = self.view.node(id).ok().filter(|node| {
                let mut sound = true;
                if !values.damaged.is_empty() {
                    self.kids(node, |kid| sound &= !values.is_damaged(kid));
                }
                sound
            });
            let value = match value {
                Some(node) => self.value(&node, input, |kid| values.get(kid)),
                None => {
                    values.damaged.push(id);
                    0
                }
            };
            values.low.push(value as u64);
            if value >> 64 != 0 {
                values.high.push((id, (value >> 64) as u64));
            }
        }
        values
    }

    /// The nodes that `roots` are made from, themselves included, operands first.
    pub fn cone(&self, roots: &[NodeId]) -> Result<Vec<NodeId>, Damage> {
        let mut seen = crate::hash::FastSet::default();
        let mut stack = roots.to_vec();
        while let Some(id) = stack.pop() {
            if seen.insert(id) {
                self.kids(&self.view.node(id)?, |kid| {
                    if !seen.contains(&kid) {
                        stack.push(kid);
                    }
                });
            }
        }
        let mut cone: Vec<_> = seen.into_iter().collect();
        cone.sort_unstable();
        Ok(cone)
    }

    /// The value of one node, without touching what it does not depend on.
    pub fn one(&self, root: NodeId, input: &Input) -> Result<u128, Damage> {
        self.along(&self.cone(&[root])?, input)
    }

    /// The value of the last node of a [`cone`](Self::cone): for evaluating one root under many inputs.
    pub fn along(&self, cone: &[NodeId], input: &Input) -> Result<u128, Damage> {
        let mut values = FastMap::with_capacity_and_hasher(cone.len(), Default::default());
        let mut last = 0;
        for &id in cone {
            let node = self.view.node(id)?;
            last = self.value(&node, input, |kid| values.get(&kid).copied().unwrap_or(0));
            values.insert(id, last);
        }
        Ok(last)
    }

    /// The nodes that the value of a checked node is computed from. (`Read` looks at the input itself.)
    pub(crate) fn kids(&self, node: &Node, mut visit: impl FnMut(NodeId)) {
        for operand in operands(node) {
            if let Operand::Node(kid) = operand {
                visit(kid);
            }
        }
        if node.operation() == Some(Op::Select)
            && let Some(table) = self.view.table(node.a)
        {
            for (_, handle) in table.symbolic().filter(|(_, handle)| handle >> HANDLE_BYTE_BITS != 0) {
                visit(handle >> HANDLE_BYTE_BITS);
            }
        }
    }

    fn value(&self, node: &Node, input: &Input, get: impl Fn(NodeId) -> u128) -> u128 {
        let m = mask(node.width);
        match node.operation() {
            None => 0,
            Some(Op::Byte) => input.get(node.a, node.rest as u32) as u128,
            Some(Op::Const | Op::Pointer) => node.rest as u128 & m,
            Some(Op::Read) => match self.view.raw_node(node.a) {
                Some(first) => input.read(first.a, first.rest as u32, node.aux),
                None => 0,
            },
            Some(Op::Select) => self.select(node, get(node.b()) as u64, get),
            Some(op) => {
                let operands = operands(node);
                let wa = self.first_width(node, op, operands);
                // A damaged immediate can be wider than its place.
                let last = if op == Op::Concat { node.width.saturating_sub(wa) } else { wa };
                let [a, b, c] =
                    [(operands[0], wa), (operands[1], last), (operands[2], wa)].map(|(operand, width)| match operand {
                        Operand::None => 0,
                        Operand::Node(id) => get(id),
                        Operand::Immediate(value) => value as u128 & mask(width),
                    });
                apply(node, wa, a, b, c)
            }
        }
    }

    /// The width of the left operand, whether node or immediate.
    fn first_width(&self, node: &Node, op: Op, operands: [Operand; 3]) -> u8 {
        let width = |id| self.view.raw_node(id).map_or(node.width, |n: Node| n.width);
        match operands {
            [Operand::Node(a), ..] => width(a),
            [_, Operand::Node(b), _] if op == Op::Concat => node.width.saturating_sub(width(b)),
            [_, Operand::Node(b), _] => width(b),
            _ => node.width,
        }
    }

    /// Bytes outside the table are 0: the run has checked that its own index lies inside.
    fn select(&self, node: &Node, index: u64, get: impl Fn(NodeId) -> u128) -> u128 {
        let Some(table) = self.view.table(node.a) else { return 0 };
        (0..node.aux as u64).rev().fold(0, |value, byte| {
            let at = usize::try_from(index.wrapping_add(byte)).unwrap_or(usize::MAX);
            let cell = match table.byte(at) {
                None => 0,
                Some(concrete) => match table.handle(at) {
                    0 => concrete,
                    handle => byte_of(get(handle >> HANDLE_BYTE_BITS), handle),
                },
            };
            value << 8 | cell as u128
        })
    }
}

/// Byte `handle & 7` of a value.
fn byte_of(value: u128, handle: Handle) -> u8 {
    (value >> (8 * (handle & ((1 << HANDLE_BYTE_BITS) - 1)))) as u8
}
