//! What a run is to find around it where that differs from the machine: folders, links, files that nobody reads, and
//! nothing at all. Put into the private overlay before the program starts; content is `place.rs`'s.
//!
//! ```text
//!  remove what is in the way ─▶ folders, links, empty files ─▶ (content) ─▶ modes and times, innermost first
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, CString, OsStr};
use std::mem::MaybeUninit;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{fs, io};

use offshoot_base::{Thing, What};
use rustix::fs::{AtFlags, CWD, Mode, OFlags, Timespec, Timestamps};

use crate::changes::{Change, ChangeKind};
use crate::place::resolved;
use crate::{Error, Result};

/// Ready for the child.
#[derive(Default)]
pub struct World {
    steps: Vec<Step>,
    last: Vec<Finish>,
}

struct Step {
    path: CString,
    action: Action,
}

enum Action {
    Unlink,
    RemoveDirectory,
    MakeDirectory,
    Link(CString),
    File(u64),
}

struct Finish {
    path: CString,
    mode: Option<u32>,
    times: Option<Timestamps>,
}

/// What has become of one path.
#[derive(Clone, Copy, Default)]
struct Built<'a> {
    action: Option<&'a Action>,
    finish: Option<&'a Finish>,
}

/// Entries of one folder that is in the way, with all below.
const MOST_REMOVED: usize = 100_000;

impl World {
    /// Relative paths are relative to `cwd`. `contents`: files whose content is placed.
    pub fn new(things: &[(PathBuf, Thing)], cwd: &Path, contents: &[PathBuf]) -> Result<World> {
        let mut world = World::default();
        // A folder comes before what is in it.
        let mut things: Vec<(PathBuf, &Thing)> =
            things.iter().map(|(path, thing)| (place_of(&cwd.join(path)), thing)).collect();
        things.sort_by(|a, b| a.0.cmp(&b.0));
        // A place may have two names: what somebody looked at counts more than what was listed.
        let (listed, looked_at): (Vec<_>, Vec<_>) = things.iter().partition(|(path, thing)| thing.is_any_link(path));
        for (path, thing) in looked_at.into_iter().chain(listed) {
            world.add(path, thing)?;
        }
        for (path, thing) in things.iter().rev() {
            world.finish(path, thing, contents)?;
        }
        Ok(world)
    }

    fn add(&mut self, path: &Path, thing: &Thing) -> Result<()> {
        let now = fs::symlink_metadata(path).ok();
        let is_right = match (&thing.what, &now) {
            (What::Absent, None) => true,
            (What::Directory, Some(now)) => now.is_dir(),
            (What::Link(to), Some(now)) => {
                let is_same = || fs::read_link(path).is_ok_and(|link| link == *to);
                let is_any = thing.is_any_link(path);
                // What is a link on one machine (/bin) is a folder on another.
                (is_any && now.is_dir()) || (now.is_symlink() && (is_any || is_same()))
            }
            (What::File { size }, Some(now)) => now.is_file() && (now.len() == *size || thing.is_any_file()),
            _ => false,
        };
        if is_right {
            return Ok(());
        }
        match now {
            Some(now) if now.is_dir() => self.remove_tree(path)?,
            // A file keeps its inode.
            Some(now) if now.is_file() && matches!(thing.what, What::File { .. }) => {}
            Some(_) => self.push(path, Action::Unlink)?,
            None => {}
        }
        if thing.what != What::Absent {
            let missing: Vec<&Path> = path.ancestors().skip(1).take_while(|folder| !folder.exists()).collect();
            for folder in missing.into_iter().rev() {
                self.push(folder, Action::MakeDirectory)?;
            }
        }
        match &thing.what {
            What::Absent => Ok(()),
            What::Directory => self.push(path, Action::MakeDirectory),
            What::Link(to) => self.push(path, Action::Link(c_path(to)?)),
            What::File { size } => self.push(path, Action::File(*size)),
        }
    }

