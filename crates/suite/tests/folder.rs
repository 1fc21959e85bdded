//! Tests on disk: what is written comes back, scripts run without us, identical tests are kept once.

use offshoot_suite::{
    Bytes, Command, Edit, Error, Expectation, Expected, Origin, Output, SEED, SEED_PATH, Sink, Source, Standing,
    Status, Suite, Test, TestId, Thing, What, World, read_test, write_test,
};
use proptest::prelude::*;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;

fn word() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(1u8.., 0..6)
}

fn os() -> impl Strategy<Value = OsString> {
    word().prop_map(OsString::from_vec)
}

fn source() -> impl Strategy<Value = Source> {
    prop_oneof![
        (1u32..20).prop_map(Source::Arg),
        Just(Source::Stdin),
        os().prop_map(|path| Source::File(path.into())),
        os().prop_map(Source::Env),
        (word(), 0u32..3).prop_map(|(name, number)| Source::Nondet { name, number }),
    ]
}

fn bytes() -> impl Strategy<Value = Bytes> {
    prop::collection::vec((source(), prop::collection::vec(any::<u8>(), 0..8)), 0..8)
        .prop_map(|sources| sources.into_iter().collect())
}

fn expected<T: std::fmt::Debug>(value: impl Strategy<Value = T>) -> impl Strategy<Value = Option<Expected<T>>> {
    let standing = prop_oneof![Just(Standing::Recorded), Just(Standing::Judged)];
    prop::option::of((value, standing).prop_map(|(value, standing)| Expected { value, standing }))
}

fn output() -> impl Strategy<Value = Output> {
    (any::<Vec<u8>>(), 0u64..3).prop_map(|(bytes, more)| Output { total: bytes.len() as u64 + more, bytes })
}

fn origin() -> impl Strategy<Value = Origin> {
    let edit = (source(), any::<u32>(), any::<u8>()).prop_map(|(source, offset, value)| Edit {
        source: Arc::new(source),
        offset,
        value,
    });
    let parent = TestId::parse("0123456789abcdef").expect("an id");
    prop_oneof![
        Just(Origin::Reduced { original: parent.clone() }),
        Just(Origin::Seed),
        Just(Origin::Recorded),
        os().prop_map(|from| Origin::Imported { from: from.into() }),
        (any::<String>(), prop::collection::vec(edit, 0..3)).prop_map(move |(flipped, changed)| Origin::Generated {
            parent: parent.clone(),
            flipped,
            changed,
        }),
    ]
}

fn sink() -> impl Strategy<Value = Sink> {
    prop_oneof![Just(Sink::Kept), Just(Sink::Null), Just(Sink::Full), Just(Sink::Closed)]
}

fn world() -> impl Strategy<Value = World> {
    let what = prop_oneof![
        Just(What::Absent),
        Just(What::Directory),
        os().prop_map(|to| What::Link(to.into())),
        any::<u64>().prop_map(|size| What::File { size }),
    ];
    let thing = (what, 0u32..0o10000, any::<Option<(i64, i64)>>()).prop_map(|(what, mode, modified)| Thing {
        what,
        mode,
        modified,
    });
    let things = prop::collection::btree_map(os().prop_map(PathBuf::from), thing, 0..3);
    (things, any::<Option<u32>>(), any::<Option<i32>>(), any::<[bool; 3]>(), [sink(), sink()]).prop_map(
        |(things, umask, nice, [whole_env, piped, stdin_closed], outputs)| World {
            things,
            umask,
            nice,
            whole_env,
            piped,
            stdin_closed,
            outputs,
        },
    )
}

fn test() -> impl Strategy<Value = Test> {
    let env = prop::collection::btree_map(os(), prop::option::of(os()), 0..3);
    let command =
        (os(), prop::option::of(os()), prop::collection::vec(os(), 0..4), prop::option::of(os()), env, world())
            .prop_map(|(program, name, args, cwd, env, world)| Command {
                program: program.into(),
                name,
                args,
                cwd: cwd.map(Into::into),
                env,
                world,
            });
    let status = prop_oneof![
        any::<i32>().prop_map(Status::Exited),
        any::<i32>().prop_map(Status::Signaled),
        any::<String>().prop_map(Status::Ended)
    ];
    let expectation = (expected(status), expected(output()), expected(output()))
        .prop_map(|(status, stdout, stderr)| Expectation { status, stdout, stderr });
    (command, bytes(), expectation, origin(), prop::option::of(any::<String>()))
        .prop_map(|(command, bytes, expectation, origin, flaky)| Test { command, bytes, expectation, origin, flaky })
}

