//! What ddmin takes away: a test as stages, each a list of components of one kind.
//!
//! The order is the paper's (section 2): short sources first, because they are less likely to use up the budget. A stage
//! holds everything else as the stages before it left it.

use crate::source::Source;
use crate::test::{SEED, Test};
use std::collections::BTreeMap;
use std::ops::Range;

/// How the bytes of a source fall into components. Joined again they are the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Split {
    Bytes,
    /// Of UTF-8; a byte that is no part of one is one by itself.
    Characters,
    /// Each with its newline.
    Lines,
    /// Of so many bytes each; the last may be shorter. 0 counts as 1.
    Records(usize),
    /// Each up to and with this delimiter. An empty one delimits nothing.
    Delimited(Vec<u8>),
}

impl Split {
    /// Coarse to fine: what is tried on a source if nobody says.
    pub fn usual(source: &Source, bytes: &[u8]) -> Vec<Split> {
        let is_text = std::str::from_utf8(bytes).is_ok_and(|text| !text.contains('\0'));
        let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
        match source {
            // The values of a harness have the size that it asks for.
            Source::Nondet { .. } => vec![],
            Source::Arg(_) | Source::Env(_) => vec![Split::Characters],
            Source::Stdin | Source::File(_) if is_text && lines > 1 => vec![Split::Lines, Split::Characters],
            Source::Stdin | Source::File(_) if is_text => vec![Split::Characters],
            Source::Stdin | Source::File(_) => vec![Split::Bytes],
        }
    }

    /// Where the components are; never empty ones.
    fn ranges(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let every = |size: usize| {
            let starts = (0..bytes.len()).step_by(size.max(1));
            starts.map(|start| start..(start + size.max(1)).min(bytes.len())).collect()
        };
        match self {
            Split::Bytes => every(1),
            Split::Records(size) => every(*size),
            Split::Lines => behind(bytes, b"\n"),
            Split::Delimited(delimiter) => behind(bytes, delimiter),
            Split::Characters => {
                let mut at = 0;
                let mut ranges = Vec::new();
                for chunk in bytes.utf8_chunks() {
                    let whole = chunk.valid().chars().map(char::len_utf8);
                    for size in whole.chain(chunk.invalid().iter().map(|_| 1)) {
                        ranges.push(at..at + size);
                        at += size;
                    }
                }
                ranges
            }
        }
    }
}

/// Stretches that end behind each delimiter, or at the end.
fn behind(bytes: &[u8], delimiter: &[u8]) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < bytes.len() {
        if !delimiter.is_empty() && bytes[at..].starts_with(delimiter) {
            at += delimiter.len();
            ranges.push(start..at);
            start = at;
        } else {
            at += 1;
        }
    }
    if start < bytes.len() {
        ranges.push(start..bytes.len());
    }
    ranges
}

/// One application of ddmin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Whole arguments; the one that names the seed file always stays.
    Arguments,
    Source {
        source: Source,
        split: Split,
    },
}

/// What a stage takes away or leaves.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Component {
    /// By its number.
    Argument(u32),
    /// Where it is in the source.
    Piece(Range<usize>),
}

/// The stages of a test: whole arguments, then the sources, short ones first. `chosen` says how to split a source;
/// an empty list leaves it alone.
pub fn stages(test: &Test, chosen: &BTreeMap<Source, Vec<Split>>) -> Vec<Stage> {
    let named_by_command = (1..).zip(&test.command.args).filter(|(_, arg)| *arg != SEED);
    let mut sources: BTreeMap<Source, usize> =
        named_by_command.map(|(number, arg)| (Source::Arg(number), arg.len())).collect();
    sources.extend(test.bytes.iter().map(|(source, bytes)| (source.clone(), bytes.len())));
    let mut sources: Vec<(Source, usize)> = sources.into_iter().collect();
    sources.sort_by_key(|(_, size)| *size);
    let arguments = (test.command.args.len() > 1).then_some(Stage::Arguments);
    let of_sources = sources.into_iter().flat_map(|(source, _)| {
        let usual = || Split::usual(&source, &content(test, &source));
        let splits = chosen.get(&source).cloned().unwrap_or_else(usual);
        splits.into_iter().map(move |split| Stage::Source { source: source.clone(), split }).collect::<Vec<_>>()
    });
    arguments.into_iter().chain(of_sources).collect()
}

impl Stage {
    pub fn components(&self, test: &Test) -> Vec<Component> {
        match self {
            Stage::Arguments => {
                let removable = (1..).zip(&test.command.args).filter(|(_, arg)| *arg != SEED);
                removable.map(|(number, _)| Component::Argument(number)).collect()
            }
            Stage::Source { source, split } => {
                split.ranges(&content(test, source)).into_iter().map(Component::Piece).collect()
            }
        }
    }

