//! Commands on the tests of a campaign, on a small program that is explored for real.
//!
//! Needs what `make build` leaves in target/release/lib/offshoot.

mod bad_input;
mod place;
mod preserve;

use place::{Place, column, text};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

const TWO: &str = r#"
#include <stdio.h>

int main(int argc, char **argv) {
    FILE *rules = fopen(argv[1], "r"), *data = fopen(argv[2], "r");
    if (!rules || !data)
        return 9;
    if (fgetc(rules) == 'x')
        puts("x");
    return fgetc(data) == 'q';
}
"#;

/// Some branches a round.
const LONG: &str = r#"
#include <stdio.h>

int main(int argc, char **argv) {
    FILE *file = fopen(argv[1], "r");
    long rounds = 0;
    for (int c; file && (c = fgetc(file)) >= '0';)
        rounds = rounds * 10 + c - '0';
    volatile long count = 0;
    for (long at = 0; at < rounds; at++)
        if (at & 1)
            count++;
    return 0;
}
"#;

#[test]
fn every_order_is_a_permutation_by_its_own_measure() {
    let place = Place::explored("rank");
    let names = place.names("out/tests");
    for order in ["random", "total", "additional", "fpf", "shortest", "auto"] {
        let args = ["rank", "-o", "out", "--by", order, "--rng-seed", "3", "--json", "-j", "2"];
        let ranking = place.json(&args);
        let mut ranked = tests(&ranking);
        assert_eq!(ranked.len(), names.len(), "{order}");
        let (gains, covered) = (column(&ranking, "gain"), column(&ranking, "covered"));
        assert_eq!(gains.iter().sum::<u64>(), ranking["covered"].as_u64().expect("a number"), "{order}");
        assert_eq!(covered.last(), ranking["covered"].as_u64().as_ref(), "{order}");
        assert!(ranking["covered"].as_u64() <= ranking["total"].as_u64());
        match order {
            "total" => assert!(column(&ranking, "branches").is_sorted_by(|a, b| a >= b)),
            "additional" => assert!(gains.is_sorted_by(|a, b| a >= b)),
            "shortest" => assert!(column(&ranking, "path_length").is_sorted()),
            _ => {}
        }
        assert_eq!(place.json(&args), ranking, "the same seed gives the same order");
        let written: Value =
            serde_json::from_slice(&fs::read(place.folder.join("out/order.json")).expect("an order")).expect("JSON");
        assert_eq!(written, ranking);
        ranked.sort();
        assert_eq!(ranked, names);
    }
    let shown = place.good(&["rank", "-o", "out"]);
    assert!(shown.contains("tests by auto") && shown.contains("out/order.json"), "{shown}");
}

#[test]
fn seeds_come_in_the_order_of_the_ranking_or_small_ones_first() {
    let place = Place::new("order");
    for (name, input) in [("large", "a line of many letters"), ("middle", "(aa)"), ("small", "a"), ("none", "")] {
        place.write(&format!("files/{name}"), input.as_bytes());
    }
    place.good(&["import", "--format", "folder", "files", "-o", "out", "--", "./count", "-v", "@@"]);
    let check = ["check", "--suite", "out", "-o", "checked", "--max-distance", "0", "--checks", "division", "--json"];
    let seeds = || -> Vec<String> {
        let checked = place.json(&check);
        let name = |seed: &Value| seed["name"].as_str().expect("a name").split(' ').next().expect("a word").to_owned();
        checked["seeds"].as_array().expect("seeds").iter().map(name).collect()
    };
    let size = |test: &String| {
        let input = place.folder.join("out/tests").join(test).join("file.0");
        fs::metadata(input).expect("an input").len()
    };
    assert_eq!(seeds().iter().map(size).collect::<Vec<_>>(), [0, 1, 4, 22]);
    for order in ["total", "random"] {
        let ranking = place.json(&["rank", "-o", "out", "--by", order, "--rng-seed", "5", "--json"]);
        assert_eq!(seeds(), tests(&ranking), "{order}");
    }
    fs::write(place.folder.join("out/order.json"), "{\"tests\": 7}").expect("a file");
    place.refused(&check, 2, &["out/order.json", "offshoot rank -o out"]);
}

#[test]
fn a_selection_covers_the_same() {
    let place = Place::explored("select");
    let all = place.json(&["rank", "-o", "out", "--json"]);
    let selected = place.json(&["select", "-o", "out", "--copy-to", "few", "--json"]);
    let count = selected["tests"].as_array().expect("tests").len();
    assert_eq!(place.names("few/tests").len(), count);
    assert!(count <= tests(&all).len());
    assert_eq!(place.json(&["rank", "-o", "few", "--json"])["covered"], all["covered"]);
    assert_eq!(place.json(&["select", "-o", "few", "--json"])["tests"], selected["tests"]);
    place.good(&["replay", "-o", "few", "all"]);
    place.refused(&["select", "-o", "out", "--copy-to", "few"], 2, &["few", "new folder"]);
}

