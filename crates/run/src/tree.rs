//! The processes of a run, seen from outside through /proc.

use std::fs;
use std::time::Duration;

use rustix::process::{Pid, Signal};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub processes: u64,
    /// Bytes: private pages of all, and the shared pages of whoever has most of them (they are mostly the same ones).
    pub memory: u64,
    /// Bytes: the part of `memory` that is shared.
    pub shared: u64,
    pub cpu: Duration,
    /// Bytes resident in the largest process.
    pub largest: u64,
}

/// All below `root`, without `root` itself, which is our own helper and shares our pages. Looks at `enough` processes
/// and one more: a fork bomb must not get the time that it takes to look at all of it.
///
/// With a `server` below it, which works for all runs, `root`'s accounts are not those of one run.
pub fn usage(root: i32, server: Option<i32>, enough: u64) -> Usage {
    let own = if server.is_none() { cpu_time(root) } else { Duration::ZERO };
    let mut usage = Usage { cpu: own, ..Usage::default() };
    let mut shared = 0;
    for pid in descendants(root, enough.saturating_add(2)).into_iter().filter(|pid| Some(*pid) != server) {
        usage.processes += 1;
        usage.cpu += cpu_time(pid);
        if let Some((resident, own_shared)) = pages(pid) {
            usage.memory += resident.saturating_sub(own_shared);
            shared = shared.max(own_shared);
            usage.largest = usage.largest.max(resident);
        }
    }
    let page = rustix::param::page_size() as u64;
    usage.memory = (usage.memory + shared) * page;
    usage.shared = shared * page;
    usage.largest *= page;
    usage
}

/// Whoever escapes by forking at the same moment is met in the next round.
pub fn kill_below(root: i32, server: Option<i32>) {
    for pid in descendants(root, u64::MAX).into_iter().filter(|pid| Some(*pid) != server) {
        if let Some(pid) = Pid::from_raw(pid) {
            let _ = rustix::process::kill_process(pid, Signal::KILL);
        }
    }
}

fn descendants(root: i32, enough: u64) -> Vec<i32> {
    let mut found = children(root);
    let mut next = 0;
    while let Some(&pid) = found.get(next)
        && (found.len() as u64) < enough
    {
        found.extend(children(pid));
        next += 1;
    }
    found.truncate(usize::try_from(enough).unwrap_or(usize::MAX));
    found
}

pub fn children(pid: i32) -> Vec<i32> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<i32>>()).collect()
}

fn pages(pid: i32) -> Option<(u64, u64)> {
    let text = fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
    let mut fields = text.split_whitespace().skip(1).map_while(|field| field.parse().ok());
    Some((fields.next()?, fields.next()?))
}

/// Its own and that of children it has waited for.
fn cpu_time(pid: i32) -> Duration {
    let ticks = || -> Option<u64> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name in parentheses may contain anything, also parentheses.
        let fields = &text[text.rfind(')')? + 1..];
        Some(fields.split_whitespace().skip(11).take(4).filter_map(|field| field.parse::<u64>().ok()).sum())
    };
    Duration::from_millis(ticks().unwrap_or(0) * 1000 / rustix::param::clock_ticks_per_second().max(1))
}
