//! libc's functions as a recorded process has them: the system call, and a word in the log.

use crate::files::{give_up, look, take, take_old};
use crate::log;
use crate::patch::Hook;
use crate::seen::{Mark, Why, is_new, names_changed};
use crate::sys::{self, Errno};
use crate::{attributes, environment, exec, kernel_copies, limits, streams};
use core::ffi::{CStr, c_char, c_int, c_long, c_uint, c_void};
use core::slice::from_raw_parts;
use libc::{AT_FDCWD, dev_t, iovec, mode_t, off_t, size_t, ssize_t, syscall};
use offshoot_trace::recording::Kind;

macro_rules! hooks {
    ($($name:literal => $hook:expr),* $(,)?) => { [$(Hook { name: $name, hook: $hook as *const c_void }),*] };
}

pub static HOOKS: Hooks = Hooks(hooks![
    c"read" => read,
    c"__read_nocancel" => read_uncancelled,
    c"readv" => readv,
    c"write" => write,
    // What getopt says of an option that there is not.
    c"__write_nocancel" => write_uncancelled,
    c"writev" => writev,
    c"open" => open,
    c"openat" => openat,
    c"__open64_nocancel" => open_uncancelled,
    c"creat" => creat,
    c"stat" => stat,
    c"lstat" => lstat,
    c"fstatat" => fstatat,
    c"statx" => statx,
    c"access" => access,
    c"faccessat" => faccessat,
    c"readlink" => readlink,
    c"readlinkat" => readlinkat,
    c"chdir" => chdir,
    c"fchdir" => fchdir,
    c"mkdir" => mkdir,
    c"mkdirat" => mkdirat,
    c"rmdir" => rmdir,
    c"unlink" => unlink,
    c"unlinkat" => unlinkat,
    c"rename" => rename,
    c"renameat" => renameat,
    c"renameat2" => renameat2,
    c"link" => link,
    c"linkat" => linkat,
    c"symlink" => symlink,
    c"symlinkat" => symlinkat,
    c"truncate" => truncate,
    c"chmod" => attributes::chmod,
    c"fchmodat" => attributes::fchmodat,
    c"chown" => attributes::chown,
    c"lchown" => attributes::lchown,
    c"fchownat" => attributes::fchownat,
    c"utime" => attributes::utime,
    c"utimes" => attributes::utimes,
    c"lutimes" => attributes::lutimes,
    c"futimesat" => attributes::futimesat,
    c"utimensat" => attributes::utimensat,
    // What mkfifo calls, too.
    c"mknod" => mknod,
    c"mknodat" => mknodat,
    c"dup" => dup,
    c"dup2" => dup2,
    c"dup3" => dup3,
    c"fcntl" => fcntl,
    c"fcntl64" => fcntl,
    c"copy_file_range" => kernel_copies::copy_file_range,
    c"sendfile" => kernel_copies::sendfile,
    c"splice" => kernel_copies::splice,
    c"setrlimit" => limits::setrlimit,
    c"prlimit" => limits::prlimit,
    c"getenv" => getenv,
    c"execve" => exec::execve,
    c"execveat" => exec::execveat,
    c"fexecve" => exec::fexecve,
    c"_exit" => exit_now,
]);

pub struct Hooks([Hook; 60]);
unsafe impl Sync for Hooks {}

impl core::ops::Deref for Hooks {
    type Target = [Hook];

    fn deref(&self) -> &[Hook] {
        &self.0
    }
}

unsafe extern "C" fn read(fd: c_int, buffer: *mut c_void, size: size_t) -> ssize_t {
    unsafe { after_read(fd, buffer, cancellable(|| syscall(libc::SYS_read, fd, buffer, size)) as ssize_t) }
}

unsafe extern "C" fn read_uncancelled(fd: c_int, buffer: *mut c_void, size: size_t) -> ssize_t {
    unsafe { after_read(fd, buffer, syscall(libc::SYS_read, fd, buffer, size) as ssize_t) }
}

