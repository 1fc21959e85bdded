//! All functions of a program by file, and the figures of each file and of all.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use crate::function::{Branch, DropReason, Function};
use crate::segments::{Line, Segment, lines, segments};
use crate::{Decision, Mapping, Names, Position, Profile, Summary};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    pub functions: Vec<Function>,
    /// By name.
    pub files: Vec<File>,
    pub total: Summary,
    /// Functions of the mapping that are left out.
    pub dropped: Vec<Dropped>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    pub name: String,
    pub reason: DropReason,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    pub name: String,
    /// Index into [`Mapping::files`].
    pub index: usize,
    /// Lines with code and how often they ran, all functions and uses of macros together.
    pub lines: Vec<Line>,
    pub segments: Vec<Segment>,
    /// Functions that have some part in this file, as indices into [`Report::functions`].
    pub parts: Vec<usize>,
    /// Functions that are defined in this file.
    pub groups: Vec<Group>,
    /// The sum over `groups`: a macro's branches count where it is used, and a line that two functions share twice.
    pub summary: Summary,
}

/// A function as the source has it: several if more than one translation unit compiles it for itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    pub start: Position,
    /// Indices into [`Report::functions`].
    pub functions: Vec<usize>,
    /// How often all of them together were called.
    pub count: u64,
    pub summary: Summary,
}

impl Report {
    /// `names` may be empty; functions are then named by their hash.
    pub fn new(mapping: &Mapping, profile: &Profile, names: &Names) -> Self {
        let mut report = Self::default();
        let mut seen = FxHashSet::default();
        for record in &mapping.functions {
            let first_file = record.files.first().map_or("", |&file| &mapping.files[file]);
            let name = match names.get(record.name) {
                Some(name) => without_prefix(name, first_file).to_owned(),
                None => format!("{:#018x}", record.name),
            };
            match Function::new(record, name.clone(), profile) {
                Ok(function) if seen.insert((record.files.clone(), name.clone())) => report.functions.push(function),
                Ok(_) => report.dropped.push(Dropped { name, reason: DropReason::Repeated }),
                Err(reason) => report.dropped.push(Dropped { name, reason }),
            }
        }
        let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, function) in report.functions.iter().enumerate() {
            for &file in &function.files {
                let parts = parts.entry(file).or_default();
                if parts.last() != Some(&index) {
                    parts.push(index);
                }
            }
        }
        for (index, parts) in parts {
            let file = report.file(index, &mapping.files[index], parts);
            report.total += file.summary;
            report.files.push(file);
        }
        report.files.sort_by(|a, b| a.name.cmp(&b.name));
        report
    }

    fn file(&self, index: usize, name: &str, parts: Vec<usize>) -> File {
        let mut regions = Vec::new();
        let mut by_start: BTreeMap<Position, Vec<usize>> = BTreeMap::new();
        for &part in &parts {
            let function = &self.functions[part];
            regions.extend(function.regions.iter().filter(|region| function.is_in(region.file, index)));
            let main = function.main_file.filter(|&main| function.is_in(main, index));
            if let Some(first) = function.regions.iter().find(|region| Some(region.file) == main) {
                by_start.entry(first.span.start).or_default().push(part);
            }
        }
        let mut summary = Summary::default();
        let mut groups = Vec::new();
        for (start, functions) in by_start {
            let group = self.group(start, functions);
            summary += group.summary;
            groups.push(group);
        }
        let segments = segments(regions);
        File { name: name.to_owned(), index, lines: lines(&segments), segments, parts, groups, summary }
    }

    fn group(&self, start: Position, functions: Vec<usize>) -> Group {
        let all = || functions.iter().map(|&index| &self.functions[index]);
        let count = all().fold(0u64, |sum, function| sum.wrapping_add(function.count));
        let mut summary = Summary::best_of(all().map(|function| &function.summary));
        summary.functions.count(count > 0);
        all().for_each(|function| summary.instantiations.count(function.count > 0));
        Group { start, functions, count, summary }
    }

    /// The branches in a file, those in macros that are defined there included, once for each use. The export of
    /// `llvm-cov` lists only those in the function itself: [`Branch::file`] is [`Function::main_file`].
    pub fn branches<'a>(&'a self, file: &'a File) -> impl Iterator<Item = (&'a Function, &'a Branch)> {
        let parts = file.parts.iter().map(|&part| &self.functions[part]);
        parts.flat_map(|function| {
            let here = function.branches.iter().filter(|branch| function.is_in(branch.file, file.index));
            here.map(move |branch| (function, branch))
        })
    }

    /// The decisions in a file, those in macros that are defined there included, once for each use.
    pub fn decisions<'a>(&'a self, file: &'a File) -> impl Iterator<Item = (&'a Function, &'a Decision)> {
        let parts = file.parts.iter().map(|&part| &self.functions[part]);
        parts.flat_map(|function| {
            let here = function.decisions.iter().filter(|decision| function.is_in(decision.file, file.index));
            here.map(move |decision| (function, decision))
        })
    }
}

impl Function {
    /// Is the file at this place in the list of the function the one with this index?
    fn is_in(&self, place: u32, index: usize) -> bool {
        self.files.get(place as usize) == Some(&index)
    }
}

/// LLVM drops the file and the separator behind it, if the name starts with exactly the function's first file.
fn without_prefix<'a>(name: &'a str, file: &str) -> &'a str {
    match name.strip_prefix(file) {
        Some(rest) if !file.is_empty() => {
            let mut rest = rest.chars();
            rest.next();
            rest.as_str()
        }
        _ => name,
    }
}
