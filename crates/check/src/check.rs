//! The loop: all seeds at distance 0, the ways that none of them takes, turns, then distances 1, 2, 3 … until the budget ends
//! (ZESTI, §IV, Figure 2).
//!
//! Where we differ: a memory access through a concrete address leaves no event, so it is no point that distances are
//! counted from; the end of the run is one instead, and every run beside a seed's path is run by the judge too.

mod engine;
mod record;
mod untaken;

use crate::event::Event;
use crate::finding::FINGERPRINTS;
use crate::judge::Judged;
use crate::kinds::Check;
use crate::path::{Flip, Path};
use crate::stats::{SeedCount, Summary};
use crate::subject::{Known, Subject};
use engine::Engine;
use offshoot_campaign::explore::in_words;
use offshoot_campaign::runner::Settings;
use offshoot_campaign::store::StoreError;
use offshoot_campaign::target::TargetError;
use offshoot_campaign::{Ending, Seed};
use offshoot_run::Status;
use offshoot_solve::Limits;
use offshoot_suite::{Edit, Input};
use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};
use untaken::Beside;

pub struct Options {
    pub settings: Settings,
    /// Flaky ones last.
    pub seeds: Vec<Seed>,
    pub checks: Vec<&'static dyn Check>,
    pub max_distance: Option<u32>,
    pub time: Option<Duration>,
    /// Over all distances, for one seed.
    pub per_test: Option<Duration>,
    /// `f(D) = factor · D`: how far beside a path to go on, in decisions that can go both ways.
    pub factor: u32,
    /// Ways that no seed takes come before distance 1.
    pub untaken: bool,
    pub query: Limits,
    pub out: PathBuf,
}

#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("no seed could be run: {0}")]
    NoSeed(String),
}

impl From<offshoot_expr::ViewError> for CheckError {
    fn from(error: offshoot_expr::ViewError) -> CheckError {
        CheckError::Target(error.into())
    }
}

pub type Sink<'a> = dyn FnMut(&Event) + 'a;

/// What there is to know of a program, when the first seed that runs it comes up; or why it cannot be looked at.
pub type Load<'a> = dyn FnMut(&std::path::Path) -> Result<Subject, String> + 'a;

/// A seed's path between the rounds.
struct Checked {
    name: String,
    is_flaky: bool,
    path: Path,
    decisions: usize,
    operations: usize,
    /// How far each point has come on its way back: the decisions before it that are still ahead.
    cursors: BTreeMap<usize, Option<usize>>,
    spent: Duration,
}

/// A seed takes at most so many times what would be left for each.
const SHARES: u32 = 2;
const MIN_SHARE: Duration = Duration::from_secs(1);

/// Bytes of traces that are kept between the rounds.
const TRAILS: usize = 256 << 20;

/// `options.out` must be there, with a folder `findings`.
pub fn check<'a>(options: &'a Options, load: &'a mut Load<'a>, sink: &'a mut Sink<'a>) -> Result<Summary, CheckError> {
    let program = programs(&options.seeds);
    let mut engine = Engine::new(options, load, sink);
    engine.emit(&Event::Started {
        program: program.clone(),
        seeds: options.seeds.len(),
        checks: options.checks.iter().map(|check| check.name()).collect(),
    });
    let mut left: VecDeque<&Seed> = options.seeds.iter().collect();
    let mut seeds = Vec::new();
    let looks_beside = options.untaken && options.max_distance != Some(0);
    if looks_beside {
        // Of a large suite, distance 0 alone could take all of the time.
        let half = options.time.map(|time| engine.start + time / 2);
        engine.distance_0(&mut left, &mut seeds, half)?;
        engine.look_beside(&mut seeds)?;
    }
    if !left.is_empty() {
        let end = options.time.map(|time| engine.start + time);
        engine.distance_0(&mut left, &mut seeds, end)?;
        if looks_beside && !engine.over_budget() {
            engine.look_beside(&mut seeds)?;
        }
    }
    engine.counts.seeds_not_reached = left.len() as u64;
    let mut completed = (engine.ending.is_none() && !engine.cut && left.is_empty()).then_some(0);
    let mut distance = 0;
    while engine.ending.is_none() && options.max_distance.is_none_or(|limit| distance < limit) {
        distance += 1;
        engine.emit(&Event::Distance { distance });
        let more = engine.round(&mut seeds, distance)?;
        if engine.ending.is_none() && !engine.cut {
            completed = Some(distance);
        }
        if !more {
            break;
        }
    }
    engine.postponed()?;
    let ending = engine.ending.unwrap_or(if engine.cut { Ending::Time } else { Ending::Exhausted });
    engine.finish();
    let Engine { counts, lines, findings, unconfirmed, .. } = engine;
    let seed = |seed: Checked| SeedCount {
        name: seed.name,
        status: in_words(seed.path.status),
        symbolic_decisions: seed.decisions,
        operations: seed.operations,
        seconds: seed.spent.as_secs_f64(),
    };
    Ok(Summary {
        format: offshoot_base::FORMAT_VERSION,
        program,
        ending,
        completed_distance: completed,
        counts,
        lines,
        fingerprints: FINGERPRINTS,
        findings: findings.into_vec(),
        known: Vec::new(),
        sample: None,
        unconfirmed,
        seeds: seeds.into_iter().map(seed).collect(),
    })
}

