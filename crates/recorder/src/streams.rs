//! The three standard streams: what they are at the start, and what goes through them.

use crate::sys;
use crate::{files, log};
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

/// Descriptors that lead where a standard stream did at the start, by another name (`/dev/stdout`) or as a copy: 1 + its number.
static ALIASES: [AtomicU8; 256] = {
    let mut aliases = [const { AtomicU8::new(0) }; 256];
    aliases[0] = AtomicU8::new(1);
    aliases[1] = AtomicU8::new(2);
    aliases[2] = AtomicU8::new(3);
    aliases
};

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
        libc::S_IFCHR if data.st_rdev == libc::makedev(1, 7) => stream::FULL,
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
    if let Some(alias) = ALIASES.get(fd as usize) {
        let stream = STREAMS.iter().position(|stream| stream.kind.load(Relaxed) != stream::CLOSED && stream.is(data));
        alias.store(stream.map_or(0, |number| number as u8 + 1), Relaxed);
    }
}

/// For writing: only under such names can it be a standard stream.
pub fn note_opened(fd: i32, path: &[u8]) {
    let is_alias = path.starts_with(b"/dev/") || path.starts_with(b"/proc/");
    match sys::fstat(fd).filter(|_| is_alias) {
        // One terminal may be all three; what is written to it is output.
        Some(data) if STREAMS[0].is(&data) && STREAMS[1].is(&data) => note_copy(1, fd),
        Some(data) => note_alias(fd, &data),
        None => note_copy(-1, fd),
    }
}

pub fn note_copy(old: i32, new: i32) {
    if let Some(alias) = ALIASES.get(new as usize) {
        alias.store(stream_of(old).map_or(0, |number| number as u8 + 1), Relaxed);
    }
}

fn stream_of(fd: i32) -> Option<usize> {
    ALIASES.get(fd as usize).and_then(|alias| (alias.load(Relaxed) as usize).checked_sub(1))
}

/// Whether bytes that come from here are to be logged one by one.
pub fn is_input(fd: i32) -> bool {
    let kind = STREAMS[0].kind.load(Relaxed);
    stream_of(fd) == Some(0)
        && !matches!(kind, stream::CLOSED | stream::FILE | stream::NULL)
        && sys::fstat(fd).is_some_and(|data| STREAMS[0].is(&data))
}

/// The stream that bytes written here come out at.
pub fn output_of(fd: i32) -> Option<usize> {
    // What goes nowhere is not compared.
    let is_seen = |number: &usize| *number > 0 && STREAMS[*number].kind.load(Relaxed) != stream::NULL;
    let number = stream_of(fd).filter(is_seen)?;
    sys::fstat(fd).is_some_and(|data| STREAMS[number].is(&data)).then_some(number)
}

/// Past the bound nothing, and what there was is forgotten.
pub fn input(bytes: &[u8]) {
    let before = STREAMS[0].count.fetch_add(bytes.len() as u64, Relaxed);
    let all = before + bytes.len() as u64;
    if !files::is_too_large(all) {
        log::append(Kind::Input, &[bytes]);
    } else if !files::is_too_large(before) {
        files::leave_out_stdin(all);
    }
}

/// Past the bound only how much it was.
pub fn output(number: usize, bytes: &[u8]) {
    let before = STREAMS[number].count.fetch_add(bytes.len() as u64, Relaxed);
    let kept = OUTPUT_KEPT.saturating_sub(before).min(bytes.len() as u64) as usize;
    let (descriptor, count) = ((number as u32).to_le_bytes(), (bytes.len() as u32).to_le_bytes());
    log::append(Kind::Output, &[&descriptor, &count, &bytes[..kept]]);
}
