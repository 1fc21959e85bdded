//! A project's own tests as seeds: `check` and `explore` on a script that runs two programs, from a folder that is gone
//! afterwards.
//!
//! Needs what `make build` leaves in target/release/lib/offshoot.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// One weight too few.
const WEIGH: &str = r#"
#include <stdio.h>

static int weights[4] = {1, 2, 4, 8};

int main(int argc, char **argv) {
    FILE *file = argc > 2 ? fopen(argv[2], "r") : NULL;
    if (!file)
        return 3;
    int which = argv[1][0] - '0';
    if (which < 0 || which > 4)
        return 2;
    int first = getc(file);
    printf("%d\n", weights[which] * (first == 'a' ? 1 : 2));
    return 0;
}
"#;

/// Nothing wrong with it.
const COUNT: &str = r#"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int digits = 0, byte;
    if (argc > 1 && strcmp(argv[1], "pid") == 0)
        printf("%d\n", getpid());
    while ((byte = getchar()) != EOF)
        digits += byte >= '0' && byte <= '9';
    printf("%d\n", digits);
    return 0;
}
"#;

/// Six runs that differ; one of them another time each.
const SUITE: &str = "
mkdir work
printf 'ab' > work/data
(cd work && ../weigh 1 data)
(cd work && ../weigh 2 ./data)
(cd work && ../weigh 9 data) || echo refused
./weigh 1 nowhere || echo refused
rm -r work
printf '1 2 3' | ./count
./count pid < /dev/null
exit 7
";

struct Place {
    folder: PathBuf,
}

