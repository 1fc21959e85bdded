//! One run of a target, told in the words of its expectations.

use crate::target::{Target, Variant};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Write;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

pub struct Observed {
    /// Events and losses by line of the target, in order.
    pub lines: BTreeMap<usize, Vec<String>>,
    /// Conditions inside models of libc functions.
    pub libc: Vec<String>,
    /// In other files.
    pub elsewhere: Vec<String>,
    pub sources: String,
    pub has_losses: bool,
    pub incomplete: Vec<String>,
    pub stdout: String,
    /// What may never happen, whatever the file says.
    pub wrong: Vec<String>,
}

pub fn run(tool: &Path, path: &Path, target: &Target, variant: &Variant, folder: &Path) -> Result<Observed, String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for (name, bytes) in &target.files {
        std::fs::write(folder.join(name), bytes).map_err(|error| format!("{name}: {error}"))?;
    }
    if let Some(bytes) = &target.stdin {
        std::fs::write(folder.join(".stdin"), bytes).map_err(|error| format!("stdin: {error}"))?;
    }
    let is_cplusplus = target.is_cplusplus || path.extension().is_some_and(|e| e == "cc");
    let compiled = Command::new(tool)
        .current_dir(folder)
        .arg(if is_cplusplus { "c++" } else { "cc" })
        .args(&variant.flags)
        .arg(path)
        .args(["-o", "x"])
        .args(&target.cc)
        .output()
        .map_err(|error| format!("{}: {error}", tool.display()))?;
    if !compiled.status.success() || !compiled.stderr.is_empty() {
        return Err(format!("compiler: {}\n{}", compiled.status, String::from_utf8_lossy(&compiled.stderr)));
    }
    let mut trace = Command::new(tool);
    trace.args(["trace", "--json", "--self-check", "--time", "20s"]).args(&target.options);
    if let Some(symbolic) = &target.symbolic {
        trace.args(["--symbolic", symbolic]);
    }
    let traced = execute(trace.args(["--", "./x"]), target, folder)?;
    let report: Value = serde_json::from_slice(&traced.stdout)
        .map_err(|error| format!("{error}\n{}", String::from_utf8_lossy(&traced.stderr)))?;
    let mut observed = Observed::of(&report, path);
    if !traced.status.success() || !traced.stderr.is_empty() {
        observed.wrong.push(format!("trace: {} {}", traced.status, String::from_utf8_lossy(&traced.stderr)));
    }
    observed.outcome("", report["outcome"].as_str().unwrap_or_default(), target);
    if target.compare_untraced {
        let untraced = execute(&mut Command::new(folder.join("x")), target, folder)?;
        let outcome = match untraced.status.signal() {
            Some(signal) => format!("killed by signal {signal}"),
            None => format!("exit status {}", untraced.status.code().unwrap_or(-1)),
        };
        observed.outcome("untraced: ", &outcome, target);
        if String::from_utf8_lossy(&untraced.stdout) != observed.stdout {
            let output = String::from_utf8_lossy(&untraced.stdout).into_owned();
            observed.wrong.push(format!("untraced: stdout is {output:?}, traced {:?}", observed.stdout));
        }
    }
    Ok(observed)
}

fn execute(command: &mut Command, target: &Target, folder: &Path) -> Result<Output, String> {
    let stdin = match &target.stdin {
        Some(_) => File::open(folder.join(".stdin")).map_err(|error| format!("stdin: {error}"))?.into(),
        None => Stdio::null(),
    };
    command
        .current_dir(folder)
        .args(target.args.iter().map(|arg| OsStr::from_bytes(arg)))
        .envs(target.env.iter().map(|(name, value)| (name, value)))
        .stdin(stdin)
        .output()
        .map_err(|error| format!("cannot run it: {error}"))
}

impl Observed {
    fn of(report: &Value, path: &Path) -> Observed {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let sources: Vec<_> = list(&report["sources"])
            .iter()
            .map(|source| format!("{}({})", text(&source["name"]), source["length"]))
            .collect();
        let mut observed = Observed {
            lines: BTreeMap::new(),
            libc: Vec::new(),
            elsewhere: Vec::new(),
            sources: if sources.is_empty() { "none".into() } else { sources.join(" ") },
            has_losses: !list(&report["losses"]).is_empty(),
            incomplete: list(&report["incomplete"]).iter().map(text).collect(),
            stdout: text(&report["stdout"]),
            wrong: Vec::new(),
        };
        for event in list(&report["events"]) {
            let Some(words) = event_text(&event) else { continue };
            let place = (text(&event["file"]), event["line"].as_u64().unwrap_or(0) as usize);
            if event["libc"] == true {
                observed.libc.push(words.strip_prefix("branch: ").unwrap_or(&words).to_owned());
            } else {
                observed.put(place, words, path);
            }
        }
        for loss in list(&report["losses"]) {
            let place = (text(&loss["file"]), loss["line"].as_u64().unwrap_or(0) as usize);
            let words = format!("loss: {}/{}", text(&loss["reason"]), text(&loss["what"]));
            observed.put(place, counted(words, loss["count"].as_u64().unwrap_or(1)), path);
        }
        for events in observed.lines.values_mut() {
            collapse(events);
        }
        for key in ["selfcheck_mismatches", "disagreements"] {
            if report["summary"][key] != 0 {
                observed.wrong.push(format!("{key}: {}", report["summary"][key]));
            }
        }
        observed
    }

    fn put(&mut self, (file, line): (String, usize), words: String, path: &Path) {
        if line != 0 && Path::new(&file) == path {
            self.lines.entry(line).or_default().push(words);
        } else {
            self.elsewhere.push(words);
        }
    }

