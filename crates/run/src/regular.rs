//! Regular files under names where a program may have put anything: a pipe that nobody writes to, a link to somebody else's
//! file, a hole of a terabyte.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    Followed,
    Refused,
}

/// All of it. An error if it is anything else, or larger than `largest`.
pub fn read_regular(path: &Path, largest: u64, links: Links) -> io::Result<Vec<u8>> {
    let (data, no_follow) = match links {
        Links::Followed => (fs::metadata(path)?, 0),
        Links::Refused => (fs::symlink_metadata(path)?, libc::O_NOFOLLOW),
    };
    // Before it is opened: who writes to a pipe would take us for its reader. And after, as it may have been replaced.
    regular(&data)?;
    let file = File::options().read(true).custom_flags(no_follow | libc::O_NONBLOCK).open(path)?;
    regular(&file.metadata()?)?;
    let mut bytes = Vec::new();
    if data.len() > largest || file.take(largest.saturating_add(1)).read_to_end(&mut bytes)? as u64 > largest {
        return Err(ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

fn regular(data: &Metadata) -> io::Result<()> {
    if data.is_file() { Ok(()) } else { Err(io::Error::new(ErrorKind::InvalidInput, "not a regular file")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_of_the_size() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("file"), "abc").expect("a file");
        std::os::unix::fs::symlink("file", path("link")).expect("a link");
        rustix::fs::mkfifoat(rustix::fs::CWD, path("pipe"), rustix::fs::Mode::RWXU).expect("a pipe");
        let kind = |name: &str, largest, links| read_regular(&path(name), largest, links).map_err(|error| error.kind());
        assert_eq!(kind("file", 3, Links::Refused), Ok(b"abc".to_vec()));
        assert_eq!(kind("file", 2, Links::Refused), Err(ErrorKind::FileTooLarge));
        assert_eq!(kind("link", u64::MAX, Links::Followed), Ok(b"abc".to_vec()));
        assert_eq!(kind("link", 3, Links::Refused), Err(ErrorKind::InvalidInput));
        assert_eq!(kind("pipe", 3, Links::Followed), Err(ErrorKind::InvalidInput));
        assert_eq!(kind(".", 3, Links::Followed), Err(ErrorKind::InvalidInput));
        assert_eq!(kind("none", 3, Links::Refused), Err(ErrorKind::NotFound));
    }
}
