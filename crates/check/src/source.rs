//! The program's sources, as far as they can be read: lines, and the text of the conditions in them.

use offshoot_report::html::{Kind, Scanner, lines, offset, short};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Compilers name files as seen from the folder they worked in, debuggers in full.
pub struct Sources {
    here: PathBuf,
    /// Folders that compilers worked in, as far as they became known.
    roots: Vec<PathBuf>,
    read: HashMap<String, Option<Rc<Source>>>,
}

/// One file.
pub struct Source {
    pub lines: Vec<String>,
    /// The same without comments.
    code: Vec<Vec<u8>>,
    /// The same with only quotes left of strings and characters.
    bare: Vec<Vec<u8>>,
}

/// A condition may start so many lines above the place that the compiler names, and end so many below.
const AROUND: usize = 3;
const LONGEST_CONDITION: usize = 100;

impl Sources {
    pub fn here() -> Sources {
        Sources::new(std::env::current_dir().unwrap_or_default())
    }

    pub fn new(here: PathBuf) -> Sources {
        Sources { here, roots: Vec::new(), read: HashMap::new() }
    }

    /// `full` is the whole path of one of the files that the compiler named `names`.
    pub fn learn<'a>(&mut self, full: &str, names: impl IntoIterator<Item = &'a str>) {
        let full = Path::new(full);
        for name in names.into_iter().filter(|name| full.is_absolute() && !name.is_empty() && full.ends_with(name)) {
            let above = Path::new(name).components().count();
            let root = full.ancestors().nth(above).map(Path::to_path_buf);
            if let Some(root) = root.filter(|root| !self.roots.contains(root)) {
                self.roots.push(root);
                // What could not be found before may be there.
                self.read.retain(|_, source| source.is_some());
            }
        }
    }

    fn full(&self, file: &str) -> Option<PathBuf> {
        let mut candidates = self.roots.iter().chain([&self.here]).map(|root| root.join(file));
        candidates.find(|path| path.is_file())
    }

    /// As seen from here, if the file is below.
    pub fn shown(&self, file: &str) -> String {
        let full = self.full(file);
        let full = full.as_deref().and_then(Path::to_str).unwrap_or(file);
        offshoot_base::shown(full, &self.here).to_owned()
    }

    pub fn get(&mut self, file: &str) -> Option<Rc<Source>> {
        if let Some(known) = self.read.get(file) {
            return known.clone();
        }
        let bytes = self.full(file).and_then(|path| std::fs::read(path).ok());
        let source = bytes.map(|bytes| Rc::new(Source::new(&String::from_utf8_lossy(&bytes))));
        self.read.insert(file.to_owned(), source.clone());
        source
    }
}

impl Source {
    pub fn new(text: &str) -> Source {
        let mut source = Source { lines: Vec::new(), code: Vec::new(), bare: Vec::new() };
        let mut scanner = Scanner::default();
        for line in lines(text) {
            let (mut code, mut bare) = (line.as_bytes().to_vec(), line.as_bytes().to_vec());
            for (range, kind) in scanner.line(line) {
                match kind {
                    Kind::Comment => {
                        code[range.clone()].fill(b' ');
                        bare[range].fill(b' ');
                    }
                    Kind::String | Kind::Character => bare[range].fill(b'"'),
                    _ => {}
                }
            }
            source.lines.push(line.to_owned());
            source.code.push(code);
            source.bare.push(bare);
        }
        source
    }

    /// Counted from 1.
    pub fn line(&self, number: u32) -> Option<&str> {
        self.lines.get((number as usize).checked_sub(1)?).map(String::as_str)
    }

    /// The condition that the compiler places here: at its operator, or at its start.
    pub fn condition(&self, line: u32, column: u32) -> Option<String> {
        let own = (line as usize).checked_sub(1).filter(|&own| own < self.lines.len())?;
        let (mut code, mut bare, mut at) = (Vec::new(), Vec::new(), 0);
        for number in own.saturating_sub(AROUND)..(own + AROUND + 1).min(self.lines.len()) {
            if number == own {
                at = code.len() + offset(&self.lines[own], column);
            }
            code.extend_from_slice(&self.code[number]);
            bare.extend_from_slice(&self.bare[number]);
            code.push(b'\n');
            bare.push(b'\n');
        }
        let (start, end) = (start_of(&bare, at), end_of(&bare, at));
        let (code, bare) = (&code[start..end], &bare[start..end]);
        let inner = inside_statement(bare).map_or(code, |range| &code[range]);
        let text = String::from_utf8_lossy(inner).split_whitespace().collect::<Vec<_>>().join(" ");
        (!text.is_empty()).then(|| short(&text, LONGEST_CONDITION))
    }
}