unsafe fn after_read(fd: c_int, buffer: *mut c_void, read: ssize_t) -> ssize_t {
    if read > 0 && streams::is_input(fd) {
        streams::input(unsafe { from_raw_parts(buffer.cast(), read as usize) });
    }
    read
}

unsafe extern "C" fn readv(fd: c_int, vectors: *const iovec, count: c_int) -> ssize_t {
    unsafe {
        let read = cancellable(|| syscall(libc::SYS_readv, fd, vectors, count)) as ssize_t;
        if read > 0 && streams::is_input(fd) {
            for_each(vectors, count, read, streams::input);
        }
        read
    }
}

unsafe extern "C" fn write(fd: c_int, buffer: *const c_void, size: size_t) -> ssize_t {
    unsafe { after_write(fd, buffer, cancellable(|| syscall(libc::SYS_write, fd, buffer, size)) as ssize_t) }
}

unsafe extern "C" fn write_uncancelled(fd: c_int, buffer: *const c_void, size: size_t) -> ssize_t {
    unsafe { after_write(fd, buffer, syscall(libc::SYS_write, fd, buffer, size) as ssize_t) }
}

unsafe fn after_write(fd: c_int, buffer: *const c_void, written: ssize_t) -> ssize_t {
    if written > 0
        && let Some(number) = streams::output_of(fd)
    {
        streams::output(number, unsafe { from_raw_parts(buffer.cast(), written as usize) });
    }
    written
}

unsafe extern "C" fn writev(fd: c_int, vectors: *const iovec, count: c_int) -> ssize_t {
    unsafe {
        let written = cancellable(|| syscall(libc::SYS_writev, fd, vectors, count)) as ssize_t;
        if written > 0
            && let Some(number) = streams::output_of(fd)
        {
            for_each(vectors, count, written, |bytes| streams::output(number, bytes));
        }
        written
    }
}

unsafe fn for_each(vectors: *const iovec, count: c_int, bytes: ssize_t, each: impl Fn(&[u8])) {
    let mut left = bytes as usize;
    for at in 0..count as usize {
        let vector = unsafe { &*vectors.add(at) };
        let length = vector.iov_len.min(left);
        if length > 0 {
            each(unsafe { from_raw_parts(vector.iov_base.cast(), length) });
        }
        left -= length;
    }
}

unsafe extern "C" fn open(path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    unsafe { openat(AT_FDCWD, path, flags, mode) }
}

unsafe extern "C" fn creat(path: *const c_char, mode: mode_t) -> c_int {
    unsafe { openat(AT_FDCWD, path, libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC, mode) }
}

unsafe extern "C" fn openat(at: c_int, path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    unsafe {
        let mark = before_open(at, path, flags);
        let fd = cancellable(|| syscall(libc::SYS_openat, at, path, flags, mode)) as c_int;
        after_open(fd, at, path, flags, mark)
    }
}

unsafe extern "C" fn open_uncancelled(path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
    unsafe {
        let mark = before_open(AT_FDCWD, path, flags);
        let fd = syscall(libc::SYS_openat, AT_FDCWD, path, flags, mode) as c_int;
        after_open(fd, AT_FDCWD, path, flags, mark)
    }
}

/// Gives the mark of a file whose content will be the program's own.
unsafe fn before_open(at: c_int, path: *const c_char, flags: c_int) -> Option<Mark> {
    let _errno = Errno::keep();
    let has = |flag| flags & flag != 0;
    let access = flags & libc::O_ACCMODE;
    let follow = !has(libc::O_NOFOLLOW);
    unsafe {
        if (has(libc::O_TRUNC) && access != libc::O_RDONLY) || (has(libc::O_CREAT) && has(libc::O_EXCL)) {
            return give_up(at, path, follow);
        }
        if access == libc::O_WRONLY {
            return take_old(at, path, follow);
        }
        if has(libc::O_CREAT | libc::O_TRUNC) {
            look(at, path, follow);
        }
    }
    None
}

