//! `offshoot check` on small programs with one error each: found from seeds that do not fail, at the distance it should
//! be, with an input that fails; and on correct ones, where nothing may be reported.
//!
//! Needs what `make build` leaves in target/release/lib/offshoot.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn offshoot(args: &[&str]) -> Output {
    let resource = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/lib/offshoot");
    assert!(resource.join("liboffshoot_runtime.a").exists(), "no run-time library; run: make build");
    Command::new(env!("CARGO_BIN_EXE_offshoot"))
        .args(args)
        .env("OFFSHOOT_LIB", resource)
        .env_remove("OFFSHOOT_SELFCHECK")
        .stdin(Stdio::null())
        .output()
        .expect("offshoot starts")
}

fn path(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

struct Subject {
    folder: PathBuf,
    program: PathBuf,
}

/// tests/zesti/NAME.c, built in a folder of the test's own, with its seeds.
fn subject(test: &str, name: &str, seeds: &[&[u8]]) -> Subject {
    subject_with(&[], test, name, seeds)
}

fn subject_with(flags: &[&str], test: &str, name: &str, seeds: &[&[u8]]) -> Subject {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check").join(test);
    // An earlier run's.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("seeds")).expect("a folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/zesti").join(format!("{name}.c"));
    let source = source.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", source.display()));
    let program = folder.join(name);
    let built = offshoot(&[&["cc", "-O1", "-g", path(&source), "-o", path(&program)], flags].concat());
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    for (number, seed) in seeds.iter().enumerate() {
        std::fs::write(folder.join("seeds").join(number.to_string()), seed).expect("a seed");
    }
    Subject { folder, program }
}

impl Subject {
    fn check(&self, flags: &[&str]) -> (i32, Value) {
        let (seeds, out) = (self.folder.join("seeds"), self.folder.join("out"));
        let mut args = vec!["check", "--json", "--seed", path(&seeds), "-o", path(&out)];
        args.extend(flags);
        args.extend(["--", path(&self.program)]);
        let output = offshoot(&args);
        let errors = String::from_utf8_lossy(&output.stderr);
        let summary = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {errors}"));
        (output.status.code().expect("a status"), summary)
    }

    /// None of the seeds fails, and together they run every line.
    fn assert_seeds_are_a_good_suite(&self) {
        let covered = self.folder.join("covered");
        let made = offshoot(&["variant", "cov", path(&self.program), "-o", path(&covered)]);
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let mut raw = Vec::new();
        for seed in std::fs::read_dir(self.folder.join("seeds")).expect("seeds") {
            let seed = seed.expect("a seed").path();
            let profile = seed.with_extension("profraw");
            let run = Command::new(&covered)
                .stdin(std::fs::File::open(&seed).expect("a seed"))
                .env("LLVM_PROFILE_FILE", self.folder.join(profile.file_name().expect("a name")))
                .output()
                .expect("it starts");
            assert_eq!(run.status.code(), Some(0), "the seed {} fails", seed.display());
            raw.push(self.folder.join(profile.file_name().expect("a name")));
        }
        let merged = self.folder.join("all.profdata");
        let done = Command::new("llvm-profdata-19").arg("merge").args(&raw).arg("-o").arg(&merged).status();
        assert!(done.expect("llvm-profdata-19").success());
        let export = Command::new("llvm-cov-19")
            .args(["export", "-summary-only", "-instr-profile", path(&merged), path(&covered)])
            .output()
            .expect("llvm-cov-19");
        let export: Value = serde_json::from_slice(&export.stdout).expect("JSON");
        let lines = &export["data"][0]["totals"]["lines"];
        assert_eq!(lines["covered"], lines["count"], "the seeds do not run every line");
        assert!(lines["count"].as_u64() > Some(0));
    }
}

/// The finding's input, through its own cmd.sh, without Offshoot.
fn reproduces(folder: &Path, kind: &str) {
    let run = Command::new("sh").arg(folder.join("cmd.sh")).stdin(Stdio::null()).output().expect("sh");
    let errors = String::from_utf8_lossy(&run.stderr);
    let kind = if kind == "SIGABRT" { "ABRT" } else { kind };
    assert!(!run.status.success() && errors.contains(kind), "cmd.sh does not show {kind}: {errors}");
}

struct Expected {
    kind: &'static str,
    title: &'static str,
    function: &'static str,
    distance: u64,
    changed: usize,
}

#[track_caller]
fn finds(subject: &Subject, flags: &[&str], expected: &Expected) {
    let (code, summary) = subject.check(flags);
    let findings = summary["findings"].as_array().expect("findings");
    assert_eq!((code, findings.len()), (1, 1), "{summary:#}");
    let finding = &findings[0];
    let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    assert_eq!((text("kind").as_str(), text("title").as_str()), (expected.kind, expected.title), "{finding:#}");
    assert_eq!(finding["place"]["function"], expected.function, "{finding:#}");
    assert_eq!(finding["distance"], expected.distance, "{finding:#}");
    assert_eq!(finding["changed"].as_array().map(Vec::len), Some(expected.changed), "{finding:#}");
    let out = subject.folder.join("out");
    reproduces(&out.join(text("folder")), expected.kind);
    let sarif = std::fs::read(out.join("check.sarif")).expect("check.sarif");
    let sarif: Value = serde_json::from_slice(&sarif).expect("JSON");
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["partialFingerprints"]["offshoot/v2"], finding["fingerprint"]);
    assert_eq!(
        result["locations"][0]["physicalLocation"]["region"]["startLine"], finding["place"]["line"],
        "{result:#}"
    );
    let junit = std::fs::read_to_string(out.join("check.xml")).expect("check.xml");
    assert!(junit.contains("failures=\"1\"") && junit.contains(&format!("type=\"{}\"", expected.kind)), "{junit}");
}

