//! The pages of a coverage report in headless Chromium: what is on them is what the document says, every link leads
//! somewhere, and on a telephone no page is wider than the screen.

use offshoot_report::coverage::{
    Branch, Condition, Coverage, Decision, File, Function, Line, Place, Summary, Tally, Vector, html,
};
use std::collections::BTreeMap;
use support::{Element, elements, fit_a_telephone, links_lead_somewhere, opened, written};

mod support {
    pub mod browser;
    pub mod dom;
    pub use browser::{fit_a_telephone, links_lead_somewhere, opened, written};
    pub use dom::{Element, elements};
}

#[path = "support/example.rs"]
mod example;

type Figures = BTreeMap<String, (u64, u64)>;

fn figures_of(out: &mut Figures, scope: &str, summary: &serde_json::Value, without: &str) {
    for (metric, tally) in summary.as_object().expect("a summary has metrics") {
        if metric != without {
            let number = |key: &str| tally[key].as_u64().expect("is a number");
            out.insert(format!("{scope}: {metric}"), (number("covered"), number("total")));
        }
    }
}

/// The figures of a page by scope; each must also be there for the eye.
fn figures_on(page: &[Element]) -> Figures {
    let mut out = Figures::new();
    let mut scope = String::new();
    for element in page {
        if let Some(kind) = element.get("data-scope") {
            let name = ["data-path", "data-name", "data-line"].map(|key| element.get(key).unwrap_or_default());
            scope = format!("{kind} {}", name.concat());
        }
        let Some(metric) = element.get("data-metric").filter(|_| element.name != "details") else { continue };
        let (covered, total) = (element.number("data-covered"), element.number("data-total"));
        out.insert(format!("{scope}: {metric}"), (covered, total));
        let text = &element.text;
        let expected = match (covered * 1000).checked_div(total) {
            None => vec!["–".to_owned()],
            Some(tenths) => vec![format!("{}.{}", tenths / 10, tenths % 10), format!("{covered}/{total}")],
        };
        assert!(expected.iter().all(|part| text.contains(part)), "{scope}: {metric}: {text}, not {expected:?}");
    }
    out
}

fn page_shows_file(page: &[Element], file: &File, json: &serde_json::Value) {
    let mut expected = Figures::new();
    figures_of(&mut expected, "file ", &json["summary"], "");
    for function in json["functions"].as_array().expect("is a list") {
        let scope = format!("function {}{}", function["name"].as_str().expect("is a text"), function["line"]);
        figures_of(&mut expected, &scope, &function["summary"], "function");
    }
    assert_eq!(figures_on(page), expected);

    let lines = page.iter().filter(|element| element.get("data-count").is_some() && element.get("id").is_some());
    let lines = lines.map(|element| (element.get("id").unwrap_or_default().to_owned(), element.number("data-count")));
    let counts = file.lines.iter().map(|line| (format!("L{}", line.line), line.count));
    assert_eq!(lines.collect::<Vec<_>>(), counts.collect::<Vec<_>>());

    let marks = page.iter().filter(|element| element.get("data-true").is_some());
    let marks = marks.map(|mark| {
        let seen = |letter, count| format!("{letter}{}", if count > 0 { '✓' } else { '✗' });
        let (yes, no) = (mark.number("data-true"), mark.number("data-false"));
        assert_eq!(mark.text, seen('T', yes) + &seen('F', no));
        (yes, no)
    });
    let branches = file.branches.iter().map(|branch| (branch.true_count, branch.false_count));
    assert_eq!(marks.collect::<Vec<_>>(), branches.collect::<Vec<_>>());

    let tables: Vec<&Element> = page.iter().filter(|element| element.name == "details").collect();
    assert_eq!(tables.len(), file.decisions.len());
    for (table, decision) in tables.into_iter().zip(&file.decisions) {
        assert_eq!(table.number("data-line"), u64::from(decision.at.line));
        let conditions = || decision.conditions.iter().filter(|condition| !condition.is_constant);
        assert_eq!(table.number("data-total"), conditions().count() as u64);
        assert_eq!(table.number("data-covered"), conditions().filter(|one| one.pair.is_some()).count() as u64);
    }
}

#[test]
fn pages_show_the_document_and_their_links_lead_somewhere() {
    let coverage = example::example();
    let json = serde_json::to_value(&coverage).expect("is JSON");
    let (folder, pages) = written(html(&coverage));
    let doms: BTreeMap<&str, Vec<Element>> =
        pages.iter().map(|page| (page.as_str(), elements(&opened(&folder.path().join(page))))).collect();

    let mut expected = Figures::new();
    figures_of(&mut expected, "totals ", &json["totals"], "");
    for file in json["files"].as_array().expect("is a list") {
        figures_of(&mut expected, &format!("file {}", file["path"].as_str().expect("a text")), &file["summary"], "");
    }
    assert_eq!(figures_on(&doms["index.html"]), expected);
    // Pages follow the index, in the order of the files.
    for (at, page) in pages.iter().skip(1).enumerate() {
        page_shows_file(&doms[page.as_str()], &coverage.files[at], &json["files"][at]);
    }

    links_lead_somewhere(folder.path(), &doms);
}

#[test]
fn no_page_is_wider_than_a_telephone() {
    let (folder, pages) = written(html(&example::example()));
    fit_a_telephone(folder.path(), &pages);
}
