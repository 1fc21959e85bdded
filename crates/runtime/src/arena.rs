//! Making terms: hash-consed nodes in the shared arena, with the few simplifications that pay at run time.

use crate::state::State;
use offshoot_trace::layout::status;
use offshoot_trace::node::{HAS_INPUT, Handle, IMM_LHS, IMM_RHS};
use offshoot_trace::{Node, NodeId, Op, eval};

/// Nodes whose memory is asked for at a time: one call costs less than one fault a page.
const POPULATE_NODES: u32 = 1 << 14;

/// A term or a constant: what an operand can be.
#[derive(Clone, Copy)]
pub enum Operand {
    Term(NodeId),
    Value(u64),
}

impl Operand {
    #[inline]
    pub fn new(handle: Handle, value: u64) -> Operand {
        if handle == 0 { Operand::Value(value) } else { Operand::Term(handle >> 3) }
    }
}

#[inline]
pub fn handle(id: NodeId) -> Handle {
    id << 3
}

#[inline]
fn words(node: &Node) -> (u64, u64) {
    let head = u64::from(node.op)
        | u64::from(node.width) << 8
        | u64::from(node.flags) << 16
        | u64::from(node.aux) << 24
        | u64::from(node.a) << 32;
    (head, node.rest)
}

#[inline]
fn hash(node: &Node) -> u64 {
    let (head, rest) = words(node);
    let mixed = (head ^ rest.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 29) ^ rest).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed ^ (mixed >> 32)
}

/// Slots of one line of the index: a cache line.
const LINE: usize = 16;
/// Nodes that share a line.
const NODES_PER_LINE: u32 = 12;

/// Bytes of the index for this many nodes: a line for each node that is an input byte, then one for each twelve others.
/// Only what is used is ever touched.
pub fn index_size(node_capacity: u32) -> usize {
    (node_capacity as usize + (node_capacity / NODES_PER_LINE) as usize + 2) * LINE * 4
}

impl State {
    /// The node's id; 0 if the budget is used up.
    ///
    /// `near`: where in the index it is looked for first: with its newest operand. A parser makes terms over its input
    /// from front to back, so the lines that are touched move along with it and stay in the cache; a hash over
    /// everything would miss on nearly every term. The same node must always come with the same `near`.
    ///
    /// Invariant: a node is in its own line if that has, or ever had, an empty slot; otherwise in the overflow table.
    #[inline]
    pub fn intern(&mut self, node: Node, near: NodeId) -> NodeId {
        let (head, rest) = words(&node);
        let tag = ((head.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ rest.wrapping_mul(0xBF58_476D_1CE4_E5B9)) >> 61) as u32;
        let line = if self.node(near).op == Op::Byte as u8 {
            near as usize
        } else {
            self.node_capacity as usize + (near / NODES_PER_LINE) as usize
        };
        self.find_or_add(node, line, tag)
    }

    #[inline]
    fn find_or_add(&mut self, node: Node, line: usize, tag: u32) -> NodeId {
        let slots = unsafe { self.index.add(line * LINE) };
        for i in 0..LINE {
            let slot = unsafe { *slots.add(i) };
            if slot == 0 {
                let id = self.append(node);
                if id != 0 {
                    unsafe { *slots.add(i) = id << 3 | tag };
                }
                return id;
            }
            if slot & 7 == tag && self.node(slot >> 3) == node {
                return slot >> 3;
            }
        }
        self.intern_overflow(node)
    }

    /// Asks for the index lines of input bytes that have just been read: a parser will want them all.
    pub fn expect_terms_over(&mut self, first: NodeId, count: u64) {
        const MOST: usize = 8 << 20;
        let bytes = (count as usize * LINE * 4).min(MOST);
        if bytes >= 1 << 16 {
            crate::start::populate(unsafe { self.index.add(first as usize * LINE) }.cast(), bytes);
        }
    }

    /// For a node without operands: spread over the index by its content, beside nodes that are no input bytes.
    pub fn intern_leaf(&mut self, node: Node) -> NodeId {
        let spread = if node.op == Op::Byte as u8 {
            // Consecutive bytes of a source in consecutive lines.
            node.rest.wrapping_add(u64::from(node.a) * 4096)
        } else {
            hash(&node) & 0xFFFF
        };
        let line =
            self.node_capacity as usize + (spread % u64::from(self.node_capacity)) as usize / NODES_PER_LINE as usize;
        self.find_or_add(node, line, 0)
    }

    #[cold]
    fn intern_overflow(&mut self, node: Node) -> NodeId {
        if self.overflow_count * 2 >= self.overflow_mask && !self.grow_overflow() {
            return 0;
        }
        let mut at = hash(&node) as u32 & self.overflow_mask;
        loop {
            let id = unsafe { *self.overflow.add(at as usize) };
            if id == 0 {
                let id = self.append(node);
                if id != 0 {
                    unsafe { *self.overflow.add(at as usize) = id };
                    self.overflow_count += 1;
                }
                return id;
            }
            if self.node(id) == node {
                return id;
            }
            at = (at + 1) & self.overflow_mask;
        }
    }

