//! What goes wrong from outside: one line that says what to do, exit 2 or 70, no panic, nothing half-written.
//!
//! Needs what `make build` leaves in target/release/lib/offshoot.

use offshoot_model::section::SECTION_VERSION;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = r#"
#include <stdio.h>
int main(int argc, char **argv) {
    if (argc > 1 && argv[1][0] == 'a')
        puts("a");
    return 0;
}
"#;

const MAGIC: &[u8] = b"OFFSHOOT";

/// A folder of its own for one test, with an instrumented program in it.
struct Place {
    folder: PathBuf,
}

impl Place {
    fn new(name: &str) -> Place {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bad_input").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("the folder of an earlier run goes");
        }
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("prog.c"), PROGRAM).expect("a source");
        let place = Place { folder };
        let built = place.offshoot(&["cc", "-O1", "prog.c", "-o", "prog"]);
        assert!(built.status.success(), "{}", text(&built.stderr));
        assert_eq!(place.model_offsets().len(), 3, "the program carries a model, its bitcode and its link line");
        place
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_offshoot"));
        let resource = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/lib/offshoot");
        assert!(resource.join("liboffshoot_runtime.a").exists(), "no run-time library; run: make build");
        command.args(args).current_dir(&self.folder).env("OFFSHOOT_LIB", resource);
        for name in ["OFFSHOOT_PLAIN", "OFFSHOOT_VERBOSE", "OFFSHOOT_BUILD_LOG", "OFFSHOOT_SELFCHECK"] {
            command.env_remove(name);
        }
        command.stdin(Stdio::null());
        command
    }

    fn offshoot(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("offshoot starts")
    }

    fn files(&self) -> BTreeSet<PathBuf> {
        fs::read_dir(&self.folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect()
    }

    /// Where blobs of this program's own units begin; the libc models bring none along unless they are used.
    fn model_offsets(&self) -> Vec<usize> {
        let bytes = fs::read(self.folder.join("prog")).expect("a program");
        let version = SECTION_VERSION.to_le_bytes();
        let is_blob = |at: &usize| bytes[*at..].starts_with(MAGIC) && bytes[at + 8..].starts_with(&version);
        (0..bytes.len() - 12).filter(is_blob).take(3).collect()
    }

    /// Overwrites part of the program.
    fn patch(&self, at: usize, with: &[u8]) {
        let path = self.folder.join("prog");
        let mut bytes = fs::read(&path).expect("a program");
        bytes[at..at + with.len()].copy_from_slice(with);
        fs::write(&path, bytes).expect("the program can be written");
    }

    /// Puts another section in the place of the program's own.
    fn replace_section(&self, change: impl Fn(Vec<u8>) -> Vec<u8>) {
        let objcopy = |args: &[&str]| {
            let done = Command::new("llvm-objcopy-19").args(args).current_dir(&self.folder).status();
            assert!(done.expect("llvm-objcopy-19 starts").success(), "{args:?}");
        };
        objcopy(&["--dump-section=.offshoot=section", "prog"]);
        let section = self.folder.join("section");
        fs::write(&section, change(fs::read(&section).expect("a section"))).expect("a section");
        objcopy(&["--remove-section=.offshoot", "--add-section=.offshoot=section", "prog", "damaged"]);
        fs::rename(self.folder.join("damaged"), self.folder.join("prog")).expect("the program is replaced");
        fs::remove_file(section).expect("the section goes");
    }

    /// Runs the command and checks all that an error owes its user.
    fn check(&self, args: &[&str], hints: &[&str]) {
        self.check_command(self.command(args), hints);
    }

    fn check_command(&self, mut command: Command, hints: &[&str]) {
        let before = self.files();
        let output = command.output().expect("offshoot starts");
        let stderr = text(&output.stderr);
        let shown = format!("{command:?}\nstatus: {}\nstderr: {stderr}", output.status);
        assert!(matches!(output.status.code(), Some(2 | 70)), "{shown}");
        // Where the machine offers no full sandbox, a warning says so; that is not about this error.
        let lines: Vec<&str> = stderr.lines().filter(|line| !line.starts_with("offshoot: warning: ")).collect();
        assert_eq!(lines.len(), 1, "{shown}");
        assert!(lines[0].starts_with("offshoot: error: "), "{shown}");
        assert!(!stderr.contains("panicked"), "{shown}");
        for hint in hints {
            assert!(stderr.contains(hint), "no word of `{hint}` in: {shown}");
        }
        assert!(output.stdout.is_empty(), "{shown}\nstdout: {}", text(&output.stdout));
        assert_eq!(self.files(), before, "{shown}");
    }

    /// The commands that read a program, each on the same one.
    fn check_readers(&self, program: &str, hints: &[&str]) {
        self.check(&["trace", "--", program], hints);
        self.check(&["trace", "--json", "--", program], hints);
        self.check(&["trace", "-o", "out", "--", program], hints);
        for kind in ["plain", "cov", "asan"] {
            self.check(&["variant", kind, program, "-o", "out"], hints);
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_program_not_built_by_us() {
    let place = Place::new("foreign_program");
    place.check_readers("/bin/true", &["/bin/true", "CC=offshoot-cc"]);
}

#[test]
fn something_that_is_no_program() {
    let place = Place::new("no_program");
    fs::write(place.folder.join("script"), "#!/bin/sh\nexit 0\n").expect("a script");
    fs::write(place.folder.join("empty"), "").expect("an empty file");
    let half = fs::read(place.folder.join("prog")).expect("a program");
    fs::write(place.folder.join("half"), &half[..half.len() / 2]).expect("half a program");
    for name in ["script", "empty", "half"] {
        place.check_readers(&format!("./{name}"), &[name]);
    }
    place.check_readers(".", &[]);
}

#[test]
fn a_program_that_is_not_there() {
    let place = Place::new("missing_program");
    place.check_readers("./nowhere", &["./nowhere"]);
}

#[test]
fn a_truncated_section() {
    let place = Place::new("truncated_section");
    place.replace_section(|section| section[..section.len() / 2].to_vec());
    place.check_readers("./prog", &["prog", "damaged", "build the program again"]);
}

#[test]
fn a_section_that_ends_in_a_header() {
    let place = Place::new("truncated_header");
    place.replace_section(|section| section[..20].to_vec());
    place.check_readers("./prog", &["prog", "damaged", "build the program again"]);
}

#[test]
fn somebody_elses_section() {
    let place = Place::new("foreign_section");
    place.replace_section(|_| b"a section of the same name, made by somebody else".to_vec());
    place.check_readers("./prog", &["prog", "damaged", "build the program again"]);
}

#[test]
fn a_length_past_the_end() {
    let place = Place::new("wrong_length");
    let first = place.model_offsets()[0];
    for length in [u64::MAX, u64::MAX - 31, 1 << 40] {
        place.patch(first + 24, &length.to_le_bytes());
        place.check_readers("./prog", &["prog", "damaged", "build the program again"]);
    }
}

#[test]
fn another_version() {
    let place = Place::new("version");
    let first = place.model_offsets()[0];
    place.patch(first + 8, &99u32.to_le_bytes());
    place.check_readers("./prog", &["prog", "format 99", "build the program again"]);
}

/// Not every flipped bit can be noticed. Those that are must be reported, and no other must bring us down.
#[test]
fn flipped_bits() {
    let place = Place::new("flipped_bits");
    let sound = fs::read(place.folder.join("prog")).expect("a program");
    for start in place.model_offsets() {
        for offset in [12, 16, 24, 33, 40, 61, 90, 150] {
            fs::write(place.folder.join("prog"), &sound).expect("the program can be written");
            place.patch(start + offset, &[sound[start + offset] ^ 0x41]);
            let output = place.offshoot(&["variant", "plain", "prog", "-o", "out"]);
            let shown = format!("blob at {start}, byte {offset}: {} {}", output.status, text(&output.stderr));
            let code = output.status.code();
            assert!(matches!(code, Some(0 | 2 | 70)), "{shown}");
            assert!(!text(&output.stderr).contains("panicked"), "{shown}");
            assert_eq!(place.folder.join("out").exists(), code == Some(0), "{shown}");
            let _ = fs::remove_file(place.folder.join("out"));
        }
    }
    let names: Vec<_> = place.files().into_iter().map(|path| path.file_name().map(OsStr::to_owned)).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn a_missing_input_file() {
    let place = Place::new("missing_seed");
    for seed in ["nowhere", "/nonexistent/seed"] {
        place.check(&["trace", "--seed", seed, "--", "./prog"], &[seed]);
        place.check(&["trace", "--seed", seed, "--", "./prog", "@@"], &[seed]);
        place.check(&["trace", "--seed", seed, "-o", "out", "--", "./prog"], &[seed]);
    }
}

#[test]
fn an_output_that_cannot_be_written() {
    let place = Place::new("unwritable");
    // A folder that is not there, and one that is a file: neither can be written by root either.
    for output in ["/nonexistent/x", "prog.c/x"] {
        for kind in ["plain", "cov", "asan"] {
            place.check(&["variant", kind, "prog", "-o", output], &[output]);
        }
        place.check(&["trace", "-o", output, "--", "./prog"], &[output]);
    }
    assert_eq!(fs::read_to_string(place.folder.join("prog.c")).expect("the source"), PROGRAM);
}

#[test]
fn no_clang() {
    let place = Place::new("no_clang");
    let without_clang = |args: &[&str]| {
        let mut command = place.command(args);
        command.env("PATH", "");
        command
    };
    let hints = ["clang-19", "apt-get install clang-19"];
    for kind in ["plain", "cov", "asan"] {
        place.check_command(without_clang(&["variant", kind, "prog", "-o", "out"]), &hints);
    }
    place.check_command(without_clang(&["cc", "-c", "prog.c"]), &hints);
    place.check_command(without_clang(&["cc", "prog.c", "-o", "out"]), &hints);
    place.check_command(without_clang(&["cc", "--version"]), &hints);
    let hints = ["clang++-19", "apt-get install clang-19"];
    place.check_command(without_clang(&["c++", "-c", "-x", "c++", "prog.c"]), &hints);
}

#[test]
fn wrong_usage() {
    let place = Place::new("usage");
    let lines: &[&[&str]] = &[
        &["trace"],
        &["trace", "--"],
        &["trace", "--time", "soon", "--", "./prog"],
        &["trace", "--no-such-flag", "--", "./prog"],
        &["variant", "fast", "prog", "-o", "out"],
        &["variant", "plain", "prog"],
        &["no-such-command"],
    ];
    for args in lines {
        let before = place.files();
        let output = place.offshoot(args);
        // These are clap's: a line for the error, then the usage.
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).starts_with("error: "), "{args:?}: {}", text(&output.stderr));
        assert_eq!(place.files(), before, "{args:?}");
    }
}
