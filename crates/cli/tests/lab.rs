//! `offshoot lab` on a small program: tables, files, errors.
//!
//! Needs what `make build` leaves in target/release/lib/offshoot.

use quick_xml::Reader;
use quick_xml::events::Event;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = r#"
#include <stdio.h>
int main(void) {
    int depth = 0, c;
    while ((c = getchar()) != EOF) {
        if (c == '(')
            depth++;
        else if (c == ')' && depth > 0)
            depth--;
        else if (c == '#')
            return depth > 2 ? 3 : 1;
    }
    return depth ? 2 : 0;
}
"#;

/// A folder of its own for one test, with an instrumented program and a seed in it.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lab").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("the folder of an earlier run goes");
        }
        fs::create_dir_all(folder.join("seeds")).expect("a folder");
        let place = Place(folder);
        place.write("prog.c", PROGRAM);
        place.write("seeds/a", "aaaaaaaa");
        let built = place.offshoot(&["cc", "-O1", "prog.c", "-o", "prog"]);
        assert!(built.status.success(), "{}", text(&built.stderr));
        place
    }

    fn write(&self, name: &str, content: &str) {
        fs::write(self.0.join(name), content).expect("a file");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn command(&self, args: &[&str]) -> Command {
        let resource = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/lib/offshoot");
        assert!(resource.join("liboffshoot_runtime.a").exists(), "no run-time library; run: make build");
        let mut command = Command::new(env!("CARGO_BIN_EXE_offshoot"));
        command.args(args).current_dir(&self.0).env("OFFSHOOT_LIB", resource).stdin(Stdio::null());
        command
    }

    fn offshoot(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("offshoot starts")
    }

    /// The one line that an error is.
    fn error(&self, args: &[&str]) -> String {
        let output = self.offshoot(args);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert_eq!(message.lines().filter(|line| line.starts_with("offshoot: error:")).count(), 1, "{message}");
        assert!(!self.0.join("offshoot.lab").exists(), "nothing is written");
        message
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn well_formed(text: &str) {
    let mut reader = Reader::from_str(text);
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error} in {text}")) {
            Event::Eof => return,
            Event::Start(element) | Event::Empty(element) => {
                assert!(element.attributes().all(|attribute| attribute.is_ok()), "{element:?}");
            }
            _ => {}
        }
    }
}

#[test]
fn two_strategies_side_by_side() {
    let place = Place::new("two");
    let args = "lab --strategy cgs:k=1,random-path --repetitions 2 --iterations 20 --seed seeds -- ./prog";
    let args: Vec<&str> = args.split(' ').collect();
    let first = place.offshoot(&args);
    assert_eq!(first.status.code(), Some(0), "{}", text(&first.stderr));
    let table = text(&first.stdout);
    let row = |name: &str| table.lines().filter(|line| line.trim_start().starts_with(name)).count();
    assert_eq!((row("cgs:k=1 "), row("random-path ")), (1, 1), "{table}");
    assert_eq!(text(&first.stderr).matches("repetition").count(), 4, "a line for each run");

    let results: Value = serde_json::from_str(&place.read("offshoot.lab/lab.json")).expect("JSON");
    assert_eq!(results["budget"]["iterations"], 20);
    let rows = results["subjects"][0]["strategies"].as_array().expect("rows");
    assert_eq!(rows.len(), 2);
    for row in rows {
        let runs = row["runs"].as_array().expect("runs");
        assert_eq!(runs.iter().map(|run| run["rng_seed"].as_u64()).collect::<Vec<_>>(), [Some(0), Some(1)]);
        for run in runs {
            assert!(run["iterations"].as_u64().is_some_and(|iterations| (2..=20).contains(&iterations)), "{run}");
            assert!(run["covered"].as_u64() > run["curve"][0]["covered"].as_u64(), "more than the seed: {run}");
        }
    }
    let page = place.read("offshoot.lab/lab.html");
    well_formed(&page);
    let plot = place.read("offshoot.lab/prog.svg");
    well_formed(&plot);
    assert!(page.contains(&plot));
    assert!(place.read("offshoot.lab/lab.md").contains("\n| cgs:k=1 | "));
    let kept = fs::read_dir(place.0.join("offshoot.lab/runs/prog/cgs_k_1/1")).expect("a run").count();
    assert_eq!(kept, 1, "events and nothing else");

    let second = place.offshoot(&args);
    assert_eq!(text(&second.stdout), table, "the same seeds give the same table");
    assert!(place.0.join("offshoot.lab.old/lab.json").exists());
}

#[test]
fn a_file_of_subjects() {
    let place = Place::new("subjects");
    fs::create_dir(place.0.join("elsewhere")).expect("a folder");
    place.write(
        "subjects.toml",
        r#"
        [[subject]]
        name = "one"
        command = ["./prog"]
        seeds = ["seeds/a"]
        run_time = "5s"
        [[subject]]
        name = "no such input"
        command = ["./prog"]
        symbolic = "none"
        "#,
    );
    let mut command =
        "lab --strategy dfs,bfs --repetitions 1 --iterations 10 -j 2 --json --subjects".split(' ').collect();
    let run = |command: &mut Vec<&str>, file: &'static str| {
        command.push(file);
        let output = place.offshoot(command);
        command.pop();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert_eq!(text(&output.stderr), "");
        serde_json::from_slice::<Value>(&output.stdout).expect("JSON")
    };
    let results = run(&mut command, "subjects.toml");
    let names: Vec<_> = results["subjects"].as_array().expect("a list").iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["one", "no such input"]);
    assert_eq!(results["overall"].as_array().map(Vec::len), Some(2));
    assert!(place.0.join("offshoot.lab/no_such_input.svg").exists());
    place.write("elsewhere/s.json", r#"[{"name": "one", "command": ["../prog"], "seeds": ["../seeds"]}]"#);
    let results = run(&mut command, "elsewhere/s.json");
    assert_eq!(results["subjects"][0]["goals"], 14);
}

