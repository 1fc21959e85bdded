//! A file for the records of one process and its forked copies, mapped by all of them: a record is a copy of a few bytes, and is
//! there whatever kills the process.
//!
//! ```text
//!  head "mapped" │ tail │ size │ mark │ record │ record │ …
//!                   └─ where the next record goes: taken by adding to it
//! ```
//!
//! A place that was taken by somebody who was killed stays zero.

use crate::log::{LARGEST, Text, bytes_of};
use crate::scratch::Room;
use crate::sys::{self, Errno};
use core::fmt::Write;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering, Ordering::Relaxed, compiler_fence};
use offshoot_trace::recording::{HEAD, Head, TAIL, mapped};

static BASE: AtomicPtr<u8> = AtomicPtr::new(core::ptr::null_mut());
static IS_TRIED: AtomicBool = AtomicBool::new(false);
/// By this number the file is found again.
static NAME: AtomicU64 = AtomicU64::new(0);
static PID: AtomicU64 = AtomicU64::new(0);

/// What the file is at first; it doubles up to a step, by which it grows from then on.
const FIRST_SIZE: u64 = 64 << 10;
const STEP: u64 = 1 << 20;

pub fn is_open() -> bool {
    !BASE.load(Relaxed).is_null()
}

/// `tell`: what the log has to say of it, as long as it is another file; `false`: it could not.
#[inline(never)]
pub fn open(folder: &[u8], head: &Head, tell: impl FnOnce(&[u8]) -> bool) {
    if IS_TRIED.swap(true, Relaxed) {
        return;
    }
    // The program has counted on all of its memory.
    if sys::limit(libc::RLIMIT_AS) != libc::RLIM_INFINITY {
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
    let base = if grow(fd, FIRST_SIZE) { map(fd) } else { None };
    sys::close(fd);
    let remove = |path: &Text| unsafe { libc::syscall(libc::SYS_unlink, path.c_str().as_ptr()) };
    let Some(base) = base else {
        remove(&room.path);
        return;
    };
    unsafe {
        word(base, mapped::TAIL_AT).store(mapped::FIRST as u64, Relaxed);
        word(base, mapped::SIZE_AT).store(FIRST_SIZE, Relaxed);
        copy(base, 0, bytes_of(head).as_ptr(), HEAD);
        copy(base, mapped::FIRST - TAIL, bytes_of(&head.tail()).as_ptr(), TAIL);
    }
    if !tell(&room.path.bytes()[folder.len() + 1..]) {
        unsafe { libc::syscall(libc::SYS_munmap, base, LARGEST) };
        remove(&room.path);
        return;
    }
    BASE.store(base, Ordering::Release);
}

/// With so many bytes `kept` behind it. `false`: there is no room.
pub fn put(head: &Head, parts: impl Iterator<Item = (*const u8, usize)>, kept: u64) -> bool {
    let base = BASE.load(Relaxed);
    let total = (HEAD + head.length as usize + TAIL) as u64;
    unsafe {
        let Some(mut at) = place(base, total, kept) else { return false };
        let whole = [(bytes_of(head).as_ptr(), HEAD)].into_iter().chain(parts);
        for (bytes, size) in whole {
            copy(base, at, bytes, size);
            at += size;
        }
        compiler_fence(Ordering::SeqCst);
        copy(base, at, bytes_of(&head.tail()).as_ptr(), TAIL);
    }
    true
}

unsafe fn place(base: *mut u8, total: u64, kept: u64) -> Option<usize> {
    let (tail, size) = unsafe { (word(base, mapped::TAIL_AT), word(base, mapped::SIZE_AT)) };
    let mut at = tail.load(Relaxed);
    loop {
        let end = at + total;
        if end + kept > size.load(Relaxed) && !make_room(base, end + kept) {
            return None;
        }
        match tail.compare_exchange_weak(at, end, Relaxed, Relaxed) {
            Ok(_) => return Some(at as usize),
            Err(now) => at = now,
        }
    }
}

/// For who cannot make the file any larger soon.
pub fn make_room_ahead() {
    if is_open() {
        let base = BASE.load(Relaxed);
        make_room(base, unsafe { word(base, mapped::TAIL_AT) }.load(Relaxed) + STEP);
    }
}

#[inline(never)]
fn make_room(base: *mut u8, end: u64) -> bool {
    let size = if end < STEP { end.next_power_of_two() } else { end.next_multiple_of(STEP) };
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
    // Some file systems stop for every signal, and a timer may send one after the other.
    const TRIES: usize = 100;
    let _errno = Errno::keep();
    let try_once = || match unsafe { libc::syscall(libc::SYS_fallocate, fd, 0, 0i64, size) } {
        0 => Some(true),
        _ if unsafe { *libc::__errno_location() } == libc::EINTR => None,
        _ => Some(false),
    };
    size <= sys::file_size_limit() && (0..TRIES).find_map(|_| try_once()).unwrap_or(false)
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
