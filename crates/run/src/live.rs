//! One fork server and the sandbox around it.

use std::ffi::CString;
use std::fs::{self, File};
use std::io::{self, IoSlice, Read, Write};
use std::mem::{MaybeUninit, offset_of};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use offshoot_trace::serve::{Board, DELIVERY, VERSION, hash};
use rustix::fs::{AtFlags, Mode, OFlags, ResolveFlags, Timespec, Timestamps, fstat, openat2};
use rustix::net::{
    AddressFamily, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recv,
    sendmsg, socketpair,
};
use rustix::process::Resource;

use crate::changes::{Change, ChangeKind, Directory, Footprint, Scratch};
use crate::child::{Confinement, Launch, Serve};
use crate::invocation::{Capture, Invocation, Ready, Stdin, output_stream, stdin_stream};
use crate::mounts::Plan;
use crate::outcome::Outcome;
use crate::place::{Placed, forget_placed};
use crate::process::{Process, Watch};
use crate::reaper::{CPU_NS, LEFTOVERS, MAX_RSS};
use crate::sandbox::{pid_max, tmpfs_has_user_attributes};
use crate::streams::Streams;
use crate::sys::SharedBoard;
use crate::world::World;
use crate::{Error, Result, TraceFile, tree};

pub struct Live {
    process: Process,
    /// A message here is a run.
    socket: OwnedFd,
    board: SharedBoard,
    plan: Plan,
    scratch: Scratch,
    /// The sandbox's own `/`.
    root: OwnedFd,
    places: Vec<Place>,
    world: World,
    /// What the world has of its own, without directories and places.
    built: Vec<(PathBuf, Stamp)>,
    /// Those of the private layers when the world is as it should be.
    directories: Vec<Directory>,
}

/// A file that every run gets with content of its own.
struct Place {
    /// As deliveries name it.
    name: PathBuf,
    file: Placed,
    identity: Identity,
    /// As every run finds it, whenever the content was written.
    modified: Timespec,
}

/// Content aside.
#[derive(PartialEq, Eq)]
struct Identity {
    inode: u64,
    links: u64,
    mode: u32,
    owner: (u32, u32),
}

/// Different whenever somebody has written to it.
#[derive(PartialEq, Eq)]
struct Stamp {
    identity: Identity,
    size: i64,
    modified: Timespec,
    /// Of the inode: no program can set it.
    changed: Timespec,
}

pub enum End {
    /// The world is as before.
    Clean(Outcome),
    /// The run has left something in it that [`Live::tidy`] may be able to take away.
    Changed(Outcome),
    /// The run has left something in it that stays: see [`Live::hand_over`].
    Spoilt(Outcome),
    /// The server has died, and nobody knows what became of the run.
    Lost,
}

impl Live {
    /// Nothing if the program does not become a server: it is not ours, has threads already, or fails at start.
    pub fn start(base: &Invocation<'static>, trace: &TraceFile) -> Result<Option<Live>> {
        let quiet = Invocation {
            trace: Some(trace),
            stdin: Stdin::Null,
            stdout: Capture::Null,
            stderr: Capture::Null,
            nondet: Vec::new(),
            ..base.clone()
        };
        let mut ready = Ready::new(&quiet, tmpfs_has_user_attributes())?;
        let (socket, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)
            .map_err(Error::system("make a socket for the fork server"))?;
        let cpu = take_cpu_limit(&mut ready.launch);
        let board = new_board(base, cpu).map_err(Error::system("make a board for the fork server"))?;
        let pid = pid_max(base.limits.processes).unwrap_or(32768) - 2;
        let pid = CString::new(pid.to_string()).unwrap_or_default();
        ready.launch.serve = Some(Serve { socket: theirs, board, pid });

        let start = Instant::now();
        let mut process = Process::start(&base.limits, &ready.launch, Streams::default())?;
        let Launch { confinement: Confinement::Namespaces(plan), files, world, serve: Some(serve), .. } = ready.launch
        else {
            return Ok(None);
        };
        let Serve { socket: theirs, board, .. } = serve;
        drop(theirs);
        let is_up = await_server(&mut process, &socket, start + base.limits.wall)?;
        process.check_started(&ready.program, Some(&plan), &files, &world)?;
        let (Some(mut scratch), Some(layers)) = (ready.scratch, process.scratch.take()) else { return Ok(None) };
        scratch.set_tmpfs(layers);
        let server = tree::children(process.pid);
        let (true, true, [server]) = (is_up, plan.has_own_proc(&process.skipped), &server[..]) else { return Ok(None) };
        process.server = Some(*server);

        let root = PathBuf::from(format!("/proc/{}/root", process.pid));
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let root = rustix::fs::open(&root, flags, Mode::empty()).map_err(io::Error::from);
        let root = root.map_err(Error::system("look into the sandbox"))?;
        let names = base.files.iter().map(|(name, _)| name.clone());
        let places: Option<Vec<Place>> = names
            .zip(files)
            .map(|(name, file)| {
                let Stamp { identity, modified, .. } = Stamp::of(&root, &file.path)?;
                Some(Place { name, file, identity, modified })
            })
            .collect();
        let Some(places) = places else { return Ok(None) };
        let others = world.files().into_iter().filter(|path| places.iter().all(|place| place.file.path != *path));
        let built: Option<Vec<(PathBuf, Stamp)>> =
            others.map(|path| Some((path.clone(), Stamp::of(&root, &path)?))).collect();
        let Some(built) = built else { return Ok(None) };
        let directories = scratch.directories(&plan.layers);
        Ok(Some(Live { process, socket, board, plan, scratch, root, places, world, built, directories }))
    }