    fn remove_tree(&mut self, folder: &Path) -> Result<()> {
        let mut folders = vec![folder.to_path_buf()];
        let mut found = vec![];
        while let Some(folder) = folders.pop() {
            found.push(folder.clone());
            for entry in fs::read_dir(&folder).map_err(Error::file("read", &folder))?.flatten() {
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                    _ => self.push(&entry.path(), Action::Unlink)?,
                }
            }
            if self.steps.len() + found.len() > MOST_REMOVED {
                let source = io::Error::other("too much is in it to be hidden from a run");
                return Err(Error::File { what: "clear", path: folder, source });
            }
        }
        // Each was found after the one that it is in.
        found.iter().rev().try_for_each(|folder| self.push(folder, Action::RemoveDirectory))
    }

    fn finish(&mut self, path: &Path, thing: &Thing, contents: &[PathBuf]) -> Result<()> {
        if thing.what == What::Absent {
            return Ok(());
        }
        let now = fs::symlink_metadata(path).ok();
        // The program itself may be one of them.
        if thing.is_any_file() && now.as_ref().is_some_and(fs::Metadata::is_file) {
            return Ok(());
        }
        let is_link = matches!(thing.what, What::Link(_));
        let has_mode = now.as_ref().is_some_and(|now| now.mode() & 0o7777 == thing.mode);
        let times = thing.modified.map(|(tv_sec, tv_nsec)| {
            let time = Timespec { tv_sec, tv_nsec };
            Timestamps { last_access: time, last_modification: time }
        });
        let is_untouched = now.is_some_and(|now| Some((now.mtime(), now.mtime_nsec())) == thing.modified)
            && !matches!(thing.what, What::Directory)
            && !contents.iter().any(|content| content == path);
        let mode = (!has_mode && !is_link).then_some(thing.mode);
        if mode.is_some() || (times.is_some() && !is_untouched) {
            self.last.push(Finish { path: c_path(path)?, mode, times });
        }
        Ok(())
    }

    fn push(&mut self, path: &Path, action: Action) -> Result<()> {
        self.steps.push(Step { path: c_path(path)?, action });
        Ok(())
    }

    /// In the child: neither allocates nor locks. Gives the number of the step that failed.
    pub fn build(&self) -> Result<(), (usize, io::Error)> {
        for (number, step) in self.steps.iter().enumerate() {
            step.execute().map_err(|error| (number, error))?;
        }
        Ok(())
    }

    /// In the child, when everything has its content. Where the file system does not let us, a run can hardly tell.
    pub fn settle(&self) {
        for Finish { path, mode, times } in &self.last {
            if let Some(mode) = mode {
                let _ = rustix::fs::chmodat(CWD, path, Mode::from_raw_mode(*mode), AtFlags::empty());
            }
            if let Some(times) = times {
                let _ = rustix::fs::utimensat(CWD, path, times, AtFlags::SYMLINK_NOFOLLOW);
            }
        }
    }

    /// Leaves what the program itself changed, and says it as the program would: what it took away of this world is
    /// deleted, what it made where this world has nothing is created.
    pub fn forget_built(&self, changes: &mut Vec<Change>) {
        let built = self.built();
        let listed = |stored: bool| -> BTreeSet<PathBuf> {
            let changes = changes.iter().filter(|change| change.stored.is_some() == stored);
            changes.map(|change| change.path.clone()).collect()
        };
        let (there, deleted) = (listed(true), listed(false));
        changes.retain_mut(|change| match (built.get(&*change.path), &change.stored) {
            (None, _) => true,
            (Some(built), None) => !built.is_gone() && !there.contains(&change.path),
            (Some(built), Some(_)) if built.is_gone() => {
                change.kind = ChangeKind::Created;
                true
            }
            (Some(built), Some(stored)) => {
                change.kind = ChangeKind::Changed;
                !built.is_still_at(stored)
            }
        });
        for (path, built) in self.made(&built).filter(|(path, _)| !there.contains(*path) && !deleted.contains(*path)) {
            let directory = matches!(built.action, Some(Action::MakeDirectory));
            changes.push(Change { path: path.to_path_buf(), kind: ChangeKind::Deleted, directory, stored: None });
        }
        changes.sort_by(|a, b| a.path.cmp(&b.path));
    }

    /// Links and files that have been made, or have got other attributes.
    pub fn files(&self) -> Vec<PathBuf> {
        let built = self.built();
        let directories = |built: &Built<'_>| matches!(built.action, Some(Action::MakeDirectory));
        let finished = built.iter().filter(|(_, built)| built.action.is_none()).map(|(path, _)| *path);
        let made = self.made(&built).filter(|(_, built)| !directories(built)).map(|(path, _)| path);
        made.chain(finished.filter(|path| !path.is_dir())).map(Path::to_path_buf).collect()
    }

    fn built(&self) -> BTreeMap<&Path, Built<'_>> {
        let mut all: BTreeMap<&Path, Built<'_>> = BTreeMap::new();
        self.steps.iter().for_each(|step| all.entry(as_path(&step.path)).or_default().action = Some(&step.action));
        self.last.iter().for_each(|finish| all.entry(as_path(&finish.path)).or_default().finish = Some(finish));
        all
    }

    /// Without those that are second names, behind a link that has been made.
    fn made<'a>(&self, built: &'a BTreeMap<&'a Path, Built<'a>>) -> impl Iterator<Item = (&'a Path, &'a Built<'a>)> {
        let is_link = |path: &Path| matches!(built.get(path).map(|built| built.action), Some(Some(Action::Link(_))));
        built
            .iter()
            .map(|(path, built)| (*path, built))
            .filter(|(_, built)| built.action.is_some() && !built.is_gone())
            .filter(move |(path, _)| !path.ancestors().skip(1).any(is_link))
    }

    pub fn describe(&self, step: usize) -> Option<String> {
        self.steps.get(step).map(|step| {
            let what = match step.action {
                Action::Unlink | Action::RemoveDirectory => "hide",
                Action::MakeDirectory | Action::Link(_) | Action::File(_) => "make",
            };
            format!("{what} {}", step.path.to_string_lossy())
        })
    }
}

