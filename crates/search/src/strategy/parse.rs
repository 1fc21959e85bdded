//! `dfs`, `cgs:k=5,dominators=keep`, `interleave(cgs,random-path)` → a strategy.

use super::auto::Auto;
use super::bfs::Bfs;
use super::carfast::CarFast;
use super::cfg::Cfg;
use super::cgs::{self, Cgs};
use super::dfs::Dfs;
use super::fitness::Fitness;
use super::generational::Generational;
use super::interleave::Interleave;
use super::md2u::Md2u;
use super::names::{NAMES, Named};
use super::pps::{self, Pps};
use super::random_branch::RandomBranch;
use super::random_path::RandomPath;
use super::random_state::RandomState;
use super::subpath::{self, Subpath};
use super::uniform_random::UniformRandom;
use crate::types::Strategy;
use offshoot_base::Rng;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    #[error("no strategy is called `{0}`; there are {names}", names = listed(NAMES.iter().map(|named| named.name)))]
    Name(String),
    #[error("`{name}` has no option `{key}`{}", has(.name))]
    Option { name: String, key: String },
    #[error("`{key}={value}` of `{name}`: expected {expected}")]
    Value { name: String, key: String, value: String, expected: &'static str },
    #[error("`{0}` is not a strategy: write name, name:key=value,… or interleave(name,…)")]
    Form(String),
}

/// What `auto` chooses from: strategies that fail in different ways.
const PORTFOLIO: [&str; 5] = ["carfast", "cgs", "pps", "md2u", "generational"];

/// The same specification and seed give the same choices.
pub fn parse(spec: &str, rng_seed: u64) -> Result<Box<dyn Strategy>, ParseError> {
    build(spec.trim(), &mut Rng::new(rng_seed))
}

fn build(spec: &str, rng: &mut Rng) -> Result<Box<dyn Strategy>, ParseError> {
    if let Some(rest) = spec.strip_prefix("interleave") {
        let inner = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
        let parts = inner.and_then(parts).filter(|parts| !parts.is_empty());
        let parts = parts.ok_or_else(|| ParseError::Form(spec.to_owned()))?;
        let parts = parts.iter().map(|part| build(part.trim(), rng)).collect::<Result<_, _>>()?;
        return Ok(Box::new(Interleave::new(parts)));
    }
    let (name, values) = spec.split_once(':').unwrap_or((spec, ""));
    let Some(named) = NAMES.iter().find(|named| named.name == name) else {
        return Err(ParseError::Name(name.to_owned()));
    };
    let values = Values::read(named, values)?;
    Ok(match name {
        "auto" => {
            let arms = PORTFOLIO.iter().map(|arm| build(arm, rng)).collect::<Result<_, _>>()?;
            Box::new(Auto::new(arms, rng.fork()))
        }
        "dfs" => Box::new(Dfs::new(values.number("depth")?.unwrap_or(u32::MAX))),
        "bfs" => Box::new(Bfs::default()),
        "random-branch" => Box::new(RandomBranch::new(rng.fork())),
        "uniform-random" => Box::new(UniformRandom::new(rng.fork())),
        "random-path" => Box::new(RandomPath::new(rng.fork())),
        "random-state" => Box::new(RandomState::new(rng.fork())),
        "generational" => Box::new(Generational::default()),
        "cfg" => Box::new(Cfg::new(rng.fork())),
        "md2u" => Box::new(Md2u::new(rng.fork())),
        "rp-md2u" => {
            let parts: Vec<Box<dyn Strategy>> =
                vec![Box::new(RandomPath::new(rng.fork())), Box::new(Md2u::new(rng.fork()))];
            Box::new(Interleave::named(name.to_owned(), parts))
        }
        "carfast" => Box::new(CarFast::new(rng.fork())),
        "pps" => Box::new(Pps::new(values.number("levels")?.unwrap_or(pps::LEVELS), rng.fork())),
        "fitness" => Box::new(Fitness::new(rng.fork())),
        "subpath" => Box::new(Subpath::new(values.number("n")?.unwrap_or(subpath::LENGTH), rng.fork())),
        "cgs" => Box::new(Cgs::new(contexts(&values)?, rng.fork())),
        _ => return Err(ParseError::Name(name.to_owned())),
    })
}

fn contexts(values: &Values<'_>) -> Result<cgs::Options, ParseError> {
    let default = cgs::Options::default();
    Ok(cgs::Options {
        fixed: values.number("k")?,
        largest: values.number("largest")?.unwrap_or(default.largest),
        keep_dominators: match values.get("dominators") {
            None | Some("exclude") => false,
            Some("keep") => true,
            Some(_) => return Err(values.wrong("dominators", "keep or exclude")),
        },
    })
}

