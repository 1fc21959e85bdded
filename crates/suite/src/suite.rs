//! A suite on disk: `suite.json`, and each test once, in `tests/ID`.
//!
//! Tests appear whole or not at all, and any number of processes may add to a suite at the same time.

use crate::error::{Error, Result, failed, make_folder, read, write};
use crate::folder::{read_test, write_test};
use crate::test::{Test, TestId};
use offshoot_base::FORMAT_VERSION;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Clone, Debug)]
pub struct Suite {
    root: PathBuf,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Added {
    pub id: TestId,
    /// An identical test was there before.
    pub known: bool,
}

impl Suite {
    /// Makes the folder; one that is there is opened.
    pub fn create(root: &Path) -> Result<Suite> {
        make_folder(&root.join("tests"))?;
        let path = root.join("suite.json");
        if !path.exists() {
            write(&path, format!("{{ \"version\": {FORMAT_VERSION} }}\n").as_bytes())?;
        }
        Suite::open(root)
    }

    pub fn open(root: &Path) -> Result<Suite> {
        let path = root.join("suite.json");
        if !path.exists() {
            return Err(Error::NoSuite(root.to_path_buf()));
        }
        let json: serde_json::Value = serde_json::from_slice(&read(&path)?)
            .map_err(|error| Error::Damaged { path: path.clone(), what: error.to_string() })?;
        match json.get("version").and_then(serde_json::Value::as_u64) {
            Some(version) if version == u64::from(FORMAT_VERSION) => Ok(Suite { root: root.to_path_buf() }),
            Some(found) => Err(Error::Version { path, found, wanted: FORMAT_VERSION }),
            None => Err(Error::Damaged { path, what: "it has no version".into() }),
        }
    }

    pub fn folder(&self, id: &TestId) -> PathBuf {
        self.root.join("tests").join(id.as_str())
    }

    pub fn contains(&self, id: &TestId) -> bool {
        self.folder(id).join("test.json").exists()
    }

    /// An identical test that is there already stays as it is.
    pub fn add(&self, test: &Test) -> Result<Added> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let id = test.id();
        if self.contains(&id) {
            return Ok(Added { id, known: true });
        }
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let new = self.root.join("tests").join(format!(".{id}.{}.{number}", std::process::id()));
        write_test(&new, test)?;
        let renamed = fs::rename(&new, self.folder(&id));
        if renamed.is_err() {
            fs::remove_dir_all(&new).map_err(failed("remove", &new))?;
        }
        match renamed {
            Ok(()) => Ok(Added { id, known: false }),
            // Somebody else was faster.
            Err(_) if self.contains(&id) => Ok(Added { id, known: true }),
            Err(error) => Err(failed("make", &self.folder(&id))(error)),
        }
    }

    /// Rewrites what is known of a test: its expectation, origin, or that it is flaky. Command and bytes are its name.
    pub fn update(&self, test: &Test) -> Result<()> {
        write_test(&self.folder(&test.id()), test)
    }

    /// In order of id, which has nothing to do with when they were added.
    pub fn ids(&self) -> Result<Vec<TestId>> {
        let tests = self.root.join("tests");
        let mut ids = Vec::new();
        for entry in fs::read_dir(&tests).map_err(failed("read", &tests))? {
            let name = entry.map_err(failed("read", &tests))?.file_name();
            ids.extend(name.to_str().and_then(TestId::parse));
        }
        ids.sort();
        Ok(ids)
    }

    pub fn read(&self, id: &TestId) -> Result<Test> {
        read_test(&self.folder(id))
    }
}
