//! Paths that the process meets, and the bytes of what it opens for reading: as they are before it can change them.

use crate::log::{self, Shared, Text, bytes_of};
use crate::paths::{absolute, is_machine};
use crate::scratch::{Room, Space};
use crate::seen::{Mark, Name, Sight, Why, is_new};
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

pub fn folder() -> &'static [u8] {
    FOLDER.get().bytes()
}

/// Notes what is at `path` now, if it was not noted before.
pub unsafe fn look(at: i32, path: *const c_char, follow: bool) {
    let name = unsafe { as_written(if follow { Sight::Looked } else { Sight::LookedAt }, at, path) };
    if !name.is_known()
        && let Some(mut room) = room()
    {
        unsafe { meet(at, path, follow, &mut room) };
        name.note();
    }
}

/// A loop over one name costs no more than a look into a table.
unsafe fn as_written(sight: Sight, at: i32, path: *const c_char) -> Name {
    let name = unsafe { sys::c_bytes(path) };
    if at == libc::AT_FDCWD || name.starts_with(b"/") { Name::of(sight, name) } else { Name::NONE }
}

/// Without it nothing can be noted, and the log says so.
fn room() -> Option<Room> {
    let room = Room::take();
    if room.is_none() {
        log::append(Kind::Cut, &[]);
    }
    room
}

/// With `follow`, also notes what a link leads to; in `room.path` is the path at its end. Where there is nothing yet, also
/// the folder above: whether something can be made there. `false`: it is nobody's business.
unsafe fn meet(at: i32, path: *const c_char, follow: bool, room: &mut Space) -> bool {
    if !unsafe { absolute(at, path, room) } {
        return false;
    }
    let Some(mut is_missing) = note_along(&mut room.path, follow, &mut room.bytes) else { return false };
    if is_missing {
        room.other.set(&room.path);
    }
    while is_missing && let Some(folder @ 1..) = last_slash(&room.other) {
        room.other.cut(folder);
        room.along.set(&room.other);
        is_missing = note_along(&mut room.along, true, &mut room.bytes) == Some(true);
    }
    true
}

/// Ends with `path` at what was noted last. `true`: nothing is there, and nobody has noted that before. Of what belongs to the
/// machine nothing is noted.
fn note_along(path: &mut Text, follow: bool, target: &mut [u8]) -> Option<bool> {
    let mut is_newly_missing = false;
    for _ in 0..LINKS {
        if is_machine(path.bytes()) || path.bytes().starts_with(folder()) {
            return None;
        }
        let data = sys::lstat(path.c_str());
        let is_link = data.is_some_and(|data| data.st_mode & libc::S_IFMT == libc::S_IFLNK);
        let is_unknown = is_new(Why::Met, path.bytes());
        // Reading a link changes the time at which it was read last, and some programs look at that.
        let length = if is_link && (is_unknown || follow) { sys::readlink(path.c_str(), target) } else { 0 };
        if is_unknown {
            let how = if is_link { content::HERE } else { content::NONE };
            note(data.as_ref(), path.bytes(), how, &target[..length]);
            is_newly_missing = data.is_none();
        }
        if !is_link || !follow {
            break;
        }
        path.cut(if target[0] == b'/' { 0 } else { last_slash(path).unwrap_or(0) + 1 });
        if !path.push(&target[..length]) {
            return None;
        }
    }
    Some(is_newly_missing)
}

fn last_slash(path: &Text) -> Option<usize> {
    path.bytes().iter().rposition(|byte| *byte == b'/')
}

/// The content behind a descriptor that was just opened for reading.
pub unsafe fn take(fd: i32, at: i32, path: *const c_char) {
    let Some(data) = sys::fstat(fd) else { return };
    let kind = data.st_mode & libc::S_IFMT;
    if matches!(kind, libc::S_IFIFO | libc::S_IFSOCK | libc::S_IFCHR) {
        streams::note_alias(fd, &data);
    }
    let name = unsafe { as_written(Sight::Opened, at, path) };
    if name.is_known() {
        return;
    }
    let Some(mut room) = room() else { return };
    name.note();
    if unsafe { !meet(at, path, true, &mut room) } {
        return;
    }
    match kind {
        libc::S_IFREG if is_new(Why::Taken, room.path.bytes()) => store(Kind::Thing, fd, &data, 0, &mut room),
        libc::S_IFDIR if is_new(Why::Taken, room.path.bytes()) => list(&data, &room.path),
        _ => {}
    }
}

