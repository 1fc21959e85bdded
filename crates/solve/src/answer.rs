//! What a layer says.

/// One input byte and the value it must get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Change {
    pub source: u32,
    pub offset: u32,
    pub value: u8,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The hint with these bytes changed satisfies the problem. Sorted, each byte once, no byte that keeps its value.
    Sat(Vec<Change>),
    /// No values of the input bytes do.
    Unsat,
    Unknown(Why),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Why {
    /// Not a problem for this layer; the next one may know.
    NotMine,
    /// The limit of time or work was reached.
    Limit,
    /// The solver behind the layer gave up.
    GaveUp,
}
