//! Tests as shell scripts, and how sh, ctest and automake run them.

use super::{cats, fifo, tree};
use offshoot_suite::export::{Target, export};
use offshoot_suite::{Bytes, Command, Expected, Origin, Source, Status, Test};
use std::fs;
use std::path::Path;
use std::process;
use tempfile::tempdir;

#[test]
fn scripts_run_one_by_one_and_all_together() {
    let root = tempdir().expect("a folder");
    let tests = cats();
    export(&tests, &Target::Shell, root.path()).expect("written");
    let run = |script: &Path| {
        let out = process::Command::new("/bin/sh").arg(script).output().expect("a shell");
        (out.status.code(), String::from_utf8_lossy(&out.stdout).into_owned())
    };
    let all = root.path().join("run-tests.sh");
    assert_eq!(run(&all), (Some(0), format!("FLAKY {}\n2 tests, 0 failed, 1 flaky, 0 skipped\n", tests[1].id())));
    // The folder has the flaky one still, which is no test of this time.
    let steady = Test { flaky: None, ..tests[1].clone() };
    export(std::slice::from_ref(&steady), &Target::Shell, root.path()).expect("written");
    assert_eq!(run(&all), (Some(1), format!("FAIL {}\n1 tests, 1 failed, 0 flaky, 0 skipped\n", steady.id())));
    let id = steady.id();
    fs::remove_dir_all(root.path().join(id.as_str())).expect("removed");
    let gone = format!("FAIL {id}: {id}/cmd.sh is gone\n1 tests, 1 failed, 0 flaky, 0 skipped\n");
    assert_eq!(run(&all), (Some(1), gone));
}

/// A test that writes its process to `pid` and then waits for ever.
fn endless(pid: &Path, is_flaky: bool) -> Test {
    let code = format!("echo $$ > '{}'; exec sleep 1000000", pid.display());
    let command = Command::new("/bin/sh", ["-c", &code]);
    let mut test = Test::new(command, Bytes::new(), Origin::Seed);
    test.expectation.status = Some(Expected::recorded(Status::Exited(0)));
    test.flaky = is_flaky.then(|| "it may wait".to_owned());
    test
}

const SHELLS: [&str; 2] = ["dash", "bash"];

#[test]
fn a_test_that_takes_too_long_is_said_to() {
    for shell in SHELLS {
        let root = tempdir().expect("a folder");
        let tests = [endless(&root.path().join("a"), false), endless(&root.path().join("b"), true)];
        export(&tests, &Target::Shell, root.path()).expect("written");
        let script = root.path().join("run-tests.sh");
        let run = |seconds: &str| {
            let out = process::Command::new(shell).arg(&script).env("OFFSHOOT_TEST_SECONDS", seconds).output();
            out.expect("a shell")
        };
        let out = run("1");
        let [a, b] = tests.each_ref().map(Test::id);
        let said = format!("TIMEOUT {a} after 1 s\nFLAKY {b} after 1 s\n2 tests, 1 failed, 1 flaky, 0 skipped\n");
        assert_eq!((out.status.code(), String::from_utf8_lossy(&out.stdout)), (Some(1), said.into()), "{shell}");
        let out = run("abc");
        assert_eq!((out.status.code(), &out.stdout[..]), (Some(125), &b""[..]), "{shell}");
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(said.contains("OFFSHOOT_TEST_SECONDS is 'abc'") && said.lines().count() == 1, "{said}");
    }
}

