//! The link line that a program keeps, and the link line of a variant that is made from it.
//!
//! The units in a program's own section are exactly the objects the linker chose, out of whatever archive. So the
//! recorded line need not say which object came from where: everything we compiled leaves the line, a marker takes the
//! place of the first of it, and a variant puts all its rebuilt objects there.
//!
//! Known limits: shared libraries stay as they were built, that is, instrumented (their plain bodies run in a variant
//! too); an object made by `ld -r` out of ours and foreign objects counts as ours, its foreign part is lost.

use crate::args::{Command, Input, Item, Source};
use crate::compile::Made;
use crate::flags::Kind;
use crate::frontend::input_words;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Stands for all rebuilt objects. Response files are expanded when a line is recorded, so no word of the user's starts
/// like this.
const UNITS: &str = "@offshoot:units";
/// An archive with ours and foreign members.
const MIXED: &str = "@offshoot:mixed:";
/// A shared library of ours is on the line: it wants the run-time library from the program.
const SHARED: &str = "@offshoot:shared";
/// The program's `main` is the fuzzer driver's.
const FUZZER: &str = "@offshoot:fuzzer";

/// What a linker input holds of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried {
    Nothing,
    Everything,
    /// An archive of ours and foreign objects.
    Mixed,
    SharedLibrary,
}

/// The line as the program keeps it. `made` says how each input of the command came out; `None` for those that were
/// objects already.
pub fn record(command: &Command, made: &[Option<Made>], carried: &dyn Fn(&Path) -> Carried) -> Vec<String> {
    let mut line = Line { words: Vec::new(), shared: false };
    let mut made = made.iter();
    for item in &command.items {
        match item {
            Item::Input(input) => {
                let is_unit = made.next().is_some_and(|made| *made == Some(Made::Unit));
                let found = match command.source(input) {
                    _ if is_unit => Carried::Everything,
                    Source::Linker if input.language.is_none() => carried(Path::new(&input.path)),
                    _ => Carried::Nothing,
                };
                line.input(input, found);
            }
            Item::Flag(flag) if matches!(flag.kind, Kind::Dependency | Kind::Dropped) => {}
            Item::Flag(flag) => {
                let words: Vec<String> = flag.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
                if let Some(list) = words[0].strip_prefix("-Wl,") {
                    line.linker_words(list, carried);
                } else if let Some(path) = library_name(&words).and_then(|name| find_library(command, name)) {
                    let input = Input { path: words.concat().into(), language: None };
                    match carried(&path) {
                        Carried::Mixed => line.input(&Input { path: path.into(), ..input }, Carried::Mixed),
                        found => line.input(&input, found),
                    }
                } else {
                    line.words.extend(words);
                }
            }
        }
    }
    if line.shared {
        line.words.push(SHARED.into());
    }
    if command.fuzzer {
        line.words.push(FUZZER.into());
    }
    line.words
}

struct Line {
    words: Vec<String>,
    shared: bool,
}

impl Line {
    fn units(&mut self) {
        if !self.words.iter().any(|word| word == UNITS) {
            self.words.push(UNITS.into());
        }
    }

    fn input(&mut self, input: &Input, carried: Carried) {
        match carried {
            Carried::Everything => self.units(),
            Carried::Mixed => {
                self.units();
                self.words.push(format!("{MIXED}{}", input.path.to_string_lossy()));
            }
            Carried::SharedLibrary | Carried::Nothing => {
                self.shared |= carried == Carried::SharedLibrary;
                self.words.extend(input_words(input).iter().map(|word| word.to_string_lossy().into_owned()));
                if input.language.is_some() {
                    self.words.extend(["-x".into(), "none".into()]);
                }
            }
        }
    }

    /// `-Wl,--whole-archive,libx.a` names an input too. A map file would be the user's, overwritten by a variant's.
    fn linker_words(&mut self, list: &str, carried: &dyn Fn(&Path) -> Carried) {
        let mut kept = Vec::new();
        for word in list.split(',') {
            let is_input = !word.starts_with('-') && (word.ends_with(".a") || word.ends_with(".o"));
            if is_input && matches!(carried(Path::new(word)), Carried::Everything | Carried::Mixed) {
                self.units();
            } else if !word.starts_with("-Map=") && !word.starts_with("--Map=") {
                kept.push(word);
            }
        }
        if !kept.is_empty() {
            self.words.push(format!("-Wl,{}", kept.join(",")));
        }
    }
}

fn library_name(words: &[String]) -> Option<&str> {
    match words {
        [flag, name] if flag == "-l" => Some(name),
        [word] => word.strip_prefix("-l"),
        _ => None,
    }
}

/// Only in the user's own `-L` folders: nothing of ours is in the system's.
fn find_library(command: &Command, name: &str) -> Option<PathBuf> {
    let names = match name.strip_prefix(':') {
        Some(file) => vec![file.to_owned()],
        None if command.has("-static") => vec![format!("lib{name}.a")],
        None => vec![format!("lib{name}.so"), format!("lib{name}.a")],
    };
    let folders = command.items.iter().filter_map(|item| match item {
        Item::Flag(flag) => match flag.words[0].to_str()? {
            "-L" => flag.words.get(1).map(PathBuf::from),
            word => word.strip_prefix("-L").map(PathBuf::from),
        },
        Item::Input(_) => None,
    });
    folders
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)).collect::<Vec<_>>())
        .find(|path| path.exists())
}

/// What a variant's link line is made of.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reconstructed {
    pub args: Vec<OsString>,
    pub needs_fuzzer: bool,
}

/// The recorded line with the rebuilt objects in it. `foreign_part` makes an archive of the foreign members of a mixed one.
pub fn reconstruct<E>(
    recorded: &[String],
    objects: &[PathBuf],
    mut foreign_part: impl FnMut(&Path) -> Result<PathBuf, E>,
) -> Result<Reconstructed, E> {
    let mut line = Reconstructed::default();
    for word in recorded {
        if let Some(archive) = word.strip_prefix(MIXED) {
            line.args.push(foreign_part(Path::new(archive))?.into());
            continue;
        }
        match word.as_str() {
            UNITS => line.args.extend(objects.iter().map(OsString::from)),
            // Every variant is linked with the run-time library.
            SHARED => {}
            FUZZER => line.needs_fuzzer = true,
            word => line.args.push(word.into()),
        }
    }
    Ok(line)
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
