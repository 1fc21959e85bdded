//! Which conditions belong to which decision. The mapping does not say; it follows from where they are.

use rustc_hash::FxHashSet;

use crate::{Region, RegionKind};

/// A decision and its conditions, as indices of regions.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Grouped {
    pub decision: usize,
    /// The one that is evaluated first, then in the order of the mapping.
    pub conditions: Vec<usize>,
}

/// A decision that still waits for conditions.
struct Open<'a> {
    index: usize,
    region: &'a Region,
    count: u16,
    conditions: Vec<usize>,
    ids: FxHashSet<u16>,
    /// Files of the macros that are used in the decision: all that is in them is in the decision.
    files: FxHashSet<u32>,
}

impl Open<'_> {
    fn contains(&self, region: &Region) -> bool {
        region.file == self.region.file && self.region.span.contains(&region.span) || self.files.contains(&region.file)
    }

    fn wants(&self, id: u16, region: &Region) -> bool {
        id < self.count && !self.ids.contains(&id) && self.contains(region)
    }
}

#[derive(Default)]
pub(crate) struct Decisions<'a> {
    open: Vec<Open<'a>>,
    /// Conditions that no decision wants.
    pub strays: usize,
}

impl<'a> Decisions<'a> {
    /// Takes the next region of a function; a decision that has all its conditions now is given back.
    pub fn take(&mut self, index: usize, region: &'a Region) -> Option<Grouped> {
        match region.kind {
            RegionKind::Decision { conditions, .. } => self.open.push(Open {
                index,
                region,
                count: conditions,
                conditions: Vec::new(),
                ids: FxHashSet::default(),
                files: FxHashSet::default(),
            }),
            RegionKind::Expansion { file } => {
                if let Some(open) = self.open.iter_mut().find(|open| open.contains(region)) {
                    open.files.insert(file);
                }
            }
            RegionKind::Condition { id, .. } => {
                let Some(place) = self.open.iter().position(|open| open.wants(id, region)) else {
                    self.strays += 1;
                    return None;
                };
                let open = &mut self.open[place];
                open.ids.insert(id);
                let at = if id == 0 { 0 } else { open.conditions.len() };
                open.conditions.insert(at, index);
                if open.conditions.len() == usize::from(open.count) {
                    let Open { index, conditions, .. } = self.open.remove(place);
                    return Some(Grouped { decision: index, conditions });
                }
            }
            _ => {}
        }
        None
    }

    /// Decisions that never got all their conditions. `llvm-cov` leaves them out.
    pub fn unfinished(&self) -> usize {
        self.open.len()
    }
}