unsafe fn after_open(fd: c_int, at: c_int, path: *const c_char, flags: c_int, mark: Option<Mark>) -> c_int {
    let errno = Errno::keep();
    if fd >= 0 {
        mark.map(Mark::set);
    }
    let has = |flag| flags & flag != 0;
    unsafe {
        if fd < 0 && errno.value() == libc::EFAULT {
            // Not a path at all.
        } else if fd < 0 {
            look(at, path, !has(libc::O_NOFOLLOW));
        } else if flags & libc::O_TMPFILE == libc::O_TMPFILE {
            // The path is that of a folder, and the file has none.
            look(at, path, true);
            streams::note_copy(-1, fd);
        } else if flags & libc::O_ACCMODE != libc::O_WRONLY && !has(libc::O_TRUNC | libc::O_PATH) {
            take(fd, at, path);
        } else {
            streams::note_opened(fd, sys::c_bytes(path));
        }
    }
    fd
}

/// Another thread may end this one while it waits here, as in libc's own.
pub unsafe fn cancellable(call: impl FnOnce() -> c_long) -> c_long {
    unsafe extern "C" {
        static __libc_single_threaded: u8;
        fn pthread_setcanceltype(new: c_int, old: *mut c_int) -> c_int;
    }
    const ASYNCHRONOUS: c_int = 1;
    unsafe {
        if __libc_single_threaded != 0 {
            return call();
        }
        let mut usual = 0;
        pthread_setcanceltype(ASYNCHRONOUS, &raw mut usual);
        let result = call();
        pthread_setcanceltype(usual, &raw mut usual);
        result
    }
}

/// For calls that only look: afterwards is early enough.
unsafe fn looked(result: c_long, at: c_int, path: *const c_char, follow: bool) {
    let errno = Errno::keep();
    // Not a path at all.
    if result >= 0 || errno.value() != libc::EFAULT {
        unsafe { look(at, path, follow) };
    }
}

unsafe extern "C" fn stat(path: *const c_char, data: *mut libc::stat) -> c_int {
    unsafe { fstatat(AT_FDCWD, path, data, 0) }
}

unsafe extern "C" fn lstat(path: *const c_char, data: *mut libc::stat) -> c_int {
    unsafe { fstatat(AT_FDCWD, path, data, libc::AT_SYMLINK_NOFOLLOW) }
}

unsafe extern "C" fn fstatat(at: c_int, path: *const c_char, data: *mut libc::stat, flags: c_int) -> c_int {
    unsafe {
        let result = syscall(libc::SYS_newfstatat, at, path, data, flags);
        looked(result, at, path, flags & libc::AT_SYMLINK_NOFOLLOW == 0);
        result as c_int
    }
}

unsafe extern "C" fn statx(at: c_int, path: *const c_char, flags: c_int, mask: c_uint, data: *mut c_void) -> c_int {
    unsafe {
        let result = syscall(libc::SYS_statx, at, path, flags, mask, data);
        looked(result, at, path, flags & libc::AT_SYMLINK_NOFOLLOW == 0);
        result as c_int
    }
}

unsafe extern "C" fn access(path: *const c_char, mode: c_int) -> c_int {
    unsafe {
        let result = syscall(libc::SYS_access, path, mode);
        looked(result, AT_FDCWD, path, true);
        result as c_int
    }
}

unsafe extern "C" fn faccessat(at: c_int, path: *const c_char, mode: c_int, flags: c_int) -> c_int {
    unsafe {
        let result = match flags {
            0 => syscall(libc::SYS_faccessat, at, path, mode),
            flags => syscall(libc::SYS_faccessat2, at, path, mode, flags),
        };
        looked(result, at, path, flags & libc::AT_SYMLINK_NOFOLLOW == 0);
        result as c_int
    }
}

unsafe extern "C" fn readlink(path: *const c_char, into: *mut c_char, size: size_t) -> ssize_t {
    unsafe { readlinkat(AT_FDCWD, path, into, size) }
}