/// The content of what is about to be changed in place, or to get another name: somebody may read it then. Of what has none,
/// the mark to set when it is done: what is read then is the program's own.
pub unsafe fn take_old(at: i32, path: *const c_char, follow: bool) -> Option<Mark> {
    let name = unsafe { as_written(Sight::Opened, at, path) };
    if name.is_known() {
        return None;
    }
    let mut room = room()?;
    if unsafe { !meet(at, path, follow, &mut room) } {
        return None;
    }
    let taken = Mark::of(Why::Taken, room.path.bytes());
    // Whoever closes a file gives back all the locks that the process has on it.
    if taken.is_set() {
        name.note();
        return None;
    }
    // Whoever opens a pipe is somebody at its other end.
    let is_file = |data: &libc::stat| data.st_mode & libc::S_IFMT == libc::S_IFREG;
    match sys::lstat(room.path.c_str()) {
        Some(data) if !is_file(&data) => return None,
        Some(data) if data.st_size > 0 => {}
        _ => return Some(taken),
    }
    let how = libc::O_RDONLY | libc::O_NONBLOCK | libc::O_NOFOLLOW;
    // When it was read last is nobody's business but the program's.
    let quiet = sys::open(room.path.c_str(), how | libc::O_NOATIME, 0);
    let fd = if quiet >= 0 { quiet } else { sys::open(room.path.c_str(), how, 0) };
    if fd < 0 {
        return None;
    }
    if let Some(data) = sys::fstat(fd).filter(is_file)
        && taken.set()
    {
        name.note();
        store(Kind::Thing, fd, &data, 0, &mut room);
    }
    sys::close(fd);
    None
}

/// Something else will be there when the mark is set: whoever reads it then does not read what was there.
pub unsafe fn give_up(at: i32, path: *const c_char, follow: bool) -> Option<Mark> {
    let mut room = room()?;
    unsafe { meet(at, path, follow, &mut room) }.then(|| Mark::of(Why::Taken, room.path.bytes()))
}

/// What is left of a regular file that is standard input.
pub fn take_stdin(data: &libc::stat) {
    let offset = unsafe { libc::syscall(libc::SYS_lseek, 0, 0, libc::SEEK_CUR) };
    if let Some(mut room) = room() {
        room.path.cut(0);
        store(Kind::Stdin, 0, data, u64::try_from(offset).unwrap_or(0), &mut room);
    }
}

/// Past the bound nothing is kept of an input; the record has its size until now.
pub fn leave_out_stdin(size: u64) {
    let thing = Thing { what: what::OTHER, content: content::LEFT_OUT, size, ..Thing::default() };
    log::append(Kind::Stdin, &[bytes_of(&thing)]);
}

pub fn is_too_large(size: u64) -> bool {
    size > LIMIT.load(Relaxed)
}

/// Under the name in `room.path`.
fn store(kind: Kind, fd: i32, data: &libc::stat, offset: u64, room: &mut Space) {
    let size = data.st_size as u64;
    let mut thing = describe(Some(data), room.path.bytes());
    thing.size = size.saturating_sub(offset);
    if is_too_large(thing.size) {
        thing.content = content::LEFT_OUT;
    } else if thing.size <= INLINE {
        thing.content = content::HERE;
        if thing.size > 0 {
            let Some(mut pages) = Pages::new(thing.size as usize) else { return log::append(Kind::Cut, &[]) };
            // It may have become shorter just now.
            let length = sys::pread_all(fd, pages.bytes(), offset);
            return log::append(kind, &[bytes_of(&thing), room.path.bytes(), &pages.bytes()[..length]]);
        }
    } else {
        let time = (data.st_ctime as u64).wrapping_mul(1_000_000_000).wrapping_add(data.st_ctime_nsec as u64);
        room.other.cut(0);
        let is_named = write!(room.other, "{:x}-{:x}-{size:x}-{offset:x}-{time:x}", data.st_dev, data.st_ino).is_ok();
        if is_named && copy(fd, offset, thing.size, room) {
            thing.content = content::BESIDE;
            return log::append(kind, &[bytes_of(&thing), room.path.bytes(), room.other.bytes()]);
        }
        thing.content = content::LEFT_OUT;
    }
    log::append(kind, &[bytes_of(&thing), room.path.bytes()]);
}

/// To the name in `room.other`. A file that has not changed since somebody copied it is there already.
fn copy(fd: i32, offset: u64, size: u64, room: &mut Space) -> bool {
    let Some(mut places) = Room::take() else { return false };
    let Space { path: place, other: new, .. } = &mut *places;
    let name = room.other.bytes();
    let is_named = |text: &mut Text, prefix: core::fmt::Arguments<'_>| {
        text.set(FOLDER.get());
        text.push(b"/") && text.write_fmt(prefix).is_ok() && text.push(name)
    };
    if !is_named(place, format_args!("")) || !is_named(new, format_args!(".{}-", sys::getpid())) {
        return false;
    }
    if sys::lstat(place.c_str()).is_some() {
        return true;
    }
    if size > sys::file_size_limit() {
        return false;
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
fn list(data: &libc::stat, path: &Text) {
    const SIZE: usize = 64 << 10;
    let (Some(mut entries), Some(mut names)) = (Pages::new(SIZE), Pages::new(SIZE)) else {
        return log::append(Kind::Cut, &[]);
    };
    let fd = sys::open(path.c_str(), libc::O_RDONLY | libc::O_DIRECTORY, 0);
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
