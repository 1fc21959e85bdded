//! A folder that fuzzers share, AFL's way: each has a folder of its own in it, puts what it finds into `queue/`, and reads
//! what the others put into theirs.
//!
//! ```text
//!  DIR/main/queue/id:000000,…      of afl-fuzz: run here as it appears, and kept if it covers something new
//!  DIR/offshoot/queue/id:000000,…  ours: new tests, which afl-fuzz imports
//! ```

use offshoot_suite::{Bytes, Command};
use serde::Serialize;
use std::collections::{HashSet, VecDeque};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Our name among the fuzzers.
const NAME: &str = "offshoot";
/// Between two looks at the queues of the others.
const PERIOD: Duration = Duration::from_secs(1);
/// AFL keeps no larger inputs.
const LARGEST: u64 = 1 << 20;

#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    #[error("{0} is not a folder; name the one that afl-fuzz was given with -o")]
    NoFolder(PathBuf),
    #[error("the seeds are of several commands, and fuzzers that share a folder have one")]
    Commands,
    #[error("cannot {action} {path}: {source}")]
    Io { action: &'static str, path: PathBuf, source: io::Error },
}

/// What went in and out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Inputs of others that were run.
    pub looked_at: u64,
    /// Those that covered something new.
    pub taken: u64,
    /// Tests of ours that the others can read.
    pub given: u64,
    /// Tests that they cannot: they change something else than the seed.
    pub kept_back: u64,
    /// Files that are too large, or could not be read.
    pub unreadable: u64,
}

pub struct Sync {
    folder: PathBuf,
    pub command: Arc<Command>,
    seen: HashSet<PathBuf>,
    waiting: VecDeque<PathBuf>,
    next: u32,
    last_look: Option<Instant>,
    pub counts: Counts,
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> SyncError {
    let path = path.to_path_buf();
    move |source| SyncError::Io { action, path, source }
}

impl Sync {
    /// Goes on behind what an earlier campaign put there.
    pub fn open(folder: &Path, command: Arc<Command>) -> Result<Sync, SyncError> {
        if !folder.is_dir() {
            return Err(SyncError::NoFolder(folder.to_path_buf()));
        }
        let queue = folder.join(NAME).join("queue");
        fs::create_dir_all(&queue).map_err(failed("make", &queue))?;
        let mut next = 0;
        for entry in fs::read_dir(&queue).map_err(failed("read", &queue))? {
            let name = entry.map_err(failed("read", &queue))?.file_name();
            next = next.max(number(&name.to_string_lossy()).map_or(0, |number| number + 1));
        }
        Ok(Sync {
            folder: folder.to_path_buf(),
            command,
            seen: HashSet::new(),
            waiting: VecDeque::new(),
            next,
            last_look: None,
            counts: Counts::default(),
        })
    }

    /// Another fuzzer's input that was not asked for before: its name, and the bytes of a run on it.
    pub fn take(&mut self) -> Option<(String, Bytes)> {
        if self.waiting.is_empty() && self.last_look.is_none_or(|last| last.elapsed() >= PERIOD) {
            self.last_look = Some(Instant::now());
            self.look();
        }
        while let Some(path) = self.waiting.pop_front() {
            let is_small = fs::metadata(&path).is_ok_and(|data| data.len() <= LARGEST);
            if let Some(bytes) = is_small.then(|| fs::read(&path).ok()).flatten() {
                self.counts.looked_at += 1;
                let name = path.strip_prefix(&self.folder).unwrap_or(&path).display().to_string();
                return Some((name, self.command.on_seed(bytes)));
            }
            self.counts.unreadable += 1;
        }
        None
    }

