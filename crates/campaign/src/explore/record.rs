//! What comes back from a run: coverage, tests, findings, and what is written down of it.

use super::endings::{finding, in_words, place, seen, was_cut};
use super::{ExploreError, Shared, State};
use crate::coverage::Gained;
use crate::event::{ChangedByte, Ending, Event};
use crate::fitness;
use crate::journal::Line;
use crate::ledger::Book;
use crate::profile;
use crate::seed::Seed;
use crate::stages::{Found, MUTATION};
use crate::stats;
use crate::target::TargetError;
use crate::worker::{Ran, Worker};
use offshoot_expr::TraceView;
use offshoot_run::{Policy, Status};
use offshoot_search::tree::Inserted;
use offshoot_search::{Candidate, Step, Verdict};
use offshoot_suite::{Edit, Input, Origin, Test};
use serde::Serialize;
use std::time::{Duration, Instant};

/// How often `Progress` is emitted and `stats.json` rewritten.
const PULSE: Duration = Duration::from_millis(250);
const REWRITE: Duration = Duration::from_secs(5);

/// Of a run that was not to have all of its time: it hangs if it took so many times as long as the slowest one that came to
/// its end, and at least this long.
const SLOWER: u32 = 20;
const HANG: Duration = Duration::from_secs(5);

/// What the end of a run says.
enum End {
    /// With what is found for the first time: its kind, its place, and whether it happens without a trace, too.
    Over(Option<(String, String, bool)>),
    /// With more time it may have come to another one.
    GivenUp,
}

#[derive(Serialize)]
struct Description<'a> {
    format: u32,
    id: u32,
    parent: Option<u32>,
    flipped: Option<String>,
    changed: &'a [ChangedByte],
    status: String,
    gain: u32,
    /// What it covers that none before did.
    goals: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    finding: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmed: Option<bool>,
    stderr: String,
}

/// The note of a seed that was not run.
#[derive(Serialize)]
struct Unrun {
    format: u32,
    id: u32,
    status: &'static str,
}

/// The note of what mutation found.
#[derive(Serialize)]
struct Note<'a> {
    format: u32,
    id: u32,
    stage: &'static str,
    finding: &'a str,
    place: &'a str,
    confirmed: bool,
}

