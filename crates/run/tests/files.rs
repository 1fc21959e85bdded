//! Writes are private to a run, and listed.

mod common;

use common::{read, run, scratch, sh, sh_under, somebody_runs, succeed};
use offshoot_run::{
    Capture, ChangeKind, Error, Invocation, Limits, Outcome, Policy, Status, Stdin, Thing, What, invoke,
};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

fn changes_below<'a>(outcome: &'a Outcome, path: &Path) -> Vec<(&'a Path, ChangeKind)> {
    let below = outcome.changes.iter().filter_map(|change| Some((change.path.strip_prefix(path).ok()?, change.kind)));
    below.collect()
}

#[test]
fn rm_is_harmless_and_listed() {
    let (_dir, path) = scratch(&[("victim/a", "a"), ("victim/deep/b", "b"), ("other", "o")]);
    let outcome = succeed(&Invocation { cwd: Some(path.clone()), ..sh("rm -rf victim && ! test -e victim") });
    assert_eq!(read(path.join("victim/a")), "a");
    assert_eq!(read(path.join("victim/deep/b")), "b");
    assert_eq!(changes_below(&outcome, &path), [(Path::new("victim"), ChangeKind::Deleted)]);
    assert!(outcome.change(path.join("victim")).is_some_and(|change| change.directory && change.stored.is_none()));
}

#[test]
fn writes_are_listed_with_their_content() {
    let (_dir, path) = scratch(&[("old", "before"), ("kept", "kept")]);
    let script = "printf new > new; printf after > old; mkdir -p d/e; printf deep > d/e/f; cat kept";
    let outcome = succeed(&Invocation { cwd: Some(path.clone()), ..sh(script) });
    assert_eq!(read(path.join("old")), "before");
    assert!(!path.join("new").exists());
    let expected = [
        ("d", ChangeKind::Created),
        ("d/e", ChangeKind::Created),
        ("d/e/f", ChangeKind::Created),
        ("new", ChangeKind::Created),
        ("old", ChangeKind::Changed),
    ];
    assert_eq!(changes_below(&outcome, &path), expected.map(|(name, kind)| (Path::new(name), kind)));
    let content = |name: &str| outcome.content(path.join(name)).expect("listed").expect("readable");
    assert_eq!([content("new"), content("old"), content("d/e/f")], [&b"new"[..], b"after", b"deep"]);
}

#[test]
fn a_directory_made_anew_has_lost_its_old_content() {
    let (_dir, path) = scratch(&[("d/gone", ""), ("d/again", "1")]);
    let script = "rm -rf d; mkdir d; printf 2 > d/again; printf 3 > d/fresh";
    let outcome = succeed(&Invocation { cwd: Some(path.clone()), ..sh(script) });
    let expected =
        [("d/again", ChangeKind::Changed), ("d/fresh", ChangeKind::Created), ("d/gone", ChangeKind::Deleted)];
    assert_eq!(changes_below(&outcome, &path), expected.map(|(name, kind)| (Path::new(name), kind)));
    assert!(path.join("d/gone").exists());
}

#[test]
fn a_run_can_be_given_other_content() {
    let (_dir, path) = scratch(&[("old", "before"), ("closed", "secret")]);
    std::fs::set_permissions(path.join("closed"), std::os::unix::fs::PermissionsExt::from_mode(0o400)).expect("mode");
    std::os::unix::fs::symlink("old", path.join("link")).expect("a link");
    let files = [("old", "one"), ("new", "two"), ("d/e/f", "three"), ("closed", "four")];
    let mut invocation = Invocation { cwd: Some(path.clone()), ..sh("cat link new d/e/f closed") };
    invocation.files = files.map(|(name, text)| (name.into(), text.into())).into();
    let outcome = succeed(&invocation);
    assert_eq!(outcome.stdout.text(), "onetwothreefour");
    assert_eq!(outcome.changes, []);
    assert_eq!(
        (read(path.join("old")), path.join("new").exists(), path.join("d").exists()),
        ("before".into(), false, false)
    );
    // What the program does to them is its own.
    let outcome = succeed(&Invocation {
        args: vec!["-c".into(), "rm old; printf more >> new; mv d/e/f d/g".into()],
        ..invocation.clone()
    });
    let expected = [("d/g", ChangeKind::Created), ("new", ChangeKind::Created), ("old", ChangeKind::Deleted)];
    assert_eq!(changes_below(&outcome, &path), expected.map(|(name, kind)| (Path::new(name), kind)));
    assert_eq!(outcome.content(path.join("new")).expect("listed").expect("readable"), b"twomore");
}

