//! What goes wrong from outside: one line that says what to do.

use crate::place::{Place, text};
use serde_json::Value;
use std::fs;

#[test]
fn a_folder_that_is_not_there_or_empty() {
    let place = Place::new("no_folder");
    fs::create_dir_all(place.folder.join("empty/tests")).expect("a folder");
    let commands: [&[&str]; 5] =
        [&["rank"], &["select"], &["reduce"], &["replay", "all"], &["export", "copy", "--format", "folder"]];
    for command in commands {
        place.refused(&[command, &["-o", "nowhere"]].concat(), 2, &["nowhere", "offshoot explore"]);
        place.refused(&[command, &["-o", "empty"]].concat(), 4, &["empty", "no tests"]);
        place.refused(&[command, &["-o", "empty", "--reduced"]].concat(), 2, &["reduced tests", "offshoot reduce"]);
        place.refused(&[command, &["-o", "count.c"]].concat(), 2, &["count.c"]);
    }
    place.refused(&["reduce", "-o", "empty", "--preserve", "failure"], 4, &["empty"]);
    assert!(!place.folder.join("copy").exists());
}

#[test]
fn names_that_mean_nothing() {
    let place = Place::new("names");
    place.write("corpus/y", b"y");
    place.good(&["import", "corpus", "-o", "out", "--", "./count", "@@"]);
    for id in ["99", "findings/0000", "../../etc", "nonsense", ""] {
        place.refused(&["replay", "-o", "out", id], 2, &["no test", "there are 1"]);
        place.refused(&["reduce", "-o", "out", id], 2, &["no test", "there are 1"]);
        place.refused(&["export", "copy", "--format", "folder", "-o", "out", id], 2, &["no test", "there are 1"]);
    }
    // These are clap's: a line for the error, then what there is.
    let lists: [(&[&str], &str); 4] = [
        (&["rank", "--by", "best"], "random, total, additional, fpf, shortest, auto"),
        (&["reduce", "--preserve", "mood"], "statement, branch, mcdc, failure"),
        (&["import", "corpus", "--format", "zip"], "auto, afl, libfuzzer, ktest, testcomp, folder, offshoot"),
        (&["export", "copy", "--format", "zip"], "afl, libfuzzer, ktest, testcomp, testcomp-zip, folder, shell"),
    ];
    for (args, list) in lists {
        let output = place.offshoot(args);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(list), "{}", text(&output.stderr));
    }
}

#[test]
fn a_damaged_test_is_named_and_the_rest_is_done() {
    let place = Place::new("damaged");
    for name in ["a", "b", "c"] {
        place.write(&format!("corpus/{name}"), name.as_bytes());
    }
    place.good(&["import", "corpus", "-o", "out", "--", "./count", "@@"]);
    let name = place.names("out/tests").remove(1);
    place.write(&format!("out/tests/{name}/test.json"), b"{ \"version\": 1, \"id\"");
    place.write("out/tests/half/stdin", b"written by somebody who was killed");
    place.write("out/tests/README", b"no test");
    let output = place.offshoot(&["rank", "-o", "out", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let ranking: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(ranking["tests"].as_array().expect("tests").len(), 2);
    let stderr = text(&output.stderr);
    assert!(stderr.contains(&format!("{name}/test.json")) && stderr.contains("half/test.json"), "{stderr}");
    assert_eq!(stderr.lines().filter(|line| line.contains("left out")).count(), 2, "{stderr}");
}

#[test]
fn a_program_that_is_gone_or_not_ours() {
    let place = Place::new("program");
    place.write("corpus/y", b"y");
    place.refused(&["import", "corpus", "-o", "out"], 2, &["-- PROGRAM"]);
    place.refused(&["import", "corpus", "-o", "out", "--", "/bin/true"], 2, &["CC=offshoot-cc"]);
    place.refused(&["import", "corpus", "-o", "out", "--", "./nowhere"], 2, &["./nowhere"]);
    place.refused(&["import", "nowhere", "-o", "out", "--", "./count", "@@"], 2, &["nowhere"]);
    assert!(!place.folder.join("out").exists());
    place.good(&["import", "corpus", "-o", "out", "--", "./count", "@@"]);
    fs::remove_file(place.folder.join("count")).expect("the program goes");
    for command in ["rank", "select", "reduce"] {
        place.refused(&[command, "-o", "out"], 2, &["count"]);
    }
    let shown = place.ends(&["replay", "-o", "out", "all"], 4);
    assert!(shown.contains("did not run"), "{shown}");
}

#[test]
fn foreign_files_are_listed_and_the_rest_is_imported() {
    let place = Place::new("foreign");
    place.write("afl/queue/id:000000,orig:y", b"y");
    place.write("afl/queue/notes.txt", b"mine");
    place.write("afl/queue/id:000001,orig:large", &[b'x'; 5000]);
    let import = ["import", "--format", "afl", "afl", "-o", "out", "--max-size", "4K", "--", "./count", "@@"];
    let output = place.offshoot(&import);
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert!(text(&output.stdout).starts_with("afl: 1 tests to out/tests; 0 were known; 2 problems"));
    assert!(stderr.contains("notes.txt: not an entry"), "{stderr}");
    assert!(stderr.contains("large: larger than 4K"), "{stderr}");

    // A suite that somebody else made.
    place.write("mine/y", b"y");
    place.good(&["import", "mine", "-o", "other", "--", "./count", "@@"]);
    let name = place.names("other/tests").remove(0);
    let printed = place.folder.join("other/tests").join(name).join("expected.stdout");
    fs::remove_file(&printed).expect("removed");
    std::os::unix::fs::symlink("/dev/zero", &printed).expect("a link");
    place.refused(&["import", "other", "-o", "out"], 4, &["no test in other", "a link that leads out"]);
    fs::remove_file(&printed).expect("removed");
    assert!(std::process::Command::new("mkfifo").arg(&printed).status().expect("mkfifo").success());
    place.refused(&["import", "other", "-o", "out"], 4, &["no test in other", "expected.stdout: not a regular file"]);
    place.refused(&["rank", "-o", "other"], 4, &["expected.stdout: not a regular file"]);

    place.write("ktests/bad.ktest", b"KTEST of somebody else");
    let import = ["import", "ktests", "-o", "out", "--", "./count", "@@"];
    place.refused(&import, 4, &["no test in ktests", "bad.ktest"]);
    place.refused(&["export", "--format", "ktest", "-o", "out", "k"], 4, &["ktest", "harness"]);
    place.refused(&["export", "--format", "testcomp", "-o", "out", "t"], 2, &["--source"]);
}
