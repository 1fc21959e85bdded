//! Programs that take long, and campaigns that have not so long.

use crate::place::{Place, json, text};
use std::fs;

/// Takes longer than a campaign of four seconds, but not for ever.
const PROGRAM: &str = r#"
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int first = getchar();
    if (first != 's')
        sleep(6);
    return getchar() == 'q';
}
"#;

/// Whether any test is expected to run out of time.
fn has_cut_test(place: &Place) -> bool {
    let tests = fs::read_dir(place.folder.join("out/tests")).expect("tests");
    let mut notes = tests.map(|test| fs::read_to_string(test.expect("a test").path().join("note.json")));
    notes.any(|note| note.expect("a note").contains("ran out of time"))
}

#[test]
fn a_run_that_the_end_of_the_time_cuts_is_open() {
    let place = Place::with("slow", PROGRAM);
    place.write("seed", b"seed");
    let explored = place.explore(&["--seed", "seed", "--time", "4s"]);
    assert_eq!(explored.findings(), [""; 0], "{}", explored.stats);
    assert_eq!(explored.events("ended")[0]["why"], "time", "{}", explored.stats);
    assert!(!has_cut_test(&place));
    assert!(!explored.is_all_covered(), "{}", explored.stats);

    let resumed = place.explore(&["--seed", "seed", "--time", "60s", "--resume"]);
    assert_eq!(resumed.findings(), [""; 0], "{}", resumed.stats);
    assert!(resumed.is_all_covered(), "{}\n{}", resumed.stats, resumed.journal());
}

/// Every run takes its time, and some take more.
const SLOW: &str = r#"
#include <stdio.h>
#include <unistd.h>

int main(void) {
    usleep(300000);
    if (getchar() != 's')
        sleep(2);
    return 0;
}
"#;

#[test]
fn mutation_takes_no_slow_run_for_a_hang() {
    let place = Place::with("slow_stages", SLOW);
    place.write("seed", b"seed");
    let explored = place.explore(&["--stages", "--seed", "seed", "--time", "8s"]);
    assert_eq!(explored.findings(), [""; 0], "{}", explored.stats);
    let stages = explored.stats["stages"].as_array().expect("stages");
    assert!(stages[0]["why"].as_str().is_some_and(|why| why.starts_with("its share of the time")), "{stages:?}");
}

#[test]
fn a_seed_that_the_end_of_the_time_cuts_is_left_out() {
    let place = Place::with("slow_seeds", PROGRAM);
    fs::create_dir(place.folder.join("seeds")).expect("a folder");
    for (name, content) in [("1", "seed"), ("2", "sq"), ("3", "x")] {
        place.write(&format!("seeds/{name}"), content.as_bytes());
    }
    let explored = place.explore(&["--seed", "seeds", "--time", "4s"]);
    assert_eq!(explored.findings(), [""; 0], "{}", explored.stats);
    assert!(!has_cut_test(&place));
    let said = text(&explored.output.stderr);
    // On a busy machine the second, too.
    let kept = json(&explored.folder.join("campaign.json"))["seeds"].as_array().map_or(0, Vec::len);
    assert!((1..3).contains(&kept) && said.contains(&format!("{} of 3 seeds are left out", 3 - kept)), "{said}");
    let resumed = place.explore(&["--seed", "seeds", "--iterations", "3", "--resume"]);
    assert!(resumed.count("tests") >= kept as u64, "{}", resumed.stats);
    place.check_failure(
        &["explore", "--seed", "seeds/3", "--time", "4s", "-o", "none", "--progress", "none", "--", "./prog"],
        &["no seed", "seeds/3", "--time"],
    );
}