proptest! {
    #[test]
    fn any_test_comes_back(test in test()) {
        let folder = tempfile::tempdir().expect("a folder");
        write_test(folder.path(), &test).expect("written");
        let back = read_test(folder.path()).expect("read");
        prop_assert_eq!(back.id(), test.id());
        let values = |test: &Test| test.bytes.nondet().map(|(s, b)| (s.clone(), b.to_vec())).collect::<Vec<_>>();
        prop_assert_eq!(values(&back), values(&test), "the order of calls is kept");
        prop_assert_eq!(back, test);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// The shell hands over every byte: arguments, variables, and the names of files.
    #[test]
    fn any_bytes_survive_the_shell(
        args in prop::collection::vec(prop::collection::vec(1u8.., 0..12), 0..5),
        value in prop::collection::vec(1u8.., 0..12),
        name in prop::collection::vec(1u8.., 1..8).prop_filter("a name", |name| {
            !name.contains(&b'/') && name != b"." && name != b".." && name != b"-"
        }),
    ) {
        let code = r#"printf '%s\0' "$V" "$@"; cat < "$1""#;
        let mut words: Vec<OsString> = ["-c".into(), code.into(), "sh".into()].into();
        words.push(OsString::from_vec(name.clone()));
        words.extend(args.iter().cloned().map(OsString::from_vec));
        let mut bytes = Bytes::new();
        bytes.insert(Source::Env("V".into()), value.clone());
        bytes.insert(Source::File(OsString::from_vec(name.clone()).into()), b"content".to_vec());
        let test = Test::new(Command::new("/bin/sh", words), bytes, Origin::Seed);
        let folder = tempfile::tempdir().expect("a folder");
        write_test(folder.path(), &test).expect("written");
        let (status, stdout) = sh(folder.path(), &[]);
        let mut wanted = Vec::new();
        for word in [&value, &name].into_iter().chain(&args) {
            wanted.extend_from_slice(word);
            wanted.push(0);
        }
        wanted.extend_from_slice(b"content");
        prop_assert_eq!((status, stdout), (Some(0), wanted));
    }
}

fn sh(folder: &Path, args: &[&str]) -> (Option<i32>, Vec<u8>) {
    let out = process::Command::new("/bin/sh").arg(folder.join("cmd.sh")).args(args).output().expect("a shell");
    (out.status.code(), out.stdout)
}

fn cat(bytes: &[u8]) -> Test {
    let command = Command::new("/bin/cat", [SEED, "-"]);
    let mut bytes = command.on_seed(bytes.to_vec());
    bytes.insert(Source::Stdin, b"in\n".to_vec());
    let mut test = Test::new(command, bytes, Origin::Seed);
    test.expectation.status = Some(Expected::recorded(Status::Exited(0)));
    test.expectation.stdout = Some(Expected::recorded(b"file\nin\n".to_vec().into()));
    test.expectation.stderr = Some(Expected::recorded(Vec::new().into()));
    test
}

#[test]
fn a_script_runs_the_test_and_compares_when_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    write_test(folder.path(), &cat(b"file\n")).expect("written");
    assert_eq!(sh(folder.path(), &[]), (Some(0), b"file\nin\n".to_vec()));
    assert_eq!(sh(folder.path(), &["--check"]), (Some(0), Vec::new()));

    let other = tempfile::tempdir().expect("a folder");
    write_test(other.path(), &cat(b"other\n")).expect("written");
    assert_eq!(sh(other.path(), &["--check"]), (Some(1), Vec::new()));
}

#[test]
fn an_output_of_which_the_beginning_is_known_is_compared_so_far() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut test = cat(b"file\n");
    test.expectation.stdout = Some(Expected::recorded(Output { bytes: b"file".to_vec(), total: 8 }));
    write_test(folder.path(), &test).expect("written");
    assert_eq!(sh(folder.path(), &["--check"]).0, Some(0));
}

