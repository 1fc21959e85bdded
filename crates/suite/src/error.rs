//! What can go wrong with files. A message names the file.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot {action} {path}: {source}")]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    #[error("{path} is of version {found}, this program reads version {wanted}; use the offshoot that wrote it")]
    Version { path: PathBuf, found: u64, wanted: u32 },
    #[error("{path} is damaged: {what}")]
    Damaged { path: PathBuf, what: String },
    #[error("no suite in {0}: it has no suite.json")]
    NoSuite(PathBuf),
    #[error("{file} was there before and would pass for one of these tests; name another folder, or remove it")]
    Occupied { file: PathBuf },
    #[error("no number is left behind that of {file}; name another folder")]
    LastNumber { file: PathBuf },
}

pub type Result<T> = std::result::Result<T, Error>;

pub(crate) fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_path_buf();
    move |source| Error::Io { action, path, source }
}

pub(crate) fn write(path: &Path, content: &[u8]) -> Result<()> {
    std::fs::write(path, content).map_err(failed("write", path))
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    read_regular(path, u64::MAX).map_err(failed("read", path))
}

/// A pipe may keep its reader waiting for ever, and a device may have no end.
pub(crate) fn open_regular(path: &Path) -> io::Result<(u64, File)> {
    let data = fs::metadata(path)?;
    if !data.is_file() {
        return Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file"));
    }
    Ok((data.len(), File::open(path)?))
}

/// All of it. An error if it is larger than `largest`.
pub(crate) fn read_regular(path: &Path, largest: u64) -> io::Result<Vec<u8>> {
    let (size, file) = open_regular(path)?;
    let mut content = Vec::new();
    // The kernel's own files say that they are empty.
    if size > largest || file.take(largest.saturating_add(1)).read_to_end(&mut content)? as u64 > largest {
        return Err(ErrorKind::FileTooLarge.into());
    }
    Ok(content)
}

pub(crate) fn make_folder(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path).map_err(failed("make", path))
}

pub(crate) fn write_script(path: &Path, content: &[u8]) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    write(path, content)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).map_err(failed("write", path))
}

/// A crash leaves the old file or the new one, never half of one.
pub(crate) fn replace(path: &Path, content: &[u8]) -> Result<()> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = PathBuf::from(new);
    write(&new, content)?;
    std::fs::rename(&new, path).map_err(failed("write", path))
}
