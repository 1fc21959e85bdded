//! Items that are covered by one evaluation: any of some outcomes will do.

use super::Criterion;
use offshoot_model::graph::{GoalId, GoalSet};

#[derive(Debug)]
pub struct Items {
    pub(super) name: &'static str,
    items: Vec<Item>,
    /// Those that an outcome covers, by outcome.
    covers: Vec<Vec<u32>>,
    /// Open items that an outcome leads to, by outcome.
    leads_to: Vec<u32>,
    covered: u32,
    open: GoalSet,
}

#[derive(Debug)]
struct Item {
    is_covered: bool,
    /// Outcomes by which one gets there.
    towards: Box<[GoalId]>,
}

impl Items {
    pub(super) fn new(name: &'static str) -> Items {
        let (items, covers, leads_to) = (Vec::new(), Vec::new(), Vec::new());
        Items { name, items, covers, leads_to, covered: 0, open: GoalSet::new() }
    }

    /// Each outcome an item.
    pub(super) fn each(name: &'static str, outcomes: impl Iterator<Item = GoalId>) -> Items {
        let mut items = Items::new(name);
        outcomes.for_each(|outcome| items.add(vec![outcome], vec![outcome]));
        items
    }

    /// An item that any of `by` covers.
    pub(super) fn add(&mut self, by: Vec<GoalId>, towards: Vec<GoalId>) {
        let end = by.iter().chain(&towards).map(|goal| goal.index() + 1).max().unwrap_or(0);
        if self.covers.len() < end {
            self.covers.resize(end, Vec::new());
            self.leads_to.resize(end, 0);
        }
        for goal in by {
            self.covers[goal.index()].push(self.items.len() as u32);
        }
        for goal in &towards {
            self.leads_to[goal.index()] += 1;
            self.open.insert(*goal);
        }
        self.items.push(Item { is_covered: false, towards: towards.into() });
    }
}

impl Criterion for Items {
    fn name(&self) -> &'static str {
        self.name
    }
    fn total(&self) -> u32 {
        self.items.len() as u32
    }
    fn covered(&self) -> u32 {
        self.covered
    }
    fn seen(&self) -> u32 {
        self.covered
    }
    fn evaluate(&mut self, taken: &[GoalId]) {
        for goal in taken {
            for &item in self.covers.get(goal.index()).into_iter().flatten() {
                let item = &mut self.items[item as usize];
                if std::mem::replace(&mut item.is_covered, true) {
                    continue;
                }
                self.covered += 1;
                for goal in &item.towards {
                    let left = &mut self.leads_to[goal.index()];
                    *left -= 1;
                    if *left == 0 {
                        self.open.remove(*goal);
                    }
                }
            }
        }
    }
    fn open(&self) -> &GoalSet {
        &self.open
    }
}
