//! Functions that stand in for libc's while the process is traced, `__off_w_NAME` for `NAME`. Each begins by handing
//! over to the real one if nobody traces: a pointer to it may be called by anyone.

mod arithmetic;
mod descriptors;
mod harness;
mod harness_klee;
mod heap;
mod io;
mod mapping;
mod memory;
mod output;
mod process;
mod stdio;
mod streams;
mod threads;

pub use harness::set_inputs;

/// Defines `__off_w_NAME`: the address that tags its shadows, and the way out if the process is not traced.
#[macro_export]
macro_rules! intercept {
    ($(#[$meta:meta])* fn $wrapper:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? = $real:path; |$this:ident| $body:block) => {
        $(#[$meta])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $wrapper($($arg: $ty),*) $(-> $ret)? {
            if !$crate::state::is_active() {
                #[allow(clippy::unnecessary_cast)]
                return unsafe { $real($($arg),*) };
            }
            #[allow(unused_variables)]
            let $this = $wrapper as *const () as usize;
            // Every body is unsafe code by nature.
            #[allow(unused_unsafe, clippy::macro_metavars_in_unsafe)]
            unsafe { $body }
        }
    };
}
