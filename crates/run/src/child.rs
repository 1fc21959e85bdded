//! The child's side, from clone to exec. Everything here runs in a copy of a process that may have had many threads:
//! no allocation, no locks, no panics; all memory was made ready in [`Launch`] before.
//!
//! ```text
//! tool ──clone──▶ init: waits for "go" (identity maps are written), mounts, ──vfork──▶ target: limits, exec
//!                 reaps; the target's status goes to the tool; then it exits, and the kernel kills all that is left
//! ```
//!
//! Where the target is a fork server, init goes on in `reaper.rs`.

use std::convert::Infallible;
use std::ffi::CString;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use offshoot_trace::serve::{BOARD, LAST_PID, SOCKET};
use rustix::fs::{Mode, OFlags};
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags};
use rustix::process::{Pid, Resource, Rlimit, Signal};

use crate::mounts::{Plan, Skipped};
use crate::place::Placed;
use crate::reaper::reap_runs;
use crate::sys::{self, CStrings, SharedBoard};
use crate::world::World;

/// All that the child needs.
pub struct Launch {
    pub program: CString,
    pub args: CStrings,
    pub env: CStrings,
    pub cwd: CString,
    /// Without one, the program has none either.
    pub stdio: [Option<OwnedFd>; 3],
    pub rlimits: Vec<(Resource, Rlimit)>,
    pub confinement: Confinement,
    /// Only with [`Confinement::Namespaces`].
    pub files: Vec<Placed>,
    /// Only with [`Confinement::Namespaces`].
    pub world: World,
    /// Of the program; default: that of the tool.
    pub umask: Option<u32>,
    pub nice: Option<i32>,
    /// Only with [`Confinement::Namespaces`].
    pub serve: Option<Serve>,
}

/// The target is a fork server (`server.rs`).
pub struct Serve {
    /// Its end of the socket that runs are asked for through.
    pub socket: OwnedFd,
    pub board: SharedBoard,
    /// What is written to `ns_last_pid` before it starts: out of the way of its runs.
    pub pid: CString,
}

pub enum Confinement {
    Namespaces(Plan),
    Landlock(OwnedFd),
    None,
}

impl Confinement {
    pub fn namespaces(&self) -> i32 {
        if matches!(self, Confinement::Namespaces(_)) { sys::NAMESPACES } else { 0 }
    }
}

/// What goes through the control socket, as `[kind, value, step]` (and for `READY` the skipped steps and a descriptor).
pub const READY: i32 = 1;
pub const SETUP_FAILED: i32 = 2;
pub const EXEC_FAILED: i32 = 3;
pub const ENDED: i32 = 4;
pub const SERVER_ENDED: i32 = 5;

pub const MESSAGE: usize = 3 * 4 + size_of::<Skipped>();

/// Step numbers beyond those of the mount plan.
pub const STEP_FORK: usize = 1 << 20;
pub const STEP_TARGET: usize = STEP_FORK + 1;
/// And the number of the file.
pub const STEP_PLACE: usize = 1 << 24;
/// And the number of the step of [`World`].
pub const STEP_WORLD: usize = 1 << 25;

/// Never returns. `control` is our end of the socket.
pub fn init(launch: &Launch, control: BorrowedFd<'_>) -> ! {
    sys::default_signals();
    // Before the first read: if the tool dies in between, the read sees the end of the stream.
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    let mut go = [0];
    if !matches!(rustix::io::read(control, &mut go), Ok(1)) {
        sys::exit_now(1);
    }
    let umask = rustix::process::umask(Mode::empty());
    // Later /proc/sys is read-only. It speaks of the pid namespace of whoever writes.
    let flags = OFlags::WRONLY | OFlags::CLOEXEC;
    let last_pid = || rustix::fs::open(c"/proc/sys/kernel/ns_last_pid", flags, Mode::empty()).ok();
    let last_pid = launch.serve.as_ref().and_then(|_| last_pid());
    match &launch.confinement {
        Confinement::Namespaces(plan) => {
            let mut skipped = [0; _];
            match plan.execute(&mut skipped) {
                Ok(scratch) => send(control, READY, 0, 0, &skipped, Some(scratch.as_fd())),
                Err((step, error)) => fail(control, SETUP_FAILED, step, &error),
            }
            if let Err((step, error)) = launch.world.build() {
                fail(control, SETUP_FAILED, STEP_WORLD + step, &error);
            }
            for (number, file) in launch.files.iter().enumerate() {
                if let Err(error) = file.put() {
                    fail(control, SETUP_FAILED, STEP_PLACE + number, &error);
                }
            }
            launch.world.settle();
        }
        Confinement::Landlock(_) | Confinement::None => {
            // Orphans come to us, so that they can be found and killed.
            let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
            send(control, READY, 0, 0, &[0; _], None);
        }
    }
    if let (Some(serve), Some(last_pid)) = (&launch.serve, &last_pid) {
        let _ = rustix::io::write(last_pid, serve.pid.as_bytes());
    }
    match sys::spawn_borrowing(|| -> Infallible { target(launch, control, umask, last_pid) }) {
        Ok(pid) => {
            // Files and pipes that the tool had open by chance stay open for as long as we hold them.
            sys::close_all_but(control);
            if let Some(serve) = &launch.serve {
                reap_runs(pid, serve.board.board(), control);
            }
            reap_until(pid, control);
            if !matches!(launch.confinement, Confinement::Namespaces(_)) {
                kill_children();
            }
            sys::exit_now(0)
        }
        Err(error) => fail(control, SETUP_FAILED, STEP_FORK, &error),
    }
}

