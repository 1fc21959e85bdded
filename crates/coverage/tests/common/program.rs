//! What a program built by clang-19 carries for its coverage, and what a run of it leaves.

use std::fs;
use std::path::Path;

use object::{Object, ObjectSection};
use offshoot_coverage::{Addresses, Mapping};

/// What a program carries for its coverage.
pub struct Sections {
    pub covmap: Vec<u8>,
    pub covfun: Vec<u8>,
    pub names: Vec<u8>,
    pub data: Vec<u8>,
    pub addresses: Addresses,
}

pub fn sections(program: &Path) -> Sections {
    let bytes = fs::read(program).expect("the program");
    let elf = object::File::parse(&*bytes).expect("an ELF file");
    let find = |name| {
        let section = elf.section_by_name(name);
        let content = section.as_ref().map(|section| section.data().expect("its content").to_vec());
        (content.unwrap_or_default(), section.map_or(0, |section| section.address()))
    };
    let (data, data_address) = find("__llvm_prf_data");
    let addresses =
        Addresses { data: data_address, counters: find("__llvm_prf_cnts").1, bitmaps: find("__llvm_prf_bits").1 };
    let [covmap, covfun, names] = ["__llvm_covmap", "__llvm_covfun", "__llvm_prf_names"].map(|name| find(name).0);
    Sections { covmap, covfun, names, data, addresses }
}

/// Counters and bitmaps of a `.profraw` file.
pub fn raw_profile(bytes: &[u8]) -> (&[u8], &[u8]) {
    let word = |index: usize| {
        let bytes = bytes[index * 8..][..8].try_into().expect("8 bytes");
        usize::try_from(u64::from_le_bytes(bytes)).expect("a size")
    };
    assert_eq!(word(1) & 0xffff_ffff, 10, "the version of LLVM 19");
    let [binary_ids, records, before, counters, after, bitmaps] = [2, 3, 4, 5, 6, 7].map(word);
    let header = 16 * 8;
    let (_, rest) = bytes.split_at(header + binary_ids + records * 64 + before);
    let (counters, rest) = rest.split_at(counters * 8);
    (counters, &rest[after..][..bitmaps])
}

impl Sections {
    pub fn mapping(&self) -> Mapping {
        Mapping::read(&self.covmap, &self.covfun).expect("a mapping")
    }
}
