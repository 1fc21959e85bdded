//! The same run again, more of it, with more workers, or only half of it.

use crate::place::{Place, json};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// Sixteen decisions on the path that all bytes of a kind take, and a few paths that end early.
const PROGRAM: &str = r#"
#include <stdio.h>
#include <unistd.h>

static int classify(const unsigned char *in) {
    int letters = 0;
    for (int at = 0; at < 6; at++) {
        if (in[at] == '.')
            return at;
        if (in[at] >= 'a' && in[at] <= 'c')
            letters++;
    }
    if (letters == 6)
        puts("word");
    if (in[0] > in[1] && in[1] > in[2])
        puts("falling");
    return letters;
}

int main(void) {
    unsigned char in[6] = {0};
    if (read(0, in, 6) < 6)
        return 1;
    return classify(in);
}
"#;

/// More paths than anybody walks, and a new branch now and then.
pub fn endless() -> String {
    let cases: String = (0..200).map(|case| format!("            case {case}: odd++; break;\n")).collect();
    format!(
        "#include <unistd.h>\n\
         int main(void) {{\n\
             unsigned char in[64] = {{0}};\n\
             int odd = 0;\n\
             if (read(0, in, 64) < 64)\n\
                 return 1;\n\
             for (int at = 0; at < 64; at++)\n\
                 switch (in[at] ^ in[at / 2]) {{\n{cases}\
                 default: break;\n\
                 }}\n\
             return odd & 1;\n\
         }}\n"
    )
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let place = Place::with("same_run", PROGRAM);
    place.write("seed", b"zzzzzz");
    for (strategy, more) in
        [("auto", None), ("auto", Some("--no-filter")), ("cgs", Some("--no-filter")), ("random-path", None)]
    {
        let run = |out: &str, rng: &str| {
            let mut flags = vec!["--seed", "seed", "--iterations", "150", "--strategy", strategy, "--rng-seed", rng];
            flags.extend(more);
            place.explore_into(out, &flags).journal()
        };
        let first = run("first", "7");
        // With the filter there is less to do.
        assert!(first.lines().count() >= if more.is_some() { 149 } else { 10 }, "{strategy}: {first}");
        assert_eq!(first, run("second", "7"), "{strategy}");
        assert_ne!(first, run("third", "8"), "{strategy}");
    }
}

/// Small enough to be walked to the end.
const SMALL: &str = r#"
#include <unistd.h>

int main(void) {
    unsigned char in[3] = {0};
    if (read(0, in, 3) < 3)
        return 1;
    int sum = 0;
    for (int at = 0; at < 3; at++)
        if (in[at] > 'a')
            sum += at;
    if (in[0] == in[1] && in[1] + 1 == in[2])
        sum++;
    return sum;
}
"#;

#[test]
fn two_workers_find_what_one_finds() {
    let place = Place::with("two_workers", SMALL);
    place.write("seed", b"aaa");
    let run = |jobs: &str| {
        let explored = place.explore_into(jobs, &["--seed", "seed", "--iterations", "5000", "--no-filter", "-j", jobs]);
        assert_eq!(explored.events("ended")[0]["why"], "exhausted", "{}", explored.stats);
        explored
    };
    let (one, two) = (run("1"), run("2"));
    assert_eq!((one.covered(), one.count("iterations")), (two.covered(), two.count("iterations")));
    assert_eq!(one.journal().lines().count(), two.journal().lines().count());
}

#[test]
fn a_campaign_goes_on() {
    let place = Place::with("goes_on", PROGRAM);
    place.write("seed", b"zzzzzz");
    let flags = |iterations| ["--seed", "seed", "--strategy", "cgs", "--no-filter", "--iterations", iterations];
    let half = place.explore(&flags("30"));
    assert_eq!(half.count("iterations"), 30);
    // A crash may have cut the last line.
    let journal = half.journal();
    fs::write(half.folder.join("journal.jsonl"), format!("{journal}{{\"run\":0,\"de")).expect("a journal");
    let whole = place.explore(&[&flags("60")[..], &["--resume"]].concat());
    assert_eq!(whole.count("iterations"), 60);
    assert!(whole.journal().starts_with(&journal), "what was there stays");
    assert!(whole.journal().lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
    assert!(whole.covered() >= half.covered());
    assert!(whole.count("tests") >= half.count("tests"));
    let more = place.explore(&[&flags("61")[..], &["--resume"]].concat());
    assert_eq!(more.count("iterations"), 61);
    // What had been reached before is reached no later than by a campaign that never stopped.
    let straight = place.explore_into("straight", &flags("30"));
    assert!(more.covered() >= straight.covered());
}

#[test]
fn an_interrupt_keeps_everything() {
    let place = Place::with("interrupt", &endless());
    place.write("seed", &[0; 64]);
    let args = ["explore", "--progress", "plain", "-o", "out", "--seed", "seed", "--time", "600s", "--", "./prog"];
    let mut command = place.command(&args);
    let mut child = command.stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("offshoot starts");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let is_test = |line: &std::io::Result<String>| line.as_ref().is_ok_and(|line| line.starts_with("test 0000"));
    assert!(lines.any(|line| is_test(&line)), "a test before the interrupt");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill starts");
    assert!(sent.success());
    // It must not wait for us to read.
    lines.for_each(drop);
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let out = place.folder.join("out");
    let stats = json(&out.join("stats.json"));
    let tests = stats["tests"].as_u64().expect("a number");
    assert!(tests >= 2, "{stats}");
    for test in 0..tests {
        json(&out.join(format!("tests/{test:06}/test.json")));
    }
    assert!(json(&out.join("ledger.json"))["covered"].as_array().is_some_and(|covered| !covered.is_empty()));
    assert!(place.offshoot(&["explain", "-o", "out"]).status.success());
    let iterations = stats["iterations"].as_u64().expect("a number");
    let resumed = place.explore(&["--seed", "seed", "--resume", "--iterations", &(iterations + 5).to_string()]);
    assert_eq!(resumed.count("iterations"), iterations + 5);
}

/// The keys that DESIGN's summary names, in `stats.json` and with `--json`.
#[test]
fn a_summary_has_its_keys() {
    let place = Place::with("summary", SMALL);
    place.write("seed", b"aaa");
    let output =
        place.offshoot(&["explore", "--json", "-o", "out", "--seed", "seed", "--iterations", "20", "--", "./prog"]);
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON value and nothing else");
    assert!(output.stderr.is_empty(), "{}", crate::place::text(&output.stderr));
    let stored = json(&place.folder.join("out/stats.json"));
    for summary in [&printed, &stored] {
        for key in ["iterations", "executions", "divergences", "tests", "findings", "peak_rss_bytes"] {
            assert!(summary[key].is_u64(), "{key}: {summary}");
        }
        assert!(summary["elapsed_s"].is_f64(), "{summary}");
        for key in ["sat", "unsat", "unknown"] {
            assert!(summary["queries"][key].is_u64(), "{key}: {summary}");
        }
        for key in ["covered", "total"] {
            assert!(summary["coverage"]["branch"][key].is_u64(), "{key}: {summary}");
        }
    }
    assert_eq!(printed["iterations"], stored["iterations"]);
}