#[test]
fn reduced_tests_are_smaller_and_cover_at_least_as_much() {
    let place = Place::explored("reduce");
    let report = place.json(&["reduce", "-o", "out", "--json", "-j", "2", "--budget", "60s", "--preserve", "branch"]);
    let reduced = report["tests"].as_array().expect("tests");
    assert_eq!(place.names("out/reduced"), place.names("out/tests"));
    let size = |test: &Value, when: &str| test[when]["bytes"].as_u64().expect("a size");
    assert!(reduced.iter().all(|test| size(test, "after") <= size(test, "before")), "{report}");
    assert!(reduced.iter().all(|test| test["is_minimal"] == true), "{report}");
    let seed = &reduced[0];
    // `-v`, an a and both brackets are all that the seed's coverage needs.
    assert!(size(seed, "after") < 10 && seed["rate"].as_f64() > Some(0.5), "{seed}");
    let branches = |args: &[&str]| -> BTreeMap<String, u64> {
        let ranking = place.json(args);
        tests(&ranking).into_iter().zip(column(&ranking, "branches")).collect()
    };
    let before = branches(&["rank", "-o", "out", "--json"]);
    let after = branches(&["rank", "-o", "out", "--reduced", "--json"]);
    assert!(before.iter().all(|(test, count)| after[test] >= *count), "{before:?} {after:?}");
    place.good(&["replay", "-o", "out", "--reduced", "all"]);

    let shown = place.good(&["reduce", "-o", "out", "--progress", "none", "000000"]);
    assert!(shown.contains("path on the input") && shown.contains("1 tests"), "{shown}");
}

#[test]
fn a_failure_is_kept_while_everything_else_goes() {
    let place = Place::explored("failure");
    let findings = place.names("out/findings");
    let abort = findings.iter().find(|name| {
        let note = fs::read_to_string(place.folder.join("out/findings").join(name).join("note.json"));
        note.expect("a note").contains("SIGABRT")
    });
    let name = format!("findings/{}", abort.expect("the abort is a finding"));
    place.good(&["reduce", "-o", "out", "--preserve", "failure", &name, "--progress", "none"]);
    let reduced = name.replace("findings/", "finding-");
    let replayed = place.good(&["replay", "-o", "out", "--reduced", &reduced]);
    assert!(replayed.contains("SIGABRT"), "{replayed}");
    let input = fs::read(place.folder.join("out/reduced").join(&reduced).join("file.0")).expect("the input");
    assert_eq!(text(&input), "a!");
    place.good(&["replay", "-o", "out", &name]);
}

#[test]
fn a_change_of_the_program_is_shown() {
    let place = Place::explored("replay");
    let passed = place.json(&["replay", "-o", "out", "all", "--json"]);
    assert_eq!(passed["failed"], 0);
    assert_eq!(passed["passed"].as_u64().expect("a number") as usize, place.names("out/tests").len());

    let source = fs::read_to_string(place.folder.join("count.c")).expect("a source");
    place.write("count.c", source.replace("%d letters", "%d characters").as_bytes());
    place.good(&["cc", "-O1", "count.c", "-o", "count"]);
    let shown = place.ends(&["replay", "-o", "out", "0"], 4);
    assert!(shown.contains("000000: FAILED"), "{shown}");
    assert!(shown.contains("expected \"4 letters\", got \"4 characters\""), "{shown}");
    assert!(shown.contains("1 tests: 0 as expected, 1 failed, 0 flaky"), "{shown}");
}

#[test]
fn a_test_whose_runs_differ_is_marked_flaky() {
    let place = Place::new("flaky");
    place.write("corpus/y", b"y");
    place.good(&["import", "corpus", "-o", "out", "--", "./clock"]);
    let shown = place.ends(&["replay", "-o", "out", "all"], 4);
    assert!(shown.contains("stdout: line 1"), "{shown}");
    let shown = place.good(&["replay", "-o", "out", "--runs", "3", "all"]);
    assert!(shown.contains("runs differ: stdout"), "{shown}");
    let name = place.names("out/tests").remove(0);
    let described = fs::read_to_string(place.folder.join("out/tests").join(&name).join("test.json")).expect("a test");
    assert!(described.contains("\"flaky\": \"runs differ: stdout"), "{described}");
    let again = place.json(&["replay", "-o", "out", "--json", &name]);
    assert_eq!((&again["failed"], &again["flaky"]), (&0.into(), &1.into()));
}

