//! KLEE's `.ktest` files: arguments and named objects, big-endian.
//!
//! ```text
//!  "KTEST" version
//!  count (length bytes)…                       arguments
//!  symbolic-arguments their-length             since version 2
//!  count (length name, length bytes)…          objects, in the order in which they were made symbolic
//! ```
//!
//! KLEE's own version is 3. Two forks call theirs 4: one puts an address before the bytes of an object and pointers
//! behind them, one puts a time before them. Which it is shows by where the file ends.

use crate::import::VALUES;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ktest {
    pub args: Vec<Vec<u8>>,
    pub objects: Vec<(Vec<u8>, Vec<u8>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KtestError {
    #[error("not a .ktest file: it does not start with KTEST")]
    Foreign,
    #[error("version {0} of the .ktest format is not known (up to 4 is)")]
    Version(u32),
    #[error("it is cut off, or lengths in it are wrong")]
    Damaged,
    #[error("too large: it has more than {VALUES} arguments or objects")]
    TooMany,
}

#[derive(Clone, Copy, PartialEq)]
enum Layout {
    Plain,
    AddressAndPointers,
    Time,
}

pub fn decode(file: &[u8]) -> Result<Ktest, KtestError> {
    let rest = file.strip_prefix(b"KTEST").or_else(|| file.strip_prefix(b"BOUT\n")).ok_or(KtestError::Foreign)?;
    let mut start = Reader { rest };
    let version = start.number()?;
    let layouts: &[Layout] = match version {
        0..=3 => &[Layout::Plain],
        4 => &[Layout::AddressAndPointers, Layout::Time, Layout::Plain],
        _ => return Err(KtestError::Version(version)),
    };
    let mut read = layouts.iter().map(|&layout| Reader { rest: start.rest }.ktest(version, layout));
    read.find(|read| *read != Err(KtestError::Damaged)).unwrap_or(Err(KtestError::Damaged))
}

/// As KLEE's own tools read it: version 3.
pub fn encode(ktest: &Ktest) -> Vec<u8> {
    let mut file = b"KTEST".to_vec();
    let number =
        |file: &mut Vec<u8>, n: usize| file.extend_from_slice(&u32::try_from(n).unwrap_or(u32::MAX).to_be_bytes());
    let string = |file: &mut Vec<u8>, bytes: &[u8]| {
        number(file, bytes.len());
        file.extend_from_slice(bytes);
    };
    number(&mut file, 3);
    number(&mut file, ktest.args.len());
    ktest.args.iter().for_each(|arg| string(&mut file, arg));
    number(&mut file, 0);
    number(&mut file, 0);
    number(&mut file, ktest.objects.len());
    for (name, bytes) in &ktest.objects {
        string(&mut file, name);
        string(&mut file, bytes);
    }
    file
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    /// Damaged unless the file is of this layout and ends where it says.
    fn ktest(mut self, version: u32, layout: Layout) -> Result<Ktest, KtestError> {
        let mut ktest = Ktest::default();
        for _ in 0..self.number()? {
            is_room(ktest.args.len())?;
            ktest.args.push(self.string()?);
        }
        if version >= 2 {
            self.take(8)?;
        }
        for _ in 0..self.number()? {
            is_room(ktest.objects.len())?;
            let name = self.string()?;
            match layout {
                Layout::Plain => {}
                Layout::AddressAndPointers => drop(self.take(8)?),
                Layout::Time => drop(self.take(16)?),
            }
            let bytes = self.string()?;
            if layout == Layout::AddressAndPointers {
                for _ in 0..self.number()? {
                    self.take(12)?;
                }
            }
            ktest.objects.push((name, bytes));
        }
        if self.rest.is_empty() { Ok(ktest) } else { Err(KtestError::Damaged) }
    }

    fn take(&mut self, count: usize) -> Result<Vec<u8>, KtestError> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(KtestError::Damaged)?;
        self.rest = rest;
        Ok(taken.to_vec())
    }

    fn number(&mut self) -> Result<u32, KtestError> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or(KtestError::Damaged)?;
        self.rest = rest;
        Ok(u32::from_be_bytes(*bytes))
    }

    fn string(&mut self) -> Result<Vec<u8>, KtestError> {
        let length = self.number()?;
        self.take(length as usize)
    }
}

fn is_room(count: usize) -> Result<(), KtestError> {
    if count < VALUES { Ok(()) } else { Err(KtestError::TooMany) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_comes_back(args: Vec<Vec<u8>>, objects: Vec<(Vec<u8>, Vec<u8>)>) {
            let ktest = Ktest { args, objects };
            prop_assert_eq!(decode(&encode(&ktest)), Ok(ktest));
        }

        #[test]
        fn no_file_is_too_strange(version in 0u32..6, rest: Vec<u8>) {
            let _ = decode(&[b"KTEST", &version.to_be_bytes()[..], &rest].concat());
        }
    }

    #[test]
    fn the_bytes_are_those_of_klee() {
        let ktest = Ktest { args: vec![b"p.bc".to_vec()], objects: vec![(b"x".to_vec(), vec![1, 0, 0, 0])] };
        let file = b"KTEST\0\0\0\x03\0\0\0\x01\0\0\0\x04p.bc\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x01x\0\0\0\x04\x01\0\0\0";
        assert_eq!(encode(&ktest), file);
        assert_eq!(decode(&file[..file.len() - 1]), Err(KtestError::Damaged));
    }

    #[test]
    fn tiny_objects_and_arguments_are_counted() {
        let objects = |count| Ktest { args: vec![], objects: vec![(vec![], vec![]); count] };
        assert_eq!(decode(&encode(&objects(VALUES))), Ok(objects(VALUES)));
        assert_eq!(decode(&encode(&objects(VALUES + 1))), Err(KtestError::TooMany));
        let arguments = Ktest { args: vec![vec![]; VALUES + 1], objects: vec![] };
        assert_eq!(decode(&encode(&arguments)), Err(KtestError::TooMany));
    }

    #[test]
    fn all_layouts_of_version_4_are_read() {
        let ktest =
            Ktest { args: vec![], objects: vec![(b"x".to_vec(), b"ab".to_vec()), (b"y".to_vec(), b"".to_vec())] };
        let head = b"KTEST\0\0\0\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02".to_vec();
        let file = |before: &[u8], behind: &[u8]| {
            let x = [b"\0\0\0\x01x", before, b"\0\0\0\x02ab", behind].concat();
            let y = [b"\0\0\0\x01y", before, b"\0\0\0\0", behind].concat();
            [head.clone(), x, y].concat()
        };
        assert_eq!(decode(&file(&[9; 8], &[0; 4])).as_ref(), Ok(&ktest));
        assert_eq!(decode(&file(&[9; 8], &[&[0, 0, 0, 1][..], &[7; 12]].concat())).as_ref(), Ok(&ktest));
        assert_eq!(decode(&file(&[9; 16], &[])).as_ref(), Ok(&ktest));
        assert_eq!(decode(&file(&[], &[])).as_ref(), Ok(&ktest));
        assert_eq!(decode(b"KTEST\0\0\0\x05"), Err(KtestError::Version(5)));
        assert_eq!(decode(b"hello"), Err(KtestError::Foreign));
    }
}
