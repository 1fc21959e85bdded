//! What the program writes, byte by byte with its terms. The printf family is C (`models/printf.c`): it formats with
//! shadows and hands the text to [`__off_output`].

use super::descriptors::{buffer_arguments, concretise, written};
use super::streams::layout;
use crate::intercept;
use crate::shadow;
use crate::state::{State, enter};
use crate::tls::{set_result, take_arguments, tls};
use core::ffi::{CStr, c_char, c_void};
use libc::{FILE, iovec, msghdr, off_t, sockaddr, socklen_t, ssize_t};
use offshoot_trace::event::EventKind;
use offshoot_trace::node::Handle;

/// In the second word of the event: handles follow the bytes.
const HAS_HANDLES: u64 = 1 << 63;

impl State {
    /// Pieces of one write, each an address and a size; `cells` are the shadows of a byte that is in no memory.
    fn output(&mut self, fd: i32, pieces: &[(u64, u64)], cell: Handle) {
        let total: u64 = pieces.iter().map(|(_, size)| size).sum();
        if total == 0 || total > u64::from(u32::MAX) || !self.log_output {
            return;
        }
        let concrete = cell == 0 && pieces.iter().all(|(address, size)| shadow::is_concrete(*address, *size));
        let handles = total.next_multiple_of(4);
        let at = self.blob_allocate(if concrete { total } else { handles + 4 * total }, 4);
        if at == 0 {
            return;
        }
        let mut done = 0;
        for (address, size) in pieces {
            unsafe {
                let bytes = self.blob.add((at + done) as usize);
                core::ptr::copy_nonoverlapping(*address as *const u8, bytes, *size as usize);
                if !concrete {
                    let cells = self.blob.add((at + handles) as usize).cast::<Handle>().add(done as usize);
                    core::ptr::copy_nonoverlapping(shadow::cell(*address), cells, *size as usize);
                    if cell != 0 {
                        *cells = cell;
                    }
                }
            }
            done += size;
        }
        let payload = [(fd as u64) << 32 | total, if concrete { at } else { at | HAS_HANDLES }];
        self.event(EventKind::Output, false, tls().call_site, 0, &payload);
    }
}

fn put(fd: i32, pieces: &[(u64, u64)]) {
    if fd < 0 {
        return;
    }
    written(fd);
    if let Some(mut state) = enter() {
        state.output(fd, pieces, 0);
    }
}

fn put_count(fd: i32, from: *const c_void, count: ssize_t) {
    if count > 0 {
        put(fd, &[(from as u64, count as u64)]);
    }
}

// ----- for models/printf.c -----

/// Something is about to be printed to `fd`: is its text wanted?
#[unsafe(no_mangle)]
pub extern "C" fn __off_output_wanted(fd: i32) -> i32 {
    let [h_fd] = take_arguments(__off_output_wanted as *const () as usize);
    concretise(h_fd, fd as u64);
    if fd < 0 {
        return 0;
    }
    written(fd);
    i32::from(enter().is_some_and(|state| state.log_output))
}

#[unsafe(no_mangle)]
pub extern "C" fn __off_output(fd: i32, from: *const c_void, size: usize) {
    // How long the text is may depend on the input.
    let [h_fd, _, h_size] = take_arguments(__off_output as *const () as usize);
    concretise(h_fd, fd as u64);
    concretise(h_size, size as u64);
    put(fd, &[(from as u64, size as u64)]);
}

// ----- descriptors -----

intercept! {
    fn __off_w_write(fd: i32, from: *const c_void, size: usize) -> ssize_t = libc::write; |this| {
        let [h_fd, h_from, h_size] = take_arguments(this);
        concretise(h_fd, fd as u64);
        buffer_arguments(h_from, h_size, from as u64, size as u64, false);
        let count = libc::write(fd, from, size);
        put_count(fd, from, count);
        count
    }
}

macro_rules! writes_at {
    ($($wrapper:ident = $real:path;)*) => {$(
        intercept! {
            fn $wrapper(fd: i32, from: *const c_void, size: usize, at: off_t) -> ssize_t = $real; |this| {
                let [h_fd, h_from, h_size, h_at] = take_arguments(this);
                concretise(h_fd, fd as u64);
                concretise(h_at, at as u64);
                buffer_arguments(h_from, h_size, from as u64, size as u64, false);
                let count = $real(fd, from, size, at);
                put_count(fd, from, count);
                count
            }
        }
    )*};
}

