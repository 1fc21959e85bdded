//! The user's command line, understood as far as we must.

use crate::flags::{self, Kind};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Which driver we stand in for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Cplusplus,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    Input(Input),
    Flag(Flag),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    pub path: OsString,
    /// What `-x` said about it.
    pub language: Option<String>,
}

/// A flag with its separate argument, if it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    pub kind: Kind,
    pub words: Vec<OsString>,
}

/// What a file is to the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// C or C++: ours.
    Code,
    /// Something else that clang compiles or assembles: clang's.
    Foreign,
    /// Objects, archives, libraries, linker scripts.
    Linker,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing for us to do: clang gets the user's own words.
    Query,
    Compile,
    Link,
}

#[derive(Clone, Debug)]
pub struct Command {
    pub driver: Language,
    pub action: Action,
    pub items: Vec<Item>,
    pub output: Option<OsString>,
    /// The last `-O…`, as written.
    pub level: Option<String>,
    /// The user wants debug information.
    pub debug: bool,
    pub shared: bool,
    pub relocatable: bool,
    pub freestanding: bool,
    /// `-fsanitize=fuzzer`: the program's `main` comes from us.
    pub fuzzer: bool,
    pub libc_model: bool,
    /// Of arithmetic, separated by commas.
    pub checks: String,
}

impl Command {
    /// `args` without the program's name, response files already expanded.
    pub fn parse(driver: Language, args: &[OsString]) -> Command {
        let mut command = Command {
            driver,
            action: Action::Link,
            items: Vec::new(),
            output: None,
            level: None,
            debug: false,
            shared: false,
            relocatable: false,
            freestanding: false,
            fuzzer: false,
            libc_model: false,
            checks: String::new(),
        };
        let mut language = None;
        let mut query = false;
        let mut only_inputs = false;
        let mut words = args.iter();
        while let Some(word) = words.next() {
            let text = word.to_str().unwrap_or_default();
            if only_inputs || !text.starts_with('-') || text == "-" {
                command.items.push(Item::Input(Input { path: word.clone(), language: language.clone() }));
                continue;
            }
            if text == "--" {
                only_inputs = true;
                continue;
            }
            let mut flag = vec![word.clone()];
            if flags::takes_argument(text) {
                flag.extend(words.next().cloned());
            }
            let argument = flag.get(1).and_then(|word| word.to_str());
            query |= flags::is_foreign_target(text, argument);
            match flags::kind(text) {
                Kind::Query => query = true,
                Kind::CompileOnly => command.action = Action::Compile,
                Kind::LibcModel => command.libc_model = true,
                Kind::Checks => {
                    command.checks.push(',');
                    command.checks.push_str(text.strip_prefix(flags::CHECKS).unwrap_or_default());
                }
                Kind::Output => command.output = joined(&flag, &["--output", "-o"]),
                Kind::Language => {
                    let name = joined(&flag, &["--language", "-x"]).map(|name| name.to_string_lossy().into_owned());
                    language = name.filter(|name| name != "none");
                }
                kind => {
                    query |=
                        text == "-Xclang" && argument.is_some_and(|a| a.starts_with("-emit") || a.starts_with("-ast"));
                    command.notice(kind, text, argument);
                    command.push(kind, flag);
                }
            }
        }
        if query || command.is_idle() {
            command.action = Action::Query;
        }
        command
    }

    fn notice(&mut self, kind: Kind, text: &str, argument: Option<&str>) {
        match kind {
            Kind::Level => self.level = Some(text.to_owned()),
            // `-gz` and column info say how, not whether.
            Kind::Debug if ["-gz", "-gno-", "-gcolumn"].iter().any(|how| text.starts_with(how)) => {}
            Kind::Debug => self.debug = !matches!(text, "-g0" | "-ggdb0"),
            Kind::Dropped => self.fuzzer |= flags::is_fuzzer(text),
            _ => {}
        }
        let linker_words = text.strip_prefix("-Wl,").or(argument.filter(|_| text == "-Xlinker"));
        for word in linker_words.into_iter().flat_map(|words| words.split(',')) {
            self.relocatable |= matches!(word, "-r" | "--relocatable");
            self.shared |= matches!(word, "-shared" | "--shared" | "-Bshareable");
        }
        match text {
            "-shared" | "--shared" => self.shared = true,
            "-r" => self.relocatable = true,
            "-ffreestanding" => self.freestanding = true,
            "-fhosted" | "-fno-freestanding" => self.freestanding = false,
            _ => {}
        }
    }

    fn push(&mut self, kind: Kind, words: Vec<OsString>) {
        // `-Wp,-MD,FILE` is how one-pass dependency tracking was spelt before there was `-MF`.
        let text = words[0].to_str().unwrap_or_default();
        let spelt = [("-Wp,-MD,", "-MD"), ("-Wp,-MMD,", "-MMD")];
        if let Some((flag, file)) = spelt.iter().find_map(|(old, new)| Some((new, text.strip_prefix(old)?))) {
            let dependency = |words| Item::Flag(Flag { kind: Kind::Dependency, words });
            self.items.push(dependency(vec![flag.into()]));
            self.items.push(dependency(vec!["-MF".into(), file.into()]));
        } else {
            self.items.push(Item::Flag(Flag { kind, words }));
        }
    }

