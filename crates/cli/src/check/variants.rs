//! The AddressSanitizer variants of the programs that are checked.

use crate::suite::warn;
use crate::target::find_program;
use offshoot_check::judge::Asan;
use offshoot_compile::{Variant, variant};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

pub struct Variants {
    /// `OUT/program.asan`, or the folder for those of a suite.
    place: PathBuf,
    is_one: bool,
    symbolizer: Option<PathBuf>,
    names: HashSet<String>,
}

impl Variants {
    pub fn new(out: &Path, is_one: bool) -> Variants {
        let symbolizer =
            ["llvm-symbolizer-19", "llvm-symbolizer"].iter().find_map(|name| find_program(&name.into()).ok());
        let place = out.join(if is_one { "program.asan" } else { "asan" });
        Variants { place, is_one, symbolizer, names: HashSet::new() }
    }

    /// Where there can be no variant, crashes of the program itself are still seen.
    pub fn asan(&mut self, program: &Path) -> Option<Asan> {
        let place = match self.is_one {
            true => self.place.clone(),
            false => {
                let name = self.name(program);
                self.place.join(name)
            }
        };
        let folder = place.parent().map_or(Ok(()), std::fs::create_dir_all);
        let made = folder.map_err(|error| error.to_string());
        let made = made.and_then(|()| variant(Variant::Asan, program, &place).map_err(|error| error.to_string()));
        if let Err(error) = made {
            let program = program.display();
            warn(format!("no AddressSanitizer variant of {program}, so only crashes will be seen: {error}"));
            return None;
        }
        Some(Asan { program: place, symbolizer: self.symbolizer.clone() })
    }

    /// Two programs in different folders may be called the same.
    fn name(&mut self, program: &Path) -> String {
        let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let numbered = (2..).map(|number| format!("{name}.{number}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| !self.names.contains(name));
        let free = free.unwrap_or(name);
        self.names.insert(free.clone());
        free
    }
}
