//! Which object does an address belong to? Globals by binary search over what the modules registered, the stack by the
//! records of live frames, the heap by a map from 16-byte granules to objects.

use crate::state::State;
use crate::tls::tls;
use core::sync::atomic::Ordering;
use offshoot_trace::event::EventKind;
use offshoot_trace::layout::{ObjectEntry, RegionId, object_kind, status};
use offshoot_trace::node::Handle;
use offshoot_trace::{Node, Op};

/// One object id for each 16 bytes of application memory, set where an object starts.
pub const GRANULE_BASE: u64 = 0x0A00_0000_0000;
pub const GRANULE_SIZE: u64 = 1 << 42;
/// One byte for each 4 KiB: an object starts there.
pub const STARTS_BASE: u64 = 0x0F10_0000_0000;
pub const STARTS_SIZE: u64 = 1 << 32;

/// How far back the start of a heap object is looked for.
const MAX_SCAN_PAGES: u64 = 1 << 16;

/// A frame's record of stack objects, made by instrumented code.
#[repr(C)]
pub struct Frame {
    previous: *const Frame,
    description: *const FrameDescription,
    addresses: [u64; 0],
}

#[repr(C)]
pub struct FrameDescription {
    count: u32,
    site: u32,
    site_base: *const u32,
    sizes: [u64; 0],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Global {
    pub address: u64,
    pub size: u64,
    pub name: *const u8,
}

/// Sorted copies of the modules' tables, in a mapping of our own.
pub struct Globals {
    pub entries: *mut Global,
    pub count: usize,
    pub capacity: usize,
    pub sorted: bool,
}

pub static mut GLOBALS: Globals = Globals { entries: core::ptr::null_mut(), count: 0, capacity: 0, sorted: true };

fn granule(address: u64) -> *mut u32 {
    (((address & crate::shadow::MASK) >> 4) * 4 + GRANULE_BASE) as *mut u32
}

fn starts(address: u64) -> *mut u8 {
    (((address & crate::shadow::MASK) >> 12) + STARTS_BASE) as *mut u8
}

/// First of the heap objects that were freed before any event spoke of them: their ids are used again. The list goes
/// through `reserved[1]` of the entries.
static mut RECYCLED: u32 = 0;
/// The object found last: programs stay with one for a while.
static mut LAST: u32 = 0;

/// Marks an entry that an event has named: its id must not be used for another object.
const NAMED: u64 = 1;

impl State {
    fn new_object(&mut self, entry: ObjectEntry) -> u32 {
        unsafe {
            let id = RECYCLED;
            if id != 0 && entry.kind == object_kind::HEAP {
                RECYCLED = (*self.objects.add(id as usize)).reserved[1] as u32;
                *self.objects.add(id as usize) = entry;
                return id;
            }
        }
        let region = &self.header().regions[RegionId::Objects as usize];
        let id = region.used.load(Ordering::Relaxed);
        if id >= region.capacity {
            self.header().status.fetch_or(status::OBJECT_BUDGET, Ordering::Relaxed);
            return 0;
        }
        region.used.store(id + 1, Ordering::Relaxed);
        unsafe { *self.objects.add(id as usize) = entry };
        id as u32
    }

    /// A heap block has been allocated. Gives back the handle of its address: a constant with a provenance if the size is
    /// symbolic, so that accesses are checked against the size's term.
    pub fn allocated(&mut self, address: u64, size: u64, size_term: Handle, site: u32) -> Handle {
        if address == 0 {
            return 0;
        }
        crate::shadow::clear(address, size);
        let has_input = size_term != 0 && self.node(size_term >> 3).has_input();
        let size_term = if has_input { size_term >> 3 } else { 0 };
        let entry =
            ObjectEntry { base: address, size, size_term, kind: object_kind::HEAP, site, ..ObjectEntry::default() };
        let id = self.new_object(entry);
        if id == 0 {
            return 0;
        }
        unsafe {
            *granule(address) = id;
            *starts(address) = 1;
        }
        if size_term == 0 {
            return 0;
        }
        self.check(site, size_term << 3, u128::from(size), 64, "allocation size");
        self.event(EventKind::Allocate, false, site, size_term, &[u64::from(id), size]);
        unsafe { (*self.objects.add(id as usize)).reserved[0] |= NAMED };
        self.has_pointers = true;
        let node = Node { op: Op::Pointer as u8, width: 64, flags: 0, aux: 0, a: id, rest: address };
        crate::arena::handle(self.intern_leaf(node))
    }

    /// A heap block is about to be freed.
    pub fn freed(&mut self, address: u64, site: u32) {
        if address == 0 {
            return;
        }
        let slot = granule(address);
        let id = unsafe { *slot };
        let known = id != 0 && unsafe { (*self.objects.add(id as usize)).base } == address;
        if !known {
            // Into the middle of a live block; or allocated by code that is not instrumented, which is none of ours.
            let around = self.find_granule(address);
            if around != 0 && unsafe { (*self.objects.add(around as usize)).kind } == object_kind::HEAP {
                self.event(EventKind::Free, true, site, 0, &[address]);
            }
            return;
        }
        let entry = unsafe { &mut *self.objects.add(id as usize) };
        if entry.kind == object_kind::FREED {
            self.event(EventKind::Free, true, site, 0, &[address]);
            return;
        }
        crate::shadow::clear(address, entry.size);
        if entry.reserved[0] & NAMED != 0 {
            entry.kind = object_kind::FREED;
            self.event(EventKind::Free, false, site, 0, &[u64::from(id)]);
            return;
        }
        unsafe {
            *slot = 0;
            *entry = ObjectEntry { reserved: [0, u64::from(RECYCLED)], ..ObjectEntry::default() };
            RECYCLED = id;
        }
    }

