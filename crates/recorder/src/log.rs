//! The log: one `write` a record, and for who has much to say one copy.

use crate::mapped;
use crate::sys::{self, Errno};
use core::cell::UnsafeCell;
use core::ffi::CStr;
use core::fmt::Write;
use core::sync::atomic::{AtomicBool, AtomicI32, AtomicI64, AtomicU32, AtomicU64, Ordering::Relaxed};
use offshoot_trace::recording::{HEAD, Head, Kind, TAIL};

/// Of the log; or `NONE`: it is opened for each record.
static FD: AtomicI32 = AtomicI32::new(NONE);
const NONE: i32 = -1;
/// Records, because there was no descriptor, or no room, to be had. The next one that is written says so.
static LOST: AtomicBool = AtomicBool::new(false);
/// And has said so in the file that is mapped: once is enough, and there is little room.
static IS_SAID: AtomicBool = AtomicBool::new(false);
static DEVICE: AtomicU64 = AtomicU64::new(0);
static INODE: AtomicU64 = AtomicU64::new(0);
static PID: AtomicI32 = AtomicI32::new(0);
static RUN: AtomicU64 = AtomicU64::new(0);
/// Of the size of files: a write that begins past it would end the program.
static LIMIT: AtomicU64 = AtomicU64::new(libc::RLIM_INFINITY);
/// Bytes that may still be written.
static LEFT: AtomicI64 = AtomicI64::new(0);
/// Records until now.
static COUNT: AtomicU32 = AtomicU32::new(0);
static PATH: Shared<Text> = Shared(UnsafeCell::new(Text::new()));

/// Of one process, whatever happens.
pub const LARGEST: u64 = 256 << 20;
/// What `Cut`, of a process and its forked copies, and `End` need.
const RESERVE: u64 = 256;
const END_RESERVE: u64 = 64;
/// A system call for each of so many records costs more than a file.
const MANY: u32 = 256;
/// Seconds in which processes that start share a file: one that a reader can hold in memory.
const WINDOW: i64 = 8;

/// Written once, before there can be a second thread.
pub struct Shared<T>(pub UnsafeCell<T>);
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    pub fn get(&self) -> &T {
        unsafe { &*self.0.get() }
    }

    pub unsafe fn set(&self, value: T) {
        unsafe { *self.0.get() = value };
    }
}

/// A path, always followed by a NUL.
#[derive(Clone, Copy)]
pub struct Text {
    bytes: [u8; sys::PATH_SIZE],
    length: usize,
}

impl Text {
    pub const fn new() -> Text {
        Text { bytes: [0; sys::PATH_SIZE], length: 0 }
    }

    /// `false`: it does not fit, and nothing was added.
    pub fn push(&mut self, more: &[u8]) -> bool {
        let end = self.length + more.len();
        if end >= self.bytes.len() || more.contains(&0) {
            return false;
        }
        self.bytes[self.length..end].copy_from_slice(more);
        self.bytes[end] = 0;
        self.length = end;
        true
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Of all but the text it copies nothing.
    pub fn set(&mut self, other: &Text) {
        self.cut(0);
        self.push(other.bytes());
    }

    /// The text as `fill` writes it, without a NUL; it gives the length.
    pub fn fill(&mut self, fill: impl FnOnce(&mut [u8]) -> usize) {
        let most = self.bytes.len() - 1;
        self.length = fill(&mut self.bytes[..most]).min(most);
        self.bytes[self.length] = 0;
    }

    pub fn c_str(&self) -> &CStr {
        CStr::from_bytes_until_nul(&self.bytes).unwrap_or_default()
    }

    pub fn cut(&mut self, length: usize) {
        self.length = length.min(self.length);
        self.bytes[self.length] = 0;
    }
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        if self.push(text.as_bytes()) { Ok(()) } else { Err(core::fmt::Error) }
    }
}

