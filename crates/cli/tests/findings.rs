//! What `offshoot check` tells people and other programs of a finding: pages, SARIF, annotations; and how much of it, given a
//! baseline or a sample of the seeds.
//!
//! Needs what `make build` leaves in target/release/lib/offshoot.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// In its folder, so that places are as seen from there.
fn offshoot(folder: &Path, args: &[&str]) -> Output {
    let resource = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/lib/offshoot");
    let resource = resource.canonicalize().expect("no run-time library; run: make build");
    Command::new(env!("CARGO_BIN_EXE_offshoot"))
        .args(args)
        .current_dir(folder)
        .env("OFFSHOOT_LIB", resource)
        .env_remove("OFFSHOOT_SELFCHECK")
        .env_remove("GITHUB_ACTIONS")
        .stdin(Stdio::null())
        .output()
        .expect("offshoot starts")
}

const SOURCE: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void store(char *copy, const char *b) {
    copy[b[3] - '0'] = 1;
}

int main(void) {
    char b[8];
    if (fread(b, 1, 8, stdin) != 8)
        return 1;
    char *copy = malloc(4);
    if (copy == NULL || strncmp(b, "ab", 2))
        return 0;
    if (b[2] > '5' /* more */ && b[4] == '.')
        store(copy, b);
    free(copy);
    return 0;
}
"#;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn build(folder: &Path, source: &str) {
    std::fs::create_dir_all(folder.join("src")).expect("a folder");
    std::fs::write(folder.join("src/u.c"), source).expect("a source");
    let built = offshoot(folder, &["cc", "-O1", "-g", "src/u.c", "-o", "u"]);
    assert!(built.status.success(), "{}", text(&built.stderr));
}

/// The program in a folder of the test's own, with two seeds that do not fail.
fn subject(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("findings").join(test);
    // An earlier run's.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("seeds")).expect("a folder");
    std::fs::write(folder.join("seeds/a"), "ab60.xyz").expect("a seed");
    std::fs::write(folder.join("seeds/b"), "ab10.xyz").expect("a seed");
    build(&folder, SOURCE);
    folder
}

fn check(folder: &Path, flags: &[&str]) -> (i32, Output) {
    let args =
        [&["check", "--seed", "seeds", "--max-distance", "1", "--progress", "none"], flags, &["--", "./u"]].concat();
    let output = offshoot(folder, &args);
    (output.status.code().expect("a status"), output)
}

fn json(path: &Path) -> Value {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&bytes).expect("JSON")
}

#[test]
fn the_path_is_told_in_terms_of_the_source() {
    let folder = subject("path");
    let (code, output) = check(&folder, &[]);
    assert_eq!(code, 1, "{}", text(&output.stderr));
    let said = text(&output.stdout);
    let lines = "  line      copy[b[3] - '0'] = 1;\n  seed      seeds/a (distance 0)\n  changed   stdin[3] '0' → '4'\n";
    assert!(said.contains(lines), "{said}");
    let path = "  path      src/u.c:16 b[2] > '5' is true\n            src/u.c:16 b[4] == '.' is true\n";
    assert!(said.contains(path), "{said}");
    let sarif = json(&folder.join("offshoot.out/check.sarif"));
    let result = &sarif["runs"][0]["results"][0];
    let flow = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("a flow");
    let step = |step: &Value| {
        let place = &step["location"]["physicalLocation"];
        let (file, line) = (&place["artifactLocation"]["uri"], &place["region"]["startLine"]);
        let said = step["location"]["message"]["text"].as_str().unwrap_or_default();
        format!("{}:{line} {said}", file.as_str().unwrap_or_default())
    };
    let expected = [
        "src/u.c:16 b[2] > '5' is true",
        "src/u.c:16 b[4] == '.' is true",
        "src/u.c:6 out-of-bounds write: memory beside a heap block is accessed",
    ];
    assert_eq!(flow.iter().map(step).collect::<Vec<_>>(), expected, "{result:#}");
    let frames = result["stacks"][0]["frames"].as_array().expect("frames");
    let functions: Vec<_> = frames.iter().map(|frame| &frame["location"]["logicalLocations"][0]["name"]).collect();
    assert_eq!(functions[..2], ["store", "main"]);

    let page = std::fs::read_to_string(folder.join("offshoot.out/html/findings/0000.html")).expect("a page");
    for part in [
        "<tr id=\"L6\" class=\"here\">",
        "<code>b[2] &gt; '5'</code>",
        "0x30 '0'",
        "heap block of 4 bytes",
        "#!/bin/sh",
    ] {
        assert!(page.contains(part), "{part} is not in {page}");
    }
    let index = std::fs::read_to_string(folder.join("offshoot.out/html/index.html")).expect("an index");
    assert!(index.contains("href=\"findings/0000.html\""), "{index}");
}

