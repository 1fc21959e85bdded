//! KLEE's and CREST's functions, in the words of [`super::harness`].

use super::descriptors::concretise;
use super::harness::{assume, fresh, harness, make_symbolic, text, truth};
use crate::arena::{Operand, handle};
use crate::state::enter;
use crate::tls::{set_result, take_arguments};
use core::ffi::{c_char, c_void};
use offshoot_trace::Op;
use offshoot_trace::node::Handle;

/// `a op value`, for the signed 32-bit number whose handle is `a`.
fn compare(op: Op, a: Handle, value: i32, value_first: bool) -> Handle {
    if a == 0 {
        return 0;
    }
    let (a, b) = (Operand::Term(a >> 3), Operand::Value(value as u32 as u64));
    let (a, b) = if value_first { (b, a) } else { (a, b) };
    enter().map_or(0, |mut state| handle(state.binary(op, 32, a, b)))
}

/// A number out of `begin..end`.
fn range(this: usize, begin: i32, end: i32, name: &[u8]) -> i32 {
    let (bytes, term) = fresh(name, begin.to_le_bytes());
    let value = i32::from_le_bytes(bytes);
    assume(value >= begin, compare(Op::Sle, term, begin, true));
    assume(value < end, compare(Op::Slt, term, end, false));
    set_result(this, term);
    value
}

fn say(parts: &[&[u8]]) {
    for part in parts {
        unsafe { libc::write(2, part.as_ptr().cast(), part.len()) };
    }
}

harness! {
    klee_make_symbolic, __off_w_klee_make_symbolic(address: *mut c_void, size: usize, name: *const c_char), 3; |this, h| {
        make_symbolic(text(name), address, size);
    }
    klee_int, __off_w_klee_int(name: *const c_char) -> i32, 1; |this, h| {
        let (bytes, term) = fresh(text(name), [0; 4]);
        set_result(this, term);
        i32::from_le_bytes(bytes)
    }
    klee_range, __off_w_klee_range(begin: i32, end: i32, name: *const c_char) -> i32, 3; |this, h| {
        concretise(h[0], begin as u64);
        concretise(h[1], end as u64);
        range(this, begin, end, text(name))
    }
    klee_choose, __off_w_klee_choose(count: usize) -> usize, 1; |this, h| {
        concretise(h[0], count as u64);
        let (bytes, term) = fresh(b"klee_choose", [0; 8]);
        let value = usize::from_le_bytes(bytes);
        let below = enter().filter(|_| term != 0).map_or(0, |mut state| {
            handle(state.binary(Op::Ult, 64, Operand::Term(term >> 3), Operand::Value(count as u64)))
        });
        assume(value < count, below);
        set_result(this, term);
        value
    }
    klee_assume, __off_w_klee_assume(condition: usize), 1; |this, h| { assume(condition != 0, h[0]); }
    klee_prefer_cex, __off_w_klee_prefer_cex(object: *mut c_void, condition: usize), 2; |this, h| {}
    klee_posix_prefer_cex, __off_w_klee_posix_prefer_cex(object: *mut c_void, condition: usize), 2; |this, h| {}
    klee_is_symbolic, __off_w_klee_is_symbolic(value: usize) -> u32, 1; |this, h| { u32::from(truth(h[0]) != 0) }
    klee_is_replay, __off_w_klee_is_replay() -> u32, 0; |this, h| { u32::from(!crate::state::is_active()) }
    klee_silent_exit, __off_w_klee_silent_exit(code: i32), 1; |this, h| {
        concretise(h[0], code as u64);
        libc::exit(code);
    }
    klee_abort, __off_w_klee_abort(), 0; |this, h| { libc::abort(); }
    klee_report_error, __off_w_klee_report_error(
        file: *const c_char, line: i32, message: *const c_char, suffix: *const c_char
    ), 4; |this, h| {
        let mut digits = [0; 12];
        let line = crate::start::decimal(line.max(0) as usize, &mut digits);
        say(&[text(file), b":", line, b": ", text(message), b"\n"]);
        libc::abort();
    }
    klee_warning, __off_w_klee_warning(message: *const c_char), 1; |this, h| { say(&[text(message), b"\n"]); }
    klee_warning_once, __off_w_klee_warning_once(message: *const c_char), 1; |this, h| {}
    klee_open_merge, __off_w_klee_open_merge(), 0; |this, h| {}
    klee_close_merge, __off_w_klee_close_merge(), 0; |this, h| {}
    klee_merge, __off_w_klee_merge(), 0; |this, h| {}
    klee_stack_trace, __off_w_klee_stack_trace(), 0; |this, h| {}
    klee_print_range, __off_w_klee_print_range(name: *const c_char, value: i32), 2; |this, h| {}
    // Variadic in C; nobody looks at the rest.
    klee_print_expr, __off_w_klee_print_expr(message: *const c_char), 1; |this, h| {}
    klee_mark_global, __off_w_klee_mark_global(object: *mut c_void), 1; |this, h| {}
    klee_set_forking, __off_w_klee_set_forking(on: u32), 1; |this, h| {}
    klee_check_memory_access, __off_w_klee_check_memory_access(address: *const c_void, size: usize), 2; |this, h| {}
    klee_alias_function, __off_w_klee_alias_function(name: *const c_char, other: *const c_char), 2; |this, h| {}
    klee_define_fixed_object, __off_w_klee_define_fixed_object(address: *mut c_void, size: usize), 2; |this, h| {}
    klee_get_obj_size, __off_w_klee_get_obj_size(address: *mut c_void) -> usize, 1; |this, h| {
        enter().and_then(|state| state.heap_size(address as u64)).unwrap_or(0) as usize
    }
    klee_get_errno, __off_w_klee_get_errno() -> i32, 0; |this, h| { *libc::__errno_location() }
}

/// One value of a term, from here on.
macro_rules! values {
    ($($plain:ident, $wrapper:ident($ty:ty), $bits:expr;)*) => {
        harness! {$(
            $plain, $wrapper(value: $ty) -> $ty, 1; |this, h| {
                #[allow(clippy::redundant_closure_call)]
                concretise(h[0], $bits(value));
                value
            }
        )*}
    };
}

values! {
    klee_get_valuef, __off_w_klee_get_valuef(f32), |v: f32| u64::from(v.to_bits());
    klee_get_valued, __off_w_klee_get_valued(f64), |v: f64| v.to_bits();
    klee_get_valuel, __off_w_klee_get_valuel(i64), |v: i64| v as u64;
    klee_get_valuell, __off_w_klee_get_valuell(i64), |v: i64| v as u64;
    klee_get_value_i32, __off_w_klee_get_value_i32(i32), |v: i32| v as u64;
    klee_get_value_i64, __off_w_klee_get_value_i64(i64), |v: i64| v as u64;
}

macro_rules! crest {
    ($($plain:ident, $wrapper:ident, $size:literal, $name:literal;)*) => {
        harness! {$(
            $plain, $wrapper(address: *mut c_void), 1; |this, h| { make_symbolic($name, address, $size); }
        )*}
    };
}

crest! {
    __CrestUChar, __off_w___CrestUChar, 1, b"crest_unsigned_char";
    __CrestUShort, __off_w___CrestUShort, 2, b"crest_unsigned_short";
    __CrestUInt, __off_w___CrestUInt, 4, b"crest_unsigned_int";
    __CrestChar, __off_w___CrestChar, 1, b"crest_char";
    __CrestShort, __off_w___CrestShort, 2, b"crest_short";
    __CrestInt, __off_w___CrestInt, 4, b"crest_int";
}
