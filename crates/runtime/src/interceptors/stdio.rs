//! Reading from streams. `fgets`, `getline` and their kin are C (`models/lines.c`) on top of `getc_unlocked`, because
//! "is this the end of the line?" is a branch that a search wants to flip.

use super::descriptors::{buffer_arguments, closed, concretise, opened, quietly};
use super::streams::{begin, forget, mark_buffer, moved, pushed_back, took, took_byte};
use crate::intercept;
use crate::shadow;
use crate::state::enter;
use crate::tls::{set_result, take_arguments, tls};
use core::ffi::{c_char, c_void};
use libc::{FILE, fpos_t, off_t};
use offshoot_trace::event::LossReason;
use offshoot_trace::node::Handle;

unsafe extern "C" {
    #[link_name = "stdin"]
    static mut STDIN: *mut FILE;
    fn _IO_getc(file: *mut FILE) -> i32;
    fn getc(file: *mut FILE) -> i32;
    fn getc_unlocked(file: *mut FILE) -> i32;
    fn fgetc_unlocked(file: *mut FILE) -> i32;
    fn getchar_unlocked() -> i32;
    fn getw(file: *mut FILE) -> i32;
    fn __uflow(file: *mut FILE) -> i32;
    fn __underflow(file: *mut FILE) -> i32;
    fn fgetwc(file: *mut FILE) -> u32;
    fn getwc(file: *mut FILE) -> u32;
    fn fgetwc_unlocked(file: *mut FILE) -> u32;
    fn getwc_unlocked(file: *mut FILE) -> u32;
    fn getwchar() -> u32;
    fn fgetws(to: *mut i32, size: i32, file: *mut FILE) -> *mut i32;
    fn ungetwc(c: u32, file: *mut FILE) -> u32;
    fn fread_unlocked(to: *mut c_void, size: usize, count: usize, file: *mut FILE) -> usize;
    fn __fread_chk(to: *mut c_void, room: usize, size: usize, count: usize, file: *mut FILE) -> usize;
    fn __fread_unlocked_chk(to: *mut c_void, room: usize, size: usize, count: usize, file: *mut FILE) -> usize;
    fn __chk_fail() -> !;
    fn freopen64(path: *const c_char, mode: *const c_char, file: *mut FILE) -> *mut FILE;
    fn fseeko64(file: *mut FILE, offset: off_t, whence: i32) -> i32;
    fn ftello64(file: *mut FILE) -> off_t;
    fn fsetpos64(file: *mut FILE, position: *const fpos_t) -> i32;
    fn fgetpos64(file: *mut FILE, position: *mut fpos_t) -> i32;
    fn tmpfile64() -> *mut FILE;
    fn setlinebuf(file: *mut FILE);
    fn setbuffer(file: *mut FILE, buffer: *mut c_char, size: usize);
    fn fflush_unlocked(file: *mut FILE) -> i32;
    fn feof_unlocked(file: *mut FILE) -> i32;
    fn ferror_unlocked(file: *mut FILE) -> i32;
    fn clearerr_unlocked(file: *mut FILE);
}

pub fn stdin() -> *mut FILE {
    unsafe { STDIN }
}

// ----- opening and closing -----

/// The flags of `open` that a mode of `fopen` stands for.
unsafe fn flags_of(mode: *const c_char) -> i32 {
    let mode = unsafe { core::ffi::CStr::from_ptr(mode) }.to_bytes();
    let update = mode.iter().take_while(|c| **c != b',').any(|c| *c == b'+');
    match (mode.first(), update) {
        (Some(b'r'), false) => libc::O_RDONLY,
        (Some(b'r'), true) => libc::O_RDWR,
        (Some(b'a'), true) => libc::O_RDWR | libc::O_CREAT,
        (Some(b'a'), false) => libc::O_WRONLY | libc::O_CREAT,
        _ => libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC,
    }
}

unsafe fn opened_stream(file: *mut FILE, path: *const c_char, mode: *const c_char) {
    if file.is_null() {
        return;
    }
    forget(file);
    unsafe {
        let fd = quietly(|| libc::fileno(file));
        opened(fd, libc::AT_FDCWD, path, flags_of(mode));
    }
}

