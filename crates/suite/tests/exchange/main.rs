//! Import and export: what each tool finds on disk, and what comes back from it.

mod scripts;

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

fn fifo(path: &Path) {
    assert!(process::Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
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
    assert_eq!(said.len(), 4);
    assert!(said[0].ends_with(": 1 hidden files or folders in it (.*)"), "{said:?}");
    assert!(said[1].starts_with("big: larger than 1000"), "{said:?}");
    assert!(said[2].starts_with("dangling: No such file"), "{said:?}");
    assert_eq!(said[3], "round: not a regular file");
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
        ("testcase-3.xml", b"<testcase><input type=\"foo\">1</input></testcase>"),
        ("testcase-4.xml", b"<testcase><input/></testcase>"),
        ("readme.md", b"hello"),
    ]);
    assert_eq!(Format::detect(root.path()), Format::TestComp);
    let imported = import(Format::TestComp, root.path(), &Command::default(), LARGEST);
    assert_eq!(imported.tests.len(), 2);
    assert_eq!(imported.tests[0].bytes.get(&nondet("int", 0)), Some(&[7, 0, 0, 0][..]));
    assert_eq!(
        problems(&imported, root.path()),
        [
            "readme.md: not an XML file",
            "testcase-1.xml: imported, but 1 of 2 values has no type: taken for int where they fit, for a wider type where not",
            "testcase-2.xml: \"seven\" is no number",
            "testcase-3.xml: imported, but 1 of 1 values has a type that is not known (\"foo\"): taken for int where they fit, for a wider type where not",
            "testcase-4.xml: \"\" is no number",
        ]
    );
    let left_out: Vec<bool> = imported.problems.iter().map(|problem| problem.is_left_out).collect();
    assert_eq!(left_out, [true, false, true, false, true], "what was imported is not left out");
}

#[test]
fn an_archive_of_too_many_files_or_that_is_none_is_left_out() {
    let root = tempdir().expect("a folder");
    let path = root.path().join("many.zip");
    let mut archive = zip::ZipWriter::new(fs::File::create(&path).expect("a file"));
    for number in 0..=100_000 {
        archive.start_file(number.to_string(), zip::write::SimpleFileOptions::default()).expect("begun");
    }
    archive.finish().expect("written");
    let problems = |largest| problems(&import(Format::TestComp, &path, &Command::default(), largest), root.path());
    assert_eq!(problems(u64::MAX), ["many.zip: more than 100000 files are in it"]);
    assert_eq!(problems(LARGEST), ["many.zip: larger than 1000"]);
    fs::remove_file(&path).expect("removed");
    fifo(&path);
    assert_eq!(problems(LARGEST), ["many.zip: not a regular file"]);
}

