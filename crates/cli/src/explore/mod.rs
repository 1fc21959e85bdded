//! `offshoot explore`: new tests from seeds.

mod display;
mod stages;

use crate::coverage::focus::Focus;
use crate::failure::Failure;
use crate::output::print;
use crate::progress::Progress;
use crate::seeds::{Around, Programs, SeedArgs};
use crate::target::{read_models, settings};
use crate::values;
use clap::Args;
use offshoot_base::Exit;
use offshoot_campaign::explore::{ExploreError, Options, explore};
use offshoot_campaign::runner::Settings;
use offshoot_campaign::store::{FOLDERS, fresh};
use offshoot_campaign::{Seed, Sites};
use offshoot_search::{strategy, structure};
use offshoot_solve::Limits;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Grow new tests: find inputs that make a program take branches no test takes yet.
///
/// Each seed is run once; then Offshoot chooses a decision of an earlier run, solves for an input that makes it go the
/// other way, runs that input, and keeps it as a test if it covers something new. Crashes and hangs are findings. The
/// program runs in a sandbox: what it writes goes nowhere.
#[derive(Args)]
#[command(after_help = "Examples:
  offshoot explore -- make check
  offshoot explore --suite sed.suite --program sed --time 5m
  offshoot explore --seed a.json --time 60s -- ./jsonlint @@
  offshoot explore --seed corpus/ --strategy cgs --iterations 1000 -- ./parser
  offshoot explore --time 30s -- ./cut -c 1-3
  offshoot explore --stages --seed corpus/ --time 10m -j 2 -- ./parser @@
  offshoot explore --sync afl.out --time 1h -- ./parser @@     # beside afl-fuzz -M main -o afl.out
  offshoot explore --resume -o offshoot.out --time 60s --seed a.json -- ./jsonlint @@

If PROGRAM was built by offshoot-cc, it is explored from its seeds. In ARGS, @@ stands for the seed file; without it a seed
is standard input. Any other command (make check, ctest, a script) is recorded first, as `offshoot record` does: each run of
a program built by offshoot-cc in it is a seed, with its own arguments, files and standard input. Arguments, standard input, files that the
program reads and the values of a harness are symbolic unless --symbolic says otherwise.

Exit: 0 clean, 1 findings, 2 usage, 130 interrupted (results are kept).")]
pub struct Explore {
    #[command(flatten)]
    from: SeedArgs,
    /// Of a suite whose tests run several programs, explore this one (default: the one with most tests)
    #[arg(long, value_name = "NAME")]
    program: Option<PathBuf>,
    /// First mutate the seeds until coverage no longer grows, then reduce and rank what was found, then explore
    #[arg(long)]
    stages: bool,
    /// Share tests with the fuzzers that work in DIR, as a secondary of a running `afl-fuzz -M NAME -o DIR`
    #[arg(long, value_name = "DIR")]
    sync: Option<PathBuf>,
    /// Which candidates come first; `--strategy help` lists them
    #[arg(long, value_name = "NAME", default_value = "auto")]
    strategy: String,
    /// What counts as covered; `--criterion help` lists them
    #[arg(long, value_name = "NAME", default_value = "branch")]
    criterion: String,
    #[command(flatten)]
    focus: Focus,
    /// Stop after this many inputs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    iterations: Option<u64>,
    /// Stop after this time (default 60s, if no other budget is given)
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    time: Option<Duration>,
    /// Stop when the tool itself uses this much memory
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    memory: Option<u64>,
    /// Stop as soon as everything is covered
    #[arg(long)]
    until_covered: bool,
    /// Stop at the first finding that happens without instrumentation too
    #[arg(long)]
    stop_at_finding: bool,
    /// Solve every candidate, also where nothing can be covered any more; do not stop when everything is covered
    #[arg(long)]
    no_filter: bool,
    /// Workers
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Seed of all random choices: with -j 1 the same seed gives the same run
    #[arg(long, value_name = "N", default_value_t = 0)]
    rng_seed: u64,
    /// Where results go; what was there is kept as DIR.old
    #[arg(short, long, value_name = "DIR", default_value = "offshoot.out")]
    output: PathBuf,
    /// Go on with the campaign in DIR
    #[arg(long)]
    resume: bool,
    /// What is symbolic: arg, arg:N, stdin, file, file:PATH, env:NAME, nondet, none; separated by commas
    #[arg(long, value_name = "SPEC", default_value = "arg,stdin,file,nondet")]
    symbolic: String,
    /// End a single run after this time; it is a finding then
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = values::duration)]
    run_time: Duration,
    /// Give up on a single query after this time
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = values::duration)]
    query_time: Duration,
    /// Let Z3 judge every answer of our own solver
    #[arg(long)]
    solver_check: bool,
    /// Keep the solver's answers here between campaigns (default: in the output folder, for --resume)
    #[arg(long, value_name = "FILE")]
    solver_cache: Option<PathBuf>,
    /// Print one JSON summary and nothing else
    #[arg(long)]
    json: bool,
    /// How progress is shown
    #[arg(long, value_name = "HOW", default_value = "auto")]
    progress: Progress,
}

