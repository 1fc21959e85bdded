//! From sites in a trace to places in the source.

use offshoot_expr::TraceView;
use offshoot_model::{Module, Program, SiteKind};
use std::collections::HashMap;

/// The models of a program and of its shared libraries, by uid.
pub struct Places {
    modules: HashMap<u64, Module>,
}

/// A site, resolved.
pub struct Place<'a> {
    pub file: &'a str,
    pub line: u32,
    pub column: u32,
    pub function: &'a str,
    pub kind: &'a SiteKind,
    pub is_libc_model: bool,
}

impl Places {
    pub fn new(programs: Vec<Program>) -> Places {
        Places { modules: programs.into_iter().flat_map(|p| p.modules).collect() }
    }

    pub fn modules(&self) -> impl Iterator<Item = (u64, &Module)> {
        self.modules.iter().map(|(&uid, module)| (uid, module))
    }

    pub fn module(&self, uid: u64) -> Option<&Module> {
        self.modules.get(&uid)
    }

    pub fn get(&self, view: &TraceView<'_>, site: u32) -> Option<Place<'_>> {
        let (entry, local) = view.locate(site)?;
        let module = self.modules.get(&entry.uid)?;
        let site = module.sites.get(local as usize)?;
        let function = module.functions.get(site.function as usize)?;
        let file = module.files.get(site.file as usize).map_or("", String::as_str);
        Some(Place {
            file,
            line: site.line,
            column: site.column,
            function: &function.name,
            kind: &site.kind,
            is_libc_model: module.is_libc_model,
        })
    }
}

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.line == 0 {
            write!(f, "{}", self.function)
        } else {
            write!(f, "{}:{}:{} ({})", self.file, self.line, self.column, self.function)
        }
    }
}