    /// Exactly these files have content of their own in this sandbox.
    pub fn has_places_for(&self, files: &[(PathBuf, Vec<u8>)]) -> bool {
        self.places.iter().map(|place| &place.name).eq(files.iter().map(|(name, _)| name))
    }

    pub fn run(
        &mut self,
        invocation: &Invocation<'_>,
        records: &[u8],
        cancel: Option<&AtomicBool>,
        trace: &TraceFile,
    ) -> Result<End> {
        for (place, (_, bytes)) in self.places.iter_mut().zip(&invocation.files) {
            if place.write(&self.root, bytes).is_err() {
                return Ok(End::Lost);
            }
        }
        self.board.file.write_all_at(records, DELIVERY).map_err(Error::system("hand over an input"))?;
        let board = self.board.board();
        board.delivered.store(records.len() as u64, Ordering::Relaxed);
        board.run.store(0, Ordering::Relaxed);

        let (stdin_write, stdin) = stdin_stream(&invocation.stdin)?;
        let (stdout_read, stdout) = output_stream(invocation.stdout, io::stdout().as_fd())?;
        let (stderr_read, stderr) = output_stream(invocation.stderr, io::stderr().as_fd())?;
        // Runs without one are not asked for here.
        let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else { return Ok(End::Lost) };
        let before = self.scratch.footprint(&self.directories);
        let start = Instant::now();
        self.process.next_run(Streams::new(stdin_write, stdout_read, stderr_read));
        if !ask_for_run(&self.socket, [&stdin, &stdout, &stderr]) {
            return Ok(End::Lost);
        }
        drop((stdin, stdout, stderr));
        let dead = self.process.watch(&Watch { start, cancel, trace: Some(trace), board: Some(self.board.board()) })?;
        // An earlier run may have stopped the server: then it was not this one that used up the time.
        let never_began = self.board.board().run.load(Ordering::Relaxed) == 0;
        if dead && (never_began || !self.process.is_over()) {
            return Ok(End::Lost);
        }
        let words = &self.process.words;
        let cpu = Duration::from_nanos(words[CPU_NS]);
        let [stdout, stderr] = self.process.streams.take();
        let outcome = Outcome {
            status: self.process.status(cpu),
            stdout,
            stderr,
            wall: start.elapsed(),
            cpu: cpu.max(self.process.seen.cpu),
            max_rss: words[MAX_RSS].max(self.process.seen.largest),
            policy: invocation.policy,
            notes: self.plan.notes(&self.process.skipped),
            changes: Vec::new(),
            _scratch: None,
        };
        let after = self.scratch.footprint(&self.directories);
        let are_same_files = || {
            self.places.iter().all(|place| place.is_same_file(&self.root))
                && self.built.iter().all(|(path, stamp)| Stamp::of(&self.root, path).as_ref() == Some(stamp))
        };
        if dead || words[LEFTOVERS] != 0 || before.rights != after.rights || !are_same_files() {
            return Ok(End::Spoilt(outcome));
        }
        let is_clean = match before.space {
            Some(space) => {
                Some(space) == after.space && self.places.iter().all(|place| place.is_as_written(&self.root))
            }
            None => self.changes().is_empty(),
        };
        if !is_clean {
            return Ok(End::Changed(outcome));
        }
        self.restore_times(&after);
        Ok(End::Clean(outcome))
    }

