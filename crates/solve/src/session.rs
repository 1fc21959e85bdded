//! One solver for a campaign, one session for a path.

use crate::answer::{Answer, Change, Why};
use crate::cache::Cache;
use crate::chain::{Options, chain};
use crate::front;
use crate::ground::{Desk, Ground};
use crate::minimise::minimise;
use crate::problem::{Layer, Limits, Problem};
use crate::slice::Prefix;
use crate::stats::Stats;
use crate::values;
use offshoot_expr::hash::FastMap;
use offshoot_expr::{Input, Pool, SetId, TermId};
use std::time::{Duration, Instant};

/// Answers of a session that are tried again for a goal over the same bytes.
const RECENT: usize = 8;
/// Less time than this is none after another layer has used up its own.
const MOMENT: Duration = Duration::from_millis(250);

/// The chain of layers with what it remembers.
pub struct Solver {
    options: Options,
    layers: Vec<Box<dyn Layer>>,
    judge: Option<Box<dyn Layer>>,
    stats: Stats,
    /// Paths so far, and the one whose pool the layers may remember.
    paths: u64,
    current: u64,
    desk: Desk,
}

impl Solver {
    pub fn new(options: Options) -> Solver {
        let cache = Cache::new(options.cached);
        Solver::with_cache(options, cache)
    }

    /// With what an earlier campaign has kept.
    pub fn with_cache(options: Options, cache: Cache) -> Solver {
        Solver::with_layers(options, chain(cache))
    }

    /// With other layers than those of [`chain`]; what `options` switch off stays off.
    pub fn with_layers(options: Options, layers: Vec<Box<dyn Layer>>) -> Solver {
        let layers: Vec<_> = layers.into_iter().filter(|layer| options.is_on(layer.name())).collect();
        let mut stats = Stats::default();
        let fronts = [front::BYTE, front::RECENT, front::FIXED].into_iter().filter(|name| options.is_on(name));
        fronts.chain(layers.iter().map(|layer| layer.name())).for_each(|name| {
            stats.layer(name);
        });
        Solver { options, layers, judge: None, stats, paths: 0, current: 0, desk: Desk::default() }
    }

    /// Who is asked whether an `Unsat` is one, if the options want that.
    pub fn judged_by(mut self, judge: Box<dyn Layer>) -> Solver {
        self.judge = Some(judge);
        self
    }

    /// The cache, for [`Cache::from_bytes`]; `None` if it is switched off.
    pub fn keep(&self) -> Option<Vec<u8>> {
        self.layers.iter().find_map(|layer| layer.keep())
    }

    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// A path whose conditions are terms of `pool` and hold for `hint`.
    pub fn open<'s>(&'s mut self, pool: &'s mut Pool, hint: &'s Input) -> Session<'s> {
        self.resume(pool, hint, PathState::default())
    }

    /// Goes on with a path: `pool` and `hint` must be those of the session that was paused.
    pub fn resume<'s>(&'s mut self, pool: &'s mut Pool, hint: &'s Input, state: PathState) -> Session<'s> {
        let known = state.known.unwrap_or_else(|| {
            self.paths += 1;
            Known { path: self.paths, prefix: Prefix::default(), ground: Ground::new(hint), recent: FastMap::default() }
        });
        let is_current = known.path == self.current;
        if !is_current {
            self.forget();
            self.current = known.path;
        }
        let Known { path, prefix, mut ground, recent } = known;
        ground.sit_down(std::mem::take(&mut self.desk), is_current);
        Session { solver: self, pool, hint, prefix, ground, recent, path }
    }

    /// The pool of the sessions so far is gone.
    pub fn forget(&mut self) {
        self.layers.iter_mut().chain(&mut self.judge).for_each(|layer| layer.forget());
    }
}

/// What is known of a path between two sessions on it. A path has a pool of its own.
#[derive(Default)]
pub struct PathState {
    known: Option<Known>,
}

struct Known {
    path: u64,
    prefix: Prefix,
    ground: Ground,
    recent: FastMap<SetId, Vec<Vec<Change>>>,
}

/// One path.
pub struct Session<'s> {
    solver: &'s mut Solver,
    pool: &'s mut Pool,
    hint: &'s Input,
    prefix: Prefix,
    ground: Ground,
    recent: FastMap<SetId, Vec<Vec<Change>>>,
    path: u64,
}

