//! What the tool and a program that serves as a fork server agree on.
//!
//! A trace file with [`crate::layout::config::SERVE`] asks the process to stop before its first constructor, say so on
//! [`SOCKET`], and make one run out of itself for each message that arrives there. The message carries the run's three
//! standard streams; what else differs from one run to the next stands on the board.

use core::sync::atomic::{AtomicU32, AtomicU64};

/// The server's descriptors. A run has closed them before any code of the program sees it.
pub const SOCKET: i32 = 3;
/// Mapped at start, then closed.
pub const BOARD: i32 = 4;
/// The kernel's `ns_last_pid`, where it lets us have it: all runs get the same pid.
pub const LAST_PID: i32 = 5;

pub const VERSION: u32 = 1;
/// Address space; only what is written costs.
pub const BOARD_SIZE: u64 = 64 << 20;
/// Where the delivery starts on the board.
pub const DELIVERY: u64 = crate::layout::PAGE;

/// The first page of the board.
#[repr(C)]
#[derive(Debug)]
pub struct Board {
    pub version: u32,
    /// `argc` of the base invocation.
    pub arguments: u32,
    /// [`hash`] of its arguments. A program that a wrapper script started is not the one that the tool speaks of.
    pub arguments_hash: u64,
    /// Pid of the run, as the sandbox sees it: written by the kernel before the run begins.
    pub run: AtomicU32,
    pub reserved: u32,
    /// CPU time of those processes of the run that have ended already.
    pub ended_cpu_ns: AtomicU64,
    /// Soft and hard limit of a run's CPU time in seconds; the server itself has none.
    pub cpu_limit: [u64; 2],
    /// Bytes of the delivery: records, each a [`Record`], its name and its bytes, both followed by a zero byte.
    pub delivered: AtomicU64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// [`record`]
    pub kind: u32,
    /// Of an argument.
    pub number: u32,
    pub name_len: u32,
    pub len: u32,
}

pub mod record {
    /// An argument other than the program's name.
    pub const ARGUMENT: u32 = 1;
    /// An environment variable that the base invocation sets too.
    pub const VARIABLE: u32 = 2;
    /// The content of a file as `OFFSHOOT_INPUTS` names it.
    pub const INPUTS: u32 = 3;
}

/// FNV-1a over all strings, each with a zero byte at its end.
pub fn hash<'a>(strings: impl Iterator<Item = &'a [u8]>) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3);
    strings.fold(0xCBF2_9CE4_8422_2325, |hash, text| text.iter().chain(&[0]).fold(hash, step))
}

const _: () = assert!(size_of::<Board>() as u64 <= DELIVERY);
