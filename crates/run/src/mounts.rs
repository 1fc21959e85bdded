//! The private view of the file system: what to mount where, worked out before the clone as a flat list of [`Step`]s.
//!
//! Inside a user namespace a directory with another mount somewhere below it can be neither bound nor a lower layer of
//! an overlay (the kernel will not let us uncover what that mount hides). So directories above a mount point, `/` always
//! among them, form a *spine* that we rebuild from plain directories, and each directory that hangs off the spine
//! becomes an overlay of its own:
//!
//! ```text
//! /            spine: rebuilt, itself the lower layer of overlay 0     scratch/spine ─▶ scratch/root
//! ├─ usr       overlay 1: lower /usr, upper scratch/up/1
//! ├─ bin       symbolic link, copied
//! ├─ mnt       spine, because of the mount /mnt/disk
//! │  └─ disk   overlay 2: a mount's own root can be a lower layer
//! ├─ dev       a few harmless devices bound one by one; shm is an overlay
//! ├─ proc      new, for the new pid namespace
//! └─ sys       bound read-only
//! ```
//!
//! `scratch` is a tmpfs of the sandbox where tmpfs can hold user attributes (Linux 6.6), else a directory on disk.

use std::collections::BTreeSet;
use std::ffi::{CStr, CString};
use std::fs::{self, Metadata};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, FileType, Mode, OFlags};
use rustix::mount::{MountPropagationFlags, UnmountFlags};

use crate::{Error, Result, sys};

/// Where the trace (or the counters) is found inside: the same path in every run, so that the environment, and with it
/// the stack, is the same in every run.
pub const SHARED_INSIDE: &str = "/dev/offshoot-trace";

/// Files next to a mount point are copied if small, else shown read-only.
const COPY_LIMIT: u64 = 1 << 20;

/// One bit for each optional step that failed.
pub type Skipped = [u64; 128];

pub struct Plan {
    scratch: CString,
    /// Options of the tmpfs over `scratch`; none: use the directory as it is.
    tmpfs: Option<CString>,
    root: CString,
    steps: Vec<Step>,
    pub layers: Vec<Layer>,
}

/// An overlay: `upper` (relative to scratch) holds what changed below `lower`.
#[derive(Clone, Debug)]
pub struct Layer {
    pub lower: PathBuf,
    pub upper: PathBuf,
}

struct Step {
    action: Action,
    target: CString,
    /// The sandbox is complete without it.
    optional: bool,
}

enum Action {
    Directory(Owner),
    Link {
        to: CString,
    },
    /// A place to bind a file to.
    Empty,
    /// In an upper layer: a whiteout, so that the lower layer's entry is not seen.
    Hide,
    Copy {
        from: CString,
        owner: Owner,
    },
    /// Falls back to a read-only bind where the file system cannot be a lower layer; that counts as skipped.
    Overlay {
        lower: CString,
        options: CString,
    },
    Bind {
        from: CString,
    },
    BindReadOnly {
        from: CString,
    },
    Proc,
    /// Of this pid namespace only, which the kernel has to know (see `sandbox.rs`).
    PidMax(CString),
    /// Kernel switches in /proc, which know nothing of namespaces and trust user 0.
    ReadOnly,
    Devpts,
}

#[derive(Clone, Copy)]
struct Owner {
    mode: u32,
    ids: Option<(u32, u32)>,
}

impl Plan {
    /// `disk`: size of the tmpfs, none if `scratch` is to be used as it is.
    pub fn new(
        scratch: &Path,
        disk: Option<u64>,
        pid_max: Option<u64>,
        cwd: &Path,
        shared: Option<&Path>,
    ) -> Result<Plan> {
        let c = |path: &Path| sys::c_path(path).ok_or_else(|| Error::Nul(path.to_string_lossy().into_owned()));
        let mount_points = mount_points()?;
        let mut builder = Builder { scratch, cwd, steps: Vec::new(), layers: Vec::new(), mount_points };
        builder.build(shared, pid_max)?;
        Ok(Plan {
            scratch: c(scratch)?,
            tmpfs: disk.map(|bytes| CString::new(format!("mode=755,size={bytes}")).unwrap_or_default()),
            root: c(&scratch.join("root"))?,
            steps: builder.steps,
            layers: builder.layers,
        })
    }

