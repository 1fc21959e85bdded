//! A suite that is recorded on the way. Until its tests are there nothing of earlier results is touched.

use super::Around;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::suite::{Running, Session, record, warn};
use offshoot_campaign::store::SUITE;
use std::ffi::OsString;
use std::fs;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Beside the results, so that it can be moved there; goes unless it is kept.
pub struct Recorded {
    folder: PathBuf,
}

/// As for `offshoot record`.
const MAX_SIZE: u64 = 16 << 20;

impl Recorded {
    pub fn new(command: &[OsString], around: &Around<'_>) -> Result<Recorded, Failure> {
        let mut name = OsString::from(".");
        name.push(around.output.file_name().unwrap_or("offshoot".as_ref()));
        name.push(format!(".recording-{}", std::process::id()));
        let recorded = Recorded { folder: around.output.with_file_name(name) };
        let stdout = match around.json {
            true => std::io::stderr().as_fd().try_clone_to_owned().map_err(Failure::internal)?.into(),
            false => Stdio::inherit(),
        };
        let progress = if around.json { Progress::None } else { around.progress };
        let session = Session { command, folder: &recorded.folder, max_size: MAX_SIZE, verify: true, stdout };
        let done = record(session, around.settings.clone(), &Running::in_turn(around.run_time, progress))?;
        done.tell(&around.output.join(SUITE));
        let words: Vec<_> = command.iter().map(|word| word.to_string_lossy()).collect();
        if let Some(why) = done.nothing() {
            return Err(Failure::usage(format!("{}: {why}", words.join(" "))));
        }
        if done.ended.code != 0 {
            warn(format!(
                "{} ended with status {}; its tests are seeds all the same",
                words.join(" "),
                done.ended.code
            ));
        }
        Ok(recorded)
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn keep(self, output: &Path) -> Result<(), Failure> {
        let place = output.join(SUITE);
        fs::rename(&self.folder, &place)
            .map_err(|error| Failure::usage(format!("cannot make {}: {error}", place.display())))
    }
}

impl Drop for Recorded {
    fn drop(&mut self) {
        // Kept, or of no use to anybody.
        let _ = fs::remove_dir_all(&self.folder);
    }
}