/// Ctrl-C goes to the group of the script, and timeout(1) is in one of its own.
#[test]
fn who_stops_the_script_stops_the_test() {
    for (shell, signal, status) in
        [("dash", "INT", 130), ("bash", "INT", 130), ("dash", "TERM", 143), ("bash", "TERM", 143)]
    {
        let root = tempdir().expect("a folder");
        let pid = root.path().join("pid");
        fifo(&pid);
        export(&[endless(&pid, false)], &Target::Shell, root.path()).expect("written");
        let mut script = process::Command::new(shell);
        let mut script =
            script.arg(root.path().join("run-tests.sh")).stdin(process::Stdio::null()).spawn().expect("a shell");
        // Comes when the program runs.
        let program: u32 = fs::read_to_string(&pid).expect("a number").trim().parse().expect("a number");
        let kill = process::Command::new("kill").args([format!("-{signal}"), script.id().to_string()]).status();
        assert!(kill.expect("kill").success());
        assert_eq!(script.wait().expect("it ends").code(), Some(status), "{shell}");
        let command = fs::read_to_string(format!("/proc/{program}/cmdline")).unwrap_or_default();
        assert!(!command.contains("sleep"), "{shell} {signal}: {command}");
    }
}

/// Shells give what runs in the background an ignored SIGINT.
#[test]
fn a_test_sees_the_signals_that_it_saw() {
    let command = Command::new("/bin/sh", ["-c", "kill -INT $$; echo went on"]);
    let mut test = Test::new(command, Bytes::new(), Origin::Seed);
    test.expectation.status = Some(Expected::recorded(Status::Signaled(2)));
    test.expectation.stdout = Some(Expected::recorded(Vec::new().into()));
    let root = tempdir().expect("a folder");
    export(&[test], &Target::Shell, root.path()).expect("written");
    for shell in SHELLS {
        let out = process::Command::new(shell).arg(root.path().join("run-tests.sh")).output().expect("a shell");
        assert_eq!(String::from_utf8_lossy(&out.stdout), "1 tests, 0 failed, 0 flaky, 0 skipped\n", "{shell}");
    }
}

#[test]
fn scripts_are_found_whatever_cdpath_says() {
    let root = tempdir().expect("a folder");
    let elsewhere = tempdir().expect("a folder");
    fs::create_dir(elsewhere.path().join("exported")).expect("made");
    export(&cats()[..1], &Target::Shell, &root.path().join("exported")).expect("written");
    for shell in SHELLS {
        let mut command = process::Command::new(shell);
        command.arg("exported/run-tests.sh").current_dir(root.path()).env("CDPATH", elsewhere.path());
        let out = command.output().expect("a shell");
        assert_eq!(String::from_utf8_lossy(&out.stdout), "1 tests, 0 failed, 0 flaky, 0 skipped\n", "{shell}");
    }
}

#[test]
fn a_test_of_whose_end_nothing_is_known_is_not_waited_for() {
    let command = Command::new("/bin/sleep", ["1000000"]);
    let test = Test::new(command.clone(), command.on_seed(Vec::new()), Origin::Seed);
    let killed = Test { flaky: Some("killed when it was recorded".into()), ..test.clone() };
    let mut ended = test;
    ended.expectation.status = Some(Expected::recorded(Status::Ended("time limit".into())));
    for test in [killed, ended] {
        let root = tempdir().expect("a folder");
        export(std::slice::from_ref(&test), &Target::Shell, root.path()).expect("written");
        let id = test.id();
        let check =
            process::Command::new("/bin/sh").arg(root.path().join(id.as_str()).join("cmd.sh")).arg("--check").output();
        assert_eq!(check.expect("a shell").status.code(), Some(77));
        let all = process::Command::new("/bin/sh").arg(root.path().join("run-tests.sh")).output().expect("a shell");
        assert_eq!(all.status.code(), Some(0));
        let said = String::from_utf8_lossy(&all.stdout);
        assert_eq!(said, format!("SKIP {id}\n1 tests, 0 failed, 0 flaky, 1 skipped\n"));
    }
}

