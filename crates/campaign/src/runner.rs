//! Runs tests of any command, with a fork server for each kind of command that it meets.

use crate::explore::ran_out_of_time;
use crate::target::{Execution, Running, Target, TargetError};
use offshoot_base::Budgets;
use offshoot_expr::TraceView;
use offshoot_run::{Policy, Status};
use offshoot_suite::{Bytes, Command, SEED, Source, Test};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How tests are run; see [`Target`].
#[derive(Clone, Debug)]
pub struct Settings {
    pub symbolic: String,
    pub budgets: Budgets,
    pub policy: Policy,
    pub config: u32,
    pub cancel: Arc<AtomicBool>,
}

impl Settings {
    pub fn target(&self, command: Command) -> Target {
        let Settings { symbolic, budgets, policy, config, cancel } = self.clone();
        Target { command, symbolic, budgets, policy, config, cancel }
    }

    /// With at most that time for a run.
    pub fn within(&self, wall: Duration) -> Settings {
        let wall = wall.min(self.budgets.wall);
        let budgets = Budgets { wall, cpu: self.budgets.cpu.min(wall * 2), ..self.budgets.clone() };
        Settings { budgets, ..self.clone() }
    }
}

/// Fork servers that are kept. Reduction drops arguments, and each number of them is a command of its own.
const SERVERS: usize = 3;

/// Stays with the thread that uses it: the servers end with that.
pub struct Runner {
    /// As it was asked for.
    whole: Settings,
    /// As it is at the moment.
    settings: Settings,
    /// The most recently used one last.
    servers: VecDeque<Served>,
}

struct Served {
    /// The one that it was started for.
    command: Command,
    has_stdin: bool,
    running: Running,
}

impl Runner {
    pub fn new(settings: Settings) -> Runner {
        Runner { whole: settings.clone(), settings, servers: VecDeque::new() }
    }

    /// A run may take no more than what is left, but at least a second; `None`: as long as runs may take at all.
    pub fn limit(&mut self, left: Option<Duration>) {
        let settings = left.map_or_else(|| self.whole.clone(), |left| self.whole.within(whole_seconds(left)));
        // A server has the limits that it was started with.
        if settings.budgets.wall != self.settings.budgets.wall {
            self.servers.clear();
            self.settings = settings;
        }
    }

    /// Whether runs are ended sooner than they were to be.
    pub fn is_limited(&self) -> bool {
        self.settings.budgets.wall < self.whole.budgets.wall
    }

