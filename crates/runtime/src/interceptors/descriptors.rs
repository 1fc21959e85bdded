//! Which input source is behind a file descriptor, and how far it has been read.
//!
//! The kernel knows the position of what can be seeked. Only standard input can be a source that cannot (a pipe), so one
//! counter serves all descriptors that were duplicated from it.

use crate::input;
use crate::shadow;
use crate::state::enter;
use crate::tls::tls;
use core::ffi::{CStr, c_char};
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use offshoot_trace::event::LossReason;
use offshoot_trace::node::Handle;

const COUNT: usize = 1024;

/// Bytes of a source behind this offset stay concrete: terms for a file of a gigabyte would use up every budget
/// before the program has looked at the first of them.
pub const INPUT_LIMIT: u64 = 16 << 20;

static SOURCES: [AtomicU32; COUNT] = [const { AtomicU32::new(0) }; COUNT];
static STDIN_KNOWN: AtomicBool = AtomicBool::new(false);
static STDIN_SOURCE: AtomicU32 = AtomicU32::new(0);
/// Where standard input stood when the program began: the shell's script may have read some of the file before.
static STDIN_START: AtomicU64 = AtomicU64::new(0);
/// Bytes read so far from a standard input that cannot be seeked.
static STDIN_COUNT: AtomicU64 = AtomicU64::new(0);
static LIMIT_REPORTED: AtomicBool = AtomicBool::new(false);
static TABLE_REPORTED: AtomicBool = AtomicBool::new(false);

/// Device and inode of files this program wrote itself: what it reads back from there is not input.
static WRITTEN: [[AtomicU64; 2]; 256] = [const { [const { AtomicU64::new(0) }; 2] }; 256];
static WRITTEN_COUNT: AtomicU32 = AtomicU32::new(0);

/// Runs `work` and leaves `errno` as it was.
pub fn quietly<R>(work: impl FnOnce() -> R) -> R {
    unsafe {
        let errno = libc::__errno_location();
        let kept = *errno;
        let result = work();
        *errno = kept;
        result
    }
}

/// One loss event, the first time only.
pub fn lose_once(reported: &AtomicBool, reason: LossReason, name: &[u8]) {
    if !reported.swap(true, Ordering::Relaxed)
        && let Some(mut state) = enter()
    {
        state.lose_named(tls().call_site, reason, name);
    }
}

/// A scalar argument that is no length and no address: the run goes on with its value.
pub fn concretise(handle: Handle, value: u64) {
    if handle != 0
        && let Some(mut state) = enter()
    {
        // An `int` comes sign-extended.
        let width = state.node(handle >> 3).width;
        state.concretise(tls().call_site, handle, value & offshoot_trace::eval::mask(width) as u64, false);
    }
}

/// The arguments of a function that fills (or reads) `size` bytes at `address`.
pub fn buffer_arguments(pointer: Handle, length: Handle, address: u64, size: u64, write: bool) {
    if pointer | length != 0
        && let Some(mut state) = enter()
    {
        let site = tls().call_site;
        state.length(site, length, size, address, write);
        state.pointer_argument(site, pointer, address, size, write);
    }
}

/// The bytes at `address` came from `source`, starting at `offset` there.
pub fn mark(source: u32, offset: u64, address: u64, size: u64) {
    let marked = INPUT_LIMIT.saturating_sub(offset).min(size);
    if marked > 0 {
        match enter() {
            Some(mut state) => state.mark_input(source, offset, address, marked),
            None => shadow::clear(address, marked),
        }
    }
    if marked < size {
        shadow::clear(address + marked, size - marked);
        limit_reached();
    }
}

pub fn limit_reached() {
    lose_once(&LIMIT_REPORTED, LossReason::Budget, b"input bytes");
}

/// The source behind `fd`, 0 if none.
pub fn source_of(fd: i32) -> u32 {
    if fd == 0 && !STDIN_KNOWN.load(Ordering::Relaxed) {
        adopt_stdin();
    }
    slot(fd).map_or(0, |slot| slot.load(Ordering::Relaxed))
}

