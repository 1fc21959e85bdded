//! Colours for C: finds comments, strings, characters, numbers, keywords and directives line by line. It never fails: what it
//! does not know has no colour.

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Comment,
    String,
    Character,
    Number,
    Keyword,
    Directive,
}

impl Kind {
    /// As the style sheet calls it.
    pub fn class(self) -> &'static str {
        match self {
            Self::Comment => "co",
            Self::String => "st",
            Self::Character => "ch",
            Self::Number => "nu",
            Self::Keyword => "kw",
            Self::Directive => "pp",
        }
    }
}

/// What the end of a line left open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Open {
    #[default]
    Nothing,
    BlockComment,
    /// By a backslash at the end of the line, like those below.
    LineComment,
    String,
    Character,
}

#[derive(Debug, Default)]
pub struct Scanner {
    open: Open,
}

impl Scanner {
    /// The pieces of the next line that have a colour, from left to right.
    pub fn line(&mut self, text: &str) -> Vec<(Range<usize>, Kind)> {
        let mut line = LineScanner { text, at: 0, pieces: Vec::new(), open: Open::Nothing };
        line.resume(self.open);
        while line.at < text.len() {
            line.step();
        }
        self.open = line.open;
        line.pieces
    }
}

struct LineScanner<'a> {
    text: &'a str,
    at: usize,
    pieces: Vec<(Range<usize>, Kind)>,
    open: Open,
}

