//! The wrapper as a program, for trying it out: named `…++` it is the C++ compiler.

use offshoot_compile::{Language, run};

fn main() {
    let mut args = std::env::args_os();
    let name = args.next().unwrap_or_default();
    let language = if name.to_string_lossy().ends_with("++") { Language::Cplusplus } else { Language::C };
    std::process::exit(run(language, &args.collect::<Vec<_>>()));
}
