//! A campaign on disk.
//!
//! ```text
//!  OUT/campaign.json     what was explored, and how
//!      journal.jsonl     every run and every verdict, in order: enough to go on later
//!      events.jsonl      what the user was told
//!      suite/            the tests that were recorded first, if the seeds come from there
//!      tests/000007/     a test as `offshoot_suite` lays it out (test.json, cmd.sh, bytes), and note.json
//!      findings/0001/    the same, and what happened
//!      stats.json        counts, rewritten from time to time
//!      ledger.json       what stayed open, and why
//!      solver.cache      answers of the solver
//! ```
//!
//! Files that are rewritten are replaced whole: a crash leaves the old or the new one, never half of one.

use offshoot_suite::{Test, write_test};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("cannot {action} {path}: {source}")]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    #[error("{path} was written by another version of offshoot; explore again without --resume")]
    Version { path: PathBuf },
    #[error("{path} is damaged at line {line}; explore again without --resume")]
    Damaged { path: PathBuf, line: usize },
    #[error(transparent)]
    Test(#[from] offshoot_suite::Error),
    #[error("no campaign in {path}; `offshoot explore -o {path} -- PROGRAM` makes one")]
    NoCampaign { path: PathBuf },
    #[error("{path} is there and holds no campaign; it stays as it is: choose another folder for the results")]
    Foreign { path: PathBuf },
    #[error("the campaign in {path} has another {what}; explore again without --resume")]
    Other { path: PathBuf, what: &'static str },
}

type Result<T> = std::result::Result<T, StoreError>;

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError {
    let path = path.to_path_buf();
    move |source| StoreError::Io { action, path, source }
}

/// `campaign.json`. Runs have numbers that follow from all of this: a journal goes on only with the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Campaign {
    pub format: u32,
    pub program: String,
    pub symbolic: String,
    /// Seconds that a run had at most: what is in the journal ended within them, or was ended then.
    #[serde(default)]
    pub run_s: Option<u64>,
    /// The tests that the seeds are: command and bytes. Those for which there was time.
    pub seeds: Vec<String>,
}

impl Campaign {
    pub fn of(root: &Path) -> Result<Campaign> {
        let path = root.join("campaign.json");
        let text = fs::read(&path).map_err(|_| StoreError::NoCampaign { path: root.to_path_buf() })?;
        let damaged = |_| StoreError::Damaged { path: path.clone(), line: 1 };
        // The version first: what else there is depends on it.
        let any: serde_json::Value = serde_json::from_slice(&text).map_err(damaged)?;
        if any.get("format").and_then(serde_json::Value::as_u64) != Some(u64::from(offshoot_base::FORMAT_VERSION)) {
            return Err(StoreError::Version { path });
        }
        serde_json::from_value(any).map_err(damaged)
    }

    /// Whether a journal of `self` means the same to us.
    fn check(&self, wanted: &Campaign, root: &Path) -> Result<()> {
        let what = if self.program != wanted.program {
            "program"
        } else if self.symbolic != wanted.symbolic {
            "choice of what is symbolic"
        } else if !wanted.seeds.starts_with(&self.seeds) {
            "command or other seeds"
        } else {
            return Ok(());
        };
        Err(StoreError::Other { path: root.to_path_buf(), what })
    }
}

/// Where the tests are that were recorded for a campaign or a check.
pub const SUITE: &str = "suite";
/// What a campaign puts its results into.
pub const FOLDERS: &[&str] = &["tests", "findings"];

pub struct Store {
    root: PathBuf,
    journal: BufWriter<File>,
    events: BufWriter<File>,
}

impl Store {
    /// A new folder. An earlier campaign there is kept as `OUT.old`; nothing else is ever moved or removed. `prepared`:
    /// the caller has seen to that.
    pub fn create(root: &Path, campaign: &Campaign, prepared: bool) -> Result<Store> {
        match prepared {
            true => make(root, FOLDERS)?,
            false => fresh(root, FOLDERS)?,
        }
        let store = Store::append(root)?;
        store.about(campaign)?;
        Ok(store)
    }

    /// Goes on where an earlier campaign stopped. It may have only the first of the seeds.
    pub fn open(root: &Path, wanted: &Campaign) -> Result<(Store, Campaign)> {
        let campaign = Campaign::of(root)?;
        campaign.check(wanted, root)?;
        Ok((Store::append(root)?, campaign))
    }

    pub fn about(&self, campaign: &Campaign) -> Result<()> {
        self.replace_json("campaign.json", campaign)
    }

