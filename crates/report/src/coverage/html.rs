//! As a folder of pages for people: an index and one page for each file. No scripts, nothing from elsewhere; the pages are
//! XML too. Figures stand in `data-` attributes as well, so that others can read them.

use super::figures::{METRICS, Metric, missing, percent, ratio, worst_files};
use super::{Coverage, File, Summary, Tally, file_page};
use crate::html::{STYLE, begin, breakable, counted, end, escaped};
use std::collections::HashSet;
use std::fmt::Write;

/// Paths below the folder of the report, and what is to be there.
pub fn html(coverage: &Coverage) -> Vec<(String, String)> {
    let names = names(&coverage.files);
    let mut site = vec![("index.html".to_owned(), index(coverage, &names)), ("style.css".to_owned(), STYLE.to_owned())];
    for (file, name) in coverage.files.iter().zip(names) {
        site.push((name, file_page::page(coverage, file)));
    }
    site
}

const LONGEST_NAME: usize = 120;

/// Where the page of each file is. A name has letters, digits, `.`, `-` and `_` only, so that it is the same in an address;
/// no two are the same on a system that does not tell upper from lower case.
fn names(files: &[File]) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut unused = |base: &str| {
        let candidates = (1u64..).map(|n| if n == 1 { base.to_owned() } else { format!("{base}-{n}") });
        candidates.into_iter().find(|name| taken.insert(name.to_lowercase())).unwrap_or_default()
    };
    let name = |file: &File| {
        let safe = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-') { c } else { '_' };
        let name: String = file.path.trim_start_matches(['.', '/']).chars().map(safe).collect();
        // Of a long path, the end says more.
        format!("files/{}.html", unused(&name[name.len().saturating_sub(LONGEST_NAME)..]))
    };
    files.iter().map(name).collect()
}

