//! A folder of its own for one test, and what is done there.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub struct Place {
    pub folder: PathBuf,
}

impl Place {
    pub fn new(name: &str) -> Place {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("explore").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("the folder of an earlier run goes");
        }
        fs::create_dir_all(&folder).expect("a folder");
        Place { folder }
    }

    /// With an instrumented program of this source in it.
    pub fn with(name: &str, source: &str) -> Place {
        let place = Place::new(name);
        place.write("prog.c", source.as_bytes());
        place.build(Path::new("prog.c"));
        place
    }

    /// Makes `prog`.
    pub fn build(&self, source: &Path) {
        let source = source.to_str().expect("a name that is text");
        let built = self.offshoot(&["cc", "-O1", source, "-o", "prog"]);
        assert!(built.status.success(), "{}", text(&built.stderr));
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.folder.join(name), bytes).expect("a file");
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_offshoot"));
        self.set_up(&mut command);
        command.args(args);
        command
    }

    /// What every command here needs around it.
    pub fn set_up(&self, command: &mut Command) {
        let resource = root().join("target/release/lib/offshoot");
        assert!(resource.join("liboffshoot_runtime.a").exists(), "no run-time library; run: make build");
        command.current_dir(&self.folder).env("OFFSHOOT_LIB", resource).stdin(Stdio::null());
        for name in ["OFFSHOOT_PLAIN", "OFFSHOOT_VERBOSE", "OFFSHOOT_BUILD_LOG", "OFFSHOOT_SELFCHECK"] {
            command.env_remove(name);
        }
    }

    pub fn offshoot(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("offshoot starts")
    }

    /// Explores `./prog` into `out`; it must come to an end by itself.
    pub fn explore(&self, flags: &[&str]) -> Explored {
        self.explore_into("out", flags)
    }

    pub fn explore_into(&self, out: &str, flags: &[&str]) -> Explored {
        let mut args = vec!["explore", "--progress", "plain", "-o", out];
        args.extend(flags);
        args.extend(["--", "./prog"]);
        let output = self.offshoot(&args);
        let shown = format!("{args:?}\n{}\n{}", text(&output.stdout), text(&output.stderr));
        assert!(matches!(output.status.code(), Some(0 | 1)), "{} {shown}", output.status);
        let folder = self.folder.join(out);
        Explored { stats: json(&folder.join("stats.json")), folder, output }
    }

    /// Runs a command that must fail: one line that says what is wrong, exit 2 or 70.
    pub fn check_failure(&self, args: &[&str], hints: &[&str]) {
        check_failure(&mut self.command(args), hints);
    }
}

pub fn check_failure(command: &mut Command, hints: &[&str]) {
    let output = command.output().expect("it starts");
    let stderr = text(&output.stderr);
    let shown = format!("{command:?}\nstatus: {}\nstderr: {stderr}", output.status);
    assert!(matches!(output.status.code(), Some(2 | 70)), "{shown}");
    let errors: Vec<&str> = stderr.lines().filter(|line| line.starts_with("offshoot: error: ")).collect();
    assert_eq!(errors.len(), 1, "{shown}");
    assert!(stderr.ends_with(&format!("{}\n", errors[0])), "the error comes last: {shown}");
    assert!(!stderr.contains("panicked"), "{shown}");
    for hint in hints {
        assert!(errors[0].contains(hint), "no word of `{hint}` in: {shown}");
    }
    assert!(output.stdout.is_empty(), "{shown}\nstdout: {}", text(&output.stdout));
}

/// A campaign that has ended.
pub struct Explored {
    pub folder: PathBuf,
    pub stats: Value,
    pub output: Output,
}

impl Explored {
    /// A number of `stats.json`: `iterations`, `coverage.branch.covered`.
    pub fn count(&self, name: &str) -> u64 {
        let value = name.split('.').fold(&self.stats, |value, key| &value[key]);
        value.as_u64().unwrap_or_else(|| panic!("no number {name} in {}", self.stats))
    }

    pub fn queries(&self) -> u64 {
        ["sat", "unsat", "unknown"].iter().map(|kind| self.count(&format!("queries.{kind}"))).sum()
    }

    pub fn is_all_covered(&self) -> bool {
        self.count("coverage.branch.covered") == self.count("coverage.branch.total")
    }

    pub fn covered(&self) -> u64 {
        self.count("coverage.branch.covered")
    }

    pub fn journal(&self) -> String {
        fs::read_to_string(self.folder.join("journal.jsonl")).expect("a journal")
    }

    pub fn events(&self, kind: &str) -> Vec<Value> {
        let events = fs::read_to_string(self.folder.join("events.jsonl")).expect("events");
        let events = events.lines().map(|line| serde_json::from_str::<Value>(line).expect("an event"));
        events.filter(|event| event["event"] == kind).collect()
    }

    /// Kinds of the findings, all of them confirmed.
    pub fn findings(&self) -> Vec<String> {
        let mut kinds = Vec::new();
        for id in 0..self.count("findings") {
            let note = json(&self.folder.join(format!("findings/{id:04}/note.json")));
            assert_eq!(note["confirmed"], true, "{note}");
            kinds.push(note["finding"].as_str().expect("a kind").to_owned());
        }
        kinds.sort();
        kinds
    }
}

pub fn json(path: &Path) -> Value {
    let written = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&written).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there")
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
