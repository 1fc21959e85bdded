//! The truth table of a decision: what was seen, which vectors show a condition, and which ones lack.

use super::{Condition, Decision, Vector};
use crate::html::{escaped, excerpt, short};
use std::fmt::Write;

/// Rows of each kind; those that show a condition are always there.
const ROWS: usize = 48;
const LACKING_ROWS: usize = 24;

/// `source`: its lines, none if it is not there.
pub fn write(out: &mut String, decision: &Decision, source: &[&str]) {
    let counting = || decision.conditions.iter().filter(|condition| !condition.is_constant);
    let (covered, total) = (counting().filter(|condition| condition.pair.is_some()).count(), counting().count());
    let (class, sign) = if covered == total { ("yes", '✓') } else { ("no", '✗') };
    let text = excerpt(source, decision.at).unwrap_or_else(|| format!("decision at column {}", decision.at.column));
    _ = writeln!(
        out,
        "<details class=\"decision\" data-metric=\"mcdc\" data-line=\"{}\" data-column=\"{}\" data-covered=\"{covered}\" \
         data-total=\"{total}\"><summary><i class=\"{class}\">{sign} MC/DC {covered}/{total}</i> <code>{}</code></summary>",
        decision.at.line,
        decision.at.column,
        escaped(&short(&text, 100))
    );
    out.push_str("<div class=\"wide\"><table class=\"truth\">\n<thead><tr><th></th>");
    for (position, condition) in decision.conditions.iter().enumerate() {
        let place = || format!("column {}", condition.at.column);
        let text = condition.text.clone().or_else(|| excerpt(source, condition.at)).unwrap_or_else(place);
        _ = write!(out, "<th>C{}<br/><code>{}</code></th>", position + 1, escaped(&short(&text, 48)));
    }
    out.push_str("<th>result</th><th class=\"why\"></th></tr></thead>\n<tbody>\n");
    let left_out = seen(out, decision) + lacking(out, decision);
    out.push_str("</tbody>\n</table></div>\n");
    if left_out > 0 {
        _ = writeln!(out, "<p class=\"soft\">{left_out} more vectors are not shown.</p>");
    }
    out.push_str("<ul class=\"conditions\">\n");
    for (position, condition) in decision.conditions.iter().enumerate() {
        _ = writeln!(out, "<li>{}</li>", verdict(position, condition));
    }
    out.push_str("</ul>\n</details>\n");
}

/// Returns how many are not shown.
fn seen(out: &mut String, decision: &Decision) -> usize {
    let mut left_out = 0;
    for (number, vector) in decision.vectors.iter().enumerate() {
        let position = number as u32;
        let mut shows = Vec::new();
        for (at, condition) in decision.conditions.iter().enumerate() {
            if let Some((one, other)) = condition.pair.filter(|(one, other)| *one == position || *other == position) {
                let partner = if one == position { other } else { one };
                shows.push(format!("C{} with {}", at + 1, partner + 1));
            }
        }
        if shows.is_empty() && number >= ROWS {
            left_out += 1;
            continue;
        }
        let why = if shows.is_empty() { String::new() } else { format!("shows {}", shows.join(", ")) };
        row(out, "seen", &(number + 1).to_string(), vector, &why);
    }
    left_out
}

/// A vector that several conditions lack is one row. Returns how many are not shown.
fn lacking(out: &mut String, decision: &Decision) -> usize {
    let mut vectors: Vec<(&Vector, Vec<String>)> = Vec::new();
    for (at, condition) in decision.conditions.iter().enumerate() {
        for vector in &condition.lacking {
            let name = format!("C{}", at + 1);
            match vectors.iter_mut().find(|(one, _)| *one == vector) {
                Some((_, conditions)) => conditions.push(name),
                None => vectors.push((vector, vec![name])),
            }
        }
    }
    for (vector, conditions) in vectors.iter().take(LACKING_ROWS) {
        row(out, "lacking", "✗", vector, &format!("lacking for {}", conditions.join(", ")));
    }
    vectors.len().saturating_sub(LACKING_ROWS)
}

