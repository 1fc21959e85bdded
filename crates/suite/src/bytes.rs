//! The bytes of an input, by source; and inputs as a seed plus what differs from it.
//!
//! A campaign remembers every input that it ran. It stores the bytes that differ from the seed and no others, so a
//! hundred thousand inputs that grew off a large file cost little more than the file.

use crate::error::read_regular;
use crate::source::Source;
use crate::test::{Command, Origin, Test};
use indexmap::IndexMap;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The bytes of every source that a run is given; what is absent comes from the machine (files, variables), is empty
/// (standard input) or is 0 (`nondet`).
///
/// Sources keep the order in which they were put in: that of a harness's values is the order of its calls, which KLEE
/// and Test-Comp need to know. Equality does not look at the order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes {
    sources: IndexMap<Source, Vec<u8>>,
}

impl Bytes {
    pub fn new() -> Bytes {
        Bytes::default()
    }

    pub fn get(&self, source: &Source) -> Option<&[u8]> {
        self.sources.get(source).map(Vec::as_slice)
    }

    pub fn contains(&self, source: &Source) -> bool {
        self.sources.contains_key(source)
    }

    /// A source that was there keeps its place.
    pub fn insert(&mut self, source: Source, bytes: Vec<u8>) {
        self.sources.insert(source, bytes);
    }

    pub fn remove(&mut self, source: &Source) -> Option<Vec<u8>> {
        self.sources.shift_remove(source)
    }

    /// Changes one byte. A source that is too short grows by zeros; one that was absent starts as `absent` says, or stays
    /// absent.
    pub fn set(&mut self, source: &Source, offset: u32, value: u8, absent: impl FnOnce(&Source) -> Option<Vec<u8>>) {
        if !self.sources.contains_key(source) {
            let Some(start) = absent(source) else { return };
            self.sources.insert(source.clone(), start);
        }
        let bytes = &mut self.sources[source];
        let at = offset as usize;
        if bytes.len() <= at {
            bytes.resize(at + 1, 0);
        }
        bytes[at] = value;
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Source, &[u8])> {
        self.sources.iter().map(|(source, bytes)| (source, bytes.as_slice()))
    }

    /// The values of a harness, in the order of its calls.
    pub fn nondet(&self) -> impl Iterator<Item = (&Source, &[u8])> {
        self.iter().filter(|(source, _)| source.is_nondet())
    }

    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Of all sources together.
    pub fn size(&self) -> usize {
        self.sources.values().map(Vec::len).sum()
    }
}

impl FromIterator<(Source, Vec<u8>)> for Bytes {
    fn from_iter<I: IntoIterator<Item = (Source, Vec<u8>)>>(sources: I) -> Bytes {
        Bytes { sources: sources.into_iter().collect() }
    }
}

/// What a run of `command` reads on this machine where it is given nothing. `None`: nothing that an input can hold.
fn on_this_machine(command: &Command, source: &Source) -> Option<Vec<u8>> {
    use std::os::unix::ffi::OsStrExt;
    match source {
        Source::File(path) => match read_regular(&here(command, path), BROUGHT) {
            // A device or a pipe.
            Err(error) if matches!(error.kind(), ErrorKind::FileTooLarge | ErrorKind::InvalidInput) => None,
            content => Some(content.unwrap_or_default()),
        },
        Source::Env(name) => Some(std::env::var_os(name).map(|value| value.as_bytes().to_vec()).unwrap_or_default()),
        Source::Arg(_) | Source::Stdin | Source::Nondet { .. } => Some(Vec::new()),
    }
}

fn here(command: &Command, path: &Path) -> PathBuf {
    command.cwd.as_ref().map_or_else(|| path.to_path_buf(), |cwd| cwd.join(path))
}

/// Larger files stay where they are: a suite holds every test's files.
const BROUGHT: u64 = 16 << 20;

impl Test {
    /// Takes in the files that its run read by relative names, as this machine has them: where the test runs next there may be
    /// none, or others. What it has stays as it is, and so does what the world of a recorded command says.
    pub fn bring(&mut self, read: impl IntoIterator<Item = Source>) {
        for source in read {
            let Source::File(path) = &source else { continue };
            if path.is_absolute() || self.bytes.contains(&source) || self.command.world.things.contains_key(path) {
                continue;
            }
            let place = here(&self.command, path);
            if let Ok(bytes) = read_regular(&place, BROUGHT) {
                self.bytes.insert(source, bytes);
            }
        }
    }
}

/// One changed byte, relative to a seed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    pub source: Arc<Source>,
    pub offset: u32,
    pub value: u8,
}

/// An input as a campaign keeps it, with the command that it is for.
#[derive(Clone, Debug)]
pub struct Input {
    pub command: Arc<Command>,
    pub seed: Arc<Bytes>,
    /// Sorted, each byte once.
    pub edits: Arc<[Edit]>,
}

impl Input {
    pub fn of(command: Arc<Command>, seed: Bytes) -> Input {
        Input { command, seed: Arc::new(seed), edits: Arc::new([]) }
    }

    /// This input with some more bytes changed.
    pub fn with(&self, more: impl IntoIterator<Item = Edit>) -> Input {
        let mut edits: BTreeMap<(Arc<Source>, u32), u8> =
            self.edits.iter().map(|edit| ((Arc::clone(&edit.source), edit.offset), edit.value)).collect();
        for edit in more {
            edits.insert((edit.source, edit.offset), edit.value);
        }
        // A byte that got its old value back is no edit any more.
        edits.retain(|(source, offset), value| {
            self.seed.get(source).and_then(|bytes| bytes.get(*offset as usize)) != Some(value)
        });
        let edits = edits.into_iter().map(|((source, offset), value)| Edit { source, offset, value });
        Input { edits: edits.collect(), ..self.clone() }
    }