/// Where the condition around `at` starts: behind whatever joins or opens it.
fn start_of(text: &[u8], at: usize) -> usize {
    let mut depth = 0;
    let byte = |at: usize| text.get(at).copied().unwrap_or(b'\n');
    for before in (0..at).rev() {
        let (this, left, right) = (byte(before), before.checked_sub(1).map_or(b'\n', byte), byte(before + 1));
        match this {
            b')' | b']' => depth += 1,
            b'(' | b'[' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            b'(' | b'[' | b';' | b'{' | b'}' | b',' | b'?' | b':' => return before + 1,
            b'&' | b'|' if left == this => return before + 1,
            // What is negated is decided, the other way round.
            b'!' if right != b'=' => return before + 1,
            b'=' if right != b'=' && !matches!(left, b'=' | b'!' | b'<' | b'>') => return before + 1,
            _ => {}
        }
    }
    0
}

fn end_of(text: &[u8], at: usize) -> usize {
    let mut depth = 0;
    for (end, &this) in text.iter().enumerate().skip(at) {
        match this {
            b'(' | b'[' => depth += 1,
            b')' | b']' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            b')' | b']' | b';' | b'{' | b'}' | b',' | b'?' | b':' => return end,
            b'&' | b'|' if text.get(end + 1) == Some(&this) => return end,
            _ => {}
        }
    }
    text.len()
}

/// If the text starts with a statement's keyword: what is decided in its parentheses.
fn inside_statement(text: &[u8]) -> Option<std::ops::Range<usize>> {
    let start = text.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let is_keyword = |word: &&str| {
        let rest = text[start..].strip_prefix(word.as_bytes());
        rest.is_some_and(|rest| rest.first().is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_'))
    };
    let word = ["if", "while", "switch", "for", "return"].into_iter().find(is_keyword)?;
    if word == "return" {
        return Some(start + word.len()..text.len());
    }
    let open = start + text[start..].iter().position(|byte| *byte == b'(')? + 1;
    let mut depth = 0;
    let close = text[open..].iter().position(|byte| {
        depth += i32::from(*byte == b'(') - i32::from(*byte == b')');
        depth < 0
    });
    let close = close.map_or(text.len(), |close| open + close);
    if word != "for" {
        return Some(open..close);
    }
    let first = open + text[open..close].iter().position(|byte| *byte == b';')? + 1;
    let second = text[first..close].iter().position(|byte| *byte == b';').map_or(close, |at| first + at);
    Some(first..second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `^` in the line below marks the column.
    fn at(text: &str) -> Option<String> {
        let mark = text.lines().position(|line| line.trim() == "^").expect("a mark");
        let column = text.lines().nth(mark).and_then(|line| line.find('^')).expect("a column") + 1;
        let without: Vec<&str> = text.lines().filter(|line| line.trim() != "^").collect();
        Source::new(&without.join("\n")).condition(mark as u32, column as u32)
    }

    #[test]
    fn conditions_are_found_around_their_operator() {
        let is = |text: &str, expected: &str| assert_eq!(at(text).as_deref(), Some(expected), "{text}");
        is("if (b[0] == 'a' && c) x();\n         ^", "b[0] == 'a'");
        is("if (a && (b[1] > 3 || !b[2])) x();\n               ^", "b[1] > 3");
        is("if (a && (b[1] > 3 || !b[2])) x();\n                       ^", "b[2]");
        is("if (!(a == b)) x();\n        ^", "a == b");
        is("while (b[3]-- > 250) x();\n              ^", "b[3]-- > 250");
        is("if (DIGIT(b[4])) x();\n    ^", "DIGIT(b[4])");
        is("int q = b[5] ? 3 : 4;\n        ^", "b[5]");
        is("switch (b[6]) { case 1: x(); }\n^", "b[6]");
        is("for (int i = 0; i < b[7] && i < 3; i++) x();\n                  ^", "i < b[7]");
        is("for (i = 0; i < 3; i++) x();\n^", "i < 3");
        is("} while ((b[1] & 7) !=\n                    ^\n  0);", "(b[1] & 7) != 0");
        is("if (c != ';' /* ; */ && x) y();\n      ^", "c != ';'");
        is("if (strncmp(b, \"a&&b\", 2)) y();\n    ^", "strncmp(b, \"a&&b\", 2)");
        is("return a < b ? 1 : 2;\n         ^", "a < b");
        assert_eq!(Source::new("x").condition(2, 1), None);
    }

    #[test]
    fn folders_of_compilers_are_learnt() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut sources = Sources::new(PathBuf::from("/nowhere"));
        assert!(sources.get("src/lib.rs").is_none());
        let full = folder.join("src/source.rs");
        sources.learn(full.to_str().expect("UTF-8"), ["src/source.rs", "source.c", ""]);
        assert!(sources.get("src/lib.rs").is_some());
        assert_eq!(sources.shown("src/lib.rs"), folder.join("src/lib.rs").to_str().expect("UTF-8"));
        assert_eq!(Sources::new(folder.into()).shown(full.to_str().expect("UTF-8")), "src/source.rs");
    }

    proptest! {
        #[test]
        fn no_text_is_too_strange(text in "[ a-z(){}\\[\\];&|!=?:\"'/*\\\\é\n]{0,60}", line in 0..5u32, column in 0..20u32) {
            _ = Source::new(&text).condition(line, column);
        }
    }
}
