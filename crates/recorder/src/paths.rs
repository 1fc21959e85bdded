//! Which place a path means, and whether it is worth a word.

use crate::scratch::Space;
use crate::sys;
use core::ffi::c_char;
use core::fmt::Write;

/// What belongs to the machine and not to the test: a replay finds it where it is.
const MACHINE: [&[u8]; 13] = [
    b"/proc",
    b"/sys",
    b"/dev",
    b"/etc",
    b"/lib",
    b"/lib64",
    b"/bin",
    b"/sbin",
    b"/usr/lib",
    b"/usr/share",
    b"/usr/bin",
    b"/usr/sbin",
    b"/usr/libexec",
];

/// To `room.path`: from the root, links and `..` as they were given. `false`: empty, too long, or in a folder that is gone.
pub unsafe fn absolute(at: i32, path: *const c_char, room: &mut Space) -> bool {
    let path = unsafe { sys::c_bytes(path) };
    room.path.cut(0);
    if path.is_empty() {
        return false;
    }
    if path[0] != b'/' {
        match at {
            libc::AT_FDCWD => room.path.fill(sys::getcwd),
            fd => of_descriptor(fd, room),
        }
        if !room.path.bytes().starts_with(b"/") || !room.path.push(b"/") {
            return false;
        }
    }
    room.path.push(path)
}

/// The name of an open file.
pub fn of_descriptor(fd: i32, room: &mut Space) {
    room.path.cut(0);
    room.other.cut(0);
    if write!(room.other, "/proc/self/fd/{fd}").is_ok() {
        let link = &room.other;
        room.path.fill(|into| sys::readlink(link.c_str(), into));
    }
}

pub fn is_machine(path: &[u8]) -> bool {
    MACHINE.iter().any(|folder| path.strip_prefix(*folder).is_some_and(|rest| rest.is_empty() || rest[0] == b'/'))
}
