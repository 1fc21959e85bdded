//! Collects the model of the module while its passes run.

use crate::ir::{SourceFile, Value};
use offshoot_model::{Function, Module, Site, SiteKind};
use std::collections::HashMap;
use std::path::Path;

pub struct Sites {
    pub module: Module,
    files: HashMap<String, u32>,
    functions: HashMap<String, u32>,
}

impl Sites {
    pub fn new(source: String, directory: String, is_libc_model: bool) -> Sites {
        let none = Site { kind: SiteKind::None, function: 0, file: 0, line: 0, column: 0 };
        let module = Module { source, directory, is_libc_model, sites: vec![none], ..Module::default() };
        Sites { module, files: HashMap::new(), functions: HashMap::new() }
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
        self.module.functions.push(Function { name: name.to_string(), file, line });
        self.functions.insert(name.to_string(), index);
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
}
