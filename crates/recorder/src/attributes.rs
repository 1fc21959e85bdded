//! libc's functions that change what is known of a file, and not its bytes.

use crate::hooks::changing;
use crate::scratch::Room;
use crate::sys::{self, Errno};
use core::ffi::{c_char, c_int, c_long};
use core::fmt::Write;
use core::ptr::null;
use libc::{AT_FDCWD, AT_SYMLINK_NOFOLLOW, gid_t, mode_t, syscall, timespec, timeval, uid_t, utimbuf};

const SYS_FCHMODAT2: c_long = 452;

pub unsafe extern "C" fn chmod(path: *const c_char, mode: mode_t) -> c_int {
    unsafe { fchmodat(AT_FDCWD, path, mode, 0) }
}

pub unsafe extern "C" fn fchmodat(at: c_int, path: *const c_char, mode: mode_t, flags: c_int) -> c_int {
    unsafe {
        changing(at, path, flags & AT_SYMLINK_NOFOLLOW == 0);
        if flags == 0 {
            return syscall(libc::SYS_fchmodat, at, path, mode) as c_int;
        }
        match syscall(SYS_FCHMODAT2, at, path, mode, flags) as c_int {
            -1 if Errno::keep().value() == libc::ENOSYS => by_descriptor(at, path, mode, flags),
            result => result,
        }
    }
}

/// As libc does it on kernels that have no call for links.
unsafe fn by_descriptor(at: c_int, path: *const c_char, mode: mode_t, flags: c_int) -> c_int {
    if flags != AT_SYMLINK_NOFOLLOW {
        return fail(libc::EINVAL);
    }
    unsafe {
        let fd = syscall(libc::SYS_openat, at, path, libc::O_PATH | libc::O_NOFOLLOW | libc::O_CLOEXEC) as c_int;
        if fd < 0 {
            return fd;
        }
        let is_link = sys::fstat(fd).is_some_and(|data| data.st_mode & libc::S_IFMT == libc::S_IFLNK);
        let result = match Room::take() {
            Some(mut room) if !is_link => {
                room.path.cut(0);
                let _ = write!(room.path, "/proc/self/fd/{fd}");
                syscall(libc::SYS_chmod, room.path.c_str().as_ptr(), mode) as c_int
            }
            _ => fail(libc::EOPNOTSUPP),
        };
        let _errno = Errno::keep();
        sys::close(fd);
        result
    }
}

fn fail(errno: c_int) -> c_int {
    unsafe { *libc::__errno_location() = errno };
    -1
}

pub unsafe extern "C" fn chown(path: *const c_char, user: uid_t, group: gid_t) -> c_int {
    unsafe { fchownat(AT_FDCWD, path, user, group, 0) }
}

pub unsafe extern "C" fn lchown(path: *const c_char, user: uid_t, group: gid_t) -> c_int {
    unsafe { fchownat(AT_FDCWD, path, user, group, AT_SYMLINK_NOFOLLOW) }
}

pub unsafe extern "C" fn fchownat(at: c_int, path: *const c_char, user: uid_t, group: gid_t, flags: c_int) -> c_int {
    unsafe {
        changing(at, path, flags & AT_SYMLINK_NOFOLLOW == 0);
        syscall(libc::SYS_fchownat, at, path, user, group, flags) as c_int
    }
}

pub unsafe extern "C" fn utime(path: *const c_char, times: *const utimbuf) -> c_int {
    unsafe {
        changing(AT_FDCWD, path, true);
        syscall(libc::SYS_utime, path, times) as c_int
    }
}

pub unsafe extern "C" fn utimes(path: *const c_char, times: *const timeval) -> c_int {
    unsafe {
        changing(AT_FDCWD, path, true);
        syscall(libc::SYS_utimes, path, times) as c_int
    }
}

pub unsafe extern "C" fn futimesat(at: c_int, path: *const c_char, times: *const timeval) -> c_int {
    unsafe {
        changing(at, path, true);
        syscall(libc::SYS_futimesat, at, path, times) as c_int
    }
}

pub unsafe extern "C" fn lutimes(path: *const c_char, times: *const timeval) -> c_int {
    unsafe {
        changing(AT_FDCWD, path, false);
        let precise = |at: usize| {
            let time = *times.add(at);
            timespec { tv_sec: time.tv_sec, tv_nsec: time.tv_usec * 1000 }
        };
        let both = if times.is_null() { None } else { Some([precise(0), precise(1)]) };
        let both = both.as_ref().map_or(null(), |both| both.as_ptr());
        syscall(libc::SYS_utimensat, AT_FDCWD, path, both, AT_SYMLINK_NOFOLLOW) as c_int
    }
}

pub unsafe extern "C" fn utimensat(at: c_int, path: *const c_char, times: *const timespec, flags: c_int) -> c_int {
    // To the kernel it would be the open file.
    if path.is_null() {
        return fail(libc::EINVAL);
    }
    unsafe {
        changing(at, path, flags & AT_SYMLINK_NOFOLLOW == 0);
        syscall(libc::SYS_utimensat, at, path, times, flags) as c_int
    }
}
