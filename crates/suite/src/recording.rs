//! From the logs of recorded processes (`offshoot_trace::recording`) to tests.

mod around;
mod log;

pub use around::normal;

use crate::bytes::Bytes;
use crate::source::Source;
use crate::test::{Command, Expectation, Expected, Origin, Output, SEED, Status, Test};
use crate::world::{Sink, World};
use around::Around;
use indexmap::IndexMap;
use log::Log;
use offshoot_base::format_size;
use offshoot_trace::recording::{Entry, OUTPUT_KEPT, Record, records, stream};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// One run of a program, as far as its log tells.
#[derive(Debug)]
pub struct Run {
    /// What is expected of it is what was seen; where that is not known, nothing is.
    pub test: Test,
    pub end: End,
    /// What a replay will not have: in words, for the user.
    pub losses: Vec<String>,
    /// Of the things in the test's world, those whose bytes it wanted, were they kept or not.
    pub read: BTreeSet<PathBuf>,
    /// The world has all that it looked at.
    pub is_whole: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Exited(i32),
    /// It went on as another program.
    Became(PathBuf),
    /// By a signal, its own or somebody else's.
    Killed,
}

/// What a log holds.
pub struct Runs {
    /// Or why one is none.
    pub runs: Vec<Result<Run, String>>,
    /// Bytes that are no records: somebody else wrote to the log, and runs may be missing.
    pub strange: usize,
}

/// `beside`: the bytes of a file in the folder of the log, if it is one of those that may be read. `sees_all`: whether a program
/// looks at variables that it does not ask for by name.
pub fn read(text: &[u8], beside: &Beside<'_>, mut sees_all: impl FnMut(&Path) -> bool) -> Runs {
    let mut runs: IndexMap<u64, Vec<Entry<'_>>> = IndexMap::new();
    let mut all = records(text);
    for entry in all.by_ref() {
        runs.entry(entry.run).or_default().push(entry);
    }
    let runs = runs.into_values().map(|entries| {
        let moved = entries.iter().filter_map(|entry| match entry.record {
            Record::Moved(name) => beside(OsStr::from_bytes(name)),
            _ => None,
        });
        let moved: Vec<Vec<u8>> = moved.collect();
        Log::new(in_order(entries, &moved)).and_then(|log| run(log, beside, &mut sees_all))
    });
    Runs { runs: runs.collect(), strange: all.strange() }
}

pub type Beside<'f> = dyn Fn(&OsStr) -> Option<Vec<u8>> + 'f;

/// Those of the log, and those that the process or a copy of it put elsewhere.
fn in_order<'a>(mut entries: Vec<Entry<'a>>, moved: &'a [Vec<u8>]) -> Vec<Record<'a>> {
    let run = entries.first().map(|entry| entry.run);
    let expected = entries.iter().filter(|entry| matches!(entry.record, Record::Moved(_))).count();
    if expected > 0 {
        entries.extend(moved.iter().flat_map(|file| records(file)).filter(|entry| Some(entry.run) == run));
        entries.sort_by_key(|entry| entry.time);
    }
    let lost = (moved.len() < expected).then_some(Record::Cut);
    entries.into_iter().map(|entry| entry.record).chain(lost).collect()
}

