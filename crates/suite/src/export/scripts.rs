//! Forms that run: our own folders, whose `cmd.sh` needs nothing of ours, and the lists that test drivers want.

use super::Exported;
use crate::error::{Result, write, write_script};
use crate::folder::write_test;
use crate::test::{Test, TestId};
use std::path::Path;

/// A test without an expectation passes if it runs at all. The list names the tests: a folder may hold those of another time.
pub fn shell(tests: &[Test], to: &Path) -> Result<Exported> {
    let ids = folders(tests, to)?;
    let list: String = ids.iter().map(|id| format!(" \\\n    {id}")).collect();
    write_script(&to.join("run-tests.sh"), RUN_TESTS.replace(" TESTS", &list).as_bytes())?;
    Ok(Exported { written: ids.len(), ..Exported::default() })
}

/// A shell that waits for a program in the foreground does not see Ctrl-C, which goes to a process group that timeout(1) has
/// left. In the background a program would ignore SIGINT; env(1) puts that right.
const RUN_TESTS: &str = r#"#!/bin/sh
# Runs the tests listed below and compares with what is expected. Exit status: 0 all the same, 1 not, 125 could not start.
# A test that is known to be flaky and differs is said, and does not count as failed; nor does one without a known end.
# Where there is timeout(1), a test may take OFFSHOOT_TEST_SECONDS (60; 0 for no limit).
CDPATH= cd -- "$(dirname -- "$0")" || exit 125
seconds=${OFFSHOOT_TEST_SECONDS:-60}
case $seconds in
*[!0-9]*)
    printf '%s\n' "OFFSHOOT_TEST_SECONDS is '$seconds'; set it to a whole number of seconds, 0 for no limit" >&2
    exit 125
    ;;
esac
limit=
command -v timeout > /dev/null && limit="timeout -k 5 $seconds"
[ -n "$limit" ] && env --default-signal=INT,QUIT true 2> /dev/null && limit="$limit env --default-signal=INT,QUIT"
stop() {
    trap '' HUP INT TERM
    [ -n "$limit" ] && kill "$!" && wait "$!"
    exit "$1"
} 2> /dev/null
trap 'stop 129' HUP
trap 'stop 130' INT
trap 'stop 143' TERM
failed=0
flaky=0
skipped=0
total=0
for id in TESTS; do
    total=$((total + 1))
    if [ ! -r "$id/cmd.sh" ]; then
        echo "FAIL $id: $id/cmd.sh is gone"
        failed=$((failed + 1))
        continue
    fi
    if [ -n "$limit" ]; then
        $limit sh "$id/cmd.sh" --check < /dev/null &
        wait "$!"
    else
        sh "$id/cmd.sh" --check < /dev/null
    fi
    status=$?
    [ "$status" -eq 0 ] && continue
    if [ "$status" -eq 77 ]; then
        echo "SKIP $id"
        skipped=$((skipped + 1))
        continue
    fi
    failure="FAIL $id"
    case $limit:$status in
    # 137: it had to be killed.
    ?*:124 | ?*:137) failure="TIMEOUT $id after $seconds s" ;;
    esac
    if [ "$status" -ne 125 ] && sed -n 5p "$id/cmd.sh" | grep -q '^# Flaky: '; then
        echo "FLAKY ${failure#* }"
        flaky=$((flaky + 1))
    else
        echo "$failure"
        failed=$((failed + 1))
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
    Ok(Exported { written: ids.len(), ..Exported::default() })
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
