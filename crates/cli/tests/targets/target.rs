//! A target file: its setting (comments at the top) and what must happen (`//~` comments).

use std::collections::BTreeMap;

pub struct Target {
    /// The file without its expectations, line by line; the place of a line in here is its number less one.
    pub lines: Vec<Line>,
    pub args: Vec<Vec<u8>>,
    pub stdin: Option<Vec<u8>>,
    pub files: Vec<(String, Vec<u8>)>,
    pub env: Vec<(String, String)>,
    pub symbolic: Option<String>,
    pub variants: Vec<Variant>,
    /// Compiler flags of all variants.
    pub cc: Vec<String>,
    /// More options of `offshoot trace`.
    pub options: Vec<String>,
    pub outcome: String,
    pub is_cplusplus: bool,
    /// Whether the program without a tracer must do the same.
    pub compare_untraced: bool,
    pub expected: Vec<Expected>,
}

/// One line of the file as it stands, and what is left of it when the expectation goes.
pub struct Line {
    pub code: String,
    /// It was nothing but an expectation.
    pub is_expectation: bool,
}

/// One way to build the target.
pub struct Variant {
    pub label: String,
    pub flags: Vec<String>,
}

pub struct Expected {
    /// 0: of the whole run.
    pub line: usize,
    /// The variants it is about; none: all.
    pub labels: Vec<String>,
    pub text: String,
}

impl Expected {
    pub fn is_for(&self, label: &str) -> bool {
        self.labels.is_empty() || self.labels.iter().any(|l| l == label)
    }
}

/// Expectations that are about the run, not about a line.
pub const WHOLE_RUN: [&str; 7] =
    ["sources:", "no-loss", "stdout:", "libc:", "libc-branches:", "incomplete:", "elsewhere:"];

impl Target {
    pub fn parse(text: &str) -> Result<Target, String> {
        let mut target = Target {
            lines: Vec::new(),
            args: Vec::new(),
            stdin: None,
            files: Vec::new(),
            env: Vec::new(),
            symbolic: None,
            variants: Vec::new(),
            cc: Vec::new(),
            options: Vec::new(),
            outcome: "exit status 0".into(),
            is_cplusplus: false,
            compare_untraced: true,
            expected: Vec::new(),
        };
        let mut is_header = true;
        let mut code_line = 0;
        for (index, line) in text.lines().enumerate() {
            let number = index + 1;
            let (code, note) = match line.find("//~") {
                Some(at) => (line[..at].trim_end(), Some(&line[at + 3..])),
                None => (line, None),
            };
            is_header &= line.starts_with("// ");
            if is_header {
                target.setting(&line[3..]).map_err(|error| format!("line {number}: {error}"))?;
            }
            let is_expectation = note.is_some() && code.is_empty();
            if !is_expectation {
                code_line = number;
            }
            if let Some(note) = note {
                let expected = expectation(note, code_line).ok_or(format!("line {number}: strange expectation"))?;
                target.expected.push(expected);
            }
            target.lines.push(Line { code: code.to_owned(), is_expectation });
        }
        if target.variants.is_empty() {
            target.variants = ["-O0", "-O2"].iter().map(|flag| Variant::new(flag)).collect();
        }
        Ok(target)
    }

    /// One line at the top. Lines that are no setting say what the file is about.
    fn setting(&mut self, line: &str) -> Result<(), String> {
        let Some((key, value)) = line.split_once(':') else {
            if let Some((name, value)) = line.strip_prefix("env ").and_then(|l| l.split_once('=')) {
                self.env.push((name.to_owned(), value.to_owned()));
            }
            return Ok(());
        };
        let value = value.trim();
        match key {
            "args" => self.args = words(value)?,
            "stdin" => self.stdin = Some(quoted(value)?),
            "symbolic" => self.symbolic = Some(value.to_owned()),
            "flags" => self.variants.push(Variant::new(value)),
            "cc" => self.cc = value.split_whitespace().map(str::to_owned).collect(),
            "options" => self.options = value.split_whitespace().map(str::to_owned).collect(),
            "exit" if value.starts_with("signal ") => self.outcome = format!("killed by {value}"),
            "exit" => self.outcome = format!("exit status {value}"),
            "lang" => self.is_cplusplus = value == "c++",
            "untraced" => self.compare_untraced = value != "differs",
            _ => {
                if let Some(name) = key.strip_prefix("file ") {
                    self.files.push((name.to_owned(), quoted(value)?));
                } else if let Some((name, value)) = line.strip_prefix("env ").and_then(|l| l.split_once('=')) {
                    self.env.push((name.to_owned(), value.to_owned()));
                }
            }
        }
        Ok(())
    }

