//! System calls that go around the functions that we hook.

use core::ffi::{CStr, c_char, c_long};
use core::mem::MaybeUninit;

pub const PATH_SIZE: usize = libc::PATH_MAX as usize;

/// Puts `errno` back when it goes.
pub struct Errno(i32);

impl Errno {
    pub fn keep() -> Errno {
        Errno(unsafe { *libc::__errno_location() })
    }

    pub fn value(&self) -> i32 {
        self.0
    }
}

impl Drop for Errno {
    fn drop(&mut self) {
        unsafe { *libc::__errno_location() = self.0 };
    }
}

pub fn fstat(fd: i32) -> Option<libc::stat> {
    let mut data = MaybeUninit::uninit();
    unsafe { (libc::syscall(libc::SYS_fstat, fd, data.as_mut_ptr()) == 0).then(|| data.assume_init()) }
}

pub fn lstat(path: &CStr) -> Option<libc::stat> {
    lstat_in(libc::AT_FDCWD, path)
}

pub fn lstat_in(folder: i32, path: &CStr) -> Option<libc::stat> {
    let mut data = MaybeUninit::uninit();
    let flags = libc::AT_SYMLINK_NOFOLLOW;
    unsafe {
        let done = libc::syscall(libc::SYS_newfstatat, folder, path.as_ptr(), data.as_mut_ptr(), flags);
        (done == 0).then(|| data.assume_init())
    }
}

pub fn open(path: &CStr, flags: i32, mode: u32) -> i32 {
    unsafe { libc::syscall(libc::SYS_openat, libc::AT_FDCWD, path.as_ptr(), flags | libc::O_CLOEXEC, mode) as i32 }
}

pub fn close(fd: i32) {
    unsafe { libc::syscall(libc::SYS_close, fd) };
}

pub fn getpid() -> i32 {
    unsafe { libc::syscall(libc::SYS_getpid) as i32 }
}

/// 20 less the niceness.
pub fn getpriority() -> u32 {
    unsafe { libc::syscall(libc::SYS_getpriority, libc::PRIO_PROCESS, 0) as u32 }
}

/// The bytes of a link's target; 0 if there is none.
pub fn readlink(path: &CStr, into: &mut [u8]) -> usize {
    let read = unsafe { libc::syscall(libc::SYS_readlink, path.as_ptr(), into.as_mut_ptr(), into.len()) };
    usize::try_from(read).unwrap_or(0)
}

/// Without the NUL; 0 if it cannot be told.
pub fn getcwd(into: &mut [u8]) -> usize {
    let length: c_long = unsafe { libc::syscall(libc::SYS_getcwd, into.as_mut_ptr(), into.len()) };
    match usize::try_from(length).unwrap_or(0) {
        length if length > 1 && into[0] == b'/' => length - 1,
        _ => 0,
    }
}

/// As much of `into` as there is from `offset` on.
pub fn pread_all(fd: i32, into: &mut [u8], offset: u64) -> usize {
    let mut length = 0;
    while length < into.len() {
        match pread(fd, &mut into[length..], offset + length as u64) {
            0 => break,
            more => length += more,
        }
    }
    length
}

pub fn pread(fd: i32, into: &mut [u8], offset: u64) -> usize {
    let read = unsafe { libc::syscall(libc::SYS_pread64, fd, into.as_mut_ptr(), into.len(), offset) };
    usize::try_from(read).unwrap_or(0)
}

/// Bytes that a file may have that this process writes: past it the kernel would end the program.
pub fn file_size_limit() -> u64 {
    limit(libc::RLIMIT_FSIZE)
}

/// Until the program changes it. Without one it is the largest number.
pub fn limit(resource: u32) -> u64 {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    let null = core::ptr::null::<libc::rlimit>();
    let done = unsafe { libc::syscall(libc::SYS_prlimit64, 0, resource, null, &raw mut limit) };
    if done == 0 { limit.rlim_cur } else { libc::RLIM_INFINITY }
}

/// The C string at `text`, empty if there is none.
pub unsafe fn c_bytes<'a>(text: *const c_char) -> &'a [u8] {
    if text.is_null() { &[] } else { unsafe { CStr::from_ptr(text).to_bytes() } }
}

/// From the start of the file.
pub fn map(size: usize, access: i32, kind: i32, fd: i32) -> Option<*mut u8> {
    // The sixth of its arguments goes over the stack, where half of a narrower number would be anything.
    let offset: i64 = 0;
    let at = unsafe { libc::syscall(libc::SYS_mmap, 0usize, size, access, kind, fd, offset) };
    (at > 0).then_some(at as *mut u8)
}

/// Memory of our own for a while.
pub struct Pages {
    at: *mut u8,
    size: usize,
}

impl Pages {
    pub fn new(size: usize) -> Option<Pages> {
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        map(size, access, kind, -1).map(|at| Pages { at, size })
    }

    pub fn bytes(&mut self) -> &mut [u8] {
        unsafe { core::slice::from_raw_parts_mut(self.at, self.size) }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        unsafe { libc::syscall(libc::SYS_munmap, self.at, self.size) };
    }
}