#[test]
fn the_name_of_the_seed_file_may_be_in_the_output() {
    let root = tempfile::tempdir().expect("a folder");
    let command = Command::new("/bin/sh", ["-c", "echo \"$1: odd\"; echo ${1##*/}; echo $1 >&2", "sh", SEED]);
    let mut test = Test::new(command.clone(), command.on_seed(b"x".to_vec()), Origin::Seed);
    test.expectation.stdout =
        Some(Expected::recorded(format!("{SEED_PATH}: odd\noffshoot-seed\n").into_bytes().into()));
    test.expectation.stderr = Some(Expected::recorded(Output { bytes: SEED_PATH.into(), total: 19 }));
    // Characters that mean something to sed.
    let folder = root.path().join("a.*[b]&\\|^$");
    write_test(&folder, &test).expect("written");
    assert_eq!(sh(&folder, &["--check"]).0, Some(0));
    test.expectation.stdout =
        Some(Expected::recorded(format!("{SEED_PATH}: fine\noffshoot-seed\n").into_bytes().into()));
    write_test(&folder, &test).expect("written");
    assert_eq!(sh(&folder, &["--check"]).0, Some(1));
}

#[test]
fn the_death_of_a_program_is_its_status() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut test = Test::new(Command::new("/bin/sh", ["-c", "kill -9 $$"]), Bytes::new(), Origin::Seed);
    test.expectation.status = Some(Expected::recorded(Status::Signaled(9)));
    write_test(folder.path(), &test).expect("written");
    assert_eq!(sh(folder.path(), &[]).0, Some(137));
    assert_eq!(sh(folder.path(), &["--check"]).0, Some(0));
}

#[test]
fn a_stream_that_went_to_a_device_goes_there() {
    for (sink, status, place) in [(Sink::Null, 0, "/dev/null\n"), (Sink::Full, 1, "/dev/full\n")] {
        let folder = tempfile::tempdir().expect("a folder");
        let code = "place=$(readlink /proc/$$/fd/1); echo $place >&2; echo lost 2> /dev/null";
        let mut command = Command::new("/bin/sh", ["-c", code]);
        command.world.outputs = [sink, Sink::Kept];
        let mut test = Test::new(command, Bytes::new(), Origin::Seed);
        test.expectation.status = Some(Expected::recorded(Status::Exited(status)));
        test.expectation.stderr = Some(Expected::recorded(place.as_bytes().to_vec().into()));
        write_test(folder.path(), &test).expect("written");
        let out = process::Command::new("/bin/sh").arg(folder.path().join("cmd.sh")).output().expect("sh");
        assert_eq!((&out.stdout[..], &out.stderr[..]), (&b""[..], place.as_bytes()));
        assert_eq!(sh(folder.path(), &["--check"]).0, Some(0));
    }
}

#[test]
fn a_stream_that_was_closed_is_closed() {
    let code = "o=; e=; [ -e /proc/$$/fd/1 ] && o=1; [ -e /proc/$$/fd/2 ] && e=1; \
                if [ $o ]; then echo out $o err $e; elif [ $e ]; then echo out $o err $e >&2; fi";
    let kept = |text: &str| Some(Expected::recorded(text.as_bytes().to_vec().into()));
    for (outputs, stdout, stderr) in [
        ([Sink::Closed, Sink::Kept], "", "out err 1\n"),
        ([Sink::Kept, Sink::Closed], "out 1 err\n", ""),
        ([Sink::Closed, Sink::Closed], "", ""),
    ] {
        // The second by way of bash.
        for name in [None, Some("called".into())] {
            let folder = tempfile::tempdir().expect("a folder");
            let mut command = Command::new("/bin/sh", ["-c", code]);
            (command.name, command.world.outputs) = (name, outputs);
            let mut test = Test::new(command, Bytes::new(), Origin::Seed);
            test.expectation.status = Some(Expected::recorded(Status::Exited(0)));
            (test.expectation.stdout, test.expectation.stderr) = (kept(stdout), kept(stderr));
            write_test(folder.path(), &test).expect("written");
            let out = process::Command::new("/bin/sh").arg(folder.path().join("cmd.sh")).output().expect("sh");
            assert_eq!((&out.stdout[..], &out.stderr[..]), (stdout.as_bytes(), stderr.as_bytes()), "{outputs:?}");
            assert_eq!(sh(folder.path(), &["--check"]).0, Some(0), "{outputs:?}");
        }
    }
}

