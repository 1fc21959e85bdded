//! What goes wrong from outside: a line that says what to do, and never somebody else's files.

use crate::place::{Place, check_failure, json, text};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Aborts on `c`, never ends on `h`.
const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    unsigned char in[4] = {0};
    if (read(0, in, 4) < 4)
        return 1;
    if (in[0] == 'c')
        abort();
    if (in[0] == 'h')
        for (volatile long turn = 0;; turn++)
            if (turn < 0)
                break;
    if (in[1] > 100 && in[2] < 5)
        puts("far");
    return 0;
}
"#;

#[test]
fn names_that_nobody_knows() {
    let place = Place::with("unknown_names", PROGRAM);
    let all = ["auto", "dfs", "cgs", "pps", "fitness", "interleave"];
    place.check_failure(&["explore", "--strategy", "dsf", "--", "./prog"], &[&["`dsf`"][..], &all[..]].concat());
    place.check_failure(&["explore", "--strategy", "cgs:j=3", "--", "./prog"], &["`j`", "k, largest, dominators"]);
    place.check_failure(&["explore", "--criterion", "lines", "--", "./prog"], &["lines", "branch"]);
    assert!(!place.folder.join("offshoot.out").exists(), "nothing was explored");
    let listed = place.offshoot(&["explore", "--strategy", "help"]);
    assert!(listed.status.success() && all.iter().all(|name| text(&listed.stdout).contains(name)), "{listed:?}");
}

#[test]
fn budgets_of_nothing() {
    let place = Place::with("no_budget", PROGRAM);
    for flag in ["--time", "--run-time", "--query-time", "--memory"] {
        place.check_failure(&["explore", flag, "0", "--", "./prog"], &[flag]);
    }
    let refused = |args: &[&str], hint: &str| {
        let output = place.offshoot(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text(&output.stderr).contains(hint), "{}", text(&output.stderr));
    };
    refused(&["explore", "--iterations", "0", "--", "./prog"], "--iterations");
    refused(&["explore", "--time", "soon", "--", "./prog"], "--time");
    refused(&["explore", "-j", "0", "--", "./prog"], "--jobs");
    place.check_failure(&["explore"], &["offshoot explore -- PROGRAM"]);
    assert!(!place.folder.join("offshoot.out").exists(), "nothing was explored");
}

#[test]
fn a_program_not_built_by_us() {
    let place = Place::with("foreign_program", PROGRAM);
    place.check_failure(&["explore", "--", "/bin/true"], &["/bin/true", "CC=offshoot-cc"]);
    place.check_failure(&["explore", "--", "./nowhere"], &["./nowhere"]);
    assert!(!place.folder.join("offshoot.out").exists(), "nothing was explored");
}

#[test]
fn seeds_that_are_not_there() {
    let place = Place::with("missing_seeds", PROGRAM);
    fs::create_dir(place.folder.join("empty")).expect("a folder");
    place.check_failure(&["explore", "--seed", "nowhere", "--", "./prog"], &["nowhere"]);
    place.check_failure(&["explore", "--seed", "empty", "--", "./prog"], &["empty", "no files"]);
    assert!(!place.folder.join("offshoot.out").exists(), "nothing was explored");
}

/// A bad seed is a finding, and its neighbours are explored from all the same. Every flip that is to be found lies on
/// the good seed's path.
fn explore_from(place: &Place, seed: &[u8; 4], strategy: &str) -> Vec<String> {
    place.write("bad", seed);
    place.write("good", b"aaaa");
    let flags = ["--seed", "bad", "--seed", "good", "--run-time", "1s", "--iterations", "100", "--strategy", strategy];
    let explored = place.explore(&flags);
    assert_eq!(explored.output.status.code(), Some(1), "findings");
    assert_eq!(explored.events("warning"), Vec::<serde_json::Value>::new());
    assert!(
        explored.events("test").iter().any(|test| test["changed"][0]["offset"] == 1),
        "nothing grew off the good one"
    );
    explored.findings()
}

#[test]
fn a_seed_that_crashes_at_once() {
    let place = Place::with("crashing_seed", PROGRAM);
    assert!(explore_from(&place, b"caaa", "bfs").contains(&"SIGABRT".to_owned()));
}

