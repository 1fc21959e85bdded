//! Pieces of a source by place.

use crate::coverage::Place;

/// As the compiler counts them: a line ends at `\n`, `\r\n` or `\r`.
pub fn lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let Some(end) = rest.find(['\n', '\r']) else {
            lines.push(rest);
            break;
        };
        lines.push(&rest[..end]);
        rest = rest[end..].strip_prefix("\r\n").unwrap_or(&rest[end + 1..]);
    }
    lines
}

/// Where a column is in its line. Columns count bytes of the file; where bytes were replaced because they are not UTF-8, it
/// is near that.
pub fn offset(line: &str, column: u32) -> usize {
    let mut at = (column.max(1) as usize - 1).min(line.len());
    while !line.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// What is written there, on one line; nothing if the place is not in the source.
pub fn excerpt(lines: &[&str], at: Place) -> Option<String> {
    let first = (at.line as usize).checked_sub(1)?;
    let last = (at.end_line as usize).checked_sub(1)?;
    let mut words = Vec::new();
    for number in first..=last {
        let line = lines.get(number)?;
        let start = if number == first { offset(line, at.column) } else { 0 };
        let end = if number == last { offset(line, at.end_column) } else { line.len() };
        words.extend(line.get(start..end)?.split_whitespace());
    }
    (!words.is_empty()).then(|| words.join(" "))
}

/// At most `length` characters of it.
pub fn short(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        None => text.to_owned(),
        Some(_) => text.chars().take(length.saturating_sub(1)).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_for_the_compiler() {
        assert_eq!(lines("a\r\nb\rc\n\nd"), ["a", "b", "c", "", "d"]);
        assert_eq!(lines("a\n"), ["a"]);
        assert!(lines("").is_empty());
    }

    #[test]
    fn an_excerpt_is_what_is_there() {
        let text = ["if (a &&", "\t\tb)", "\u{fffd}\u{fffd}"];
        let place = |line, column, end_line, end_column| Place { line, column, end_line, end_column };
        assert_eq!(excerpt(&text, place(1, 5, 2, 4)).as_deref(), Some("a && b"));
        assert_eq!(excerpt(&text, place(3, 2, 3, 99)).as_deref(), Some("\u{fffd}\u{fffd}"));
        for outside in [place(0, 1, 0, 2), place(3, 1, 4, 2), place(2, 5, 2, 2), place(2, 1, 1, 1)] {
            assert_eq!(excerpt(&text, outside), None);
        }
    }

    #[test]
    fn what_is_too_long_is_cut() {
        assert_eq!(short("äöü", 3), "äöü");
        assert_eq!(short("äöüß", 3), "äö…");
    }
}
