//! The final link: the user's line, our run-time library behind it, and a record of the line inside the result.

use crate::args::{Command, Item};
use crate::clang::{self, ClangError};
use crate::compile::Made;
use crate::flags::Kind;
use crate::frontend::input_words;
use crate::resource::Resource;
use crate::{Language, carried, elf, record};
use offshoot_model::section::{self, BlobKind, LinkLine, SECTION};
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::{Path, PathBuf};

/// An input that was compiled in this step, and how that went.
pub type Compiled = Option<(PathBuf, Made)>;

/// `compiled` has an entry for each input of the command, in order.
pub fn link(command: &Command, resource: &Resource, compiled: &[Compiled], scratch: &Path) -> Result<i32, ClangError> {
    let objects: Vec<_> = compiled.iter().map(|entry| entry.as_ref().map(|(object, _)| object.as_path())).collect();
    let mut args = arguments(command, &objects);
    if !command.relocatable && !tells(command) {
        let made: Vec<_> = compiled.iter().map(|entry| entry.as_ref().map(|(_, made)| *made)).collect();
        args.extend(record_object(command, &made, scratch).map(OsString::from));
    }
    if command.shared {
        args.extend(library(resource));
    }
    if command.relocatable || command.shared || command.freestanding {
        return clang::status(command.driver, &args, None);
    }
    args.extend(runtime(resource, command.fuzzer));
    let result = clang::captured(command.driver, &args, None)?;
    if result.code != 0 && is_our_fault(&result.stderr) {
        args.push("-lm".into());
        return clang::status(command.driver, &args, None);
    }
    // What the linker says is the user's to read; there is nobody to tell if standard error is closed.
    let _ = std::io::stderr().write_all(&result.stderr);
    Ok(result.code)
}

/// `-v`: somebody reads the linker's line. libtool does so to learn what a C++ library needs besides its own objects, and
/// would put our object, gone by then, into every library that it links.
fn tells(command: &Command) -> bool {
    command.items.iter().any(|item| matches!(item, Item::Flag(flag) if flag.words.iter().any(|word| word == "-v")))
}

/// Does something in our archives want a library that the user did not give? Only then may there be one more: with
/// `-lm` on every line, `configure` would find that mathematics needs no library.
fn is_our_fault(stderr: &[u8]) -> bool {
    let stderr = String::from_utf8_lossy(stderr);
    stderr.contains("liboffshoot_") && stderr.contains("undefined")
}

/// The user's line, with each source that we compiled replaced by its object.
fn arguments(command: &Command, objects: &[Option<&Path>]) -> Vec<OsString> {
    let mut args = Vec::new();
    if objects.iter().any(Option::is_some) {
        // Flags for the compiler are left over now; in one step clang would have used them.
        args.push("-Qunused-arguments".into());
    }
    let mut objects = objects.iter();
    for item in &command.items {
        match item {
            Item::Input(input) => match objects.next().copied().flatten() {
                Some(object) => args.push(object.into()),
                None => {
                    args.extend(input_words(input));
                    if input.language.is_some() {
                        args.extend(["-x".into(), "none".into()]);
                    }
                }
            },
            Item::Flag(flag) if matches!(flag.kind, Kind::Dependency | Kind::Dropped) => {}
            Item::Flag(flag) => args.extend(flag.words.iter().cloned()),
        }
    }
    if command.shared {
        args = without_no_undefined(args);
    }
    if let Some(output) = &command.output {
        args.extend(["-o".into(), output.clone()]);
    }
    args
}

/// In a shared library our run-time symbols stay open until the program brings them: `-z defs` cannot hold.
fn without_no_undefined(args: Vec<OsString>) -> Vec<OsString> {
    let mut kept: Vec<OsString> = Vec::new();
    let mut words = args.into_iter().peekable();
    while let Some(word) = words.next() {
        let next = words.peek().and_then(|next| next.to_str());
        match word.to_str().unwrap_or_default() {
            "-z" if next == Some("defs") => drop(words.next()),
            "-Wl,-z" if next == Some("-Wl,defs") => drop(words.next()),
            "-Xlinker" if matches!(next, Some("--no-undefined" | "-zdefs")) => drop(words.next()),
            "-Xlinker" if next == Some("-z") => {
                let pair: Vec<OsString> = words.by_ref().take(3).collect();
                if pair.last().map(OsString::as_os_str) != Some(OsStr::new("defs")) {
                    kept.push(word);
                    kept.extend(pair);
                }
            }
            text if text.starts_with("-Wl,") => kept.extend(without_defs(text).map(OsString::from)),
            "-zdefs" => {}
            _ => kept.push(word),
        }
    }
    kept
}

