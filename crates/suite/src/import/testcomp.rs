//! Test-Comp suites, as folders or zip files.

use super::{Import, is_hidden};
use crate::bytes::Bytes;
use crate::test::{Origin, Test};
use crate::testcomp;
use std::fs::File;
use std::path::Path;
use zip::ZipArchive;

pub fn import(import: &mut Import, path: &Path) {
    if path.is_dir() {
        for entry in import.entries(path).into_iter().filter(|entry| !is_hidden(entry)) {
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
    let opened = File::open(path).map_err(|error| error.to_string());
    let opened = opened.and_then(|file| ZipArchive::new(file).map_err(|error| error.to_string()));
    let mut archive = match opened {
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
        let text = archive.by_name(&name).map_err(|error| error.to_string()).and_then(|file| import.bounded(file));
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
    let guesses = values.iter().filter(|value| value.is_guess).count();
    if guesses > 0 {
        let types = "has no type: taken for int where they fit, for a wider type where not";
        import.problem(path, format!("imported, but {guesses} of {} values {types}", values.len()));
    }
    let bytes: Bytes = values.into_iter().map(|value| (value.source, value.bytes)).collect();
    let origin = Origin::Imported { from: path.to_path_buf() };
    import.imported.tests.push(Test::new(import.command.clone(), bytes, origin));
}