    /// Size of the live heap block at `address`, if we know it.
    pub fn heap_size(&self, address: u64) -> Option<u64> {
        let id = unsafe { *granule(address) };
        let entry = unsafe { *self.objects.add(id as usize) };
        (id != 0 && entry.base == address && entry.kind == object_kind::HEAP).then_some(entry.size)
    }

    /// A stack block of variable size.
    pub fn dynamic_stack(&mut self, address: u64, size: u64, size_term: u32, site: u32) {
        let entry =
            ObjectEntry { base: address, size, size_term, kind: object_kind::STACK, site, ..ObjectEntry::default() };
        let id = self.new_object(entry);
        if id != 0 {
            unsafe {
                *granule(address) = id;
                *starts(address) = 1;
            }
        }
    }

    /// The id of the object that `address` lies in (or just behind), 0 if unknown. The object may be spoken of in an
    /// event afterwards.
    pub fn object_at(&mut self, address: u64) -> u32 {
        let id = self.find_object(address);
        if id != 0 {
            unsafe { (*self.objects.add(id as usize)).reserved[0] |= NAMED };
        }
        id
    }

    fn find_object(&mut self, address: u64) -> u32 {
        let last = unsafe { *self.objects.add(LAST as usize) };
        let lasting = last.kind == object_kind::HEAP || last.kind == object_kind::GLOBAL;
        if lasting && address >= last.base && address < last.base + last.size {
            return unsafe { LAST };
        }
        let found = self.search_object(address);
        unsafe { LAST = found };
        found
    }

    fn search_object(&mut self, address: u64) -> u32 {
        if let Some(global) = find_global(address) {
            return self.lasting_object(global.address, global.size, object_kind::GLOBAL, 0, global.name);
        }
        if let Some((base, size, site)) = find_on_stack(address) {
            return self.lasting_object(base, size, object_kind::STACK, site, core::ptr::null());
        }
        self.find_granule(address)
    }

    fn find_granule(&self, address: u64) -> u32 {
        let mut at = address & !15;
        for _ in 0..MAX_SCAN_PAGES {
            let page = at & !0xFFF;
            if unsafe { *starts(at) } != 0 {
                loop {
                    let id = unsafe { *granule(at) };
                    if id != 0 {
                        let entry = unsafe { *self.objects.add(id as usize) };
                        // One past the end still belongs to the object.
                        let inside = address >= entry.base && address <= entry.base + entry.size;
                        let marker = 0u8;
                        let sp = &raw const marker as u64;
                        let dead_stack = entry.kind == object_kind::STACK && entry.base < sp;
                        return if inside && !dead_stack { id } else { 0 };
                    }
                    if at == page {
                        break;
                    }
                    at -= 16;
                }
            }
            if page == 0 {
                return 0;
            }
            at = page - 16;
        }
        0
    }

    /// An entry for a stack or global object, the same one for the same place.
    fn lasting_object(&mut self, base: u64, size: u64, kind: u32, site: u32, name: *const u8) -> u32 {
        let slot = granule(base);
        let id = unsafe { *slot };
        if id != 0 {
            let entry = unsafe { *self.objects.add(id as usize) };
            if entry.base == base && entry.size == size && entry.kind == kind {
                return id;
            }
        }
        let name = if name.is_null() {
            0
        } else {
            let text = unsafe { core::ffi::CStr::from_ptr(name.cast()) };
            self.blob_bytes(text.to_bytes()) as u32
        };
        let id = self.new_object(ObjectEntry { base, size, kind, site, name, ..ObjectEntry::default() });
        if id != 0 {
            unsafe { *slot = id };
        }
        id
    }
}

fn find_global(address: u64) -> Option<Global> {
    let globals = &raw mut GLOBALS;
    let globals = unsafe { &mut *globals };
    let entries = unsafe { core::slice::from_raw_parts_mut(globals.entries, globals.count) };
    if globals.count == 0 {
        return None;
    }
    if !globals.sorted {
        entries.sort_unstable_by_key(|g| g.address);
        globals.sorted = true;
    }
    let after = entries.partition_point(|g| g.address <= address);
    let candidate = *entries.get(after.checked_sub(1)?)?;
    // One past the end still belongs to the object, unless the next one starts there.
    (address <= candidate.address + candidate.size).then_some(candidate)
}

fn find_on_stack(address: u64) -> Option<(u64, u64, u32)> {
    let mut frame = tls().frames;
    let here = 0u8;
    let sp = &raw const here as u64;
    for _ in 0..100_000 {
        if frame.is_null() {
            return None;
        }
        // A jump or an exception through code that is not ours has left this frame: its record may be anything by now.
        if (frame as u64) < sp {
            return None;
        }
        unsafe {
            let description = &*(*frame).description;
            let addresses = (&raw const (*frame).addresses).cast::<u64>();
            let sizes = (&raw const description.sizes).cast::<u64>();
            for i in 0..description.count as usize {
                let (base, size) = (*addresses.add(i), *sizes.add(i));
                if address >= base && address <= base + size {
                    return Some((base, size, *description.site_base + description.site));
                }
            }
            frame = (*frame).previous;
        }
    }
    None
}

#[unsafe(no_mangle)]
pub extern "C" fn __off_alloca(address: u64, size: u64, count: Handle, width: u32, scale: u64, site: u32) {
    let _ = (width, scale);
    crate::shadow::clear(address, size);
    let Some(mut state) = crate::state::enter() else { return };
    let term = if count != 0 && scale == 1 && width == 64 { count >> 3 } else { 0 };
    state.dynamic_stack(address, size, term, site);
    if count != 0 {
        let value = size.checked_div(scale).unwrap_or(0);
        state.concretise(site, count, value, false);
    }
}
