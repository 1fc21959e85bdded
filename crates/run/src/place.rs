//! Files that a run is to find with other content than they have, or at all: written through the private overlay before
//! the program starts, so that the user's own are never touched.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

use crate::changes::{Change, ChangeKind};
use crate::{Error, Result, sys};

/// Where values for a harness's functions are found inside.
pub const INPUTS_INSIDE: &str = "/dev/offshoot-inputs";

pub struct Placed {
    /// Without symbolic links.
    pub path: PathBuf,
    pub bytes: Vec<u8>,
    c_path: CString,
    parents: Vec<CString>,
}

impl Placed {
    pub fn new(path: &Path, cwd: &Path, bytes: &[u8]) -> Result<Placed> {
        let path = resolved(&cwd.join(path));
        let c = |path: &Path| sys::c_path(path).ok_or_else(|| Error::Nul(path.to_string_lossy().into_owned()));
        let mut parents: Vec<&Path> = path.ancestors().skip(1).filter(|parent| !parent.exists()).collect();
        parents.reverse();
        let parents = parents.into_iter().map(c).collect::<Result<_>>()?;
        Ok(Placed { c_path: c(&path)?, parents, path, bytes: bytes.to_vec() })
    }

    /// In the child: neither allocates nor locks.
    pub fn put(&self) -> io::Result<()> {
        for parent in &self.parents {
            match rustix::fs::mkdir(parent, Mode::from_raw_mode(0o755)) {
                Ok(()) | Err(rustix::io::Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::CLOEXEC;
        let open = || rustix::fs::open(&self.c_path, flags, Mode::from_raw_mode(0o644));
        // The overlay cannot take over a file whose owner has no name in the sandbox, but it can hide it.
        let file = open().or_else(|_| {
            rustix::fs::unlink(&self.c_path)?;
            open()
        })?;
        let mut rest = &self.bytes[..];
        while !rest.is_empty() {
            let written = rustix::io::write(&file, rest)?;
            rest = &rest[written..];
        }
        Ok(())
    }
}

/// The place that the program will mean by `path`; what is behind a missing part cannot be a link.
pub fn resolved(path: &Path) -> PathBuf {
    for known in path.ancestors() {
        if let Ok(real) = known.canonicalize() {
            return path.strip_prefix(known).map_or(real.clone(), |rest| real.join(rest).components().collect());
        }
    }
    path.to_path_buf()
}

/// Leaves what the program itself changed.
pub fn forget_placed<'a>(changes: &mut Vec<Change>, placed: impl IntoIterator<Item = &'a Placed> + Clone) {
    let is_as_placed = |change: &Change| {
        placed.clone().into_iter().any(|file| {
            let same = || change.read(file.bytes.len() as u64).is_ok_and(|now| now == file.bytes);
            let leads_there =
                || change.directory && change.kind == ChangeKind::Created && file.path.starts_with(&change.path);
            (change.path == file.path && change.kind != ChangeKind::Deleted && same()) || leads_there()
        })
    };
    changes.retain(|change| !is_as_placed(change));
}

/// The content of a file as `OFFSHOOT_INPUTS` names it.
pub fn inputs_file(nondet: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut file = Vec::new();
    for (name, bytes) in nondet {
        file.extend(std::ffi::OsStr::new(name).as_bytes());
        file.extend(format!("\0{}\0", bytes.len()).into_bytes());
        file.extend(bytes);
    }
    file
}