/// The strategies of a list, each with its options: a `key=value` between commas goes with the name in front of it. `None`:
/// parentheses do not match.
pub fn parts(list: &str) -> Option<Vec<String>> {
    let mut level = 0u32;
    let mut parts: Vec<String> = Vec::new();
    let mut start = 0;
    for (end, c) in list.char_indices().chain([(list.len(), ',')]) {
        match c {
            '(' => level += 1,
            ')' => level = level.checked_sub(1)?,
            ',' if level == 0 => {
                let part = list[start..end].trim();
                let option = part.split_once('=').is_some_and(|(key, _)| !key.contains([':', '(']));
                match parts.last_mut().filter(|_| option) {
                    Some(last) => *last = format!("{last},{part}"),
                    None => parts.push(part.to_owned()),
                }
                start = end + 1;
            }
            _ => {}
        }
    }
    (level == 0).then_some(parts)
}

/// The `key=value,…` behind a name.
struct Values<'a> {
    name: &'static str,
    pairs: Vec<(&'a str, &'a str)>,
}

impl<'a> Values<'a> {
    fn read(named: &'static Named, text: &'a str) -> Result<Values<'a>, ParseError> {
        let mut pairs = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (key, value) = part.split_once('=').ok_or_else(|| ParseError::Form(part.to_owned()))?;
            if !named.options.iter().any(|(known, _)| *known == key) {
                return Err(ParseError::Option { name: named.name.to_owned(), key: key.to_owned() });
            }
            pairs.push((key, value));
        }
        Ok(Values { name: named.name, pairs })
    }

    fn get(&self, key: &str) -> Option<&'a str> {
        self.pairs.iter().rev().find(|(known, _)| *known == key).map(|(_, value)| *value)
    }

    fn number(&self, key: &str) -> Result<Option<u32>, ParseError> {
        let parsed = self.get(key).map(|value| value.parse().ok().filter(|&number| number > 0));
        match parsed {
            Some(None) => Err(self.wrong(key, "a number above 0")),
            Some(number) => Ok(number),
            None => Ok(None),
        }
    }

    fn wrong(&self, key: &str, expected: &'static str) -> ParseError {
        let value = self.get(key).unwrap_or_default().to_owned();
        ParseError::Value { name: self.name.to_owned(), key: key.to_owned(), value, expected }
    }
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

fn has(name: &str) -> String {
    let options = NAMES.iter().find(|named| named.name == name).map_or(&[][..], |named| named.options);
    match options {
        [] => "; it has none".to_owned(),
        _ => format!("; it has {}", listed(options.iter().map(|(key, _)| *key))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_built() {
        for named in NAMES.iter().filter(|named| named.name != "interleave") {
            let strategy = parse(named.name, 1).unwrap_or_else(|error| panic!("{}: {error}", named.name));
            assert_eq!(strategy.name(), named.name);
        }
    }

    #[test]
    fn options_come_back_in_the_name() {
        let specs = [
            "dfs:depth=100",
            "cgs:k=3,dominators=keep",
            "cgs:largest=7",
            "pps:levels=2",
            "subpath:n=8",
            "interleave(cgs:k=3,dominators=keep,random-path)",
            "interleave(dfs,interleave(bfs,cgs:k=1),random-state)",
        ];
        for spec in specs {
            assert_eq!(parse(spec, 1).map(|strategy| strategy.name()), Ok(spec.to_owned()));
        }
    }

    #[test]
    fn errors_say_what_there_is() {
        let message = |spec: &str| parse(spec, 1).err().map(|error| error.to_string()).unwrap_or_default();
        let unknown = message("dsf");
        assert!(NAMES.iter().all(|named| unknown.contains(named.name)), "{unknown}");
        assert_eq!(message("bfs:depth=3"), "`bfs` has no option `depth`; it has none");
        assert_eq!(message("dfs:k=3"), "`dfs` has no option `k`; it has depth");
        assert_eq!(message("dfs:depth=no"), "`depth=no` of `dfs`: expected a number above 0");
        assert_eq!(message("cgs:dominators=no"), "`dominators=no` of `cgs`: expected keep or exclude");
        for spec in
            ["dfs:depth", "interleave", "interleave()x", "interleave(bfs", "interleave(bfs))", "interleave(a(b)"]
        {
            assert!(message(spec).contains("write name"), "{spec}: {}", message(spec));
        }
        assert!(message("interleave(bfs,dsf)").contains("`dsf`"));
        assert!(message("interleave()").contains("no strategy"));
    }
}
