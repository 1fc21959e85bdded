//! `--only` and `--in-diff`: what the figures are about. What is outside counts as covered, that is, for nothing.

use super::write::is_called;
use crate::failure::Failure;
use clap::Args;
use offshoot_campaign::explore;
use offshoot_model::{Graph, graph};
use offshoot_report::coverage::{Coverage, File, Place, Summary, Tally};
use std::ops::RangeInclusive;
use std::path::PathBuf;

#[derive(Args)]
pub struct Focus {
    /// Look only at FILE, FUNCTION, FILE:LINE or FILE:FIRST-LAST; may be given several times
    #[arg(long, value_name = "WHAT")]
    only: Vec<String>,
    /// Look only at lines that this patch (a unified diff) adds or changes
    #[arg(long, value_name = "PATCH")]
    in_diff: Option<PathBuf>,
}

/// Lines of a file, or all that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Lines(String, RangeInclusive<u32>),
    Named(String),
}

pub struct Parts(Vec<Part>);

impl Focus {
    pub fn read(&self) -> Result<Parts, Failure> {
        let mut parts: Vec<Part> = self.only.iter().map(|word| part(word)).collect();
        if let Some(path) = &self.in_diff {
            let patch = std::fs::read(path)
                .map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))?;
            let changed = changed(&String::from_utf8_lossy(&patch));
            if changed.is_empty() {
                let path = path.display();
                return Err(Failure::usage(format!("{path} adds no line; is it a unified diff (`git diff`)?")));
            }
            parts.extend(changed);
        }
        Ok(Parts(parts))
    }
}

/// The file and line of `FILE:LINE`.
pub fn file_and_line(text: &str) -> Result<(String, u32), Failure> {
    match part(text) {
        Part::Lines(file, lines) if lines.start() == lines.end() => Ok((file, *lines.start())),
        _ => Err(Failure::usage(format!("{text} is not FILE:LINE"))),
    }
}

fn part(word: &str) -> Part {
    let lines = |text: &str| {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        Some(first.parse().ok()?..=last.parse().ok()?)
    };
    match word.rsplit_once(':').and_then(|(file, text)| Some((file, lines(text)?))) {
        Some((file, lines)) => Part::Lines(file.to_owned(), lines),
        None => Part::Named(word.to_owned()),
    }
}

/// The lines that a unified diff adds, with their numbers in the new file.
fn changed(patch: &str) -> Vec<Part> {
    let mut found = Vec::new();
    let mut file = None;
    // Line in the new file, and how many lines of old and new file the hunk still has.
    let (mut at, mut old, mut new) = (0, 0, 0);
    for line in patch.lines() {
        if old == 0 && new == 0 {
            if let Some(path) = line.strip_prefix("+++ ") {
                let path = path.split('\t').next().unwrap_or_default();
                file = (path != "/dev/null").then(|| path.strip_prefix("b/").unwrap_or(path).to_owned());
            } else if let Some(hunk) = line.strip_prefix("@@ -").and_then(hunk) {
                (old, at, new) = hunk;
            }
            continue;
        }
        match line.as_bytes().first() {
            Some(b'+') => {
                if let Some(file) = &file {
                    found.push(Part::Lines(file.clone(), at..=at));
                }
                at += 1;
                new = new.saturating_sub(1);
            }
            Some(b'-') => old = old.saturating_sub(1),
            // "\ No newline at end of file"
            Some(b'\\') => {}
            _ => {
                at += 1;
                (old, new) = (old.saturating_sub(1), new.saturating_sub(1));
            }
        }
    }
    found
}

/// Of `1,2 +3,4 @@`: lines of the old file, first line and lines of the new one.
fn hunk(text: &str) -> Option<(u32, u32, u32)> {
    let (old, rest) = text.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let count = |range: &str| range.split_once(',').map_or(Some(1), |(_, count)| count.parse().ok());
    let start = new.split(',').next()?.parse().ok()?;
    Some((count(old)?, start, count(new)?))
}

