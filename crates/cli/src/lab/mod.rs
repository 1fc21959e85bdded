//! `offshoot lab`: strategies beside each other.

mod display;
mod plan_file;
mod runs;
mod subjects;

use crate::explore::strategies;
use crate::failure::Failure;
use crate::output::print;
use crate::progress::Progress;
use crate::values;
use clap::Args;
use offshoot_base::Exit;
use offshoot_report::{Budget, Lab, page, plot, table};
use offshoot_run::Policy;
use offshoot_search::strategy;
use runs::{Plan, folder_names, run_all};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use subjects::Subject;

/// Compare strategies: each explores each program several times, on the same budget and with the same seeds.
///
/// Every run is a campaign of its own with one worker, in a process of its own: one that fails costs no other. The
/// results are a table of what was covered, with spread, iterations to a target, Mann–Whitney U and A12 against the best
/// strategy, and plots of the discovery curves.
#[derive(Args)]
#[command(after_help = "Examples:
  offshoot lab --strategy cgs,dfs,random-path --iterations 500 --seed a.json -- ./jsonlint @@
  offshoot lab --subjects subjects.toml --repetitions 10 --time 60s -j 2
  offshoot lab --subjects subjects.toml --repetitions 10 --time 60s -j 2 --resume

subjects.toml (or the same as a JSON list), with paths from where the file is:
  [[subject]]
  name = \"json\"
  command = [\"./jsonlint\", \"@@\"]
  seeds = [\"seeds/a.json\"]
  # symbolic = \"file\"
  # run_time = \"5s\"

Ctrl-C finishes the runs that have begun and reports what there is; a second one ends them.

Exit: 0, 2 usage, 5 some run failed, 130 interrupted (results are kept).")]
pub struct LabCommand {
    /// Strategies, separated by commas; `--strategy help` lists them. Default: all, and interleave(cgs,random-path)
    #[arg(long, value_name = "NAMES")]
    strategy: Option<String>,
    /// Runs of each strategy on each program, each with its own seed of random choices
    #[arg(long, value_name = "R", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repetitions: u32,
    /// End each run after this many inputs (default 1000, unless there is --time)
    #[arg(long, value_name = "N", conflicts_with = "time", value_parser = clap::value_parser!(u64).range(1..))]
    iterations: Option<u64>,
    /// End each run after this time
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    time: Option<Duration>,
    /// Share of the best strategy's mean coverage that counts as reached, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 90, value_parser = clap::value_parser!(u8).range(1..=100))]
    target: u8,
    /// The programs, as TOML or JSON
    #[arg(long, value_name = "FILE", conflicts_with_all = ["command", "seed"], required_unless_present = "command")]
    subjects: Option<PathBuf>,
    /// A seed file, or a folder of them, for PROGRAM; may be given several times. Without one: an empty seed
    #[arg(long, value_name = "FILE|DIR")]
    seed: Vec<PathBuf>,
    /// Seed of all random choices: repetition R uses this number + R
    #[arg(long, value_name = "N", default_value_t = 0)]
    rng_seed: u64,
    /// Runs at the same time
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Where results go; what was there is kept as DIR.old
    #[arg(short, long, value_name = "DIR", default_value = "offshoot.lab")]
    output: PathBuf,
    /// Go on with the lab in DIR: runs that have ended there are not made again
    #[arg(long)]
    resume: bool,
    /// Print the results as JSON and nothing else
    #[arg(long)]
    json: bool,
    /// How progress is shown
    #[arg(long, value_name = "HOW", default_value = "auto")]
    progress: Progress,
    /// The program, built by offshoot-cc, and its arguments; @@ stands for the seed file
    #[arg(last = true, value_name = "PROGRAM ARGS")]
    command: Vec<OsString>,
}

impl LabCommand {
    pub fn run(self) -> Result<ExitCode, Failure> {
        if self.strategy.as_deref() == Some("help") {
            print(&strategies())?;
            return Ok(Exit::Clean.into());
        }
        let strategies = self.strategies()?;
        let subjects = self.subjects()?;
        for reason in &Policy::detect().why {
            eprintln!("offshoot: warning: weaker sandbox: {reason}");
        }
        let budget = match self.time {
            Some(time) => Budget::Seconds(time.as_secs_f64()),
            None => Budget::Iterations(self.iterations.unwrap_or(1000)),
        };
        let out = match self.resume {
            true => std::path::absolute(&self.output).map_err(Failure::usage)?,
            false => new_folder(&self.output)?,
        };
        plan_file::check(&out, &plan_file::text(&subjects, budget, self.rng_seed), self.resume)?;
        let how = if self.json { Progress::None } else { self.progress.on_this_terminal() };
        let plan = Plan {
            folders: folder_names(subjects.iter().map(|subject| subject.name.as_str())),
            strategy_folders: folder_names(strategies.iter().map(String::as_str)),
            subjects,
            strategies,
            repetitions: self.repetitions,
            rng_seed: self.rng_seed,
            budget,
            jobs: usize::from(self.jobs),
            resume: self.resume,
            out,
        };
        let ran = run_all(&plan, how)?;
        let target = f64::from(self.target) / 100.0;
        let lab = Lab::new(budget, self.repetitions, target, ran.interrupted, ran.outcomes);
        write_results(&plan, &lab)?;
        let json = || serde_json::to_string(&lab).map_err(Failure::internal);
        let text = if self.json {
            json()? + "\n"
        } else {
            format!("{}results in {}: lab.html, lab.md, lab.json\n", table::text(&lab), self.output.display())
        };
        print(&text)?;
        Ok(match lab.failed() {
            _ if lab.interrupted => Exit::Interrupted,
            0 => Exit::Clean,
            _ => Exit::Inconclusive,
        }
        .into())
    }

    fn strategies(&self) -> Result<Vec<String>, Failure> {
        let all = || {
            let names = strategy::NAMES.iter().map(|named| match named.name {
                "interleave" => "interleave(cgs,random-path)".to_owned(),
                name => name.to_owned(),
            });
            names.collect()
        };
        let strategies = match &self.strategy {
            None => all(),
            Some(list) => strategy::parts(list)
                .ok_or_else(|| Failure::usage(format!("--strategy {list}: parentheses do not match")))?,
        };
        for (at, name) in strategies.iter().enumerate() {
            strategy::parse(name, self.rng_seed).map_err(Failure::usage)?;
            if strategies[..at].contains(name) {
                return Err(Failure::usage(format!("the strategy {name} is there twice")));
            }
        }
        Ok(strategies)
    }

    fn subjects(&self) -> Result<Vec<Subject>, Failure> {
        match &self.subjects {
            Some(file) => subjects::read(file),
            None => Ok(vec![Subject::of_command(&self.command, &self.seed)?]),
        }
    }
}

/// A new, empty folder, as an absolute path; what was there before is kept as `DIR.old`.
fn new_folder(path: &Path) -> Result<PathBuf, Failure> {
    let path = std::path::absolute(path).map_err(Failure::usage)?;
    let failed = |what: &str, error| Failure::usage(format!("cannot {what} {}: {error}", path.display()));
    if path.exists() {
        let mut old = path.clone().into_os_string();
        old.push(".old");
        let old = PathBuf::from(old);
        if old.exists() {
            fs::remove_dir_all(&old).map_err(|error| failed("replace the results before last of", error))?;
        }
        fs::rename(&path, &old).map_err(|error| failed("move away", error))?;
    }
    fs::create_dir_all(&path).map_err(|error| failed("make", error))?;
    Ok(path)
}

fn write_results(plan: &Plan, lab: &Lab) -> Result<(), Failure> {
    let write = |name: &str, text: String| {
        let path = plan.out.join(name);
        fs::write(&path, text).map_err(|error| Failure::internal(format!("cannot write {}: {error}", path.display())))
    };
    write("lab.json", serde_json::to_string(lab).map_err(Failure::internal)? + "\n")?;
    write("lab.md", table::markdown(lab))?;
    write("lab.html", page::html(lab))?;
    let order = page::order(lab);
    for (subject, folder) in plan.subjects.iter().zip(&plan.folders) {
        if let Some(subject) = lab.subjects.iter().find(|one| one.name == subject.name) {
            write(&format!("{folder}.svg"), plot::svg(subject, lab.budget.axis(), &order))?;
        }
    }
    Ok(())
}
