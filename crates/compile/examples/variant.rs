//! `variant plain|cov|asan PROGRAM OUTPUT`, for trying it out.

use offshoot_compile::{Variant, variant};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, kind, program, output] = &args[..] else {
        eprintln!("usage: variant plain|cov|asan PROGRAM OUTPUT");
        std::process::exit(2);
    };
    let kind = match kind.as_str() {
        "plain" => Variant::Plain,
        "count" => Variant::Count,
        "cov" => Variant::Cov,
        _ => Variant::Asan,
    };
    if let Err(error) = variant(kind, program.as_ref(), output.as_ref()) {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}
