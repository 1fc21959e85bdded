//! The control-flow graph of a whole program, with dense ids.
//!
//! Every block decides at most one site. An outcome of a site is a *goal*, and an edge of the graph. The ids of a program
//! do not depend on the order in which its modules are loaded. A model whose parts do not fit together loses the part
//! that does not fit, and nothing else.
//!
//! * [`link`]: which definitions a call may reach.
//! * [`control`]: dominators, postdominators, control dependence.
//! * [`distance`]: how many branches lie between a point and a set of goals.
//! * [`reach`], [`outside`]: from where a set of goals may be taken at all, for those who drop the rest.
//! * [`levels`]: what lies a few decisions below.
//! * [`weight`]: how much depends on an outcome.
//! * [`place`]: from sites to source and back.

mod control;
mod decision;
mod distance;
mod dominance;
mod ids;
mod levels;
mod link;
mod outside;
mod place;
mod reach;
mod table;
mod weight;

pub use decision::{Decision, Way};
pub use distance::Distances;
pub use ids::{BlockId, FunctionId, GoalId, GoalSet, SiteId};
pub use place::Place;
pub use reach::Reach;

use crate::module::{Module, Part, SiteKind};
use crate::program::Program;
use control::Control;
use link::Calls;
use outside::Outside;
use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;
use table::Table;

#[derive(Debug)]
pub struct Graph {
    /// By uid.
    modules: Vec<ModuleEntry>,
    files: Vec<String>,
    functions: Vec<FunctionEntry>,
    blocks: Vec<BlockEntry>,
    sites: Vec<SiteEntry>,
    /// The site of each goal.
    goals: Vec<SiteId>,
    decisions: Vec<Decision>,
    unmapped: u32,
    /// Block to blocks, in the order of outcomes where the block decides a site.
    successors: Table,
    predecessors: Table,
    calls: Calls,
    outside: Outside,
    control: Control,
    /// For each function the fewest branches from its entry to a return; `distance::FAR` if it never returns.
    returns_after: Vec<u32>,
    /// By goal, as far as they were asked for: each is a walk over much of the program.
    weights: Vec<OnceLock<u32>>,
}

#[derive(Debug)]
struct ModuleEntry {
    uid: u64,
    is_libc_model: bool,
    /// For each site of the module.
    sites: Vec<Option<SiteId>>,
}

#[derive(Debug)]
struct FunctionEntry {
    name: String,
    module: usize,
    file: u32,
    line: u32,
    /// The first is the entry.
    blocks: std::ops::Range<u32>,
}

#[derive(Debug)]
struct BlockEntry {
    function: FunctionId,
    site: Option<SiteId>,
    line: u32,
    returns: bool,
    /// Of functions in the graph or not.
    has_calls: bool,
}

#[derive(Debug)]
struct SiteEntry {
    module: usize,
    local: u32,
    function: Option<FunctionId>,
    block: Option<BlockId>,
    first_goal: u32,
    outcomes: u32,
    switch: Option<(u8, Vec<u64>)>,
    file: u32,
    line: u32,
    column: u32,
}

impl Graph {
    /// Of a program and its shared libraries, in the order in which the dynamic linker looks names up.
    pub fn new(programs: &[Program]) -> Graph {
        Graph::of_modules(programs.iter().flat_map(|program| &program.modules).map(|(uid, module)| (*uid, module)))
    }

