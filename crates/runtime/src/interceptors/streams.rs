//! Where a `FILE` stands in its input source.
//!
//! We count along with every function that takes bytes out of a stream. Code that is not ours (an unmodelled scanf, a
//! library) may move it too: libc's read pointer is then not where we left it, and the stream is asked where it is.

use super::descriptors::{self, INPUT_LIMIT, count_to, counted, offset_of, quietly, source_of};
use crate::arena::handle;
use crate::shadow;
use crate::state::{State, enter, enter_always, is_tracing};
use core::ffi::c_void;
use core::sync::atomic::AtomicBool;
use libc::FILE;
use offshoot_trace::Op;
use offshoot_trace::event::LossReason;
use offshoot_trace::node::Handle;

const COUNT: usize = 1024;
/// A key that was removed: searches go on behind it.
const REMOVED: usize = 1;
/// No read pointer of libc's.
const UNSEEN: usize = usize::MAX;

/// The beginning of glibc's `FILE`, part of its binary interface since 1997 because `getc_unlocked` is inlined.
#[repr(C)]
pub struct Layout {
    flags: i32,
    pub read_pointer: usize,
    pub read_end: usize,
    read_base: usize,
    others: [usize; 10],
    pub fd: i32,
}

const _: () = assert!(core::mem::offset_of!(Layout, fd) == 112);

pub fn layout(file: *mut FILE) -> &'static Layout {
    unsafe { &*file.cast::<Layout>() }
}

#[derive(Clone, Copy)]
struct Stream {
    file: usize,
    fd: i32,
    source: u32,
    /// Offset in the source of the next byte; characters pushed back make it step back too, below 0 if need be.
    position: i64,
    seekable: bool,
    /// libc's read pointer when we last looked.
    seen: usize,
    /// Shadows of characters that were pushed back and are not the source's own; the last is read first.
    pushed: [Handle; 8],
    pushed_count: usize,
    /// Part of libc's buffer that carries shadows, and the offset in the source of its end.
    marked: (usize, usize),
    marked_end: i64,
}

const EMPTY: Stream = Stream {
    file: 0,
    fd: -1,
    source: 0,
    position: 0,
    seekable: false,
    seen: UNSEEN,
    pushed: [0; 8],
    pushed_count: 0,
    marked: (0, 0),
    marked_end: 0,
};

/// Touched only inside `enter_always`.
static mut STREAMS: [Stream; COUNT] = [EMPTY; COUNT];
static REPORTED: AtomicBool = AtomicBool::new(false);

fn home(key: usize) -> usize {
    (key >> 4).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 54
}

/// Proof that the table is ours for now.
fn find(_: &State, file: *mut FILE) -> Option<&'static mut Stream> {
    let key = file as usize;
    let streams = &raw mut STREAMS;
    let streams = unsafe { &mut *streams };
    let mut at = home(key);
    for _ in 0..COUNT {
        match streams[at].file {
            0 => return None,
            found if found == key => return Some(&mut streams[at]),
            _ => at = (at + 1) % COUNT,
        }
    }
    None
}

fn insert(_: &State, stream: Stream) -> Option<&'static mut Stream> {
    let streams = &raw mut STREAMS;
    let streams = unsafe { &mut *streams };
    let mut at = home(stream.file);
    for _ in 0..COUNT {
        if streams[at].file <= REMOVED {
            streams[at] = stream;
            return Some(&mut streams[at]);
        }
        at = (at + 1) % COUNT;
    }
    None
}

/// To be called before bytes are taken out of `file`. Is there an input source behind it?
pub fn begin(file: *mut FILE) -> bool {
    let fd = layout(file).fd;
    let known = enter_always().and_then(|state| {
        let stream = find(&state, file).filter(|stream| stream.fd == fd)?;
        let moved = stream.seen != layout(file).read_pointer;
        Some((stream.source, stream.seekable, moved))
    });
    match known {
        Some((0, ..)) => false,
        Some((_, _, false)) => true,
        Some((_, seekable, true)) => {
            resynchronise(file, seekable);
            true
        }
        None => adopt(file, fd),
    }
}