impl Parts {
    /// The same for sites of a program; `None`: everything is inside.
    pub fn of_sites(self, graph: &Graph) -> Result<Option<explore::Focus>, Failure> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let is_inside = move |place: &graph::Place<'_>| {
            self.0.iter().any(|part| match part {
                Part::Lines(file, lines) => lines.contains(&place.line) && is_called(place.file, file),
                Part::Named(name) => place.function == name || is_called(place.file, name),
            })
        };
        if !graph.sites().any(|site| graph.is_goal(site) && is_inside(&graph.place(site))) {
            return Err(Failure::usage("there is no branch in what --only and --in-diff name"));
        }
        Ok(Some(Box::new(is_inside)))
    }

    /// Leaves out what is outside, and counts anew.
    pub fn apply(&self, document: &mut Coverage) -> Result<(), Failure> {
        if self.0.is_empty() {
            return Ok(());
        }
        for part in &self.0 {
            if let Part::Named(name) = part
                && !document.files.iter().any(|file| is_called(&file.path, name) || has_function(file, name))
            {
                return Err(Failure::usage(format!("no file or function {name} in the program")));
            }
        }
        document.files.retain_mut(|file| {
            let ranges: Vec<_> = self.0.iter().flat_map(|part| ranges(part, file)).collect();
            cut(file, |line| ranges.iter().any(|range| range.contains(&line)));
            !file.lines.is_empty()
        });
        document.totals = Summary::default();
        for file in &document.files {
            document.totals += file.summary;
        }
        Ok(())
    }
}

fn has_function(file: &File, name: &str) -> bool {
    file.functions.iter().any(|function| function.name == name)
}

fn ranges(part: &Part, file: &File) -> Vec<RangeInclusive<u32>> {
    match part {
        Part::Lines(name, lines) if is_called(&file.path, name) => vec![lines.clone()],
        Part::Lines(..) => Vec::new(),
        Part::Named(name) if is_called(&file.path, name) => vec![0..=u32::MAX],
        Part::Named(name) => {
            let named = file.functions.iter().filter(|function| function.name == *name);
            named.map(|function| function.line..=function.end_line).collect()
        }
    }
}

/// A function stays if some of it does; its regions are not told apart further.
fn cut(file: &mut File, inside: impl Fn(u32) -> bool) {
    let touches = |at: &Place| (at.line..=at.end_line).any(&inside);
    file.lines.retain(|line| inside(line.line));
    file.functions.retain(|function| file.lines.iter().any(|l| (function.line..=function.end_line).contains(&l.line)));
    file.branches.retain(|branch| touches(&branch.at));
    file.decisions.retain(|decision| touches(&decision.at));
    let mut region = Tally::default();
    file.functions.iter().for_each(|function| region += function.summary.region);
    let outcomes = file.branches.iter().flat_map(|branch| [branch.true_count, branch.false_count]);
    let conditions = file.decisions.iter().flat_map(|decision| &decision.conditions).filter(|c| !c.is_constant);
    file.summary = Summary {
        line: Tally::of(file.lines.iter().map(|line| line.count > 0)),
        function: Tally::of(file.functions.iter().map(|function| function.count > 0)),
        region,
        branch: Tally::of(outcomes.map(|count| count > 0)),
        mcdc: Tally::of(conditions.map(|condition| condition.pair.is_some())),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_added_lines_of_a_patch_count() {
        let patch = "diff --git a/x.c b/x.c\n--- a/x.c\n+++ b/x.c\n@@ -1,3 +1,4 @@\n one\n-two\n+TWO\n+more\n three\n\
                     @@ -10 +11,2 @@ f()\n ten\n+--- eleven\n--- a/gone.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
        let line = |line| Part::Lines("x.c".to_owned(), line..=line);
        assert_eq!(changed(patch), [line(2), line(3), line(12)]);
        assert!(changed("no patch").is_empty());
    }

    #[test]
    fn words_name_lines_or_things() {
        assert_eq!(part("a/b.c:3"), Part::Lines("a/b.c".to_owned(), 3..=3));
        assert_eq!(part("b.c:3-9"), Part::Lines("b.c".to_owned(), 3..=9));
        assert_eq!(part("parse"), Part::Named("parse".to_owned()));
        assert_eq!(part("a::b"), Part::Named("a::b".to_owned()));
        assert!(file_and_line("b.c").is_err() && file_and_line("b.c:1-2").is_err());
    }
}
