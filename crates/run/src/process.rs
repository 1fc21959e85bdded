//! The processes of a run, from the clone to the last one's end: output, limits, and what the sandbox's first process
//! reports.

use std::io::{self, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use offshoot_trace::serve::Board;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SocketFlags, SocketType, recvmsg, socketpair,
};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use crate::child::{self, Confinement, Launch, MESSAGE, STEP_PLACE, STEP_WORLD};
use crate::invocation::Limits;
use crate::mounts::{Plan, Skipped};
use crate::outcome::{Limit, Status};
use crate::place::Placed;
use crate::sandbox::write_identity_maps;
use crate::streams::Streams;
use crate::sys::{self, BlockedSignals, Forked};
use crate::tree::{self, Usage};
use crate::world::World;
use crate::{Error, Result, TraceFile};

/// How often limits and the cancellation flag are looked at.
const TICK: Duration = Duration::from_millis(20);
/// A served run that forks faster than we kill takes its server with it after this time.
const PATIENCE: Duration = Duration::from_secs(2);

/// The sandbox's first process and, below it, the target.
pub struct Process {
    limits: Limits,
    pub pid: i32,
    pidfd: OwnedFd,
    control: OwnedFd,
    pub streams: Streams,
    in_namespaces: bool,
    /// Pid from outside of the target, if that is a fork server: it outlives the runs that we watch.
    pub server: Option<i32>,
    /// Why we ended it, and when.
    killed: Option<(Status, Instant)>,
    /// The target's status, from its parent.
    pub ended: Option<i32>,
    /// What else is known of the end of a served run (`reaper.rs`).
    pub words: Skipped,
    /// Kind, errno and step.
    failed: Option<(i32, i32, usize)>,
    pub skipped: Skipped,
    pub scratch: Option<OwnedFd>,
    /// What the looks at the tree have shown: what is killed with its namespace is in nobody's accounts.
    pub seen: Usage,
    control_open: bool,
    over_memory: bool,
    reaped: bool,
}

/// What one run is watched with.
pub struct Watch<'a> {
    pub start: Instant,
    pub cancel: Option<&'a AtomicBool>,
    pub trace: Option<&'a TraceFile>,
    /// Of a fork server.
    pub board: Option<&'a Board>,
}

impl Process {
    pub fn start(limits: &Limits, launch: &Launch, streams: Streams) -> Result<Process> {
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
        let in_namespaces = matches!(launch.confinement, Confinement::Namespaces(_));
        let process = Process {
            limits: limits.clone(),
            pid,
            pidfd,
            control,
            streams,
            in_namespaces,
            server: None,
            killed: None,
            ended: None,
            words: [0; _],
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
        rustix::io::write(&process.control, &[1]).map_err(Error::system("start the process"))?;
        Ok(process)
    }

    /// Forgets the last run of a fork server.
    pub fn next_run(&mut self, streams: Streams) {
        (self.streams, self.words) = (streams, [0; _]);
        (self.killed, self.ended, self.over_memory) = (None, None, false);
        self.seen = Usage::default();
    }

    /// Until the helper is dead, and with it (see `child.rs`) everything that it started; or, with a fork server, until
    /// all processes of the run are gone. True if the helper is dead.
    pub fn watch(&mut self, watch: &Watch<'_>) -> Result<bool> {
        let deadline = watch.start + self.limits.wall;
        let mut next_tick = watch.start + TICK;
        loop {
            let now = Instant::now();
            if now >= deadline {
                self.kill(Status::TimedOut);
            }
            if watch.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                self.kill(Status::Interrupted);
            }
            if now >= next_tick {
                self.check_usage(watch);
                next_tick = now + TICK;
            }
            self.kill_rest(now);
            let until = next_tick.min(deadline.max(now + Duration::from_millis(1)));
            let dead = self.poll(until.saturating_duration_since(now), None)?;
            if dead || (self.server.is_some() && self.ended.is_some()) {
                return Ok(dead);
            }
        }
    }

