//! How a run ends.

mod common;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use common::{run, sh, sh_under, somebody_runs, succeed};
use offshoot_run::{Error, Invocation, Limit, Limits, Policy, Status, TraceFile, invoke};

const POLICIES: [Policy; 3] = [Policy::Sandboxed, Policy::LandlockOnly, Policy::None];

fn limited(script: &str, limit: impl Fn(&mut Limits)) -> Invocation<'static> {
    let mut invocation = sh(script);
    limit(&mut invocation.limits);
    invocation
}

#[test]
fn exit_codes_and_signals_are_reported() {
    for policy in POLICIES {
        assert_eq!(run(&sh_under(policy, "exit 0")).status, Status::Exited(0));
        assert_eq!(run(&sh_under(policy, "exit 77")).status, Status::Exited(77));
        for (name, signal) in [("SEGV", 11), ("ABRT", 6), ("KILL", 9), ("PIPE", 13)] {
            let status = run(&sh_under(policy, &format!("kill -{name} $$"))).status;
            assert_eq!(status, Status::Signaled { signal, core: false }, "{policy:?} {name}");
        }
    }
}

#[test]
fn a_hang_ends_with_the_time_budget() {
    for policy in POLICIES {
        let marker = format!("87654.{}{}", std::process::id(), policy as u8);
        let mut invocation = sh_under(policy, &format!("trap '' TERM INT HUP; sleep {marker}; sleep {marker}"));
        invocation.limits.wall = Duration::from_millis(300);
        assert_eq!(run(&invocation).status, Status::TimedOut);
        assert!(!somebody_runs(&marker), "{policy:?}");
    }
}

#[test]
fn a_stopped_process_ends_with_the_time_budget() {
    let outcome = run(&limited("kill -STOP $$", |limits| limits.wall = Duration::from_millis(300)));
    assert_eq!(outcome.status, Status::TimedOut);
}

#[test]
fn infinite_output_is_cut() {
    for policy in POLICIES {
        let mut invocation = Invocation::with_policy("/usr/bin/yes", policy);
        invocation.limits.output = 4 << 20;
        invocation.limits.capture = 1000;
        let outcome = run(&invocation);
        assert_eq!(outcome.status, Status::KilledBy(Limit::Output));
        assert_eq!(outcome.stdout.bytes.len(), 1000);
        assert!(outcome.stdout.total > 4 << 20 && outcome.stdout.is_cut());
    }
}

#[test]
fn output_within_the_budget_is_counted_beyond_the_capture() {
    let outcome = succeed(&limited("head -c 100000 /dev/zero; echo e >&2", |limits| limits.capture = 10));
    assert_eq!((outcome.stdout.bytes.len(), outcome.stdout.total), (10, 100_000));
    assert_eq!((outcome.stderr.bytes.as_slice(), outcome.stderr.total), (&b"e\n"[..], 2));
}

#[test]
fn a_busy_loop_ends_with_the_cpu_budget() {
    let outcome = run(&limited("while :; do :; done", |limits| limits.cpu = Duration::from_millis(200)));
    assert_eq!(outcome.status, Status::KilledBy(Limit::Cpu));
    assert!(outcome.cpu >= Duration::from_millis(200));
}

#[test]
fn cpu_of_all_processes_counts_together() {
    let script = "for i in 1 2 3 4; do (while :; do :; done) & done; wait";
    let outcome = run(&limited(script, |limits| limits.cpu = Duration::from_millis(400)));
    assert_eq!(outcome.status, Status::KilledBy(Limit::Cpu));
}

#[test]
fn memory_is_limited() {
    let mut invocation = Invocation::new("/usr/bin/perl").args(["-e", "my $x = 'x' x 300_000_000; sleep 1000"]);
    invocation.limits.memory = 100 << 20;
    assert_eq!(run(&invocation).status, Status::KilledBy(Limit::Memory));
}

#[test]
fn reserved_address_space_is_not_memory() {
    let mut invocation = sh("ulimit -v");
    invocation.limits.memory = 100 << 20;
    assert_eq!(succeed(&invocation).stdout.bytes, b"unlimited\n");
}

#[test]
fn files_are_limited() {
    let mut invocation = Invocation::new("/bin/dd").args(["if=/dev/zero", "of=/tmp/offshoot-large", "bs=64k"]);
    invocation.limits.file_size = 1 << 20;
    assert_eq!(run(&invocation).status, Status::KilledBy(Limit::FileSize));
}

#[test]
fn a_fork_bomb_is_killed() {
    // The guard: only where the pid namespace holds it.
    // One that does not end by itself when there are no more processes to be had.
    let mut invocation = sh("test $$ -le 9 || exit 1; f() { f & f & exec sleep 100000; }; f");
    invocation.limits.processes = 40;
    invocation.limits.wall = Duration::from_secs(60);
    let pid_max = || std::fs::read_to_string("/proc/sys/kernel/pid_max").expect("/proc");
    let before = pid_max();
    assert_eq!(run(&invocation).status, Status::KilledBy(Limit::Processes));
    assert_eq!(pid_max(), before, "the limit is the sandbox's own");
}

#[test]
fn cancellation_interrupts() {
    for policy in POLICIES {
        let cancel = AtomicBool::new(true);
        let invocation = Invocation { cancel: Some(&cancel), ..sh_under(policy, "sleep 100000") };
        assert_eq!(run(&invocation).status, Status::Interrupted);
    }
}

/// The program says through the trace that it is in the middle of its work; then we cancel.
#[test]
fn cancellation_reaches_a_running_program() {
    let trace = TraceFile::create(&Default::default(), 0, "none").expect("a trace");
    let map = trace.map().expect("a map");
    let cancel = AtomicBool::new(false);
    let script = "printf X | dd of=$OFFSHOOT_TRACE bs=1 seek=4000 conv=notrunc 2> /dev/null; sleep 100000";
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while map.get(4000).copied() != Some(b'X') {
                std::thread::yield_now();
            }
            cancel.store(true, Ordering::Relaxed);
        });
        let invocation = Invocation { cancel: Some(&cancel), trace: Some(&trace), ..sh(script) };
        assert_eq!(run(&invocation).status, Status::Interrupted);
    });
}

#[test]
fn what_does_not_start_is_an_error() {
    for policy in POLICIES {
        assert!(matches!(invoke(&Invocation::with_policy("/no/such", policy)), Err(Error::Exec { .. })));
        assert!(matches!(invoke(&Invocation::with_policy("offshoot-no-such", policy)), Err(Error::NotFound(_))));
        let lost = Invocation { cwd: Some("/no/such".into()), ..Invocation::with_policy("/bin/true", policy) };
        assert!(matches!(invoke(&lost), Err(Error::Sandbox { .. })));
        let nul = Invocation::with_policy("/bin/true", policy).args(["a\0b"]);
        assert!(matches!(invoke(&nul), Err(Error::Nul(_))));
    }
}

#[test]
fn many_at_once() {
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..8)
            .map(|number| {
                scope.spawn(move || {
                    succeed(&sh(&format!("echo {number} > /tmp/offshoot-shared; cat /tmp/offshoot-shared")))
                })
            })
            .collect();
        for (number, run) in runs.into_iter().enumerate() {
            let outcome = run.join().expect("no panic");
            assert_eq!(outcome.stdout.text().trim(), number.to_string());
        }
    });
}

#[test]
fn as_an_ordinary_user() {
    common::again_as_an_ordinary_user();
}
