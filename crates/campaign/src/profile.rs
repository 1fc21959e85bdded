//! What a single run covered, and how long its path was.

use crate::sites::Sites;
use fixedbitset::FixedBitSet;
use offshoot_expr::TraceView;
use offshoot_search::{GoalId, Site};
use offshoot_suite::Source;
use offshoot_trace::EventKind;

/// The goals that a run took, from its counters.
pub fn each_goal(view: &TraceView<'_>, sites: &Sites, mut take: impl FnMut(GoalId)) {
    each_outcome(view, sites, |site, outcome| sites.goal(site, outcome).into_iter().for_each(&mut take));
}

/// The same for all outcomes, of decisions and libc models too.
pub fn each_outcome(view: &TraceView<'_>, sites: &Sites, mut take: impl FnMut(Site, u32)) {
    for module in view.modules() {
        let Some(counters) = view.module_coverage(&module) else { continue };
        // Most sites are not reached: eight bytes at a time.
        for (chunk, bytes) in counters.chunks(8).enumerate() {
            if bytes.iter().all(|&byte| byte == 0) {
                continue;
            }
            for (at, _) in bytes.iter().enumerate().filter(|(_, count)| **count != 0) {
                if let Some((site, outcome)) = decision(sites, module.uid, (chunk * 8 + at) as u32) {
                    take(site, outcome);
                }
            }
        }
    }
}

/// The site and outcome of a counter. A switch or a decision owns the counters of the empty sites behind it.
fn decision(sites: &Sites, uid: u64, counter: u32) -> Option<(Site, u32)> {
    let graph = sites.graph();
    let own = (0..=counter / 2).rev().find_map(|local| Some((local, graph.site(uid, local)?)))?;
    Some((Site(own.1.0), counter - 2 * own.0))
}

/// The same as a set with room for all goals.
pub fn goals(view: &TraceView<'_>, sites: &Sites) -> FixedBitSet {
    let mut goals = FixedBitSet::with_capacity(sites.goal_end());
    each_goal(view, sites, |goal| goals.insert(goal.0 as usize));
    goals
}

/// The files that a run opened to read, as far as it was to look out for files.
pub fn files_read(view: &TraceView<'_>) -> Vec<Source> {
    let names = (1..view.source_end()).filter_map(|id| view.source_name(id));
    names.filter_map(Source::parse).filter(|source| matches!(source, Source::File(_))).collect()
}

/// Decisions on a path, each as often as it was taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PathLength {
    /// On the input.
    pub symbolic: u64,
    /// All of them; needs a trace with `CONCRETE_BRANCHES`.
    pub all: u64,
}

/// Decisions behind the end of the trace count as concrete ones, which they are: a run goes on without terms from there.
/// Without `CONCRETE_BRANCHES` nobody counts them.
pub fn path_length(view: &TraceView<'_>) -> PathLength {
    let mut length = PathLength { symbolic: 0, all: view.dropped_events() };
    for event in view.events() {
        if matches!(event.kind, EventKind::Branch | EventKind::Switch | EventKind::Assert) {
            length.all = length.all.saturating_add(1);
            length.symbolic += u64::from(event.term != 0);
        }
    }
    length
}
