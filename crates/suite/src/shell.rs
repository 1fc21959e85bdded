//! `cmd.sh`: a test as a POSIX shell script that needs nothing of ours.

use crate::scratch::Scratch;
use crate::source::Source;
use crate::test::{Expected, Output, SEED_PATH, Standing, Status, Test};
use crate::world::Sink;
use chrono::{DateTime, Datelike};
use offshoot_base::{Thing, What};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

const HEAD: &str = r#"#!/bin/sh
# Runs this test: output and exit status are the program's own (128 + N if signal N ended it).
# With --check they are compared with what is expected: 0 the same, 1 not, 77 nothing to compare. Set-up that fails gives 125.
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd) || exit 125
"#;

/// A part of the test that is gone says nothing of the program.
const NEEDS: &str = r#"needs() {
    for name do
        [ -r "$here/$name" ] && continue
        printf '%s\n' "$0: cannot read $here/$name, which is a part of this test" >&2
        exit 125
    done
}
"#;

/// Named from the root, whatever TMPDIR is; and find wants to go back to where it began, which the program may have closed.
const WORK: &str = r#"work=$(mktemp -d) && work=$(CDPATH= cd -- "$work" && pwd) || exit 125
trap 'cd / && find "$work" -type d -exec chmod u+rwx {} \; ; rm -rf -- "$work"' EXIT
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
    out.text(NEEDS);
    needs(&mut out, parts(test, files));
    helpers(&mut out, test);
    // The folder of a recorded test may have gone with its suite, or hold what is dear to somebody by now.
    let is_recorded = !command.world.is_empty();
    let moves = is_recorded || !inside.is_empty();
    if is_recorded {
        out.text("umask 022\n");
    }
    // It may never end by itself.
    let is_compared = !is_endless(test) && (!checks.is_empty() || test.flaky.is_none());
    if moves || command.takes_file() || is_compared {
        out.text(WORK);
    }
    // A test without one runs where there is none.
    if let Some((_, name)) = files.iter().find(|(source, _)| command.takes_file() && *source == seed) {
        // The program may write to it, and remove it.
        out.text("cat < \"$here/").text(name).text("\" > \"$work/offshoot-seed\" || exit 125\n");
    }
    if let Some(cwd) = &command.cwd {
        out.text("CDPATH= cd -- ").word(cwd.as_os_str());
        if is_recorded {
            out.text(" 2> /dev/null || { mkdir -- \"$work/cwd\" && CDPATH= cd -- \"$work/cwd\"; }");
        }
        out.text(" || exit 125\n");
    }
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
        build(&mut out, test, &scratch, &inside);
    }
    // The shell speaks, too, when a signal ends what it waits for: only the program's own words go where ours are to go.
    const SPEAK: &str = "    exec 2>&3 3>&-\n";
    let stdin = files.iter().find(|(source, _)| *source == Source::Stdin).map(|(_, name)| name.as_str());
    match stdin {
        _ if command.world.stdin_closed => {
            out.text("run() (\n").text(SPEAK).text("    exec <&-\n");
        }
        Some(name) if command.world.piped => {
            out.text("run() {\n    cat < \"$here/").text(name).text("\" 2> /dev/null | run_with_input\n}\n");
            out.text("run_with_input() (\n").text(SPEAK);
        }
        Some(name) => {
            out.text("run() (\n").text(SPEAK).text("    exec < \"$here/").text(name).text("\"\n");
        }
        None => {
            out.text("run() (\n").text(SPEAK).text("    exec < /dev/null\n");
        }
    }
    run(&mut out, test);
    out.text(")\nif [ \"${1-}\" != --check ]; then\n    run 3>&2 2> /dev/null\n    exit $?\nfi\n");
    if !is_compared {
        out.text("echo \"nothing is known of how it ends\" >&2\nexit 77\n");
        return out.bytes;
    }
    let outputs = [("expected.stdout", &test.expectation.stdout), ("expected.stderr", &test.expectation.stderr)];
    needs(&mut out, outputs.iter().filter(|(_, output)| output.is_some()).map(|(name, _)| *name));
    if outputs.iter().filter_map(|(_, output)| output.as_ref()).any(|output| names_seed(&output.value)) {
        // As a pattern of sed.
        out.text("seed=$(printf '%s' \"$work/offshoot-seed\" | sed 's/[][\\.*^$|]/\\\\&/g')\n");
    }
    out.text("run > \"$work/stdout\" 3> \"$work/stderr\" 2> /dev/null\nstatus=$?\nresult=0\n");
    out.text(&checks).text("exit $result\n");
    out.bytes
}

