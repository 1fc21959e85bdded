//! `execve`: the next program is recorded as well, whatever its environment is to be.

use crate::elf;
use crate::environment::with_ours;
use crate::log::{self, Shared};
use crate::patch::Hook;
use crate::paths::{absolute, of_descriptor};
use crate::scratch::Room;
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
        go_on(envp, |envp| libc::syscall(libc::SYS_execve, path, argv, envp))
    }
}

/// What another name or a descriptor leads to.
pub unsafe extern "C" fn execveat(
    at: c_int,
    path: *const c_char,
    argv: *const *const c_char,
    envp: *const *const c_char,
    flags: c_int,
) -> c_int {
    unsafe {
        note_next(at, path);
        go_on(envp, |envp| libc::syscall(libc::SYS_execveat, at, path, argv, envp, flags))
    }
}

pub unsafe extern "C" fn fexecve(fd: c_int, argv: *const *const c_char, envp: *const *const c_char) -> c_int {
    unsafe { execveat(fd, c"".as_ptr(), argv, envp, libc::AT_EMPTY_PATH) }
}

#[inline(never)]
unsafe fn note_next(at: c_int, path: *const c_char) {
    let _errno = Errno::keep();
    let Some(mut room) = Room::take() else { return };
    if unsafe { sys::c_bytes(path) }.is_empty() {
        of_descriptor(at, &mut room);
    } else {
        unsafe { absolute(at, path, &mut room) };
    }
    if *RECORDS.get() {
        log::append(if log::is_original() { Kind::Exec } else { Kind::Child }, &[room.path.bytes()]);
    }
    note_static(room.path.c_str());
}

unsafe fn go_on(envp: *const *const c_char, call: impl FnOnce(*const *const c_char) -> libc::c_long) -> c_int {
    let result = unsafe { with_ours(envp, call) } as c_int;
    if *RECORDS.get() && log::is_original() {
        log::append(Kind::Stayed, &[]);
    }
    result
}

/// Nothing can be loaded into a program without a dynamic linker. If it is ours, the tool is to say so. Never part of
/// its caller: a child of `posix_spawn` has 32 KiB of stack for everything.
#[inline(never)]
fn note_static(path: &CStr) {
    let _errno = Errno::keep();
    // It need not be a file.
    let fd = sys::open(path, libc::O_RDONLY | libc::O_NONBLOCK, 0);
    if fd < 0 {
        return;
    }
    let is_file = sys::fstat(fd).is_some_and(|data| data.st_mode & libc::S_IFMT == libc::S_IFREG);
    let program = if is_file { elf::look_at(fd) } else { elf::Program::default() };
    sys::close(fd);
    if program.is_ours && program.is_static {
        note_other(b"static ", path.to_bytes());
    }
}

/// A line in the list of programs that have no log.
#[inline(never)]
pub fn note_other(word: &[u8], path: &[u8]) {
    const LARGEST: u64 = 1 << 20;
    let _errno = Errno::keep();
    let mut list = *FOLDER.get();
    if !list.push(b"/") || !list.push(OTHERS.as_bytes()) {
        return;
    }
    let fd = sys::open(list.c_str(), libc::O_WRONLY | libc::O_APPEND | libc::O_CREAT, 0o600);
    let most = sys::file_size_limit().saturating_sub((word.len() + path.len() + 1) as u64).min(LARGEST);
    if sys::fstat(fd).is_some_and(|data| (data.st_size as u64) < most) {
        let part = |bytes: &[u8]| libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
        let parts = [part(word), part(path), part(b"\n")];
        unsafe { libc::syscall(libc::SYS_writev, fd, parts.as_ptr(), parts.len()) };
    }
    if fd >= 0 {
        sys::close(fd);
    }
}
