//! Our two variables: taken out of the environment before the program sees it, put back for every program that it starts.

use crate::log::{Shared, Text};
use crate::sys::{self, Pages};
use core::cell::UnsafeCell;
use core::ffi::{CStr, c_char};
use core::slice::from_raw_parts_mut;

const RECORD: &[u8] = b"OFFSHOOT_RECORD=";
const PRELOAD: &[u8] = b"LD_PRELOAD=";
const TRACE: &[u8] = b"OFFSHOOT_TRACE=";
const LIBRARY: &[u8] = b"liboffshoot_recorder.so";

/// `OFFSHOOT_RECORD=…`.
static RECORD_VARIABLE: Shared<Text> = Shared(UnsafeCell::new(Text::new()));
/// `LD_PRELOAD=` and this library.
static PRELOAD_VARIABLE: Shared<Text> = Shared(UnsafeCell::new(Text::new()));

/// LIMIT and FOLDER, if this process is to be recorded.
pub unsafe fn learn(envp: *const *mut c_char) -> Option<(u64, &'static [u8])> {
    let (mut record, mut preload) = (Text::new(), Text::new());
    let mut traced = false;
    unsafe {
        for variable in variables(envp.cast()) {
            let bytes = sys::c_bytes(variable);
            if bytes.starts_with(RECORD) {
                record.push(bytes);
            } else if bytes.starts_with(TRACE) {
                traced = true;
            } else if let Some(value) = bytes.strip_prefix(PRELOAD)
                && let Some(ours) = value.split(is_separator).find(|library| library.ends_with(LIBRARY))
            {
                preload.push(PRELOAD);
                preload.push(ours);
            }
        }
        if traced || record.bytes().is_empty() || preload.bytes().is_empty() {
            return None;
        }
        RECORD_VARIABLE.set(record);
        PRELOAD_VARIABLE.set(preload);
    }
    let value = RECORD_VARIABLE.get().bytes().strip_prefix(RECORD)?;
    let colon = value.iter().position(|byte| *byte == b':')?;
    let limit = core::str::from_utf8(&value[..colon]).ok()?.parse().ok()?;
    Some((limit, &value[colon + 1..]))
}

/// Before the program starts. Afterwards nobody but [`with_ours`] knows of them.
pub unsafe fn hide(envp: *mut *mut c_char) {
    unsafe {
        let mut to = envp;
        let mut from = envp;
        while !(*from).is_null() {
            let bytes = sys::c_bytes(*from);
            let ours = bytes.starts_with(RECORD) || (bytes.starts_with(PRELOAD) && !keep_others(*from));
            if !ours {
                *to = *from;
                to = to.add(1);
            }
            from = from.add(1);
        }
        *to = core::ptr::null_mut();
    }
}

/// Other libraries that were to be loaded stay; `false`: there are none.
unsafe fn keep_others(variable: *mut c_char) -> bool {
    let mut kept = Text::new();
    unsafe {
        let bytes = sys::c_bytes(variable);
        let others = || bytes[PRELOAD.len()..].split(is_separator).filter(|library| !library.is_empty());
        for library in others().filter(|library| !library.ends_with(LIBRARY)) {
            kept.push(if kept.bytes().is_empty() { PRELOAD } else { b":" });
            kept.push(library);
        }
        if kept.bytes().is_empty() || kept.bytes().len() > bytes.len() {
            return false;
        }
        let kept = kept.c_str().to_bytes_with_nul();
        core::ptr::copy_nonoverlapping(kept.as_ptr(), variable.cast(), kept.len());
    }
    true
}

/// Calls `with` with an environment that has both. May run in a copy that shares its memory with the program (`vfork`):
/// everything is on the stack. Pages for an environment that is too large for it stay behind there.
pub unsafe fn with_ours<T>(envp: *const *const c_char, with: impl FnOnce(*const *const c_char) -> T) -> T {
    const MOST: usize = 512;
    if RECORD_VARIABLE.get().bytes().is_empty() {
        return with(envp);
    }
    // With ours, and the end.
    let most = unsafe { variables(envp) }.count() + 3;
    if most <= MOST {
        let mut all = [core::ptr::null::<c_char>(); MOST];
        return unsafe { with_ours_in(&mut all, envp, with) };
    }
    match Pages::new(most * size_of::<*const c_char>()) {
        Some(mut pages) => unsafe {
            with_ours_in(from_raw_parts_mut(pages.bytes().as_mut_ptr().cast(), most), envp, with)
        },
        None => with(envp),
    }
}

/// `all`: nothing but null pointers, more than there are variables.
#[inline(never)]
unsafe fn with_ours_in<T>(
    all: &mut [*const c_char],
    envp: *const *const c_char,
    with: impl FnOnce(*const *const c_char) -> T,
) -> T {
    let mut preload = *PRELOAD_VARIABLE.get();
    let mut used = 2;
    unsafe {
        for variable in variables(envp) {
            let bytes = sys::c_bytes(variable);
            if bytes.starts_with(RECORD) {
                continue;
            }
            if let Some(others) = bytes.strip_prefix(PRELOAD) {
                if others.split(is_separator).any(|library| library.ends_with(LIBRARY)) {
                    preload.cut(PRELOAD.len());
                    preload.push(others);
                    continue;
                }
                let fits = others.is_empty() || (preload.push(b":") && preload.push(others));
                if !fits {
                    return with(envp);
                }
                continue;
            }
            all[used] = variable;
            used += 1;
        }
    }
    all[0] = RECORD_VARIABLE.get().c_str().as_ptr();
    all[1] = preload.c_str().as_ptr();
    with(all.as_ptr())
}

fn is_separator(byte: &u8) -> bool {
    matches!(byte, b':' | b' ')
}

pub unsafe fn variables(envp: *const *const c_char) -> impl Iterator<Item = *const c_char> + Clone {
    let mut at = envp;
    core::iter::from_fn(move || unsafe {
        if at.is_null() || (*at).is_null() {
            return None;
        }
        let variable = *at;
        at = at.add(1);
        Some(variable)
    })
}

/// As `getenv` does it.
pub unsafe fn look_up(name: &CStr) -> *mut c_char {
    unsafe extern "C" {
        static environ: *const *const c_char;
    }
    let name = name.to_bytes();
    unsafe {
        for variable in variables(environ) {
            if let Some(rest) = sys::c_bytes(variable).strip_prefix(name)
                && rest.first() == Some(&b'=')
            {
                return variable.add(name.len() + 1).cast_mut();
            }
        }
    }
    core::ptr::null_mut()
}
