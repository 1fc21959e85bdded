//! The limit on the size of files holds for the log, too, which many processes have made larger already: who lowers it goes on in
//! a file of its own.

use crate::sys::{self, Errno};
use crate::{log, mapped};
use core::ffi::{c_int, c_uint};
use core::ptr::null_mut;
use libc::{RLIM_INFINITY, RLIMIT_FSIZE, pid_t, rlimit, syscall};

pub unsafe extern "C" fn setrlimit(resource: c_uint, new: *const rlimit) -> c_int {
    unsafe { prlimit(0, resource, new, null_mut()) }
}

pub unsafe extern "C" fn prlimit(pid: pid_t, resource: c_uint, new: *const rlimit, old: *mut rlimit) -> c_int {
    unsafe {
        let is_ours = resource == RLIMIT_FSIZE && !new.is_null() && (pid == 0 || pid == sys::getpid());
        if is_ours && (*new).rlim_cur != RLIM_INFINITY {
            let _errno = Errno::keep();
            log::go_on_mapped();
            mapped::make_room_ahead();
        }
        let result = syscall(libc::SYS_prlimit64, pid, resource, new, old) as c_int;
        if is_ours && result == 0 {
            log::set_limit((*new).rlim_cur);
        }
        result
    }
}
