//! Traces made by hand: the bytes that a run would have left. For the tests of all who read traces, so that they need
//! no instrumented program.

use offshoot_trace::event::first_word;
use offshoot_trace::layout::{
    ENTRY_SIZE, Header, MAGIC, ModuleEntry, ObjectEntry, PAGE, PIECE, PieceRef, REGIONS, Region, SourceEntry,
    TableEntry,
};
use offshoot_trace::node::{HAS_INPUT, Handle, IMM_LHS, IMM_RHS};
use offshoot_trace::{EventKind, Node, NodeId, Op, RegionId, TRACE_VERSION};
use std::mem::{offset_of, size_of};

#[derive(Clone, Debug)]
pub struct TraceBuilder {
    pub nodes: Vec<Node>,
    pub events: Vec<u64>,
    pub objects: Vec<ObjectEntry>,
    pub modules: Vec<ModuleEntry>,
    pub sources: Vec<SourceEntry>,
    pub tables: Vec<TableEntry>,
    pub blob: Vec<u8>,
    pub coverage: Vec<u8>,
    pub status: u32,
    pub config: u32,
}

impl Default for TraceBuilder {
    fn default() -> Self {
        TraceBuilder {
            nodes: vec![Node::default()],
            events: Vec::new(),
            objects: vec![ObjectEntry::default()],
            modules: Vec::new(),
            sources: vec![SourceEntry::default()],
            tables: vec![TableEntry::default()],
            blob: vec![0; 8],
            coverage: Vec::new(),
            status: offshoot_trace::layout::status::EXITED,
            config: 0,
        }
    }
}

impl TraceBuilder {
    pub fn new() -> TraceBuilder {
        TraceBuilder::default()
    }

    pub fn blob(&mut self, bytes: &[u8]) -> u64 {
        self.blob.resize(self.blob.len().next_multiple_of(8), 0);
        let at = self.blob.len() as u64;
        self.blob.extend_from_slice(bytes);
        at
    }

    /// A source with one chunk.
    pub fn source(&mut self, name: &str, bytes: &[u8]) -> u32 {
        let at = self.blob(name.as_bytes());
        let id = self.sources.len() as u32;
        self.sources.push(SourceEntry { name: at, name_len: name.len() as u32, ..SourceEntry::default() });
        if !bytes.is_empty() {
            self.chunk(id, 0, bytes);
        }
        id
    }

    /// One more chunk at the end of a source's list.
    pub fn chunk(&mut self, source: u32, offset: u64, bytes: &[u8]) {
        let mut chunk = Vec::new();
        for word in [0, offset, bytes.len() as u64] {
            chunk.extend_from_slice(&word.to_le_bytes());
        }
        chunk.extend_from_slice(bytes);
        let at = self.blob(&chunk);
        let entry = &mut self.sources[source as usize];
        if entry.first_chunk == 0 {
            entry.first_chunk = at;
        } else {
            let last = entry.last_chunk as usize;
            self.blob[last..last + 8].copy_from_slice(&at.to_le_bytes());
        }
        entry.last_chunk = at;
        entry.len = entry.len.max((offset + bytes.len() as u64) as u32);
    }

    pub fn table(&mut self, bytes: &[u8], handles: &[Handle]) -> u32 {
        let mut pieces = Vec::new();
        for start in (0..bytes.len()).step_by(PIECE as usize) {
            let at = |i: u64| start + i as usize;
            let mut piece: Vec<u8> = (0..PIECE).map(|i| bytes.get(at(i)).copied().unwrap_or(0)).collect();
            let cells: Vec<Handle> = (0..PIECE).map(|i| handles.get(at(i)).copied().unwrap_or(0)).collect();
            let is_symbolic = cells.iter().any(|&handle| handle != 0);
            if is_symbolic {
                piece.extend(cells.iter().flat_map(|handle| handle.to_le_bytes()));
            }
            let place = self.blob(&piece);
            pieces.extend(PieceRef::new(place, is_symbolic).map_or(0, |piece| piece.0).to_le_bytes());
        }
        let pieces = self.blob(&pieces);
        self.tables.push(TableEntry { pieces, len: bytes.len() as u32, object: 0, reserved: [0; 2] });
        self.tables.len() as u32 - 1
    }

