//! Findings that are known: those of an earlier `check.sarif` or `check.json`, by their fingerprints.

use crate::finding::FINGERPRINTS;
use crate::stats::Summary;
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Baseline {
    /// How many findings have a fingerprint: the same line may stand in a function twice.
    known: HashMap<String, usize>,
}

#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    #[error("cannot read the baseline {path}: {source}")]
    Read { path: PathBuf, source: std::io::Error },
    #[error(
        "the baseline {path} is not JSON ({source}); name a check.sarif or check.json of an earlier `offshoot check`"
    )]
    NotJson { path: PathBuf, source: serde_json::Error },
    #[error("the baseline {0} is not of `offshoot check`; name a check.sarif or check.json of an earlier one")]
    Foreign(PathBuf),
    #[error(
        "the baseline {0} is of another version of Offshoot, whose fingerprints are not those of this one; check again \
         and take its check.sarif"
    )]
    OtherVersion(PathBuf),
}

/// What is wrong with a document.
#[derive(Debug, PartialEq, Eq)]
enum Fault {
    Foreign,
    OtherVersion,
}

impl Baseline {
    pub fn read(path: &Path) -> Result<Baseline, BaselineError> {
        let text = std::fs::read(path).map_err(|source| BaselineError::Read { path: path.into(), source })?;
        let document =
            serde_json::from_slice(&text).map_err(|source| BaselineError::NotJson { path: path.into(), source })?;
        Baseline::of(&document).map_err(|fault| match fault {
            Fault::Foreign => BaselineError::Foreign(path.into()),
            Fault::OtherVersion => BaselineError::OtherVersion(path.into()),
        })
    }

    fn of(document: &Value) -> Result<Baseline, Fault> {
        let fingerprints = match document["runs"].as_array() {
            Some(runs) => of_sarif(runs)?,
            None => of_json(document)?,
        };
        let mut baseline = Baseline::default();
        fingerprints.into_iter().for_each(|one| *baseline.known.entry(one).or_default() += 1);
        Ok(baseline)
    }

    /// Moves what is known out of the findings.
    pub fn apply(mut self, summary: &mut Summary) {
        let all = std::mem::take(&mut summary.findings);
        let mut is_known = |fingerprint: &String| match self.known.get_mut(fingerprint) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        };
        (summary.known, summary.findings) = all.into_iter().partition(|finding| is_known(&finding.fingerprint));
    }
}

/// Runs of other tools in the same file are none of our business.
fn of_sarif(runs: &[Value]) -> Result<Vec<String>, Fault> {
    let mut own = runs.iter().filter(|run| run["tool"]["driver"]["name"] == "offshoot").peekable();
    if own.peek().is_none() {
        return Err(Fault::Foreign);
    }
    let results = own.filter_map(|run| run["results"].as_array()).flatten();
    let fingerprint = |result: &Value| result["partialFingerprints"][FINGERPRINTS].as_str().map(str::to_owned);
    results.map(|result| fingerprint(result).ok_or(Fault::OtherVersion)).collect()
}

fn of_json(document: &Value) -> Result<Vec<String>, Fault> {
    // The summary of an exploration has findings as well.
    let findings = document["findings"].as_array().filter(|_| document.get("unconfirmed").is_some());
    let findings = findings.ok_or(Fault::Foreign)?;
    if document["fingerprints"] != FINGERPRINTS {
        return Err(Fault::OtherVersion);
    }
    // What was hidden then is known now.
    let known = document["known"].as_array().map_or(&[][..], Vec::as_slice);
    let fingerprint = |finding: &Value| finding["fingerprint"].as_str().map(str::to_owned).ok_or(Fault::Foreign);
    findings.iter().chain(known).map(fingerprint).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Finding;
    use crate::sarif::sarif;
    use crate::testing::{Example, example};
    use serde_json::json;

    fn finding(fingerprint: &str) -> Finding {
        Finding { fingerprint: fingerprint.to_owned(), ..example() }
    }

    fn summary(fingerprints: &[&str]) -> Summary {
        Summary { findings: fingerprints.iter().map(|one| finding(one)).collect(), ..Summary::example() }
    }

    fn both(summary: &Summary) -> [Value; 2] {
        [sarif(summary), serde_json::to_value(summary).expect("is JSON")]
    }

    #[test]
    fn what_is_known_is_hidden_as_often_as_it_is_known() {
        for document in both(&summary(&["a", "b", "b", "old"])) {
            let mut now = summary(&["b", "a", "new", "b", "b"]);
            Baseline::of(&document).expect("is ours").apply(&mut now);
            let names = |all: &[Finding]| all.iter().map(|one| one.fingerprint.clone()).collect::<Vec<_>>();
            assert_eq!(
                (names(&now.findings), names(&now.known)),
                (vec!["new".into(), "b".into()], vec!["b".into(), "a".into(), "b".into()])
            );
            // What it gives is a baseline for the next one.
            for document in both(&now) {
                let mut next = summary(&["new", "b", "a", "b", "b"]);
                Baseline::of(&document).expect("is ours").apply(&mut next);
                assert_eq!(names(&next.findings), Vec::<String>::new());
            }
        }
    }

    #[test]
    fn nothing_found_is_a_baseline_too() {
        for document in both(&summary(&[])) {
            assert_eq!(Baseline::of(&document), Ok(Baseline::default()));
        }
    }

    #[test]
    fn other_documents_are_refused() {
        let mut other = both(&summary(&["a"]));
        other[0]["runs"][0]["results"][0]["partialFingerprints"] = json!({ "offshoot/v1": "a" });
        other[1]["fingerprints"] = json!("offshoot/v1");
        for document in other {
            assert_eq!(Baseline::of(&document), Err(Fault::OtherVersion));
        }
        let mut foreign = sarif(&summary(&["a"]));
        foreign["runs"][0]["tool"]["driver"]["name"] = json!("another");
        for document in [foreign, json!({}), json!([1]), json!(null), json!({ "findings": [] }), json!({ "runs": [] })]
        {
            assert_eq!(Baseline::of(&document), Err(Fault::Foreign), "{document}");
        }
    }
}
