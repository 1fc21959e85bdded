//! `offshoot rank`: which tests come first.

use super::cases::Folder;
use super::measure::{Measured, measure};
use super::running::Running;
use super::{json, print_json};
use crate::failure::Failure;
use crate::output::print;
use clap::{Args, ValueEnum};
use fixedbitset::FixedBitSet;
use offshoot_base::{Exit, FORMAT_VERSION};
use offshoot_campaign::store;
use offshoot_suite::{Order, rank, steady_first};
use serde::Serialize;
use std::fmt::Write;
use std::process::ExitCode;

/// In the folder of the tests.
pub const ORDER: &str = "order.json";

/// Put the tests of a campaign in order: which to run, or to explore from, first.
///
/// Each test is run once for what it covers. The order is printed, with what each test adds to those before it, and
/// written to DIR/order.json, by which `explore --suite DIR` and `check --suite DIR` go. Flaky tests are behind all others.
#[derive(Args)]
#[command(after_help = "Examples:
  offshoot rank
  offshoot rank --by fpf --rng-seed 7 -o offshoot.out -j 2
  offshoot rank --reduced --by shortest --json | jq -r '.tests[].test'

Orders are those of \"Using Test Case Reduction and Prioritization to Improve Symbolic Execution\" (ISSTA 2014); where one
leaves a choice, --rng-seed makes it.

Exit: 0 clean, 2 usage, 4 no tests, 130 interrupted.")]
pub struct Rank {
    /// What comes first
    #[arg(long, value_name = "ORDER", default_value = "auto")]
    by: By,
    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    rng_seed: u64,
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    running: Running,
    /// Print what order.json holds and nothing else
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum By {
    /// Any order: what the others are measured against
    Random,
    /// Most branches covered
    Total,
    /// Most branches that no earlier test covers
    Additional,
    /// Furthest from all earlier tests in what it covers
    Fpf,
    /// Shortest path
    Shortest,
    /// `additional` as long as it adds, then `fpf`
    Auto,
}

#[derive(Serialize)]
struct Ranking<'a> {
    version: u32,
    by: &'static str,
    rng_seed: u64,
    /// Of DIR/reduced, not of DIR/tests.
    reduced: bool,
    covered: usize,
    total: u32,
    tests: Vec<Place<'a>>,
}

#[derive(Serialize)]
struct Place<'a> {
    test: &'a str,
    id: String,
    /// Branches that no earlier test covers.
    gain: usize,
    /// By this test and all earlier ones.
    covered: usize,
    branches: usize,
    path_length: u64,
    /// Why its runs need not be alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    flaky: Option<&'a str>,
}

impl Rank {
    pub fn run(self) -> Result<ExitCode, Failure> {
        let order = match self.by {
            By::Random => Order::Random,
            By::Total => Order::Total,
            By::Additional => Order::Additional,
            By::Fpf => Order::Fpf,
            By::Shortest => Order::Shortest,
            By::Auto => Order::Auto { depth_first: false },
        };
        let measured = measure(self.folder.tests()?, &self.running, self.json)?;
        let ranked = rank(order, &measured.profiles, self.rng_seed);
        let ranked = steady_first(&ranked, |at| measured.cases[at].test.flaky.is_some());
        let tests = places(&measured, &ranked);
        let ranking = Ranking {
            version: FORMAT_VERSION,
            by: order.name(),
            rng_seed: self.rng_seed,
            reduced: self.folder.reduced,
            covered: measured.covered(),
            total: measured.total,
            tests,
        };
        let path = self.folder.output.join(ORDER);
        store::replace(&path, json(&ranking)?.as_bytes()).map_err(Failure::usage)?;
        if self.json {
            print_json(&ranking)?;
        } else {
            print(&text(&ranking, &path.display().to_string()))?;
        }
        Ok(Exit::Clean.into())
    }
}

fn places<'a>(measured: &'a Measured, order: &[usize]) -> Vec<Place<'a>> {
    let mut seen = FixedBitSet::new();
    let mut covered = 0;
    let place = |&at: &usize| {
        let (case, profile) = (&measured.cases[at], &measured.profiles[at]);
        let gain = profile.branches.difference(&seen).count();
        seen.union_with(&profile.branches);
        covered += gain;
        Place {
            test: &case.name,
            id: case.test.id().to_string(),
            gain,
            covered,
            branches: profile.branches.count_ones(..),
            path_length: profile.path_length,
            flaky: case.test.flaky.as_deref(),
        }
    };
    order.iter().map(place).collect()
}

fn text(ranking: &Ranking<'_>, path: &str) -> String {
    let mut text = format!("{:<16}  {:>6}  {:>8}  {:>8}  {:>10}\n", "test", "gain", "covered", "branches", "path");
    for place in &ranking.tests {
        let Place { test, gain, covered, branches, path_length, flaky, .. } = place;
        let flaky = if flaky.is_some() { "  flaky" } else { "" };
        _ = writeln!(text, "{test:<16}  {gain:>6}  {covered:>8}  {branches:>8}  {path_length:>10}{flaky}");
    }
    let (count, by, covered, total) = (ranking.tests.len(), ranking.by, ranking.covered, ranking.total);
    _ = writeln!(text, "{count} tests by {by}; {covered} of {total} branch outcomes; written to {path}");
    text
}
