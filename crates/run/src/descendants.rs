//! A command of the user's, outside of any sandbox, and all that it starts.
//!
//! ```text
//! tool ──fork──▶ guard ──clone──▶ command ──▶ …        a process whose parent ends becomes a child of the guard
//!   ◀── status of the command, then its own end ──┘
//! ```
//!
//! The guard takes such processes in, and not the tool, whose children are waited for by others.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use rustix::pipe::{PipeFlags, pipe_with};

use crate::sys;

#[derive(Clone, Copy, Debug)]
pub struct Finished {
    pub status: ExitStatus,
    /// Until the command's own end.
    pub elapsed: Duration,
    /// Of the processes that it started some still run.
    pub are_left: bool,
}

/// Runs it to its end, and waits `patience` for processes that outlive it. An error means that it did not run, or that
/// somebody killed the guard.
pub fn run_with_descendants(mut command: Command, patience: Duration) -> io::Result<Finished> {
    let start = Instant::now();
    let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
    sys::run_under_guard(&mut command, move |program| guard(program, &write, patience));
    let mut child = command.spawn()?;
    // Our copy of the guard's end goes with it.
    drop(command);
    let mut status = [0; 4];
    let told = File::from(read).read_exact(&mut status);
    let elapsed = start.elapsed();
    let left = child.wait()?;
    told.map_err(|_| io::Error::other("the process that waits for it was killed"))?;
    Ok(Finished { status: ExitStatus::from_raw(i32::from_ne_bytes(status)), elapsed, are_left: !left.success() })
}

/// As in `child.rs`: no allocation, no locks. Its status says whether somebody is left.
fn guard(program: i32, report: &OwnedFd, patience: Duration) -> ! {
    sys::close_all_streams_but(report);
    let mut deadline: Option<Instant> = None;
    loop {
        match sys::wait_if_ended() {
            Ok(Some((pid, status))) if pid == program => {
                let _ = rustix::io::write(report, &status.to_ne_bytes());
                deadline = Some(Instant::now() + patience);
            }
            Ok(Some(_)) => {}
            Ok(None) => {
                let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
                if left.is_some_and(|left| left.is_zero()) {
                    sys::exit_now(1);
                }
                sys::await_child_signal(left.unwrap_or(Duration::MAX));
            }
            Err(_) => sys::exit_now(0),
        }
    }
}
