//! Loads, stores and bulk operations on shadow memory.

use crate::arena::{Operand, handle};
use crate::shadow;
use crate::state::{State, enter};
use offshoot_trace::event::{EventKind, LossReason};
use offshoot_trace::node::Handle;
use offshoot_trace::{Node, NodeId, Op};

/// The term of `size` bytes at `address`, whose own term is `pointer`.
#[unsafe(no_mangle)]
pub extern "C" fn __off_load(address: u64, size: u32, pointer: Handle, site: u32) -> Handle {
    let Some(mut state) = enter() else { return 0 };
    let term = if pointer != 0 { state.load_through(address, size, pointer, site) } else { state.load(address, size) };
    if state.selfcheck && term != 0 {
        let value = read_bytes(address, size);
        state.check(site, handle(term), value, (8 * size) as u8, "load");
    }
    handle(term)
}

fn read_bytes(address: u64, size: u32) -> u128 {
    (0..size).fold(0, |value, i| value | u128::from(unsafe { *((address + u64::from(i)) as *const u8) }) << (8 * i))
}

#[unsafe(no_mangle)]
pub extern "C" fn __off_store(address: u64, size: u32, value: Handle, pointer: Handle, site: u32, concrete: u64) {
    if pointer != 0
        && let Some(mut state) = enter()
    {
        state.access(address, size, pointer, site, true);
        state.concretise(site, pointer, address, true);
    }
    if value != 0
        && let Some(mut state) = enter()
    {
        state.check(site, value, u128::from(concrete), (8 * size.min(8)) as u8, "store");
    }
    __off_store_unchecked(address, size, value, 0, 0, 0);
}

#[unsafe(no_mangle)]
pub extern "C" fn __off_store_unchecked(address: u64, size: u32, value: Handle, _: Handle, _: u32, _: u64) {
    if value == 0 {
        shadow::clear(address, u64::from(size));
    } else if size <= 8 {
        shadow::set(address, u64::from(size), value);
    } else {
        let Some(mut state) = enter() else { return shadow::clear(address, u64::from(size)) };
        let low = state.unary(Op::Extract, 64, value >> 3, 0);
        let high = state.unary(Op::Extract, (8 * (size - 8)) as u8, value >> 3, 64);
        if low == 0 || high == 0 {
            return shadow::clear(address, u64::from(size));
        }
        shadow::set(address, 8, handle(low));
        shadow::set(address + 8, u64::from(size) - 8, handle(high));
    }
}

impl State {
    /// The term of `size` bytes, 0 if they are all concrete.
    pub fn load(&mut self, address: u64, size: u32) -> NodeId {
        let cells = unsafe { core::slice::from_raw_parts(shadow::cell(address), size as usize) };
        let first = cells[0];
        if size == 1 {
            return if first == 0 { 0 } else { self.byte_of(first) };
        }
        // A term that was stored whole.
        if first != 0 && first & 7 == 0 && size <= 8 {
            if cells.iter().zip(first..).all(|(cell, expected)| *cell == expected)
                && u32::from(self.node(first >> 3).width) == 8 * size
            {
                return first >> 3;
            }
            if let Some(read) = self.input_run(first, cells, size) {
                return read;
            }
        }
        self.assemble(address, cells)
    }

    /// Consecutive input bytes.
    fn input_run(&mut self, first: Handle, cells: &[Handle], size: u32) -> Option<NodeId> {
        let id = first >> 3;
        let low = self.node(id);
        if low.op != Op::Byte as u8 || !cells.iter().enumerate().all(|(i, cell)| *cell == first + ((i as u32) << 3)) {
            return None;
        }
        let high = self.node(id + size - 1);
        if high.op != Op::Byte as u8 || high.a != low.a || high.rest != low.rest + u64::from(size) - 1 {
            return None;
        }
        let node = Node {
            op: Op::Read as u8,
            width: (8 * size) as u8,
            flags: offshoot_trace::node::HAS_INPUT,
            aux: size as u8,
            a: id,
            rest: 0,
        };
        Some(self.intern(node, id))
    }

    /// The 8-bit term of one cell.
    pub fn byte_of(&mut self, cell: Handle) -> NodeId {
        let id = cell >> 3;
        if self.node(id).width <= 8 { id } else { self.unary(Op::Extract, 8, id, u64::from(cell & 7) * 8) }
    }

    fn assemble(&mut self, address: u64, cells: &[Handle]) -> NodeId {
        if cells.iter().all(|c| *c == 0) {
            return 0;
        }
        let mut whole: NodeId = 0;
        let mut i = 0;
        while i < cells.len() {
            let cell = cells[i];
            let mut len = 1;
            let piece = if cell == 0 {
                while i + len < cells.len() && cells[i + len] == 0 && len < 8 {
                    len += 1;
                }
                let value = read_bytes(address + i as u64, len as u32);
                self.constant((8 * len) as u8, value as u64)
            } else {
                while i + len < cells.len() && cells[i + len] == cell + len as u32 && (cell & 7) + (len as u32) < 8 {
                    len += 1;
                }
                let id = cell >> 3;
                if cell & 7 == 0 && usize::from(self.node(id).width) == 8 * len {
                    id
                } else {
                    self.unary(Op::Extract, (8 * len) as u8, id, u64::from(cell & 7) * 8)
                }
            };
            whole = if i == 0 { piece } else { self.concat(piece, whole) };
            if whole == 0 {
                return 0;
            }
            i += len;
        }
        whole
    }