impl Built<'_> {
    fn is_gone(&self) -> bool {
        matches!(self.action, Some(Action::Unlink | Action::RemoveDirectory))
    }

    fn is_still_at(&self, stored: &Path) -> bool {
        let Ok(data) = fs::symlink_metadata(stored) else { return false };
        let times = self.finish.and_then(|finish| finish.times.as_ref()).map(|times| times.last_modification);
        let is_old = times.is_some_and(|time| (time.tv_sec, time.tv_nsec) == (data.mtime(), data.mtime_nsec()));
        let is_same = match self.action {
            Some(Action::MakeDirectory) => data.is_dir(),
            Some(Action::Link(to)) => fs::read_link(stored).is_ok_and(|link| *link == *as_path(to)),
            // Where nobody knows its time: nothing has been written to it.
            Some(Action::File(size)) => {
                data.is_file() && data.len() == *size && (is_old || (times.is_none() && data.blocks() == 0))
            }
            Some(Action::Unlink | Action::RemoveDirectory) => false,
            None => data.is_dir() || is_old || times.is_none(),
        };
        let mode = self.finish.and_then(|finish| finish.mode);
        is_same && mode.is_none_or(|mode| mode == data.mode() & 0o7777)
    }
}

impl Step {
    fn execute(&self) -> io::Result<()> {
        match &self.action {
            Action::Unlink => rustix::fs::unlink(&self.path)?,
            Action::RemoveDirectory => rustix::fs::rmdir(&self.path)?,
            Action::MakeDirectory => match rustix::fs::mkdir(&self.path, Mode::from_raw_mode(0o755)) {
                Ok(()) | Err(rustix::io::Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            },
            Action::Link(to) => match rustix::fs::symlink(to, &self.path) {
                Ok(()) => {}
                // Under another name: a folder on the way is a link that was made just now.
                Err(rustix::io::Errno::EXIST) if leads_to(&self.path, to) || is_own_name(&self.path, to) => {}
                Err(error) => return Err(error.into()),
            },
            Action::File(size) => {
                let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::CLOEXEC;
                let file = rustix::fs::open(&self.path, flags, Mode::from_raw_mode(0o644))?;
                rustix::fs::ftruncate(&file, *size)?;
            }
        }
        Ok(())
    }
}

/// In the child.
fn leads_to(link: &CStr, to: &CStr) -> bool {
    let mut place = [MaybeUninit::uninit(); libc::PATH_MAX as usize];
    let found = rustix::fs::readlinkat_raw(CWD, link, &mut place[..]);
    found.is_ok_and(|(found, _)| *found == *to.to_bytes())
}

/// In the child. See [`Thing::is_any_link`].
fn is_own_name(link: &CStr, to: &CStr) -> bool {
    link.to_bytes().strip_suffix(to.to_bytes()).is_some_and(|folder| folder.ends_with(b"/"))
}

/// Links on the way are followed; what is at its end is meant itself.
fn place_of(path: &Path) -> PathBuf {
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => resolved(folder).join(name),
        _ => resolved(path),
    }
}

fn as_path(path: &CStr) -> &Path {
    Path::new(OsStr::from_bytes(path.to_bytes()))
}

fn c_path(path: &Path) -> Result<CString> {
    CString::new(path.as_os_str().as_bytes()).map_err(|_| Error::Nul(path.to_string_lossy().into_owned()))
}
