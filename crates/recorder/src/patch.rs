//! Hooks at the entry of libc's functions.
//!
//! ```text
//!  read: ff 25 00 00 00 00   jmp *0(%rip)
//!        .quad hook
//! ```
//!
//! Nothing of the old code is ever run again, so none of it has to be moved. A function that is too short is left alone.
//! Other processes keep their libc: the pages are private.

use crate::symbols::Libc;
use core::ffi::{CStr, c_void};

const LENGTH: usize = 14;

pub struct Hook {
    pub name: &'static CStr,
    pub hook: *const c_void,
}

/// `false`: the kernel does not let us, and nothing has changed.
pub unsafe fn install(hooks: &[Hook]) -> bool {
    const MOST: usize = 64;
    let mut places = [core::ptr::null_mut::<u8>(); MOST];
    unsafe {
        let Some(libc) = Libc::find() else { return false };
        for (hook, place) in hooks.iter().zip(&mut places) {
            if let Some(function) = libc.function(hook.name).filter(|function| function.size >= LENGTH) {
                *place = function.at;
            }
        }
        let found = || places.iter().filter(|place| !place.is_null()).map(|place| *place as usize);
        let (Some(first), Some(last)) = (found().min(), found().max()) else { return false };
        let start = first & !0xFFF;
        let length = last + LENGTH - start;
        let writable = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
        if libc::syscall(libc::SYS_mprotect, start, length, writable) != 0 {
            return false;
        }
        for (hook, place) in hooks.iter().zip(&places).filter(|(_, place)| !place.is_null()) {
            let mut code = [0u8; LENGTH];
            code[..2].copy_from_slice(&[0xFF, 0x25]);
            code[6..].copy_from_slice(&(hook.hook as u64).to_le_bytes());
            core::ptr::copy_nonoverlapping(code.as_ptr(), *place, LENGTH);
        }
        libc::syscall(libc::SYS_mprotect, start, length, libc::PROT_READ | libc::PROT_EXEC);
    }
    true
}
