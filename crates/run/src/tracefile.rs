//! The file that a traced process fills in. It is sparse, so capacities are address space; only touched pages cost.

use std::fs::File;
use std::mem::{offset_of, size_of};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;

use memmap2::{Mmap, MmapOptions};
use offshoot_base::Budgets;
use offshoot_trace::layout::{ENTRY_SIZE, Header, MAGIC, PAGE, REGIONS, Region, RegionId, TRACE_VERSION};
use rustix::fs::{FallocateFlags, fallocate};
use tempfile::TempPath;

use crate::{Error, Result, sys};

/// Regions that no budget speaks of.
const OBJECTS: u64 = 4 << 20;
const MODULES: u64 = 64 << 10;
const SOURCES: u64 = 64 << 10;
const TABLES: u64 = 256 << 10;
const BLOB: u64 = 1 << 30;
const COVERAGE: u64 = 64 << 20;

/// A trace that occupies more than this gives its memory back before it is used again.
const KEPT: u64 = 64 << 20;

const TABLE_LIMIT: u64 = 4096;
const DEPTH_LIMIT: u32 = 1 << 16;

/// Removed when dropped.
#[derive(Debug)]
pub struct TraceFile {
    path: TempPath,
    file: File,
    /// The header as it was at the beginning.
    header: HeaderImage,
    length: u64,
}