fn int(value: i32) -> [u8; 4] {
    value.to_le_bytes()
}

const CLOSE: &[&str] = &["--max-distance", "1"];

#[test]
fn figure_1_at_distance_0() {
    let subject = subject("figure_1", "snippet_1", &[&int(50), &int(100)]);
    subject.assert_seeds_are_a_good_suite();
    let expected = Expected { kind: "SEGV", title: "out-of-bounds write", function: "f", distance: 0, changed: 1 };
    finds(&subject, CLOSE, &expected);
}

/// "We now show how it can find the bug for any argument value" (§IV-B).
#[test]
fn figure_3_at_distance_1() {
    let subject = subject("figure_3", "snippet_1", &[&int(100)]);
    let (code, summary) = subject.check(&["--max-distance", "0"]);
    assert_eq!((code, summary["findings"].as_array().map(Vec::len)), (0, Some(0)));
    let expected = Expected { kind: "SEGV", title: "out-of-bounds write", function: "f", distance: 1, changed: 1 };
    finds(&subject, CLOSE, &expected);
}

#[test]
fn figure_4_at_distance_0_from_a_good_suite() {
    let subject = subject("figure_4", "snippet_2", &[&int(50), &int(150), &int(250)]);
    subject.assert_seeds_are_a_good_suite();
    let expected = Expected { kind: "SEGV", title: "out-of-bounds write", function: "f", distance: 0, changed: 1 };
    finds(&subject, CLOSE, &expected);
}

/// "ZESTI first considers D2 … Going further, it finds D1 which leads to the bug" (§IV-B).
#[test]
fn figure_4_at_distance_2_from_one_seed() {
    let subject = subject("figure_4_far", "snippet_2", &[&int(150)]);
    let (code, _) = subject.check(&["--max-distance", "1", "--no-untaken"]);
    assert_eq!(code, 0, "nothing at distance 1");
    let expected = Expected { kind: "SEGV", title: "out-of-bounds write", function: "f", distance: 2, changed: 1 };
    finds(&subject, &["--max-distance", "2", "--no-untaken"], &expected);
}

#[test]
fn what_no_test_takes_comes_before_the_distances() {
    let subject = subject("rare_header", "rare_header", &[&[1; 16]]);
    let (code, _) = subject.check(&["--max-distance", "1", "--no-untaken"]);
    assert_eq!(code, 0, "it is further away than that");
    finds(
        &subject,
        CLOSE,
        &Expected { kind: "SEGV", title: "the run fails", function: "main", distance: 1, changed: 1 },
    );
}