macro_rules! opens {
    ($($wrapper:ident = $real:path;)*) => {$(
        intercept! {
            fn $wrapper(path: *const c_char, mode: *const c_char) -> *mut FILE = $real; |this| {
                let [_, _] = take_arguments(this);
                let file = $real(path, mode);
                opened_stream(file, path, mode);
                file
            }
        }
    )*};
}

opens! {
    __off_w_fopen = libc::fopen;
    __off_w_fopen64 = libc::fopen64;
}

macro_rules! reopens {
    ($($wrapper:ident = $real:path;)*) => {$(
        intercept! {
            fn $wrapper(path: *const c_char, mode: *const c_char, file: *mut FILE) -> *mut FILE = $real; |this| {
                let [_, _, _] = take_arguments(this);
                let old = quietly(|| libc::fileno(file));
                forget(file);
                let new = $real(path, mode, file);
                // Without a path only the mode changes.
                if !path.is_null() {
                    closed(old);
                    opened_stream(new, path, mode);
                }
                new
            }
        }
    )*};
}

reopens! {
    __off_w_freopen = libc::freopen;
    __off_w_freopen64 = freopen64;
}

intercept! {
    fn __off_w_fdopen(fd: i32, mode: *const c_char) -> *mut FILE = libc::fdopen; |this| {
        let [h_fd, _] = take_arguments(this);
        concretise(h_fd, fd as u64);
        let file = libc::fdopen(fd, mode);
        if !file.is_null() {
            forget(file);
        }
        file
    }
}

intercept! {
    fn __off_w_fclose(file: *mut FILE) -> i32 = libc::fclose; |this| {
        let [_] = take_arguments(this);
        let fd = quietly(|| libc::fileno(file));
        forget(file);
        closed(fd);
        libc::fclose(file)
    }
}

intercept! {
    fn __off_w_pclose(file: *mut FILE) -> i32 = libc::pclose; |this| {
        let [_] = take_arguments(this);
        forget(file);
        libc::pclose(file)
    }
}

/// A stream whose descriptor is no source, whatever the number meant before.
fn made_stream(file: *mut FILE) -> *mut FILE {
    if !file.is_null() {
        forget(file);
        let fd = quietly(|| unsafe { libc::fileno(file) });
        if fd >= 0 {
            closed(fd);
        }
    }
    file
}

intercept! {
    fn __off_w_popen(command: *const c_char, mode: *const c_char) -> *mut FILE = libc::popen; |this| {
        let [_, _] = take_arguments(this);
        made_stream(libc::popen(command, mode))
    }
}

intercept! {
    fn __off_w_tmpfile() -> *mut FILE = libc::tmpfile; |this| {
        made_stream(libc::tmpfile())
    }
}

intercept! {
    fn __off_w_tmpfile64() -> *mut FILE = tmpfile64; |this| {
        made_stream(tmpfile64())
    }
}

fn lose(name: &[u8]) {
    if let Some(mut state) = enter() {
        state.lose_named(tls().call_site, LossReason::PartialModel, name);
    }
}

intercept! {
    fn __off_w_fmemopen(buffer: *mut c_void, size: usize, mode: *const c_char) -> *mut FILE = libc::fmemopen; |this| {
        let [h_buffer, h_size, _] = take_arguments(this);
        buffer_arguments(h_buffer, h_size, buffer as u64, size as u64, false);
        // What is read out of the buffer comes back without its shadows.
        if !buffer.is_null() && !shadow::is_concrete(buffer as u64, size as u64) {
            lose(b"fmemopen");
        }
        made_stream(libc::fmemopen(buffer, size, mode))
    }
}

// ----- bytes -----

unsafe fn one(this: usize, file: *mut FILE, real: unsafe extern "C" fn(*mut FILE) -> i32) -> i32 {
    begin(file);
    let c = unsafe { real(file) };
    set_result(this, took_byte(file, c));
    c
}

macro_rules! gets_one {
    ($($wrapper:ident = $real:path;)*) => {$(
        intercept! {
            fn $wrapper(file: *mut FILE) -> i32 = $real; |this| {
                let [_] = take_arguments(this);
                one(this, file, $real)
            }
        }
    )*};
}

gets_one! {
    __off_w_fgetc = libc::fgetc;
    __off_w_getc = getc;
    __off_w__IO_getc = _IO_getc;
    __off_w_getc_unlocked = getc_unlocked;
    __off_w_fgetc_unlocked = fgetc_unlocked;
}

