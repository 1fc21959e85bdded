//! Variadic arguments: the callee's `va_start` finds their shadows where `va_arg` will look for the values.

use crate::shadow;
use crate::state::enter;
use crate::tls::tls;
use offshoot_trace::node::Handle;

/// A copy of the thread-local block's variadic part; the instrumented function has room for it on its stack.
#[repr(C)]
pub struct Saved {
    handles: [Handle; 64],
    kinds: [u8; 64],
    count: u32,
    stack: u32,
}

const _: () = assert!(size_of::<Saved>() == 64 * 4 + 64 + 8);

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __off_save_variadics(saved: *mut Saved, function: u64, fixed: u32) {
    let tls = tls();
    let saved = unsafe { &mut *saved };
    saved.count = 0;
    saved.stack = tls.va_stack;
    tls.va_stack = 0;
    if tls.arg_tag == function {
        saved.count = tls.va_count.min(64);
        saved.kinds = tls.va_kinds;
        saved.handles = [0; 64];
        let first = (fixed as usize).min(64);
        saved.handles[..64 - first].copy_from_slice(&tls.args[first..]);
        // A function without fixed scalars does not look at the tag again.
        if fixed == 0 {
            tls.arg_tag = 0;
        }
    }
}

/// The x86-64 ABI's `va_list`.
#[repr(C)]
pub struct VaList {
    general_offset: u32,
    vector_offset: u32,
    overflow: u64,
    registers: u64,
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __off_va_start(list: *const VaList, saved: *const Saved) {
    let (list, saved) = unsafe { (&*list, &*saved) };
    shadow::clear(&raw const *list as u64, size_of::<VaList>() as u64);
    shadow::clear(list.registers, 176);
    shadow::clear(list.overflow, u64::from(saved.stack));
    let (mut general, mut vector, mut stack) = (list.general_offset, list.vector_offset, list.overflow);
    for i in 0..saved.count as usize {
        let place = match saved.kinds[i] {
            1 if general < 48 => {
                general += 8;
                list.registers + u64::from(general) - 8
            }
            2 if vector < 176 => {
                vector += 16;
                list.registers + u64::from(vector) - 16
            }
            1 | 2 => {
                stack += 8;
                stack - 8
            }
            3 => {
                stack = stack.next_multiple_of(16) + 16;
                continue;
            }
            // By value, of a size that is not kept: what follows on the stack cannot be placed.
            _ => break,
        };
        let handle = saved.handles[i];
        if handle != 0
            && let Some(state) = enter()
        {
            let width = state.node(handle >> 3).width;
            if width % 8 == 0 && width <= 64 {
                shadow::set(place, u64::from(width / 8), handle);
            }
        }
    }
}
