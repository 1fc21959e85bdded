//! Names of functions by their hash, from `__llvm_prf_names`.

use md5::{Digest, Md5};
use rustc_hash::FxHashMap;

use crate::MappingError;
use crate::cursor::Cursor;
use crate::filenames::inflate;
use crate::mapping::low_half;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names(FxHashMap<u64, String>);

impl Names {
    /// Blocks of names, one for each translation unit, with zeros between them.
    pub fn read(section: &[u8]) -> Result<Self, MappingError> {
        let mut section = Cursor::new("__llvm_prf_names", section);
        let mut names = FxHashMap::default();
        while section.rest() > 0 {
            if section.bytes().first() == Some(&0) {
                section.take(1, "padding")?;
                continue;
            }
            let unpacked = section.number("the size of names")?;
            let packed = section.size("the compressed size of names")?;
            let inflated;
            let block = if packed > 0 {
                inflated = inflate(&mut section, packed, unpacked)?;
                &inflated[..]
            } else {
                let size = usize::try_from(unpacked).map_err(|_| section.truncated("names"))?;
                section.take(size, "names")?
            };
            for name in block.split(|&byte| byte == 1).filter(|name| !name.is_empty()) {
                names.insert(name_hash(name), String::from_utf8_lossy(name).into_owned());
            }
        }
        Ok(Self(names))
    }

    /// Another program's, too.
    pub fn merge(&mut self, other: &Self) {
        self.0.extend(other.0.iter().map(|(hash, name)| (*hash, name.clone())));
    }

    /// `None` for a function that is not in the table.
    pub fn get(&self, hash: u64) -> Option<&str> {
        self.0.get(&hash).map(String::as_str)
    }
}

fn name_hash(name: &[u8]) -> u64 {
    low_half(Md5::digest(name).as_slice())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_blocks_with_padding_between() {
        let names = Names::read(b"\x09\x00main\x01a.c\0\0\x01\x00f\0").expect("well-formed");
        assert_eq!(names.get(name_hash(b"main")), Some("main"));
        assert_eq!(names.get(name_hash(b"f")), Some("f"));
        assert_eq!(names.get(name_hash(b"g")), None);
        // What `md5sum` says of "main", first half, read as little endian.
        assert_eq!(name_hash(b"main"), 0xdb95_6436_e78d_d5fa);
    }

    #[test]
    fn a_block_that_is_cut_off_is_an_error() {
        let error = Names::read(b"\x09\x00main").unwrap_err();
        assert_eq!(error.to_string(), "__llvm_prf_names ends at byte 6 in the middle of names");
    }
}