impl Explore {
    pub fn run(self) -> Result<ExitCode, Failure> {
        if self.strategy == "help" {
            print(&strategies())?;
            return Ok(Exit::Clean.into());
        }
        if self.criterion == "help" {
            let line = |(name, help): &(&str, &str)| format!("{name:<19} {help}\n");
            print(&structure::NAMES.iter().map(line).collect::<String>())?;
            return Ok(Exit::Clean.into());
        }
        if !structure::NAMES.iter().any(|(name, _)| *name == self.criterion) {
            return Err(Failure::usage(ExploreError::Criterion(self.criterion)));
        }
        self.check_budgets()?;
        strategy::parse(&self.strategy, self.rng_seed).map_err(Failure::usage)?;
        let settings = settings(&self.symbolic, self.run_time)?;
        let mut seeds = self.from.read(&Around {
            verb: "explore",
            output: &self.output,
            settings: &settings,
            run_time: self.run_time,
            json: self.json,
            progress: self.progress,
            resume: self.resume,
        })?;
        let program = Programs::of(&seeds).choose(self.program.as_deref())?;
        let sites = Sites::new(&read_models(&program)?);
        let focus = self.focus.read()?.of_sites(sites.graph())?;
        let is_recorded = seeds.is_recorded();
        if is_recorded {
            fresh(&self.output, FOLDERS).map_err(Failure::usage)?;
            seeds.keep(&self.output)?;
        }
        seeds.seeds.retain(|seed| seed.input.command.program == program);
        let settings = Settings { config: offshoot_trace::layout::config::OPEN_ENDS, ..settings };
        let mut options = self.options(program, settings, seeds.seeds, is_recorded);
        options.focus = focus;
        let how = if self.json { Progress::None } else { self.progress.on_this_terminal() };
        let mut display = display::Display::new(how);
        if self.stages {
            stages::before(&mut options, &sites, &mut |event| display.show(event))?;
        }
        let mut show = |event: &offshoot_campaign::Event| display.show(event);
        let summary = explore(&options, &sites, &mut show).map_err(failure)?;
        display.end();
        if self.json {
            let text = serde_json::to_string_pretty(&summary.snapshot).map_err(Failure::internal)?;
            print(&(text + "\n"))?;
        } else {
            print(&display::summary(&summary, &self.output))?;
        }
        Ok(match summary.ending {
            offshoot_campaign::Ending::Interrupted => Exit::Interrupted,
            _ if summary.snapshot.findings > 0 => Exit::Findings,
            _ => Exit::Clean,
        }
        .into())
    }

    fn check_budgets(&self) -> Result<(), Failure> {
        let nothing =
            [("--time", self.time), ("--run-time", Some(self.run_time)), ("--query-time", Some(self.query_time))]
                .iter()
                .find_map(|(name, time)| (*time == Some(Duration::ZERO)).then_some(*name))
                .or((self.memory == Some(0)).then_some("--memory"));
        if let Some(name) = nothing {
            return Err(Failure::usage(format!("{name} 0 leaves nothing to explore with; leave it out or give more")));
        }
        Ok(())
    }

    fn options(&self, program: PathBuf, settings: Settings, seeds: Vec<Seed>, prepared: bool) -> Options {
        let no_budget = self.iterations.is_none() && self.time.is_none() && self.memory.is_none();
        let time = if no_budget && !self.until_covered { Some(Duration::from_secs(60)) } else { self.time };
        Options {
            program,
            settings,
            seeds,
            strategy: self.strategy.clone(),
            criterion: self.criterion.clone(),
            focus: None,
            rng_seed: self.rng_seed,
            iterations: self.iterations,
            time,
            memory: self.memory,
            jobs: usize::from(self.jobs),
            out: self.output.clone(),
            prepared,
            resume: self.resume,
            query: Limits { time: self.query_time },
            solver_check: self.solver_check,
            solver_cache: self.solver_cache.clone(),
            stop_when_covered: self.until_covered,
            stop_at_finding: self.stop_at_finding,
            filter: !self.no_filter,
            stages: Vec::new(),
            found: Vec::new(),
            sync: self.sync.clone(),
        }
    }
}

/// One line for each strategy and each of its options.
pub fn strategies() -> String {
    let mut text = String::new();
    for named in offshoot_search::strategy::NAMES {
        text.push_str(&format!("{:<16} {}\n", named.name, named.help));
        for (key, help) in named.options {
            text.push_str(&format!("{:<16}   {}:{key}=…  {help}\n", "", named.name));
        }
    }
    text
}

fn failure(error: ExploreError) -> Failure {
    match error {
        ExploreError::Target(_) => Failure::internal(error),
        ExploreError::Sync(_)
        | ExploreError::Strategy(_)
        | ExploreError::Criterion(_)
        | ExploreError::Store(_)
        | ExploreError::Cache { .. }
        | ExploreError::NoSeed(_) => Failure::usage(error),
    }
}
