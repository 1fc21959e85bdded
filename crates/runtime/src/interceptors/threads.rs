//! Threads: each has its own thread-local block, so its own shadows. The term of the argument goes in with it, the term
//! of the result comes back with `pthread_join`.

use crate::intercept;
use crate::shadow;
use crate::state::set_threaded;
use crate::tls::{take_arguments, tls};
use core::ffi::c_void;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use libc::{pthread_attr_t, pthread_t};
use offshoot_trace::node::Handle;

/// May end by `pthread_exit`, which unwinds.
type Routine = extern "C-unwind" fn(*mut c_void) -> *mut c_void;

unsafe extern "C" {
    fn pthread_create(
        thread: *mut pthread_t,
        attributes: *const pthread_attr_t,
        routine: Routine,
        argument: *mut c_void,
    ) -> i32;
}

/// What a thread that is being started has to know.
struct Start {
    routine: AtomicU64,
    argument: AtomicU64,
    term: AtomicU32,
}

const PLACES: usize = 256;
static STARTS: [Start; PLACES] =
    [const { Start { routine: AtomicU64::new(0), argument: AtomicU64::new(0), term: AtomicU32::new(0) } }; PLACES];

/// Threads that ended with a symbolic result, until they are joined.
static RESULTS: [(AtomicU64, AtomicU32); PLACES] = [const { (AtomicU64::new(0), AtomicU32::new(0)) }; PLACES];

extern "C-unwind" fn begin(start: *mut c_void) -> *mut c_void {
    let start = unsafe { &*start.cast::<Start>() };
    let address = start.routine.load(Ordering::Acquire);
    let argument = start.argument.load(Ordering::Relaxed) as *mut c_void;
    let term = start.term.load(Ordering::Relaxed);
    start.routine.store(0, Ordering::Release);
    if term != 0 {
        tls().args[0] = term;
        tls().arg_tag = address;
    }
    let routine: Routine = unsafe { core::mem::transmute(address as usize) };
    let result = routine(argument);
    if tls().ret_tag == address {
        keep_result(tls().ret[0]);
    }
    result
}

fn keep_result(term: Handle) {
    let me = unsafe { libc::pthread_self() };
    for (thread, handle) in &RESULTS {
        if term != 0 && thread.compare_exchange(0, me, Ordering::Acquire, Ordering::Relaxed).is_ok() {
            handle.store(term, Ordering::Release);
            return;
        }
    }
}

intercept! {
    fn __off_w_pthread_create(
        thread: *mut pthread_t, attributes: *const pthread_attr_t, routine: Routine, argument: *mut c_void,
    ) -> i32 = pthread_create; |this| {
        let [_, _, _, term] = take_arguments(this);
        set_threaded();
        let address = routine as *const () as u64;
        let free = STARTS
            .iter()
            .find(|s| s.routine.compare_exchange(0, address, Ordering::Acquire, Ordering::Relaxed).is_ok());
        let result = match free {
            Some(start) => {
                start.argument.store(argument as u64, Ordering::Relaxed);
                start.term.store(term, Ordering::Release);
                let result = pthread_create(thread, attributes, begin, (&raw const *start).cast_mut().cast());
                if result != 0 {
                    start.routine.store(0, Ordering::Release);
                }
                result
            }
            // So many at the same moment: without the argument's own term.
            None => pthread_create(thread, attributes, routine, argument),
        };
        shadow::clear(thread as u64, size_of::<pthread_t>() as u64);
        result
    }
}

intercept! {
    fn __off_w_pthread_join(thread: pthread_t, result: *mut *mut c_void) -> i32 = libc::pthread_join; |this| {
        let _ = take_arguments::<2>(this);
        let status = libc::pthread_join(thread, result);
        if status != 0 {
            return status;
        }
        let mut term = 0;
        for (known, handle) in &RESULTS {
            if known.load(Ordering::Acquire) == thread {
                term = handle.swap(0, Ordering::Acquire);
                known.store(0, Ordering::Release);
            }
        }
        if !result.is_null() {
            shadow::clear(result as u64, 8);
            if term != 0 {
                shadow::set(result as u64, 8, term);
            }
        }
        status
    }
}
