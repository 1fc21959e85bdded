//! Our own folders: a suite, one test, or a folder of tests.

use super::{Import, is_hidden};
use crate::folder::read_test;
use crate::suite::Suite;
use std::path::Path;

pub fn import(import: &mut Import, path: &Path) {
    let tests = if path.join("suite.json").exists() {
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
        match read_test(&folder) {
            Ok(test) => {
                import.keep(&folder, test);
            }
            Err(error) => import.problem(&folder, error),
        }
    }
}
