//! Our own folders: a suite, one test, or a folder of tests. Somebody else may have made them, so a link in them may lead
//! to a file that nobody wanted in a suite.

use super::{Import, is_hidden};
use crate::error::failed;
use crate::folder::read_test_by;
use crate::suite::Suite;
use std::io;
use std::path::Path;

pub fn import(import: &mut Import, path: &Path) {
    let root = match path.canonicalize() {
        Ok(root) => root,
        Err(error) => return import.problem(path, error),
    };
    let tests = if path.join("suite.json").exists() {
        if let Err(what) = content(import, &root, &path.join("suite.json")) {
            return import.problem(&path.join("suite.json"), what);
        }
        match Suite::open(path).and_then(|suite| Ok(suite.ids()?.iter().map(|id| suite.folder(id)).collect())) {
            Ok(folders) => folders,
            Err(error) => return import.problem(path, error),
        }
    } else if path.join("test.json").exists() {
        vec![path.to_path_buf()]
    } else {
        import.entries(path).into_iter().filter(|entry| !is_hidden(entry)).collect()
    };
    for folder in tests {
        let read =
            |file: &Path| content(import, &root, file).map_err(|what| failed("read", file)(io::Error::other(what)));
        match read_test_by(&folder, read) {
            Ok(test) => {
                import.keep(&folder, test);
            }
            Err(error) => import.problem(&folder, error),
        }
    }
}

/// Of a file below `root`.
fn content(import: &mut Import, root: &Path, file: &Path) -> Result<Vec<u8>, String> {
    let real = file.canonicalize().map_err(|error| error.to_string())?;
    if !real.starts_with(root) {
        return Err("a link that leads out of the folder".into());
    }
    import.content(&real)
}
