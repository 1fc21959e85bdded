//! The command line. The only crate that touches the terminal.

mod check;
mod coverage;
mod doctor;
mod explain;
mod explore;
mod failure;
mod lab;
mod output;
mod progress;
mod seeds;
mod suite;
mod target;
mod trace;
mod values;
mod variant;

use clap::{Parser, Subcommand};
use failure::Failure;
use offshoot_base::Exit;
use offshoot_compile::Language;
use std::ffi::OsString;
use std::process::ExitCode;

/// Grows new tests off the ones a C project already has.
///
/// Build the project with CC=offshoot-cc and run its own tests once; Offshoot works on what they did.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compile C, as clang-19 does, with instrumentation (also available as `offshoot-cc`)
    #[command(disable_help_flag = true)]
    Cc {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
    /// Compile C++, as clang++-19 does, with instrumentation (also available as `offshoot-c++`)
    #[command(name = "c++", disable_help_flag = true)]
    Cplusplus {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<OsString>,
    },
    // These describe themselves: a comment here would hide all but its own line from `--help`.
    Record(suite::Record),
    Explore(explore::Explore),
    Check(check::Check),
    Coverage(coverage::Coverage),
    Explain(explain::Explain),
    Lab(lab::LabCommand),
    Rank(suite::Rank),
    Select(suite::Select),
    Reduce(suite::Reduce),
    Replay(suite::Replay),
    Import(suite::Import),
    Export(suite::Export),
    Trace(trace::Trace),
    Variant(variant::Variant),
    Doctor(doctor::Doctor),
}

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|info| {
        eprintln!("offshoot: internal error: {info}");
        std::process::exit(i32::from(Exit::Internal.code()));
    }));
    let mut words = std::env::args_os();
    let own_name = words.next().unwrap_or_default();
    let own_name = std::path::Path::new(&own_name).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let rest: Vec<OsString> = words.collect();
    // The compiler's words are clang's; clap must not look at them.
    let compiler = match (own_name.as_str(), rest.first().and_then(|w| w.to_str())) {
        ("offshoot-cc", _) => Some((Language::C, &rest[..])),
        ("offshoot-c++", _) => Some((Language::Cplusplus, &rest[..])),
        (_, Some("cc")) => Some((Language::C, &rest[1..])),
        (_, Some("c++")) => Some((Language::Cplusplus, &rest[1..])),
        _ => None,
    };
    if let Some((language, args)) = compiler {
        return ExitCode::from(offshoot_compile::run(language, args) as u8);
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // If the terminal is gone there is nobody to tell.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage.into() } else { Exit::Clean.into() };
        }
    };
    let result = match arguments.command {
        Command::Cc { args } => Ok(ExitCode::from(offshoot_compile::run(Language::C, &args) as u8)),
        Command::Cplusplus { args } => Ok(ExitCode::from(offshoot_compile::run(Language::Cplusplus, &args) as u8)),
        Command::Record(command) => command.run(),
        Command::Explore(command) => command.run(),
        Command::Check(command) => command.run(),
        Command::Coverage(command) => command.run(),
        Command::Explain(command) => command.run(),
        Command::Lab(command) => command.run(),
        Command::Rank(command) => command.run(),
        Command::Select(command) => command.run(),
        Command::Reduce(command) => command.run(),
        Command::Replay(command) => command.run(),
        Command::Import(command) => command.run(),
        Command::Export(command) => command.run(),
        Command::Trace(command) => command.run(),
        Command::Variant(command) => command.run(),
        Command::Doctor(command) => command.run(),
    };
    result.unwrap_or_else(|failure: Failure| {
        eprintln!("offshoot: error: {failure}");
        failure.exit.into()
    })
}
