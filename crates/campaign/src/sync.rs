//! A folder that fuzzers share, AFL's way: each has a folder of its own in it, puts what it finds into `queue/`, and reads
//! what the others put into theirs.
//!
//! ```text
//!  DIR/main/queue/id:000000,…      of afl-fuzz: run here as it appears, and kept if it covers something new
//!  DIR/offshoot/queue/id:000000,…  ours: new tests, which afl-fuzz imports
//! ```

use offshoot_run::{Links, read_regular};
use offshoot_suite::import::queue_number;
use offshoot_suite::{Bytes, Command};
use serde::Serialize;
use std::collections::{HashMap, HashSet, VecDeque};
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// Our name among the fuzzers.
const NAME: &str = "offshoot";
/// Between two looks at the queues of the others.
const PERIOD: Duration = Duration::from_secs(1);
/// AFL keeps no larger inputs.
const LARGEST: u64 = 1 << 20;
/// afl-fuzz writes its inputs in place. What was written longer ago than this is whole.
const YOUNG: Duration = Duration::from_secs(10);
/// Files that are named when they are left out; more are only counted.
const NAMED: u64 = 20;

#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    #[error("{0} is not a folder; name the one that afl-fuzz was given with -o")]
    NoFolder(PathBuf),
    #[error("the seeds are of several commands, and fuzzers that share a folder have one")]
    Commands,
    #[error("no number is left behind that of {0}; the folder can take no more tests")]
    LastNumber(PathBuf),
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

/// What tells whether a file was written to since.
#[derive(Clone, Copy, PartialEq)]
struct Stamp {
    size: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(data: &Metadata) -> Stamp {
        Stamp { size: data.len(), modified: data.modified().ok() }
    }

    fn is_young(&self) -> bool {
        // Clocks of other machines may be ahead.
        self.modified.is_some_and(|time| time.elapsed().map_or(true, |age| age < YOUNG))
    }
}

pub struct Sync {
    folder: PathBuf,
    pub command: Arc<Command>,
    /// Nobody looks at them again.
    seen: HashSet<PathBuf>,
    /// Taken as they were then; somebody may be writing still.
    young: HashMap<PathBuf, Stamp>,
    waiting: VecDeque<PathBuf>,
    next: u32,
    /// In our queue, of the tests of this campaign that are there.
    numbers: HashMap<u32, u32>,
    last_look: Option<Instant>,
    pub counts: Counts,
    warnings: Vec<String>,
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
            let path = entry.map_err(failed("read", &queue))?.path();
            if let Some(number) = queue_number(&path) {
                next = next.max(behind(number, &path)?);
            }
        }
        Ok(Sync {
            folder: folder.to_path_buf(),
            command,
            seen: HashSet::new(),
            young: HashMap::new(),
            waiting: VecDeque::new(),
            next,
            numbers: HashMap::new(),
            last_look: None,
            counts: Counts::default(),
            warnings: Vec::new(),
        })
    }

    /// Another fuzzer's input that was not asked for before, or has changed since: its name, and the bytes of a run on it.
    pub fn take(&mut self) -> Option<(String, Bytes)> {
        if self.waiting.is_empty() && self.last_look.is_none_or(|last| last.elapsed() >= PERIOD) {
            self.last_look = Some(Instant::now());
            self.look();
        }
        while let Some(path) = self.waiting.pop_front() {
            let name = path.strip_prefix(&self.folder).unwrap_or(&path).display().to_string();
            match content(&path) {
                Ok(bytes) => {
                    self.counts.looked_at += 1;
                    return Some((name, self.command.on_seed(bytes)));
                }
                Err(why) => {
                    self.leave_out(&name, &why);
                    self.seen.insert(path);
                }
            }
        }
        None
    }

    /// What the user should know since the last call.
    pub fn warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    fn leave_out(&mut self, name: &str, why: &str) {
        self.counts.unreadable += 1;
        match self.counts.unreadable {
            ..=NAMED => self.warnings.push(format!("left out {name}: {why}")),
            count if count == NAMED + 1 => {
                self.warnings.push("more inputs of other fuzzers are left out, and counted".into())
            }
            _ => {}
        }
    }

    /// Fuzzers may come and go: a folder that cannot be read has nothing new.
    fn look(&mut self) {
        let folders = entries(&self.folder).into_iter().filter(|path| !path.ends_with(NAME));
        let mut found: Vec<PathBuf> = folders.flat_map(|folder| entries(&folder.join("queue"))).collect();
        found.retain(|path| queue_number(path).is_some() && !self.seen.contains(path));
        found.retain(|path| self.is_new(path));
        found.sort();
        self.waiting.extend(found);
    }

    fn is_new(&mut self, path: &Path) -> bool {
        let stamp = fs::metadata(path).ok().filter(Metadata::is_file).map(|data| Stamp::of(&data));
        let Some(stamp) = stamp.filter(Stamp::is_young) else {
            self.seen.insert(path.to_path_buf());
            return self.young.remove(path) != stamp || stamp.is_none();
        };
        // It was opened, and nothing is in it yet.
        stamp.size > 0 && self.young.insert(path.to_path_buf(), stamp) != Some(stamp)
    }

    /// A test of ours for the others. It appears whole. Its name says which entry of this queue it comes from, if that is one.
    pub fn give(&mut self, test: u32, bytes: &Bytes, parent: Option<u32>, elapsed: Duration) -> Result<(), SyncError> {
        let source = self.command.seed_source();
        let seed = bytes.get(&source).unwrap_or_default();
        if *bytes != self.command.on_seed(seed.to_vec()) {
            self.counts.kept_back += 1;
            return Ok(());
        }
        let queue = self.folder.join(NAME).join("queue");
        let parent = parent.and_then(|parent| self.numbers.get(&parent));
        let parent = parent.map(|number| format!(",src:{number:06}")).unwrap_or_default();
        let name = format!("id:{:06}{parent},time:{},op:{NAME},+cov", self.next, elapsed.as_millis());
        let (path, new) = (queue.join(&name), self.folder.join(NAME).join(".new"));
        let next = behind(self.next, &path)?;
        fs::write(&new, seed).and_then(|()| fs::rename(&new, &path)).map_err(failed("write", &path))?;
        self.numbers.insert(test, self.next);
        self.next = next;
        self.counts.given += 1;
        Ok(())
    }
}

