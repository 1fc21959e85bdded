//! Opening and reading file descriptors: bytes of an input source are marked as they arrive, all others are concrete.

use super::descriptors::{
    Origin, arrived, buffer_arguments, closed, concretise, duplicated, opened, origin, origin_at,
};
use crate::intercept;
use crate::shadow;
use crate::tls::take_arguments;
use core::ffi::{c_char, c_void};
use libc::{iovec, msghdr, off_t, sockaddr, socklen_t, ssize_t};
use offshoot_trace::node::Handle;

unsafe extern "C" {
    fn __open_2(path: *const c_char, flags: i32) -> i32;
    fn __open64_2(path: *const c_char, flags: i32) -> i32;
    fn __openat_2(directory: i32, path: *const c_char, flags: i32) -> i32;
    fn __openat64_2(directory: i32, path: *const c_char, flags: i32) -> i32;
    fn fcntl64(fd: i32, command: i32, argument: u64) -> i32;
    fn __read_chk(fd: i32, to: *mut c_void, size: usize, room: usize) -> ssize_t;
    fn __pread_chk(fd: i32, to: *mut c_void, size: usize, at: off_t, room: usize) -> ssize_t;
    fn __pread64_chk(fd: i32, to: *mut c_void, size: usize, at: off_t, room: usize) -> ssize_t;
    fn preadv2(fd: i32, parts: *const iovec, count: i32, at: off_t, flags: i32) -> ssize_t;
    fn preadv64v2(fd: i32, parts: *const iovec, count: i32, at: off_t, flags: i32) -> ssize_t;
    fn __recv_chk(fd: i32, to: *mut c_void, size: usize, room: usize, flags: i32) -> ssize_t;
    fn __recvfrom_chk(
        fd: i32,
        to: *mut c_void,
        size: usize,
        room: usize,
        flags: i32,
        from: *mut sockaddr,
        len: *mut socklen_t,
    ) -> ssize_t;
}

/// `open` and its kin. The mode is a variadic argument in C: it arrives like any other, and is garbage nobody looks at
/// when it was not given.
macro_rules! opens {
    ($($wrapper:ident($($arg:ident: $ty:ty),*) = $real:path, $count:literal, $directory:expr, $path:ident, $flags:expr;)*) => {$(
        intercept! {
            fn $wrapper($($arg: $ty),*) -> i32 = $real; |this| {
                let _ = take_arguments::<$count>(this);
                let fd = $real($($arg),*);
                opened(fd, $directory, $path, $flags);
                fd
            }
        }
    )*};
}

const CREATE: i32 = libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC;

opens! {
    __off_w_open(path: *const c_char, flags: i32, mode: u32) = libc::open, 3, libc::AT_FDCWD, path, flags;
    __off_w_open64(path: *const c_char, flags: i32, mode: u32) = libc::open64, 3, libc::AT_FDCWD, path, flags;
    __off_w_openat(at: i32, path: *const c_char, flags: i32, mode: u32) = libc::openat, 4, at, path, flags;
    __off_w_openat64(at: i32, path: *const c_char, flags: i32, mode: u32) = libc::openat64, 4, at, path, flags;
    __off_w___open_2(path: *const c_char, flags: i32) = __open_2, 2, libc::AT_FDCWD, path, flags;
    __off_w___open64_2(path: *const c_char, flags: i32) = __open64_2, 2, libc::AT_FDCWD, path, flags;
    __off_w___openat_2(at: i32, path: *const c_char, flags: i32) = __openat_2, 3, at, path, flags;
    __off_w___openat64_2(at: i32, path: *const c_char, flags: i32) = __openat64_2, 3, at, path, flags;
    __off_w_creat(path: *const c_char, mode: u32) = libc::creat, 2, libc::AT_FDCWD, path, CREATE;
    __off_w_creat64(path: *const c_char, mode: u32) = libc::creat64, 2, libc::AT_FDCWD, path, CREATE;
}

intercept! {
    fn __off_w_close(fd: i32) -> i32 = libc::close; |this| {
        let [h_fd] = take_arguments(this);
        concretise(h_fd, fd as u64);
        closed(fd);
        libc::close(fd)
    }
}

