//! `offshoot explain`: what became of a branch.

use crate::place::{Place, json, text};

const PROGRAM: &str = r#"
#include <unistd.h>

volatile int setting = 3;

int main(void) {
    unsigned char in[4] = {0};
    if (read(0, in, 4) < 4)
        return 1;
    if (in[0] == 'x') { // both
        if (in[0] == 'y') { // unsat
            if (in[1] == 'z') // never
                return 2;
        }
    }
    if (setting == 4) // concrete
        return 3;
    return 0;
}
"#;

fn line(mark: &str) -> usize {
    let at = PROGRAM.lines().position(|line| line.ends_with(&format!("// {mark}")));
    at.expect("a marked line") + 1
}

#[test]
fn every_reason() {
    let place = Place::with("explain", PROGRAM);
    place.write("seed", b"aaaa");
    place.explore(&["--seed", "seed", "--iterations", "50", "--symbolic", "stdin"]);
    let explain = |mark: &str| {
        let output = place.offshoot(&["explain", "-o", "out", &format!("prog.c:{}", line(mark))]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let check = |mark: &str, outcome: &str, words: &[&str]| {
        let all = explain(mark);
        let lines: Vec<&str> = all.lines().filter(|line| line.contains(&format!("(main) {outcome}: "))).collect();
        assert_eq!(lines.len(), 1, "{all}");
        assert!(words.iter().all(|word| all.contains(word)), "{words:?} in: {all}");
    };
    check("both", "true", &["covered, first by test 000001"]);
    check("both", "false", &["covered, first by test 000000"]);
    check("unsat", "true", &["open; no input can make it go this way", "tried: 1 unsatisfiable"]);
    check("unsat", "false", &["covered, first by test 000001"]);
    check("never", "true", &["open; no run came to this decision"]);
    check("never", "false", &["open; no run came to this decision"]);
    check("concrete", "true", &["open; runs came here, but the decision never depended on the input"]);
    check("concrete", "false", &["covered"]);
}

#[test]
fn places() {
    let place = Place::with("explain_places", PROGRAM);
    place.write("seed", b"aaaa");
    place.explore(&["--seed", "seed", "--iterations", "50", "--symbolic", "stdin"]);
    place.check_failure(&["explain", "-o", "out", "prog.c:1"], &["no branch at prog.c:1"]);
    place.check_failure(&["explain", "-o", "out", "rog.c"], &["no branch at rog.c"]);
    place.check_failure(&["explain", "-o", "out", "other.c:12"], &["no branch at other.c:12"]);
    let whole = text(&place.offshoot(&["explain", "-o", "out"]).stdout);
    assert!(whole.contains("no run came to this decision"), "{whole}");
    let listed = place.offshoot(&["explain", "-o", "out", "--json", &format!("prog.c:{}", line("unsat"))]);
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).expect("JSON");
    let ledger = json(&place.folder.join("out/ledger.json"));
    assert_eq!(listed["format"], ledger["format"]);
    assert_eq!(listed["open"].as_array().map(Vec::len), Some(1), "{listed}");
    assert_eq!(listed["open"][0]["why"], "unsat", "{listed}");
}