unsafe extern "C" fn readlinkat(at: c_int, path: *const c_char, into: *mut c_char, size: size_t) -> ssize_t {
    unsafe {
        let result = syscall(libc::SYS_readlinkat, at, path, into, size);
        looked(result, at, path, false);
        result as ssize_t
    }
}

unsafe extern "C" fn chdir(path: *const c_char) -> c_int {
    unsafe {
        changing(AT_FDCWD, path, true);
        let result = syscall(libc::SYS_chdir, path) as c_int;
        names_changed();
        result
    }
}

unsafe extern "C" fn fchdir(fd: c_int) -> c_int {
    let result = unsafe { syscall(libc::SYS_fchdir, fd) as c_int };
    names_changed();
    result
}

/// For calls that change what is there.
pub unsafe fn changing(at: c_int, path: *const c_char, follow: bool) {
    let _errno = Errno::keep();
    unsafe { look(at, path, follow) };
}

/// For calls that give names, or bytes, to something else: what is marked is so when the call is done.
unsafe fn moving<const N: usize>(before: impl FnOnce() -> [Option<Mark>; N], call: impl FnOnce() -> c_long) -> c_int {
    let marks = {
        let _errno = Errno::keep();
        before()
    };
    let result = call() as c_int;
    if result == 0 {
        for mark in marks.into_iter().flatten() {
            mark.set();
        }
        names_changed();
    }
    result
}

unsafe extern "C" fn mkdir(path: *const c_char, mode: mode_t) -> c_int {
    unsafe { mkdirat(AT_FDCWD, path, mode) }
}

unsafe extern "C" fn mkdirat(at: c_int, path: *const c_char, mode: mode_t) -> c_int {
    unsafe {
        changing(at, path, false);
        syscall(libc::SYS_mkdirat, at, path, mode) as c_int
    }
}

unsafe extern "C" fn rmdir(path: *const c_char) -> c_int {
    unsafe { unlinkat(AT_FDCWD, path, libc::AT_REMOVEDIR) }
}

unsafe extern "C" fn unlink(path: *const c_char) -> c_int {
    unsafe { unlinkat(AT_FDCWD, path, 0) }
}

unsafe extern "C" fn unlinkat(at: c_int, path: *const c_char, flags: c_int) -> c_int {
    unsafe { moving(|| [give_up(at, path, false)], || syscall(libc::SYS_unlinkat, at, path, flags)) }
}

unsafe extern "C" fn rename(old: *const c_char, new: *const c_char) -> c_int {
    unsafe { renameat2(AT_FDCWD, old, AT_FDCWD, new, 0) }
}

unsafe extern "C" fn renameat(old_at: c_int, old: *const c_char, new_at: c_int, new: *const c_char) -> c_int {
    unsafe { renameat2(old_at, old, new_at, new, 0) }
}

unsafe extern "C" fn renameat2(
    old_at: c_int,
    old: *const c_char,
    new_at: c_int,
    new: *const c_char,
    flags: c_uint,
) -> c_int {
    unsafe {
        moving(
            || {
                let old_mark = take_old(old_at, old, false);
                // Where one name is there for the other, both are kept.
                if flags & libc::RENAME_EXCHANGE == 0 {
                    [give_up(old_at, old, false), give_up(new_at, new, false)]
                } else {
                    [old_mark, take_old(new_at, new, false)]
                }
            },
            || match flags {
                0 => syscall(libc::SYS_renameat, old_at, old, new_at, new),
                flags => syscall(libc::SYS_renameat2, old_at, old, new_at, new, flags),
            },
        )
    }
}

unsafe extern "C" fn link(old: *const c_char, new: *const c_char) -> c_int {
    unsafe { linkat(AT_FDCWD, old, AT_FDCWD, new, 0) }
}

