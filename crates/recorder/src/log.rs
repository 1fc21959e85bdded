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
/// Records, because there was no descriptor to be had. The next one that is written says so.
static LOST: AtomicBool = AtomicBool::new(false);
static INODE: AtomicU64 = AtomicU64::new(0);
static PID: AtomicI32 = AtomicI32::new(0);
static RUN: AtomicU64 = AtomicU64::new(0);
/// Bytes that may still be written: past a file-size limit the kernel would end the program.
static LEFT: AtomicI64 = AtomicI64::new(0);
/// Records until now.
static COUNT: AtomicU32 = AtomicU32::new(0);
static PATH: Shared<Text> = Shared(UnsafeCell::new(Text::new()));

/// Of one process, whatever happens.
pub const LARGEST: u64 = 256 << 20;
/// What `Cut` and `End` need.
const RESERVE: i64 = 256;
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
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &mut limit) };
    // Who may not write large files does not write to one that may be large.
    let named = path.push(folder)
        && match limit.rlim_cur {
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
    LEFT.store(limit.rlim_cur.min(LARGEST) as i64 - RESERVE, Relaxed);
    FD.store(put_away(fd), Relaxed);
    INODE.store(data.st_ino, Relaxed);
    PID.store(pid, Relaxed);
    unsafe { PATH.set(path) };
    true
}

/// Out of the way of the numbers that the program will get, and of its limit on them: what is open above that does not
/// count. Where it would be in the way, there is `NONE`.
fn put_away(fd: i32) -> i32 {
    const ENOUGH: u64 = 1024;
    const HIGH: u64 = 900;
    let low = limit_descriptors(None).filter(|old| old.rlim_cur < ENOUGH);
    if let Some(low) = low {
        // Only the superuser can exceed the harder one.
        let more = libc::rlimit { rlim_cur: ENOUGH, rlim_max: low.rlim_max.max(ENOUGH) };
        if limit_descriptors(Some(more)).is_none() {
            limit_descriptors(Some(libc::rlimit { rlim_cur: low.rlim_max, ..low }));
        }
    }
    let copy = |above: u64| unsafe { libc::syscall(libc::SYS_fcntl, fd, libc::F_DUPFD_CLOEXEC, above) as i32 };
    let moved = [HIGH, low.map_or(HIGH, |low| low.rlim_cur)].into_iter().map(copy).find(|fd| *fd >= 0);
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
    if left < total && !(kind == Kind::End && left + RESERVE > total) {
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
        mapped::open(&path[..folder], &head(Kind::Mapped, 16), |name| append(Kind::Moved, &[name]));
    }
}

fn head(kind: Kind, length: usize) -> Head {
    Head::new(RUN.load(Relaxed), unsafe { core::arch::x86_64::_rdtsc() }, kind, length as u32)
}

fn put(head: &Head, parts: impl Iterator<Item = (*const u8, usize)> + Clone) {
    if mapped::is_open() {
        return mapped::put(head, parts);
    }
    let mut vectors = [libc::iovec { iov_base: core::ptr::null_mut(), iov_len: 0 }; 8];
    let tail = head.tail();
    let all = core::iter::once((bytes_of(head).as_ptr(), HEAD)).chain(parts).chain([(bytes_of(&tail).as_ptr(), TAIL)]);
    let mut count = 0;
    for ((at, size), vector) in all.zip(&mut vectors) {
        *vector = libc::iovec { iov_base: at.cast_mut().cast(), iov_len: size };
        count += 1;
    }
    write(&vectors[..count]);
}

/// What is written in part is torn, and read as such.
fn write(vectors: &[libc::iovec]) {
    let write_to = |fd: i32| {
        let written = unsafe { libc::syscall(libc::SYS_writev, fd, vectors.as_ptr(), vectors.len()) };
        if written < 0 {
            LOST.store(true, Relaxed);
        }
    };
    let standing = standing();
    let fd = standing.unwrap_or_else(open_again);
    if fd < 0 {
        LOST.store(true, Relaxed);
        return;
    }
    if LOST.swap(false, Relaxed) {
        let (cut, mut bytes) = (head(Kind::Cut, 0), [0; HEAD + TAIL]);
        bytes[..HEAD].copy_from_slice(bytes_of(&cut));
        bytes[HEAD..].copy_from_slice(bytes_of(&cut.tail()));
        unsafe { libc::syscall(libc::SYS_write, fd, bytes.as_ptr(), bytes.len()) };
    }
    write_to(fd);
    if standing.is_none() {
        sys::close(fd);
    }
}

/// The program may have closed it, and its number may be another file's by now.
fn standing() -> Option<i32> {
    let fd = FD.load(Relaxed);
    if fd == NONE || sys::fstat(fd).is_some_and(|data| data.st_ino == INODE.load(Relaxed)) {
        return (fd != NONE).then_some(fd);
    }
    let fd = open_again();
    let fd = if fd >= 0 { put_away(fd) } else { NONE };
    FD.store(fd, Relaxed);
    (fd != NONE).then_some(fd)
}

fn open_again() -> i32 {
    sys::open(PATH.get().c_str(), libc::O_WRONLY | libc::O_APPEND, 0)
}

/// The last record: nothing of the program runs any more, and a descriptor that it has taken is free for the log.
pub fn end(status: i32) {
    if FD.load(Relaxed) == NONE && !mapped::is_open() {
        sys::close(0);
    }
    append(Kind::End, &[&status.to_le_bytes()]);
}

/// As bytes, for a log that this machine reads again.
pub fn bytes_of<T: Copy>(value: &T) -> &[u8] {
    unsafe { core::slice::from_raw_parts((&raw const *value).cast(), size_of::<T>()) }
}
