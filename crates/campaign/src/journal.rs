//! Every run and every verdict, in order. Terms and traces are not kept: who goes on with a campaign runs its inputs again.

use offshoot_search::{Candidate, RunId, Verdict};
use offshoot_suite::{Bytes, Edit, Source};
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
    /// No candidate: an input that another fuzzer had found, source by source.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    foreign: Vec<(Name, Vec<u8>)>,
}

/// A source's name; bytes where it is no text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Name {
    Text(String),
    Bytes(Vec<u8>),
}

impl Name {
    fn of(source: &Source) -> Name {
        String::from_utf8(source.name()).map_or_else(|error| Name::Bytes(error.into_bytes()), Name::Text)
    }

    fn source(&self) -> Option<Source> {
        Source::parse(match self {
            Name::Text(text) => text.as_bytes(),
            Name::Bytes(bytes) => bytes,
        })
    }
}

impl Line {
    pub fn ran(candidate: Candidate, edits: &[Edit]) -> Line {
        let edits = edits.iter().map(|edit| (Name::of(&edit.source), edit.offset, edit.value)).collect();
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
        Line { run: run.0, depth, outcome, verdict: None, edits: Vec::new(), foreign: Vec::new() }
    }

    pub fn foreign(bytes: &Bytes) -> Line {
        let nowhere = Candidate { run: RunId(u32::MAX), depth: 0, outcome: 0 };
        let foreign = bytes.iter().map(|(source, bytes)| (Name::of(source), bytes.to_vec())).collect();
        Line { foreign, ..Line::of(nowhere) }
    }

    /// What another fuzzer had found; `None`: this is about a candidate.
    pub fn foreign_bytes(&self) -> Option<Bytes> {
        let source = |(name, bytes): &(Name, Vec<u8>)| Some((name.source()?, bytes.clone()));
        (!self.foreign.is_empty()).then(|| self.foreign.iter().filter_map(source).collect())
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
            let source = Arc::new(name.source()?);
            Some(Edit { source, offset: *offset, value: *value })
        };
        self.edits.iter().filter_map(edit).collect()
    }
}

/// Candidates name runs by their number, and numbers come from the order: so one line after the other.
pub fn replay<E>(lines: &[Line], mut again: impl FnMut(&Line) -> Result<(), E>) -> Result<(), E> {
    lines.iter().try_for_each(&mut again)
}
