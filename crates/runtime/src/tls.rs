//! The thread-local block through which shadows of arguments and results travel. Defined in assembly because stable
//! Rust has no `#[thread_local]`; the layout is `crates/instrument/src/shadow/runtime.rs`'s.

use core::arch::{asm, global_asm};
use offshoot_trace::node::Handle;

global_asm!(
    ".section .tbss,\"awT\",@nobits",
    ".globl __off_tls",
    ".type __off_tls,@object",
    ".size __off_tls,768",
    ".p2align 4",
    "__off_tls:",
    ".zero 768",
    ".text",
);

pub const MAX_ARGS: usize = 64;

#[repr(C)]
pub struct Tls {
    pub ret_tag: u64,
    pub ret: [Handle; 8],
    pub arg_tag: u64,
    pub args: [Handle; MAX_ARGS],
    pub va_kinds: [u8; 64],
    pub va_count: u32,
    pub va_stack: u32,
    pub byval: [u64; 8],
    pub frames: *const crate::objects::Frame,
    pub call_site: u32,
}

const _: () = {
    assert!(core::mem::offset_of!(Tls, ret) == 8);
    assert!(core::mem::offset_of!(Tls, arg_tag) == 40);
    assert!(core::mem::offset_of!(Tls, args) == 48);
    assert!(core::mem::offset_of!(Tls, va_kinds) == 304);
    assert!(core::mem::offset_of!(Tls, va_count) == 368);
    assert!(core::mem::offset_of!(Tls, va_stack) == 372);
    assert!(core::mem::offset_of!(Tls, byval) == 376);
    assert!(core::mem::offset_of!(Tls, frames) == 440);
    assert!(core::mem::offset_of!(Tls, call_site) == 448);
    assert!(size_of::<Tls>() <= 768);
};

/// This thread's block. Nothing keeps the reference across a call that could run instrumented code.
#[inline]
pub fn tls() -> &'static mut Tls {
    let address: *mut Tls;
    unsafe {
        asm!(
            "mov {0}, qword ptr fs:[0]",
            "add {0}, qword ptr [rip + __off_tls@gottpoff]",
            out(reg) address,
            options(nostack, pure, readonly),
        );
        &mut *address
    }
}

/// The handles of the arguments of the interceptor at `function`, all 0 if its caller passed none.
#[inline]
pub fn take_arguments<const N: usize>(function: usize) -> [Handle; N] {
    let tls = tls();
    let mut handles = [0; N];
    if tls.arg_tag == function as u64 {
        tls.arg_tag = 0;
        handles.copy_from_slice(&tls.args[..N]);
    }
    handles
}

/// Gives the result of the interceptor at `function` a shadow.
#[inline]
pub fn set_result(function: usize, handle: Handle) {
    let tls = tls();
    tls.ret[0] = handle;
    tls.ret_tag = if handle == 0 { 0 } else { function as u64 };
}
