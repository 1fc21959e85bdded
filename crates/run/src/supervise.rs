//! The tool's side of a run: starts the child, collects output, enforces limits, and says what came of it.

use std::io::{self, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SocketFlags, SocketType, recvmsg, socketpair,
};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use crate::changes::Scratch;
use crate::child::{self, Confinement, Launch, MESSAGE};
use crate::invocation::{Invocation, Limits};
use crate::mounts::Skipped;
use crate::outcome::{Captured, Limit, Outcome, Status};
use crate::sandbox::write_identity_maps;
use crate::sys::{self, BlockedSignals, Forked};
use crate::tree::{self, Usage};
use crate::{Error, Result, landlock};

/// How often limits and the cancellation flag are looked at.
const TICK: Duration = Duration::from_millis(20);

/// Our ends of the output pipes.
pub struct Streams {
    pub stdout: Option<OwnedFd>,
    pub stderr: Option<OwnedFd>,
}

pub fn supervise(
    invocation: &Invocation<'_>,
    program: PathBuf,
    launch: Launch,
    streams: Streams,
    mut scratch: Option<Scratch>,
) -> Result<Outcome> {
    let start = Instant::now();
    let mut run = Run::start(&invocation.limits, &launch, streams)?;
    // The child has its copies; ours of the pipes' far ends would keep them open.
    let Launch { confinement, stdio, .. } = launch;
    drop(stdio);
    run.watch(invocation, start)?;
    let waited = run.finish()?;

    let plan = match &confinement {
        Confinement::Namespaces(plan) => Some(plan),
        Confinement::Landlock(_) | Confinement::None => None,
    };
    if let Some((kind, errno, step)) = run.failed {
        let source = io::Error::from_raw_os_error(errno);
        return Err(match (kind, plan) {
            (child::EXEC_FAILED, _) => Error::Exec { program, source },
            (_, Some(plan)) => Error::Sandbox { step: plan.describe(step), source },
            (_, None) => Error::Sandbox { step: "set limits and enter the working directory".to_owned(), source },
        });
    }
    let cpu_spent = waited.cpu >= invocation.limits.cpu;
    let status = match (run.killed, run.ended) {
        (Some(killed), _) => killed,
        // The hard limit behind SIGXCPU, for programs that handle that.
        (None, Some(status)) => match Status::from_wait(status) {
            Status::Signaled { signal: libc::SIGKILL, .. } if cpu_spent => Status::KilledBy(Limit::Cpu),
            status => status,
        },
        // Our helper itself died, by the kernel's memory killer or an administrator.
        (None, None) => Status::Signaled { signal: libc::SIGKILL, core: false },
    };
    let mut notes = plan.map_or_else(Vec::new, |plan| plan.notes(&run.skipped));
    if matches!(confinement, Confinement::Landlock(_)) {
        notes.extend(landlock::gaps());
    }
    let mut changes = Vec::new();
    if let (Some(scratch), Some(plan)) = (&mut scratch, plan) {
        if let Some(fd) = run.scratch.take() {
            scratch.set_tmpfs(fd);
        }
        changes = scratch.changes(&plan.layers);
    }
    let [stdout, stderr] = run.outputs.each_mut().map(|output| std::mem::take(&mut output.captured));
    Ok(Outcome {
        status,
        stdout,
        stderr,
        wall: start.elapsed(),
        cpu: waited.cpu.max(run.seen.cpu),
        max_rss: waited.max_rss.max(run.seen.largest),
        policy: invocation.policy,
        notes,
        changes,
        _scratch: scratch,
    })
}

struct Run<'a> {
    limits: &'a Limits,
    pid: i32,
    pidfd: OwnedFd,
    control: OwnedFd,
    outputs: [Output; 2],
    in_namespaces: bool,
    /// Why we ended it.
    killed: Option<Status>,
    /// The target's status, from its parent.
    ended: Option<i32>,
    /// Kind, errno and step.
    failed: Option<(i32, i32, usize)>,
    skipped: Skipped,
    scratch: Option<OwnedFd>,
    /// The last look at the tree: what is killed with its namespace is in nobody's accounts.
    seen: Usage,
    control_open: bool,
    over_memory: bool,
    reaped: bool,
}