    fn outcome(&mut self, who: &str, outcome: &str, target: &Target) {
        if outcome != target.outcome {
            self.wrong.push(format!("{who}{outcome}, expected {}", target.outcome));
        }
    }

    /// What differs from the expectations, for a person; empty if nothing does.
    pub fn compare(&self, target: &Target, label: &str) -> String {
        let mut out = String::new();
        for wrong in &self.wrong {
            let _ = writeln!(out, "    {wrong}");
        }
        let expected = target.expected_by_line(label);
        let numbers: BTreeSet<usize> = expected.keys().chain(self.lines.keys()).copied().collect();
        for number in numbers {
            let (wanted, got) = (expected.get(&number), self.lines.get(&number));
            if wanted != got {
                let code = target.lines.get(number - 1).map_or("", |line| line.code.trim());
                let _ = writeln!(out, "    line {number}: {code}");
                difference(&mut out, wanted.map_or(&[], Vec::as_slice), got.map_or(&[], Vec::as_slice));
            }
        }
        for (key, got) in self.whole_run() {
            let wanted = target.expected_of_run(label, key);
            // Output and libc's conditions need not be stated; everything else must.
            let holds = match key {
                "stdout:" if wanted.is_empty() => true,
                "libc:" => is_subsequence(&wanted, &got),
                "libc-branches:" => wanted.is_empty() || wanted == got,
                _ => wanted == got,
            };
            if !holds {
                let _ = writeln!(out, "    {key}");
                difference(&mut out, &wanted, &got);
            }
        }
        out
    }

    /// Everything that can be said of the whole run, by key.
    pub fn whole_run(&self) -> [(&'static str, Vec<String>); 7] {
        let mut elsewhere = self.elsewhere.clone();
        collapse(&mut elsewhere);
        [
            ("libc:", self.libc.clone()),
            ("libc-branches:", vec![self.libc.len().to_string()]),
            ("elsewhere:", elsewhere),
            ("sources:", vec![self.sources.clone()]),
            ("no-loss", if self.has_losses { Vec::new() } else { vec![String::new()] }),
            ("incomplete:", self.incomplete.clone()),
            ("stdout:", vec![format!("{:?}", self.stdout)]),
        ]
    }
}

/// `None`: nothing that a target states. A branch without a term is not about the input, and neither is a proper `free`.
fn event_text(event: &Value) -> Option<String> {
    let part = |key: &str| without_addresses(event[key].as_str().unwrap_or_default());
    let (kind, condition, detail) = (part("kind"), part("condition"), part("detail"));
    let words = match kind.as_str() {
        "call" => return None,
        "free" if detail.is_empty() => return None,
        "branch" if condition.is_empty() || condition.starts_with("concretely ") => return None,
        "allocate" if condition.is_empty() => return None,
        // Made by the optimiser or a sanitiser: no condition of the source.
        "branch" if event["derived"] == true => format!("derived: {condition}"),
        "branch" | "switch" | "concretise" => format!("{kind}: {condition}"),
        "assume" | "assert" => {
            let verdict = if event["taken"] == false { "failed" } else { "" };
            let words: Vec<_> = [condition.as_str(), verdict].into_iter().filter(|w| !w.is_empty()).collect();
            format!("{kind}: {}", words.join("; "))
        }
        _ if condition.is_empty() => format!("{kind}: {detail}"),
        _ if detail.is_empty() => format!("{kind}: {condition}"),
        _ => format!("{kind}: {condition}; {detail}"),
    };
    Some(words.trim_end().to_owned())
}

/// Where an object lies is nobody's business: `0x5555…`, `0x7fff…` become `ADDRESS`.
fn without_addresses(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("0x") {
        let digits = rest[at + 2..].bytes().take_while(u8::is_ascii_hexdigit).count();
        let number = &rest[at..at + 2 + digits];
        let is_address = digits == 12 && (number.starts_with("0x5555") || number.starts_with("0x7ff"));
        out.push_str(&rest[..at]);
        out.push_str(if is_address { "ADDRESS" } else { number });
        rest = &rest[at + 2 + digits..];
    }
    out + rest
}

/// Equal neighbours become one with a count.
fn collapse(events: &mut Vec<String>) {
    let mut collapsed: Vec<(String, u64)> = Vec::new();
    for event in events.drain(..) {
        match collapsed.last_mut() {
            Some((last, count)) if *last == event => *count += 1,
            _ => collapsed.push((event, 1)),
        }
    }
    *events = collapsed.into_iter().map(|(event, count)| counted(event, count)).collect();
}

fn counted(words: String, count: u64) -> String {
    if count == 1 { words } else { format!("{words} ×{count}") }
}

fn is_subsequence(wanted: &[String], got: &[String]) -> bool {
    let mut rest = got.iter();
    wanted.iter().all(|words| rest.any(|other| other == words))
}

/// Common lines at both ends are context, what is between them differs.
fn difference(out: &mut String, wanted: &[String], got: &[String]) {
    let head = wanted.iter().zip(got).take_while(|(a, b)| a == b).count();
    let longest = wanted.len().min(got.len()) - head;
    let tail = wanted.iter().rev().zip(got.iter().rev()).take(longest).take_while(|(a, b)| a == b).count();
    let mut lines = |sign: char, part: &[String]| {
        for line in part {
            let _ = writeln!(out, "      {sign} {line}");
        }
    };
    lines(' ', &wanted[..head]);
    lines('-', &wanted[head..wanted.len() - tail]);
    lines('+', &got[head..got.len() - tail]);
    lines(' ', &wanted[wanted.len() - tail..]);
}