/// The files beside the script that it reads.
fn parts<'a>(test: &Test, files: &'a [(Source, String)]) -> impl Iterator<Item = &'a str> {
    let has_stdin = !test.command.world.stdin_closed;
    let is_read = move |source: &Source| match source {
        Source::Stdin => has_stdin,
        source => matches!(source, Source::File(_)),
    };
    let inputs = has_inputs(test).then_some("inputs");
    files.iter().filter(move |(source, _)| is_read(source)).map(|(_, name)| name.as_str()).chain(inputs)
}

fn needs<'a>(out: &mut Writer, names: impl Iterator<Item = &'a str>) {
    let names: Vec<&str> = names.collect();
    if !names.is_empty() {
        out.text("needs ").text(&names.join(" ")).text("\n");
    }
}

/// Nobody knows how it would end.
fn is_endless(test: &Test) -> bool {
    matches!(&test.expectation.status, Some(Expected { value: Status::Ended(_), .. }))
}

/// A folder of its own for the program, with what a test found in and around its working directory. Everything is put where its
/// name leads in the end, and links come last: nothing is ever written through one of them.
fn build(out: &mut Writer, test: &Test, scratch: &Scratch<'_>, inside: &[(&Path, &str)]) {
    let things = &test.command.world.things;
    // It may look for itself under the name that it was called by.
    let called = Some(Path::new(test.command.name()));
    let called = called.filter(|name| name.as_os_str().as_bytes().contains(&b'/') && scratch.keeps(name));
    let names = inside.iter().map(|(path, _)| *path).chain(things.keys().map(PathBuf::as_path)).chain(called);
    let top = scratch.top(names);
    out.text("mkdir -- \"$work/world\" && CDPATH= cd -- \"$work/world\" || exit 125\n");
    let depth = scratch.depth(top);
    let is_deep = !depth.as_os_str().is_empty();
    if is_deep {
        out.text("mkdir -p -- ").path(&depth).text(" || exit 125\n");
    }
    let (mut folders, mut files, mut links) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
    for (path, thing) in things.iter().filter(|(path, _)| scratch.keeps_link(path)) {
        let place = scratch.place(path, top);
        match &thing.what {
            What::Absent => {}
            What::Link(to) => links.extend(scratch.place_of_link(path, top).map(|place| (place, to))),
            What::Directory => folders.extend(place.map(|place| (place, thing))),
            What::File { .. } => files.extend(place.map(|place| (place, thing))),
        }
    }
    let ours: BTreeMap<PathBuf, &str> =
        inside.iter().filter_map(|(path, name)| Some((scratch.place(path, top)?, *name))).collect();
    for place in folders.keys() {
        out.text("mkdir -p -- ").path(place).text(" || exit 125\n");
    }
    for (place, thing) in files.iter().filter(|(place, _)| !ours.contains_key(*place)) {
        put_parent(out, place);
        // Nobody has read it: as large as it was.
        let size = if let What::File { size } = thing.what { size } else { 0 };
        let of: Vec<u8> = [b"of=", place.as_os_str().as_bytes()].concat();
        out.text("dd if=/dev/null bs=1 seek=").text(&size.to_string()).text(" ").raw(&quoted(&of));
        out.text(" 2> /dev/null || exit 125\n");
    }
    for (place, name) in &ours {
        put_parent(out, place);
        // What mode our copy has is chance.
        out.text("cat < \"$here/").text(name).text("\" > ").path(place).text(" || exit 125\n");
    }
    for (place, to) in links {
        put_parent(out, &place);
        // It may have a second name.
        out.text("[ -L ").path(&place).text(" ] || ln -s -- ").word(to).text(" ").path(&place).text(" || exit 125\n");
    }
    if let Some(place) = called.and_then(|name| scratch.place(name, top)) {
        put_parent(out, &place);
        out.text("[ -e ").path(&place).text(" ] || ln -s -- \"$program\" ").path(&place).text(" || exit 125\n");
    }
    // Whatever is made in a folder changes its time, and may be forbidden.
    files.iter().chain(folders.iter().rev()).for_each(|(place, thing)| dress(out, place, thing));
    if is_deep {
        out.text("CDPATH= cd -- ").path(&depth).text(" || exit 125\n");
    }
}