#[test]
fn tests_go_out_and_come_back() {
    let place = Place::explored("exchange");
    let count = place.names("out/tests").len();
    let covered = place.json(&["rank", "-o", "out", "--json"])["covered"].clone();
    for format in ["afl", "libfuzzer", "folder"] {
        place.good(&["export", "--format", format, "-o", "out", format]);
        let (from, to) = (format, format!("{format}.out"));
        let import = ["import", "--format", format, from, "-o", &to, "--json"];
        let with_program = [&import[..], &["--", "./count", "-v", "-x", "@@"]].concat();
        let report = place.json(&with_program);
        assert_eq!(report["problems"], Value::Array(vec![]), "{format}");
        assert_eq!(report["imported"].as_u64().expect("a number") as usize, place.names(&format!("{to}/tests")).len());
        // Arguments are no part of these forms.
        assert!(place.json(&["rank", "-o", &to, "--json"])["covered"].as_u64() > covered.as_u64().map(|all| all / 2));
        place.good(&["replay", "-o", &to, "all"]);
        let again = place.json(&with_program);
        assert_eq!(again["imported"], 0, "{format}");
    }
    place.good(&["export", "--format", "offshoot", "-o", "out", "ours"]);
    assert_eq!(place.names("ours/tests").len(), count);
    let report = place.json(&["import", "out", "-o", "own.out", "--json"]);
    assert_eq!(report["imported"].as_u64().expect("a number") as usize, count);
    assert_eq!(place.json(&["rank", "-o", "own.out", "--json"])["covered"], covered);
    assert_eq!(place.json(&["import", "ours", "-o", "own.out", "--json"])["known"].as_u64(), Some(count as u64));

    place.good(&["export", "--format", "shell", "-o", "out", "scripts", "000000", "1"]);
    let run = Command::new("sh").arg(place.folder.join("scripts/run-tests.sh")).output().expect("a shell");
    assert_eq!(text(&run.stdout), "2 tests, 0 failed, 0 flaky, 0 skipped\n", "{}", text(&run.stderr));
}

/// Exploration keeps only the values that it changed; these forms must have all of them.
#[test]
fn values_of_a_harness_keep_their_places() {
    let place = Place::new("harness");
    place.good(&["explore", "--iterations", "20", "--progress", "none", "-o", "out", "--", "./harness"]);
    let ranking = place.json(&["rank", "-o", "out", "--json"]);
    assert_eq!(ranking["covered"], ranking["total"], "{ranking}");
    for (format, to) in [("ktest", "ktest"), ("testcomp", "testcomp"), ("testcomp-zip", "suite.zip")] {
        place.good(&["export", "--format", format, "--source", "harness.c", "-o", "out", to]);
        let back = format!("{format}.out");
        place.good(&["import", to, "-o", &back, "--", "./harness"]);
        assert_eq!(place.json(&["rank", "-o", &back, "--json"])["covered"], ranking["covered"], "{format}");
        place.good(&["replay", "-o", &back, "all"]);
    }
}

/// Exploration edits one of the files only, or neither; a test is nothing without the other one.
#[test]
fn a_test_brings_every_file_that_it_read_by_a_relative_name() {
    let place = Place::new("brings");
    place.write("two.c", TWO.as_bytes());
    place.good(&["cc", "-O1", "two.c", "-o", "two"]);
    place.write("rules.txt", b"rules");
    place.write("data/in.txt", b"data");
    place.good(&[
        "explore",
        "--iterations",
        "20",
        "--progress",
        "none",
        "-o",
        "out",
        "--",
        "./two",
        "rules.txt",
        "data/in.txt",
    ]);
    for file in ["rules.txt", "data/in.txt"] {
        fs::remove_file(place.folder.join(file)).expect("the file was there");
    }
    let names = place.names("out/tests");
    assert!(names.len() > 1, "{names:?}");
    let mut parents = Vec::new();
    let mut ids = Vec::new();
    for name in &names {
        let folder = place.folder.join("out/tests").join(name);
        let mut script = Command::new("sh");
        let ended = script.arg(folder.join("cmd.sh")).arg("--check").current_dir("/").output().expect("a shell");
        assert!(ended.status.success(), "{name}: {}", text(&ended.stderr));
        let test: Value = serde_json::from_slice(&fs::read(folder.join("test.json")).expect("a test")).expect("JSON");
        ids.push(test["id"].clone());
        parents.extend(test["origin"]["generated"].get("parent").cloned());
    }
    assert!(!parents.is_empty() && parents.iter().all(|parent| ids.contains(parent)), "{parents:?} {ids:?}");
    place.good(&["replay", "-o", "out", "all"]);
}