    fn grow_overflow(&mut self) -> bool {
        let old = (self.overflow, self.overflow_mask as usize);
        let size = if old.0.is_null() { 1 << 14 } else { (old.1 + 1) * 2 };
        let new = crate::start::map_anonymous(size * 4).cast::<u32>();
        if new.is_null() {
            self.stop(status::NODE_BUDGET, "memory for terms");
            return false;
        }
        self.overflow = new;
        self.overflow_mask = size as u32 - 1;
        if !old.0.is_null() {
            for i in 0..=old.1 {
                let id = unsafe { *old.0.add(i) };
                if id != 0 {
                    let mut at = hash(&self.node(id)) as u32 & self.overflow_mask;
                    while unsafe { *new.add(at as usize) } != 0 {
                        at = (at + 1) & self.overflow_mask;
                    }
                    unsafe { *new.add(at as usize) = id };
                }
            }
            unsafe { libc::munmap(old.0.cast(), (old.1 + 1) * 4) };
        }
        true
    }

    #[inline]
    fn append(&mut self, node: Node) -> NodeId {
        if self.node_count >= self.node_capacity {
            self.stop(status::NODE_BUDGET, "terms");
            return 0;
        }
        let id = self.node_count;
        unsafe { *self.nodes.add(id as usize) = node };
        self.node_count += 1;
        self.header().regions[0].used.store(u64::from(self.node_count), core::sync::atomic::Ordering::Relaxed);
        if self.selfcheck {
            self.evaluate(id);
        }
        if id.is_multiple_of(POPULATE_NODES) {
            self.each_batch(id);
        }
        id
    }

    #[cold]
    fn each_batch(&mut self, id: NodeId) {
        crate::start::populate(unsafe { self.nodes.add(id as usize) }.cast(), POPULATE_NODES as usize * 16);
        let line = self.node_capacity as usize + (id / NODES_PER_LINE) as usize;
        let bytes = (POPULATE_NODES / NODES_PER_LINE) as usize * LINE * 4;
        crate::start::populate(unsafe { self.index.add(line * LINE) }.cast(), bytes);
        self.check_time();
    }

    #[inline]
    fn input_flag(&self, ids: &[NodeId]) -> u8 {
        if !self.has_pointers || ids.iter().any(|id| self.node(*id).has_input()) { HAS_INPUT } else { 0 }
    }

    pub fn constant(&mut self, width: u8, value: u64) -> NodeId {
        self.intern_leaf(Node { op: Op::Const as u8, width, rest: value & eval::mask(width) as u64, ..Node::default() })
    }

    /// A constant of 65 to 128 bits.
    pub fn wide_constant(&mut self, width: u8, low: u64, high: u64) -> NodeId {
        if high & eval::mask(width - 64) as u64 == 0 {
            return self.constant(width, low);
        }
        let (top, bottom) = (self.constant(width - 64, high), self.constant(64, low));
        if top == 0 || bottom == 0 {
            return 0;
        }
        self.intern(
            Node { op: Op::Concat as u8, width, flags: 0, aux: 0, a: top, rest: Node::pair(bottom, 0) },
            top.max(bottom),
        )
    }

    /// A node for an operand; a constant one becomes a `Const`.
    pub fn term_of(&mut self, operand: Operand, width: u8) -> NodeId {
        match operand {
            Operand::Term(id) => id,
            Operand::Value(value) => self.constant(width, value),
        }
    }

    pub fn unary(&mut self, op: Op, width: u8, a: NodeId, rest: u64) -> NodeId {
        if a == 0 {
            return 0;
        }
        let node = self.node(a);
        match op {
            Op::Zext | Op::Sext | Op::FToF if node.width == width => return a,
            Op::Extract if rest == 0 && node.width == width => return a,
            // extract (zext x) within x
            Op::Extract if (node.op == Op::Zext as u8 || node.op == Op::Sext as u8) => {
                let inner = self.node(node.a).width;
                if rest + u64::from(width) <= u64::from(inner) {
                    return self.unary(Op::Extract, width, node.a, rest);
                }
            }
            Op::Extract if node.op == Op::Extract as u8 => {
                return self.unary(Op::Extract, width, node.a, node.rest + rest);
            }
            // One byte of several input bytes.
            Op::Extract if node.op == Op::Read as u8 && width == 8 && rest.is_multiple_of(8) => {
                return node.a + (rest / 8) as u32;
            }
            // zext (zext x)
            Op::Zext if node.op == Op::Zext as u8 => return self.unary(Op::Zext, width, node.a, 0),
            _ => {}
        }
        let flags = self.input_flag(&[a]);
        self.intern(Node { op: op as u8, width, flags, aux: 0, a, rest }, a)
    }

