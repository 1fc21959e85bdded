//! How many branches lie between a point of the program and a set of goals: what CREST's CFG-directed search and KLEE's
//! minimal distance to uncovered (MD2U) are made of.
//!
//! A path counts if it can happen as far as calls and returns go: it leaves some functions towards their callers, and
//! then enters others; what it enters *and* leaves has only a cost, the fewest branches from entry to return. So there
//! are two searches backwards from the targets, each a shortest-path search over points of blocks:
//!
//! ```text
//!   down:  the targets, and from there back over edges, over whole calls, and from entries to the calls of a function;
//!          from the entries of what has been handed out also to the ends of the program
//!   up:    all of that, and back over edges, over whole calls, and from behind calls to the returns of a function
//! ```
//!
//! Each looks at every edge once. The stack of a real run is not known here: a return may go to any caller.

use super::{BlockId, GoalId, GoalSet, Graph};

/// No path.
pub const FAR: u32 = u32::MAX;

/// Everything beyond is as far: calls of calls of calls can make a path as long as they like.
const FARTHEST: u32 = 1 << 16;

/// Distances to one set of goals.
#[derive(Clone, Debug)]
pub struct Distances {
    blocks: Vec<u32>,
    outcomes: Vec<u32>,
}

impl Distances {
    /// How many more outcomes must be taken after this one until one of the targets has been taken: 0 if it is one, and
    /// 65,536 for all that is farther. `None` if there is no path, and for branches that the optimiser made.
    pub fn from_outcome(&self, goal: GoalId) -> Option<u32> {
        self.outcomes.get(goal.index()).copied().filter(|distance| *distance != FAR)
    }

    /// The same from the start of a block.
    pub fn from_block(&self, block: BlockId) -> Option<u32> {
        self.blocks.get(block.index()).copied().filter(|distance| *distance != FAR)
    }
}

impl Graph {
    /// O(edges) whatever the targets.
    pub fn distances_to(&self, targets: &GoalSet) -> Distances {
        let mut search = Search::new(self);
        for goal in targets.iter().filter(|goal| goal.index() < self.goals.len()) {
            if let Some(block) = self.block_of(self.site_of(goal)) {
                search.reach(self.calls.end(block.0), 1);
            }
        }
        search.run(Direction::Down);
        search.again();
        search.run(Direction::Up);
        let blocks: Vec<u32> = self.blocks().map(|block| search.distance[self.calls.start(block.0) as usize]).collect();
        let outcomes = self.outcomes_of_all().map(|goal| match self.target(goal) {
            Some(_) if targets.contains(goal) => 0,
            Some(block) => blocks[block.index()],
            None => FAR,
        });
        let outcomes = outcomes.collect();
        Distances { blocks, outcomes }
    }

    /// Is one of the targets `goal`, or on some path after it? For many goals ask [`Graph::distances_to`] once.
    pub fn reaches_any(&self, goal: GoalId, targets: &GoalSet) -> bool {
        self.distances_to(targets).from_outcome(goal).is_some()
    }

    /// Does control leave the graph for good at the block's end? It does in `exit`, and when `main` returns.
    pub(super) fn ends_program(&self, block: BlockId) -> bool {
        let entry = &self.blocks[block.index()];
        let is_first = || self.name(entry.function) == "main" || self.calls.lists_with(entry.function.0).is_empty();
        self.successors.of(block.0).is_empty() && if entry.returns { is_first() } else { entry.has_calls }
    }

    /// The fewest outcomes from the function's entry to a return; `None` if it never returns.
    pub fn returns_after(&self, function: super::FunctionId) -> Option<u32> {
        Some(self.returns_after[function.index()]).filter(|branches| *branches != FAR)
    }
}

/// For each function. What a call costs depends on this, and this on what calls cost; but the costs become known in
/// ascending order, so one search finds them all (D. Knuth, "A generalization of Dijkstra's algorithm", 1977).
pub fn returns_after(graph: &Graph) -> Vec<u32> {
    let mut search = Search::new(graph);
    for block in graph.blocks().filter(|block| graph.returns(*block)) {
        search.reach(graph.calls.end(block.0), 0);
    }
    search.run(Direction::Return);
    let entry =
        |function| graph.entry(function).map_or(0, |block| search.distance[graph.calls.start(block.0) as usize]);
    graph.functions().map(entry).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// Within functions, and the entries of functions tell what it costs to call them.
    Return,
    Down,
    Up,
}