#[test]
fn a_standard_input_that_was_closed_is_closed() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new("/bin/sh", ["-c", "[ -e /proc/$$/fd/0 ] || echo closed"]);
    command.world.stdin_closed = true;
    let mut test = Test::new(command, Bytes::new(), Origin::Seed);
    test.expectation.stdout = Some(Expected::recorded(b"closed\n".to_vec().into()));
    write_test(folder.path(), &test).expect("written");
    assert_eq!(sh(folder.path(), &["--check"]).0, Some(0));
    let closed = test.id();
    test.command.world.stdin_closed = false;
    assert_ne!(test.id(), closed);
}

/// Somebody may have put something there since.
#[test]
fn what_a_recorded_test_makes_it_makes_in_a_scratch_folder() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new("/bin/sh", ["-c", "cat out; echo new > out"]);
    command.cwd = Some(place.path().into());
    command.world.things.insert("out".into(), Thing { what: What::Absent, mode: 0, modified: None });
    let mut test = Test::new(command, Bytes::new(), Origin::Recorded);
    test.expectation.stdout = Some(Expected::recorded(Vec::new().into()));
    write_test(folder.path(), &test).expect("written");
    fs::write(place.path().join("out"), "precious\n").expect("written");
    assert_eq!(sh(folder.path(), &["--check"]).0, Some(0));
    assert_eq!(fs::read_to_string(place.path().join("out")).expect("read"), "precious\n");
}

/// It may be an empty folder to the test, and one with work in it by now.
#[test]
fn a_recorded_test_that_names_nothing_works_in_a_scratch_folder_too() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new("/bin/sh", ["-c", "ls; rm -rf ./* && find . -delete; echo done"]);
    command.cwd = Some(place.path().into());
    command.world.umask = Some(0o022);
    let mut test = Test::new(command, Bytes::new(), Origin::Recorded);
    test.expectation.stdout = Some(Expected::recorded(b"done\n".to_vec().into()));
    write_test(folder.path(), &test).expect("written");
    fs::write(place.path().join("out"), "precious\n").expect("written");
    assert_eq!(sh(folder.path(), &["--check"]).0, Some(0));
    assert_eq!(fs::read_to_string(place.path().join("out")).expect("read"), "precious\n");
}

#[test]
fn a_program_finds_itself_where_it_was_called() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["./sh", "../bin/sh"] {
        let mut command = Command::new("/bin/sh", ["-c", "\"$0\" -c 'echo again'"]);
        command.args.push(name.into());
        (command.name, command.cwd, command.world.umask) = (Some(name.into()), Some("/nowhere/at".into()), Some(0o022));
        write_test(folder.path(), &Test::new(command, Bytes::new(), Origin::Recorded)).expect("written");
        assert_eq!(sh(folder.path(), &[]), (Some(0), b"again\n".to_vec()), "{name}");
    }
}

/// What is behind it has a name that leads through two others.
#[test]
fn nothing_is_written_through_a_link() {
    let elsewhere = tempfile::tempdir().expect("a folder");
    let folder = tempfile::tempdir().expect("a folder");
    let precious = elsewhere.path().join("x");
    fs::write(&precious, "precious\n").expect("written");
    let mut command = Command::new("/bin/sh", ["-c", "ls -L current; readlink current rel/latest current/config"]);
    command.cwd = Some("/nowhere/app".into());
    for (path, to) in
        [("current", Path::new("rel/latest")), ("rel/latest", Path::new("v2")), ("current/config", elsewhere.path())]
    {
        let link = Thing { what: What::Link(to.into()), mode: 0o777, modified: None };
        command.world.things.insert(path.into(), link);
    }
    let made = Thing { what: What::File { size: 3 }, mode: 0o600, modified: Some((1, 0)) };
    command.world.things.insert("current/config/x".into(), made);
    let bytes = [("current/config/x", "new"), ("rel/latest/a", "A")];
    let bytes = bytes.map(|(path, content)| (Source::File(path.into()), content.as_bytes().to_vec()));
    let test = Test::new(command, bytes.into_iter().collect(), Origin::Recorded);
    write_test(folder.path(), &test).expect("written");
    let said = format!("a\nconfig\nrel/latest\nv2\n{}\n", elsewhere.path().display());
    assert_eq!(sh(folder.path(), &[]), (Some(0), said.into_bytes()));
    assert_eq!(fs::read_to_string(&precious).expect("read"), "precious\n");
}