    /// In the child. Gives a descriptor of the scratch directory, or the number of the step that failed.
    pub fn execute(&self, skipped: &mut Skipped) -> Result<OwnedFd, (usize, io::Error)> {
        let at = |step: usize| move |error: rustix::io::Errno| (step, io::Error::from(error));
        rustix::mount::mount_change(c"/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)
            .map_err(at(STEP_PRIVATE))?;
        if let Some(options) = &self.tmpfs {
            sys::mount(c"tmpfs", &self.scratch, c"tmpfs", libc::MS_NOSUID | libc::MS_NODEV, options)
                .map_err(|error| (STEP_SCRATCH, error))?;
        }
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let scratch = rustix::fs::open(&self.scratch, flags, Mode::empty()).map_err(at(STEP_SCRATCH))?;
        for (number, step) in self.steps.iter().enumerate() {
            match step.execute() {
                Ok(()) => {}
                Err(_) if step.optional && number / 64 < skipped.len() => skipped[number / 64] |= 1 << (number % 64),
                Err(error) => return Err((number, error)),
            }
        }
        rustix::process::chdir(&self.root).map_err(at(STEP_PIVOT))?;
        // Stacks the old root on the new one at the same place, and takes it away from there.
        rustix::process::pivot_root(c".", c".").map_err(at(STEP_PIVOT))?;
        rustix::mount::unmount(c".", UnmountFlags::DETACH).map_err(at(STEP_PIVOT))?;
        rustix::process::chdir(c"/").map_err(at(STEP_PIVOT))?;
        sys::loopback_up().map_err(|error| (STEP_LOOPBACK, error))?;
        Ok(scratch)
    }

    pub fn describe(&self, step: usize) -> String {
        match step {
            STEP_PRIVATE => "make mounts private".to_owned(),
            STEP_SCRATCH => "mount a tmpfs".to_owned(),
            STEP_PIVOT => "change the root".to_owned(),
            STEP_LOOPBACK => "bring up the loopback device".to_owned(),
            crate::child::STEP_FORK => "fork".to_owned(),
            crate::child::STEP_TARGET => "set limits and enter the working directory".to_owned(),
            _ => self.steps.get(step).map_or_else(|| "unknown step".to_owned(), |step| self.describe_step(step)),
        }
    }

    pub fn notes(&self, skipped: &Skipped) -> Vec<String> {
        (0..self.steps.len().min(skipped.len() * 64))
            .filter(|number| skipped[number / 64] & (1 << (number % 64)) != 0)
            .map(|number| format!("sandbox: not possible here: {}", self.describe(number)))
            .collect()
    }

    /// Not the outer one, which speaks of other pids.
    pub fn has_own_proc(&self, skipped: &Skipped) -> bool {
        let proc = self.steps.iter().position(|step| matches!(step.action, Action::Proc));
        proc.is_some_and(|number| number / 64 < skipped.len() && skipped[number / 64] & (1 << (number % 64)) == 0)
    }

    fn describe_step(&self, step: &Step) -> String {
        let root = self.root.to_string_lossy();
        let target = step.target.to_string_lossy();
        let target = target.strip_prefix(root.as_ref()).unwrap_or(&target);
        let what = match &step.action {
            Action::Directory(_) => "make the directory",
            Action::Link { .. } => "copy the symbolic link",
            Action::Empty => "make a place for",
            Action::Hide => "hide",
            Action::Copy { .. } => "copy the file",
            Action::Overlay { .. } => "overlay (shown read-only instead)",
            Action::Bind { .. } => "bind",
            Action::BindReadOnly { .. } => "bind read-only",
            Action::Proc => "mount a new proc (the outer one is shown instead) at",
            Action::PidMax(_) => "limit the number of processes through",
            Action::ReadOnly => "protect",
            Action::Devpts => "mount new pseudo-terminals at",
        };
        format!("{what} {}", if target.is_empty() { "/" } else { target })
    }
}

const STEP_PRIVATE: usize = 1 << 16;
const STEP_SCRATCH: usize = STEP_PRIVATE + 1;
const STEP_PIVOT: usize = STEP_PRIVATE + 2;
const STEP_LOOPBACK: usize = STEP_PRIVATE + 3;

impl Step {
    /// In the child.
    fn execute(&self) -> io::Result<()> {
        let target = self.target.as_c_str();
        match &self.action {
            Action::Directory(owner) => {
                match rustix::fs::mkdir(target, Mode::from_raw_mode(owner.mode)) {
                    Ok(()) | Err(rustix::io::Errno::EXIST) => {}
                    Err(error) => return Err(error.into()),
                }
                owner.apply(target)
            }
            Action::Link { to } => Ok(rustix::fs::symlink(to.as_c_str(), target)?),
            Action::Empty => create(target, 0o666).map(drop),
            Action::Hide => {
                Ok(rustix::fs::mknodat(rustix::fs::CWD, target, FileType::CharacterDevice, Mode::empty(), 0)?)
            }
            Action::Copy { from, owner } => copy(from, target, owner),
            Action::Overlay { lower, options } => sys::mount(c"overlay", target, c"overlay", libc::MS_NODEV, options)
                .or_else(|error| {
                    bind_read_only(lower, target)?;
                    Err(error)
                }),
            Action::Bind { from } => sys::mount(from, target, c"", libc::MS_BIND, c""),
            Action::BindReadOnly { from } => bind_read_only(from, target),
            Action::Proc => {
                let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
                sys::mount(c"proc", target, c"proc", flags, c"").or_else(|error| {
                    // Containers hide parts of /proc, and then the kernel gives out no unhidden one.
                    sys::mount(c"/proc", target, c"", libc::MS_BIND | libc::MS_REC, c"")?;
                    Err(error)
                })
            }
            Action::PidMax(value) => {
                let file = rustix::fs::open(target, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
                rustix::io::write(&file, value.as_bytes()).map(drop).map_err(Into::into)
            }
            Action::ReadOnly => bind_read_only(target, target),
            Action::Devpts => {
                let options = c"newinstance,ptmxmode=0666,mode=620";
                sys::mount(c"devpts", target, c"devpts", libc::MS_NOSUID | libc::MS_NOEXEC, options)
            }
        }
    }
}

impl Owner {
    fn apply(&self, path: &CStr) -> io::Result<()> {
        self.ids.map_or(Ok(()), |(uid, gid)| sys::chown(path, uid, gid))
    }
}

fn bind_read_only(from: &CStr, target: &CStr) -> io::Result<()> {
    sys::mount(from, target, c"", libc::MS_BIND | libc::MS_REC, c"")?;
    sys::make_readonly_recursive(target)
}

fn create(path: &CStr, mode: u32) -> io::Result<OwnedFd> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::from_raw_mode(mode))?)
}

