//! What instrumented code calls in slow blocks: one function for each kind of operation. Handles in, handle out; 0 is
//! concrete, and the result of an operation on concrete operands is 0.

use crate::arena::{Operand, handle};
use crate::state::enter;
use crate::tls::tls;
use offshoot_trace::event::{EventKind, LossReason};
use offshoot_trace::node::Handle;
use offshoot_trace::{NodeId, Op};

/// `operation | width of the result << 8 | width of the operand << 16`
#[derive(Clone, Copy)]
struct Code(u32);

impl Code {
    #[inline]
    fn op(self) -> Option<Op> {
        Op::from_u8(self.0 as u8)
    }
    #[inline]
    fn width(self) -> u8 {
        (self.0 >> 8) as u8
    }
    #[inline]
    fn operand_width(self) -> u8 {
        (self.0 >> 16) as u8
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn __off_binary(code: u32, a: Handle, b: Handle, x: u64, y: u64) -> Handle {
    if a | b == 0 {
        return 0;
    }
    let (Some(mut state), Some(op)) = (enter(), Code(code).op()) else { return 0 };
    handle(state.binary(op, Code(code).operand_width(), Operand::new(a, x), Operand::new(b, y)))
}

/// Operands of 65 to 128 bits; a concrete one comes in two halves.
#[unsafe(no_mangle)]
pub extern "C" fn __off_binary_wide(
    code: u32,
    a: Handle,
    b: Handle,
    x: u64,
    x_high: u64,
    y: u64,
    y_high: u64,
) -> Handle {
    if a | b == 0 {
        return 0;
    }
    let (Some(mut state), Some(op)) = (enter(), Code(code).op()) else { return 0 };
    let width = Code(code).operand_width();
    let mut operand = |h: Handle, low: u64, high: u64| {
        if h == 0 && high != 0 { Operand::Term(state.wide_constant(width, low, high)) } else { Operand::new(h, low) }
    };
    let (a, b) = (operand(a, x, x_high), operand(b, y, y_high));
    handle(state.binary(op, width, a, b))
}

/// An operand of 65 to 128 bits as a term, for functions that take the values of operands in 64 bits. `any`: the handles
/// of all operands together; where all are concrete, nothing is made.
#[unsafe(no_mangle)]
pub extern "C" fn __off_wide(width: u32, any: Handle, a: Handle, low: u64, high: u64) -> Handle {
    if any == 0 || a != 0 {
        return a;
    }
    let Some(mut state) = enter() else { return 0 };
    handle(state.wide_constant(width as u8, low, high))
}

#[unsafe(no_mangle)]
pub extern "C" fn __off_unary(code: u32, a: Handle) -> Handle {
    if a == 0 {
        return 0;
    }
    let (Some(mut state), Some(op)) = (enter(), Code(code).op()) else { return 0 };
    handle(state.unary(op, Code(code).width(), a >> 3, 0))
}

/// `width | low bit << 8`
#[unsafe(no_mangle)]
pub extern "C" fn __off_extract(code: u32, a: Handle) -> Handle {
    if a == 0 {
        return 0;
    }
    let Some(mut state) = enter() else { return 0 };
    handle(state.unary(Op::Extract, code as u8, a >> 3, u64::from(code >> 8)))
}

/// `width of high | width of low << 8`
#[unsafe(no_mangle)]
pub extern "C" fn __off_concat(code: u32, high: Handle, low: Handle, x: u64, y: u64) -> Handle {
    if high | low == 0 {
        return 0;
    }
    let Some(mut state) = enter() else { return 0 };
    let top = state.term_of(Operand::new(high, x), code as u8);
    let bottom = state.term_of(Operand::new(low, y), (code >> 8) as u8);
    handle(state.concat(top, bottom))
}

#[unsafe(no_mangle)]
pub extern "C" fn __off_ite(
    width: u32,
    condition: Handle,
    a: Handle,
    b: Handle,
    chosen: u64,
    x: u64,
    y: u64,
) -> Handle {
    if condition == 0 {
        return if chosen & 1 != 0 { a } else { b };
    }
    let Some(mut state) = enter() else { return 0 };
    let width = width as u8;
    if a == 0 && b == 0 && (x ^ y) & offshoot_trace::eval::mask(width) as u64 == 0 {
        return 0;
    }
    let yes = state.term_of(Operand::new(a, x), width);
    let no = state.term_of(Operand::new(b, y), width);
    handle(state.ite(width, condition >> 3, yes, no))
}

/// One step of address computation: `base + index * scale`, the index sign-extended from `width`.
#[unsafe(no_mangle)]
pub extern "C" fn __off_index(base: Handle, index: Handle, width: u32, address: u64, value: u64, scale: u64) -> Handle {
    if base | index == 0 {
        return 0;
    }
    let Some(mut state) = enter() else { return 0 };
    let bytes = if index == 0 {
        Operand::Value(value.wrapping_mul(scale))
    } else {
        let wide = if width < 64 { state.unary(Op::Sext, 64, index >> 3, 0) } else { index >> 3 };
        let scaled = if scale == 1 {
            wide
        } else if scale.is_power_of_two() {
            state.binary(Op::Shl, 64, Operand::Term(wide), Operand::Value(u64::from(scale.trailing_zeros())))
        } else {
            state.binary(Op::Mul, 64, Operand::Term(wide), Operand::Value(scale))
        };
        Operand::Term(scaled)
    };
    let base = Operand::new(base, address);
    handle(state.binary(Op::Add, 64, base, bytes))
}

/// LLVM's float predicates out of the four we have. `predicate | width << 8`
#[unsafe(no_mangle)]
pub extern "C" fn __off_compare_floats(code: u32, a: Handle, b: Handle, x: u64, y: u64) -> Handle {
    if a | b == 0 {
        return 0;
    }
    let Some(mut state) = enter() else { return 0 };
    let width = (code >> 8) as u8;
    let (a, b) = (Operand::new(a, x), Operand::new(b, y));
    let mut compare = |op, a, b| state.binary(op, width, a, b);
    // Bit 3: true if unordered; bits 2, 1, 0: true if less, greater, equal.
    let predicate = code & 15;
    let (less, greater, equal) = (predicate & 4 != 0, predicate & 2 != 0, predicate & 1 != 0);
    let ordered: NodeId = match (less, greater, equal) {
        (false, false, true) => compare(Op::FOeq, a, b),
        (false, true, false) => compare(Op::FOlt, b, a),
        (false, true, true) => compare(Op::FOle, b, a),
        (true, false, false) => compare(Op::FOlt, a, b),
        (true, false, true) => compare(Op::FOle, a, b),
        (true, true, false) => {
            let (l, g) = (compare(Op::FOlt, a, b), compare(Op::FOlt, b, a));
            state.binary(Op::Or, 1, Operand::Term(l), Operand::Term(g))
        }
        (true, true, true) => {
            let unordered = compare(Op::FUno, a, b);
            state.binary(Op::Xor, 1, Operand::Term(unordered), Operand::Value(1))
        }
        (false, false, false) => 0,
    };
    if predicate & 8 == 0 {
        return handle(ordered);
    }
    let unordered = state.binary(Op::FUno, width, a, b);
    if predicate == 8 {
        return handle(unordered);
    }
    if predicate == 15 {
        return 0;
    }
    handle(state.binary(Op::Or, 1, Operand::Term(ordered), Operand::Term(unordered)))
}

// ----- events -----

#[unsafe(no_mangle)]
pub extern "C" fn __off_branch(site: u32, term: Handle, value: u64) {
    let Some(mut state) = enter() else { return crate::state::count_branch() };
    let taken = value & 1 != 0;
    if term != 0 {
        if !state.node(term >> 3).has_input() {
            return;
        }
        state.check(site, term, u128::from(value & 1), 1, "branch");
        state.event(EventKind::Branch, taken, site, term >> 3, &[]);
    } else if crate::state::__off_concrete_branches.load(core::sync::atomic::Ordering::Relaxed) != 0 {
        state.event(EventKind::Branch, taken, site, 0, &[]);
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn __off_switch(site: u32, term: Handle, value: u64) {
    let Some(mut state) = enter() else { return crate::state::count_branch() };
    if term != 0 {
        let node = state.node(term >> 3);
        if !node.has_input() {
            return;
        }
        state.check(site, term, u128::from(value), node.width, "switch");
        state.event(EventKind::Switch, false, site, term >> 3, &[value]);
    } else if crate::state::__off_concrete_branches.load(core::sync::atomic::Ordering::Relaxed) != 0 {
        state.event(EventKind::Switch, false, site, 0, &[value]);
    }
}

/// The run goes on with one value of a term (an address that is called, say).
#[unsafe(no_mangle)]
pub extern "C" fn __off_concretise(site: u32, term: Handle, value: u64) {
    if term == 0 {
        return;
    }
    let Some(mut state) = enter() else { return };
    state.concretise(site, term, value, false);
}

/// `b` divides `a`.
#[unsafe(no_mangle)]
pub extern "C" fn __off_divide(code: u32, a: Handle, b: Handle, divisor: u64, site: u32) {
    if b == 0 {
        return;
    }
    let Some(mut state) = enter() else { return };
    let signed = matches!(Code(code).op(), Some(Op::SDiv | Op::SRem));
    let width = Code(code).operand_width();
    state.check(site, b, u128::from(divisor), width.min(64), "divisor");
    state.event(EventKind::Divide, signed, site, b >> 3, &[divisor, u64::from(a >> 3) << 32 | u64::from(width)]);
}

/// A symbolic value went on concretely.
#[unsafe(no_mangle)]
pub extern "C" fn __off_lose(site: u32, reason: u32, term: Handle) {
    if term == 0 {
        return;
    }
    let Some(mut state) = enter() else { return };
    let reason = LossReason::from_u8(reason as u8).unwrap_or(LossReason::Instruction);
    state.lose(site, term >> 3, reason, 0);
}

#[unsafe(no_mangle)]
pub extern "C" fn __off_lose_memory(site: u32, address: u64, size: u64) {
    if crate::shadow::is_concrete(address, size) {
        return;
    }
    let Some(mut state) = enter() else { return };
    state.lose(site, 0, LossReason::Instruction, 0);
}

/// After a call: did the callee take the arguments' shadows, and is there a result's?
#[unsafe(no_mangle)]
pub extern "C" fn __off_after_call(callee: u64, site: u32) {
    let tls = tls();
    if tls.arg_tag == callee
        && callee != 0
        && let Some(mut state) = enter()
    {
        state.lose(site, 0, LossReason::Unmodelled, 0);
    }
    tls.arg_tag = 0;
    if tls.ret_tag != callee {
        tls.ret = [0; 8];
    }
    tls.ret_tag = 0;
}
