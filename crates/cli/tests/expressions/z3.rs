//! What Z3 makes of the printed terms.

use offshoot_expr::{Pool, TermId, smt};
use std::fmt::Write;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Milliseconds for each check.
const TIMEOUT: u32 = 2000;

pub struct Query {
    pub value: u64,
    /// Definitions of the term, the input, and the term's text.
    pub text: String,
    term: String,
}

#[derive(Debug)]
pub enum Answer {
    /// The term can have the value and no other.
    Agrees,
    Unknown,
    Disagrees(String),
}

impl Query {
    /// `None` if the text would leave something open.
    pub fn new(pool: &Pool, names: &[String], term: TermId, value: u64, byte: impl Fn(usize) -> u8) -> Option<Query> {
        let script = smt::script(pool, names, &[], &[term]);
        if !script.unsupported.is_empty() {
            return None;
        }
        let mut text = script.text;
        let inputs: Vec<usize> = text
            .lines()
            .filter_map(|line| line.strip_prefix("(declare-const |stdin[")?.split(']').next()?.parse().ok())
            .collect();
        for offset in inputs {
            let _ = writeln!(text, "(assert (= |stdin[{offset}]| #x{:02x}))", byte(offset));
        }
        let width = pool.width(term);
        let value_text = match width {
            1 => if value != 0 { "true" } else { "false" }.to_owned(),
            _ => format!("(_ bv{value} {width})"),
        };
        Some(Query { value, text, term: format!("(= {} {value_text})", script.values[0]) })
    }
}

/// One process for all.
pub fn ask<'q>(queries: impl Iterator<Item = &'q Query>) -> Vec<Answer> {
    let mut script = String::new();
    let mut count = 0;
    for query in queries {
        // A fresh start rather than push and pop: an incremental solver would do without preprocessing.
        for claim in [query.term.clone(), format!("(not {})", query.term)] {
            let _ = writeln!(script, "(reset)\n(set-option :timeout {TIMEOUT})\n{}", query.text);
            let _ = writeln!(script, "(assert {claim})\n(check-sat)\n(echo \"next\")");
        }
        count += 1;
    }
    let mut z3 = Command::new("z3")
        .args(["-smt2", "-in"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("z3 is installed");
    let mut stdin = z3.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || stdin.write_all(script.as_bytes()));
    let output = z3.wait_with_output().expect("z3 runs");
    writer.join().expect("no panic").expect("z3 reads all");
    let output = String::from_utf8_lossy(&output.stdout);
    let answers: Vec<&str> = output.split("next\n").map(str::trim).collect();
    (0..count)
        .map(|i| match [answers.get(2 * i), answers.get(2 * i + 1)] {
            [Some(&"sat"), Some(&"unsat")] => Answer::Agrees,
            [Some(&("sat" | "unknown")), Some(&("unsat" | "unknown"))] => Answer::Unknown,
            other => Answer::Disagrees(format!("equal: {:?}, different: {:?}", other[0], other[1])),
        })
        .collect()
}