intercept! {
    fn __off_w_getchar() -> i32 = libc::getchar; |this| {
        one(this, STDIN, getc)
    }
}

intercept! {
    fn __off_w_getchar_unlocked() -> i32 = getchar_unlocked; |this| {
        one(this, STDIN, getc_unlocked)
    }
}

intercept! {
    fn __off_w___uflow(file: *mut FILE) -> i32 = __uflow; |this| {
        let [_] = take_arguments(this);
        let c = one(this, file, __uflow);
        if c >= 0 {
            mark_buffer(file);
        }
        c
    }
}

intercept! {
    /// Fills the buffer and takes nothing out of it.
    fn __off_w___underflow(file: *mut FILE) -> i32 = __underflow; |this| {
        let [_] = take_arguments(this);
        begin(file);
        let c = __underflow(file);
        // Looks where the stream stands now.
        took(file, core::ptr::null_mut(), 0);
        if c >= 0 {
            mark_buffer(file);
        }
        c
    }
}

intercept! {
    fn __off_w_ungetc(c: i32, file: *mut FILE) -> i32 = libc::ungetc; |this| {
        let [term, _] = take_arguments(this);
        begin(file);
        let result = libc::ungetc(c, file);
        if result >= 0 {
            pushed_back(file, c, term);
            // The character, as an unsigned char.
            set_result(this, super::streams::as_character(term));
        }
        result
    }
}

unsafe fn many(
    handles: [Handle; 3],
    to: *mut c_void,
    size: usize,
    count: usize,
    file: *mut FILE,
    real: unsafe extern "C" fn(*mut c_void, usize, usize, *mut FILE) -> usize,
) -> usize {
    let [h_to, h_size, h_count] = handles;
    // As glibc has it, overflow and all.
    let wanted = size.wrapping_mul(count);
    if h_to | h_size | h_count != 0 {
        let code = offshoot_trace::Op::Mul as u32 | 64 << 8 | 64 << 16;
        let length = crate::operations::__off_binary(code, h_size, h_count, size as u64, count as u64);
        concretise(h_size, size as u64);
        buffer_arguments(h_to, length, to as u64, wanted as u64, true);
    }
    if wanted == 0 {
        return 0;
    }
    begin(file);
    // By bytes, so that the part of an item at the end of the file is counted.
    let bytes = unsafe { real(to, 1, wanted, file) };
    took(file, to, bytes);
    if bytes == wanted { count } else { bytes / size }
}

intercept! {
    fn __off_w_fread(to: *mut c_void, size: usize, count: usize, file: *mut FILE) -> usize = libc::fread; |this| {
        let [h_to, h_size, h_count, _] = take_arguments(this);
        many([h_to, h_size, h_count], to, size, count, file, libc::fread)
    }
}

intercept! {
    fn __off_w_fread_unlocked(to: *mut c_void, size: usize, count: usize, file: *mut FILE) -> usize = fread_unlocked; |this| {
        let [h_to, h_size, h_count, _] = take_arguments(this);
        many([h_to, h_size, h_count], to, size, count, file, fread_unlocked)
    }
}

macro_rules! checked_freads {
    ($($wrapper:ident = $checked:path, $real:path;)*) => {$(
        intercept! {
            fn $wrapper(to: *mut c_void, room: usize, size: usize, count: usize, file: *mut FILE) -> usize = $checked; |this| {
                let [h_to, _, h_size, h_count, _] = take_arguments(this);
                if size.checked_mul(count).is_none_or(|bytes| bytes > room) {
                    __chk_fail();
                }
                many([h_to, h_size, h_count], to, size, count, file, $real)
            }
        }
    )*};
}

checked_freads! {
    __off_w___fread_chk = __fread_chk, libc::fread;
    __off_w___fread_unlocked_chk = __fread_unlocked_chk, fread_unlocked;
}

intercept! {
    fn __off_w_getw(file: *mut FILE) -> i32 = getw; |this| {
        let [_] = take_arguments(this);
        begin(file);
        let mut word = 0i32;
        let bytes = libc::fread((&raw mut word).cast(), 1, 4, file);
        took(file, (&raw mut word).cast(), bytes);
        if bytes < 4 {
            return libc::EOF;
        }
        let address = &raw const word as u64;
        set_result(this, enter().map_or(0, |mut state| crate::arena::handle(state.load(address, 4))));
        shadow::clear(address, 4);
        word
    }
}

