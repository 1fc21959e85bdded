//! Every unsafe block of this crate, as small safe functions. Those that the child calls between clone and exec
//! neither allocate nor lock.

use std::convert::Infallible;
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::ptr;
use std::time::Duration;

use memmap2::{Mmap, MmapOptions, MmapRaw};
use offshoot_trace::serve::{BOARD_SIZE, Board};

pub const NAMESPACES: i32 = libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWNET;

pub enum Forked {
    Child,
    Parent(i32),
}

/// A copy of this process with one thread, in new namespaces if asked for. Not `fork(3)`: its handlers take the
/// allocator's locks, which another thread of the tool may hold for ever in the copy.
pub fn clone_process(namespaces: i32) -> io::Result<Forked> {
    let flags = (namespaces | libc::SIGCHLD) as libc::c_long;
    // SAFETY: no CLONE_VM, so the child has its own memory and stack; it only calls async-signal-safe code (`child.rs`).
    match unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) } {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(Forked::Child),
        pid => Ok(Forked::Parent(pid as i32)),
    }
}

/// Enough for `child` between clone and exec.
const BORROWED_STACK: usize = 64 << 10;

#[repr(align(16))]
struct Stack([MaybeUninit<u8>; BORROWED_STACK]);

/// Runs `child` in a new process, on this one's memory: we stand still until it executes a program or exits, as after
/// `vfork(2)`. A copy of the page tables of a tool that holds hundreds of megabytes costs more than most runs.
pub fn spawn_borrowing(child: impl FnOnce() -> Infallible) -> io::Result<i32> {
    extern "C" fn begin<F: FnOnce() -> Infallible>(child: *mut libc::c_void) -> libc::c_int {
        // SAFETY: the address of the `Some` below, which its owner does not look at before we are gone.
        let child = unsafe { (*child.cast::<Option<F>>()).take() };
        let _never = child.map(|child| child());
        exit_now(1)
    }
    fn pointer_to<F: FnOnce() -> Infallible>(_: &Option<F>) -> extern "C" fn(*mut libc::c_void) -> libc::c_int {
        begin::<F>
    }
    let mut child = Some(child);
    let mut stack = Stack([MaybeUninit::uninit(); BORROWED_STACK]);
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
    let begin = pointer_to(&child);
    // SAFETY: the stack grows down from its end and, like `child`, outlives the new process's use of our memory, because
    // CLONE_VFORK holds us here. Signal handlers are the defaults on both sides (`default_signals`), so none runs there.
    let pid =
        unsafe { libc::clone(begin, stack.0.as_mut_ptr().add(BORROWED_STACK).cast(), flags, (&raw mut child).cast()) };
    if pid < 0 { Err(io::Error::last_os_error()) } else { Ok(pid) }
}

/// Memory that is free goes back to the kernel. Each run that is started copies the page tables of what the tool holds.
pub fn trim_memory() {
    // SAFETY: no pointers; any thread may ask for it at any time.
    unsafe { libc::malloc_trim(0) };
}

pub struct Waited {
    pub pid: i32,
    /// As `wait4(2)` gives it.
    pub status: i32,
    pub cpu: Duration,
    /// Bytes.
    pub max_rss: u64,
}

/// Waits for one child (`Some`) or any (`None`).
pub fn wait(pid: Option<i32>) -> io::Result<Waited> {
    let mut status = 0;
    loop {
        // SAFETY: an all-zero rusage is a valid one.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: both pointers are to live locals.
        match unsafe { libc::wait4(pid.unwrap_or(-1), &mut status, libc::__WALL, &mut usage) } {
            -1 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => continue,
            -1 => return Err(io::Error::last_os_error()),
            pid => {
                let time = |t: libc::timeval| Duration::new(t.tv_sec as u64, t.tv_usec as u32 * 1_000);
                let cpu = time(usage.ru_utime) + time(usage.ru_stime);
                return Ok(Waited { pid, status, cpu, max_rss: usage.ru_maxrss as u64 * 1024 });
            }
        }
    }
}

/// Any child that has ended, without waiting for one; an error if there are no children.
pub fn wait_if_ended() -> io::Result<Option<(i32, i32)>> {
    let mut status = 0;
    // SAFETY: a pointer to a live local.
    match unsafe { libc::waitpid(-1, &mut status, libc::WNOHANG | libc::__WALL) } {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(None),
        pid => Ok(Some((pid, status))),
    }
}