fn tell(file: *mut FILE) -> Option<u64> {
    u64::try_from(quietly(|| unsafe { libc::ftello(file) })).ok()
}

fn adopt(file: *mut FILE, fd: i32) -> bool {
    forget(file);
    let source = if fd < 0 { 0 } else { source_of(fd) };
    let position = if source == 0 { None } else { tell(file) };
    let stream = Stream {
        file: file as usize,
        fd,
        source,
        seekable: position.is_some(),
        position: match position {
            Some(position) => offset_of(source, position).map_or(-1, |p| p as i64),
            None => counted() as i64,
        },
        seen: layout(file).read_pointer,
        ..EMPTY
    };
    let inserted = enter_always().is_some_and(|state| insert(&state, stream).is_some());
    if !inserted && source != 0 {
        descriptors::lose_once(&REPORTED, LossReason::Budget, b"streams");
    }
    inserted && source != 0
}

/// Somebody else has moved the stream.
fn resynchronise(file: *mut FILE, seekable: bool) {
    let told = if seekable { tell(file) } else { None };
    let Some(state) = enter_always() else { return };
    let Some(stream) = find(&state, file) else { return };
    let now = layout(file);
    match told {
        Some(position) => stream.position = offset_of(stream.source, position).map_or(-1, |p| p as i64),
        // A pipe: all that can be told is a move within the buffer.
        None if stream.seen >= now.read_base && stream.seen <= now.read_end => {
            stream.position += now.read_pointer as i64 - stream.seen as i64;
        }
        None => {}
    }
    stream.pushed_count = 0;
    stream.seen = now.read_pointer;
}

/// Notes where libc's stream stands now. What is left of shadows in its buffer goes once it was filled anew.
fn settle(stream: &mut Stream, file: *mut FILE) {
    let now = layout(file);
    stream.seen = now.read_pointer;
    if stream.marked.1 > stream.marked.0 {
        let end = stream.position + now.read_end as i64 - now.read_pointer as i64;
        if end != stream.marked_end || now.read_end != stream.marked.1 {
            shadow::clear(stream.marked.0 as u64, (stream.marked.1 - stream.marked.0) as u64);
            stream.marked = (0, 0);
        }
    }
    if !stream.seekable && stream.source != 0 {
        count_to(stream.position.max(0) as u64);
    }
}

/// One byte was read (`c`, or EOF): the handle of the `int`.
pub fn took_byte(file: *mut FILE, c: i32) -> Handle {
    let Some(mut state) = enter_always() else { return 0 };
    let Some(stream) = find(&state, file) else { return 0 };
    if c < 0 {
        settle(stream, file);
        return 0;
    }
    let offset = stream.position;
    stream.position += 1;
    if stream.pushed_count > 0 {
        stream.pushed_count -= 1;
        settle(stream, file);
        return stream.pushed[stream.pushed_count];
    }
    settle(stream, file);
    if stream.source == 0 || offset < 0 || !is_tracing() {
        return 0;
    }
    if offset as u64 >= INPUT_LIMIT {
        drop(state);
        descriptors::limit_reached();
        return 0;
    }
    state.byte_as_int(stream.source, offset as u64, c as u8)
}

impl State {
    fn byte_as_int(&mut self, source: u32, offset: u64, value: u8) -> Handle {
        if !self.keep_bytes(source, offset, &[value]) {
            return 0;
        }
        let byte = self.input_byte(source, offset, value);
        handle(self.unary(Op::Zext, 32, byte, 0))
    }
}