#[test]
fn a_program_may_change_or_remove_its_seed() {
    let folder = tempfile::tempdir().expect("a folder");
    let command =
        Command::new("/bin/sh", ["-c", "cat \"$1\" && echo more >> \"$1\" && mv \"$1\" \"$1.gz\"", "sh", SEED]);
    let mut test = Test::new(command.clone(), command.on_seed(b"seed\n".to_vec()), Origin::Seed);
    test.expectation.stdout = Some(Expected::recorded(b"seed\n".to_vec().into()));
    write_test(folder.path(), &test).expect("written");
    for _ in 0..2 {
        assert_eq!(sh(folder.path(), &[]), (Some(0), b"seed\n".to_vec()));
        assert_eq!(sh(folder.path(), &["--check"]).0, Some(0));
    }
    assert_eq!(read_test(folder.path()).expect("whole"), test);
}

#[test]
fn bytes_that_happen_to_be_the_mark_are_no_seed_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes: Bytes = [(Source::Arg(1), SEED.into())].into_iter().collect();
    let test = Test::new(Command::new("/bin/echo", ["x@@"]), bytes, Origin::Seed);
    assert_eq!(test.command.arguments(&test.bytes), [SEED]);
    write_test(folder.path(), &test).expect("written");
    assert_eq!(sh(folder.path(), &[]), (Some(0), b"@@\n".to_vec()));
}

#[test]
fn scratch_folders_may_be_relative() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("scratch")).expect("a folder");
    let mut test = cat(b"file\n");
    for is_recorded in [false, true] {
        test.command.world.umask = is_recorded.then_some(0o022);
        test.command.cwd = Some(if is_recorded { "/nowhere/at/all" } else { "/" }.into());
        write_test(&folder.path().join("test"), &test).expect("written");
        let mut command = process::Command::new("/bin/sh");
        let out = command.args(["test/cmd.sh", "--check"]).current_dir(&folder).env("TMPDIR", "scratch").output();
        let out = out.expect("a shell");
        assert_eq!((out.status.code(), &out.stderr[..]), (Some(0), &b""[..]));
        assert_eq!(fs::read_dir(folder.path().join("scratch")).expect("a folder").count(), 0);
    }
}

#[test]
fn a_test_without_its_seed_file_runs_where_there_is_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let command = Command::new("/bin/sh", ["-c", "[ ! -e \"$1\" ] && echo \"${1##*/}\"", "sh", SEED]);
    let mut test = Test::new(command, Bytes::default(), Origin::Seed);
    for end in [None, Some(Expected::recorded(Status::Ended("timeout".into())))] {
        test.expectation.status = end;
        write_test(folder.path(), &test).expect("written");
        assert_eq!(sh(folder.path(), &[]), (Some(0), b"offshoot-seed\n".to_vec()));
    }
}

