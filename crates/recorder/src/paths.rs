//! Which place a path means, and whether it is worth a word.

use crate::log::Text;
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

/// From the root, links and `..` as they were given. `None`: empty, too long, or in a folder that is gone.
pub unsafe fn absolute(at: i32, path: *const c_char) -> Option<Text> {
    let path = unsafe { sys::c_bytes(path) };
    let mut text = Text::new();
    if path.is_empty() {
        return None;
    }
    if path[0] != b'/' {
        let mut folder = [0; sys::PATH_SIZE];
        let length = if at == libc::AT_FDCWD { sys::getcwd(&mut folder) } else { of_descriptor(at, &mut folder) };
        if length == 0 || folder[0] != b'/' || !text.push(&folder[..length]) || !text.push(b"/") {
            return None;
        }
    }
    text.push(path).then_some(text)
}

fn of_descriptor(fd: i32, into: &mut [u8]) -> usize {
    let mut link = Text::new();
    match write!(link, "/proc/self/fd/{fd}") {
        Ok(()) => sys::readlink(link.c_str(), into),
        Err(_) => 0,
    }
}

pub fn is_machine(path: &[u8]) -> bool {
    MACHINE.iter().any(|folder| path.strip_prefix(*folder).is_some_and(|rest| rest.is_empty() || rest[0] == b'/'))
}
