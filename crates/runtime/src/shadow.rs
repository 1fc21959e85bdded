//! Shadow memory: one handle for each application byte, direct-mapped. The numbers are also in
//! `crates/instrument/src/shadow/memory.rs`.

use offshoot_trace::node::Handle;

pub const MASK: u64 = 0xFFF_FFFF_FFFF;
pub const BASE: u64 = 0x1000_0000_0000;
pub const SIZE: u64 = 0x4000_0000_0000;

/// One byte for each 4 KiB of application memory: not 0 if a cell there was ever set.
pub const SUMMARY_BASE: u64 = 0x0F00_0000_0000;
pub const SUMMARY_SIZE: u64 = 1 << 32;

#[inline]
pub fn cell(address: u64) -> *mut Handle {
    (((address & MASK) << 2) + BASE) as *mut Handle
}

#[inline]
fn summary(address: u64) -> *mut u8 {
    (((address & MASK) >> 12) + SUMMARY_BASE) as *mut u8
}

#[inline]
fn note(address: u64) {
    unsafe { *summary(address) = 1 };
}

/// Writes the cells of a term of `size` (at most 8) bytes.
#[inline]
pub fn set(address: u64, size: u64, handle: Handle) {
    note(address);
    note(address + size - 1);
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
    let mut page = address & !0xFFF;
    while page < address + size {
        note(page);
        page += 4096;
    }
}

/// Calls `work` for the parts of the range whose page has cells.
#[inline]
fn touched(address: u64, size: u64, mut work: impl FnMut(u64, u64)) {
    let end = address.wrapping_add(size);
    let mut at = address;
    while at < end {
        let next = ((at | 0xFFF) + 1).min(end);
        if unsafe { *summary(at) } != 0 {
            work(at, next - at);
        }
        at = next;
    }
}

#[inline]
pub fn is_concrete(address: u64, size: u64) -> bool {
    let mut concrete = true;
    touched(address, size, |at, len| {
        let cells = unsafe { core::slice::from_raw_parts(cell(at), len as usize) };
        concrete = concrete && cells.iter().fold(0, |any, c| any | c) == 0;
    });
    concrete
}

/// Zeroes are written only over what is not zero: clean pages stay clean.
pub fn clear(address: u64, size: u64) {
    touched(address, size, |at, len| {
        let cells = unsafe { core::slice::from_raw_parts_mut(cell(at), len as usize) };
        for cell in cells {
            if *cell != 0 {
                *cell = 0;
            }
        }
    });
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
    let mut page = to & !0xFFF;
    while page < to + size {
        note(page);
        page += 4096;
    }
}