/// A path is as long as it is, also where the trace has no room for it.
#[test]
fn the_length_of_a_path_has_no_limit() {
    let place = Place::new("long");
    place.write("long.c", LONG.as_bytes());
    place.good(&["cc", "-O1", "long.c", "-o", "long"]);
    for rounds in ["1000", "2000", "20000000"] {
        place.write(&format!("rounds/{rounds}"), rounds.as_bytes());
    }
    place.good(&["import", "--no-run", "rounds", "-o", "out", "--", "./long", "@@"]);
    let ranking = place.json(&["rank", "-o", "out", "--by", "shortest", "--run-time", "100s", "--json"]);
    let lengths = column(&ranking, "path_length");
    let a_thousand = lengths[1] - lengths[0];
    assert!(a_thousand >= 1000, "{lengths:?}");
    // A number has its digits on the path, too.
    let expected = lengths[1] + 19_998 * a_thousand;
    assert!(lengths[2].abs_diff(expected) < 100, "{lengths:?}");
}

#[test]
fn a_later_reduction_adds_to_the_report() {
    let place = Place::explored("again");
    let report = || -> Value {
        let text = fs::read(place.folder.join("out/reduction.json")).expect("a report");
        serde_json::from_slice(&text).expect("JSON")
    };
    let reduce = ["reduce", "-o", "out", "--progress", "none", "--preserve", "branch"];
    place.good(&[&reduce[..], &["000000", "000001", "000002"]].concat());
    place.good(&[&reduce[..], &["000001"]].concat());
    assert_eq!(tests(&report()), ["000000", "000001", "000002"]);
    fs::remove_dir_all(place.folder.join("out/reduced/000002")).expect("a reduced test");
    place.good(&["reduce", "-o", "out", "--progress", "none", "--preserve", "failure", "000001"]);
    assert_eq!(tests(&report()), ["000000", "000001"]);
    assert_eq!((&report()["preserve"], &report()["tests"][0]["preserve"]), (&"failure".into(), &"branch".into()));

    place.write("out/reduction.json", b"{ half of");
    let said = place.offshoot(&[&reduce[..], &["000001"]].concat());
    let said = text(&said.stderr);
    assert!(said.contains("warning: cannot read out/reduction.json"), "{said}");
    assert_eq!(tests(&report()), ["000001"]);
}

/// The first test is done, and the second one never ends by itself.
#[test]
fn an_interrupted_reduction_keeps_what_is_done() {
    let place = Place::new("interrupted");
    place.write("quick/input", b"xxxxa");
    place.write("slow/input", b"h");
    let run = ["--", "./forever"];
    let quick = place.json(&[&["import", "quick", "-o", "out", "--json"][..], &run].concat());
    let slow = place.json(&[&["import", "slow", "-o", "out", "--json", "--no-run"][..], &run].concat());
    let name = |report: &Value| report["tests"][0].as_str().expect("a name").to_owned();
    let (quick, slow) = (name(&quick), name(&slow));
    let mut command = place.command(&["reduce", "-o", "out", "--run-time", "1h", "--progress", "plain", &quick, &slow]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("offshoot starts");
    let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut line = String::new();
    while !line.starts_with(&quick) {
        line.clear();
        assert!(stderr.read_line(&mut line).expect("text") > 0, "the first test is reported");
    }
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill starts").success());
    let rest: Vec<String> = stderr.lines().map(|line| line.expect("text")).collect();
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "{rest:?}");
    assert!(rest.iter().any(|line| line.contains("interrupted; 1 of 2")), "{rest:?}");
    assert_eq!(place.names("out/reduced"), [quick]);
}

fn tests(report: &Value) -> Vec<String> {
    let tests = report["tests"].as_array().expect("tests");
    tests.iter().map(|test| test["test"].as_str().expect("a name").to_owned()).collect()
}

/// Waits if there is nothing to read.
const WAITS: &str = r#"
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int first = getchar();
    if (first == EOF)
        for (;;)
            pause();
    return first == 'a';
}
"#;

#[test]
fn what_waits_for_input_that_is_gone_leaves_time_for_the_rest() {
    let place = Place::new("waits");
    place.write("waits.c", WAITS.as_bytes());
    place.good(&["cc", "-O1", "waits.c", "-o", "waits"]);
    place.write("inputs/one", b"a first line\nand a second one\n");
    place.good(&["import", "inputs", "-o", "out", "--", "./waits"]);
    let reduced = place.json(&["reduce", "-o", "out", "--preserve", "branch", "--budget", "9s", "--json"]);
    let (before, after) = (&reduced["tests"][0]["before"]["bytes"], &reduced["tests"][0]["after"]["bytes"]);
    assert!(after.as_u64() < before.as_u64(), "{reduced}");
}

#[test]
fn a_reduction_that_cannot_be_written_is_the_last_one() {
    let place = Place::explored("unwritten");
    place.write("out/reduced", b"no folder");
    let output = place.offshoot(&["reduce", "-o", "out", "--preserve", "branch", "--progress", "plain"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    let reduced = said.lines().filter(|line| line.starts_with("0000")).count();
    assert!((1..place.names("out/tests").len()).contains(&reduced), "{said}");
}