/// `size` bytes were read to `address`.
pub fn took(file: *mut FILE, address: *mut c_void, size: usize) {
    let (address, size) = (address as u64, size as u64);
    let taken = enter_always().and_then(|state| {
        let stream = find(&state, file)?;
        // Pushed-back characters come first.
        let pushed = (stream.pushed_count as u64).min(size);
        for i in 0..pushed {
            stream.pushed_count -= 1;
            let cell = stream.pushed[stream.pushed_count];
            match cell {
                0 => shadow::clear(address + i, 1),
                cell => shadow::set(address + i, 1, cell),
            }
        }
        let offset = stream.position + pushed as i64;
        stream.position += size as i64;
        settle(stream, file);
        Some((stream.source, offset, pushed))
    });
    match taken {
        Some((source, offset, pushed)) if source != 0 && offset >= 0 => {
            descriptors::mark(source, offset as u64, address + pushed, size - pushed);
        }
        Some((_, _, pushed)) => shadow::clear(address + pushed, size - pushed),
        None => shadow::clear(address, size),
    }
}

/// `c`, whose handle is `term`, was pushed back.
pub fn pushed_back(file: *mut FILE, c: i32, term: Handle) {
    let Some(mut state) = enter_always() else { return };
    let Some(stream) = find(&state, file) else { return };
    stream.position -= 1;
    settle(stream, file);
    let mut cell = 0;
    if term != 0 && is_tracing() {
        let byte = state.unary(Op::Extract, 8, term >> 3, 0);
        cell = handle(state.unary(Op::Zext, 32, byte, 0));
        let (source, offset) = (stream.source, stream.position);
        // The usual case: what was just read goes back.
        if stream.pushed_count == 0
            && source != 0
            && offset >= 0
            && byte != 0
            && byte == state.input_byte(source, offset as u64, c as u8)
        {
            return;
        }
    }
    if stream.pushed_count == stream.pushed.len() {
        stream.pushed.rotate_left(1);
        stream.pushed_count -= 1;
    }
    stream.pushed[stream.pushed_count] = cell;
    stream.pushed_count += 1;
}

/// The handle of an `int` with the low byte of `term` in it.
pub fn as_character(term: Handle) -> Handle {
    if term == 0 {
        return 0;
    }
    enter().map_or(0, |mut state| {
        let byte = state.unary(Op::Extract, 8, term >> 3, 0);
        handle(state.unary(Op::Zext, 32, byte, 0))
    })
}

/// Libc has just filled its buffer for code that reads out of it by itself (`getc_unlocked` inlined).
pub fn mark_buffer(file: *mut FILE) {
    let Some((source, position)) = enter_always().and_then(|state| {
        let stream = find(&state, file)?;
        Some((stream.source, stream.position))
    }) else {
        return;
    };
    let now = layout(file);
    let size = now.read_end.saturating_sub(now.read_pointer);
    if source == 0 || position < 0 || size == 0 {
        return;
    }
    descriptors::mark(source, position as u64, now.read_pointer as u64, size as u64);
    if let Some(state) = enter_always()
        && let Some(stream) = find(&state, file)
    {
        stream.marked = (now.read_pointer, now.read_end);
        stream.marked_end = position + size as i64;
    }
}

/// The position was changed on purpose: ask again before the next read.
pub fn moved(file: *mut FILE) {
    if let Some(state) = enter_always()
        && let Some(stream) = find(&state, file)
    {
        stream.seen = UNSEEN;
        stream.pushed_count = 0;
        if stream.marked.1 > stream.marked.0 {
            shadow::clear(stream.marked.0 as u64, (stream.marked.1 - stream.marked.0) as u64);
            stream.marked = (0, 0);
        }
    }
}

/// The stream is closed or becomes another.
pub fn forget(file: *mut FILE) {
    moved(file);
    if let Some(state) = enter_always()
        && let Some(stream) = find(&state, file)
    {
        *stream = Stream { file: REMOVED, ..EMPTY };
    }
}

/// How many bytes of standard input libc's own stream has taken from the descriptor, if it is in use.
pub fn stdin_taken() -> Option<u64> {
    let state = enter_always()?;
    let file = super::stdio::stdin();
    let stream = find(&state, file).filter(|stream| stream.source != 0)?;
    let now = layout(file);
    Some(stream.position.max(0) as u64 + now.read_end.saturating_sub(now.read_pointer) as u64)
}