writes_at! {
    __off_w_pwrite = libc::pwrite;
    __off_w_pwrite64 = libc::pwrite64;
}

/// More pieces than these are cut off.
const MAX_PIECES: usize = 64;

unsafe fn put_parts(fd: i32, parts: *const iovec, count: usize, total: ssize_t) {
    let mut left = u64::try_from(total).unwrap_or(0);
    let mut pieces = [(0, 0); MAX_PIECES];
    let count = count.min(MAX_PIECES);
    for (i, piece) in pieces.iter_mut().enumerate().take(count) {
        let part = unsafe { *parts.add(i) };
        *piece = (part.iov_base as u64, left.min(part.iov_len as u64));
        left -= piece.1;
    }
    put(fd, &pieces[..count]);
}

intercept! {
    fn __off_w_writev(fd: i32, parts: *const iovec, count: i32) -> ssize_t = libc::writev; |this| {
        let [h_fd, _, _] = take_arguments(this);
        concretise(h_fd, fd as u64);
        let total = libc::writev(fd, parts, count);
        put_parts(fd, parts, count.max(0) as usize, total);
        total
    }
}

macro_rules! writes_parts_at {
    ($($wrapper:ident = $real:path;)*) => {$(
        intercept! {
            fn $wrapper(fd: i32, parts: *const iovec, count: i32, at: off_t) -> ssize_t = $real; |this| {
                let [h_fd, _, _, h_at] = take_arguments(this);
                concretise(h_fd, fd as u64);
                concretise(h_at, at as u64);
                let total = $real(fd, parts, count, at);
                put_parts(fd, parts, count.max(0) as usize, total);
                total
            }
        }
    )*};
}

writes_parts_at! {
    __off_w_pwritev = libc::pwritev;
    __off_w_pwritev64 = libc::pwritev64;
}

intercept! {
    fn __off_w_send(fd: i32, from: *const c_void, size: usize, flags: i32) -> ssize_t = libc::send; |this| {
        let [h_fd, h_from, h_size, _] = take_arguments(this);
        concretise(h_fd, fd as u64);
        buffer_arguments(h_from, h_size, from as u64, size as u64, false);
        let count = libc::send(fd, from, size, flags);
        put_count(fd, from, count);
        count
    }
}

intercept! {
    fn __off_w_sendto(
        fd: i32, from: *const c_void, size: usize, flags: i32, to: *const sockaddr, len: socklen_t,
    ) -> ssize_t = libc::sendto; |this| {
        let [h_fd, h_from, h_size, _, _, _] = take_arguments(this);
        concretise(h_fd, fd as u64);
        buffer_arguments(h_from, h_size, from as u64, size as u64, false);
        let count = libc::sendto(fd, from, size, flags, to, len);
        put_count(fd, from, count);
        count
    }
}

intercept! {
    fn __off_w_sendmsg(fd: i32, message: *const msghdr, flags: i32) -> ssize_t = libc::sendmsg; |this| {
        let [h_fd, _, _] = take_arguments(this);
        concretise(h_fd, fd as u64);
        let total = libc::sendmsg(fd, message, flags);
        if total > 0 {
            put_parts(fd, (*message).msg_iov, (*message).msg_iovlen, total);
        }
        total
    }
}

// ----- streams: one event a call, when the program writes and not when libc's buffer is full -----

unsafe extern "C" {
    #[link_name = "stdout"]
    static mut STDOUT: *mut FILE;
    fn putc(c: i32, file: *mut FILE) -> i32;
    fn _IO_putc(c: i32, file: *mut FILE) -> i32;
    fn putc_unlocked(c: i32, file: *mut FILE) -> i32;
    fn fputc_unlocked(c: i32, file: *mut FILE) -> i32;
    fn putchar_unlocked(c: i32) -> i32;
    fn __overflow(file: *mut FILE, c: i32) -> i32;
    fn putw(word: i32, file: *mut FILE) -> i32;
    fn fwrite_unlocked(from: *const c_void, size: usize, count: usize, file: *mut FILE) -> usize;
    fn fputs_unlocked(text: *const c_char, file: *mut FILE) -> i32;
}

