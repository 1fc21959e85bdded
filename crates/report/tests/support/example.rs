//! A document with all that is hard to show. Unit tests and the browser share it.

use super::{Branch, Condition, Coverage, Decision, File, Function, Line, Place, Summary, Tally, Vector};

const DOOR: &str = r#"/* A door: opens for a key,
   or for a code. */
#include <stdio.h>

static int open_door(int key, int open, int code)
{
	const char *why = "no \"key\" & <no> code";
	if (key > 0 && (open || code == 42)) {
		puts("opened");
		return 0x1f;
	}
	puts(why); // 'closed'
	return 0;
}

int main(int argc, char **argv)
{
	return open_door(argc - 1, argc > 2, 7) && argv[0] ? 'y' : 0;
}

static void broken(void)
{
	puts("never");
}
"#;

/// Where a piece of a line is.
fn at(source: &str, line: u32, piece: &str) -> Place {
    let text = source.split('\n').nth(line as usize - 1).expect("the source has the line");
    let column = text.find(piece).expect("the line has the piece") as u32 + 1;
    Place { line, column, end_line: line, end_column: column + piece.len() as u32 }
}

fn line(line: u32, count: u64, covered_by: impl IntoIterator<Item = u32>) -> Line {
    Line { line, count, covered_by: covered_by.into_iter().collect() }
}

fn function(name: &str, line: u32, end_line: u32, count: u64) -> Function {
    Function { name: name.to_owned(), line, end_line, count, summary: Summary::default() }
}

fn branch(at: Place, true_count: u64, false_count: u64) -> Branch {
    Branch { at, true_count, false_count }
}

/// `"T-F"` and what comes of it.
fn vector(conditions: &str, result: bool) -> Vector {
    let value = |c| match c {
        'T' => Some(true),
        'F' => Some(false),
        _ => None,
    };
    Vector { conditions: conditions.chars().map(value).collect(), result }
}

fn condition(at: Place, pair: Option<(u32, u32)>, lacking: Vec<Vector>) -> Condition {
    Condition { at, text: None, is_constant: false, pair, unique_pair: None, lacking, reason: None }
}

fn tally(covered: impl IntoIterator<Item = bool>) -> Tally {
    let mut tally = Tally::default();
    for covered in covered {
        tally.total += 1;
        tally.covered += u64::from(covered);
    }
    tally
}

/// What follows from the lists, for the lines of `from..=to`; every line with code is a region, and so is every branch.
fn summary(file: &File, from: u32, to: u32) -> Summary {
    let within = |line: u32| (from..=to).contains(&line);
    let lines: Vec<&Line> = file.lines.iter().filter(|line| within(line.line)).collect();
    let branches: Vec<&Branch> = file.branches.iter().filter(|branch| within(branch.at.line)).collect();
    let decisions = file.decisions.iter().filter(|decision| within(decision.at.line));
    let conditions = decisions.flat_map(|decision| &decision.conditions).filter(|condition| !condition.is_constant);
    let line = tally(lines.iter().map(|line| line.count > 0));
    let regions = tally(branches.iter().map(|branch| branch.true_count > 0));
    let functions = file.functions.iter().filter(|function| within(function.line));
    Summary {
        line,
        function: tally(functions.map(|function| function.count > 0)),
        region: Tally { covered: line.covered + regions.covered, total: line.total + regions.total },
        branch: tally(branches.iter().flat_map(|branch| [branch.true_count > 0, branch.false_count > 0])),
        mcdc: tally(conditions.map(|condition| condition.pair.is_some())),
    }
}

fn file(path: &str, source: Option<&str>, mut file: File) -> File {
    file.path = path.to_owned();
    file.source = source.map(str::to_owned);
    for number in 0..file.functions.len() {
        let (from, to) = (file.functions[number].line, file.functions[number].end_line);
        file.functions[number].summary = summary(&file, from, to);
    }
    file.summary = summary(&file, 0, u32::MAX);
    file
}

