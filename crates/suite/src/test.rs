//! A test: a command, the bytes it is given, and what was seen when it ran.

use crate::bytes::{Bytes, Edit};
use crate::source::Source;
use crate::text::hex;
use crate::world::World;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

/// Stands for the seed file in a command.
pub const SEED: &str = "@@";

/// Where runs see the seed file. In the sandbox only: nothing is ever there outside of it.
pub const SEED_PATH: &str = "/tmp/offshoot-seed";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    pub command: Command,
    pub bytes: Bytes,
    pub expectation: Expectation,
    pub origin: Origin,
    /// Why a run of it need not be like the last one.
    pub flaky: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    pub program: PathBuf,
    /// `argv[0]` if it is not `program`.
    pub name: Option<OsString>,
    /// Without the program's name. [`SEED`] stands for the seed file; the bytes of [`Source::Arg`] replace the others.
    pub args: Vec<OsString>,
    /// Default: whoever runs it decides.
    pub cwd: Option<PathBuf>,
    /// What must be set (`Some`) or absent (`None`); the rest does not matter.
    pub env: BTreeMap<OsString, Option<OsString>>,
    pub world: World,
}

/// What a run gave. Nobody has said that it is right unless [`Standing`] says so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    pub status: Option<Expected<Status>>,
    pub stdout: Option<Expected<Output>>,
    pub stderr: Option<Expected<Output>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected<T> {
    pub value: T,
    pub standing: Standing,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Seen once, judged by nobody.
    #[default]
    Recorded,
    /// A person or the project's own suite says that it is right.
    Judged,
}

impl<T> Expected<T> {
    pub fn recorded(value: T) -> Expected<T> {
        Expected { value, standing: Standing::Recorded }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    Exited(i32),
    Signaled(i32),
    /// Ended by us, with the reason in words: a time-out, a limit.
    Ended(String),
}

/// One output stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// All of it, or its beginning.
    pub bytes: Vec<u8>,
    /// All that was written.
    pub total: u64,
}

impl Output {
    pub fn is_whole(&self) -> bool {
        self.bytes.len() as u64 == self.total
    }
}

impl From<Vec<u8>> for Output {
    fn from(bytes: Vec<u8>) -> Output {
        Output { total: bytes.len() as u64, bytes }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Given by the user.
    Seed,
    /// Seen while the project's own tests ran.
    Recorded,
    /// Grown off `parent`: which decision was to go the other way, in words, and the bytes that differ.
    Generated { parent: TestId, flipped: String, changed: Vec<Edit> },
    /// Read from somebody else's file.
    Imported { from: PathBuf },
    /// What reduction left of another test.
    Reduced { original: TestId },
}

/// A digest of all that makes a run what it is: command and bytes, not what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct TestId(String);

impl TestId {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// `None`: not of the form that we write.
    pub fn parse(text: &str) -> Option<TestId> {
        let ours = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        ours.then(|| TestId(text.to_owned()))
    }
}

impl std::fmt::Display for TestId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Test {
    pub fn new(command: Command, bytes: Bytes, origin: Origin) -> Test {
        Test { command, bytes, expectation: Expectation::default(), origin, flaky: None }
    }

    /// The same for tests that no run can tell apart, whatever the order of their sources, and in every version.
    pub fn id(&self) -> TestId {
        let mut digest = Sha256::new();
        let mut field = |tag: u8, value: &[u8]| {
            digest.update([tag]);
            digest.update((value.len() as u64).to_le_bytes());
            digest.update(value);
        };
        let command = &self.command;
        field(b'p', command.program.as_os_str().as_bytes());
        field(b'n', command.name().as_bytes());
        for arg in command.templates(&self.bytes) {
            field(b'a', arg.as_bytes());
        }
        if let Some(cwd) = &command.cwd {
            field(b'd', cwd.as_os_str().as_bytes());
        }
        for (name, value) in command.environment(&self.bytes) {
            field(b'e', name.as_bytes());
            match value {
                Some(value) => field(b'=', value.as_bytes()),
                None => field(b'-', b""),
            }
        }
        command.world.digest(&mut field);
        let mut rest: Vec<_> = self.bytes.iter().collect();
        rest.retain(|(source, _)| !matches!(source, Source::Arg(_) | Source::Env(_)));
        rest.sort();
        for (source, bytes) in rest {
            field(b's', &source.name());
            field(b'b', bytes);
        }
        TestId(hex(&digest.finalize()[..8]))
    }

