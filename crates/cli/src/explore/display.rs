//! A campaign on the terminal.

use crate::progress::{Lines, Progress};
use offshoot_base::format_size;
use offshoot_campaign::explore::Summary;
use offshoot_campaign::stages::Stage;
use offshoot_campaign::stats::Snapshot;
use offshoot_campaign::sync::Counts;
use offshoot_campaign::{ChangedByte, Event};
use std::fmt::Write;
use std::path::Path;

pub struct Display {
    lines: Lines,
}

impl Display {
    pub fn new(how: Progress) -> Display {
        Display { lines: Lines::new(how) }
    }

    pub fn show(&mut self, event: &Event) {
        if self.lines.is_silent() && !matches!(event, Event::Warning { .. }) {
            return;
        }
        match event {
            Event::Started { program, strategy, criterion, goals, seeds, .. } => {
                let goals = match criterion.as_str() {
                    "branch" => format!("{goals} branch outcomes"),
                    _ => format!("{goals} to cover ({criterion})"),
                };
                self.lines.line(format!("exploring {program}: {goals}, {seeds} seeds, strategy {strategy}"));
            }
            Event::Seed { name, status, symbolic_steps, gain, .. } => {
                self.lines.line(format!(
                    "seed {name}: {status}, {symbolic_steps} decisions on the input, covers {gain} more"
                ));
            }
            Event::Stage(stage) => {
                let Stage { name, seconds, gain, covered, why, .. } = stage;
                self.lines.line(format!("stage {name}: {seconds:.1} s, covers {gain} more (now {covered}); {why}"));
            }
            Event::Test { id, flipped, changed, gain, covered, .. } => {
                let flipped = flipped.as_deref().unwrap_or("");
                let bytes = bytes_in_words(changed);
                self.lines.line(format!("test {id:06}: +{gain} (now {covered}) {flipped}; {bytes}"));
            }
            Event::Finding { id, kind, place, confirmed, .. } => {
                let doubt = if *confirmed { "" } else { " (not seen without instrumentation)" };
                self.lines.line(format!("finding {id:04}: {kind} after {place}{doubt}"));
            }
            Event::Warning { text } => self.lines.line(format!("offshoot: warning: {text}")),
            Event::Progress(snapshot) => {
                self.lines.change(|| progress(snapshot));
            }
            // For those who ask why: in events.jsonl.
            Event::Diverged { .. } | Event::Ended { .. } => {}
        }
    }

    pub fn end(&mut self) {
        self.lines.end();
    }
}

fn progress(snapshot: &Snapshot) -> String {
    let branch = snapshot.coverage.branch;
    let per_second = snapshot.executions as f64 / snapshot.elapsed_s.max(0.001);
    let others = snapshot.coverage.others.iter().map(|(name, c)| format!("  {}/{} {name}", c.covered, c.total));
    let others: String = others.collect();
    format!(
        "{:.0}s  {} inputs  {per_second:.0} exec/s  {}/{} branches{others}  {} tests  {} findings  {} queries  {} filtered  last gain {:.0}s ago  {}",
        snapshot.elapsed_s,
        snapshot.iterations,
        branch.covered,
        branch.total,
        snapshot.tests,
        snapshot.findings,
        snapshot.queries.sat + snapshot.queries.unsat + snapshot.queries.unknown,
        snapshot.filtered,
        snapshot.since_gain_s,
        snapshot.strategy,
    )
}

/// `stdin[3] 'a' → '{'`
fn bytes_in_words(changed: &[ChangedByte]) -> String {
    let shown = changed.iter().take(4).map(|byte| {
        let old = byte.old.map_or("nothing".to_owned(), |old| format!("{:?}", char::from(old)));
        format!("{}[{}] {old} → {:?}", byte.source, byte.offset, char::from(byte.new))
    });
    let mut text = shown.collect::<Vec<_>>().join(", ");
    if changed.len() > 4 {
        text.push_str(&format!(" and {} more", changed.len() - 4));
    }
    text
}

pub fn summary(summary: &Summary, out: &Path) -> String {
    let mut text = String::new();
    let s = &summary.snapshot;
    _ = writeln!(text, "stopped: {}", summary.ending.in_words());
    let figures = [("branches", &s.coverage.branch)].into_iter();
    for (name, covered) in figures.chain(s.coverage.others.iter().map(|(name, covered)| (*name, covered))) {
        let percent = 100.0 * f64::from(covered.covered) / f64::from(covered.total.max(1));
        _ = writeln!(text, "{name:<10} {} of {} ({percent:.1} %)", covered.covered, covered.total);
    }
    if let Some(infeasible) = s.infeasible {
        _ = writeln!(text, "infeasible {infeasible} conditions of decisions: every path was tried");
    }
    for (at, stage) in s.stages.iter().enumerate() {
        let head = if at == 0 { "stages" } else { "" };
        let Stage { name, seconds, share, runs, gain, why, .. } = stage;
        let share = 100.0 * share.unwrap_or(0.0);
        _ = writeln!(text, "{head:<10} {name:<10}{seconds:>6.1} s ({share:>2.0} %)  +{gain}, {runs} runs; {why}");
    }
    _ = writeln!(text, "tests      {}", s.tests);
    _ = writeln!(text, "findings   {}", s.findings);
    _ = writeln!(
        text,
        "inputs     {} in {:.1} s ({} runs, {:.0} a second; {} went elsewhere than predicted, {} like those not tried)",
        s.iterations,
        s.elapsed_s,
        s.executions,
        s.executions as f64 / s.elapsed_s.max(0.001),
        s.divergences,
        s.passed_over,
    );
    if let Some(sync) = s.sync {
        let Counts { looked_at, taken, given, kept_back, unreadable } = sync;
        _ = writeln!(
            text,
            "shared     took {taken} of {looked_at} inputs of other fuzzers, gave them {given} tests; {kept_back} tests change \
             arguments and were kept back, {unreadable} files left out"
        );
    }
    _ = writeln!(
        text,
        "queries    {} sat, {} unsat, {} unknown; {} more were filtered: nothing could be covered by them",
        s.queries.sat, s.queries.unsat, s.queries.unknown, s.filtered
    );
    for (name, layer) in s.layers.iter().filter(|(_, layer)| layer.sat + layer.unsat > 0) {
        _ = writeln!(text, "  {name:<9}{} sat, {} unsat, {:.2} s", layer.sat, layer.unsat, layer.seconds);
    }
    _ = writeln!(
        text,
        "time       {:.1} s running, {:.1} s solving; memory {}",
        s.running_s,
        s.solving_s,
        format_size(s.peak_rss_bytes)
    );
    _ = writeln!(
        text,
        "results in {}; `offshoot explain -o {} FILE:LINE` says why a branch stayed open",
        out.display(),
        out.display()
    );
    text
}