#[test]
fn a_baseline_hides_what_is_known_even_if_lines_move() {
    let folder = subject("baseline");
    let (code, _) = check(&folder, &["--error-exitcode", "42"]);
    assert_eq!(code, 42);
    let old = folder.join("offshoot.out/check.sarif");
    std::fs::copy(&old, folder.join("known.sarif")).expect("a copy");

    let moved = SOURCE.replace("static void store", "/* A comment,\n   and */ enum { more };\n\nstatic void  store");
    build(&folder, &moved.replace("    copy[b[3]", "\tcopy[b[3]"));
    // The baseline may lie in the folder that gives way.
    for baseline in ["known.sarif", "offshoot.out/check.sarif", "offshoot.out/check.json"] {
        let (code, output) = check(&folder, &["--baseline", baseline, "--error-exitcode", "42"]);
        let said = text(&output.stdout);
        assert_eq!(code, 0, "{baseline}: {said}{}", text(&output.stderr));
        assert!(said.contains("findings   0 new; 1 known from the baseline are hidden\n"), "{said}");
        assert!(!said.contains("heap-buffer-overflow"), "{said}");
    }
    let result = &json(&old)["runs"][0]["results"][0];
    assert_eq!(
        (&result["baselineState"], &result["suppressions"][0]["kind"]),
        (&"unchanged".into(), &"external".into())
    );

    // Another error of the same kind in the same function is new.
    build(&folder, &moved.replace("= 1;", "= 1;\n    copy[b[5] - 'x'] = 2;"));
    let (code, output) = check(&folder, &["--baseline", "known.sarif", "--json"]);
    let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let lines = |key: &str| -> Vec<u64> {
        summary[key].as_array().expect("a list").iter().filter_map(|one| one["place"]["line"].as_u64()).collect()
    };
    assert_eq!((code, lines("findings"), lines("known")), (1, vec![10], vec![9]), "{summary:#}");
}

#[test]
fn a_baseline_that_is_none_is_refused() {
    let folder = subject("no_baseline");
    std::fs::write(folder.join("text"), "not JSON").expect("a file");
    std::fs::write(folder.join("other.json"), "{\"findings\": []}").expect("a file");
    let other = r#"{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "cppcheck"}}, "results": []}]}"#;
    std::fs::write(folder.join("other.sarif"), other).expect("a file");
    for (file, said) in [
        ("gone.sarif", "cannot read the baseline gone.sarif"),
        ("text", "the baseline text is not JSON"),
        ("other.json", "the baseline other.json is not of `offshoot check`"),
        ("other.sarif", "the baseline other.sarif is not of `offshoot check`"),
    ] {
        let (code, output) = check(&folder, &["--baseline", file]);
        let errors = text(&output.stderr);
        assert!(code == 2 && errors.contains(said), "{code} {errors}");
        assert!(!folder.join("offshoot.out").exists(), "nothing is written");
    }
}

#[test]
fn annotations_for_github() {
    let folder = subject("github");
    let (code, output) = check(&folder, &["--format", "github"]);
    let said = text(&output.stdout);
    let line = said.lines().next().expect("a line");
    assert_eq!(code, 1);
    assert!(line.starts_with("::error file=src/u.c,line=6,col="), "{said}");
    assert!(line.contains(",title=out-of-bounds write (heap-buffer-overflow)::"), "{said}");
    assert!(said.contains("\nfindings   1\n"), "and the summary: {said}");
    let (code, output) = check(&folder, &["--format", "github", "--json"]);
    assert_eq!(code, 2, "{}", text(&output.stderr));
}

#[test]
fn a_sample_says_what_it_may_miss() {
    let folder = subject("sample");
    let (_, output) = check(&folder, &["--sample", "50%", "--rng-seed", "3"]);
    let said = text(&output.stdout);
    assert!(
        said.contains("sample     1 of 2 tests: 50 % confidence to see a bug that one of them exposes\n"),
        "{said}"
    );
    assert!(said.contains("on 1 paths of seeds"), "{said}");
    let (code, output) = check(&folder, &["--sample", "0"]);
    assert!(code == 2 && text(&output.stderr).contains("no size of a sample"), "{}", text(&output.stderr));
}
