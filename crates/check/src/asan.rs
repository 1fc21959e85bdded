//! Reports of AddressSanitizer, as it writes them to standard error.

use serde::Serialize;
use std::collections::HashSet;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// `heap-buffer-overflow`, `SEGV`, `FPE`
    pub kind: String,
    /// Of the access itself, innermost first.
    pub frames: Vec<Frame>,
    /// Its first lines, without the shadow bytes.
    pub lines: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Frame {
    pub function: String,
    /// `None`: no debug information.
    pub file: Option<String>,
    pub line: u32,
    pub column: u32,
}

const KEPT: usize = 24;
const ERROR: &str = "ERROR: AddressSanitizer: ";

/// Options for the program: no report about leaks, which are no findings; an allocation that is too large fails as it
/// does without AddressSanitizer; `abort` tells its place.
pub const OPTIONS: &str = "detect_leaks=0:allocator_may_return_null=1:handle_abort=1:abort_on_error=0:symbolize=1:\
                           detect_stack_use_after_return=0:color=never";

impl Report {
    pub fn parse(stderr: &str) -> Option<Report> {
        let start = stderr.find(ERROR)?;
        let text = &stderr[start..];
        let mut words = text[ERROR.len()..].split_whitespace().map(|word| word.trim_end_matches(':'));
        let kind = match words.next()? {
            "attempting" if words.next() == Some("double-free") => "double-free",
            "attempting" => "bad-free",
            kind => kind,
        };
        let kind = kind.to_owned();
        let mut lines = Vec::new();
        let mut frames = Vec::new();
        let mut first_stack = true;
        for line in text.lines() {
            if line.starts_with("SUMMARY: ") || line.starts_with("Shadow bytes") {
                break;
            }
            match Frame::parse(line) {
                Some((number, frame)) => {
                    // The stacks of allocation and deallocation start at 0 again.
                    first_stack &= number > 0 || frames.is_empty();
                    if first_stack {
                        frames.push(frame);
                    }
                }
                None if !frames.is_empty() => first_stack = false,
                None => {}
            }
            if lines.len() < KEPT {
                lines.push(line.trim_end().to_owned());
            }
        }
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        Some(Report { kind, frames, lines })
    }

    /// Position of the innermost frame of the program itself; `functions` are those that it has.
    pub fn own_frame(&self, functions: &HashSet<String>) -> Option<usize> {
        let own = self.frames.iter().position(|frame| frame.line > 0 && functions.contains(&frame.function));
        // The names of C++ are not those of the linker.
        own.or_else(|| self.frames.iter().position(Frame::seems_own))
    }

    /// It was a read (`false`) or a write (`true`), if it says so.
    pub fn is_write(&self) -> Option<bool> {
        self.lines.iter().find_map(|line| match line {
            line if line.starts_with("READ of size") || line.contains("caused by a READ") => Some(false),
            line if line.starts_with("WRITE of size") || line.contains("caused by a WRITE") => Some(true),
            _ => None,
        })
    }
}

impl Frame {
    /// `#1 0x55ebfe57dc31 in main dir/a.c:7:71`
    fn parse(line: &str) -> Option<(u32, Frame)> {
        let (number, rest) = line.trim_start().strip_prefix('#')?.split_once(' ')?;
        let number = number.parse().ok()?;
        let (_, rest) = rest.trim_start().split_once(" in ")?;
        // C has no blanks in names; what C++ puts in parentheses is part of the name.
        let split =
            rest.rfind(") ").map(|at| at + 1).filter(|&at| rest[..at].contains('(') && !rest[at..].contains('('));
        let (function, place) = match split {
            Some(at) => (&rest[..at], rest[at..].trim_start()),
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        let mut frame = Frame { function: function.to_owned(), file: None, line: 0, column: 0 };
        if !place.is_empty() && !place.starts_with('(') {
            let mut parts: Vec<&str> = place.rsplitn(3, ':').collect();
            parts.reverse();
            let number = |text: Option<&&str>| text.and_then(|text| text.parse().ok());
            match (number(parts.get(1)), number(parts.get(2))) {
                (Some(line), Some(column)) => (frame.line, frame.column) = (line, column),
                // No column.
                (None, Some(line)) => {
                    frame.line = line;
                    parts = vec![place.rsplit_once(':').map_or(place, |(file, _)| file)];
                }
                (Some(line), None) => frame.line = line,
                (None, None) => {}
            }
            frame.file = Some(parts[0].to_owned());
        }
        Some((number, frame))
    }

    /// In the program and not in the C library, whose frames have lines where its debug information is installed.
    pub fn seems_own(&self) -> bool {
        let foreign =
            |file: &String| ["../", "./"].iter().any(|start| file.starts_with(start)) && file.contains("sysdeps");
        let foreign = |file: &String| foreign(file) || file.starts_with("csu/") || file.contains("/compiler-rt/");
        self.line > 0 && self.file.as_ref().is_some_and(|file| !foreign(file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "\
some output
=================================================================
==29669==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x50200000001a at pc 0x55eb bp 0x7ffc sp 0x7ffc
READ of size 21 at 0x50200000001a thread T0
    #0 0x55ebfe53c5d3 in memcpy (/x/a.asan+0xca5d3) (BuildId: 44bc)
    #1 0x55ebfe57dc31 in copy dir with blank/a.c:7:71
    #2 0x55ebfe57dc32 in main a.c:9
    #3 0x7f0a021b2249 in __libc_start_call_main csu/../sysdeps/nptl/libc_start_call_main.h:58:16

0x50200000001a is located 0 bytes after 10-byte region [0x502000000010,0x50200000001a)
allocated by thread T0 here:
    #0 0x55ebfe53d5cf in malloc (/x/a.asan+0xcb5cf) (BuildId: 44bc)
    #1 0x55ebfe57dc23 in make a.c:3:59

SUMMARY: AddressSanitizer: heap-buffer-overflow (/x/a.asan+0xca5d3) in memcpy
Shadow bytes around the buggy address:
";

    #[test]
    fn the_first_stack_is_that_of_the_access() {
        let report = Report::parse(REPORT).expect("a report");
        assert_eq!(report.kind, "heap-buffer-overflow");
        let functions: Vec<_> = report.frames.iter().map(|frame| frame.function.as_str()).collect();
        assert_eq!(functions, ["memcpy", "copy", "main", "__libc_start_call_main"]);
        assert_eq!(report.is_write(), Some(false));
        assert_eq!(report.own_frame(&HashSet::new()), Some(1));
        assert_eq!(report.own_frame(&HashSet::from(["main".to_owned()])), Some(2));
        let place = &report.frames[1];
        assert_eq!((place.file.as_deref(), place.line, place.column), (Some("dir with blank/a.c"), 7, 71));
        assert_eq!((report.frames[2].file.as_deref(), report.frames[2].line), (Some("a.c"), 9));
        assert_eq!(report.lines.last().map(String::as_str), Some("    #1 0x55ebfe57dc23 in make a.c:3:59"));
    }

    #[test]
    fn signals_are_reports_too() {
        let text = "AddressSanitizer:DEADLYSIGNAL\n==7==ERROR: AddressSanitizer: FPE on unknown address 0x5 (pc 0x5 T0)\n    \
                    #0 0x5 in f(int, char*) b.cc:4:9\n";
        let report = Report::parse(text).expect("a report");
        assert_eq!((report.kind.as_str(), report.frames[0].function.as_str()), ("FPE", "f(int, char*)"));
        assert_eq!(Report::parse("AddressSanitizer is a fine tool"), None);
    }
}