    /// A source that the seed does not have starts as this machine has it; a file that is too large for a test, or no regular
    /// one, stays as it is.
    pub fn bytes(&self) -> Bytes {
        self.bytes_or(|source| on_this_machine(&self.command, source))
    }

    pub fn test(&self, origin: Origin) -> Test {
        Test::new((*self.command).clone(), self.bytes(), origin)
    }

    /// `absent`: what a source holds that the seed does not have.
    fn bytes_or(&self, absent: impl Fn(&Source) -> Option<Vec<u8>>) -> Bytes {
        let mut bytes = (*self.seed).clone();
        for edit in self.edits.iter() {
            bytes.set(&edit.source, edit.offset, edit.value, &absent);
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use offshoot_base::{Thing, What};
    use proptest::prelude::*;

    fn edit(source: &Source, offset: u32, value: u8) -> Edit {
        Edit { source: Arc::new(source.clone()), offset, value }
    }

    fn input(seed: Bytes) -> Input {
        Input::of(Arc::default(), seed)
    }

    #[test]
    fn edits_add_up_and_cancel() {
        let seed = input([(Source::Stdin, b"abc".to_vec())].into_iter().collect());
        let once = seed.with([edit(&Source::Stdin, 1, b'x'), edit(&Source::Stdin, 0, b'y')]);
        assert_eq!(once.bytes_or(|_| Some(Vec::new())).get(&Source::Stdin), Some(&b"yxc"[..]));
        let twice = once.with([edit(&Source::Stdin, 1, b'b'), edit(&Source::Stdin, 4, b'z')]);
        assert_eq!(twice.bytes_or(|_| Some(Vec::new())).get(&Source::Stdin), Some(&b"ybc\0z"[..]));
        assert_eq!(twice.edits.len(), 2);
    }

    #[test]
    fn a_source_that_was_absent_starts_as_the_machine_has_it() {
        let file = Source::File("f".into());
        let changed = input(Bytes::new()).with([edit(&file, 1, b'x')]);
        assert_eq!(changed.bytes_or(|_| Some(b"abc".to_vec())).get(&file), Some(&b"axc"[..]));
    }

    #[test]
    fn a_file_that_no_test_can_hold_is_not_changed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("small"), "abc").expect("a file");
        std::fs::File::create(path("large")).and_then(|file| file.set_len(BROUGHT + 1)).expect("a file");
        std::os::unix::fs::symlink("/dev/zero", path("endless")).expect("a link");
        assert!(std::process::Command::new("mkfifo").arg(path("pipe")).status().expect("mkfifo").success());
        let command = Command { cwd: Some(folder.path().into()), ..Command::default() };
        let names = ["small", "large", "endless", "pipe", "gone"].map(|name| Source::File(name.into()));
        let input = Input::of(Arc::new(command), Bytes::new()).with(names.iter().map(|name| edit(name, 1, b'x')));
        let bytes = input.bytes();
        assert_eq!(
            bytes,
            [(names[0].clone(), b"axc".to_vec()), (names[4].clone(), b"\0x".to_vec())].into_iter().collect()
        );
    }

    #[test]
    fn a_test_brings_what_it_read_by_relative_names_and_did_not_have() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str| Source::File(name.into());
        for name in ["given", "read", "recorded"] {
            std::fs::write(folder.path().join(name), "the machine's").expect("a file");
        }
        let mut command = Command::new("/bin/true", [""; 0]);
        command.cwd = Some(folder.path().into());
        let thing = Thing { what: What::File { size: 0 }, mode: 0o644, modified: None };
        command.world.things.insert("recorded".into(), thing);
        let bytes = [(file("given"), b"its own".to_vec())].into_iter().collect();
        let mut test = Test::new(command, bytes, Origin::Seed);
        let absolute = file(folder.path().join("read").to_str().expect("a name that is text"));
        let names = ["given", "read", "recorded", "gone", "."].map(file);
        test.bring(names.into_iter().chain([absolute, Source::Stdin]));
        let brought: Vec<_> = test.bytes.iter().collect();
        assert_eq!(brought, [(&file("given"), &b"its own"[..]), (&file("read"), b"the machine's")]);
    }

    proptest! {
        /// Whatever the order of the steps, the bytes are those of a plain array that was written in that order.
        #[test]
        fn steps_of_edits_are_writes(
            seed in prop::collection::vec(any::<u8>(), 0..6),
            steps in prop::collection::vec(prop::collection::vec((0u32..8, any::<u8>()), 0..4), 0..4),
        ) {
            let mut input = super::tests::input([(Source::Stdin, seed.clone())].into_iter().collect());
            let mut expected = seed;
            for step in &steps {
                input = input.with(step.iter().map(|&(offset, value)| edit(&Source::Stdin, offset, value)));
                for &(offset, value) in step {
                    if expected.len() <= offset as usize {
                        expected.resize(offset as usize + 1, 0);
                    }
                    expected[offset as usize] = value;
                }
            }
            let bytes = input.bytes_or(|_| Some(Vec::new()));
            prop_assert_eq!(bytes.get(&Source::Stdin), Some(&expected[..]));
        }
    }
}
