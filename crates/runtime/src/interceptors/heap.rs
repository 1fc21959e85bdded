//! The heap: every block is an object with its bounds, and with a term for its size if that depends on the input.

use crate::intercept;
use crate::shadow;
use crate::state::enter;
use crate::tls::{set_result, take_arguments, tls};
use core::ffi::c_void;
use offshoot_trace::node::Handle;

/// Notes a new block and gives the result a shadow if its size is symbolic.
fn allocated(function: usize, block: *mut c_void, size: usize, term: Handle) {
    let site = tls().call_site;
    let mut result = 0;
    match enter() {
        Some(mut state) => result = state.allocated(block as u64, size as u64, term, site),
        None if !block.is_null() => shadow::clear(block as u64, size as u64),
        None => {}
    }
    set_result(function, result);
}

fn freed(block: *mut c_void) {
    if let Some(mut state) = enter() {
        state.freed(block as u64, tls().call_site);
    }
}

/// The term of `count * size`.
fn product(count: Handle, size: Handle, x: usize, y: usize) -> Handle {
    let code = offshoot_trace::Op::Mul as u32 | 64 << 8 | 64 << 16;
    crate::operations::__off_binary(code, count, size, x as u64, y as u64)
}

intercept! {
    fn __off_w_malloc(size: usize) -> *mut c_void = libc::malloc; |this| {
        let [term] = take_arguments(this);
        let block = libc::malloc(size);
        allocated(this, block, size, term);
        block
    }
}

intercept! {
    fn __off_w_calloc(count: usize, size: usize) -> *mut c_void = libc::calloc; |this| {
        let [a, b] = take_arguments(this);
        let term = product(a, b, count, size);
        let block = libc::calloc(count, size);
        allocated(this, block, count.wrapping_mul(size), term);
        block
    }
}

unsafe fn reallocate(function: usize, old: *mut c_void, size: usize, term: Handle) -> *mut c_void {
    let old_size = enter().and_then(|state| state.heap_size(old as u64));
    // The old block's shadow must outlive it: keep it aside in the new block's place only after the move.
    let usable = if old.is_null() { 0 } else { unsafe { libc::malloc_usable_size(old) } };
    let kept = old_size.map_or(usable, |s| s as usize).min(size);
    let symbolic = kept > 0 && !shadow::is_concrete(old as u64, kept as u64);
    let saved = if symbolic { crate::start::map_anonymous(kept * 4) } else { core::ptr::null_mut() };
    if !saved.is_null() {
        unsafe { core::ptr::copy_nonoverlapping(shadow::cell(old as u64).cast::<u8>(), saved, kept * 4) };
    }
    let block = unsafe { libc::realloc(old, size) };
    if !block.is_null() || size == 0 {
        freed(old);
        allocated(function, block, size, term);
        if !saved.is_null() && !block.is_null() {
            for i in 0..kept {
                let cell = unsafe { *saved.cast::<Handle>().add(i) };
                if cell != 0 {
                    shadow::set(block as u64 + i as u64, 1, cell);
                }
            }
        }
    }
    if !saved.is_null() {
        unsafe { libc::munmap(saved.cast(), kept * 4) };
    }
    block
}

intercept! {
    fn __off_w_realloc(old: *mut c_void, size: usize) -> *mut c_void = libc::realloc; |this| {
        let [_, term] = take_arguments(this);
        reallocate(this, old, size, term)
    }
}

intercept! {
    fn __off_w_reallocarray(old: *mut c_void, count: usize, size: usize) -> *mut c_void = libc::reallocarray; |this| {
        let [_, a, b] = take_arguments(this);
        match count.checked_mul(size) {
            Some(bytes) => {
                let term = product(a, b, count, size);
                reallocate(this, old, bytes, term)
            }
            None => libc::reallocarray(old, count, size),
        }
    }
}

intercept! {
    fn __off_w_free(block: *mut c_void) = libc::free; |this| {
        let [_] = take_arguments(this);
        freed(block);
        libc::free(block);
    }
}

intercept! {
    fn __off_w_aligned_alloc(align: usize, size: usize) -> *mut c_void = libc::aligned_alloc; |this| {
        let [_, term] = take_arguments(this);
        let block = libc::aligned_alloc(align, size);
        allocated(this, block, size, term);
        block
    }
}

intercept! {
    fn __off_w_memalign(align: usize, size: usize) -> *mut c_void = libc::memalign; |this| {
        let [_, term] = take_arguments(this);
        let block = libc::memalign(align, size);
        allocated(this, block, size, term);
        block
    }
}

intercept! {
    fn __off_w_posix_memalign(to: *mut *mut c_void, align: usize, size: usize) -> i32 = libc::posix_memalign; |this| {
        let [_, _, term] = take_arguments(this);
        let status = libc::posix_memalign(to, align, size);
        if status == 0 {
            shadow::clear(to as u64, 8);
            allocated(0, *to, size, term);
            set_result(0, 0);
        }
        status
    }
}

unsafe extern "C" {
    fn valloc(size: usize) -> *mut c_void;
    fn pvalloc(size: usize) -> *mut c_void;
}

intercept! {
    fn __off_w_valloc(size: usize) -> *mut c_void = valloc; |this| {
        let [term] = take_arguments(this);
        let block = valloc(size);
        allocated(this, block, size, term);
        block
    }
}

intercept! {
    fn __off_w_pvalloc(size: usize) -> *mut c_void = pvalloc; |this| {
        let [term] = take_arguments(this);
        let block = pvalloc(size);
        allocated(this, block, size, term);
        block
    }
}

// For the models of C++'s operators (`models/operators.c`), which call the real ones themselves: those may throw.

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __off_note_allocation(block: *mut c_void, size: usize) -> *mut c_void {
    let this = __off_note_allocation as *const () as usize;
    let [_, term] = take_arguments(this);
    allocated(this, block, size, term);
    block
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __off_note_free(block: *mut c_void) {
    freed(block);
}