fn index(coverage: &Coverage, names: &[String]) -> String {
    let mut out = String::new();
    begin(&mut out, "Coverage", "");
    out.push_str("<header>\n<h1>Coverage</h1>\n<p class=\"soft\">");
    if !coverage.programs.is_empty() {
        let programs: Vec<String> =
            coverage.programs.iter().map(|name| format!("<code>{}</code>", escaped(name))).collect();
        _ = write!(out, "{} · ", programs.join(", "));
    }
    _ = writeln!(
        out,
        "{} · {}</p>\n</header>",
        counted(coverage.files.len(), "file", "files"),
        counted(coverage.tests.len(), "test", "tests")
    );
    cards(&mut out, "totals", &coverage.totals);
    if !coverage.warnings.is_empty() {
        out.push_str("<section class=\"warnings\">\n<h2>Warnings</h2>\n<ul>\n");
        for warning in &coverage.warnings {
            _ = writeln!(out, "<li>{}</li>", escaped(warning));
        }
        out.push_str("</ul>\n</section>\n");
    }
    out.push_str("<section>\n<h2>Files</h2>\n<p class=\"soft\">The file with the most missing is first.</p>\n");
    out.push_str("<div class=\"wide\"><table class=\"list\">\n<thead><tr><th>File</th>");
    out.push_str("<th title=\"lines, outcomes of branches and conditions that are not covered\">Missing</th>");
    heads(&mut out, METRICS.iter());
    out.push_str("</tr></thead>\n<tbody>\n");
    for file in worst_files(&coverage.files) {
        // A path is there once.
        let page = coverage.files.iter().position(|one| std::ptr::eq(one, file)).map_or("", |at| &names[at]);
        let path = escaped(&file.path);
        _ = write!(
            out,
            "<tr data-scope=\"file\" data-path=\"{path}\"><th><a href=\"{page}\">{}</a></th><td>{}</td>",
            breakable(&file.path),
            missing(&file.summary)
        );
        for metric in &METRICS {
            cell(&mut out, metric, &file.summary);
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n</section>\n");
    end(&mut out);
    out
}

/// The figures at the top of a page.
pub fn cards(out: &mut String, scope: &str, summary: &Summary) {
    _ = writeln!(out, "<section class=\"cards\" data-scope=\"{scope}\">");
    for metric in &METRICS {
        let tally = (metric.of)(summary);
        let sign = if tally.total == 0 { "" } else { "<small> %</small>" };
        _ = writeln!(
            out,
            "<div class=\"card\"{}><h3>{}</h3><p class=\"big\">{}{sign}</p><p class=\"soft\">{}</p>{}</div>",
            attributes(metric, tally),
            metric.label,
            percent(tally),
            ratio(tally),
            bar(tally)
        );
    }
    out.push_str("</section>\n");
}

pub fn heads<'a>(out: &mut String, metrics: impl Iterator<Item = &'a Metric>) {
    for metric in metrics {
        _ = write!(out, "<th>{}</th>", metric.label);
    }
}

pub fn cell(out: &mut String, metric: &Metric, summary: &Summary) {
    let tally = (metric.of)(summary);
    let attributes = attributes(metric, tally);
    if tally.total == 0 {
        _ = write!(out, "<td class=\"none\"{attributes}>–</td>");
        return;
    }
    let (percent, ratio, bar) = (percent(tally), ratio(tally), bar(tally));
    _ = write!(out, "<td{attributes}><b>{percent}</b> <span class=\"soft\">{ratio}</span>{bar}</td>");
}

fn attributes(metric: &Metric, tally: Tally) -> String {
    format!(" data-metric=\"{}\" data-covered=\"{}\" data-total=\"{}\"", metric.key, tally.covered, tally.total)
}

/// Without style attributes, which some servers of build results forbid.
fn bar(tally: Tally) -> String {
    if tally.total == 0 {
        return "<svg class=\"bar\" aria-hidden=\"true\"></svg>".to_owned();
    }
    format!(
        "<svg class=\"bar\" aria-hidden=\"true\"><rect width=\"100%\" height=\"100%\"/><rect class=\"done\" \
         width=\"{}%\" height=\"100%\"/></svg>",
        percent(tally)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::example::example;
    use crate::coverage::{Branch, Condition, Decision, Line, Place, cobertura, lcov};
    use crate::page::tests::well_formed;
    use proptest::prelude::*;

    #[test]
    fn pages_are_xml_and_need_nothing_from_elsewhere() {
        let site = html(&example());
        assert_eq!(site.len(), 2 + example().files.len());
        for (path, page) in site.iter().filter(|(path, _)| path.ends_with(".html")) {
            well_formed(page);
            for elsewhere in ["<script", "src=", "url(", "@import", "style=", "<b>\"", "<any more>"] {
                assert!(!page.contains(elsewhere), "{elsewhere} in {path}");
            }
            assert_eq!(page.matches("://").count(), 1, "the name space of {path}");
        }
    }

    #[test]
    fn names_are_safe_and_differ() {
        let file = |path: &str| File { path: path.to_owned(), ..File::default() };
        let long = "x/".repeat(300) + "end.c";
        let paths = ["src/a b.c", "src/a_b.c", "SRC/a?b.c", "../../etc/passwd", "", "é.c", &long];
        let names = names(&paths.map(file));
        let expected = ["src_a_b.c", "src_a_b.c-2", "SRC_a_b.c-3", "etc_passwd", "", "_.c"]
            .map(|name| format!("files/{name}.html"));
        assert_eq!(names[..6], expected);
        assert!(names[6].ends_with("_x_end.c.html") && names[6].len() < 150, "{}", names[6]);
    }

    #[test]
    fn the_worst_file_is_first() {
        let (_, index) = html(&example()).swap_remove(0);
        let at = |name: &str| index.find(&format!("data-path=\"{name}\"")).expect("is in the table");
        assert!(at("src/door.c") < at("/usr/include/gone.h") && at("/usr/include/gone.h") < at("lib/tabs.c"));
    }

    fn place() -> impl Strategy<Value = Place> {
        (0..9u32, 0..9u32, 0..9u32, 0..9u32).prop_map(|(line, column, end_line, end_column)| Place {
            line,
            column,
            end_line,
            end_column,
        })
    }

    proptest! {
        /// Records need not fit the source: it may have been replaced by another of the same length.
        #[test]
        fn no_place_is_too_strange(
            source in prop::option::of("([ a-z&<\"'/*#\\\\é\u{1}]{0,9}(\n|\r\n|\r)){0,6}"),
            (places, counts) in (prop::collection::vec(place(), 0..6), prop::collection::vec(0..2u64, 6)),
        ) {
            let condition = |at: &Place| Condition { at: *at, ..Condition::default() };
            let decision = |at: &Place| Decision {
                at: *at,
                conditions: places.iter().map(condition).collect(),
                vectors: Vec::new(),
            };
            let branch = |(at, count): (&Place, &u64)| Branch { at: *at, true_count: *count, false_count: 0 };
            let file = File {
                lines: counts.iter().zip(0..).map(|(count, line)| Line { line, count: *count, covered_by: vec![9] }).collect(),
                branches: places.iter().zip(&counts).map(branch).collect(),
                decisions: places.iter().map(decision).collect(),
                source,
                ..File::default()
            };
            let coverage = Coverage { files: vec![file], ..Coverage::default() };
            let (_, page) = html(&coverage).swap_remove(2);
            well_formed(&page);
            prop_assert_eq!(page.matches("data-true=").count(), places.len());
            prop_assert_eq!(page.matches("<details ").count(), places.len());
            prop_assert_eq!(page.matches("<tr id=\"L").count(), page.matches("<td class=\"n\">").count());
            well_formed(&cobertura(&coverage));
            lcov(&coverage);
        }
    }

    #[test]
    fn nothing_is_a_site_too() {
        let site = html(&Coverage::default());
        assert_eq!(site.len(), 2);
        well_formed(&site[0].1);
    }
}