#[test]
fn variables_that_shells_keep_for_themselves_are_the_programs() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new("/usr/bin/env", [""; 0]);
    let variables = ["UID=0", "PPID=x", "SHELLOPTS=xtrace", "OPTIND=y", "IFS=z", "LC_ALL=xx_XX.UTF-8", "SHLVL=7"];
    let names: Vec<&str> = variables.iter().map(|pair| pair.split('=').next().unwrap_or_default()).collect();
    for pair in variables {
        let (name, value) = pair.split_once('=').expect("a pair");
        command.env.insert(name.into(), Some(value.into()));
    }
    for gone in ["BASHOPTS", "EUID", "PWD", "OLDPWD", "_"] {
        command.env.insert(gone.into(), None);
    }
    let mut test = Test::new(command, Bytes::new(), Origin::Seed);
    test.expectation.stderr = Some(Expected::recorded(Vec::new().into()));
    write_test(folder.path(), &test).expect("written");
    for shell in ["/bin/sh", "/bin/bash"] {
        let run = |args: &[&str]| {
            let mut script = process::Command::new(shell);
            script.arg(folder.path().join("cmd.sh")).args(args).env_clear().env("PATH", "/usr/bin:/bin");
            script.output().expect("a shell")
        };
        let out = run(&[]);
        let said = String::from_utf8_lossy(&out.stdout).into_owned();
        let mut seen: Vec<&str> = said.lines().filter(|line| !line.starts_with("PATH=")).collect();
        seen.sort_by_key(|line| names.iter().position(|name| line.starts_with(&format!("{name}="))));
        assert_eq!((seen, &out.stderr[..]), (variables.to_vec(), &b""[..]), "{shell}");
        assert_eq!(run(&["--check"]).status.code(), Some(0), "{shell}");
    }
}

#[test]
fn a_program_whose_name_looks_like_an_assignment_is_one_all_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("a=b");
    std::os::unix::fs::symlink("/bin/echo", &program).expect("a link");
    let mut command = Command::new(&program, ["hello"]);
    command.env.insert("V".into(), Some("1".into()));
    write_test(&folder.path().join("test"), &Test::new(command, Bytes::new(), Origin::Seed)).expect("written");
    assert_eq!(sh(&folder.path().join("test"), &[]), (Some(0), b"hello\n".to_vec()));
}

#[test]
fn a_part_of_a_test_that_is_gone_is_no_failure_of_its_program() {
    for (gone, plain) in [("file.0", 125), ("stdin", 125), ("expected.stdout", 0), ("expected.stderr", 0)] {
        let folder = tempfile::tempdir().expect("a folder");
        write_test(folder.path(), &cat(b"file\n")).expect("written");
        fs::remove_file(folder.path().join(gone)).expect("removed");
        assert_eq!(sh(folder.path(), &[]).0, Some(plain), "{gone}");
        let out =
            process::Command::new("/bin/sh").arg(folder.path().join("cmd.sh")).arg("--check").output().expect("sh");
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(125), "{gone}: {said}");
        assert!(said.contains(&format!("/{gone}, which is a part of this test")), "{said}");
    }
}

#[test]
fn names_that_lead_up_lead_to_the_files_of_the_test() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new("/bin/sh", ["-c", "cat ../a here/../b here/link ../../top/mid/c"]);
    command.cwd = Some("/nowhere/top/mid/low".into());
    let link = Thing { what: What::Link("../../a".into()), mode: 0o777, modified: None };
    command.world.things.insert("here/link".into(), link);
    let files = [("../a", "A"), ("here/../b", "B"), ("../../top/mid/c", "C")];
    let bytes = files.map(|(path, content)| (Source::File(path.into()), content.as_bytes().to_vec()));
    let mut test = Test::new(command, bytes.into_iter().collect(), Origin::Recorded);
    test.expectation.stdout = Some(Expected::recorded(b"ABAC".to_vec().into()));
    write_test(folder.path(), &test).expect("written");
    assert_eq!(sh(folder.path(), &["--check"]).0, Some(0));
}

