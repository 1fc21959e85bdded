//! Before the first constructor: is this process traced? If so map everything; if not, stay out of the way.

use crate::objects::{self, GLOBALS, Global};
use crate::shadow;
use crate::state::{self, State, enter_always};
use core::ffi::{CStr, c_char};
use core::sync::atomic::Ordering;
use offshoot_trace::layout::{
    self, ENTRY_SIZE, Header, MAGIC, ModuleEntry, PAGE, REGIONS, RegionId, TRACE_VERSION, config, status,
};

/// What a module hands over; `crates/instrument/src/module.rs` makes it.
#[repr(C)]
pub struct Description {
    uid: u64,
    sites: u32,
    objects: u32,
    coverage: *mut u8,
    site_base: *mut u32,
    globals: *const Global,
}

static mut STARTED: bool = false;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __off_register(
    description: *const Description,
    argc: i32,
    argv: *const *const c_char,
    envp: *const *const c_char,
) {
    unsafe {
        if !STARTED {
            STARTED = true;
            start(argc, argv, envp);
        }
        if !state::is_active() || description.is_null() {
            return;
        }
        let description = &*description;
        let Some(mut state) = enter_always() else { return };
        state.add_module(description);
    }
}

/// An anonymous private mapping, null if there is none to be had.
pub fn map_anonymous(size: usize) -> *mut u8 {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let at = unsafe { libc::mmap(core::ptr::null_mut(), size, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
    if at == libc::MAP_FAILED { core::ptr::null_mut() } else { at.cast() }
}

/// Asks for the pages of a range that is about to be written; nothing is lost if the kernel does not know how.
pub fn populate(at: *mut u8, size: usize) {
    const MADV_POPULATE_WRITE: i32 = 23;
    let page = at as usize & !0xFFF;
    unsafe { libc::madvise(page as *mut libc::c_void, size, MADV_POPULATE_WRITE) };
}

pub fn map_fixed(address: u64, size: u64) -> bool {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE;
    let wanted = address as *mut libc::c_void;
    let got = unsafe { libc::mmap(wanted, size as usize, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
    if got != wanted {
        return false;
    }
    // Shadow of large objects would otherwise be backed by 2 MiB pages of zeroes.
    unsafe { libc::madvise(wanted, size as usize, libc::MADV_NOHUGEPAGE) };
    unsafe { libc::madvise(wanted, size as usize, libc::MADV_DONTDUMP) };
    true
}

unsafe fn environment(envp: *const *const c_char, name: &str) -> Option<&'static CStr> {
    let mut at = envp;
    unsafe {
        while !at.is_null() && !(*at).is_null() {
            let text = CStr::from_ptr(*at);
            if let Some(rest) = text.to_bytes().strip_prefix(name.as_bytes())
                && rest.first() == Some(&b'=')
            {
                return Some(CStr::from_ptr((*at).add(name.len() + 1)));
            }
            at = at.add(1);
        }
    }
    None
}

unsafe fn start(argc: i32, argv: *const *const c_char, envp: *const *const c_char) {
    unsafe {
        let trace = environment(envp, layout::ENV_TRACE);
        let selfcheck = environment(envp, layout::ENV_SELFCHECK).is_some_and(|v| v.to_bytes() == b"1");
        if trace.is_none() && !selfcheck {
            return;
        }
        let header = match trace {
            Some(path) => map_trace(path),
            None => anonymous_trace(),
        };
        let untraced = !header.is_null() && (*header).config & config::UNTRACED != 0;
        if header.is_null() || !untraced && !map_shadow() {
            return;
        }
        if trace.is_some() {
            if (*header).config & config::SERVE != 0 {
                let places = if untraced { &crate::serve::UNTRACED } else { &crate::serve::TRACED };
                crate::serve::serve(places, argc, argv, envp);
            }
            // The first process to claim a trace owns it; its children and successors run plain.
            let me = libc::getpid() as u32;
            if (*header).pid.compare_exchange(0, me, Ordering::Relaxed, Ordering::Relaxed).is_err() {
                return;
            }
        }
        if untraced {
            return;
        }
        let Some(mut state) = enter_always() else { return };
        state.adopt(header);
        let specification = environment(envp, layout::ENV_SYMBOLIC);
        match specification {
            Some(text) if trace.is_none() => crate::input::set_specification(text.to_bytes()),
            _ => {
                let end = (*header).symbolic.iter().position(|b| *b == 0).unwrap_or(0);
                crate::input::set_specification(&(&(*header).symbolic)[..end]);
            }
        }
        if selfcheck || (*header).config & config::SELFCHECK != 0 {
            state.values = map_anonymous(state.node_capacity as usize * 16).cast();
            state.selfcheck = !state.values.is_null();
            if let Some(path) = environment(envp, layout::ENV_SELFCHECK_LOG) {
                state.log_to(path);
            }
        }
        state.program = if argc > 0 { (*argv).cast() } else { core::ptr::null() };
        if (*header).config & config::CONCRETE_BRANCHES != 0 {
            state::__off_concrete_branches.store(1, Ordering::Relaxed);
        }
        state::__off_active.store(true, Ordering::Relaxed);
        state::set_tracing(true);
        state.mark_arguments(argc, argv, envp);
        drop(state);
        libc::atexit(at_exit);
    }
}

extern "C" fn at_exit() {
    finish(status::EXITED);
}

/// Notes how the process ends, as far as it can tell.
pub fn finish(bits: u32) {
    if let Some(state) = state::enter() {
        state.header().status.fetch_or(bits, Ordering::Relaxed);
        state.report_checks();
    }
}

fn map_shadow() -> bool {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) };
    limit.rlim_cur == libc::RLIM_INFINITY
        && map_fixed(shadow::BASE, shadow::SIZE)
        && map_fixed(shadow::TAINT_BASE, shadow::TAINT_SIZE)
        && map_fixed(objects::GRANULE_BASE, objects::GRANULE_SIZE)
        && map_fixed(objects::STARTS_BASE, objects::STARTS_SIZE)
}

/// The tool's trace file, if nobody has claimed it.
unsafe fn map_trace(path: &CStr) -> *mut Header {
    unsafe {
        let fd = libc::open(path.as_ptr(), libc::O_RDWR | libc::O_CLOEXEC);
        if fd < 0 {
            return core::ptr::null_mut();
        }
        let size = libc::lseek(fd, 0, libc::SEEK_END);
        let at = if size >= PAGE as i64 {
            libc::mmap(
                core::ptr::null_mut(),
                size as usize,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                fd,
                0,
            )
        } else {
            libc::MAP_FAILED
        };
        libc::close(fd);
        if at == libc::MAP_FAILED {
            return core::ptr::null_mut();
        }
        let header = at.cast::<Header>();
        let is_free = (*header).magic == MAGIC
            && (*header).version == TRACE_VERSION
            && (*header).pid.load(Ordering::Relaxed) == 0;
        if is_free {
            IN_FILE = true;
            header
        } else {
            libc::munmap(at, size as usize);
            core::ptr::null_mut()
        }
    }
}

/// The trace is the tool's file, not memory of our own.
static mut IN_FILE: bool = false;

/// Entries of each region when there is no trace file (self-check alone).
const OWN_CAPACITY: [u64; REGIONS] = [1 << 26, 1 << 27, 1 << 22, 1 << 16, 1 << 16, 1 << 18, 1 << 30, 1 << 26];

unsafe fn anonymous_trace() -> *mut Header {
    unsafe {
        let mut size = PAGE;
        let mut offsets = [0; REGIONS];
        for i in 0..REGIONS {
            offsets[i] = size;
            size += (OWN_CAPACITY[i] * ENTRY_SIZE[i]).next_multiple_of(PAGE);
        }
        let header = map_anonymous(size as usize).cast::<Header>();
        if header.is_null() {
            return header;
        }
        (*header).magic = MAGIC;
        (*header).version = TRACE_VERSION;
        (*header).table_limit = 4096;
        for i in 0..REGIONS {
            let region = &mut (*header).regions[i];
            region.offset = offsets[i];
            region.capacity = OWN_CAPACITY[i];
            let first = match i {
                0 | 2 | 4 | 5 => 1,
                6 => 8,
                _ => 0,
            };
            region.used.store(first, Ordering::Relaxed);
        }
        let default = b"arg,stdin,file,nondet";
        (&mut (*header).symbolic)[..default.len()].copy_from_slice(default);
        header
    }
}

impl State {
    unsafe fn adopt(&mut self, header: *mut Header) {
        unsafe {
            let region = |id: RegionId| header.cast::<u8>().add((*header).regions[id as usize].offset as usize);
            self.header = header;
            self.nodes = region(RegionId::Nodes).cast();
            self.node_capacity = (*header).regions[0].capacity.min(u64::from(offshoot_trace::node::MAX_NODES)) as u32;
            self.events = region(RegionId::Events).cast();
            self.event_capacity = (*header).regions[RegionId::Events as usize].capacity as usize;
            self.objects = region(RegionId::Objects).cast();
            self.sources = region(RegionId::Sources).cast();
            self.tables = region(RegionId::Tables).cast();
            self.blob = region(RegionId::Blob);
            self.table_limit = (*header).table_limit;
            self.cpu_limit_ns = (*header).cpu_limit_ns;
            self.log_output = (*header).config & config::OUTPUT != 0;
            self.index = map_anonymous(crate::arena::index_size(self.node_capacity)).cast();
            populate(self.nodes.cast(), 1 << 16);
            populate(self.events.cast(), 1 << 16);
        }
    }

    unsafe fn add_module(&mut self, description: &Description) {
        unsafe {
            let base = self.next_site;
            *description.site_base = base;
            self.next_site += description.sites;
            self.add_globals(description);
            let header = self.header;
            let bytes = (2 * u64::from(description.sites)).next_multiple_of(PAGE);
            let region = &(*header).regions[RegionId::Coverage as usize];
            let offset = self.coverage_used;
            if offset + bytes <= region.capacity {
                self.coverage_used += bytes;
                region.used.store(self.coverage_used, Ordering::Relaxed);
                self.share_coverage(description.coverage, region.offset + offset, bytes);
            } else {
                (*header).status.fetch_or(status::COVERAGE_BUDGET, Ordering::Relaxed);
            }
            let modules = &(*header).regions[RegionId::Modules as usize];
            let index = modules.used.load(Ordering::Relaxed);
            if index < modules.capacity {
                let entry =
                    ModuleEntry { uid: description.uid, base, sites: description.sites, coverage: offset, reserved: 0 };
                *header.cast::<u8>().add(modules.offset as usize).cast::<ModuleEntry>().add(index as usize) = entry;
                modules.used.store(index + 1, Ordering::Release);
            }
        }
    }

    /// Puts the trace's coverage pages in the place of the module's own, so that a crash loses nothing.
    unsafe fn share_coverage(&mut self, at: *mut u8, offset: u64, size: u64) {
        unsafe {
            if IN_FILE {
                // Of a shared mapping, nothing moved to another place is a second view of it.
                let from = self.header.cast::<u8>().add(offset as usize).cast();
                libc::mremap(from, 0, size as usize, libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED, at);
            }
        }
    }

    unsafe fn add_globals(&mut self, description: &Description) {
        unsafe {
            let globals = &raw mut GLOBALS;
            let globals = &mut *globals;
            let more = description.objects as usize;
            if globals.count + more > globals.capacity {
                let capacity = (globals.count + more).next_power_of_two().max(1024);
                let new = map_anonymous(capacity * size_of::<Global>()).cast::<Global>();
                if new.is_null() {
                    return;
                }
                core::ptr::copy_nonoverlapping(globals.entries, new, globals.count);
                globals.entries = new;
                globals.capacity = capacity;
            }
            core::ptr::copy_nonoverlapping(description.globals, globals.entries.add(globals.count), more);
            globals.count += more;
            globals.sorted = false;
        }
    }

    unsafe fn mark_arguments(&mut self, argc: i32, argv: *const *const c_char, envp: *const *const c_char) {
        let mut digits = [0u8; 12];
        let end = u64::from(self.header().config & config::OPEN_ENDS != 0);
        unsafe {
            for i in 1..argc.max(1) as usize {
                let text = CStr::from_ptr(*argv.add(i)).to_bytes();
                let number = decimal(i, &mut digits);
                if crate::input::is_wanted(b"arg", number) {
                    let source = self.source(b"arg[", number, b"]");
                    self.mark_input(source, 0, text.as_ptr() as u64, text.len() as u64 + end);
                }
            }
            let mut at = envp;
            while !at.is_null() && !(*at).is_null() {
                let text = CStr::from_ptr(*at).to_bytes();
                if let Some(equals) = text.iter().position(|b| *b == b'=') {
                    let (name, value) = (&text[..equals], &text[equals + 1..]);
                    if crate::input::is_wanted(b"env", name) && !name.starts_with(b"OFFSHOOT_") {
                        let source = self.source(b"env:", name, b"");
                        self.mark_input(source, 0, value.as_ptr() as u64, value.len() as u64 + end);
                    }
                }
                at = at.add(1);
            }
        }
    }

    /// Module uid and site within the module.
    pub fn locate(&self, site: u32) -> (u64, u32) {
        let modules = &self.header().regions[RegionId::Modules as usize];
        let count = modules.used.load(Ordering::Relaxed) as usize;
        let first = unsafe { self.header.cast::<u8>().add(modules.offset as usize).cast::<ModuleEntry>() };
        let entries = unsafe { core::slice::from_raw_parts(first, count) };
        entries.iter().find(|m| site >= m.base && site < m.base + m.sites).map_or((0, site), |m| (m.uid, site - m.base))
    }
}

pub fn decimal(mut value: usize, digits: &mut [u8; 12]) -> &[u8] {
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 || at == 0 {
            return &digits[at..];
        }
    }
}