#[test]
fn range_list_with_a_bit_vector() {
    let subject = subject("range_list", "range_list", &[b"3-5,6-", b"5-3"]);
    subject.assert_seeds_are_a_good_suite();
    let (kind, title) = ("heap-buffer-overflow", "out-of-bounds read");
    finds(&subject, CLOSE, &Expected { kind, title, function: "main", distance: 0, changed: 1 });
}

#[test]
fn section_header_with_a_zero_entry_size() {
    let seeds: &[&[u8]] = &[b"SECT\x18\0\0\0\x04\0", b"SECT\x19\0\0\0\x04\0", b"NONE\x18\0\0\0\x04\0"];
    let subject = subject("section_header", "section_header", seeds);
    subject.assert_seeds_are_a_good_suite();
    let (kind, title) = ("FPE", "division by zero");
    finds(&subject, CLOSE, &Expected { kind, title, function: "main", distance: 0, changed: 1 });
}

/// From `%d 7`, where a quote in place of the number is a way that no test takes.
#[test]
fn format_directive_with_a_lone_quote() {
    let subject = subject("format_directive", "format_directive", &[b"%c x", b"%d 'ab", b"%d 7", b"%e 7", b"?"]);
    subject.assert_seeds_are_a_good_suite();
    let (kind, title) = ("heap-buffer-overflow", "the run fails");
    finds(&subject, CLOSE, &Expected { kind, title, function: "number", distance: 1, changed: 1 });
}

#[test]
fn index_against_a_symbolic_size() {
    let subject = subject("symbolic_size", "symbolic_size", &[b"\x08\x03"]);
    let (kind, title) = ("heap-buffer-overflow", "out-of-bounds write");
    finds(&subject, CLOSE, &Expected { kind, title, function: "main", distance: 0, changed: 1 });
}

#[test]
fn length_past_the_end_of_what_is_copied() {
    let subject = subject("copy_length", "copy_length", &[b"\x08"]);
    let (kind, title) = ("heap-buffer-overflow", "length past the end (read)");
    finds(&subject, CLOSE, &Expected { kind, title, function: "main", distance: 0, changed: 1 });
}

#[test]
fn assertion_that_can_fail() {
    let subject = subject("assertion", "assertion", &[b"\x01\x02"]);
    let (kind, title) = ("SIGABRT", "assertion failure");
    finds(&subject, CLOSE, &Expected { kind, title, function: "main", distance: 0, changed: 2 });
}

#[test]
fn pointer_that_may_be_null() {
    let subject = subject("null_entry", "null_entry", &[b"\x01"]);
    let (kind, title) = ("SEGV", "null pointer dereference");
    finds(&subject, CLOSE, &Expected { kind, title, function: "main", distance: 0, changed: 1 });
}

#[test]
fn block_that_is_freed_twice() {
    let subject = subject("freed", "freed", &[b"rx"]);
    let (kind, title) = ("double-free", "the run fails");
    finds(&subject, CLOSE, &Expected { kind, title, function: "main", distance: 1, changed: 1 });
}

#[test]
fn size_that_overflows() {
    let subject = subject("overflowing_size", "overflowing_size", &[b"\x02\0\0\0"]);
    let (kind, title) = ("heap-buffer-overflow", "allocation size overflow");
    let flags = &["--max-distance", "1", "--checks", "allocation"];
    finds(&subject, flags, &Expected { kind, title, function: "main", distance: 0, changed: 2 });
}

#[test]
fn quotient_that_does_not_fit() {
    let seed = [int(100), int(7)].concat();
    let subject = subject("quotient", "quotient", &[&seed]);
    let (kind, title) = ("FPE", "division overflow");
    finds(&subject, CLOSE, &Expected { kind, title, function: "main", distance: 0, changed: 6 });
}

#[test]
fn large_output_is_no_hang_and_endless_output_is_one() {
    let subject = subject("large_output", "large_output", &[b"a"]);
    let (_, summary) = subject.check(&["--max-distance", "1", "--run-time", "2s"]);
    let findings = summary["findings"].as_array().expect("findings");
    let found: Vec<_> = findings.iter().map(|one| (&one["kind"], &one["changed"][0]["new"])).collect();
    assert_eq!(found, [(&Value::from("hang"), &Value::from(b'e'))], "{summary:#}");
}

