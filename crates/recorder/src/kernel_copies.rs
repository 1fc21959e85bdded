//! Copies that the kernel makes by itself. Where one of their ends is a standard stream the bytes have to come by here.

use crate::hooks::cancellable;
use crate::sys::{self, Errno, Pages};
use crate::{log, streams};
use core::ffi::{c_int, c_long, c_uint};
use libc::{off_t, size_t, ssize_t, syscall};
use offshoot_trace::recording::Kind;

const STEP: usize = 64 << 10;

pub unsafe extern "C" fn sendfile(to: c_int, from: c_int, offset: *mut off_t, size: size_t) -> ssize_t {
    let is_file = kind(from) == libc::S_IFREG;
    unsafe {
        if !concerns_us(from, to) || !is_file || appends(to) {
            return syscall(libc::SYS_sendfile, to, from, offset, size) as ssize_t;
        }
        // What a pipe takes at once is all that a program gets from the kernel, too.
        let size = if kind(to) == libc::S_IFIFO { size.min(STEP) } else { size };
        let to = End { fd: to, offset: core::ptr::null_mut(), is_cancellable: false };
        copy(End { fd: from, offset, is_cancellable: false }, to, size)
    }
}

pub unsafe extern "C" fn splice(
    from: c_int,
    from_offset: *mut off_t,
    to: c_int,
    to_offset: *mut off_t,
    size: size_t,
    flags: c_uint,
) -> ssize_t {
    let is_from_pipe = kind(from) == libc::S_IFIFO;
    let has_pipe = is_from_pipe || kind(to) == libc::S_IFIFO;
    unsafe {
        let call =
            || cancellable(|| syscall(libc::SYS_splice, from, from_offset, to, to_offset, size, flags)) as ssize_t;
        if !concerns_us(from, to) || !has_pipe || appends(to) {
            return call();
        }
        // The flag is about pipes only. And nobody can give back to a pipe what the other end does not take.
        let asks_not_to = flags & libc::SPLICE_F_NONBLOCK != 0;
        if asks_not_to || is_from_pipe && (has(from, libc::O_NONBLOCK) || has(to, libc::O_NONBLOCK)) {
            let copied = call();
            if copied > 0 {
                log::append(Kind::Cut, &[]);
            }
            return copied;
        }
        let into_pipe = is_from_pipe && kind(to) == libc::S_IFIFO;
        // A signal may end the wait, and must leave the bytes where they are.
        if into_pipe && !has_room(to) {
            return -1;
        }
        let step = if into_pipe { libc::PIPE_BUF } else { STEP };
        // One step: a pipe may have no more, and the rest would have to be waited for.
        let to = End { fd: to, offset: to_offset, is_cancellable: true };
        copy(End { fd: from, offset: from_offset, is_cancellable: true }, to, size.min(step))
    }
}

pub unsafe extern "C" fn copy_file_range(
    from: c_int,
    from_offset: *mut off_t,
    to: c_int,
    to_offset: *mut off_t,
    size: size_t,
    flags: c_uint,
) -> ssize_t {
    let are_files = kind(from) == libc::S_IFREG && kind(to) == libc::S_IFREG;
    unsafe {
        if !concerns_us(from, to) || !are_files || appends(to) || flags != 0 {
            return cancellable(|| syscall(libc::SYS_copy_file_range, from, from_offset, to, to_offset, size, flags))
                as ssize_t;
        }
        let to = End { fd: to, offset: to_offset, is_cancellable: true };
        copy(End { fd: from, offset: from_offset, is_cancellable: true }, to, size)
    }
}

fn concerns_us(from: c_int, to: c_int) -> bool {
    streams::is_input(from) || streams::output_of(to).is_some()
}

fn kind(fd: c_int) -> u32 {
    sys::fstat(fd).map_or(0, |data| data.st_mode & libc::S_IFMT)
}

