//! What a path leads to, as a recorder notes it and a sandbox makes it again.

use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thing {
    pub what: What,
    /// Permission bits; of links and of nothing they do not matter.
    pub mode: u32,
    /// Seconds and nanoseconds. `None` if nobody looked at it.
    pub modified: Option<(i64, i64)>,
}

impl Thing {
    /// A name in a folder that was listed: any file does.
    pub fn is_any_file(&self) -> bool {
        matches!(self.what, What::File { .. }) && self.modified.is_none()
    }

    /// A link in a folder that was listed: nobody asked where it leads. Such a link leads to itself, which is nowhere.
    pub fn is_any_link(&self, path: &Path) -> bool {
        matches!(&self.what, What::Link(to) if path.file_name() == Some(to.as_os_str()))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    Absent,
    Directory,
    Link(PathBuf),
    /// Without its content, which is known only if somebody read it.
    File {
        size: u64,
    },
}