#[test]
fn labels_that_lead_to_the_same_place_are_one() {
    let subject = subject("labels", "labels", &[b"10"]);
    let (kind, title) = ("global-buffer-overflow", "out-of-bounds read");
    finds(&subject, CLOSE, &Expected { kind, title, function: "main", distance: 0, changed: 1 });
}

#[test]
fn error_behind_an_allocation_that_asan_would_refuse() {
    let subject = subject("aligned", "aligned", &[b"\x05"]);
    let (kind, title) = ("FPE", "division by zero");
    finds(&subject, CLOSE, &Expected { kind, title, function: "main", distance: 0, changed: 1 });
}

#[test]
fn arithmetic_is_checked_where_it_is_asked_for() {
    let flags = ["-foffshoot-checks=overflow,shift", "-foffshoot-checks=conversion"];
    let checked = subject_with(&flags, "arithmetic", "arithmetic", &[b"\x01\x01\x01"]);
    let (code, summary) = checked.check(CLOSE);
    assert_eq!((code, summary["findings"].as_array().map(Vec::len)), (0, Some(0)), "off by default: {summary:#}");
    let (code, summary) = checked.check(&["--max-distance", "1", "--checks", "default,overflow,shift,conversion"]);
    let findings = summary["findings"].as_array().expect("findings");
    let mut kinds: Vec<_> = findings.iter().map(|one| one["kind"].as_str().expect("a kind")).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["lossy-conversion", "shift-out-of-range", "signed-overflow"], "{summary:#}");
    assert_eq!(code, 1);
    assert!(findings.iter().all(|one| one["plainly"] == "exit 0"), "the program itself goes on");
    let (code, summary) = checked.check(&["--max-distance", "1", "--checks", "overflow"]);
    let kinds: Vec<_> = summary["findings"].as_array().expect("findings").iter().map(|one| &one["kind"]).collect();
    assert_eq!((code, kinds), (1, vec![&Value::from("signed-overflow")]), "the others are let pass");
}

#[test]
fn arithmetic_that_was_not_compiled_in_is_said() {
    let unchecked = subject("unchecked", "arithmetic", &[b"\x01\x01\x01"]);
    let seeds = unchecked.folder.join("seeds");
    let out = unchecked.folder.join("out");
    let args = ["check", "--seed", path(&seeds), "-o", path(&out), "--max-distance", "0", "--checks", "shift", "--"];
    let output = offshoot(&[&args[..], &[path(&unchecked.program)]].concat());
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    assert!(text.contains("was built without -foffshoot-checks=shift"), "{text}");
    let refused = offshoot(&["cc", "-foffshoot-checks=shifts", "-c", "x.c"]);
    let errors = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2));
    assert!(errors.contains("shifts: there are overflow, shift and conversion"), "{errors}");
}

#[test]
fn nothing_is_reported_of_correct_programs() {
    let first = [int(5), int(6), int(3), int(1)].concat();
    let second = [int(5), int(6), int(10), int(2)].concat();
    let subjects = [
        subject("correct", "correct", &[&first, &second]),
        subject("correct_strings", "correct_strings", &[b"ab=cd", b"Aa"]),
    ];
    for subject in subjects {
        let (code, summary) = subject.check(&["--max-distance", "2"]);
        assert_eq!(code, 0, "{summary:#}");
        assert_eq!(summary["findings"].as_array().map(Vec::len), Some(0));
        assert_eq!(summary["unconfirmed"].as_array().map(Vec::len), Some(0), "{summary:#}");
        assert!(summary["checks"].as_u64() > Some(0), "{summary:#}");
        assert_eq!(summary["completed_distance"], 2);
    }
}

#[test]
fn checks_are_switched_and_unknown_ones_are_named() {
    let subject = subject("switched", "section_header", &[b"SECT\x18\0\0\0\x04\0"]);
    let (code, _) = subject.check(&["--max-distance", "0", "--checks", "-division"]);
    assert_eq!(code, 0, "nobody looks at divisions");
    let output = offshoot(&["check", "--checks", "divisions", "--", path(&subject.program)]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors.contains("\"divisions\"") && errors.contains("null, bounds, freed, division"), "{errors}");
}

#[test]
fn a_program_of_another_compiler_is_refused_with_advice() {
    let output = offshoot(&["check", "--", "/bin/true"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors.contains("CC=offshoot-cc"), "{errors}");
}