#[test]
fn a_seed_that_hangs() {
    let place = Place::with("hanging_seed", PROGRAM);
    // With concrete decisions in the trace two hangs are of different length; that is no difference.
    let findings = explore_from(&place, b"haaa", "cgs");
    assert!(findings.iter().any(|kind| kind.starts_with("hang")), "{findings:?}");
}

#[test]
fn a_program_that_throws_dice() {
    let source = r#"
#include <sys/random.h>
#include <unistd.h>

int main(void) {
    unsigned char in[4] = {0}, dice[8] = {0};
    getrandom(dice, sizeof dice, 0);
    int hits = 0;
    if (read(0, in, 4) < 4)
        return 1;
    for (int at = 0; at < 64; at++)
        if (dice[at / 8] >> at % 8 & 1)
            if (in[at % 4] == at) // here
                hits++;
    return hits;
}
"#;
    let place = Place::with("dice", source);
    place.write("seed", b"aaaa");
    // Two throws of 64 bits that are the same would be news. One that leaves out the same turns is no likelier.
    let explored = place.explore(&["--seed", "seed", "--iterations", "20", "--strategy", "cgs"]);
    let warning = explored.events("warning")[0]["text"].to_string();
    assert!(warning.contains("seed: two runs of the same input differ") && warning.contains("prog.c:"), "{warning}");
    assert!(text(&explored.output.stderr).contains("warning: "), "{}", text(&explored.output.stderr));
}

#[test]
fn a_folder_that_is_not_ours() {
    let place = Place::with("foreign_folder", PROGRAM);
    let folder = place.folder.join("mine");
    fs::create_dir(&folder).expect("a folder");
    fs::write(folder.join("thesis.txt"), "years").expect("a file");
    fs::write(place.folder.join("file"), "text").expect("a file");
    let explore = |out: &str, hints: &[&str]| {
        place.check_failure(&["explore", "--iterations", "3", "-o", out, "--", "./prog"], hints);
    };
    explore("mine", &["mine", "holds no campaign"]);
    explore("file", &["file", "holds no campaign"]);
    explore("file/out", &["file/out"]);
    explore(".", &["holds no campaign"]);
    assert_eq!(fs::read_to_string(folder.join("thesis.txt")).expect("the file"), "years");
    assert_eq!(fs::read_to_string(place.folder.join("file")).expect("the file"), "text");
    // Nor is one that is called as if we had put it aside.
    fs::create_dir(place.folder.join("out.old")).expect("a folder");
    fs::write(place.folder.join("out.old/thesis.txt"), "years").expect("a file");
    place.explore(&["--iterations", "3"]);
    explore("out", &["out.old", "holds no campaign"]);
    assert_eq!(fs::read_to_string(place.folder.join("out.old/thesis.txt")).expect("the file"), "years");
    assert!(place.folder.join("out/stats.json").exists());
}

#[test]
fn an_earlier_campaign_is_kept() {
    let place = Place::with("kept", PROGRAM);
    for seed in ["aaaa", "bbbb", "dddd"] {
        place.write("seed", seed.as_bytes());
        // An empty folder is as good as none.
        fs::create_dir_all(place.folder.join("out")).expect("a folder");
        place.explore(&["--seed", "seed", "--iterations", "1"]);
    }
    let stdin = |out: &str| fs::read(place.folder.join(out).join("tests/000000/stdin")).expect("a seed");
    assert_eq!((stdin("out"), stdin("out.old")), (b"dddd".to_vec(), b"bbbb".to_vec()));
}

#[test]
fn a_disk_that_fills_up() {
    let place = Place::with("full_disk", &crate::repeat::endless());
    place.write("seed", &[0; 64]);
    let script = r#"
        mkdir full && mount -t tmpfs -o size=400k none full || exit 99
        "$OFFSHOOT" explore --progress none --seed seed --time 600s --strategy bfs -o full/out -- ./prog
        status=$?
        cp -r full/out kept
        exit $status"#;
    let may_mount = Command::new("unshare").args(["-Urm", "true"]).status().is_ok_and(|status| status.success());
    if !may_mount {
        eprintln!("no user namespaces here: a full disk cannot be had");
        return;
    }
    let mut command = Command::new("unshare");
    place.set_up(&mut command);
    command.args(["-Urm", "sh", "-c", script]).env("OFFSHOOT", env!("CARGO_BIN_EXE_offshoot"));
    check_failure(&mut command, &["full/out", "No space left on device"]);
    // What was kept is whole.
    let mut tests = 0;
    for folder in folders(&place.folder.join("kept/tests")) {
        json(&folder.join("test.json"));
        json(&folder.join("note.json"));
        tests += 1;
    }
    assert!(tests > 2, "{tests}");
    let half = |folder: &Path| {
        fs::read_dir(folder)
            .expect("a folder")
            .any(|entry| entry.expect("an entry").path().extension().is_some_and(|end| end == "new"))
    };
    assert!(!half(&place.folder.join("kept")));
}

