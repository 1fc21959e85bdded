//! `cmd.sh`: a test as a POSIX shell script that needs nothing of ours.

use crate::scratch::Scratch;
use crate::source::Source;
use crate::test::{Expected, Output, SEED, SEED_PATH, Standing, Status, Test};
use crate::world::Sink;
use chrono::{DateTime, Datelike};
use offshoot_base::{Thing, What};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

const HEAD: &str = r#"#!/bin/sh
# Runs this test: output and exit status are the program's own (128 + N if signal N ended it).
# With --check they are compared with what is expected: 0 the same, 1 not, 77 nothing to compare. Set-up that fails gives 125.
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd) || exit 125
"#;

const WORK: &str = r#"work=$(mktemp -d) || exit 125
trap 'find "$work" -type d -exec chmod u+rwx {} \; ; rm -rf -- "$work"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
"#;

/// The shell's own 127 may be what is expected.
const PROGRAM_IS_THERE: &str = r#"[ -x "$program" ] || {
    printf '%s\n' "$0: cannot run $program: it is not there or not executable; build it there" >&2
    exit 125
}
"#;

/// Any bytes but NUL, as one word of the shell. What follows a NUL is lost, as it is for the kernel.
pub fn quoted(text: &[u8]) -> Vec<u8> {
    let mut quoted = vec![b'\''];
    for &byte in text.split(|&byte| byte == 0).next().unwrap_or_default() {
        match byte {
            b'\'' => quoted.extend_from_slice(b"'\\''"),
            byte => quoted.push(byte),
        }
    }
    quoted.push(b'\'');
    quoted
}

