//! Models, bitcode and link lines in ELF sections. The linker concatenates the sections of all objects, so each is a
//! sequence of self-delimiting blobs:
//!
//! ```text
//! magic: 8 bytes   version: u32   kind: u32   uid: u64   length: u64   payload   zeroes up to a multiple of 8
//! ```

use serde::{Deserialize, Serialize, de::DeserializeOwned};

pub const SECTION: &str = ".offshoot";
pub const MAGIC: [u8; 8] = *b"OFFSHOOT";
pub const SECTION_VERSION: u32 = 3;
const HEADER: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum BlobKind {
    /// A postcard [`crate::Module`].
    Model = 1,
    /// A postcard [`Unit`].
    Unit = 2,
    /// A postcard [`LinkLine`].
    Link = 3,
}

/// A translation unit as the front end left it; every variant of the program is made from these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    pub source: String,
    /// Flags for turning bitcode into an object: optimisation level and target options.
    pub codegen_flags: Vec<String>,
    /// Compressed with zstd.
    pub bitcode: Vec<u8>,
}

/// How the program was linked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkLine {
    pub directory: String,
    pub cplusplus: bool,
    pub args: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum SectionError {
    #[error("the {SECTION} section is damaged at byte {0}; build the program again")]
    Damaged(usize),
    #[error(
        "built by another version of offshoot (format {found}, this tool reads {SECTION_VERSION}); build the program again"
    )]
    Version { found: u32 },
}

/// One blob, ready to be put into the section.
pub fn encode<T: Serialize>(kind: BlobKind, uid: u64, value: &T) -> Vec<u8> {
    let payload = postcard::to_stdvec(value).unwrap_or_else(|error| unreachable!("plain data serialises: {error}"));
    let mut blob = Vec::with_capacity(HEADER + payload.len() + 8);
    blob.extend_from_slice(&MAGIC);
    blob.extend_from_slice(&SECTION_VERSION.to_le_bytes());
    blob.extend_from_slice(&(kind as u32).to_le_bytes());
    blob.extend_from_slice(&uid.to_le_bytes());
    blob.extend_from_slice(&(payload.len() as u64).to_le_bytes());
    blob.extend_from_slice(&payload);
    blob.resize(blob.len().next_multiple_of(8), 0);
    blob
}

/// A blob as found in a section.
#[derive(Clone, Copy, Debug)]
pub struct Blob<'a> {
    pub kind: u32,
    pub uid: u64,
    pub payload: &'a [u8],
    at: usize,
}

impl Blob<'_> {
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, SectionError> {
        postcard::from_bytes(self.payload).map_err(|_| SectionError::Damaged(self.at))
    }
}

/// All blobs of a section, in link order. Zero padding between blobs is skipped.
pub fn blobs(section: &[u8]) -> Result<Vec<Blob<'_>>, SectionError> {
    let mut found = Vec::new();
    let mut at = 0;
    let word = |at: usize| u64::from_le_bytes(section[at..at + 8].try_into().unwrap_or_default());
    while at < section.len() {
        if section[at] == 0 {
            at += 1;
            continue;
        }
        if section.len() - at < HEADER || section[at..at + 8] != MAGIC {
            return Err(SectionError::Damaged(at));
        }
        let version_and_kind = word(at + 8);
        let version = version_and_kind as u32;
        if version != SECTION_VERSION {
            return Err(SectionError::Version { found: version });
        }
        let length = word(at + 24) as usize;
        let start = at + HEADER;
        let Some(payload) = start.checked_add(length).and_then(|end| section.get(start..end)) else {
            return Err(SectionError::Damaged(at));
        };
        found.push(Blob { kind: (version_and_kind >> 32) as u32, uid: word(at + 16), payload, at });
        at = start + length;
    }
    Ok(found)
}
