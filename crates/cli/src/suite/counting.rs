//! Variant `count` of the programs that tests run.

use super::cases::Case;
use super::warn;
use crate::failure::Failure;
use offshoot_campaign::counted::Counted;
use offshoot_campaign::preserved::Counting;
use offshoot_compile::Variant;
use offshoot_suite::Test;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub struct Variants {
    known: BTreeMap<PathBuf, Option<Counting>>,
    /// Gone with us.
    folder: TempDir,
}

impl Variants {
    pub fn none() -> Result<Variants, Failure> {
        let folder = TempDir::with_prefix("offshoot-").map_err(Failure::internal)?;
        Ok(Variants { known: BTreeMap::new(), folder })
    }

    /// Programs of which no variant can be made are named; their tests have none.
    pub fn of(cases: &[Case]) -> Result<Variants, Failure> {
        let mut variants = Variants::none()?;
        for case in cases {
            let program = &case.test.command.program;
            if !variants.known.contains_key(program) {
                let made = variants.make(program);
                let named = |error: &Failure| {
                    warn(format!("tests of {} left out: {error}; --preserve branch can do without", program.display()));
                };
                variants.known.insert(program.clone(), made.inspect_err(named).ok());
            }
        }
        Ok(variants)
    }

    pub fn make(&self, program: &Path) -> Result<Counting, Failure> {
        let variant = self.folder.path().join(self.known.len().to_string());
        offshoot_compile::variant(Variant::Count, program, &variant).map_err(Failure::usage)?;
        let counted = Counted::read(&variant).map_err(Failure::usage)?;
        Ok(Counting { variant, counted })
    }

    pub fn get(&self, test: &Test) -> Option<&Counting> {
        self.known.get(&test.command.program)?.as_ref()
    }
}
