//! Where input bytes come from, by the names that traces give them.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

/// Ordered by kind, then by number or name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// `argv[n]`; 0 is the program's own name and no input.
    Arg(u32),
    Stdin,
    File(PathBuf),
    Env(OsString),
    /// The `number`-th value that a harness asked for under this name: `nondet:NAME#NUMBER`.
    Nondet {
        name: Vec<u8>,
        number: u32,
    },
}

impl Source {
    /// `None`: a name that no run writes. What it accepts, [`Source::name`] writes back byte by byte.
    pub fn parse(name: &[u8]) -> Option<Source> {
        if name == b"stdin" {
            Some(Source::Stdin)
        } else if let Some(path) = name.strip_prefix(b"file:") {
            Some(Source::File(OsString::from_vec(path.to_vec()).into()))
        } else if let Some(variable) = name.strip_prefix(b"env:") {
            Some(Source::Env(OsString::from_vec(variable.to_vec())))
        } else if let Some(called) = name.strip_prefix(b"nondet:") {
            let mark = called.iter().rposition(|&byte| byte == b'#')?;
            Some(Source::Nondet { name: called[..mark].to_vec(), number: decimal(&called[mark + 1..])? })
        } else {
            Some(Source::Arg(decimal(name.strip_prefix(b"arg[")?.strip_suffix(b"]")?)?))
        }
    }

    /// As traces write it.
    pub fn name(&self) -> Vec<u8> {
        let join = |prefix: &str, rest: &[u8]| [prefix.as_bytes(), rest].concat();
        match self {
            Source::Arg(n) => format!("arg[{n}]").into_bytes(),
            Source::Stdin => b"stdin".to_vec(),
            Source::File(path) => join("file:", path.as_os_str().as_bytes()),
            Source::Env(name) => join("env:", name.as_bytes()),
            Source::Nondet { name, number } => [b"nondet:", &name[..], format!("#{number}").as_bytes()].concat(),
        }
    }

    pub fn is_nondet(&self) -> bool {
        matches!(self, Source::Nondet { .. })
    }
}

/// One number has one spelling, or names would not come back as they were.
fn decimal(digits: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(digits).ok()?;
    let number: u32 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

/// For people: bytes that are no UTF-8 are replaced.
impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::Source;
    use proptest::prelude::*;

    #[test]
    fn names_of_traces_are_understood_and_written_back() {
        for name in ["arg[1]", "arg[12]", "stdin", "file:a b/c", "env:HOME", "nondet:x#0", "nondet:a#b#7"] {
            let source = Source::parse(name.as_bytes()).expect(name);
            assert_eq!(source.to_string(), name);
        }
        for name in ["", "arg[]", "arg[x]", "arg[1", "arg[+1]", "arg[01]", "source#3", "nondet:x", "nondet:x#"] {
            assert_eq!(Source::parse(name.as_bytes()), None, "{name}");
        }
    }

    proptest! {
        #[test]
        fn what_is_accepted_comes_back_byte_by_byte(
            prefix in prop::sample::select(vec!["", "file:", "env:", "nondet:", "nondet:v#", "arg["]),
            rest in prop::collection::vec(any::<u8>(), 0..12),
        ) {
            let name = [prefix.as_bytes(), &rest].concat();
            if let Some(source) = Source::parse(&name) {
                prop_assert_eq!(source.name(), name);
            }
        }
    }
}
