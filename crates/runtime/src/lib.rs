//! The run-time library: what an instrumented program carries inside.
//!
//! It keeps shadow memory, makes terms, logs events, names input sources and stands in for libc's input, output and
//! memory functions. It is called by instrumented code (`crates/instrument/src/shadow`), by the libc models
//! (`models/`), and by nothing else.
//!
//! What is absent: it never allocates from the target's heap, never unwinds, never runs a solver, and does nothing at
//! all in a process that nobody traces.
#![no_std]
#![allow(clippy::missing_safety_doc)]
// Every function here is called by generated code with addresses of the running program, or works on this library's
// own mappings; there is no safe caller to explain each dereference to. `state.rs` states the invariants once.
#![allow(clippy::undocumented_unsafe_blocks)]

mod arena;
mod composite;
mod events;
mod input;
mod interceptors;
mod memory;
mod objects;
mod operations;
mod selfcheck;
mod serve;
mod shadow;
mod start;
mod state;
mod tables;
mod text;
mod tls;
mod variadic;

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    let mut message = text::Text::new();
    let _ = core::fmt::Write::write_fmt(&mut message, format_args!("offshoot run-time library: {info}\n"));
    message.write_to(2);
    unsafe { libc::abort() }
}

/// `core` comes compiled for unwinding and names this; nothing here ever unwinds.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}
