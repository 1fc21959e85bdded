//! How a program is to be run, and [`invoke`], which does it.

use std::collections::BTreeMap;
use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io::Write;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use std::{env, fs, io};

use offshoot_base::Budgets;
use offshoot_base::Thing;
use offshoot_trace::layout::{ENV_COUNTS, ENV_INPUTS, ENV_TRACE};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Resource, Rlimit, getrlimit};
use tempfile::TempPath;

use crate::changes::Scratch;
use crate::child::Launch;
use crate::outcome::Outcome;
use crate::place::{INPUTS_INSIDE, Placed, inputs_file};
use crate::sandbox::{Policy, Prepared, kernel_version, task_limit, tmpfs_has_user_attributes};
use crate::streams::{Feed, Streams};
use crate::supervise::supervise;
use crate::sys::CStrings;
use crate::world::World;
use crate::{Error, Result, TraceFile};

#[derive(Clone, Debug)]
pub struct Invocation<'a> {
    /// Without a slash it is looked up in `PATH`; a relative path is relative to `cwd`.
    pub program: PathBuf,
    /// Without the program's own name.
    pub args: Vec<OsString>,
    /// `argv[0]` if it is not `program`.
    pub arg0: Option<OsString>,
    /// On top of our own environment: set (`Some`) or removed (`None`).
    pub env: Vec<(OsString, Option<OsString>)>,
    /// Start from an empty environment.
    pub clear_env: bool,
    /// Default: our own.
    pub cwd: Option<PathBuf>,
    pub stdin: Stdin,
    /// Content that the program is to find there, relative to `cwd`, instead of what is there, if anything is. Needs
    /// [`Policy::Sandboxed`].
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// What else is to be other than it is on this machine, relative to `cwd`. Needs [`Policy::Sandboxed`].
    pub world: Vec<(PathBuf, Thing)>,
    /// Default: our own.
    pub umask: Option<u32>,
    /// Niceness, as far as we may set it: the privilege to be less nice than we are is none that a sandbox gives. Default:
    /// our own.
    pub nice: Option<i32>,
    /// Values for a harness's functions (`klee_make_symbolic` and the like), by source: `nondet:NAME#k`. Whatever is not
    /// named is 0.
    pub nondet: Vec<(String, Vec<u8>)>,
    pub stdout: Capture,
    pub stderr: Capture,
    pub limits: Limits,
    pub policy: Policy,
    /// The process finds it through the environment variable `OFFSHOOT_TRACE`.
    pub trace: Option<&'a TraceFile>,
    /// The file in which a program of variant `count` keeps its counters. Such a program has no trace.
    pub counts: Option<&'a Path>,
    /// Raise it to end the run as [`crate::Status::Interrupted`].
    pub cancel: Option<&'a AtomicBool>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Stdin {
    #[default]
    Null,
    Inherit,
    /// As a regular file with this content, at its start.
    Bytes(Vec<u8>),
    File(PathBuf),
    /// As a pipe that ends behind these bytes. What no pipe can hold at once is written while the program reads.
    Pipe(Vec<u8>),
    /// There is none.
    Closed,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Capture {
    #[default]
    Pipe,
    Inherit,
    Null,
    /// /dev/full: every write fails.
    Full,
    /// There is none.
    Closed,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    pub wall: Duration,
    /// Of all processes together.
    pub cpu: Duration,
    /// Bytes resident in all processes together, without the trace.
    pub memory: u64,
    /// Bytes on both output streams together; past it the run is ended.
    pub output: u64,
    /// Bytes kept of each output stream.
    pub capture: usize,
    /// Largest single file.
    pub file_size: u64,
    /// All files written by the run, as far as they live in memory (see `mounts.rs`).
    pub disk: u64,
    pub processes: u64,
    pub open_files: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::from(&Budgets::default())
    }
}

impl From<&Budgets> for Limits {
    fn from(budgets: &Budgets) -> Limits {
        Limits {
            wall: budgets.wall,
            cpu: budgets.cpu,
            memory: budgets.memory,
            output: budgets.output,
            capture: 1 << 20,
            file_size: 1 << 30,
            disk: 2 << 30,
            processes: 512,
            open_files: 4096,
        }
    }
}

