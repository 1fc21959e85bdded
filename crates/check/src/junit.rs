//! Findings as JUnit: one test case a seed, which fails if something was found beside it.

use crate::stats::Summary;
use std::fmt::Write;

pub fn junit(summary: &Summary) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let failing = summary.seeds.iter().filter(|seed| summary.findings.iter().any(|f| f.seed == seed.name)).count();
    _ = writeln!(
        text,
        "<testsuites>\n  <testsuite name=\"offshoot check {}\" tests=\"{}\" failures=\"{failing}\" time=\"{:.3}\">",
        escape(&summary.program),
        summary.seeds.len(),
        summary.counts.elapsed_s
    );
    for seed in &summary.seeds {
        _ = writeln!(text, "    <testcase name=\"{}\" time=\"{:.3}\">", escape(&seed.name), seed.seconds);
        for finding in summary.findings.iter().filter(|finding| finding.seed == seed.name) {
            _ = writeln!(
                text,
                "      <failure type=\"{}\" message=\"{} at {}\">{}</failure>",
                escape(&finding.kind),
                escape(&finding.title),
                escape(&finding.place.to_string()),
                escape(&finding.in_words())
            );
        }
        text.push_str("    </testcase>\n");
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

/// XML has no way to write control characters.
fn escape(text: &str) -> String {
    let allowed =
        |c: char| if matches!(c, '\t' | '\n') || c >= ' ' && c != '\u{fffe}' && c != '\u{ffff}' { c } else { '?' };
    let clean: String = text.chars().map(allowed).collect();
    quick_xml::escape::escape(clean).into_owned()
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn what_xml_cannot_say_is_replaced() {
        assert_eq!(escape("a<b>&\"\u{1}\u{7f}"), "a&lt;b&gt;&amp;&quot;?\u{7f}");
    }
}
