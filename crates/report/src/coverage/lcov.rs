//! As a tracefile of lcov, with the MC/DC records of lcov 2 (older ones pass over them). lcov counts both senses of a
//! condition, so `MCF` is twice our total.

use super::{Coverage, Decision, File, Place};
use crate::html::{excerpt, lines};
use std::collections::{BTreeMap, HashSet};
use std::fmt::{Display, Write};

pub fn lcov(coverage: &Coverage) -> String {
    let mut out = String::new();
    for file in &coverage.files {
        _ = writeln!(out, "TN:\nSF:{}", plain(&file.path));
        functions(&mut out, file);
        branches(&mut out, file);
        mcdc(&mut out, file);
        for line in &file.lines {
            _ = writeln!(out, "DA:{},{}", line.line, line.count);
        }
        let hit = file.lines.iter().filter(|line| line.count > 0).count();
        found_and_hit(&mut out, "L", file.lines.len(), hit);
        out.push_str("end_of_record\n");
    }
    out
}

fn functions(out: &mut String, file: &File) {
    for function in &file.functions {
        _ = writeln!(out, "FN:{},{}", function.line, plain(&function.name));
    }
    for function in &file.functions {
        _ = writeln!(out, "FNDA:{},{}", function.count, plain(&function.name));
    }
    let hit = file.functions.iter().filter(|function| function.count > 0).count();
    found_and_hit(out, "FN", file.functions.len(), hit);
}

/// Each condition is a block of its line, with branch 0 for true and 1 for false.
fn branches(out: &mut String, file: &File) {
    let mut blocks: BTreeMap<u32, u32> = BTreeMap::new();
    let mut hit = 0;
    for branch in &file.branches {
        let block = blocks.entry(branch.at.line).or_default();
        let evaluated = branch.true_count > 0 || branch.false_count > 0;
        for (outcome, count) in [branch.true_count, branch.false_count].into_iter().enumerate() {
            let taken = if evaluated { count.to_string() } else { "-".to_owned() };
            _ = writeln!(out, "BRDA:{},{block},{outcome},{taken}", branch.at.line);
            hit += usize::from(count > 0);
        }
        *block += 1;
    }
    if !file.branches.is_empty() {
        found_and_hit(out, "BR", 2 * file.branches.len(), hit);
    }
}

/// Constant conditions count for nothing and are left out.
fn mcdc(out: &mut String, file: &File) {
    let source = lines(file.source.as_deref().unwrap_or_default());
    let (mut found, mut hit) = (0, 0);
    for (line, groups) in groups(file) {
        for group in groups {
            let size = group.len();
            for (index, (decision, position)) in group.into_iter().enumerate() {
                let condition = &decision.conditions[position];
                let taken = usize::from(condition.pair.is_some());
                let text = |at: Place| {
                    excerpt(&source, at).unwrap_or_else(|| format!("line {} column {}", at.line, at.column))
                };
                let expression = format!("'{}' in '{}'", text(condition.at), text(decision.at));
                for sense in ['t', 'f'] {
                    _ = writeln!(out, "MCDC:{line},{size},{sense},{taken},{index},{}", plain(&expression));
                }
                found += 2;
                hit += 2 * taken;
            }
        }
    }
    if found > 0 {
        found_and_hit(out, "MC", found, hit);
    }
}

/// A decision and the position of one of its conditions.
type Member<'a> = (&'a Decision, usize);

/// The conditions of each decision by line. lcov tells groups of a line apart by their size alone: where two have the same,
/// all of that line are one.
fn groups(file: &File) -> BTreeMap<u32, Vec<Vec<Member<'_>>>> {
    let mut by_line: BTreeMap<u32, Vec<Vec<Member>>> = BTreeMap::new();
    for decision in &file.decisions {
        let conditions = decision.conditions.iter().enumerate().filter(|(_, condition)| !condition.is_constant);
        let members: Vec<Member> = conditions.map(|(position, _)| (decision, position)).collect();
        if !members.is_empty() {
            by_line.entry(decision.at.line).or_default().push(members);
        }
    }
    for groups in by_line.values_mut() {
        let mut sizes = HashSet::new();
        if !groups.iter().all(|group| sizes.insert(group.len())) {
            *groups = vec![groups.concat()];
        }
    }
    by_line
}

fn found_and_hit(out: &mut String, what: &str, found: impl Display, hit: impl Display) {
    _ = writeln!(out, "{what}F:{found}\n{what}H:{hit}");
}

/// A record is a line.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::example::example;

    /// The record of one file.
    fn record<'a>(text: &'a str, path: &str) -> Vec<&'a str> {
        let name = format!("SF:{path}");
        let lines = text.lines().skip_while(move |line| *line != name);
        lines.take_while(|line| *line != "end_of_record").collect()
    }

    #[test]
    fn a_record_has_all_of_a_file() {
        let text = lcov(&example());
        let expected = "SF:src/odd <&\"'>.c\nFN:1,f<T>&\"\nFNDA:0,f<T>&\"\nFNF:1\nFNH:0\nBRDA:1,0,0,-\nBRDA:1,0,1,-\nBRF:2\nBRH:0\n\
                        DA:1,0\nDA:2,0\nLF:2\nLH:0";
        assert_eq!(record(&text, "src/odd <&\"'>.c").join("\n"), expected);
        assert_eq!(text.matches("TN:\n").count(), text.matches("end_of_record\n").count());
    }

    #[test]
    fn mcdc_has_both_senses() {
        let text = lcov(&example());
        let lines: Vec<&str> = record(&text, "src/door.c").into_iter().filter(|line| line.starts_with("MC")).collect();
        let whole = "in 'key > 0 && (open || code == 42)'";
        let expected = [
            format!("MCDC:8,3,t,1,0,'key > 0' {whole}"),
            format!("MCDC:8,3,f,1,0,'key > 0' {whole}"),
            format!("MCDC:8,3,t,0,1,'open' {whole}"),
            format!("MCDC:8,3,f,0,1,'open' {whole}"),
            format!("MCDC:8,3,t,0,2,'code == 42' {whole}"),
            format!("MCDC:8,3,f,0,2,'code == 42' {whole}"),
        ];
        assert_eq!(lines[..6], expected);
        assert_eq!(lines[lines.len() - 2..], ["MCF:10", "MCH:4"]);
    }

    #[test]
    fn groups_of_a_size_on_a_line_become_one() {
        let mut coverage = example();
        let file = coverage.files.iter_mut().find(|file| file.path == "src/door.c").expect("is there");
        file.decisions = vec![file.decisions[0].clone(), file.decisions[0].clone()];
        let text = lcov(&coverage);
        assert!(text.contains("\nMCDC:8,6,t,1,0,"), "{text}");
        assert!(text.contains("\nMCDC:8,6,f,0,5,"), "{text}");
    }

    #[test]
    fn a_source_that_is_not_there_leaves_places() {
        let mut coverage = example();
        coverage.files.iter_mut().for_each(|file| file.source = None);
        assert!(lcov(&coverage).contains("MCDC:8,3,t,1,0,'line 8 column 6' in 'line 8 column 6'\n"));
    }
}
