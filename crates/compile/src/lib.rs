//! The compiler wrapper: `clang-19` to everybody who calls it, with our instrumentation inside what it makes.
//!
//! ```text
//!  args ─▶ frontend ─▶ (instrument) ─▶ backend ─▶ object with .offshoot section ─▶ link ─▶ program ─▶ variant
//! ```
//!
//! Rule of the house: never fail a build that clang would not fail. Whatever goes wrong with us, the file is compiled
//! plainly and the log says so.
//!
//! | environment | |
//! |---|---|
//! | `OFFSHOOT_PLAIN=1` | be clang, nothing else |
//! | `OFFSHOOT_LIB` | folder of the run-time library, the libc models, the headers |
//! | `OFFSHOOT_BUILD_LOG` | file that gets a line for everything that was done differently |
//! | `OFFSHOOT_VERBOSE`, `OFFSHOOT_QUIET` | the same on standard error, or not at all |

mod args;
mod backend;
mod carried;
mod clang;
mod compile;
mod elf;
mod flags;
mod frontend;
mod guard;
mod link;
mod log;
mod record;
mod resource;
mod response;
mod variant;

pub use args::Language;
pub use clang::ClangError;
pub use flags::LIBC_MODEL as LIBC_MODEL_FLAG;
pub use resource::Resource;
pub use variant::{Error, Variant, variant, variant_with};

use args::{Action, Command, Input, Source};
use compile::{Job, Made};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Acts as `offshoot-cc` or `offshoot-c++` on `args` (without the program's name); returns the exit status.
pub fn run(language: Language, args: &[OsString]) -> i32 {
    let is_ours =
        |arg: &OsString| arg == flags::LIBC_MODEL || arg.to_str().is_some_and(|text| text.starts_with(flags::CHECKS));
    let clangs_own = || args.iter().filter(|arg| !is_ours(arg)).cloned().collect::<Vec<_>>();
    let result = if log::is_set("OFFSHOOT_PLAIN") {
        Err(clang::exec(language, &clangs_own()))
    } else {
        let command = Command::parse(language, &response::expand(args));
        if let Err(error) = flags::sanitizers(&command.checks) {
            eprintln!("offshoot: error: {error}");
            return 2;
        }
        match command.action {
            Action::Query => Err(clang::exec(language, &clangs_own())),
            Action::Compile | Action::Link => make(&command, clangs_own),
        }
    };
    result.unwrap_or_else(|error| {
        eprintln!("offshoot: error: {error}");
        2
    })
}

fn make(command: &Command, clangs_own: impl Fn() -> Vec<OsString>) -> Result<i32, ClangError> {
    // A signal from the terminal reaches clang as well and ends it; we stay to clean up.
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP] {
        // Without the handler only the cleaning up is lost.
        let _ = signal_hook::flag::register(signal, Arc::clone(&interrupted));
    }
    for flag in command.words(|kind| kind == flags::Kind::Dropped) {
        log::note("command line", format_args!("{} has no effect", flag.to_string_lossy()));
    }
    let Ok(scratch) = tempfile::Builder::new().prefix("offshoot-cc-").tempdir() else {
        // No room for temporary files: perhaps clang needs none.
        return Err(clang::exec(command.driver, &clangs_own()));
    };
    let work = Work { command, resource: Resource::find(), scratch: scratch.path(), interrupted };
    match command.action {
        Action::Link => work.link(),
        Action::Compile | Action::Query => work.compile(),
    }
}

struct Work<'a> {
    command: &'a Command,
    resource: Resource,
    scratch: &'a Path,
    interrupted: Arc<AtomicBool>,
}

impl Work<'_> {
    /// `-c`. As clang does, goes on after a file that is wrong.
    fn compile(&self) -> Result<i32, ClangError> {
        let mut code = 0;
        for (index, input) in self.command.inputs().enumerate() {
            let object = self.command.object_of(input);
            let result = match self.command.source(input) {
                Source::Code => match self.source(index, input, &object)? {
                    Made::Refused(code) => code,
                    Made::Unit | Made::Plain => 0,
                },
                Source::Foreign => frontend::plainly(self.command, &self.resource, input, None, &object)?,
                Source::Linker => 0,
            };
            code = if result == 0 { code } else { result };
            if self.interrupted.load(Ordering::Relaxed) {
                return Ok(130);
            }
        }
        Ok(code)
    }

    fn link(&self) -> Result<i32, ClangError> {
        let mut compiled = Vec::new();
        let mut code = 0;
        for (index, input) in self.command.inputs().enumerate() {
            if self.command.source(input) != Source::Code {
                compiled.push(None);
                continue;
            }
            let stem = Path::new(&input.path).file_stem().unwrap_or(&input.path);
            let folder = self.scratch.join(format!("object{index}"));
            let object = folder.join(PathBuf::from(stem).with_extension("o"));
            // If it cannot be made, clang will say that it cannot write there.
            let _ = std::fs::create_dir(&folder);
            match self.source(index, input, &object)? {
                Made::Refused(refused) => code = refused,
                made => compiled.push(Some((object, made))),
            }
        }
        if self.interrupted.load(Ordering::Relaxed) {
            return Ok(130);
        }
        if code != 0 { Ok(code) } else { link::link(self.command, &self.resource, &compiled, self.scratch) }
    }

    fn source(&self, index: usize, input: &Input, object: &Path) -> Result<Made, ClangError> {
        let scratch = self.scratch.join(index.to_string());
        let _ = std::fs::create_dir(&scratch);
        let stdin = if input.path == "-" || input.path == "/dev/stdin" { self.keep_stdin() } else { None };
        let job = Job {
            command: self.command,
            resource: &self.resource,
            input,
            stdin: stdin.as_deref(),
            object,
            scratch: &scratch,
        };
        job.run()
    }

    /// Standard input can be read once, and we may need it twice.
    fn keep_stdin(&self) -> Option<PathBuf> {
        let path = self.scratch.join("stdin");
        let mut copy = std::fs::File::create(&path).ok()?;
        std::io::copy(&mut std::io::stdin().lock(), &mut copy).ok()?;
        Some(path)
    }
}