impl LineScanner<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn piece(&mut self, length: usize, kind: Kind) {
        let start = self.at;
        self.at += length;
        if length > 0 {
            self.pieces.push((start..self.at, kind));
        }
    }

    fn resume(&mut self, open: Open) {
        match open {
            Open::Nothing => self.directive(),
            Open::BlockComment => self.block_comment(0),
            Open::LineComment => self.line_comment(),
            Open::String => self.quoted('"', 0),
            Open::Character => self.quoted('\'', 0),
        }
    }

    fn step(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return };
        if rest.starts_with("/*") {
            self.block_comment(2);
        } else if rest.starts_with("//") {
            self.line_comment();
        } else if matches!(first, '"' | '\'') {
            self.quoted(first, 1);
        } else if first.is_ascii_digit() || first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
            self.piece(number(rest), Kind::Number);
        } else if is_word(first) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            if KEYWORDS.binary_search(&&rest[..length]).is_ok() {
                self.piece(length, Kind::Keyword);
            } else {
                self.at += length;
            }
        } else {
            self.at += first.len_utf8();
        }
    }

    /// `#` and its name at the start of a line; what is between `<` and `>` behind `#include` is a string.
    fn directive(&mut self) {
        let indent = self.text.len() - self.text.trim_start().len();
        let Some(behind) = self.text[indent..].strip_prefix('#') else { return };
        let name = behind.trim_start();
        let length = name.find(|c| !is_word(c)).unwrap_or(name.len());
        let argument = name[length..].trim_start();
        let (end, start_of_argument) = (self.text.len() - name.len() + length, self.text.len() - argument.len());
        self.at = indent;
        self.piece(end - indent, Kind::Directive);
        match &name[..length] {
            "include" | "include_next" | "import" if argument.starts_with('<') => {
                let length = argument.find('>').map_or(argument.len(), |end| end + 1);
                self.at = start_of_argument;
                self.piece(length, Kind::String);
            }
            // Prose: a quote in it opens nothing.
            "error" | "warning" => self.at = self.text.len(),
            _ => {}
        }
    }

    /// `from`: behind what opened it.
    fn block_comment(&mut self, from: usize) {
        let rest = self.rest();
        let (length, open) = match rest[from..].find("*/") {
            Some(end) => (from + end + 2, Open::Nothing),
            None => (rest.len(), Open::BlockComment),
        };
        self.open = open;
        self.piece(length, Kind::Comment);
    }

    fn line_comment(&mut self) {
        if self.text.ends_with('\\') {
            self.open = Open::LineComment;
        }
        self.piece(self.rest().len(), Kind::Comment);
    }

    /// Up to the closing quote or the end of the line.
    fn quoted(&mut self, quote: char, from: usize) {
        let (kind, open) = if quote == '"' { (Kind::String, Open::String) } else { (Kind::Character, Open::Character) };
        let mut escaped = false;
        let mut length = None;
        for (at, c) in self.rest()[from..].char_indices() {
            if escaped {
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if c == quote {
                length = Some(from + at + 1);
                break;
            }
        }
        self.open = if escaped && length.is_none() { open } else { Open::Nothing };
        self.piece(length.unwrap_or(self.rest().len()), kind);
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The length of a preprocessing number: digits, letters, dots, signs behind an exponent, `'` between digits.
fn number(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while let Some(&byte) = bytes.get(at) {
        let sign = matches!(byte, b'+' | b'-') && matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P');
        // In hexadecimal, e is a digit.
        let sign = sign && !(matches!(bytes[at - 1], b'e' | b'E') && matches!(bytes.get(1), Some(b'x' | b'X')));
        let separator = byte == b'\'' && bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
        if !(byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_' || sign || separator) {
            break;
        }
        at += 1;
    }
    at
}

/// In ascending order.
const KEYWORDS: [&str; 60] = [
    "_Alignas",
    "_Alignof",
    "_Atomic",
    "_BitInt",
    "_Bool",
    "_Complex",
    "_Decimal128",
    "_Decimal32",
    "_Decimal64",
    "_Generic",
    "_Imaginary",
    "_Noreturn",
    "_Static_assert",
    "_Thread_local",
    "alignas",
    "alignof",
    "asm",
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "const",
    "constexpr",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "false",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "nullptr",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "struct",
    "switch",
    "thread_local",
    "true",
    "typedef",
    "typeof",
    "typeof_unqual",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Each line with its pieces in brackets, the class before.
    fn marked(text: &str) -> Vec<String> {
        let mut scanner = Scanner::default();
        let mark = |line: &str| {
            let mut out = String::new();
            let mut at = 0;
            for (range, kind) in scanner.line(line) {
                out += &format!("{}{}[{}]", &line[at..range.start], kind.class(), &line[range.clone()]);
                at = range.end;
            }
            out + &line[at..]
        };
        text.lines().map(mark).collect()
    }

    #[test]
    fn pieces_have_their_kinds() {
        let check = |text: &str, expected: &[&str]| assert_eq!(marked(text), expected);
        check("int x = 0x1fu; // it's", &["kw[int] x = nu[0x1fu]; co[// it's]"]);
        check("return \"a\\\"b\" + '\\'' / 2;", &["kw[return] st[\"a\\\"b\"] + ch['\\''] / nu[2];"]);
        check("a/* b\nint */c /* d */", &["aco[/* b]", "co[int */]c co[/* d */]"]);
        check("# include <stdio.h> // x", &["pp[# include] st[<stdio.h>] co[// x]"]);
        check("#define X(a) \\\n  if (a) 1.5e-3", &["pp[#define] X(a) \\", "  kw[if] (a) nu[1.5e-3]"]);
        check("#error don't\nint", &["pp[#error] don't", "kw[int]"]);
        check("// a\\\nint\nint", &["co[// a\\]", "co[int]", "kw[int]"]);
        check("\"a\\\nb\" int", &["st[\"a\\]", "st[b\"] kw[int]"]);
        check("\"open\nint", &["st[\"open]", "kw[int]"]);
        check("0xe+1 1e+1 1'000 .5 a.b x86", &["nu[0xe]+nu[1] nu[1e+1] nu[1'000] nu[.5] a.b x86"]);
        check("/*/ int */ \u{fffd}é int", &["co[/*/ int */] \u{fffd}é kw[int]"]);
        check("#", &["pp[#]"]);
    }

    #[test]
    fn keywords_can_be_searched() {
        assert!(KEYWORDS.is_sorted());
    }

    proptest! {
        #[test]
        fn pieces_are_in_order_whatever_the_text(lines in prop::collection::vec("[ -~é\u{fffd}\t]{0,20}|[\"'/*\\\\#x1.e]{0,12}", 0..6)) {
            let mut scanner = Scanner::default();
            for line in &lines {
                let mut at = 0;
                for (range, _) in scanner.line(line) {
                    prop_assert!(at <= range.start && range.start < range.end && line.get(range.clone()).is_some());
                    at = range.end;
                }
            }
        }
    }
}