#[test]
fn modes_times_and_a_pipe_are_as_recorded() {
    let folder = tempfile::tempdir().expect("a folder");
    let code = r#"stat -c '%n %a %Y %y' closed closed/file; test -p /dev/stdin && cat; umask"#;
    let mut command = Command::new("/bin/sh", ["-c", code]);
    let thing = |what, mode, modified| Thing { what, mode, modified: Some(modified) };
    let file = What::File { size: 3 };
    command.world.things.insert("closed".into(), thing(What::Directory, 0o555, (1_000_000_000, 5)));
    command.world.things.insert("closed/file".into(), thing(file, 0o600, (-1, 123_456_789)));
    (command.world.umask, command.world.piped) = (Some(0o077), true);
    let mut bytes = Bytes::new();
    bytes.insert(Source::File("closed/file".into()), b"abc".to_vec());
    bytes.insert(Source::Stdin, b"through a pipe\n".to_vec());
    write_test(folder.path(), &Test::new(command, bytes, Origin::Recorded)).expect("written");
    let out = process::Command::new("/bin/sh").arg(folder.path().join("cmd.sh")).env("TZ", "UTC").output();
    let out = out.expect("sh");
    let expected = "closed 555 1000000000 2001-09-09 01:46:40.000000005 +0000\n\
                    closed/file 600 -1 1969-12-31 23:59:59.123456789 +0000\nthrough a pipe\n0077\n";
    assert_eq!(String::from_utf8_lossy(&out.stdout), expected);
    assert_eq!(String::from_utf8_lossy(&out.stderr), "");
}

#[test]
fn a_locale_that_is_not_there_is_no_matter_of_the_script() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new("/bin/sh", ["-c", "echo $0; echo error >&2"]);
    command.name = Some("called".into());
    command.env.insert("LC_ALL".into(), Some("xx_XX.UTF-8".into()));
    write_test(folder.path(), &Test::new(command, Bytes::new(), Origin::Seed)).expect("written");
    let out = process::Command::new("/bin/sh").arg(folder.path().join("cmd.sh")).output().expect("sh");
    assert_eq!((&out.stdout[..], &out.stderr[..]), (&b"called\n"[..], &b"error\n"[..]));
}

#[test]
fn name_folder_and_variables_are_as_recorded() {
    let folder = tempfile::tempdir().expect("a folder");
    let code = r#"echo "$0 $(pwd) ${GONE-gone} $(env | grep a-b)""#;
    let mut command = Command::new("/bin/bash", ["-c", code]);
    command.cwd = Some("/".into());
    command.env.insert("GONE".into(), None);
    command.env.insert("a-b".into(), Some("1".into()));
    command.name = Some("called".into());
    write_test(folder.path(), &Test::new(command, Bytes::new(), Origin::Seed)).expect("written");
    let out =
        process::Command::new("/bin/sh").arg(folder.path().join("cmd.sh")).env("GONE", "here").output().expect("sh");
    assert_eq!(String::from_utf8_lossy(&out.stdout), "called / gone a-b=1\n");
}

/// Whatever is done to run it: another name, a variable that no shell can name, a pipe.
#[test]
fn any_path_is_the_programs_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let code = "/bin/cat; /usr/bin/env | /bin/grep -E '^(PATH|a-b|here|program)=' | /usr/bin/sort";
    for (path, said) in [(Some("/nowhere"), "PATH=/nowhere\n"), (None, "")] {
        for (name, piped) in [(None, false), (Some("called"), true)] {
            let mut command = Command::new("/bin/bash", ["-c", code]);
            command.name = name.map(OsString::from);
            command.world.piped = piped;
            let variables = [("PATH", path), ("a-b", Some("1")), ("here", Some("h")), ("program", Some("p"))];
            let variables = variables.map(|(name, value)| (name.into(), value.map(OsString::from)));
            command.env.extend(variables);
            let mut bytes = Bytes::new();
            bytes.insert(Source::Stdin, b"in\n".to_vec());
            let mut test = Test::new(command, bytes, Origin::Seed);
            let said = format!("in\n{said}a-b=1\nhere=h\nprogram=p\n");
            test.expectation.stdout = Some(Expected::recorded(said.clone().into_bytes().into()));
            write_test(folder.path(), &test).expect("written");
            assert_eq!(sh(folder.path(), &[]), (Some(0), said.into_bytes()), "{path:?} {name:?}");
            assert_eq!(sh(folder.path(), &["--check"]).0, Some(0), "{path:?} {name:?}");
        }
    }
}

#[test]
fn a_program_that_is_gone_is_no_failure_of_its_test() {
    let folder = tempfile::tempdir().expect("a folder");
    let test = Test::new(Command::new("/nowhere/program", [""; 0]), Bytes::new(), Origin::Seed);
    write_test(folder.path(), &test).expect("written");
    for args in [&[][..], &["--check"]] {
        let out = process::Command::new("/bin/sh").arg(folder.path().join("cmd.sh")).args(args).output().expect("sh");
        assert_eq!(out.status.code(), Some(125));
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(said.contains("cannot run /nowhere/program: it is not there"), "{said}");
    }
}