    pub fn push(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    fn op(&mut self, op: Op, width: u8, flags: u8, a: u32, rest: u64) -> NodeId {
        self.push(Node { op: op as u8, width, flags: flags | HAS_INPUT, aux: 0, a, rest })
    }

    pub fn byte(&mut self, source: u32, offset: u32) -> NodeId {
        self.op(Op::Byte, 8, 0, source, offset as u64)
    }

    /// `n` bytes and the read over them.
    pub fn read(&mut self, source: u32, offset: u32, n: u8) -> NodeId {
        let first = self.byte(source, offset);
        for index in 1..n as u32 {
            self.byte(source, offset + index);
        }
        self.push(Node { op: Op::Read as u8, width: 8 * n, flags: HAS_INPUT, aux: n, a: first, rest: 0 })
    }

    pub fn constant(&mut self, value: u64, width: u8) -> NodeId {
        self.push(Node { op: Op::Const as u8, width, flags: 0, aux: 0, a: 0, rest: value })
    }

    pub fn extract(&mut self, a: NodeId, low: u8, width: u8) -> NodeId {
        self.op(Op::Extract, width, 0, a, low as u64)
    }

    pub fn unary(&mut self, op: Op, width: u8, a: NodeId) -> NodeId {
        self.op(op, width, 0, a, 0)
    }

    pub fn binary(&mut self, op: Op, width: u8, a: NodeId, b: NodeId) -> NodeId {
        self.op(op, width, 0, a, Node::pair(b, 0))
    }

    /// `a op immediate`
    pub fn binary_imm(&mut self, op: Op, width: u8, a: NodeId, immediate: u64) -> NodeId {
        self.op(op, width, IMM_RHS, a, immediate)
    }

    /// `immediate op a`
    pub fn imm_binary(&mut self, op: Op, width: u8, immediate: u64, a: NodeId) -> NodeId {
        self.op(op, width, IMM_LHS, a, immediate)
    }

    pub fn ternary(&mut self, op: Op, width: u8, a: NodeId, b: NodeId, c: NodeId) -> NodeId {
        self.op(op, width, 0, a, Node::pair(b, c))
    }

    pub fn select(&mut self, table: u32, index: NodeId, n: u8) -> NodeId {
        let node = Node { op: Op::Select as u8, width: 8 * n, flags: HAS_INPUT, aux: n, a: table, rest: index as u64 };
        self.push(node)
    }

    pub fn event(&mut self, kind: EventKind, bit: bool, site: u32, term: NodeId, payload: &[u64]) {
        self.events.push(first_word(kind, bit, site, term));
        self.events.extend((0..kind.payload()).map(|at| payload.get(at).copied().unwrap_or(0)));
    }

    pub fn branch(&mut self, site: u32, term: NodeId, taken: bool) {
        self.event(EventKind::Branch, taken, site, term, &[]);
    }

    /// The file.
    pub fn finish(&self) -> Vec<u8> {
        let mut regions: [Vec<u8>; REGIONS] = Default::default();
        let mut put = |region: RegionId, words: &[&[u8]]| {
            for word in words {
                regions[region as usize].extend_from_slice(word);
            }
        };
        for n in &self.nodes {
            put(RegionId::Nodes, &[&[n.op, n.width, n.flags, n.aux], &n.a.to_le_bytes(), &n.rest.to_le_bytes()]);
        }
        for word in &self.events {
            put(RegionId::Events, &[&word.to_le_bytes()]);
        }
        for o in &self.objects {
            let (base, size) = (o.base.to_le_bytes(), o.size.to_le_bytes());
            let [term, kind, site, name] = [o.size_term, o.kind, o.site, o.name].map(u32::to_le_bytes);
            put(RegionId::Objects, &[&base, &size, &term, &kind, &site, &name, &[0; 16]]);
        }
        for m in &self.modules {
            let (base, sites) = (m.base.to_le_bytes(), m.sites.to_le_bytes());
            put(RegionId::Modules, &[&m.uid.to_le_bytes(), &base, &sites, &m.coverage.to_le_bytes(), &[0; 8]]);
        }
        for s in &self.sources {
            let [name, first, last] = [s.name, s.first_chunk, s.last_chunk].map(u64::to_le_bytes);
            put(RegionId::Sources, &[&name, &s.name_len.to_le_bytes(), &s.len.to_le_bytes(), &first, &last, &[0; 8]]);
        }
        for t in &self.tables {
            let (len, object) = (t.len.to_le_bytes(), t.object.to_le_bytes());
            put(RegionId::Tables, &[&t.pieces.to_le_bytes(), &len, &object, &[0; 16]]);
        }
        put(RegionId::Blob, &[&self.blob]);
        put(RegionId::Coverage, &[&self.coverage]);
        self.assemble(&regions)
    }

    fn assemble(&self, regions: &[Vec<u8>; REGIONS]) -> Vec<u8> {
        let mut file = vec![0; PAGE as usize];
        let mut set = |at: usize, bytes: &[u8]| file[at..at + bytes.len()].copy_from_slice(bytes);
        set(offset_of!(Header, magic), &MAGIC.to_le_bytes());
        set(offset_of!(Header, version), &TRACE_VERSION.to_le_bytes());
        set(offset_of!(Header, config), &self.config.to_le_bytes());
        set(offset_of!(Header, status), &self.status.to_le_bytes());
        let mut offset = PAGE;
        for (region, bytes) in regions.iter().enumerate() {
            let at = offset_of!(Header, regions) + region * size_of::<Region>();
            let used = bytes.len() as u64 / ENTRY_SIZE[region];
            set(at + offset_of!(Region, offset), &offset.to_le_bytes());
            set(at + offset_of!(Region, capacity), &used.to_le_bytes());
            set(at + offset_of!(Region, used), &used.to_le_bytes());
            offset = (offset + bytes.len() as u64).next_multiple_of(PAGE);
        }
        for bytes in regions {
            file.extend_from_slice(bytes);
            file.resize(file.len().next_multiple_of(PAGE as usize), 0);
        }
        file
    }
}
