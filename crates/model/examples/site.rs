//! `site PROGRAM UID SITE`: the place in the source of a site that a self-check line names (`module=UID site=SITE`).

use offshoot_model::Program;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let [_, path, uid, site] = &args[..] else {
        eprintln!("usage: site PROGRAM UID SITE");
        return ExitCode::from(2);
    };
    match place(Path::new(path), uid, site) {
        Ok(place) => {
            println!("{place}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn place(path: &Path, uid: &str, site: &str) -> Result<String, String> {
    let uid = u64::from_str_radix(uid, 16).map_err(|_| format!("{uid} is not a module's uid in hexadecimal"))?;
    let site: usize = site.parse().map_err(|_| format!("{site} is not a number"))?;
    let program = Program::read(path).map_err(|error| error.to_string())?;
    let (_, module) =
        program.modules.iter().find(|(found, _)| *found == uid).ok_or("no such module in this program")?;
    let site = module.sites.get(site).ok_or("no such site in this module")?;
    let function = module.functions.get(site.function as usize).map_or("?", |function| &function.name);
    let file = module.files.get(site.file as usize).map_or("?", String::as_str);
    Ok(format!("{file}:{}:{} in {function} ({:?})", site.line, site.column, site.kind))
}
