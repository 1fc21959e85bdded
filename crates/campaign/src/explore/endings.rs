//! How a run ended, in words.

use crate::sites::Sites;
use crate::target::Execution;
use offshoot_run::{Limit, Status};
use offshoot_search::Step;
use offshoot_suite::{Expectation, Expected};

/// What a run did, to be expected of it again.
pub fn seen(execution: &Execution) -> Expectation {
    let output = |captured: &offshoot_run::Captured| offshoot_suite::Output {
        bytes: captured.bytes.clone(),
        total: captured.total,
    };
    Expectation {
        status: status_seen(execution.status),
        stdout: Some(Expected::recorded(output(&execution.stdout))),
        stderr: Some(Expected::recorded(output(&execution.stderr))),
    }
}

pub fn status_seen(status: Status) -> Option<Expected<offshoot_suite::Status>> {
    let status = match status {
        Status::Exited(code) => offshoot_suite::Status::Exited(code),
        Status::Signaled { signal, .. } => offshoot_suite::Status::Signaled(signal),
        Status::Interrupted => return None,
        Status::TimedOut | Status::KilledBy(_) => offshoot_suite::Status::Ended(in_words(status)),
    };
    Some(Expected::recorded(status))
}

/// Somebody else ended the run: where it stopped says nothing.
pub(crate) fn was_cut(status: Status) -> bool {
    matches!(status, Status::TimedOut | Status::KilledBy(_) | Status::Interrupted)
}

/// The clock did: with more time it may come to an end.
pub(crate) fn ran_out_of_time(status: Status) -> bool {
    matches!(status, Status::TimedOut | Status::KilledBy(Limit::Cpu))
}

/// The last decision before the end, by which findings of a kind are told apart.
pub(crate) fn place(steps: &[Step], sites: &Sites) -> String {
    let last = steps.last().and_then(|step| sites.place(step.site));
    last.map_or("before the first decision".to_owned(), |place| place.to_string())
}

/// The kind of finding that an end is, if it is one.
pub(crate) fn finding(status: Status) -> Option<String> {
    match status {
        Status::Signaled { signal: libc::SIGPIPE, .. } | Status::Exited(_) | Status::Interrupted => None,
        Status::Signaled { .. } => Some(in_words(status)),
        Status::TimedOut | Status::KilledBy(Limit::Cpu) => Some(format!("hang ({})", in_words(status))),
        // It may well have come to an end.
        Status::KilledBy(_) => Some(format!("limit ({})", in_words(status))),
    }
}

pub fn in_words(status: Status) -> String {
    match status {
        Status::Exited(code) => format!("exit {code}"),
        Status::Signaled { signal, .. } => match signal {
            libc::SIGSEGV => "SIGSEGV".to_owned(),
            libc::SIGABRT => "SIGABRT".to_owned(),
            libc::SIGFPE => "SIGFPE".to_owned(),
            libc::SIGBUS => "SIGBUS".to_owned(),
            libc::SIGILL => "SIGILL".to_owned(),
            libc::SIGTRAP => "SIGTRAP".to_owned(),
            other => format!("signal {other}"),
        },
        Status::TimedOut => "ran out of time".to_owned(),
        Status::KilledBy(limit) => format!("used up its {limit}"),
        Status::Interrupted => "interrupted".to_owned(),
    }
}
