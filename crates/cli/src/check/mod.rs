//! `offshoot check`: the bugs beside existing tests.

mod display;
mod output;
mod selection;
mod variants;

use crate::failure::Failure;
use crate::output::print;
use crate::progress::Progress;
use crate::seeds::{Around, SeedArgs};
use crate::target::{read_models, settings};
use crate::values;
use clap::Args;
use offshoot_base::Exit;
use offshoot_campaign::store::fresh;
use offshoot_check::{CheckError, Options, Subject, check, kinds};
use offshoot_solve::Limits;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use variants::Variants;

/// Find the bugs that hide beside existing tests.
///
/// Seeds are files for a program, or the tests of its own suite. Each is run once, and every sensitive operation on its path is checked for all inputs that take the same path:
/// can this index leave its array, can this divisor be zero? Then the paths that leave a seed's path one, two, three …
/// decisions before such an operation. Whatever is reported was seen to fail: AddressSanitizer ran its input.
#[derive(Args)]
#[command(after_help = "Examples:
  offshoot check -- make check
  offshoot check --suite sed.suite --max-distance 0
  offshoot check --seed tests/a.json -- ./jsonlint @@
  offshoot check --seed corpus/ --time 5m --checks bounds,division -- ./parser
  offshoot check --max-distance 0 -- ./cut -c 1-3
  offshoot check --seed corpus/ --baseline known.sarif --format github -- ./parser

If PROGRAM was built by offshoot-cc, it is checked on its seeds. In ARGS, @@ stands for the seed file; without it a seed is
standard input. Any other command (make check, ctest, a script) is recorded first, as `offshoot record` does: each run of a
program built by offshoot-cc in it is a seed, with its own arguments, files and standard input.

With --sample, k of N seeds are checked. If m of them expose a bug, the chance to see it is 1 - C(N-m, k) / C(N, k): with 20
of 100 tests 90 % confidence to see a bug that 10 % of them expose, with 7 one that 30 % expose, with 32 one that 6 % expose.

Results are in the output folder: html/index.html, check.json, check.sarif, check.xml (JUnit), findings/NNNN with a cmd.sh
each, which reproduces the finding without Offshoot, and suite/ if a suite was recorded. Keep a check.sarif and give it to --baseline to see only what is new.

Exit: 0 clean (or nothing new), 1 findings (or --error-exitcode), 2 usage, 130 interrupted (results are kept).")]
pub struct Check {
    #[command(flatten)]
    from: SeedArgs,
    /// What to check, separated by commas; -NAME leaves one out; `--checks help` lists them
    #[arg(long, value_name = "LIST", default_value = "default", allow_hyphen_values = true)]
    checks: String,
    /// Go no further from the seeds' paths than this
    #[arg(long, value_name = "D")]
    max_distance: Option<u32>,
    /// Follow a path beside a seed's for N times its distance, in decisions that can go both ways
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    depth_factor: u32,
    /// Take neither the ways that no test takes nor turns before the distances, to compare
    #[arg(long)]
    no_untaken: bool,
    /// Stop after this time (default 60s, unless there is --max-distance)
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    time: Option<Duration>,
    /// Spend no more than this on one seed
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    per_test: Option<Duration>,
    /// Where results go; what was there is kept as DIR.old
    #[arg(short, long, value_name = "DIR", default_value = "offshoot.out")]
    output: PathBuf,
    /// What is symbolic: arg, arg:N, stdin, file, file:PATH, env:NAME, nondet, none; separated by commas
    #[arg(long, value_name = "SPEC", default_value = "arg,stdin,file,nondet")]
    symbolic: String,
    /// End a single run after this time; if the program does not end without Offshoot either, it is a finding
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = values::duration)]
    run_time: Duration,
    /// Give up on a single query after this time; it is asked once more at the end, with more time
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = values::duration)]
    query_time: Duration,
    #[command(flatten)]
    selection: selection::Selection,
    #[command(flatten)]
    results: output::Output,
    /// How progress is shown
    #[arg(long, value_name = "HOW", default_value = "auto")]
    progress: Progress,
}

impl Check {
    pub fn run(self) -> Result<ExitCode, Failure> {
        if self.checks == "help" {
            let line = |check: &&dyn kinds::Check| format!("{:<12} {}\n", check.name(), check.help());
            print(&kinds::ALL.iter().map(line).collect::<String>())?;
            return Ok(Exit::Clean.into());
        }
        let checks = kinds::parse(&self.checks).map_err(Failure::usage)?;
        let settings = settings(&self.symbolic, self.run_time)?;
        let mut seeds = self.from.read(&Around {
            verb: "check",
            output: &self.output,
            settings: &settings,
            run_time: self.run_time,
            json: self.results.is_json(),
            progress: self.progress,
            resume: false,
        })?;
        let sample = self.selection.take(&mut seeds.seeds);
        let baseline = self.results.baseline()?;
        fresh(&self.output, &["findings"]).map_err(Failure::usage)?;
        let out = std::fs::canonicalize(&self.output).map_err(Failure::internal)?;
        seeds.keep(&out)?;
        let mut variants = Variants::new(&out, seeds.is_one_program);
        let mut load = |program: &Path| -> Result<Subject, String> {
            let models = read_models(program).map_err(|failure| failure.to_string())?;
            Ok(Subject::new(models, variants.asan(program), settings.clone(), &checks))
        };
        let no_budget = self.time.is_none() && self.max_distance.is_none();
        let options = Options {
            settings: settings.clone(),
            seeds: seeds.seeds,
            checks: checks.clone(),
            max_distance: self.max_distance,
            time: if no_budget { Some(Duration::from_secs(60)) } else { self.time },
            per_test: self.per_test,
            factor: self.depth_factor,
            untaken: !self.no_untaken,
            query: Limits { time: self.query_time },
            out: out.clone(),
        };
        let how = if self.results.is_json() { Progress::None } else { self.progress.on_this_terminal() };
        let mut display = display::Display::new(how);
        let mut show = |event: &offshoot_check::Event| display.show(event);
        let mut summary = check(&options, &mut load, &mut show).map_err(failure)?;
        display.end();
        summary.sample = sample;
        if let Some(baseline) = baseline {
            baseline.apply(&mut summary);
        }
        self.results.write(&summary, &out, &self.output)
    }
}

fn failure(error: CheckError) -> Failure {
    match error {
        CheckError::Target(_) => Failure::internal(error),
        CheckError::Store(_) | CheckError::NoSeed(_) => Failure::usage(error),
    }
}
