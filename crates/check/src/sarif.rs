//! Findings as SARIF 2.1.0, for code hosts and editors.

use crate::finding::Finding;
use crate::stats::Summary;
use serde_json::{Value, json};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

pub fn sarif(summary: &Summary) -> Value {
    let mut rules: Vec<&str> = summary.findings.iter().map(|finding| finding.kind.as_str()).collect();
    rules.sort_unstable();
    rules.dedup();
    let rule = |kind: &&str| json!({ "id": kind, "shortDescription": { "text": kind } });
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "offshoot",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(rule).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": summary.findings.iter().map(|finding| result(finding, &rules)).collect::<Vec<_>>(),
        }],
    })
}

fn result(finding: &Finding, rules: &[&str]) -> Value {
    let changed = crate::finding::changed_in_words(&finding.changed);
    let mut text =
        format!("{} ({}) from seed {} at distance {}", finding.title, finding.kind, finding.seed, finding.distance);
    if !finding.explanation.is_empty() {
        text.push_str(&format!(": {}", finding.explanation));
    }
    text.push_str(&format!(". Changed bytes: {changed}. To reproduce: {}/cmd.sh", finding.folder));
    let own = location(&finding.place.file, finding.place.line, finding.place.column, &finding.place.function);
    let mut result = json!({
        "ruleId": finding.kind,
        "ruleIndex": rules.iter().position(|rule| *rule == finding.kind),
        "level": "error",
        "message": { "text": text },
        "partialFingerprints": { "offshoot/v1": finding.fingerprint },
    });
    if let Some(own) = own {
        result["locations"] = json!([own]);
    }
    // From the outermost frame to where it fails.
    let frames = finding.frames.iter().rev();
    let steps: Vec<Value> = frames
        .filter_map(|frame| location(frame.file.as_deref()?, frame.line, frame.column, &frame.function))
        .map(|location| json!({ "location": location }))
        .collect();
    if !steps.is_empty() {
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    result
}

fn location(file: &str, line: u32, column: u32, function: &str) -> Option<Value> {
    if file.is_empty() || line == 0 {
        return None;
    }
    let mut region = json!({ "startLine": line });
    if column > 0 {
        region["startColumn"] = json!(column);
    }
    Some(json!({
        "physicalLocation": { "artifactLocation": { "uri": uri(file) }, "region": region },
        "logicalLocations": [{ "name": function, "kind": "function" }],
    }))
}

/// A relative reference, or a `file:` URI of an absolute path.
fn uri(path: &str) -> String {
    let mut text = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' | b'+' => text.push(byte.into()),
            other => text.push_str(&format!("%{other:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_are_escaped() {
        assert_eq!(uri("src/a b#.c"), "src/a%20b%23.c");
        assert_eq!(uri("/x/ä.c"), "file:///x/%C3%A4.c");
    }

    #[test]
    fn a_place_without_a_line_is_no_location() {
        assert_eq!(location("a.c", 0, 0, "f"), None);
        let place = location("a.c", 3, 0, "f").expect("a location");
        assert_eq!(place["physicalLocation"]["region"], json!({ "startLine": 3 }));
    }
}
