//! What `-- PROGRAM ARGS` names.

use crate::failure::Failure;
use offshoot_base::Budgets;
use offshoot_campaign::runner::Settings;
use offshoot_model::Program;
use offshoot_run::Policy;
use signal_hook::consts::{SIGINT, SIGTERM};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// As the shell would find it.
pub fn find_program(name: &OsString) -> Result<PathBuf, Failure> {
    let path = PathBuf::from(name);
    if path.components().count() > 1 || path.is_file() {
        return std::fs::canonicalize(&path)
            .map_err(|error| Failure::usage(format!("cannot run {}: {error}", path.display())));
    }
    std::env::var_os("PATH")
        .iter()
        .flat_map(std::env::split_paths)
        .map(|folder| folder.join(&path))
        .find(|candidate| candidate.is_file())
        .ok_or_else(|| Failure::usage(format!("no program {} here or in PATH", path.display())))
}

/// The models of a program and of the libraries beside it.
pub fn read_models(program: &Path) -> Result<Vec<Program>, Failure> {
    let mut programs = vec![Program::read(program).map_err(Failure::usage)?];
    // Unreadable or uninstrumented libraries only lose the places of their sites.
    programs.extend(shared_libraries(program).iter().filter_map(|library| Program::read(library).ok()));
    Ok(programs)
}

/// The libraries beside the program (`.libs`) that it may load: their sites are in the trace too.
fn shared_libraries(program: &Path) -> Vec<PathBuf> {
    let Some(folder) = program.parent() else { return Vec::new() };
    let places = [folder.to_path_buf(), folder.join(".libs"), folder.join("../lib/.libs"), folder.join("../.libs")];
    places
        .iter()
        .filter_map(|place| std::fs::read_dir(place).ok())
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.to_string_lossy().contains(".so"))
        .collect()
}

/// How runs are made; Ctrl-C raises the flag. Says where the sandbox is weaker than it should be.
pub fn settings(symbolic: &str, run_time: Duration) -> Result<Settings, Failure> {
    let cancel = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&cancel)).map_err(Failure::internal)?;
    }
    let detected = Policy::detect();
    for reason in &detected.why {
        eprintln!("offshoot: warning: weaker sandbox: {reason}");
    }
    let budgets = Budgets { wall: run_time, cpu: run_time * 2, ..Budgets::default() };
    Ok(Settings { symbolic: symbolic.to_owned(), budgets, policy: detected.policy, config: 0, cancel })
}