fn run(log: Log<'_>, beside: &Beside<'_>, sees_all: impl FnOnce(&Path) -> bool) -> Result<Run, String> {
    if log.cwd.is_empty() {
        return Err(format!("the working directory of {} was gone, or its name is too long", show(log.program)));
    }
    let program = PathBuf::from(OsStr::from_bytes(log.program));
    let cwd = PathBuf::from(OsStr::from_bytes(log.cwd));
    let mut losses = Vec::new();
    if log.is_cut {
        losses.push(
            "its log is not whole: it grew too large, the disk was full, or the program was out of reach, had all its files open, or \
             was killed while it wrote"
                .to_owned(),
        );
    }
    let around = Around::new(&log, beside, &cwd, &mut losses);

    let args: Vec<OsString> = log.arguments.iter().skip(1).map(|arg| OsString::from_vec(arg.to_vec())).collect();
    if args.iter().any(|arg| arg == SEED) {
        return Err(format!("an argument is {SEED}, which stands for the seed file here"));
    }
    let name = log.arguments.first().map(|name| OsString::from_vec(name.to_vec()));
    let others_ran = !log.children.is_empty() || matches!(log.end, End::Became(_));
    let whole_env = others_ran || sees_all(&program);
    let env = environment(&log, whole_env);

    let mut bytes: Bytes =
        args.iter().zip(1..).map(|(arg, number)| (Source::Arg(number), arg.as_bytes().to_vec())).collect();
    let [stdin, stdout, stderr, _] = log.start.streams;
    if !matches!(stdin, stream::CLOSED | stream::NULL) {
        bytes.insert(Source::Stdin, around.stdin);
    }
    for (path, content) in around.files {
        bytes.insert(Source::File(path), content);
    }
    for (kind, name) in [(stdout, "output"), (stderr, "error")] {
        if kind == stream::OTHER {
            losses.push(format!("standard {name} was a device or a socket"));
        }
    }
    let sink = |kind: u8| match kind {
        stream::NULL => Sink::Null,
        stream::FULL => Sink::Full,
        stream::CLOSED => Sink::Closed,
        _ => Sink::Kept,
    };
    let world = World {
        things: around.things,
        umask: Some(log.start.umask),
        nice: Some(20 - log.start.priority as i32),
        whole_env,
        piped: !matches!(stdin, stream::CLOSED | stream::NULL | stream::FILE),
        stdin_closed: stdin == stream::CLOSED,
        outputs: [sink(stdout), sink(stderr)],
    };
    let command = Command { name: name.filter(|name| *name != program), program, args, cwd: Some(cwd), env, world };
    let mut test = Test::new(command, bytes, Origin::Recorded);
    test.expectation = expectation(&log, others_ran, [stdout, stderr]);
    Ok(Run { test, end: log.end, losses, read: around.read, is_whole: around.is_whole && !log.is_cut })
}

/// Those that somebody asked for, or all. What changes with every run of a suite tells a program nothing.
fn environment(log: &Log<'_>, all: bool) -> BTreeMap<OsString, Option<OsString>> {
    const PASSING: [&[u8]; 7] =
        [b"_", b"MAKEFLAGS", b"MFLAGS", b"MAKELEVEL", b"MAKE_TERMOUT", b"MAKE_TERMERR", b"SHLVL"];
    let os = |text: &[u8]| OsString::from_vec(text.to_vec());
    let mut env = BTreeMap::new();
    for name in &log.asked {
        env.insert(os(name), None);
    }
    for variable in &log.variables {
        let Some(equals) = variable.iter().skip(1).position(|byte| *byte == b'=') else { continue };
        let (name, value) = (&variable[..=equals], &variable[equals + 2..]);
        let asked = log.asked.contains(name);
        if asked || (all && !PASSING.contains(&name) && !name.starts_with(b"OFFSHOOT_")) {
            env.insert(os(name), Some(os(value)));
        }
    }
    env
}

fn expectation(log: &Log<'_>, others_ran: bool, streams: [u8; 2]) -> Expectation {
    let ended = match log.end {
        End::Exited(code) => Some(Status::Exited(code)),
        End::Became(_) | End::Killed => None,
    };
    let output = |number: usize| {
        // Others may have written there too, and how far a killed run got is chance.
        if others_ran || ended.is_none() || matches!(streams[number], stream::NULL | stream::FULL | stream::CLOSED) {
            return None;
        }
        let (bytes, total) = log.outputs[number].clone();
        Some(Expected::recorded(Output { bytes, total }))
    };
    Expectation { stdout: output(0), stderr: output(1), status: ended.map(Expected::recorded) }
}

fn show(path: &[u8]) -> std::path::Display<'_> {
    Path::new(OsStr::from_bytes(path)).display()
}

/// For [`Run::losses`].
fn too_large(what: &str, size: u64) -> String {
    format!("{what} is too large to be kept ({})", format_size(size))
}

const _: () = assert!(OUTPUT_KEPT == 1 << 20, "what a replay keeps of an output is compared with it");