fn copy(from: &CStr, to: &CStr, owner: &Owner) -> io::Result<()> {
    let target = create(to, owner.mode)?;
    owner.apply(to)?;
    let source = rustix::fs::open(from, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    while rustix::fs::sendfile(&target, &source, None, COPY_LIMIT as usize)? > 0 {}
    Ok(())
}

struct Builder<'a> {
    scratch: &'a Path,
    cwd: &'a Path,
    steps: Vec<Step>,
    layers: Vec<Layer>,
    mount_points: BTreeSet<PathBuf>,
}

impl Builder<'_> {
    fn build(&mut self, shared: Option<&Path>, pid_max: Option<u64>) -> Result<()> {
        let plain = Owner { mode: 0o755, ids: None };
        for name in ["spine", "root", "up", "work"] {
            self.push(self.scratch.join(name), Action::Directory(plain), false)?;
        }
        // The spine is the lower layer of overlay 0, so it is complete before anything is mounted on it.
        let first_layer = self.layers.len();
        self.layers.push(Layer { lower: PathBuf::from("/"), upper: upper(first_layer) });
        let mut hang = Vec::new();
        self.spine(Path::new("/"), &mut hang)?;
        self.devices(shared, &mut hang)?;
        for name in ["proc", "sys"] {
            self.push(self.spine_path(Path::new(name)), Action::Directory(plain), false)?;
        }
        let root = fs::metadata("/").map_err(Error::file("look at", "/"))?;
        self.overlay(first_layer, &self.scratch.join("spine"), Path::new("/"), &root, false)?;
        for item in hang {
            match item {
                Hang::Overlay(path, data) => {
                    let number = self.layers.len();
                    self.layers.push(Layer { lower: path.clone(), upper: upper(number) });
                    self.overlay(number, &path, &path, &data, true)?;
                }
                Hang::Bind(from, to) => {
                    let action = Action::Bind { from: c_path(&from)? };
                    self.push(self.root_path(&to), action, false)?;
                }
                Hang::ReadOnly(path) => {
                    let action = Action::BindReadOnly { from: c_path(&path)? };
                    self.push(self.root_path(&path), action, true)?;
                }
            }
        }
        self.push(self.root_path(Path::new("/proc")), Action::Proc, true)?;
        if let Some(pid_max) = pid_max {
            let value = CString::new(pid_max.to_string()).unwrap_or_default();
            self.push(self.root_path(Path::new("/proc/sys/kernel/pid_max")), Action::PidMax(value), true)?;
        }
        for name in ["sys", "sysrq-trigger", "irq", "bus", "fs"] {
            let path = Path::new("/proc").join(name);
            if path.exists() {
                // A switch that user 0 could turn is not optional; nobody else can turn it anyway.
                self.push(self.root_path(&path), Action::ReadOnly, !is_root())?;
            }
        }
        self.push(self.root_path(Path::new("/sys")), Action::BindReadOnly { from: c"/sys".to_owned() }, true)?;
        self.push(self.root_path(Path::new("/dev/pts")), Action::Devpts, true)
    }

    /// Rebuilds one directory of the spine and notes what is to be mounted there later.
    fn spine(&mut self, directory: &Path, hang: &mut Vec<Hang>) -> Result<()> {
        // A directory that we cannot list stays empty; the program could not list it either.
        let Ok(entries) = fs::read_dir(directory) else { return Ok(()) };
        for entry in entries.flatten() {
            let path = entry.path();
            if ["/proc", "/sys", "/dev"].iter().any(|special| path == Path::new(special)) {
                continue;
            }
            let Ok(data) = fs::symlink_metadata(&path) else { continue };
            let place = self.spine_path(&path);
            if data.is_symlink() {
                let Ok(to) = fs::read_link(&path) else { continue };
                self.push(place, Action::Link { to: c_path(&to)? }, false)?;
            } else if data.is_dir() {
                self.push(place, Action::Directory(owner(&path, &data)), false)?;
                if self.has_mounts_below(&path) {
                    self.spine(&path, hang)?;
                } else if fs::read_dir(&path).is_ok_and(|mut entries| entries.next().is_some()) {
                    hang.push(Hang::Overlay(path, data));
                }
            } else if data.is_file() {
                let readable = rustix::fs::access(&path, Access::READ_OK).is_ok();
                if readable && data.len() <= COPY_LIMIT {
                    let action = Action::Copy { from: c_path(&path)?, owner: owner(&path, &data) };
                    self.push(place, action, true)?;
                } else {
                    self.push(place, Action::Empty, false)?;
                    hang.push(Hang::ReadOnly(path));
                }
            }
        }
        Ok(())
    }

    /// Not the real /dev: for user 0 the disks in there would be open.
    fn devices(&mut self, shared: Option<&Path>, hang: &mut Vec<Hang>) -> Result<()> {
        let plain = Owner { mode: 0o755, ids: None };
        let dev = Path::new("/dev");
        self.push(self.spine_path(dev), Action::Directory(plain), false)?;
        for name in ["null", "zero", "full", "random", "urandom", "tty"] {
            let path = dev.join(name);
            if path.exists() {
                self.push(self.spine_path(&path), Action::Empty, false)?;
                hang.push(Hang::Bind(path.clone(), path));
            }
        }
        let links =
            [("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2"), ("ptmx", "pts/ptmx")];
        for (name, to) in links {
            let to = c_path(Path::new(to))?;
            self.push(self.spine_path(&dev.join(name)), Action::Link { to }, false)?;
        }
        self.push(self.spine_path(&dev.join("pts")), Action::Directory(plain), false)?;
        let shm = dev.join("shm");
        if let Ok(data) = fs::metadata(&shm) {
            self.push(self.spine_path(&shm), Action::Directory(owner(&shm, &data)), false)?;
            hang.push(Hang::Overlay(shm, data));
        }
        if let Some(shared) = shared {
            self.push(self.spine_path(Path::new(SHARED_INSIDE)), Action::Empty, false)?;
            hang.push(Hang::Bind(shared.to_path_buf(), PathBuf::from(SHARED_INSIDE)));
        }
        Ok(())
    }

    fn overlay(&mut self, number: usize, lower: &Path, at: &Path, data: &Metadata, optional: bool) -> Result<()> {
        let upper = self.scratch.join(upper(number));
        let work = self.scratch.join(format!("work/{number}"));
        self.push(upper.clone(), Action::Directory(owner(at, data)), false)?;
        self.push(work.clone(), Action::Directory(Owner { mode: 0o700, ids: None }), false)?;
        self.foreign_directories(lower, &upper)?;
        if self.scratch.parent() == Some(lower)
            && let Some(name) = self.scratch.file_name()
        {
            self.push(upper.join(name), Action::Hide, true)?;
        }
        let mut options = b"lowerdir=".to_vec();
        escape(lower, &mut options);
        options.extend(b",upperdir=");
        escape(&upper, &mut options);
        options.extend(b",workdir=");
        escape(&work, &mut options);
        options.extend(b",userxattr");
        let options = CString::new(options).map_err(|_| Error::Nul(lower.to_string_lossy().into_owned()))?;
        self.push(self.root_path(at), Action::Overlay { lower: c_path(lower)?, options }, optional)
    }

    /// The overlay copies a directory up before it writes there, and cannot if the owner has no name in the user
    /// namespace. So what leads to a place where programs write is put into the upper layer beforehand, as ours.
    fn foreign_directories(&mut self, lower: &Path, upper: &Path) -> Result<()> {
        if is_root() {
            return Ok(());
        }
        for path in [self.cwd, Path::new("/var/tmp")] {
            let Ok(below) = path.strip_prefix(lower) else { continue };
            let mut real = lower.to_path_buf();
            let mut directories = Vec::new();
            for name in below.components() {
                real.push(name);
                match fs::symlink_metadata(&real) {
                    Ok(data) if data.is_dir() => directories.push((real.clone(), data)),
                    _ => break,
                }
            }
            let last = directories.iter().rposition(|(_, data)| owner_ids(data).is_none());
            for (real, data) in directories.iter().take(last.map_or(0, |last| last + 1)) {
                let below = real.strip_prefix(lower).unwrap_or(real);
                self.push(upper.join(below), Action::Directory(owner(real, data)), true)?;
            }
        }
        Ok(())
    }

    fn has_mounts_below(&self, path: &Path) -> bool {
        self.mount_points.iter().any(|point| point != path && point.starts_with(path))
    }

    fn push(&mut self, target: PathBuf, action: Action, optional: bool) -> Result<()> {
        self.steps.push(Step { action, target: c_path(&target)?, optional });
        Ok(())
    }

    fn spine_path(&self, path: &Path) -> PathBuf {
        self.scratch.join("spine").join(path.strip_prefix("/").unwrap_or(path))
    }

    fn root_path(&self, path: &Path) -> PathBuf {
        self.scratch.join("root").join(path.strip_prefix("/").unwrap_or(path))
    }
}