/// The kernel refuses that by itself.
fn appends(fd: c_int) -> bool {
    has(fd, libc::O_APPEND)
}

fn has(fd: c_int, flag: c_int) -> bool {
    unsafe { syscall(libc::SYS_fcntl, fd, libc::F_GETFL) & i64::from(flag) != 0 }
}

/// When there is room for `PIPE_BUF` bytes; `false`: the wait has failed.
unsafe fn has_room(fd: c_int) -> bool {
    let mut wanted = libc::pollfd { fd, events: libc::POLLOUT, revents: 0 };
    unsafe { cancellable(|| syscall(libc::SYS_poll, &raw mut wanted, 1, -1)) >= 0 }
}

/// With an offset of its own, or at that of the open file.
struct End {
    fd: c_int,
    offset: *mut off_t,
    is_cancellable: bool,
}

impl End {
    unsafe fn call(&self, call: impl FnOnce() -> c_long) -> ssize_t {
        (if self.is_cancellable { unsafe { cancellable(call) } } else { call() }) as ssize_t
    }

    unsafe fn read(&self, into: &mut [u8]) -> ssize_t {
        let (at, size) = (into.as_mut_ptr(), into.len());
        unsafe {
            self.call(|| match self.offset.as_ref() {
                Some(offset) => syscall(libc::SYS_pread64, self.fd, at, size, *offset),
                None => syscall(libc::SYS_read, self.fd, at, size),
            })
        }
    }

    unsafe fn write(&self, bytes: &[u8]) -> ssize_t {
        let (at, size) = (bytes.as_ptr(), bytes.len());
        unsafe {
            self.call(|| match self.offset.as_ref() {
                Some(offset) => syscall(libc::SYS_pwrite64, self.fd, at, size, *offset),
                None => syscall(libc::SYS_write, self.fd, at, size),
            })
        }
    }

    unsafe fn advance(&self, by: ssize_t) {
        if let Some(offset) = unsafe { self.offset.as_mut() } {
            *offset += by as off_t;
        }
    }
}

/// Until `size`, the end of what there is, or the first difficulty: what the call gives then is what was copied before.
unsafe fn copy(from: End, to: End, size: size_t) -> ssize_t {
    let Some(mut pages) = Pages::new(STEP) else {
        unsafe { *libc::__errno_location() = libc::ENOMEM };
        return -1;
    };
    let is_pipe = kind(from.fd) == libc::S_IFIFO;
    let mut copied = 0;
    while copied < size {
        let step = STEP.min(size - copied);
        let buffer = &mut pages.bytes()[..step];
        let read = unsafe { from.read(buffer) };
        if read <= 0 {
            return if copied > 0 { copied as ssize_t } else { read };
        }
        let bytes = &buffer[..read as usize];
        if streams::is_input(from.fd) {
            streams::input(bytes);
        }
        let mut written = 0;
        while written < bytes.len() {
            let more = unsafe { to.write(&bytes[written..]) };
            if more < 0 && is_pipe && unsafe { *libc::__errno_location() } == libc::EINTR {
                continue;
            }
            if more <= 0 {
                break;
            }
            if let Some(number) = streams::output_of(to.fd) {
                streams::output(number, &bytes[written..written + more as usize]);
            }
            unsafe { to.advance(more) };
            written += more as usize;
        }
        copied += written;
        unsafe { from.advance(written as ssize_t) };
        if written < bytes.len() {
            let _errno = Errno::keep();
            if from.offset.is_null() {
                // What nobody has got is still to be had, if it can be; the program's kernel would have kept it in the pipe.
                let back = unsafe { syscall(libc::SYS_lseek, from.fd, written as i64 - read as i64, libc::SEEK_CUR) };
                if back < 0 {
                    log::append(Kind::Cut, &[]);
                }
            }
            return if copied > 0 { copied as ssize_t } else { -1 };
        }
        if bytes.len() < step {
            break;
        }
    }
    copied as ssize_t
}
