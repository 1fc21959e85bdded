//! Mappings: pages of an input file are input as far as the file goes; all other new pages are concrete.

use super::descriptors::{concretise, mark, offset_of, quietly, source_of, status_of};
use crate::intercept;
use crate::shadow;
use crate::state::enter;
use crate::tls::{take_arguments, tls};
use core::ffi::c_void;
use libc::off_t;
use offshoot_trace::event::LossReason;
use offshoot_trace::node::Handle;

/// Lengths of mappings are no bounds that an access is checked against: the kernel rounds them to pages.
fn arguments(handles: [Handle; 6], values: [u64; 6]) {
    for (handle, value) in handles.into_iter().zip(values) {
        concretise(handle, value);
    }
}

fn mapped(address: u64, size: u64, protection: i32, flags: i32, fd: i32, at: off_t) {
    let source = if flags & libc::MAP_ANONYMOUS != 0 { 0 } else { source_of(fd) };
    let start = u64::try_from(at).ok().filter(|_| source != 0).and_then(|at| offset_of(source, at));
    let Some(offset) = start else { return shadow::clear(address, size) };
    if protection & libc::PROT_READ == 0 {
        // Its bytes cannot be looked at now, and nobody tells when they can.
        if let Some(mut state) = enter() {
            state.lose_named(tls().call_site, LossReason::PartialModel, b"mmap");
        }
        return shadow::clear(address, size);
    }
    let end = quietly(|| status_of(fd)).map_or(0, |status| status.st_size as u64);
    // Behind the last page of the file there is nothing but SIGBUS.
    let marked = end.saturating_sub(at as u64).min(size);
    mark(source, offset, address, marked);
    shadow::clear(address + marked, size - marked);
}

macro_rules! maps {
    ($($wrapper:ident = $real:path;)*) => {$(
        intercept! {
            fn $wrapper(
                wish: *mut c_void, size: usize, protection: i32, flags: i32, fd: i32, at: off_t,
            ) -> *mut c_void = $real; |this| {
                let values = [wish as u64, size as u64, protection as u64, flags as u64, fd as u64, at as u64];
                arguments(take_arguments(this), values);
                let address = $real(wish, size, protection, flags, fd, at);
                if address != libc::MAP_FAILED {
                    mapped(address as u64, size as u64, protection, flags, fd, at);
                }
                address
            }
        }
    )*};
}

maps! {
    __off_w_mmap = libc::mmap;
    __off_w_mmap64 = libc::mmap64;
}

intercept! {
    fn __off_w_munmap(address: *mut c_void, size: usize) -> i32 = libc::munmap; |this| {
        let [h_address, h_size] = take_arguments(this);
        arguments([h_address, h_size, 0, 0, 0, 0], [address as u64, size as u64, 0, 0, 0, 0]);
        let result = libc::munmap(address, size);
        if result == 0 {
            shadow::clear(address as u64, size as u64);
        }
        result
    }
}

intercept! {
    fn __off_w_mremap(
        old: *mut c_void, old_size: usize, size: usize, flags: i32, wish: *mut c_void,
    ) -> *mut c_void = libc::mremap; |this| {
        let [h_old, h_old_size, h_size, h_flags, _] = take_arguments(this);
        let values = [old as u64, old_size as u64, size as u64, flags as u64, 0, 0];
        arguments([h_old, h_old_size, h_size, h_flags, 0, 0], values);
        let new = libc::mremap(old, old_size, size, flags, wish);
        if new != libc::MAP_FAILED {
            let kept = old_size.min(size) as u64;
            if new != old {
                shadow::copy(new as u64, old as u64, kept);
                shadow::clear(old as u64, old_size as u64);
            } else if old_size > size {
                shadow::clear(old as u64 + kept, old_size as u64 - kept);
            }
            // New pages of an input file are concrete: which file it was is not known here.
            shadow::clear(new as u64 + kept, size as u64 - kept);
        }
        new
    }
}
