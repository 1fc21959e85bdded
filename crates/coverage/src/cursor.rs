//! Reading a section from front to back. Every error says which section and where.

use crate::MappingError;

#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    section: &'static str,
    /// Where `bytes` starts in the section.
    at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(section: &'static str, bytes: &'a [u8]) -> Self {
        Self { bytes, section, at: 0 }
    }

    pub fn rest(&self) -> usize {
        self.bytes.len()
    }

    pub fn section(&self) -> &'static str {
        self.section
    }

    pub fn truncated(&self, what: &'static str) -> MappingError {
        MappingError::Truncated { section: self.section, at: self.at + self.bytes.len(), what }
    }

    pub fn malformed(&self, what: impl Into<String>) -> MappingError {
        MappingError::Malformed { section: self.section, at: self.at, what: what.into() }
    }

    pub fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], MappingError> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or_else(|| self.truncated(what))?;
        self.bytes = rest;
        self.at += count;
        Ok(taken)
    }

    /// The next `count` bytes as a section part of their own: what is wrong in them still has its place.
    pub fn part(&mut self, count: usize, what: &'static str) -> Result<Cursor<'a>, MappingError> {
        let at = self.at;
        Ok(Cursor { bytes: self.take(count, what)?, section: self.section, at })
    }

    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Headers and records start at multiples of 8; the last one need not be padded.
    pub fn align(&mut self) {
        let padding = (self.at.next_multiple_of(8) - self.at).min(self.bytes.len());
        self.bytes = &self.bytes[padding..];
        self.at += padding;
    }

    pub fn u32(&mut self, what: &'static str) -> Result<u32, MappingError> {
        let bytes = self.take(4, what)?;
        Ok(bytes.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte)))
    }

    pub fn u64(&mut self, what: &'static str) -> Result<u64, MappingError> {
        let bytes = self.take(8, what)?;
        Ok(bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
    }

    /// ULEB128.
    pub fn number(&mut self, what: &'static str) -> Result<u64, MappingError> {
        let mut value = 0u64;
        let mut shift = 0;
        loop {
            let [byte] = *self.take(1, what)? else { return Err(self.truncated(what)) };
            let bits = u64::from(byte & 0x7f);
            let lost = if shift < 64 { (bits << shift) >> shift != bits } else { bits != 0 };
            if lost {
                return Err(self.malformed(format!("{what} does not fit into 64 bits")));
            }
            if shift < 64 {
                value |= bits << shift;
            }
            if byte & 0x80 == 0 {
                return Ok(value);
            }
            shift += 7;
        }
    }

    /// A number less than `limit`.
    pub fn below(&mut self, limit: u64, what: &'static str) -> Result<u64, MappingError> {
        let value = self.number(what)?;
        if value >= limit {
            return Err(self.malformed(format!("{what} is {value}, but has to be less than {limit}")));
        }
        Ok(value)
    }

    /// A 32-bit number.
    pub fn small(&mut self, what: &'static str) -> Result<u32, MappingError> {
        let value = self.number(what)?;
        u32::try_from(value).map_err(|_| self.malformed(format!("{what} is {value}, more than 32 bits")))
    }

    /// How many things or bytes follow: never more than there are bytes left.
    pub fn size(&mut self, what: &'static str) -> Result<usize, MappingError> {
        let value = self.number(what)?;
        match usize::try_from(value) {
            Ok(size) if size <= self.bytes.len() => Ok(size),
            _ => Err(self.malformed(format!("{what} is {value}, but only {} bytes follow", self.bytes.len()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_lengths() {
        for (bytes, value) in [(&[5][..], 5), (&[0x80, 1], 128), (&[0xe5, 0x8e, 0x26], 624_485), (&[0x80, 0x80, 0], 0)]
        {
            assert_eq!(Cursor::new("s", bytes).number("n"), Ok(value));
        }
        let most = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
        assert_eq!(Cursor::new("s", &most).number("n"), Ok(u64::MAX));
    }

    #[test]
    fn what_is_cut_off_or_too_large_is_an_error_that_says_where() {
        let cut = Cursor::new("s", &[0x80]).number("a count").unwrap_err();
        assert_eq!(cut.to_string(), "s ends at byte 1 in the middle of a count");
        let large = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 3];
        let large = Cursor::new("s", &large).number("a count").unwrap_err();
        assert_eq!(large.to_string(), "s is malformed at byte 10: a count does not fit into 64 bits");
    }
}