impl Engine<'_> {
    /// Every sensitive operation of the seeds' own paths, for as many of those that are `left` as there is time for.
    fn distance_0(
        &mut self,
        left: &mut VecDeque<&Seed>,
        seeds: &mut Vec<Checked>,
        end: Option<Instant>,
    ) -> Result<(), CheckError> {
        let begin = Instant::now();
        let mut last_error = String::from("there is none");
        while let Some(Seed { name, input, flaky }) = left.front() {
            if self.over_budget() || end.is_some_and(|end| Instant::now() >= end) {
                break;
            }
            left.pop_front();
            let turned = self.turn_to(&input.command);
            let start = Instant::now();
            let ran = turned.and_then(|()| self.run(input.clone()).map_err(|error| error.to_string()));
            let mut path = match ran {
                Ok(path) => path,
                Err(error) => {
                    last_error = format!("{name}: {error}");
                    self.emit(&Event::Warning { text: last_error.clone() });
                    self.counts.seeds_left_out += 1;
                    continue;
                }
            };
            self.emit(&Event::Seed {
                name: name.clone(),
                status: in_words(path.status),
                operations: path.operations.len(),
                symbolic_decisions: path.steps.len(),
            });
            self.until = self.end_of(start.elapsed(), end, 1 + left.len());
            if has_ended_before(&path) {
                let text = format!(
                    "{name}: {} here, though it ended when it was recorded; --run-time may be too short for it",
                    in_words(path.status)
                );
                self.emit(&Event::Warning { text });
            } else {
                self.judge_run(&mut path, name, 0)?;
            }
            self.check_operations(&mut path, name, 0, 0..usize::MAX)?;
            let points = path.operations.iter().map(|operation| operation.step).chain([path.steps.len()]);
            let cursors = points.map(|point| (point, Some(point))).collect();
            let (decisions, operations) = (path.steps.len(), path.operations.len());
            // What comes now is counted from the points.
            path.operations = Vec::new();
            seeds.push(Checked {
                name: name.clone(),
                is_flaky: flaky.is_some(),
                path,
                decisions,
                operations,
                cursors,
                spent: start.elapsed(),
            });
            save_memory(seeds);
        }
        self.counts.distance_0_s += begin.elapsed().as_secs_f64();
        if seeds.is_empty() && left.is_empty() && self.ending.is_none() {
            return Err(CheckError::NoSeed(last_error));
        }
        Ok(())
    }

    fn look_beside(&mut self, seeds: &mut [Checked]) -> Result<(), CheckError> {
        let cut = self.cut;
        self.beside(seeds, Beside::Ways)?;
        self.beside(seeds, Beside::Turns)?;
        // What ends there says nothing about the distances.
        self.cut = cut;
        Ok(())
    }

    /// One unit of distance more for every seed. Gives whether there may be more at the next one.
    fn round(&mut self, seeds: &mut [Checked], distance: u32) -> Result<bool, CheckError> {
        let mut more = false;
        let end = self.options.time.map(|time| self.start + time);
        for at in 0..seeds.len() {
            let left = seeds.len() - at;
            let seed = &mut seeds[at];
            let start = Instant::now();
            // What was run once can be turned to.
            if self.turn_to(&seed.path.input.command).is_err() {
                continue;
            }
            // Deepest first: it has the functionality that the test is about.
            let points: Vec<usize> = seed.cursors.keys().rev().copied().collect();
            self.until = self.end_of(seed.spent, end, left);
            for point in points {
                if self.is_over() {
                    self.cut = true;
                    break;
                }
                let Some(Some(cursor)) = seed.cursors.get(&point).copied() else { continue };
                if !self.recalled(seed)? {
                    break;
                }
                let divergence = self.divergence_before(&mut seed.path, cursor)?;
                seed.cursors.insert(point, divergence);
                if let Some(depth) = divergence {
                    more = true;
                    self.explore(&mut seed.path, &seed.name, depth, distance)?;
                }
            }
            seed.spent += start.elapsed();
            save_memory(seeds);
            if self.ending.is_some() {
                return Ok(true);
            }
        }
        Ok(more)
    }

    /// Whether the decisions and terms of a seed's path are there. If it takes another path this time, nothing is looked for
    /// beside it any more.
    fn recalled(&mut self, seed: &mut Checked) -> Result<bool, CheckError> {
        let is_same = self.recall(&mut seed.path)?;
        if !is_same {
            let text = format!("{}: another path this time, so nothing is looked for beside it", seed.name);
            self.emit(&Event::Warning { text });
            self.counts.divergences += 1;
            seed.cursors.clear();
        }
        Ok(is_same)
    }

    /// When a seed's turn ends that begins now: after `--per-test`, or when it has taken far more than its share of the time
    /// until `end`, with so many seeds left. One may have millions of decisions.
    fn end_of(&self, spent: Duration, end: Option<Instant>, left: usize) -> Option<Instant> {
        let now = Instant::now();
        let own = self.options.per_test.map(|limit| now + limit.saturating_sub(spent));
        let share = |end: Instant| now + MIN_SHARE.max(end.saturating_duration_since(now) * SHARES / left as u32);
        [own, end, end.map(share)].into_iter().flatten().min()
    }

    /// The last decision among the first `count` that can go both ways: one more unit of distance.
    fn divergence_before(&mut self, path: &mut Path, count: usize) -> Result<Option<usize>, CheckError> {
        for depth in (0..count).rev() {
            if self.is_over() {
                return Ok(None);
            }
            if !path.flips(depth, &mut self.asking())?.is_empty() {
                return Ok(Some(depth));
            }
        }
        Ok(None)
    }

    /// Bounded exploration behind the other outcomes of decision `depth`, breadth first, with a time to live of `f(D)`
    /// decisions that can go both ways (ZESTI, §V).
    fn explore(&mut self, from: &mut Path, seed: &str, depth: usize, distance: u32) -> Result<(), CheckError> {
        let mut queue = VecDeque::new();
        let time_to_live = self.options.factor.saturating_mul(distance);
        self.children(from, depth, time_to_live, &mut queue)?;
        while let Some(child) = queue.pop_front() {
            if self.is_over() {
                break;
            }
            let known = self.known(child.way);
            if known.is_some_and(|known| known.time_to_live >= child.time_to_live) {
                continue;
            }
            let mut path = self.run(child.input)?;
            if path.status == Status::Interrupted {
                break;
            }
            if known.is_none() {
                self.counts.paths += 1;
                self.judge_run(&mut path, seed, distance)?;
            }
            let predicted = path.steps.len() > child.depth && path.prefix(child.depth + 1) == child.way;
            if known.is_none() {
                self.went(&child.edits, predicted);
            }
            if !predicted {
                self.counts.divergences += u64::from(known.is_none());
                self.remember(child.way, Known { time_to_live: u32::MAX, checked: usize::MAX });
                continue;
            }
            let mut left = child.time_to_live;
            let mut end = child.depth + 1;
            while left > 0 && end < path.steps.len() && !self.is_over() {
                if !path.flips(end, &mut self.asking())?.is_empty() {
                    left -= 1;
                    self.children(&mut path, end, left, &mut queue)?;
                }
                end += 1;
            }
            // All operations up to the decision at which its life ends.
            let end = if left > 0 { usize::MAX } else { end };
            let checked = known.map_or(child.depth + 1, |known| known.checked);
            self.check_operations(&mut path, seed, distance, checked..end)?;
            let known = Known { time_to_live: child.time_to_live, checked: end.saturating_add(1) };
            self.remember(child.way, known);
        }
        Ok(())
    }

    fn children(
        &mut self,
        path: &mut Path,
        depth: usize,
        time_to_live: u32,
        queue: &mut VecDeque<Child>,
    ) -> Result<(), CheckError> {
        for Flip { outcome, edits } in path.flips(depth, &mut self.asking())? {
            let way = path.flipped_prefix(depth, outcome);
            if self.known(way).is_none() && self.strays(&edits) {
                continue;
            }
            let input = path.input.with(edits.iter().cloned());
            queue.push_back(Child { input, edits, depth, way, time_to_live });
        }
        Ok(())
    }

    /// Runs it by the judge too: what goes wrong through concrete addresses leaves no events.
    fn judge_run(&mut self, path: &mut Path, seed: &str, distance: u32) -> Result<(), CheckError> {
        let judged = match path.status {
            Status::TimedOut | Status::KilledBy(_) => self.timed(|judge| judge.judge_hang(&path.input))?,
            _ => self.timed(|judge| judge.judge(&path.input))?,
        };
        match judged {
            Judged::Clean(status) => {
                path.is_clean = true;
                self.counts.skipped.limited += u64::from(matches!(status, Status::KilledBy(_)));
                if distance == 0 && matches!(path.status, Status::Exited(_)) && status != path.status {
                    let (as_here, there) = (in_words(path.status), in_words(status));
                    let text = format!(
                        "{seed}: {as_here}, but under AddressSanitizer {there}: what goes wrong behind that is not seen"
                    );
                    self.emit(&Event::Warning { text });
                }
            }
            Judged::Failed(failure) => {
                self.record(&path.input, failure, seed, distance, None, Some(path))?;
            }
            Judged::Interrupted => {}
        }
        Ok(())
    }
}

