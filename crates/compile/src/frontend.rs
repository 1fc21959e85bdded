//! Source to bitcode: clang's front end, with the user's flags and ours.

use crate::args::{Action, Command, Input, Source};
use crate::clang::{self, Captured, ClangError};
use crate::flags::Kind;
use crate::resource::Resource;
use std::ffi::{OsStr, OsString};
use std::io::IsTerminal;
use std::path::Path;
use std::process::Stdio;

/// What the front end cannot switch off and the user must not see: it would be an error under `-Werror`.
const MCDC_COMPLAINT: &str = "unsupported MC/DC boolean expression";
const FORTIFY_COMPLAINT: &str = "'_FORTIFY_SOURCE' macro redefined";

pub struct Bitcode {
    pub bytes: Vec<u8>,
    /// clang's own words, to be shown once the object is made.
    pub diagnostics: Vec<u8>,
}

/// `None`: clang refused. Most often the program is wrong, and a plain compilation will say so in the user's own terms.
pub fn bitcode(
    command: &Command,
    resource: &Resource,
    input: &Input,
    stdin: Option<&Path>,
    output: &Path,
) -> Result<Option<Bitcode>, ClangError> {
    let run = |extra: Extra| -> Result<Captured, ClangError> {
        let output = if extra.mcdc { output } else { Path::new("/dev/null") };
        let args = arguments(command, resource, input, output, extra);
        clang::captured(command.driver, &args, crate::compile::open(stdin))
    };
    let mut extra = Extra { mcdc: true, fortify_off: true, silent: false };
    let mut result = run(extra)?;
    if mentions(&result, FORTIFY_COMPLAINT) {
        // The program defines it without a guard. Then it stays defined; the warning would not be the user's.
        extra.fortify_off = false;
        result = run(extra)?;
    }
    if mentions(&result, MCDC_COMPLAINT) {
        // Take the diagnostics from a run without MC/DC. If `-Werror` made an error of the complaint, there is no bitcode
        // yet: a silent run makes it.
        let made = result.code == 0;
        result = run(Extra { mcdc: false, ..extra })?;
        if result.code == 0 && !made {
            let Captured { code, .. } = run(Extra { silent: true, ..extra })?;
            result.code = code;
        }
    }
    if result.code != 0 {
        return Ok(None);
    }
    Ok(std::fs::read(output).ok().map(|bytes| Bitcode { bytes, diagnostics: result.stderr }))
}

#[derive(Clone, Copy)]
struct Extra {
    /// Without it, only the diagnostics are of interest.
    mcdc: bool,
    fortify_off: bool,
    silent: bool,
}

fn arguments(command: &Command, resource: &Resource, input: &Input, output: &Path, extra: Extra) -> Vec<OsString> {
    let mut args = command.words(|kind| matches!(kind, Kind::Codegen | Kind::Other));
    args.retain(|arg| !is_fortify(arg));
    // `-gdwarf-4` and the like say what the debug information looks like; a separate file for it would be a second output.
    args.extend(command.words(|kind| kind == Kind::Debug).into_iter().filter(|flag| {
        !["-gsplit-dwarf", "-g0", "-ggdb0", "-gz"].iter().any(|no| flag.to_string_lossy().starts_with(no))
    }));
    args.extend(command.dependency_flags(input));
    let ours = ["-g", "-Xclang", "-disable-llvm-passes", "-fprofile-instr-generate", "-fcoverage-mapping"];
    args.extend(ours.map(OsString::from));
    args.push(command.working_level().into());
    // glibc's headers inline some input functions (getc_unlocked) down to the buffer, past our interceptors.
    args.extend(["-fno-builtin", "-D__NO_CTYPE", "-D__NO_INLINE__", "-U_FORTIFY_SOURCE"].map(OsString::from));
    if command.action == Action::Link {
        // The linker's flags are on the line too. With `-c` it is clang's right to complain about them.
        args.push("-Qunused-arguments".into());
    }
    if let Ok(sanitizers) = crate::flags::sanitizers(&command.checks)
        && !sanitizers.is_empty()
    {
        args.push(format!("-fsanitize={}", sanitizers.join(",")).into());
        args.push("-fsanitize-minimal-runtime".into());
    }
    if extra.mcdc {
        args.push("-fcoverage-mcdc".into());
    }
    if extra.fortify_off {
        // Headers that switch it on do so under `#ifndef`.
        args.push("-D_FORTIFY_SOURCE=0".into());
    }
    if command.opt_level() == '0' {
        args.push("-U__OPTIMIZE__".into());
    }
    if extra.silent {
        args.push("-w".into());
    }
    if std::io::stderr().is_terminal() && !command.flags().any(is_color_choice) {
        // clang writes to a pipe now and cannot know that a terminal is behind it.
        args.push("-fcolor-diagnostics".into());
    }
    if let Some(include) = resource.include() {
        args.extend(["-isystem".into(), include.into()]);
    }
    args.extend(["-emit-llvm", "-c", "-o"].map(OsString::from));
    args.push(output.into());
    args.extend(input_words(input));
    args
}

/// The words that name an input, wherever they stand in a command line.
pub fn input_words(input: &Input) -> Vec<OsString> {
    match &input.language {
        Some(language) => vec!["-x".into(), language.into(), input.path.clone()],
        None => vec![input.path.clone()],
    }
}

/// `-D_FORTIFY_SOURCE=2`, also when handed to the preprocessor past our own `-U`.
fn is_fortify(arg: &OsStr) -> bool {
    let arg = arg.to_string_lossy();
    let arg = arg.strip_prefix("-Wp,").unwrap_or(&arg);
    arg.starts_with("-D_FORTIFY_SOURCE") || arg.starts_with("-U_FORTIFY_SOURCE")
}

fn is_color_choice(flag: &str) -> bool {
    flag.ends_with("color-diagnostics") || (flag.starts_with("-fdiagnostics-color=") && !flag.ends_with("=auto"))
}

fn mentions(result: &Captured, text: &str) -> bool {
    result.stderr.windows(text.len()).any(|window| window == text.as_bytes())
}

/// The same file without us: the user's flags, minus what we drop everywhere.
pub fn plainly(
    command: &Command,
    resource: &Resource,
    input: &Input,
    stdin: Option<&Path>,
    object: &Path,
) -> Result<i32, ClangError> {
    let wanted = |kind| matches!(kind, Kind::Codegen | Kind::Assembler | Kind::Other | Kind::Level | Kind::Debug);
    let mut args = command.words(wanted);
    args.extend(command.dependency_flags(input));
    let is_code = command.source(input) == Source::Code;
    if command.action == Action::Link || !is_code {
        // Flags for the linker or for the other sources are on the line; clang would not mind them in one step.
        args.push("-Qunused-arguments".into());
    }
    if let Some(include) = resource.include().filter(|_| is_code) {
        args.extend(["-isystem".into(), include.into()]);
    }
    args.extend(["-c".into(), "-o".into(), object.into()]);
    args.extend(input_words(input));
    clang::status(command.driver, &args, crate::compile::open(stdin).or_else(|| Some(Stdio::null())))
}
