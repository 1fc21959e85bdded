//! `explore --stages`, and `explore --sync` beside a real afl-fuzz.

use crate::place::{Explored, Place, json, text};
use std::fs;
use std::process::{Command, Stdio};

/// Random changes soon find brackets, but not the word.
const PROGRAM: &str = r#"
#include <stdio.h>
#include <string.h>

int main(void) {
    char text[64];
    size_t size = fread(text, 1, sizeof text, stdin);
    int depth = 0;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '(')
            depth++;
        else if (text[i] == ')' && depth > 0)
            depth--;
    }
    if (size >= 12 && memcmp(text, "offshoot", 8) == 0) {
        puts("the word");
        if (text[8] == (char)(text[9] ^ 0x5a) && text[10] == 'x' && text[11] == 'y')
            puts("and more");
    }
    return depth;
}
"#;

fn stage(explored: &Explored, name: &str) -> serde_json::Value {
    let stages = explored.stats["stages"].as_array().expect("stages");
    stages.iter().find(|stage| stage["name"] == name).unwrap_or_else(|| panic!("no {name} in {stages:?}")).clone()
}

#[test]
fn stages_follow_each_other_and_say_what_they_did() {
    let place = Place::with("stages", PROGRAM);
    place.write("seed", b"no brackets in here");
    let flags = ["--stages", "--seed", "seed", "--time", "10s"];
    let explored = place.explore(&flags);
    let names: Vec<&str> = explored.stats["stages"]
        .as_array()
        .expect("stages")
        .iter()
        .filter_map(|stage| stage["name"].as_str())
        .collect();
    assert_eq!(names, ["mutation", "reduction", "ranking", "symbolic"]);
    let shares = names.iter().map(|name| stage(&explored, name)["share"].as_f64().expect("a share"));
    assert!((shares.sum::<f64>() - 1.0).abs() < 1e-6, "{}", explored.stats);
    let mutation = stage(&explored, "mutation");
    assert!(mutation["runs"].as_u64() > Some(10), "{mutation}");
    assert!(!mutation["why"].as_str().expect("a reason").is_empty());
    assert_eq!(explored.events("stage").len(), 3, "the last one is in what ended");
    assert!(text(&explored.output.stdout).contains("stages     mutation"));
    assert_eq!(explored.covered(), stage(&explored, "symbolic")["covered"].as_u64().expect("a number"));
    assert!(stage(&explored, "symbolic")["gain"].as_u64() > Some(0), "the word is for the solver: {}", explored.stats);

    let mut again = flags.to_vec();
    again.extend(["--resume"]);
    let resumed = place.explore(&again);
    assert!(resumed.covered() >= explored.covered());
}

#[test]
fn afl_fuzz_imports_what_explore_finds() {
    let have = |tool: &str| Command::new(tool).arg("-h").output().is_ok();
    if !have("afl-fuzz") || !have("afl-clang-fast") {
        eprintln!("not tried: there is no afl-fuzz here (Debian: afl++)");
        return;
    }
    let place = Place::with("sync", PROGRAM);
    fs::create_dir_all(place.folder.join("in")).expect("a folder");
    fs::create_dir_all(place.folder.join("shared")).expect("a folder");
    place.write("in/seed", b"no brackets in here");
    let mut build = Command::new("afl-clang-fast");
    build.args(["-O1", "prog.c", "-o", "prog.afl"]).env("AFL_QUIET", "1").current_dir(&place.folder);
    if !build.output().is_ok_and(|built| built.status.success()) {
        eprintln!("not tried: afl-clang-fast cannot compile here");
        return;
    }
    let mut fuzz = Command::new("afl-fuzz");
    fuzz.args(["-M", "main", "-i", "in", "-o", "shared", "-V", "20", "--", "./prog.afl"]).current_dir(&place.folder);
    let settings =
        ["AFL_NO_UI", "AFL_NO_AFFINITY", "AFL_SKIP_CPUFREQ", "AFL_FINAL_SYNC", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES"];
    settings.iter().for_each(|name| _ = fuzz.env(name, "1"));
    let log = fs::File::create(place.folder.join("afl.log")).expect("a log");
    fuzz.stdin(Stdio::null()).stdout(log.try_clone().expect("a log")).stderr(log);
    let mut afl = fuzz.spawn().expect("afl-fuzz starts");
    let explored = place.explore(&["--seed", "in/seed", "--sync", "shared", "--time", "10s", "--no-filter"]);
    let ended = afl.wait().expect("afl-fuzz ends");
    let log = fs::read_to_string(place.folder.join("afl.log")).expect("a log");
    assert!(ended.success(), "{log}");
    let shared = &explored.stats["sync"];
    assert!(shared["given"].as_u64() > Some(0), "{shared}");
    assert!(shared["looked_at"].as_u64() > Some(0), "{shared}");
    let stats = fs::read_to_string(place.folder.join("shared/main/fuzzer_stats")).expect("what afl-fuzz counted");
    let imported = stats.lines().find(|line| line.starts_with("corpus_imported")).expect("a count").to_owned();
    assert!(!imported.ends_with(" 0"), "{imported}\n{log}");
    // Who goes on with it has what the other found.
    let resumed = place.explore(&["--seed", "in/seed", "--resume", "--iterations", "1"]);
    assert!(resumed.covered() >= explored.covered(), "{}", json(&explored.folder.join("stats.json")));
}

#[test]
fn a_sync_folder_that_is_none_is_refused() {
    let place = Place::with("sync-bad", PROGRAM);
    place.check_failure(&["explore", "--sync", "nowhere", "--", "./prog"], &["nowhere", "afl-fuzz"]);
}
