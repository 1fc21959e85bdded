//! All functions of a program: `__llvm_covmap` has the file names of each translation unit, `__llvm_covfun` the
//! functions.

use std::collections::hash_map::Entry;

use md5::{Digest, Md5};
use rustc_hash::FxHashMap;

use crate::cursor::Cursor;
use crate::record::{self, Record};
use crate::{MappingError, filenames};

/// The files of a translation unit, as indices into [`Mapping::files`].
pub(crate) type FileNames<'a> = &'a [usize];

/// The coverage mapping of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mapping {
    /// Names of all source files, each once.
    pub files: Vec<String>,
    /// Each function once, however many translation units have it.
    pub functions: Vec<Record>,
    /// Functions that cannot be told to belong to one of two translation units, and are left out as LLVM does it: the
    /// hashes of their lists of files coincide.
    pub ambiguous: usize,
}

/// A function record that was found but not decoded yet.
struct Found<'a> {
    name: u64,
    hash: u64,
    mapping: Cursor<'a>,
    unit: u64,
}

impl Mapping {
    /// From the sections `__llvm_covmap` and `__llvm_covfun`. A program that has several of the latter (the linker was
    /// not asked to merge them) has them one behind the other, each padded to a multiple of 8 bytes.
    pub fn read(covmap: &[u8], covfun: &[u8]) -> Result<Self, MappingError> {
        let mut mapping = Self::default();
        let units = mapping.read_units(Cursor::new("__llvm_covmap", covmap))?;
        for found in mapping.find_functions(Cursor::new("__llvm_covfun", covfun), &units)? {
            let names = units.get(&found.unit).and_then(Option::as_deref).unwrap_or_default();
            mapping.functions.push(record::read(found.name, found.hash, found.mapping, names)?);
        }
        Ok(mapping)
    }

    /// Another program's, too. A function that both have is there twice; a report takes the first.
    pub fn merge(&mut self, other: &Self) {
        let mut indices: FxHashMap<&str, usize> = FxHashMap::default();
        let known: Vec<String> = self.files.clone();
        indices.extend(known.iter().enumerate().map(|(index, name)| (name.as_str(), index)));
        let mut place = Vec::with_capacity(other.files.len());
        for name in &other.files {
            place.push(*indices.entry(name).or_insert_with(|| {
                self.files.push(name.clone());
                self.files.len() - 1
            }));
        }
        for function in &other.functions {
            let files = function.files.iter().map(|&file| place[file]).collect();
            self.functions.push(Record { files, ..function.clone() });
        }
        self.ambiguous += other.ambiguous;
    }

    /// The file names of each translation unit by the hash of their block; `None` if two blocks share it.
    fn read_units(&mut self, mut section: Cursor) -> Result<FxHashMap<u64, Option<Vec<usize>>>, MappingError> {
        let mut indices: FxHashMap<String, usize> = FxHashMap::default();
        let mut units = FxHashMap::default();
        while section.rest() > 0 {
            let records = section.u32("a header")?;
            let size = section.u32("a header")?;
            let coverage = section.u32("a header")?;
            let version = section.u32("a header")?;
            // Counted from 0 in the section, from 1 in LLVM's documentation.
            if !matches!(version, 5 | 6) {
                return Err(MappingError::Version { section: section.section(), version: u64::from(version) + 1 });
            }
            if (records, coverage) != (0, 0) {
                return Err(
                    section.malformed("a header has function records, which are in __llvm_covfun since version 4")
                );
            }
            let block = section.part(size as usize, "file names")?;
            let key = low_half(Md5::digest(block.bytes()).as_slice());
            let names = filenames::read(block)?;
            let names = names.into_iter().map(|name| {
                let next = self.files.len();
                *indices.entry(name).or_insert_with_key(|name| {
                    self.files.push(name.clone());
                    next
                })
            });
            let names: Vec<usize> = names.collect();
            match units.entry(key) {
                Entry::Vacant(entry) => {
                    entry.insert(Some(names));
                }
                Entry::Occupied(entry) if entry.get().as_ref() == Some(&names) => {}
                Entry::Occupied(mut entry) => {
                    entry.insert(None);
                }
            }
            section.align();
        }
        Ok(units)
    }

    /// Of all records with one name, the first that has a mapping; the rest are copies from other translation units.
    fn find_functions<'a>(
        &mut self,
        mut section: Cursor<'a>,
        units: &FxHashMap<u64, Option<Vec<usize>>>,
    ) -> Result<Vec<Found<'a>>, MappingError> {
        let mut functions: Vec<Found> = Vec::new();
        let mut by_name: FxHashMap<u64, usize> = FxHashMap::default();
        while section.rest() > 0 {
            let name = section.u64("a function record")?;
            let size = section.u32("a function record")?;
            let hash = section.u64("a function record")?;
            let unit = section.u64("a function record")?;
            let mapping = section.part(size as usize, "the mapping of a function")?;
            section.align();
            match units.get(&unit) {
                None => return Err(mapping.malformed(format!("no file names for a function (hash {unit:#x})"))),
                Some(None) => {
                    self.ambiguous += 1;
                    continue;
                }
                Some(Some(_)) => {}
            }
            let found = Found { name, hash, mapping, unit };
            match by_name.entry(name) {
                Entry::Vacant(entry) => {
                    entry.insert(functions.len());
                    functions.push(found);
                }
                Entry::Occupied(entry) => {
                    let known = &mut functions[*entry.get()];
                    if record::is_dummy(known.hash, known.mapping.clone())?
                        && !record::is_dummy(found.hash, found.mapping.clone())?
                    {
                        *known = found;
                    }
                }
            }
        }
        Ok(functions)
    }
}

/// The 64 bits that LLVM takes of an MD5 sum.
pub(crate) fn low_half(digest: &[u8]) -> u64 {
    digest.iter().take(8).rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}
