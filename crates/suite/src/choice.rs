//! How somebody wants sources to be split: `stdin=records:16`, `file=lines,bytes`, `arg[2]=whole`.

use crate::components::Split;
use crate::source::Source;
use crate::test::{SEED, Test};
use std::collections::BTreeMap;
use std::str::FromStr;

/// Of the sources that it names, which must be split like this, coarse to fine. Without a split they stay whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
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
    let arguments =
        (1..).zip(&test.command.args).filter(|(_, arg)| *arg != SEED).map(|(number, _)| Source::Arg(number));
    let sources: Vec<Source> = arguments.chain(test.bytes.iter().map(|(source, _)| source.clone())).collect();
    let mut chosen = BTreeMap::new();
    for choice in choices {
        let is_meant = |source: &&Source| match &choice.which {
            Which::Seed => **source == test.command.seed_source(),
            Which::Arguments => matches!(source, Source::Arg(_)),
            Which::Files => matches!(source, Source::File(_)),
            Which::Named(named) => *source == named,
        };
        chosen.extend(sources.iter().filter(is_meant).map(|source| (source.clone(), choice.splits.clone())));
    }
    chosen
}

impl FromStr for Choice {
    type Err = String;

    /// Names of files may have an `=` in them, and so may delimiters: the first that makes sense is the one.
    fn from_str(text: &str) -> Result<Choice, String> {
        let mut why = "there is no `=`".to_owned();
        for (at, _) in text.match_indices('=') {
            let both = which(&text[..at]).and_then(|which| Ok(Choice { which, splits: splits(&text[at + 1..])? }));
            match both {
                Ok(choice) => return Ok(choice),
                Err(error) => why = error,
            }
        }
        Err(why)
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
    let (list, delimiter) = match text.find("delimiter:") {
        Some(at) => (text[..at].trim_end_matches(','), Some(&text[at + "delimiter:".len()..])),
        None => (text, None),
    };
    let mut splits = Vec::new();
    for one in list.split(',').filter(|one| !(one.is_empty() && delimiter.is_some())) {
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
        assert_eq!(parse("stdin=whole"), Choice { which: Which::Named(Source::Stdin), splits: vec![] });
        assert_eq!(
            parse("seed=records:16,bytes"),
            Choice { which: Which::Seed, splits: vec![Split::Records(16), Split::Bytes] }
        );
        assert_eq!(
            parse("file:a=b=lines"),
            Choice { which: Which::Named(Source::File("a=b".into())), splits: vec![Split::Lines] }
        );
        assert_eq!(parse("arg=delimiter:,"), Choice { which: Which::Arguments, splits: delimited(b",") });
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
            r"stdin=delimiter:\q",
            "nondet:x#0=bytes",
        ] {
            assert!(wrong.parse::<Choice>().is_err(), "{wrong}");
        }
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