#[test]
fn other_content_needs_the_sandbox() {
    for policy in [Policy::LandlockOnly, Policy::None] {
        let files = vec![("new".into(), b"text".to_vec())];
        let error = invoke(&Invocation { files, ..sh_under(policy, "cat new") }).expect_err("no overlay");
        assert!(matches!(&error, Error::FilesNeedSandbox(path) if path == Path::new("new")), "{error}");
    }
}

#[test]
fn a_file_that_cannot_be_placed_is_named() {
    let files = vec![("/proc/version".into(), b"text".to_vec())];
    let error = invoke(&Invocation { files, ..sh("true") }).expect_err("no such file");
    assert!(error.to_string().contains("write /proc/version"), "{error}");
}

#[test]
fn values_for_a_harness_are_in_a_file() {
    for policy in [Policy::Sandboxed, Policy::LandlockOnly, Policy::None] {
        let nondet = vec![("nondet:x#0".to_owned(), b"abc".to_vec()), ("nondet:y#1".to_owned(), vec![0, 1])];
        let outcome = succeed(&Invocation { nondet, ..sh_under(policy, "cat \"$OFFSHOOT_INPUTS\"") });
        assert_eq!(outcome.stdout.bytes, b"nondet:x#0\x003\0abcnondet:y#1\x002\0\0\x01", "{policy:?}");
        assert_eq!(outcome.changes, [], "{policy:?}");
    }
}

#[test]
fn reading_changes_nothing() {
    let (_dir, path) = scratch(&[("a", "a")]);
    let outcome = succeed(&Invocation { cwd: Some(path.clone()), ..sh("cat a && ls -lR . && test -w a") });
    assert_eq!(outcome.changes, []);
    assert_eq!(changes_below(&outcome, &path), []);
}

/// /dev/shm is a mount of its own, so this is the case of a working directory on another disk.
#[test]
fn a_working_directory_on_another_mount_is_private_too() {
    let shm = Path::new("/dev/shm");
    let dir = tempfile::tempdir_in(shm).expect("/dev/shm is writable");
    std::fs::write(dir.path().join("old"), "before").expect("a file");
    let outcome = succeed(&Invocation { cwd: Some(dir.path().into()), ..sh("cat old; printf x > new; rm old") });
    assert_eq!(outcome.stdout.bytes, b"before");
    let expected = [(Path::new("new"), ChangeKind::Created), (Path::new("old"), ChangeKind::Deleted)];
    assert_eq!(changes_below(&outcome, dir.path()), expected);
    assert!(dir.path().join("old").exists() && !dir.path().join("new").exists());
}

#[test]
fn temporary_directory_works_and_is_private() {
    let outcome = succeed(&sh("f=$(mktemp /tmp/offshoot-test-XXXXXX) && printf x > $f && echo $f"));
    let path = PathBuf::from(outcome.stdout.text().trim());
    assert!(!path.exists());
    assert_eq!(outcome.change(&path).map(|change| change.kind), Some(ChangeKind::Created));
}

#[test]
fn runs_do_not_see_each_other() {
    let (_dir, path) = scratch(&[("a", "")]);
    succeed(&Invocation { cwd: Some(path.clone()), ..sh("touch left-behind") });
    succeed(&Invocation { cwd: Some(path.clone()), ..sh("! test -e left-behind") });
}

