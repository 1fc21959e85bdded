//! Input sources: named byte strings whose bytes are the variables of all terms.

use crate::arena::handle;
use crate::shadow;
use crate::state::State;
use core::sync::atomic::Ordering;
use offshoot_trace::layout::{RegionId, SourceChunk, SourceEntry, status};
use offshoot_trace::node::{HAS_INPUT, Handle};
use offshoot_trace::{Node, NodeId, Op};

/// What is symbolic, in the words of `Header::symbolic`.
static mut SPECIFICATION: [u8; 1024] = [0; 1024];

pub fn set_specification(text: &[u8]) {
    let len = text.len().min(1023);
    unsafe {
        let to = &raw mut SPECIFICATION;
        let to = &mut *to;
        to[..len].copy_from_slice(&text[..len]);
        to[len] = 0;
    }
}

fn words() -> impl Iterator<Item = &'static [u8]> {
    let text = &raw const SPECIFICATION;
    let text: &'static [u8; 1024] = unsafe { &*text };
    let end = text.iter().position(|b| *b == 0).unwrap_or(0);
    text[..end].split(|b| *b == b',')
}

/// Is this one source asked for by its own name (`file:PATH`)?
pub fn is_named(kind: &[u8], name: &[u8]) -> bool {
    words().any(|word| {
        word.len() == kind.len() + 1 + name.len()
            && word.starts_with(kind)
            && word[kind.len()] == b':'
            && word.ends_with(name)
    })
}

/// Is a source of this kind and name symbolic? `arg` covers all arguments, `arg:2` one; likewise `file`, `env`.
pub fn is_wanted(kind: &[u8], name: &[u8]) -> bool {
    words().any(|word| word == kind) || is_named(kind, name)
}

impl State {
    /// The source of this name, made on first use; 0 if there is no room.
    pub fn source(&mut self, prefix: &[u8], name: &[u8], suffix: &[u8]) -> u32 {
        let count = self.header().regions[RegionId::Sources as usize].used.load(Ordering::Relaxed) as u32;
        let length = prefix.len() + name.len() + suffix.len();
        for id in 1..count {
            let entry = unsafe { *self.sources.add(id as usize) };
            if entry.name_len as usize != length {
                continue;
            }
            let known = unsafe { core::slice::from_raw_parts(self.blob.add(entry.name as usize), length) };
            let (start, rest) = known.split_at(prefix.len());
            let (middle, end) = rest.split_at(name.len());
            if start == prefix && middle == name && end == suffix {
                return id;
            }
        }
        let region = &self.header().regions[RegionId::Sources as usize];
        if u64::from(count) >= region.capacity {
            self.header().status.fetch_or(status::BLOB_BUDGET, Ordering::Relaxed);
            return 0;
        }
        let at = self.blob_allocate(length as u64 + 1, 1);
        if at == 0 {
            return 0;
        }
        let mut to = at as usize;
        for part in [prefix, name, suffix] {
            unsafe { core::ptr::copy_nonoverlapping(part.as_ptr(), self.blob.add(to), part.len()) };
            to += part.len();
        }
        let entry = SourceEntry { name: at, name_len: length as u32, ..SourceEntry::default() };
        unsafe { *self.sources.add(count as usize) = entry };
        self.header().regions[RegionId::Sources as usize].used.store(u64::from(count) + 1, Ordering::Relaxed);
        count
    }

    /// The node of one input byte.
    pub fn input_byte(&mut self, source: u32, offset: u64, value: u8) -> NodeId {
        let node = Node { op: Op::Byte as u8, width: 8, flags: HAS_INPUT, aux: 0, a: source, rest: offset };
        let id = self.intern_leaf(node);
        if id != 0 {
            self.set_known(id, u128::from(value));
        }
        id
    }

    /// The bytes at `address` are those of `source` from `offset` on: marks them and keeps a copy in the trace.
    pub fn mark_input(&mut self, source: u32, offset: u64, address: u64, size: u64) {
        if source == 0 || size == 0 {
            return;
        }
        let bytes = unsafe { core::slice::from_raw_parts(address as *const u8, size as usize) };
        if !self.keep_bytes(source, offset, bytes) {
            return shadow::clear(address, size);
        }
        let mut run_start: u64 = 0;
        let mut run_first: Handle = 0;
        let mut previous: NodeId = 0;
        for (i, byte) in bytes.iter().enumerate() {
            let id = self.input_byte(source, offset + i as u64, *byte);
            if id == 0 {
                return shadow::clear(address, size);
            }
            if i == 0 {
                run_first = handle(id);
            } else if id != previous + 1 {
                shadow::set_bytes(address + run_start, i as u64 - run_start, run_first);
                run_start = i as u64;
                run_first = handle(id);
            }
            previous = id;
        }
        shadow::set_bytes(address + run_start, size - run_start, run_first);
        self.expect_terms_over(run_first >> 3, size - run_start);
    }

    /// Copies input bytes into the trace, once each. False if there is no room: then they must stay concrete.
    pub fn keep_bytes(&mut self, source: u32, offset: u64, bytes: &[u8]) -> bool {
        let entry = unsafe { *self.sources.add(source as usize) };
        let end = offset + bytes.len() as u64;
        if end > u64::from(u32::MAX) {
            return false;
        }
        // `len` is the end of what has been read without a gap, or of the furthest read.
        if end <= u64::from(entry.len) && entry.reserved == 0 {
            return true;
        }
        if self.extend_last_chunk(source, offset, bytes) {
            return true;
        }
        let size = size_of::<SourceChunk>() as u64;
        let at = self.blob_allocate(size + bytes.len() as u64, 8);
        if at == 0 {
            return false;
        }
        unsafe {
            let chunk = self.blob.add(at as usize).cast::<SourceChunk>();
            *chunk = SourceChunk { next: 0, offset, len: bytes.len() as u64 };
            core::ptr::copy_nonoverlapping(bytes.as_ptr(), self.blob.add((at + size) as usize), bytes.len());
            let entry = &mut *self.sources.add(source as usize);
            if entry.first_chunk == 0 {
                entry.first_chunk = at;
            } else {
                (*self.blob.add(entry.last_chunk as usize).cast::<SourceChunk>()).next = at;
            }
            entry.last_chunk = at;
            if offset > u64::from(entry.len) {
                // A gap: from now on every read is kept again.
                entry.reserved = 1;
            }
            entry.len = entry.len.max(end as u32);
        }
        true
    }

    /// A program that reads byte by byte gets one long chunk, as long as nothing else has gone into the blob.
    fn extend_last_chunk(&mut self, source: u32, offset: u64, bytes: &[u8]) -> bool {
        let entry = unsafe { *self.sources.add(source as usize) };
        if entry.last_chunk == 0 {
            return false;
        }
        let used = self.header().regions[RegionId::Blob as usize].used.load(Ordering::Relaxed);
        let chunk = unsafe { &mut *self.blob.add(entry.last_chunk as usize).cast::<SourceChunk>() };
        let end = entry.last_chunk + size_of::<SourceChunk>() as u64 + chunk.len;
        if end != used || chunk.offset + chunk.len != offset {
            return false;
        }
        let size = bytes.len() as u64;
        if self.blob_allocate(size, 1) != end {
            return false;
        }
        unsafe {
            core::ptr::copy_nonoverlapping(bytes.as_ptr(), self.blob.add(end as usize), bytes.len());
            chunk.len += size;
            let known = &mut (*self.sources.add(source as usize)).len;
            *known = (*known).max((offset + size) as u32);
        }
        true
    }
}
