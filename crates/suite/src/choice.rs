//! How somebody wants sources to be split: `stdin=records:16`, `file=lines,bytes`, `arg[2]=whole`.

use crate::components::Split;
use crate::source::Source;
use crate::test::{SEED, Test};
use std::collections::BTreeMap;
use std::str::FromStr;

/// Of the sources that it names, which must be split like this, coarse to fine. Without a split they stay whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// As it was written.
    pub name: String,
    which: Which,
    splits: Vec<Split>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Which {
    /// The file that `@@` stands for, or standard input.
    Seed,
    Arguments,
    Files,
    Named(Source),
}

/// What `choices` say of the sources of a test; a later one counts more than an earlier one.
pub fn chosen(test: &Test, choices: &[Choice]) -> BTreeMap<Source, Vec<Split>> {
    let one =
        |choice: &Choice| choice.sources(test).into_iter().map(|source| (source, choice.splits.clone())).collect();
    choices.iter().flat_map(|choice| -> Vec<_> { one(choice) }).collect()
}

impl Choice {
    /// Those of the test that it names.
    pub fn sources(&self, test: &Test) -> Vec<Source> {
        let arguments = (1..).zip(&test.command.args).filter(|(_, arg)| *arg != SEED);
        let arguments = arguments.map(|(number, _)| Source::Arg(number));
        let mut sources: Vec<Source> = arguments.chain(test.bytes.iter().map(|(source, _)| source.clone())).collect();
        sources.retain(|source| match &self.which {
            Which::Seed => *source == test.command.seed_source(),
            Which::Arguments => matches!(source, Source::Arg(_)),
            Which::Files => matches!(source, Source::File(_)),
            Which::Named(named) => source == named,
        });
        sources
    }
}

impl FromStr for Choice {
    type Err = String;

    /// Names of files may have an `=` in them, and so may delimiters: the first that makes sense is the one.
    fn from_str(text: &str) -> Result<Choice, String> {
        let (mut no_source, mut no_split) = (None, None);
        for (at, _) in text.match_indices('=') {
            match (which(&text[..at]), splits(&text[at + 1..])) {
                (Ok(which), Ok(splits)) => return Ok(Choice { name: text[..at].to_owned(), which, splits }),
                (Ok(_), Err(error)) => drop(no_split.get_or_insert(error)),
                (Err(error), _) => drop(no_source.get_or_insert(error)),
            }
        }
        Err(no_split.or(no_source).unwrap_or_else(|| "there is no `=`".to_owned()))
    }
}

fn which(name: &str) -> Result<Which, String> {
    match name {
        "seed" => Ok(Which::Seed),
        "arg" => Ok(Which::Arguments),
        "file" => Ok(Which::Files),
        name => match Source::parse(name.as_bytes()) {
            Some(Source::Nondet { .. }) => {
                Err(format!("{name}: the values of a harness have the size that it asks for"))
            }
            Some(source) => Ok(Which::Named(source)),
            None => Err(format!("{name} is no source: seed, arg, file, stdin, arg[N], file:PATH or env:NAME")),
        },
    }
}

fn splits(text: &str) -> Result<Vec<Split>, String> {
    if text == "whole" {
        return Ok(Vec::new());
    }
    // A delimiter may be a comma: it is the last one.
    let (list, delimiter) = match (text.strip_prefix("delimiter:"), text.split_once(",delimiter:")) {
        (Some(delimiter), _) => (None, Some(delimiter)),
        (None, Some((list, delimiter))) => (Some(list), Some(delimiter)),
        (None, None) => (Some(text), None),
    };
    let mut splits = Vec::new();
    for one in list.into_iter().flat_map(|list| list.split(',')) {
        splits.push(match (one, one.strip_prefix("records:").map(str::parse::<usize>)) {
            ("lines", _) => Split::Lines,
            ("characters", _) => Split::Characters,
            ("bytes", _) => Split::Bytes,
            (_, Some(Ok(size @ 1..))) => Split::Records(size),
            _ => {
                return Err(format!(
                    "{one:?} is no way to split: lines, characters, bytes, records:N, delimiter:TEXT or whole"
                ));
            }
        });
    }
    match delimiter.map(unescaped) {
        Some(Some(delimiter)) if !delimiter.is_empty() => splits.push(Split::Delimited(delimiter)),
        Some(_) => {
            return Err(
                "a delimiter is one or more bytes, of which \\n, \\t, \\0, \\\\ and \\xHH are written so".to_owned()
            );
        }
        None => {}
    }
    Ok(splits)
}

/// `None`: something else follows a backslash.
fn unescaped(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => match rest.next()? {
                b'n' => b'\n',
                b't' => b'\t',
                b'0' => 0,
                b'\\' => b'\\',
                b'x' => {
                    let digits = [rest.next()?, rest.next()?];
                    u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
                }
                _ => return None,
            },
            other => other,
        });
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::{Command, Origin};

    fn parse(text: &str) -> Choice {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn choices_are_read() {
        let delimited = |text: &[u8]| vec![Split::Delimited(text.to_vec())];
        let read = |text: &str| (parse(text).which, parse(text).splits);
        assert_eq!(read("stdin=whole"), (Which::Named(Source::Stdin), vec![]));
        assert_eq!(read("seed=records:16,bytes"), (Which::Seed, vec![Split::Records(16), Split::Bytes]));
        assert_eq!(read("file:a=b=lines"), (Which::Named(Source::File("a=b".into())), vec![Split::Lines]));
        assert_eq!(read("arg=delimiter:,"), (Which::Arguments, delimited(b",")));
        assert_eq!(parse("stdin=delimiter:=").splits, delimited(b"="));
        assert_eq!(
            parse(r"stdin=lines,delimiter:\x3b\n\\").splits,
            [Split::Lines, Split::Delimited(b";\n\\".to_vec())]
        );
        for wrong in [
            "stdin",
            "stdin=",
            "stdin=words",
            "stdin=records:0",
            "nothing=lines",
            "stdin=delimiter:",
            "stdin=linesdelimiter:;",
            "stdin=lines,,delimiter:;",
            r"stdin=delimiter:\q",
            "nondet:x#0=bytes",
        ] {
            assert!(wrong.parse::<Choice>().is_err(), "{wrong}");
        }
        let why = "stdin=words=x".parse::<Choice>().unwrap_err();
        assert!(why.contains("words"), "{why}");
    }

    #[test]
    fn the_last_choice_for_a_source_counts() {
        let command = Command::new("grep", ["-i", SEED]);
        let test = Test::new(command.clone(), command.on_seed(b"x\n".to_vec()), Origin::Seed);
        let of = |texts: &[&str]| chosen(&test, &texts.iter().map(|text| parse(text)).collect::<Vec<_>>());
        assert_eq!(
            of(&["file=lines", "seed=bytes", "stdin=lines"]),
            [(command.seed_source(), vec![Split::Bytes])].into()
        );
        assert_eq!(of(&["arg=whole"]), [(Source::Arg(1), vec![])].into());
    }
}