fn slot(fd: i32) -> Option<&'static AtomicU32> {
    SOURCES.get(usize::try_from(fd).ok()?)
}

fn set_source(fd: i32, source: u32) {
    if fd == 0 {
        STDIN_KNOWN.store(true, Ordering::Relaxed);
    }
    match slot(fd) {
        Some(slot) => slot.store(source, Ordering::Relaxed),
        None if source != 0 => lose_once(&TABLE_REPORTED, LossReason::Budget, b"file descriptors"),
        None => {}
    }
}

fn adopt_stdin() {
    STDIN_KNOWN.store(true, Ordering::Relaxed);
    quietly(|| {
        // A terminal or /dev/null has nothing that a test could fix.
        let Some(status) = status_of(0).filter(|s| s.st_mode & libc::S_IFMT != libc::S_IFCHR) else { return };
        if was_written(&status) || !input::is_wanted(b"stdin", b"") {
            return;
        }
        let source = enter().map_or(0, |mut state| state.source(b"stdin", b"", b""));
        STDIN_START.store(unsafe { libc::lseek(0, 0, libc::SEEK_CUR) }.max(0) as u64, Ordering::Relaxed);
        STDIN_SOURCE.store(source, Ordering::Relaxed);
        SOURCES[0].store(source, Ordering::Relaxed);
    });
}

/// Where in its source the byte at `position` of the file lies; `None` for one before the program's beginning.
pub fn offset_of(source: u32, position: u64) -> Option<u64> {
    let is_stdin = source == STDIN_SOURCE.load(Ordering::Relaxed);
    position.checked_sub(if is_stdin { STDIN_START.load(Ordering::Relaxed) } else { 0 })
}

/// Bytes taken so far from a standard input that cannot be seeked.
pub fn counted() -> u64 {
    STDIN_COUNT.load(Ordering::Relaxed)
}

pub fn count_to(position: u64) {
    STDIN_COUNT.fetch_max(position, Ordering::Relaxed);
}

/// Where the next `read` will begin.
#[derive(Clone, Copy)]
pub struct Origin {
    pub source: u32,
    pub offset: u64,
    counts: bool,
}

/// To be asked before a `read`; `None` if what will be read is not input.
pub fn origin(fd: i32) -> Option<Origin> {
    let source = source_of(fd);
    if source == 0 {
        return None;
    }
    let position = quietly(|| unsafe { libc::lseek(fd, 0, libc::SEEK_CUR) });
    match u64::try_from(position) {
        Ok(position) => Some(Origin { source, offset: offset_of(source, position)?, counts: false }),
        Err(_) => {
            // What libc's stream has taken out of the pipe is gone for `read`.
            let taken = super::streams::stdin_taken().unwrap_or(0);
            Some(Origin { source, offset: counted().max(taken), counts: true })
        }
    }
}

/// To be asked before a read at a position of the caller's choice.
pub fn origin_at(fd: i32, position: i64) -> Option<Origin> {
    let source = source_of(fd);
    let position = u64::try_from(position).ok()?;
    (source != 0).then_some(Origin { source, offset: offset_of(source, position)?, counts: false })
}

/// `size` bytes have been read to `address`. Gives back the origin of what follows.
pub fn arrived(origin: Option<Origin>, address: u64, size: u64) -> Option<Origin> {
    let Some(mut origin) = origin else {
        shadow::clear(address, size);
        return None;
    };
    mark(origin.source, origin.offset, address, size);
    origin.offset += size;
    if origin.counts {
        count_to(origin.offset);
    }
    Some(origin)
}

pub fn status_of(fd: i32) -> Option<libc::stat> {
    let mut status = core::mem::MaybeUninit::<libc::stat>::zeroed();
    unsafe { (libc::fstat(fd, status.as_mut_ptr()) == 0).then(|| status.assume_init()) }
}

