//! A file for the records of one process and its forked copies, mapped by all of them: a record is a copy of a few bytes, and is
//! there whatever kills the process.
//!
//! ```text
//!  head "mapped" │ tail │ size │ mark │ record │ record │ …
//!                   └─ where the next record goes: taken by adding to it
//! ```
//!
//! A place that was taken by somebody who was killed stays zero.

use crate::log::{LARGEST, bytes_of};
use crate::scratch::Room;
use crate::sys;
use core::fmt::Write;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering, Ordering::Relaxed, compiler_fence};
use offshoot_trace::recording::{HEAD, Head, TAIL, mapped};

static BASE: AtomicPtr<u8> = AtomicPtr::new(core::ptr::null_mut());
static IS_TRIED: AtomicBool = AtomicBool::new(false);
/// By this number the file is found again.
static NAME: AtomicU64 = AtomicU64::new(0);
static PID: AtomicU64 = AtomicU64::new(0);

/// By which the file grows.
const STEP: u64 = 1 << 20;

pub fn is_open() -> bool {
    !BASE.load(Relaxed).is_null()
}

/// `tell`: what the log has to say of it, as long as it is another file.
#[inline(never)]
pub fn open(folder: &[u8], head: &Head, tell: impl FnOnce(&[u8])) {
    if IS_TRIED.swap(true, Relaxed) {
        return;
    }
    let Some(mut room) = Room::take() else { return };
    PID.store(sys::getpid() as u64, Relaxed);
    NAME.store(head.time, Relaxed);
    if !name(&mut room, folder) {
        return;
    }
    let fd = sys::open(room.path.c_str(), libc::O_RDWR | libc::O_CREAT | libc::O_EXCL, 0o600);
    if fd < 0 {
        return;
    }
    let base = if grow(fd, STEP) { map(fd) } else { None };
    sys::close(fd);
    let Some(base) = base else {
        unsafe { libc::syscall(libc::SYS_unlink, room.path.c_str().as_ptr()) };
        return;
    };
    unsafe {
        word(base, mapped::TAIL_AT).store(mapped::FIRST as u64, Relaxed);
        word(base, mapped::SIZE_AT).store(STEP, Relaxed);
        copy(base, 0, bytes_of(head).as_ptr(), HEAD);
        copy(base, mapped::FIRST - TAIL, bytes_of(&head.tail()).as_ptr(), TAIL);
    }
    let path = room.path.bytes();
    tell(&path[folder.len() + 1..]);
    BASE.store(base, Ordering::Release);
}

pub fn put(head: &Head, parts: impl Iterator<Item = (*const u8, usize)>) {
    let base = BASE.load(Relaxed);
    let total = (HEAD + head.length as usize + TAIL) as u64;
    unsafe {
        let mut at = word(base, mapped::TAIL_AT).fetch_add(total, Relaxed) as usize;
        let end = at as u64 + total;
        // Who reads it sees that more was to come.
        if end > word(base, mapped::SIZE_AT).load(Relaxed) && !make_room(base, end) {
            return;
        }
        let whole = [(bytes_of(head).as_ptr(), HEAD)].into_iter().chain(parts);
        for (bytes, size) in whole {
            copy(base, at, bytes, size);
            at += size;
        }
        compiler_fence(Ordering::SeqCst);
        copy(base, at, bytes_of(&head.tail()).as_ptr(), TAIL);
    }
}

#[inline(never)]
fn make_room(base: *mut u8, end: u64) -> bool {
    let size = end.next_multiple_of(STEP);
    let Some(mut room) = Room::take() else { return false };
    if size > LARGEST || !name(&mut room, crate::files::folder()) {
        return false;
    }
    let fd = sys::open(room.path.c_str(), libc::O_RDWR, 0);
    let is_larger = fd >= 0 && grow(fd, size);
    if fd >= 0 {
        sys::close(fd);
    }
    if is_larger {
        unsafe { word(base, mapped::SIZE_AT) }.fetch_max(size, Relaxed);
    }
    is_larger
}

fn name(room: &mut Room, folder: &[u8]) -> bool {
    room.path.cut(0);
    let (pid, name) = (PID.load(Relaxed), NAME.load(Relaxed));
    room.path.push(folder) && write!(room.path, "/{pid}-{name:x}.more").is_ok()
}

/// With its blocks on the disk: a mapped page without one would kill the program when the disk is full.
fn grow(fd: i32, size: u64) -> bool {
    size <= sys::file_size_limit() && unsafe { libc::syscall(libc::SYS_fallocate, fd, 0, 0i64, size) == 0 }
}

/// As much as it will ever be: nobody ever has to move.
fn map(fd: i32) -> Option<*mut u8> {
    let access = libc::PROT_READ | libc::PROT_WRITE;
    sys::map(LARGEST as usize, access, libc::MAP_SHARED, fd)
}

unsafe fn word<'a>(base: *mut u8, at: usize) -> &'a AtomicU64 {
    unsafe { &*base.add(at).cast() }
}

unsafe fn copy(base: *mut u8, at: usize, bytes: *const u8, size: usize) {
    unsafe { core::ptr::copy_nonoverlapping(bytes, base.add(at), size) };
}
