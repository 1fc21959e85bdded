//! Writes what happened into a target, in place of what was expected.

use crate::observe::Observed;
use crate::target::Target;

const WIDTH: usize = 120;

pub fn rewrite(target: &Target, runs: &[(String, Observed)]) -> String {
    let mut out: Vec<String> = Vec::new();
    for (index, line) in target.lines.iter().enumerate().filter(|(_, line)| !line.is_expectation) {
        let of_line = |observed: &Observed| observed.lines.get(&(index + 1)).cloned().unwrap_or_default();
        let notes = annotations(runs, of_line);
        match notes.as_slice() {
            [note] if line.code.chars().count() + 1 + note.chars().count() <= WIDTH => {
                out.push(format!("{} {note}", line.code));
            }
            _ => {
                out.push(line.code.clone());
                let margin = line.code.len() - line.code.trim_start().len();
                out.extend(notes.iter().map(|note| format!("{}{note}", " ".repeat(margin))));
            }
        }
    }
    while out.last().is_some_and(String::is_empty) {
        out.pop();
    }
    out.push(String::new());
    let keys = runs[0].1.whole_run().map(|(key, _)| key);
    for key in keys {
        let of_key = |observed: &Observed| {
            let of_run = observed.whole_run().into_iter().find(|(other, _)| *other == key);
            let texts = of_run.map(|(_, texts)| texts).unwrap_or_default();
            texts.iter().map(|text| format!("{key} {text}").trim_end().to_owned()).collect()
        };
        let is_stated = runs.iter().any(|(label, _)| !target.expected_of_run(label, key).is_empty());
        match key {
            // Conditions inside libc are stated by choice; those that still hold stay.
            "libc:" | "libc-branches:" if !is_stated => {}
            "libc:"
                if runs.iter().all(|(label, observed)| !observed.compare(target, label).contains("    libc:\n")) =>
            {
                let stated = target.expected.iter().filter(|e| e.line == 0 && e.text.starts_with("libc:"));
                out.extend(stated.map(|e| note(&e.labels.join(","), &e.text)));
            }
            "stdout:" if !is_stated && runs.iter().all(|(_, observed)| observed.stdout.is_empty()) => {}
            _ => out.extend(annotations(runs, of_key)),
        }
    }
    out.join("\n") + "\n"
}

/// One list if all runs agree, else one list for each group of runs that do.
fn annotations(runs: &[(String, Observed)], texts: impl Fn(&Observed) -> Vec<String>) -> Vec<String> {
    let mut groups: Vec<(Vec<&str>, Vec<String>)> = Vec::new();
    for (label, observed) in runs {
        let found = texts(observed);
        match groups.iter_mut().find(|(_, other)| *other == found) {
            Some((labels, _)) => labels.push(label),
            None => groups.push((vec![label], found)),
        }
    }
    let is_common = groups.len() == 1;
    let notes = groups.iter().flat_map(|(labels, texts)| {
        let labels = if is_common { String::new() } else { labels.join(",") };
        texts.iter().map(move |text| note(&labels, text))
    });
    notes.collect()
}

fn note(labels: &str, text: &str) -> String {
    if labels.is_empty() { format!("//~ {text}") } else { format!("//~[{labels}] {text}") }
}