/// A log in `folder`. `false`: there is none to be had.
pub fn begin(folder: &[u8]) -> bool {
    let pid = sys::getpid();
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    unsafe { libc::syscall(libc::SYS_clock_gettime, libc::CLOCK_MONOTONIC, &mut now) };
    let mut path = Text::new();
    let limit = sys::file_size_limit();
    // Who may not write large files does not write to one that may be large.
    let named = path.push(folder)
        && match limit {
            libc::RLIM_INFINITY => write!(path, "/{}.log", now.tv_sec / WINDOW),
            _ => write!(path, "/{pid}-{}-{}.log", now.tv_sec, now.tv_nsec),
        }
        .is_ok();
    if !named {
        return false;
    }
    let fd = sys::open(path.c_str(), libc::O_RDWR | libc::O_APPEND | libc::O_CREAT, 0o600);
    let Some(data) = sys::fstat(fd) else { return false };
    let nanoseconds = now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64;
    RUN.store(nanoseconds << 22 | (pid as u64 & 0x3F_FFFF), Relaxed);
    LIMIT.store(limit, Relaxed);
    LEFT.store((LARGEST - RESERVE) as i64, Relaxed);
    FD.store(put_away(fd), Relaxed);
    DEVICE.store(data.st_dev, Relaxed);
    INODE.store(data.st_ino, Relaxed);
    PID.store(pid, Relaxed);
    unsafe { PATH.set(path) };
    true
}

/// Out of the way of the numbers that the program will get, and of its limit on them: what is open above that does not
/// count. Where it would be in the way, there is `NONE`.
fn put_away(fd: i32) -> i32 {
    // The kernel keeps a table of all numbers below.
    const HIGHEST: u64 = 4096;
    const HIGH: u64 = 900;
    // Some programs take the limit itself for a number under which nothing can be open.
    const APART: u64 = 64;
    let old = limit_descriptors(None);
    let limit = old.map_or(HIGH, |old| old.rlim_cur);
    let above = limit.clamp(HIGH, HIGHEST) + APART;
    let low = old.filter(|_| limit <= above);
    let last = old.map(|old| old.rlim_max.saturating_sub(1)).filter(|last| *last > limit);
    if let Some(low) = low {
        let raise = |most: u64| {
            let more = libc::rlimit { rlim_cur: most.min(above + 1), rlim_max: most };
            limit_descriptors(Some(more)).is_some()
        };
        // Only the superuser can exceed the harder one.
        let _ = raise(low.rlim_max.max(above + 1)) || raise(low.rlim_max);
    }
    let copy = |above: u64| unsafe { libc::syscall(libc::SYS_fcntl, fd, libc::F_DUPFD_CLOEXEC, above) as i32 };
    let moved = [above, last.unwrap_or(HIGH), HIGH].into_iter().map(copy).find(|fd| *fd >= 0);
    if let Some(low) = low {
        limit_descriptors(Some(low));
    }
    sys::close(fd);
    moved.unwrap_or(NONE)
}

/// The limit until now; `None` if it cannot be had, or not be changed.
fn limit_descriptors(new: Option<libc::rlimit>) -> Option<libc::rlimit> {
    let mut old = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    let new = new.as_ref().map_or(core::ptr::null(), |new| new as *const libc::rlimit);
    let done = unsafe { libc::syscall(libc::SYS_prlimit64, 0, libc::RLIMIT_NOFILE, new, &raw mut old) };
    (done == 0).then_some(old)
}

/// Not a copy that it forked.
pub fn is_original() -> bool {
    PID.load(Relaxed) == sys::getpid()
}

#[inline(never)]
pub fn append(kind: Kind, parts: &[&[u8]]) {
    append_raw(kind, parts.iter().map(|part| (part.as_ptr(), part.len())));
}

/// The bytes may be anywhere that the kernel can read.
pub fn append_raw(kind: Kind, parts: impl Iterator<Item = (*const u8, usize)> + Clone) {
    let _errno = Errno::keep();
    if COUNT.fetch_add(1, Relaxed) == MANY {
        go_on_mapped();
    }
    let length: usize = parts.clone().map(|(_, size)| size).sum();
    let total = (HEAD + length + TAIL) as i64;
    let left = LEFT.fetch_sub(total, Relaxed);
    // How it ended is wanted of every run.
    if left < total && !(kind == Kind::End && left + RESERVE as i64 > total) {
        LEFT.store(-1, Relaxed);
        if left >= 0 {
            put(&head(Kind::Cut, 0), core::iter::empty());
        }
        return;
    }
    put(&head(kind, length), parts);
}

/// Records of this process that come now go to a file of its own. Nothing happens if there can be none, or is one.
pub fn go_on_mapped() {
    let path = PATH.get().bytes();
    let folder = path.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
    if !mapped::is_open() && !path.is_empty() {
        mapped::open(&path[..folder], &head(Kind::Mapped, 16), |name| {
            append(Kind::Moved, &[name]);
            !LOST.load(Relaxed)
        });
    }
}

fn head(kind: Kind, length: usize) -> Head {
    Head::new(RUN.load(Relaxed), unsafe { core::arch::x86_64::_rdtsc() }, kind, length as u32)
}

