//! What pages for people are made of: the style, the frame of a page, and source text with colours. Pages need no scripts and
//! nothing from elsewhere, and are XML too.

mod colours;
mod excerpt;
mod style;

pub use crate::plot::escaped;
pub use colours::{Kind, Scanner};
pub use excerpt::{excerpt, lines, offset, short};
pub use style::STYLE;

use std::fmt::Write;

/// `up`: the way to the folder of the report.
pub fn begin(out: &mut String, title: &str, up: &str) {
    out.push_str("<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n");
    out.push_str("<meta charset=\"utf-8\"/>\n");
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
    out.push_str("<meta name=\"color-scheme\" content=\"light dark\"/>\n");
    _ = writeln!(out, "<title>{}</title>", escaped(title));
    _ = writeln!(out, "<link rel=\"stylesheet\" href=\"{up}style.css\"/>\n</head>\n<body>");
}

pub fn end(out: &mut String) {
    _ = writeln!(out, "<footer>Made by Offshoot {}.</footer>\n</body>\n</html>", env!("CARGO_PKG_VERSION"));
}

/// `1 test`, `2 tests`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// A path that a narrow screen may break behind its slashes.
pub fn breakable(path: &str) -> String {
    escaped(path).replace('/', "/<wbr/>")
}

/// The next line of a source with its colours. `marks`: what is put behind so many bytes of it, as HTML.
pub fn coloured(text: &str, scanner: &mut Scanner, mut marks: Vec<(usize, String)>) -> String {
    marks.sort_by_key(|(at, _)| *at);
    let mut marks = marks.into_iter().peekable();
    let mut out = String::new();
    let mut write = |from: usize, to: usize, class: Option<&str>| {
        let mut from = from;
        // A mark that is due at the end of a piece comes behind it, not before the next.
        while from < to {
            let stop = marks.peek().map_or(to, |(at, _)| (*at).clamp(from, to));
            if stop > from {
                let piece = escaped(&text[from..stop]);
                _ = match class {
                    Some(class) => write!(out, "<span class=\"{class}\">{piece}</span>"),
                    None => write!(out, "{piece}"),
                };
            }
            from = stop;
            while let Some((_, mark)) = marks.next_if(|(at, _)| *at <= from) {
                out.push_str(&mark);
            }
        }
    };
    let mut at = 0;
    for (range, kind) in scanner.line(text) {
        write(at, range.start, None);
        write(range.start, range.end, Some(kind.class()));
        at = range.end;
    }
    write(at, text.len(), None);
    out.extend(marks.map(|(_, mark)| mark));
    out
}
