//! Tests of a suite as seeds, and the programs that they run.

use super::Seeds;
use crate::failure::Failure;
use crate::suite::{Case, ORDER, warn};
use offshoot_campaign::Seed;
use offshoot_suite::{Command, Input};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// In the order of `offshoot rank` if `suite` has one, otherwise small ones first: they cost little, and an error is found
/// from whatever test comes near it first. Flaky ones last: what a run of theirs says need not hold for the next one.
pub fn seeds(mut cases: Vec<Case>, suite: &Path) -> Result<Vec<Seed>, Failure> {
    match order(suite)? {
        Some(order) => {
            let place = |case: &Case| order.get(&case.name).copied().unwrap_or(usize::MAX);
            cases.sort_by_key(|case| (case.test.flaky.is_some(), place(case)));
        }
        None => cases.sort_by_key(|case| (case.test.flaky.is_some(), case.test.bytes.size())),
    }
    let flaky = cases.iter().filter(|case| case.test.flaky.is_some()).count();
    if flaky > 0 {
        warn(format!("{flaky} of {} tests are flaky; they come last", cases.len()));
    }
    let seed = |case: Case| {
        let name = format!("{} {}", case.name, line(&case.test.command));
        let input = Input::of(Arc::new(case.test.command), case.test.bytes);
        Seed { name, input, flaky: case.test.flaky }
    };
    Ok(cases.into_iter().map(seed).collect())
}

/// Places of tests by their names, which reduced ones keep.
fn order(suite: &Path) -> Result<Option<BTreeMap<String, usize>>, Failure> {
    #[derive(Deserialize)]
    struct Order {
        tests: Vec<Place>,
    }
    #[derive(Deserialize)]
    struct Place {
        test: String,
    }
    let file = suite.join(ORDER);
    let again = |error: String| {
        let (file, dir) = (file.display(), suite.display());
        Failure::usage(format!(
            "cannot read the order of the tests in {file}: {error}; `offshoot rank -o {dir}` makes it anew"
        ))
    };
    let text = match std::fs::read(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(again(error.to_string())),
    };
    let order: Order = serde_json::from_slice(&text).map_err(|error| again(error.to_string()))?;
    Ok(Some(order.tests.into_iter().enumerate().map(|(place, test)| (test.test, place)).collect()))
}

/// For eyes: the beginning of the command line.
fn line(command: &Command) -> String {
    const SHOWN: usize = 60;
    let name = Path::new(command.name()).file_name().unwrap_or(command.name());
    let words = std::iter::once(name).chain(command.args.iter().map(|arg| arg.as_os_str()));
    let words: Vec<String> = words.map(|word| word.to_string_lossy().escape_debug().to_string()).collect();
    let line = words.join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// The programs that seeds run, and how many seeds each.
pub struct Programs {
    counts: BTreeMap<PathBuf, usize>,
}

impl Programs {
    pub fn of(seeds: &Seeds) -> Programs {
        let mut counts = BTreeMap::new();
        for seed in &seeds.seeds {
            *counts.entry(seed.input.command.program.clone()).or_default() += 1;
        }
        Programs { counts }
    }

    /// The one that is called so, or the one with most tests. Says what else there is.
    pub fn choose(&self, wanted: Option<&Path>) -> Result<PathBuf, Failure> {
        let called = |program: &Path| wanted.is_none_or(|wanted| program == wanted || program.ends_with(wanted));
        let fit = self.counts.iter().filter(|(program, _)| called(program));
        let Some((program, tests)) = fit.max_by_key(|(_, tests)| **tests) else {
            let wanted = wanted.unwrap_or(Path::new("")).display();
            return Err(Failure::usage(format!("no test runs {wanted}; tests run {}", self.in_words())));
        };
        let others = self.counts.len() - 1;
        if others > 0 {
            let all: usize = self.counts.values().sum();
            eprintln!(
                "offshoot: the tests run {} programs: {}\noffshoot: {} is explored; the {} tests of the others are left \
                 out (--program NAME chooses)",
                others + 1,
                self.in_words(),
                program.display(),
                all - tests
            );
        }
        Ok(program.clone())
    }

    fn in_words(&self) -> String {
        const SHOWN: usize = 12;
        let mut programs: Vec<_> = self.counts.iter().collect();
        programs.sort_by_key(|(_, tests)| std::cmp::Reverse(**tests));
        let one = |(program, tests): &(&PathBuf, &usize)| {
            format!("{} ({tests} tests)", program.file_name().unwrap_or(program.as_os_str()).display())
        };
        let mut text = programs.iter().take(SHOWN).map(one).collect::<Vec<_>>().join(", ");
        if programs.len() > SHOWN {
            text.push_str(&format!(" and {} more", programs.len() - SHOWN));
        }
        text
    }
}