/// `explore` refuses what it cannot parse: every run of one subject fails, those of the other do not.
#[test]
fn failures_stay_where_they_are() {
    let place = Place::new("failures");
    place.write(
        "s.json",
        r#"[{"name": "bad", "command": ["./prog"], "symbolic": "-x"}, {"name": "good", "command": ["./prog"]}]"#,
    );
    let output = place.offshoot(
        &"lab --strategy random-path --repetitions 2 --iterations 5 --subjects s.json".split(' ').collect::<Vec<_>>(),
    );
    let table = text(&output.stdout);
    assert_eq!(output.status.code(), Some(5), "{table}{}", text(&output.stderr));
    assert!(table.contains("  random-path (2 failed) "), "{table}");
    assert!(table.contains("failed: bad, random-path: "), "{table}");
    assert!(table.lines().any(|line| line.starts_with("  random-path  ") && line.contains("best")), "{table}");
}

#[test]
fn what_draws_no_random_numbers_runs_once() {
    let place = Place::new("once");
    let args = "lab --strategy dfs,random-path --repetitions 3 --iterations 5 --progress plain -- ./prog";
    let output = place.offshoot(&args.split(' ').collect::<Vec<_>>());
    let said = text(&output.stderr);
    assert_eq!(said.matches("prog, dfs, repetition").count(), 1, "{said}");
    assert_eq!(said.matches("prog, random-path, repetition").count(), 3, "{said}");
    let results: Value = serde_json::from_str(&place.read("offshoot.lab/lab.json")).expect("JSON");
    let strategies = results["subjects"][0]["strategies"].as_array().expect("strategies");
    assert!(strategies.iter().all(|row| row["runs"].as_array().map(Vec::len) == Some(3)), "{results:#}");
}

#[test]
fn an_interrupt_keeps_what_there_is() {
    let place = Place::new("interrupt");
    let args = "lab --strategy random-path --repetitions 9999 --iterations 3 --progress plain -- ./prog";
    let mut lab = place.command(&args.split(' ').collect::<Vec<_>>());
    let mut lab = lab.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("offshoot starts");
    let mut lines = BufReader::new(lab.stderr.take().expect("a pipe")).lines();
    let first = lines.next().expect("a line").expect("text");
    assert!(first.starts_with("[1/9999] prog, random-path, repetition 0: "), "{first}");
    kill_process(Pid::from_child(&lab), Signal::INT).expect("a signal");
    let rest: Vec<String> = lines.map(|line| line.expect("text")).collect();
    assert!(rest.iter().any(|line| line.starts_with("interrupted")), "{rest:?}");
    assert_eq!(lab.wait().expect("an end").code(), Some(130));
    let results: Value = serde_json::from_str(&place.read("offshoot.lab/lab.json")).expect("JSON");
    assert_eq!(results["interrupted"], true);
    let row = &results["subjects"][0]["strategies"][0];
    let finished = 1 + rest.iter().filter(|line| line.starts_with('[')).count();
    assert_eq!(row["runs"].as_array().map(Vec::len), Some(finished));
    assert_eq!(row["failed"].as_array().map(Vec::len), Some(0));
}

#[test]
fn bad_input() {
    let place = Place::new("bad_input");
    assert!(place.error(&["lab", "--strategy", "dsf", "--", "./prog"]).contains("`dsf`; there are auto, dfs"));
    assert!(place.error(&["lab", "--strategy", "dfs,dfs", "--", "./prog"]).contains("dfs is there twice"));
    assert!(place.error(&["lab", "--strategy", "interleave(dfs", "--", "./prog"]).contains("parentheses"));
    assert!(place.error(&["lab", "--", "./nothing"]).contains("./nothing"));
    assert!(place.error(&["lab", "--seed", "none", "--", "./prog"]).contains("cannot read the seed"));
    let files = [
        ("", "no subjects in it"),
        ("[[subject]]\nname = 1\ncommand = [\"./prog\"]", "subject 1: field `name`: expected a text, found 1"),
        ("[[subject]]\nname = \"p\"", "subject 1 (p): field `command`: is missing"),
        ("[[subject]]\nname = \"p\"\ncommand = \"./prog\"", "field `command`: expected a list of texts"),
        ("[[subject]]\nname = \"p\"\ncommand = [\"./none\"]", "field `command`: cannot run"),
        ("[[subject]]\nname = \"p\"\ncommand = [\"prog\"]\nseeds = [\"none\"]", "field `seeds`: cannot read"),
        ("[[subject]]\nname = \"p\"\ncommand = [\"prog\"]\nrun_time = \"soon\"", "field `run_time`: "),
        ("[[subject]]\nname = \"p\"\ncommand = [\"prog\"]\nsed = []", "no field is called `sed`; there are name"),
        ("[{\"name\": \"p\", \"command\": [\"prog\"]}, {\"name\": \"p\", \"command\": [\"prog\"]}]", "another subject"),
        ("[[subject]\n", "s.toml: "),
    ];
    for (content, expected) in files {
        place.write("s.toml", content);
        let message = place.error(&["lab", "--subjects", "s.toml"]);
        assert!(message.contains("s.toml: ") && message.contains(expected), "{content}: {message}");
    }
    assert!(place.error(&["lab", "--subjects", "no.toml"]).contains("no.toml: cannot read it"));
    for args in ["lab --iterations 5 --time 1s -- ./prog", "lab --subjects s.toml -- ./prog", "lab"] {
        let output = place.offshoot(&args.split(' ').collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(2), "{args}");
    }
}