    /// Fuzzers may come and go: a folder that cannot be read has nothing new.
    fn look(&mut self) {
        let folders = entries(&self.folder).into_iter().filter(|path| !path.ends_with(NAME));
        let mut found: Vec<PathBuf> = folders.flat_map(|folder| entries(&folder.join("queue"))).collect();
        let is_input = |path: &PathBuf| path.file_name().is_some_and(|name| number(&name.to_string_lossy()).is_some());
        found.retain(|path| is_input(path) && !self.seen.contains(path));
        found.sort();
        self.seen.extend(found.iter().cloned());
        self.waiting.extend(found);
    }

    /// A test of ours for the others. It appears whole.
    pub fn give(&mut self, bytes: &Bytes, parent: Option<u32>, elapsed: Duration) -> Result<(), SyncError> {
        let source = self.command.seed_source();
        let seed = bytes.get(&source).unwrap_or_default();
        if *bytes != self.command.on_seed(seed.to_vec()) {
            self.counts.kept_back += 1;
            return Ok(());
        }
        let queue = self.folder.join(NAME).join("queue");
        let (parent, time) = (parent.unwrap_or(0), elapsed.as_millis());
        let name = format!("id:{:06},src:{parent:06},time:{time},op:{NAME},+cov", self.next);
        let (path, new) = (queue.join(&name), self.folder.join(NAME).join(".new"));
        fs::write(&new, seed).and_then(|()| fs::rename(&new, &path)).map_err(failed("write", &path))?;
        self.next += 1;
        self.counts.given += 1;
        Ok(())
    }
}

/// Of `id:000123,…`.
fn number(name: &str) -> Option<u32> {
    name.strip_prefix("id:")?.split(',').next()?.parse().ok()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use offshoot_suite::{SEED, Source};

    #[test]
    fn each_input_of_another_fuzzer_is_taken_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let queue = folder.path().join("main/queue");
        fs::create_dir_all(queue.join(".state")).expect("a queue");
        fs::write(queue.join("id:000001,orig:b"), "b").expect("an input");
        fs::write(queue.join("id:000000,orig:a"), "a").expect("an input");
        fs::write(queue.join("README.txt"), "not an input").expect("a file");
        let command = Arc::new(Command::new("/bin/x", ["-q", SEED]));
        let mut sync = Sync::open(folder.path(), Arc::clone(&command)).expect("a folder");
        sync.give(&command.on_seed(b"ours".to_vec()), Some(7), Duration::ZERO).expect("written");
        let seed = |taken: Option<(String, Bytes)>| taken?.1.get(&command.seed_source()).map(<[u8]>::to_vec);
        assert_eq!(seed(sync.take()), Some(b"a".to_vec()));
        assert_eq!(seed(sync.take()), Some(b"b".to_vec()));
        sync.last_look = None;
        assert_eq!(sync.take(), None, "neither twice nor our own");
        fs::write(queue.join("id:000002,src:000000"), "c").expect("an input");
        sync.last_look = None;
        assert_eq!(sync.take().map(|(name, _)| name).as_deref(), Some("main/queue/id:000002,src:000000"));
        assert_eq!(sync.counts, Counts { looked_at: 3, given: 1, ..Counts::default() });
    }

    #[test]
    fn only_what_afl_can_hold_is_given_and_numbers_go_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let command = Arc::new(Command::new("/bin/x", ["-q", SEED]));
        for round in 0..2 {
            let mut sync = Sync::open(folder.path(), Arc::clone(&command)).expect("a folder");
            let mut bytes = command.on_seed(b"seed".to_vec());
            sync.give(&bytes, None, Duration::from_millis(5)).expect("written");
            bytes.insert(Source::Arg(1), b"-r".to_vec());
            sync.give(&bytes, None, Duration::ZERO).expect("counted");
            assert_eq!((sync.counts.given, sync.counts.kept_back), (1, 1));
            let name = format!("offshoot/queue/id:{round:06},src:000000,time:5,op:offshoot,+cov");
            assert_eq!(fs::read(folder.path().join(name)).expect("our test"), b"seed");
        }
        assert!(matches!(Sync::open(&folder.path().join("none"), command), Err(SyncError::NoFolder(_))));
    }
}