/// The run of a recorded test did not come to its end: too little time for it, not an error of the program.
fn has_ended_before(path: &Path) -> bool {
    let is_recorded = !path.input.command.world.things.is_empty();
    is_recorded && matches!(path.status, Status::TimedOut | Status::KilledBy(_))
}

/// The programs that the seeds run, as their users call them; those with most seeds first.
fn programs(seeds: &[Seed]) -> String {
    const SHOWN: usize = 4;
    let mut programs: BTreeMap<&std::path::Path, (String, usize)> = BTreeMap::new();
    for Seed { input, .. } in seeds {
        let name = || input.command.name().display().to_string();
        programs.entry(&input.command.program).or_insert_with(|| (name(), 0)).1 += 1;
    }
    let mut programs: Vec<_> = programs.into_values().collect();
    programs.sort_by_key(|(_, seeds)| std::cmp::Reverse(*seeds));
    let names: Vec<&str> = programs.iter().take(SHOWN).map(|(name, _)| name.as_str()).collect();
    match programs.len().saturating_sub(SHOWN) {
        0 => names.join(", "),
        more => format!("{} and {more} more programs", names.join(", ")),
    }
}

/// A run beside a seed's path, to be made.
struct Child {
    input: Input,
    edits: Rc<[Edit]>,
    /// The decision that goes another way than in its parent.
    depth: usize,
    /// Identifies the decisions up to and with that one.
    way: u64,
    time_to_live: u32,
}

fn save_memory(seeds: &mut [Checked]) {
    let memory = |seed: &Checked| seed.path.trail.as_ref().map_or(0, |trail| trail.memory());
    let mut kept: usize = seeds.iter().map(memory).sum();
    // The last one first: each round starts with the first.
    for seed in seeds.iter_mut().rev() {
        if kept <= TRAILS {
            break;
        }
        kept -= memory(seed);
        seed.path.save_memory();
    }
}
