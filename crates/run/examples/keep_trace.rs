//! The trace of one run, kept without its empty space: `keep_trace OUT SYMBOLIC PROGRAM [ARG...] < INPUT`.
//!
//! `SYMBOLIC` is in the words of the trace header (`stdin`, `arg,stdin`, …). The program runs in the sandbox.

use std::ffi::OsString;
use std::io::Read;
use std::mem::{offset_of, size_of};

use offshoot_base::Budgets;
use offshoot_run::{Invocation, Stdin, TraceFile, invoke};
use offshoot_trace::layout::{ENTRY_SIZE, Header, PAGE, REGIONS, Region};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args: Vec<OsString> = std::env::args_os().skip(1).collect();
    if args.len() < 3 {
        return Err("usage: keep_trace OUT SYMBOLIC PROGRAM [ARG...] < INPUT".into());
    }
    let rest = args.split_off(3);
    let symbolic = args[1].to_str().ok_or("SYMBOLIC is not UTF-8")?;
    let trace = TraceFile::create(&Budgets::default(), 0, symbolic)?;
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input)?;
    let invocation =
        Invocation { stdin: Stdin::Bytes(input), trace: Some(&trace), ..Invocation::new(&args[2]).args(rest) };
    let outcome = invoke(&invocation)?;
    let kept = compact(&trace.map()?);
    std::fs::write(&args[0], &kept)?;
    println!("{:?}, {} bytes", outcome.status, kept.len());
    Ok(())
}

/// The file with every region cut to what is used.
fn compact(bytes: &[u8]) -> Vec<u8> {
    let word = |at: usize| bytes[at..at + 8].iter().rev().fold(0u64, |word, &byte| word << 8 | u64::from(byte));
    let mut file = bytes[..PAGE as usize].to_vec();
    for (region, size) in ENTRY_SIZE.into_iter().enumerate().take(REGIONS) {
        let at = offset_of!(Header, regions) + region * size_of::<Region>();
        let offset = word(at + offset_of!(Region, offset)) as usize;
        let used = word(at + offset_of!(Region, used)).min(word(at + offset_of!(Region, capacity)));
        let start = file.len() as u64;
        for (field, value) in [
            (offset_of!(Region, offset), start),
            (offset_of!(Region, capacity), used),
            (offset_of!(Region, used), used),
        ] {
            file[at + field..at + field + 8].copy_from_slice(&value.to_le_bytes());
        }
        file.extend_from_slice(&bytes[offset..offset + (used * size) as usize]);
        file.resize(file.len().next_multiple_of(PAGE as usize), 0);
    }
    file
}
