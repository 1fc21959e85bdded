//! A trace file: one page of header, then the regions, all sparse. The tool creates it with the capacities it is
//! willing to spend; the run-time library maps it and appends.

use core::sync::atomic::{AtomicU32, AtomicU64};

pub const TRACE_VERSION: u32 = 2;
pub const MAGIC: u64 = u64::from_le_bytes(*b"OFFTRACE");
pub const PAGE: u64 = 4096;

/// Names the file that the tool made for the process to fill in.
pub const ENV_TRACE: &str = "OFFSHOOT_TRACE";
/// Set to `1`: evaluate every term under the actual input and compare with the concrete value.
pub const ENV_SELFCHECK: &str = "OFFSHOOT_SELFCHECK";
/// Self-check appends its reports to this file (default: standard error).
pub const ENV_SELFCHECK_LOG: &str = "OFFSHOOT_SELFCHECK_LOG";
/// Names the file in which a program of variant `count` keeps its counters.
pub const ENV_COUNTS: &str = "OFFSHOOT_COUNTS";
/// Names a file with the values of a harness's inputs: a sequence of `name NUL length NUL bytes`.
pub const ENV_INPUTS: &str = "OFFSHOOT_INPUTS";
/// Without a trace file: what is symbolic, in the words of [`Header::symbolic`].
pub const ENV_SYMBOLIC: &str = "OFFSHOOT_SYMBOLIC";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum RegionId {
    /// [`crate::Node`]; entry 0 is unused.
    Nodes = 0,
    /// `u64` words.
    Events = 1,
    /// [`ObjectEntry`]; entry 0 is unused.
    Objects = 2,
    /// [`ModuleEntry`].
    Modules = 3,
    /// [`SourceEntry`]; entry 0 is unused.
    Sources = 4,
    /// [`TableEntry`]; entry 0 is unused.
    Tables = 5,
    /// Bytes: names, input bytes, table contents, output.
    Blob = 6,
    /// One byte for each site outcome: `coverage[2 * (site - module base) + outcome]` at the module's offset.
    Coverage = 7,
}

pub const REGIONS: usize = 8;

/// Size in bytes of one entry of each region.
pub const ENTRY_SIZE: [u64; REGIONS] = [16, 8, 48, 32, 40, 32, 1, 1];

#[repr(C)]
#[derive(Debug)]
pub struct Region {
    /// Byte offset in the file, a multiple of the page size.
    pub offset: u64,
    /// In entries.
    pub capacity: u64,
    /// In entries; only grows.
    pub used: AtomicU64,
}

#[repr(C)]
#[derive(Debug)]
pub struct Header {
    pub magic: u64,
    pub version: u32,
    /// [`config`] bits, set by the tool.
    pub config: u32,
    /// The process that owns the trace; 0 until one has claimed it.
    pub pid: AtomicU32,
    /// [`status`] bits, set by the run-time library.
    pub status: AtomicU32,
    pub regions: [Region; REGIONS],
    /// Nanoseconds of the process's CPU time after which the run goes on concretely; 0: no limit.
    pub cpu_limit_ns: u64,
    /// Largest object for which a symbolic read becomes a table.
    pub table_limit: u64,
    /// Deepest term. Reserved: the run-time library does not hold to it yet.
    pub depth_limit: u32,
    pub reserved: u32,
    /// Events that were not written because the region was full: the first; with [`config::CONCRETE_BRANCHES`] all branches
    /// behind the end of the trace, too, whatever ended it.
    pub dropped_events: AtomicU64,
    pub selfcheck_events: AtomicU64,
    pub selfcheck_mismatches: AtomicU64,
    /// What is symbolic: NUL-terminated, comma-separated out of `arg`, `arg:N`, `stdin`, `file`, `file:PATH`,
    /// `env:NAME`, `nondet`, `none`.
    pub symbolic: [u8; 1024],
}

pub mod config {
    /// Write `Branch` events for concrete conditions too.
    pub const CONCRETE_BRANCHES: u32 = 1;
    /// Write `Call` events. Reserved: nothing writes them yet.
    pub const CALLS: u32 = 2;
    /// Write `Output` events.
    pub const OUTPUT: u32 = 4;
    /// Evaluate and compare.
    pub const SELFCHECK: u32 = 8;
    /// Be a fork server ([`crate::serve`]).
    pub const SERVE: u32 = 16;
    /// The NUL behind an argument or variable is input too: another value there is a longer argument, and an argument
    /// that got shorter ends in an input byte as well.
    pub const OPEN_ENDS: u32 = 32;
    /// Trace nothing: the program is a fork server at most. For programs with a shadow memory of their own.
    pub const UNTRACED: u32 = 64;
}

