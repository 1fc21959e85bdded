//! Which definitions a call may reach, as the linker and the wrappers of libc functions decide it.
//!
//! * A name means the module's own definition; otherwise the strong one that comes first; otherwise a weak one. A weak
//!   definition of the module itself counts too: it may have been inlined.
//! * A libc function means its model (`__off_w_NAME`) unless the program defines it, but models that call it by its own
//!   name mean the real one. What is not in the graph is taken to return.
//! * A call through a pointer may reach every function of that type whose address is taken somewhere, or one that is not
//!   in the graph. A pointer that was cast to another type is not seen.
//! * A function that is handed to a function outside the graph may be called there and then (`bsearch`), or when the
//!   program ends (`atexit`; it also stands for handlers and threads, which run whenever they like). What is handed out
//!   in other ways, in a struct say, is not seen.

use super::outside::Outside;
use super::table::Table;
use super::{FunctionId, Graph, Parts};
use crate::module::{Callee, Linkage, Module, WRAPPER_PREFIX};
use std::collections::HashMap;

/// Calls that reach something. What they may reach is a *list* of functions, shared by all calls that may reach the same.
#[derive(Debug, Default)]
pub struct Calls {
    /// Block to lists, in the order of the calls.
    by_block: Table,
    /// List to functions.
    lists: Table,
    /// For each list: may control go on without entering any of the functions?
    may_skip: Vec<bool>,
    /// Function to the lists that it is in.
    containing: Table,
    /// List to the points right before its calls.
    places: Table,
    /// For each point its block.
    blocks: Vec<u32>,
    /// For each function: has it been handed to a function outside the graph?
    handed_out: Vec<bool>,
}

/// A *point* of a block is before one of its calls, or behind the last.
impl Calls {
    fn new(by_block: Table, lists: Table, may_skip: Vec<bool>, handed_out: Vec<bool>) -> Calls {
        let containing = lists.inverted(handed_out.len());
        let mut blocks = Vec::new();
        let mut made = Vec::new();
        for block in 0..by_block.len() as u32 {
            for list in by_block.of(block) {
                made.push((*list, blocks.len() as u32));
                blocks.push(block);
            }
            blocks.push(block);
        }
        let places = Table::from_pairs(lists.len(), made.iter().copied());
        Calls { by_block, lists, may_skip, containing, places, blocks, handed_out }
    }

    pub fn lists_in(&self, block: u32) -> &[u32] {
        self.by_block.of(block)
    }
    pub fn functions(&self, list: u32) -> &[u32] {
        self.lists.of(list)
    }
    pub fn list_count(&self) -> usize {
        self.may_skip.len()
    }
    pub fn may_skip(&self, list: u32) -> bool {
        self.may_skip[list as usize]
    }
    pub fn is_handed_out(&self, function: u32) -> bool {
        self.handed_out[function as usize]
    }
    pub fn lists_with(&self, function: u32) -> &[u32] {
        self.containing.of(function)
    }
    pub fn points_before(&self, list: u32) -> &[u32] {
        self.places.of(list)
    }

    pub fn points(&self) -> usize {
        self.blocks.len()
    }
    pub fn block_at(&self, point: u32) -> u32 {
        self.blocks[point as usize]
    }
    pub fn start(&self, block: u32) -> u32 {
        self.by_block.start(block) + block
    }
    pub fn end(&self, block: u32) -> u32 {
        self.start(block) + self.by_block.of(block).len() as u32
    }
    /// The call that was made right before a point of its block.
    pub fn list_before(&self, point: u32) -> Option<u32> {
        let block = self.block_at(point);
        let behind = (point - self.start(block)) as usize;
        Some(self.by_block.of(block)[behind.checked_sub(1)?])
    }
}