    /// Of modules with their uids. A module that comes twice counts once.
    pub fn of_modules<'a>(modules: impl IntoIterator<Item = (u64, &'a Module)>) -> Graph {
        let mut by_uid: BTreeMap<u64, (usize, &Module)> = BTreeMap::new();
        for (rank, (uid, module)) in modules.into_iter().enumerate() {
            by_uid.entry(uid).or_insert((rank, module));
        }
        let mut parts = Parts::default();
        for (uid, (_, module)) in &by_uid {
            parts.add(*uid, module);
        }
        let ranked: Vec<(usize, &Module)> = by_uid.into_values().collect();
        let (calls, outside) = link::calls(&parts, &ranked);
        let Parts { modules, files, functions, blocks, sites, goals, decisions, unmapped, successors, .. } = parts;
        let predecessors = successors.inverted(blocks.len());
        let weights = goals.iter().map(|_| OnceLock::new()).collect();
        let mut graph = Graph {
            modules,
            files,
            functions,
            blocks,
            sites,
            goals,
            decisions,
            unmapped,
            successors,
            predecessors,
            calls,
            outside,
            control: Control::default(),
            returns_after: Vec::new(),
            weights,
        };
        graph.control = Control::new(&graph);
        graph.returns_after = distance::returns_after(&graph);
        graph
    }

    // ----- ids -----

    pub fn functions(&self) -> impl Iterator<Item = FunctionId> + use<> {
        (0..self.functions.len() as u32).map(FunctionId)
    }
    pub fn blocks(&self) -> impl Iterator<Item = BlockId> + use<> {
        (0..self.blocks.len() as u32).map(BlockId)
    }
    pub fn sites(&self) -> impl ExactSizeIterator<Item = SiteId> + use<> {
        (0..self.sites.len() as u32).map(SiteId)
    }
    /// All outcomes, those of libc models and derived branches too; see [`Graph::is_goal`].
    pub fn outcomes_of_all(&self) -> impl ExactSizeIterator<Item = GoalId> + use<> {
        (0..self.goals.len() as u32).map(GoalId)
    }
    /// Those that count for coverage.
    pub fn goals(&self) -> impl Iterator<Item = GoalId> + '_ {
        self.outcomes_of_all().filter(|goal| self.is_goal(self.site_of(*goal)))
    }
    /// The site that a trace names by module and number; `None` if it is no branch.
    pub fn site(&self, uid: u64, local: u32) -> Option<SiteId> {
        let module = self.modules.binary_search_by_key(&uid, |module| module.uid).ok()?;
        *self.modules[module].sites.get(local as usize)?
    }
    /// The module and the number of a site.
    pub fn origin(&self, site: SiteId) -> (u64, u32) {
        let entry = &self.sites[site.index()];
        (self.modules[entry.module].uid, entry.local)
    }

    // ----- sites and goals -----

    /// Of a condition two, false and true; of a switch one a case, and the default.
    pub fn outcomes(&self, site: SiteId) -> u32 {
        self.sites[site.index()].outcomes
    }
    pub fn goal(&self, site: SiteId, outcome: u32) -> Option<GoalId> {
        let entry = &self.sites[site.index()];
        (outcome < entry.outcomes).then_some(GoalId(entry.first_goal + outcome))
    }
    /// The labels of a switch, without the default.
    pub fn cases(&self, site: SiteId) -> Option<&[u64]> {
        self.sites[site.index()].switch.as_ref().map(|(_, cases)| cases.as_slice())
    }
    /// The outcome that a value decides: of a condition 0 or 1, of a switch what it switches on.
    pub fn goal_for(&self, site: SiteId, value: u64) -> GoalId {
        let entry = &self.sites[site.index()];
        let outcome = match &entry.switch {
            None => u32::from(value != 0),
            Some((width, cases)) => {
                let mask = u64::MAX >> (64 - u32::from(*width).clamp(1, 64));
                let case = cases.iter().position(|case| case & mask == value & mask);
                case.map_or(entry.outcomes - 1, |case| case as u32)
            }
        };
        GoalId(entry.first_goal + outcome)
    }
    pub fn goals_of(&self, site: SiteId) -> impl Iterator<Item = GoalId> + use<> {
        let entry = &self.sites[site.index()];
        (entry.first_goal..entry.first_goal + entry.outcomes).map(GoalId)
    }
    pub fn site_of(&self, goal: GoalId) -> SiteId {
        self.goals[goal.index()]
    }
    pub fn outcome_of(&self, goal: GoalId) -> u32 {
        goal.0 - self.sites[self.site_of(goal).index()].first_goal
    }
    /// Is it a decision of the program's source? Not those of libc models and not what the optimiser made.
    pub fn is_goal(&self, site: SiteId) -> bool {
        let entry = &self.sites[site.index()];
        entry.block.is_some() && !self.modules[entry.module].is_libc_model
    }
    /// The compiler has proven that this outcome does not happen: the default of a `switch` over all there is.
    pub fn is_impossible(&self, goal: GoalId) -> bool {
        self.target(goal).is_some_and(|block| {
            let entry = &self.blocks[block.index()];
            entry.site.is_none() && !entry.returns && self.successors.of(block.0).is_empty() && !entry.has_calls
        })
    }

    /// Of two or more conditions, as far as the front end says which they are; not those of libc models.
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }
    /// Decisions that have too many ways, or that the instrumentation did not understand.
    pub fn unmapped_decisions(&self) -> u32 {
        self.unmapped
    }

    // ----- blocks and functions -----

    /// The block that decides a site; `None` for what the optimiser made.
    pub fn block_of(&self, site: SiteId) -> Option<BlockId> {
        self.sites[site.index()].block
    }
    /// The block behind an outcome.
    pub fn target(&self, goal: GoalId) -> Option<BlockId> {
        let block = self.block_of(self.site_of(goal))?;
        Some(BlockId(self.successors.of(block.0)[self.outcome_of(goal) as usize]))
    }
    pub fn decides(&self, block: BlockId) -> Option<SiteId> {
        self.blocks[block.index()].site
    }
    pub fn successors(&self, block: BlockId) -> impl Iterator<Item = BlockId> + '_ {
        self.successors.of(block.0).iter().copied().map(BlockId)
    }
    /// Does control go back to the caller at its end?
    pub fn returns(&self, block: BlockId) -> bool {
        self.blocks[block.index()].returns
    }
    pub fn line(&self, block: BlockId) -> u32 {
        self.blocks[block.index()].line
    }
    pub fn function_of(&self, block: BlockId) -> FunctionId {
        self.blocks[block.index()].function
    }
    pub fn blocks_of(&self, function: FunctionId) -> impl Iterator<Item = BlockId> + use<> {
        self.functions[function.index()].blocks.clone().map(BlockId)
    }
    /// `None` for a function that has no blocks in the model.
    pub fn entry(&self, function: FunctionId) -> Option<BlockId> {
        self.blocks_of(function).next()
    }
    pub fn name(&self, function: FunctionId) -> &str {
        &self.functions[function.index()].name
    }
    pub fn is_libc_model(&self, function: FunctionId) -> bool {
        self.modules[self.functions[function.index()].module].is_libc_model
    }
    /// Static functions of several modules may have one name.
    pub fn functions_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = FunctionId> + 'a {
        self.functions().filter(move |function| self.name(*function) == name)
    }

    fn node_count(&self) -> usize {
        self.blocks.len() + self.goals.len()
    }
}

