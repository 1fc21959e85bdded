//! Forms that run: our own folders, whose `cmd.sh` needs nothing of ours, and the lists that test drivers want.

use super::Exported;
use crate::error::{Result, write, write_script};
use crate::folder::write_test;
use crate::test::{Test, TestId};
use std::path::Path;

/// A test without an expectation passes if it runs at all.
pub fn shell(tests: &[Test], to: &Path) -> Result<Exported> {
    let ids = folders(tests, to)?;
    write_script(&to.join("run-tests.sh"), RUN_TESTS.as_bytes())?;
    Ok(Exported { written: ids.len(), left_out: Vec::new() })
}

const RUN_TESTS: &str = r#"#!/bin/sh
# Runs every test of this folder and compares with what is expected. Exit status: 0 all the same, 1 not.
# A test that is known to be flaky and differs is said, and does not count as failed; nor does one without a known end.
# Where there is timeout(1), a test may take OFFSHOOT_TEST_SECONDS (60).
cd -- "$(dirname -- "$0")" || exit 125
failed=0
flaky=0
skipped=0
total=0
limit=
command -v timeout > /dev/null && limit="timeout -k 5 ${OFFSHOOT_TEST_SECONDS:-60}"
for test in */cmd.sh; do
    total=$((total + 1))
    $limit sh "$test" --check
    status=$?
    if [ "$status" -eq 77 ]; then
        echo "SKIP ${test%/cmd.sh}"
        skipped=$((skipped + 1))
    elif [ "$status" -ne 0 ]; then
        if [ "$status" -ne 125 ] && sed -n 5p "$test" | grep -q '^# Flaky: '; then
            echo "FLAKY ${test%/cmd.sh}"
            flaky=$((flaky + 1))
        else
            echo "FAIL ${test%/cmd.sh}"
            failed=$((failed + 1))
        fi
    fi
done
echo "$total tests, $failed failed, $flaky flaky, $skipped skipped"
[ "$failed" -eq 0 ]
"#;

/// CTest itself knows no name for the folder of the file that it reads, but goes there.
const CTEST: &str = r#"# `ctest` in this folder runs these tests. In CMakeLists.txt: enable_testing(), then include() this file.
# `ctest -LE flaky` leaves out those that are known to be flaky.
if(CMAKE_CURRENT_LIST_DIR)
  set(OFFSHOOT_TESTS "${CMAKE_CURRENT_LIST_DIR}")
else()
  set(OFFSHOOT_TESTS ".")
endif()
"#;

pub fn ctest(tests: &[Test], to: &Path) -> Result<Exported> {
    let ids = folders(tests, to)?;
    let mut list = String::from(CTEST);
    for (id, test) in ids.iter().zip(tests) {
        list += &format!("add_test(\"offshoot.{id}\" \"sh\" \"${{OFFSHOOT_TESTS}}/{id}/cmd.sh\" \"--check\")\n");
        let labels = if test.flaky.is_some() { "offshoot;flaky" } else { "offshoot" };
        let properties = format!("LABELS \"{labels}\" SKIP_RETURN_CODE 77");
        list += &format!("set_tests_properties(\"offshoot.{id}\" PROPERTIES {properties})\n");
    }
    write(&to.join("CTestTestfile.cmake"), list.as_bytes())?;
    Ok(Exported { written: ids.len(), left_out: Vec::new() })
}

/// Automake runs a test without arguments, so each gets a script of one line. It has no notion of a flaky test: those
/// are left out.
pub fn automake(tests: &[Test], to: &Path) -> Result<Exported> {
    let mut exported = Exported::default();
    let (steady, flaky): (Vec<&Test>, Vec<&Test>) = tests.iter().partition(|test| test.flaky.is_none());
    for test in flaky {
        let reason = test.flaky.as_deref().unwrap_or_default();
        exported.leave_out(test, format!("it is flaky: {reason}"));
    }
    let mut list = String::from(
        "# In Makefile.am: `OFFSHOOT_TESTS = path/to/this/folder`, then `include` this file, behind it, TESTS and EXTRA_DIST.\n",
    );
    let (mut names, mut data) = (String::new(), String::new());
    for test in steady {
        let id = test.id();
        write_test(&to.join(id.as_str()), test)?;
        let script = format!("#!/bin/sh\nexec sh \"$(dirname -- \"$0\")/{id}/cmd.sh\" --check\n");
        write_script(&to.join(format!("{id}.test")), script.as_bytes())?;
        names += &format!(" \\\n\t$(OFFSHOOT_TESTS)/{id}.test");
        data += &format!(" \\\n\t$(OFFSHOOT_TESTS)/{id}.test $(OFFSHOOT_TESTS)/{id}");
        exported.written += 1;
    }
    list += &format!("TESTS +={names}\nEXTRA_DIST +={data}\n");
    write(&to.join("offshoot-tests.am"), list.as_bytes())?;
    Ok(exported)
}

fn folders(tests: &[Test], to: &Path) -> Result<Vec<TestId>> {
    let write = |test: &Test| {
        let id = test.id();
        write_test(&to.join(id.as_str()), test)?;
        Ok(id)
    };
    tests.iter().map(write).collect()
}