fn without_defs(list: &str) -> Option<String> {
    let words: Vec<&str> = list.split(',').skip(1).collect();
    let mut kept = Vec::new();
    let mut rest = &words[..];
    while let Some((word, tail)) = rest.split_first() {
        rest = tail;
        match (*word, tail.first()) {
            ("-z", Some(&"defs")) => rest = &tail[1..],
            ("--no-undefined" | "-no-undefined" | "-zdefs", _) => {}
            _ => kept.push(*word),
        }
    }
    if kept.is_empty() { None } else { Some(format!("-Wl,{}", kept.join(","))) }
}

/// What an instrumented shared library needs besides its own objects: models, because the program that loads it may not
/// have them; and, for programs that are not ours (an interpreter, anything under `LD_PRELOAD`), a library that stands in
/// for the run-time library and keeps plain bodies running. It is not put into the shared library itself, where a version
/// script would hide it, and with it the true one. In programs of ours the true one comes first in the search order.
fn library(resource: &Resource) -> Vec<OsString> {
    let Some(absent) = resource.absent() else { return Vec::new() };
    let mut args: Vec<OsString> = resource.models().into_iter().map(OsString::from).collect();
    args.push("-Wl,--push-state,--as-needed".into());
    args.push(std::path::absolute(&absent).unwrap_or(absent).into());
    args.push("-Wl,--pop-state".into());
    args
}

/// What an instrumented program needs besides its own objects.
pub fn runtime(resource: &Resource, fuzzer: bool) -> Vec<OsString> {
    let Some(library) = resource.runtime() else { return Vec::new() };
    // Instrumented shared libraries, also those loaded later, find the run time in the program.
    let mut args: Vec<OsString> = vec!["-Wl,--export-dynamic-symbol=__off_*".into()];
    args.push("-Wl,--start-group".into());
    let main = resource.fuzzer_main().filter(|_| fuzzer);
    args.extend(main.into_iter().chain([library]).chain(resource.models()).map(OsString::from));
    args.push("-Wl,--end-group".into());
    args.extend(system_libraries());
    args
}

/// Empty since glibc 2.34, needed before; only as far as needed, so that the program's own list does not grow.
pub fn system_libraries() -> [OsString; 4] {
    ["-Wl,--push-state,--as-needed", "-lpthread", "-ldl", "-Wl,--pop-state"].map(OsString::from)
}

/// An object with nothing but the link line in it. Without it there are no variants, but there is a program.
fn record_object(command: &Command, made: &[Option<Made>], scratch: &Path) -> Option<PathBuf> {
    let line = LinkLine {
        directory: std::env::current_dir().ok()?.to_string_lossy().into_owned(),
        cplusplus: command.driver == Language::Cplusplus,
        args: record::record(command, made, &carried::carried),
    };
    let blob = section::encode(BlobKind::Link, 0, &line);
    let object = elf::add_section(elf::empty_object(), SECTION, elf::SHF_GNU_RETAIN, &blob)?;
    let path = scratch.join("link-line.o");
    std::fs::write(&path, object).ok().map(|()| path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn shared_libraries_may_leave_symbols_open() {
        for (line, expected) in [
            ("-shared a.o -Wl,-z,defs -lm", "-shared a.o -lm"),
            ("-shared -Wl,-z,relro,-z,defs,-z,now a.o", "-shared -Wl,-z,relro,-z,now a.o"),
            ("-shared -Wl,-z -Wl,defs a.o", "-shared a.o"),
            ("-shared -Wl,-z -Wl,now a.o", "-shared -Wl,-z -Wl,now a.o"),
            ("-shared -Wl,--no-undefined -Wl,-soname,x a.o", "-shared -Wl,-soname,x a.o"),
            ("-shared -z defs a.o -z now", "-shared a.o -z now"),
            ("-shared -Xlinker -z -Xlinker defs a.o", "-shared a.o"),
            ("-shared -Xlinker -z -Xlinker now a.o", "-shared -Xlinker -z -Xlinker now a.o"),
            ("-shared -Xlinker --no-undefined a.o", "-shared a.o"),
        ] {
            assert_eq!(without_no_undefined(words(line)), words(expected), "{line}");
        }
    }

    #[test]
    fn nothing_of_ours_is_on_a_line_that_is_read() {
        let command = |line: &str| Command::parse(Language::Cplusplus, &words(line));
        assert!(tells(&command("-shared -fPIC a.o -v -Wl,-soname -Wl,x -o x.so")));
        assert!(!tells(&command("-shared -fPIC a.o -Wl,-v -o x.so")));
    }

    #[test]
    fn sources_give_way_to_objects_and_languages_do_not_leak() {
        let command =
            Command::parse(Language::C, &words("-x c a.txt -DX -flto -MD b.o -x assembler s.asm -o prog -lm"));
        let objects = [Some(Path::new("/t/a.o")), None, None];
        let expected = "-Qunused-arguments /t/a.o -DX -x c b.o -x none -x assembler s.asm -x none -lm -o prog";
        assert_eq!(arguments(&command, &objects), words(expected));
    }
}