    /// Of directories that are ours; of others (`/tmp`) the time says nothing anyway.
    fn restore_times(&self, now: &Footprint) {
        for Directory { lower, modified, .. } in now.touched.iter().map(|number| &self.directories[*number]) {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            let open = openat2(&self.root, lower, flags, Mode::empty(), ResolveFlags::IN_ROOT);
            if let (Ok(open), Some((tv_sec, tv_nsec))) = (open, *modified) {
                let _ = set_modified(open, Timespec { tv_sec, tv_nsec });
            }
        }
    }

    /// Takes away what a run has added to the world, and keeps it with the outcome. False if that was not enough and the
    /// server is of no use any more; nothing if the run did more than to add, and all is as the run left it.
    pub fn tidy(&mut self, outcome: &mut Outcome) -> Option<bool> {
        let mut changes = self.changes();
        let is_place = |path: &Path| self.places.iter().any(|place| place.file.path == path);
        if changes.iter().any(|change| change.kind != ChangeKind::Created && !is_place(&change.path)) {
            return None;
        }
        let kept = keep(&mut changes)?;
        // What is in a directory comes behind it in the list.
        let mut removed = changes.iter().rev().filter(|change| !is_place(&change.path));
        let all_removed = removed.all(|change| self.remove(change).is_ok());
        let mut directories = self.scratch.directories(&self.plan.layers);
        let mut are_old = true;
        for directory in &mut directories {
            let known = self.directories.iter().find(|known| known.upper == directory.upper);
            are_old &= known.is_some() || self.scratch.is_mere_copy(directory);
            let below = || fs::symlink_metadata(&directory.lower).ok().map(|data| (data.mtime(), data.mtime_nsec()));
            directory.modified = known.map_or_else(below, |known| known.modified);
        }
        self.directories = directories;
        self.restore_times(&self.scratch.footprint(&self.directories));
        let is_clean = all_removed && are_old && self.changes().iter().all(|change| is_place(&change.path));
        outcome.changes = changes;
        outcome._scratch = Some(kept);
        Some(is_clean)
    }

    /// Through the overlay, as the program could have done it.
    fn remove(&self, change: &Change) -> io::Result<()> {
        let (Some(folder), Some(name)) = (change.path.parent(), change.path.file_name()) else { return Ok(()) };
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = openat2(&self.root, folder, flags, Mode::empty(), ResolveFlags::IN_ROOT)?;
        let kind = if change.directory { AtFlags::REMOVEDIR } else { AtFlags::empty() };
        Ok(rustix::fs::unlinkat(&folder, name, kind)?)
    }

    /// The end of this server: its private files belong to the outcome from now on.
    pub fn hand_over(self, mut outcome: Outcome) -> Outcome {
        outcome.changes = self.changes();
        outcome._scratch = Some(self.scratch);
        outcome
    }

    fn changes(&self) -> Vec<Change> {
        let mut changes = self.scratch.changes(&self.plan.layers);
        self.world.forget_built(&mut changes);
        forget_placed(&mut changes, self.places.iter().map(|place| &place.file));
        changes
    }
}

/// Copies the content of changes to a private directory of its own; nothing if that is not worth it.
fn keep(changes: &mut [Change]) -> Option<Scratch> {
    /// Copying more costs more than a new sandbox.
    const MOST: u64 = 4 << 20;
    let kept = Scratch::new(false).ok()?;
    let mut size = 0;
    for (number, change) in changes.iter_mut().enumerate() {
        let stored = change.stored.as_mut()?;
        let copy = kept.path().join(number.to_string());
        let data = fs::symlink_metadata(&*stored).ok()?;
        if data.is_dir() {
            fs::create_dir(&copy).ok()?;
        } else if data.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(&*stored).ok()?, &copy).ok()?;
        } else if data.is_file() && size + data.len() <= MOST {
            size += fs::copy(&*stored, &copy).ok()?;
        } else {
            return None;
        }
        *stored = copy;
    }
    Some(kept)
}

/// The server lives longer than any run may, so its runs set this limit themselves.
fn take_cpu_limit(launch: &mut Launch) -> [u64; 2] {
    let cpu = launch.rlimits.iter().find(|(resource, _)| *resource == Resource::Cpu);
    let limit = cpu.map_or([u64::MAX; 2], |(_, limit)| [limit.current, limit.maximum].map(|n| n.unwrap_or(u64::MAX)));
    launch.rlimits.retain(|(resource, _)| *resource != Resource::Cpu);
    limit
}

