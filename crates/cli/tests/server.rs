//! A served run cannot be told from an invoked one: the same deliveries through both, and everything compared, down to
//! the words of the trace.
//!
//! Needs what `make build` leaves in target/release/lib/offshoot.

use offshoot_base::{Budgets, Thing, What};
use offshoot_run::{Counts, Delivery, Invocation, Limit, Outcome, Server, Status, Stdin, TraceFile, invoke};
use offshoot_trace::layout::{ENTRY_SIZE, Header, Region, RegionId, config};
use std::mem::{offset_of, size_of};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const SYMBOLIC: &str = "arg,stdin,file,env:WORD,nondet";

fn program(name: &str, body: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("server");
    std::fs::create_dir_all(&folder).expect("a folder");
    let source = folder.join(format!("{name}.c"));
    let text = format!(
        "#define _GNU_SOURCE\n#include <fcntl.h>\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
         #include <string.h>\n#include <sys/shm.h>\n#include <sys/stat.h>\n#include <sys/wait.h>\n#include <time.h>\n#include <unistd.h>\n\
         #include <offshoot.h>\n{body}\n"
    );
    std::fs::write(&source, text).expect("a source");
    let program = folder.join(name);
    let resource = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/lib/offshoot");
    assert!(resource.join("liboffshoot_runtime.a").exists(), "no run-time library; run: make build");
    let built = Command::new(env!("CARGO_BIN_EXE_offshoot"))
        .args(["cc", "-O1", "-w", "-pthread"])
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .env("OFFSHOOT_LIB", resource)
        .output()
        .expect("offshoot starts");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    program
}

fn base(program: &Path) -> Invocation<'static> {
    let mut base = Invocation::new(program);
    base.cwd = program.parent().map(Into::into);
    base
}

fn serve(base: &Invocation<'_>) -> Server {
    Server::start(base, &Budgets::default(), config::CONCRETE_BRANCHES, SYMBOLIC).expect("a server")
}

fn stdin(bytes: &[u8]) -> Delivery {
    Delivery { stdin: Some(bytes.to_vec()), ..Delivery::default() }
}

fn argument(text: &[u8]) -> Delivery {
    Delivery { args: vec![(1, text.to_vec())], ..Delivery::default() }
}

fn file(name: &str, bytes: &[u8]) -> Delivery {
    Delivery { files: vec![(name.into(), bytes.to_vec())], ..Delivery::default() }
}

fn region(trace: &[u8], id: RegionId) -> &[u8] {
    let at = offset_of!(Header, regions) + id as usize * size_of::<Region>();
    let field =
        |offset: usize| u64::from_ne_bytes(*trace[at + offset..].first_chunk().expect("a whole header")) as usize;
    let (start, used) = (field(offset_of!(Region, offset)), field(offset_of!(Region, used)));
    &trace[start..start + used * ENTRY_SIZE[id as usize] as usize]
}

/// What a run did, as far as anybody can see.
#[derive(Debug, PartialEq)]
struct Seen {
    status: Status,
    stdout: String,
    stderr: String,
    changes: Vec<PathBuf>,
    trace: Vec<Vec<u8>>,
}

impl Seen {
    fn new(outcome: &Outcome, trace: &[u8]) -> Seen {
        use RegionId::{Coverage, Events, Modules, Nodes, Objects, Sources};
        Seen {
            status: outcome.status,
            stdout: outcome.stdout.text().into_owned(),
            stderr: outcome.stderr.text().into_owned(),
            changes: outcome.changes.iter().map(|change| change.path.clone()).collect(),
            trace: [Coverage, Events, Modules, Nodes, Objects, Sources].map(|id| region(trace, id).to_vec()).into(),
        }
    }
}

fn invoked(base: &Invocation<'_>, delivery: &Delivery) -> Seen {
    let trace = TraceFile::create(&Budgets::default(), config::CONCRETE_BRANCHES, SYMBOLIC).expect("a trace");
    let invocation = Invocation { trace: Some(&trace), ..delivery.apply(base).expect("an invocation") };
    let outcome = invoke(&invocation).expect("it runs");
    Seen::new(&outcome, &trace.map().expect("a map"))
}

fn served(server: &mut Server, delivery: &Delivery) -> Seen {
    let run = server.run(delivery, None).expect("it runs");
    Seen::new(&run.outcome, run.trace)
}

