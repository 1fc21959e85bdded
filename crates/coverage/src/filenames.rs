//! The file names of one translation unit, as one block of `__llvm_covmap`.
//!
//! The first name is the compilation directory; relative names count from there.

use std::io::Read;

use flate2::read::ZlibDecoder;

use crate::MappingError;
use crate::cursor::Cursor;

/// All names of a block, the compilation directory first.
pub(crate) fn read(mut block: Cursor) -> Result<Vec<String>, MappingError> {
    let count = block.number("the number of file names")?;
    if count == 0 {
        return Err(block.malformed("a translation unit has no file names"));
    }
    let unpacked = block.number("the size of the file names")?;
    let packed = block.size("the compressed size of the file names")?;
    if packed == 0 {
        return list(block, count);
    }
    let bytes = inflate(&mut block, packed, unpacked)?;
    list(Cursor::new(block.section(), &bytes), count)
}

/// The next `packed` bytes, which are `unpacked` bytes of something, compressed by zlib.
pub(crate) fn inflate(block: &mut Cursor, packed: usize, unpacked: u64) -> Result<Vec<u8>, MappingError> {
    let place = block.clone();
    let packed = block.take(packed, "compressed names")?;
    let mut bytes = Vec::new();
    let read = ZlibDecoder::new(packed).take(unpacked.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| place.malformed(format!("compressed names cannot be decompressed: {error}")))?;
    if bytes.len() as u64 != unpacked {
        return Err(place.malformed(format!("compressed names are not the {unpacked} bytes that they should be")));
    }
    Ok(bytes)
}

fn list(mut block: Cursor, count: u64) -> Result<Vec<String>, MappingError> {
    let directory = string(&mut block)?;
    let mut names = vec![directory.clone()];
    for _ in 1..count {
        let name = string(&mut block)?;
        names.push(if name.starts_with('/') { name } else { resolve(&directory, &name) });
    }
    Ok(names)
}

fn string(block: &mut Cursor) -> Result<String, MappingError> {
    let length = block.size("the length of a file name")?;
    Ok(String::from_utf8_lossy(block.take(length, "a file name")?).into_owned())
}

/// `name` seen from `directory`, without `.` and `..`; the file system is not asked.
fn resolve(directory: &str, name: &str) -> String {
    let joined = if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") };
    let absolute = joined.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if absolute => {}
            part => parts.push(part),
        }
    }
    format!("{}{}", if absolute { "/" } else { "" }, parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn relative_names_count_from_the_compilation_directory() {
        for (directory, name, expected) in [
            ("/home/me/p", "a.c", "/home/me/p/a.c"),
            ("/home/me/p/build", "../src/./a.c", "/home/me/p/src/a.c"),
            ("/p/", "lib//x.h", "/p/lib/x.h"),
            ("/", "../../a.c", "/a.c"),
            ("", "a.c", "a.c"),
            ("", "../a.c", "../a.c"),
            ("", "../../a.c", "../../a.c"),
        ] {
            assert_eq!(resolve(directory, name), expected);
        }
    }
}
