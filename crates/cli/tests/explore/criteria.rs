//! What counts as covered: MC/DC above all, and what `offshoot coverage` says about the tests that come of it.

use crate::place::{Place, json, root, text};
use serde_json::Value;

const CRITERIA: [&str; 6] = ["statement", "branch", "condition", "decision", "condition-decision", "mcdc"];

fn pairs(place: &Place) -> Vec<Value> {
    let book = json(&place.folder.join("out/ledger.json"));
    book["pairs"].as_array().expect("a list").clone()
}

fn coverage(place: &Place) -> Value {
    let output = place.offshoot(&["coverage", "-o", "out", "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The same tests on the count variant, judged by clang's mapping: conditions that are not shown, and all there are.
fn lacking_by_coverage(place: &Place) -> (u64, u64) {
    let report = coverage(place);
    let mcdc = &report["totals"]["mcdc"];
    let (covered, total) = (mcdc["covered"].as_u64().expect("a number"), mcdc["total"].as_u64().expect("a number"));
    (total - covered, total)
}

#[test]
fn twelve_decisions_are_shown_or_proven_impossible() {
    let place = Place::new("twelve");
    place.build(&root().join("tests/mcdc/twelve.c"));
    place.write("seed", &[0; 8]);
    let explored = place.explore(&["--criterion", "mcdc", "--seed", "seed", "--time", "60s"]);
    assert!(text(&explored.output.stdout).starts_with("stopped: no candidate is left"));
    let open = pairs(&place);
    let found: Vec<(u64, u64)> =
        open.iter().map(|pair| (pair["line"].as_u64().unwrap_or(0), pair["condition"].as_u64().unwrap_or(0))).collect();
    // As the comments in the program say.
    assert_eq!(found, [(21, 1), (21, 2), (25, 2), (29, 2), (48, 3), (52, 2)]);
    assert!(open.iter().all(|pair| pair["why"] == "infeasible"), "{open:?}");
    assert_eq!(explored.count("infeasible"), 6);
    assert_eq!(lacking_by_coverage(&place), (6, 40));
    let report = coverage(&place);
    let decisions = report["files"][0]["decisions"].as_array().expect("a list").iter();
    let conditions = decisions.flat_map(|decision| decision["conditions"].as_array().expect("a list"));
    let reasons: Vec<&str> = conditions.filter_map(|condition| condition["reason"].as_str()).collect();
    assert_eq!(reasons, ["infeasible: every path was tried"; 6]);
    let explained = place.offshoot(&["explain", "-o", "out", "twelve.c:48"]);
    let explained = text(&explained.stdout);
    assert!(explained.contains("condition 3 of 3") && explained.contains("infeasible"), "{explained}");
}

/// Decisions where sources put them, with loops, calls, `?:`, macros and early ends.
#[test]
fn pairs_are_those_of_the_coverage_report() {
    let programs = [
        "and",
        "arguments",
        "bool_assign",
        "comma",
        "conditional_chain",
        "const_functions",
        "exit_inside",
        "floats",
        "fork",
        "loops",
        "many_conditions",
        "mixed",
        "negations",
        "or",
        "recursion",
        "returns",
        "switch",
        "threads",
    ];
    for name in programs {
        let place = Place::new(&format!("pairs-{name}"));
        let source = root().join(format!("tests/coverage/{name}.c"));
        let source_text = std::fs::read_to_string(&source).expect("a source");
        let run = source_text.lines().find_map(|line| line.strip_prefix("// run:")).unwrap_or("");
        let built =
            place.offshoot(&["cc", "-O1", "-w", "-pthread", source.to_str().expect("text"), "-o", "prog", "-lm"]);
        assert!(built.status.success(), "{name}: {}", text(&built.stderr));
        let mut args =
            vec!["explore", "--criterion", "mcdc", "--iterations", "40", "--progress", "none", "--", "./prog"];
        args.splice(1..1, ["-o", "out"]);
        args.extend(run.split_whitespace());
        let explored = place.offshoot(&args);
        assert!(matches!(explored.status.code(), Some(0 | 1)), "{name}: {}", text(&explored.stderr));
        let (lacking, total) = lacking_by_coverage(&place);
        assert!(total > 0, "{name} has decisions");
        assert_eq!(pairs(&place).len() as u64, lacking, "{name}");
    }
}

/// Two conditions in one decision, one alone, and a switch.
#[test]
fn criteria_want_different_tests() {
    let place = Place::with(
        "criteria",
        "#include <stdio.h>\n\
         int main(void) {\n\
             int a = getchar(), b = getchar(), r = 0;\n\
             if (a == 'x' && b == 'y')\n\
                 r = 1;\n\
             if (a == 'z')\n\
                 r = 2;\n\
             switch (b) { case 'q': r += 3; break; case 'r': r += 4; }\n\
             return r;\n\
         }\n",
    );
    place.write("seed", b"aa");
    let expected = [4, 9, 6, 7, 11, 3];
    for (criterion, total) in CRITERIA.into_iter().zip(expected) {
        let explored = place.explore(&["--criterion", criterion, "--seed", "seed", "--time", "30s"]);
        let covered = explored.count(&format!("coverage.{criterion}.covered"));
        assert_eq!((covered, explored.count(&format!("coverage.{criterion}.total"))), (total, total), "{criterion}");
    }
    let shown = place.offshoot(&["explore", "--criterion", "help"]);
    let shown = text(&shown.stdout);
    assert!(CRITERIA.iter().all(|name| shown.lines().any(|line| line.starts_with(name))), "{shown}");
    place.check_failure(&["explore", "--criterion", "paths", "--", "./prog"], &["no criterion paths", "mcdc"]);
}

/// What is outside counts as covered, so nothing is tried for its sake.
#[test]
fn a_focus_leaves_the_rest_alone() {
    let source = "#include <stdio.h>\n\
        static int first(int a) {\n\
            return a == 'x' ? 1 : a == 'y' ? 2 : 0;\n\
        }\n\
        static int second(int b) {\n\
            return b == 'p' ? 1 : 0;\n\
        }\n\
        int main(void) { int a = getchar(), b = getchar(); return first(a) + second(b); }\n";
    let place = Place::with("focus", source);
    place.write("seed", b"aa");
    place.write(
        "patch",
        b"--- a/prog.c\n+++ b/prog.c\n@@ -6,1 +6,1 @@\n-            return 0;\n+            return b;\n",
    );
    for (flags, total) in [(["--only", "second"], 2), (["--only", "prog.c:3"], 4), (["--in-diff", "patch"], 2)] {
        let explored = place.explore(&[&["--seed", "seed", "--time", "30s"][..], &flags].concat());
        let of = |what: &str| explored.count(&format!("coverage.focus.{what}"));
        assert_eq!((of("covered"), of("total")), (total, total), "{flags:?}");
        assert!(explored.covered() < 6, "{flags:?}: the rest was left alone");
    }
    place.check_failure(&["explore", "--only", "third", "--", "./prog"], &["no branch", "--only"]);
}

/// A run that writes through a symbolic address goes on with one of several: that nothing is left to try proves nothing then.
#[test]
fn what_was_fixed_on_the_way_is_no_proof() {
    let source = |write: &str| {
        format!(
            "#include <stdio.h>\n\
             volatile unsigned char table[256];\n\
             int main(void) {{\n\
                 int a = getchar();\n\
                 if (a == EOF) return 1;\n\
                 {write}\n\
                 return a < 10 && a > 20;\n\
             }}\n"
        )
    };
    for (name, write, is_proof) in [("proof", "", true), ("no-proof", "table[a & 255] = 1;", false)] {
        let place = Place::with(name, &source(write));
        place.write("seed", b"a");
        let explored = place.explore(&["--criterion", "mcdc", "--seed", "seed", "--time", "30s"]);
        let open = pairs(&place);
        assert_eq!(open.len(), 2, "{name}: {open:?}");
        assert_eq!(open.iter().all(|pair| pair["why"] == "infeasible"), is_proof, "{name}: {open:?}");
        assert_eq!(explored.stats.get("infeasible").is_some(), is_proof, "{name}");
    }
}