/// Until a child ends, or for so long (or, if that is very long, for an hour). All signals are blocked.
pub fn await_child_signal(longest: Duration) {
    let longest = longest.min(Duration::from_secs(3600));
    let time = libc::timespec { tv_sec: longest.as_secs() as i64, tv_nsec: i64::from(longest.subsec_nanos()) };
    // SAFETY: sigset_t is plain data that sigemptyset and sigaddset write; pointers are to live locals.
    unsafe {
        let mut child: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut child);
        libc::sigaddset(&mut child, libc::SIGCHLD);
        libc::sigtimedwait(&child, ptr::null_mut(), &time);
    }
}

/// Once started, `command` has a process between itself and us that all orphans among its descendants come to: `guard`
/// runs there, with all signals blocked and the command's pid, and neither allocates nor locks.
pub fn run_under_guard(command: &mut Command, guard: impl Fn(i32) -> Infallible + Send + Sync + 'static) {
    let between = move || {
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        // What is sent to all of the group is for the command, which has its old mask back before it is executed.
        let _blocked = BlockedSignals::new();
        match clone_process(0)? {
            Forked::Child => Ok(()),
            Forked::Parent(pid) => match guard(pid) {},
        }
    };
    // SAFETY: runs between fork and exec, and makes system calls only.
    unsafe { command.pre_exec(between) };
}

pub fn exit_now(code: i32) -> ! {
    // SAFETY: ends the process without running destructors or handlers, which belong to the parent.
    unsafe { libc::_exit(code) }
}

/// All signals blocked in this thread; the old mask comes back when dropped. Held around a clone, so that no handler
/// of the tool runs in the child.
pub struct BlockedSignals(libc::sigset_t);

impl BlockedSignals {
    pub fn new() -> BlockedSignals {
        // SAFETY: sigset_t is plain data that sigfillset and pthread_sigmask write.
        unsafe {
            let mut all: libc::sigset_t = std::mem::zeroed();
            let mut old: libc::sigset_t = std::mem::zeroed();
            libc::sigfillset(&mut all);
            libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut old);
            BlockedSignals(old)
        }
    }
}

impl Drop for BlockedSignals {
    fn drop(&mut self) {
        // SAFETY: the mask was written by pthread_sigmask.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &self.0, ptr::null_mut()) };
    }
}

/// Default action for every signal: what the tool ignores or handles (Rust ignores SIGPIPE) is not the target's.
pub fn default_signals() {
    for signal in 1..=libc::SIGRTMAX() {
        // SAFETY: SIG_DFL installs no code; refusals (SIGKILL, SIGSTOP, libc's own) are harmless.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}

pub fn unblock_signals() {
    // SAFETY: as in `BlockedSignals::new`.
    unsafe {
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut none);
        libc::pthread_sigmask(libc::SIG_SETMASK, &none, ptr::null_mut());
    }
}

/// A NULL-terminated array of C strings, made before the clone.
pub struct CStrings {
    _strings: Vec<CString>,
    pointers: Vec<*const libc::c_char>,
}

impl CStrings {
    pub fn new(strings: Vec<CString>) -> CStrings {
        let pointers = strings.iter().map(|s| s.as_ptr()).chain([ptr::null()]).collect();
        CStrings { _strings: strings, pointers }
    }
}

/// Returns only if it failed.
pub fn exec(program: &CStr, args: &CStrings, env: &CStrings) -> io::Error {
    // SAFETY: `CStrings` owns the strings it points to and ends with NULL.
    unsafe { libc::execve(program.as_ptr(), args.pointers.as_ptr(), env.pointers.as_ptr()) };
    io::Error::last_os_error()
}

/// Makes `fd` the process's `number`.
pub fn dup_to(fd: BorrowedFd<'_>, number: RawFd) -> io::Result<()> {
    // SAFETY: called in the child just before exec; whatever `number` was there is nobody's any more.
    check(unsafe { libc::dup2(fd.as_raw_fd(), number) })
}

/// `number` may be closed already.
pub fn close_number(number: RawFd) {
    // SAFETY: as in `dup_to`.
    unsafe { libc::close(number) };
}

/// Everything but the standard streams closes on exec, also what the tool itself inherited by accident.
pub fn close_others_on_exec() {
    const CLOSE_RANGE_CLOEXEC: libc::c_long = 4;
    // SAFETY: touches descriptor flags only.
    let done = unsafe {
        libc::syscall(libc::SYS_close_range, 3 as libc::c_long, libc::c_long::from(u32::MAX), CLOSE_RANGE_CLOEXEC)
    };
    if done != 0 {
        for fd in 3..4096 {
            // SAFETY: as above; numbers that are not open give EBADF.
            unsafe { libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC) };
        }
    }
}