fn folders(of: &Path) -> Vec<PathBuf> {
    fs::read_dir(of).expect("a folder").map(|entry| entry.expect("an entry").path()).collect()
}

/// Every way in which what `--resume` and `explain` read can be wrong.
#[test]
fn campaigns_that_cannot_go_on() {
    let place = Place::with("no_resume", PROGRAM);
    place.write("seed", b"aaaa");
    place.write("other", b"bbbb");
    let resume = |out: &str, seed: &str, hints: &[&str]| {
        place.check_failure(
            &["explore", "--resume", "--iterations", "9", "-o", out, "--seed", seed, "--", "./prog"],
            hints,
        );
    };
    resume("nowhere", "seed", &["no campaign in nowhere"]);
    assert!(!place.folder.join("nowhere").exists());
    let explored = place.explore(&["--seed", "seed", "--iterations", "4", "--run-time", "1s"]);
    resume("out", "other", &["out", "other seeds", "without --resume"]);
    place.check_failure(
        &["explore", "--resume", "--symbolic", "none", "--seed", "seed", "-o", "out", "--", "./prog"],
        &["out", "symbolic"],
    );
    let damage = |name: &str, with: &str, hints: &[&str]| {
        let path = explored.folder.join(name);
        let sound = fs::read(&path).expect("a file");
        fs::write(&path, with).expect("a file");
        resume("out", "seed", hints);
        fs::write(&path, sound).expect("a file");
    };
    damage("campaign.json", "{\"format\": 999}", &["campaign.json", "another version"]);
    damage("campaign.json", "{\"format\"", &["campaign.json", "damaged"]);
    damage("journal.jsonl", "{\"run\":0}\nnonsense\n", &["journal.jsonl", "damaged at line 1"]);
    damage("journal.jsonl", "\u{0}\u{1}\n\n", &["journal.jsonl", "damaged at line 1"]);
    let ledger = explored.folder.join("ledger.json");
    fs::write(&ledger, "{\"format\": 999}").expect("a file");
    place.check_failure(&["explain", "-o", "out"], &["ledger.json", "version", "explore again"]);
    fs::write(&ledger, "half a led").expect("a file");
    place.check_failure(&["explain", "-o", "out"], &["ledger.json", "explore again"]);
    place.check_failure(&["explain", "-o", "nowhere"], &["nowhere/ledger.json", "offshoot explore"]);
}

/// A run is a third of a second, a campaign four: half of that is for seeds, and all of them would need six.
#[test]
fn more_seeds_than_there_is_time_for() {
    let source = "#include <stdio.h>\n#include <unistd.h>\nint main(void) {\n\
                  usleep(300000);\n if (getchar() == 'x')\n puts(\"x\");\n return 0;\n}";
    let place = Place::with("many_seeds", source);
    fs::create_dir(place.folder.join("seeds")).expect("a folder");
    (0..10).for_each(|number| place.write(&format!("seeds/{number}"), number.to_string().as_bytes()));
    let seeds = |out: &Path| json(&out.join("campaign.json"))["seeds"].as_array().expect("a list").len();
    let explored = place.explore(&["--seed", "seeds", "--time", "4s"]);
    let kept = seeds(&explored.folder);
    assert!((1..9).contains(&kept), "{kept} of 10");
    let left = format!("{} of 10 seeds are left out", 10 - kept);
    assert!(text(&explored.output.stderr).contains(&left), "{}", text(&explored.output.stderr));
    assert!(
        explored.stats["executions"].as_u64() > Some(kept as u64 * 2),
        "something was explored: {}",
        explored.stats
    );
    let again = place.explore(&["--seed", "seeds", "--resume", "--iterations", "30"]);
    assert_eq!(seeds(&again.folder), kept);
    assert!(text(&again.output.stderr).contains(&left), "{}", text(&again.output.stderr));
    assert_eq!(again.stats["coverage"]["branch"]["covered"], 2, "{}", again.stats);
}
