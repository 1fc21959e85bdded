//! Which predictions can be trusted.
//!
//! A decision that looks at the input a second time, behind code that is not instrumented and looked at it first, cannot be
//! turned: the solver finds an input, and the code in between sends the run elsewhere. One such place makes a divergence of
//! every candidate there. So after a few of them, and no success, most candidates of the same outcome are passed over.

use offshoot_search::Site;
use std::collections::HashMap;

/// Divergences without a success until candidates are passed over.
const PATIENCE: u32 = 4;
/// One in so many is tried all the same: other runs may come there another way.
const SAMPLE: u32 = 32;

#[derive(Default)]
pub struct Trust {
    records: HashMap<(Site, u32), Record>,
}

#[derive(Default)]
struct Record {
    diverged: u32,
    followed: bool,
    passed_over: u32,
}

impl Trust {
    pub fn followed(&mut self, site: Site, outcome: u32) {
        if let Some(record) = self.records.get_mut(&(site, outcome)) {
            record.followed = true;
        }
    }

    pub fn diverged(&mut self, site: Site, outcome: u32) {
        self.records.entry((site, outcome)).or_default().diverged += 1;
    }

    /// Shall a candidate be passed over?
    pub fn pass_over(&mut self, site: Site, outcome: u32) -> bool {
        let Some(record) = self.records.get_mut(&(site, outcome)) else { return false };
        if record.followed || record.diverged < PATIENCE {
            return false;
        }
        record.passed_over += 1;
        !record.passed_over.is_multiple_of(SAMPLE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_ends_and_success_restores_it() {
        let (mut trust, site) = (Trust::default(), Site(3));
        for _ in 0..PATIENCE {
            assert!(!trust.pass_over(site, 1));
            trust.diverged(site, 1);
        }
        let tried = (0..2 * SAMPLE).filter(|_| !trust.pass_over(site, 1)).count();
        assert_eq!(tried, 2);
        assert!(!trust.pass_over(site, 0));
        trust.followed(site, 1);
        assert!(!trust.pass_over(site, 1));
    }
}
