//! Pid 1 of a sandbox that holds a fork server: takes in every process that ends there, and after each run leaves
//! nothing alive but the server. Like `child.rs` it neither allocates nor locks.

use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::atomic::Ordering;
use std::time::Duration;

use offshoot_trace::serve::Board;
use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Signal};

use crate::child::{ENDED, SERVER_ENDED, send};
use crate::sys;

/// Words behind an `ENDED` of a run.
pub const CPU_NS: usize = 0;
pub const MAX_RSS: usize = 1;
/// Not 0: something that outlives processes is left behind.
pub const LEFTOVERS: usize = 2;

struct Reaper<'a> {
    server: i32,
    board: &'a Board,
    control: BorrowedFd<'a>,
    /// The list of our children.
    children: OwnedFd,
    cpu: Duration,
    max_rss: u64,
}

/// Until the server ends; the kernel then kills whatever is left.
pub fn reap_runs(server: i32, board: &Board, control: BorrowedFd<'_>) -> ! {
    let list = rustix::fs::open(c"/proc/thread-self/children", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty());
    let Ok(children) = list else { leave(control, 0) };
    let mut reaper = Reaper { server, board, control, children, cpu: Duration::ZERO, max_rss: 0 };
    loop {
        let waited = reaper.wait();
        if waited.pid as u32 == board.run.load(Ordering::Relaxed) {
            reaper.kill_rest();
            reaper.report(waited.status);
        }
    }
}

impl Reaper<'_> {
    fn wait(&mut self) -> sys::Waited {
        let waited = match sys::wait(None) {
            Ok(waited) if waited.pid != self.server => waited,
            Ok(waited) => leave(self.control, waited.status),
            Err(_) => leave(self.control, 0),
        };
        self.cpu += waited.cpu;
        self.max_rss = self.max_rss.max(waited.max_rss);
        self.board.ended_cpu_ns.store(self.cpu.as_nanos() as u64, Ordering::Relaxed);
        waited
    }

    /// Whoever loses its parent becomes our child, so the server alone means that the tree is empty.
    fn kill_rest(&mut self) {
        let mut text = [0u8; 4096];
        loop {
            let Ok(read) = rustix::io::pread(&self.children, &mut text, 0) else { leave(self.control, 0) };
            let mut others = 0;
            for pid in pids(&text[..read]).filter(|pid| *pid != self.server) {
                if let Some(pid) = Pid::from_raw(pid) {
                    others += 1;
                    let _ = rustix::process::kill_process(pid, Signal::KILL);
                }
            }
            if others == 0 {
                return;
            }
            self.wait();
        }
    }

    fn report(&mut self, status: i32) {
        let mut words = [0; _];
        words[CPU_NS] = self.cpu.as_nanos() as u64;
        words[MAX_RSS] = self.max_rss;
        words[LEFTOVERS] = u64::from(sys::has_ipc_objects());
        (self.cpu, self.max_rss) = (Duration::ZERO, 0);
        self.board.ended_cpu_ns.store(0, Ordering::Relaxed);
        send(self.control, ENDED, status, 0, &words, None);
    }
}

fn leave(control: BorrowedFd<'_>, status: i32) -> ! {
    send(control, SERVER_ENDED, status, 0, &[0; _], None);
    sys::exit_now(0)
}

/// Numbers, each with a blank behind it; one that is cut off at the end comes again in the next round.
fn pids(text: &[u8]) -> impl Iterator<Item = i32> {
    text.split_inclusive(|byte| *byte == b' ')
        .filter_map(|number| number.strip_suffix(b" "))
        .map(|digits| digits.iter().fold(0i32, |n, d| n.wrapping_mul(10).wrapping_add(i32::from(d.wrapping_sub(b'0')))))
}
