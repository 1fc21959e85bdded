//! Regions: a piece of source and what the counters say about it.

use crate::Counter;

/// Lines and columns count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// From the first character to behind the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub start: Position,
    pub end: Position,
}

impl Span {
    pub fn contains(&self, other: &Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegionKind {
    /// Code that runs as often as its counter says.
    Code,
    /// A macro or an `#include` in the middle of a function: the file with this index, in the list of the function, has
    /// the regions of what it expands to.
    Expansion { file: u32 },
    /// Left out by the preprocessor.
    Skipped,
    /// Between two statements: counts for a line only if nothing else is on it.
    Gap,
    /// A condition with its two counters, or a `case`.
    Branch,
    /// A whole decision for MC/DC: its bits in the bitmap of the function end before bit `bitmap_end`.
    Decision { bitmap_end: u32, conditions: u16 },
    /// A branch that is condition `id` of a decision, and the condition to evaluate next if it is false or true.
    Condition { id: u16, next: [Option<u16>; 2] },
}

impl RegionKind {
    /// The number that LLVM has for it. Where regions coincide, the least one wins.
    pub fn number(self) -> u32 {
        match self {
            Self::Code => 0,
            Self::Expansion { .. } => 1,
            Self::Skipped => 2,
            Self::Gap => 3,
            Self::Branch => 4,
            Self::Decision { .. } => 5,
            Self::Condition { .. } => 6,
        }
    }

    pub fn is_branch(self) -> bool {
        matches!(self, Self::Branch | Self::Condition { .. })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    pub kind: RegionKind,
    /// How often it ran; of a branch, how often it was true.
    pub count: Counter,
    /// How often a branch was false.
    pub count_false: Counter,
    /// Index into the files of the function. A file has one index for each macro expansion in it.
    pub file: u32,
    pub span: Span,
}