    /// A test that states no constraint and no loss would hold whatever the engine did.
    pub fn states_something(&self) -> bool {
        let is_about_nothing = self.symbolic.as_deref() == Some("none");
        is_about_nothing || self.expected.iter().any(|e| e.line != 0 || e.text.starts_with("libc:"))
    }

    /// What is expected of a variant: by line, in order.
    pub fn expected_by_line(&self, label: &str) -> BTreeMap<usize, Vec<String>> {
        let mut by_line: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for expected in self.expected.iter().filter(|e| e.line != 0 && e.is_for(label)) {
            by_line.entry(expected.line).or_default().push(expected.text.clone());
        }
        by_line
    }

    /// What is expected of the whole run of a variant under this key (`sources:`), without the key.
    pub fn expected_of_run(&self, label: &str, key: &str) -> Vec<String> {
        let of_run = self.expected.iter().filter(|e| e.line == 0 && e.is_for(label));
        of_run.filter_map(|e| e.text.strip_prefix(key)).map(|rest| rest.trim().to_owned()).collect()
    }
}

impl Variant {
    fn new(flags: &str) -> Variant {
        Variant {
            label: flags.trim_start_matches('-').replace([' ', ',', '/'], "_"),
            flags: flags.split_whitespace().map(str::to_owned).collect(),
        }
    }
}

fn expectation(note: &str, line: usize) -> Option<Expected> {
    let (labels, text) = match note.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => ("", note),
    };
    let text = text.strip_prefix(' ')?.trim_end().to_owned();
    let labels = labels.split(',').filter(|label| !label.is_empty()).map(str::to_owned).collect();
    let is_of_run = WHOLE_RUN.iter().any(|key| text.starts_with(key));
    Some(Expected { line: if is_of_run { 0 } else { line }, labels, text })
}

/// Words divided by spaces; a word in double quotes is a C string.
fn words(text: &str) -> Result<Vec<Vec<u8>>, String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        if rest.starts_with('"') {
            let (word, after) = c_string(rest)?;
            found.push(word);
            rest = after.trim_start();
        } else {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            found.push(rest.as_bytes()[..end].to_vec());
            rest = rest[end..].trim_start();
        }
    }
    Ok(found)
}

fn quoted(text: &str) -> Result<Vec<u8>, String> {
    match c_string(text)? {
        (bytes, "") => Ok(bytes),
        (_, rest) => Err(format!("{rest:?} after the string")),
    }
}

/// A C string literal and what follows it.
fn c_string(text: &str) -> Result<(Vec<u8>, &str), String> {
    let inner = text.strip_prefix('"').ok_or_else(|| format!("{text:?} is no string in double quotes"))?.as_bytes();
    let (mut bytes, mut at) = (Vec::new(), 0);
    while let Some(&byte) = inner.get(at) {
        at += 1;
        match byte {
            b'"' => return Ok((bytes, &text[1 + at..])),
            b'\\' => {
                let escaped = *inner.get(at).ok_or("a backslash at the end")?;
                at += 1;
                bytes.push(match escaped {
                    b'n' => b'\n',
                    b't' => b'\t',
                    b'r' => b'\r',
                    b'x' => number(inner, &mut at, 2, 16)?,
                    b'0'..=b'7' => {
                        at -= 1;
                        number(inner, &mut at, 3, 8)?
                    }
                    other => other,
                });
            }
            other => bytes.push(other),
        }
    }
    Err(format!("{text:?} has no closing quote"))
}

/// At most `digits` digits.
fn number(bytes: &[u8], at: &mut usize, digits: usize, base: u32) -> Result<u8, String> {
    let start = *at;
    while *at < start + digits && bytes.get(*at).is_some_and(|b| char::from(*b).is_digit(base)) {
        *at += 1;
    }
    let text = std::str::from_utf8(&bytes[start..*at]).map_err(|error| error.to_string())?;
    u8::from_str_radix(text, base).map_err(|error| format!("escape {text:?}: {error}"))
}
