//! Findings as workflow commands of GitHub: each becomes an annotation beside its line.

use crate::finding::{Finding, changed_in_words};
use crate::stats::Summary;

/// One line a finding.
pub fn github(summary: &Summary) -> String {
    summary.findings.iter().map(annotation).collect()
}

fn annotation(finding: &Finding) -> String {
    let place = &finding.place;
    let mut properties = Vec::new();
    if place.line > 0 && !place.file.is_empty() {
        properties.push(format!("file={}", property(&place.file)));
        properties.push(format!("line={}", place.line));
        if place.column > 0 {
            properties.push(format!("col={}", place.column));
        }
    }
    properties.push(format!("title={}", property(&format!("{} ({})", finding.title, finding.kind))));
    let mut text = format!("{} at {place}", finding.kind);
    if !finding.explanation.is_empty() {
        text.push_str(&format!("\n{}", finding.explanation));
    }
    text.push_str(&format!(
        "\nseed {} at distance {}; changed bytes: {}\nto reproduce: {}/cmd.sh",
        finding.seed,
        finding.distance,
        changed_in_words(&finding.changed),
        finding.folder
    ));
    format!("::error {}::{}\n", properties.join(","), message(&text))
}

fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::example;

    #[test]
    fn a_finding_is_one_line() {
        let mut finding = example();
        finding.place.file = "src/a,b:100%.c".to_owned();
        finding.explanation = "50% of it\nis: too much, really".to_owned();
        let line = annotation(&finding);
        let expected = "::error file=src/a%2Cb%3A100%25.c,line=16,col=9,title=out-of-bounds write \
                        (heap-buffer-overflow)::heap-buffer-overflow at src/a,b:100%25.c:16 (store)%0A50%25 of it%0Ais: \
                        too much, really%0Aseed seeds/1 at distance 1; changed bytes: stdin[3] '0' → '4', stdin[260] 0x00 \
                        → 0xff%0Ato reproduce: findings/0000/cmd.sh\n";
        assert_eq!(line, expected);
    }

    #[test]
    fn what_has_no_place_is_said_all_the_same() {
        let mut finding = example();
        finding.place = Default::default();
        assert!(annotation(&finding).starts_with("::error title=out-of-bounds write (heap"));
    }
}