/// `files`: what the bytes of each source are called in the folder of the script.
pub(crate) fn script(test: &Test, files: &[(Source, String)]) -> Vec<u8> {
    let command = &test.command;
    let seed = command.seed_source();
    let others: Vec<(&Path, &str)> = files
        .iter()
        .filter_map(|(source, name)| match source {
            Source::File(path) if *source != seed => Some((path.as_path(), name.as_str())),
            _ => None,
        })
        .collect();
    // Files that were named relative to the working directory can be put where the program looks for them.
    let scratch = Scratch::of(command);
    let (inside, outside): (Vec<_>, Vec<_>) = others.into_iter().partition(|(path, _)| scratch.keeps(path));
    let checks = checks(test);

    let mut out = Writer::default();
    out.text(HEAD);
    if let Some(reason) = &test.flaky {
        out.text(&format!("# Flaky: {}\n", reason.replace(['\n', '\r'], " ")));
    }
    helpers(&mut out, test);
    // The folder of a recorded test may have gone with its suite.
    let is_recorded = !command.world.is_empty();
    if is_recorded {
        out.text("umask 022\n").text(WORK);
    }
    if let Some(cwd) = &command.cwd {
        out.text("CDPATH= cd -- ").word(cwd.as_os_str());
        if is_recorded {
            out.text(" 2> /dev/null || { mkdir -- \"$work/cwd\" && CDPATH= cd -- \"$work/cwd\"; }");
        }
        out.text(" || exit 125\n");
    }
    let around = around(test, &scratch, &inside);
    // What was not there the program may have made, and would make again where somebody has put something since.
    let moves = !inside.is_empty() || command.world.things.keys().any(|path| scratch.keeps_link(path));
    out.text("program=");
    let program = command.program.as_os_str().as_bytes();
    if program.contains(&b'/') && !program.starts_with(b"/") && moves {
        out.text("$(pwd)/");
    }
    out.word(&command.program).text("\n");
    if program.contains(&b'/') {
        out.text(PROGRAM_IS_THERE);
    }
    for (path, name) in &outside {
        out.text("cmp -s \"$here/").text(name).text("\" ").path(path);
        out.text(&format!(
            " || printf '%s\\n' 'note: the test saw other bytes ({name}) in a file that is not ours to replace:' "
        ));
        out.path(path).text(" >&2\n");
    }
    if moves {
        if !is_recorded {
            out.text(WORK);
        }
        let things = &command.world.things;
        let depth = scratch.depth(inside.iter().map(|(path, _)| *path).chain(things.keys().map(PathBuf::as_path)));
        out.text("mkdir -- \"$work/world\" && CDPATH= cd -- \"$work/world\" || exit 125\n");
        if !depth.as_os_str().is_empty() {
            out.text("mkdir -p -- ").path(&depth).text(" && CDPATH= cd -- ").path(&depth).text(" || exit 125\n");
        }
        around.iter().for_each(|(path, thing)| put(&mut out, path, thing));
        for (path, name) in &inside {
            put_parent(&mut out, path);
            // What mode our copy has is chance.
            out.text("cat < \"$here/").text(name).text("\" > ").path(path).text(" || exit 125\n");
        }
        // A file may have two names, and its mode may forbid to write to it. Whatever is made in a folder changes its time, and may
        // be forbidden, too.
        let read = inside.iter().filter_map(|(path, _)| Some((*path, things.get(*path)?)));
        let files = around.iter().copied().chain(read).filter(|(_, thing)| matches!(thing.what, What::File { .. }));
        let folders = around.iter().copied().rev().filter(|(_, thing)| thing.what == What::Directory);
        files.chain(folders).for_each(|(path, thing)| dress(&mut out, path, thing));
    }
    // The shell speaks, too, when a signal ends what it waits for: only the program's own words go where ours are to go.
    const SPEAK: &str = "    exec 2>&3 3>&-\n";
    let stdin = files.iter().find(|(source, _)| *source == Source::Stdin).map(|(_, name)| name.as_str());
    match stdin {
        _ if command.world.stdin_closed => {
            out.text("run() (\n").text(SPEAK).text("    exec <&-\n");
        }
        Some(name) if command.world.piped => {
            out.text("[ -r \"$here/").text(name).text("\" ] || exit 125\n");
            out.text("run() {\n    cat < \"$here/").text(name).text("\" 2> /dev/null | run_with_input\n}\n");
            out.text("run_with_input() (\n").text(SPEAK);
        }
        Some(name) => {
            out.text("run() (\n").text(SPEAK).text("    exec < \"$here/").text(name).text("\" || exit 125\n");
        }
        None => {
            out.text("run() (\n").text(SPEAK).text("    exec < /dev/null\n");
        }
    }
    run(&mut out, test, files);
    out.text(")\nif [ \"${1-}\" != --check ]; then\n    run 3>&2 2> /dev/null\n    exit $?\nfi\n");
    let was_ended = matches!(&test.expectation.status, Some(Expected { value: Status::Ended(_), .. }));
    if was_ended || checks.is_empty() && test.flaky.is_some() {
        // It may never end by itself.
        out.text("echo \"nothing is known of how it ends\" >&2\nexit 77\n");
        return out.bytes;
    }
    if !moves && !is_recorded {
        out.text(WORK);
    }
    if [&test.expectation.stdout, &test.expectation.stderr]
        .into_iter()
        .flatten()
        .any(|output| names_seed(&output.value))
    {
        // As a pattern of sed.
        let (head, tail) = ("seed=$(printf '%s' \"$here/", "\" | sed 's/[][\\.*^$|]/\\\\&/g')\n");
        out.text(head).text(seed_name(test, files)).text(tail);
    }
    out.text("run > \"$work/stdout\" 3> \"$work/stderr\" 2> /dev/null\nstatus=$?\nresult=0\n");
    out.text(&checks).text("exit $result\n");
    out.bytes
}

/// What a recorded test found in and around its working directory, beside the files whose bytes we have: what links lead to first,
/// then links, then what is behind them.
fn around<'t>(test: &'t Test, scratch: &Scratch<'t>, inside: &[(&Path, &str)]) -> Vec<(&'t Path, &'t Thing)> {
    let things = &test.command.world.things;
    let is_link = |path: &Path| things.get(path).is_some_and(|thing| matches!(thing.what, What::Link(_)));
    let rank = |path: &Path| match path {
        _ if path.ancestors().skip(1).any(is_link) => 2,
        _ if is_link(path) => 1,
        _ => 0,
    };
    let is_ours = |path: &Path| inside.iter().any(|(other, _)| *other == path);
    let there = things.iter().map(|(path, thing)| (path.as_path(), thing));
    let is_kept = |path: &'t Path, thing: &Thing| match thing.what {
        What::Absent => false,
        What::Link(_) => scratch.keeps_link(path),
        What::Directory | What::File { .. } => scratch.keeps(path),
    };
    let mut there: Vec<_> = there.filter(|(path, thing)| is_kept(path, thing) && !is_ours(path)).collect();
    there.sort_by_key(|(path, _)| rank(path));
    there
}

