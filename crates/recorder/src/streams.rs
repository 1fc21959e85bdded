//! The three standard streams: what they are at the start, and what goes through them.

use crate::log;
use crate::sys;
use core::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use offshoot_trace::recording::{Kind, OUTPUT_KEPT, stream};

struct Stream {
    kind: AtomicU8,
    device: AtomicU64,
    inode: AtomicU64,
    count: AtomicU64,
}

static STREAMS: [Stream; 3] = [const {
    Stream { kind: AtomicU8::new(0), device: AtomicU64::new(0), inode: AtomicU64::new(0), count: AtomicU64::new(0) }
}; 3];

/// Descriptors below 1024 that lead where standard input does.
static ALIASES: [AtomicU64; 16] = [const { AtomicU64::new(0) }; 16];

/// Gives what they are, and the regular file that standard input is.
pub fn look() -> ([u8; 4], Option<libc::stat>) {
    let mut kinds = [stream::CLOSED; 4];
    let mut file = None;
    for (number, stream) in STREAMS.iter().enumerate() {
        let Some(data) = sys::fstat(number as i32) else { continue };
        let kind = kind(number as i32, &data);
        if number == 0 && kind == stream::FILE {
            file = Some(data);
        }
        kinds[number] = kind;
        stream.kind.store(kind, Relaxed);
        stream.device.store(data.st_dev, Relaxed);
        stream.inode.store(data.st_ino, Relaxed);
    }
    (kinds, file)
}

fn kind(fd: i32, data: &libc::stat) -> u8 {
    match data.st_mode & libc::S_IFMT {
        libc::S_IFREG => stream::FILE,
        libc::S_IFIFO => stream::PIPE,
        libc::S_IFCHR if data.st_rdev == libc::makedev(1, 3) => stream::NULL,
        libc::S_IFCHR if unsafe { libc::isatty(fd) == 1 } => stream::TERMINAL,
        _ => stream::OTHER,
    }
}

impl Stream {
    /// The program may have put another file in its place.
    fn is(&self, data: &libc::stat) -> bool {
        data.st_ino == self.inode.load(Relaxed) && data.st_dev == self.device.load(Relaxed)
    }
}

pub fn note_alias(fd: i32, data: &libc::stat) {
    if let Some(word) = ALIASES.get(fd as usize / 64)
        && STREAMS[0].is(data)
    {
        word.fetch_or(1 << (fd % 64), Relaxed);
    }
}

pub fn note_copy(old: i32, new: i32) {
    if (old == 0 || is_alias(old))
        && let Some(data) = sys::fstat(new)
    {
        note_alias(new, &data);
    }
}

fn is_alias(fd: i32) -> bool {
    ALIASES.get(fd as usize / 64).is_some_and(|word| word.load(Relaxed) & (1 << (fd % 64)) != 0)
}

/// Whether bytes that come from here are to be logged one by one.
pub fn is_input(fd: i32) -> bool {
    let kind = STREAMS[0].kind.load(Relaxed);
    (fd == 0 || is_alias(fd))
        && !matches!(kind, stream::CLOSED | stream::FILE | stream::NULL)
        && sys::fstat(fd).is_some_and(|data| STREAMS[0].is(&data))
}

pub fn is_output(fd: i32) -> bool {
    matches!(fd, 1 | 2) && sys::fstat(fd).is_some_and(|data| STREAMS[fd as usize].is(&data))
}

pub fn input(bytes: &[u8]) {
    log::append(Kind::Input, &[bytes]);
}

/// Past the bound only how much it was.
pub fn output(fd: i32, bytes: &[u8]) {
    let before = STREAMS[fd as usize].count.fetch_add(bytes.len() as u64, Relaxed);
    let kept = OUTPUT_KEPT.saturating_sub(before).min(bytes.len() as u64) as usize;
    let (descriptor, count) = ((fd as u32).to_le_bytes(), (bytes.len() as u32).to_le_bytes());
    log::append(Kind::Output, &[&descriptor, &count, &bytes[..kept]]);
}
