//! Findings as pages for people: an index, and a page for each one. Figures stand in `data-` attributes as well, so that
//! others can read them.

mod page;
mod rows;

use crate::finding::{Finding, kind_in_words};
use crate::source::Sources;
use crate::stats::Summary;
use offshoot_report::html::{STYLE, begin, breakable, counted, end, escaped};
use std::fmt::Write;

/// What the pages of coverage do not need.
const MORE_STYLE: &str = "\
.source .c { min-width: 1.6rem; }
.source .here .c { color: var(--no); font-weight: 700; border-right-color: var(--no); }
.source .here .t { background: var(--no-back); }
.at { color: var(--no); font-weight: 700; user-select: none; }
pre { font: 13px/1.5 var(--mono); overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .6rem .8rem; margin: .5rem 0; }
.list .text { text-align: left; white-space: normal; overflow-wrap: anywhere; min-width: 7rem; }
.list .leaves { background: var(--part-back); }
.list td code { overflow-wrap: normal; }
.list .text code { white-space: pre-wrap; overflow-wrap: anywhere; }
.list tbody th { min-width: 7rem; }
.card p { overflow-wrap: anywhere; }
.card .big { white-space: normal; }
details { margin: .5rem 0; }
summary { cursor: pointer; color: var(--link); }
.why { border-left: 3px solid var(--no); padding-left: .8rem; overflow-wrap: anywhere; }
";

/// Paths below the folder of the report, and what is to be there. `script`: the text of a finding's `cmd.sh`.
pub fn html(
    summary: &Summary,
    sources: &mut Sources,
    script: impl Fn(&Finding) -> Option<String>,
) -> Vec<(String, String)> {
    let mut pages =
        vec![("index.html".to_owned(), index(summary)), ("style.css".to_owned(), format!("{STYLE}{MORE_STYLE}"))];
    for finding in summary.findings.iter().chain(&summary.known) {
        let is_known = summary.known.iter().any(|known| known.id == finding.id);
        pages.push((name(finding), page::page(finding, is_known, sources, script(finding).as_deref())));
    }
    pages
}

fn name(finding: &Finding) -> String {
    format!("findings/{:04}.html", finding.id)
}

fn index(summary: &Summary) -> String {
    let mut out = String::new();
    begin(&mut out, "Findings", "");
    _ = writeln!(
        out,
        "<header>\n<h1>Findings</h1>\n<p class=\"soft\"><code>{}</code> · {} · stopped: {}</p>\n</header>",
        escaped(&summary.program),
        counted(summary.seeds.len(), "seed", "seeds"),
        escaped(summary.ending.in_words())
    );
    let counts = &summary.counts;
    let distance = summary.completed_distance.map_or("–".to_owned(), |distance| distance.to_string());
    out.push_str("<section class=\"cards\" data-scope=\"totals\">\n");
    card(&mut out, "Findings", &summary.findings.len().to_string(), "each was seen to fail");
    if !summary.known.is_empty() {
        card(&mut out, "Known", &summary.known.len().to_string(), "hidden by the baseline");
    }
    card(&mut out, "Checks", &counts.checks.to_string(), &format!("of {} operations", counts.operations));
    card(&mut out, "Paths", &counts.paths.to_string(), "beside those of the seeds");
    card(&mut out, "Distance", &distance, "complete up to here");
    card(&mut out, "Time", &format!("{:.1} s", counts.elapsed_s), &format!("{:.1} s of it solving", counts.solving_s));
    out.push_str("</section>\n");
    if let Some(sample) = &summary.sample {
        _ = writeln!(out, "<p class=\"note\" data-sample=\"{}\">{}</p>", sample.taken, escaped(&sample.in_words()));
    }
    if summary.findings.is_empty() {
        out.push_str("<p>Nothing was found that fails.</p>\n");
    } else {
        table(&mut out, "finding", &summary.findings);
    }
    if !summary.known.is_empty() {
        out.push_str("<section>\n<h2>Known</h2>\n<p class=\"soft\">The baseline has these as well.</p>\n");
        table(&mut out, "known", &summary.known);
        out.push_str("</section>\n");
    }
    if !summary.unconfirmed.is_empty() {
        out.push_str("<section>\n<h2>Not confirmed</h2>\n");
        out.push_str(
            "<p class=\"soft\">A solution exists, but its run shows no error. These are no findings.</p>\n<ul>\n",
        );
        for one in &summary.unconfirmed {
            _ = writeln!(
                out,
                "<li>{} at <code>{}</code>, {}: {}</li>",
                escaped(&one.what),
                breakable(&one.place),
                counted(one.times as usize, "time", "times"),
                escaped(&one.explanation)
            );
        }
        out.push_str("</ul>\n</section>\n");
    }
    if counts.skipped.total() > 0 {
        out.push_str("<section>\n<h2>Skipped</h2>\n<p class=\"soft\">Checks that were not made.</p>\n<ul>\n");
        for (count, reason) in counts.skipped.reasons().into_iter().filter(|(count, _)| *count > 0) {
            _ = writeln!(out, "<li>{count} {reason}</li>");
        }
        out.push_str("</ul>\n</section>\n");
    }
    end(&mut out);
    out
}

fn card(out: &mut String, title: &str, figure: &str, what: &str) {
    let (title, figure, what) = (escaped(title), escaped(figure), escaped(what));
    _ = writeln!(
        out,
        "<div class=\"card\" data-metric=\"{}\"><h3>{title}</h3><p class=\"big\">{figure}</p><p class=\"soft\">{what}</p></div>",
        title.to_lowercase()
    );
}

fn table(out: &mut String, scope: &str, findings: &[Finding]) {
    out.push_str("<div class=\"wide\"><table class=\"list\">\n<thead><tr><th>What</th><th class=\"text\">Where</th>");
    out.push_str("<th class=\"text\">Seed</th><th>Distance</th><th>Changed bytes</th></tr></thead>\n<tbody>\n");
    for finding in findings {
        _ = writeln!(
            out,
            "<tr data-scope=\"{scope}\" data-id=\"{}\" data-kind=\"{}\"><th><a href=\"{}\">{}</a><br/><span \
             class=\"soft\">{}: {}</span></th><td class=\"text\"><code>{}</code></td><td class=\"text\">{}</td>\
             <td>{}</td><td>{}</td></tr>",
            finding.id,
            escaped(&finding.kind),
            name(finding),
            escaped(&finding.title),
            escaped(&finding.kind),
            kind_in_words(&finding.kind),
            breakable(&finding.place.to_string()),
            breakable(&finding.seed),
            finding.distance,
            finding.changed.len()
        );
    }
    out.push_str("</tbody>\n</table></div>\n");
}