/// Whatever is taken for plain by mistake would give metadata for inputs.
#[test]
fn forms_show_by_what_lies_there() {
    let afl: [(&str, &[u8]); 3] =
        [("default/queue/id:000000,orig:a", b"one"), ("default/fuzzer_stats", b"x"), ("default/fuzz_bitmap", b"y")];
    let testcase = b"<?xml version=\"1.0\"?><!DOCTYPE testcase SYSTEM \"x\"><testcase coversError=\"true\"></testcase>";
    let junit = b"<testsuite><testcase name=\"a\"/></testsuite>";
    type Files<'a> = &'a [(&'a str, &'a [u8])];
    let folders: [(Files<'_>, Format); 5] = [
        (&afl, Format::Afl),
        (&[("id_000000_orig", b"one")], Format::Afl),
        (&[("a.xml", testcase), ("notes", b"n")], Format::TestComp),
        (&[("a.xml", junit), ("id_card", b"n")], Format::Plain),
        (&[("a/metadata", b"x")], Format::Plain),
    ];
    for (files, format) in folders {
        assert_eq!(Format::detect(folder(files).path()), format, "{files:?}");
    }
    let root = folder(&[("one.xml", testcase), ("other.xml", junit), ("k.ktest", b"KTEST")]);
    for (name, format) in [("one.xml", Format::TestComp), ("other.xml", Format::Plain), ("k.ktest", Format::Klee)] {
        assert_eq!(Format::detect(&root.path().join(name)), format, "{name}");
    }
    let zip = root.path().join("no-suffix");
    export(&[sample()], &Target::TestCompZip(metadata(COVER_BRANCHES)), &zip).expect("written");
    assert_eq!(Format::detect(&zip), Format::TestComp);
    let sync = folder(&afl);
    let imported = import(Format::detect(sync.path()), sync.path(), &of_file(), LARGEST);
    assert_eq!((seeds(&imported), imported.problems.len()), (vec![&b"one"[..]], 0));
}

// ----- export -----

#[test]
fn inputs_are_files_by_id_or_by_sha1() {
    let tests = [input(b"abc"), sample()];
    let plain = tempdir().expect("a folder");
    let exported = export(&tests, &Target::Plain, plain.path()).expect("written");
    assert_eq!(names(plain.path()), [tests[0].id().to_string()]);
    let why = "it has no seed file and no standard input".to_owned();
    assert_eq!(exported, Exported { written: 1, left_out: vec![(tests[1].id(), why)], lossy: vec![] });
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
fn a_queue_of_afl_goes_on_where_it_ended() {
    let root = folder(&[("queue/id:000006,orig:b", b"bcd"), ("queue/id_000003_orig", b"abc"), ("queue/README", b"r")]);
    let export = |tests: &[Test]| {
        export(tests, &Target::Afl, root.path()).expect("written");
        names(root.path())
    };
    let (old, new) = (input(b"abc"), input(b"xyz"));
    let mut child = input(b"abz");
    child.origin = Origin::Generated { parent: old.id(), flipped: "a.c:3".into(), changed: Vec::new() };
    let first = export(&[old.clone(), new.clone(), child.clone()]);
    let wanted = [
        "queue/README".to_owned(),
        "queue/id:000006,orig:b".to_owned(),
        format!("queue/id:000007,time:0,execs:0,orig:{}", new.id()),
        "queue/id:000008,src:000003,time:0,execs:0,op:offshoot".to_owned(),
        "queue/id_000003_orig".to_owned(),
    ];
    assert_eq!(first, wanted);
    assert_eq!(export(&[child, new, old]), wanted, "the same inputs again");
}

#[test]
fn numbers_of_a_queue_of_afl_do_not_begin_anew() {
    for last in ["id:4294967294", "id:4294967295"] {
        let root = folder(&[(&format!("queue/{last}"), b"abc")]);
        let error = export(&[input(b"xyz")], &Target::Afl, root.path()).expect_err("no number").to_string();
        assert!(error.contains("queue/id:4294967295") && error.contains("another folder"), "{error}");
        assert_eq!(names(root.path()), [format!("queue/{last}")]);
    }
}

/// Their names are numbers, so those of another time would be tests of this one.
#[test]
fn numbered_tests_of_another_time_are_not_mixed_with_new_ones() {
    for (target, old) in
        [(Target::Klee, "test000009.ktest"), (Target::TestComp(metadata(COVER_BRANCHES)), "testcase-9.xml")]
    {
        let root = folder(&[(old, b"old"), ("info", b"log")]);
        let error = export(&[sample()], &target, root.path()).expect_err("it is occupied").to_string();
        assert!(error.contains(old) && error.contains("another folder"), "{error}");
        assert_eq!(names(root.path()), ["info", old]);
        fs::remove_file(root.path().join(old)).expect("removed");
        assert_eq!(export(&[sample()], &target, root.path()).expect("written").written, 1);
    }
}

#[test]
fn what_a_form_for_harnesses_cannot_hold_is_said() {
    let none = input(b"abc");
    let mut both = sample();
    both.bytes.insert(Source::Stdin, b"in".to_vec());
    both.bytes.insert(Source::File("f".into()), Vec::new());
    let asks_nothing = harness(&[(Source::Stdin, b"")]);
    let tests = [none.clone(), both.clone(), asks_nothing.clone()];
    let lost = |what: &str| format!("{what} cannot be written");
    for target in
        [Target::TestComp(metadata(COVER_BRANCHES)), Target::TestCompZip(metadata(COVER_BRANCHES)), Target::Klee]
    {
        let root = tempdir().expect("a folder");
        let to = root.path().join("to");
        let exported = export(&tests, &target, &to).expect("written");
        let is_klee = target == Target::Klee;
        assert_eq!(exported.lossy, [(both.id(), lost("stdin"))]);
        assert_eq!(exported.written, if is_klee { 1 } else { 2 });
        let sources = if is_klee { "file:/tmp/offshoot-seed" } else { "arg[1], file:/tmp/offshoot-seed" };
        let why = format!("it has no values of a harness, and {}", lost(sources));
        assert_eq!(exported.left_out[0], (none.id(), why));
        assert_eq!(exported.left_out.len(), if is_klee { 2 } else { 1 });

        let nothing =
            export(std::slice::from_ref(&none), &target, &root.path().join("nothing")).expect("nothing written");
        assert_eq!(nothing.written, 0);
        assert!(tree(root.path()).keys().all(|name| !name.starts_with("nothing")), "not even metadata");
    }
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
    assert_eq!(exported, Exported { written: 1, left_out: vec![(odd.id(), why)], lossy: vec![] });
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

    // Somebody else's links, and what has no end, are not taken in.
    let elsewhere = folder(&[("secret", b"mine")]);
    let id = tests[0].id();
    let printed = suite.folder(&id).join("expected.stdout");
    let refused = |make: &dyn Fn(&Path), why: &str| {
        fs::remove_file(&printed).expect("removed");
        make(&printed);
        let imported = import(Format::Offshoot, root.path(), &Command::default(), LARGEST);
        assert_eq!(imported.tests, tests[1..]);
        let place = format!("tests/{id}: cannot read {}", printed.display());
        let place = place.replace(&format!("{}/", root.path().display()), "");
        assert_eq!(problems(&imported, root.path()), [format!("{place}: {why}")]);
    };
    let link = |to: &Path, at: &Path| std::os::unix::fs::symlink(to, at).expect("a link");
    refused(&|at| link(&elsewhere.path().join("secret"), at), "a link that leads out of the folder");
    refused(&|at| link(Path::new("/dev/zero"), at), "a link that leads out of the folder");
    refused(&|at| fs::write(at, [7; 1001]).expect("written"), "larger than 1000");
    refused(&fifo, "not a regular file");
    let read = suite.read(&id).expect_err("a pipe").to_string();
    assert!(read.ends_with("expected.stdout: not a regular file"), "{read}");

    let damaged = suite.folder(&tests[0].id());
    fs::write(damaged.join("test.json"), b"{").expect("written");
    let imported = import(Format::Offshoot, root.path(), &Command::default(), LARGEST);
    assert_eq!((imported.tests.len(), imported.problems.len()), (1, 1));
    assert_eq!(imported.problems[0].path, damaged);
}
