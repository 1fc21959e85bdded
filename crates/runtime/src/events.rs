//! Appending events and bytes to the trace.

use crate::state::State;
use core::sync::atomic::Ordering;
use offshoot_trace::NodeId;
use offshoot_trace::event::{EventKind, LossReason, first_word};
use offshoot_trace::layout::{RegionId, status};
use offshoot_trace::node::Handle;

/// Words of events whose memory is asked for at a time.
const POPULATE_EVENTS: usize = 1 << 14;

impl State {
    #[inline]
    pub fn event(&mut self, kind: EventKind, bit: bool, site: u32, term: NodeId, payload: &[u64]) {
        let needed = 1 + payload.len();
        if self.event_count + needed > self.event_capacity {
            // Not through `stop`, which would write one more event.
            self.header().status.fetch_or(status::EVENT_BUDGET, Ordering::Relaxed);
            self.header().dropped_events.fetch_add(1, Ordering::Relaxed);
            self.go_on_concretely();
            return;
        }
        unsafe {
            let at = self.events.add(self.event_count);
            *at = first_word(kind, bit, site, term);
            for (i, word) in payload.iter().enumerate() {
                *at.add(1 + i) = *word;
            }
        }
        let batch = self.event_count / POPULATE_EVENTS;
        self.event_count += needed;
        if self.event_count / POPULATE_EVENTS != batch {
            let next = unsafe { self.events.add(self.event_count) };
            crate::start::populate(
                next.cast(),
                (POPULATE_EVENTS * 8).min((self.event_capacity - self.event_count) * 8),
            );
        }
        self.header().regions[RegionId::Events as usize].used.store(self.event_count as u64, Ordering::Release);
    }

    /// Room for `size` bytes in the blob; 0 if there is none.
    pub fn blob_allocate(&mut self, size: u64, align: u64) -> u64 {
        let region = &self.header().regions[RegionId::Blob as usize];
        let at = region.used.load(Ordering::Relaxed).next_multiple_of(align);
        if at + size > region.capacity {
            self.header().status.fetch_or(status::BLOB_BUDGET, Ordering::Relaxed);
            return 0;
        }
        region.used.store(at + size, Ordering::Relaxed);
        at
    }

    pub fn blob_bytes(&mut self, bytes: &[u8]) -> u64 {
        let at = self.blob_allocate(bytes.len() as u64 + 1, 1);
        if at != 0 {
            unsafe {
                core::ptr::copy_nonoverlapping(bytes.as_ptr(), self.blob.add(at as usize), bytes.len());
                *self.blob.add(at as usize + bytes.len()) = 0;
            }
        }
        at
    }

    pub fn lose(&mut self, site: u32, term: NodeId, reason: LossReason, name: u64) {
        self.event(EventKind::Loss, false, site, term, &[reason as u64 | name << 32]);
    }

    pub fn lose_named(&mut self, site: u32, reason: LossReason, name: &[u8]) {
        let name = self.blob_bytes(name);
        self.lose(site, 0, reason, name);
    }

    /// The path condition keeps `term == value` from here on.
    pub fn concretise(&mut self, site: u32, term: Handle, value: u64, is_written_address: bool) {
        let node = self.node(term >> 3);
        if !node.has_input() {
            return;
        }
        self.check(site, term, u128::from(value), node.width.min(64), "concretisation");
        self.event(EventKind::Concretise, is_written_address, site, term >> 3, &[value]);
    }

    #[cold]
    pub fn check_time(&mut self) {
        if self.cpu_limit_ns == 0 {
            return;
        }
        let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut now) };
        if now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64 > self.cpu_limit_ns {
            self.stop(status::TIME_BUDGET, "time");
        }
    }
}
