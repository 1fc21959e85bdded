//! Import and export: what each tool finds on disk, and what comes back from it.

use offshoot_suite::export::{Exported, Target, export};
use offshoot_suite::import::{Format, Imported, import};
use offshoot_suite::ktest::{self, Ktest};
use offshoot_suite::testcomp::{COVER_BRANCHES, COVER_ERROR, Metadata};
use offshoot_suite::{Bytes, Command, Edit, Expected, Origin, SEED, Source, Status, Suite, Test};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process;
use std::sync::Arc;
use tempfile::{TempDir, tempdir};

const LARGEST: u64 = 1000;

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempdir().expect("a folder");
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("below the folder")).expect("made");
        fs::write(path, content).expect("written");
    }
    folder
}

/// Every file below a folder.
fn tree(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(root).expect("read").map(|entry| entry.expect("an entry").path()) {
        let name = entry.file_name().expect("a name").to_string_lossy().into_owned();
        if entry.is_dir() {
            files.extend(tree(&entry).into_iter().map(|(below, content)| (format!("{name}/{below}"), content)));
        } else {
            files.insert(name, fs::read(&entry).expect("read"));
        }
    }
    files
}

fn names(root: &Path) -> Vec<String> {
    tree(root).into_keys().collect()
}

fn of_file() -> Command {
    Command::new("/bin/prog", ["-x", SEED])
}

fn seeds(imported: &Imported) -> Vec<&[u8]> {
    imported.tests.iter().map(|test| test.seed().expect("an input")).collect()
}

fn problems(imported: &Imported, root: &Path) -> Vec<String> {
    imported.problems.iter().map(|problem| problem.to_string().replace(&format!("{}/", root.display()), "")).collect()
}

fn nondet(name: &str, number: u32) -> Source {
    Source::Nondet { name: name.into(), number }
}

fn harness(values: &[(Source, &[u8])]) -> Test {
    let bytes: Bytes = values.iter().map(|(source, bytes)| (source.clone(), bytes.to_vec())).collect();
    Test::new(Command::new("/bin/harness", [""; 0]), bytes, Origin::Seed)
}

/// The calls were int, char, int.
fn sample() -> Test {
    harness(&[
        (nondet("int", 0), &[0xFB, 0xFF, 0xFF, 0xFF]),
        (nondet("char", 0), b"a"),
        (nondet("int", 1), &[1, 0, 0, 0]),
    ])
}

fn input(bytes: &[u8]) -> Test {
    Test::new(of_file(), of_file().on_seed(bytes.to_vec()), Origin::Seed)
}

fn metadata(specification: &str) -> Metadata {
    Metadata {
        specification: specification.into(),
        program_file: "a<b.c".into(),
        program_hash: "00ff".into(),
        entry_function: "main".into(),
        architecture: "64bit".into(),
        creation_time: "2026-01-02T03:04:05Z".into(),
    }
}

// ----- import -----

#[test]
fn queues_of_afl_are_read_wherever_they_lie() {
    let queue: [(&str, &[u8]); 5] = [
        ("id:000000,orig:a", b"one"),
        ("id:000001,src:000000,op:havoc", b"two"),
        ("README.txt", b"do not import"),
        (".state/auto_extras/x", b"state"),
        ("notes", b"foreign"),
    ];
    for prefix in ["", "queue/", "main/queue/"] {
        let named: Vec<(String, &[u8])> =
            queue.iter().map(|(name, bytes)| (format!("{prefix}{name}"), *bytes)).collect();
        let root = folder(&named.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect::<Vec<_>>());
        let imported = import(Format::Afl, root.path(), &of_file(), LARGEST);
        assert_eq!(seeds(&imported), [b"one", b"two"]);
        let foreign = format!("{prefix}notes: not an entry of a queue of afl-fuzz (id:…)");
        assert_eq!(problems(&imported, root.path()), [foreign]);
    }
    let test = &import(Format::Afl, folder(&queue[..1]).path(), &of_file(), LARGEST).tests[0];
    assert_eq!(test.command.templates(&test.bytes), ["-x", SEED]);
    assert!(matches!(&test.origin, Origin::Imported { from } if from.ends_with("id:000000,orig:a")));
}