    /// Notes a memory access through a symbolic address.
    pub fn access(&mut self, address: u64, size: u32, pointer: Handle, site: u32, write: bool) -> u32 {
        let object = self.object_at(address);
        self.check(site, pointer, u128::from(address), 64, "address");
        let payload = [address, u64::from(object) << 32 | u64::from(size)];
        self.event(EventKind::Access, write, site, pointer >> 3, &payload);
        object
    }

    /// A load through a symbolic address: a table over the object if it is small, else one value of the address.
    fn load_through(&mut self, address: u64, size: u32, pointer: Handle, site: u32) -> NodeId {
        let object = self.access(address, size, pointer, site, false);
        if !self.node(pointer >> 3).has_input() {
            return self.load(address, size);
        }
        let entry = unsafe { *self.objects.add(object as usize) };
        let inside = object != 0 && address >= entry.base && address + u64::from(size) <= entry.base + entry.size;
        if !inside || entry.size > self.table_limit || size > 16 {
            self.concretise(site, pointer, address, false);
            self.lose(site, pointer >> 3, LossReason::LargeObject, 0);
            return self.load(address, size);
        }
        let table = self.table(entry.base, entry.size, object);
        if table == 0 {
            return self.load(address, size);
        }
        let offset = self.binary(Op::Sub, 64, Operand::Term(pointer >> 3), Operand::Value(entry.base));
        if offset == 0 {
            return 0;
        }
        let node = Node {
            op: Op::Select as u8,
            width: (8 * size) as u8,
            flags: offshoot_trace::node::HAS_INPUT,
            aux: size as u8,
            a: table,
            rest: Node::pair(offset, 0),
        };
        self.intern(node, offset)
    }

    /// A length handed to a memory function.
    pub fn length(&mut self, site: u32, term: Handle, value: u64, address: u64, write: bool) {
        if term == 0 || !self.node(term >> 3).has_input() {
            return;
        }
        let object = self.object_at(address);
        self.check(site, term, u128::from(value), 64, "length");
        let payload = [value, address, u64::from(object) << 32 | u64::from(write)];
        self.event(EventKind::Length, write, site, term >> 3, &payload);
        self.concretise(site, term, value, false);
    }

    /// An address handed to a memory function.
    pub fn pointer_argument(&mut self, site: u32, term: Handle, address: u64, size: u64, write: bool) {
        if term == 0 || !self.node(term >> 3).has_input() {
            return;
        }
        self.access(address, size.min(u64::from(u32::MAX)) as u32, term, site, write);
        self.concretise(site, term, address, write);
    }
}

// ----- bulk operations -----

#[unsafe(no_mangle)]
pub extern "C" fn __off_clear(address: u64, size: u64) {
    shadow::clear(address, size);
}

#[unsafe(no_mangle)]
pub extern "C" fn __off_copy_shadow(to: u64, from: u64, size: u64) {
    shadow::copy(to, from, size);
}

/// Called before the bytes move.
#[unsafe(no_mangle)]
pub extern "C" fn __off_memmove_shadow(
    to: u64,
    from: u64,
    size: u64,
    h_to: Handle,
    h_from: Handle,
    h_size: Handle,
    site: u32,
) {
    if h_to | h_from | h_size != 0
        && let Some(mut state) = enter()
    {
        state.length(site, h_size, size, to, true);
        state.length(site, h_size, size, from, false);
        state.pointer_argument(site, h_to, to, size, true);
        state.pointer_argument(site, h_from, from, size, false);
    }
    shadow::copy(to, from, size);
}

#[unsafe(no_mangle)]
pub extern "C" fn __off_memset_shadow(
    to: u64,
    value: u64,
    size: u64,
    h_to: Handle,
    h_value: Handle,
    h_size: Handle,
    site: u32,
) {
    let _ = value;
    if h_to | h_size != 0
        && let Some(mut state) = enter()
    {
        state.length(site, h_size, size, to, true);
        state.pointer_argument(site, h_to, to, size, true);
    }
    let byte = if h_value == 0 {
        0
    } else {
        enter().map_or(0, |mut state| handle(state.unary(Op::Extract, 8, h_value >> 3, 0)))
    };
    if byte == 0 {
        return shadow::clear(to, size);
    }
    for i in 0..size {
        shadow::set(to + i, 1, byte);
    }
}

// ----- for the libc models -----

#[unsafe(no_mangle)]
pub extern "C" fn __off_concrete(address: u64, size: u64) -> i32 {
    i32::from(shadow::is_concrete(address, size))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __off_copy(to: u64, from: u64, size: u64) {
    shadow::copy(to, from, size);
    unsafe { core::ptr::copy(from as *const u8, to as *mut u8, size as usize) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __off_set(to: u64, value: i32, size: u64) {
    let [_, byte, _] = crate::tls::take_arguments::<3>(__off_set as *const () as usize);
    __off_memset_shadow(to, value as u64, size, 0, byte, 0, 0);
    unsafe { core::ptr::write_bytes(to as *mut u8, value as u8, size as usize) };
}

/// A model handles its arguments only in part.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __off_loss(function: *const u8) {
    let Some(mut state) = enter() else { return };
    let site = crate::tls::tls().call_site;
    let name = unsafe { core::ffi::CStr::from_ptr(function.cast()) };
    state.lose_named(site, LossReason::PartialModel, name.to_bytes());
}