impl Place {
    fn new(name: &str) -> Place {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("seeds").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("the folder of an earlier run goes");
        }
        fs::create_dir_all(&folder).expect("a folder");
        let place = Place { folder };
        for (name, source) in [("weigh", WEIGH), ("count", COUNT)] {
            let file = format!("{name}.c");
            place.write(&file, source);
            let built = place.offshoot(&["cc", "-O1", "-g", &file, "-o", name]);
            assert!(built.status.success(), "{}", text(&built.stderr));
        }
        place.write("run-tests.sh", SUITE);
        place
    }

    fn write(&self, name: &str, content: &str) {
        fs::write(self.folder.join(name), content).expect("a file");
    }

    fn offshoot(&self, args: &[&str]) -> Output {
        let resource = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/lib/offshoot");
        assert!(resource.join("liboffshoot_recorder.so").exists(), "no recorder; run: make build");
        let mut command = Command::new(env!("CARGO_BIN_EXE_offshoot"));
        command.args(args).current_dir(&self.folder).env("OFFSHOOT_LIB", resource).stdin(Stdio::null());
        command.env_remove("OFFSHOOT_SELFCHECK").output().expect("offshoot starts")
    }

    fn json(&self, name: &str) -> Value {
        let path = self.folder.join(name);
        let json = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        serde_json::from_slice(&json).expect("JSON")
    }

    fn replays(&self, args: &[&str]) {
        let output = self.offshoot(&[&["replay", "--progress", "none"], args].concat());
        assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    }

    /// The one error that there is, from one of the tests that read `data`.
    #[track_caller]
    fn has_the_finding(&self, output: &Output, out: &str) {
        let summary: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
        assert_eq!(output.status.code(), Some(1), "{summary:#}");
        let findings = summary["findings"].as_array().expect("findings");
        assert_eq!(findings.len(), 1, "{summary:#}");
        let finding = &findings[0];
        assert_eq!(finding["kind"], "global-buffer-overflow", "{finding:#}");
        assert_eq!(
            (&finding["distance"], &finding["changed"][0]["source"]),
            (&0.into(), &"arg[1]".into()),
            "{finding:#}"
        );
        assert_eq!(finding["changed"].as_array().map(Vec::len), Some(1), "{finding:#}");
        let seed = finding["seed"].as_str().unwrap_or_default();
        assert!(seed.contains("weigh 1 data") || seed.contains("weigh 2 ./data"), "{seed}");
        let seeds = summary["seeds"].as_array().expect("seeds");
        assert_eq!(seeds.len(), 6, "{summary:#}");
        let last = seeds[5]["name"].as_str().unwrap_or_default();
        assert!(last.ends_with("count pid"), "the flaky one comes last, not {last}");
        assert!(text(&output.stderr).contains("1 of 6 tests are flaky"), "{}", text(&output.stderr));
        // Its folder is gone; the test brings it along.
        let script = self.folder.join(out).join("findings/0000/cmd.sh");
        let run = Command::new("sh").arg(script).stdin(Stdio::null()).output().expect("sh");
        assert!(text(&run.stderr).contains("global-buffer-overflow"), "{}", text(&run.stderr));
        self.replays(&["-o", out, "findings/0000"]);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn check_records_a_suite_and_checks_its_tests() {
    let place = Place::new("check");
    let flags = ["check", "--max-distance", "1", "--json", "-o", "out", "--", "sh", "run-tests.sh"];
    let output = place.offshoot(&flags);
    let stderr = text(&output.stderr);
    assert!(stderr.contains("refused"), "the suite's own output: {stderr}");
    assert!(stderr.contains("ended with status 7"), "{stderr}");
    place.has_the_finding(&output, "out");
    let variants = ["weigh", "count"].map(|name| place.folder.join("out/asan").join(name).is_file());
    assert_eq!(variants, [true, true]);
    // Once more on what was recorded; the results of before are kept.
    let output = place.offshoot(&["check", "--max-distance", "0", "--json", "-o", "again", "--suite", "out/suite"]);
    place.has_the_finding(&output, "again");
    place.offshoot(&flags);
    assert!(place.folder.join("out.old/suite/suite.json").is_file() && place.folder.join("out/check.json").is_file());
    assert!(!place.folder.join("work").exists());
}

#[test]
fn a_folder_that_offshoot_record_made() {
    let place = Place::new("suite");
    let recorded = place.offshoot(&["record", "-o", "tests", "--progress", "none", "--", "sh", "run-tests.sh"]);
    assert_eq!(recorded.status.code(), Some(7), "{}", text(&recorded.stderr));
    let output = place.offshoot(&["check", "--max-distance", "0", "--json", "--suite", "tests"]);
    place.has_the_finding(&output, "offshoot.out");
    for args in
        [&["--suite", "nowhere"][..], &["--suite", "tests", "--", "./weigh"], &["--suite", "tests", "--seed", "x"]]
    {
        let output = place.offshoot(&[&["check", "-o", "other"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", text(&output.stderr));
    }
    assert!(!place.folder.join("other").exists());
}

#[test]
fn explore_grows_tests_off_those_of_the_suite() {
    let place = Place::new("explore");
    let flags = ["--iterations", "40", "--json", "-o", "out"];
    let output = place.offshoot(&[&["explore"], &flags[..], &["--", "sh", "run-tests.sh"]].concat());
    let stderr = text(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    assert!(stderr.contains("2 programs: weigh (4 tests), count (2 tests)"), "{stderr}");
    assert!(stderr.contains("the 2 tests of the others are left out"), "{stderr}");
    let stats: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(stats["tests"].as_u64() > Some(4), "more tests than seeds: {stats:#}");
    // Each test brings its folder, and does again what it did.
    place.replays(&["-o", "out", "all"]);
    let grown = place.json("out/tests/000004/test.json");
    let cwd = grown["command"]["cwd"].as_str().unwrap_or_default();
    assert!(grown["command"]["world"].is_object() && !cwd.is_empty(), "{grown:#}");
    // What was recorded is there to go on with.
    let again = place.offshoot(&[&["explore", "--resume"], &flags[..], &["--", "sh", "run-tests.sh"]].concat());
    assert!(again.status.success() && !text(&again.stderr).contains("recorded"), "{}", text(&again.stderr));
    let count =
        ["explore", "--iterations", "10", "--json", "--suite", "out/suite", "--program", "count", "-o", "count.out"];
    let output = place.offshoot(&count);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(place.json("count.out/campaign.json")["program"].as_str().is_some_and(|path| path.ends_with("/count")));
    // Whatever grows off a flaky test is flaky.
    place.replays(&["-o", "count.out", "all"]);
    let none = place.offshoot(&["explore", "--suite", "out/suite", "--program", "cout", "-o", "none"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(text(&none.stderr).contains("weigh (4 tests), count (2 tests)"), "{}", text(&none.stderr));
}

#[test]
fn a_suite_without_our_programs_is_told_how_to_build() {
    let place = Place::new("foreign");
    place.write("ls.sh", "ls > /dev/null");
    for verb in ["check", "explore"] {
        let output = place.offshoot(&[verb, "--", "sh", "ls.sh"]);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        for hint in
            ["sh ls.sh: no instrumented program was run", "/ls", "CC=offshoot-cc", "-DCMAKE_C_COMPILER=offshoot-cc"]
        {
            assert!(stderr.contains(hint), "no {hint}: {stderr}");
        }
    }
    let left: Vec<_> =
        fs::read_dir(&place.folder).expect("a folder").map(|entry| entry.expect("one").file_name()).collect();
    assert_eq!(left.len(), 6, "{left:?}");
}