#[test]
fn every_file_of_a_corpus_is_an_input_and_what_is_none_is_named() {
    let root = folder(&[("b/c", b"deep"), ("a", b"top"), ("big", &[7; 1001]), (".hidden", b"no")]);
    std::os::unix::fs::symlink("nowhere", root.path().join("dangling")).expect("a link");
    std::os::unix::fs::symlink(".", root.path().join("round")).expect("a link");
    let imported = import(Format::LibFuzzer, root.path(), &of_file(), LARGEST);
    assert_eq!(seeds(&imported), [&b"top"[..], b"deep"]);
    let said = problems(&imported, root.path());
    assert_eq!(said.len(), 3);
    assert!(said[0].starts_with("big: larger than 1000"), "{said:?}");
    assert!(said[1].starts_with("dangling: No such file"), "{said:?}");
    assert_eq!(said[2], "round: not a regular file");
    let missing = import(Format::Plain, &root.path().join("missing"), &of_file(), LARGEST);
    assert_eq!((missing.tests.len(), missing.problems.len()), (0, 1));
}

#[test]
fn a_command_without_a_seed_file_reads_standard_input() {
    let root = folder(&[("a", b"text")]);
    let command = Command::new("/bin/cat", ["-n"]);
    let imported = import(Format::Plain, root.path(), &command, LARGEST);
    assert_eq!(imported.tests[0].bytes.get(&Source::Stdin), Some(&b"text"[..]));
}

fn object(name: &str, bytes: &[u8]) -> (Vec<u8>, Vec<u8>) {
    (name.into(), bytes.into())
}

#[test]
fn objects_of_klee_are_values_of_a_harness() {
    let objects = vec![object("x", &[1, 0, 0, 0]), object("buffer", b"abc"), object("x", &[2, 0, 0, 0])];
    let ktest = Ktest { args: vec![b"h.bc".to_vec()], objects };
    let root = folder(&[("test000001.ktest", &ktest::encode(&ktest)), ("bad.ktest", b"KTEST\0\0"), ("info", b"log")]);
    assert_eq!(Format::detect(root.path()), Format::Klee);
    let imported = import(Format::Klee, root.path(), &Command::new("/bin/h", [""; 0]), LARGEST);
    let values: Vec<_> = imported.tests[0].bytes.nondet().map(|(source, bytes)| (source.clone(), bytes)).collect();
    assert_eq!(
        values,
        [(nondet("x", 0), &[1, 0, 0, 0][..]), (nondet("buffer", 0), b"abc"), (nondet("x", 1), &[2, 0, 0, 0])]
    );
    assert_eq!(problems(&imported, root.path()), ["bad.ktest: it is cut off, or lengths in it are wrong"]);
}

#[test]
fn klees_posix_runtime_gives_arguments_files_and_standard_input() {
    let words = [
        "p.bc",
        "-v",
        "--sym-args",
        "0",
        "2",
        "3",
        "--sym-arg",
        "2",
        "--sym-files",
        "1",
        "8",
        "-sym-stdin",
        "4",
        "end",
    ];
    let objects = vec![
        object("n_args", &[2, 0, 0, 0]),
        object("arg00", b"ab\0\0"),
        object("arg01", b"\xff\0\0\0"),
        object("arg02", b"z\0\0"),
        object("A-data", b"12345678"),
        object("A-data-stat", &[0; 144]),
        object("stdin", b"in\0\0"),
        object("stdin-stat", &[0; 144]),
        object("model_version", &[1, 0, 0, 0]),
        object("mine", b"m"),
    ];
    let mut ktest = Ktest { args: words.iter().map(|word| word.as_bytes().to_vec()).collect(), objects };
    let root = folder(&[("a.ktest", &ktest::encode(&ktest))]);
    let template = Command::new("/bin/p", ["replaced"]);
    let imported = import(Format::Klee, root.path(), &template, LARGEST);
    let test = &imported.tests[0];
    let arguments = test.command.arguments(&test.bytes);
    assert_eq!(
        arguments.iter().map(|arg| arg.as_bytes()).collect::<Vec<_>>(),
        [&b"-v"[..], b"ab", b"\xff", b"z", b"end"]
    );
    assert_eq!(test.bytes.get(&Source::Stdin), Some(&b"in\0\0"[..]));
    assert_eq!(test.bytes.get(&Source::File("A".into())), Some(&b"12345678"[..]));
    assert_eq!(test.bytes.nondet().map(|(source, _)| source.clone()).collect::<Vec<_>>(), [nondet("mine", 0)]);

    ktest.objects.retain(|(name, _)| name != b"arg02");
    fs::write(root.path().join("a.ktest"), ktest::encode(&ktest)).expect("written");
    let imported = import(Format::Klee, root.path(), &template, LARGEST);
    assert_eq!(problems(&imported, root.path()), ["a.ktest: it has fewer arguments than n_args says"]);
}

