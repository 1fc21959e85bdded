//! The page of one finding: all that is known of it, from the failing line to the script that shows it.

use super::card;
use super::rows::{changed_bytes, way};
use crate::finding::{Finding, kind_in_words};
use crate::source::Sources;
use offshoot_report::html::{Scanner, begin, breakable, coloured, end, escaped, offset};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Lines that are shown above and below the failing one.
const AROUND: u32 = 14;

pub fn page(finding: &Finding, is_known: bool, sources: &mut Sources, script: Option<&str>) -> String {
    let mut out = String::new();
    begin(&mut out, &format!("{} at {}", finding.title, finding.place), "../");
    let known = if is_known { " · known: the baseline has it" } else { "" };
    _ = writeln!(
        out,
        "<header data-scope=\"finding\" data-id=\"{}\" data-kind=\"{}\" data-line=\"{}\">\n<nav><a href=\"../index.html\">← \
         All findings</a></nav>\n<h1>{}</h1>\n<p><b>{}</b>: {}</p>\n<p><code>{}</code></p>\n<p class=\"soft\">from seed \
         <code>{}</code>{known}</p>\n</header>",
        finding.id,
        escaped(&finding.kind),
        finding.place.line,
        escaped(&finding.title),
        escaped(&finding.kind),
        kind_in_words(&finding.kind),
        breakable(&finding.place.to_string()),
        breakable(&finding.seed),
    );
    out.push_str("<section class=\"cards\">\n");
    card(&mut out, "Distance", &finding.distance.to_string(), "decisions from the seed's path");
    card(&mut out, "Changed bytes", &finding.changed.len().to_string(), "the others are the seed's");
    card(&mut out, "Check", finding.check.unwrap_or("–"), "that predicted it");
    card(&mut out, "Ends", &finding.plainly, "without AddressSanitizer");
    out.push_str("</section>\n");
    if !finding.explanation.is_empty() {
        _ = writeln!(
            out,
            "<section>\n<h2>Why</h2>\n<p class=\"why\">{}</p>\n</section>",
            escaped(&finding.explanation)
        );
    }
    let shown = source(&mut out, finding, sources);
    changed_bytes(&mut out, finding);
    way(&mut out, finding, &shown);
    if !finding.report.is_empty() {
        _ = writeln!(
            out,
            "<section>\n<h2>Report</h2>\n<pre class=\"report\">{}</pre>\n</section>",
            escaped(&finding.report.join("\n"))
        );
    }
    _ = writeln!(
        out,
        "<section>\n<h2>Reproduce</h2>\n<p><code>{}/cmd.sh</code> shows it without Offshoot.</p>",
        breakable(&finding.folder)
    );
    match script {
        Some(script) => {
            _ = writeln!(
                out,
                "<details><summary>cmd.sh</summary><pre class=\"script\">{}</pre></details>",
                escaped(script)
            )
        }
        None => out.push_str("<p class=\"note\">The script cannot be read.</p>\n"),
    }
    out.push_str("</section>\n");
    end(&mut out);
    out
}

/// Lines of the failing file that are shown, by number.
pub struct Shown {
    pub file: String,
    pub lines: std::ops::Range<u32>,
}

fn source(out: &mut String, finding: &Finding, sources: &mut Sources) -> Shown {
    let place = &finding.place;
    out.push_str("<section>\n<h2>Source</h2>\n");
    let source = sources.get(&place.file).filter(|source| source.line(place.line).is_some());
    let Some(source) = source else {
        out.push_str(
            "<p class=\"note\">The source is not shown: it cannot be read, or it has no such line.</p>\n</section>\n",
        );
        return Shown { file: String::new(), lines: 0..0 };
    };
    let last = (place.line + AROUND).min(source.lines.len() as u32);
    let shown = Shown { file: place.file.clone(), lines: place.line.saturating_sub(AROUND).max(1)..last + 1 };
    let outcomes = outcomes(finding);
    out.push_str("<div class=\"source\"><table>\n<tbody>\n");
    let mut scanner = Scanner::default();
    for (number, text) in (1..).zip(&source.lines).take_while(|(number, _)| *number <= last) {
        let mut marks = Vec::new();
        let taken = outcomes.get(&number).map_or(&[][..], Vec::as_slice);
        let taken: Vec<String> = taken.iter().map(|outcome| format!("<i>{}</i>", escaped(outcome))).collect();
        if !taken.is_empty() {
            marks.push((
                text.len(),
                format!("<span class=\"marks\" title=\"what this run decides here\">{}</span>", taken.join("→")),
            ));
        }
        let is_here = number == place.line;
        if is_here && place.column > 0 {
            marks.push((offset(text, place.column), "<i class=\"at\" title=\"here\">▸</i>".to_owned()));
        }
        // Colours depend on what is above.
        let code = coloured(text, &mut scanner, marks);
        if !shown.lines.contains(&number) {
            continue;
        }
        let (class, sign) = if is_here { ("here", "✗") } else { ("", "") };
        _ = writeln!(
            out,
            "<tr id=\"L{number}\" class=\"{class}\"><td class=\"n\"><a href=\"#L{number}\">{number}</a></td>\
             <td class=\"c\">{sign}</td><td class=\"t\">{code}</td></tr>"
        );
    }
    out.push_str("</tbody>\n</table></div>\n</section>\n");
    shown
}

/// What the run decides on each line of the failing file, each outcome once.
fn outcomes(finding: &Finding) -> BTreeMap<u32, Vec<&str>> {
    let mut outcomes: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for decision in finding.way.decisions().filter(|decision| decision.place.file == finding.place.file) {
        let line = outcomes.entry(decision.place.line).or_default();
        if !line.contains(&decision.outcome.as_str()) {
            line.push(&decision.outcome);
        }
    }
    outcomes
}