    /// The bytes of the seed file or, for a command without one, of standard input.
    pub fn seed(&self) -> Option<&[u8]> {
        self.bytes.get(&self.command.seed_source())
    }
}

impl Command {
    pub fn new(program: impl Into<PathBuf>, args: impl IntoIterator<Item = impl Into<OsString>>) -> Command {
        Command { program: program.into(), args: args.into_iter().map(Into::into).collect(), ..Command::default() }
    }

    pub fn name(&self) -> &OsStr {
        self.name.as_deref().unwrap_or(self.program.as_os_str())
    }

    pub fn takes_file(&self) -> bool {
        self.args.iter().any(|arg| arg == SEED)
    }

    /// Where the bytes of a seed go.
    pub fn seed_source(&self) -> Source {
        if self.takes_file() { Source::File(SEED_PATH.into()) } else { Source::Stdin }
    }

    /// What a run of this command on a seed is given.
    pub fn on_seed(&self, seed: Vec<u8>) -> Bytes {
        let args = self.args.iter().zip(1..).filter(|(arg, _)| *arg != SEED);
        let args = args.map(|(arg, number)| (Source::Arg(number), arg.as_bytes().to_vec()));
        args.chain([(self.seed_source(), seed)]).collect()
    }

    /// The arguments of a run on `bytes`.
    pub fn arguments(&self, bytes: &Bytes) -> Vec<OsString> {
        self.words(bytes).map(|word| word.unwrap_or_else(|| SEED_PATH.into())).collect()
    }

    /// The same, with [`SEED`] where the seed file is named.
    pub fn templates(&self, bytes: &Bytes) -> Vec<OsString> {
        self.words(bytes).map(|word| word.unwrap_or_else(|| SEED.into())).collect()
    }

    /// The same; `None` is the name of the seed file, and bytes that happen to be [`SEED`] are not. An argument ends at its
    /// first NUL, as the kernel has it.
    pub fn words<'a>(&'a self, bytes: &'a Bytes) -> impl Iterator<Item = Option<OsString>> + 'a {
        self.args.iter().zip(1..).map(|(arg, number)| match bytes.get(&Source::Arg(number)) {
            _ if arg == SEED => None,
            Some(value) => Some(OsString::from_vec(up_to_nul(value).to_vec())),
            None => Some(arg.clone()),
        })
    }

    /// What must be set or absent in a run on `bytes`.
    pub fn environment(&self, bytes: &Bytes) -> BTreeMap<OsString, Option<OsString>> {
        let mut env = self.env.clone();
        for (source, value) in bytes.iter() {
            if let Source::Env(name) = source {
                env.insert(name.clone(), Some(OsString::from_vec(up_to_nul(value).to_vec())));
            }
        }
        env
    }
}

fn up_to_nul(value: &[u8]) -> &[u8] {
    value.split(|&byte| byte == 0).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Test {
        let command = Command::new("/bin/cut", ["-c", "1-3", SEED]);
        let bytes = command.on_seed(b"abc\n".to_vec());
        Test::new(command, bytes, Origin::Seed)
    }

    #[test]
    fn arguments_come_from_the_bytes_and_end_at_a_nul() {
        let mut test = sample();
        test.bytes.insert(Source::Arg(2), b"2\0-3".to_vec());
        assert_eq!(test.command.arguments(&test.bytes), ["-c", "2", SEED_PATH]);
        assert_eq!(test.seed(), Some(&b"abc\n"[..]));
    }

    #[test]
    fn the_id_sees_what_a_run_sees() {
        let id = sample().id();
        // Written down here so that a change of the digest, which would orphan every suite on disk, is noticed.
        assert_eq!(id.as_str(), "118494055fa3ee9d");
        let mut same = sample();
        same.flaky = Some("time".into());
        same.origin = Origin::Recorded;
        same.expectation.status = Some(Expected::recorded(Status::Exited(0)));
        same.bytes =
            same.bytes.iter().map(|(s, b)| (s.clone(), b.to_vec())).collect::<Vec<_>>().into_iter().rev().collect();
        assert_eq!(same.id(), id);
        same.bytes.remove(&Source::Arg(1));
        assert_eq!(same.id(), id, "the command has the same argument");
        let change = |edit: fn(&mut Test)| {
            let mut other = sample();
            edit(&mut other);
            other.id()
        };
        assert_ne!(change(|test| test.bytes.insert(Source::Arg(1), b"-b".to_vec())), id);
        assert_ne!(change(|test| test.bytes.insert(Source::Stdin, Vec::new())), id);
        assert_ne!(change(|test| test.command.cwd = Some("/".into())), id);
        assert_ne!(change(|test| drop(test.command.env.insert("LANG".into(), None))), id);
        assert_eq!(TestId::parse(id.as_str()), Some(id));
        assert_eq!(TestId::parse("../../etc/passwd"), None);
    }
}