struct Output {
    pipe: Option<OwnedFd>,
    captured: Captured,
}

impl<'a> Run<'a> {
    fn start(limits: &'a Limits, launch: &Launch, streams: Streams) -> Result<Run<'a>> {
        let (control, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)
            .map_err(Error::system("make a control socket"))?;
        let blocked = BlockedSignals::new();
        let pid = match sys::clone_process(launch.confinement.namespaces()) {
            Ok(Forked::Child) => {
                child::init(launch, theirs.as_fd());
            }
            Ok(Forked::Parent(pid)) => pid,
            Err(source) => return Err(Error::Sandbox { step: "make a process in new namespaces".to_owned(), source }),
        };
        drop(blocked);
        drop(theirs);
        let pidfd =
            Pid::from_raw(pid).ok_or(rustix::io::Errno::SRCH).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()));
        let pidfd = match pidfd {
            Ok(pidfd) => pidfd,
            Err(error) => {
                // The child sees the end of the control socket and leaves.
                drop(control);
                let _ = sys::wait(Some(pid));
                return Err(Error::system("watch the process")(error));
            }
        };
        let output = |pipe| Output { pipe, captured: Captured::default() };
        let in_namespaces = matches!(launch.confinement, Confinement::Namespaces(_));
        let run = Run {
            limits,
            pid,
            pidfd,
            control,
            outputs: [output(streams.stdout), output(streams.stderr)],
            in_namespaces,
            killed: None,
            ended: None,
            failed: None,
            skipped: [0; _],
            scratch: None,
            seen: Usage::default(),
            control_open: true,
            over_memory: false,
            reaped: false,
        };
        if in_namespaces {
            write_identity_maps(pid)
                .map_err(|source| Error::Sandbox { step: "map the user into the namespace".to_owned(), source })?;
        }
        rustix::io::write(&run.control, &[1]).map_err(Error::system("start the process"))?;
        Ok(run)
    }

    /// Until the helper is dead, and with it (see `child.rs`) everything that it started.
    fn watch(&mut self, invocation: &Invocation<'_>, start: Instant) -> Result<()> {
        let deadline = start + self.limits.wall;
        let mut next_tick = start + TICK;
        loop {
            let now = Instant::now();
            if now >= deadline {
                self.kill(Status::TimedOut);
            }
            if invocation.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                self.kill(Status::Interrupted);
            }
            if now >= next_tick {
                self.check_usage(invocation.trace.map_or(0, |trace| trace.occupied()));
                next_tick = now + TICK;
            }
            // Where no namespace dies with the helper, we help it to find what is left.
            if (self.killed.is_some() || self.ended.is_some()) && !self.in_namespaces {
                tree::kill_below(self.pid);
            }
            let until = next_tick.min(deadline.max(now + Duration::from_millis(1)));
            if self.poll(until.saturating_duration_since(now))? {
                return Ok(());
            }
        }
    }

    /// Handles what is ready; true when the helper is dead.
    fn poll(&mut self, timeout: Duration) -> Result<bool> {
        let timeout = Timespec { tv_sec: timeout.as_secs() as i64, tv_nsec: i64::from(timeout.subsec_nanos()) };
        // A socket whose far end is gone would be ready for ever, while the kernel still takes the namespaces down.
        let mut fds = vec![PollFd::new(&self.pidfd, PollFlags::IN)];
        if self.control_open {
            fds.push(PollFd::new(&self.control, PollFlags::IN));
        }
        let pipes = self.outputs.iter().filter_map(|output| output.pipe.as_ref());
        fds.extend(pipes.map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        match poll(&mut fds, Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(Error::system("wait for the process")(error)),
        }
        let dead = !fds[0].revents().is_empty();
        while self.receive() {}
        self.drain();
        Ok(dead)
    }

    fn finish(&mut self) -> Result<sys::Waited> {
        let waited = sys::wait(Some(self.pid)).map_err(Error::system("wait for the process"))?;
        self.reaped = true;
        while self.receive() {}
        self.drain();
        Ok(waited)
    }

    /// The first reason counts.
    fn kill(&mut self, why: Status) {
        if self.killed.is_some() || self.ended.is_some() {
            return;
        }
        self.killed = Some(why);
        if self.in_namespaces {
            let _ = pidfd_send_signal(&self.pidfd, Signal::KILL);
        } else {
            tree::kill_below(self.pid);
        }
    }

    fn check_usage(&mut self, trace: u64) {
        let usage = tree::usage(self.pid, self.limits.processes);
        self.seen = Usage { largest: self.seen.largest.max(usage.largest), ..usage };
        if usage.processes > self.limits.processes {
            self.kill(Status::KilledBy(Limit::Processes));
        }
        if usage.cpu >= self.limits.cpu {
            self.kill(Status::KilledBy(Limit::Cpu));
        }
        // Twice in a row: between fork and exec a process seems to be as large as its parent.
        let over = usage.memory.saturating_sub(trace) > self.limits.memory;
        if over && self.over_memory {
            self.kill(Status::KilledBy(Limit::Memory));
        }
        self.over_memory = over;
    }

    fn drain(&mut self) {
        let mut buffer = [0u8; 1 << 16];
        for output in &mut self.outputs {
            while let Some(pipe) = &output.pipe {
                match rustix::io::read(pipe, &mut buffer) {
                    Ok(0) => output.pipe = None,
                    Ok(len) => {
                        let room = self.limits.capture.saturating_sub(output.captured.bytes.len());
                        output.captured.bytes.extend_from_slice(&buffer[..len.min(room)]);
                        output.captured.total += len as u64;
                        if len < buffer.len() {
                            break;
                        }
                    }
                    Err(rustix::io::Errno::INTR) => {}
                    Err(_) => break,
                }
            }
        }
        if self.outputs.iter().map(|output| output.captured.total).sum::<u64>() > self.limits.output {
            self.kill(Status::KilledBy(Limit::Output));
        }
    }

    /// One message, without waiting; false if there is none.
    fn receive(&mut self) -> bool {
        let mut message = [0u8; MESSAGE];
        let Some((len, fd)) = receive_message(self.control.as_fd(), &mut message) else { return false };
        if len < MESSAGE {
            self.control_open = false;
            return false;
        }
        let word = |at: usize| i32::from_ne_bytes([message[at], message[at + 1], message[at + 2], message[at + 3]]);
        match word(0) {
            child::READY => {
                for (word, bytes) in self.skipped.iter_mut().zip(message[12..].chunks_exact(8)) {
                    *word = bytes.try_into().map_or(0, u64::from_ne_bytes);
                }
                self.scratch = fd;
            }
            child::ENDED => self.ended = Some(word(4)),
            kind => self.failed = self.failed.or(Some((kind, word(4), word(8) as usize))),
        }
        true
    }
}

impl Drop for Run<'_> {
    /// On an error in the middle: leave no process behind.
    fn drop(&mut self) {
        if !self.reaped {
            tree::kill_below(self.pid);
            let _ = pidfd_send_signal(&self.pidfd, Signal::KILL);
            let _ = sys::wait(Some(self.pid));
        }
    }
}

fn receive_message(control: BorrowedFd<'_>, message: &mut [u8]) -> Option<(usize, Option<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let mut parts = [IoSliceMut::new(message)];
    let flags = RecvFlags::DONTWAIT | RecvFlags::CMSG_CLOEXEC;
    let received = recvmsg(control, &mut parts, &mut ancillary, flags).ok()?;
    let fd = ancillary.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut fds) => fds.next(),
        _ => None,
    });
    Some((received.bytes, fd))
}