/// Of what is not a standard stream. For a process that uses nothing else any more.
pub fn close_all_but(kept: BorrowedFd<'_>) {
    let kept = kept.as_raw_fd().max(3) as libc::c_long;
    for (first, last) in [(3, kept - 1), (kept + 1, libc::c_long::from(u32::MAX))] {
        // SAFETY: the caller says that nobody uses these any more.
        unsafe { libc::syscall(libc::SYS_close_range, first, last, 0 as libc::c_long) };
    }
}

/// The standard streams too. For a process that uses nothing else any more.
pub fn close_all_streams_but(kept: &OwnedFd) {
    close_all_but(kept.as_fd());
    (0..3).filter(|number| *number != kept.as_raw_fd()).for_each(close_number);
}

/// Address-space layout as the shadow memory needs it; it survives exec.
pub fn no_randomisation() -> io::Result<()> {
    // SAFETY: changes flags of this process only.
    unsafe {
        let now = libc::personality(0xffff_ffff);
        check(libc::personality(now as libc::c_ulong | libc::ADDR_NO_RANDOMIZE as libc::c_ulong))
    }
}

pub fn mount(source: &CStr, target: &CStr, kind: &CStr, flags: libc::c_ulong, data: &CStr) -> io::Result<()> {
    // SAFETY: all are NUL-terminated strings that outlive the call.
    check(unsafe { libc::mount(source.as_ptr(), target.as_ptr(), kind.as_ptr(), flags, data.as_ptr().cast()) })
}

/// Read-only, with all mounts below. `mount(2)` can do that to one mount only.
pub fn make_readonly_recursive(target: &CStr) -> io::Result<()> {
    const AT_RECURSIVE: libc::c_long = 0x8000;
    const MOUNT_ATTR_RDONLY: u64 = 1;
    let attributes = [MOUNT_ATTR_RDONLY, 0, 0, 0];
    // SAFETY: `attributes` is a `struct mount_attr` (four u64) and its size is given.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::c_long::from(libc::AT_FDCWD),
            target.as_ptr(),
            AT_RECURSIVE,
            attributes.as_ptr(),
            size_of_val(&attributes),
        )
    };
    check(done as i32)
}

pub fn chown(path: &CStr, uid: u32, gid: u32) -> io::Result<()> {
    // SAFETY: a NUL-terminated string.
    check(unsafe { libc::lchown(path.as_ptr(), uid, gid) })
}

/// Restricts this process to a Landlock rule set made before the clone. Needs no_new_privs.
pub fn landlock_restrict(ruleset: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: takes a descriptor and flags.
    let done = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd() as libc::c_long, 0) };
    check(done as i32)
}

/// 0 where the kernel has none.
pub fn landlock_abi() -> i32 {
    const VERSION: libc::c_long = 1;
    // SAFETY: with this flag the kernel reads no attributes.
    let abi =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, ptr::null::<u8>(), 0 as libc::c_long, VERSION) };
    abi.max(0) as i32
}

/// Brings the loopback device of a new network namespace up: test suites talk to themselves.
pub fn loopback_up() -> io::Result<()> {
    // SAFETY: an ifreq of plain data, a socket that is closed at the end.
    unsafe {
        let socket = libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0);
        check(socket)?;
        let socket = OwnedFd::from_raw_fd(socket);
        let mut request: libc::ifreq = std::mem::zeroed();
        request.ifr_name[0] = b'l' as libc::c_char;
        request.ifr_name[1] = b'o' as libc::c_char;
        request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
        check(libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS as _, &request))
    }
}

/// The bounding set is what a process of user 0 gets back on exec.
pub fn drop_admin_capability() -> io::Result<()> {
    const CAP_SYS_ADMIN: libc::c_ulong = 21;
    // SAFETY: takes numbers.
    check(unsafe { libc::prctl(libc::PR_CAPBSET_DROP, CAP_SYS_ADMIN, 0, 0, 0) })
}

pub fn map_readonly(file: &File, options: &MmapOptions) -> io::Result<Mmap> {
    // SAFETY: the file is private to us and the traced process, which only appends and never truncates; readers check
    // every offset against the length of the map.
    unsafe { options.map(file) }
}