fn target(launch: &Launch, control: BorrowedFd<'_>, umask: Mode, last_pid: Option<OwnedFd>) -> ! {
    match prepare_target(launch, umask, last_pid) {
        Ok(()) => {
            sys::unblock_signals();
            let error = sys::exec(&launch.program, &launch.args, &launch.env);
            fail(control, EXEC_FAILED, 0, &error)
        }
        Err(error) => fail(control, SETUP_FAILED, STEP_TARGET, &error),
    }
}

fn prepare_target(launch: &Launch, umask: Mode, last_pid: Option<OwnedFd>) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    rustix::process::setsid()?;
    rustix::process::umask(launch.umask.map_or(umask, Mode::from_raw_mode));
    if let Some(nice) = launch.nice {
        // What we may not set is what the program sees, and what its test will show.
        let _ = rustix::process::setpriority_process(None, nice);
    }
    rustix::process::chdir(&launch.cwd)?;
    for (number, fd) in launch.stdio.iter().enumerate() {
        match fd {
            Some(fd) => sys::dup_to(fd.as_fd(), number as i32)?,
            None => sys::close_number(number as i32),
        }
    }
    sys::close_others_on_exec();
    if let Some(serve) = &launch.serve {
        hand_over(serve, last_pid)?;
    }
    for (resource, limit) in &launch.rlimits {
        rustix::process::setrlimit(*resource, *limit)?;
    }
    sys::no_randomisation()?;
    rustix::thread::set_no_new_privs(true)?;
    match &launch.confinement {
        Confinement::Namespaces(_) => sys::drop_admin_capability(),
        Confinement::Landlock(ruleset) => sys::landlock_restrict(ruleset.as_fd()),
        Confinement::None => Ok(()),
    }
}

/// The server's descriptors, under the numbers that it expects.
fn hand_over(serve: &Serve, last_pid: Option<OwnedFd>) -> io::Result<()> {
    // One may have a number that another wants.
    const ABOVE: i32 = 64;
    let high = |fd: BorrowedFd<'_>| rustix::io::fcntl_dupfd_cloexec(fd, ABOVE);
    let (socket, board) = (high(serve.socket.as_fd())?, high(serve.board.file.as_fd())?);
    let last_pid = last_pid.map(|fd| high(fd.as_fd())).transpose()?;
    sys::dup_to(socket.as_fd(), SOCKET)?;
    sys::dup_to(board.as_fd(), BOARD)?;
    if let Some(last_pid) = last_pid {
        sys::dup_to(last_pid.as_fd(), LAST_PID)?;
        if !rustix::process::geteuid().is_root() {
            // Without it, pids differ from run to run.
            let _ = sys::keep_pid_capability();
        }
    }
    Ok(())
}

fn reap_until(target: i32, control: BorrowedFd<'_>) {
    while let Ok(waited) = sys::wait(None) {
        if waited.pid == target {
            send(control, ENDED, waited.status, 0, &[0; _], None);
            return;
        }
    }
}

/// Without a pid namespace nobody else does it. A process whose parent dies becomes our child, so the loop ends when
/// the tree is empty; the supervisor helps from outside if it grows faster than this.
fn kill_children() {
    let mut text = [0u8; 4096];
    loop {
        if let Ok(file) = rustix::fs::open(c"/proc/thread-self/children", OFlags::RDONLY, Mode::empty()) {
            let read = rustix::io::read(&file, &mut text).unwrap_or(0);
            let mut pid = 0i32;
            for byte in &text[..read] {
                match byte {
                    b'0'..=b'9' => pid = pid.wrapping_mul(10).wrapping_add(i32::from(byte - b'0')),
                    _ => {
                        if let Some(pid) = Pid::from_raw(pid) {
                            let _ = rustix::process::kill_process(pid, Signal::KILL);
                        }
                        pid = 0;
                    }
                }
            }
        }
        if sys::wait(None).is_err() {
            return;
        }
    }
}

fn fail(control: BorrowedFd<'_>, kind: i32, step: usize, error: &io::Error) -> ! {
    send(control, kind, error.raw_os_error().unwrap_or(libc::EIO), step, &[0; _], None);
    sys::exit_now(127)
}

pub fn send(
    control: BorrowedFd<'_>,
    kind: i32,
    value: i32,
    step: usize,
    skipped: &Skipped,
    fd: Option<BorrowedFd<'_>>,
) {
    let mut message = [0u8; MESSAGE];
    message[0..4].copy_from_slice(&kind.to_ne_bytes());
    message[4..8].copy_from_slice(&value.to_ne_bytes());
    message[8..12].copy_from_slice(&(step as u32).to_ne_bytes());
    for (word, place) in skipped.iter().zip(message[12..].chunks_exact_mut(8)) {
        place.copy_from_slice(&word.to_ne_bytes());
    }
    let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    let fds = [fd.unwrap_or(control)];
    if fd.is_some() {
        ancillary.push(SendAncillaryMessage::ScmRights(&fds));
    }
    let parts = [io::IoSlice::new(&message)];
    // If the tool is gone there is nobody to tell, and we die by its death signal.
    let _ = rustix::net::sendmsg(control, &parts, &mut ancillary, SendFlags::NOSIGNAL);
}
