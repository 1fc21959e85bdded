//! `explore --stages`, and `explore --sync` beside a real afl-fuzz.

use crate::place::{Explored, Place, json, text};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// Random changes soon find brackets, but not the word.
const PROGRAM: &str = r#"
#include <stdio.h>

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
    if (size >= 8 && text[0] == 'w' && text[1] == 'o' && text[2] == 'r' && text[3] == 'd') {
        puts("the word");
        if (text[4] == (char)(text[5] ^ 0x5a) && text[6] == 'x' && text[7] == 'y')
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

    let covered = |name: &str| stage(&explored, name)["covered"].as_u64().expect("a number");
    let gain = |name: &str| stage(&explored, name)["gain"].as_u64().expect("a number");
    for (before, name) in names.iter().zip(&names[1..]) {
        assert_eq!(covered(name), covered(before) + gain(name), "{name}: {}", explored.stats);
    }

    let flaky = "it looks at the clock";
    let first = place.folder.join("out/tests/000000/test.json");
    let mut test = json(&first);
    test["flaky"] = flaky.into();
    fs::write(&first, test.to_string()).expect("a test");
    let mut again = flags.to_vec();
    again.extend(["--resume"]);
    let resumed = place.explore(&again);
    assert!(resumed.covered() >= explored.covered());
    assert_eq!(json(&first)["flaky"], flaky);
    assert_eq!(stage(&resumed, "mutation")["runs"], mutation["runs"]);
    assert_eq!(resumed.stats["stages"].as_array().map(Vec::len), Some(4), "{}", resumed.stats);
    assert_eq!(resumed.events("stage").len(), 3, "none of them is made again");
}

/// Brings a file that no seed names.
const READER: &str = r#"
#include <stdio.h>

int main(void) {
    FILE *table = fopen("table", "r");
    int first = getchar();
    if (!table)
        return 2;
    return first > fgetc(table);
}
"#;

/// With so many seeds.
fn reader(name: &str, seeds: usize) -> Place {
    let place = Place::with(name, READER);
    place.write("table", b"m");
    fs::create_dir(place.folder.join("seeds")).expect("a folder");
    for at in 0..seeds {
        place.write(&format!("seeds/{at}"), format!("{at} is a seed").as_bytes());
    }
    place
}

/// Explores until it says this, and gives how it ended and how many seeds it has kept.
fn interrupted(place: &Place, flags: &[&str], is_mark: impl Fn(&str) -> bool) -> (Option<i32>, usize) {
    let args = [&["explore", "--progress", "plain", "-o", "out"], flags, &["--", "./prog"]].concat();
    let mut child = place.command(&args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    assert!(lines.any(|line| line.is_ok_and(|line| is_mark(&line))), "the line before the interrupt");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill starts").success());
    lines.for_each(drop);
    let code = child.wait().expect("it ends").code();
    (code, json(&place.folder.join("out/campaign.json"))["seeds"].as_array().map_or(0, Vec::len))
}

#[test]
fn stages_that_are_interrupted_among_the_seeds_go_on() {
    let place = reader("among_seeds", 40);
    let flags = ["--stages", "--seed", "seeds", "--time", "30s", "--no-filter"];
    let (_, seeds) = interrupted(&place, &flags, |line| line.starts_with("seed "));
    assert!(seeds > 0);
    for _ in 0..2 {
        let resumed = place.explore(&["--stages", "--seed", "seeds", "--iterations", "60", "--resume"]);
        assert!(resumed.count("tests") >= seeds as u64, "{}", resumed.stats);
    }
}

/// Wherever the interrupt comes, seeds and what was found are there for who goes on.
#[test]
fn stages_that_are_interrupted_before_any_seed_go_on() {
    let place = reader("before_seeds", 5);
    let flags = ["--stages", "--seed", "seeds", "--iterations", "40"];
    let (code, seeds) = interrupted(&place, &flags, |line| line.contains("until coverage"));
    assert_eq!(code, Some(130));
    let tests = || fs::read_dir(place.folder.join("out/tests")).expect("tests").count();
    assert!(seeds >= 5 && tests() == seeds, "{seeds} seeds, {} tests", tests());
    for _ in 0..2 {
        let resumed = place.explore(&[&flags[..], &["--resume"]].concat());
        assert!(tests() >= seeds && resumed.covered() > 0, "{}", resumed.stats);
    }
}

/// Ends by itself on the seed, and on little else.
const HANGS: &str = r#"
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int first = getchar();
    if (first != 's')
        for (;;)
            pause();
    return getchar() == 'q';
}
"#;

/// Nobody could wait for a run that may take an hour.
#[test]
fn runs_that_do_not_end_leave_time_for_the_rest() {
    let place = Place::with("hangs", HANGS);
    place.write("seed", b"seed");
    let flags = ["--seed", "seed", "--run-time", "1h", "--time", "12s"];
    let explored = place.explore(&[&flags[..], &["--stages"]].concat());
    assert_eq!(explored.findings(), ["hang (ran out of time)"], "{}", explored.stats);
    assert!(stage(&explored, "symbolic")["runs"].as_u64() > Some(0), "{}", explored.stats);
    let resumed = place.explore(&[&flags[..], &["--stages", "--resume"]].concat());
    assert_eq!(resumed.findings(), ["hang (ran out of time)"], "{}", resumed.stats);

    let alone = place.explore_into("alone", &flags);
    assert_eq!(alone.findings(), ["hang (ran out of time)"], "{}", alone.stats);
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
    let explored = place.explore(&["--seed", "in/seed", "--sync", "shared", "--time", "5s"]);
    assert!(explored.count("sync.given") > 0, "{}", explored.stats);

    // It looks once a minute at most, but may begin with it.
    let mut fuzz = Command::new("afl-fuzz");
    fuzz.args(["-M", "main", "-i", "in", "-o", "shared", "-V", "5", "--", "./prog.afl"]).current_dir(&place.folder);
    let settings = [
        "AFL_NO_UI",
        "AFL_NO_AFFINITY",
        "AFL_SKIP_CPUFREQ",
        "AFL_IMPORT_FIRST",
        "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES",
    ];
    settings.iter().for_each(|name| _ = fuzz.env(name, "1"));
    let ended = fuzz.stdin(Stdio::null()).output().expect("afl-fuzz starts");
    let said = text(&ended.stdout) + &text(&ended.stderr);
    assert!(ended.status.success(), "{said}");
    let stats = fs::read_to_string(place.folder.join("shared/main/fuzzer_stats")).expect("what afl-fuzz counted");
    let imported = stats.lines().find(|line| line.starts_with("corpus_imported")).expect("a count");
    assert!(!imported.ends_with(" 0"), "{imported}\n{said}");

    let beside = place.explore_into("beside", &["--seed", "in/seed", "--sync", "shared", "--time", "5s"]);
    assert!(beside.count("sync.looked_at") > 0, "{}", beside.stats);
    // Who goes on has what the others had found.
    let resumed = place.explore_into("beside", &["--seed", "in/seed", "--resume", "--iterations", "1"]);
    assert!(resumed.covered() >= beside.covered(), "{} {}", resumed.stats, beside.stats);
}

#[test]
fn a_sync_folder_that_is_none_is_refused() {
    let place = Place::with("sync-bad", PROGRAM);
    place.check_failure(&["explore", "--sync", "nowhere", "--", "./prog"], &["nowhere", "afl-fuzz"]);
}