    /// Handles what is ready; true when the helper is dead. `also`: one more descriptor whose readiness ends the wait.
    pub fn poll(&mut self, timeout: Duration, also: Option<BorrowedFd<'_>>) -> Result<bool> {
        let timeout = Timespec { tv_sec: timeout.as_secs() as i64, tv_nsec: i64::from(timeout.subsec_nanos()) };
        // A socket whose far end is gone would be ready for ever, while the kernel still takes the namespaces down.
        let mut fds = vec![PollFd::new(&self.pidfd, PollFlags::IN)];
        if self.control_open {
            fds.push(PollFd::new(&self.control, PollFlags::IN));
        }
        fds.extend(self.streams.pipes().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        fds.extend(self.streams.input().map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
        fds.extend(also.iter().map(|fd| PollFd::new(fd, PollFlags::IN)));
        match poll(&mut fds, Some(&timeout)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(Error::system("wait for the process")(error)),
        }
        let dead = !fds[0].revents().is_empty();
        while self.receive() {}
        self.streams.feed();
        self.drain();
        Ok(dead)
    }

    pub fn finish(&mut self) -> Result<sys::Waited> {
        let waited = sys::wait(Some(self.pid)).map_err(Error::system("wait for the process"))?;
        self.reaped = true;
        while self.receive() {}
        self.drain();
        Ok(waited)
    }

    /// An error if the target never came to run.
    pub fn check_started(&self, program: &Path, plan: Option<&Plan>, files: &[Placed], world: &World) -> Result<()> {
        let Some((kind, errno, step)) = self.failed else { return Ok(()) };
        let source = io::Error::from_raw_os_error(errno);
        if kind == child::EXEC_FAILED {
            return Err(Error::Exec { program: program.into(), source });
        }
        let around = step.checked_sub(STEP_WORLD).and_then(|number| world.describe(number));
        let place = step.checked_sub(STEP_PLACE).and_then(|number| files.get(number));
        let place = around.or_else(|| place.map(|file| format!("write {}", file.path.display())));
        let step = match (place, plan) {
            (Some(place), _) => place,
            (None, Some(plan)) => plan.describe(step),
            (None, None) => "set limits and enter the working directory".to_owned(),
        };
        Err(Error::Sandbox { step, source })
    }

    /// It has ended, or we have ended it.
    pub fn is_over(&self) -> bool {
        self.killed.is_some() || self.ended.is_some()
    }

    pub fn status(&self, cpu: Duration) -> Status {
        let cpu_spent = cpu >= self.limits.cpu;
        match (self.killed, self.ended) {
            (Some((killed, _)), _) => killed,
            // The hard limit behind SIGXCPU, for programs that handle that.
            (None, Some(status)) => match Status::from_wait(status) {
                Status::Signaled { signal: libc::SIGKILL, .. } if cpu_spent => Status::KilledBy(Limit::Cpu),
                status => status,
            },
            // Our helper itself died, by the kernel's memory killer or an administrator.
            (None, None) => Status::Signaled { signal: libc::SIGKILL, core: false },
        }
    }

    /// The first reason counts.
    fn kill(&mut self, why: Status) {
        if self.killed.is_some() || self.ended.is_some() {
            return;
        }
        self.killed = Some((why, Instant::now()));
        if self.in_namespaces && self.server.is_none() {
            let _ = pidfd_send_signal(&self.pidfd, Signal::KILL);
        } else {
            tree::kill_below(self.pid, self.server);
        }
    }

    /// Where no namespace dies with the run, we help the helper to find what is left.
    fn kill_rest(&mut self, now: Instant) {
        if self.is_over() && (!self.in_namespaces || self.server.is_some()) {
            tree::kill_below(self.pid, self.server);
        }
        if self.killed.is_some_and(|(_, when)| now.saturating_duration_since(when) > PATIENCE) && self.in_namespaces {
            let _ = pidfd_send_signal(&self.pidfd, Signal::KILL);
        }
    }

    fn check_usage(&mut self, watch: &Watch<'_>) {
        let mut usage = tree::usage(self.pid, self.server, self.limits.processes);
        let ended = watch.board.map_or(0, |board| board.ended_cpu_ns.load(Ordering::Relaxed));
        usage.cpu += Duration::from_nanos(ended);
        // A tree that is dying has less and less to show.
        let (largest, cpu) = (self.seen.largest.max(usage.largest), self.seen.cpu.max(usage.cpu));
        self.seen = Usage { largest, cpu, ..usage };
        if usage.processes > self.limits.processes {
            self.kill(Status::KilledBy(Limit::Processes));
        }
        if usage.cpu >= self.limits.cpu {
            self.kill(Status::KilledBy(Limit::Cpu));
        }
        // Twice in a row: between fork and exec a process seems to be as large as its parent.
        // The trace may still hold pages of an earlier run.
        let trace = watch.trace.map_or(0, TraceFile::occupied).min(usage.shared);
        let over = usage.memory.saturating_sub(trace) > self.limits.memory;
        if over && self.over_memory {
            self.kill(Status::KilledBy(Limit::Memory));
        }
        self.over_memory = over;
    }

    fn drain(&mut self) {
        self.streams.drain(self.limits.capture);
        if self.streams.total() > self.limits.output {
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
        let mut words: Skipped = [0; _];
        for (word, bytes) in words.iter_mut().zip(message[12..].chunks_exact(8)) {
            *word = bytes.try_into().map_or(0, u64::from_ne_bytes);
        }
        match word(0) {
            child::READY => (self.skipped, self.scratch) = (words, fd),
            child::ENDED => (self.words, self.ended) = (words, Some(word(4))),
            // The helper is about to die, which says it all.
            child::SERVER_ENDED => {}
            kind => self.failed = self.failed.or(Some((kind, word(4), word(8) as usize))),
        }
        true
    }
}

impl Drop for Process {
    /// On an error in the middle, and at the end of a fork server: leave no process behind.
    fn drop(&mut self) {
        if !self.reaped {
            if !self.in_namespaces {
                tree::kill_below(self.pid, None);
            }
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
