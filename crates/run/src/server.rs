//! Many runs of one command out of one process: the tool's side of the fork server.
//!
//! ```text
//! tool ──streams, delivery──▶ server (the program, stopped before its first constructor) ──clone──▶ run
//!   ▲                                                                                               │ ends
//!   └───── status, CPU time ◀── pid 1 of the sandbox (`reaper.rs`): kills what the run left behind ◀┘
//! ```
//!
//! Every run sees the same world. Whatever a run leaves in it (files, System V objects) ends the server, and the next run
//! gets a new one. What cannot be served is invoked, with the same result and counted.

use std::mem::offset_of;
use std::os::unix::ffi::OsStrExt;
use std::sync::atomic::AtomicBool;

use memmap2::Mmap;
use offshoot_base::Budgets;
use offshoot_trace::layout::{Header, config};
use offshoot_trace::serve::{BOARD_SIZE, DELIVERY};

use crate::invocation::{Invocation, environment, invoke};
use crate::live::{End, Live};
use crate::outcome::{Outcome, Status};
use crate::{Delivery, Policy, Result, TraceFile};

/// Its processes end with the thread that called [`Server::run`] when they were started; runs asked for by another thread
/// after that get new ones.
pub struct Server {
    base: Invocation<'static>,
    trace: TraceFile,
    map: Mmap,
    live: Option<Live>,
    /// Starts since the last run that left its world clean.
    in_vain: u32,
    counts: Counts,
}

/// How the runs so far were made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Out of a server.
    pub served: u64,
    /// By an invocation of their own.
    pub invoked: u64,
    /// Servers that were started.
    pub starts: u64,
}

/// One run.
#[derive(Debug)]
pub struct Served<'a> {
    pub outcome: Outcome,
    /// The whole trace file; good until the next run.
    pub trace: &'a [u8],
}

/// So many servers in a row may come to nothing before we stop trying.
const TRIES: u32 = 4;

impl Server {
    /// `base.trace` and `base.cancel` are not looked at; `config` and `symbolic` as in [`TraceFile::create`]. Nothing is
    /// started before the first run.
    pub fn start(base: &Invocation<'_>, budgets: &Budgets, config: u32, symbolic: &str) -> Result<Server> {
        let trace = TraceFile::create(budgets, config, symbolic)?;
        let map = trace.map()?;
        Ok(Server { base: detached(base), trace, map, live: None, in_vain: 0, counts: Counts::default() })
    }

    /// As [`invoke`] would do it.
    pub fn run(&mut self, delivery: &Delivery, cancel: Option<&AtomicBool>) -> Result<Served<'_>> {
        let invocation = delivery.apply(&self.base)?;
        let records = delivery.records(&self.base)?;
        let served = match self.is_servable(delivery, &records) {
            true => self.serve(&invocation, &records, cancel)?,
            false => None,
        };
        let outcome = match served {
            Some(outcome) => {
                self.counts.served += 1;
                outcome
            }
            None => {
                self.counts.invoked += 1;
                self.trace.reset()?;
                invoke(&Invocation { trace: Some(&self.trace), cancel, ..invocation })?
            }
        };
        Ok(Served { outcome, trace: &self.map })
    }

    pub fn counts(&self) -> Counts {
        self.counts
    }

    fn is_servable(&self, delivery: &Delivery, records: &[u8]) -> bool {
        // What the dynamic linker and the allocator have looked at already, and what the server could not replace.
        let is_too_late = |name: &[u8]| {
            [&b"LD_"[..], b"MALLOC_", b"GLIBC_", b"OFFSHOOT_"].iter().any(|prefix| name.starts_with(prefix))
        };
        let known = || environment(&self.base);
        self.base.policy == Policy::Sandboxed
            // A run of a server is handed three streams.
            && !self.base.closes_streams()
            && records.len() as u64 <= BOARD_SIZE - DELIVERY
            && !delivery.env.iter().any(|(name, _)| is_too_late(name.as_bytes()))
            && (delivery.env.is_empty() || delivery.env.iter().all(|(name, _)| known().contains_key(name)))
    }

    /// Nothing if there is no server to be had for this run.
    fn serve(
        &mut self,
        invocation: &Invocation<'_>,
        records: &[u8],
        cancel: Option<&AtomicBool>,
    ) -> Result<Option<Outcome>> {
        let mut live = match self.live.take().filter(|live| live.has_places_for(&invocation.files)) {
            Some(live) => live,
            None if self.in_vain >= TRIES => return Ok(None),
            None => {
                self.in_vain += 1;
                self.counts.starts += 1;
                self.trace.reset_with(config::SERVE)?;
                let base = Invocation { files: invocation.files.clone(), ..self.base.clone() };
                match Live::start(&base, &self.trace)? {
                    Some(live) => live,
                    None => {
                        self.in_vain = TRIES;
                        return Ok(None);
                    }
                }
            }
        };
        self.trace.reset()?;
        let (mut outcome, may_be_tidied) = match live.run(invocation, records, cancel, &self.trace)? {
            End::Lost => return Ok(None),
            end if !self.has_trace(&end) => return Ok(None),
            End::Clean(outcome) => {
                self.in_vain = 0;
                self.live = Some(live);
                return Ok(Some(outcome));
            }
            End::Changed(outcome) => (outcome, true),
            End::Spoilt(outcome) => (outcome, false),
        };
        match may_be_tidied.then(|| live.tidy(&mut outcome)).flatten() {
            Some(true) => {
                self.in_vain = 0;
                self.live = Some(live);
                Ok(Some(outcome))
            }
            Some(false) => Ok(Some(outcome)),
            None => Ok(Some(live.hand_over(outcome))),
        }
    }

    /// Some process has claimed it, or did not live long enough.
    fn has_trace(&self, end: &End) -> bool {
        let ended_by_itself = match end {
            End::Clean(outcome) | End::Changed(outcome) | End::Spoilt(outcome) => {
                matches!(outcome.status, Status::Exited(_) | Status::Signaled { .. })
            }
            End::Lost => false,
        };
        !ended_by_itself || self.map[offset_of!(Header, pid)..].first_chunk() != Some(&[0; 4])
    }
}

/// A worker may hand its server on to another.
const _: fn() = || {
    fn is_send<T: Send>() {}
    is_send::<Server>();
};

/// Without what belongs to one run.
fn detached(base: &Invocation<'_>) -> Invocation<'static> {
    Invocation {
        program: base.program.clone(),
        args: base.args.clone(),
        arg0: base.arg0.clone(),
        env: base.env.clone(),
        clear_env: base.clear_env,
        cwd: base.cwd.clone(),
        stdin: base.stdin.clone(),
        files: base.files.clone(),
        world: base.world.clone(),
        umask: base.umask,
        nice: base.nice,
        nondet: base.nondet.clone(),
        stdout: base.stdout,
        stderr: base.stderr,
        limits: base.limits.clone(),
        policy: base.policy,
        trace: None,
        counts: None,
        cancel: None,
    }
}
