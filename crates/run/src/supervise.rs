//! The tool's side of one invocation: starts the child, waits for its end, and says what came of it.

use std::time::Instant;

use crate::child::{Confinement, Launch};
use crate::invocation::{Invocation, Ready};
use crate::outcome::Outcome;
use crate::place::forget_placed;
use crate::process::{Process, Watch};
use crate::{Result, landlock};

pub fn supervise(invocation: &Invocation<'_>, ready: Ready) -> Result<Outcome> {
    let start = Instant::now();
    let Ready { program, launch, streams, mut scratch, .. } = ready;
    let mut run = Process::start(&invocation.limits, &launch, streams)?;
    // The child has its copies; ours of the pipes' far ends would keep them open.
    let Launch { confinement, stdio, files, world, .. } = launch;
    drop(stdio);
    run.watch(&Watch { start, cancel: invocation.cancel, trace: invocation.trace, board: None })?;
    let waited = run.finish()?;

    let plan = match &confinement {
        Confinement::Namespaces(plan) => Some(plan),
        Confinement::Landlock(_) | Confinement::None => None,
    };
    run.check_started(&program, plan, &files, &world)?;
    let status = run.status(waited.cpu);
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
        world.forget_built(&mut changes);
        forget_placed(&mut changes, &files);
    }
    let [stdout, stderr] = run.streams.take();
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