// ----- for models/lines.c -----

/// Does `file` read from an input source? If not, `fgets` is as good as libc's.
#[unsafe(no_mangle)]
pub extern "C" fn __off_stream_is_input(file: *mut FILE) -> i32 {
    let [_] = take_arguments(__off_stream_is_input as *const () as usize);
    i32::from(begin(file))
}

/// A line out of a stream that is no source: the number of bytes, with NULs among them, -1 for none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __off_concrete_line(to: *mut u8, room: usize, file: *mut FILE) -> isize {
    let [_, h_room, _] = take_arguments(__off_concrete_line as *const () as usize);
    concretise(h_room, room as u64);
    let mut count = 0;
    unsafe {
        while count < room {
            let c = getc_unlocked(file);
            if c < 0 {
                break;
            }
            *to.add(count) = c as u8;
            count += 1;
            if c == i32::from(b'\n') {
                break;
            }
        }
    }
    took(file, to.cast(), count);
    count as isize
}

/// A block that libc allocated, or moved, on behalf of the program.
#[unsafe(no_mangle)]
pub extern "C" fn __off_block_moved(old: *mut c_void, new: *mut c_void, size: usize) {
    let [_, _, _] = take_arguments(__off_block_moved as *const () as usize);
    if let Some(mut state) = enter() {
        let site = tls().call_site;
        state.freed(old as u64, site);
        state.allocated(new as u64, size as u64, 0, site);
    }
}

// ----- wide characters: concrete -----

macro_rules! wide {
    ($($wrapper:ident($($arg:ident: $ty:ty),*) -> $ret:ty = $real:path, $count:literal, $file:expr, $name:literal;)*) => {$(
        intercept! {
            fn $wrapper($($arg: $ty),*) -> $ret = $real; |this| {
                let _ = take_arguments::<$count>(this);
                if begin($file) {
                    lose($name);
                }
                let result = $real($($arg),*);
                moved($file);
                result
            }
        }
    )*};
}

wide! {
    __off_w_fgetwc(file: *mut FILE) -> u32 = fgetwc, 1, file, b"fgetwc";
    __off_w_getwc(file: *mut FILE) -> u32 = getwc, 1, file, b"getwc";
    __off_w_fgetwc_unlocked(file: *mut FILE) -> u32 = fgetwc_unlocked, 1, file, b"fgetwc_unlocked";
    __off_w_getwc_unlocked(file: *mut FILE) -> u32 = getwc_unlocked, 1, file, b"getwc_unlocked";
    __off_w_getwchar() -> u32 = getwchar, 0, STDIN, b"getwchar";
    __off_w_ungetwc(c: u32, file: *mut FILE) -> u32 = ungetwc, 2, file, b"ungetwc";
}

intercept! {
    fn __off_w_fgetws(to: *mut i32, size: i32, file: *mut FILE) -> *mut i32 = fgetws; |this| {
        let [_, _, _] = take_arguments(this);
        if begin(file) {
            lose(b"fgetws");
        }
        let result = fgetws(to, size, file);
        shadow::clear(to as u64, 4 * size.max(0) as u64);
        moved(file);
        result
    }
}

// ----- moving about -----

macro_rules! seeks {
    ($($wrapper:ident($offset:ty) = $real:path;)*) => {$(
        intercept! {
            fn $wrapper(file: *mut FILE, offset: $offset, whence: i32) -> i32 = $real; |this| {
                let [_, h_offset, h_whence] = take_arguments(this);
                concretise(h_offset, offset as u64);
                concretise(h_whence, whence as u64);
                // Where standard input began must be known before it moves.
                begin(file);
                let result = $real(file, offset, whence);
                moved(file);
                result
            }
        }
    )*};
}

seeks! {
    __off_w_fseek(i64) = libc::fseek;
    __off_w_fseeko(off_t) = libc::fseeko;
    __off_w_fseeko64(off_t) = fseeko64;
}

intercept! {
    fn __off_w_rewind(file: *mut FILE) = libc::rewind; |this| {
        let [_] = take_arguments(this);
        begin(file);
        libc::rewind(file);
        moved(file);
    }
}