fn put_parent(out: &mut Writer, path: &Path) {
    if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty() && *parent != Path::new(".")) {
        out.text("mkdir -p -- ").path(parent).text(" || exit 125\n");
    }
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
    if has_variables(test) {
        out.text("env=$(command -v env) && nice=$(command -v nice) || exit 125\n");
    }
    if is_renamed(test) {
        out.text("bash=$(command -v bash)\n");
    }
}

fn has_inputs(test: &Test) -> bool {
    test.bytes.nondet().next().is_some()
}

fn has_variables(test: &Test) -> bool {
    has_inputs(test) || !test.command.environment(&test.bytes).is_empty()
}

fn is_renamed(test: &Test) -> bool {
    test.command.name() != test.command.program.as_os_str()
}

/// The body of `run`: redirection, program and arguments, and last the environment. The shell never has a variable of the test: it may
/// be PATH or one of ours, some shells allow nobody to set their own, and others speak about a locale that is not there.
fn run(out: &mut Writer, test: &Test) {
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
    for arg in command.words(&test.bytes) {
        match arg {
            Some(arg) => out.text(" ").word(arg),
            // Called as it was.
            None => out.text(" \"$work/offshoot-seed\""),
        };
    }
    out.text("\n");
    if is_renamed(test) {
        // Only bash can give a program another name than its own.
        out.text("    if [ -n \"$bash\" ]; then\n        set -- \"$bash\" -p -c 'exec -a \"$0\" \"$@\" ");
        // It complains about a locale that is not there, which the program does not.
        let (away, back) = match command.world.outputs {
            [_, Sink::Closed] => ("2> /dev/null", "2>&-"),
            _ => ("3>&2 2> /dev/null", "2>&3 3>&-"),
        };
        out.text(back).text("' ").word(command.name()).text(" \"$@\"\n        exec ").text(away).text("\n    fi\n");
    }
    if has_variables(test) {
        // What env takes for an assignment is no program to it, and nice changes nothing but that.
        out.text("    case $1 in *=*) set -- \"$nice\" -n 0 -- \"$@\" ;; esac\n");
        let variables = command.environment(&test.bytes);
        let is_named = |name: &OsStr| !name.is_empty() && !name.as_bytes().contains(&b'=');
        let is_ours = |name: &OsStr| has_inputs(test) && name == "OFFSHOOT_INPUTS";
        let variables = || variables.iter().filter(|(name, _)| is_named(name) && !is_ours(name));
        out.text("    set -- \"$env\"");
        for (name, _) in variables().filter(|(_, value)| value.is_none()) {
            out.text(" -u ").word(name);
        }
        out.text(" --");
        for (name, value) in variables().filter_map(|(name, value)| Some((name, value.as_ref()?))) {
            out.text(" ").raw(&quoted(&[name.as_bytes(), b"=", value.as_bytes()].concat()));
        }
        if has_inputs(test) {
            out.text(" OFFSHOOT_INPUTS=\"$here/inputs\"");
        }
        out.text(" \"$@\"\n");
    }
    out.text("    exec \"$@\"\n");
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
        Some(Expected { value: Status::Signaled(signal), standing }) => status(signal.saturating_add(128), *standing),
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
