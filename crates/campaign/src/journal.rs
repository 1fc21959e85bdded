//! Every run and every verdict, in order. Terms and traces are not kept: who goes on with a campaign runs its inputs again.

use offshoot_search::{Candidate, RunId, Verdict};
use offshoot_suite::{Edit, Source};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One candidate and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    run: u32,
    depth: u32,
    outcome: u32,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    verdict: Option<String>,
    /// Source, offset, value.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    edits: Vec<(Name, u32, u8)>,
}

/// A source's name; bytes where it is no text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Name {
    Text(String),
    Bytes(Vec<u8>),
}

impl Line {
    pub fn ran(candidate: Candidate, edits: &[Edit]) -> Line {
        let edits = edits.iter().map(|edit| {
            let name = String::from_utf8(edit.source.name());
            let name = name.map_or_else(|error| Name::Bytes(error.into_bytes()), Name::Text);
            (name, edit.offset, edit.value)
        });
        let edits = edits.collect();
        Line { edits, verdict: None, ..Line::of(candidate) }
    }

    pub fn judged(candidate: Candidate, verdict: Verdict) -> Line {
        let word = match verdict {
            Verdict::Unsat => "unsat",
            Verdict::Unknown | Verdict::Filtered => "unknown",
            Verdict::Diverged | Verdict::Run(_) => "diverged",
        };
        Line { verdict: Some(word.to_owned()), ..Line::of(candidate) }
    }

    fn of(candidate: Candidate) -> Line {
        let Candidate { run, depth, outcome } = candidate;
        Line { run: run.0, depth, outcome, verdict: None, edits: Vec::new() }
    }

    pub fn candidate(&self) -> Candidate {
        Candidate { run: RunId(self.run), depth: self.depth, outcome: self.outcome }
    }

    /// `None`: it was run.
    pub fn verdict(&self) -> Option<Verdict> {
        Some(match self.verdict.as_deref()? {
            "unsat" => Verdict::Unsat,
            "unknown" => Verdict::Unknown,
            _ => Verdict::Diverged,
        })
    }

    pub fn edits(&self) -> Vec<Edit> {
        let edit = |(name, offset, value): &(Name, u32, u8)| {
            let name = match name {
                Name::Text(text) => text.as_bytes(),
                Name::Bytes(bytes) => bytes,
            };
            let source = Arc::new(Source::parse(name)?);
            Some(Edit { source, offset: *offset, value: *value })
        };
        self.edits.iter().filter_map(edit).collect()
    }
}

/// Candidates name runs by their number, and numbers come from the order: so one line after the other.
pub fn replay<E>(lines: &[Line], mut again: impl FnMut(&Line) -> Result<(), E>) -> Result<(), E> {
    lines.iter().try_for_each(&mut again)
}