#[test]
fn guesses_at_types_are_said() {
    let root = folder(&[
        ("metadata.xml", b"<test-metadata></test-metadata>"),
        ("testcase-1.xml", b"<testcase><input>7</input><input type=\"char\">8</input></testcase>"),
        ("testcase-2.xml", b"<testcase><input>seven</input></testcase>"),
        ("readme.md", b"hello"),
    ]);
    assert_eq!(Format::detect(root.path()), Format::TestComp);
    let imported = import(Format::TestComp, root.path(), &Command::default(), LARGEST);
    assert_eq!(imported.tests.len(), 1);
    assert_eq!(imported.tests[0].bytes.get(&nondet("int", 0)), Some(&[7, 0, 0, 0][..]));
    assert_eq!(
        problems(&imported, root.path()),
        [
            "readme.md: not an XML file",
            "testcase-1.xml: imported, but 1 of 2 values has no type: taken for int where they fit, for a wider type where not",
            "testcase-2.xml: \"seven\" is no number",
        ]
    );
}

#[test]
fn formats_have_names() {
    for name in Format::NAMES {
        assert!(Format::parse(name).is_some(), "{name}");
    }
    assert_eq!(Format::parse("zip"), None);
}

// ----- export -----

#[test]
fn inputs_are_files_by_id_or_by_sha1() {
    let tests = [input(b"abc"), sample()];
    let plain = tempdir().expect("a folder");
    let exported = export(&tests, &Target::Plain, plain.path()).expect("written");
    assert_eq!(names(plain.path()), [tests[0].id().to_string()]);
    let why = "it has no seed file and no standard input".to_owned();
    assert_eq!(exported, Exported { written: 1, left_out: vec![(tests[1].id(), why)] });
    let corpus = tempdir().expect("a folder");
    export(&tests, &Target::LibFuzzer, corpus.path()).expect("written");
    assert_eq!(names(corpus.path()), ["a9993e364706816aba3e25717850c26c9cd0d89d"]);
    let imported = import(Format::LibFuzzer, corpus.path(), &of_file(), LARGEST);
    assert_eq!(imported.tests[0].id(), tests[0].id());
}

#[test]
fn names_of_afl_say_who_came_from_whom() {
    let parent = input(b"abc");
    let changed = vec![Edit { source: Arc::new(parent.command.seed_source()), offset: 0, value: b'x' }];
    let mut child = input(b"xbc");
    child.origin = Origin::Generated { parent: parent.id(), flipped: "a.c:3".into(), changed };
    let mut twin = input(b"abc");
    twin.bytes.insert(Source::Arg(1), b"-y".to_vec());
    let root = tempdir().expect("a folder");
    let exported = export(&[parent.clone(), twin, child.clone()], &Target::Afl, root.path()).expect("written");
    assert_eq!(exported.written, 3);
    let orig = format!("queue/id:000000,time:0,execs:0,orig:{}", parent.id());
    assert_eq!(names(root.path()), [orig, "queue/id:000001,src:000000,time:0,execs:0,op:offshoot".to_owned()]);
    assert_eq!(Format::detect(root.path()), Format::Afl);
    let back = import(Format::Afl, root.path(), &of_file(), LARGEST);
    assert_eq!(back.tests.iter().map(Test::id).collect::<Vec<_>>(), [parent.id(), child.id()]);
}

#[test]
fn ktest_files_hold_the_values_in_the_order_of_the_calls() {
    let root = tempdir().expect("a folder");
    let exported = export(&[sample(), input(b"abc")], &Target::Klee, root.path()).expect("written");
    assert_eq!((exported.written, exported.left_out.len()), (1, 1));
    let file = &tree(root.path())["test000001.ktest"];
    let objects = vec![object("int", &[0xFB, 0xFF, 0xFF, 0xFF]), object("char", b"a"), object("int", &[1, 0, 0, 0])];
    assert_eq!(ktest::decode(file), Ok(Ktest { args: vec![b"/bin/harness".to_vec()], objects }));
    let back = import(Format::Klee, root.path(), &sample().command, LARGEST);
    assert_eq!(back.tests[0].bytes, sample().bytes);
}

const METADATA: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE test-metadata PUBLIC "+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN" "https://sosy-lab.org/test-format/test-metadata-1.1.dtd">
<test-metadata>
  <sourcecodelang>C</sourcecodelang>
  <producer>Offshoot VERSION</producer>
  <specification>COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )</specification>
  <programfile>a&lt;b.c</programfile>
  <programhash>00ff</programhash>
  <entryfunction>main</entryfunction>
  <architecture>64bit</architecture>
  <creationtime>2026-01-02T03:04:05Z</creationtime>
</test-metadata>
"#;