fn new_board(base: &Invocation<'_>, [soft, hard]: [u64; 2]) -> io::Result<SharedBoard> {
    let shared = SharedBoard::new()?;
    let command: Vec<_> = base.command().collect();
    let arguments = hash(command.iter().map(|text| text.as_bytes()));
    let put = |bytes: &[u8], at: usize| shared.file.write_all_at(bytes, at as u64);
    put(&VERSION.to_ne_bytes(), offset_of!(Board, version))?;
    put(&(command.len() as u32).to_ne_bytes(), offset_of!(Board, arguments))?;
    put(&arguments.to_ne_bytes(), offset_of!(Board, arguments_hash))?;
    put(&soft.to_ne_bytes(), offset_of!(Board, cpu_limit))?;
    put(&hard.to_ne_bytes(), offset_of!(Board, cpu_limit) + 8)?;
    Ok(shared)
}

/// True once the program has stopped before its first constructor.
fn await_server(process: &mut Process, socket: &OwnedFd, deadline: Instant) -> Result<bool> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let dead = process.poll(left, Some(socket.as_fd()))?;
        let mut byte = [0];
        if let Ok((1, _)) = recv(socket, &mut byte, RecvFlags::DONTWAIT) {
            return Ok(true);
        }
        if dead || left.is_zero() {
            return Ok(false);
        }
    }
}

fn ask_for_run(socket: &OwnedFd, streams: [&OwnedFd; 3]) -> bool {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    let streams = streams.map(AsFd::as_fd);
    ancillary.push(SendAncillaryMessage::ScmRights(&streams));
    sendmsg(socket, &[IoSlice::new(&[1])], &mut ancillary, SendFlags::NOSIGNAL).is_ok()
}

impl Place {
    /// Through the sandbox's own overlay: links in the path mean what they mean there, and never lead out of it.
    fn open(&self, root: &OwnedFd, flags: OFlags) -> io::Result<File> {
        let flags = flags | OFlags::CLOEXEC | OFlags::NOFOLLOW;
        Ok(openat2(root, &self.file.path, flags, Mode::empty(), ResolveFlags::IN_ROOT)?.into())
    }

    fn write(&mut self, root: &OwnedFd, bytes: &[u8]) -> io::Result<()> {
        let mut file = match self.open(root, OFlags::WRONLY | OFlags::TRUNC) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => self.open_although_closed(root)?,
            open => open?,
        };
        file.write_all(bytes)?;
        let _ = set_modified(file, self.modified);
        self.file.bytes.clear();
        self.file.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Its mode forbids writing to it, and who is not root must keep to that.
    fn open_although_closed(&self, root: &OwnedFd) -> io::Result<File> {
        let place = self.open(root, OFlags::PATH)?;
        let name = format!("/proc/self/fd/{}", place.as_raw_fd());
        let set_mode = |mode| fs::set_permissions(&name, fs::Permissions::from_mode(mode));
        set_mode(self.identity.mode & 0o7777 | 0o200)?;
        let file = self.open(root, OFlags::WRONLY | OFlags::TRUNC);
        set_mode(self.identity.mode & 0o7777)?;
        file
    }

    fn is_as_written(&self, root: &OwnedFd) -> bool {
        let content = || {
            let mut now = Vec::with_capacity(self.file.bytes.len() + 1);
            let most = self.file.bytes.len() as u64 + 1;
            self.open(root, OFlags::RDONLY).and_then(|file| file.take(most).read_to_end(&mut now)).map(|_| now)
        };
        content().is_ok_and(|now| now == self.file.bytes)
    }

    fn is_same_file(&self, root: &OwnedFd) -> bool {
        Stamp::of(root, &self.file.path).is_some_and(|stamp| stamp.identity == self.identity)
    }
}

fn set_modified(file: impl AsFd, time: Timespec) -> io::Result<()> {
    let accessed = Timespec { tv_sec: 0, tv_nsec: rustix::fs::UTIME_OMIT };
    Ok(rustix::fs::futimens(file, &Timestamps { last_access: accessed, last_modification: time })?)
}

impl Stamp {
    fn of(root: &OwnedFd, path: &Path) -> Option<Stamp> {
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let data = fstat(openat2(root, path, flags, Mode::empty(), ResolveFlags::IN_ROOT).ok()?).ok()?;
        let owner = (data.st_uid, data.st_gid);
        let identity = Identity { inode: data.st_ino, links: data.st_nlink, mode: data.st_mode, owner };
        let modified = Timespec { tv_sec: data.st_mtime, tv_nsec: data.st_mtime_nsec as i64 };
        let changed = Timespec { tv_sec: data.st_ctime, tv_nsec: data.st_ctime_nsec as i64 };
        Some(Stamp { identity, size: data.st_size, modified, changed })
    }
}