    /// `a op b` for operands of `width` bits; at least one is a term.
    #[inline]
    pub fn binary(&mut self, op: Op, width: u8, a: Operand, b: Operand) -> NodeId {
        let result = if op.is_comparison() { 1 } else { width };
        let mask = eval::mask(width) as u64;
        match (a, b) {
            (Operand::Term(a), Operand::Term(b)) => {
                if a == 0 || b == 0 {
                    return 0;
                }
                let (a, b) = if op.commutes() && b < a { (b, a) } else { (a, b) };
                let flags = self.input_flag(&[a, b]);
                self.intern(Node { op: op as u8, width: result, flags, aux: 0, a, rest: Node::pair(b, 0) }, a.max(b))
            }
            (Operand::Term(a), Operand::Value(value)) => self.with_constant(op, result, width, a, value & mask),
            (Operand::Value(value), Operand::Term(b)) => {
                let value = value & mask;
                if op.commutes() {
                    return self.with_constant(op, result, width, b, value);
                }
                if b == 0 {
                    return 0;
                }
                let flags = self.input_flag(&[b]) | IMM_LHS;
                self.intern(Node { op: op as u8, width: result, flags, aux: 0, a: b, rest: value }, b)
            }
            (Operand::Value(_), Operand::Value(_)) => 0,
        }
    }

    /// `a op value`
    fn with_constant(&mut self, op: Op, result: u8, width: u8, a: NodeId, value: u64) -> NodeId {
        if a == 0 {
            return 0;
        }
        let narrow = width <= 64;
        match op {
            Op::Add | Op::Sub | Op::Or | Op::Xor | Op::Shl | Op::LShr | Op::AShr if value == 0 => return a,
            Op::And if narrow && value == eval::mask(width) as u64 => return a,
            // x - c is x + -c, and constants add up.
            Op::Sub if narrow => {
                let negated = value.wrapping_neg() & eval::mask(width) as u64;
                return self.with_constant(Op::Add, result, width, a, negated);
            }
            Op::Add if narrow => {
                let node = self.node(a);
                if node.op == Op::Add as u8 && node.flags & IMM_RHS != 0 {
                    let sum = node.rest.wrapping_add(value) & eval::mask(width) as u64;
                    return self.with_constant(Op::Add, result, width, node.a, sum);
                }
            }
            // A zero-extended value compared with a constant: the value itself with the constant, if that fits; else the
            // result is the same for every input (`c == EOF`).
            Op::Eq | Op::Ne | Op::Ult | Op::Ule | Op::Slt | Op::Sle
                if narrow && self.node(a).op == Op::Zext as u8 && self.node(self.node(a).a).width > 1 =>
            {
                let inner = self.node(a).a;
                let inner_width = self.node(inner).width;
                if value > eval::mask(inner_width) as u64 {
                    return 0;
                }
                // Both sides are non-negative, so signed and unsigned order agree.
                let unsigned = match op {
                    Op::Slt => Op::Ult,
                    Op::Sle => Op::Ule,
                    other => other,
                };
                return self.with_constant(unsigned, result, inner_width, inner, value);
            }
            // A truth value compared with 0 or 1.
            Op::Ne if width == 1 && value == 0 => return a,
            Op::Eq if width == 1 && value == 1 => return a,
            // A zero-extended truth value compared with 0.
            Op::Ne | Op::Eq if value == 0 => {
                let node = self.node(a);
                if node.op == Op::Zext as u8 && self.node(node.a).width == 1 {
                    return if op == Op::Ne { node.a } else { self.with_constant(Op::Xor, 1, 1, node.a, 1) };
                }
            }
            _ => {}
        }
        let flags = self.input_flag(&[a]) | IMM_RHS;
        self.intern(Node { op: op as u8, width: result, flags, aux: 0, a, rest: value }, a)
    }

    pub fn ite(&mut self, width: u8, condition: NodeId, yes: NodeId, no: NodeId) -> NodeId {
        if condition == 0 || yes == 0 || no == 0 {
            return 0;
        }
        if yes == no {
            return yes;
        }
        let flags = self.input_flag(&[condition, yes, no]);
        let near = condition.max(yes).max(no);
        self.intern(Node { op: Op::Ite as u8, width, flags, aux: 0, a: condition, rest: Node::pair(yes, no) }, near)
    }

    pub fn concat(&mut self, high: NodeId, low: NodeId) -> NodeId {
        if high == 0 || low == 0 {
            return 0;
        }
        let (top, bottom) = (self.node(high), self.node(low));
        // extract hi:mid of x above extract mid:lo of x
        if top.op == Op::Extract as u8
            && bottom.op == Op::Extract as u8
            && top.a == bottom.a
            && top.rest == bottom.rest + u64::from(bottom.width)
        {
            return self.unary(Op::Extract, top.width + bottom.width, top.a, bottom.rest);
        }
        let width = top.width + bottom.width;
        let flags = self.input_flag(&[high, low]);
        self.intern(
            Node { op: Op::Concat as u8, width, flags, aux: 0, a: high, rest: Node::pair(low, 0) },
            high.max(low),
        )
    }
}
