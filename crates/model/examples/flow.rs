//! `flow PROGRAM [FUNCTION]`: the size of each module's model, or the control-flow graph of one function.

use offshoot_model::section::{BlobKind, encode};
use offshoot_model::{Callee, Module, Program};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let [_, path, wanted @ ..] = &args[..] else {
        eprintln!("usage: flow PROGRAM [FUNCTION]");
        return ExitCode::from(2);
    };
    let program = match Program::read(Path::new(path)) {
        Ok(program) => program,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    for (_, module) in &program.modules {
        match wanted.first() {
            Some(function) => show(module, function),
            None => measure(module),
        }
    }
    ExitCode::SUCCESS
}

fn measure(module: &Module) {
    let size = |module: &Module| encode(BlobKind::Model, 0, module).len();
    let mut bare = module.clone();
    bare.functions.iter_mut().for_each(|function| function.blocks.clear());
    let without_blocks = size(&bare);
    (bare.symbols, bare.address_taken, bare.aliases) = Default::default();
    let blocks: usize = module.functions.iter().map(|function| function.blocks.len()).sum();
    println!(
        "{}: {} bytes, of these {} blocks and {} names; {blocks} blocks, {} functions, {} sites",
        module.source,
        size(module),
        size(module) - without_blocks,
        without_blocks - size(&bare),
        module.functions.len(),
        module.sites.len() - 1,
    );
}

fn show(module: &Module, name: &str) {
    let symbol = |index: u32| module.symbols.get(index as usize).map_or("?", String::as_str);
    for function in module.functions.iter().filter(|function| function.name == name) {
        println!("{name} in {}", module.source);
        for (i, block) in function.blocks.iter().enumerate() {
            print!("  {i}: line {}", block.line);
            for callee in &block.calls {
                match *callee {
                    Callee::Direct(callee) => print!(", calls {}", symbol(callee)),
                    Callee::Indirect(ty) => print!(", calls a {}", symbol(ty)),
                    Callee::Passed(function) => print!(", passes {}", symbol(function)),
                }
            }
            if block.site != 0 {
                let site = &module.sites[block.site as usize];
                print!(", decides {} ({}:{})", block.site, site.line, site.column);
            }
            println!(", {}", if block.returns { "returns".into() } else { format!("then {:?}", block.successors) });
        }
    }
}
