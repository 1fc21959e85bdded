//! What happened in a run, in order, as a stream of 64-bit words.
//!
//! The first word of every event:
//!
//! ```text
//!  63            32 31                    5  4    3..0
//! +----------------+-----------------------+-----+------+
//! |   term id      |   site (27 bits)      | bit | kind |
//! +----------------+-----------------------+-----+------+
//! ```
//!
//! followed by the payload words that the kind asks for. A site is global to the process: the module's base (from the
//! module table) plus the site's index in that module's model. Site 0 is "no site".

use crate::node::NodeId;

pub const SITE_BITS: u32 = 27;
pub const MAX_SITE: u32 = (1 << SITE_BITS) - 1;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $value:literal, $payload:literal;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum EventKind { $($(#[$doc])* $name = $value,)* }

        impl EventKind {
            pub const fn from_u8(raw: u8) -> Option<EventKind> {
                match raw { $($value => Some(EventKind::$name),)* _ => None }
            }
            /// Number of payload words.
            pub const fn payload(self) -> usize {
                match self { $(EventKind::$name => $payload,)* }
            }
        }
    };
}

kinds! {
    /// A condition: `term` (width 1; 0 if concrete and concrete branches were asked for) had the value `bit`.
    Branch = 1, 0;
    /// A `switch` on `term`. Payload: the value.
    Switch = 2, 1;
    /// The run goes on with one value of `term`, which the path condition must keep. Payload: the value.
    /// `bit`: the value is an address that was written to, and other addresses are candidates of their own.
    Concretise = 3, 1;
    /// A memory access through a symbolic address. `term`: the address; `bit`: a write. Payload: the address,
    /// `object id << 32 | size in bytes` (object 0: unknown).
    Access = 4, 2;
    /// A division or remainder whose divisor is `term`; `bit`: signed. Payload: the divisor's value, the dividend's
    /// term id << 32 | width.
    Divide = 5, 2;
    /// A length handed to a memory or string function is `term`. Payload: the value, the address,
    /// `object id << 32 | bit 0: write`.
    Length = 6, 3;
    /// A heap allocation. `term`: the size, if symbolic. Payload: object id, size.
    Allocate = 7, 2;
    /// Heap object (payload) was freed. `bit`: it was not a live object (double or wild free; payload: the address).
    Free = 8, 1;
    /// Bytes were written to a file descriptor. Payload: fd << 32 | number of bytes, blob offset of `(bytes, one
    /// handle a byte if the top bit is set)`.
    Output = 9, 2;
    /// An assumption that held. `term`: the condition (width 1).
    Assume = 10, 0;
    /// An assertion. `term`: the condition (0 if concrete), `bit`: it held.
    Assert = 11, 0;
    /// Something was not modelled; the value went on concretely. `term`: what was lost, if one term.
    /// Payload: reason (`LossReason`) | blob offset of the name (u32) << 32.
    Loss = 12, 1;
    /// Function entry (`bit` 0) or exit (`bit` 1). The site is the function's. Reserved: nothing writes it yet.
    Call = 13, 0;
}

/// Why something symbolic became concrete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum LossReason {
    /// A call into code that is neither instrumented nor modelled; the name is the function's.
    Unmodelled = 1,
    /// An instruction or intrinsic without a model; the name is its opcode.
    Instruction = 2,
    /// A read through a symbolic address from an object that is unknown or too large for a table.
    LargeObject = 3,
    /// A budget was used up; the run is concrete from here on. The name says which.
    Budget = 4,
    /// Inline assembly.
    Assembly = 5,
    /// A libc function handled only for common arguments (the name is the function's).
    PartialModel = 6,
}

impl LossReason {
    pub const fn from_u8(raw: u8) -> Option<LossReason> {
        Some(match raw {
            1 => LossReason::Unmodelled,
            2 => LossReason::Instruction,
            3 => LossReason::LargeObject,
            4 => LossReason::Budget,
            5 => LossReason::Assembly,
            6 => LossReason::PartialModel,
            _ => return None,
        })
    }
}

/// One decoded event; `payload[..kind.payload()]` is meaningful.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    pub kind: EventKind,
    pub bit: bool,
    pub site: u32,
    pub term: NodeId,
    pub payload: [u64; 3],
}

pub const fn first_word(kind: EventKind, bit: bool, site: u32, term: NodeId) -> u64 {
    kind as u64 | (bit as u64) << 4 | ((site & MAX_SITE) as u64) << 5 | (term as u64) << 32
}

/// Reads events until the words end or make no sense (a process that was killed may leave a torn last event).
#[derive(Clone)]
pub struct Events<'a> {
    words: &'a [u64],
}

impl<'a> Events<'a> {
    pub const fn new(words: &'a [u64]) -> Self {
        Events { words }
    }
}

impl Iterator for Events<'_> {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let (&word, rest) = self.words.split_first()?;
        let kind = EventKind::from_u8((word & 15) as u8)?;
        let count = kind.payload();
        if rest.len() < count {
            return None;
        }
        let mut payload = [0; 3];
        payload[..count].copy_from_slice(&rest[..count]);
        self.words = &rest[count..];
        Some(Event {
            kind,
            bit: word & 16 != 0,
            site: (word >> 5) as u32 & MAX_SITE,
            term: (word >> 32) as u32,
            payload,
        })
    }
}