fn behind(number: u32, file: &Path) -> Result<u32, SyncError> {
    number.checked_add(1).ok_or_else(|| SyncError::LastNumber(file.to_path_buf()))
}

fn content(path: &Path) -> Result<Vec<u8>, String> {
    read_regular(path, LARGEST, Links::Followed).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => format!("larger than {}", offshoot_base::format_size(LARGEST)),
        _ => error.to_string(),
    })
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
        sync.give(9, &command.on_seed(b"ours".to_vec()), Some(7), Duration::ZERO).expect("written");
        sync.give(12, &command.on_seed(b"theirs".to_vec()), Some(9), Duration::ZERO).expect("written");
        assert!(folder.path().join("offshoot/queue/id:000000,time:0,op:offshoot,+cov").exists());
        assert!(folder.path().join("offshoot/queue/id:000001,src:000000,time:0,op:offshoot,+cov").exists());
        let seed = |taken: Option<(String, Bytes)>| taken?.1.get(&command.seed_source()).map(<[u8]>::to_vec);
        assert_eq!(seed(sync.take()), Some(b"a".to_vec()));
        assert_eq!(seed(sync.take()), Some(b"b".to_vec()));
        sync.last_look = None;
        assert_eq!(sync.take(), None, "neither twice nor our own");
        fs::write(queue.join("id:000002,src:000000"), "c").expect("an input");
        sync.last_look = None;
        assert_eq!(sync.take().map(|(name, _)| name).as_deref(), Some("main/queue/id:000002,src:000000"));
        assert_eq!(sync.counts, Counts { looked_at: 3, given: 2, ..Counts::default() });
    }

    fn queue_of(files: &[(&str, &[u8])]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let queue = folder.path().join("main/queue");
        fs::create_dir_all(&queue).expect("a queue");
        for (name, content) in files {
            fs::write(queue.join(name), content).expect("an input");
        }
        (folder, queue)
    }

    fn write(path: &Path, content: &[u8], modified: SystemTime) {
        fs::write(path, content).expect("an input");
        fs::File::options().write(true).open(path).and_then(|file| file.set_modified(modified)).expect("a time");
    }

    fn all(sync: &mut Sync) -> Vec<Vec<u8>> {
        sync.last_look = None;
        let source = sync.command.seed_source();
        std::iter::from_fn(|| sync.take()).map(|(_, bytes)| bytes.get(&source).expect("a seed").to_vec()).collect()
    }

    /// A pipe among them keeps nobody waiting.
    #[test]
    fn what_is_left_out_is_named_with_the_reason() {
        let large = vec![0; LARGEST as usize + 1];
        let (folder, queue) = queue_of(&[("id:000001", b"a"), ("id_000002_src", b"b"), ("id:000003", &large)]);
        let pipe = std::process::Command::new("mkfifo").arg(queue.join("id:000000")).status().expect("mkfifo");
        assert!(pipe.success());
        fs::create_dir(queue.join("id:000004")).expect("a folder");
        std::os::unix::fs::symlink("nowhere", queue.join("id:000005")).expect("a link");
        let mut sync = Sync::open(folder.path(), Arc::new(Command::new("/bin/x", [SEED]))).expect("a folder");
        assert_eq!(all(&mut sync), [b"a", b"b"]);
        let said = sync.warnings();
        let wanted = [
            "left out main/queue/id:000000: not a regular file",
            "left out main/queue/id:000003: larger than 1M",
            "left out main/queue/id:000004: not a regular file",
            "left out main/queue/id:000005: No such file",
        ];
        assert!(said.len() == 4 && said.iter().zip(wanted).all(|(said, wanted)| said.starts_with(wanted)), "{said:?}");
        assert_eq!((all(&mut sync).len(), sync.warnings().len()), (0, 0), "once");
        for number in 10..40 {
            fs::create_dir(queue.join(format!("id:{number:06}"))).expect("a folder");
        }
        assert_eq!(all(&mut sync).len(), 0);
        let said = sync.warnings();
        assert_eq!((said.len() as u64, sync.counts.unreadable), (NAMED - 4 + 1, 34));
        assert!(said.last().is_some_and(|said| said.contains("and counted")), "{said:?}");
    }

    #[test]
    fn an_input_that_is_still_written_is_taken_when_it_is_whole() {
        let (folder, queue) = queue_of(&[]);
        let mut sync = Sync::open(folder.path(), Arc::new(Command::new("/bin/x", [SEED]))).expect("a folder");
        let input = queue.join("id:000000,orig:a");
        // However slow this machine is, such a file stays young.
        let young = SystemTime::now() + Duration::from_secs(3600);
        write(&input, b"", young);
        assert!(all(&mut sync).is_empty());
        write(&input, b"ha", young);
        assert_eq!(all(&mut sync), [b"ha"]);
        assert!(all(&mut sync).is_empty(), "nothing has changed");
        write(&input, b"half", young);
        assert_eq!(all(&mut sync), [b"half"]);
        write(&input, b"whole", SystemTime::UNIX_EPOCH);
        assert_eq!(all(&mut sync), [b"whole"]);
        write(&input, b"trimmed", SystemTime::UNIX_EPOCH);
        assert!(all(&mut sync).is_empty(), "it was whole");
        write(&queue.join("id:000001,orig:b"), b"", SystemTime::UNIX_EPOCH);
        assert_eq!(all(&mut sync), [b""], "it stays empty");
    }

    #[test]
    fn only_what_afl_can_hold_is_given_and_numbers_go_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let command = Arc::new(Command::new("/bin/x", ["-q", SEED]));
        for round in 0..2 {
            let mut sync = Sync::open(folder.path(), Arc::clone(&command)).expect("a folder");
            let mut bytes = command.on_seed(b"seed".to_vec());
            sync.give(0, &bytes, None, Duration::from_millis(5)).expect("written");
            bytes.insert(Source::Arg(1), b"-r".to_vec());
            sync.give(0, &bytes, None, Duration::ZERO).expect("counted");
            assert_eq!((sync.counts.given, sync.counts.kept_back), (1, 1));
            let name = format!("offshoot/queue/id:{round:06},time:5,op:offshoot,+cov");
            assert_eq!(fs::read(folder.path().join(name)).expect("our test"), b"seed");
        }
        assert!(matches!(Sync::open(&folder.path().join("none"), command), Err(SyncError::NoFolder(_))));
    }

    #[test]
    fn numbers_do_not_begin_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let queue = folder.path().join("offshoot/queue");
        fs::create_dir_all(&queue).expect("a queue");
        let command = Arc::new(Command::new("/bin/x", [SEED]));
        fs::write(queue.join("id:4294967294"), "a").expect("an input");
        let mut sync = Sync::open(folder.path(), Arc::clone(&command)).expect("a folder");
        let given = sync.give(0, &command.on_seed(b"b".to_vec()), None, Duration::ZERO);
        assert!(given.expect_err("no number").to_string().contains("queue/id:4294967295,"));
        assert_eq!((entries(&queue).len(), sync.counts.given), (1, 0));
        fs::write(queue.join("id:4294967295"), "b").expect("an input");
        assert!(matches!(Sync::open(folder.path(), command), Err(SyncError::LastNumber(_))));
    }
}