    /// Nothing to compile for us and nothing to link: clang says what there is to say.
    fn is_idle(&self) -> bool {
        match self.action {
            Action::Query => true,
            Action::Compile => {
                !self.inputs().any(|input| self.source(input) == Source::Code) || self.ambiguous_output()
            }
            Action::Link => self.inputs().next().is_none() && self.flags().all(|flag| !flag.starts_with("-l")),
        }
    }

    /// `-c -o FILE` with several sources is an error that clang words best.
    fn ambiguous_output(&self) -> bool {
        self.output.is_some() && self.inputs().filter(|input| self.source(input) != Source::Linker).count() > 1
    }

    pub fn inputs(&self) -> impl Iterator<Item = &Input> {
        self.items.iter().filter_map(|item| match item {
            Item::Input(input) => Some(input),
            Item::Flag(_) => None,
        })
    }

    /// All flags of the given kinds, flattened back into words.
    pub fn words(&self, wanted: impl Fn(Kind) -> bool) -> Vec<OsString> {
        let flags = self.items.iter().filter_map(|item| match item {
            Item::Flag(flag) if wanted(flag.kind) => Some(&flag.words),
            _ => None,
        });
        flags.flatten().cloned().collect()
    }

    /// The first word of each flag.
    pub fn flags(&self) -> impl Iterator<Item = &str> {
        self.items.iter().filter_map(|item| match item {
            Item::Flag(flag) => flag.words[0].to_str(),
            Item::Input(_) => None,
        })
    }

    pub fn has(&self, flag: &str) -> bool {
        self.flags().any(|other| other == flag)
    }

    pub fn source(&self, input: &Input) -> Source {
        match input.language.as_deref() {
            Some("c" | "c++" | "cpp-output" | "c++-cpp-output") => return Source::Code,
            Some(_) => return Source::Foreign,
            None => {}
        }
        match Path::new(&input.path).extension().and_then(OsStr::to_str).unwrap_or_default() {
            "c" | "i" | "cc" | "cp" | "cxx" | "cpp" | "CPP" | "c++" | "C" | "CC" | "CXX" | "C++" | "ii" => Source::Code,
            "s" | "S" | "sx" | "asm" | "m" | "mm" | "M" | "mi" | "mii" | "ll" | "bc" | "h" | "hh" | "hpp" | "hxx"
            | "H" | "h++" | "f" | "f90" | "F90" | "cu" | "cl" | "cppm" | "ixx" | "pcm" => Source::Foreign,
            _ => Source::Linker,
        }
    }

    /// The user's level, as the instrumenter names it.
    pub fn opt_level(&self) -> char {
        match self.level.as_deref().map(|level| &level["-O".len()..]) {
            None | Some("0") => '0',
            Some("" | "1" | "g") => '1',
            Some("2") => '2',
            Some("s") => 's',
            Some("z") => 'z',
            Some(_) => '3',
        }
    }

    /// The level we give to clang: the user's, but never none, because code that was compiled for `-O0` is marked as
    /// not to be optimised.
    pub fn working_level(&self) -> &str {
        if self.opt_level() == '0' { "-O1" } else { self.level.as_deref().unwrap_or("-O1") }
    }

    /// Where `-c` puts the object of `input`.
    pub fn object_of(&self, input: &Input) -> PathBuf {
        match &self.output {
            Some(output) => output.into(),
            None => with_stem(input, "o"),
        }
    }

    /// The user's dependency flags for `input`, with clang's defaults for what the user left open: they follow from
    /// the user's `-o`, and ours is another one.
    pub fn dependency_flags(&self, input: &Input) -> Vec<OsString> {
        if !self.has("-MD") && !self.has("-MMD") {
            return Vec::new();
        }
        let mut words = self.words(|kind| kind == Kind::Dependency);
        let given = |prefixes: &[&str]| self.flags().any(|flag| prefixes.iter().any(|prefix| flag.starts_with(prefix)));
        if !given(&["-MF"]) {
            let file = match &self.output {
                Some(output) => Path::new(output).with_extension("d"),
                None => with_stem(input, "d"),
            };
            words.extend(["-MF".into(), file.into()]);
        }
        if !given(&["-MT", "-MQ"]) {
            words.extend(["-MQ".into(), self.object_of(input).into()]);
        }
        words
    }
}

fn with_stem(input: &Input, extension: &str) -> PathBuf {
    PathBuf::from(Path::new(&input.path).file_name().unwrap_or(&input.path)).with_extension(extension)
}

/// The argument of a flag that is either the next word or the rest of this one.
fn joined(flag: &[OsString], names: &[&str]) -> Option<OsString> {
    flag.get(1).cloned().or_else(|| {
        let rest = names.iter().find_map(|name| flag[0].as_bytes().strip_prefix(name.as_bytes()))?;
        Some(OsStr::from_bytes(rest.strip_prefix(b"=").unwrap_or(rest)).to_owned())
    })
}

#[cfg(test)]
#[path = "args_tests.rs"]
mod tests;
