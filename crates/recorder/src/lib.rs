//! Loaded (`LD_PRELOAD`) into every program that a recorded command runs. In programs of ours it keeps a log of all that
//! the run depends on; in all others it sees to it that the programs that they start are recorded too, and nothing else.
//!
//! ```text
//!  .init_array ─▶ is the program instrumented? ─▶ yes: Start, then hooks at the entry of libc's own functions
//!                                              └▶ no:  a hook on execve only
//! ```
//!
//! Hooks replace the first bytes of functions *inside* libc (`patch.rs`): standard input and output go through `read` and
//! `write` there without any symbol that a library could stand in for. Each hook makes the system call itself, with the
//! result and `errno` that libc would have given.
//!
//! What is absent: it never allocates from the program's heap, takes no locks, starts no threads, and leaves no variable
//! in the environment that the program can see.
#![no_std]
#![allow(clippy::missing_safety_doc)]
// All of this runs in somebody else's process, on pointers that their code hands to libc, or calls the kernel; there is
// no safe caller to explain each dereference to. What a hook is given is what the C standard says of its function.
#![allow(clippy::undocumented_unsafe_blocks)]

mod attributes;
mod elf;
mod environment;
mod exec;
mod files;
mod hooks;
mod kernel_copies;
mod limits;
mod log;
mod mapped;
mod patch;
mod paths;
mod scratch;
mod seen;
mod start;
mod streams;
mod symbols;
mod sys;

use core::ffi::c_char;

#[used]
#[unsafe(link_section = ".init_array")]
static START: unsafe extern "C" fn(i32, *mut *mut c_char, *mut *mut c_char) = start::start;

/// Nothing here may take the program down: whatever goes wrong ends the process as if by its own abort, and the log says
/// nothing more.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    unsafe { libc::abort() }
}

// `core` comes compiled for unwinding and names this; nothing here ever unwinds. Hidden: other libraries of the process may
// be written in Rust, and unwind.
core::arch::global_asm!(
    ".globl rust_eh_personality",
    ".hidden rust_eh_personality",
    ".type rust_eh_personality, @function",
    "rust_eh_personality:",
    "ud2",
    ".size rust_eh_personality, . - rust_eh_personality",
);
