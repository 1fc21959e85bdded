//! The report for a person.

use super::report::{Item, Report};
use std::io::{self, Write};

pub fn print(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    writeln!(out, "ran      {}", report.command.join(" "))?;
    writeln!(
        out,
        "outcome  {} after {:.3} s ({:.3} s of CPU time)",
        report.outcome, report.seconds, report.cpu_seconds
    )?;
    for reason in &report.incomplete {
        writeln!(out, "note     {reason}")?;
    }
    for note in &report.notes {
        writeln!(out, "note     {note}")?;
    }
    for source in &report.sources {
        let shown: String = source.bytes.chars().take(60).collect();
        let more = if shown.len() < source.bytes.len() { "…" } else { "" };
        writeln!(out, "input    {} ({} bytes) \"{shown}{more}\"", source.name, source.length)?;
    }
    let path = |item: &&Item| matches!(item.kind, "branch" | "switch" | "concretise" | "assume" | "assert");
    section(out, "path condition", report.events.iter().filter(path))?;
    let sensitive = |item: &&Item| matches!(item.kind, "access" | "divide" | "length" | "allocate" | "free");
    section(out, "sensitive operations", report.events.iter().filter(sensitive))?;
    section(out, "output", report.events.iter().filter(|item| item.kind == "output"))?;
    section(out, "calls", report.events.iter().filter(|item| item.kind == "call"))?;
    if !report.losses.is_empty() {
        writeln!(out, "\nlosses (symbolic values that went on concretely)")?;
        for loss in &report.losses {
            let place = place(&loss.file, loss.line, 0, &loss.function);
            writeln!(out, "  {place:<44} {}: {} ({}×)", loss.reason, loss.what, loss.count)?;
        }
    }
    let s = &report.summary;
    writeln!(out, "\nsummary")?;
    writeln!(out, "  {} symbolic branches, {} more inside libc, {} switches", s.branches, s.libc_branches, s.switches)?;
    writeln!(
        out,
        "  {} accesses through symbolic addresses, {} divisions, {} lengths, {} allocations of symbolic size",
        s.accesses, s.divisions, s.lengths, s.allocations
    )?;
    writeln!(out, "  {} terms, {} concretisations, {} losses", s.terms, s.concretisations, s.losses)?;
    writeln!(out, "  {} of {} condition outcomes covered by this run", s.outcomes_covered, s.outcomes_total)?;
    if s.selfcheck_compared > 0 {
        writeln!(out, "  self-check: {} values compared, {} mismatches", s.selfcheck_compared, s.selfcheck_mismatches)?;
    }
    if s.disagreements > 0 {
        writeln!(out, "  {} events disagree with their terms: a bug in Offshoot, please report it", s.disagreements)?;
    }
    Ok(())
}

fn section<'a>(out: &mut dyn Write, title: &str, items: impl Iterator<Item = &'a Item>) -> io::Result<()> {
    let mut first = true;
    for item in items {
        if std::mem::take(&mut first) {
            writeln!(out, "\n{title}")?;
        }
        let place = place(&item.file, item.line, item.column, &item.function);
        let kind = match (item.kind, item.taken) {
            ("branch", _) => "",
            (kind, _) => kind,
        };
        let mut words = vec![item.condition.as_str()];
        if matches!(item.kind, "access" | "length" | "output" | "free" | "divide") {
            words.push(&item.detail);
        }
        let line = format!("  {place:<44} {kind:<10} {}", words.join("  "));
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn place(file: &str, line: u32, column: u32, function: &str) -> String {
    match (line, column) {
        (0, _) if function.is_empty() => String::new(),
        (0, _) => function.to_string(),
        (_, 0) => format!("{file}:{line} {function}"),
        _ => format!("{file}:{line}:{column} {function}"),
    }
}