impl Graph {
    /// What may be called from a block, in order of the calls; a function may come several times.
    pub fn called_in(&self, block: super::BlockId) -> impl Iterator<Item = FunctionId> + '_ {
        let lists = self.calls.lists_in(block.0).iter();
        lists.flat_map(|list| self.calls.functions(*list)).copied().map(FunctionId)
    }

    /// What a function may call, each once.
    pub fn callees(&self, function: FunctionId) -> Vec<FunctionId> {
        let mut lists: Vec<u32> =
            self.blocks_of(function).flat_map(|block| self.calls.lists_in(block.0)).copied().collect();
        lists.sort_unstable();
        lists.dedup();
        let mut found: Vec<FunctionId> =
            lists.iter().flat_map(|list| self.calls.functions(*list)).copied().map(FunctionId).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What may call a function, each once.
    pub fn callers(&self, function: FunctionId) -> Vec<FunctionId> {
        let points = self.calls.lists_with(function.0).iter().flat_map(|list| self.calls.points_before(*list)).copied();
        let mut found: Vec<FunctionId> =
            points.map(|point| self.blocks[self.calls.block_at(point) as usize].function).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// `modules` as in `parts`, each with its place in the order of linking.
pub fn calls(parts: &Parts, modules: &[(usize, &Module)]) -> (Calls, Outside) {
    let names = Names::new(parts, modules);
    let by_type = address_taken(parts, modules, &names);
    let mut lists = Table::empty();
    let mut may_skip = Vec::new();
    let mut known: HashMap<(Vec<u32>, bool), u32> = HashMap::new();
    let mut by_block = Table::empty();
    let mut handed_out = vec![false; parts.functions.len()];
    let mut outside = Outside::default();
    by_type.values().flatten().for_each(|function| outside.escape(*function));
    for (index, (_, module)) in modules.iter().enumerate() {
        let symbol = |symbol: u32| module.symbols.get(symbol as usize).map_or("", String::as_str);
        for block in module.functions.iter().flat_map(|function| &function.blocks) {
            let mut made = Vec::new();
            let mut left_graph = false;
            for callee in &block.calls {
                let (functions, skip) = match *callee {
                    Callee::Direct(name) => (names.resolve(index, symbol(name)), false),
                    Callee::Indirect(ty) => (by_type.get(symbol(ty)).cloned().unwrap_or_default(), true),
                    Callee::Passed(name) if left_graph => (names.resolve(index, symbol(name)), true),
                    Callee::Passed(_) => continue,
                };
                match *callee {
                    Callee::Passed(_) => functions.iter().for_each(|f| {
                        handed_out[*f as usize] = true;
                        outside.escape(*f);
                    }),
                    Callee::Direct(name) if functions.is_empty() => outside.call(by_block.len(), symbol(name)),
                    Callee::Indirect(_) => outside.leave(by_block.len()),
                    Callee::Direct(_) => {}
                }
                if !matches!(callee, Callee::Passed(_)) {
                    left_graph = functions.is_empty();
                }
                if functions.is_empty() {
                    continue;
                }
                let list = *known.entry((functions, skip)).or_insert_with_key(|(functions, skip)| {
                    lists.push(functions.iter().copied());
                    may_skip.push(*skip);
                    may_skip.len() as u32 - 1
                });
                made.push(list);
            }
            by_block.push(made);
        }
    }
    (Calls::new(by_block, lists, may_skip, handed_out), outside.close())
}

/// Functions that a pointer may point to, by type.
fn address_taken<'a>(parts: &Parts, modules: &[(usize, &'a Module)], names: &Names<'a>) -> HashMap<&'a str, Vec<u32>> {
    let types: Vec<&str> = modules
        .iter()
        .flat_map(|(_, module)| module.functions.iter().map(|f| module.symbols.get(f.ty as usize)))
        .map(|ty| ty.map_or("", String::as_str))
        .collect();
    let mut by_type: HashMap<&str, Vec<u32>> = HashMap::new();
    for (index, (_, module)) in modules.iter().enumerate() {
        for name in module.address_taken.iter().filter_map(|symbol| module.symbols.get(*symbol as usize)) {
            for function in names.resolve(index, name) {
                by_type.entry(types[function as usize]).or_default().push(function);
            }
        }
    }
    debug_assert_eq!(types.len(), parts.functions.len());
    for functions in by_type.values_mut() {
        functions.sort_unstable();
        functions.dedup();
    }
    by_type
}

/// What names mean.
struct Names<'a> {
    /// In the module itself.
    own: HashMap<(usize, &'a str), (Linkage, u32)>,
    /// In all modules that are not libc models, and in those that are.
    program: HashMap<&'a str, Definition>,
    models: HashMap<&'a str, Definition>,
    /// Which modules are libc models.
    is_model: Vec<bool>,
}

#[derive(Clone, Copy)]
struct Definition {
    /// The smallest wins.
    rank: (bool, usize),
    function: u32,
}

impl<'a> Names<'a> {
    fn new(parts: &Parts, modules: &[(usize, &'a Module)]) -> Names<'a> {
        let is_model = modules.iter().map(|(_, module)| module.is_libc_model).collect();
        let mut names = Names { own: HashMap::new(), program: HashMap::new(), models: HashMap::new(), is_model };
        let mut first = 0;
        for (index, (rank, module)) in modules.iter().enumerate() {
            let defined = module.functions.iter().enumerate().map(|(i, f)| (f.name.as_str(), f.linkage, i as u32));
            let aliases = module.aliases.iter().filter_map(|alias| {
                let name = module.symbols.get(alias.symbol as usize)?;
                let exists = (alias.function as usize) < module.functions.len();
                exists.then_some((name.as_str(), alias.linkage, alias.function))
            });
            for (name, linkage, function) in defined.chain(aliases) {
                let function = first + function;
                names.own.insert((index, name), (linkage, function));
                if linkage == Linkage::Local {
                    continue;
                }
                let table = if module.is_libc_model { &mut names.models } else { &mut names.program };
                let new = Definition { rank: (linkage == Linkage::Weak, *rank), function };
                let best = table.entry(name).or_insert(new);
                if new.rank < best.rank {
                    *best = new;
                }
            }
            first += module.functions.len() as u32;
        }
        debug_assert_eq!(first as usize, parts.functions.len());
        names
    }

    /// Ascending.
    fn resolve(&self, module: usize, name: &str) -> Vec<u32> {
        let own = self.own.get(&(module, name)).copied();
        if let Some((Linkage::Local | Linkage::Strong, function)) = own {
            return vec![function];
        }
        let real = name.strip_prefix(WRAPPER_PREFIX).unwrap_or(name);
        let wrapper = || (!self.is_model[module]).then(|| format!("{WRAPPER_PREFIX}{real}"));
        let defined = self.program.get(real).or_else(|| self.models.get(name));
        let anywhere = defined.or_else(|| self.models.get(wrapper()?.as_str()));
        let mut found: Vec<u32> = own.map(|(_, function)| function).into_iter().collect();
        found.extend(anywhere.map(|definition| definition.function));
        found.sort_unstable();
        found.dedup();
        found
    }
}
