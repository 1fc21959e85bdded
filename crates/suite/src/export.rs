//! Tests in the forms of other tools. A test that a form cannot hold is left out, with the reason.

mod files;
mod klee;
mod scripts;
mod testcomp;

use crate::error::{Result, make_folder};
use crate::test::{Test, TestId};
use crate::testcomp::Metadata;
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
}

impl Exported {
    fn leave_out(&mut self, test: &Test, why: impl Into<String>) {
        self.left_out.push((test.id(), why.into()));
    }
}

impl Target {
    pub const NAMES: [&str; 9] =
        ["plain", "afl", "libfuzzer", "klee", "test-comp", "test-comp-zip", "shell", "ctest", "automake"];
}

/// Writes to the folder `to`, which is made (or to the file `to`, for a zip). Files that are there are replaced.
pub fn export(tests: &[Test], target: &Target, to: &Path) -> Result<Exported> {
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