fn put_parent(out: &mut Writer, path: &Path) {
    if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty() && *parent != Path::new(".")) {
        out.text("mkdir -p -- ").path(parent).text(" || exit 125\n");
    }
}

fn put(out: &mut Writer, path: &Path, thing: &Thing) {
    if thing.what != What::Directory {
        put_parent(out, path);
    }
    match &thing.what {
        What::Absent => return,
        What::Directory => out.text("mkdir -p -- ").path(path),
        // It may be there under another name.
        What::Link(to) => out.text("[ -L ").path(path).text(" ] || ln -s -- ").word(to).text(" ").path(path),
        // Nobody has read it: as large as it was.
        What::File { size } => {
            let of: Vec<u8> = [b"of=", path.as_os_str().as_bytes()].concat();
            out.text("dd if=/dev/null bs=1 seek=")
                .text(&size.to_string())
                .text(" ")
                .raw(&quoted(&of))
                .text(" 2> /dev/null")
        }
    };
    out.text(" || exit 125\n");
}

/// Mode and time of a file or a folder, if they are not those that it has by itself.
fn dress(out: &mut Writer, path: &Path, thing: &Thing) {
    let usual = if thing.what == What::Directory { 0o755 } else { 0o644 };
    if let Some(time) = thing.modified.and_then(|(seconds, nanoseconds)| time(seconds, nanoseconds)) {
        out.text("touch -d ").text(&time).text(" -- ").path(path).text(" || exit 125\n");
    }
    if thing.mode != usual {
        out.text(&format!("chmod {:o} -- ", thing.mode)).path(path).text(" || exit 125\n");
    }
}

/// As POSIX has it for `touch`; `None`: no such year.
fn time(seconds: i64, nanoseconds: i64) -> Option<String> {
    let time = DateTime::from_timestamp(seconds, u32::try_from(nanoseconds).ok()?)?;
    (1..=9999).contains(&time.year()).then(|| time.format("%Y-%m-%dT%H:%M:%S%.9fZ").to_string())
}

/// Programs that `run` needs, found while PATH is still the caller's.
fn helpers(out: &mut Writer, test: &Test) {
    if !through_env(test).is_empty() {
        out.text("env=$(command -v env) || exit 125\n");
    }
    if is_renamed(test) {
        out.text("bash=$(command -v bash)\n");
    }
}

fn is_renamed(test: &Test) -> bool {
    test.command.name() != test.command.program.as_os_str()
}

/// Assignments of variables that no shell can name.
fn through_env(test: &Test) -> Vec<Vec<u8>> {
    let variables = test.command.environment(&test.bytes).into_iter().filter(|(name, _)| !is_identifier(name));
    variables.filter_map(|(name, value)| Some([name.as_bytes(), b"=", value?.as_bytes()].concat())).collect()
}

/// The body of `run`: redirection, program and arguments, and last the environment: a variable of the test may be PATH, or have
/// the name of one of ours.
fn run(out: &mut Writer, test: &Test, files: &[(Source, String)]) {
    let command = &test.command;
    if let Some(umask) = command.world.umask.filter(|umask| *umask != 0o022) {
        out.text(&format!("    umask {umask:03o}\n"));
    }
    // Some programs look at where their output goes.
    for (sink, stream) in command.world.outputs.into_iter().zip(["1>", "2>"]) {
        if let Some(redirection) = sink.redirection() {
            out.text("    exec ").text(stream).text(redirection).text("\n");
        }
    }
    out.text("    set -- \"$program\"");
    let seed = seed_name(test, files);
    for arg in command.templates(&test.bytes) {
        if arg == SEED {
            out.text(" \"$here/").text(seed).text("\"");
        } else {
            out.text(" ").word(&arg);
        }
    }
    out.text("\n");
    if is_renamed(test) {
        // Only bash can give a program another name than its own.
        out.text("    if [ -n \"$bash\" ]; then\n        set -- \"$bash\" -c 'exec -a \"$0\" \"$@\" ");
        // It complains about a locale that is not there, which the program does not.
        let (away, back) = match command.world.outputs {
            [_, Sink::Closed] => ("2> /dev/null", "2>&-"),
            _ => ("3>&2 2> /dev/null", "2>&3 3>&-"),
        };
        out.text(back).text("' ").word(command.name()).text(" \"$@\"\n        exec ").text(away).text("\n    fi\n");
    }
    let assignments = through_env(test);
    if !assignments.is_empty() {
        out.text("    set -- \"$env\" --");
        for assignment in &assignments {
            out.text(" ").raw(&quoted(assignment));
        }
        out.text(" \"$@\"\n");
    }
    let has_inputs = test.bytes.nondet().next().is_some();
    if has_inputs {
        out.text("    OFFSHOOT_INPUTS=\"$here/inputs\"\n    export OFFSHOOT_INPUTS\n");
    }
    for (name, value) in command.environment(&test.bytes) {
        if !is_identifier(&name) || has_inputs && name == "OFFSHOOT_INPUTS" {
            continue;
        }
        match value {
            Some(value) => {
                out.text("    ").raw(name.as_bytes()).text("=").word(&value).text("\n    export ").raw(name.as_bytes());
                out.text("\n");
            }
            None => drop(out.text("    unset ").raw(name.as_bytes()).text("\n")),
        }
    }
    out.text("    exec \"$@\"\n");
}

