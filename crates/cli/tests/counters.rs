//! `OFFSHOOT_COVERAGE`: what a `plain` variant leaves in the file.
//!
//! Needs what `make build` leaves in target/release/lib/offshoot.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = r#"
#include <stdlib.h>
int other(int);
int main(int argc, char **argv) {
    if (argc > 1)
        if (argv[1][0] == 'a')
            abort();
    return other(argc);
}
"#;
const OTHER: &str = "int other(int n) { return n > 2 ? 7 : 0; }\n";

const PAGE: usize = 4096;

struct Record {
    uid: u64,
    outcomes: Vec<u8>,
}

impl Record {
    fn seen(&self) -> usize {
        self.outcomes.iter().filter(|outcome| **outcome == 1).count()
    }
}

/// Reads the format that crates/runtime/counters/counters.c describes.
fn records(path: &Path) -> Vec<Record> {
    let bytes = fs::read(path).expect("a coverage file");
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let number =
            |offset: usize| u64::from_le_bytes(bytes[at + offset..at + offset + 8].try_into().expect("8 bytes"));
        assert_eq!(&bytes[at..at + 8], b"OFFCOUNT");
        assert_eq!(number(8) as u32, 1, "version");
        let size = 2 * (number(8) >> 32) as usize;
        let outcomes = &bytes[at + PAGE..at + PAGE + size];
        assert!(outcomes.iter().all(|outcome| *outcome <= 1));
        found.push(Record { uid: number(16), outcomes: outcomes.to_vec() });
        at += PAGE + size.next_multiple_of(PAGE);
    }
    found
}

/// A folder of its own for one test, with the `plain` variant of a program of two units in it.
fn plain(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("counters").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the folder of an earlier run goes");
    }
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("main.c"), PROGRAM).expect("a source");
    fs::write(folder.join("other.c"), OTHER).expect("a source");
    let resource = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/lib/offshoot");
    assert!(resource.join("liboffshoot_counters.a").exists(), "no run-time library; run: make build");
    for line in ["cc -O2 main.c other.c -o prog", "variant plain prog -o plain"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_offshoot"));
        command.args(line.split(' ')).current_dir(&folder).env("OFFSHOOT_LIB", &resource);
        assert!(command.status().expect("offshoot starts").success(), "{line}");
    }
    folder
}

fn command(folder: &Path, args: &[&str], coverage: &Path) -> Command {
    let mut command = Command::new(folder.join("plain"));
    command.args(args).env("OFFSHOOT_COVERAGE", coverage);
    command
}

fn run(folder: &Path, args: &[&str], coverage: &Path) -> Option<i32> {
    command(folder, args, coverage).status().expect("the variant starts").code()
}

#[test]
fn runs_add_up_and_a_crash_loses_nothing() {
    let folder = plain("add_up");
    let file = folder.join("coverage");
    assert_eq!(run(&folder, &[], &file), Some(0));
    let first = records(&file);
    assert_eq!(first.len(), 2, "one record for each unit");
    // main: argc > 1 is false. other: n > 2 is false.
    assert_eq!(first.iter().map(Record::seen).sum::<usize>(), 2);

    assert_eq!(run(&folder, &["abort"], &file), None, "ended by a signal");
    let second = records(&file);
    assert_eq!(second.iter().map(|r| r.uid).collect::<Vec<_>>(), first.iter().map(|r| r.uid).collect::<Vec<_>>());
    // Both conditions of main have been true now.
    assert_eq!(second.iter().map(Record::seen).sum::<usize>(), 4);

    assert_eq!(run(&folder, &["x", "y"], &file), Some(7));
    let third = records(&file);
    assert_eq!(third.iter().map(Record::seen).sum::<usize>(), 6);
    for (earlier, later) in [(&first, &second), (&second, &third)] {
        for (a, b) in earlier.iter().zip(later.iter()) {
            assert!(a.outcomes.iter().zip(&b.outcomes).all(|(a, b)| a <= b), "nothing is forgotten");
        }
    }
}

#[test]
fn processes_can_share_a_file() {
    let folder = plain("share");
    let file = folder.join("coverage");
    let arguments: [&[&str]; 3] = [&[], &["abort"], &["x", "y"]];
    let start = |args| command(&folder, args, &file).spawn().expect("the variant starts");
    let running: Vec<_> = (0..30).map(|i| start(arguments[i % 3])).collect();
    for mut child in running {
        child.wait().expect("the variant ends");
    }
    let records = records(&file);
    assert_eq!(records.len(), 2);
    assert_eq!(records.iter().map(Record::seen).sum::<usize>(), 6);
}

#[test]
fn a_file_that_is_not_ours_stays_as_it_is() {
    let folder = plain("foreign");
    let file = folder.join("notes.txt");
    fs::write(&file, "my notes\n").expect("a file");
    assert_eq!(run(&folder, &[], &file), Some(0));
    assert_eq!(fs::read_to_string(&file).expect("the file"), "my notes\n");
    assert_eq!(run(&folder, &[], Path::new("/nonexistent/coverage")), Some(0));
    assert_eq!(run(&folder, &["x", "y"], &folder), Some(7), "a folder is no file");
}
