//! Tests in the forms of other tools. A test that a form cannot hold is left out, with the reason.

mod files;
mod klee;
mod scripts;
mod testcomp;

use crate::error::{Error, Result, failed, make_folder};
use crate::source::Source;
use crate::test::{Test, TestId};
use crate::testcomp::Metadata;
use std::fs;
use std::io;
use std::path::Path;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The input of each test as a file named by the test's id.
    Plain,
    /// The same with the names of afl-fuzz: `id:000003,src:000001,…`.
    Afl,
    /// The same with the names of libFuzzer: the SHA-1 of the content.
    LibFuzzer,
    /// A `.ktest` a test, for harnesses.
    Klee,
    /// A folder of XML files, for harnesses.
    TestComp(Metadata),
    /// The same in one zip file, as TestCov wants it.
    TestCompZip(Metadata),
    /// A folder a test, with its `cmd.sh`, and `run-tests.sh`, which runs them all.
    Shell,
    /// The same and `CTestTestfile.cmake`.
    CTest,
    /// The same and `offshoot-tests.am`, to be included by a `Makefile.am`.
    Automake,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// How many tests have a form there. Tests with the same input share a file where only the input counts.
    pub written: usize,
    pub left_out: Vec<(TestId, String)>,
    /// Written, but for sources that have no place there.
    pub lossy: Vec<(TestId, String)>,
}

impl Exported {
    /// For forms that hold the values of a harness: whether there is something of this test to write. `is_lost` says which
    /// other sources have no place.
    fn holds_values(&mut self, test: &Test, is_lost: impl Fn(&Source) -> bool) -> bool {
        let lost =
            test.bytes.iter().filter(|(source, bytes)| !source.is_nondet() && !bytes.is_empty() && is_lost(source));
        let lost: Vec<String> = lost.map(|(source, _)| source.to_string()).collect();
        let holds = test.bytes.nondet().next().is_some();
        match lost.join(", ") {
            lost if !holds && !lost.is_empty() => {
                self.leave_out(test, format!("it has no values of a harness, and {lost} cannot be written"));
                return false;
            }
            lost if !lost.is_empty() => self.lossy.push((test.id(), format!("{lost} cannot be written"))),
            _ => {}
        }
        true
    }

    fn leave_out(&mut self, test: &Test, why: impl Into<String>) {
        self.left_out.push((test.id(), why.into()));
    }
}

/// Writes to the folder `to`, which is made (or to the file `to`, for a zip). Files that are there are replaced, and
/// [`may_write`] is asked first.
pub fn export(tests: &[Test], target: &Target, to: &Path) -> Result<Exported> {
    may_write(target, to)?;
    if !matches!(target, Target::TestCompZip(_)) {
        make_folder(to)?;
    }
    match target {
        Target::Plain => files::plain(tests, to),
        Target::Afl => files::afl(tests, to),
        Target::LibFuzzer => files::libfuzzer(tests, to),
        Target::Klee => klee::export(tests, to),
        Target::TestComp(metadata) => testcomp::folder(tests, metadata, to),
        Target::TestCompZip(metadata) => testcomp::archive(tests, metadata, to),
        Target::Shell => scripts::shell(tests, to),
        Target::CTest => scripts::ctest(tests, to),
        Target::Automake => scripts::automake(tests, to),
    }
}

/// Where tests have numbers for names, those of another time would be tests of this one. They may be the only copy that
/// somebody has, so they are not replaced.
pub fn may_write(target: &Target, to: &Path) -> Result<()> {
    let numbered = match target {
        Target::Klee => "ktest",
        Target::TestComp(_) => "xml",
        _ => return Ok(()),
    };
    let entries = match fs::read_dir(to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(failed("read", to))?,
    };
    for entry in entries {
        let file = entry.map_err(failed("read", to))?.path();
        if file.extension().is_some_and(|extension| extension == numbered) {
            return Err(Error::Occupied { file });
        }
    }
    Ok(())
}
