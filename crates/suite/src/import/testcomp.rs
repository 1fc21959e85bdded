//! Test-Comp suites, as folders or zip files.

use super::Import;
use crate::bytes::Bytes;
use crate::error::open_regular;
use crate::testcomp::{self, TypeOf};
use std::io::{Cursor, Read};
use std::path::Path;
use zip::ZipArchive;

/// Where the root element begins at the latest.
const HEAD: u64 = 64 << 10;
/// The most files in an archive: all of them may be the same bytes of it.
const ENTRIES: usize = 100_000;

/// A zip file, whatever its name.
pub fn is_archive(path: &Path) -> bool {
    head(path, 4).is_some_and(|head| head == b"PK\x03\x04")
}

/// A test, or what a suite says of itself.
pub fn is_xml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "xml")
        && head(path, HEAD).is_some_and(|head| testcomp::is_ours(&head))
}

fn head(path: &Path, length: u64) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    let (_, file) = open_regular(path).ok()?;
    file.take(length).read_to_end(&mut head).ok()?;
    Some(head)
}

pub fn import(import: &mut Import, path: &Path) {
    if path.is_dir() {
        for entry in import.shown(path) {
            if entry.extension().is_none_or(|extension| extension != "xml") {
                import.problem(&entry, "not an XML file");
            } else if let Some(text) = import.read(&entry) {
                testcase(import, &entry, &text);
            }
        }
    } else if path.extension().is_some_and(|extension| extension == "xml") {
        if let Some(text) = import.read(path) {
            testcase(import, path, &text);
        }
    } else {
        archive(import, path);
    }
}

fn archive(import: &mut Import, path: &Path) {
    let Some(content) = import.read(path) else { return };
    let mut archive = match ZipArchive::new(Cursor::new(content)) {
        Ok(archive) if archive.len() > ENTRIES => {
            return import.problem(path, format!("more than {ENTRIES} files are in it"));
        }
        Ok(archive) => archive,
        Err(what) => return import.problem(path, what),
    };
    // The order in an archive is whatever order its writer had.
    let mut names: Vec<String> = archive.file_names().filter(|name| !name.ends_with('/')).map(str::to_owned).collect();
    names.sort();
    for name in names {
        let inside = path.join(&name);
        if !name.ends_with(".xml") {
            import.problem(&inside, "not an XML file");
            continue;
        }
        let file = archive.by_name(&name).map_err(|error| error.to_string());
        let text = file.and_then(|file| import.bounded(file.size(), file));
        match text {
            Ok(text) => testcase(import, &inside, &text),
            Err(what) => import.problem(&inside, what),
        }
    }
}

fn testcase(import: &mut Import, path: &Path, text: &[u8]) {
    let values = match testcomp::parse(text) {
        Ok(Some(values)) => values,
        Ok(None) => return,
        Err(what) => return import.problem(path, what),
    };
    let all = values.len();
    let untyped = values.iter().filter(|value| value.type_of == TypeOf::Unsaid).count();
    let unknown: Vec<String> = values.iter().filter_map(|value| value.type_of.unknown()).collect();
    let bytes: Bytes = values.into_iter().map(|value| (value.source, value.bytes)).collect();
    if !import.add(path, import.command.clone(), bytes) {
        return;
    }
    let taken = "taken for int where they fit, for a wider type where not";
    if untyped > 0 {
        import.guess(path, format!("imported, but {untyped} of {all} values has no type: {taken}"));
    }
    if let [first, ..] = &unknown[..] {
        let count = unknown.len();
        import.guess(
            path,
            format!("imported, but {count} of {all} values has a type that is not known ({first}): {taken}"),
        );
    }
}
