//! Intrinsics put together from terms. The numbers are `crates/instrument/src/shadow/intrinsics.rs`'s.

use crate::arena::{Operand, handle};
use crate::state::{State, enter};
use offshoot_trace::node::Handle;
use offshoot_trace::{NodeId, Op, eval};

impl State {
    fn op2(&mut self, op: Op, width: u8, a: NodeId, b: NodeId) -> NodeId {
        self.binary(op, width, Operand::Term(a), Operand::Term(b))
    }

    fn op_const(&mut self, op: Op, width: u8, a: NodeId, value: u64) -> NodeId {
        self.binary(op, width, Operand::Term(a), Operand::Value(value))
    }

    /// Whether the operation overflows: numbers 1 to 6 are unsigned and signed `+`, `-`, `*`.
    fn overflows(&mut self, kind: u32, width: u8, a: NodeId, b: NodeId) -> NodeId {
        match kind {
            1 => {
                let sum = self.op2(Op::Add, width, a, b);
                self.op2(Op::Ult, width, sum, a)
            }
            // The operands' signs agree and the sum's differs.
            2 => {
                let sum = self.op2(Op::Add, width, a, b);
                let x = self.op2(Op::Xor, width, a, sum);
                let y = self.op2(Op::Xor, width, b, sum);
                let both = self.op2(Op::And, width, x, y);
                self.op_const(Op::Slt, width, both, 0)
            }
            3 => self.op2(Op::Ult, width, a, b),
            4 => {
                let difference = self.op2(Op::Sub, width, a, b);
                let x = self.op2(Op::Xor, width, a, b);
                let y = self.op2(Op::Xor, width, a, difference);
                let both = self.op2(Op::And, width, x, y);
                self.op_const(Op::Slt, width, both, 0)
            }
            5 | 6 if width > 64 => self.wide_product_overflows(kind == 6, width, a, b),
            5 | 6 => {
                let extend = if kind == 5 { Op::Zext } else { Op::Sext };
                let wide = width * 2;
                let x = self.unary(extend, wide, a, 0);
                let y = self.unary(extend, wide, b, 0);
                let product = self.op2(Op::Mul, wide, x, y);
                let low = self.unary(Op::Extract, width, product, 0);
                let back = self.unary(extend, wide, low, 0);
                self.op2(Op::Ne, wide, product, back)
            }
            _ => 0,
        }
    }

    /// There is no room for the whole product: the quotient tells.
    fn wide_product_overflows(&mut self, signed: bool, width: u8, a: NodeId, b: NodeId) -> NodeId {
        let product = self.op2(Op::Mul, width, a, b);
        let quotient = self.op2(if signed { Op::SDiv } else { Op::UDiv }, width, product, a);
        let differs = self.op2(Op::Ne, width, quotient, b);
        let divides = self.op_const(Op::Ne, width, a, 0);
        let overflow = self.op2(Op::And, 1, divides, differs);
        if !signed {
            return overflow;
        }
        // -1 times the smallest number is that number again, and so is the quotient.
        let (ones, smallest) = (self.ones(width), self.sign_bit(width));
        let (minus, least) = (self.op2(Op::Eq, width, a, ones), self.op2(Op::Eq, width, b, smallest));
        let corner = self.op2(Op::And, 1, minus, least);
        self.op2(Op::Or, 1, overflow, corner)
    }

    fn ones(&mut self, width: u8) -> NodeId {
        if width > 64 { self.wide_constant(width, u64::MAX, u64::MAX) } else { self.constant(width, u64::MAX) }
    }

    /// The smallest signed number.
    fn sign_bit(&mut self, width: u8) -> NodeId {
        if width > 64 {
            self.wide_constant(width, 0, 1 << (width - 65))
        } else {
            self.constant(width, 1 << (width - 1))
        }
    }

    /// The largest signed number.
    fn largest(&mut self, width: u8) -> NodeId {
        if width > 64 {
            self.wide_constant(width, u64::MAX, (1 << (width - 65)) - 1)
        } else {
            self.constant(width, (1 << (width - 1)) - 1)
        }
    }

    fn saturate_signed(&mut self, kind: u32, op: Op, width: u8, a: NodeId, b: NodeId) -> NodeId {
        let overflow = self.overflows(kind, width, a, b);
        let result = self.op2(op, width, a, b);
        let negative = self.op_const(Op::Slt, width, a, 0);
        let (smallest, largest) = (self.sign_bit(width), self.largest(width));
        let limit = self.ite(width, negative, smallest, largest);
        self.ite(width, overflow, limit, result)
    }

