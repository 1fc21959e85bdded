//! Locks of every data type where solvers usually fail (`tests/cracks/`), opened from zero bytes.

use crate::place::{Place, root};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn every_lock_opens() {
    let folder = root().join("tests/cracks");
    let entries = std::fs::read_dir(&folder).expect("the locks are there");
    let files = entries.map(|entry| entry.expect("an entry").path());
    let locks: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|end| end == "c")).collect();
    assert!(locks.len() >= 24, "{locks:?}");
    let next = AtomicUsize::new(0);
    let closed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(lock) = locks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(why) = open(lock) {
                        closed.lock().expect("no panic holds it").push(why);
                    }
                }
            });
        }
    });
    let closed = closed.into_inner().expect("no panic held it");
    assert!(closed.is_empty(), "{} of {} locks stay closed:\n{}", closed.len(), locks.len(), closed.join("\n"));
}

/// `Err`: why not.
fn open(lock: &Path) -> Result<(), String> {
    let name = lock.file_stem().expect("a name").to_string_lossy();
    let place = Place::new(&format!("cracks/{name}"));
    place.build(lock);
    place.write("zero", &[0; 32]);
    let budget = ["--seed", "zero", "--iterations", "4000", "--time", "600s", "--stop-at-finding"];
    let explored = place.explore(&budget);
    if explored.findings() != ["SIGABRT"] {
        return Err(format!("{name}: {}", explored.stats));
    }
    if explored.output.status.code() != Some(1) || explored.events("ended")[0]["why"] != "finding" {
        return Err(format!("{name}: it went on after the finding, {}", explored.output.status));
    }
    // What a user would do with it.
    let status =
        Command::new("sh").arg(explored.folder.join("findings/0000/cmd.sh")).output().expect("sh starts").status;
    if status.code() != Some(128 + libc::SIGABRT) {
        return Err(format!("{name}: cmd.sh ends with {status}"));
    }
    Ok(())
}
