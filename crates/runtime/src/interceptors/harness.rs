//! Functions that a test harness calls: Offshoot's own, KLEE's, CREST's, and those of the verification competition. They
//! have no counterpart in libc, so each exists twice: `NAME` for a process that nobody traces and for code without
//! instrumentation, `__off_w_NAME` for instrumented code. (Packaging makes both weak: a program may bring its own.)
//!
//! Values come from the file `OFFSHOOT_INPUTS` names, a sequence of `name NUL length NUL bytes`, with the sources' own
//! names; without one, numbers are 0 and memory stays as it is.

use super::descriptors::mark;
use crate::arena::{Operand, handle};
use crate::input::is_wanted;
use crate::shadow;
use crate::start::decimal;
use crate::state::{enter, is_active};
use crate::tls::{set_result, take_arguments, tls};
use core::ffi::{CStr, c_char, c_void};
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use offshoot_trace::Op;
use offshoot_trace::event::EventKind;
use offshoot_trace::node::Handle;

// ----- values -----

static INPUTS: AtomicU64 = AtomicU64::new(0);
static INPUTS_SIZE: AtomicU64 = AtomicU64::new(0);
static INPUTS_LOADED: AtomicBool = AtomicBool::new(false);

/// Instead of the file's content, from now on.
pub fn set_inputs(bytes: &'static [u8]) {
    INPUTS.store(bytes.as_ptr() as u64, Ordering::Relaxed);
    INPUTS_SIZE.store(bytes.len() as u64, Ordering::Relaxed);
    INPUTS_LOADED.store(true, Ordering::Relaxed);
}

fn inputs() -> &'static [u8] {
    if !INPUTS_LOADED.swap(true, Ordering::Relaxed) {
        unsafe {
            let path = libc::getenv(c"OFFSHOOT_INPUTS".as_ptr());
            let fd = if path.is_null() { -1 } else { libc::open(path, libc::O_RDONLY | libc::O_CLOEXEC) };
            if fd >= 0 {
                let size = libc::lseek(fd, 0, libc::SEEK_END).max(0) as usize;
                let at = libc::mmap(core::ptr::null_mut(), size, libc::PROT_READ, libc::MAP_PRIVATE, fd, 0);
                libc::close(fd);
                if at != libc::MAP_FAILED {
                    INPUTS.store(at as u64, Ordering::Relaxed);
                    INPUTS_SIZE.store(size as u64, Ordering::Relaxed);
                }
            }
        }
    }
    let (at, size) = (INPUTS.load(Ordering::Relaxed), INPUTS_SIZE.load(Ordering::Relaxed));
    if at == 0 { &[] } else { unsafe { core::slice::from_raw_parts(at as *const u8, size as usize) } }
}

fn until_nul(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|b| *b == 0)?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

/// The bytes that the inputs file gives to `nondet:NAME#NUMBER`.
fn given(name: &[u8], number: &[u8]) -> Option<&'static [u8]> {
    let mut rest = inputs();
    while let Some((key, tail)) = until_nul(rest) {
        let (length, tail) = until_nul(tail)?;
        let length = length.iter().try_fold(0usize, |n, d| Some(n * 10 + d.checked_sub(b'0')? as usize))?;
        if length > tail.len() {
            return None;
        }
        let ours = key
            .strip_prefix(b"nondet:")
            .and_then(|k| k.strip_prefix(name))
            .and_then(|k| k.strip_prefix(b"#"))
            .is_some_and(|k| k == number);
        if ours {
            return Some(&tail[..length]);
        }
        rest = &tail[length..];
    }
    None
}

/// How often each name was asked for, by the name's hash.
static NAMES: [AtomicU64; 1024] = [const { AtomicU64::new(0) }; 1024];
static COUNTS: [AtomicU32; 1024] = [const { AtomicU32::new(0) }; 1024];

fn next_number(name: &[u8]) -> usize {
    let hash =
        name.iter().fold(0xCBF2_9CE4_8422_2325, |h: u64, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01B3)) | 1;
    for i in 0..NAMES.len() {
        let at = (hash as usize / 2 + i) % NAMES.len();
        let found = NAMES[at].compare_exchange(0, hash, Ordering::Relaxed, Ordering::Relaxed);
        if found.is_ok() || found == Err(hash) {
            return COUNTS[at].fetch_add(1, Ordering::Relaxed) as usize;
        }
    }
    0
}

/// The bytes at `address` become a new source.
pub unsafe fn make_symbolic(name: &[u8], address: *mut c_void, size: usize) {
    let mut digits = [0; 12];
    let number = decimal(next_number(name), &mut digits);
    if let Some(bytes) = given(name, number) {
        let copied = bytes.len().min(size);
        unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), address.cast(), copied) };
    }
    if !is_active() {
        return;
    }
    if !is_wanted(b"nondet", name) {
        return shadow::clear(address as u64, size as u64);
    }
    let mut place = [0u8; 256];
    let length = name.len().min(place.len() - 16);
    place[..length].copy_from_slice(&name[..length]);
    place[length] = b'#';
    place[length + 1..length + 1 + number.len()].copy_from_slice(number);
    let full = &place[..length + 1 + number.len()];
    let source = enter().map_or(0, |mut state| state.source(b"nondet:", full, b""));
    if source == 0 {
        return shadow::clear(address as u64, size as u64);
    }
    mark(source, 0, address as u64, size as u64);
}