intercept! {
    fn __off_w_dup(fd: i32) -> i32 = libc::dup; |this| {
        let [h_fd] = take_arguments(this);
        concretise(h_fd, fd as u64);
        let new = libc::dup(fd);
        duplicated(fd, new);
        new
    }
}

intercept! {
    fn __off_w_dup2(fd: i32, to: i32) -> i32 = libc::dup2; |this| {
        let [h_fd, h_to] = take_arguments(this);
        concretise(h_fd, fd as u64);
        concretise(h_to, to as u64);
        let new = libc::dup2(fd, to);
        duplicated(fd, new);
        new
    }
}

intercept! {
    fn __off_w_dup3(fd: i32, to: i32, flags: i32) -> i32 = libc::dup3; |this| {
        let [h_fd, h_to, _] = take_arguments(this);
        concretise(h_fd, fd as u64);
        concretise(h_to, to as u64);
        let new = libc::dup3(fd, to, flags);
        duplicated(fd, new);
        new
    }
}

unsafe fn control(
    real: unsafe extern "C" fn(i32, i32, u64) -> i32,
    handles: [Handle; 3],
    fd: i32,
    command: i32,
    argument: u64,
) -> i32 {
    let [h_fd, h_command, h_argument] = handles;
    concretise(h_fd, fd as u64);
    concretise(h_command, command as u64);
    concretise(h_argument, argument);
    let result = unsafe { real(fd, command, argument) };
    match command {
        libc::F_DUPFD | libc::F_DUPFD_CLOEXEC => duplicated(fd, result),
        libc::F_GETLK | libc::F_OFD_GETLK if result == 0 => {
            shadow::clear(argument, size_of::<libc::flock>() as u64);
        }
        _ => {}
    }
    result
}

/// Handles of a call with one variadic argument, which may be absent.
fn optional_third(this: usize) -> [Handle; 3] {
    let given = crate::tls::tls().va_count;
    let [a, b, c] = take_arguments(this);
    [a, b, if given > 0 { c } else { 0 }]
}

unsafe extern "C" fn fcntl32(fd: i32, command: i32, argument: u64) -> i32 {
    unsafe { libc::fcntl(fd, command, argument) }
}

intercept! {
    fn __off_w_fcntl(fd: i32, command: i32, argument: u64) -> i32 = libc::fcntl; |this| {
        control(fcntl32, optional_third(this), fd, command, argument)
    }
}

intercept! {
    fn __off_w_fcntl64(fd: i32, command: i32, argument: u64) -> i32 = fcntl64; |this| {
        control(fcntl64, optional_third(this), fd, command, argument)
    }
}

/// After a read of one piece.
fn got(from: Option<Origin>, to: *mut c_void, count: ssize_t) {
    if count > 0 {
        arrived(from, to as u64, count as u64);
    }
}

/// After a read of several.
unsafe fn got_parts(mut from: Option<Origin>, parts: *const iovec, count: i32, total: ssize_t) {
    let mut left = u64::try_from(total).unwrap_or(0);
    for i in 0..count.max(0) as usize {
        if left == 0 {
            return;
        }
        let part = unsafe { *parts.add(i) };
        let size = left.min(part.iov_len as u64);
        from = arrived(from, part.iov_base as u64, size);
        left -= size;
    }
}

intercept! {
    fn __off_w_read(fd: i32, to: *mut c_void, size: usize) -> ssize_t = libc::read; |this| {
        let [h_fd, h_to, h_size] = take_arguments(this);
        concretise(h_fd, fd as u64);
        buffer_arguments(h_to, h_size, to as u64, size as u64, true);
        let from = origin(fd);
        let count = libc::read(fd, to, size);
        got(from, to, count);
        count
    }
}

intercept! {
    fn __off_w___read_chk(fd: i32, to: *mut c_void, size: usize, room: usize) -> ssize_t = __read_chk; |this| {
        let [h_fd, h_to, h_size, _] = take_arguments(this);
        concretise(h_fd, fd as u64);
        buffer_arguments(h_to, h_size, to as u64, size as u64, true);
        let from = origin(fd);
        let count = __read_chk(fd, to, size, room);
        got(from, to, count);
        count
    }
}