impl<'a> Invocation<'a> {
    /// In the full sandbox, with default limits and no input. Where the machine cannot do that, [`invoke`] fails; a
    /// weaker policy is always somebody's decision (see [`Policy::detect`]).
    pub fn new(program: impl Into<PathBuf>) -> Invocation<'a> {
        Invocation::with_policy(program, Policy::Sandboxed)
    }

    pub fn with_policy(program: impl Into<PathBuf>, policy: Policy) -> Invocation<'a> {
        Invocation {
            program: program.into(),
            args: Vec::new(),
            arg0: None,
            env: Vec::new(),
            clear_env: false,
            cwd: None,
            stdin: Stdin::Null,
            files: Vec::new(),
            world: Vec::new(),
            umask: None,
            nice: None,
            nondet: Vec::new(),
            stdout: Capture::Pipe,
            stderr: Capture::Pipe,
            limits: Limits::default(),
            policy,
            trace: None,
            counts: None,
            cancel: None,
        }
    }

    pub(crate) fn closes_streams(&self) -> bool {
        self.stdin == Stdin::Closed || [self.stdout, self.stderr].contains(&Capture::Closed)
    }

    /// With `argv[0]`.
    pub(crate) fn command(&self) -> impl Iterator<Item = OsString> {
        let arg0 = self.arg0.clone().unwrap_or_else(|| self.program.clone().into_os_string());
        std::iter::once(arg0).chain(self.args.iter().cloned())
    }

    pub fn args<S: Into<OsString>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }
}

/// Runs it to its end, whatever that is. An error means that the program did not run.
pub fn invoke(invocation: &Invocation<'_>) -> Result<Outcome> {
    invoke_in(invocation, tmpfs_has_user_attributes())
}

/// `in_memory`: private files are kept in a tmpfs, not on disk.
fn invoke_in(invocation: &Invocation<'_>, in_memory: bool) -> Result<Outcome> {
    let ready = Ready::new(invocation, in_memory)?;
    supervise(invocation, ready)
}

/// All that is made before the clone.
pub(crate) struct Ready {
    pub program: PathBuf,
    pub launch: Launch,
    pub streams: Streams,
    pub scratch: Option<Scratch>,
    /// Where no overlay can hold it.
    pub _inputs: Option<TempPath>,
}

impl Ready {
    pub fn new(invocation: &Invocation<'_>, in_memory: bool) -> Result<Ready> {
        let cwd = working_directory(invocation)?;
        let (variable, shared) = match invocation.trace {
            Some(trace) => (ENV_TRACE, Some(trace.path())),
            None => (ENV_COUNTS, invocation.counts),
        };
        let prepared = Prepared::new(invocation.policy, &invocation.limits, &cwd, shared, in_memory)?;
        let (files, inputs) = files(invocation, &cwd)?;
        let world = world(invocation, &cwd, &files)?;

        let mut environment = environment(invocation);
        environment.extend(prepared.environment.iter().cloned());
        if let Some(path) = &prepared.shared {
            environment.insert(variable.into(), path.clone().into_os_string());
        }
        if !invocation.nondet.is_empty() {
            let path = inputs.as_ref().map_or(Path::new(INPUTS_INSIDE), |path| path);
            environment.insert(ENV_INPUTS.into(), path.into());
        }
        let program = find_program(&invocation.program, &cwd, environment.get(OsStr::new("PATH")))?;
        let pairs = environment.into_iter().map(|(mut name, value)| {
            name.push("=");
            name.push(value);
            name
        });

        let (stdin_write, stdin) = stdin_stream(&invocation.stdin)?;
        let (stdout_read, stdout) = output_stream(invocation.stdout, io::stdout().as_fd())?;
        let (stderr_read, stderr) = output_stream(invocation.stderr, io::stderr().as_fd())?;
        let launch = Launch {
            program: c_string(program.as_os_str())?,
            args: c_strings(invocation.command())?,
            env: c_strings(pairs)?,
            cwd: c_string(cwd.as_os_str())?,
            stdio: [stdin, stdout, stderr],
            rlimits: rlimits(&invocation.limits, invocation.policy),
            confinement: prepared.confinement,
            files,
            world,
            umask: invocation.umask,
            nice: invocation.nice,
            serve: None,
        };
        let streams = Streams::new(stdin_write, stdout_read, stderr_read);
        Ok(Ready { program, launch, streams, scratch: prepared.scratch, _inputs: inputs })
    }
}

fn working_directory(invocation: &Invocation<'_>) -> Result<PathBuf> {
    match &invocation.cwd {
        Some(cwd) => std::path::absolute(cwd).map_err(Error::file("find", cwd)),
        None => env::current_dir().map_err(Error::system("find the working directory")),
    }
}

