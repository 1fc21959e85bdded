//! `offshoot record` on small suites: scripts and makefiles that run a program of ours.
//!
//! Needs what `make build` leaves in target/release/lib/offshoot.

mod faithful;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Does what its first argument says.
const PROGRAM: &str = r#"
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void show(FILE *from, const char *name) {
    char line[256];
    while (from && fgets(line, sizeof line, from))
        printf("%s: %s", name, line);
}

int main(int argc, char **argv, char **variables) {
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "read") == 0) {
        const char *colour = getenv("COLOUR");
        show(argc > 2 ? fopen(argv[2], "r") : NULL, "file");
        show(stdin, colour ? colour : "stdin");
        return 3;
    }
    if (strcmp(what, "kill") == 0) {
        char bytes[4];
        if (read(0, bytes, 4) == 4 && write(1, bytes, 4) == 4)
            raise(SIGKILL);
    }
    if (strcmp(what, "wait") == 0) {
        puts("ready");
        fflush(stdout);
        sleep(30);
    }
    if (strcmp(what, "fork") == 0) {
        int status;
        if (fork() == 0) {
            show(fopen("data", "r"), "child");
            exit(5);
        }
        wait(&status);
        return WEXITSTATUS(status);
    }
    if (strcmp(what, "exec") == 0)
        execl(argv[0], "other", "read", "data", (char *)0);
    if (strcmp(what, "clock") == 0)
        execl("/bin/date", "date", "+%s", (char *)0);
    if (strcmp(what, "nice") == 0)
        printf("%d\n", getpriority(PRIO_PROCESS, 0));
    if (strcmp(what, "shell") == 0)
        return system("echo from the shell") != 0;
    if (strcmp(what, "big") == 0) {
        struct stat data;
        int fd = open("big", O_RDONLY);
        return fd < 0 || fstat(fd, &data) != 0 || data.st_size != 1 << 30;
    }
    if (strcmp(what, "own") == 0) {
        FILE *made = fopen("made", "wx");
        if (!made)
            return 1;
        fputs("of its own\n", made);
        fclose(made);
        show(fopen("made", "r"), "made");
        return unlink("made");
    }
    if (strcmp(what, "into") == 0) {
        int fd = open(argv[2], O_CREAT | O_EXCL | O_WRONLY, 0644);
        return fd < 0 || write(fd, "new\n", 4) != 4;
    }
    if (strcmp(what, "many") == 0) {
        int count = 0;
        while (open("/dev/null", O_RDONLY) >= 0)
            count++;
        printf("%d more\n", count);
    }
    if (strcmp(what, "link") == 0) {
        struct timespec times[2] = {{1000, 0}, {2000, 0}};
        struct stat data;
        if (symlink("data", "fresh") || utimensat(AT_FDCWD, "fresh", times, AT_SYMLINK_NOFOLLOW) ||
            lstat("fresh", &data) || lstat("fresh", &data))
            return 1;
        printf("read last at %ld\n", (long)data.st_atime);
        return unlink("fresh");
    }
    if (strcmp(what, "option") == 0)
        return getopt(argc - 1, argv + 1, "a") == '?' ? 4 : 0;
    if (strcmp(what, "pid") == 0)
        printf("%d\n", getpid());
    if (strcmp(what, "hidden") == 0) {
        for (char **variable = variables; *variable; variable++)
            if (strncmp(*variable, "LD_PRELOAD=", 11) == 0 || strncmp(*variable, "OFFSHOOT_RECORD=", 16) == 0)
                puts(*variable);
    }
    if (strcmp(what, "closed") == 0) {
        int log = 900;
        for (int fd = 3; fd < 5000; fd++)
            if (close(fd) == 0 && fd > 512)
                log = fd;
        dup2(open("victim", O_CREAT | O_WRONLY, 0644), log);
        puts("closed");
    }
    if (strcmp(what, "list") == 0) {
        struct dirent **names;
        int count = scandir(argv[2], &names, NULL, alphasort);
        for (int i = 0; i < count; i++)
            printf("%s %d\n", names[i]->d_name, names[i]->d_type);
    }
    if (strcmp(what, "null") == 0) {
        struct stat out, null;
        if (fstat(1, &out) == 0 && stat("/dev/null", &null) == 0)
            return out.st_rdev == null.st_rdev;
    }
    if (strcmp(what, "full") == 0)
        return printf("lost") == 4 && fflush(stdout) != 0 ? 28 : 0;
    return 0;
}
"#;

