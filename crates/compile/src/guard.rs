//! The instrumenter behind a process boundary. LLVM answers what it does not like with `abort`, and a compiler that
//! aborts fails somebody's build; in a child of our own it costs one fork and the file is compiled plainly.

use offshoot_instrument::{Instrumented, Options};
use std::path::Path;

/// `Err` says in one line why the file has to be compiled plainly.
pub fn instrument(bitcode: &[u8], options: &Options, scratch: &Path) -> Result<Instrumented, String> {
    let paths = ["instrumented.bc", "model", "complaint"].map(|name| scratch.join(name));
    let [code, model, complaint] = &paths;
    // SAFETY: the wrapper has one thread, so the child inherits no lock that another thread holds.
    match unsafe { libc::fork() } {
        -1 => Err(format!("cannot fork: {}", std::io::Error::last_os_error())),
        0 => {
            let status = child(bitcode, options, &paths);
            // SAFETY: ends the child without running the parent's exit handlers or destructors (the temporary folder).
            unsafe { libc::_exit(status) }
        }
        pid => {
            let ended = wait(pid);
            let read = |path: &Path| std::fs::read(path).map_err(|error| error.to_string());
            let said = || match String::from_utf8_lossy(&read(complaint).unwrap_or_default()).trim() {
                "" => "no message".to_owned(),
                // LLVM's verifier repeats itself for every instruction it dislikes.
                text => text.lines().take(3).collect::<Vec<_>>().join("; "),
            };
            match ended {
                Ended::Code(0) => Ok(Instrumented { bitcode: read(code)?, model: read(model)? }),
                Ended::Code(_) => Err(said()),
                Ended::Signal(signal) => Err(format!("the instrumenter died of signal {signal}: {}", said())),
            }
        }
    }
}

fn child(bitcode: &[u8], options: &Options, [code, model, complaint]: &[std::path::PathBuf; 3]) -> i32 {
    let Ok(file) = std::fs::File::create(complaint) else { return 1 };
    // LLVM's and the panic handler's last words belong into the log, not into the user's build output.
    if rustix::stdio::dup2_stderr(&file).is_err() {
        return 1;
    }
    let result = offshoot_instrument::instrument(bitcode, options);
    let written = result.map_err(|error| error.to_string()).and_then(|done| {
        let write = |path, data: &[u8]| std::fs::write(path, data).map_err(|error| error.to_string());
        write(code, &done.bitcode).and_then(|()| write(model, &done.model))
    });
    match written {
        Ok(()) => 0,
        Err(message) => {
            eprintln!("{message}");
            1
        }
    }
}

enum Ended {
    Code(i32),
    Signal(i32),
}

fn wait(pid: i32) -> Ended {
    let Some(pid) = rustix::process::Pid::from_raw(pid) else { return Ended::Code(1) };
    loop {
        match rustix::process::waitpid(Some(pid), rustix::process::WaitOptions::empty()) {
            Ok(Some((_, status))) => match status.terminating_signal() {
                Some(signal) => return Ended::Signal(signal),
                None => return Ended::Code(status.exit_status().unwrap_or(1)),
            },
            Err(rustix::io::Errno::INTR) | Ok(None) => {}
            Err(_) => return Ended::Code(1),
        }
    }
}
