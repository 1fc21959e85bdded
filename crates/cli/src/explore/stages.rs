//! `explore --stages`: what comes before the symbolic stage.

use crate::failure::Failure;
use crate::suite::{Case, Variants, read_cases, recorder_or_warning};
use offshoot_campaign::explore::{Options, Sink};
use offshoot_campaign::stages::{Found, MUTATION, Plan, SYMBOLIC, Stage, prepare};
use offshoot_campaign::store::Campaign;
use offshoot_campaign::{Event, Seed, Sites};
use offshoot_suite::Input;
use serde::Deserialize;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Replaces the seeds by those to explore from, and takes the time that it needed off the budget.
pub fn before(options: &mut Options, sites: &Sites, show: &mut Sink<'_>) -> Result<(), Failure> {
    if options.resume {
        return seeds_of_last_time(options);
    }
    let start = Instant::now();
    let variants = Variants::none()?;
    let counting = variants.make(&options.program)?;
    if options.time.is_none() {
        let text = "no --time: mutation goes on until coverage is saturated";
        show(&Event::Warning { text: text.to_owned() });
    }
    let plan = Plan {
        settings: &options.settings,
        sites,
        counting: &counting,
        recorder: recorder_or_warning(),
        seeds: &options.seeds,
        time: options.time,
        depth_first: options.strategy.starts_with("dfs"),
        rng_seed: options.rng_seed,
        jobs: options.jobs,
    };
    let prepared = prepare(&plan, show).map_err(Failure::internal)?;
    options.seeds = prepared.seeds;
    options.found = prepared.found;
    options.stages = prepared.stages;
    options.time = options.time.map(|time| time.saturating_sub(start.elapsed()));
    Ok(())
}

/// Seeds are the first tests of a campaign, in their order: what comes before the symbolic stage is not done again.
fn seeds_of_last_time(options: &mut Options) -> Result<(), Failure> {
    let campaign = Campaign::of(&options.out).map_err(Failure::usage)?;
    if campaign.seeds.is_empty() {
        let out = options.out.display();
        return Err(Failure::usage(format!(
            "the campaign in {out} ended before its first seed; explore again without --resume"
        )));
    }
    let mut cases = read_cases(&options.out.join("tests"), "")?;
    cases.truncate(campaign.seeds.len());
    let seed = |case: Case| Seed {
        flaky: case.test.flaky.clone(),
        ..Seed::new(case.name, Input::of(Arc::new(case.test.command), case.test.bytes))
    };
    options.seeds = cases.into_iter().map(seed).collect();
    options.found = found_last_time(&options.out)?;
    options.stages = stages_of_last_time(&options.out);
    Ok(())
}

/// Those that are not made again; none if it ended before it wrote them down.
fn stages_of_last_time(out: &Path) -> Vec<Stage> {
    #[derive(Deserialize)]
    struct Stats {
        stages: Vec<Stage>,
    }
    let stats = std::fs::read(out.join("stats.json")).ok();
    let stats: Option<Stats> = stats.and_then(|text| serde_json::from_slice(&text).ok());
    let mut stages = stats.map_or(Vec::new(), |stats| stats.stages);
    stages.retain(|stage| stage.name != SYMBOLIC);
    stages
}

/// The findings that no run of the symbolic stage makes again.
fn found_last_time(out: &Path) -> Result<Vec<Found>, Failure> {
    let folder = out.join("findings");
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let found = |case: Case| {
        let note = std::fs::read(case.folder.join("note.json")).ok()?;
        let note: serde_json::Value = serde_json::from_slice(&note).ok()?;
        let text = |key: &str| note[key].as_str().map(str::to_owned);
        let confirmed = note["confirmed"] == true;
        (note["stage"] == MUTATION).then_some(())?;
        Some(Found { test: case.test, kind: text("finding")?, place: text("place")?, confirmed })
    };
    Ok(read_cases(&folder, "findings/")?.into_iter().filter_map(found).collect())
}