pub mod status {
    /// The process reached a normal end (exit, return from main, _exit).
    pub const EXITED: u32 = 1;
    pub const NODE_BUDGET: u32 = 2;
    pub const EVENT_BUDGET: u32 = 4;
    pub const TIME_BUDGET: u32 = 8;
    pub const BLOB_BUDGET: u32 = 16;
    pub const OBJECT_BUDGET: u32 = 32;
    /// The process became another program by exec.
    pub const EXEC: u32 = 64;
    /// The trace is whole, but a forked child ran on without a trace of its own.
    pub const FORKED: u32 = 128;
    pub const COVERAGE_BUDGET: u32 = 256;
}

/// A stack, global or heap object that an event speaks of.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct ObjectEntry {
    pub base: u64,
    pub size: u64,
    /// Term of the size, 0 if concrete.
    pub size_term: u32,
    /// [`object_kind`]
    pub kind: u32,
    /// Where it was made (heap: the call's site, stack: the function's), 0 if unknown.
    pub site: u32,
    /// Blob offset of its NUL-terminated name, 0 if none.
    pub name: u32,
    pub reserved: [u64; 2],
}

pub mod object_kind {
    pub const HEAP: u32 = 1;
    pub const STACK: u32 = 2;
    pub const GLOBAL: u32 = 3;
    pub const FREED: u32 = 4;
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct ModuleEntry {
    /// Identity of the model in the ELF file.
    pub uid: u64,
    /// First global site number.
    pub base: u32,
    pub sites: u32,
    /// Start of the module's bytes in the coverage region.
    pub coverage: u64,
    pub reserved: u64,
}

/// A named string of input bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct SourceEntry {
    /// Blob offset and length of the name: `arg[1]`, `stdin`, `file:PATH`, `env:NAME`, `nondet:NAME#k`.
    pub name: u64,
    pub name_len: u32,
    /// Bytes known so far (as far as the run has read).
    pub len: u32,
    /// Blob offset of a `SourceChunk` list's first chunk, 0 if none: the bytes that were read.
    pub first_chunk: u64,
    pub last_chunk: u64,
    pub reserved: u64,
}

/// In the blob, 8-aligned, followed by `len` bytes: the bytes of a source from `offset` on.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct SourceChunk {
    /// Blob offset of the next chunk, 0 at the end.
    pub next: u64,
    pub offset: u64,
    pub len: u64,
}

/// The content of a small object at the time of a symbolic read, in pieces: a program that builds up a string and looks
/// into it in between makes thousands of tables, each of which differs from the last in one piece.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct TableEntry {
    /// Blob offset (8-aligned) of one [`PieceRef`] for each [`PIECE`] bytes.
    pub pieces: u64,
    /// In bytes.
    pub len: u32,
    pub object: u32,
    pub reserved: [u64; 2],
}

/// Bytes in a piece of a table. In the blob, 8-aligned: the bytes, then one `Handle` a byte unless all are concrete. The
/// last piece of a table has the same size, the rest of it is 0.
pub const PIECE: u64 = 64;

/// Where a piece is, and whether it has handles: `blob offset / 4 | has handles`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct PieceRef(pub u32);

impl PieceRef {
    /// `None`: too far into the blob.
    pub const fn new(offset: u64, has_handles: bool) -> Option<PieceRef> {
        if offset >= 1 << 34 { None } else { Some(PieceRef((offset >> 2) as u32 | has_handles as u32)) }
    }
    /// Blob offset of the bytes.
    pub const fn bytes(self) -> u64 {
        ((self.0 & !1) as u64) << 2
    }
    /// Blob offset of the handles.
    pub const fn handles(self) -> Option<u64> {
        if self.0 & 1 == 0 { None } else { Some(self.bytes() + PIECE) }
    }
}

const _: () = {
    assert!(size_of::<Header>() as u64 <= PAGE);
    assert!(size_of::<crate::Node>() as u64 == ENTRY_SIZE[0]);
    assert!(size_of::<ObjectEntry>() as u64 == ENTRY_SIZE[2]);
    assert!(size_of::<ModuleEntry>() as u64 == ENTRY_SIZE[3]);
    assert!(size_of::<SourceEntry>() as u64 == ENTRY_SIZE[4]);
    assert!(size_of::<TableEntry>() as u64 == ENTRY_SIZE[5]);
};
