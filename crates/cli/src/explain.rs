//! `offshoot explain`: why a branch stayed open.

use crate::failure::Failure;
use clap::Args;
use offshoot_base::{Exit, FORMAT_VERSION};
use offshoot_campaign::ledger::{Book, LossLine, Open, OpenPair, Why};
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Say what became of the branches of a source line, and for those that stayed open the reason why.
///
/// Reads the ledger of an earlier `offshoot explore`. Without FILE:LINE: all open branches, counted by reason.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  offshoot explain parser.c:120\n  offshoot explain -o offshoot.out parser.c\n  offshoot explain"
)]
pub struct Explain {
    /// FILE:LINE, or FILE for all of its open branches; the end of a path is enough
    #[arg(value_name = "FILE:LINE")]
    place: Option<String>,
    /// The folder of the campaign
    #[arg(short, long, value_name = "DIR", default_value = "offshoot.out")]
    output: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Explain {
    pub fn run(self) -> Result<ExitCode, Failure> {
        let path = self.output.join("ledger.json");
        let written = std::fs::read(&path).map_err(|error| {
            Failure::usage(format!("cannot read {}: {error}; `offshoot explore` writes it", path.display()))
        })?;
        let mut book: Book = serde_json::from_slice(&written).map_err(|error| {
            Failure::usage(format!("{} is not a ledger of this version ({error}); explore again", path.display()))
        })?;
        if book.format != FORMAT_VERSION {
            return Err(Failure::usage(format!("{} was written by another version; explore again", path.display())));
        }
        let (file, line) = match self.place.as_deref() {
            None => (None, None),
            Some(place) => match place.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
                Some((file, line)) => (Some(file.to_owned()), Some(line)),
                None => (Some(place.to_owned()), None),
            },
        };
        let all = book.open.len() + book.covered.len();
        let is_here = |in_file: &str, at: u32| {
            file.as_ref().is_none_or(|file| ends_with(in_file, file)) && line.is_none_or(|line: u32| line == at)
        };
        book.open.retain(|open| is_here(&open.file, open.line));
        book.covered.retain(|covered| is_here(&covered.file, covered.line));
        book.pairs.retain(|pair| is_here(&pair.file, pair.line));
        if book.open.is_empty() && book.covered.is_empty() {
            let place = self.place.as_deref().unwrap_or("the program");
            return Err(Failure::usage(format!("no branch at {place}; the ledger knows {all} outcomes of others")));
        }
        let mut text = String::new();
        if self.json {
            let functions: Vec<_> = book.open.iter().map(|open| open.function.clone()).collect();
            book.losses.retain(|loss| functions.contains(&loss.function));
            text = serde_json::to_string_pretty(&book).map_err(Failure::internal)? + "\n";
        } else if self.place.is_none() {
            _ = writeln!(text, "{} of {all} branch outcomes are open:", book.open.len());
            for (reason, count) in book.reasons() {
                _ = writeln!(text, "{count:>7}  {reason}");
            }
            if !book.pairs.is_empty() {
                _ = writeln!(text, "{} conditions are not shown to change their decision alone:", book.pairs.len());
                for (reason, count) in book.pair_reasons() {
                    _ = writeln!(text, "{count:>7}  {reason}");
                }
            }
            if book.filtered > 0 {
                _ = writeln!(
                    text,
                    "{} candidates were filtered: nothing that is open could be reached from them",
                    book.filtered
                );
            }
            losses_of(&mut text, "what went on concretely:", &book.losses);
        } else {
            lines(&mut text, &book);
        }
        crate::output::print(&text)?;
        Ok(Exit::Clean.into())
    }
}

/// Whole path components: `a.c` is not the end of `ba.c`.
fn ends_with(path: &str, end: &str) -> bool {
    std::path::Path::new(path).ends_with(end)
}

fn lines(text: &mut String, book: &Book) {
    for covered in &book.covered {
        _ = write!(
            text,
            "{}:{}:{} ({}) {}: covered, first by test {:06}",
            covered.file, covered.line, covered.column, covered.function, covered.outcome, covered.test
        );
        _ = match covered.filtered {
            0 => writeln!(text),
            filtered => writeln!(text, "; filtered {filtered} times, nothing open could be reached from there"),
        };
    }
    for open in &book.open {
        let Open { file, line, column, function, outcome, why, tries } = open;
        _ = writeln!(text, "{file}:{line}:{column} ({function}) {outcome}: open; {}", why.in_words());
        if *why != Why::NeverReached {
            _ = writeln!(
                text,
                "    tried: {} unsatisfiable, {} given up by the solver, {} went elsewhere",
                tries.unsat, tries.unknown, tries.diverged
            );
        }
        let near: Vec<_> = book.losses.iter().filter(|loss| loss.function == *function).cloned().collect();
        if matches!(why, Why::Concrete | Why::Diverged) {
            losses_of(text, "    what went on concretely in this function:", &near);
        }
    }
    for pair in &book.pairs {
        let OpenPair { file, line, column, function, condition, conditions, wanted, why, tries } = pair;
        _ = writeln!(
            text,
            "{file}:{line}:{column} ({function}) condition {condition} of {conditions} is not shown to change its decision \
             alone; {}",
            why.in_words()
        );
        _ = writeln!(
            text,
            "    wanted: {}; on the way there: {} unsatisfiable, {} given up by the solver, {} went elsewhere",
            wanted.join(" or "),
            tries.unsat,
            tries.unknown,
            tries.diverged
        );
    }
}

fn losses_of(text: &mut String, title: &str, losses: &[LossLine]) {
    if losses.is_empty() {
        return;
    }
    _ = writeln!(text, "{title}");
    for loss in losses {
        _ = writeln!(
            text,
            "    {}:{} ({}) {} {}, {} times",
            loss.file, loss.line, loss.function, loss.reason, loss.name, loss.times
        );
    }
}
