//! Making terms: hash-consed nodes in the shared arena, with the few simplifications that pay at run time.

use crate::state::State;
use offshoot_trace::layout::status;
use offshoot_trace::node::{HAS_INPUT, Handle, IMM_LHS, IMM_RHS};
use offshoot_trace::{Node, NodeId, Op, eval};

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
fn hash(head: u64, rest: u64) -> u64 {
    let mixed = (head ^ rest.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 29) ^ rest).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed ^ (mixed >> 32)
}

impl State {
    /// The node's id; 0 if the budget is used up.
    #[inline]
    pub fn intern(&mut self, node: Node) -> NodeId {
        let (head, rest) = words(&node);
        let mut bucket = hash(head, rest) as u32 & self.bucket_mask;
        loop {
            let id = unsafe { *self.buckets.add(bucket as usize) };
            if id == 0 {
                return self.append(node, bucket);
            }
            if self.node(id) == node {
                return id;
            }
            bucket = (bucket + 1) & self.bucket_mask;
        }
    }

    fn append(&mut self, node: Node, bucket: u32) -> NodeId {
        if self.node_count >= self.node_capacity {
            self.stop(status::NODE_BUDGET, "terms");
            return 0;
        }
        let id = self.node_count;
        unsafe {
            *self.nodes.add(id as usize) = node;
            *self.buckets.add(bucket as usize) = id;
        }
        self.node_count += 1;
        self.header().regions[0].used.store(u64::from(self.node_count), core::sync::atomic::Ordering::Relaxed);
        if self.selfcheck {
            self.evaluate(id);
        }
        if u64::from(self.node_count) * 2 > u64::from(self.bucket_mask) {
            self.grow_buckets();
        }
        if id & 0xFFFF == 0 {
            self.check_time();
        }
        id
    }

    #[cold]
    fn grow_buckets(&mut self) {
        let old_size = self.bucket_mask as usize + 1;
        let size = old_size * 2;
        let new = crate::start::map_anonymous(size * 4).cast::<u32>();
        if new.is_null() {
            return self.stop(status::NODE_BUDGET, "memory for terms");
        }
        unsafe { libc::munmap(self.buckets.cast(), old_size * 4) };
        self.buckets = new;
        self.bucket_mask = size as u32 - 1;
        for id in 1..self.node_count {
            let (head, rest) = words(&self.node(id));
            let mut bucket = hash(head, rest) as u32 & self.bucket_mask;
            while unsafe { *new.add(bucket as usize) } != 0 {
                bucket = (bucket + 1) & self.bucket_mask;
            }
            unsafe { *new.add(bucket as usize) = id };
        }
    }

    #[inline]
    fn input_flag(&self, ids: &[NodeId]) -> u8 {
        if !self.has_pointers || ids.iter().any(|id| self.node(*id).has_input()) { HAS_INPUT } else { 0 }
    }

    pub fn constant(&mut self, width: u8, value: u64) -> NodeId {
        self.intern(Node { op: Op::Const as u8, width, rest: value & eval::mask(width) as u64, ..Node::default() })
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
        self.intern(Node { op: op as u8, width, flags, aux: 0, a, rest })
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
                self.intern(Node { op: op as u8, width: result, flags, aux: 0, a, rest: Node::pair(b, 0) })
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
                self.intern(Node { op: op as u8, width: result, flags, aux: 0, a: b, rest: value })
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
        self.intern(Node { op: op as u8, width: result, flags, aux: 0, a, rest: value })
    }

    pub fn ite(&mut self, width: u8, condition: NodeId, yes: NodeId, no: NodeId) -> NodeId {
        if condition == 0 || yes == 0 || no == 0 {
            return 0;
        }
        if yes == no {
            return yes;
        }
        let flags = self.input_flag(&[condition, yes, no]);
        self.intern(Node { op: Op::Ite as u8, width, flags, aux: 0, a: condition, rest: Node::pair(yes, no) })
    }

    pub fn concat(&mut self, high: NodeId, low: NodeId) -> NodeId {
        if high == 0 || low == 0 {
            return 0;
        }
        let (top, bottom) = (self.node(high), self.node(low));
        // extract hi:mid of x above extract mid:lo of x
        if top.op == Op::Extract as u8 && bottom.op == Op::Extract as u8 && top.a == bottom.a
            && top.rest == bottom.rest + u64::from(bottom.width)
        {
            return self.unary(Op::Extract, top.width + bottom.width, top.a, bottom.rest);
        }
        let width = top.width + bottom.width;
        let flags = self.input_flag(&[high, low]);
        self.intern(Node { op: Op::Concat as u8, width, flags, aux: 0, a: high, rest: Node::pair(low, 0) })
    }
}
