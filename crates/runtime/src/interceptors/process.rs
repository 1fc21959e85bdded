//! Processes: a child has no trace of its own, a successor is another program, and every way out says that it was one.

use super::descriptors::concretise;
use crate::intercept;
use crate::shadow;
use crate::start::finish;
use crate::state::{become_child, enter};
use crate::tls::take_arguments;
use core::ffi::c_char;
use core::sync::atomic::Ordering;
use libc::{pid_t, posix_spawn_file_actions_t, posix_spawnattr_t};
use offshoot_trace::layout::status;

unsafe extern "C" {
    fn _Fork() -> pid_t;
    // Declared as if they returned: the macro's early way out does.
    fn quick_exit(code: i32);
    fn _exit(code: i32);
    fn _Exit(code: i32);
    fn exit(code: i32);
    fn abort();
}

/// After `fork`, on both sides.
fn forked(pid: pid_t) -> pid_t {
    match pid {
        0 => become_child(),
        1.. => finish(status::FORKED),
        _ => {}
    }
    pid
}

intercept! {
    fn __off_w_fork() -> pid_t = libc::fork; |this| {
        forked(libc::fork())
    }
}

intercept! {
    fn __off_w__Fork() -> pid_t = _Fork; |this| {
        forked(_Fork())
    }
}

/// A child of `vfork` would run on its parent's state and stack, and return through this very frame. A real child of
/// its own is what POSIX allows it to be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __off_w_vfork() -> pid_t {
    let pid = unsafe { libc::fork() };
    if crate::state::is_active() { forked(pid) } else { pid }
}

/// Only ever returns if there is no successor.
fn replaced(exec: impl FnOnce() -> i32) -> i32 {
    finish(status::EXEC);
    let result = exec();
    if let Some(state) = enter() {
        state.header().status.fetch_and(!status::EXEC, Ordering::Relaxed);
    }
    result
}

type Strings = *const *const c_char;

macro_rules! execs {
    ($($wrapper:ident($($arg:ident: $ty:ty),*) = $real:path, $count:literal;)*) => {$(
        intercept! {
            fn $wrapper($($arg: $ty),*) -> i32 = $real; |this| {
                let _ = take_arguments::<$count>(this);
                replaced(|| $real($($arg),*))
            }
        }
    )*};
}

execs! {
    __off_w_execve(path: *const c_char, argv: Strings, envp: Strings) = libc::execve, 3;
    __off_w_execv(path: *const c_char, argv: Strings) = libc::execv, 2;
    __off_w_execvp(file: *const c_char, argv: Strings) = libc::execvp, 2;
    __off_w_execvpe(file: *const c_char, argv: Strings, envp: Strings) = libc::execvpe, 3;
    __off_w_fexecve(fd: i32, argv: Strings, envp: Strings) = libc::fexecve, 3;
}

macro_rules! spawns {
    ($($wrapper:ident = $real:path;)*) => {$(
        intercept! {
            fn $wrapper(
                pid: *mut pid_t, path: *const c_char, actions: *const posix_spawn_file_actions_t,
                attributes: *const posix_spawnattr_t, argv: *const *mut c_char, envp: *const *mut c_char,
            ) -> i32 = $real; |this| {
                let _ = take_arguments::<6>(this);
                let result = $real(pid, path, actions, attributes, argv, envp);
                if result == 0 {
                    finish(status::FORKED);
                    if !pid.is_null() {
                        shadow::clear(pid as u64, size_of::<pid_t>() as u64);
                    }
                }
                result
            }
        }
    )*};
}

spawns! {
    __off_w_posix_spawn = libc::posix_spawn;
    __off_w_posix_spawnp = libc::posix_spawnp;
}

intercept! {
    fn __off_w_system(command: *const c_char) -> i32 = libc::system; |this| {
        let [_] = take_arguments(this);
        finish(status::FORKED);
        libc::system(command)
    }
}

/// Ends that run no `atexit` functions of ours.
macro_rules! exits {
    ($($wrapper:ident = $real:path;)*) => {$(
        intercept! {
            fn $wrapper(code: i32) = $real; |this| {
                let [h_code] = take_arguments(this);
                concretise(h_code, code as u64);
                finish(status::EXITED);
                $real(code)
            }
        }
    )*};
}

exits! {
    __off_w__exit = _exit;
    __off_w__Exit = _Exit;
    __off_w_quick_exit = quick_exit;
}

intercept! {
    fn __off_w_exit(code: i32) = exit; |this| {
        let [h_code] = take_arguments(this);
        concretise(h_code, code as u64);
        exit(code)
    }
}

intercept! {
    fn __off_w_abort() = abort; |this| {
        abort()
    }
}

intercept! {
    fn __off_w_raise(signal: i32) -> i32 = libc::raise; |this| {
        let [h_signal] = take_arguments(this);
        concretise(h_signal, signal as u64);
        libc::raise(signal)
    }
}

intercept! {
    fn __off_w_kill(pid: pid_t, signal: i32) -> i32 = libc::kill; |this| {
        let [h_pid, h_signal] = take_arguments(this);
        concretise(h_pid, pid as u64);
        concretise(h_signal, signal as u64);
        libc::kill(pid, signal)
    }
}