const TESTCASE: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE testcase PUBLIC "+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN" "https://sosy-lab.org/test-format/testcase-1.1.dtd">
<testcase>
  <input variable="int#0" type="int">-5</input>
  <input variable="char#0" type="char">97</input>
  <input variable="int#1" type="int">1</input>
</testcase>
"#;

#[test]
fn test_comp_suites_are_as_the_format_wants_them() {
    let odd = harness(&[(nondet("buffer", 0), b"abc")]);
    let tests = [sample(), odd.clone()];
    let root = tempdir().expect("a folder");
    let exported = export(&tests, &Target::TestComp(metadata(COVER_BRANCHES)), root.path()).expect("written");
    let why = "nondet:buffer#0 is of no type that Test-Comp knows".to_owned();
    assert_eq!(exported, Exported { written: 1, left_out: vec![(odd.id(), why)] });
    let files = tree(root.path());
    let text = |name: &str| String::from_utf8_lossy(&files[name]).into_owned();
    assert_eq!(text("metadata.xml"), METADATA.replace("VERSION", env!("CARGO_PKG_VERSION")));
    assert_eq!(text("testcase-1.xml"), TESTCASE);

    let zip = root.path().join("suite.zip");
    export(&tests, &Target::TestCompZip(metadata(COVER_BRANCHES)), &zip).expect("written");
    let first = fs::read(&zip).expect("read");
    export(&tests, &Target::TestCompZip(metadata(COVER_BRANCHES)), &zip).expect("written");
    assert_eq!(fs::read(&zip).expect("read"), first, "equal suites are equal files");
    assert_eq!(Format::detect(&zip), Format::TestComp);
    let back = import(Format::TestComp, &zip, &sample().command, 10_000);
    assert!(back.problems.is_empty(), "{:?}", back.problems);
    assert_eq!(back.tests[0].id(), sample().id());
    let order = |test: &Test| test.bytes.nondet().map(|(source, _)| source.clone()).collect::<Vec<_>>();
    assert_eq!(order(&back.tests[0]), order(&sample()));
}

#[test]
fn a_test_that_reaches_the_error_says_so_where_it_is_asked() {
    let mut test = sample();
    test.expectation.status = Some(Expected::recorded(Status::Signaled(6)));
    for (specification, said) in [(COVER_ERROR, true), (COVER_BRANCHES, false)] {
        let root = tempdir().expect("a folder");
        export(&[test.clone()], &Target::TestComp(metadata(specification)), root.path()).expect("written");
        let text = String::from_utf8_lossy(&tree(root.path())["testcase-1.xml"]).into_owned();
        assert_eq!(text.contains("<testcase coversError=\"true\">"), said);
    }
}

/// Two tests of `cat`; the second expects what does not come.
fn cats() -> Vec<Test> {
    let cat = |expected: &[u8]| {
        let command = Command::new("/bin/cat", [SEED]);
        let mut test = Test::new(command.clone(), command.on_seed(b"abc".to_vec()), Origin::Seed);
        test.expectation.stdout = Some(Expected::recorded(expected.to_vec().into()));
        test
    };
    let mut other = cat(b"xyz");
    other.command.args.push("/dev/null".into());
    other.flaky = Some("it waits for the moon".into());
    vec![cat(b"abc"), other]
}

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
    let steady = Test { flaky: None, ..tests[1].clone() };
    export(std::slice::from_ref(&steady), &Target::Shell, root.path()).expect("written");
    assert_eq!(run(&all), (Some(1), format!("FAIL {}\n2 tests, 1 failed, 0 flaky, 0 skipped\n", steady.id())));
    fs::remove_dir_all(root.path().join(steady.id().as_str())).expect("removed");
    assert_eq!(run(&all), (Some(0), "1 tests, 0 failed, 0 flaky, 0 skipped\n".to_owned()));
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

#[test]
fn our_own_folders_come_back_whole() {
    let root = tempdir().expect("a folder");
    let suite = Suite::create(root.path()).expect("made");
    let mut tests = cats();
    for test in &tests {
        suite.add(test).expect("added");
    }
    tests.sort_by_key(Test::id);
    assert_eq!(Format::detect(root.path()), Format::Offshoot);
    let imported = import(Format::Offshoot, root.path(), &Command::default(), LARGEST);
    assert_eq!(imported.tests, tests);

    let damaged = suite.folder(&tests[0].id());
    fs::write(damaged.join("test.json"), b"{").expect("written");
    let imported = import(Format::Offshoot, root.path(), &Command::default(), LARGEST);
    assert_eq!((imported.tests.len(), imported.problems.len()), (1, 1));
    assert_eq!(imported.problems[0].path, damaged);
}
