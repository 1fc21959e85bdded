//! Findings as SARIF 2.1.0, for code hosts and editors.

use crate::finding::{FINGERPRINTS, Finding, Place, kind_in_words};
use crate::stats::Summary;
use serde_json::{Value, json};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

pub fn sarif(summary: &Summary) -> Value {
    let all =
        || summary.findings.iter().map(|one| (one, "new")).chain(summary.known.iter().map(|one| (one, "unchanged")));
    let mut rules: Vec<&str> = all().map(|(finding, _)| finding.kind.as_str()).collect();
    rules.sort_unstable();
    rules.dedup();
    let rule = |kind: &&str| {
        json!({
            "id": kind,
            "shortDescription": { "text": kind },
            "fullDescription": { "text": kind_in_words(kind) },
            "defaultConfiguration": { "level": "error" },
        })
    };
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
            "results": all().map(|(finding, state)| result(finding, state, &rules)).collect::<Vec<_>>(),
        }],
    })
}

/// `state`: whether the baseline has it. What it has stays in the document, which is the next one's baseline.
fn result(finding: &Finding, state: &str, rules: &[&str]) -> Value {
    let changed = crate::finding::changed_in_words(&finding.changed);
    let mut text =
        format!("{} ({}) from seed {} at distance {}", finding.title, finding.kind, finding.seed, finding.distance);
    if !finding.explanation.is_empty() {
        text.push_str(&format!(": {}", finding.explanation));
    }
    text.push_str(&format!(". Changed bytes: {changed}. To reproduce: {}/cmd.sh", finding.folder));
    let mut result = json!({
        "ruleId": finding.kind,
        "ruleIndex": rules.iter().position(|rule| *rule == finding.kind),
        "level": "error",
        "message": { "text": text },
        "baselineState": state,
        "partialFingerprints": { FINGERPRINTS: finding.fingerprint },
    });
    if state == "unchanged" {
        result["suppressions"] = json!([{ "kind": "external", "justification": "in the baseline" }]);
    }
    if let Some(own) = location(&finding.place) {
        result["locations"] = json!([own]);
    }
    let own = finding.frames.iter().filter(|frame| frame.seems_own());
    let frames = own.filter_map(|frame| location(&frame.into()));
    let frames: Vec<Value> = frames.map(|location| json!({ "location": location })).collect();
    if !frames.is_empty() {
        result["stacks"] = json!([{ "message": { "text": finding.kind }, "frames": frames }]);
    }
    let steps = code_flow(finding);
    if !steps.is_empty() {
        let said = match finding.way.left_out {
            0 => format!("{} decisions on the input", finding.way.total),
            left_out => format!("{} decisions on the input; {left_out} of them are not listed", finding.way.total),
        };
        result["codeFlows"] = json!([{ "message": { "text": said }, "threadFlows": [{ "locations": steps }] }]);
    }
    result
}

/// The decisions in the order of the run, and where it fails. Those inside the C library have no place that a reader could
/// open.
fn code_flow(finding: &Finding) -> Vec<Value> {
    let decisions = finding.way.decisions().filter(|decision| !decision.is_library);
    let mut steps: Vec<Value> = decisions
        .filter_map(|decision| {
            let mut location = location(&decision.place)?;
            location["message"] = json!({ "text": decision.in_words() });
            let importance = if decision.leaves_seed { "essential" } else { "important" };
            Some(json!({ "location": location, "kinds": ["branch"], "importance": importance }))
        })
        .collect();
    if let Some(mut own) = location(&finding.place) {
        own["message"] = json!({ "text": format!("{}: {}", finding.title, kind_in_words(&finding.kind)) });
        steps.push(json!({ "location": own, "kinds": ["danger"], "importance": "essential" }));
    }
    for (order, step) in (1..).zip(&mut steps) {
        step["executionOrder"] = json!(order);
    }
    steps
}

fn location(place: &Place) -> Option<Value> {
    let Place { file, line, column, function } = place;
    let (line, column) = (*line, *column);
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
    use crate::testing::{Example, example};

    #[test]
    fn uris_are_escaped() {
        assert_eq!(uri("src/a b#.c"), "src/a%20b%23.c");
        assert_eq!(uri("/x/ä.c"), "file:///x/%C3%A4.c");
    }

    #[test]
    fn a_place_without_a_line_is_no_location() {
        let place = |line| Place { file: "a.c".to_owned(), line, column: 0, function: "f".to_owned() };
        assert_eq!(location(&place(0)), None);
        let place = location(&place(3)).expect("a location");
        assert_eq!(place["physicalLocation"]["region"], json!({ "startLine": 3 }));
    }

    #[test]
    fn decisions_are_the_code_flow_and_frames_the_stack() {
        let document = sarif(&Summary { findings: vec![example()], ..Summary::example() });
        let result = &document["runs"][0]["results"][0];
        let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("a flow");
        let texts: Vec<_> =
            steps.iter().map(|step| step["location"]["message"]["text"].as_str().unwrap_or("")).collect();
        let expected = [
            "b[0] == 'a' is true",
            "b[2] > '5' is false (the seed goes another way)",
            "i < n is true, 3 times",
            "out-of-bounds write: memory beside a heap block is accessed",
        ];
        assert_eq!(texts, expected, "and nothing of the C library");
        assert_eq!(steps[3]["executionOrder"], 4);
        let frames = result["stacks"][0]["frames"].as_array().expect("frames");
        assert_eq!(frames.len(), 2, "frames without a place are left out");
        assert_eq!(frames[0]["location"]["logicalLocations"][0]["name"], "store", "innermost first");
        assert_eq!(result["baselineState"], "new");
    }
}
