//! A folder of its own for one test, with programs in it.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Counts the letter a in a file; `!` behind one is fatal.
const COUNT: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int verbose = 0, letters = 0, depth = 0, c;
    for (int i = 1; i < argc - 1; i++)
        if (strcmp(argv[i], "-v") == 0)
            verbose = 1;
    FILE *file = argc > 1 ? fopen(argv[argc - 1], "r") : NULL;
    if (!file)
        return 2;
    while ((c = fgetc(file)) != EOF) {
        if (c == 'a')
            letters++;
        else if (c == '(')
            depth++;
        else if (c == ')')
            depth--;
        else if (c == '!' && letters)
            abort();
    }
    if (verbose)
        printf("%d letters\n", letters);
    return depth != 0;
}
"#;

/// Never the same.
const CLOCK: &str = r#"
#include <stdio.h>
#include <time.h>

int main(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    printf("%ld.%09ld\n", (long)now.tv_sec, now.tv_nsec);
#define BIT(at) if (now.tv_nsec >> at & 1) puts(#at);
#define BITS(at) BIT(at) BIT(at + 1) BIT(at + 2) BIT(at + 3) BIT(at + 4)
    BITS(0) BITS(5) BITS(10) BITS(15) BITS(20)
    return getchar() == 'x';
}
"#;

/// Does not end by itself if its input begins with an h.
const FOREVER: &str = r#"
#include <stdio.h>
#include <unistd.h>

int main(void) {
    if (getchar() == 'h')
        for (;;)
            pause();
    return 0;
}
"#;

/// Asks for two values; the second one is looked at first.
const HARNESS: &str = r#"
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (b > 1000)
        return a < -1000 ? 3 : 2;
    return a == 77;
}
"#;

pub struct Place {
    pub folder: PathBuf,
}

impl Place {
    pub fn new(name: &str) -> Place {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("suite").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("the folder of an earlier run goes");
        }
        fs::create_dir_all(&folder).expect("a folder");
        let place = Place { folder };
        for (name, source) in [("count", COUNT), ("clock", CLOCK), ("forever", FOREVER), ("harness", HARNESS)] {
            place.write(&format!("{name}.c"), source.as_bytes());
            place.good(&["cc", "-O1", &format!("{name}.c"), "-o", name]);
        }
        place
    }

    /// With a campaign in `out`.
    pub fn explored(name: &str) -> Place {
        let place = Place::new(name);
        place.write("seed", b"one line with a letter\n(another)\nand the last line\n");
        let explore = "explore --seed seed --iterations 80 --progress none -o out -- ./count -v -x @@";
        let explored = place.offshoot(&explore.split(' ').collect::<Vec<_>>());
        assert_eq!(explored.status.code(), Some(1), "the abort is found: {}", text(&explored.stderr));
        assert!(place.names("out/tests").len() > 3);
        place
    }

    pub fn write(&self, name: &str, content: &[u8]) {
        let path = self.folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, content).expect("a file");
    }

    pub fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.folder.join(folder)).expect("a folder");
        let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name().into_string();
        let mut names: Vec<String> = entries.map(|entry| name(entry).expect("UTF-8")).collect();
        names.sort();
        names
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_offshoot"));
        let resource = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/lib/offshoot");
        assert!(resource.join("liboffshoot_runtime.a").exists(), "no run-time library; run: make build");
        command.args(args).current_dir(&self.folder).env("OFFSHOOT_LIB", resource);
        command.stdin(Stdio::null());
        command
    }

    pub fn offshoot(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("offshoot starts")
    }

    /// Must end with this code; gives standard output.
    pub fn ends(&self, args: &[&str], code: i32) -> String {
        let output = self.offshoot(args);
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{args:?}\nstdout: {stdout}\nstderr: {stderr}");
        stdout
    }

    pub fn good(&self, args: &[&str]) -> String {
        self.ends(args, 0)
    }

    /// One JSON object and nothing else.
    pub fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.good(args)).unwrap_or_else(|error| panic!("{args:?}: {error}"))
    }

    /// Must be refused in one line that has all of `hints`.
    pub fn refused(&self, args: &[&str], code: i32, hints: &[&str]) {
        let output = self.offshoot(args);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {stderr}");
        let errors: Vec<&str> = stderr.lines().filter(|line| !line.starts_with("offshoot: warning: ")).collect();
        assert_eq!(errors.len(), 1, "{args:?}: {stderr}");
        assert!(errors[0].starts_with("offshoot: error: "), "{stderr}");
        assert!(output.stdout.is_empty(), "{args:?}: {}", text(&output.stdout));
        for hint in hints {
            assert!(stderr.contains(hint), "no word of `{hint}` in: {stderr}");
        }
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A field of each test.
pub fn column(report: &Value, field: &str) -> Vec<u64> {
    let tests = report["tests"].as_array().expect("tests");
    tests.iter().map(|test| test[field].as_u64().unwrap_or_else(|| panic!("{field} in {test}"))).collect()
}