/// To be mounted on the spine.
enum Hang {
    Overlay(PathBuf, Metadata),
    Bind(PathBuf, PathBuf),
    ReadOnly(PathBuf),
}

fn upper(number: usize) -> PathBuf {
    PathBuf::from(format!("up/{number}"))
}

/// In mount options, a comma ends one and a colon separates layers.
fn escape(path: &Path, into: &mut Vec<u8>) {
    for byte in path.as_os_str().as_bytes() {
        if matches!(byte, b',' | b':' | b'\\') {
            into.push(b'\\');
        }
        into.push(*byte);
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Only ids that the user namespace knows can be set.
fn owner_ids(data: &Metadata) -> Option<(u32, u32)> {
    let own = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    (is_root() || own == (data.uid(), data.gid())).then_some((data.uid(), data.gid()))
}

/// A directory of somebody else becomes ours; then at least what we could not write there stays so.
fn owner(path: &Path, data: &Metadata) -> Owner {
    let ids = owner_ids(data);
    let writable = ids.is_some() || rustix::fs::access(path, Access::WRITE_OK).is_ok();
    Owner { mode: data.mode() & if writable { 0o7777 } else { 0o7555 }, ids }
}

fn c_path(path: &Path) -> Result<CString> {
    sys::c_path(path).ok_or_else(|| Error::Nul(path.to_string_lossy().into_owned()))
}

fn mount_points() -> Result<BTreeSet<PathBuf>> {
    const TABLE: &str = "/proc/self/mountinfo";
    let table = fs::read(TABLE).map_err(Error::file("read", TABLE))?;
    Ok(table
        .split(|byte| *byte == b'\n')
        .filter_map(|line| line.split(|byte| *byte == b' ').nth(4))
        .map(unescape)
        .collect())
}

/// The table writes blanks, tabs, newlines and backslashes as three octal digits.
fn unescape(field: &[u8]) -> PathBuf {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let [first, tail @ ..] = rest {
        let octal = tail.get(..3).filter(|digits| *first == b'\\' && digits.iter().all(|d| (b'0'..=b'7').contains(d)));
        match octal {
            Some(digits) => {
                bytes.push(digits.iter().fold(0u8, |value, digit| value.wrapping_mul(8).wrapping_add(digit - b'0')));
                rest = &tail[3..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    PathBuf::from(std::ffi::OsString::from_vec(bytes))
}