macro_rules! reads_at {
    ($($wrapper:ident = $real:path $(, $room:ident)?;)*) => {$(
        intercept! {
            fn $wrapper(fd: i32, to: *mut c_void, size: usize, at: off_t $(, $room: usize)?) -> ssize_t = $real; |this| {
                let [h_fd, h_to, h_size, h_at] = take_arguments(this);
                concretise(h_fd, fd as u64);
                concretise(h_at, at as u64);
                buffer_arguments(h_to, h_size, to as u64, size as u64, true);
                let from = origin_at(fd, at);
                let count = $real(fd, to, size, at $(, $room)?);
                got(from, to, count);
                count
            }
        }
    )*};
}

reads_at! {
    __off_w_pread = libc::pread;
    __off_w_pread64 = libc::pread64;
    __off_w___pread_chk = __pread_chk, room;
    __off_w___pread64_chk = __pread64_chk, room;
}

intercept! {
    fn __off_w_readv(fd: i32, parts: *const iovec, count: i32) -> ssize_t = libc::readv; |this| {
        let [h_fd, _, _] = take_arguments(this);
        concretise(h_fd, fd as u64);
        let from = origin(fd);
        let total = libc::readv(fd, parts, count);
        got_parts(from, parts, count, total);
        total
    }
}

macro_rules! reads_parts_at {
    ($($wrapper:ident = $real:path $(, $flags:ident)?;)*) => {$(
        intercept! {
            fn $wrapper(fd: i32, parts: *const iovec, count: i32, at: off_t $(, $flags: i32)?) -> ssize_t = $real; |this| {
                let [h_fd, _, _, h_at] = take_arguments(this);
                concretise(h_fd, fd as u64);
                concretise(h_at, at as u64);
                // -1 (of the v2 forms) means the current position.
                let from = if at == -1 { origin(fd) } else { origin_at(fd, at) };
                let total = $real(fd, parts, count, at $(, $flags)?);
                got_parts(from, parts, count, total);
                total
            }
        }
    )*};
}

reads_parts_at! {
    __off_w_preadv = libc::preadv;
    __off_w_preadv64 = libc::preadv64;
    __off_w_preadv2 = preadv2, flags;
    __off_w_preadv64v2 = preadv64v2, flags;
}

macro_rules! seeks {
    ($($wrapper:ident = $real:path;)*) => {$(
        intercept! {
            fn $wrapper(fd: i32, offset: off_t, whence: i32) -> off_t = $real; |this| {
                let [h_fd, h_offset, h_whence] = take_arguments(this);
                concretise(h_fd, fd as u64);
                concretise(h_offset, offset as u64);
                concretise(h_whence, whence as u64);
                // Where standard input began must be known before it moves.
                super::descriptors::source_of(fd);
                $real(fd, offset, whence)
            }
        }
    )*};
}

seeks! {
    __off_w_lseek = libc::lseek;
    __off_w_lseek64 = libc::lseek64;
}

// ----- what never is an input source: the bytes are concrete -----

fn clear_count(to: *mut c_void, count: ssize_t) {
    if count > 0 {
        shadow::clear(to as u64, count as u64);
    }
}

unsafe fn clear_address(address: *mut sockaddr, length: *mut socklen_t) {
    if !address.is_null() && !length.is_null() {
        unsafe { shadow::clear(address as u64, u64::from(*length)) };
        shadow::clear(length as u64, size_of::<socklen_t>() as u64);
    }
}

intercept! {
    fn __off_w_recv(fd: i32, to: *mut c_void, size: usize, flags: i32) -> ssize_t = libc::recv; |this| {
        let [h_fd, h_to, h_size, _] = take_arguments(this);
        concretise(h_fd, fd as u64);
        buffer_arguments(h_to, h_size, to as u64, size as u64, true);
        let count = libc::recv(fd, to, size, flags);
        clear_count(to, count);
        count
    }
}

