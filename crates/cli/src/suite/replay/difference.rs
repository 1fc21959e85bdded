//! How two runs of a test differ, in words.

use offshoot_suite::{Expectation, Output, Status};

/// Empty: nothing that both know of differs. `names` are what the two are called.
pub fn differences(a: &Expectation, b: &Expectation, names: [&str; 2]) -> Vec<String> {
    let mut found = Vec::new();
    if let (Some(a), Some(b)) = (&a.status, &b.status) {
        if a.value != b.value {
            let [first, second] = names;
            found.push(format!("status: {first} {}, {second} {}", in_words(&a.value), in_words(&b.value)));
        }
        // How much a run has written when we end it is chance.
        if matches!(a.value, Status::Ended(_)) || matches!(b.value, Status::Ended(_)) {
            return found;
        }
    }
    for (stream, a, b) in [("stdout", &a.stdout, &b.stdout), ("stderr", &a.stderr, &b.stderr)] {
        if let (Some(a), Some(b)) = (a, b) {
            found.extend(outputs(&a.value, &b.value, names).map(|difference| format!("{stream}: {difference}")));
        }
    }
    found
}

fn in_words(status: &Status) -> String {
    match status {
        Status::Exited(code) => format!("exit {code}"),
        Status::Signaled(signal) => format!("signal {signal}"),
        Status::Ended(why) => why.clone(),
    }
}

fn outputs(a: &Output, b: &Output, names: [&str; 2]) -> Option<String> {
    let [first, second] = names;
    let same = a.bytes.iter().zip(&b.bytes).take_while(|(a, b)| a == b).count();
    // One may hold more of a long output than the other.
    let all_known = same == a.bytes.len().min(b.bytes.len());
    if all_known && a.total == b.total {
        return None;
    }
    if all_known && !(a.is_whole() && b.is_whole()) {
        return Some(format!("{first} {} bytes, {second} {}", a.total, b.total));
    }
    let line = 1 + a.bytes[..same].iter().filter(|&&byte| byte == b'\n').count();
    Some(format!("line {line}: {first} {}, {second} {}", line_at(&a.bytes, same), line_at(&b.bytes, same)))
}

/// The line around a place, shortened.
fn line_at(bytes: &[u8], at: usize) -> String {
    const SHOWN: usize = 60;
    let start = bytes[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    if start == bytes.len() {
        return "nothing more".to_owned();
    }
    let line = bytes[start..].split(|&byte| byte == b'\n').next().unwrap_or_default();
    // The place itself must be seen.
    let from = (at - start).min(line.len()).saturating_sub(SHOWN / 2);
    let part = &line[from..line.len().min(from + SHOWN)];
    let dots = |cut: bool| if cut { "…" } else { "" };
    format!("\"{}{}{}\"", dots(from > 0), part.escape_ascii(), dots(from + part.len() < line.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use offshoot_suite::Expected;

    fn seen(status: Status, stdout: &str) -> Expectation {
        let output = |text: &str| Some(Expected::recorded(Output::from(text.as_bytes().to_vec())));
        Expectation { status: Some(Expected::recorded(status)), stdout: output(stdout), stderr: output("") }
    }

    fn check(a: (Status, &str), b: (Status, &str), expected: &[&str]) {
        assert_eq!(differences(&seen(a.0, a.1), &seen(b.0, b.1), ["expected", "got"]), expected);
    }

    #[test]
    fn differences_are_shown_where_they_are() {
        let exit = Status::Exited;
        check((exit(0), "a\n"), (exit(0), "a\n"), &[]);
        check((exit(0), "a\n"), (exit(3), "a\n"), &["status: expected exit 0, got exit 3"]);
        check((exit(0), "a\nbc\n"), (exit(0), "a\nbd\n"), &["stdout: line 2: expected \"bc\", got \"bd\""]);
        check((exit(0), "a\n"), (exit(0), "a\nb\n"), &["stdout: line 2: expected nothing more, got \"b\""]);
        check((exit(0), "ab"), (exit(0), "a"), &["stdout: line 1: expected \"ab\", got \"a\""]);
        check((exit(0), ""), (exit(0), "\n"), &["stdout: line 1: expected nothing more, got \"\""]);
    }

    #[test]
    fn output_of_a_run_that_we_ended_is_not_compared() {
        let ended = Status::Ended("ran out of time".into());
        check((ended.clone(), "a"), (ended.clone(), "aa"), &[]);
        check((ended, "a"), (Status::Exited(0), "aa"), &["status: expected ran out of time, got exit 0"]);
    }

    #[test]
    fn what_is_not_expected_is_not_compared() {
        assert!(differences(&Expectation::default(), &seen(Status::Exited(1), "x"), ["a", "b"]).is_empty());
    }

    #[test]
    fn of_long_output_the_known_part_and_the_size_count() {
        let long = |bytes: &[u8], total| Output { bytes: bytes.to_vec(), total };
        assert_eq!(outputs(&long(b"aaaa", 9), &long(b"aa", 9), ["a", "b"]), None);
        assert_eq!(outputs(&long(b"aa", 9), &long(b"aa", 8), ["a", "b"]).as_deref(), Some("a 9 bytes, b 8"));
        assert!(outputs(&long(b"ab", 9), &long(b"aa", 9), ["a", "b"]).is_some());
    }
}
