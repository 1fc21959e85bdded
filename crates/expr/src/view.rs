//! A trace file as the run left it.
//!
//! The target wrote these bytes, and the target may have been killed half-way or be hostile. So every number found
//! here is checked before it is used as an index: a bad header is a [`ViewError`], a bad entry is `None` or a
//! [`Damage`], and nothing panics or reads outside the slice.

use crate::check::{self, Damage};
use offshoot_trace::event::{Events as Decoder, LossReason};
use offshoot_trace::layout::{
    ENTRY_SIZE, Header, MAGIC, ModuleEntry, ObjectEntry, PIECE, PieceRef, REGIONS, Region, SourceChunk, SourceEntry,
    TableEntry,
};
use offshoot_trace::node::{Handle, MAX_NODES};
use offshoot_trace::{Event, EventKind, Node, NodeId, RegionId, TRACE_VERSION};
use std::borrow::Cow;
use std::mem::{offset_of, size_of};

/// Longer inputs are damage: nobody reads that much through symbolic bytes, but a torn length may claim it.
const MAX_SOURCE_LEN: u64 = 256 << 20;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ViewError {
    #[error("not a trace: {len} bytes are too few for a header")]
    TooShort { len: usize },
    #[error("not a trace: wrong magic number {found:#018x}")]
    Magic { found: u64 },
    #[error("trace of format {found}, this tool reads {TRACE_VERSION}; build the program again")]
    Version { found: u32 },
    #[error("region {region} of the trace (offset {offset}, {capacity} entries) reaches past its end at {len}")]
    Region { region: usize, offset: u64, capacity: u64, len: usize },
}

/// A named string of input bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// `arg[1]`, `stdin`, `file:PATH`, `env:NAME`, `nondet:NAME#k`; bytes that are no UTF-8 are replaced.
    pub name: String,
    /// The name as the run wrote it.
    pub raw_name: Vec<u8>,
    /// What the run has read; bytes it skipped are 0.
    pub bytes: Vec<u8>,
}

/// The content of an object at the time of a symbolic read.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a> {
    blob: &'a [u8],
    pieces: &'a [u8],
    len: usize,
    pub object: u32,
}

impl Table<'_> {
    /// In bytes.
    pub fn len(&self) -> usize {
        self.len
    }
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// `None` behind the end.
    pub fn byte(&self, at: usize) -> Option<u8> {
        let (piece, rest) = self.piece(at)?;
        Some(part(self.blob, piece.bytes() + rest, 1).map_or(0, |b| b[0]))
    }
    /// 0 if the byte is concrete.
    pub fn handle(&self, at: usize) -> Handle {
        let place = self.piece(at).and_then(|(piece, rest)| Some(piece.handles()? + 4 * rest));
        place.and_then(|place| part(self.blob, place, 4)).map_or(0, |h| word32(h, 0))
    }
    /// The bytes that are not concrete, with their handles.
    pub fn symbolic(&self) -> impl Iterator<Item = (usize, Handle)> + '_ {
        let starts = (0..self.len).step_by(PIECE as usize);
        let symbolic =
            starts.filter_map(|start| Some((start, part(self.blob, self.piece(start)?.0.handles()?, 4 * PIECE)?)));
        symbolic.flat_map(|(start, handles)| {
            let count = (self.len - start).min(PIECE as usize);
            (0..count).map(move |i| (start + i, word32(handles, 4 * i))).filter(|(_, handle)| *handle != 0)
        })
    }
    /// Every piece is in the trace. (Where one is not, bytes and handles are 0.)
    pub fn is_whole(&self) -> bool {
        (0..self.len).step_by(PIECE as usize).filter_map(|at| self.piece(at)).all(|(piece, _)| {
            part(self.blob, piece.bytes(), PIECE).is_some()
                && piece.handles().is_none_or(|handles| part(self.blob, handles, 4 * PIECE).is_some())
        })
    }
    /// The piece that a byte is in, and its place there.
    fn piece(&self, at: usize) -> Option<(PieceRef, u64)> {
        if at >= self.len {
            return None;
        }
        let at = at as u64;
        Some((PieceRef(word32(self.pieces, (at / PIECE) as usize * 4)), at % PIECE))
    }
}

fn part(blob: &[u8], at: u64, len: u64) -> Option<&[u8]> {
    blob.get(usize::try_from(at).ok()?..usize::try_from(at.checked_add(len)?).ok()?)
}

/// Bytes written to a file descriptor.
#[derive(Clone, Copy, Debug)]
pub struct Output<'a> {
    pub fd: i32,
    pub bytes: &'a [u8],
    handles: Option<&'a [u8]>,
}