/// A new value and its handle. `bytes` is what it is if nobody gives it one.
pub fn fresh<const N: usize>(name: &[u8], mut bytes: [u8; N]) -> ([u8; N], Handle) {
    let address = (&raw mut bytes).cast::<c_void>();
    unsafe { make_symbolic(name, address, N) };
    if !is_active() {
        return (bytes, 0);
    }
    let term = enter().map_or(0, |mut state| handle(state.load(address as u64, N as u32)));
    shadow::clear(address as u64, N as u64);
    (bytes, term)
}

// ----- conditions -----

/// The truth of an integer whose handle is `term`.
pub fn truth(term: Handle) -> u32 {
    if term == 0 {
        return 0;
    }
    enter().map_or(0, |mut state| {
        let width = state.node(term >> 3).width;
        state.binary(Op::Ne, width, Operand::Term(term >> 3), Operand::Value(0))
    })
}

/// An assumption that fails ends the run, but its negation is on the path: the next input can meet it.
pub fn assume(holds: bool, term: Handle) {
    let condition = truth(term);
    if condition != 0
        && let Some(mut state) = enter()
        && state.node(condition).has_input()
    {
        let site = tls().call_site;
        state.check(site, handle(condition), u128::from(holds), 1, "assumption");
        let kind = if holds { EventKind::Assume } else { EventKind::Branch };
        state.event(kind, holds, site, condition, &[]);
    }
    if !holds {
        unsafe { libc::exit(0) };
    }
}

fn assert(holds: bool, term: Handle) {
    let condition = truth(term);
    if is_active()
        && let Some(mut state) = enter()
        && (!holds || (condition != 0 && state.node(condition).has_input()))
    {
        let site = tls().call_site;
        if condition != 0 {
            state.check(site, handle(condition), u128::from(holds), 1, "assertion");
        }
        state.event(EventKind::Assert, holds, site, condition, &[]);
    }
    if !holds {
        unsafe { libc::abort() };
    }
}

pub unsafe fn text(name: *const c_char) -> &'static [u8] {
    if name.is_null() { b"unnamed" } else { unsafe { CStr::from_ptr(name) }.to_bytes() }
}

// ----- the functions, each twice -----

/// `NAME` has no shadows to give or take: tag 0.
macro_rules! harness {
    ($($plain:ident, $wrapper:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)?, $count:literal; |$this:ident, $handles:ident| $body:block)*) => {$(
        #[unsafe(no_mangle)]
        #[allow(unused_variables)]
        pub unsafe extern "C" fn $plain($($arg: $ty),*) $(-> $ret)? {
            let ($this, $handles): (usize, [Handle; $count]) = (0, [0; $count]);
            #[allow(unused_unsafe)]
            unsafe { $body }
        }
        #[unsafe(no_mangle)]
        #[allow(unused_variables)]
        pub unsafe extern "C" fn $wrapper($($arg: $ty),*) $(-> $ret)? {
            let $this = $wrapper as *const () as usize;
            let $handles: [Handle; $count] = take_arguments($this);
            #[allow(unused_unsafe)]
            unsafe { $body }
        }
    )*};
}

pub(super) use harness;

harness! {
    offshoot_symbolic, __off_w_offshoot_symbolic(address: *mut c_void, size: usize, name: *const c_char), 3; |this, h| {
        make_symbolic(text(name), address, size);
    }
    offshoot_assume, __off_w_offshoot_assume(condition: i32), 1; |this, h| { assume(condition != 0, h[0]); }
    __VERIFIER_assume, __off_w___VERIFIER_assume(condition: i32), 1; |this, h| { assume(condition != 0, h[0]); }
    offshoot_assert, __off_w_offshoot_assert(condition: i32), 1; |this, h| { assert(condition != 0, h[0]); }
    __VERIFIER_assert, __off_w___VERIFIER_assert(condition: i32), 1; |this, h| { assert(condition != 0, h[0]); }
    __VERIFIER_error, __off_w___VERIFIER_error(), 0; |this, h| { assert(false, 0); }
    reach_error, __off_w_reach_error(), 0; |this, h| { assert(false, 0); }
    offshoot_is_traced, __off_w_offshoot_is_traced() -> i32, 0; |this, h| { i32::from(crate::state::is_tracing()) }
}