/// Whatever shell it is, and whether the program reads a file or a pipe.
#[test]
fn what_a_shell_says_of_a_signal_is_not_the_programs_output() {
    for piped in [false, true] {
        let root = tempdir().expect("a folder");
        let mut command = Command::new("/bin/sh", ["-c", "cat; echo last words >&2; kill -ABRT $$"]);
        command.world.piped = piped;
        let mut input = Bytes::new();
        input.insert(Source::Stdin, b"in".to_vec());
        let mut test = Test::new(command, input, Origin::Recorded);
        test.expectation.status = Some(Expected::recorded(Status::Signaled(6)));
        test.expectation.stdout = Some(Expected::recorded(b"in".to_vec().into()));
        test.expectation.stderr = Some(Expected::recorded(b"last words\n".to_vec().into()));
        export(std::slice::from_ref(&test), &Target::Shell, root.path()).expect("written");
        let script = root.path().join(test.id().as_str()).join("cmd.sh");
        for shell in ["sh", "bash"] {
            let check = process::Command::new(shell).arg(&script).arg("--check").output().expect("a shell");
            assert_eq!(
                (check.status.code(), String::from_utf8_lossy(&check.stderr).as_ref()),
                (Some(0), ""),
                "{shell}"
            );
            let run = process::Command::new(shell).arg(&script).output().expect("a shell");
            assert_eq!((run.status.code(), run.stderr.as_slice()), (Some(134), &b"last words\n"[..]), "{shell}");
        }
    }
}

#[test]
fn a_ctest_file_lists_every_test() {
    let root = tempdir().expect("a folder");
    let tests = cats();
    export(&tests, &Target::CTest, root.path()).expect("written");
    let text = String::from_utf8_lossy(&tree(root.path())["CTestTestfile.cmake"]).into_owned();
    let (a, b) = (tests[0].id(), tests[1].id());
    let expected = format!(
        r#"add_test("offshoot.{a}" "sh" "${{OFFSHOOT_TESTS}}/{a}/cmd.sh" "--check")
set_tests_properties("offshoot.{a}" PROPERTIES LABELS "offshoot" SKIP_RETURN_CODE 77)
add_test("offshoot.{b}" "sh" "${{OFFSHOOT_TESTS}}/{b}/cmd.sh" "--check")
set_tests_properties("offshoot.{b}" PROPERTIES LABELS "offshoot;flaky" SKIP_RETURN_CODE 77)
"#
    );
    assert!(text.ends_with(&expected), "{text}");
}

#[test]
fn ctest_runs_them_wherever_it_finds_them() {
    let root = tempdir().expect("a folder");
    let folder = root.path().join("exported");
    export(&cats(), &Target::CTest, &folder).expect("written");
    let ctest = |folder: &Path, args: &[&str]| {
        let out =
            process::Command::new("ctest").args(args).current_dir(folder).output().expect("ctest; run: make setup");
        (out.status.success(), String::from_utf8_lossy(&out.stdout).into_owned())
    };
    let passes = |folder: &Path| {
        let (passed, said) = ctest(folder, &["-LE", "flaky"]);
        assert!(passed && said.contains("100% tests passed, 0 tests failed out of 1"), "{said}");
    };
    passes(&folder);
    assert!(!ctest(&folder, &[]).0, "the flaky one waits");

    let above = root.path().join("CTestTestfile.cmake");
    fs::write(&above, "subdirs(exported)\n").expect("written");
    passes(root.path());
    fs::write(&above, "include(exported/CTestTestfile.cmake)\n").expect("written");
    passes(root.path());
}

#[test]
fn an_automake_fragment_lists_steady_tests() {
    let root = tempdir().expect("a folder");
    let tests = cats();
    let exported = export(&tests, &Target::Automake, root.path()).expect("written");
    assert_eq!(exported.left_out, [(tests[1].id(), "it is flaky: it waits for the moon".to_owned())]);
    let text = String::from_utf8_lossy(&tree(root.path())["offshoot-tests.am"]).into_owned();
    let id = tests[0].id();
    let (_, lists) = text.split_once('\n').expect("a comment");
    let expected = format!(
        "TESTS += \\\n\t$(OFFSHOOT_TESTS)/{id}.test\n\
         EXTRA_DIST += \\\n\t$(OFFSHOOT_TESTS)/{id}.test $(OFFSHOOT_TESTS)/{id}\n"
    );
    assert_eq!(lists, expected);
    let script = root.path().join(format!("{id}.test"));
    assert!(process::Command::new(script).status().expect("an executable script").success());
}