    fn append(root: &Path) -> Result<Store> {
        let append = |name: &str| -> Result<BufWriter<File>> {
            let path = root.join(name);
            let file = File::options().create(true).append(true).open(&path).map_err(failed("write", &path))?;
            cut_last_line(&file, &path).map_err(failed("write", &path))?;
            Ok(BufWriter::new(file))
        };
        Ok(Store { root: root.to_path_buf(), journal: append("journal.jsonl")?, events: append("events.jsonl")? })
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    pub fn journal(&mut self, line: &impl Serialize) -> Result<()> {
        write_line(&mut self.journal, line).map_err(failed("write", &self.root.join("journal.jsonl")))
    }

    pub fn event(&mut self, line: &impl Serialize) -> Result<()> {
        write_line(&mut self.events, line).map_err(failed("write", &self.root.join("events.jsonl")))
    }

    pub fn flush(&mut self) -> Result<()> {
        self.journal.flush().map_err(failed("write", &self.root.join("journal.jsonl")))?;
        self.events.flush().map_err(failed("write", &self.root.join("events.jsonl")))
    }

    /// The lines of the journal. A last line that was cut off by a crash is no damage.
    pub fn read_journal<T: DeserializeOwned>(root: &Path) -> Result<Vec<T>> {
        let path = root.join("journal.jsonl");
        let file = File::open(&path).map_err(|_| StoreError::NoCampaign { path: root.to_path_buf() })?;
        let lines: Vec<String> =
            BufReader::new(file).lines().collect::<io::Result<_>>().map_err(failed("read", &path))?;
        let mut parsed = Vec::with_capacity(lines.len());
        for (index, line) in lines.iter().enumerate() {
            match serde_json::from_str(line) {
                Ok(value) => parsed.push(value),
                Err(_) if index + 1 == lines.len() => {}
                Err(_) => return Err(StoreError::Damaged { path, line: index + 1 }),
            }
        }
        Ok(parsed)
    }

    pub fn replace(&self, name: &str, content: &[u8]) -> Result<()> {
        replace(&self.root.join(name), content)
    }

    pub fn replace_json(&self, name: &str, value: &impl Serialize) -> Result<()> {
        replace_json(&self.root.join(name), value)
    }

    /// A test or finding as `offshoot_suite` lays it out, and what the campaign has to say about it.
    pub fn case(&self, folder: &str, test: &Test, note: &impl Serialize) -> Result<()> {
        let path = self.root.join(folder);
        let written = write_test(&path, test).map_err(StoreError::from);
        let written = written.and_then(|()| self.replace_json(&format!("{folder}/note.json"), note));
        if written.is_err() {
            // Half a test is none.
            let _ = fs::remove_dir_all(&path);
        }
        written
    }
}

/// A folder with these folders in it. Earlier results of ours are kept as `ROOT.old`; nothing else is ever moved or
/// removed.
pub fn fresh(root: &Path, folders: &[&str]) -> Result<()> {
    if is_taken(root)? {
        // `OUT/` and `OUT/.` have their `.old` beside them, not inside.
        let folder = fs::canonicalize(root).map_err(failed("look at", root))?;
        let mut old = folder.clone().into_os_string();
        old.push(".old");
        let old = PathBuf::from(old);
        if is_taken(&old)? {
            fs::remove_dir_all(&old).map_err(failed("remove", &old))?;
        }
        fs::rename(&folder, &old).map_err(failed("keep the earlier results as", &old))?;
    }
    make(root, folders)
}

fn make(root: &Path, folders: &[&str]) -> Result<()> {
    for folder in folders {
        let folder = root.join(folder);
        fs::create_dir_all(&folder).map_err(failed("make", &folder))?;
    }
    Ok(())
}

/// Plain data as JSON, replaced whole.
pub fn replace_json(path: &Path, value: &impl Serialize) -> Result<()> {
    let mut text = serde_json::to_vec_pretty(value).unwrap_or_else(|error| unreachable!("plain data: {error}"));
    text.push(b'\n');
    replace(path, &text)
}

fn write_line(file: &mut BufWriter<File>, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *file, line)?;
    file.write_all(b"\n")
}

pub fn replace(path: &Path, content: &[u8]) -> Result<()> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = PathBuf::from(new);
    let written = fs::write(&new, content).and_then(|()| fs::rename(&new, path));
    written.map_err(|error| {
        // What is half-written is nobody's; the disk may need its place.
        let _ = fs::remove_file(&new);
        failed("write", path)(error)
    })
}

/// Whether results of ours are there; `false`: nothing, or an empty folder. Whatever else is there belongs to somebody.
fn is_taken(path: &Path) -> Result<bool> {
    let foreign = || StoreError::Foreign { path: path.to_path_buf() };
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(failed("look at", path)(error)),
        Ok(_) if !path.is_dir() => return Err(foreign()),
        Ok(_) => {}
    }
    if ["campaign.json", "journal.jsonl", "check.json"].iter().any(|name| path.join(name).is_file()) {
        return Ok(true);
    }
    // What was ended before it wrote any of these has our folders and nothing else.
    let mut is_empty = true;
    for entry in fs::read_dir(path).map_err(failed("read", path))? {
        let name = entry.map_err(failed("read", path))?.file_name();
        if ![SUITE, "tests", "findings"].iter().any(|ours| name == *ours) {
            return Err(foreign());
        }
        is_empty = false;
    }
    Ok(!is_empty)
}

/// A crash may have cut the last line off; nothing may be appended to half a line.
fn cut_last_line(file: &File, path: &Path) -> io::Result<()> {
    let text = fs::read(path)?;
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    if whole < text.len() { file.set_len(whole as u64) } else { Ok(()) }
}
