//! Tests of other tools. A file that cannot be read or is foreign is reported by name; the rest is imported.

mod fuzzer;
mod klee;
mod own;
mod testcomp;

pub use fuzzer::queue_number;

use crate::bytes::Bytes;
use crate::error::open_regular;
use crate::test::{Command, Origin, Test};
use offshoot_base::format_size;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The most values (or arguments) in one file. A file of bearable size may hold tens of millions, each with a name.
pub(crate) const VALUES: usize = 1_000_000;
/// The most sources of all tests together: they are in memory until the last file is read.
const ALL_SOURCES: usize = 4 * VALUES;
/// The most bytes of all files together. What is packed may be a thousand times as large as it looks.
const ALL_BYTES: u64 = 4 << 30;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A queue of afl-fuzz, an instance's folder, or a sync folder of several.
    Afl,
    /// A corpus: every file is an input.
    LibFuzzer,
    /// `.ktest` files of KLEE.
    Klee,
    /// `testcase` XML in a folder or a zip file.
    TestComp,
    /// Every file is an input.
    Plain,
    /// What we write.
    Offshoot,
}

#[derive(Debug, Default)]
pub struct Imported {
    pub tests: Vec<Test>,
    pub problems: Vec<Problem>,
}

/// A file that was not imported, or not as it was meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub path: PathBuf,
    pub what: String,
    /// Otherwise there is a test of it, in which something was guessed.
    pub is_left_out: bool,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.what)
    }
}

impl Format {
    /// By what lies there; what shows nothing is plain. Whoever is taken for plain by mistake gives metadata for inputs and
    /// nobody notices, so a sign is enough for the others: they name what is foreign to them.
    pub fn detect(path: &Path) -> Format {
        let entries: Vec<PathBuf> =
            fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        let is_ktest = |path: &Path| path.extension().is_some_and(|extension| extension == "ktest");
        let is_queue = |path: &Path| path.join("queue").is_dir();
        let is_zip = path.extension().is_some_and(|extension| extension == "zip") || testcomp::is_archive(path);
        if path.join("suite.json").exists() || path.join("test.json").exists() {
            Format::Offshoot
        } else if path.join("metadata.xml").exists() || is_zip || testcomp::is_xml(path) {
            Format::TestComp
        } else if is_ktest(path) || entries.iter().any(|entry| is_ktest(entry)) {
            Format::Klee
        } else if is_queue(path) || entries.iter().any(|entry| is_queue(entry) || queue_number(entry).is_some()) {
            Format::Afl
        } else if entries.iter().any(|entry| testcomp::is_xml(entry)) {
            Format::TestComp
        } else {
            Format::Plain
        }
    }
}

/// `command` is what the inputs are for; it says whether they are a file or standard input. Files of more than
/// `largest` bytes are reported and left out.
pub fn import(format: Format, path: &Path, command: &Command, largest: u64) -> Imported {
    let mut import = Import::new(command, largest);
    import.all(format, path);
    import.imported
}

struct Import<'a> {
    command: &'a Command,
    largest: u64,
    bytes_left: u64,
    sources_left: usize,
    imported: Imported,
}

impl<'a> Import<'a> {
    fn new(command: &'a Command, largest: u64) -> Import<'a> {
        let imported = Imported::default();
        Import { command, largest, bytes_left: ALL_BYTES, sources_left: ALL_SOURCES, imported }
    }

    fn all(&mut self, format: Format, path: &Path) {
        match format {
            Format::Afl => fuzzer::afl(self, path),
            Format::LibFuzzer | Format::Plain => fuzzer::files(self, path),
            Format::Klee => klee::import(self, path),
            Format::TestComp => testcomp::import(self, path),
            Format::Offshoot => own::import(self, path),
        }
    }

    /// A test of what was read at `path`. Whether there was room for it.
    fn add(&mut self, path: &Path, command: Command, bytes: Bytes) -> bool {
        self.keep(path, Test::new(command, bytes, Origin::Imported { from: path.to_path_buf() }))
    }

    fn keep(&mut self, path: &Path, test: Test) -> bool {
        let left = self.sources_left.checked_sub(test.bytes.iter().len());
        match left {
            Some(left) => {
                self.sources_left = left;
                self.imported.tests.push(test);
            }
            None => {
                self.problem(path, format!("{TOO_MUCH} than the {ALL_SOURCES} values that one import takes"));
            }
        }
        left.is_some()
    }

    fn problem(&mut self, path: &Path, what: impl std::fmt::Display) {
        self.say(path, what, true);
    }

    /// There is a test of it, but.
    fn guess(&mut self, path: &Path, what: impl std::fmt::Display) {
        self.say(path, what, false);
    }

    fn say(&mut self, path: &Path, what: impl std::fmt::Display, is_left_out: bool) {
        self.imported.problems.push(Problem { path: path.to_path_buf(), what: what.to_string(), is_left_out });
    }

    /// The content of a regular file of bearable size.
    fn read(&mut self, path: &Path) -> Option<Vec<u8>> {
        self.content(path).map_err(|what| self.problem(path, what)).ok()
    }

    fn content(&mut self, path: &Path) -> Result<Vec<u8>, String> {
        let (size, file) = open_regular(path).map_err(|error| error.to_string())?;
        self.bounded(size, file)
    }

    /// `size` is what is said of it, and need not be true.
    fn bounded(&mut self, size: u64, from: impl Read) -> Result<Vec<u8>, String> {
        let (largest, left) = (self.largest, self.bytes_left);
        let fits = |size: u64| match size {
            _ if size > largest => Err(format!("larger than {}", format_size(largest))),
            _ if size > left => Err(format!("{TOO_MUCH} than the {} that one import takes", format_size(ALL_BYTES))),
            _ => Ok(()),
        };
        fits(size)?;
        let mut content = Vec::new();
        let read = from.take(largest.min(left).saturating_add(1)).read_to_end(&mut content);
        let size = content.len() as u64;
        // Whatever comes of it, it has taken its time.
        self.bytes_left = left.saturating_sub(size);
        read.map_err(|error| error.to_string())?;
        fits(size)?;
        Ok(content)
    }

    /// What lies in a folder, in order of name.
    fn entries(&mut self, folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).and_then(|entries| {
            entries.map(|entry| entry.map(|entry| entry.path())).collect::<std::io::Result<Vec<PathBuf>>>()
        });
        let mut entries = entries.map_err(|error| self.problem(folder, error)).unwrap_or_default();
        entries.sort();
        entries
    }

