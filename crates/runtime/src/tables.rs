//! Snapshots of small objects, for reads through symbolic addresses (`layout::TableEntry`).

use crate::shadow;
use crate::state::State;
use core::sync::atomic::Ordering;
use offshoot_trace::layout::{PIECE, PieceRef, RegionId, TableEntry, status};
use offshoot_trace::node::Handle;

/// Snapshots among which one of the same content is looked for: programs read the same few tables over and over.
const RECENT: usize = 64;

/// A part of an object that goes into one piece.
#[derive(Clone, Copy)]
struct Part {
    address: u64,
    len: usize,
}

impl Part {
    fn of(base: u64, size: u64, index: u64) -> Part {
        Part { address: base + index * PIECE, len: (size - index * PIECE).min(PIECE) as usize }
    }
    fn is_concrete(self) -> bool {
        shadow::is_concrete(self.address, self.len as u64)
    }
    /// SAFETY: the program reads the object at this moment, so it is mapped; no slice outlives the call that takes it.
    unsafe fn bytes<'a>(self) -> &'a [u8] {
        unsafe { core::slice::from_raw_parts(self.address as *const u8, self.len) }
    }
    /// SAFETY: as for `bytes`; shadow memory is mapped for every address.
    unsafe fn cells<'a>(self) -> &'a [Handle] {
        unsafe { core::slice::from_raw_parts(shadow::cell(self.address), self.len) }
    }
}

impl State {
    /// A snapshot of the object: an earlier one if it has the same content; 0 if there is no room.
    pub fn table(&mut self, base: u64, size: u64, object: u32) -> u32 {
        let count = self.header().regions[RegionId::Tables as usize].used.load(Ordering::Relaxed);
        let pieces = size.div_ceil(PIECE);
        let mut newest = None;
        let mut differs = 0;
        for id in (1..count as u32).rev().take(RECENT) {
            let table = unsafe { *self.tables.add(id as usize) };
            if table.object != object || u64::from(table.len) != size {
                continue;
            }
            newest.get_or_insert(table);
            // Where one snapshot differs from what is there now, the one before most likely does, too.
            let different = |index: &u64| !self.is_same(self.piece(&table, *index), Part::of(base, size, *index));
            match (differs..pieces).chain(0..differs).find(different) {
                None => return id,
                Some(index) => differs = index,
            }
        }
        self.new_table(base, size, object, newest)
    }

    /// Pieces that have not changed since `previous` are shared with it.
    fn new_table(&mut self, base: u64, size: u64, object: u32, previous: Option<TableEntry>) -> u32 {
        let region = &self.header().regions[RegionId::Tables as usize];
        let id = region.used.load(Ordering::Relaxed);
        if id >= region.capacity {
            self.header().status.fetch_or(status::BLOB_BUDGET, Ordering::Relaxed);
            return 0;
        }
        let count = size.div_ceil(PIECE);
        let pieces = self.blob_allocate(4 * count, 8);
        if pieces == 0 {
            return 0;
        }
        for index in 0..count {
            let part = Part::of(base, size, index);
            let known = previous.map(|table| self.piece(&table, index)).filter(|piece| self.is_same(*piece, part));
            let Some(piece) = known.or_else(|| self.new_piece(part)) else { return 0 };
            unsafe { *self.blob.add(pieces as usize).cast::<PieceRef>().add(index as usize) = piece };
        }
        let entry = TableEntry { pieces, len: size as u32, object, reserved: [0; 2] };
        unsafe { *self.tables.add(id as usize) = entry };
        self.header().regions[RegionId::Tables as usize].used.store(id + 1, Ordering::Relaxed);
        id as u32
    }

    fn new_piece(&mut self, part: Part) -> Option<PieceRef> {
        let concrete = part.is_concrete();
        let at = self.blob_allocate(if concrete { PIECE } else { 5 * PIECE }, 8);
        if at == 0 {
            return None;
        }
        let piece = PieceRef::new(at, !concrete)?;
        // What the part does not fill is 0 already: the blob only grows.
        unsafe {
            let to = self.blob.add(at as usize);
            core::ptr::copy_nonoverlapping(part.bytes().as_ptr(), to, part.len);
            if let Some(handles) = piece.handles() {
                let to = self.blob.add(handles as usize).cast();
                core::ptr::copy_nonoverlapping(part.cells().as_ptr(), to, part.len);
            }
        }
        Some(piece)
    }

    #[inline]
    fn piece(&self, table: &TableEntry, index: u64) -> PieceRef {
        unsafe { *self.blob.add(table.pieces as usize).cast::<PieceRef>().add(index as usize) }
    }

    #[inline]
    fn is_same(&self, piece: PieceRef, part: Part) -> bool {
        unsafe {
            let bytes = self.blob.add(piece.bytes() as usize);
            // Of known size, so that it takes a few instructions: this happens for every symbolic read.
            let same = if part.len == PIECE as usize {
                let there = (part.address as *const [u8; PIECE as usize]).read_unaligned();
                bytes.cast::<[u8; PIECE as usize]>().read_unaligned() == there
            } else {
                core::slice::from_raw_parts(bytes, part.len) == part.bytes()
            };
            if !same {
                return false;
            }
            match piece.handles() {
                None => part.is_concrete(),
                Some(handles) => {
                    let handles = self.blob.add(handles as usize).cast::<Handle>();
                    core::slice::from_raw_parts(handles, part.len) == part.cells()
                }
            }
        }
    }

    /// The byte at this place, and its handle.
    pub fn table_cell(&self, table: &TableEntry, at: u64) -> (u8, Handle) {
        let (piece, rest) = (self.piece(table, at / PIECE), (at % PIECE) as usize);
        unsafe {
            let handles = piece.handles().map(|handles| self.blob.add(handles as usize).cast::<Handle>());
            (*self.blob.add(piece.bytes() as usize + rest), handles.map_or(0, |handles| *handles.add(rest)))
        }
    }
}
