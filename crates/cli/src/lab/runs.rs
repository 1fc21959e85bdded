//! The runs of a lab. Each is `offshoot explore` in a process of its own: what it breaks, leaks or remembers goes with it.

use super::display::Display;
use super::subjects::Subject;
use crate::failure::Failure;
use crate::progress::Progress;
use offshoot_base::Exit;
use offshoot_report::{Budget, Outcome, Run};
use offshoot_search::strategy::draws_nothing;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};
use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub struct Plan {
    pub subjects: Vec<Subject>,
    /// Of each subject.
    pub folders: Vec<String>,
    pub strategies: Vec<String>,
    /// Of each strategy.
    pub strategy_folders: Vec<String>,
    pub repetitions: u32,
    pub rng_seed: u64,
    pub budget: Budget,
    pub jobs: usize,
    /// Runs that are there already count.
    pub resume: bool,
    /// Absolute.
    pub out: PathBuf,
}

pub struct Ran {
    pub outcomes: Vec<Outcome>,
    /// Not all runs were made.
    pub interrupted: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Task {
    subject: usize,
    strategy: usize,
    repetition: u32,
}

struct Running {
    task: Task,
    child: Child,
    /// Readable when the child has ended.
    ended: OwnedFd,
}

impl Plan {
    /// Repetitions outermost: whoever interrupts a lab has something of every strategy.
    fn tasks(&self) -> Vec<Task> {
        let mut tasks = Vec::new();
        for repetition in 0..self.repetitions {
            for subject in 0..self.subjects.len() {
                let of = |strategy| Task { subject, strategy, repetition };
                tasks.extend((0..self.strategies.len()).map(of));
            }
        }
        tasks
    }

    fn folder(&self, task: Task) -> PathBuf {
        let runs = self.out.join("runs").join(&self.folders[task.subject]);
        runs.join(&self.strategy_folders[task.strategy]).join(task.repetition.to_string())
    }

    /// What is known of a run already, if it came to its end: an earlier lab left it, or it would be the first repetition once
    /// more, because its strategy draws no random numbers.
    fn earlier(&self, task: Task) -> Option<Run> {
        let left = |task| {
            let run = Run::read(&self.folder(task)).ok()?;
            (!["memory", "interrupted"].contains(&run.ending.as_str())).then_some(run)
        };
        let is_same = draws_nothing(&self.strategies[task.strategy]) && matches!(self.budget, Budget::Iterations(_));
        match task.repetition {
            1.. if is_same => left(Task { repetition: 0, ..task }),
            _ if self.resume => left(task),
            _ => None,
        }
    }

    /// What the run has to say goes here; stays if it fails.
    fn log(&self, task: Task) -> PathBuf {
        self.folder(task).with_extension("log")
    }

    fn rng_seed(&self, task: Task) -> u64 {
        self.rng_seed.wrapping_add(u64::from(task.repetition))
    }

    fn outcome(&self, task: Task, run: Result<Run, String>) -> Outcome {
        Outcome {
            subject: self.subjects[task.subject].name.clone(),
            strategy: self.strategies[task.strategy].clone(),
            repetition: task.repetition,
            rng_seed: self.rng_seed(task),
            run,
        }
    }

    fn start(&self, task: Task) -> io::Result<Running> {
        let subject = &self.subjects[task.subject];
        let folder = self.folder(task);
        fs::create_dir_all(folder.parent().unwrap_or(&self.out))?;
        if self.resume && folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        // This very program, even if somebody has replaced it on disk since the lab began.
        let mut command = Command::new("/proc/self/exe");
        command.arg0("offshoot").arg("explore").args(["--progress", "none", "-j", "1"]);
        command.arg("--strategy").arg(&self.strategies[task.strategy]);
        command.arg("--rng-seed").arg(self.rng_seed(task).to_string());
        match self.budget {
            Budget::Iterations(iterations) => command.arg("--iterations").arg(iterations.to_string()),
            Budget::Seconds(seconds) => command.arg("--time").arg(format!("{:.0}ms", seconds * 1000.0)),
        };
        command.arg("-o").arg(&folder);
        if let Some(symbolic) = &subject.symbolic {
            command.arg("--symbolic").arg(symbolic);
        }
        if let Some(time) = subject.run_time {
            command.arg("--run-time").arg(format!("{}ms", time.as_millis()));
        }
        for seed in &subject.seeds {
            command.arg("--seed").arg(seed);
        }
        command.arg("--").args(&subject.command).current_dir(&subject.folder);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(self.log(task))?);
        // Ctrl-C is for the lab; it decides what becomes of its runs.
        command.process_group(0);
        let mut child = command.spawn()?;
        match pidfd_open(Pid::from_child(&child), PidfdFlags::empty()) {
            Ok(ended) => Ok(Running { task, child, ended }),
            Err(error) => {
                child.kill()?;
                child.wait()?;
                Err(error.into())
            }
        }
    }

    /// Reads what a run left and throws away all of it but its events; of a failed run everything stays.
    fn collect(&self, task: Task, status: ExitStatus) -> Result<Run, String> {
        let folder = self.folder(task);
        let done = [Exit::Clean, Exit::Findings].map(|exit| Some(i32::from(exit.code())));
        if !done.contains(&status.code()) {
            return Err(self.reason(task, status));
        }
        let run = Run::read(&folder).map_err(|error| error.to_string())?;
        if run.ending == "memory" {
            return Err("the memory is used up".to_owned());
        }
        keep_only_events(&folder).map_err(|error| format!("cannot tidy up {}: {error}", folder.display()))?;
        // Nothing but warnings, which are events too.
        _ = fs::remove_file(self.log(task));
        Ok(run)
    }