    /// The same without hidden ones, which are counted: they may be inputs, but most are a tool's own business.
    fn shown(&mut self, folder: &Path) -> Vec<PathBuf> {
        let (hidden, shown): (Vec<_>, Vec<_>) = self.entries(folder).into_iter().partition(|entry| is_hidden(entry));
        if !hidden.is_empty() {
            self.problem(folder, format!("{} hidden files or folders in it (.*)", hidden.len()));
        }
        shown
    }
}

const TOO_MUCH: &str = "with what was read before it, it is more";

fn is_hidden(path: &Path) -> bool {
    use std::os::unix::ffi::OsStrExt;
    path.file_name().is_some_and(|name| name.as_bytes().starts_with(b"."))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What an import says of the files `a`, `b`, … of a folder, with the names of those it took.
    fn limited(format: Format, files: &[&[u8]], limit: impl FnOnce(&mut Import<'_>)) -> (Vec<char>, Vec<String>) {
        let folder = tempfile::tempdir().expect("a folder");
        let suffix = if format == Format::TestComp { ".xml" } else { "" };
        for (name, content) in ('a'..).zip(files) {
            fs::write(folder.path().join(format!("{name}{suffix}")), content).expect("written");
        }
        let command = Command::default();
        let mut import = Import::new(&command, 4000);
        limit(&mut import);
        import.all(format, folder.path());
        let name = |path: &Path| path.file_name().and_then(|name| name.to_str()?.chars().next());
        let taken = import.imported.tests.iter().filter_map(|test| match &test.origin {
            Origin::Imported { from } => name(from),
            _ => None,
        });
        let said = import.imported.problems.iter();
        let said = said.filter(|problem| problem.is_left_out).map(|problem| problem.what.clone()).collect();
        (taken.collect(), said)
    }

    #[test]
    fn all_files_together_are_bounded() {
        let files: [&[u8]; 5] = [b"one", b"two", b"three", b"4", b""];
        let (taken, said) = limited(Format::Plain, &files, |import| import.bytes_left = 7);
        assert_eq!(taken, ['a', 'b', 'd', 'e'], "what still fits is taken");
        assert_eq!(said, ["with what was read before it, it is more than the 4G that one import takes"]);
    }

    #[test]
    fn all_values_together_are_bounded() {
        let two: &[u8] = b"<testcase><input>1</input><input>2</input></testcase>";
        let one: &[u8] = b"<testcase><input>1</input></testcase>";
        let (taken, said) = limited(Format::TestComp, &[two, two, one], |import| import.sources_left = 3);
        assert_eq!(taken, ['a', 'c']);
        assert_eq!(said, ["with what was read before it, it is more than the 4000000 values that one import takes"]);
    }

    /// What is packed may say that it is small.
    #[test]
    fn what_a_file_says_of_its_size_is_not_believed() {
        let command = Command::default();
        let mut import = Import::new(&command, 10);
        assert_eq!(import.bounded(1, &[7u8; 10][..]), Ok(vec![7; 10]));
        assert_eq!(import.bounded(1, std::io::repeat(7)), Err("larger than 10".into()));
        assert_eq!(import.bytes_left, ALL_BYTES - 21);
        assert_eq!(import.bounded(11, std::io::repeat(7)), Err("larger than 10".into()));
        assert_eq!(import.bytes_left, ALL_BYTES - 21, "nothing was read");
        import.bytes_left = 3;
        assert!(import.bounded(1, std::io::repeat(7)).is_err_and(|what| what.starts_with(TOO_MUCH)));
        assert_eq!(import.bytes_left, 0);
    }
}
