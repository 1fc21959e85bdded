//! A program of variant `count`: its coverage mapping, and what its runs left in a file. `counts.c` in the run-time
//! library writes that file and describes it.

use object::{Object, ObjectSection};
use offshoot_coverage::{Addresses, Mapping, MappingError, Names, Profile, ProfileError};
use offshoot_expr::TraceView;
use std::path::{Path, PathBuf};

pub struct Counted {
    pub mapping: Mapping,
    pub names: Names,
    functions: Vec<u8>,
    addresses: Addresses,
    /// Bytes of the sections.
    counters: usize,
    bitmaps: usize,
    identity: u64,
}

#[derive(Debug, thiserror::Error)]
pub enum CountedError {
    #[error("cannot read {path}: {source}")]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{0} is not an ELF file")]
    NotElf(PathBuf),
    #[error(
        "{path} has no section {section}; is it of variant count? `offshoot variant count PROGRAM -o OUT` makes one"
    )]
    NoSection { path: PathBuf, section: &'static str },
    #[error("{path}: {source}")]
    Mapping { path: PathBuf, source: MappingError },
    #[error("{path}: {source}")]
    Profile { path: PathBuf, source: ProfileError },
    #[error("{0} is not a file of counters, or is damaged")]
    NotCounts(PathBuf),
    #[error("{0} counts another program, or another build of this one; run the program again, with a new file")]
    OtherBuild(PathBuf),
}

/// What runs counted, added up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    counters: Vec<u64>,
    bitmaps: Vec<u8>,
    /// Processes of other programs in the same file.
    pub foreign: usize,
}

impl Sum {
    pub fn counters(&self) -> &[u64] {
        &self.counters
    }

    /// A bit for each way through a decision.
    pub fn bitmaps(&self) -> &[u8] {
        &self.bitmaps
    }

    pub fn add(&mut self, other: &Sum) {
        for (sum, more) in self.counters.iter_mut().zip(&other.counters) {
            *sum = sum.saturating_add(*more);
        }
        for (seen, more) in self.bitmaps.iter_mut().zip(&other.bitmaps) {
            *seen |= more;
        }
        self.foreign += other.foreign;
    }
}

const MAGIC: &[u8; 8] = b"OFFPROF1";
const VERSION: u64 = 1;
const PAGE: usize = 4096;
/// By which a served run names its sections.
const COUNTERS_UID: u64 = 0x5354_4e43_4646_304f;
const BITMAPS_UID: u64 = 0x5354_4942_4646_304f;
/// Bytes of a function's record in `__llvm_prf_data`.
const FUNCTION: usize = 64;

impl Counted {
    pub fn read(path: &Path) -> Result<Counted, CountedError> {
        let content = std::fs::read(path).map_err(|source| CountedError::Read { path: path.into(), source })?;
        let file = object::File::parse(&*content).map_err(|_| CountedError::NotElf(path.into()))?;
        let section = |name: &'static str| {
            let found = file.section_by_name(name).and_then(|section| {
                let data = section.uncompressed_data().ok()?.into_owned();
                Some((section.address(), data))
            });
            found.ok_or_else(|| CountedError::NoSection { path: path.into(), section: name })
        };
        let (_, covmap) = section("__llvm_covmap")?;
        let (_, covfun) = section("__llvm_covfun")?;
        let (_, names) = section("__llvm_prf_names")?;
        let (data, functions) = section("__llvm_prf_data")?;
        let (counters_at, counters) = section("__llvm_prf_cnts")?;
        let (bitmaps_at, bitmaps) = section("__llvm_prf_bits")?;
        let damaged = |source| CountedError::Mapping { path: path.into(), source };
        Ok(Counted {
            mapping: Mapping::read(&covmap, &covfun).map_err(damaged)?,
            names: Names::read(&names).map_err(damaged)?,
            identity: identity(&functions, file.build_id().ok().flatten().unwrap_or_default()),
            functions,
            addresses: Addresses { data, counters: counters_at, bitmaps: bitmaps_at },
            counters: counters.len(),
            bitmaps: bitmaps.len(),
        })
    }

    pub fn nothing(&self) -> Sum {
        Sum { counters: vec![0; self.counters / 8], bitmaps: vec![0; self.bitmaps], foreign: 0 }
    }

    /// All processes of this program in the file; those that were killed, too.
    pub fn sum(&self, path: &Path) -> Result<Sum, CountedError> {
        let file = std::fs::read(path).map_err(|source| CountedError::Read { path: path.into(), source })?;
        let not_counts = || CountedError::NotCounts(path.into());
        let mut sum = self.nothing();
        let mut found = false;
        let mut rest = &file[..];
        while !rest.is_empty() {
            let (head, body) = rest.split_at_checked(PAGE).ok_or_else(not_counts)?;
            if &head[..8] != MAGIC || number(head, 8, 4) != VERSION {
                return Err(not_counts());
            }
            let size = |at| usize::try_from(number(head, at, 8)).map_err(|_| not_counts());
            let (counters, bitmaps) = (size(24)?, size(32)?);
            let end = counters.checked_add(bitmaps).ok_or_else(not_counts)?;
            let (own, next) = body.split_at_checked(end).ok_or_else(not_counts)?;
            if number(head, 16, 8) == self.identity && counters == self.counters && bitmaps == self.bitmaps {
                found = true;
                let (own, seen) = own.split_at(counters);
                let counters = own.chunks_exact(8).map(|bytes| number(bytes, 0, 8)).collect();
                sum.add(&Sum { counters, bitmaps: seen.to_vec(), foreign: 0 });
            } else {
                sum.foreign += 1;
            }
            rest = next;
        }
        if found || sum.foreign == 0 { Ok(sum) } else { Err(CountedError::OtherBuild(path.into())) }
    }

    /// What a run of the fork server counted; `None`: it was not served as a program of variant `count`.
    pub fn served(&self, view: &TraceView<'_>) -> Option<Sum> {
        let section = |uid: u64, size: usize| {
            let module = view.modules().find(|module| module.uid == uid)?;
            view.module_coverage(&module).filter(|bytes| bytes.len() == size)
        };
        let counters = section(COUNTERS_UID, self.counters)?.chunks_exact(8).map(|bytes| number(bytes, 0, 8)).collect();
        Some(Sum { counters, bitmaps: section(BITMAPS_UID, self.bitmaps)?.to_vec(), foreign: 0 })
    }

    pub fn profile(&self, sum: &Sum, path: &Path) -> Result<Profile, CountedError> {
        let counters: Vec<u8> = sum.counters.iter().flat_map(|count| count.to_le_bytes()).collect();
        Profile::read(&self.functions, &counters, &sum.bitmaps, self.addresses)
            .map_err(|source| CountedError::Profile { path: path.into(), source })
    }
}

fn number(bytes: &[u8], at: usize, size: usize) -> u64 {
    bytes[at..at + size].iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

/// As the program computes it when it starts.
fn identity(functions: &[u8], build_id: &[u8]) -> u64 {
    let mix = |hash: u64, part: u64| (hash ^ part).wrapping_mul(0x0100_0000_01b3);
    let hash = functions.chunks_exact(FUNCTION).fold(0xcbf2_9ce4_8422_2325, |hash, record| {
        let parts = [number(record, 0, 8), number(record, 8, 8), number(record, 48, 4), number(record, 60, 4)];
        parts.into_iter().fold(hash, mix)
    });
    build_id.iter().fold(hash, |hash, &byte| mix(hash, u64::from(byte)))
}
