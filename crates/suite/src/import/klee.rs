//! KLEE: objects of a harness are its values; those of KLEE's POSIX runtime are arguments, files and standard input.

use super::{Import, is_hidden};
use crate::bytes::Bytes;
use crate::ktest::{self, Ktest};
use crate::source::Source;
use crate::test::Command;
use std::collections::HashMap;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

pub fn import(import: &mut Import, path: &Path) {
    if !path.is_dir() {
        return file(import, path);
    }
    for entry in import.entries(path).into_iter().filter(|entry| !is_hidden(entry)) {
        // A folder of KLEE's holds statistics, logs and queries as well.
        if entry.extension().is_some_and(|extension| extension == "ktest") {
            file(import, &entry);
        }
    }
}

fn file(import: &mut Import, path: &Path) {
    let Some(content) = import.read(path) else { return };
    let ktest = match ktest::decode(&content) {
        Ok(ktest) => ktest,
        Err(error) => return import.problem(path, error),
    };
    let (command, bytes) = match is_posix(&ktest) {
        true => match posix(&ktest, import.command) {
            Ok(test) => test,
            Err(what) => return import.problem(path, what),
        },
        false => (import.command.clone(), values(ktest.objects.iter())),
    };
    import.add(path, command, bytes);
}

fn is_posix(ktest: &Ktest) -> bool {
    ktest.objects.iter().any(|(name, _)| name == b"model_version")
}

/// Each object is the next value of its name.
fn values<'a>(objects: impl Iterator<Item = &'a (Vec<u8>, Vec<u8>)>) -> Bytes {
    let mut counts: HashMap<&[u8], u32> = HashMap::new();
    let value = |(name, bytes): &'a (Vec<u8>, Vec<u8>)| {
        let count = counts.entry(name).or_default();
        *count += 1;
        (Source::Nondet { name: name.clone(), number: *count - 1 }, bytes.clone())
    };
    objects.map(value).collect()
}

/// Rebuilds the command line from the one KLEE was given, in which `--sym-args` and its like stand for objects.
fn posix(ktest: &Ktest, template: &Command) -> Result<(Command, Bytes), String> {
    let mut arguments = ktest.objects.iter().filter(|(name, _)| is_argument(name)).map(|(_, bytes)| string(bytes));
    let mut counts =
        ktest.objects.iter().filter(|(name, _)| name.starts_with(b"n_args")).map(|(_, bytes)| number(bytes));
    let mut args = Vec::new();
    let mut given = ktest.args.iter().skip(1);
    while let Some(word) = given.next() {
        let option = word.strip_prefix(b"-").map(|rest| rest.strip_prefix(b"-").unwrap_or(rest)).unwrap_or_default();
        let symbolic = match option {
            b"sym-arg" => skip(&mut given, 1, word).map(|()| 1)?,
            b"sym-args" => {
                skip(&mut given, 3, word)?;
                counts.next().ok_or("it has no n_args for a --sym-args")?
            }
            b"sym-files" => skip(&mut given, 2, word).map(|()| 0)?,
            b"sym-stdin" | b"max-fail" => skip(&mut given, 1, word).map(|()| 0)?,
            b"sym-stdout" | b"save-all-writes" | b"fd-fail" => 0,
            _ => {
                args.push(OsString::from_vec(word.clone()));
                0
            }
        };
        for _ in 0..symbolic {
            args.push(OsString::from_vec(arguments.next().ok_or("it has fewer arguments than n_args says")?));
        }
    }
    let mut bytes: Bytes = (1..).zip(&args).map(|(n, arg)| (Source::Arg(n), arg.clone().into_vec())).collect();
    for (name, content) in &ktest.objects {
        if name == b"stdin" {
            bytes.insert(Source::Stdin, content.clone());
        } else if let Some(file) = name.strip_suffix(b"-data").filter(|file| !file.is_empty()) {
            bytes.insert(Source::File(OsString::from_vec(file.to_vec()).into()), content.clone());
        }
    }
    let rest = ktest.objects.iter().filter(|(name, _)| !is_of_the_model(name));
    for (source, value) in values(rest).iter() {
        bytes.insert(source.clone(), value.to_vec());
    }
    Ok((Command { args, ..template.clone() }, bytes))
}

fn skip<'a>(words: &mut impl Iterator<Item = &'a Vec<u8>>, count: usize, option: &[u8]) -> Result<(), String> {
    let missing = (0..count).any(|_| words.next().is_none());
    if missing { Err(format!("{} lacks its numbers", String::from_utf8_lossy(option))) } else { Ok(()) }
}

/// `arg0`, `arg00`, …
fn is_argument(name: &[u8]) -> bool {
    name.strip_prefix(b"arg").is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
}

/// What KLEE's model of the system makes symbolic: inputs that have a source of their own, and what it needs inside.
fn is_of_the_model(name: &[u8]) -> bool {
    let inside: [&[u8]; 7] =
        [b"model_version", b"stdin", b"stdout", b"read_fail", b"write_fail", b"close_fail", b"ftruncate_fail"];
    is_argument(name)
        || name.starts_with(b"n_args")
        || name.ends_with(b"-data")
        || name.ends_with(b"-stat")
        || name == b"getcwd_fail"
        || inside.contains(&name)
}

fn string(bytes: &[u8]) -> Vec<u8> {
    bytes.split(|&byte| byte == 0).next().unwrap_or_default().to_vec()
}

/// An `int` of the machine that KLEE runs on.
fn number(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}
