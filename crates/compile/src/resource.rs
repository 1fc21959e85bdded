//! The folder with the run-time library, the libc models and the headers.

use object::read::ReadCache;
use object::read::archive::ArchiveFile;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// A wrapped libc function's name is this and its own.
const WRAPPER_PREFIX: &str = "__off_w_";

#[derive(Clone, Debug, Default)]
pub struct Resource {
    folder: Option<PathBuf>,
}

impl Resource {
    /// `OFFSHOOT_LIB`, or `lib/offshoot` beside the executable, or one folder up.
    pub fn find() -> Resource {
        if let Some(folder) = std::env::var_os("OFFSHOOT_LIB") {
            return Resource { folder: Some(folder.into()) };
        }
        let executable = std::env::current_exe().and_then(|path| path.canonicalize()).unwrap_or_default();
        let places = executable.ancestors().skip(1).take(2).map(|folder| folder.join("lib/offshoot"));
        Resource { folder: places.into_iter().find(|folder| folder.is_dir()) }
    }

    pub fn at(folder: PathBuf) -> Resource {
        Resource { folder: Some(folder) }
    }

    fn existing(&self, name: &str) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join(name)).filter(|path| path.exists())
    }

    pub fn runtime(&self) -> Option<PathBuf> {
        self.existing("liboffshoot_runtime.a")
    }

    pub fn models(&self) -> Option<PathBuf> {
        self.existing("liboffshoot_models.a")
    }

    /// Stands in for the run-time library in programs that do not have it.
    pub fn absent(&self) -> Option<PathBuf> {
        self.existing("liboffshoot_absent.so")
    }

    /// Loaded into the programs that a recorded command runs.
    pub fn recorder(&self) -> Option<PathBuf> {
        self.existing("liboffshoot_recorder.so")
    }

    /// The libc functions for which there is a wrapper. Only the archives' symbol tables are read: the run-time library
    /// is large, and this happens for every file of a build.
    pub fn wrapped(&self) -> HashSet<String> {
        self.runtime().iter().chain(&self.models()).flat_map(|archive| wrappers(archive)).collect()
    }

    pub fn counters(&self) -> Option<PathBuf> {
        self.existing("liboffshoot_counters.a")
    }

    pub fn counts(&self) -> Option<PathBuf> {
        self.existing("liboffshoot_counts.a")
    }

    pub fn served(&self) -> Option<PathBuf> {
        self.existing("liboffshoot_served.a")
    }

    pub fn profile(&self) -> Option<PathBuf> {
        self.existing("liboffshoot_profile.a")
    }

    pub fn fuzzer_main(&self) -> Option<PathBuf> {
        self.existing("liboffshoot_fuzzer_main.a")
    }

    pub fn include(&self) -> Option<PathBuf> {
        self.existing("include")
    }
}

/// An archive without a symbol table offers nothing, to the linker neither.
fn wrappers(archive: &Path) -> Vec<String> {
    let Ok(file) = std::fs::File::open(archive) else { return Vec::new() };
    let cache = ReadCache::new(file);
    let Ok(archive) = ArchiveFile::parse(&cache) else { return Vec::new() };
    let Ok(Some(symbols)) = archive.symbols() else { return Vec::new() };
    let name = |symbol: &[u8]| Some(str::from_utf8(symbol).ok()?.strip_prefix(WRAPPER_PREFIX)?.to_owned());
    symbols.filter_map(|symbol| name(symbol.ok()?.name())).collect()
}
