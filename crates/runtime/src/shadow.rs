//! Shadow memory: one handle for each application byte, and one *taint* byte for each eight of them, both direct-mapped.
//! The numbers are also in `crates/instrument/src/shadow/memory.rs`.
//!
//! Invariant: the taint byte of a granule is not 0 if one of its eight cells is not 0. Instrumented code looks only at
//! the taint byte before a load or store; so memory that never was symbolic costs an eighth of itself to know it.

use offshoot_trace::node::Handle;

pub const MASK: u64 = 0xFFF_FFFF_FFFF;
pub const BASE: u64 = 0x1000_0000_0000;
pub const SIZE: u64 = 0x4000_0000_0000;

pub const TAINT_BASE: u64 = 0x6000_0000_0000;
pub const TAINT_SIZE: u64 = 1 << 44;

const GRANULE: u64 = 8;

#[inline]
pub fn cell(address: u64) -> *mut Handle {
    (((address & MASK) << 2) + BASE) as *mut Handle
}

#[inline]
fn taint(address: u64) -> *mut u8 {
    ((address >> 3) + TAINT_BASE) as *mut u8
}

/// Writes the cells of a term of `size` (at most 8) bytes.
#[inline]
pub fn set(address: u64, size: u64, handle: Handle) {
    unsafe {
        *taint(address) = 1;
        *taint(address + size - 1) = 1;
    }
    let cells = cell(address);
    for i in 0..size {
        unsafe { *cells.add(i as usize) = handle + i as u32 };
    }
}

/// Marks `size` consecutive bytes with handles that step by one node.
pub fn set_bytes(address: u64, size: u64, first: Handle) {
    let cells = cell(address);
    for i in 0..size {
        unsafe { *cells.add(i as usize) = first + ((i as u32) << 3) };
    }
    let (low, high) = (taint(address), taint(address + size - 1));
    unsafe { core::ptr::write_bytes(low, 1, high as usize - low as usize + 1) };
}

/// Nothing is tainted in `WORDS * 64` bytes, of which the first is a granule's first.
#[inline]
fn is_clean<const WORDS: usize>(address: u64) -> bool {
    let words = unsafe { taint(address).cast::<[u64; WORDS]>().read_unaligned() };
    words.iter().fold(0, |all, word| all | word) == 0
}

/// Calls `work(first, end)` for the part of the range in each tainted granule.
#[inline]
fn tainted(address: u64, size: u64, mut work: impl FnMut(u64, u64)) {
    let end = address.wrapping_add(size);
    let mut at = address;
    while at < end {
        // In large steps while nothing is tainted.
        if at.is_multiple_of(GRANULE) {
            while end - at >= 1024 && is_clean::<16>(at) {
                at += 1024;
            }
            while end - at >= 64 && is_clean::<1>(at) {
                at += 64;
            }
        }
        if at >= end {
            return;
        }
        let next = ((at | (GRANULE - 1)) + 1).min(end);
        if unsafe { *taint(at) } != 0 {
            work(at, next);
        }
        at = next;
    }
}

#[inline]
fn any(from: u64, to: u64) -> bool {
    let cells = unsafe { core::slice::from_raw_parts(cell(from), (to - from) as usize) };
    cells.iter().fold(0, |all, c| all | c) != 0
}

#[inline]
pub fn is_concrete(address: u64, size: u64) -> bool {
    let mut concrete = true;
    tainted(address, size, |from, to| concrete = concrete && !any(from, to));
    concrete
}

pub fn clear(address: u64, size: u64) {
    tainted(address, size, |from, to| {
        let cells = unsafe { core::slice::from_raw_parts_mut(cell(from), (to - from) as usize) };
        cells.fill(0);
        retaint(from);
    });
}

/// Recomputes the taint of the granule around `address`.
#[inline]
fn retaint(address: u64) {
    let start = address & !(GRANULE - 1);
    unsafe { *taint(start) = u8::from(any(start, start + GRANULE)) };
}

/// Moves the shadows of `size` bytes, overlapping or not.
pub fn copy(to: u64, from: u64, size: u64) {
    if size == 0 || to == from {
        return;
    }
    if is_concrete(from, size) {
        return clear(to, size);
    }
    unsafe { core::ptr::copy(cell(from), cell(to), size as usize) };
    let mut at = to & !(GRANULE - 1);
    while at < to + size {
        retaint(at);
        at += GRANULE;
    }
}
