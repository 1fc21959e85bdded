//! The tables of a finding's page: the bytes that differ from the seed, and the decisions. Long ones are folded.

use super::page::Shown;
use crate::finding::{Finding, byte_in_words};
use crate::way::Decision;
use offshoot_report::html::{breakable, counted, escaped};
use std::fmt::Write;

/// Rows that are always open.
const OPEN_BYTES: usize = 16;
const OPEN_DECISIONS: usize = 16;

pub fn changed_bytes(out: &mut String, finding: &Finding) {
    out.push_str("<section>\n<h2>Changed bytes</h2>\n");
    if finding.changed.is_empty() {
        out.push_str("<p>None: the seed itself fails.</p>\n</section>\n");
        return;
    }
    let byte = |byte: Option<u8>| match byte {
        None => "nothing".to_owned(),
        Some(byte @ b' '..=b'~') => format!("0x{byte:02x} {}", byte_in_words(byte)),
        Some(byte) => byte_in_words(byte),
    };
    let row = |change: &offshoot_campaign::ChangedByte| {
        format!(
            "<tr data-offset=\"{}\" data-new=\"{}\"><th><code>{}</code></th><td>{} <span class=\"soft\">0x{:x}</span></td>\
             <td><code>{}</code></td><td><code>{}</code></td></tr>\n",
            change.offset,
            change.new,
            breakable(&change.source),
            change.offset,
            change.offset,
            escaped(&byte(change.old)),
            escaped(&byte(Some(change.new)))
        )
    };
    let head = "<tr><th>Input</th><th>Offset</th><th>Old</th><th>New</th></tr>";
    let rows: Vec<String> = finding.changed.iter().map(row).collect();
    let (open, folded) = rows.split_at(rows.len().min(OPEN_BYTES));
    table(out, head, open);
    fold(out, &format!("{} more", counted(folded.len(), "byte", "bytes")), head, folded);
    out.push_str("</section>\n");
}

pub fn way(out: &mut String, finding: &Finding, shown: &Shown) {
    let way = &finding.way;
    out.push_str("<section>\n<h2>Path</h2>\n");
    if way.total == 0 {
        out.push_str("<p>There is no decision on the input up to here.</p>\n</section>\n");
        return;
    }
    _ = writeln!(
        out,
        "<p class=\"soft\">{} on the input{}, in the order of the run.{}</p>",
        counted(way.total, "decision", "decisions"),
        if way.ends_at_failure { " up to the failure" } else { " in all the run, which may go on behind the failure" },
        if way.decisions().any(|decision| decision.leaves_seed) {
            " Marked: where it leaves the seed's path."
        } else {
            ""
        }
    );
    let head = "<tr><th>Where</th><th class=\"text\">Condition</th><th>Goes</th><th>Times</th></tr>";
    let first = rows(&way.first, shown);
    let mut last = rows(&way.last, shown);
    if last.is_empty() {
        last = first;
        let folded: Vec<String> = last.drain(..last.len().saturating_sub(OPEN_DECISIONS)).collect();
        fold(out, &format!("{} before these", counted(folded.len(), "row", "rows")), head, &folded);
    } else {
        fold(out, &format!("the first {}", counted(first.len(), "row", "rows")), head, &first);
        _ = writeln!(out, "<p class=\"note\">{} are not listed.</p>", counted(way.left_out, "decision", "decisions"));
        let folded: Vec<String> = last.drain(..last.len().saturating_sub(OPEN_DECISIONS)).collect();
        fold(out, &format!("{} before these", counted(folded.len(), "row", "rows")), head, &folded);
    }
    table(out, head, &last);
    out.push_str("</section>\n");
}

/// What happens inside one function of the C library is one row.
fn rows(decisions: &[Decision], shown: &Shown) -> Vec<String> {
    let is_inside = |decision: &Decision| decision.is_library && !decision.leaves_seed;
    let together = |a: &Decision, b: &Decision| is_inside(a) && is_inside(b) && a.place.function == b.place.function;
    let row = |group: &[Decision]| {
        let [one, ..] = group else { return String::new() };
        let times: usize = group.iter().map(|decision| decision.times).sum();
        let place = match &one.place {
            place if place.line == 0 || one.is_library => format!("<code>{}</code>", escaped(&place.function)),
            place => {
                let text = breakable(&format!("{}:{}", place.file, place.line));
                let is_shown = place.file == shown.file && shown.lines.contains(&place.line);
                if is_shown {
                    format!("<a href=\"#L{}\"><code>{text}</code></a>", place.line)
                } else {
                    format!("<code>{text}</code>")
                }
            }
        };
        let condition = match &one.condition {
            Some(condition) => format!("<code>{}</code>", escaped(condition)),
            None if one.is_library => "<span class=\"soft\">inside the C library</span>".to_owned(),
            None => "<span class=\"soft\">its source cannot be read</span>".to_owned(),
        };
        let outcome = if group.len() > 1 { "" } else { one.outcome.as_str() };
        format!(
            "<tr class=\"{}\" data-line=\"{}\" data-outcome=\"{}\"><th>{place}</th><td class=\"text\">{condition}</td>\
             <td><b>{}</b></td><td>{}</td></tr>\n",
            if one.leaves_seed { "leaves" } else { "" },
            one.place.line,
            escaped(outcome),
            escaped(outcome),
            if times > 1 { times.to_string() } else { String::new() }
        )
    };
    decisions.chunk_by(together).map(row).collect()
}

fn table(out: &mut String, head: &str, rows: &[String]) {
    if !rows.is_empty() {
        let rows = rows.concat();
        _ = writeln!(
            out,
            "<div class=\"wide\"><table class=\"list\">\n<thead>{head}</thead>\n<tbody>\n{rows}</tbody>\n</table></div>"
        );
    }
}

fn fold(out: &mut String, title: &str, head: &str, rows: &[String]) {
    if !rows.is_empty() {
        _ = writeln!(out, "<details class=\"fold\"><summary>{title}</summary>");
        table(out, head, rows);
        out.push_str("</details>\n");
    }
}
