//! `execve`: the next program is recorded as well, whatever its environment is to be.

use crate::elf;
use crate::environment::with_ours;
use crate::log::{self, Shared};
use crate::patch::Hook;
use crate::sys::{self, Errno};
use core::cell::UnsafeCell;
use core::ffi::{CStr, c_char, c_int};
use offshoot_trace::recording::{Kind, OTHERS};

/// Whether this process keeps a log.
static RECORDS: Shared<bool> = Shared(UnsafeCell::new(false));
static FOLDER: Shared<log::Text> = Shared(UnsafeCell::new(log::Text::new()));

pub unsafe fn set_up(folder: &[u8], records: bool) {
    let mut text = log::Text::new();
    text.push(folder);
    unsafe {
        FOLDER.set(text);
        RECORDS.set(records);
    }
}

pub const HOOK: Hook = Hook { name: c"execve", hook: execve as *const core::ffi::c_void };

pub unsafe extern "C" fn execve(path: *const c_char, argv: *const *const c_char, envp: *const *const c_char) -> c_int {
    unsafe {
        let name = sys::c_bytes(path);
        if *RECORDS.get() {
            log::append(if log::is_original() { Kind::Exec } else { Kind::Child }, &[name]);
        }
        if !path.is_null() {
            note_static(CStr::from_ptr(path));
        }
        let result = with_ours(envp, |envp| libc::syscall(libc::SYS_execve, path, argv, envp)) as c_int;
        if *RECORDS.get() && log::is_original() {
            log::append(Kind::Stayed, &[]);
        }
        result
    }
}

/// Nothing can be loaded into a program without a dynamic linker. If it is ours, the tool is to say so. Never part of
/// its caller: a child of `posix_spawn` has 32 KiB of stack for everything.
#[inline(never)]
fn note_static(path: &CStr) {
    let _errno = Errno::keep();
    let fd = sys::open(path, libc::O_RDONLY, 0);
    if fd < 0 {
        return;
    }
    let program = elf::look_at(fd);
    sys::close(fd);
    if program.is_ours && program.is_static {
        note_other(b"static ", path.to_bytes());
    }
}

/// A line in the list of programs that have no log.
#[inline(never)]
pub fn note_other(word: &[u8], path: &[u8]) {
    const LARGEST: i64 = 1 << 20;
    let _errno = Errno::keep();
    let mut list = *FOLDER.get();
    if !list.push(b"/") || !list.push(OTHERS.as_bytes()) {
        return;
    }
    let fd = sys::open(list.c_str(), libc::O_WRONLY | libc::O_APPEND | libc::O_CREAT, 0o600);
    if sys::fstat(fd).is_some_and(|data| data.st_size < LARGEST) {
        let part = |bytes: &[u8]| libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
        let parts = [part(word), part(path), part(b"\n")];
        unsafe { libc::syscall(libc::SYS_writev, fd, parts.as_ptr(), parts.len()) };
    }
    if fd >= 0 {
        sys::close(fd);
    }
}