fn row(out: &mut String, class: &str, name: &str, vector: &Vector, why: &str) {
    _ = write!(out, "<tr class=\"{class}\"><th>{name}</th>");
    for value in &vector.conditions {
        _ = write!(out, "<td>{}</td>", value.map_or("–", letter));
    }
    _ = writeln!(out, "<td class=\"result\">{}</td><td class=\"why\">{why}</td></tr>", letter(vector.result));
}

fn letter(value: bool) -> &'static str {
    if value { "T" } else { "F" }
}

fn verdict(position: usize, condition: &Condition) -> String {
    let name = format!("C{}", position + 1);
    if condition.is_constant {
        return format!("<b>{name}</b> is constant and does not count.");
    }
    let pair = |(one, other): (u32, u32)| format!("{} and {}", one + 1, other + 1);
    let mut text = match condition.pair {
        None => format!("<i class=\"no\">✗</i> <b>{name}</b> is not shown to decide the result by itself."),
        Some(shown) => {
            let strength = match condition.unique_pair {
                Some(unique) if unique == shown => "; all others are the same".to_owned(),
                Some(unique) => format!("; with all others the same by {}", pair(unique)),
                None => "; others differ, but are masked".to_owned(),
            };
            format!("<i class=\"yes\">✓</i> <b>{name}</b> decides the result: vectors {}{strength}.", pair(shown))
        }
    };
    if let Some(reason) = &condition.reason {
        _ = write!(text, " <span class=\"soft\">{}</span>", escaped(reason));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::example::example;
    use crate::coverage::{File, Place};
    use crate::html::lines;
    use crate::page::tests::well_formed;

    fn table(decision: &Decision, file: &File) -> String {
        let mut out = String::new();
        write(&mut out, decision, &lines(file.source.as_deref().unwrap_or_default()));
        well_formed(&out);
        out
    }

    #[test]
    fn a_table_says_what_is_shown_and_what_lacks() {
        let coverage = example();
        let file = coverage.files.iter().find(|file| file.path == "src/door.c").expect("is there");
        let text = table(&file.decisions[0], file);
        for part in [
            "data-covered=\"1\" data-total=\"3\"",
            "<code>key &gt; 0 &amp;&amp; (open || code == 42)</code></summary>",
            "<th>C1<br/><code>key &gt; 0</code></th>",
            "<tr class=\"seen\"><th>1</th><td>T</td><td>T</td><td>–</td><td class=\"result\">T</td>\
             <td class=\"why\">shows C1 with 2</td></tr>",
            "<tr class=\"lacking\"><th>✗</th><td>T</td><td>F</td><td>F</td><td class=\"result\">F</td>\
             <td class=\"why\">lacking for C2, C3</td></tr>",
            "vectors 2 and 1; all others are the same.",
            "<b>C3</b> is not shown to decide the result by itself. <span class=\"soft\">no input was found within 10 s \
             (code is always 7 &amp; never 42)</span>",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
        let tabs = coverage.files.iter().find(|file| file.path == "lib/tabs.c").expect("is there");
        let text = table(&tabs.decisions[0], tabs);
        assert!(text.contains("data-covered=\"1\" data-total=\"1\""), "{text}");
        assert!(text.contains("<b>C1</b> is constant and does not count."), "{text}");
    }

    #[test]
    fn long_tables_are_cut_and_say_so() {
        let vector = |number: u32| Vector { conditions: vec![Some(number.is_multiple_of(2))], result: true };
        let at = Place { line: 1, column: 1, end_line: 1, end_column: 2 };
        let condition = Condition { at, pair: Some((0, 99)), ..Condition::default() };
        let vectors = (0..100).map(vector).collect();
        let text = table(&Decision { at, conditions: vec![condition], vectors }, &File::default());
        assert_eq!(text.matches("<tr class=\"seen\">").count(), ROWS + 1);
        assert!(text.contains("<th>100</th>"), "{text}");
        assert!(text.contains("51 more vectors are not shown."), "{text}");
    }
}
