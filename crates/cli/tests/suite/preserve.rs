//! What reduction must keep, judged by llvm-cov on variant `cov` of the program.

use crate::place::{Place, text};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

/// Lines that ran, and outcomes that were seen; `None`: the run left no profile, as one that aborts does.
fn covered(place: &Place, test: &str) -> Option<BTreeSet<String>> {
    let raw = place.folder.join("raw");
    if raw.exists() {
        fs::remove_file(&raw).expect("the profile of the run before goes");
    }
    let script = place.folder.join(test).join("cmd.sh");
    let ran = Command::new("sh").arg(&script).env("LLVM_PROFILE_FILE", &raw).current_dir(&place.folder).output();
    ran.expect("sh starts");
    let whole = fs::metadata(&raw).is_ok_and(|data| data.len() > 0);
    if !whole {
        return None;
    }
    let succeed = |command: &mut Command| {
        let output = command.current_dir(&place.folder).output().expect("a tool of LLVM");
        assert!(output.status.success(), "{command:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    succeed(Command::new("llvm-profdata-19").args(["merge", "raw", "-o", "merged"]));
    let export = ["export", "-format=lcov", "-instr-profile", "merged", "count"];
    let lcov = succeed(Command::new("llvm-cov-19").args(export));
    let ran = |line: &&str| {
        let is_kind = line.starts_with("DA:") || line.starts_with("BRDA:");
        is_kind && line.rsplit(',').next().is_some_and(|count| count != "0" && count != "-")
    };
    let place = |line: &str| line.rsplit_once(',').map(|(place, _)| place.to_owned());
    Some(lcov.lines().filter(ran).filter_map(place).collect())
}

#[test]
fn statements_and_outcomes_stay_where_they_are_to_stay() {
    let place = Place::explored("preserve");
    place.good(&["variant", "cov", "count", "-o", "count.cov"]);
    place.good(&["variant", "plain", "count", "-o", "count.plain"]);
    fs::copy(place.folder.join("count"), place.folder.join("count.kept")).expect("a copy");
    let mut sizes = Vec::new();
    for (what, kinds) in [("statement", &["DA:"][..]), ("mcdc", &["DA:", "BRDA:"])] {
        let report = place.json(&["reduce", "-o", "out", "--json", "--preserve", what, "--budget", "60s"]);
        assert_eq!(report["preserve"], what);
        let tests = report["tests"].as_array().expect("tests");
        assert_eq!(tests.len(), place.names("out/tests").len(), "{report}");
        sizes.push(tests.iter().map(|test| test["after"]["bytes"].as_u64().expect("a size")).sum::<u64>());
        // The tests run the program by its name: for them it is the variant now.
        fs::copy(place.folder.join("count.cov"), place.folder.join("count")).expect("the variant");
        let mut judged = 0;
        for name in place.names("out/tests") {
            let before = covered(&place, &format!("out/tests/{name}"));
            let after = covered(&place, &format!("out/reduced/{name}"));
            let (Some(before), Some(after)) = (before, after) else { continue };
            let lost: Vec<_> =
                before.difference(&after).filter(|one| kinds.iter().any(|kind| one.starts_with(kind))).collect();
            assert!(lost.is_empty(), "{what} {name}: {lost:?}");
            judged += 1;
        }
        assert!(judged >= 3, "{judged} tests left a profile");
        fs::copy(place.folder.join("count.kept"), place.folder.join("count")).expect("the program");
    }
    assert!(sizes[0] <= sizes[1], "less has to stay, so no more does: {sizes:?}");
}

#[test]
fn a_test_that_is_never_the_same_is_left_and_named() {
    let place = Place::new("never-the-same");
    place.write("seeds/one", b"xyz");
    place.good(&["import", "seeds", "-o", "out", "--progress", "none", "--", "./clock"]);
    let output = place.offshoot(&["reduce", "-o", "out", "--preserve", "branch", "--json"]);
    assert_eq!(output.status.code(), Some(4));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["tests"].as_array().map(Vec::len), Some(0), "{report}");
    let why = report["left"][0]["why"].as_str().expect("a reason");
    assert!(why.contains("two runs of it differ"), "{why}");
    assert!(text(&output.stderr).contains(why), "also without progress: {}", text(&output.stderr));
}

#[test]
fn a_program_without_bitcode_is_named() {
    let place = Place::explored("no-bitcode");
    let strip = Command::new("llvm-objcopy-19")
        .args(["--remove-section", ".offshoot", "count"])
        .current_dir(&place.folder)
        .status();
    assert!(strip.expect("llvm-objcopy-19").success());
    let output = place.offshoot(&["reduce", "-o", "out"]);
    assert!(!output.status.success());
    assert!(text(&output.stderr).contains("count"), "{}", text(&output.stderr));
}