    /// `concat(a, b)` shifted left by `c` modulo the width, upper half; or right, lower half.
    fn funnel(&mut self, left: bool, width: u8, a: NodeId, b: NodeId, amount: Operand) -> NodeId {
        let bits = u64::from(width);
        match amount {
            Operand::Value(value) => {
                let by = value % bits;
                if by == 0 {
                    return if left { a } else { b };
                }
                let (up, down) = if left { (by, bits - by) } else { (bits - by, by) };
                let high = self.op_const(Op::Shl, width, a, up);
                let low = self.op_const(Op::LShr, width, b, down);
                self.op2(Op::Or, width, high, low)
            }
            // No room for both side by side.
            Operand::Term(amount) if width > 64 => {
                let by = self.op_const(Op::URem, width, amount, bits);
                let rest = self.binary(Op::Sub, width, Operand::Value(bits - 1), Operand::Term(by));
                let (high, low) = if left {
                    let half = self.op_const(Op::LShr, width, b, 1);
                    (self.op2(Op::Shl, width, a, by), self.op2(Op::LShr, width, half, rest))
                } else {
                    let twice = self.op_const(Op::Shl, width, a, 1);
                    (self.op2(Op::Shl, width, twice, rest), self.op2(Op::LShr, width, b, by))
                };
                self.op2(Op::Or, width, high, low)
            }
            Operand::Term(amount) => {
                let by = self.op_const(Op::URem, width, amount, bits);
                let wide = width * 2;
                let joined = self.concat(a, b);
                let by = self.unary(Op::Zext, wide, by, 0);
                let op = if left { Op::Shl } else { Op::LShr };
                let shifted = self.op2(op, wide, joined, by);
                self.unary(Op::Extract, width, shifted, if left { bits } else { 0 })
            }
        }
    }
}

/// `kind | width << 8`
#[unsafe(no_mangle)]
pub extern "C" fn __off_overflow(code: u32, a: Handle, b: Handle, x: u64, y: u64) -> Handle {
    if a | b == 0 {
        return 0;
    }
    let Some(mut state) = enter() else { return 0 };
    let width = (code >> 8) as u8;
    let a = state.term_of(Operand::new(a, x), width);
    let b = state.term_of(Operand::new(b, y), width);
    handle(state.overflows(code & 0xFF, width, a, b))
}

/// `kind | width of the operands << 8 | width of the result << 16`
#[unsafe(no_mangle)]
pub extern "C" fn __off_composite(code: u32, a: Handle, b: Handle, c: Handle, x: u64, y: u64, z: u64) -> Handle {
    if a | b | c == 0 {
        return 0;
    }
    let Some(mut state) = enter() else { return 0 };
    let width = (code >> 8) as u8;
    let result = (code >> 16) as u8;
    // Of floats.
    let sign = 1u64 << ((width - 1) & 63);
    let kind = code & 0xFF;
    let (oa, ob, oc) = (Operand::new(a, x), Operand::new(b, y), Operand::new(c, z));
    let first = state.term_of(oa, width);
    if kind == 7 {
        let negative = state.op_const(Op::Slt, width, first, 0);
        let negated = state.binary(Op::Sub, width, Operand::Value(0), Operand::Term(first));
        return handle(state.ite(width, negative, negated, first));
    }
    if kind == 14 {
        return handle(state.op_const(Op::And, width, first, eval::mask(width) as u64 & !sign));
    }
    let second = state.term_of(ob, width);
    let term = match kind {
        1 => state.funnel(true, width, first, second, oc),
        2 => state.funnel(false, width, first, second, oc),
        3..=6 => {
            let op = if kind <= 4 { Op::Ult } else { Op::Slt };
            let less = state.op2(op, width, first, second);
            if kind % 2 == 1 { state.ite(width, less, first, second) } else { state.ite(width, less, second, first) }
        }
        8 => {
            let overflow = state.overflows(1, width, first, second);
            let sum = state.op2(Op::Add, width, first, second);
            let ones = state.ones(width);
            state.ite(width, overflow, ones, sum)
        }
        9 => {
            let less = state.op2(Op::Ult, width, first, second);
            let difference = state.op2(Op::Sub, width, first, second);
            let zero = state.constant(width, 0);
            state.ite(width, less, zero, difference)
        }
        10 => state.saturate_signed(2, Op::Add, width, first, second),
        11 => state.saturate_signed(4, Op::Sub, width, first, second),
        12 | 13 => {
            let (back, limit) = if kind == 12 {
                (Op::LShr, state.ones(width))
            } else {
                let negative = state.op_const(Op::Slt, width, first, 0);
                let (smallest, largest) = (state.sign_bit(width), state.largest(width));
                (Op::AShr, state.ite(width, negative, smallest, largest))
            };
            let shifted = state.op2(Op::Shl, width, first, second);
            let restored = state.op2(back, width, shifted, second);
            let same = state.op2(Op::Eq, width, restored, first);
            state.ite(width, same, shifted, limit)
        }
        15 => {
            let magnitude = state.op_const(Op::And, width, first, eval::mask(width) as u64 & !sign);
            let signs = state.op_const(Op::And, width, second, sign);
            state.op2(Op::Or, width, magnitude, signs)
        }
        16 => {
            let product = state.op2(Op::FMul, width, first, second);
            let third = state.term_of(oc, width);
            state.op2(Op::FAdd, width, product, third)
        }
        17 => {
            let third = state.term_of(oc, width);
            state.fused(width, first, second, third)
        }
        18 | 19 => {
            let op = if kind == 18 { Op::Ult } else { Op::Slt };
            let less = state.op2(op, width, first, second);
            let equal = state.op2(Op::Eq, width, first, second);
            let (minus, zero, one) =
                (state.constant(result, u64::MAX), state.constant(result, 0), state.constant(result, 1));
            let rest = state.ite(result, equal, zero, one);
            state.ite(result, less, minus, rest)
        }
        _ => 0,
    };
    handle(term)
}

