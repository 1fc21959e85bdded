//! Paths that the process meets, and the bytes of what it opens for reading: as they are before it can change them.

use crate::log::{self, Shared, Text, bytes_of};
use crate::paths::{absolute, is_machine};
use crate::seen::{Why, is_new};
use crate::streams;
use crate::sys::{self, Pages};
use core::cell::UnsafeCell;
use core::ffi::{CStr, c_char};
use core::fmt::Write;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use offshoot_trace::recording::{INLINE, Kind, Thing, content, what};

static FOLDER: Shared<Text> = Shared(UnsafeCell::new(Text::new()));
static LIMIT: AtomicU64 = AtomicU64::new(0);

/// Longer chains of links are errors to the kernel, too.
const LINKS: usize = 40;

/// Before there are threads.
pub unsafe fn set_up(folder: &[u8], limit: u64) {
    let mut text = Text::new();
    text.push(folder);
    unsafe { FOLDER.set(text) };
    LIMIT.store(limit, Relaxed);
}

/// Notes what is at `path` now, if it was not noted before. With `follow`, also what a link leads to; gives the path at
/// its end. Where there is nothing yet, also the folder above: whether something can be made there.
pub unsafe fn meet(at: i32, path: *const c_char, follow: bool) -> Option<Text> {
    let met = note_along(unsafe { absolute(at, path) }?, follow)?;
    let (mut above, mut is_missing) = (met.path, met.is_newly_missing);
    while is_missing && let Some(folder @ 1..) = last_slash(&above) {
        above.cut(folder);
        is_missing = note_along(above, true).is_some_and(|met| met.is_newly_missing);
    }
    Some(met.path)
}

struct Met {
    path: Text,
    /// Nothing is there, and nobody has noted that before.
    is_newly_missing: bool,
}

/// Of what belongs to the machine nothing is noted.
fn note_along(mut path: Text, follow: bool) -> Option<Met> {
    let mut is_newly_missing = false;
    for _ in 0..LINKS {
        if is_machine(path.bytes()) || path.bytes().starts_with(FOLDER.get().bytes()) {
            return None;
        }
        let data = sys::lstat(path.c_str());
        let is_link = data.is_some_and(|data| data.st_mode & libc::S_IFMT == libc::S_IFLNK);
        let is_unknown = is_new(Why::Met, path.bytes());
        let mut target = [0; sys::PATH_SIZE];
        // Reading a link changes the time at which it was read last, and some programs look at that.
        let length = if is_link && (is_unknown || follow) { sys::readlink(path.c_str(), &mut target) } else { 0 };
        if is_unknown {
            let how = if is_link { content::HERE } else { content::NONE };
            note(data.as_ref(), path.bytes(), how, &target[..length]);
            is_newly_missing = data.is_none();
        }
        if !is_link || !follow {
            break;
        }
        path.cut(if target[0] == b'/' { 0 } else { last_slash(&path).unwrap_or(0) + 1 });
        if !path.push(&target[..length]) {
            return None;
        }
    }
    Some(Met { path, is_newly_missing })
}

fn last_slash(path: &Text) -> Option<usize> {
    path.bytes().iter().rposition(|byte| *byte == b'/')
}

/// The content behind a descriptor that was just opened for reading.
pub unsafe fn take(fd: i32, at: i32, path: *const c_char) {
    let Some(data) = sys::fstat(fd) else { return };
    match data.st_mode & libc::S_IFMT {
        libc::S_IFIFO | libc::S_IFSOCK | libc::S_IFCHR => {
            streams::note_alias(fd, &data);
            unsafe { meet(at, path, true) };
        }
        libc::S_IFREG => {
            if let Some(path) = unsafe { meet(at, path, true) }.filter(|path| is_new(Why::Taken, path.bytes())) {
                store(Kind::Thing, fd, &data, path.bytes(), 0);
            }
        }
        libc::S_IFDIR => {
            if let Some(path) = unsafe { meet(at, path, true) }.filter(|path| is_new(Why::Taken, path.bytes())) {
                list(&data, path);
            }
        }
        _ => {}
    }
}

/// What is left of a regular file that is standard input.
pub fn take_stdin(data: &libc::stat) {
    let offset = unsafe { libc::syscall(libc::SYS_lseek, 0, 0, libc::SEEK_CUR) };
    store(Kind::Stdin, 0, data, &[], u64::try_from(offset).unwrap_or(0));
}

fn store(kind: Kind, fd: i32, data: &libc::stat, path: &[u8], offset: u64) {
    let size = data.st_size as u64;
    let mut thing = describe(Some(data), path);
    thing.size = size.saturating_sub(offset);
    let left_out = |mut thing: Thing| {
        thing.content = content::LEFT_OUT;
        log::append(kind, &[bytes_of(&thing), path]);
    };
    if thing.size > LIMIT.load(Relaxed) {
        return left_out(thing);
    }
    if size <= INLINE {
        thing.content = content::HERE;
        let header = bytes_of(&thing);
        let parts = [(header.as_ptr(), header.len()), (path.as_ptr(), path.len())];
        if thing.size == 0 {
            return log::append_raw(kind, parts.into_iter());
        }
        let Some(pages) = Pages::of_file(fd, size as usize) else { return left_out(thing) };
        let bytes = (pages.start().wrapping_add(offset as usize), thing.size as usize);
        return log::append_raw(kind, parts.into_iter().chain([bytes]));
    }
    let mut name = Text::new();
    let time = (data.st_ctime as u64).wrapping_mul(1_000_000_000).wrapping_add(data.st_ctime_nsec as u64);
    if write!(name, "{:x}-{:x}-{size:x}-{offset:x}-{time:x}", data.st_dev, data.st_ino).is_err()
        || !copy(fd, offset, thing.size, name.bytes())
    {
        return left_out(thing);
    }
    thing.content = content::BESIDE;
    log::append(kind, &[bytes_of(&thing), path, name.bytes()]);
}