/// `fd` has been opened: is it a source?
pub unsafe fn opened(fd: i32, directory: i32, path: *const c_char, flags: i32) {
    if fd < 0 {
        return;
    }
    quietly(|| {
        set_source(fd, 0);
        let Some(status) = status_of(fd).filter(|s| s.st_mode & libc::S_IFMT == libc::S_IFREG) else { return };
        let created = flags & libc::O_CREAT != 0 && status.st_size == 0;
        if flags & libc::O_ACCMODE == libc::O_WRONLY || flags & libc::O_TRUNC != 0 || created {
            return note_written(&status);
        }
        if was_written(&status) {
            return;
        }
        let path = unsafe { CStr::from_ptr(path) }.to_bytes();
        let mut place = [0; 4096];
        let name = full_name(directory, path, &mut place);
        if input::is_named(b"file", name) || (input::is_wanted(b"file", name) && !is_system(name)) {
            let source = enter().map_or(0, |mut state| state.source(b"file:", name, b""));
            set_source(fd, source);
        }
    });
}

/// The path as the program gave it, except that one relative to an open directory says where that is.
fn full_name<'a>(directory: i32, path: &'a [u8], place: &'a mut [u8; 4096]) -> &'a [u8] {
    if directory == libc::AT_FDCWD || path.first() == Some(&b'/') {
        return path;
    }
    let mut link = [0u8; 32];
    let mut digits = [0u8; 12];
    let number = crate::start::decimal(directory.max(0) as usize, &mut digits);
    let prefix = b"/proc/self/fd/";
    link[..prefix.len()].copy_from_slice(prefix);
    link[prefix.len()..prefix.len() + number.len()].copy_from_slice(number);
    let length = unsafe { libc::readlink(link.as_ptr().cast(), place.as_mut_ptr().cast(), place.len()) };
    let Ok(length) = usize::try_from(length) else { return path };
    let end = length + 1 + path.len();
    if end > place.len() {
        return path;
    }
    place[length] = b'/';
    place[length + 1..end].copy_from_slice(path);
    &place[..end]
}

/// Files of the system are the same for every test.
fn is_system(path: &[u8]) -> bool {
    const FOLDERS: [&[u8]; 9] = [b"/proc", b"/sys", b"/dev", b"/usr", b"/lib", b"/lib64", b"/etc", b"/bin", b"/sbin"];
    FOLDERS.iter().any(|folder| path.strip_prefix(*folder).is_some_and(|rest| matches!(rest, [] | [b'/', ..])))
}

fn was_written(status: &libc::stat) -> bool {
    let count = (WRITTEN_COUNT.load(Ordering::Acquire) as usize).min(WRITTEN.len());
    WRITTEN[..count].iter().any(|[device, inode]| {
        device.load(Ordering::Relaxed) == status.st_dev && inode.load(Ordering::Relaxed) == status.st_ino
    })
}

fn note_written(status: &libc::stat) {
    if was_written(status) {
        return;
    }
    let count = WRITTEN_COUNT.load(Ordering::Relaxed);
    // The oldest are forgotten first.
    let [device, inode] = &WRITTEN[count as usize % WRITTEN.len()];
    device.store(status.st_dev, Ordering::Relaxed);
    inode.store(status.st_ino, Ordering::Relaxed);
    WRITTEN_COUNT.store(count + 1, Ordering::Release);
}

/// The program writes to `fd`: from now on its content is not the test's any more.
pub fn written(fd: i32) {
    let source = slot(fd).map_or(0, |slot| slot.load(Ordering::Relaxed));
    if source == 0 || source == STDIN_SOURCE.load(Ordering::Relaxed) {
        return;
    }
    for slot in &SOURCES {
        let _ = slot.compare_exchange(source, 0, Ordering::Relaxed, Ordering::Relaxed);
    }
    quietly(|| {
        if let Some(status) = status_of(fd) {
            note_written(&status);
        }
    });
    if let Some(mut state) = enter() {
        state.lose_named(tls().call_site, LossReason::PartialModel, b"input file is written to");
    }
}

pub fn closed(fd: i32) {
    set_source(fd, 0);
}

/// `to` is a duplicate of `from`.
pub fn duplicated(from: i32, to: i32) {
    if to >= 0 && to != from {
        set_source(to, source_of(from));
    }
}