/// A shortest-path search backwards over points. Costs are small: a list of points for each distance is the queue.
struct Search<'a> {
    graph: &'a Graph,
    distance: Vec<u32>,
    settled: Vec<bool>,
    queue: Vec<Vec<u32>>,
    /// For each list of callees: the fewest branches from the call to behind it.
    call_cost: Vec<u32>,
    /// Lists, functions and the end of the program that have been dealt with: the first to come is the nearest.
    seen_lists: Vec<bool>,
    seen_functions: Vec<bool>,
    seen_end: bool,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Graph) -> Search<'a> {
        let calls = &graph.calls;
        let cost_of = |function: u32| match graph.returns_after.get(function as usize) {
            Some(cost) => *cost,
            None if graph.functions[function as usize].blocks.is_empty() => 0,
            None => FAR,
        };
        let cost = |list: u32| match calls.may_skip(list) {
            true => 0,
            false => calls.functions(list).iter().map(|function| cost_of(*function)).min().unwrap_or(0),
        };
        Search {
            graph,
            distance: vec![FAR; calls.points()],
            settled: vec![false; calls.points()],
            queue: Vec::new(),
            call_cost: (0..calls.list_count() as u32).map(cost).collect(),
            seen_lists: vec![false; calls.list_count()],
            seen_functions: vec![false; graph.functions.len()],
            seen_end: false,
        }
    }

    fn reach(&mut self, point: u32, distance: u32) {
        let distance = distance.min(FARTHEST);
        if distance < self.distance[point as usize] {
            self.distance[point as usize] = distance;
            if self.queue.len() <= distance as usize {
                self.queue.resize(distance as usize + 1, Vec::new());
            }
            self.queue[distance as usize].push(point);
        }
    }

    /// What has been found is where the next search starts from.
    fn again(&mut self) {
        self.settled.fill(false);
        self.seen_lists.fill(false);
        let found = std::mem::take(&mut self.distance);
        self.distance = vec![FAR; found.len()];
        for (point, distance) in found.into_iter().enumerate().filter(|(_, distance)| *distance != FAR) {
            self.reach(point as u32, distance);
        }
    }

    fn run(&mut self, direction: Direction) {
        let mut distance = 0;
        while distance < self.queue.len() {
            let Some(point) = self.queue[distance].pop() else {
                distance += 1;
                continue;
            };
            if !std::mem::replace(&mut self.settled[point as usize], true) {
                self.settle(point, distance as u32, direction);
            }
        }
        self.queue.clear();
    }

    fn settle(&mut self, point: u32, distance: u32, direction: Direction) {
        let graph = self.graph;
        if let Some(list) = graph.calls.list_before(point) {
            let cost = self.call_cost[list as usize];
            if cost != FAR {
                self.reach(point - 1, distance.saturating_add(cost));
            }
            if direction == Direction::Up && !std::mem::replace(&mut self.seen_lists[list as usize], true) {
                for &function in graph.calls.functions(list) {
                    self.return_from(function, distance);
                }
            }
            return;
        }
        let block = graph.calls.block_at(point);
        for &before in graph.predecessors.of(block) {
            let branches = u32::from(graph.blocks[before as usize].site.is_some());
            self.reach(graph.calls.end(before), distance + branches);
        }
        let function = graph.blocks[block as usize].function;
        if graph.entry(function) == Some(BlockId(block)) && direction != Direction::Up {
            for &list in graph.calls.lists_with(function.0) {
                if !std::mem::replace(&mut self.seen_lists[list as usize], true) {
                    self.call(list, distance, direction);
                }
            }
            let from_outside = direction == Direction::Down && graph.calls.is_handed_out(function.0);
            if from_outside && !std::mem::replace(&mut self.seen_end, true) {
                for block in graph.blocks().filter(|block| graph.ends_program(*block)) {
                    self.reach(graph.calls.end(block.0), distance);
                }
            }
        }
    }

    /// The nearest entry of the functions of a list has been settled.
    fn call(&mut self, list: u32, distance: u32, direction: Direction) {
        let is_new = direction == Direction::Return && distance < self.call_cost[list as usize];
        if is_new {
            self.call_cost[list as usize] = distance;
        }
        for &point in self.graph.calls.points_before(list) {
            if direction == Direction::Down {
                self.reach(point, distance);
            } else if is_new && self.settled[point as usize + 1] {
                self.reach(point, self.distance[point as usize + 1].saturating_add(distance));
            }
        }
    }

    fn return_from(&mut self, function: u32, distance: u32) {
        if std::mem::replace(&mut self.seen_functions[function as usize], true) {
            return;
        }
        for block in self.graph.functions[function as usize].blocks.clone() {
            if self.graph.blocks[block as usize].returns {
                self.reach(self.graph.calls.end(block), distance);
            }
        }
    }
}
