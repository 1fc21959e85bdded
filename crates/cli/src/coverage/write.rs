//! The forms that go into files, and the answer about one line.

use crate::failure::Failure;
use offshoot_report::coverage::{Coverage, cobertura, html, lcov};
use std::path::Path;

pub fn forms(
    document: &Coverage,
    lcov_to: Option<&Path>,
    cobertura_to: Option<&Path>,
    html_to: Option<&Path>,
) -> Result<(), Failure> {
    if let Some(path) = lcov_to {
        put(path, &lcov(document))?;
    }
    if let Some(path) = cobertura_to {
        put(path, &cobertura(document))?;
    }
    if let Some(folder) = html_to {
        for (name, content) in html(document) {
            put(&folder.join(name), &content)?;
        }
    }
    Ok(())
}

fn put(path: &Path, content: &str) -> Result<(), Failure> {
    let cannot = |error| Failure::usage(format!("cannot write {}: {error}", path.display()));
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(cannot)?;
    }
    std::fs::write(path, content).map_err(cannot)
}

/// The tests that cover a line, one a line.
pub fn tests_of_line(document: &Coverage, file: &str, line: u32) -> Result<String, Failure> {
    let files: Vec<_> = document.files.iter().filter(|known| is_called(&known.path, file)).collect();
    let [found] = files[..] else {
        let some: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        return Err(Failure::usage(match some[..] {
            [] => format!("no file {file} in the program"),
            _ => format!("{file} may be {}; name more of its path", some.join(" or ")),
        }));
    };
    let Some(counted) = found.lines.iter().find(|counted| counted.line == line) else {
        return Err(Failure::usage(format!("no code on line {line} of {}", found.path)));
    };
    let mut text: String = counted.covered_by.iter().map(|&at| format!("{}\n", document.tests[at as usize])).collect();
    let (covering, all, count) = (counted.covered_by.len(), document.tests.len(), counted.count);
    text.push_str(&format!("{covering} of {all} tests cover {}:{line}; it ran {count} times\n", found.path));
    Ok(text)
}

/// The path, or its end.
pub fn is_called(path: &str, name: &str) -> bool {
    let name = name.strip_prefix("./").unwrap_or(name);
    path == name || path.strip_suffix(name).is_some_and(|front| front.ends_with('/'))
}
