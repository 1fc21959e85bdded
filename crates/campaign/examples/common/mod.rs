//! What the benchmarks have in common: a program on the command line, ready to run.

use offshoot_base::Budgets;
use offshoot_campaign::Sites;
use offshoot_campaign::target::{Execution, Running, Target};
use offshoot_campaign::trail;
use offshoot_expr::TraceView;
use offshoot_model::Program;
use offshoot_run::Policy;
use offshoot_search::Step;
use offshoot_suite::{Command, Input};
use std::collections::HashMap;
use std::error::Error;
use std::ffi::OsString;
use std::path::PathBuf;

pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// `--NAME VALUE … -- PROGRAM ARGS`
pub struct Line {
    options: HashMap<String, String>,
    command: Vec<OsString>,
}

impl Line {
    pub fn read() -> Result<Line> {
        let mut args = std::env::args_os().skip(1);
        let mut options = HashMap::new();
        while let Some(arg) = args.next() {
            let arg = arg.into_string().map_err(|arg| format!("{} is not UTF-8", arg.display()))?;
            if arg == "--" {
                return Ok(Line { options, command: args.collect() });
            }
            let value = args.next().and_then(|value| value.into_string().ok());
            options.insert(arg.clone(), value.ok_or(format!("{arg} needs a value"))?);
        }
        Err("no -- PROGRAM ARGS".into())
    }

    pub fn get(&self, name: &str) -> Result<&str> {
        Ok(self.options.get(name).ok_or(format!("{name} is needed"))?)
    }

    pub fn number(&self, name: &str, default: u64) -> Result<u64> {
        Ok(self.options.get(name).map_or(Ok(default), |text| text.parse())?)
    }
}

pub struct Subject {
    pub sites: Sites,
    pub seed: Input,
    program: Running,
}

impl Subject {
    /// `--seed FILE --symbolic SPEC -- PROGRAM ARGS`; `config` as in `layout::config`.
    pub fn open(line: &Line, config: u32) -> Result<Subject> {
        let (name, args) = line.command.split_first().ok_or("no program")?;
        let path = PathBuf::from(name);
        let sites = Sites::new(&[Program::read(&path)?]);
        let command = Command { name: Some(name.clone()), ..Command::new(path, args) };
        let seed = Input::of(command.clone().into(), command.on_seed(std::fs::read(line.get("--seed")?)?));
        let target = Target {
            command,
            symbolic: line.get("--symbolic")?.to_owned(),
            budgets: Budgets::default(),
            policy: Policy::detect().policy,
            config,
            cancel: Default::default(),
        };
        Ok(Subject { sites, seed, program: target.serve(true)? })
    }

    pub fn run(&mut self, input: &Input) -> Result<(Execution, Vec<Step>)> {
        let execution = self.program.run(&input.bytes())?;
        let steps = trail::steps(&TraceView::new(&execution.trace)?, &self.sites);
        Ok((execution, steps))
    }
}