impl TraceFile {
    /// `config` is made of `offshoot_trace::layout::config` bits; `symbolic` is in the words of `Header::symbolic`.
    pub fn create(budgets: &Budgets, config: u32, symbolic: &str) -> Result<TraceFile> {
        let mut header = HeaderImage::new();
        if symbolic.contains('\0') {
            return Err(Error::Nul(symbolic.to_owned()));
        }
        let room = SYMBOLIC_LEN - 1;
        if symbolic.len() > room {
            return Err(Error::SymbolicTooLong(symbolic.len(), room));
        }
        header.put_u64(offset_of!(Header, magic), MAGIC);
        header.put_u32(offset_of!(Header, version), TRACE_VERSION);
        header.put_u32(offset_of!(Header, config), config);
        // Half, so that a run which is slow only because it is symbolic still comes to its own end.
        let cpu = u64::try_from(budgets.cpu.as_nanos() / 2).unwrap_or(u64::MAX);
        header.put_u64(offset_of!(Header, cpu_limit_ns), cpu);
        header.put_u64(offset_of!(Header, table_limit), TABLE_LIMIT);
        header.put_u32(offset_of!(Header, depth_limit), DEPTH_LIMIT);
        header.put(offset_of!(Header, symbolic), symbolic.as_bytes());
        let length = header.put_regions(budgets);

        let (file, path) = new_file()?;
        let at = path.to_path_buf();
        file.set_len(length).map_err(Error::file("size", &at))?;
        file.write_all_at(&header.bytes, 0).map_err(Error::file("write", &at))?;
        Ok(TraceFile { path, file, header, length })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The whole file, read-only. The process may still be appending; `used` counts in the header only grow.
    pub fn map(&self) -> Result<Mmap> {
        sys::map_readonly(&self.file, &MmapOptions::new()).map_err(Error::file("map", self.path.to_path_buf()))
    }

    /// Makes it free for another process. What lies behind the regions' `used` counts may be left from the last one: it
    /// is written before it counts. Only outcomes are added up, so those are cleared.
    pub fn reset(&self) -> Result<()> {
        self.reset_with(0)
    }

    /// `config`: bits on top of those that it was made with.
    pub(crate) fn reset_with(&self, config: u32) -> Result<()> {
        let failed = || Error::file("clear", self.path.to_path_buf());
        if self.occupied() > KEPT {
            let keep_size = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
            fallocate(&self.file, keep_size, PAGE, self.length - PAGE).map_err(Into::into).map_err(failed())?;
        }
        let mut used = [0; 8];
        let coverage = self.header.region(RegionId::Coverage as usize);
        let at = coverage + offset_of!(Region, used);
        self.file.read_exact_at(&mut used, at as u64).map_err(failed())?;
        // The process may have damaged the header.
        let used = u64::from_ne_bytes(used).min(self.header.u64_at(coverage + offset_of!(Region, capacity)));
        let offset = self.header.u64_at(coverage + offset_of!(Region, offset));
        self.file.write_all_at(&vec![0; used as usize], offset).map_err(failed())?;
        let mut header = self.header.clone();
        let bits = header.u32_at(offset_of!(Header, config));
        header.put_u32(offset_of!(Header, config), bits | config);
        self.file.write_all_at(&header.bytes, 0).map_err(failed())
    }

    /// Bytes of memory or disk that the trace really occupies.
    pub fn occupied(&self) -> u64 {
        self.file.metadata().map_or(0, |data| data.blocks() * 512)
    }
}

fn new_file() -> Result<(File, TempPath)> {
    let named = |dir: &Path| tempfile::Builder::new().prefix("offshoot-trace-").tempfile_in(dir);
    let shm = Path::new("/dev/shm");
    if sys::is_tmpfs(shm)
        && let Ok(made) = named(shm)
    {
        return Ok(made.into_parts());
    }
    let dir = std::env::temp_dir();
    Ok(named(&dir).map_err(Error::file("create a trace file in", &dir))?.into_parts())
}

/// The header page as bytes: plain stores at the offsets of [`Header`], which cannot be built as a value in safe code
/// and copied into a file.
#[derive(Clone, Debug)]
struct HeaderImage {
    bytes: Vec<u8>,
}

impl HeaderImage {
    fn new() -> HeaderImage {
        HeaderImage { bytes: vec![0; PAGE as usize] }
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn put_u32(&mut self, at: usize, value: u32) {
        self.put(at, &value.to_ne_bytes());
    }

    fn put_u64(&mut self, at: usize, value: u64) {
        self.put(at, &value.to_ne_bytes());
    }

    /// Offset of a region's entry.
    fn region(&self, index: usize) -> usize {
        offset_of!(Header, regions) + index * size_of::<Region>()
    }

    fn u32_at(&self, at: usize) -> u32 {
        self.bytes[at..].first_chunk().map_or(0, |bytes| u32::from_ne_bytes(*bytes))
    }

    fn u64_at(&self, at: usize) -> u64 {
        self.bytes[at..].first_chunk().map_or(0, |bytes| u64::from_ne_bytes(*bytes))
    }

    /// Lays the regions out one behind the other and gives the length of the file.
    fn put_regions(&mut self, budgets: &Budgets) -> u64 {
        let mut offset = PAGE;
        for (index, (capacity, used)) in regions(budgets).into_iter().enumerate() {
            let at = self.region(index);
            self.put_u64(at + offset_of!(Region, offset), offset);
            self.put_u64(at + offset_of!(Region, capacity), capacity);
            self.put_u64(at + offset_of!(Region, used), used);
            offset += (capacity * ENTRY_SIZE[index]).next_multiple_of(PAGE);
        }
        offset
    }
}

const SYMBOLIC_LEN: usize = {
    // The length of the field, from the layout itself, so that it cannot go stale.
    const fn len<const N: usize>(_: fn(&Header) -> &[u8; N]) -> usize {
        N
    }
    len(|header| &header.symbolic)
};

/// Capacity and first free entry of each region; entry 0 (in the blob: offset 0) means "none" where it is skipped.
fn regions(budgets: &Budgets) -> [(u64, u64); REGIONS] {
    let mut regions = [(0, 0); REGIONS];
    let mut set = |id: RegionId, capacity: u64, used: u64| regions[id as usize] = (capacity.max(used + 1), used);
    set(RegionId::Nodes, budgets.nodes, 1);
    set(RegionId::Events, budgets.events, 0);
    set(RegionId::Objects, OBJECTS, 1);
    set(RegionId::Modules, MODULES, 0);
    set(RegionId::Sources, SOURCES, 1);
    set(RegionId::Tables, TABLES, 1);
    set(RegionId::Blob, BLOB, 8);
    set(RegionId::Coverage, COVERAGE, 0);
    regions
}