impl Output<'_> {
    /// 0 if the byte is concrete.
    pub fn handle(&self, at: usize) -> Handle {
        self.handles.and_then(|h| h.get(at * 4..at * 4 + 4)).map_or(0, |h| word32(h, 0))
    }
}

#[derive(Clone, Copy)]
pub struct TraceView<'a> {
    bytes: &'a [u8],
    /// The used part of each region.
    regions: [&'a [u8]; REGIONS],
}

fn word32(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes)
}

fn word64(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).and_then(|b| b.try_into().ok()).map_or(0, u64::from_le_bytes)
}

impl<'a> TraceView<'a> {
    /// `used` is taken from the header once and cut to the capacity (a run that filled a region may have counted on).
    pub fn new(bytes: &'a [u8]) -> Result<TraceView<'a>, ViewError> {
        if bytes.len() < size_of::<Header>() {
            return Err(ViewError::TooShort { len: bytes.len() });
        }
        let magic = word64(bytes, offset_of!(Header, magic));
        if magic != MAGIC {
            return Err(ViewError::Magic { found: magic });
        }
        let version = word32(bytes, offset_of!(Header, version));
        if version != TRACE_VERSION {
            return Err(ViewError::Version { found: version });
        }
        let mut regions: [&[u8]; REGIONS] = [&[]; REGIONS];
        for (region, slot) in regions.iter_mut().enumerate() {
            let at = offset_of!(Header, regions) + region * size_of::<Region>();
            let offset = word64(bytes, at + offset_of!(Region, offset));
            let capacity = word64(bytes, at + offset_of!(Region, capacity));
            let used = word64(bytes, at + offset_of!(Region, used)).min(capacity);
            let end = capacity.checked_mul(ENTRY_SIZE[region]).and_then(|size| size.checked_add(offset));
            if end.is_none_or(|end| end > bytes.len() as u64) {
                return Err(ViewError::Region { region, offset, capacity, len: bytes.len() });
            }
            let start = offset as usize;
            *slot = &bytes[start..start + (used * ENTRY_SIZE[region]) as usize];
        }
        let nodes = regions[RegionId::Nodes as usize];
        let limit = (MAX_NODES as u64 * ENTRY_SIZE[RegionId::Nodes as usize]) as usize;
        regions[RegionId::Nodes as usize] = &nodes[..nodes.len().min(limit)];
        Ok(TraceView { bytes, regions })
    }

    /// A copy of the trace without the room that it did not use.
    pub fn compact(&self) -> Vec<u8> {
        let mut copy = self.bytes[..size_of::<Header>()].to_vec();
        for (region, used) in self.regions.iter().enumerate() {
            copy.resize(copy.len().next_multiple_of(8), 0);
            let at = offset_of!(Header, regions) + region * size_of::<Region>();
            let count = used.len() as u64 / ENTRY_SIZE[region];
            let fields = [
                (offset_of!(Region, offset), copy.len() as u64),
                (offset_of!(Region, capacity), count),
                (offset_of!(Region, used), count),
            ];
            for (field, value) in fields {
                copy[at + field..at + field + 8].copy_from_slice(&value.to_le_bytes());
            }
            copy.extend_from_slice(used);
        }
        copy
    }

    fn region(&self, id: RegionId) -> &'a [u8] {
        self.regions[id as usize]
    }