struct Place {
    folder: PathBuf,
}

impl Place {
    fn new(name: &str) -> Place {
        Place::of(name, PROGRAM)
    }

    fn of(name: &str, program: &str) -> Place {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("record").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("the folder of an earlier run goes");
        }
        fs::create_dir_all(&folder).expect("a folder");
        let place = Place { folder };
        place.write("p.c", program);
        place.write("data", "one\ntwo\n");
        let built = place.offshoot(&["cc", "-O1", "-pthread", "p.c", "-o", "p"]);
        assert!(built.status.success(), "{}", text(&built.stderr));
        place
    }

    fn write(&self, name: &str, content: &str) {
        fs::write(self.folder.join(name), content).expect("a file");
    }

    fn offshoot(&self, args: &[&str]) -> Output {
        let resource = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/lib/offshoot");
        assert!(resource.join("liboffshoot_recorder.so").exists(), "no recorder; run: make build");
        let mut command = Command::new(env!("CARGO_BIN_EXE_offshoot"));
        command.args(args).current_dir(&self.folder).env("OFFSHOOT_LIB", resource).stdin(Stdio::null());
        command.output().expect("offshoot starts")
    }

    /// Runs a script under the recorder.
    fn record(&self, script: &str) -> (Output, Value) {
        self.write("script", script);
        self.record_command(&["sh", "script"])
    }

    fn record_command(&self, command: &[&str]) -> (Output, Value) {
        self.record_with(&[], command)
    }

    fn record_with(&self, flags: &[&str], command: &[&str]) -> (Output, Value) {
        let usual = ["record", "-o", "out", "--run-time", "3s", "--progress", "none"];
        let output = self.offshoot(&[&usual, flags, &["--"], command].concat());
        let report = fs::read(self.folder.join("out/record.json"));
        let report = report.unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr)));
        (output, serde_json::from_slice(&report).expect("JSON"))
    }

    fn test(&self, id: &Value) -> Value {
        let path = self.folder.join("out/tests").join(id.as_str().expect("an id")).join("test.json");
        serde_json::from_slice(&fs::read(path).expect("a test")).expect("JSON")
    }

    /// All tests do what they did.
    fn replays(&self) {
        let output = self.offshoot(&["replay", "-o", "out", "--progress", "none", "all"]);
        assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn count(report: &Value, field: &str) -> u64 {
    report[field].as_u64().unwrap_or_else(|| panic!("{field} in {report}"))
}

fn fresh(report: &Value) -> &Vec<Value> {
    report["fresh"].as_array().expect("tests")
}

#[test]
fn a_script_becomes_tests_and_keeps_its_output_and_status() {
    let place = Place::new("script");
    let script = "echo piped | COLOUR=red ./p read data; ./p read absent < data; ./p read data </dev/null; \
                  ./p read data </dev/null; env -i ./p hidden; ./p null > /dev/null; ./p full > /dev/full; exit 7";
    let plain = Command::new("sh").args(["-c", script]).current_dir(&place.folder).output().expect("sh");
    let (output, report) = place.record(script);
    assert_eq!(text(&output.stdout), text(&plain.stdout), "what the suite writes is its own");
    assert_eq!(output.status.code(), Some(7));
    assert_eq!((count(&report, "runs"), count(&report, "known"), fresh(&report).len()), (7, 1, 6), "{report}");
    assert_eq!((count(&report, "same"), count(&report, "flaky")), (6, 0), "{report}");
    let full = place.test(&fresh(&report)[5]);
    assert_eq!(full["command"]["world"]["outputs"], serde_json::json!(["full", "kept"]));
    assert_eq!(full["status"]["value"]["exited"], 28);
    let piped = place.test(&fresh(&report)[0]);
    assert_eq!(piped["command"]["args"], serde_json::json!(["read", "data"]));
    assert_eq!(piped["command"]["env"], serde_json::json!([["COLOUR", "red"]]), "what it asked for");
    assert_eq!(piped["status"]["value"]["exited"], 3);
    assert_eq!(piped["origin"], "recorded");
    let folder = place.folder.join("out/tests").join(fresh(&report)[0].as_str().expect("an id"));
    assert_eq!(fs::read(folder.join("stdin")).expect("input"), b"piped\n");
    assert_eq!(fs::read(folder.join("file.0")).expect("a file"), b"one\ntwo\n");
    // The world is that of the recording, whatever has become of it.
    place.write("data", "other\n");
    place.write("absent", "not any more\n");
    place.replays();
    let (_, again) = place.record(script);
    assert_eq!(fresh(&again).len(), 3, "those that read the other bytes: {again}");
}

#[test]
fn runs_of_a_parallel_make_are_whole() {
    let place = Place::new("make");
    let rules = "all: $(addprefix t,1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20)\n\
                 t%:\n\t@mkdir -p d$* && cd d$* && echo $* > in && echo line $* | ../p read in > out; test $$? -eq 3\n\
                 \t@rm -r d$*\n";
    place.write("Makefile", rules);
    let (output, report) = place.record_command(&["make", "-j2"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(fresh(&report).len(), 20, "{report}");
    assert_eq!(count(&report, "same"), 20, "{report}");
    // Their folders are gone.
    assert!(!place.folder.join("d1").exists());
    place.replays();
}

#[test]
fn runs_that_end_in_other_ways_are_recorded_as_far_as_they_got() {
    let place = Place::new("ends");
    let script = "echo abcdef | ./p kill; ./p wait > log & while ! grep -q ready log 2>/dev/null; do :; done; kill $!; \
                  ./p fork; ./p exec < data; ./p shell; ./p own; ./p closed; wc -c < victim";
    let (output, report) = place.record(script);
    assert!(
        text(&output.stdout).ends_with("closed\n0\n"),
        "nothing of ours in a file of theirs: {}",
        text(&output.stdout)
    );
    assert_eq!(count(&report, "killed"), 2, "{report}");
    assert_eq!(count(&report, "became"), 1, "{report}");
    assert_eq!(count(&report, "runs"), 8, "{report}");
    let tests: Vec<Value> = fresh(&report).iter().map(|id| place.test(id)).collect();
    let of = |word: &str| tests.iter().find(|test| test["command"]["args"][0] == word).expect("a test");
    assert_eq!(of("kill")["status"]["value"]["signaled"], 9);
    assert!(of("wait")["flaky"].as_str().is_some_and(|why| why.contains("killed")), "{}", of("wait"));
    assert_eq!(of("fork")["status"]["value"]["exited"], 5);
    assert_eq!(of("exec")["status"]["value"]["exited"], 3);
    assert_eq!(of("shell")["stdout"]["total"], 15, "what others wrote is learnt from the replay");
    assert_eq!(count(&report, "flaky"), 1, "{report}");
}

#[test]
fn what_cannot_be_kept_or_repeated_is_said() {
    let place = Place::new("limits");
    fs::File::create(place.folder.join("big")).and_then(|file| file.set_len(1 << 30)).expect("a sparse file");
    let (output, report) = place.record("./p big; ./p pid; cp p gone; ./gone; rm gone");
    let stderr = text(&output.stderr);
    assert!(stderr.contains("big is too large to be kept (1G)"), "{stderr}");
    assert_eq!((count(&report, "same"), count(&report, "flaky")), (0, 3), "{report}");
    let reasons = report["reasons"].to_string();
    assert!(reasons.contains("stdout: line 1: recorded") && reasons.contains("gone: No such file"), "{reasons}");
    let size: u64 = walk(&place.folder.join("out"));
    assert!(size < 1 << 20, "{size} bytes");
}

#[test]
fn folders_are_there_for_what_a_run_makes_in_them() {
    let place = Place::new("folders");
    let script = "mkdir -p a/b; ln -s a link; ln -s data name; ./p read name < /dev/null
                  ./p into a/b/new && ./p into link/new && ! ./p into no/new";
    let (output, report) = place.record(script);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!((count(&report, "same"), count(&report, "flaky")), (4, 0), "{report}");
    fs::remove_dir_all(place.folder.join("a")).expect("the world is gone");
    fs::remove_file(place.folder.join("name")).expect("the world is gone");
    place.replays();
    for id in fresh(&report) {
        let script = place.folder.join("out/tests").join(id.as_str().expect("an id")).join("cmd.sh");
        let checked = Command::new("sh").arg(&script).arg("--check").output().expect("a shell");
        assert_eq!(checked.status.code(), Some(0), "{}: {}", script.display(), text(&checked.stderr));
    }
}

#[test]
fn a_folder_that_was_listed_has_the_same_names_without_its_suite() {
    let place = Place::new("list");
    let script =
        "mkdir d d/folder && : > d/file && ln -s ../data d/link && ./p list d; ./p list / > /dev/null; rm -r d";
    let (output, report) = place.record(script);
    assert_eq!((count(&report, "same"), count(&report, "flaky")), (2, 0), "{report}");
    let listed = text(&output.stdout);
    assert!(listed.contains("link "), "{listed}");
    let id = fresh(&report)
        .iter()
        .filter_map(Value::as_str)
        .find(|id| fs::read(place.folder.join("out/tests").join(id).join("arg.2")).is_ok_and(|name| name == b"d"));
    let script = place.folder.join("out/tests").join(id.expect("the test")).join("cmd.sh");
    let check = Command::new("sh").arg(script).arg("--check").output().expect("sh");
    assert_eq!((check.status.code(), text(&check.stderr)), (Some(0), String::new()));
}

#[test]
fn a_recorded_program_cannot_tell() {
    let place = Place::new("unseen");
    let script = "(ulimit -S -n 6; ./p many); ./p link; ./p hidden";
    place.write("alone", script);
    let alone = Command::new("sh").arg("alone").current_dir(&place.folder).output().expect("a shell");
    let (output, _) = place.record(script);
    assert_eq!(text(&output.stdout), text(&alone.stdout));
    assert_eq!(text(&alone.stdout), "3 more\nread last at 1000\n");
}

#[test]
fn a_program_with_few_files_keeps_them_all() {
    let place = Place::new("few");
    // A hard limit that nobody may exceed. All files are open when it prints, and none is when it reads.
    let script = "drop=; [ $(id -u) != 0 ] || drop='setpriv --bounding-set -sys_resource'
        $drop sh -c 'ulimit -n 6; ./p many; ./p read data'";
    let (output, report) = place.record(script);
    assert_eq!(text(&output.stdout), "3 more\nfile: one\nfile: two\n");
    assert_eq!((count(&report, "same"), count(&report, "flaky"), count(&report, "killed")), (1, 1, 0), "{report}");
    assert!(report["losses"].to_string().contains("had all its files open"), "{report}");
}

#[test]
fn what_a_replay_has_to_tell_it_tells_twice() {
    let place = Place::new("twice");
    let (_, report) = place.record("./p clock; ./p shell; nice -n 3 ./p nice");
    assert_eq!((count(&report, "same"), count(&report, "flaky")), (2, 1), "{report}");
    assert!(report["reasons"].to_string().contains("replays differ: stdout"), "{report}");
    place.replays();
}

#[test]
fn who_looks_at_all_variables_sees_those_that_were_recorded() {
    let place = Place::new("variables");
    place.write(
        "all.c",
        "#include <stdio.h>
        extern char **environ;
        int main(void) {
            for (char **variable = environ; *variable; variable++)
                puts(*variable);
        }",
    );
    let built = place.offshoot(&["cc", "-O1", "all.c", "-o", "all"]);
    assert!(built.status.success(), "{}", text(&built.stderr));
    let (output, report) = place.record("env -i A=1 B=2 ./all");
    assert_eq!(text(&output.stdout), "A=1\nB=2\n");
    assert_eq!((count(&report, "same"), count(&report, "flaky")), (1, 0), "{report}");
    place.replays();
}

#[test]
fn what_libc_itself_writes_is_recorded() {
    let place = Place::new("libc");
    let (_, report) = place.record("./p option -z");
    assert_eq!((count(&report, "same"), count(&report, "flaky")), (1, 0), "{report}");
    let path = place.folder.join("out/tests").join(fresh(&report)[0].as_str().expect("an id")).join("expected.stderr");
    assert!(fs::read_to_string(path).expect("its standard error").contains("invalid option -- 'z'"));
}

#[test]
fn a_suite_without_our_programs_is_told_how_to_build() {
    let place = Place::new("foreign");
    let (output, report) = place.record("ls > /dev/null");
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{stderr}");
    assert!(stderr.contains("/ls") && stderr.contains("CC=offshoot-cc"), "{stderr}");
    assert_eq!(count(&report, "runs"), 0);
    let (output, _) = place.record("exit 9");
    assert_eq!(output.status.code(), Some(9), "the command's own status comes first");
    let none = place.offshoot(&["record", "-o", "out", "--", "./nothing"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(text(&none.stderr).contains("cannot run ./nothing"), "{}", text(&none.stderr));
    assert_eq!(place.offshoot(&["record", "-o", "out"]).status.code(), Some(2));
    // Nothing of a recording is left beside the tests.
    let hidden = fs::read_dir(place.folder.join("out")).expect("a folder").flatten();
    assert!(hidden.into_iter().all(|entry| !entry.file_name().to_string_lossy().starts_with('.')));
}

fn walk(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    entries
        .map(|entry| match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            true => walk(&entry.path()),
            false => entry.metadata().map_or(0, |data| data.len()),
        })
        .sum()
}

#[test]
fn what_is_left_of_a_test_looks_at_nothing_that_it_does_not_bring() {
    let place = Place::new("beside");
    // One character of `data`, and as good as that to whoever looks at statements only.
    place.write("d", "by chance\n");
    let (_, report) = place.record("./p read data < /dev/null");
    let id = fresh(&report)[0].as_str().expect("an id");
    let left = |options: &[&str]| {
        let output = place.offshoot(&[&["reduce", "-o", "out", "--budget", "60s"], options].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let folder = place.folder.join("out/reduced").join(id);
        let test: Value = serde_json::from_slice(&fs::read(folder.join("test.json")).expect("a test")).expect("JSON");
        let name = fs::read_to_string(folder.join("arg.2")).expect("an argument");
        let content = fs::read_to_string(folder.join("file.0")).expect("a file");
        assert_eq!(test["origin"]["reduced"]["original"], id);
        (name, content)
    };
    let (name, content) = left(&[]);
    assert_eq!(name, "data");
    assert!(content.len() < 3, "{content:?}");
    assert_eq!(left(&["--split", "file=lines"]).1, "one\n");
    let wrong = place.offshoot(&["reduce", "-o", "out", "--split", "file=words"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("records:N"), "{}", text(&wrong.stderr));
}

#[test]
fn a_file_that_is_only_opened_can_become_empty() {
    let place = Place::new("empty");
    place.write(
        "open.c",
        "#include <stdio.h>
        int main(int argc, char **argv) {
            char buffer[100];
            FILE *file = fopen(argv[1], \"r\");
            return !file || fread(buffer, 1, sizeof buffer, file) > sizeof buffer;
        }",
    );
    let built = place.offshoot(&["cc", "-O1", "open.c", "-o", "open"]);
    assert!(built.status.success(), "{}", text(&built.stderr));
    let (_, report) = place.record("./open data < /dev/null");
    let output = place.offshoot(&["reduce", "-o", "out", "--split", "arg=whole", "--split", "stdin=lines"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("no test has a source stdin"), "{}", text(&output.stderr));
    let folder = place.folder.join("out/reduced").join(fresh(&report)[0].as_str().expect("an id"));
    assert_eq!(fs::read(folder.join("file.0")).expect("a file"), b"");
    let reduction = fs::read_to_string(place.folder.join("out/reduction.json")).expect("a report");
    let reduction: Value = serde_json::from_str(&reduction).expect("JSON");
    let line = &reduction["tests"][0];
    assert!(line.get("unwatched").is_none() && line["trials"].as_u64().expect("a number") < 4, "{line}");
}

#[test]
fn a_link_on_the_way_is_no_obstacle_when_it_is_also_listed() {
    let place = Place::new("way");
    place.write(
        "way.c",
        "#include <dirent.h>
        #include <stdio.h>
        int main(void) {
            DIR *here = opendir(\".\");
            while (readdir(here))
                ;
            FILE *file = fopen(\"l/x\", \"r\");
            for (int c; file && (c = getc(file)) != EOF;)
                putchar(c);
            return !file;
        }",
    );
    let built = place.offshoot(&["cc", "-O1", "way.c", "-o", "way"]);
    assert!(built.status.success(), "{}", text(&built.stderr));
    let script = "mkdir w w/d && echo deep > w/d/x && ln -s d w/l && cd w && ../way; cd .. && rm -r w";
    let (output, report) = place.record(script);
    assert_eq!(text(&output.stdout), "deep\n");
    assert_eq!((count(&report, "same"), count(&report, "flaky")), (1, 0), "{report}");
    place.replays();
    let script = place.folder.join("out/tests").join(fresh(&report)[0].as_str().expect("an id")).join("cmd.sh");
    let checked = std::process::Command::new("sh").arg(script).arg("--check").output().expect("sh runs");
    assert!(checked.status.success(), "{}", text(&checked.stderr));
}

#[test]
fn a_test_that_makes_a_folder_in_one_that_is_gone_is_reduced() {
    let place = Place::new("make");
    place.write(
        "make.c",
        "#include <stdio.h>
        #include <sys/stat.h>
        int main(int argc, char **argv) {
            if (getchar() == 'x')
                puts(\"x\");
            return mkdir(argv[1], 0755) != 0;
        }",
    );
    let built = place.offshoot(&["cc", "-O1", "make.c", "-o", "make"]);
    assert!(built.status.success(), "{}", text(&built.stderr));
    let (_, report) = place.record("mkdir w && cd w && echo xylophone | ../make new; cd .. && rm -r w");
    let output = place.offshoot(&["reduce", "-o", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let folder = place.folder.join("out/reduced").join(fresh(&report)[0].as_str().expect("an id"));
    assert_eq!(fs::read(folder.join("stdin")).expect("standard input"), b"x");
}

#[test]
fn what_a_suite_leaves_under_a_name_is_not_waited_for() {
    let place = Place::new("fifos");
    // The folder of the logs is no secret.
    let script = "cp p gp; ./gp read data < /dev/null; rm gp; mkfifo gp
        cd out/.recording-* && mkfifo a.log && ln -s /dev/zero b.log && truncate -s 1T c.log";
    let (output, report) = place.record(script);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!((count(&report, "runs"), fresh(&report).len()), (1, 1), "{report}");
    let dropped = report["dropped"].as_array().expect("reasons");
    assert_eq!(dropped.len(), 3, "{report}");
    assert!(dropped.iter().all(|why| why.to_string().contains(".log")), "{report}");
}

#[test]
fn the_status_of_a_command_that_removes_its_recording_is_its_own() {
    let place = Place::new("distclean");
    for (status, code) in [("7", 7), ("0", 2)] {
        let script = format!("./p read data < /dev/null; rm -rf out; exit {status}");
        let output = place.offshoot(&["record", "-o", "out", "--", "sh", "-c", &script]);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert_eq!(text(&output.stdout), "file: one\nfile: two\n");
        assert!(
            stderr.contains(&format!("ended with status {status} and removed")) && stderr.contains("-o"),
            "{stderr}"
        );
    }
}

#[test]
fn a_program_may_have_any_name() {
    let place = Place::new("names");
    let (output, report) = place.record(r#"cp /bin/ls "$(printf 'odd\377')"; ./odd* > /dev/null"#);
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
    let others: Vec<&str> = report["others"].as_array().expect("programs").iter().filter_map(Value::as_str).collect();
    assert!(others.iter().any(|name| name.ends_with("odd\u{FFFD}")), "{others:?}");
    assert!(text(&output.stderr).contains("what ran: /"), "{}", text(&output.stderr));
}

#[test]
fn a_program_that_was_built_anew_does_what_it_does_now() {
    let place = Place::new("anew");
    let build = |what: &str| {
        place.write("v.c", &format!("#include <stdio.h>\nint main(void) {{ puts(\"{what}\"); }}"));
        let built = place.offshoot(&["cc", "-O1", "v.c", "-o", "v"]);
        assert!(built.status.success(), "{}", text(&built.stderr));
    };
    build("one");
    let (_, report) = place.record("./v");
    let id = fresh(&report)[0].clone();
    let folder = place.folder.join("out/tests").join(id.as_str().expect("an id"));
    let expected = || fs::read_to_string(folder.join("expected.stdout")).expect("its output");
    let counts = |report: &Value| {
        let changed = report["changed"].as_array().expect("tests").len();
        (fresh(report).len(), changed, count(report, "same"), count(report, "flaky"))
    };
    assert_eq!((counts(&report), expected()), ((1, 0, 1, 0), "one\n".into()));

    build("two");
    let (output, report) = place.record("./v; ./v");
    assert_eq!((counts(&report), expected()), ((0, 1, 1, 0), "two\n".into()), "{report}");
    assert_eq!(place.test(&id)["flaky"], Value::Null);
    assert!(text(&output.stderr).contains("1 known test did something else"), "{}", text(&output.stderr));
    place.replays();

    // Flaky once, as far as anybody could tell, and not any more.
    build("six");
    fs::rename(place.folder.join("v"), place.folder.join("six")).expect("moved");
    build("two");
    let (_, report) = place.record("./v; mv six v; ./v");
    assert!(place.test(&id)["flaky"].as_str().is_some_and(|why| why.contains("runs differ")), "{report}");
    build("two");
    assert_eq!(counts(&place.record("./v").1), (0, 0, 1, 0));
    assert_eq!(place.test(&id)["flaky"], Value::Null);

    // What somebody has judged to be right stays so.
    let mut judged = place.test(&id);
    judged["stdout"]["standing"] = "judged".into();
    fs::write(folder.join("test.json"), judged.to_string()).expect("written");
    build("three");
    let (_, report) = place.record("./v");
    assert_eq!((counts(&report), expected()), ((0, 1, 0, 0), "two\n".into()), "{report}");
    assert_eq!(place.test(&id)["stdout"]["standing"], "judged");
}

#[test]
fn processes_that_outlive_the_command_are_recorded_or_named() {
    let place = Place::new("orphans");
    // A process that has ended is gone once its parent knows.
    let (output, report) = place.record_command(&[
        "bash",
        "-c",
        "(while kill -0 $$; do :; done; ./p read data) < /dev/null 2> /dev/null & exit 5",
    ]);
    assert_eq!((output.status.code(), count(&report, "runs")), (Some(5), 1), "{report}");
    assert_eq!(report["left_running"], false);

    // And an orphan that ends while the command runs is gone, too.
    let script = "pid=$(sh -c 'true > /dev/null & echo $!'); while kill -0 $pid 2> /dev/null; do :; done; ./p read data < /dev/null";
    let (output, _) = place.record(script);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));

    let script = "mkfifo never; (read line < never) > /dev/null 2>&1 & ./p read data < /dev/null; exit 6";
    let (output, report) = place.record(script);
    let stderr = text(&output.stderr);
    fs::write(place.folder.join("never"), "\n").expect("somebody reads");
    assert_eq!((output.status.code(), count(&report, "runs")), (Some(6), 1), "{stderr}");
    assert_eq!(report["left_running"], true);
    assert!(stderr.contains("still run"), "{stderr}");
}

#[test]
fn a_stream_that_is_closed_is_replayed_so() {
    let place = Place::new("closed");
    place.write(
        "closed.c",
        "#include <fcntl.h>
        int main(void) {
            return (fcntl(0, F_GETFD) < 0) + 2 * (fcntl(1, F_GETFD) < 0) + 4 * (fcntl(2, F_GETFD) < 0);
        }",
    );
    let built = place.offshoot(&["cc", "-O1", "closed.c", "-o", "closed"]);
    assert!(built.status.success(), "{}", text(&built.stderr));
    let (_, report) =
        place.record("./closed < /dev/null; ./closed <&-; ./closed <&- >&-; ./closed 2>&-; ./closed 1>&- 2>&-");
    assert_eq!((count(&report, "same"), count(&report, "flaky")), (5, 0), "{report}");
    let id = fresh(&report)[0].as_str().expect("an id");
    let folder = place.folder.join("out/tests").join(id);
    let mut test = place.test(&fresh(&report)[0]);
    test["command"]["world"]["outputs"] = serde_json::json!(["closed", "closed"]);
    test["status"]["value"]["exited"] = 6.into();
    fs::write(folder.join("test.json"), test.to_string()).expect("written");
    place.replays();
}
