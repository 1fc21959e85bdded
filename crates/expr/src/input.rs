//! Values of the input bytes.

use crate::view::TraceView;

/// The bytes of every source, by source id. What lies past the end of a source is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    sources: Vec<Vec<u8>>,
}

impl Input {
    pub fn new() -> Input {
        Input::default()
    }

    /// The input of the run itself; damaged sources are empty.
    pub fn of(view: &TraceView<'_>) -> Input {
        let bytes = |id| view.source(id).map(|source| source.bytes).unwrap_or_default();
        Input { sources: (0..view.source_end()).map(bytes).collect() }
    }

    #[inline]
    pub fn get(&self, source: u32, offset: u32) -> u8 {
        self.bytes(source).get(offset as usize).copied().unwrap_or(0)
    }

    pub fn bytes(&self, source: u32) -> &[u8] {
        self.sources.get(source as usize).map_or(&[], Vec::as_slice)
    }

    /// `n` bytes, little-endian.
    #[inline]
    pub fn read(&self, source: u32, offset: u32, n: u8) -> u128 {
        let bytes = self.bytes(source);
        (0..n as usize).rev().fold(0, |value, index| {
            value << 8 | bytes.get((offset as usize).wrapping_add(index)).copied().unwrap_or(0) as u128
        })
    }

    pub fn set(&mut self, source: u32, offset: u32, value: u8) {
        let (source, offset) = (source as usize, offset as usize);
        if self.sources.len() <= source {
            self.sources.resize(source + 1, Vec::new());
        }
        let bytes = &mut self.sources[source];
        if bytes.len() <= offset {
            bytes.resize(offset + 1, 0);
        }
        bytes[offset] = value;
    }

    pub fn set_bytes(&mut self, source: u32, bytes: Vec<u8>) {
        let source = source as usize;
        if self.sources.len() <= source {
            self.sources.resize(source + 1, Vec::new());
        }
        self.sources[source] = bytes;
    }

    pub fn source_end(&self) -> u32 {
        self.sources.len() as u32
    }
}