impl Session<'_> {
    /// For [`Solver::resume`].
    pub fn pause(self) -> PathState {
        let Session { solver, path, prefix, mut ground, recent, .. } = self;
        solver.desk = ground.leave();
        PathState { known: Some(Known { path, prefix, ground, recent }) }
    }

    /// For making goals.
    pub fn pool(&mut self) -> &mut Pool {
        self.pool
    }

    /// How many conditions were pushed.
    pub fn len(&self) -> usize {
        self.prefix.len()
    }

    pub fn is_empty(&self) -> bool {
        self.prefix.is_empty()
    }

    /// The next condition of the path, of width 1. Constants and repetitions take a position, but no work. A condition
    /// that the hint does not satisfy is counted and left out: what is left is weaker than the path.
    pub fn push(&mut self, condition: TermId) {
        if self.ground.value(self.pool, condition) == 0 {
            self.solver.stats.foreign += 1;
            self.prefix.skip();
        } else if self.pool.value(condition).is_some() {
            self.prefix.skip();
        } else {
            self.prefix.push(self.pool, &mut self.ground, condition);
        }
    }

    /// The hint changed so that the first `upto` conditions and `goal` (of width 1) hold.
    pub fn solve(&mut self, upto: usize, goal: TermId, limits: Limits) -> Answer {
        let start = Instant::now();
        let upto = upto.min(self.prefix.len()) as u32;
        let answer = self.answer(upto, goal, limits, start);
        self.solver.stats.count(&answer, start.elapsed());
        answer
    }

    fn answer(&mut self, upto: u32, goal: TermId, limits: Limits, start: Instant) -> Answer {
        if let Some(value) = self.pool.value(goal) {
            return if value != 0 { Answer::Sat(Vec::new()) } else { Answer::Unsat };
        }
        let set = self.pool.support_id(goal);
        if self.ground.value(self.pool, goal) != 0 {
            return Answer::Sat(Vec::new());
        }
        let answer = self.ask_front(set, upto, goal);
        if !matches!(answer, Answer::Unknown(_)) {
            return answer;
        }
        let slice = self.prefix.slice(self.pool, set, upto);
        let mut terms = slice.terms;
        terms.push(goal);
        let answer = match self.reduce(&terms, limits) {
            Some(simpler) if self.pool.value(simpler).is_some() => self.judge(front::FIXED, &terms, limits),
            Some(simpler) => self.answer_simpler(upto, goal, simpler, limits, start),
            None => self.ask_layers(&terms, upto, goal, limits, start),
        };
        self.remember(set, answer)
    }

    /// The goal with the terms that the path has fixed replaced by their values. A goal that became constant is false,
    /// as it is for the hint.
    fn reduce(&mut self, terms: &[TermId], limits: Limits) -> Option<TermId> {
        if !self.solver.options.is_on(front::FIXED) {
            return None;
        }
        let begin = Instant::now();
        let (&goal, _) = terms.split_last()?;
        let mut problem = Problem { pool: self.pool, terms, hint: self.hint, limits };
        let fixed = values::fixed(&mut problem);
        let constants: FastMap<TermId, TermId> =
            fixed.into_iter().map(|(id, v)| (id, self.pool.constant(v, self.pool.width(id)))).collect();
        let simpler = if constants.is_empty() {
            None
        } else {
            Some(self.pool.substitute(goal, |id| constants.get(&id).copied())).filter(|&new| new != goal)
        };
        let decided = simpler.is_some_and(|simpler| self.pool.value(simpler).is_some());
        let answer = if decided { Answer::Unsat } else { Answer::Unknown(Why::NotMine) };
        self.solver.stats.layer(front::FIXED).count(&answer, begin.elapsed());
        simpler
    }

    /// `simpler` is equivalent to the goal under the prefix, and nearly always over fewer bytes.
    fn answer_simpler(&mut self, upto: u32, goal: TermId, simpler: TermId, limits: Limits, start: Instant) -> Answer {
        let set = self.pool.support_id(simpler);
        let answer = self.ask_front(set, upto, simpler);
        let answer = match answer {
            Answer::Unknown(_) => {
                let mut terms = self.prefix.slice(self.pool, set, upto).terms;
                terms.push(simpler);
                self.ask_layers(&terms, upto, simpler, limits, start)
            }
            answer => answer,
        };
        match answer {
            Answer::Sat(changes) if !holds(self.pool, &mut self.ground, &mut self.prefix, &changes, upto, goal) => {
                self.error(format!("the simpler form of term {} is not equivalent", goal.index()));
                Answer::Unknown(Why::GaveUp)
            }
            answer => answer,
        }
    }

    /// Who looks at the session itself.
    fn ask_front(&mut self, set: SetId, upto: u32, goal: TermId) -> Answer {
        if self.solver.options.is_on(front::BYTE) {
            let begin = Instant::now();
            let answer = front::byte(self.pool, &mut self.ground, &mut self.prefix, self.hint, upto, goal);
            let mut answer = self.guard(front::BYTE, answer, upto, goal, begin);
            if answer == Answer::Unsat && self.solver.options.solver_check {
                let mut terms = self.prefix.slice(self.pool, set, upto).terms;
                terms.push(goal);
                answer = self.judge(front::BYTE, &terms, Limits::default());
            }
            if !matches!(answer, Answer::Unknown(_)) {
                return self.remember(set, answer);
            }
        }
        if self.solver.options.is_on(front::RECENT)
            && let Some(recent) = self.recent.get(&set)
        {
            let begin = Instant::now();
            let (pool, ground, prefix) = (&*self.pool, &mut self.ground, &mut self.prefix);
            let again = recent.iter().rev().find(|changes| holds(pool, ground, prefix, changes, upto, goal));
            let answer = again.map_or(Answer::Unknown(Why::NotMine), |changes| Answer::Sat(changes.clone()));
            self.solver.stats.layer(front::RECENT).count(&answer, begin.elapsed());
            if let Answer::Sat(_) = answer {
                return answer;
            }
        }
        Answer::Unknown(Why::NotMine)
    }

    fn remember(&mut self, set: SetId, answer: Answer) -> Answer {
        if let Answer::Sat(changes) = &answer
            && self.pool.support_set(set).len() > 1
        {
            let recent = self.recent.entry(set).or_default();
            if recent.len() == RECENT {
                recent.remove(0);
            }
            recent.push(changes.clone());
        }
        answer
    }

    fn ask_layers(&mut self, terms: &[TermId], upto: u32, goal: TermId, limits: Limits, start: Instant) -> Answer {
        let mut why = Why::NotMine;
        for at in 0..self.solver.layers.len() {
            let Some(time) = limits.time.checked_sub(start.elapsed()) else {
                why = Why::Limit;
                break;
            };
            let begin = Instant::now();
            let layer = &mut self.solver.layers[at];
            let name = layer.name();
            // What a whole layer could not decide, the next will not in a moment; building the problem alone takes longer.
            if why == Why::Limit && time < MOMENT {
                break;
            }
            let mut problem = Problem { pool: self.pool, terms, hint: self.hint, limits: Limits { time } };
            let answer = layer.solve(&mut problem);
            let answer = self.guard(name, answer, upto, goal, begin);
            let answer = if answer == Answer::Unsat { self.judge(name, terms, limits) } else { answer };
            match answer {
                Answer::Unknown(Why::NotMine) => {}
                Answer::Unknown(other) => why = other,
                answer => {
                    let mut problem = Problem { pool: self.pool, terms, hint: self.hint, limits };
                    let layers = self.solver.layers.iter_mut().enumerate();
                    layers.filter(|&(other, _)| other != at).for_each(|(_, layer)| layer.learn(&mut problem, &answer));
                    return answer;
                }
            }
        }
        Answer::Unknown(why)
    }

    /// Counts an answer; checks and shortens a `Sat`. A wrong one is our bug, never the caller's problem.
    fn guard(&mut self, name: &'static str, answer: Answer, upto: u32, goal: TermId, begin: Instant) -> Answer {
        let (pool, ground, prefix) = (&*self.pool, &mut self.ground, &mut self.prefix);
        let (answer, wrong) = match answer {
            Answer::Sat(changes) => {
                if holds(pool, ground, prefix, &changes, upto, goal) {
                    let shorter =
                        minimise(changes, self.hint, |changes| holds(pool, ground, prefix, changes, upto, goal));
                    (Answer::Sat(shorter), false)
                } else {
                    (Answer::Unknown(Why::GaveUp), true)
                }
            }
            answer => (answer, false),
        };
        let stats = self.solver.stats.layer(name);
        stats.count(&answer, begin.elapsed());
        if wrong {
            stats.wrong += 1;
            self.error(format!("layer {name} gave values that do not satisfy term {} and its slice", goal.index()));
        }
        answer
    }

    fn judge(&mut self, name: &'static str, terms: &[TermId], limits: Limits) -> Answer {
        let Some(judge) = self.solver.judge.as_mut().filter(|_| self.solver.options.solver_check) else {
            return Answer::Unsat;
        };
        let mut problem = Problem { pool: self.pool, terms, hint: self.hint, limits };
        match judge.solve(&mut problem) {
            Answer::Sat(_) => {
                let other = judge.name();
                self.error(format!("layer {name} says unsat, {other} knows a solution ({} terms)", terms.len()));
                Answer::Unknown(Why::GaveUp)
            }
            _ => Answer::Unsat,
        }
    }

    fn error(&mut self, what: String) {
        /// More of the same help nobody.
        const KEPT: usize = 100;
        if self.solver.stats.errors.len() < KEPT {
            self.solver.stats.errors.push(what);
        }
    }
}

/// The goal and every condition that the changes can break hold. All others hold for the hint, so they still do.
fn holds(pool: &Pool, ground: &mut Ground, prefix: &mut Prefix, changes: &[Change], upto: u32, goal: TermId) -> bool {
    ground.under(pool, changes, |value| {
        value(goal) != 0 && prefix.touching(pool, changes, upto, |condition| value(condition) != 0)
    })
}
