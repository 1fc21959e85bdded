//! From sites to source and back.

use super::{FunctionId, Graph, SiteId};
use std::path::Path;

/// Where in the source a site is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    pub file: &'a str,
    /// 0 if unknown.
    pub line: u32,
    pub column: u32,
    pub function: &'a str,
}

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            0 => f.write_str(self.function),
            line => write!(f, "{}:{line}:{} ({})", self.file, self.column, self.function),
        }
    }
}

impl Graph {
    pub fn place(&self, site: SiteId) -> Place<'_> {
        let entry = &self.sites[site.index()];
        let function = entry.function.map_or("", |function| self.name(function));
        Place { file: &self.files[entry.file as usize], line: entry.line, column: entry.column, function }
    }

    /// Where a function is defined.
    pub fn definition(&self, function: FunctionId) -> Place<'_> {
        let entry = &self.functions[function.index()];
        Place { file: &self.files[entry.file as usize], line: entry.line, column: 0, function: &entry.name }
    }

    /// The sites of a line, from left to right. `file` may leave out leading folders: `lib/a.c` is found in `x/lib/a.c`.
    pub fn sites_at(&self, file: &str, line: u32) -> Vec<SiteId> {
        let matching: Vec<bool> = self.files.iter().map(|name| Path::new(name).ends_with(file)).collect();
        let is_there = |site: &SiteId| {
            let entry = &self.sites[site.index()];
            entry.line == line && matching[entry.file as usize]
        };
        let mut found: Vec<SiteId> = self.sites().filter(is_there).collect();
        found.sort_by_key(|site| (self.sites[site.index()].column, *site));
        found
    }
}
