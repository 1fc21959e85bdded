//! How many of what there is were reached.

use std::ops::AddAssign;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub covered: usize,
    pub total: usize,
}

impl Tally {
    pub fn of(all: impl IntoIterator<Item = bool>) -> Self {
        let mut tally = Self::default();
        all.into_iter().for_each(|covered| tally.count(covered));
        tally
    }

    pub fn count(&mut self, covered: bool) {
        self.covered += usize::from(covered);
        self.total += 1;
    }

    /// In percent; 0 if there is nothing to cover, as in `llvm-cov`.
    pub fn percent(&self) -> f64 {
        if self.total == 0 { 0.0 } else { self.covered as f64 / self.total as f64 * 100.0 }
    }

    fn or(&mut self, other: &Self) {
        self.covered = self.covered.max(other.covered);
        self.total = self.total.max(other.total);
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.covered += other.covered;
        self.total += other.total;
    }
}

/// The figures of a function, a file or a program. A function has 1 function and 1 instantiation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    pub lines: Tally,
    pub functions: Tally,
    /// Functions, but one that several translation units compile for themselves once for each.
    pub instantiations: Tally,
    pub regions: Tally,
    /// Each outcome of a condition is one.
    pub branches: Tally,
    /// Conditions that are shown to matter, of all in decisions.
    pub mcdc: Tally,
}

impl Summary {
    /// Of a function that exists several times, from the figures of each: the best of each kind, as in `llvm-cov`, even
    /// if that is not one and the same. `functions` and `instantiations` are for the caller to count.
    pub(crate) fn best_of<'a>(all: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut best = Self::default();
        for one in all {
            best.lines.or(&one.lines);
            best.regions.or(&one.regions);
            best.branches.or(&one.branches);
            best.mcdc.or(&one.mcdc);
        }
        best
    }
}

impl AddAssign for Summary {
    fn add_assign(&mut self, other: Self) {
        self.lines += other.lines;
        self.functions += other.functions;
        self.instantiations += other.instantiations;
        self.regions += other.regions;
        self.branches += other.branches;
        self.mcdc += other.mcdc;
    }
}