/// The board of a fork server, shared by the tool, the sandbox's pid 1 and the server.
#[derive(Debug)]
pub struct SharedBoard {
    pub file: File,
    map: MmapRaw,
}

impl SharedBoard {
    pub fn new() -> io::Result<SharedBoard> {
        let file = File::from(rustix::fs::memfd_create(c"board", rustix::fs::MemfdFlags::CLOEXEC)?);
        file.set_len(BOARD_SIZE)?;
        let map = MmapRaw::map_raw(&file)?;
        Ok(SharedBoard { file, map })
    }

    pub fn board(&self) -> &Board {
        // SAFETY: the map is larger than a board and zeroes are a valid one; what others write while the reference
        // lives is atomic.
        unsafe { &*self.map.as_ptr().cast::<Board>() }
    }
}

/// System V shared memory, semaphores or message queues in this namespace.
pub fn has_ipc_objects() -> bool {
    // Larger than `struct shm_info`, `seminfo` and `msginfo`; fields are numbers of 32 bits as far as we read.
    let (mut shm, mut sem, mut msg) = ([0i32; 64], [0i32; 64], [0i32; 64]);
    const SHM_INFO: libc::c_long = 14;
    const SEM_INFO: libc::c_long = 19;
    const MSG_INFO: libc::c_long = 12;
    // SAFETY: each call fills the structure that it is given room for.
    unsafe {
        libc::syscall(libc::SYS_shmctl, 0, SHM_INFO, shm.as_mut_ptr());
        libc::syscall(libc::SYS_semctl, 0, 0, SEM_INFO, sem.as_mut_ptr());
        libc::syscall(libc::SYS_msgctl, 0, MSG_INFO, msg.as_mut_ptr());
    }
    // used_ids, semusz, msgpool
    shm[0] | sem[7] | msg[0] != 0
}

/// The one capability that a fork server keeps across exec: to choose the pids of its runs. User 0 has it anyway.
pub fn keep_pid_capability() -> io::Result<()> {
    const CAP_CHECKPOINT_RESTORE: libc::c_ulong = 40;
    const VERSION_3: u32 = 0x2008_0522;
    let header = [VERSION_3, 0];
    // Effective, permitted, inheritable, then the same of the upper 32.
    let mut sets = [0u32; 6];
    // SAFETY: `header` and `sets` have the layout that version 3 asks for.
    unsafe {
        check(libc::syscall(libc::SYS_capget, header.as_ptr(), sets.as_mut_ptr()) as i32)?;
        sets[5] |= 1 << (CAP_CHECKPOINT_RESTORE - 32);
        check(libc::syscall(libc::SYS_capset, header.as_ptr(), sets.as_ptr()) as i32)?;
        check(libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_RAISE, CAP_CHECKPOINT_RESTORE, 0, 0))
    }
}

pub fn is_tmpfs(path: &Path) -> bool {
    rustix::fs::statfs(path).is_ok_and(|info| info.f_type == libc::TMPFS_MAGIC)
}

/// Whether `length` bytes can be reserved at `address`, as the run-time library will do it.
pub fn can_reserve(address: usize, length: usize) -> io::Result<()> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE;
    // SAFETY: MAP_FIXED_NOREPLACE never touches an existing mapping; what was mapped is unmapped at once.
    unsafe {
        let at = libc::mmap(address as *mut libc::c_void, length, protection, flags, -1, 0);
        if at == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        libc::munmap(at, length);
        Ok(())
    }
}

/// Tries it in a child: the tool keeps its own personality.
pub fn can_stop_randomisation() -> io::Result<()> {
    in_child(0, no_randomisation)
}

pub fn can_make_user_namespace() -> io::Result<()> {
    in_child(libc::CLONE_NEWUSER, || Ok(()))
}

/// `probe` runs in a copy of the process and must not allocate.
fn in_child(namespaces: i32, probe: impl Fn() -> io::Result<()>) -> io::Result<()> {
    let _blocked = BlockedSignals::new();
    match clone_process(namespaces)? {
        Forked::Child => exit_now(probe().map_or_else(|error| error.raw_os_error().unwrap_or(1), |()| 0)),
        Forked::Parent(pid) => match libc::WEXITSTATUS(wait(Some(pid))?.status) {
            0 => Ok(()),
            errno => Err(io::Error::from_raw_os_error(errno)),
        },
    }
}

pub fn c_path(path: &Path) -> Option<CString> {
    CString::new(path.as_os_str().as_bytes()).ok()
}

fn check(result: i32) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