impl State<'_> {
    /// A run came back: what it covers, where it went, whether it is a test or a finding. Gives the goals it gained;
    /// `None`: it was given up too soon to say.
    pub(super) fn record(
        &mut self,
        shared: &Shared<'_>,
        worker: &mut Worker,
        input: Input,
        edits: &[Edit],
        ran: Ran,
        from: Option<Candidate>,
    ) -> Result<Option<u32>, ExploreError> {
        let End::Over(new_finding) = self.end_of(shared, worker, &input, &ran)? else { return Ok(None) };
        if !was_cut(ran.execution.status) {
            self.slowest = self.slowest.max(ran.execution.wall);
        }
        self.snapshot.iterations += 1;
        let view = TraceView::new(&ran.execution.trace).map_err(TargetError::from)?;
        self.ledger.observe(&view, shared.sites);
        let test = self.snapshot.tests as u32;
        let Gained { goals, gain } = self.covered.add(&view, test);
        if gain > 0 {
            self.last_gain = Instant::now();
        }
        if let Some(candidate) = from.filter(|_| !self.replaying) {
            self.store.journal(&Line::ran(candidate, edits))?;
        }
        let changed = self.changed_bytes(edits, from);
        let flipped = from.and_then(|candidate| {
            let step = self.tree.step(candidate.run, candidate.depth)?;
            let place = shared.sites.place(step.site)?;
            Some(format!("{place} to {}", shared.sites.outcome_name(step.site, candidate.outcome)))
        });
        let parent = from.and_then(|candidate| self.tests.get(&candidate.run).copied());
        let stderr = ran.execution.stderr.text();
        let stderr: String = stderr.chars().take(2000).collect();
        let status = ran.execution.status;
        let mut description = Description {
            format: offshoot_base::FORMAT_VERSION,
            id: test,
            parent,
            flipped: flipped.clone(),
            changed: &changed,
            status: in_words(status),
            gain,
            goals: goals.iter().map(|&goal| shared.sites.goal_name(goal)).collect(),
            finding: None,
            confirmed: None,
            stderr,
        };
        let sandboxed = shared.options.settings.policy == Policy::Sandboxed;
        let case = |origin| {
            let mut case = input.test(origin);
            // Without a sandbox a run cannot be given files.
            if sandboxed {
                case.bring(profile::files_read(&view));
            }
            case.expectation = seen(&ran.execution);
            case.flaky = Seed::flaky(&shared.options.seeds, &input);
            case
        };
        let origin = self.origin(from, edits, flipped.clone());
        if gain > 0 || from.is_none() {
            let case = case(origin.clone());
            self.store.case(&format!("tests/{test:06}"), &case, &description)?;
            self.ids.push(case.id());
            self.snapshot.tests += 1;
        }
        if let Some((kind, place, confirmed)) = new_finding {
            self.findings.insert((kind.clone(), place.clone()));
            let id = self.snapshot.findings as u32;
            self.snapshot.findings += 1;
            description.finding = Some(&kind);
            description.confirmed = Some(confirmed);
            let folder = format!("findings/{id:04}");
            self.store.case(&folder, &case(origin), &description)?;
            let changed = changed.clone();
            self.emit(&Event::Finding { id, kind: kind.clone(), place, confirmed, changed });
            if confirmed && shared.options.stop_at_finding {
                self.ending.get_or_insert(Ending::Finding);
            }
        }
        if gain > 0 && from.is_some() {
            let covered = self.covered.criterion().covered();
            let (iteration, elapsed_s) = (self.snapshot.iterations, shared.start.elapsed().as_secs_f64());
            let (flipped, changed) = (flipped.clone(), changed.clone());
            self.hand_out(shared, test, &input, parent);
            self.emit(&Event::Test { id: test, parent, flipped, changed, gain, covered, iteration, elapsed_s });
        }
        match self.tree.insert(&ran.steps, from) {
            Inserted::New { run, .. } => {
                debug_assert_eq!(run.0 as usize, self.inputs.len());
                self.inputs.push(input);
                if gain > 0 || from.is_none() {
                    self.tests.insert(run, test);
                }
                if self.strategy.wants_fitness() {
                    self.strategy.fitness(run, &fitness::fitness(&view, shared.sites, &self.covered));
                }
                self.strategy.observe(&self.tree, &self.covered, run, from);
                if let Some(candidate) = from {
                    self.judge(candidate, Verdict::Run(run), gain);
                }
                worker.remember(run, ran.execution.trace)?;
            }
            Inserted::Known { run } => {
                if let Some(candidate) = from {
                    self.judge(candidate, Verdict::Run(run), gain);
                }
            }
            Inserted::Diverged { at, expected, found } => {
                self.snapshot.divergences += 1;
                if let Some(candidate) = from {
                    if let Some(step) = self.tree.step(candidate.run, candidate.depth) {
                        self.trust.diverged(step.site, candidate.outcome);
                    }
                    let step = |step: Step| shared.sites.step_name(step);
                    let (expected, found) = (step(expected), found.map(step));
                    self.emit(&Event::Diverged { flipped, at, of: candidate.depth, expected, found, changed });
                    self.judge(candidate, Verdict::Diverged, gain);
                }
            }
        }
        Ok(Some(gain))
    }

    /// A seed as a test of which nothing is known.
    pub(super) fn unrun(&mut self, input: &Input, flaky: Option<String>) -> Result<(), ExploreError> {
        let id = self.snapshot.tests as u32;
        let test = Test { flaky, ..input.test(Origin::Seed) };
        let note = Unrun { format: offshoot_base::FORMAT_VERSION, id, status: "not run" };
        self.store.case(&format!("tests/{id:06}"), &test, &note)?;
        self.ids.push(test.id());
        self.snapshot.tests += 1;
        Ok(())
    }

    /// Runs what may be a finding once more, as its user would.
    fn end_of(&self, shared: &Shared<'_>, worker: &Worker, input: &Input, ran: &Ran) -> Result<End, ExploreError> {
        let (status, runner) = (ran.execution.status, worker.runner());
        let may_go_on = runner.gave_up(status);
        let patience = (self.slowest * SLOWER).max(HANG).min(shared.options.settings.budgets.wall);
        // What an earlier campaign has kept stays, whatever time its runs have now.
        let had_enough = self.replaying || runner.settings().budgets.wall >= patience;
        if status == Status::Interrupted || may_go_on && !had_enough {
            return Ok(End::GivenUp);
        }
        let Some(kind) = finding(status) else { return Ok(End::Over(None)) };
        let place = place(&ran.steps, shared.sites);
        let identity = (kind, place);
        if self.findings.contains(&identity) {
            return Ok(End::Over(None));
        }
        let left = shared.left().filter(|_| !self.replaying);
        let settings = match left {
            Some(left) => runner.settings().within(left.max(patience)),
            None => runner.settings().clone(),
        };
        let replayed = settings.target((*input.command).clone()).replay(&input.bytes())?;
        let (kind, place) = identity;
        let confirmed = finding(replayed).as_ref() == Some(&kind);
        Ok(match confirmed || !may_go_on {
            true => End::Over(Some((kind, place, confirmed))),
            false if self.replaying => End::Over(None),
            false => End::GivenUp,
        })
    }

    /// Before any seed, so that an earlier campaign that goes on numbers its findings as it did.
    pub(super) fn found(&mut self, shared: &Shared<'_>, found: &Found) -> Result<(), ExploreError> {
        let Found { test, kind, place, confirmed } = found;
        if !self.findings.insert((kind.clone(), place.clone())) {
            return Ok(());
        }
        let id = self.snapshot.findings as u32;
        self.snapshot.findings += 1;
        let format = offshoot_base::FORMAT_VERSION;
        let note = Note { format, id, stage: MUTATION, finding: kind, place, confirmed: *confirmed };
        self.store.case(&format!("findings/{id:04}"), test, &note)?;
        let (kind, place, confirmed) = (kind.clone(), place.clone(), *confirmed);
        self.emit(&Event::Finding { id, kind, place, confirmed, changed: Vec::new() });
        if confirmed && shared.options.stop_at_finding {
            self.ending.get_or_insert(Ending::Finding);
        }
        Ok(())
    }

    fn origin(&self, from: Option<Candidate>, edits: &[Edit], flipped: Option<String>) -> Origin {
        let Some(parent) = from.and_then(|candidate| self.inputs.get(candidate.run.0 as usize)) else {
            return Origin::Seed;
        };
        // The test has brought files that the input does not name.
        let stored = from.and_then(|candidate| self.ids.get(*self.tests.get(&candidate.run)? as usize).cloned());
        let parent = stored.unwrap_or_else(|| parent.test(Origin::Seed).id());
        Origin::Generated { parent, flipped: flipped.unwrap_or_default(), changed: edits.to_vec() }
    }

    fn changed_bytes(&self, edits: &[Edit], from: Option<Candidate>) -> Vec<ChangedByte> {
        let parent = from.and_then(|candidate| self.inputs.get(candidate.run.0 as usize)).map(Input::bytes);
        let old = |edit: &Edit| parent.as_ref()?.get(&edit.source)?.get(edit.offset as usize).copied();
        edits
            .iter()
            .map(|edit| ChangedByte {
                source: edit.source.to_string(),
                offset: edit.offset,
                old: old(edit),
                new: edit.value,
            })
            .collect()
    }

    pub(super) fn refresh(&mut self, shared: &Shared<'_>) {
        self.snapshot.coverage.branch =
            stats::Covered { covered: self.covered.count(), total: shared.sites.goal_count() };
        let criterion = self.covered.criterion();
        if criterion.name() != "branch" || shared.options.focus.is_some() {
            let covered = stats::Covered { covered: criterion.covered(), total: criterion.total() };
            let name = if criterion.name() == "branch" { "focus" } else { criterion.name() };
            self.snapshot.coverage.others.insert(name, covered);
        }
        if let Some(sync) = &self.sync {
            self.snapshot.sync = Some(sync.counts);
        }
        self.snapshot.elapsed_s = shared.start.elapsed().as_secs_f64();
        self.snapshot.since_gain_s = self.last_gain.elapsed().as_secs_f64();
        self.snapshot.peak_rss_bytes = stats::peak_rss_bytes();
        self.snapshot.strategy = self.strategy.name();
    }

    pub(super) fn pulse(&mut self, shared: &Shared<'_>) {
        if self.last_pulse.elapsed() < PULSE {
            return;
        }
        self.last_pulse = Instant::now();
        self.refresh(shared);
        let snapshot = self.snapshot.clone();
        self.emit(&Event::Progress(snapshot));
        if self.last_rewrite.elapsed() >= REWRITE {
            self.last_rewrite = Instant::now();
            if let Err(error) = self.write_out(shared) {
                self.failure.get_or_insert(error);
            }
        }
    }

    pub(super) fn write_out(&mut self, shared: &Shared<'_>) -> Result<(), ExploreError> {
        let book = self.book(shared);
        self.store.flush()?;
        self.store.replace_json("stats.json", &self.snapshot)?;
        self.store.replace_json("ledger.json", &book)?;
        Ok(())
    }

    /// Why what is open is open.
    pub(super) fn book(&mut self, shared: &Shared<'_>) -> Book {
        let program = shared.options.program.display().to_string();
        let mut book = self.ledger.close(&program, shared.sites, self.covered.tests());
        let snapshot = &self.snapshot;
        let is_done = matches!(self.ending, Some(Ending::Exhausted | Ending::Filtered));
        let given_up = snapshot.queries.unknown + snapshot.divergences + snapshot.passed_over + snapshot.findings;
        let given_up = given_up + self.given_up;
        let is_whole = self.tree.statistics().forgotten_steps == 0;
        let is_proof = is_done && given_up == 0 && is_whole && self.ledger.is_exact();
        self.ledger.add_pairs(&mut book, shared.sites, &self.covered.lacking(), self.covered.tests(), is_proof);
        let is_about_pairs = self.covered.criterion().name() == "mcdc";
        self.snapshot.infeasible = (is_proof && is_about_pairs).then_some(book.pairs.len() as u32);
        book
    }
}
