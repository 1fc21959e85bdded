//! The file that `OFFSHOOT_INPUTS` names: the values of a harness as a sequence of `name NUL length NUL bytes`, with
//! the sources' own names, in the order of the calls.

use crate::bytes::Bytes;
use crate::import::VALUES;
use crate::source::Source;

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum InputsError {
    #[error("the value that starts at byte {0} is cut off")]
    Cut(usize),
    #[error("the length of the value that starts at byte {0} is no number")]
    Length(usize),
    #[error("too large: it has more than {VALUES} values")]
    TooMany,
    #[error("{0:?} is no name of a harness's value (nondet:NAME#NUMBER)")]
    Name(String),
}

/// Empty if there are no values.
pub fn encode(bytes: &Bytes) -> Vec<u8> {
    let mut file = Vec::new();
    for (source, value) in bytes.nondet() {
        file.extend_from_slice(&source.name());
        file.extend_from_slice(format!("\0{}\0", value.len()).as_bytes());
        file.extend_from_slice(value);
    }
    file
}

pub fn decode(file: &[u8]) -> Result<Vec<(Source, Vec<u8>)>, InputsError> {
    let mut values = Vec::new();
    let mut rest = file;
    while !rest.is_empty() {
        let start = file.len() - rest.len();
        let (name, tail) = until_nul(rest).ok_or(InputsError::Cut(start))?;
        let (length, tail) = until_nul(tail).ok_or(InputsError::Cut(start))?;
        let length = std::str::from_utf8(length).ok().and_then(|digits| digits.parse::<usize>().ok());
        let length = length.ok_or(InputsError::Length(start))?;
        let value = tail.get(..length).ok_or(InputsError::Cut(start))?;
        let source = Source::parse(name).filter(Source::is_nondet);
        let source = source.ok_or_else(|| InputsError::Name(String::from_utf8_lossy(name).into_owned()))?;
        if values.len() == VALUES {
            return Err(InputsError::TooMany);
        }
        values.push((source, value.to_vec()));
        rest = &tail[length..];
    }
    Ok(values)
}

fn until_nul(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|&byte| byte == 0)?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nondet(name: &str, number: u32) -> Source {
        Source::Nondet { name: name.into(), number }
    }

    #[test]
    fn values_are_written_in_the_order_of_the_calls() {
        let values =
            vec![(nondet("int", 0), vec![1, 0, 0, 0]), (nondet("char", 0), vec![0]), (nondet("int", 1), vec![])];
        let file = encode(&values.iter().cloned().chain([(Source::Stdin, b"x".to_vec())]).collect());
        assert_eq!(file, b"nondet:int#0\x004\0\x01\0\0\0nondet:char#0\x001\0\0nondet:int#1\x000\0");
        assert_eq!(decode(&file), Ok(values));
    }

    #[test]
    fn there_is_a_bound() {
        let many = |count: usize| b"nondet:a#0\x000\0".repeat(count);
        assert_eq!(decode(&many(VALUES)).map(|values| values.len()), Ok(VALUES));
        assert_eq!(decode(&many(VALUES + 1)), Err(InputsError::TooMany));
    }

    #[test]
    fn damage_is_named() {
        assert_eq!(decode(b"nondet:a#0\x002\0x"), Err(InputsError::Cut(0)));
        assert_eq!(decode(b"nondet:a#0\x000\0nondet:b#0"), Err(InputsError::Cut(13)));
        assert_eq!(decode(b"nondet:a#0\0two\0xx"), Err(InputsError::Length(0)));
        assert_eq!(decode(b"stdin\x000\0"), Err(InputsError::Name("stdin".into())));
    }
}