#[test]
fn standard_devices_work_and_disks_are_not_there() {
    let script = "echo x > /dev/null && head -c 3 /dev/zero | wc -c && head -c 1 /dev/urandom > /dev/null \
                  && echo err > /dev/stderr && test -z \"$(find /dev -type b)\"";
    let outcome = succeed(&sh(script));
    assert_eq!(outcome.stdout.text().trim(), "3");
    assert_eq!(outcome.stderr.bytes, b"err\n");
}

#[test]
fn kernel_switches_cannot_be_turned() {
    // Opening for writing is enough to know; nothing is written.
    let outcome =
        succeed(&sh("for f in /proc/sys/kernel/core_pattern /proc/sysrq-trigger /sys/kernel/uevent_helper; do \
                               if (: >> $f) 2> /dev/null; then echo $f; fi; done"));
    assert_eq!(outcome.stdout.text(), "");
}

#[test]
fn only_the_standard_streams_are_open() {
    let outcome = succeed(&Invocation::new("/bin/ls").args(["/proc/self/fd"]));
    assert_eq!(outcome.stdout.text().split_whitespace().collect::<Vec<_>>(), ["0", "1", "2", "3"]);
}

#[test]
fn standard_input_arrives() {
    let bytes = Invocation { stdin: Stdin::Bytes(b"a\0b\n".to_vec()), ..Invocation::new("/bin/cat") };
    assert_eq!(succeed(&bytes).stdout.bytes, b"a\0b\n");
    let (_dir, path) = scratch(&[("seed", "from a file")]);
    let file = Invocation { stdin: Stdin::File(path.join("seed")), ..Invocation::new("/bin/cat") };
    assert_eq!(succeed(&file).stdout.bytes, b"from a file");
    assert_eq!(succeed(&Invocation::new("/bin/cat")).stdout.bytes, b"");
}

#[test]
fn standard_input_is_a_file_at_its_start_and_read_only() {
    let script = "test -f /dev/stdin && wc -c < /dev/stdin && ! (echo x >&0) 2> /dev/null";
    let outcome = succeed(&Invocation { stdin: Stdin::Bytes(vec![b'x'; 100_000]), ..sh(script) });
    assert_eq!(outcome.stdout.text().trim(), "100000");
}

/// More than a pipe of somebody who is not root may hold at once.
#[test]
fn a_pipe_of_any_length_is_a_pipe() {
    let bytes: Vec<u8> = (0..3 << 20).map(|at: u32| (at % 251) as u8).collect();
    let limits = Limits { capture: bytes.len(), ..Limits::default() };
    let piped = |script| Invocation { stdin: Stdin::Pipe(bytes.clone()), limits: limits.clone(), ..sh(script) };
    assert!(succeed(&piped("test -p /dev/stdin && cat")).stdout.bytes == bytes);
    assert_eq!(succeed(&piped("head -c 3")).stdout.bytes, [0, 1, 2], "what nobody reads is in nobody's way");
    assert_eq!(run(&piped("exec <&-; kill -9 $$")).status, Status::Signaled { signal: 9, core: false });
}

#[test]
fn a_stream_can_be_closed() {
    let script = "s=0; for fd in 0 1 2; do [ -e /proc/$$/fd/$fd ] || s=$((s * 4 + fd + 1)); done; exit $s";
    let closed = |status: i32, invocation: Invocation<'_>| {
        assert_eq!(run(&invocation).status, Status::Exited(status), "{invocation:#?}");
    };
    closed(1, Invocation { stdin: Stdin::Closed, ..sh(script) });
    closed(2, Invocation { stdout: Capture::Closed, ..sh(script) });
    closed(3, Invocation { stderr: Capture::Closed, ..sh(script) });
    let all = Invocation { stdin: Stdin::Closed, stdout: Capture::Closed, stderr: Capture::Closed, ..sh(script) };
    closed((4 + 2) * 4 + 3, all);
}