/// What is put into the overlay, and, where there is none, the file with the values of `nondet`.
fn files(invocation: &Invocation<'_>, cwd: &Path) -> Result<(Vec<Placed>, Option<TempPath>)> {
    let mut files = invocation
        .files
        .iter()
        .map(|(path, bytes)| match invocation.policy {
            Policy::Sandboxed => Placed::new(path, cwd, bytes),
            Policy::LandlockOnly | Policy::None => Err(Error::FilesNeedSandbox(path.clone())),
        })
        .collect::<Result<Vec<_>>>()?;
    if invocation.nondet.is_empty() {
        return Ok((files, None));
    }
    let inputs = inputs_file(&invocation.nondet);
    if invocation.policy == Policy::Sandboxed {
        files.push(Placed::new(Path::new(INPUTS_INSIDE), cwd, &inputs)?);
        return Ok((files, None));
    }
    let mut file = tempfile::NamedTempFile::new().map_err(Error::system("make a file for the values of a harness"))?;
    file.write_all(&inputs).map_err(Error::file("write", file.path()))?;
    Ok((files, Some(file.into_temp_path())))
}

fn world(invocation: &Invocation<'_>, cwd: &Path, files: &[Placed]) -> Result<World> {
    let contents: Vec<PathBuf> = files.iter().map(|file| file.path.clone()).collect();
    match (invocation.policy, invocation.world.first()) {
        (Policy::Sandboxed, _) => World::new(&invocation.world, cwd, &contents),
        (Policy::LandlockOnly | Policy::None, Some((path, _))) => Err(Error::FilesNeedSandbox(path.clone())),
        (Policy::LandlockOnly | Policy::None, None) => Ok(World::default()),
    }
}

pub(crate) fn environment(invocation: &Invocation<'_>) -> BTreeMap<OsString, OsString> {
    let mut environment = BTreeMap::new();
    if !invocation.clear_env {
        environment.extend(env::vars_os());
    }
    for (name, value) in &invocation.env {
        match value {
            Some(value) => environment.insert(name.clone(), value.clone()),
            None => environment.remove(name),
        };
    }
    environment
}

/// As `execvp` does it, but before the clone.
fn find_program(program: &Path, cwd: &Path, path: Option<&OsString>) -> Result<PathBuf> {
    if program.as_os_str().as_bytes().contains(&b'/') {
        return Ok(program.to_path_buf());
    }
    let runnable =
        |file: &PathBuf| fs::metadata(file).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0);
    let path = path.cloned().unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
    env::split_paths(&path)
        .map(|dir| cwd.join(dir).join(program))
        .find(runnable)
        .ok_or_else(|| Error::NotFound(program.to_path_buf()))
}

/// Our end, if there is something left to do there, and that of the program, which may have none.
type Stream<T> = (Option<T>, Option<OwnedFd>);

pub(crate) fn stdin_stream(stdin: &Stdin) -> Result<Stream<Feed>> {
    let stream = match stdin {
        Stdin::Null => File::open("/dev/null").map_err(Error::file("open", "/dev/null"))?.into(),
        Stdin::Inherit => io::stdin().as_fd().try_clone_to_owned().map_err(Error::system("share standard input"))?,
        Stdin::File(path) => File::open(path).map_err(Error::file("open", path))?.into(),
        Stdin::Bytes(bytes) => bytes_as_file(bytes).map_err(Error::system("store the bytes for standard input"))?,
        Stdin::Pipe(bytes) => {
            let (feed, stream) = bytes_as_pipe(bytes).map_err(Error::system("make a pipe for standard input"))?;
            return Ok((feed, Some(stream)));
        }
        Stdin::Closed => return Ok((None, None)),
    };
    Ok((None, Some(stream)))
}

/// A file rather than a pipe: seeds are files to their users (`prog < seed`), and programs seek and map them.
fn bytes_as_file(bytes: &[u8]) -> io::Result<OwnedFd> {
    let mut file = File::from(memfd_create(c"stdin", MemfdFlags::CLOEXEC)?);
    file.write_all(bytes)?;
    // Opened anew: read-only, as the shell's `<` would have it, and at its start.
    Ok(File::open(format!("/proc/self/fd/{}", file.as_raw_fd()))?.into())
}

