//! The path filter: less work, the same coverage, and an end that says so.

use crate::place::{Place, root, text};

/// Ways that no static graph shows: a jump out of a callee, a comparison in libc that calls back, a table of pointers, and
/// a handler that runs when all else is over.
const HIDDEN_WAYS: &str = r#"
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static jmp_buf out;
static int seen;
static unsigned char in[6];

static void check(int c) {
    if (c == '!')
        longjmp(out, 1);
}

static int order(const void *a, const void *b) {
    if (*(const char *)a == *(const char *)b)
        seen++;
    return *(const char *)a - *(const char *)b;
}

static int twice(int n) { return n > 'p' ? 2 : n; }
static int never(int n) { return n < 'c' ? 3 : 0; }
static int (*const table[])(int) = {twice, never};

static void at_end(void) {
    if (seen > 2)
        _exit(4);
}

int main(void) {
    char word[4] = {0};
    atexit(at_end);
    if (read(0, in, 6) < 6)
        return 1;
    if (setjmp(out)) {
        if (in[1] == '?')
            return 5;
        return 6;
    }
    check(in[0]);
    memcpy(word, in, 3);
    if (!strcmp(word, "key"))
        seen += 3;
    seen += table[in[3] & 1](in[4]);
    qsort(in, 2, 1, order);
    return 0;
}
"#;

#[test]
fn dfs_covers_the_same_with_no_more_queries() {
    let place = Place::new("filter/dfs");
    for program in ["bubble", "loop", "three_conditionals", "deep_nest"] {
        place.build(&root().join(format!("tests/walkthroughs/{program}.c")));
        let explore = |out: &str, more: &[&str]| {
            let flags = ["--strategy", "dfs", "--iterations", "150", "--time", "600s", "--until-covered"];
            place.explore_into(&format!("{program}.{out}"), &[&flags[..], more].concat())
        };
        let (with, without) = (explore("with", &[]), explore("without", &["--no-filter"]));
        assert_eq!(with.covered(), without.covered(), "{program}");
        assert!(with.queries() <= without.queries(), "{program}: {} and {}", with.stats, without.stats);
        assert!(with.count("iterations") <= without.count("iterations"), "{program}");
        assert_eq!(without.count("filtered"), 0);
    }
}

#[test]
fn nothing_hidden_is_lost() {
    let place = Place::with("filter/hidden", HIDDEN_WAYS);
    place.write("seed", b"aaaaaa");
    for strategy in ["dfs", "pps", "auto"] {
        let explore = |out: &str, more: &[&str]| {
            let flags = ["--seed", "seed", "--symbolic", "stdin", "--strategy", strategy, "--iterations", "400"];
            place.explore_into(out, &[&flags[..], more].concat())
        };
        let (with, without) = (explore("with", &[]), explore("without", &["--no-filter"]));
        assert_eq!(with.covered(), without.covered(), "{strategy}: {} and {}", with.stats, without.stats);
    }
}

/// `first` is over when the loop begins, and the loop has nothing that is open after a few runs.
const OPEN_BEFORE: &str = r#"
#include <unistd.h>

int main(void) {
    unsigned char in[6];
    if (read(0, in, 6) < 6) // first
        return 1;
    int sum = 0;
    for (int at = 0; at < 6; at++) // loop
        if (in[at] > 'm') // twice
            sum++;
    return sum == 7;
}
"#;

#[test]
fn the_end_says_why_and_so_does_the_ledger() {
    let place = Place::with("filter/end", OPEN_BEFORE);
    place.write("seed", b"aaaaaa");
    let flags = ["--seed", "seed", "--symbolic", "stdin", "--strategy", "dfs", "--iterations", "500"];
    let with = place.explore_into("with", &flags);
    assert_eq!(with.events("ended")[0]["why"], "filtered", "{}", with.stats);
    assert!(text(&with.output.stdout).contains("no candidate is left that could cover anything more"));
    assert!(with.count("filtered") > 0 && with.count("iterations") < 10, "{}", with.stats);
    let explained = text(&place.offshoot(&["explain", "-o", "with"]).stdout);
    assert!(explained.contains("candidates were filtered"), "{explained}");
    let line = OPEN_BEFORE.lines().position(|line| line.ends_with("// twice")).expect("a marked line") + 1;
    let explained = text(&place.offshoot(&["explain", "-o", "with", &format!("prog.c:{line}")]).stdout);
    assert!(explained.contains("; filtered "), "{explained}");
    let without = place.explore_into("without", &[&flags[..], &["--no-filter"]].concat());
    assert_eq!(without.events("ended")[0]["why"], "exhausted", "{}", without.stats);
    assert_eq!((without.covered(), without.count("iterations")), (with.covered(), 64));
    // Who resumes without it gets what was dropped.
    let resumed = place.explore_into("with", &[&flags[..], &["--no-filter", "--resume"]].concat());
    assert_eq!(resumed.count("iterations"), 64);
}
