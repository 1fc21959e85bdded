//! The trace file, outside and inside.

mod common;

use common::{sh_under, succeed};
use offshoot_base::Budgets;
use offshoot_run::{Error, Invocation, Policy, TraceFile};
use offshoot_trace::layout::{ENTRY_SIZE, Header, MAGIC, PAGE, Region, RegionId, TRACE_VERSION, config};
use std::mem::{offset_of, size_of};
use std::os::unix::fs::FileExt;

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_ne_bytes(bytes[at..at + 8].try_into().expect("8 bytes"))
}

fn region(bytes: &[u8], id: usize) -> (u64, u64, u64) {
    let at = offset_of!(Header, regions) + id * size_of::<Region>();
    let field = |offset| u64_at(bytes, at + offset);
    (field(offset_of!(Region, offset)), field(offset_of!(Region, capacity)), field(offset_of!(Region, used)))
}

#[test]
fn header_says_where_everything_is() {
    let budgets = Budgets { nodes: 1000, events: 5000, ..Budgets::default() };
    let trace = TraceFile::create(&budgets, config::OUTPUT | config::CALLS, "arg,stdin").expect("a trace");
    let map = trace.map().expect("a map");
    assert_eq!(u64_at(&map, offset_of!(Header, magic)), MAGIC);
    assert_eq!(u64_at(&map, offset_of!(Header, version)), u64::from(TRACE_VERSION) | 6 << 32);
    assert!(map[offset_of!(Header, symbolic)..].starts_with(b"arg,stdin\0"));
    let mut end = PAGE;
    for (id, size) in ENTRY_SIZE.into_iter().enumerate() {
        let (offset, capacity, _) = region(&map, id);
        assert_eq!(offset % PAGE, 0);
        assert!(offset >= end, "regions do not overlap");
        end = offset + capacity * size;
    }
    assert!(end <= map.len() as u64);
    assert_eq!(region(&map, RegionId::Nodes as usize).1, 1000);
    assert_eq!(region(&map, RegionId::Events as usize).1, 5000);
    let used = |id: RegionId| region(&map, id as usize).2;
    let first = [RegionId::Nodes, RegionId::Objects, RegionId::Sources, RegionId::Tables].map(used);
    assert_eq!((first, used(RegionId::Blob), used(RegionId::Events), used(RegionId::Modules)), ([1; 4], 8, 0, 0));
}

#[test]
fn a_default_trace_is_sparse_and_goes_away() {
    let trace = TraceFile::create(&Budgets::default(), 0, "none").expect("a trace");
    assert!(trace.map().expect("a map").len() > 1 << 30);
    assert!(trace.occupied() <= 64 << 10, "{}", trace.occupied());
    let path = trace.path().to_path_buf();
    assert!(path.exists());
    drop(trace);
    assert!(!path.exists());
}

#[test]
fn a_specification_that_does_not_fit_is_refused() {
    let create = |text: &str| TraceFile::create(&Budgets::default(), 0, text);
    assert!(create(&"x".repeat(1023)).is_ok());
    assert!(matches!(create(&"x".repeat(1024)), Err(Error::SymbolicTooLong(1024, 1023))));
    assert!(matches!(create("a\0b"), Err(Error::Nul(_))));
}

#[test]
fn a_trace_can_be_used_again() {
    let trace = TraceFile::create(&Budgets::default(), config::OUTPUT, "none").expect("a trace");
    let map = trace.map().expect("a map");
    let before = map[..PAGE as usize].to_vec();
    let (coverage, _, _) = region(&map, RegionId::Coverage as usize);
    let used =
        offset_of!(Header, regions) + RegionId::Coverage as usize * size_of::<Region>() + offset_of!(Region, used);
    // The header is damaged, and two outcomes were seen.
    let file = std::fs::File::options().write(true).open(trace.path()).expect("a file");
    for (bytes, at) in
        [(&b"damage"[..], 0), (b"pid!", offset_of!(Header, pid)), (&[2], used), (&[1, 1], coverage as usize)]
    {
        file.write_all_at(bytes, at as u64).expect("written");
    }
    assert_eq!((&map[..6], &map[coverage as usize..][..2]), (&b"damage"[..], &[1, 1][..]));
    trace.reset().expect("it is cleared");
    assert_eq!((&map[..PAGE as usize], &map[coverage as usize..][..2]), (&before[..], &[0, 0][..]));
}

/// Also a grandchild, after a change of directory: the path must be good everywhere.
#[test]
fn the_process_writes_into_the_very_same_file() {
    for policy in [Policy::Sandboxed, Policy::LandlockOnly, Policy::None] {
        let trace = TraceFile::create(&Budgets::default(), 0, "none").expect("a trace");
        let map = trace.map().expect("a map");
        let script = "cd / && printf X | sh -c 'dd of=$OFFSHOOT_TRACE bs=1 seek=4000 conv=notrunc'";
        let outcome = succeed(&Invocation { trace: Some(&trace), ..sh_under(policy, script) });
        assert_eq!(map[4000], b'X', "{policy:?}");
        assert!(outcome.changes.iter().all(|change| change.path != trace.path()));
    }
}

#[test]
fn inside_the_sandbox_the_path_is_always_the_same() {
    let path = || {
        let trace = TraceFile::create(&Budgets::default(), 0, "none").expect("a trace");
        let outcome = succeed(&Invocation { trace: Some(&trace), ..common::sh("echo $OFFSHOOT_TRACE") });
        outcome.stdout.bytes
    };
    assert_eq!(path(), path());
}

#[test]
fn addresses_are_not_randomised() {
    let stack = || {
        let grep = Invocation::new("/bin/grep").args(["stack", "/proc/self/maps"]);
        succeed(&grep).stdout.bytes
    };
    assert_eq!(stack(), stack());
}

#[test]
fn as_an_ordinary_user() {
    common::again_as_an_ordinary_user();
}