/// The graph while modules are added.
#[derive(Default)]
struct Parts {
    modules: Vec<ModuleEntry>,
    files: Vec<String>,
    functions: Vec<FunctionEntry>,
    blocks: Vec<BlockEntry>,
    sites: Vec<SiteEntry>,
    goals: Vec<SiteId>,
    decisions: Vec<Decision>,
    unmapped: u32,
    successors: Table,
    known_files: HashMap<String, u32>,
}

impl Parts {
    fn add(&mut self, uid: u64, module: &Module) {
        let index = self.modules.len();
        let first_function = self.functions.len() as u32;
        let files: Vec<u32> = module.files.iter().map(|file| self.file(file)).collect();
        let nowhere = self.file("");
        let file = |file: u32| files.get(file as usize).copied().unwrap_or(nowhere);
        let sites = module.sites.iter().enumerate().map(|(local, site)| {
            let (outcomes, switch) = match &site.kind {
                SiteKind::Condition | SiteKind::Derived => (2, None),
                SiteKind::Switch { width, cases } => (cases.len() as u32 + 1, Some((*width, cases.clone()))),
                SiteKind::Decision { ways, .. } => (*ways, None),
                _ => return None,
            };
            let id = SiteId(self.sites.len() as u32);
            let first_goal = self.goals.len() as u32;
            self.goals.extend((0..outcomes).map(|_| id));
            let is_known = (site.function as usize) < module.functions.len();
            self.sites.push(SiteEntry {
                module: index,
                local: local as u32,
                function: is_known.then_some(FunctionId(first_function + site.function)),
                block: None,
                first_goal,
                outcomes,
                switch,
                file: file(site.file),
                line: site.line,
                column: site.column,
            });
            Some(id)
        });
        let sites: Vec<Option<SiteId>> = sites.collect();
        if !module.is_libc_model {
            self.add_decisions(module, &sites);
        }
        for function in &module.functions {
            let id = FunctionId(self.functions.len() as u32);
            let first = self.blocks.len() as u32;
            let count = function.blocks.len() as u32;
            for block in &function.blocks {
                let here = BlockId(self.blocks.len() as u32);
                let targets = block.successors.iter().filter(|next| **next < count).map(|next| first + next);
                let targets: Vec<u32> = targets.collect();
                let site = sites.get(block.site as usize).copied().flatten().filter(|site| {
                    let entry = &mut self.sites[site.index()];
                    let fits = entry.block.is_none() && targets.len() == entry.outcomes as usize;
                    if fits {
                        entry.block = Some(here);
                    }
                    fits
                });
                self.successors.push(targets);
                self.blocks.push(BlockEntry {
                    function: id,
                    site,
                    line: block.line,
                    returns: block.returns,
                    has_calls: !block.calls.is_empty(),
                });
            }
            self.functions.push(FunctionEntry {
                name: function.name.clone(),
                module: index,
                file: file(function.file),
                line: function.line,
                blocks: first..first + count,
            });
        }
        self.modules.push(ModuleEntry { uid, is_libc_model: module.is_libc_model, sites });
    }

    fn add_decisions(&mut self, module: &Module, sites: &[Option<SiteId>]) {
        for (site, id) in module.sites.iter().zip(sites) {
            let (SiteKind::Decision { parts, ways }, Some(id)) = (&site.kind, id) else { continue };
            let first = GoalId(self.sites[id.index()].first_goal);
            let ways = decision::ways(parts, first, *ways);
            if ways.is_empty() {
                self.unmapped += 1;
                continue;
            }
            let condition = |part: &Part| sites.get(part.site as usize).copied().flatten();
            self.decisions.push(Decision { site: *id, conditions: parts.iter().map(condition).collect(), ways });
        }
    }

    fn file(&mut self, name: &str) -> u32 {
        if let Some(&index) = self.known_files.get(name) {
            return index;
        }
        let index = self.files.len() as u32;
        self.files.push(name.to_string());
        self.known_files.insert(name.to_string(), index);
        index
    }
}
