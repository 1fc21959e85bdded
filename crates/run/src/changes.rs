//! What a run wrote: the upper layers of its overlays, read as a list of changes.

use std::fs::{self, Metadata, Permissions};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::AtFlags;
use tempfile::TempDir;

use crate::mounts::Layer;
use crate::regular::{Links, read_regular};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// As the program saw it.
    pub path: PathBuf,
    pub kind: ChangeKind,
    pub directory: bool,
    /// Where the new content is, as long as the [`crate::Outcome`] lives; none if deleted.
    pub stored: Option<PathBuf>,
}

impl Change {
    /// What the run left in a regular file. Whatever else it left under the name, this neither waits for it nor follows it.
    pub fn read(&self, largest: u64) -> io::Result<Vec<u8>> {
        let Some(stored) = &self.stored else { return Err(io::ErrorKind::NotFound.into()) };
        read_regular(stored, largest, Links::Refused)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    Created,
    /// Content or attributes; also a file that was opened for writing and left as it was.
    Changed,
    /// For a directory: with all that was in it.
    Deleted,
}

/// The private directory of a run.
#[derive(Debug)]
pub struct Scratch {
    dir: TempDir,
    /// Without symbolic links, as mounts need it.
    path: PathBuf,
    /// The sandbox's own tmpfs over `dir`, which outlives the sandbox through this descriptor.
    tmpfs: Option<OwnedFd>,
    in_memory: bool,
}

/// Of all layers together.
#[derive(Debug)]
pub struct Footprint {
    /// Inodes and blocks that are left.
    pub space: Option<(u64, u64)>,
    /// Mode and owner of directories.
    pub rights: Vec<Option<(u32, u32, u32)>>,
    /// Directories that have another time now.
    pub touched: Vec<usize>,
}

/// One of a layer.
#[derive(Debug)]
pub struct Directory {
    /// Relative to scratch.
    pub upper: PathBuf,
    /// What the program means by it.
    pub lower: PathBuf,
    /// As every run is to find it.
    pub modified: Option<(i64, i64)>,
}

impl Scratch {
    pub fn new(in_memory: bool) -> std::io::Result<Scratch> {
        let dir = tempfile::Builder::new().prefix("offshoot-run-").tempdir()?;
        let path = dir.path().canonicalize()?;
        Ok(Scratch { dir, path, tmpfs: None, in_memory })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn set_tmpfs(&mut self, fd: OwnedFd) {
        if self.in_memory {
            self.tmpfs = Some(fd);
        }
    }

    fn base(&self) -> PathBuf {
        match &self.tmpfs {
            Some(fd) => PathBuf::from(format!("/proc/self/fd/{}", fd.as_raw_fd())),
            None => self.path.clone(),
        }
    }

    /// Different whenever something has been created, copied or hidden in the layers (where only a walk can tell, `space`
    /// is nothing), or one of these directories has another mode or owner.
    pub fn footprint(&self, directories: &[Directory]) -> Footprint {
        let space = self.tmpfs.as_ref().and_then(|tmpfs| rustix::fs::fstatfs(tmpfs).ok());
        let mut touched = Vec::new();
        let mut rights = Vec::with_capacity(directories.len());
        for (number, directory) in directories.iter().enumerate() {
            let data = match &self.tmpfs {
                Some(tmpfs) => rustix::fs::statat(tmpfs, &directory.upper, AtFlags::SYMLINK_NOFOLLOW),
                None => rustix::fs::lstat(self.path.join(&directory.upper)),
            };
            let data = data.ok();
            rights.push(data.map(|data| (data.st_mode, data.st_uid, data.st_gid)));
            if data.is_some_and(|data| Some((data.st_mtime, data.st_mtime_nsec as i64)) != directory.modified) {
                touched.push(number);
            }
        }
        Footprint { space: space.map(|space| (space.f_ffree, space.f_bfree)), rights, touched }
    }

    /// All directories in the layers.
    pub fn directories(&self, layers: &[Layer]) -> Vec<Directory> {
        let base = self.base();
        let directory = |upper: PathBuf, lower: PathBuf| {
            let modified = fs::symlink_metadata(base.join(&upper)).ok().map(|data| (data.mtime(), data.mtime_nsec()));
            Directory { upper, lower, modified }
        };
        let mut found: Vec<Directory> =
            layers.iter().map(|layer| directory(layer.upper.clone(), layer.lower.clone())).collect();
        let mut next = 0;
        while let Some(Directory { upper, lower, .. }) = found.get(next) {
            let entries = fs::read_dir(base.join(upper)).into_iter().flatten().flatten();
            let below = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            let below: Vec<Directory> =
                below.map(|entry| directory(upper.join(entry.file_name()), lower.join(entry.file_name()))).collect();
            found.extend(below);
            next += 1;
        }
        found
    }

    /// Whether this directory of a layer shows what the one below it would show without it.
    pub fn is_mere_copy(&self, directory: &Directory) -> bool {
        let upper = self.base().join(&directory.upper);
        let rights = |path: &Path| fs::symlink_metadata(path).ok().map(|data| (data.mode(), data.uid(), data.gid()));
        rights(&upper).is_some() && rights(&upper) == rights(&directory.lower) && !is_opaque(&upper)
    }

    pub fn changes(&self, layers: &[Layer]) -> Vec<Change> {
        let base = self.base();
        let mut changes = Vec::new();
        for layer in layers {
            walk(&base.join(&layer.upper), &layer.lower, &mut changes);
        }
        changes.retain(|change| change.path != self.path);
        changes.sort_by(|a, b| a.path.cmp(&b.path));
        changes
    }
}

impl Drop for Scratch {
    /// On disk, overlayfs and the program may have left directories that nobody may enter.
    fn drop(&mut self) {
        if !self.in_memory {
            open_up(self.dir.path());
        }
    }
}

fn open_up(directory: &Path) {
    let _ = fs::set_permissions(directory, Permissions::from_mode(0o700));
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path());
        }
    }
}

