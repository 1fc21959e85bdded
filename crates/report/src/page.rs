//! A lab as one HTML page that needs nothing else: tables and plots inside, no scripts, no network. It is XML too.

use crate::lab::Lab;
use crate::plot::{escaped, svg};
use crate::table;
use std::collections::BTreeSet;
use std::fmt::Write;

const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#222;--soft:#ddd;--paper:#fff;--best:#eaf3fa}\
@media (prefers-color-scheme:dark){:root{--ink:#ddd;--soft:#3a3a3a;--paper:#161616;--best:#17293a}}\
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:62rem;margin:2rem auto;\
padding:0 1rem}\
table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.5rem 0 1rem}\
th,td{padding:.15rem .7rem;text-align:right;border-bottom:1px solid var(--soft);white-space:nowrap}\
th:first-child,td:first-child{text-align:left}\
tr.best{background:var(--best)}\
section{overflow-x:auto}svg{max-width:100%;height:auto}";

/// Strategies by name: what gives each its colour in all plots.
pub fn order(lab: &Lab) -> Vec<String> {
    let names: BTreeSet<&String> =
        lab.subjects.iter().flat_map(|subject| &subject.strategies).map(|row| &row.strategy).collect();
    names.into_iter().cloned().collect()
}

pub fn html(lab: &Lab) -> String {
    let order = order(lab);
    let mut out = String::from("<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n");
    out.push_str("<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width\"/>\n");
    _ = writeln!(out, "<title>Offshoot: strategies compared</title>\n<style>{STYLE}</style>\n</head>\n<body>");
    _ = writeln!(out, "<h1>Strategies compared</h1>\n<p>{}</p>", escaped(&table::legend(lab)));
    if !lab.overall.is_empty() {
        out.push_str("<section>\n<h2>All subjects</h2>\n");
        rows(&mut out, &table::OVERALL, &table::overall_cells(lab), false);
        out.push_str("</section>\n");
    }
    for subject in &lab.subjects {
        _ = writeln!(out, "<section>\n<h2>{}</h2>", escaped(&table::heading(subject)));
        rows(&mut out, &table::COLUMNS, &table::subject_cells(subject), subject.best.is_some());
        out.push_str(&svg(subject, lab.budget.axis(), &order));
        out.push_str("</section>\n");
    }
    let notes = table::notes(lab);
    if !notes.is_empty() {
        out.push_str("<section>\n<h2>Notes</h2>\n<ul>\n");
        for line in notes {
            _ = writeln!(out, "<li>{}</li>", escaped(&line));
        }
        out.push_str("</ul>\n</section>\n");
    }
    out.push_str("</body>\n</html>\n");
    out
}

fn rows(out: &mut String, head: &[&str], rows: &[Vec<String>], first_is_best: bool) {
    out.push_str("<table>\n<thead><tr>");
    for cell in head {
        _ = write!(out, "<th>{}</th>", escaped(cell));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for (at, row) in rows.iter().enumerate() {
        out.push_str(if at == 0 && first_is_best { "<tr class=\"best\">" } else { "<tr>" });
        for cell in row {
            _ = write!(out, "<td>{}</td>", escaped(cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n");
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::lab::tests::example;
    use quick_xml::Reader;
    use quick_xml::events::Event;

    /// Every element is closed, every attribute quoted, every reference known.
    pub fn well_formed(text: &str) {
        let mut reader = Reader::from_str(text);
        loop {
            match reader.read_event().unwrap_or_else(|error| panic!("{error} in {text}")) {
                Event::Eof => return,
                Event::Start(element) | Event::Empty(element) => {
                    assert!(element.attributes().all(|attribute| attribute.is_ok()), "{element:?}");
                }
                _ => {}
            }
        }
    }

    #[test]
    fn a_page_stands_alone() {
        let page = html(&example());
        well_formed(&page);
        assert_eq!(page.matches("<svg ").count(), 2);
        assert!(page.contains("<td>&lt;b&amp;d&gt; (1 failed)</td>"));
        for elsewhere in ["<script", "src=", "href=", "url(", "@import"] {
            assert!(!page.contains(elsewhere), "{elsewhere}");
        }
    }
}
