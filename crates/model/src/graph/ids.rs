//! Dense ids over a whole program, and sets of them.

use fixedbitset::FixedBitSet;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        })*
    };
}

ids! {
    /// A function definition.
    FunctionId
    /// A block of any function.
    BlockId
    /// A condition, a switch or a branch that the optimiser made.
    SiteId
    /// One outcome of one site.
    GoalId
}

/// A set of outcomes, dense.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoalSet(FixedBitSet);

impl GoalSet {
    pub fn new() -> GoalSet {
        GoalSet::default()
    }
    /// False if it was there already.
    pub fn insert(&mut self, goal: GoalId) -> bool {
        self.0.grow(goal.index() + 1);
        !self.0.put(goal.index())
    }
    pub fn remove(&mut self, goal: GoalId) {
        if goal.index() < self.0.len() {
            self.0.set(goal.index(), false);
        }
    }
    pub fn contains(&self, goal: GoalId) -> bool {
        self.0.contains(goal.index())
    }
    pub fn len(&self) -> usize {
        self.0.count_ones(..)
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_clear()
    }
    pub fn iter(&self) -> impl Iterator<Item = GoalId> + '_ {
        self.0.ones().map(|goal| GoalId(goal as u32))
    }
    pub fn union_with(&mut self, other: &GoalSet) {
        self.0.union_with(&other.0);
    }
    pub fn difference_with(&mut self, other: &GoalSet) {
        self.0.difference_with(&other.0);
    }
}

impl FromIterator<GoalId> for GoalSet {
    fn from_iter<T: IntoIterator<Item = GoalId>>(goals: T) -> GoalSet {
        let mut set = GoalSet::new();
        for goal in goals {
            set.insert(goal);
        }
        set
    }
}