#[test]
fn a_file_that_no_memory_holds_is_an_error() {
    let (_dir, path) = scratch(&[]);
    let limits = Limits { file_size: 1 << 50, ..Limits::default() };
    let outcome = succeed(&Invocation { cwd: Some(path.clone()), limits, ..sh("truncate -s 1T large") });
    let content = outcome.content(path.join("large")).expect("listed");
    assert_eq!(content.expect_err("too large").kind(), std::io::ErrorKind::FileTooLarge);
}

#[test]
fn environment_is_changed_as_asked() {
    let mut invocation = sh("echo $SET ${PATH-none} ${HOME-none}");
    invocation.env =
        vec![("SET".into(), Some("value".into())), ("HOME".into(), None), ("PATH".into(), Some("p".into()))];
    assert_eq!(succeed(&invocation).stdout.bytes, b"value p none\n");
}

#[test]
fn landlock_writes_only_into_the_private_directory() {
    let (_dir, path) = scratch(&[("victim", "a")]);
    let script =
        "printf x > $TMPDIR/ok && cat victim && ! rm victim 2> /dev/null && ! (printf b > victim) 2> /dev/null";
    let outcome = succeed(&Invocation { cwd: Some(path.clone()), ..sh_under(Policy::LandlockOnly, script) });
    assert_eq!(outcome.stdout.bytes, b"a");
    assert_eq!(read(path.join("victim")), "a");
    assert!(!outcome.notes.is_empty(), "a weaker policy says what it leaves open");
}

#[test]
fn as_an_ordinary_user() {
    common::again_as_an_ordinary_user();
}

#[test]
fn daemons_die_with_the_run() {
    for policy in [Policy::Sandboxed, Policy::LandlockOnly, Policy::None] {
        let marker = format!("98765.{}{}", std::process::id(), policy as u8);
        let script = format!("(setsid sleep {marker} & setsid sh -c 'sleep {marker} & wait' & ) ; echo up");
        let outcome = succeed(&sh_under(policy, &script));
        assert_eq!(outcome.stdout.bytes, b"up\n");
        assert!(!somebody_runs(&marker), "{policy:?}");
    }
}

#[test]
fn killing_everybody_kills_nobody_else() {
    // The guards: if the sandbox were broken, this must not reach the machine.
    let group = run(&sh("kill -9 0"));
    assert_eq!(group.status, Status::Signaled { signal: 9, core: false });
    let all = run(&sh("test $$ -le 9 && sleep 1000 & test $$ -le 9 && kill -9 -1; wait; echo alive"));
    assert_eq!(all.stdout.bytes, b"alive\n");
}

#[test]
fn the_network_is_unreachable_but_loopback_works() {
    let outcome = run(&Invocation::new("/bin/bash").args(["-c", "echo > /dev/tcp/192.0.2.1/9"]));
    assert_eq!(outcome.status, Status::Exited(1));
    assert!(outcome.stderr.text().contains("unreachable"), "{outcome:?}");
    let outcome = run(&Invocation::new("/bin/bash").args(["-c", "echo > /dev/tcp/127.0.0.1/9"]));
    assert!(outcome.stderr.text().contains("refused"), "{outcome:?}");
}

/// Its name is random, and a program that lists the temporary directory would differ in each run.
#[test]
fn our_own_directory_is_hidden() {
    let (_dir, path) = scratch(&[("a", "")]);
    let parent = path.parent().expect("a parent").to_path_buf();
    let outcome = succeed(&Invocation { cwd: Some(parent), ..sh("cat /proc/self/mounts; echo; ls -a") });
    let text = outcome.stdout.text();
    let (mounts, names) = text.split_once("\n\n").expect("two parts");
    let upper = mounts.split(',').find_map(|option| option.strip_prefix("upperdir=")).expect("an overlay");
    let own =
        Path::new(upper).components().find(|part| part.as_os_str().to_string_lossy().starts_with("offshoot-run-"));
    let own = own.expect("the scratch directory").as_os_str().to_string_lossy().into_owned();
    assert!(names.lines().all(|name| name != own), "{names}");
    assert_eq!(outcome.changes, []);
}