/// Each delivery through both; gives what the runs had in common.
#[track_caller]
fn compare(base: &Invocation<'_>, deliveries: &[Delivery]) -> (Vec<Seen>, Counts) {
    let mut server = serve(base);
    let mut all = Vec::new();
    for delivery in deliveries {
        let one = served(&mut server, delivery);
        let other = invoked(base, delivery);
        assert_eq!((&one.stdout, &one.stderr, one.status), (&other.stdout, &other.stderr, other.status));
        assert!(!one.trace[1].is_empty(), "no events");
        assert!(one == other, "{delivery:?}: traces or changes differ: {:?}, {:?}", one.changes, other.changes);
        all.push(one);
    }
    (all, server.counts())
}

/// All out of one server.
#[track_caller]
fn compare_in_one(base: &Invocation<'_>, deliveries: &[Delivery]) -> Vec<Seen> {
    let (seen, counts) = compare(base, deliveries);
    assert_eq!(counts, Counts { served: deliveries.len() as u64, invoked: 0, starts: 1 });
    seen
}

const READER: &str = "
int main(int argc, char **argv) {
    static char text[64];
    int fd = argc > 1 ? open(argv[1], O_RDONLY) : 0;
    if (fd < 0) { puts(\"none\"); return 3; }
    ssize_t n = read(fd, text, sizeof text - 1);
    int *counts = calloc(256, sizeof *counts);
    for (ssize_t i = 0; i < n; i++) {
        if (text[i] == '{') puts(\"open\");
        counts[(unsigned char)text[i]]++;
    }
    printf(\"%zd bytes, %d, pid %d of %d, session %d, next %d\\n\", n, counts['}'], getpid(), getppid(),
           getsid(0) == getpid(), dup(0));
    if (n > 2 && text[0] == '!') fputs(\"bang\", stderr);
    free(counts);
    return text[1] == 'x' ? 7 : 0;
}";

#[test]
fn standard_input() {
    let base = base(&program("reader", READER));
    let seen = compare_in_one(&base, &[stdin(b"{}"), stdin(b"!x{"), stdin(b""), stdin(b"{}"), Delivery::default()]);
    assert_eq!(seen[1].status, Status::Exited(7));
    assert_eq!(seen[1].stderr, "bang");
    assert_eq!(seen[0], seen[3]);
    assert!(seen[0].stdout.contains("pid 2 of 1, session 1, next 3"), "{}", seen[0].stdout);
}

#[test]
fn standard_input_of_the_base_invocation() {
    let base = Invocation { stdin: Stdin::Bytes(b"{{{".to_vec()), ..base(&program("reader-base", READER)) };
    let seen = compare_in_one(&base, &[Delivery::default(), stdin(b"}"), Delivery::default()]);
    assert_eq!(seen[0], seen[2]);
}

#[test]
fn files_that_exist_and_that_do_not() {
    let program = program("file-reader", READER);
    let folder = program.parent().expect("a folder");
    std::fs::write(folder.join("there.json"), "{old}").expect("a file");
    for name in ["there.json", "absent.json", "new/folder/absent.json"] {
        let base = base(&program).args([name]);
        let seen = compare_in_one(&base, &[file(name, b"{}"), file(name, b"x"), file(name, b""), file(name, b"{}")]);
        assert!(seen[0].stdout.contains("2 bytes"), "{}", seen[0].stdout);
        assert_eq!(seen[0].changes, [] as [PathBuf; 0]);
        assert_eq!(seen[0], seen[3]);
    }
    assert_eq!(std::fs::read(folder.join("there.json")).expect("untouched"), b"{old}");
    assert!(!folder.join("absent.json").exists() && !folder.join("new").exists());
}

#[test]
fn runs_with_different_sets_of_files_get_different_worlds() {
    let base = base(&program("file-sets", READER)).args(["late.json"]);
    let (seen, counts) = compare(&base, &[file("late.json", b"{}"), Delivery::default(), file("late.json", b"{}")]);
    assert_eq!((seen[0].status, seen[1].status), (Status::Exited(0), Status::Exited(3)));
    assert_eq!(counts.starts, 3);
}

const WORDS: &str = "
int main(int argc, char **argv) {
    const char *word = getenv(\"WORD\");
    if (argc > 2 && argv[1][0] == 'a') puts(\"a\");
    if (word && word[0] == 'b') puts(\"b\");
    printf(\"%d %s %s %s %zu\\n\", argc, argv[1], argv[2], word, strlen(argv[1]));
    return 0;
}";

#[test]
fn arguments() {
    let base = base(&program("arguments", WORDS)).args(["seed", "second"]);
    let seen = compare_in_one(&base, &[argument(b"aeed"), argument(b"seed"), Delivery::default()]);
    assert_eq!(seen[0].stdout, "a\n3 aeed second (null) 4\n");
    assert_eq!(seen[1], seen[2]);
}

/// The stack of an invocation moves with the size of its arguments; a served run's does not, and its traces show that.
#[test]
fn arguments_and_variables_of_other_lengths() {
    let mut base = base(&program("lengths", WORDS)).args(["seed", "second"]);
    base.env.push(("WORD".into(), Some("word".into())));
    let long = vec![b'a'; 5000];
    let mut server = serve(&base);
    for text in [&b""[..], b"a", b"abcdefgh", &long, b"seed"] {
        let word = Delivery { env: vec![("WORD".into(), text.to_vec())], ..argument(text) };
        let (one, other) = (served(&mut server, &word), invoked(&base, &word));
        assert_eq!((one.status, one.stdout), (other.status, other.stdout));
        assert_eq!(one.trace[0], other.trace[0], "coverage");
    }
    assert_eq!(server.counts(), Counts { served: 5, invoked: 0, starts: 1 });
}

#[test]
fn environment() {
    let mut base = base(&program("environment", WORDS)).args(["seed", "second"]);
    base.env.push(("WORD".into(), Some("word".into())));
    let word = |text: &[u8]| Delivery { env: vec![("WORD".into(), text.to_vec())], ..Delivery::default() };
    let seen = compare_in_one(&base, &[word(b"bord"), Delivery::default(), word(b"word")]);
    assert_eq!(seen[0].stdout, "b\n3 seed second bord 4\n");
    assert_eq!(seen[1], seen[2]);
}

#[test]
fn a_variable_that_the_base_does_not_set_is_invoked() {
    let base = Invocation {
        env: vec![("WORD".into(), None)],
        ..base(&program("new-variable", WORDS)).args(["seed", "second"])
    };
    let word = Delivery { env: vec![("WORD".into(), b"bord".to_vec())], ..Delivery::default() };
    let (_, counts) = compare(&base, &[word, Delivery::default()]);
    assert_eq!(counts, Counts { served: 1, invoked: 1, starts: 1 });
}

const HARNESS: &str = "
int main(void) {
    int x = offshoot_symbolic_int(\"x\");
    unsigned char y[4] = {0};
    offshoot_symbolic(y, sizeof y, \"y\");
    int again = offshoot_symbolic_int(\"x\");
    if (x == 77) puts(\"found\");
    printf(\"%d %d %d %d\\n\", x, y[0], y[3], again);
    return 0;
}";

fn values(values: &[(&str, &[u8])]) -> Delivery {
    let nondet = values.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect();
    Delivery { nondet, ..Delivery::default() }
}

#[test]
fn values_for_a_harness() {
    let program = program("harness", HARNESS);
    let base = base(&program);
    let some = values(&[("nondet:x#0", &77i32.to_le_bytes()), ("nondet:y#0", &[1, 2, 3, 4])]);
    let others = values(&[("nondet:x#1", &5i32.to_le_bytes())]);
    let mut server = serve(&base);
    for (delivery, expected) in [
        (&some, "found\n77 1 4 0\n"),
        (&others, "0 0 0 5\n"),
        (&Delivery::default(), "0 0 0 0\n"),
        (&some, "found\n77 1 4 0\n"),
    ] {
        let (one, other) = (served(&mut server, delivery), invoked(&base, delivery));
        assert_eq!((&one.stdout[..], &other.stdout[..]), (expected, expected));
        assert_eq!((&one.trace[0], one.trace[3].len()), (&other.trace[0], other.trace[3].len()));
        assert_eq!(one.changes, other.changes);
        // A process that nobody traces takes them too.
        let untraced = invoke(&delivery.apply(&base).expect("an invocation")).expect("it runs");
        assert_eq!(untraced.stdout.text(), expected);
    }
    assert_eq!(server.counts(), Counts { served: 4, invoked: 0, starts: 1 });
}

#[test]
fn a_crash_is_one_runs_own() {
    let body = "
    int main(void) {
        char c = getchar();
        puts(\"before\");
        fflush(stdout);
        if (c == 's') *(volatile int *)8 = 1;
        if (c == 'a') abort();
        if (c == 'p') kill(getppid(), SIGTERM);
        return 0;
    }";
    let base = base(&program("crash", body));
    let seen = compare_in_one(&base, &[stdin(b"s"), stdin(b"ok"), stdin(b"a"), stdin(b"p"), stdin(b"ok")]);
    assert!(matches!(seen[0].status, Status::Signaled { signal: libc::SIGSEGV, .. }));
    assert!(matches!(seen[2].status, Status::Signaled { signal: libc::SIGABRT, .. }));
    assert_eq!(seen[1], seen[4]);
}

#[test]
fn limits_end_the_run_and_not_the_server() {
    let body = "
    int main(void) {
        char c = getchar();
        if (c == 'w') pause();
        if (c == 'c') for (volatile int i = 0;; i++);
        if (c == 'o') for (;;) puts(\"all work and no play\");
        if (c == 'm') for (char *p;;) { p = malloc(1 << 20); memset(p, 1, 1 << 20); }
        puts(\"done\");
        return 0;
    }";
    let base = base(&program("limits", body));
    let mut limits = base.limits.clone();
    (limits.memory, limits.output) = (64 << 20, 1 << 20);
    let mut server = serve(&Invocation { limits: limits.clone(), ..base.clone() });
    let status = |server: &mut Server, text: &[u8]| server.run(&stdin(text), None).expect("it runs").outcome.status;
    assert_eq!(status(&mut server, b"o"), Status::KilledBy(Limit::Output));
    assert_eq!(status(&mut server, b"m"), Status::KilledBy(Limit::Memory));
    assert_eq!(status(&mut server, b"x"), Status::Exited(0));
    let cancelled = AtomicBool::new(true);
    let run = server.run(&stdin(b"w"), Some(&cancelled)).expect("it runs");
    assert_eq!(run.outcome.status, Status::Interrupted);
    assert_eq!(server.counts(), Counts { served: 4, invoked: 0, starts: 1 });

    limits.wall = Duration::from_secs(2);
    let mut server = serve(&Invocation { limits, ..base });
    assert_eq!(status(&mut server, b"w"), Status::TimedOut);
    assert_eq!(status(&mut server, b"x"), Status::Exited(0));
    assert_eq!(status(&mut server, b"c"), Status::TimedOut);
    assert_eq!(server.counts(), Counts { served: 3, invoked: 0, starts: 1 });
}

#[test]
fn the_cpu_limit_is_each_runs_own() {
    let body = "
    int main(void) {
        char c = getchar();
        for (volatile long i = 0; c == 'c'; i++);
        while (clock() < CLOCKS_PER_SEC * 3 / 10);
        return 0;
    }";
    let mut base = base(&program("cpu", body));
    base.limits.cpu = Duration::from_secs(1);
    let mut server = serve(&base);
    let mut status = |text: &[u8]| server.run(&stdin(text), None).expect("it runs").outcome.status;
    let all: Vec<Status> = [&b"x"[..], b"x", b"c", b"x", b"x", b"x", b"x"].map(&mut status).into();
    assert_eq!(all[2], Status::KilledBy(Limit::Cpu));
    assert!(all.iter().enumerate().all(|(i, status)| i == 2 || *status == Status::Exited(0)), "{all:?}");
    assert_eq!(server.counts().starts, 1);
}

#[test]
fn every_run_finds_the_same_files() {
    let body = "
    int main(void) {
        char c = getchar();
        printf(\"%d %d %d\\n\", access(\"left\", F_OK), access(\"victim\", F_OK), access(\".\", W_OK));
        if (c == 'w') { close(creat(\"left\", 0644)); mkdir(\"left.d\", 0755); close(creat(\"left.d/in\", 0644)); }
        if (c == 'c') { close(creat(\"left\", 0644)); chmod(\".\", 0700); }
        if (c == 'd') unlink(\"victim\");
        if (c == 'm') chmod(\"/tmp\", 0500);
        if (c == 't') { int fd = creat(\"/tmp/passing\", 0644); write(fd, \"x\", 1); close(fd); unlink(\"/tmp/passing\"); }
        if (c == 's') shmget(77, 4096, IPC_CREAT | 0600);
        struct stat tmp, here;
        stat(\"/tmp\", &tmp);
        stat(\".\", &here);
        printf(\"%o %o %d\\n\", tmp.st_mode, here.st_mode, shmget(77, 4096, 0600) >= 0);
        return 0;
    }";
    let base = base(&program("files", body));
    let folder = base.cwd.clone().expect("a folder");
    std::fs::write(folder.join("victim"), "v").expect("a file");
    let runs =
        [&b"x"[..], b"w", b"x", b"d", b"x", b"m", b"x", b"t", b"x", b"s", b"x", b"c", b"x", b"w", b"x", b"c", b"x"];
    let runs = runs.map(stdin);
    let (seen, counts) = compare(&base, &runs);
    assert!(seen.iter().step_by(2).all(|run| *run == seen[0]));
    assert_eq!(seen[1].changes, ["left", "left.d", "left.d/in"].map(|name| folder.join(name)));
    assert_eq!(seen[3].changes, [folder.join("victim")]);
    // Passing files and additions need no new server.
    assert_eq!(counts, Counts { served: 17, invoked: 0, starts: 6 });
    assert!(folder.join("victim").exists() && !folder.join("left").exists());
}

/// A recorded test's folder is gone from the machine, and the world brings it back, with all that was in it.
#[test]
fn every_run_finds_the_same_world() {
    let body = "
    int main(void) {
        char c = getchar();
        struct stat here, old;
        int is_old = !stat(\"old\", &old);
        stat(\".\", &here);
        printf(\"%d %d %d %d %d\\n\", mkdir(\"new\", 0755), is_old, access(\"hidden\", F_OK), access(\"link\", F_OK),
            access(\"d/in\", F_OK));
        printf(\"%ld %ld %ld %o\\n\", here.st_mtime, is_old ? old.st_mtime : 0, is_old ? old.st_size : 0,
            is_old ? old.st_mode : 0);
        if (c != 'k') rmdir(\"new\");
        if (c == 'm') rename(\"old\", \"d/old\");
        if (c == 'c') chmod(\"old\", 0600);
        if (c == 't') truncate(\"old\", 0);
        if (c == 'w') { int fd = open(\"old\", O_WRONLY); write(fd, \"12345\", 5); close(fd); }
        if (c == 'l') unlink(\"link\");
        if (c == 'h') close(creat(\"hidden\", 0644));
        if (c == 'd') unlink(\"d/in\");
        if (c == 'r') { unlink(\"d/in\"); rmdir(\"d\"); }
        return 0;
    }";
    let program = program("world", body);
    let above = program.parent().expect("a folder").join("world.d");
    std::fs::create_dir_all(&above).expect("a folder");
    std::fs::write(above.join("hidden"), "h").expect("a file");
    let gone = above.join("gone");
    let mut base = base(&program);
    base.cwd = Some(gone.clone());
    let thing = |what| Thing { what, mode: 0o755, modified: Some((1_000_000_000, 5)) };
    base.world = [
        ("", What::Directory),
        ("d", What::Directory),
        ("d/in", What::File { size: 0 }),
        ("old", What::File { size: 5 }),
        ("link", What::Link("d".into())),
        ("../hidden", What::Absent),
    ]
    .map(|(path, what)| (gone.join(path), thing(what)))
    .into();
    let runs: Vec<u8> = b"mctwlhdr".iter().flat_map(|how| [b'x', b'k', *how]).chain([b'x']).collect();
    let deliveries: Vec<Delivery> = runs.iter().map(|how| stdin(&[*how])).collect();
    let (seen, counts) = compare(&base, &deliveries);
    let changes = |how: u8| {
        let number = runs.iter().position(|run| *run == how).expect("it was run");
        let names = seen[number].changes.iter().map(|path| path.strip_prefix(&above).expect("below").to_path_buf());
        names.map(|name| name.to_string_lossy().into_owned()).collect::<Vec<_>>()
    };
    assert!(seen.iter().all(|run| run.stdout == seen[0].stdout), "{seen:#?}");
    assert_eq!(seen[0].stdout, "0 1 -1 0 0\n1000000000 1000000000 5 100755\n");
    assert_eq!(changes(b'x'), [""; 0]);
    assert_eq!(changes(b'k'), ["gone/new"]);
    assert_eq!(changes(b'm'), ["gone/d/old", "gone/old"]);
    for how in *b"ctw" {
        assert_eq!(changes(how), ["gone/old"]);
    }
    assert_eq!(changes(b'l'), ["gone/link"]);
    assert_eq!(changes(b'h'), ["gone/hidden"]);
    assert_eq!(changes(b'd'), ["gone/d/in"]);
    assert_eq!(changes(b'r'), ["gone/d", "gone/d/in"]);
    // What is added is taken away; only what was there and is not any more needs a new one.
    assert_eq!(counts, Counts { served: 25, invoked: 0, starts: 8 });
}

#[test]
fn a_delivered_file_that_is_changed_comes_back() {
    let body = "
    int main(void) {
        char text[8] = {0};
        int fd = open(\"in\", O_RDWR);
        read(fd, text, 4);
        puts(text);
        if (text[0] == 'w') pwrite(fd, \"zzzz\", 4, 0);
        if (text[0] == 'd') unlink(\"in\");
        if (text[0] == 'r') rename(\"in\", \"out\");
        if (text[0] == 'c') chmod(\"in\", 0600);
        printf(\"%d\\n\", access(\"out\", F_OK));
        return 0;
    }";
    let base = base(&program("delivered", body));
    let runs = [&b"xxxx"[..], b"wwww", b"xxxx", b"dddd", b"xxxx", b"rrrr", b"xxxx", b"cccc", b"xxxx"];
    let (seen, counts) = compare(&base, &runs.map(|text| file("in", text)));
    assert!(seen.iter().step_by(2).all(|run| *run == seen[0]));
    // Other content needs no new server: it is written for every run.
    assert_eq!(counts, Counts { served: 9, invoked: 0, starts: 4 });
}

#[test]
fn additions_are_kept_and_taken_away() {
    let body = "
    int main(void) {
        char c = getchar();
        printf(\"%d\\n\", open(\"out\", O_WRONLY | O_CREAT | O_EXCL, 0644) >= 0);
        if (c == 'x') puts(\"x\");
        write(3, &c, 1);
        symlink(\"out\", \"link\");
        return 0;
    }";
    let base = base(&program("writer", body));
    let runs: Vec<Delivery> = (0..8).map(|number| stdin(&[b'a' + number])).collect();
    let seen = compare_in_one(&base, &runs);
    assert_eq!(seen[0].changes.len(), 2);
    let mut server = serve(&base);
    let first = server.run(&runs[0], None).expect("it runs").outcome;
    server.run(&runs[1], None).expect("it runs");
    let out = base.cwd.clone().expect("a folder").join("out");
    assert_eq!(first.content(&out).expect("listed").expect("readable"), b"a");
}

#[test]
fn a_program_that_always_deletes_is_invoked_in_the_end() {
    let body = "int main(void) { char c = getchar(); if (c == 'x') puts(\"x\"); return unlink(\"prey\"); }";
    let base = base(&program("deleter", body));
    std::fs::write(base.cwd.clone().expect("a folder").join("prey"), "").expect("a file");
    let runs: Vec<Delivery> = (0..8).map(|_| stdin(b"x")).collect();
    let (_, counts) = compare(&base, &runs);
    assert_eq!(counts, Counts { served: 4, invoked: 4, starts: 4 });
}

#[test]
fn children_are_not_left_behind() {
    let body = "
    int main(void) {
        char c = getchar();
        int ready[2];
        pipe(ready);
        for (int i = 0; i < 5 && c == 'f'; i++) {
            // Only after the last branch of all of them: outcomes are shared.
            if (!fork()) { setsid(); if (!fork()) { write(ready[1], \"x\", 1); pause(); } _exit(0); }
            wait(0);
            read(ready[0], &(char){0}, 1);
        }
        int child = fork();
        if (!child) _exit(c == 'f');
        int status;
        waitpid(child, &status, 0);
        printf(\"%d\\n\", WEXITSTATUS(status));
        if (c != 'f') printf(\"child %d\\n\", child);
        return 0;
    }";
    let base = base(&program("children", body));
    let seen = compare_in_one(&base, &[stdin(b"f"), stdin(b"x"), stdin(b"f"), stdin(b"x")]);
    assert_eq!(seen[1].stdout, "0\nchild 3\n");
    assert_eq!(seen[1], seen[3]);
}

#[test]
fn a_program_that_kills_everybody_kills_its_server() {
    let body = "int main(void) { if (getchar() == 'k') kill(-1, SIGKILL); puts(\"alive\"); return 0; }";
    let base = base(&program("killer", body));
    // Whether the run or its server is seen to end first is a matter of luck, and only the counts show it.
    let (seen, _) = compare(&base, &[stdin(b"x"), stdin(b"k"), stdin(b"x")]);
    assert_eq!(seen[1].stdout, "alive\n");
    assert_eq!(seen[0], seen[2]);
}

#[test]
fn a_server_that_was_stopped_is_replaced() {
    let body = "
    int main(void) {
        if (getchar() == 's') kill(-1, SIGSTOP);
        puts(\"alive\");
        return 0;
    }";
    let mut base = base(&program("stopper", body));
    base.limits.wall = Duration::from_secs(2);
    let (seen, counts) = compare(&base, &[stdin(b"s"), stdin(b"x"), stdin(b"x")]);
    assert!(seen.iter().all(|run| run.stdout == "alive\n"));
    assert_eq!(counts, Counts { served: 2, invoked: 1, starts: 2 });
}

#[test]
fn a_successor_runs_as_usual() {
    let body = "
    int main(int argc, char **argv) {
        if (argc > 1) { printf(\"again %d\\n\", getpid()); return 4; }
        char c = getchar();
        if (c == 'e') execl(\"/bin/echo\", \"echo\", \"successor\", NULL);
        if (c == 's') execl(\"/proc/self/exe\", \"self\", \"again\", NULL);
        return 0;
    }";
    let base = base(&program("successor", body));
    let seen = compare_in_one(&base, &[stdin(b"e"), stdin(b"s"), stdin(b"x")]);
    assert_eq!((&seen[0].stdout[..], &seen[1].stdout[..]), ("successor\n", "again 2\n"));
}

#[test]
fn threads_and_locks_work() {
    let body = "
    #include <pthread.h>
    static pthread_mutex_t lock;
    static void *work(void *x) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); return x; }
    int main(void) {
        pthread_mutexattr_t kind;
        pthread_mutexattr_init(&kind);
        pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
        pthread_mutex_init(&lock, &kind);
        char c = getchar();
        pthread_t thread;
        pthread_mutex_lock(&lock);
        printf(\"%d\\n\", pthread_mutex_lock(&lock));
        pthread_create(&thread, 0, work, 0);
        pthread_mutex_unlock(&lock);
        pthread_join(thread, 0);
        if (c == 'x') puts(\"x\");
        return gettid() != getpid();
    }";
    let base = base(&program("threads", body));
    let seen = compare_in_one(&base, &[stdin(b"x"), stdin(b"y")]);
    assert_eq!(seen[0].status, Status::Exited(0));
}

#[test]
fn what_cannot_be_served_is_invoked() {
    let mut server = serve(&Invocation::new("/bin/cat"));
    for text in [&b"one"[..], b"two"] {
        let run = server.run(&stdin(text), None).expect("it runs");
        assert_eq!((run.outcome.status, &run.outcome.stdout.bytes[..]), (Status::Exited(0), text));
    }
    assert_eq!(server.counts(), Counts { served: 0, invoked: 2, starts: 1 });
    // A script in front of the program: the arguments are not those that deliveries speak of.
    let program = program("wrapped", WORDS);
    let script = format!("exec {} \"$@\"", program.display());
    let base = Invocation::new("/bin/sh").args(["-c", &script, "sh", "seed", "second"]);
    let mut server = serve(&base);
    let run = server.run(&Delivery { args: vec![(4, b"aeed".to_vec())], ..Delivery::default() }, None);
    assert_eq!(run.expect("it runs").outcome.stdout.text(), "a\n3 aeed second (null) 4\n");
    assert_eq!(server.counts().invoked, 1);
}

/// A run of a server is handed three streams.
#[test]
fn a_run_without_a_stream_is_invoked() {
    let body = "int main(void) { return fcntl(0, F_GETFD) < 0 && fcntl(1, F_GETFD) >= 0 ? 3 : 4; }";
    let base = Invocation { stdin: Stdin::Closed, ..base(&program("closed", body)) };
    let mut server = serve(&base);
    for delivery in [Delivery::default(), stdin(b"for nobody")] {
        assert_eq!(server.run(&delivery, None).expect("it runs").outcome.status, Status::Exited(3));
    }
    assert_eq!(server.counts(), Counts { served: 0, invoked: 2, starts: 0 });
}