    fn entry(&self, id: RegionId, index: u32) -> Option<&'a [u8]> {
        let size = ENTRY_SIZE[id as usize] as usize;
        let at = (index as usize).checked_mul(size)?;
        self.region(id).get(at..at + size)
    }

    fn count(&self, id: RegionId) -> u32 {
        (self.region(id).len() as u64 / ENTRY_SIZE[id as usize]).min(u32::MAX as u64) as u32
    }

    // --- header

    /// Bits of `layout::status`.
    pub fn status(&self) -> u32 {
        word32(self.bytes, offset_of!(Header, status))
    }
    /// Bits of `layout::config`.
    pub fn config(&self) -> u32 {
        word32(self.bytes, offset_of!(Header, config))
    }
    /// 0 if no process claimed the trace.
    pub fn pid(&self) -> u32 {
        word32(self.bytes, offset_of!(Header, pid))
    }
    pub fn dropped_events(&self) -> u64 {
        word64(self.bytes, offset_of!(Header, dropped_events))
    }
    pub fn selfcheck_events(&self) -> u64 {
        word64(self.bytes, offset_of!(Header, selfcheck_events))
    }
    pub fn selfcheck_mismatches(&self) -> u64 {
        word64(self.bytes, offset_of!(Header, selfcheck_mismatches))
    }

    // --- nodes and events

    /// Nodes have the ids `1..node_end()`.
    pub fn node_end(&self) -> NodeId {
        self.count(RegionId::Nodes)
    }

    /// The node's words, unchecked.
    pub fn raw_node(&self, id: NodeId) -> Option<Node> {
        if id == 0 {
            return None;
        }
        let entry = self.entry(RegionId::Nodes, id)?;
        Some(Node {
            op: entry[0],
            width: entry[1],
            flags: entry[2],
            aux: entry[3],
            a: word32(entry, 4),
            rest: word64(entry, 8),
        })
    }

    /// A node whose operation is known, whose operands come before it and whose widths fit. Its operands may be
    /// damaged themselves.
    pub fn node(&self, id: NodeId) -> Result<Node, Damage> {
        check::node(self, id)
    }

    pub fn events(&self) -> Events<'a> {
        Events { words: self.region(RegionId::Events) }
    }

    // --- objects, modules, coverage

    pub fn object_end(&self) -> u32 {
        self.count(RegionId::Objects)
    }

    pub fn object(&self, id: u32) -> Option<ObjectEntry> {
        let e = self.entry(RegionId::Objects, id).filter(|_| id != 0)?;
        Some(ObjectEntry {
            base: word64(e, offset_of!(ObjectEntry, base)),
            size: word64(e, offset_of!(ObjectEntry, size)),
            size_term: word32(e, offset_of!(ObjectEntry, size_term)),
            kind: word32(e, offset_of!(ObjectEntry, kind)),
            site: word32(e, offset_of!(ObjectEntry, site)),
            name: word32(e, offset_of!(ObjectEntry, name)),
            reserved: [0; 2],
        })
    }

    pub fn object_name(&self, object: &ObjectEntry) -> Option<Cow<'a, str>> {
        if object.name == 0 { None } else { self.text(object.name as u64) }
    }

    pub fn modules(&self) -> impl Iterator<Item = ModuleEntry> + use<'a> {
        let view = *self;
        (0..self.count(RegionId::Modules)).filter_map(move |index| {
            let e = view.entry(RegionId::Modules, index)?;
            Some(ModuleEntry {
                uid: word64(e, offset_of!(ModuleEntry, uid)),
                base: word32(e, offset_of!(ModuleEntry, base)),
                sites: word32(e, offset_of!(ModuleEntry, sites)),
                coverage: word64(e, offset_of!(ModuleEntry, coverage)),
                reserved: 0,
            })
        })
    }

    /// The module of a global site number, and the site's index in it.
    pub fn locate(&self, site: u32) -> Option<(ModuleEntry, u32)> {
        if site == 0 {
            return None;
        }
        self.modules().find_map(|m| {
            let local = site.checked_sub(m.base)?;
            (local < m.sites).then_some((m, local))
        })
    }

    pub fn coverage(&self) -> &'a [u8] {
        self.region(RegionId::Coverage)
    }

    /// Two bytes for each site of the module: how often the outcome 0 and the outcome 1 were seen (saturating).
    pub fn module_coverage(&self, module: &ModuleEntry) -> Option<&'a [u8]> {
        let start = usize::try_from(module.coverage).ok()?;
        let end = start.checked_add((module.sites as usize).checked_mul(2)?)?;
        self.coverage().get(start..end)
    }

    // --- blob

    pub fn blob(&self, offset: u64, len: u64) -> Option<&'a [u8]> {
        let end = offset.checked_add(len)?;
        self.region(RegionId::Blob).get(usize::try_from(offset).ok()?..usize::try_from(end).ok()?)
    }

    /// The NUL-terminated text at `offset`.
    pub fn text(&self, offset: u64) -> Option<Cow<'a, str>> {
        let tail = self.region(RegionId::Blob).get(usize::try_from(offset).ok()?..)?;
        let end = tail.iter().position(|&b| b == 0)?;
        Some(String::from_utf8_lossy(&tail[..end]))
    }

    /// What an `Output` event wrote.
    pub fn output(&self, event: &Event) -> Option<Output<'a>> {
        if event.kind != EventKind::Output {
            return None;
        }
        const HAS_HANDLES: u64 = 1 << 63;
        let len = event.payload[0] & 0xFFFF_FFFF;
        let at = event.payload[1] & !HAS_HANDLES;
        let handles = if event.payload[1] & HAS_HANDLES != 0 {
            Some(self.blob(at.checked_add(len)?.checked_next_multiple_of(4)?, len * 4)?)
        } else {
            None
        };
        Some(Output { fd: (event.payload[0] >> 32) as i32, bytes: self.blob(at, len)?, handles })
    }

    /// What a `Loss` event says.
    pub fn loss(&self, event: &Event) -> Option<(LossReason, Cow<'a, str>)> {
        if event.kind != EventKind::Loss {
            return None;
        }
        let reason = LossReason::from_u8(event.payload[0] as u8)?;
        let name = event.payload[0] >> 32;
        let name = if name == 0 { None } else { self.text(name) };
        Some((reason, name.unwrap_or_default()))
    }

    // --- sources and tables

    /// Sources have the ids `1..source_end()`.
    pub fn source_end(&self) -> u32 {
        self.count(RegionId::Sources)
    }

    /// `None`: damaged, or no such source.
    pub fn source(&self, id: u32) -> Option<Source> {
        let (entry, raw_name) = self.source_entry(id)?;
        let bytes = self.source_bytes(&entry)?;
        Some(Source { name: String::from_utf8_lossy(raw_name).into_owned(), raw_name: raw_name.to_vec(), bytes })
    }

    /// As the run wrote it, without the bytes.
    pub fn source_name(&self, id: u32) -> Option<&'a [u8]> {
        self.source_entry(id).map(|(_, name)| name)
    }

    /// The names of all sources, by id; `source#ID` where the name is damaged.
    pub fn source_names(&self) -> Vec<String> {
        let name = |id| match self.source_entry(id) {
            Some((_, name)) => String::from_utf8_lossy(name).into_owned(),
            None => format!("source#{id}"),
        };
        (0..self.source_end()).map(name).collect()
    }

    fn source_entry(&self, id: u32) -> Option<(SourceEntry, &'a [u8])> {
        let e = self.entry(RegionId::Sources, id).filter(|_| id != 0)?;
        let entry = SourceEntry {
            name: word64(e, offset_of!(SourceEntry, name)),
            name_len: word32(e, offset_of!(SourceEntry, name_len)),
            len: word32(e, offset_of!(SourceEntry, len)),
            first_chunk: word64(e, offset_of!(SourceEntry, first_chunk)),
            last_chunk: word64(e, offset_of!(SourceEntry, last_chunk)),
            reserved: 0,
        };
        Some((entry, self.blob(entry.name, entry.name_len as u64)?))
    }

    /// Later chunks overwrite earlier ones; what no chunk covers is 0. A list that is a cycle, or whose chunks add up
    /// to more than the whole blob, is damage: so the work is bounded by the size of the file.
    fn source_bytes(&self, entry: &SourceEntry) -> Option<Vec<u8>> {
        if entry.len as u64 > MAX_SOURCE_LEN {
            return None;
        }
        let header = size_of::<SourceChunk>() as u64;
        let mut budget = self.region(RegionId::Blob).len() as u64;
        let mut bytes = vec![0; entry.len as usize];
        let mut at = entry.first_chunk;
        while at != 0 {
            let chunk = self.blob(at, header)?;
            let offset = word64(chunk, offset_of!(SourceChunk, offset));
            let len = word64(chunk, offset_of!(SourceChunk, len));
            budget = budget.checked_sub(header.checked_add(len)?)?;
            let data = self.blob(at + header, len)?;
            let end = offset.checked_add(len).filter(|&end| end <= MAX_SOURCE_LEN)? as usize;
            if bytes.len() < end {
                bytes.resize(end, 0);
            }
            bytes[offset as usize..end].copy_from_slice(data);
            at = word64(chunk, offset_of!(SourceChunk, next));
        }
        Some(bytes)
    }

    /// `None`: damaged, or no such table.
    pub fn table(&self, id: u32) -> Option<Table<'a>> {
        let e = self.entry(RegionId::Tables, id).filter(|_| id != 0)?;
        let len = word32(e, offset_of!(TableEntry, len)) as u64;
        let pieces = self.blob(word64(e, offset_of!(TableEntry, pieces)), 4 * len.div_ceil(PIECE))?;
        let object = word32(e, offset_of!(TableEntry, object));
        Some(Table { blob: self.region(RegionId::Blob), pieces, len: len as usize, object })
    }

    pub fn table_end(&self) -> u32 {
        self.count(RegionId::Tables)
    }
}

impl std::fmt::Debug for TraceView<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TraceView({} nodes, {} event bytes)", self.node_end(), self.region(RegionId::Events).len())
    }
}

/// The events of a trace, in order, up to the first that makes no sense.
#[derive(Clone)]
pub struct Events<'a> {
    words: &'a [u8],
}

impl Iterator for Events<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        // The file's bytes need not be aligned, so the one decoder that both sides share gets a copy of the few words
        // that an event can have.
        let mut words = [0; 4];
        let count = (self.words.len() / 8).min(words.len());
        for (index, word) in words[..count].iter_mut().enumerate() {
            *word = word64(self.words, index * 8);
        }
        let event = Decoder::new(&words[..count]).next();
        match event {
            Some(event) => self.words = &self.words[(1 + event.kind.payload()) * 8..],
            None => self.words = &[],
        }
        event
    }
}