intercept! {
    fn __off_w___recv_chk(fd: i32, to: *mut c_void, size: usize, room: usize, flags: i32) -> ssize_t = __recv_chk; |this| {
        let [h_fd, h_to, h_size, _, _] = take_arguments(this);
        concretise(h_fd, fd as u64);
        buffer_arguments(h_to, h_size, to as u64, size as u64, true);
        let count = __recv_chk(fd, to, size, room, flags);
        clear_count(to, count);
        count
    }
}

intercept! {
    fn __off_w_recvfrom(
        fd: i32, to: *mut c_void, size: usize, flags: i32, from: *mut sockaddr, len: *mut socklen_t,
    ) -> ssize_t = libc::recvfrom; |this| {
        let [h_fd, h_to, h_size, _, _, _] = take_arguments(this);
        concretise(h_fd, fd as u64);
        buffer_arguments(h_to, h_size, to as u64, size as u64, true);
        let count = libc::recvfrom(fd, to, size, flags, from, len);
        clear_count(to, count);
        clear_address(from, len);
        count
    }
}

intercept! {
    fn __off_w___recvfrom_chk(
        fd: i32, to: *mut c_void, size: usize, room: usize, flags: i32, from: *mut sockaddr, len: *mut socklen_t,
    ) -> ssize_t = __recvfrom_chk; |this| {
        let [h_fd, h_to, h_size, _, _, _, _] = take_arguments(this);
        concretise(h_fd, fd as u64);
        buffer_arguments(h_to, h_size, to as u64, size as u64, true);
        let count = __recvfrom_chk(fd, to, size, room, flags, from, len);
        clear_count(to, count);
        clear_address(from, len);
        count
    }
}

intercept! {
    fn __off_w_recvmsg(fd: i32, message: *mut msghdr, flags: i32) -> ssize_t = libc::recvmsg; |this| {
        let [h_fd, _, _] = take_arguments(this);
        concretise(h_fd, fd as u64);
        let total = libc::recvmsg(fd, message, flags);
        if total >= 0 {
            let message = &*message;
            got_parts(None, message.msg_iov, message.msg_iovlen as i32, total);
            shadow::clear(message.msg_name as u64, u64::from(message.msg_namelen));
            shadow::clear(message.msg_control as u64, message.msg_controllen as u64);
            shadow::clear(&raw const *message as u64, size_of::<msghdr>() as u64);
        }
        total
    }
}

/// Two new descriptors.
unsafe fn made_pair(result: i32, pair: *mut i32) {
    if result == 0 {
        shadow::clear(pair as u64, 8);
        unsafe {
            closed(*pair);
            closed(*pair.add(1));
        }
    }
}

intercept! {
    fn __off_w_pipe(pair: *mut i32) -> i32 = libc::pipe; |this| {
        let [_] = take_arguments(this);
        let result = libc::pipe(pair);
        made_pair(result, pair);
        result
    }
}

intercept! {
    fn __off_w_pipe2(pair: *mut i32, flags: i32) -> i32 = libc::pipe2; |this| {
        let [_, _] = take_arguments(this);
        let result = libc::pipe2(pair, flags);
        made_pair(result, pair);
        result
    }
}

intercept! {
    fn __off_w_socketpair(domain: i32, kind: i32, protocol: i32, pair: *mut i32) -> i32 = libc::socketpair; |this| {
        let [_, _, _, _] = take_arguments(this);
        let result = libc::socketpair(domain, kind, protocol, pair);
        made_pair(result, pair);
        result
    }
}

intercept! {
    fn __off_w_getrandom(to: *mut c_void, size: usize, flags: u32) -> ssize_t = libc::getrandom; |this| {
        let [h_to, h_size, _] = take_arguments(this);
        buffer_arguments(h_to, h_size, to as u64, size as u64, true);
        let count = libc::getrandom(to, size, flags);
        clear_count(to, count);
        count
    }
}

intercept! {
    fn __off_w_getentropy(to: *mut c_void, size: usize) -> i32 = libc::getentropy; |this| {
        let [h_to, h_size] = take_arguments(this);
        buffer_arguments(h_to, h_size, to as u64, size as u64, true);
        let result = libc::getentropy(to, size);
        if result == 0 {
            shadow::clear(to as u64, size as u64);
        }
        result
    }
}
