//! Modules by hand.
#![allow(dead_code, reason = "each test uses some of it")]

use offshoot_model::graph::{BlockId, FunctionId, GoalId, SiteId};
use offshoot_model::{Block, Callee, Function, Graph, Linkage, Module, Site, SiteKind};

pub const UID: u64 = 7;
pub const TYPE: &str = "i32 (i32)";

pub fn module() -> Module {
    let mut module = Module { files: vec!["src/lib/a.c".into()], symbols: vec![TYPE.into()], ..Module::default() };
    add_site(&mut module, SiteKind::None, 0);
    module
}

fn add_site(module: &mut Module, kind: SiteKind, line: u32) -> u32 {
    let function = module.functions.len() as u32;
    module.sites.push(Site { kind, function, file: 0, line, column: module.sites.len() as u32 });
    module.sites.len() as u32 - 1
}

pub fn symbol(module: &mut Module, name: &str) -> u32 {
    let found = module.symbols.iter().position(|symbol| symbol == name);
    found.unwrap_or_else(|| {
        module.symbols.push(name.into());
        module.symbols.len() - 1
    }) as u32
}

/// What a block ends with.
#[derive(Clone, Debug)]
pub enum End {
    /// False, true.
    If(u32, u32),
    /// The cases 0, 1, .. and the default.
    Switch(Vec<u32>),
    /// No site.
    Either(u32, u32),
    To(u32),
    Return,
    /// `exit`
    Never,
}

/// Each block: the functions that it calls (`*` is through a pointer, `&f` is passed) and its end.
pub fn function(module: &mut Module, name: &str, linkage: Linkage, blocks: Vec<(&[&str], End)>) {
    let mut made = Vec::new();
    for (line, (calls, end)) in blocks.into_iter().enumerate() {
        let calls = calls.iter().map(|name| match name.strip_prefix('&') {
            _ if *name == "*" => Callee::Indirect(0),
            Some(name) => Callee::Passed(symbol(module, name)),
            None => Callee::Direct(symbol(module, name)),
        });
        let calls = calls.collect();
        let (site, successors, returns) = match end {
            End::If(no, yes) => (add_site(module, SiteKind::Condition, line as u32), vec![no, yes], false),
            End::Switch(to) => {
                let cases = (0..to.len() as u64 - 1).collect();
                (add_site(module, SiteKind::Switch { width: 8, cases }, line as u32), to, false)
            }
            End::Either(a, b) => (0, vec![a, b], false),
            End::To(next) => (0, vec![next], false),
            End::Return => (0, vec![], true),
            End::Never => (0, vec![], false),
        };
        made.push(Block { successors, site, calls, line: line as u32, returns });
    }
    module.functions.push(Function { name: name.into(), file: 0, line: 0, linkage, ty: 0, blocks: made });
}

pub fn graph(module: &Module) -> Graph {
    Graph::of_modules([(UID, module)])
}

pub fn named(graph: &Graph, name: &str) -> FunctionId {
    graph.functions_named(name).next().expect("defined")
}

pub fn block(graph: &Graph, function: &str, index: usize) -> BlockId {
    graph.blocks_of(named(graph, function)).nth(index).expect("a block")
}

pub fn site(graph: &Graph, function: &str, index: usize) -> SiteId {
    graph.decides(block(graph, function, index)).expect("a decision")
}

pub fn goal(graph: &Graph, function: &str, index: usize, outcome: u32) -> GoalId {
    graph.goal(site(graph, function, index), outcome).expect("an outcome")
}