unsafe fn put_character(this: usize, file: *mut FILE, c: i32, term: Handle, result: i32) -> i32 {
    if result >= 0 {
        let fd = layout(file).fd;
        if fd >= 0 {
            written(fd);
            let byte = c as u8;
            if let Some(mut state) = enter() {
                state.output(fd, &[(&raw const byte as u64, 1)], term);
            }
        }
        // The character, as an unsigned char.
        set_result(this, super::streams::as_character(term));
    }
    result
}

macro_rules! puts_one {
    ($($wrapper:ident = $real:path;)*) => {$(
        intercept! {
            fn $wrapper(c: i32, file: *mut FILE) -> i32 = $real; |this| {
                let [term, _] = take_arguments(this);
                put_character(this, file, c, term, $real(c, file))
            }
        }
    )*};
}

puts_one! {
    __off_w_fputc = libc::fputc;
    __off_w_putc = putc;
    __off_w__IO_putc = _IO_putc;
    __off_w_putc_unlocked = putc_unlocked;
    __off_w_fputc_unlocked = fputc_unlocked;
}

intercept! {
    fn __off_w_putchar(c: i32) -> i32 = libc::putchar; |this| {
        let [term] = take_arguments(this);
        put_character(this, STDOUT, c, term, libc::putchar(c))
    }
}

intercept! {
    fn __off_w_putchar_unlocked(c: i32) -> i32 = putchar_unlocked; |this| {
        let [term] = take_arguments(this);
        put_character(this, STDOUT, c, term, putchar_unlocked(c))
    }
}

intercept! {
    fn __off_w___overflow(file: *mut FILE, c: i32) -> i32 = __overflow; |this| {
        let [_, term] = take_arguments(this);
        put_character(this, file, c, term, __overflow(file, c))
    }
}

intercept! {
    fn __off_w_putw(word: i32, file: *mut FILE) -> i32 = putw; |this| {
        let [term, _] = take_arguments(this);
        let result = putw(word, file);
        if result == 0 {
            let at = &raw const word as u64;
            if term != 0 {
                shadow::set(at, 4, term);
            }
            put(layout(file).fd, &[(at, 4)]);
            shadow::clear(at, 4);
        }
        result
    }
}

macro_rules! writes_items {
    ($($wrapper:ident = $real:path;)*) => {$(
        intercept! {
            fn $wrapper(from: *const c_void, size: usize, count: usize, file: *mut FILE) -> usize = $real; |this| {
                let [h_from, h_size, h_count, _] = take_arguments(this);
                if h_from | h_size | h_count != 0 {
                    let code = offshoot_trace::Op::Mul as u32 | 64 << 8 | 64 << 16;
                    let length = crate::operations::__off_binary(code, h_size, h_count, size as u64, count as u64);
                    concretise(h_size, size as u64);
                    buffer_arguments(h_from, length, from as u64, size.wrapping_mul(count) as u64, false);
                }
                let done = $real(from, size, count, file);
                put(layout(file).fd, &[(from as u64, (done * size) as u64)]);
                done
            }
        }
    )*};
}

writes_items! {
    __off_w_fwrite = libc::fwrite;
    __off_w_fwrite_unlocked = fwrite_unlocked;
}

macro_rules! puts_text {
    ($($wrapper:ident = $real:path;)*) => {$(
        intercept! {
            fn $wrapper(text: *const c_char, file: *mut FILE) -> i32 = $real; |this| {
                let [h_text, _] = take_arguments(this);
                concretise(h_text, text as u64);
                let result = $real(text, file);
                if result >= 0 {
                    put(layout(file).fd, &[(text as u64, CStr::from_ptr(text).count_bytes() as u64)]);
                }
                result
            }
        }
    )*};
}

puts_text! {
    __off_w_fputs = libc::fputs;
    __off_w_fputs_unlocked = fputs_unlocked;
}

intercept! {
    fn __off_w_puts(text: *const c_char) -> i32 = libc::puts; |this| {
        let [h_text] = take_arguments(this);
        concretise(h_text, text as u64);
        let result = libc::puts(text);
        if result >= 0 {
            let end = b"\n";
            let pieces = [(text as u64, CStr::from_ptr(text).count_bytes() as u64), (end.as_ptr() as u64, 1)];
            put(layout(STDOUT).fd, &pieces);
        }
        result
    }
}