    /// `test` with only these of its [`Stage::components`]. Arguments behind a dropped one move up.
    pub fn assemble(&self, test: &Test, kept: &[Component]) -> Test {
        let mut new = test.clone();
        match self {
            Stage::Arguments => {
                new.command.args.clear();
                new.bytes = test.bytes.iter().map(|(source, bytes)| (source.clone(), bytes.to_vec())).collect();
                for number in 1..=test.command.args.len() as u32 {
                    new.bytes.remove(&Source::Arg(number));
                }
                for (number, arg) in (1..).zip(&test.command.args) {
                    if arg == SEED || kept.contains(&Component::Argument(number)) {
                        new.command.args.push(arg.clone());
                        if let Some(bytes) = test.bytes.get(&Source::Arg(number)) {
                            new.bytes.insert(Source::Arg(new.command.args.len() as u32), bytes.to_vec());
                        }
                    }
                }
            }
            Stage::Source { source, .. } => {
                let whole = content(test, source);
                let pieces = kept.iter().filter_map(|component| match component {
                    Component::Piece(range) => whole.get(range.clone()),
                    Component::Argument(_) => None,
                });
                new.bytes.insert(source.clone(), pieces.collect::<Vec<_>>().concat());
            }
        }
        new
    }
}

/// What a run is given under this name.
fn content(test: &Test, source: &Source) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    let argument = || match source {
        Source::Arg(number) => test.command.args.get((*number as usize).wrapping_sub(1)),
        _ => None,
    };
    test.bytes
        .get(source)
        .map(<[u8]>::to_vec)
        .or_else(|| argument().map(|arg| arg.as_bytes().to_vec()))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::{Command, Origin};
    use proptest::prelude::*;

    fn split() -> impl Strategy<Value = Split> {
        prop_oneof![
            Just(Split::Bytes),
            Just(Split::Characters),
            Just(Split::Lines),
            (0usize..5).prop_map(Split::Records),
            prop::collection::vec(0u8..3, 0..3).prop_map(Split::Delimited),
        ]
    }

    proptest! {
        #[test]
        fn components_joined_are_the_source(bytes in prop::collection::vec(prop_oneof![0u8..3, Just(b'\n'), any::<u8>()], 0..40), split in split()) {
            let components: Vec<&[u8]> = split.ranges(&bytes).into_iter().map(|range| &bytes[range]).collect();
            prop_assert!(components.iter().all(|component| !component.is_empty()));
            prop_assert_eq!(components.concat(), bytes);
        }
    }

    #[test]
    fn sources_fall_into_what_they_are_made_of() {
        fn text(split: Split, bytes: &str) -> Vec<&str> {
            split.ranges(bytes.as_bytes()).into_iter().map(|range| &bytes[range]).collect()
        }
        assert_eq!(text(Split::Characters, "aé\n"), ["a", "é", "\n"]);
        assert_eq!(text(Split::Lines, "a\n\nb"), ["a\n", "\n", "b"]);
        assert_eq!(text(Split::Records(2), "abcde"), ["ab", "cd", "e"]);
        assert_eq!(text(Split::Delimited(b";;".to_vec()), "a;;b;c;;"), ["a;;", "b;c;;"]);
        assert_eq!(Split::Characters.ranges(b"\xe2\x82x"), [0..1, 1..2, 2..3]);
    }

    fn grep() -> Test {
        let command = Command::new("grep", ["-i", "pat*ern", SEED, "-n"]);
        let bytes = command.on_seed(b"one line\nthe pattern\nlast line\n".to_vec());
        Test::new(command, bytes, Origin::Seed)
    }

    #[test]
    fn short_sources_come_first() {
        let seed = grep().command.seed_source();
        let source = |source: &Source, split| Stage::Source { source: source.clone(), split };
        let expected = [
            Stage::Arguments,
            source(&Source::Arg(1), Split::Characters),
            source(&Source::Arg(4), Split::Characters),
            source(&Source::Arg(2), Split::Characters),
            source(&seed, Split::Lines),
            source(&seed, Split::Characters),
        ];
        assert_eq!(stages(&grep(), &BTreeMap::new()), expected);
        let chosen = [(seed.clone(), vec![Split::Records(4)]), (Source::Arg(1), vec![])].into();
        let chosen = stages(&grep(), &chosen);
        assert_eq!(chosen.len(), 4);
        assert_eq!(chosen[3], source(&seed, Split::Records(4)));
    }

    #[test]
    fn arguments_that_stay_move_up_with_their_bytes() {
        let mut test = grep();
        test.bytes.insert(Source::Arg(4), b"-c".to_vec());
        let stage = Stage::Arguments;
        assert_eq!(stage.components(&test), [1, 2, 4].map(Component::Argument));
        let less = stage.assemble(&test, &[Component::Argument(2), Component::Argument(4)]);
        assert_eq!(less.command.templates(&less.bytes), ["pat*ern", SEED, "-c"]);
        assert_eq!(less.bytes.get(&Source::Arg(4)), None);
        assert_eq!(less.seed(), test.seed());
    }
}
