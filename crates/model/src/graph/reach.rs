//! From where a set of goals may still be taken: what the path filter (SERE'14 section IV-B) drops candidates by.
//!
//! The paths are those of [`super::distance`], and all that [`super::outside`] adds. So there are more of them than a run
//! can take, and never fewer. Again two searches backwards over points, without costs:
//!
//! ```text
//!   down:  the targets, and from there back over edges, over whole calls, and from entries to the calls of a function;
//!          from the entry of a function whose address is taken to whatever leaves the graph, and to the program's ends
//!   up:    all of that, and back over edges, over whole calls, and from behind calls to the returns of a function;
//!          from whatever leaves the graph, and from the first functions, to the returns of what nobody here calls
//! ```
//!
//! If a jump may land on what was found, whatever leaves the graph is a target too, and all is done once more.

use super::{BlockId, GoalId, GoalSet, Graph};
use fixedbitset::FixedBitSet;

/// Where a set of goals can be reached from.
#[derive(Clone, Debug)]
pub struct Reach {
    blocks: FixedBitSet,
    outcomes: FixedBitSet,
}

impl Reach {
    /// Is it one of the targets, or may one be taken later? Branches that the optimiser made have no place in the graph:
    /// of them it is not known, and so they do as long as there are targets.
    pub fn from_outcome(&self, goal: GoalId) -> bool {
        self.outcomes.contains(goal.index())
    }

    /// From the start of a block.
    pub fn from_block(&self, block: BlockId) -> bool {
        self.blocks.contains(block.index())
    }
}

impl Graph {
    /// O(edges) whatever the targets. Fewer targets are reached from no more places.
    pub fn reach(&self, targets: &GoalSet) -> Reach {
        let mut search = Search::new(self);
        let sites = targets.iter().filter(|goal| goal.index() < self.goals.len()).map(|goal| self.site_of(goal));
        let blocks: Vec<BlockId> = sites.filter_map(|site| self.block_of(site)).collect();
        if self.outside.threads && !blocks.is_empty() {
            search.everything();
        } else {
            search.run(&blocks, false);
            if search.landed {
                search = Search::new(self);
                search.run(&blocks, true);
            }
        }
        let from = |block: &BlockId| search.found.contains(self.calls.start(block.0) as usize);
        let blocks: FixedBitSet = self.blocks().filter(from).map(BlockId::index).collect();
        let is_open = |goal: &GoalId| match self.target(*goal) {
            Some(block) => targets.contains(*goal) || blocks.contains(block.index()),
            None => !targets.is_empty(),
        };
        let outcomes = self.outcomes_of_all().filter(is_open).map(GoalId::index).collect();
        Reach { blocks, outcomes }
    }

    /// Then [`Graph::reach`] says nothing but whether there are targets: what one thread decides may show in another.
    pub fn starts_threads(&self) -> bool {
        self.outside.threads
    }

