//! Tests of other tools. A file that cannot be read or is foreign is reported by name; the rest is imported.

mod fuzzer;
mod klee;
mod own;
mod testcomp;

pub use fuzzer::queue_number;

use crate::test::{Command, Test};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

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
    pub const NAMES: [&str; 6] = ["afl", "libfuzzer", "klee", "test-comp", "plain", "offshoot"];

    pub fn parse(name: &str) -> Option<Format> {
        let all = [Format::Afl, Format::LibFuzzer, Format::Klee, Format::TestComp, Format::Plain, Format::Offshoot];
        Format::NAMES.iter().position(|known| *known == name).map(|at| all[at])
    }

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
    let mut import = Import { command, largest, imported: Imported::default() };
    match format {
        Format::Afl => fuzzer::afl(&mut import, path),
        Format::LibFuzzer | Format::Plain => fuzzer::files(&mut import, path),
        Format::Klee => klee::import(&mut import, path),
        Format::TestComp => testcomp::import(&mut import, path),
        Format::Offshoot => own::import(&mut import, path),
    }
    import.imported
}

struct Import<'a> {
    command: &'a Command,
    largest: u64,
    imported: Imported,
}

impl Import<'_> {
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
        let content = fs::metadata(path).map_err(|error| error.to_string()).and_then(|metadata| {
            if !metadata.is_file() {
                return Err("not a regular file".to_owned());
            }
            let file = fs::File::open(path).map_err(|error| error.to_string())?;
            self.bounded(file)
        });
        content.map_err(|what| self.problem(path, what)).ok()
    }

    fn bounded(&self, from: impl Read) -> Result<Vec<u8>, String> {
        let mut content = Vec::new();
        from.take(self.largest.saturating_add(1)).read_to_end(&mut content).map_err(|error| error.to_string())?;
        if content.len() as u64 > self.largest {
            return Err(format!("larger than {}", offshoot_base::format_size(self.largest)));
        }
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

fn is_hidden(path: &Path) -> bool {
    use std::os::unix::ffi::OsStrExt;
    path.file_name().is_some_and(|name| name.as_bytes().starts_with(b"."))
}
