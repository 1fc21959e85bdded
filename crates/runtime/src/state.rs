//! The one mutable state of the library.
//!
//! Invariants that every `unsafe` block of this crate leans on:
//! * `STATE` is written only by [`crate::start`] before the first instrumented code runs, and after that only inside
//!   [`enter`], which one thread at a time gets through and which refuses re-entry from a signal handler.
//! * The regions are mapped for as long as the process lives, at the capacities in the header.
//! * Shadow memory, `summary` and the object maps are mapped whenever `__off_active` is 1.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use offshoot_trace::layout::{Header, ObjectEntry, SourceEntry, TableEntry, config};
use offshoot_trace::{Node, NodeId};

/// Read by every thunk.
#[unsafe(no_mangle)]
pub static __off_active: AtomicBool = AtomicBool::new(false);

/// Not 0: concrete branches are wanted in the trace.
#[unsafe(no_mangle)]
pub static __off_concrete_branches: AtomicU32 = AtomicU32::new(0);

pub struct State {
    pub header: *mut Header,
    pub nodes: *mut Node,
    pub node_count: u32,
    pub node_capacity: u32,
    /// Lines of slots `id << 3 | tag`, by newest operand (`arena.rs`).
    pub index: *mut u32,
    /// Nodes whose line is full: open addressing; 0 is empty.
    pub overflow: *mut u32,
    pub overflow_mask: u32,
    pub overflow_count: u32,
    pub events: *mut u64,
    pub event_count: usize,
    pub event_capacity: usize,
    pub objects: *mut ObjectEntry,
    pub sources: *mut SourceEntry,
    pub tables: *mut TableEntry,
    pub blob: *mut u8,
    pub coverage_used: u64,
    pub next_site: u32,
    pub table_limit: u64,
    /// At least one `Pointer` node exists, so a node may be free of input bytes.
    pub has_pointers: bool,
    /// Values of all nodes under the actual input, for the self-check.
    pub values: *mut u128,
    pub selfcheck: bool,
    /// Where self-check writes, with its final zero; empty: standard error.
    pub selfcheck_log: [u8; 1024],
    pub log_output: bool,
    pub cpu_limit_ns: u64,
    /// Path of the running program, for reports.
    pub program: *const u8,
}

struct Shared(UnsafeCell<State>);

// Access is serialised by `enter`.
unsafe impl Sync for Shared {}

static STATE: Shared = Shared(UnsafeCell::new(State {
    header: core::ptr::null_mut(),
    nodes: core::ptr::null_mut(),
    node_count: 1,
    node_capacity: 0,
    index: core::ptr::null_mut(),
    overflow: core::ptr::null_mut(),
    overflow_mask: 0,
    overflow_count: 0,
    events: core::ptr::null_mut(),
    event_count: 0,
    event_capacity: 0,
    objects: core::ptr::null_mut(),
    sources: core::ptr::null_mut(),
    tables: core::ptr::null_mut(),
    blob: core::ptr::null_mut(),
    coverage_used: 0,
    next_site: 1,
    table_limit: 4096,
    has_pointers: false,
    values: core::ptr::null_mut(),
    selfcheck: false,
    selfcheck_log: [0; 1024],
    log_output: false,
    cpu_limit_ns: 0,
    program: core::ptr::null(),
}));

/// Terms and events are being made. Off in a process nobody traces, past a budget, and in a forked child.
static TRACING: AtomicBool = AtomicBool::new(false);
/// The trace has ended, but branches are still counted: the run is for the length of its path.
static COUNTING: AtomicBool = AtomicBool::new(false);
/// More than one thread has been started.
static THREADED: AtomicBool = AtomicBool::new(false);
/// Id of the thread inside `enter`, 0 if none.
static OWNER: AtomicU32 = AtomicU32::new(0);

/// Exclusive access for as long as it lives.
pub struct Entered(());

impl Drop for Entered {
    #[inline]
    fn drop(&mut self) {
        OWNER.store(0, Ordering::Release);
    }
}

impl core::ops::Deref for Entered {
    type Target = State;
    #[inline]
    fn deref(&self) -> &State {
        unsafe { &*STATE.0.get() }
    }
}

impl core::ops::DerefMut for Entered {
    #[inline]
    fn deref_mut(&mut self) -> &mut State {
        unsafe { &mut *STATE.0.get() }
    }
}

/// Access to the state if the run is being traced; `None` otherwise, and in a signal handler that interrupted us: what
/// the handler does goes on concretely.
#[inline]
pub fn enter() -> Option<Entered> {
    if !TRACING.load(Ordering::Relaxed) {
        return None;
    }
    enter_always()
}

/// Access even when the trace has ended (objects and sources are still kept in order).
#[inline]
pub fn enter_always() -> Option<Entered> {
    if !THREADED.load(Ordering::Relaxed) {
        if OWNER.load(Ordering::Relaxed) != 0 {
            return None;
        }
        OWNER.store(1, Ordering::Relaxed);
        return Some(Entered(()));
    }
    enter_threaded()
}

#[cold]
fn enter_threaded() -> Option<Entered> {
    let me = unsafe { libc::syscall(libc::SYS_gettid) } as u32;
    if OWNER.load(Ordering::Relaxed) == me {
        return None;
    }
    loop {
        if OWNER.compare_exchange_weak(0, me, Ordering::Acquire, Ordering::Relaxed).is_ok() {
            return Some(Entered(()));
        }
        core::hint::spin_loop();
    }
}

#[inline]
pub fn is_active() -> bool {
    __off_active.load(Ordering::Relaxed)
}

pub fn set_tracing(on: bool) {
    TRACING.store(on, Ordering::Relaxed);
}

pub fn is_tracing() -> bool {
    TRACING.load(Ordering::Relaxed)
}

/// A branch behind the end of the trace.
#[inline]
pub fn count_branch() {
    if !COUNTING.load(Ordering::Relaxed) {
        return;
    }
    // Written before the first instrumented code runs.
    let dropped = unsafe { &(*(*STATE.0.get()).header).dropped_events };
    // A locked addition is most of what a branch costs here.
    match THREADED.load(Ordering::Relaxed) {
        true => drop(dropped.fetch_add(1, Ordering::Relaxed)),
        false => dropped.store(dropped.load(Ordering::Relaxed) + 1, Ordering::Relaxed),
    }
}

pub fn set_threaded() {
    THREADED.store(true, Ordering::Relaxed);
}

/// In a forked child: no trace of its own, no other threads, no lock held.
pub fn become_child() {
    set_tracing(false);
    COUNTING.store(false, Ordering::Relaxed);
    OWNER.store(0, Ordering::Relaxed);
    THREADED.store(false, Ordering::Relaxed);
}

impl State {
    #[inline]
    pub fn node(&self, id: NodeId) -> Node {
        unsafe { *self.nodes.add(id as usize) }
    }

    #[inline]
    pub fn header(&self) -> &Header {
        unsafe { &*self.header }
    }

    /// Ends the trace: the run goes on concretely.
    #[cold]
    pub fn stop(&mut self, status: u32, budget: &str) {
        self.header().status.fetch_or(status, Ordering::Relaxed);
        self.lose_named(0, offshoot_trace::event::LossReason::Budget, budget.as_bytes());
        self.go_on_concretely();
    }

    /// Where concrete branches are wanted, their number is wanted to the end of the run.
    #[cold]
    pub fn go_on_concretely(&mut self) {
        COUNTING.store(self.header().config & config::CONCRETE_BRANCHES != 0, Ordering::Relaxed);
        set_tracing(false);
    }
}