    /// Whether a run that ended so might have gone on, had it had the time that runs are to have.
    pub fn gave_up(&self, status: Status) -> bool {
        status == Status::Interrupted || self.is_limited() && ran_out_of_time(status)
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn run(&mut self, test: &Test) -> Result<Execution, TargetError> {
        self.run_on(&test.command, &test.bytes)
    }

    pub fn run_on(&mut self, command: &Command, bytes: &Bytes) -> Result<Execution, TargetError> {
        let has_stdin = bytes.contains(&Source::Stdin);
        let is_fit = |served: &Served| served.has_stdin == has_stdin && is_same_kind(&served.command, command);
        let known = self.servers.iter().position(is_fit).and_then(|at| self.servers.remove(at));
        let mut served = match known {
            Some(served) => served,
            None => {
                let running = self.settings.target(command.clone()).serve(has_stdin)?;
                Served { command: command.clone(), has_stdin, running }
            }
        };
        let execution = served.running.run(&delivered(command, bytes));
        self.servers.push_back(served);
        if self.servers.len() > SERVERS {
            self.servers.pop_front();
        }
        execution
    }

    /// The test with every value that its harness asks for, in the order of the calls. Exploration keeps those that it
    /// changed (the others are 0); forms that tell values apart by their order need all. `nondet` must be symbolic.
    pub fn with_all_values(&mut self, test: &Test) -> Result<Test, TargetError> {
        let execution = self.run(test)?;
        let view = TraceView::new(&execution.trace)?;
        let asked = (1..view.source_end()).filter_map(|id| view.source(id));
        let asked = asked.filter_map(|source| Some((Source::parse(&source.raw_name)?, source.bytes)));
        let given = test.bytes.iter().map(|(source, bytes)| (source.clone(), bytes.to_vec()));
        let (values, others): (Vec<_>, Vec<_>) = given.partition(|(source, _)| source.is_nondet());
        let mut bytes: Bytes = others.into_iter().chain(asked.filter(|(source, _)| source.is_nondet())).collect();
        // A run that ended early has not asked for all that it was given.
        for (source, value) in values {
            if !bytes.contains(&source) {
                bytes.insert(source, value);
            }
        }
        Ok(Test { bytes, ..test.clone() })
    }

    /// Without a server and without a trace: as its user would see it.
    pub fn plainly(&self, test: &Test) -> Result<Execution, TargetError> {
        self.settings.target(test.command.clone()).plainly(&test.bytes)
    }
}

/// Rounded up: a server is started anew for each other limit.
fn whole_seconds(left: Duration) -> Duration {
    Duration::from_secs(left.as_secs_f64().ceil().max(1.0) as u64)
}

/// The same but for what a server replaces for each run: the text of the arguments.
fn is_same_kind(a: &Command, b: &Command) -> bool {
    let alike = |(a, b): (&OsString, &OsString)| (a == SEED) == (b == SEED);
    a.args.len() == b.args.len()
        && a.args.iter().zip(&b.args).all(alike)
        && (&a.program, &a.name, &a.cwd, &a.env, &a.world) == (&b.program, &b.name, &b.cwd, &b.env, &b.world)
}

/// The bytes with every argument named: the server was started with those of another test.
fn delivered(command: &Command, bytes: &Bytes) -> Bytes {
    let arguments = command.templates(bytes);
    let others = bytes.iter().filter(|(source, _)| !matches!(source, Source::Arg(_)));
    let mut bytes: Bytes = others.map(|(source, bytes)| (source.clone(), bytes.to_vec())).collect();
    for (number, arg) in (1..).zip(&arguments).filter(|(number, _)| command.args[*number as usize - 1] != SEED) {
        bytes.insert(Source::Arg(number), arg.as_bytes().to_vec());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use offshoot_suite::Origin;

    #[test]
    fn a_run_may_take_what_is_left_but_a_second_at_least() {
        let budgets = Budgets { wall: Duration::from_secs(10), cpu: Duration::from_secs(20), ..Budgets::default() };
        let cancel = Arc::new(AtomicBool::new(false));
        let settings = Settings { symbolic: "none".into(), budgets, policy: Policy::Sandboxed, config: 0, cancel };
        let mut runner = Runner::new(settings);
        for (left, wall) in [(0, 1), (900, 1), (1001, 2), (9001, 10), (60_000, 10)] {
            runner.limit(Some(Duration::from_millis(left)));
            assert_eq!(runner.settings().budgets.wall, Duration::from_secs(wall), "{left} ms");
            assert_eq!(runner.settings().budgets.cpu, Duration::from_secs(2 * wall));
            assert_eq!(runner.is_limited(), wall < 10);
            assert_eq!(runner.gave_up(Status::TimedOut), wall < 10, "{left} ms");
        }
        runner.limit(Some(Duration::ZERO));
        runner.limit(None);
        assert!(!runner.is_limited());
        assert!(runner.gave_up(Status::Interrupted));
    }

    #[test]
    fn arguments_that_the_bytes_leave_out_are_delivered_all_the_same() {
        let command = Command::new("grep", ["-i", "a", SEED]);
        let mut test = Test::new(command.clone(), command.on_seed(b"x".to_vec()), Origin::Seed);
        test.bytes.remove(&Source::Arg(1));
        test.bytes.insert(Source::Arg(2), b"b\0c".to_vec());
        test.bytes.insert(Source::Arg(3), b"not the seed".to_vec());
        let bytes = delivered(&command, &test.bytes);
        assert_eq!(bytes.get(&Source::Arg(1)), Some(&b"-i"[..]));
        assert_eq!(bytes.get(&Source::Arg(2)), Some(&b"b"[..]));
        assert_eq!(bytes.get(&Source::Arg(3)), None);
        assert_eq!(bytes.get(&command.seed_source()), Some(&b"x"[..]));
        let other = Command::new("grep", ["-n", "z", SEED]);
        assert!(is_same_kind(&other, &command), "one server does for both");
        assert!(!is_same_kind(&Command::new("grep", ["-n", SEED]), &command));
        assert!(!is_same_kind(&Command { cwd: Some("/".into()), ..command.clone() }, &command));
    }
}