fn door() -> File {
    let (key, open, code) = (at(DOOR, 8, "key > 0"), at(DOOR, 8, "open"), at(DOOR, 8, "code == 42"));
    let (call, name) = (at(DOOR, 18, "open_door(argc - 1, argc > 2, 7)"), at(DOOR, 18, "argv[0]"));
    let first = Decision {
        at: at(DOOR, 8, "key > 0 && (open || code == 42)"),
        conditions: vec![
            Condition { unique_pair: Some((1, 0)), ..condition(key, Some((1, 0)), Vec::new()) },
            condition(open, None, vec![vector("TFF", false)]),
            Condition {
                reason: Some("no input was found within 10 s (code is always 7 & never 42)".to_owned()),
                ..condition(code, None, vec![vector("TFF", false), vector("TFT", true)])
            },
        ],
        vectors: vec![vector("TT-", true), vector("F--", false)],
    };
    let second = Decision {
        at: at(DOOR, 18, "open_door(argc - 1, argc > 2, 7) && argv[0]"),
        conditions: vec![condition(call, Some((1, 0)), Vec::new()), condition(name, None, vec![vector("TF", false)])],
        vectors: vec![vector("F-", false), vector("TT", true)],
    };
    let lines = vec![
        line(5, 43, 0..40),
        line(7, 43, 0..40),
        line(8, 43, 0..40),
        line(9, 3, [1, 2, 39]),
        line(10, 3, [1, 2, 39]),
        line(11, 3, [1, 2, 39]),
        line(12, 40, (0..40).filter(|test| ![1, 2, 39].contains(test))),
        line(13, 0, []),
        line(16, 43, 0..40),
        line(18, 43, 0..40),
        line(19, 43, 0..40),
        line(21, 0, []),
        line(23, 0, []),
        line(24, 0, []),
    ];
    let branches =
        vec![branch(key, 3, 40), branch(open, 3, 0), branch(code, 0, 0), branch(call, 3, 40), branch(name, 3, 0)];
    let functions = vec![function("open_door", 5, 14, 43), function("main", 16, 19, 43), function("broken", 21, 24, 0)];
    file(
        "src/door.c",
        Some(DOOR),
        File { functions, lines, branches, decisions: vec![first, second], ..File::default() },
    )
}

/// Lines that end as on Windows, tabs, bytes that are no UTF-8, a line that fits on no screen, a constant condition.
fn tabs() -> File {
    let long = "x += 1; ".repeat(200);
    let source = [
        "int\ttabs(int x) /* caf\u{fffd} */",
        "{",
        "\tif (DEBUG && x > 1)",
        &format!("\t\t{long}"),
        "\treturn\tx;",
        "}",
        "",
    ]
    .join("\r\n");
    let (debug, x) = (at(&source, 3, "DEBUG"), at(&source, 3, "x > 1"));
    let conditions = vec![
        Condition { is_constant: true, ..condition(debug, None, Vec::new()) },
        Condition { unique_pair: Some((0, 1)), ..condition(x, Some((0, 1)), Vec::new()) },
    ];
    let decision = Decision {
        at: at(&source, 3, "DEBUG && x > 1"),
        conditions,
        vectors: vec![vector("TF", false), vector("TT", true)],
    };
    let lines = vec![line(1, 2, [0]), line(3, 2, [0]), line(4, u64::MAX, [0]), line(5, 2, [0])];
    file(
        "lib/tabs.c",
        Some(&source),
        File {
            functions: vec![function("tabs", 1, 6, 2)],
            lines,
            branches: vec![branch(x, 1, 1)],
            decisions: vec![decision],
            ..File::default()
        },
    )
}

fn odd() -> File {
    let source = "int f(int a) { return a<1&&\"<b>\"?1:2; } // <&\">'\n}";
    file(
        "src/odd <&\"'>.c",
        Some(source),
        File {
            functions: vec![function("f<T>&\"", 1, 2, 0)],
            lines: vec![line(1, 0, []), line(2, 0, [])],
            branches: vec![branch(at(source, 1, "a<1"), 0, 0)],
            ..File::default()
        },
    )
}

fn gone() -> File {
    let place = Place { line: 4, column: 9, end_line: 4, end_column: 12 };
    let lines = vec![line(4, 6, [3, 4]), line(5, 0, [])];
    file("/usr/include/gone.h", None, File { lines, branches: vec![branch(place, 6, 0)], ..File::default() })
}

pub fn example() -> Coverage {
    let files = vec![gone(), tabs(), door(), odd()];
    let mut totals = Summary::default();
    for file in &files {
        let sums = [
            (&mut totals.line, file.summary.line),
            (&mut totals.function, file.summary.function),
            (&mut totals.region, file.summary.region),
            (&mut totals.branch, file.summary.branch),
            (&mut totals.mcdc, file.summary.mcdc),
        ];
        for (sum, tally) in sums {
            sum.covered += tally.covered;
            sum.total += tally.total;
        }
    }
    let tests = (0..40).map(|number| if number == 2 { "a <&\"> b".to_owned() } else { format!("test-{number:06}") });
    Coverage {
        format: 1,
        programs: vec!["door".to_owned(), "<&\">".to_owned()],
        tests: tests.collect(),
        totals,
        files,
        warnings: vec!["/usr/include/gone.h: not shown: it is not what was compiled <any more>".to_owned()],
    }
}