/// Numbers. `name` is an argument or fixed.
macro_rules! numbers {
    ($($plain:ident, $wrapper:ident($($name:ident)?) -> $ret:ty, $size:literal, $fixed:literal;)*) => {
        harness! {$(
            $plain, $wrapper($($name: *const c_char)?) -> $ret, 1; |this, h| {
                #[allow(unused_mut, unused_assignments)]
                let mut called: &[u8] = $fixed;
                $(called = text($name);)?
                let (bytes, term) = fresh(called, [0; $size]);
                set_result(this, term);
                <$ret>::from_le_bytes(bytes)
            }
        )*}
    };
}

numbers! {
    offshoot_symbolic_char, __off_w_offshoot_symbolic_char(name) -> i8, 1, b"";
    offshoot_symbolic_short, __off_w_offshoot_symbolic_short(name) -> i16, 2, b"";
    offshoot_symbolic_int, __off_w_offshoot_symbolic_int(name) -> i32, 4, b"";
    offshoot_symbolic_unsigned, __off_w_offshoot_symbolic_unsigned(name) -> u32, 4, b"";
    offshoot_symbolic_long, __off_w_offshoot_symbolic_long(name) -> i64, 8, b"";
    offshoot_symbolic_size, __off_w_offshoot_symbolic_size(name) -> u64, 8, b"";
    offshoot_symbolic_float, __off_w_offshoot_symbolic_float(name) -> f32, 4, b"";
    offshoot_symbolic_double, __off_w_offshoot_symbolic_double(name) -> f64, 8, b"";
    __VERIFIER_nondet_char, __off_w___VERIFIER_nondet_char() -> i8, 1, b"char";
    __VERIFIER_nondet_schar, __off_w___VERIFIER_nondet_schar() -> i8, 1, b"schar";
    __VERIFIER_nondet_uchar, __off_w___VERIFIER_nondet_uchar() -> u8, 1, b"uchar";
    __VERIFIER_nondet_unsigned_char, __off_w___VERIFIER_nondet_unsigned_char() -> u8, 1, b"unsigned_char";
    __VERIFIER_nondet_short, __off_w___VERIFIER_nondet_short() -> i16, 2, b"short";
    __VERIFIER_nondet_ushort, __off_w___VERIFIER_nondet_ushort() -> u16, 2, b"ushort";
    __VERIFIER_nondet_int, __off_w___VERIFIER_nondet_int() -> i32, 4, b"int";
    __VERIFIER_nondet_uint, __off_w___VERIFIER_nondet_uint() -> u32, 4, b"uint";
    __VERIFIER_nondet_unsigned, __off_w___VERIFIER_nondet_unsigned() -> u32, 4, b"unsigned";
    __VERIFIER_nondet_unsigned_int, __off_w___VERIFIER_nondet_unsigned_int() -> u32, 4, b"unsigned_int";
    __VERIFIER_nondet_long, __off_w___VERIFIER_nondet_long() -> i64, 8, b"long";
    __VERIFIER_nondet_ulong, __off_w___VERIFIER_nondet_ulong() -> u64, 8, b"ulong";
    __VERIFIER_nondet_longlong, __off_w___VERIFIER_nondet_longlong() -> i64, 8, b"longlong";
    __VERIFIER_nondet_ulonglong, __off_w___VERIFIER_nondet_ulonglong() -> u64, 8, b"ulonglong";
    __VERIFIER_nondet_loff_t, __off_w___VERIFIER_nondet_loff_t() -> i64, 8, b"loff_t";
    __VERIFIER_nondet_size_t, __off_w___VERIFIER_nondet_size_t() -> u64, 8, b"size_t";
    __VERIFIER_nondet_pointer, __off_w___VERIFIER_nondet_pointer() -> u64, 8, b"pointer";
    __VERIFIER_nondet_pchar, __off_w___VERIFIER_nondet_pchar() -> u64, 8, b"pchar";
    __VERIFIER_nondet_float, __off_w___VERIFIER_nondet_float() -> f32, 4, b"float";
    __VERIFIER_nondet_double, __off_w___VERIFIER_nondet_double() -> f64, 8, b"double";
    __VERIFIER_nondet_u8, __off_w___VERIFIER_nondet_u8() -> u8, 1, b"u8";
    __VERIFIER_nondet_u16, __off_w___VERIFIER_nondet_u16() -> u16, 2, b"u16";
    __VERIFIER_nondet_u32, __off_w___VERIFIER_nondet_u32() -> u32, 4, b"u32";
    __VERIFIER_nondet_u64, __off_w___VERIFIER_nondet_u64() -> u64, 8, b"u64";
}

/// A truth value out of one byte: LLVM's `i1`.
fn fresh_bool(this: usize, name: &[u8]) -> bool {
    let ([byte], term) = fresh(name, [0]);
    set_result(this, handle(truth(term)));
    byte != 0
}

harness! {
    __VERIFIER_nondet_bool, __off_w___VERIFIER_nondet_bool() -> bool, 0; |this, h| { fresh_bool(this, b"bool") }
    __VERIFIER_nondet__Bool, __off_w___VERIFIER_nondet__Bool() -> bool, 0; |this, h| { fresh_bool(this, b"_Bool") }
}
