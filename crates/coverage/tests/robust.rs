//! Whatever is in the sections, there is a report or an error, and no panic.

#[path = "common/program.rs"]
mod program;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use offshoot_coverage::{Addresses, Mapping, MappingError, Names, Profile, Report};
use proptest::prelude::*;

use program::{Sections, raw_profile, sections};

/// The sections of a program with macros, decisions and an uncompressed list of files, and the profile of a run.
fn sample() -> &'static (Sections, Vec<u8>) {
    static SAMPLE: OnceLock<(Sections, Vec<u8>)> = OnceLock::new();
    SAMPLE.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/coverage/macro_nested.c");
        let more = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/coverage/parts/other.c");
        let scratch = tempfile::tempdir().expect("a folder");
        let (program, raw) = (scratch.path().join("program"), scratch.path().join("raw"));
        let mut clang = Command::new("clang-19");
        clang.args(["-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc", "-O1", "-w"]);
        clang.args(["-mllvm", "-enable-name-compression=false"]);
        let built = clang.args([&source, &more]).arg("-o").arg(&program).output().expect("clang-19");
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let run = Command::new(&program).arg("5").env("LLVM_PROFILE_FILE", &raw).status();
        assert!(run.expect("the program").code().is_some());
        (sections(&program), fs::read(&raw).expect("a profile"))
    })
}

/// Goes through all that a report has.
fn use_all(covmap: &[u8], covfun: &[u8], names: &[u8], data: &[u8], counters: &[u8], bitmaps: &[u8]) -> bool {
    let (sections, _) = sample();
    let names = Names::read(names).unwrap_or_default();
    let mapping = Mapping::read(covmap, covfun);
    let profile = Profile::read(data, counters, bitmaps, sections.addresses);
    let Ok(mapping) = mapping else { return false };
    for profile in [profile.unwrap_or_default(), Profile::default()] {
        let report = Report::new(&mapping, &profile, &names);
        for file in &report.files {
            assert!(file.lines.is_sorted_by_key(|line| line.line));
            assert!(report.branches(file).count() + report.decisions(file).count() < usize::MAX);
        }
        for tally in [report.total.lines, report.total.branches, report.total.mcdc, report.total.regions] {
            assert!(tally.covered <= tally.total);
        }
    }
    true
}

#[derive(Debug, Clone)]
enum Change {
    Set(prop::sample::Index, u8),
    Flip(prop::sample::Index, u8),
    Insert(prop::sample::Index, u8),
    Remove(prop::sample::Index),
    Cut(prop::sample::Index),
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<prop::sample::Index>;
    prop_oneof![
        6 => (at(), any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
        6 => (at(), 0u8..8).prop_map(|(at, bit)| Change::Flip(at, bit)),
        2 => (at(), any::<u8>()).prop_map(|(at, byte)| Change::Insert(at, byte)),
        2 => at().prop_map(Change::Remove),
        1 => at().prop_map(Change::Cut),
    ]
}

fn apply(bytes: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for change in changes {
        if bytes.is_empty() {
            break;
        }
        let size = bytes.len();
        match change {
            Change::Set(at, byte) => bytes[at.index(size)] = *byte,
            Change::Flip(at, bit) => bytes[at.index(size)] ^= 1 << bit,
            Change::Insert(at, byte) => bytes.insert(at.index(size), *byte),
            Change::Remove(at) => drop(bytes.remove(at.index(size))),
            Change::Cut(at) => bytes.truncate(at.index(size)),
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn changed_functions_do_not_panic(changes in prop::collection::vec(change(), 1..6)) {
        let (sections, raw) = sample();
        let (counters, bitmaps) = raw_profile(raw);
        use_all(&sections.covmap, &apply(&sections.covfun, &changes), &sections.names, &sections.data, counters, bitmaps);
    }

    #[test]
    fn changed_everything_does_not_panic(
        which in prop::collection::vec(prop::collection::vec(change(), 0..3), 6..=6),
    ) {
        let (sections, raw) = sample();
        let (counters, bitmaps) = raw_profile(raw);
        use_all(
            &apply(&sections.covmap, &which[0]),
            &apply(&sections.covfun, &which[1]),
            &apply(&sections.names, &which[2]),
            &apply(&sections.data, &which[3]),
            &apply(counters, &which[4]),
            &apply(bitmaps, &which[5]),
        );
    }

    #[test]
    fn noise_does_not_panic(noise in prop::collection::vec(any::<u8>(), 0..200)) {
        let (sections, raw) = sample();
        let (counters, bitmaps) = raw_profile(raw);
        use_all(&noise, &sections.covfun, &noise, &sections.data, counters, bitmaps);
        use_all(&sections.covmap, &noise, &sections.names, &noise, &noise, &noise);
    }
}

#[test]
fn every_cut_is_an_error_or_leaves_whole_functions() {
    let (sections, raw) = sample();
    let (counters, bitmaps) = raw_profile(raw);
    let all = sections.mapping().functions.len();
    let mut whole = 0;
    for end in 0..sections.covfun.len() {
        match Mapping::read(&sections.covmap, &sections.covfun[..end]) {
            Ok(mapping) => {
                assert!(mapping.functions.len() < all || end + 8 > sections.covfun.len());
                whole += 1;
            }
            Err(error) => assert!(matches!(error, MappingError::Truncated { .. }), "{error}"),
        }
        use_all(&sections.covmap, &sections.covfun[..end], &sections.names, &sections.data, counters, bitmaps);
    }
    assert!(whole > 0 && whole < sections.covfun.len() / 4, "{whole}");
    for end in 1..sections.covmap.len() {
        let unread = Mapping::read(&sections.covmap[..end], &sections.covfun).is_err();
        assert!(unread || end + 8 > sections.covmap.len(), "{end} of {}", sections.covmap.len());
    }
    for end in 0..sections.data.len() {
        let read = Profile::read(&sections.data[..end], counters, bitmaps, sections.addresses);
        assert_eq!(read.is_ok(), end % 64 == 0);
    }
}

#[test]
fn another_version_is_named() {
    let (sections, _) = sample();
    let mut covmap = sections.covmap.clone();
    covmap[12] = 7;
    let error = Mapping::read(&covmap, &sections.covfun).unwrap_err();
    let expected = "__llvm_covmap has format version 8; versions 6 and 7 (up to clang 19) can be read";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn addresses_of_another_program_are_an_error() {
    let (sections, raw) = sample();
    let (counters, bitmaps) = raw_profile(raw);
    let wrong = Addresses { counters: sections.addresses.counters + 8, ..sections.addresses };
    let error = Profile::read(&sections.data, counters, bitmaps, wrong).unwrap_err();
    assert!(error.to_string().contains("points outside of __llvm_prf_cnts: bytes -8 to"), "{error}");
}
