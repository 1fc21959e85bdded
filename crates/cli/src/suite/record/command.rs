//! The command whose programs are recorded.

use crate::failure::Failure;
use crate::suite::warn;
use offshoot_compile::Resource;
use offshoot_run::run_with_descendants;
use offshoot_trace::recording::ENV_RECORD;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Where the logs go. The folder goes with it.
pub struct Recording {
    pub folder: PathBuf,
    library: PathBuf,
    limit: u64,
}

pub struct Ended {
    /// As a shell has it: 128 + N for signal N.
    pub code: i32,
    pub elapsed: Duration,
    /// Processes that it started still run.
    pub are_left: bool,
}

/// With processes that outlive the command. Some are meant to run for ever.
const PATIENCE: Duration = Duration::from_secs(2);

/// The library that is loaded into programs which are watched.
fn recorder() -> Result<PathBuf, Failure> {
    let library = Resource::find().recorder().and_then(|library| library.canonicalize().ok()).ok_or_else(|| {
        Failure::usage("liboffshoot_recorder.so not found; set OFFSHOOT_LIB to the folder that has it")
    })?;
    if library.as_os_str().as_bytes().iter().any(|byte| b": ".contains(byte)) {
        let library = library.display();
        return Err(Failure::usage(format!(
            "{library} cannot be loaded into other programs because of a blank or colon in its path; install Offshoot elsewhere"
        )));
    }
    Ok(library)
}

/// For those who can do without.
pub fn recorder_or_warning() -> Option<PathBuf> {
    let warned = |failure| warn(format!("which files a test looks at cannot be watched: {failure}"));
    recorder().map_err(warned).ok()
}

impl Recording {
    pub fn new(output: &Path, limit: u64) -> Result<Recording, Failure> {
        let library = recorder()?;
        let unusable = |error| Failure::usage(format!("cannot make a folder in {}: {error}", output.display()));
        let output = output.canonicalize().map_err(unusable)?;
        let folder = output.join(format!(".recording-{}", std::process::id()));
        std::fs::create_dir(&folder).map_err(unusable)?;
        Ok(Recording { folder, library, limit })
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        // What cannot be removed is in nobody's way.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Runs it to its end with our own standard input and error. An error means that it did not run.
pub fn run(words: &[OsString], recording: &Recording, stdout: Stdio) -> Result<Ended, Failure> {
    let Some((program, args)) = words.split_first() else { return Err(Failure::usage("record what?")) };
    let mut record = OsString::from(format!("{}:", recording.limit));
    record.push(&recording.folder);
    let mut preload = recording.library.clone().into_os_string();
    if let Some(others) = std::env::var_os("LD_PRELOAD").filter(|others| !others.is_empty()) {
        preload.push(":");
        preload.push(others);
    }
    let mut command = Command::new(program);
    command.args(args).env(ENV_RECORD, record).env("LD_PRELOAD", preload).stdout(stdout);
    let finished = run_with_descendants(command, PATIENCE)
        .map_err(|error| Failure::usage(format!("cannot run {}: {error}", program.display())))?;
    let status = finished.status;
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    Ok(Ended { code, elapsed: finished.elapsed, are_left: finished.are_left })
}