fn seed_name<'a>(test: &Test, files: &'a [(Source, String)]) -> &'a str {
    let seed = test.command.seed_source();
    files.iter().find(|(source, _)| *source == seed).map_or("file.0", |(_, name)| name)
}

/// Shell code that compares, and says what of it nobody has judged.
fn checks(test: &Test) -> String {
    let mut code = String::new();
    let expectation = &test.expectation;
    let standing = |standing: Standing| match standing {
        Standing::Recorded => "recorded, not judged",
        Standing::Judged => "judged right",
    };
    let mut status = |expected: i32, kind: Standing| {
        code += &format!(
            "[ $status -eq {expected} ] || {{ echo \"status $status, not {expected} ({})\" >&2; result=1; }}\n",
            standing(kind)
        );
    };
    match &expectation.status {
        Some(Expected { value: Status::Exited(code), standing }) => status(code & 0xFF, *standing),
        Some(Expected { value: Status::Signaled(signal), standing }) => status(128 + signal, *standing),
        Some(Expected { value: Status::Ended(_), .. }) | None => {}
    }
    for (name, output) in [("stdout", &expectation.stdout), ("stderr", &expectation.stderr)] {
        if let Some(Expected { value, standing: kind }) = output {
            let seen = seen(value, name);
            code += &format!(
                "{seen}cmp -s \"$here/expected.{name}\" - || {{ echo \"{name} differs from expected.{name} ({})\" >&2; result=1; }}\n",
                standing(*kind)
            );
        }
    }
    code
}

/// What is compared of a stream: as much as is known, and with the name that recorded runs have for the seed file.
fn seen(output: &Output, name: &str) -> String {
    let mut seen = format!("cat \"$work/{name}\" | ");
    if names_seed(output) {
        seen += "LC_ALL=C sed \"s|$seed|";
        seen += SEED_PATH;
        seen += "|g\" | ";
    }
    if !output.is_whole() {
        seen += &format!("head -c {} | ", output.bytes.len());
    }
    seen
}

fn names_seed(output: &Output) -> bool {
    output.bytes.windows(SEED_PATH.len()).any(|window| window == SEED_PATH.as_bytes())
}

fn is_identifier(name: &OsStr) -> bool {
    let name = name.as_bytes();
    let ours = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    name.iter().all(ours) && name.first().is_some_and(|byte| !byte.is_ascii_digit())
}

#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    fn text(&mut self, text: &str) -> &mut Writer {
        self.raw(text.as_bytes())
    }

    fn raw(&mut self, text: &[u8]) -> &mut Writer {
        self.bytes.extend_from_slice(text);
        self
    }

    fn word(&mut self, text: impl AsRef<OsStr>) -> &mut Writer {
        self.raw(&quoted(text.as_ref().as_bytes()))
    }

    /// A file name as an operand: `-` is a name, not standard input.
    fn path(&mut self, path: &Path) -> &mut Writer {
        let bytes = path.as_os_str().as_bytes();
        if bytes.starts_with(b"-") { self.raw(&quoted(&[b"./", bytes].concat())) } else { self.word(path) }
    }
}