/// `llvm.is.fpclass`: whether the float is of one of the classes in `mask`.
#[unsafe(no_mangle)]
pub extern "C" fn __off_classify(width: u32, a: Handle, mask: u32) -> Handle {
    if a == 0 {
        return 0;
    }
    let Some(mut state) = enter() else { return 0 };
    let (width, a) = (width as u8, a >> 3);
    let mut result = 0;
    for (low, high) in classes(width, mask) {
        let mut inside = state.binary(Op::Ule, width, Operand::Value(low), Operand::Term(a));
        let below = state.op_const(Op::Ule, width, a, high);
        inside = state.op2(Op::And, 1, inside, below);
        result = if result == 0 { inside } else { state.op2(Op::Or, 1, result, inside) };
    }
    handle(result)
}

/// The classes of LLVM's mask as ranges of bit patterns, neighbours joined.
fn classes(width: u8, mask: u32) -> impl Iterator<Item = (u64, u64)> {
    let mantissa = if width == 32 { 23 } else { 52 };
    let sign = 1u64 << (width - 1);
    let infinity = sign - (1 << mantissa);
    let (quiet, normal) = (infinity | 1 << (mantissa - 1), 1u64 << mantissa);
    // Ascending patterns of positive floats: zero, subnormal, normal, infinity, signalling and quiet NaNs.
    let starts = [0, 1, normal, infinity, infinity + 1, quiet, sign];
    // The bits of these classes in the mask, for positive and for negative floats.
    let bits: [[u32; 6]; 2] = [[6, 7, 8, 9, 0, 1], [5, 4, 3, 2, 0, 1]];
    let mut at = 0;
    core::iter::from_fn(move || {
        let wanted = |at: usize| mask >> bits[at / 6][at % 6] & 1 != 0;
        let base = |at: usize| if at / 6 == 1 { sign } else { 0 };
        while at < 12 && !wanted(at) {
            at += 1;
        }
        if at == 12 {
            return None;
        }
        let first = at;
        while at < 12 && wanted(at) {
            at += 1;
        }
        let last = at - 1;
        let end = starts[last % 6 + 1].wrapping_sub(1).wrapping_add(base(last));
        Some((starts[first % 6] + base(first), end))
    })
}

impl State {
    fn fused(&mut self, width: u8, a: NodeId, b: NodeId, c: NodeId) -> NodeId {
        if a == 0 || b == 0 || c == 0 {
            return 0;
        }
        let node = offshoot_trace::Node {
            op: Op::FFma as u8,
            width,
            flags: offshoot_trace::node::HAS_INPUT,
            aux: 0,
            a,
            rest: offshoot_trace::Node::pair(b, c),
        };
        self.intern(node, a.max(b).max(c))
    }
}
