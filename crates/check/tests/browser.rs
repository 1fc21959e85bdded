//! The pages of findings in headless Chromium: what is on them is what was found, every link leads somewhere, and on a
//! telephone no page is wider than the screen.

use browser::{fit_a_telephone, links_lead_somewhere, opened, written};
use dom::{Element, elements};
use examples::{Example, example};
use offshoot_campaign::{ChangedByte, Ending};
use offshoot_check::asan::Frame;
use offshoot_check::finding::{FINGERPRINTS, Finding, Place};
use offshoot_check::html::html;
use offshoot_check::sample::Sample;
use offshoot_check::source::Sources;
use offshoot_check::stats::{Counts, SeedCount, Summary, Unconfirmed};
use offshoot_check::way::{Decision, Way};
use std::collections::BTreeMap;

#[path = "../../report/tests/support/browser.rs"]
mod browser;
#[path = "../../report/tests/support/dom.rs"]
mod dom;
#[path = "support/example.rs"]
mod examples;

const SOURCE: &str = r#"/* Stores a byte
   where it is told to. */
#include <stdio.h>
static char *copy;

static void store(const char *b)
{
	const char *why = "a <b> & \"c\"";
	puts(why);
}

int main(int argc, char **argv) {
    if (b[0] == 'a')
        if (b[2] > '5')
            for (int i = 0; i < n; i++) /* many, and a very long comment that a narrow screen cannot show in one piece */
        copy[b[3] - '0'] = 1;
}
"#;

/// One as in the example, one with more of everything than is open at once, and one of which hardly anything is known.
fn summary() -> Summary {
    let many =
        |count: u32| (0..count).map(|at| Decision { times: at as usize, ..example().way.first[0].clone() }).collect();
    let byte =
        |offset| ChangedByte { source: "file:a/very/long/name/of/an/input.bin".to_owned(), offset, old: None, new: 7 };
    let long = Finding {
        id: 1,
        folder: "findings/0001".to_owned(),
        title: "the run fails".to_owned(),
        check: None,
        seed: "seeds/".to_owned() + &"long".repeat(40),
        changed: (0..40).map(byte).collect(),
        way: Way { total: 5000, ends_at_failure: false, left_out: 4600, first: many(100), last: many(300) },
        report: vec!["x".repeat(400)],
        ..example()
    };
    let bare = Finding {
        id: 2,
        kind: "hang".to_owned(),
        folder: "findings/0002".to_owned(),
        place: Place::default(),
        changed: Vec::new(),
        way: Way::default(),
        report: Vec::new(),
        explanation: String::new(),
        ..example()
    };
    let sample = Some(Sample { taken: 2, of: 20, rng_seed: 0 });
    Summary { findings: vec![example(), long], known: vec![bare], sample, ..Summary::example() }
}

fn site() -> (tempfile::TempDir, Vec<String>) {
    let sources = tempfile::tempdir().expect("a folder for the source");
    std::fs::create_dir(sources.path().join("src")).expect("can be made");
    std::fs::write(sources.path().join("src/u.c"), SOURCE).expect("can be written");
    let script =
        |finding: &Finding| (finding.id == 0).then(|| "#!/bin/sh\nexec ./u < \"$here/stdin\" & true\n".to_owned());
    written(html(&summary(), &mut Sources::new(sources.path().to_path_buf()), script))
}

fn texts<'a>(dom: &'a [Element], key: &str, value: &str) -> Vec<&'a str> {
    dom.iter().filter(|element| element.get(key) == Some(value)).map(|element| element.text.as_str()).collect()
}

#[test]
fn pages_show_what_was_found_and_their_links_lead_somewhere() {
    let (folder, pages) = site();
    assert_eq!(pages, ["index.html", "findings/0000.html", "findings/0001.html", "findings/0002.html"]);
    let read = |page: &String| std::fs::read_to_string(folder.path().join(page)).expect("was written");
    for page in &pages {
        for elsewhere in ["<script", "src=", "url(", "@import", "style="] {
            assert!(!read(page).contains(elsewhere), "{elsewhere} in {page}");
        }
    }
    let doms: BTreeMap<&str, Vec<Element>> =
        pages.iter().map(|page| (page.as_str(), elements(&opened(&folder.path().join(page))))).collect();
    links_lead_somewhere(folder.path(), &doms);

    let index = &doms["index.html"];
    assert_eq!(texts(index, "data-metric", "findings"), ["Findings2each was seen to fail"]);
    assert_eq!(texts(index, "data-metric", "known"), ["Known1hidden by the baseline"]);
    assert_eq!(texts(index, "data-scope", "finding").len(), 2);
    assert_eq!(
        texts(index, "data-sample", "2"),
        ["2 of 20 tests: 19 % confidence to see a bug that 10 % of them expose"]
    );

    let page = &doms["findings/0000.html"];
    let here = page.iter().find(|element| element.get("class") == Some("here")).expect("the failing line");
    assert_eq!((here.get("id"), here.text.contains("copy[b[3]")), (Some("L16"), true));
    let bytes: Vec<_> = page.iter().filter(|element| element.get("data-offset").is_some()).collect();
    assert_eq!(bytes[0].text, "stdin3 0x30x30 '0'0x34 '4'");
    assert_eq!(bytes[1].text, "stdin260 0x1040x000xff");
    let decisions: Vec<_> = page.iter().filter(|element| element.get("data-outcome").is_some()).collect();
    assert_eq!(decisions.len(), 4);
    assert_eq!(decisions[0].text, "src/u.c:12b[0] == 'a'true");
    assert_eq!(decisions[1].text, "strncmpinside the C libraryfalse2");
    assert_eq!((decisions[2].get("class"), decisions[2].get("data-line")), (Some("leaves"), Some("14")));
    assert!(texts(page, "class", "report")[0].contains("<thread T0> & more"));
    assert!(texts(page, "class", "script")[0].contains("exec ./u < \"$here/stdin\" & true"));
    assert!(texts(page, "class", "why")[0].contains("offset 4 of the heap block"));

    let long = &doms["findings/0001.html"];
    assert_eq!(long.iter().filter(|element| element.get("data-offset").is_some()).count(), 40);
    assert_eq!(long.iter().filter(|element| element.get("data-outcome").is_some()).count(), 400);
    assert_eq!(texts(long, "class", "fold").len(), 3, "bytes, the first decisions, those before the last");
    assert!(long.iter().any(|element| element.text == "4600 decisions are not listed."));

    let bare = &doms["findings/0002.html"];
    assert!(bare.iter().any(|element| element.text.starts_with("The source is not shown")));
    assert!(bare.iter().any(|element| element.text == "None: the seed itself fails."));
}

#[test]
fn no_page_is_wider_than_a_telephone() {
    let (folder, pages) = site();
    fit_a_telephone(folder.path(), &pages);
}