fn walk(upper: &Path, lower: &Path, changes: &mut Vec<Change>) {
    for entry in fs::read_dir(upper).into_iter().flatten().flatten() {
        let (stored, path) = (entry.path(), lower.join(entry.file_name()));
        let Ok(data) = fs::symlink_metadata(&stored) else { continue };
        let before = fs::symlink_metadata(&path).ok();
        if is_whiteout(&data) {
            let directory = before.is_some_and(|data| data.is_dir());
            changes.push(Change { path, kind: ChangeKind::Deleted, directory, stored: None });
            continue;
        }
        let directory = data.is_dir();
        let same_kind = before.as_ref().is_some_and(|before| before.file_type() == data.file_type());
        let kind = if same_kind { ChangeKind::Changed } else { ChangeKind::Created };
        if before.is_some() && !same_kind {
            let directory = before.is_some_and(|data| data.is_dir());
            changes.push(Change { path: path.clone(), kind: ChangeKind::Deleted, directory, stored: None });
        }
        if !directory {
            changes.push(Change { path, kind, directory, stored: Some(stored) });
            continue;
        }
        // A directory in the upper layer usually only leads to a change below it.
        if kind == ChangeKind::Created {
            changes.push(Change { path: path.clone(), kind, directory, stored: Some(stored.clone()) });
        } else if is_opaque(&stored) {
            hidden_by(&stored, &path, changes);
        }
        walk(&stored, &path, changes);
    }
}

/// An opaque directory was deleted and made anew: of the old content only what is there again survives.
fn hidden_by(stored: &Path, path: &Path, changes: &mut Vec<Change>) {
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        if fs::symlink_metadata(stored.join(entry.file_name())).is_err() {
            let directory = entry.file_type().is_ok_and(|kind| kind.is_dir());
            changes.push(Change { path: entry.path(), kind: ChangeKind::Deleted, directory, stored: None });
        }
    }
}

fn is_whiteout(data: &Metadata) -> bool {
    data.file_type().is_char_device() && data.rdev() == 0
}

fn is_opaque(directory: &Path) -> bool {
    let mut value = [0u8; 4];
    rustix::fs::getxattr(directory, c"user.overlay.opaque", &mut value).is_ok_and(|len| value[..len].starts_with(b"y"))
}