fn put(head: &Head, parts: impl Iterator<Item = (*const u8, usize)> + Clone) {
    let kept = reserve(head.kind);
    if mapped::is_open() {
        if !mapped::put(head, parts, kept) {
            LOST.store(true, Relaxed);
        }
        // At once: this may be the last.
        if LOST.load(Relaxed) && !IS_SAID.swap(true, Relaxed) {
            mapped::put(&self::head(Kind::Cut, 0), core::iter::empty(), END_RESERVE);
        }
        return;
    }
    let mut vectors = [libc::iovec { iov_base: core::ptr::null_mut(), iov_len: 0 }; 8];
    let tail = head.tail();
    let all = core::iter::once((bytes_of(head).as_ptr(), HEAD)).chain(parts).chain([(bytes_of(&tail).as_ptr(), TAIL)]);
    let mut count = 0;
    for ((at, size), vector) in all.zip(&mut vectors) {
        *vector = libc::iovec { iov_base: at.cast_mut().cast(), iov_len: size };
        count += 1;
    }
    write(&vectors[..count], kept);
}

/// Bytes that a record of this kind leaves to others: how it ended is wanted of every run.
fn reserve(kind: u32) -> u64 {
    match kind {
        kind if kind == Kind::End as u32 => 0,
        kind if kind == Kind::Cut as u32 => END_RESERVE,
        _ => RESERVE,
    }
}

/// The program's limit on the size of files, in bytes.
pub fn set_limit(limit: u64) {
    LIMIT.store(limit, Relaxed);
}

/// What is written in part is torn, and read as such.
fn write(vectors: &[libc::iovec], kept: u64) {
    const CUT: usize = HEAD + TAIL;
    let more = vectors.iter().map(|vector| vector.iov_len as u64).sum::<u64>() + kept;
    let standing = standing();
    let Some((fd, size)) = standing.or_else(open_again) else { return LOST.store(true, Relaxed) };
    let room = LIMIT.load(Relaxed).saturating_sub(size);
    let fits = more <= room;
    // As soon as there is room again; and at once if there is too little, because it may stay so.
    if LOST.swap(!fits, Relaxed) == fits && CUT as u64 + END_RESERVE <= room {
        let (cut, mut bytes) = (head(Kind::Cut, 0), [0; CUT]);
        bytes[..HEAD].copy_from_slice(bytes_of(&cut));
        bytes[HEAD..].copy_from_slice(bytes_of(&cut.tail()));
        unsafe { libc::syscall(libc::SYS_write, fd, bytes.as_ptr(), bytes.len()) };
    }
    if fits && unsafe { libc::syscall(libc::SYS_writev, fd, vectors.as_ptr(), vectors.len()) } < 0 {
        LOST.store(true, Relaxed);
    }
    if standing.is_none() {
        sys::close(fd);
    }
}

/// With the size of the log. The program may have closed it, and its number may be another file's by now.
fn standing() -> Option<(i32, u64)> {
    let fd = FD.load(Relaxed);
    if fd == NONE {
        return None;
    }
    let is_log = |data: &libc::stat| data.st_ino == INODE.load(Relaxed) && data.st_dev == DEVICE.load(Relaxed);
    if let Some(data) = sys::fstat(fd).filter(is_log) {
        return Some((fd, data.st_size as u64));
    }
    let again = open_again().map(|(fd, size)| (put_away(fd), size));
    FD.store(again.map_or(NONE, |(fd, _)| fd), Relaxed);
    again.filter(|(fd, _)| *fd != NONE)
}

fn open_again() -> Option<(i32, u64)> {
    let fd = sys::open(PATH.get().c_str(), libc::O_WRONLY | libc::O_APPEND, 0);
    sys::fstat(fd).map(|data| (fd, data.st_size as u64))
}

/// The last record: nothing of the program runs any more.
pub fn end(status: i32) {
    take_a_descriptor();
    append(Kind::End, &[&status.to_le_bytes()]);
}

/// Of a copy that was forked, which has no end: what it has lost its original does not know.
pub fn end_of_copy() {
    if LOST.load(Relaxed) {
        take_a_descriptor();
        append(Kind::Cut, &[]);
    }
}

/// One that the program has taken is free for the log.
fn take_a_descriptor() {
    if FD.load(Relaxed) == NONE && !mapped::is_open() {
        sys::close(0);
    }
}

/// As bytes, for a log that this machine reads again.
pub fn bytes_of<T: Copy>(value: &T) -> &[u8] {
    unsafe { core::slice::from_raw_parts((&raw const *value).cast(), size_of::<T>()) }
}