/// All of it is there before the program starts, where a pipe may be that large: how much a read gives is then no chance.
fn bytes_as_pipe(bytes: &[u8]) -> io::Result<(Option<Feed>, OwnedFd)> {
    let (read, write) = pipe_with(PipeFlags::CLOEXEC)?;
    if bytes.len() > rustix::pipe::fcntl_getpipe_size(&write)? {
        // Who is not root may have 1 MiB, or what /proc/sys/fs/pipe-max-size says.
        let _ = rustix::pipe::fcntl_setpipe_size(&write, bytes.len());
    }
    rustix::io::ioctl_fionbio(&write, true)?;
    let mut rest = bytes;
    while !rest.is_empty() {
        match rustix::io::write(&write, rest) {
            Ok(len) => rest = &rest[len..],
            Err(rustix::io::Errno::INTR) => {}
            Err(rustix::io::Errno::AGAIN) => return Ok((Some(Feed::new(write, rest.to_vec())), read)),
            Err(error) => return Err(error.into()),
        }
    }
    Ok((None, read))
}

pub(crate) fn output_stream(capture: Capture, own: BorrowedFd<'_>) -> Result<Stream<OwnedFd>> {
    let device = |path: &str| {
        let file = File::options().read(true).write(true).open(path).map_err(Error::file("open", path))?;
        Ok((None, Some(file.into())))
    };
    match capture {
        Capture::Pipe => {
            let (read, write) = pipe_with(PipeFlags::CLOEXEC).map_err(Error::system("make a pipe"))?;
            rustix::io::ioctl_fionbio(&read, true).map_err(Error::system("set up a pipe"))?;
            Ok((Some(read), Some(write)))
        }
        Capture::Inherit => {
            Ok((None, Some(own.try_clone_to_owned().map_err(Error::system("share an output stream"))?)))
        }
        Capture::Null => device("/dev/null"),
        Capture::Full => device("/dev/full"),
        Capture::Closed => Ok((None, None)),
    }
}

/// Not the address space: shadow memory reserves 64 TiB of it. The supervisor watches what is resident instead.
fn rlimits(limits: &Limits, policy: Policy) -> Vec<(Resource, Rlimit)> {
    // The supervisor counts the CPU time of the whole tree; this is for the process that outruns it. One second more
    // for SIGKILL, in case the program handles SIGXCPU.
    let cpu = limits.cpu.as_secs() + 1;
    let mut wanted = vec![
        (Resource::Cpu, cpu, cpu + 1),
        (Resource::Fsize, limits.file_size, limits.file_size),
        (Resource::Core, 0, 0),
        (Resource::Nofile, limits.open_files, limits.open_files),
    ];
    // Since Linux 5.14 it counts in each user namespace by itself; elsewhere it would count all that the user runs.
    // User 0 is exempt from it.
    if policy == Policy::Sandboxed && kernel_version() >= (5, 14) {
        wanted.push((Resource::Nproc, task_limit(limits.processes), task_limit(limits.processes)));
    }
    let lowered = wanted.into_iter().map(|(resource, soft, hard)| {
        // Whoever started us may already have set a lower limit, and only lowering is allowed.
        let bound = getrlimit(resource).maximum.unwrap_or(u64::MAX);
        (resource, Rlimit { current: Some(soft.min(bound)), maximum: Some(hard.min(bound)) })
    });
    lowered.collect()
}

fn c_string(text: &OsStr) -> Result<CString> {
    CString::new(text.as_bytes()).map_err(|_| Error::Nul(text.to_string_lossy().into_owned()))
}

fn c_strings(texts: impl Iterator<Item = OsString>) -> Result<CStrings> {
    texts
        .map(|text| {
            CString::new(text.into_vec()).map_err(|e| Error::Nul(String::from_utf8_lossy(&e.into_vec()).into()))
        })
        .collect::<Result<Vec<_>>>()
        .map(CStrings::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ChangeKind, Status};

    /// What kernels before 6.6 get.
    #[test]
    fn private_files_can_be_kept_on_disk() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().canonicalize().expect("its path");
        fs::write(path.join("old"), "old").expect("a file");
        let script = "rm old; printf new > new; mkdir closed; touch closed/in; chmod 0 closed";
        let invocation = Invocation { cwd: Some(path.clone()), ..Invocation::new("/bin/sh").args(["-c", script]) };
        let outcome = invoke_in(&invocation, false).expect("it runs");
        assert_eq!(outcome.status, Status::Exited(0), "{outcome:#?}");
        let kind = |name: &str| outcome.change(path.join(name)).map(|change| change.kind);
        assert_eq!((kind("old"), kind("new")), (Some(ChangeKind::Deleted), Some(ChangeKind::Created)));
        let stored = outcome.change(path.join("new")).and_then(|change| change.stored.clone()).expect("content");
        assert_eq!(fs::read(&stored).expect("readable"), b"new");
        drop(outcome);
        assert!(!stored.exists() && path.join("old").exists());
    }
}