/// As in a container, whose root is an overlay already and whose /proc has covered parts.
#[test]
fn a_sandbox_inside_a_sandbox() {
    let program = std::env::current_exe().expect("our path");
    let outcome = run(&Invocation::new(program).args(["--exact", "writes_are_listed_with_their_content"]));
    assert_eq!(outcome.status, Status::Exited(0), "{outcome:#?}");
    assert!(outcome.stdout.text().contains("1 passed"), "{outcome:#?}");
}

/// As a recorded `ls` or `grep -R` has it: names that nobody looked at, and the same links by way of another.
#[test]
fn a_world_with_listed_files_and_links_to_folders() {
    let (_dir, path) = scratch(&[("tool", "#!/bin/sh\nls; cat d/a\n"), ("large", "content")]);
    fs::set_permissions(path.join("tool"), fs::Permissions::from_mode(0o755)).expect("an executable file");
    let thing = |what, modified| Thing { what, mode: 0o644, modified };
    let (listed, link) = (What::File { size: 0 }, |to: &str| What::Link(to.into()));
    let world = [
        ("a", thing(What::File { size: 1 }, Some((1_000_000_000, 0)))),
        ("c", thing(link("a"), None)),
        ("d", thing(link("."), None)),
        ("d/a", thing(What::File { size: 1 }, Some((1_000_000_000, 0)))),
        ("d/c", thing(link("a"), None)),
        ("d/d", thing(link("."), None)),
        ("large", thing(listed.clone(), None)),
        ("new", thing(listed.clone(), None)),
        ("tool", thing(listed, None)),
    ];
    let invocation = Invocation {
        cwd: Some(path.clone()),
        world: world.map(|(name, thing)| (path.join(name), thing)).into(),
        files: vec![("d/a".into(), b"A".to_vec())],
        ..Invocation::new(path.join("tool"))
    };
    assert_eq!(succeed(&invocation).stdout.text(), "a\nc\nd\nlarge\nnew\ntool\nA");
    assert_eq!(read(path.join("large")), "content");
}

#[test]
fn a_run_can_be_given_another_world() {
    let (_dir, path) = scratch(&[("full/a", "a"), ("full/deep/b", "b"), ("extra", "x"), ("short", "s")]);
    let thing = |what, mode| Thing { what, mode, modified: Some((1_000_000_000, 0)) };
    let world = [
        ("gone/here", thing(What::Directory, 0o700)),
        ("full", thing(What::Absent, 0)),
        ("extra", thing(What::Link("short".into()), 0o777)),
        ("short", thing(What::File { size: 5000 }, 0o600)),
        ("gone/new", thing(What::File { size: 3 }, 0o755)),
    ];
    let script = "! test -e ../../full && readlink ../../extra && stat -c '%n %F %s %a %Y' ../../short ../new && \
                  cat ../new && umask && cat";
    let invocation = Invocation {
        // Not there outside.
        cwd: Some(path.join("gone/here")),
        world: world.map(|(name, thing)| (path.join(name), thing)).into(),
        files: vec![("../new".into(), b"one".to_vec())],
        umask: Some(0o27),
        stdin: Stdin::Pipe(b"piped".to_vec()),
        ..sh(script)
    };
    let outcome = succeed(&invocation);
    let shown = outcome.stdout.text();
    let expected =
        "short\n../../short regular file 5000 600 1000000000\n../new regular file 3 755 1000000000\none0027\npiped";
    assert_eq!(shown, expected);
    assert_eq!([read(path.join("full/deep/b")), read(path.join("short"))], ["b", "s"]);
    assert!(!path.join("gone").exists());

    let world = vec![("x".into(), thing(What::Absent, 0))];
    let error = invoke(&Invocation { world, ..sh_under(Policy::None, "true") }).expect_err("no overlay");
    assert!(matches!(error, Error::FilesNeedSandbox(_)), "{error}");
}