#[test]
fn cdpath_leads_no_script_astray() {
    let place = tempfile::tempdir().expect("a folder");
    let elsewhere = tempfile::tempdir().expect("a folder");
    // Names that the script goes to: its own folder, and the way down to a working directory.
    fs::create_dir_all(elsewhere.path().join("test")).expect("made");
    fs::create_dir_all(elsewhere.path().join("low")).expect("made");
    let mut command = Command::new("/bin/sh", ["-c", "cat ../a; echo $CDPATH"]);
    command.cwd = Some("/nowhere/top/low".into());
    command.world.umask = Some(0o022);
    let mut bytes = Bytes::new();
    bytes.insert(Source::File("../a".into()), b"A".to_vec());
    write_test(&place.path().join("test"), &Test::new(command, bytes, Origin::Recorded)).expect("written");
    let mut script = process::Command::new("/bin/sh");
    script.arg("test/cmd.sh").current_dir(place.path()).env("CDPATH", elsewhere.path());
    let out = script.output().expect("sh");
    let said = format!("A{}\n", elsewhere.path().display());
    assert_eq!((out.status.code(), String::from_utf8_lossy(&out.stdout)), (Some(0), said.into()));
}

#[test]
fn other_versions_and_damage_are_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    write_test(folder.path(), &cat(b"file\n")).expect("written");
    let json = folder.path().join("test.json");
    let text = fs::read_to_string(&json).expect("text");
    fs::write(&json, text.replace("\"version\": 1", "\"version\": 9")).expect("written");
    assert!(matches!(read_test(folder.path()), Err(Error::Version { found: 9, .. })));
    fs::write(&json, text.replace("\"file\": \"stdin\"", "\"file\": \"../stdin\"")).expect("written");
    assert!(matches!(read_test(folder.path()), Err(Error::Damaged { .. })));
    fs::write(&json, &text[..text.len() / 2]).expect("written");
    assert!(matches!(read_test(folder.path()), Err(Error::Damaged { .. })));
    fs::write(&json, &text).expect("written");
    fs::remove_file(folder.path().join("stdin")).expect("removed");
    let error = read_test(folder.path()).expect_err("a source is gone").to_string();
    assert!(error.contains("stdin"), "{error}");
}

#[test]
fn identical_tests_are_kept_once() {
    let root = tempfile::tempdir().expect("a folder");
    let suite = Suite::create(root.path()).expect("made");
    let first = suite.add(&cat(b"file\n")).expect("added");
    assert!(!first.known);
    let again = suite.add(&Test { origin: Origin::Recorded, ..cat(b"file\n") }).expect("added");
    assert!(again.known && again.id == first.id);
    let other = suite.add(&cat(b"other\n")).expect("added");
    let mut ids = vec![first.id.clone(), other.id];
    ids.sort();
    assert_eq!(Suite::open(root.path()).expect("opened").ids().expect("read"), ids);
    assert_eq!(suite.read(&first.id).expect("read"), cat(b"file\n"));

    let flaky = Test { flaky: Some("prints the time".into()), ..cat(b"file\n") };
    suite.update(&flaky).expect("rewritten");
    assert_eq!(suite.read(&first.id).expect("read"), flaky);
    assert!(matches!(Suite::open(&root.path().join("tests")), Err(Error::NoSuite(_))));
}

#[test]
fn many_writers_of_one_test_leave_one_test() {
    let root = tempfile::tempdir().expect("a folder");
    let suite = Suite::create(root.path()).expect("made");
    let new = std::thread::scope(|scope| {
        let writers: Vec<_> =
            (0..8).map(|_| scope.spawn(|| !suite.add(&cat(b"file\n")).expect("added").known)).collect();
        writers.into_iter().map(|writer| usize::from(writer.join().expect("no panic"))).sum::<usize>()
    });
    assert_eq!(new, 1);
    assert_eq!(fs::read_dir(root.path().join("tests")).expect("read").count(), 1);
}