    /// May control go on behind the calls of this list?
    pub(super) fn comes_back(&self, list: u32) -> bool {
        let mut functions = self.calls.functions(list).iter();
        self.calls.may_skip(list) || functions.any(|f| self.returns_after(super::FunctionId(*f)).is_some())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Down,
    Up,
}

struct Search<'a> {
    graph: &'a Graph,
    found: FixedBitSet,
    open: Vec<u32>,
    seen_lists: FixedBitSet,
    seen_functions: FixedBitSet,
    /// What happens once: an escaped function is entered, control comes back from outside, the program starts.
    entered_from_outside: bool,
    returned_from_outside: bool,
    started: bool,
    landed: bool,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Graph) -> Search<'a> {
        Search {
            graph,
            found: FixedBitSet::with_capacity(graph.calls.points()),
            open: Vec::new(),
            seen_lists: FixedBitSet::with_capacity(graph.calls.list_count()),
            seen_functions: FixedBitSet::with_capacity(graph.functions.len()),
            entered_from_outside: false,
            returned_from_outside: false,
            started: false,
            landed: false,
        }
    }

    fn everything(&mut self) {
        self.found.insert_range(..);
        self.open.clear();
    }

    fn run(&mut self, targets: &[BlockId], with_jumps: bool) {
        targets.iter().for_each(|block| self.reach(self.graph.calls.end(block.0)));
        if with_jumps {
            self.leaving();
        }
        self.spread(Direction::Down);
        self.open = self.found.ones().map(|point| point as u32).collect();
        if self.graph.outside.signals && !self.open.is_empty() {
            // Behind a handler anything goes on.
            self.return_to_outside();
        }
        self.spread(Direction::Up);
    }

    fn reach(&mut self, point: u32) {
        if !self.found.put(point as usize) {
            self.open.push(point);
        }
    }

    fn spread(&mut self, direction: Direction) {
        while let Some(point) = self.open.pop() {
            let graph = self.graph;
            let block = graph.calls.block_at(point);
            self.landed |= graph.outside.exceptions || graph.outside.lands.contains(block as usize);
            if direction == Direction::Up && graph.outside.leaves.contains(block as usize) {
                self.return_to_outside();
            }
            match graph.calls.list_before(point) {
                Some(list) => self.over_call(point, list, direction),
                None => self.over_edges(block, direction),
            }
        }
    }

    fn over_call(&mut self, point: u32, list: u32, direction: Direction) {
        let graph = self.graph;
        if graph.comes_back(list) {
            self.reach(point - 1);
        }
        if direction == Direction::Up && !self.seen_lists.put(list as usize) {
            graph.calls.functions(list).iter().for_each(|function| self.return_from(*function));
        }
    }

    fn over_edges(&mut self, block: u32, direction: Direction) {
        let graph = self.graph;
        for &before in graph.predecessors.of(block) {
            self.reach(graph.calls.end(before));
        }
        let function = graph.blocks[block as usize].function;
        if graph.entry(function) != Some(BlockId(block)) {
            return;
        }
        if direction == Direction::Up {
            if graph.calls.lists_with(function.0).is_empty() && !std::mem::replace(&mut self.started, true) {
                // Constructors run before `main`.
                let first = graph.functions().filter(|f| graph.calls.lists_with(f.0).is_empty());
                first.filter(|f| graph.name(*f) != "main").for_each(|f| self.return_from(f.0));
            }
            return;
        }
        for &list in graph.calls.lists_with(function.0) {
            graph.calls.points_before(list).iter().for_each(|point| self.reach(*point));
        }
        if graph.outside.escaped.contains(function.index()) && !std::mem::replace(&mut self.entered_from_outside, true)
        {
            if graph.outside.signals {
                return self.everything();
            }
            self.leaving();
            for block in graph.blocks().filter(|block| graph.ends_program(*block)) {
                self.reach(graph.calls.end(block.0));
            }
        }
    }

    /// All blocks that leave the graph. Where in a block they do is not known.
    fn leaving(&mut self) {
        for block in self.graph.outside.leaves.ones() {
            let block = block as u32;
            (self.graph.calls.start(block)..=self.graph.calls.end(block)).for_each(|point| self.reach(point));
        }
    }

    fn return_to_outside(&mut self) {
        if std::mem::replace(&mut self.returned_from_outside, true) {
            return;
        }
        let graph = self.graph;
        let nobody_calls = |function: u32| {
            graph.calls.lists_with(function).is_empty() && graph.name(super::FunctionId(function)) != "main"
        };
        for function in 0..graph.functions.len() as u32 {
            if graph.outside.escaped.contains(function as usize) || nobody_calls(function) {
                self.return_from(function);
            }
        }
    }

    fn return_from(&mut self, function: u32) {
        if self.seen_functions.put(function as usize) {
            return;
        }
        for block in self.graph.functions[function as usize].blocks.clone() {
            if self.graph.blocks[block as usize].returns {
                self.reach(self.graph.calls.end(block));
            }
        }
    }
}
