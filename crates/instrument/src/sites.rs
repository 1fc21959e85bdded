//! Collects the model of the module while its passes run.

use crate::ir::{LLVMLinkage, SourceFile, Value};
use offshoot_model::{Function, Linkage, Module, Part, Site, SiteKind};
use std::collections::HashMap;
use std::path::Path;

pub struct Sites {
    pub module: Module,
    files: HashMap<String, u32>,
    functions: HashMap<String, u32>,
    symbols: HashMap<String, u32>,
}

impl Sites {
    pub fn new(source: String, directory: String, is_libc_model: bool) -> Sites {
        let none = Site { kind: SiteKind::None, function: 0, file: 0, line: 0, column: 0 };
        let module = Module { source, directory, is_libc_model, sites: vec![none], ..Module::default() };
        Sites { module, files: HashMap::new(), functions: HashMap::new(), symbols: HashMap::new() }
    }

    /// Files are named as seen from the folder that the compiler ran in.
    fn file(&mut self, file: &SourceFile) -> u32 {
        let here = file.directory.is_empty() || file.directory == self.module.directory;
        let name = if here || file.name.is_empty() {
            file.name.clone()
        } else {
            // An absolute name stays what it is.
            Path::new(&file.directory).join(&file.name).to_string_lossy().into_owned()
        };
        if let Some(&index) = self.files.get(&name) {
            return index;
        }
        let index = self.module.files.len() as u32;
        self.module.files.push(name.clone());
        self.files.insert(name, index);
        index
    }

    pub fn symbol(&mut self, text: &str) -> u32 {
        if let Some(&index) = self.symbols.get(text) {
            return index;
        }
        let index = self.module.symbols.len() as u32;
        self.module.symbols.push(text.to_string());
        self.symbols.insert(text.to_string(), index);
        index
    }

    /// Call while the function still has its debug information.
    pub fn function(&mut self, function: Value) -> u32 {
        let name = function.name();
        let name = name.strip_suffix(crate::bodies::PLAIN_SUFFIX).unwrap_or(&name);
        if let Some(&index) = self.functions.get(name) {
            return index;
        }
        let (file, line) = function.definition();
        let file = self.file(&file);
        let index = self.module.functions.len() as u32;
        let linkage = linkage(function);
        let ty = self.symbol(&function.value_type().text());
        let name = name.to_string();
        self.functions.insert(name.clone(), index);
        self.module.functions.push(Function { name, file, line, linkage, ty, blocks: Vec::new() });
        index
    }

    /// A new site in `function`, at the place of the first of `at` that has one.
    pub fn add(&mut self, kind: SiteKind, function: u32, at: &[Value]) -> u32 {
        let (file, line, column) = at.iter().find_map(|v| v.location()).unwrap_or_default();
        let file = self.file(&file);
        let index = self.module.sites.len() as u32;
        self.module.sites.push(Site { kind, function, file, line, column });
        index
    }

    /// A `switch` of the source. A site has two outcome bytes; a switch takes those of the empty sites behind it, too, and
    /// so has one for each label and one for the default.
    pub fn add_switch(&mut self, width: u8, cases: Vec<u64>, function: u32, at: &[Value]) -> u32 {
        let outcomes = cases.len() + 1;
        self.add_wide(SiteKind::Switch { width, cases }, outcomes, function, at)
    }

    /// A decision, likewise with an outcome byte for each way through it. [`Sites::set_parts`] comes when there are markers.
    pub fn add_decision(&mut self, ways: u32, function: u32, at: &[Value]) -> u32 {
        self.add_wide(SiteKind::Decision { parts: Vec::new(), ways }, ways as usize, function, at)
    }

    pub fn set_parts(&mut self, decision: u32, found: Vec<Part>) {
        if let SiteKind::Decision { parts, .. } = &mut self.module.sites[decision as usize].kind {
            *parts = found;
        }
    }

    fn add_wide(&mut self, kind: SiteKind, outcomes: usize, function: u32, at: &[Value]) -> u32 {
        let site = self.add(kind, function, at);
        for _ in 1..outcomes.div_ceil(2) {
            self.module.sites.push(Site { kind: SiteKind::None, function, file: 0, line: 0, column: 0 });
        }
        site
    }
}

pub fn linkage(global: Value) -> Linkage {
    match global.linkage() {
        _ if global.is_local() => Linkage::Local,
        LLVMLinkage::LLVMExternalLinkage => Linkage::Strong,
        _ => Linkage::Weak,
    }
}
