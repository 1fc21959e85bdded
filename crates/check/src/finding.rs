//! Confirmed errors, each once: by kind, place and the top of the stack. The closest and smallest one is kept.

use crate::asan::Frame;
use crate::judge::Failure;
use crate::way::Way;
use offshoot_campaign::ChangedByte;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::HashMap;

#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    pub id: u32,
    /// As the judge names it: `heap-buffer-overflow`, `FPE`, `SIGABRT`, `hang`.
    pub kind: String,
    /// What was predicted, if the run did not just fail by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<&'static str>,
    pub title: String,
    pub place: Place,
    /// The text of the failing line, if the source can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    pub seed: String,
    pub distance: u32,
    /// Seconds after the first seed was begun.
    pub after_s: f64,
    /// The bytes that differ from the seed.
    pub changed: Vec<ChangedByte>,
    pub explanation: String,
    /// How the program ends without AddressSanitizer.
    pub plainly: String,
    pub frames: Vec<Frame>,
    pub report: Vec<String>,
    /// The decisions that lead there.
    pub way: Way,
    /// The same in the next version of the program, as long as the line and the functions around it stay what they are.
    pub fingerprint: String,
    /// Relative to the output folder.
    pub folder: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            0 if self.function.is_empty() => f.write_str("an unknown place"),
            0 => write!(f, "{}", self.function),
            line => write!(f, "{}:{line} ({})", self.file, self.function),
        }
    }
}

impl From<&Frame> for Place {
    fn from(frame: &Frame) -> Place {
        let file = frame.file.clone().unwrap_or_default();
        Place { file, line: frame.line, column: frame.column, function: frame.function.clone() }
    }
}

/// Two failures with the same identity are the same error.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    kind: String,
    file: String,
    line: u32,
    /// Innermost functions.
    stack: Vec<String>,
}

const STACK: usize = 3;

pub fn identity(failure: &Failure, place: &Place) -> Identity {
    let stack = failure.frames.iter().take(STACK).map(|frame| frame.function.clone()).collect();
    Identity { kind: failure.kind.clone(), file: place.file.clone(), line: place.line, stack }
}

/// The name of a fingerprint's form. Change the form, change the number.
pub const FINGERPRINTS: &str = "offshoot/v2";

/// Of the text of the line (`None`: nobody has it) and not its number, which moves with every edit of the file.
pub fn fingerprint(failure: &Failure, place: &Place, line: Option<&str>) -> String {
    let file = place.file.rsplit('/').next().unwrap_or_default();
    let mut digest = Sha256::new();
    let stack = failure.frames.iter().take(STACK).map(|frame| frame.function.as_str());
    let line = line.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    for word in [failure.kind.as_str(), file, place.function.as_str(), line.as_str()].into_iter().chain(stack) {
        digest.update(word.as_bytes());
        digest.update([0]);
    }
    digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// What was found so far.
#[derive(Default)]
pub struct Findings {
    found: Vec<Finding>,
    known: HashMap<Identity, usize>,
}

impl Findings {
    pub fn len(&self) -> usize {
        self.found.len()
    }

    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Finding> {
        self.found.iter()
    }

    /// Whether a failure like this would be kept, if it changed so many bytes.
    pub fn wants(&self, identity: &Identity, distance: u32, changed: usize) -> bool {
        match self.known.get(identity) {
            None => true,
            Some(&at) => {
                let known = &self.found[at];
                (distance, changed) < (known.distance, known.changed.len())
            }
        }
    }

    /// The number that a failure has or gets.
    pub fn number(&self, identity: &Identity) -> u32 {
        self.known.get(identity).copied().unwrap_or(self.found.len()) as u32
    }

    /// Keeps it, in place of a worse one if there is one.
    pub fn keep(&mut self, identity: Identity, finding: Finding) {
        match self.known.get(&identity) {
            Some(&at) => self.found[at] = finding,
            None => {
                self.known.insert(identity, self.found.len());
                self.found.push(finding);
            }
        }
    }

    pub fn into_vec(self) -> Vec<Finding> {
        self.found
    }
}

/// What the judge's name for an error means.
pub fn kind_in_words(kind: &str) -> &'static str {
    match kind {
        "heap-buffer-overflow" => "memory beside a heap block is accessed",
        "stack-buffer-overflow" => "memory behind a local variable is accessed",
        "stack-buffer-underflow" => "memory before a local variable is accessed",
        "dynamic-stack-buffer-overflow" => "memory beside an array of variable length is accessed",
        "global-buffer-overflow" => "memory beside a global variable is accessed",
        "heap-use-after-free" => "a heap block is used after it was freed",
        "stack-use-after-scope" | "stack-use-after-return" => "a local variable is used after its life has ended",
        "double-free" => "a heap block is freed twice",
        "bad-free" => "something is freed that is no heap block",
        "alloc-dealloc-mismatch" => "a block is given back to another allocator than it came from",
        "negative-size-param" => "a memory function is given a negative length",
        "memcpy-param-overlap" | "strcpy-param-overlap" => "a copy overlaps itself",
        "allocation-size-too-big" | "calloc-overflow" => "more memory is asked for than there can be",
        "stack-overflow" => "the stack is used up",
        "SEGV" | "BUS" => "an address is accessed where there is no memory",
        "FPE" => "an integer division has no result",
        "SIGABRT" => "the program aborts itself, as by a failed assertion",
        "hang" => "the program does not end",
        "signed-overflow" => "a signed result does not fit its type",
        "shift-out-of-range" => "a shift is by too much, or what is shifted does not fit",
        "lossy-conversion" => "an implicit conversion changes the value",
        "ILL" | "TRAP" => "the program runs into an instruction that stops it",
        _ => "the run fails",
    }
}