unsafe extern "C" fn linkat(
    old_at: c_int,
    old: *const c_char,
    new_at: c_int,
    new: *const c_char,
    flags: c_int,
) -> c_int {
    unsafe {
        moving(
            || [take_old(old_at, old, flags & libc::AT_SYMLINK_FOLLOW != 0), give_up(new_at, new, false)],
            || syscall(libc::SYS_linkat, old_at, old, new_at, new, flags),
        )
    }
}

unsafe extern "C" fn mknod(path: *const c_char, mode: mode_t, device: dev_t) -> c_int {
    unsafe { mknodat(AT_FDCWD, path, mode, device) }
}

unsafe extern "C" fn mknodat(at: c_int, path: *const c_char, mode: mode_t, device: dev_t) -> c_int {
    unsafe {
        changing(at, path, false);
        syscall(libc::SYS_mknodat, at, path, mode, device as c_uint) as c_int
    }
}

unsafe extern "C" fn symlink(to: *const c_char, path: *const c_char) -> c_int {
    unsafe { symlinkat(to, AT_FDCWD, path) }
}

unsafe extern "C" fn symlinkat(to: *const c_char, at: c_int, path: *const c_char) -> c_int {
    unsafe {
        let before = || {
            look(at, path, false);
            []
        };
        moving(before, || syscall(libc::SYS_symlinkat, to, at, path))
    }
}

unsafe extern "C" fn truncate(path: *const c_char, size: off_t) -> c_int {
    unsafe { moving(|| [take_old(AT_FDCWD, path, true)], || syscall(libc::SYS_truncate, path, size)) }
}

unsafe extern "C" fn dup(old: c_int) -> c_int {
    unsafe { copied(old, syscall(libc::SYS_dup, old) as c_int) }
}

unsafe extern "C" fn dup2(old: c_int, new: c_int) -> c_int {
    unsafe { copied(old, syscall(libc::SYS_dup2, old, new) as c_int) }
}

unsafe extern "C" fn dup3(old: c_int, new: c_int, flags: c_int) -> c_int {
    unsafe { copied(old, syscall(libc::SYS_dup3, old, new, flags) as c_int) }
}

fn copied(old: c_int, new: c_int) -> c_int {
    if new >= 0 {
        let _errno = Errno::keep();
        streams::note_copy(old, new);
    }
    new
}

unsafe extern "C" fn fcntl(fd: c_int, command: c_int, argument: usize) -> c_int {
    #[repr(C)]
    struct Owner {
        kind: c_int,
        pid: c_int,
    }
    unsafe {
        match command {
            libc::F_DUPFD | libc::F_DUPFD_CLOEXEC => {
                copied(fd, syscall(libc::SYS_fcntl, fd, command, argument) as c_int)
            }
            // A process group looks like an error otherwise.
            libc::F_GETOWN => {
                let mut owner = Owner { kind: 0, pid: 0 };
                match syscall(libc::SYS_fcntl, fd, F_GETOWN_EX, &raw mut owner) {
                    0 if owner.kind == F_OWNER_PGRP => -owner.pid,
                    0 => owner.pid,
                    _ => -1,
                }
            }
            libc::F_SETLKW | libc::F_OFD_SETLKW => {
                cancellable(|| syscall(libc::SYS_fcntl, fd, command, argument)) as c_int
            }
            _ => syscall(libc::SYS_fcntl, fd, command, argument) as c_int,
        }
    }
}

const F_GETOWN_EX: c_int = 16;
const F_OWNER_PGRP: c_int = 2;

unsafe extern "C" fn getenv(name: *const c_char) -> *mut c_char {
    let name = unsafe { CStr::from_ptr(name) };
    if is_new(Why::Asked, name.to_bytes()) {
        log::append(Kind::Asked, &[name.to_bytes()]);
    }
    unsafe { environment::look_up(name) }
}

unsafe extern "C" fn exit_now(status: c_int) -> ! {
    match log::is_original() {
        true => log::end(status & 0xFF),
        false => log::end_of_copy(),
    }
    loop {
        unsafe { syscall(libc::SYS_exit_group, status) };
    }
}