    fn reason(&self, task: Task, status: ExitStatus) -> String {
        if status.code() == Some(i32::from(Exit::Interrupted.code())) {
            return "interrupted".to_owned();
        }
        let log = fs::read(self.log(task)).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        let said = log.lines().rev().find_map(|line| line.strip_prefix("offshoot: "));
        match (said, status.signal()) {
            (Some(said), _) => said.strip_prefix("error: ").unwrap_or(said).to_owned(),
            (None, Some(signal)) => format!("ended by signal {signal}; see {}", self.log(task).display()),
            (None, None) => format!("{status}; see {}", self.log(task).display()),
        }
    }
}

/// What the user has asked for since the start.
struct Interrupts {
    pressed: Arc<AtomicBool>,
    terminate: Arc<AtomicBool>,
    /// 1: begin nothing new. 2: end what has begun.
    level: u8,
}

impl Interrupts {
    fn new() -> io::Result<Interrupts> {
        let (pressed, terminate) = (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default());
        signal_hook::flag::register(signal_hook::consts::SIGINT, Arc::clone(&pressed))?;
        signal_hook::flag::register(signal_hook::consts::SIGTERM, Arc::clone(&terminate))?;
        Ok(Interrupts { pressed, terminate, level: 0 })
    }

    /// Whether the level has risen.
    fn look(&mut self) -> bool {
        let before = self.level;
        if self.pressed.swap(false, Ordering::Relaxed) {
            self.level = (self.level + 1).min(2);
        }
        if self.terminate.load(Ordering::Relaxed) {
            self.level = 2;
        }
        self.level > before
    }
}

pub fn run_all(plan: &Plan, how: Progress) -> Result<Ran, Failure> {
    let mut interrupts = Interrupts::new().map_err(Failure::internal)?;
    let tasks = plan.tasks();
    let mut display = Display::new(how, tasks.len());
    let mut waiting = tasks.iter().copied();
    let mut running: Vec<Running> = Vec::new();
    let mut outcomes = Vec::new();
    loop {
        if interrupts.look() {
            react(interrupts.level, &running, &display);
        }
        while running.len() < plan.jobs && interrupts.level == 0 {
            let Some(task) = waiting.next() else { break };
            if let Some(run) = plan.earlier(task) {
                let outcome = plan.outcome(task, Ok(run));
                display.known();
                outcomes.push((task, outcome));
                continue;
            }
            match plan.start(task) {
                Ok(run) => running.push(run),
                Err(error) => {
                    let outcome = plan.outcome(task, Err(format!("cannot start it: {error}")));
                    display.finished(&outcome);
                    outcomes.push((task, outcome));
                }
            }
        }
        if running.is_empty() {
            break;
        }
        wait(&running).map_err(Failure::internal)?;
        let mut at = 0;
        while at < running.len() {
            let status = running[at].child.try_wait().map_err(Failure::internal)?;
            let Some(status) = status else {
                at += 1;
                continue;
            };
            let task = running.remove(at).task;
            let outcome = plan.outcome(task, plan.collect(task, status));
            display.finished(&outcome);
            outcomes.push((task, outcome));
        }
    }
    display.end();
    // A signal in the last moment has kept nothing from being run; one that ended a run has.
    let interrupted = interrupts.level == 2 || outcomes.len() < tasks.len();
    // As they were planned, not as they ended.
    outcomes.sort_by_key(|(task, _)| *task);
    let outcomes = outcomes.into_iter().map(|(_, outcome)| outcome).collect();
    Ok(Ran { outcomes, interrupted })
}

fn react(level: u8, running: &[Running], display: &Display) {
    if level == 1 {
        display.line(&match running.len() {
            0 => "interrupted".to_owned(),
            1 => "interrupted: finishing the run that has begun; Ctrl-C again ends it".to_owned(),
            count => format!("interrupted: finishing the {count} runs that have begun; Ctrl-C again ends them"),
        });
        return;
    }
    for run in running {
        // Not waited for yet, so the number is still its own. If it has ended meanwhile, all the better.
        _ = kill_process(Pid::from_child(&run.child), Signal::TERM);
    }
}

/// Until a run ends or a signal comes; a second at most, for a signal may come right before.
fn wait(running: &[Running]) -> io::Result<()> {
    let second = Timespec { tv_sec: 1, tv_nsec: 0 };
    let mut ends: Vec<PollFd> = running.iter().map(|run| PollFd::new(&run.ended, PollFlags::IN)).collect();
    match poll(&mut ends, Some(&second)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn keep_only_events(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name() == "events.jsonl" {
            continue;
        }
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// A folder name for each: letters, digits and `-._` stay, everything else becomes `_`, and no two are the same.
pub fn folder_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken: Vec<String> = Vec::new();
    for name in names {
        let safe = |c: char| if c.is_ascii_alphanumeric() || "-._".contains(c) { c } else { '_' };
        let base: String = name.chars().map(safe).take(100).collect();
        let base = base.trim_matches(['_', '.']);
        let base = if base.is_empty() { "unnamed" } else { base };
        let free = |name: &String| !taken.contains(name);
        let numbered = (2..).map(|number| format!("{base}.{number}"));
        let name = std::iter::once(base.to_owned()).chain(numbered).find(free);
        taken.push(name.unwrap_or_else(|| unreachable!("numbers do not end")));
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_names_are_safe_and_different() {
        let names = ["cgs:k=3", "cgs_k_3", "interleave(cgs,random-path)", "..", "a/../b", "é", "lab"];
        let expected = ["cgs_k_3", "cgs_k_3.2", "interleave_cgs_random-path", "unnamed", "a_.._b", "unnamed.2", "lab"];
        assert_eq!(folder_names(names.into_iter()), expected);
    }
}
