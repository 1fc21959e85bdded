//! Checks on the terminal.

use crate::progress::{Lines, Progress};
use offshoot_base::format_size;
use offshoot_check::stats::Counts;
use offshoot_check::{Event, Summary};
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
            Event::Started { program, seeds, checks } => {
                self.lines.line(format!("checking {program}: {seeds} seeds, {}", checks.join(", ")));
            }
            Event::Seed { name, status, operations, symbolic_decisions } => self.lines.line(format!(
                "seed {name}: {status}, {operations} sensitive operations, {symbolic_decisions} decisions on the input"
            )),
            Event::Distance { distance } => self.lines.line(format!("distance {distance}")),
            Event::Finding { finding } => {
                self.lines.line(format!("finding {:04}: {} at {}", finding.id, finding.kind, finding.place));
            }
            Event::Warning { text } => self.lines.line(format!("offshoot: warning: {text}")),
            Event::Progress { distance, findings, counts } => {
                self.lines.change(|| progress(*distance, *findings, counts));
            }
        }
    }

    pub fn end(&mut self) {
        self.lines.end();
    }
}

fn progress(distance: u32, findings: usize, counts: &Counts) -> String {
    format!(
        "{:.0}s  distance {distance}  {} checks  {} paths beside the seeds'  {findings} findings  {} queries",
        counts.elapsed_s,
        counts.checks,
        counts.paths,
        counts.queries.sat + counts.queries.unsat + counts.queries.unknown,
    )
}

pub fn summary(summary: &Summary, out: &Path) -> String {
    let mut text = String::new();
    for finding in &summary.findings {
        _ = writeln!(text, "[{:04}] {}", finding.id, finding.in_words().trim_end());
        _ = writeln!(text, "  reproduce {}\n", out.join(&finding.folder).join("cmd.sh").display());
    }
    let c = &summary.counts;
    _ = writeln!(text, "stopped: {}", summary.ending.in_words());
    let hidden = match summary.known.len() {
        0 => String::new(),
        known => format!(" new; {known} known from the baseline are hidden"),
    };
    _ = writeln!(text, "findings   {}{hidden}", summary.findings.len());
    if let Some(sample) = &summary.sample {
        _ = writeln!(text, "sample     {}", sample.in_words());
    }
    if !summary.unconfirmed.is_empty() {
        _ = writeln!(text, "not confirmed (a solution exists, but its run shows no error; no findings):");
        for one in &summary.unconfirmed {
            _ = writeln!(text, "  {} at {}, {} times: {}", one.what, one.place, one.times, one.explanation);
        }
    }
    _ = writeln!(
        text,
        "checks     {} on {} operations of {} lines; on {} paths of seeds and {} beside them",
        c.checks,
        c.operations,
        summary.lines.len(),
        summary.seeds.len(),
        c.paths
    );
    if c.seeds_left_out + c.seeds_not_reached > 0 {
        let (left_out, not_reached) = (c.seeds_left_out, c.seeds_not_reached);
        _ = writeln!(text, "seeds      {left_out} could not be run, {not_reached} not looked at for lack of time");
    }
    for (name, what, u) in [("untaken", "ways that no test takes", &c.untaken), ("turns", "others", &c.turns)] {
        if u.tried + u.seeds_left > 0 {
            _ = writeln!(
                text,
                "{name:10} {} {what} were taken, by {} tries; {} seeds left for lack of time",
                u.taken, u.tried, u.seeds_left
            );
        }
    }
    let r = &c.reduction;
    if r.runs + r.cut > 0 {
        _ = writeln!(
            text,
            "reduced    {} changed bytes are the seed's again, by {} runs of the judge; ended early for {} findings",
            r.bytes, r.runs, r.cut
        );
    }
    let done = summary.completed_distance.map_or("not even distance 0".to_owned(), |d| format!("distances up to {d}"));
    _ = writeln!(text, "complete   {done}");
    let s = &c.skipped;
    if s.total() > 0 {
        let reasons = s.reasons().into_iter().filter(|(count, _)| *count > 0);
        let reasons: Vec<String> = reasons.map(|(count, reason)| format!("{count} {reason}")).collect();
        _ = writeln!(text, "skipped    {}", reasons.join(", "));
    }
    _ = writeln!(
        text,
        "time       {:.1} s: {:.1} running, {:.1} solving, {:.1} judging ({} runs, {} by the judge); memory {}",
        c.elapsed_s,
        c.running_s,
        c.solving_s,
        c.judging_s,
        c.executions,
        c.judge_runs,
        format_size(c.peak_rss_bytes)
    );
    _ = writeln!(text, "results in {}, for the eye in {}", out.display(), out.join("html/index.html").display());
    text
}