macro_rules! set_positions {
    ($($wrapper:ident = $real:path;)*) => {$(
        intercept! {
            fn $wrapper(file: *mut FILE, position: *const fpos_t) -> i32 = $real; |this| {
                let [_, _] = take_arguments(this);
                begin(file);
                let result = $real(file, position);
                moved(file);
                result
            }
        }
    )*};
}

set_positions! {
    __off_w_fsetpos = libc::fsetpos;
    __off_w_fsetpos64 = fsetpos64;
}

macro_rules! get_positions {
    ($($wrapper:ident = $real:path;)*) => {$(
        intercept! {
            fn $wrapper(file: *mut FILE, position: *mut fpos_t) -> i32 = $real; |this| {
                let [_, _] = take_arguments(this);
                let result = $real(file, position);
                shadow::clear(position as u64, size_of::<fpos_t>() as u64);
                result
            }
        }
    )*};
}

get_positions! {
    __off_w_fgetpos = libc::fgetpos;
    __off_w_fgetpos64 = fgetpos64;
}

/// Functions that say or set something about a stream and touch no memory of the program's.
macro_rules! passes {
    ($($wrapper:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)? = $real:path, $count:literal;)*) => {$(
        intercept! {
            fn $wrapper($($arg: $ty),*) $(-> $ret)? = $real; |this| {
                let _ = take_arguments::<$count>(this);
                $real($($arg),*)
            }
        }
    )*};
}

passes! {
    __off_w_ftell(file: *mut FILE) -> i64 = libc::ftell, 1;
    __off_w_ftello(file: *mut FILE) -> off_t = libc::ftello, 1;
    __off_w_ftello64(file: *mut FILE) -> off_t = ftello64, 1;
    __off_w_feof(file: *mut FILE) -> i32 = libc::feof, 1;
    __off_w_feof_unlocked(file: *mut FILE) -> i32 = feof_unlocked, 1;
    __off_w_ferror(file: *mut FILE) -> i32 = libc::ferror, 1;
    __off_w_ferror_unlocked(file: *mut FILE) -> i32 = ferror_unlocked, 1;
    __off_w_clearerr(file: *mut FILE) = libc::clearerr, 1;
    __off_w_clearerr_unlocked(file: *mut FILE) = clearerr_unlocked, 1;
    __off_w_fileno(file: *mut FILE) -> i32 = libc::fileno, 1;
    __off_w_setlinebuf(file: *mut FILE) = setlinebuf, 1;
}

macro_rules! flushes {
    ($($wrapper:ident = $real:path;)*) => {$(
        intercept! {
            fn $wrapper(file: *mut FILE) -> i32 = $real; |this| {
                let [_] = take_arguments(this);
                let result = $real(file);
                if !file.is_null() {
                    moved(file);
                }
                result
            }
        }
    )*};
}

flushes! {
    __off_w_fflush = libc::fflush;
    __off_w_fflush_unlocked = fflush_unlocked;
}

/// From now on libc writes to this memory: whatever shadows it has mean nothing.
fn given_to_libc(buffer: *mut c_char, size: usize) {
    if !buffer.is_null() {
        shadow::clear(buffer as u64, size as u64);
    }
}

intercept! {
    fn __off_w_setvbuf(file: *mut FILE, buffer: *mut c_char, mode: i32, size: usize) -> i32 = libc::setvbuf; |this| {
        let [_, _, h_mode, h_size] = take_arguments(this);
        concretise(h_mode, mode as u64);
        concretise(h_size, size as u64);
        given_to_libc(buffer, size);
        libc::setvbuf(file, buffer, mode, size)
    }
}

intercept! {
    fn __off_w_setbuf(file: *mut FILE, buffer: *mut c_char) = libc::setbuf; |this| {
        let [_, _] = take_arguments(this);
        given_to_libc(buffer, libc::BUFSIZ as usize);
        libc::setbuf(file, buffer)
    }
}

intercept! {
    fn __off_w_setbuffer(file: *mut FILE, buffer: *mut c_char, size: usize) = setbuffer; |this| {
        let [_, _, h_size] = take_arguments(this);
        concretise(h_size, size as u64);
        given_to_libc(buffer, size);
        setbuffer(file, buffer, size)
    }
}