/// `'a'`, `0x7f`
pub fn byte_in_words(byte: u8) -> String {
    match byte {
        b' '..=b'~' => format!("{:?}", char::from(byte)),
        other => format!("0x{other:02x}"),
    }
}

/// `stdin[3] 'a' → '{'`
pub fn changed_in_words(changed: &[ChangedByte]) -> String {
    const SHOWN: usize = 12;
    if changed.is_empty() {
        return "none: the seed itself fails".to_owned();
    }
    let one = |change: &ChangedByte| {
        let old = change.old.map_or("nothing".to_owned(), byte_in_words);
        format!("{}[{}] {old} → {}", change.source, change.offset, byte_in_words(change.new))
    };
    let mut text = changed.iter().take(SHOWN).map(one).collect::<Vec<_>>().join(", ");
    if changed.len() > SHOWN {
        text.push_str(&format!(" and {} more", changed.len() - SHOWN));
    }
    text
}

impl Finding {
    /// All there is to tell, one thing a line.
    pub fn in_words(&self) -> String {
        use std::fmt::Write;
        let mut text = String::new();
        _ = writeln!(text, "{}: {} at {}", self.title, self.kind, self.place);
        if let Some(line) = &self.line {
            _ = writeln!(text, "  line      {}", line.trim());
        }
        _ = writeln!(text, "  seed      {} (distance {})", self.seed, self.distance);
        _ = writeln!(text, "  changed   {}", changed_in_words(&self.changed));
        if !self.explanation.is_empty() {
            _ = writeln!(text, "  why       {}", self.explanation);
        }
        self.last_decisions(&mut text);
        let is_arithmetic = matches!(self.kind.as_str(), "signed-overflow" | "shift-out-of-range" | "lossy-conversion");
        let hides = match self.plainly.starts_with("exit") {
            true if is_arithmetic => "; the program goes on with what comes out",
            true => "; nothing shows: what lies beside the object is there",
            false => "",
        };
        _ = writeln!(text, "  without AddressSanitizer: {}{hides}", self.plainly);
        for line in self.report.iter().filter(|line| !line.is_empty()).take(8) {
            _ = writeln!(text, "  | {line}");
        }
        text
    }

    /// The page has all of them.
    fn last_decisions(&self, text: &mut String) {
        use std::fmt::Write;
        const SHOWN: usize = 4;
        let own: Vec<_> = self.way.decisions().filter(|decision| !decision.is_library).collect();
        let first = own.len().saturating_sub(SHOWN);
        for (at, decision) in own.iter().enumerate().skip(first) {
            let (label, place) = (if at == first { "path" } else { "" }, &decision.place);
            let before = if at == first && first > 0 { "… " } else { "" };
            _ = writeln!(text, "  {label:<9} {before}{}:{} {}", place.file, place.line, decision.in_words());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::example;

    #[test]
    fn a_fingerprint_stays_while_lines_move() {
        let of = |kind: &str, line: u32, function: &str, text: &str| {
            let Finding { frames, mut place, .. } = example();
            (place.line, place.function) = (line, function.to_owned());
            let failure = Failure { kind: kind.to_owned(), frames, is_write: None, lines: Vec::new(), status: None };
            fingerprint(&failure, &place, Some(text))
        };
        let one = of("SEGV", 7, "f", "  x[i]  = 1;");
        assert_eq!(one, of("SEGV", 70, "f", "\tx[i] = 1;"));
        let others = [
            of("FPE", 7, "f", "x[i] = 1;"),
            of("SEGV", 7, "g", "x[i] = 1;"),
            of("SEGV", 7, "f", "x[j] = 1;"),
            of("SEGV", 7, "f", ""),
        ];
        assert!(others.iter().all(|other| *other != one));
    }

    #[test]
    fn the_last_decisions_are_told() {
        let text = example().in_words();
        let told = "  path      src/u.c:12 b[0] == 'a' is true\n            src/u.c:14 b[2] > '5' is false (the seed goes another way)\n";
        assert!(text.contains(told), "{text}");
        assert!(text.contains("\n  line      copy[b[3] - '0'] = 1;\n"), "{text}");
    }
}