/// A file that has not changed since somebody copied it is there already.
fn copy(fd: i32, offset: u64, size: u64, name: &[u8]) -> bool {
    let (mut place, mut new) = (*FOLDER.get(), *FOLDER.get());
    let pid = sys::getpid();
    if !place.push(b"/") || !place.push(name) || write!(new, "/.{pid}-").is_err() || !new.push(name) {
        return false;
    }
    if sys::lstat(place.c_str()).is_some() {
        return true;
    }
    let out = sys::open(new.c_str(), libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC, 0o600);
    if out < 0 {
        return false;
    }
    let (mut from, end) = (offset as i64, (offset + size) as i64);
    while from < end {
        let left = (end - from) as usize;
        let null = core::ptr::null_mut::<i64>();
        let copied = unsafe {
            match libc::syscall(libc::SYS_copy_file_range, fd, &mut from, out, null, left, 0) {
                copied if copied > 0 => copied,
                _ => libc::syscall(libc::SYS_sendfile, out, fd, &mut from, left),
            }
        };
        if copied <= 0 {
            break;
        }
    }
    sys::close(out);
    let done =
        from == end && unsafe { libc::syscall(libc::SYS_rename, new.c_str().as_ptr(), place.c_str().as_ptr()) == 0 };
    if !done {
        unsafe { libc::syscall(libc::SYS_unlink, new.c_str().as_ptr()) };
    }
    done
}

/// The names in a folder, each after a letter that says what it is.
fn list(data: &libc::stat, path: Text) {
    const SIZE: usize = 64 << 10;
    let fd = sys::open(path.c_str(), libc::O_RDONLY | libc::O_DIRECTORY, 0);
    let (Some(mut entries), Some(mut names)) = (Pages::new(SIZE), Pages::new(SIZE)) else { return sys::close(fd) };
    let mut used = 0;
    let mut whole = fd >= 0;
    while whole {
        let read = unsafe { libc::syscall(libc::SYS_getdents64, fd, entries.bytes().as_mut_ptr(), SIZE) };
        let Some(mut rest) = usize::try_from(read).ok().and_then(|read| entries.bytes().get(..read)) else {
            whole = false;
            break;
        };
        if rest.is_empty() {
            break;
        }
        // Inode and offset, 8 bytes each; length, 2; kind, 1; the name.
        while let (Some(&[low, high]), Some(&kind)) = (rest.get(16..18), rest.get(18)) {
            let length = usize::from(u16::from_le_bytes([low, high]));
            let Some(entry) = rest.get(19..length) else { break };
            let name = entry.split(|byte| *byte == 0).next().unwrap_or_default();
            rest = &rest[length..];
            if name == b"." || name == b".." {
                continue;
            }
            let letter = match kind {
                libc::DT_UNKNOWN => kind_of(fd, entry),
                libc::DT_DIR => b'd',
                libc::DT_REG => b'f',
                libc::DT_LNK => b'l',
                _ => b'o',
            };
            let end = used + name.len() + 2;
            let Some(place) = names.bytes().get_mut(used..end) else {
                whole = false;
                break;
            };
            place[0] = letter;
            place[1..=name.len()].copy_from_slice(name);
            used = end;
        }
    }
    sys::close(fd);
    let how = if whole { content::HERE } else { content::LEFT_OUT };
    note(Some(data), path.bytes(), how, if whole { &names.bytes()[..used] } else { &[] });
}

/// Not all file systems say it with the name.
fn kind_of(folder: i32, name: &[u8]) -> u8 {
    let data = CStr::from_bytes_until_nul(name).ok().and_then(|name| sys::lstat_in(folder, name));
    match data.map(|data| data.st_mode & libc::S_IFMT) {
        Some(libc::S_IFDIR) => b'd',
        Some(libc::S_IFREG) => b'f',
        Some(libc::S_IFLNK) => b'l',
        _ => b'o',
    }
}

fn note(data: Option<&libc::stat>, path: &[u8], how: u32, inside: &[u8]) {
    let thing = Thing { content: how, ..describe(data, path) };
    log::append(Kind::Thing, &[bytes_of(&thing), path, inside]);
}

fn describe(data: Option<&libc::stat>, path: &[u8]) -> Thing {
    let path_length = path.len() as u32;
    let Some(data) = data else { return Thing { what: what::ABSENT, path_length, ..Thing::default() } };
    let kind = match data.st_mode & libc::S_IFMT {
        libc::S_IFREG => what::FILE,
        libc::S_IFDIR => what::DIRECTORY,
        libc::S_IFLNK => what::LINK,
        _ => what::OTHER,
    };
    Thing {
        what: kind,
        mode: data.st_mode & 0o7777,
        content: content::NONE,
        path_length,
        size: data.st_size as u64,
        seconds: data.st_mtime,
        nanoseconds: data.st_mtime_nsec as u64,
    }
}
