//! The fork server: a process that stops before its first constructor and becomes a new run for each message of the
//! tool. `offshoot_trace::serve` is the protocol, `crates/run/src/server.rs` the other side.
//!
//! A run must not be able to tell: it has the parent, session, pid, descriptors and addresses of a program that was
//! executed by itself. So the clone is a sibling, not a child, and whatever is mapped for it lies at addresses that the
//! kernel gives to nobody else.

use core::ffi::{CStr, c_char, c_void};
use core::ptr::{null, null_mut};
use core::sync::atomic::Ordering;
use offshoot_trace::serve::{BOARD, BOARD_SIZE, Board, DELIVERY, LAST_PID, Record, SOCKET, VERSION, hash, record};

/// Where the server maps what it shares with the tool, and what a run was given.
pub struct Places {
    board: u64,
    delivery: u64,
}

/// Between the object maps and shadow memory.
pub const TRACED: Places = Places { board: 0x0F80_0000_0000, delivery: 0x0F90_0000_0000 };
/// Where shadow memory is in a traced program: AddressSanitizer has its own below that.
pub const UNTRACED: Places = Places { board: 0x1180_0000_0000, delivery: 0x1190_0000_0000 };

type Strings = *const *const c_char;

/// Returns true in each new run, and false if this process cannot be a server: then it is an ordinary one.
pub unsafe fn serve(places: &Places, argc: i32, argv: Strings, envp: Strings) -> bool {
    unsafe {
        let board = map_board(places.board);
        let Some(thread) = Thread::only() else { return false };
        if board.is_null() || !is_meant(board, argc, argv) || libc::write(SOCKET, b"r".as_ptr().cast(), 1) != 1 {
            return false;
        }
        loop {
            let Some(streams) = receive() else { libc::_exit(0) };
            libc::pwrite(LAST_PID, b"1".as_ptr().cast(), 1, 0);
            match thread.copy(&raw const (*board).run as *mut i32) {
                0 => {
                    begin(streams, board);
                    deliver(places.delivery, board, argc, argv, envp);
                    libc::munmap(board.cast(), BOARD_SIZE as usize);
                    return true;
                }
                // The tool sees us leave, and does without us.
                pid if pid < 0 => libc::_exit(1),
                _ => streams.iter().for_each(|fd| _ = libc::close(*fd)),
            }
        }
    }
}

unsafe fn map_board(at: u64) -> *mut Board {
    unsafe {
        let wanted = at as *mut c_void;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_SHARED | libc::MAP_FIXED_NOREPLACE;
        let at = libc::mmap(wanted, BOARD_SIZE as usize, protection, flags, BOARD, 0);
        if at != wanted {
            return null_mut();
        }
        libc::close(BOARD);
        at.cast()
    }
}

unsafe fn is_meant(board: *const Board, argc: i32, argv: Strings) -> bool {
    unsafe {
        let texts = (0..argc.max(0) as usize).map(|i| CStr::from_ptr(*argv.add(i)).to_bytes());
        (*board).version == VERSION && (*board).arguments as i32 == argc && (*board).arguments_hash == hash(texts)
    }
}

/// The next run's standard streams; nothing if the tool is gone.
unsafe fn receive() -> Option<[i32; 3]> {
    unsafe {
        let mut byte = 0u8;
        let mut part = libc::iovec { iov_base: (&raw mut byte).cast(), iov_len: 1 };
        let mut space = [0u64; 8];
        let mut message: libc::msghdr = core::mem::zeroed();
        message.msg_iov = &mut part;
        message.msg_iovlen = 1;
        message.msg_control = space.as_mut_ptr().cast();
        message.msg_controllen = size_of_val(&space);
        while libc::recvmsg(SOCKET, &mut message, 0) != 1 {
            if *libc::__errno_location() != libc::EINTR {
                return None;
            }
        }
        let header = libc::CMSG_FIRSTHDR(&message);
        let whole = libc::CMSG_LEN(size_of::<[i32; 3]>() as u32) as usize;
        if header.is_null() || (*header).cmsg_type != libc::SCM_RIGHTS || (*header).cmsg_len != whole {
            return None;
        }
        Some(libc::CMSG_DATA(header).cast::<[i32; 3]>().read_unaligned())
    }
}

/// What libc has told the kernel of its one thread, and a copy must tell it again.
struct Thread {
    id_at: *mut i32,
    locks: *mut c_void,
    locks_size: usize,
}

impl Thread {
    unsafe fn only() -> Option<Thread> {
        unsafe {
            // A folder's links: itself, its name, and one for each thread.
            let mut status: libc::stat = core::mem::zeroed();
            if libc::stat(c"/proc/self/task".as_ptr(), &mut status) != 0 || status.st_nlink != 3 {
                return None;
            }
            let mut thread = Thread { id_at: null_mut(), locks: null_mut(), locks_size: 0 };
            let asked = libc::prctl(libc::PR_GET_TID_ADDRESS, &raw mut thread.id_at);
            let (locks, size) = (&raw mut thread.locks, &raw mut thread.locks_size);
            let listed = libc::syscall(libc::SYS_get_robust_list, 0, locks, size);
            let known = asked == 0 && listed == 0 && !thread.id_at.is_null();
            (known && i64::from(*thread.id_at) == libc::syscall(libc::SYS_gettid)).then_some(thread)
        }
    }

    /// `fork`, but the copy is a child of our parent, and the kernel writes its pid to `pid_at` before it begins.
    unsafe fn copy(&self, pid_at: *mut i32) -> i64 {
        const FLAGS: i32 = libc::CLONE_PARENT
            | libc::CLONE_PARENT_SETTID
            | libc::CLONE_CHILD_SETTID
            | libc::CLONE_CHILD_CLEARTID
            | libc::SIGCHLD;
        unsafe {
            let pid = libc::syscall(libc::SYS_clone, FLAGS as i64, null::<u8>(), pid_at, self.id_at, 0);
            if pid == 0 && !self.locks.is_null() {
                libc::syscall(libc::SYS_set_robust_list, self.locks, self.locks_size);
            }
            pid
        }
    }
}

/// What `crates/run/src/child.rs` does for a program before it is executed.
unsafe fn begin(streams: [i32; 3], board: *const Board) {
    unsafe {
        libc::close(SOCKET);
        libc::close(LAST_PID);
        for (number, fd) in (0..).zip(streams) {
            libc::dup2(fd, number);
        }
        streams.iter().for_each(|fd| _ = libc::close(*fd));
        libc::setsid();
        let [soft, hard] = (*board).cpu_limit;
        libc::setrlimit(libc::RLIMIT_CPU, &libc::rlimit { rlim_cur: soft, rlim_max: hard });
        if libc::geteuid() != 0 {
            drop_capabilities();
        }
    }
}

/// The right to choose pids was the server's alone. (User 0 has it in its own namespace anyway.)
unsafe fn drop_capabilities() {
    const VERSION_3: u32 = 0x2008_0522;
    let header = [VERSION_3, 0];
    let none = [0u32; 6];
    unsafe {
        libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
        libc::syscall(libc::SYS_capset, header.as_ptr(), none.as_ptr());
    }
}

/// Puts what the tool delivers into the place of what the server was started with.
unsafe fn deliver(to: u64, board: *const Board, argc: i32, argv: Strings, envp: Strings) {
    unsafe {
        let size = (*board).delivered.load(Ordering::Relaxed).min(BOARD_SIZE - DELIVERY) as usize;
        if size == 0 || !crate::start::map_fixed(to, size as u64) {
            return;
        }
        let start = to as *mut u8;
        core::ptr::copy_nonoverlapping(board.cast::<u8>().add(DELIVERY as usize), start, size);
        let mut at = 0;
        while at + size_of::<Record>() <= size {
            let record = start.add(at).cast::<Record>().read_unaligned();
            let name = start.add(at + size_of::<Record>());
            let bytes = name.add(record.name_len as usize + 1);
            let (name, len) = (core::slice::from_raw_parts(name, record.name_len as usize), record.len as usize);
            match record.kind {
                record::ARGUMENT if (record.number as i32) < argc => {
                    replace(argv.add(record.number as usize).cast_mut(), 0, bytes.cast(), len);
                }
                record::VARIABLE => replace_variable(envp, name, bytes.cast(), len),
                record::INPUTS => crate::interceptors::set_inputs(core::slice::from_raw_parts(bytes, len)),
                _ => {}
            }
            at = bytes as usize + len + 1 - start as usize;
        }
    }
}

unsafe fn replace_variable(envp: Strings, name: &[u8], bytes: *const c_char, len: usize) {
    unsafe {
        let mut place = envp;
        while !place.is_null() && !(*place).is_null() {
            let text = CStr::from_ptr(*place).to_bytes();
            if text.strip_prefix(name).is_some_and(|rest| rest.first() == Some(&b'=')) {
                // In front of the bytes is the name, for a variable that does not fit into its old place.
                *bytes.sub(1).cast_mut() = b'=' as c_char;
                return replace(place.cast_mut(), name.len() + 1, bytes, len);
            }
            place = place.add(1);
        }
    }
}

/// The string at `*place` keeps its first `kept` bytes and gets new ones behind them: in its old place if that is large
/// enough, so that it has the address that it would have had without us.
unsafe fn replace(place: *mut *const c_char, kept: usize, bytes: *const c_char, len: usize) {
    unsafe {
        let old = CStr::from_ptr(*place).to_bytes().len();
        if kept + len <= old {
            let to = (*place).cast_mut().add(kept);
            core::ptr::copy_nonoverlapping(bytes, to, len);
            core::ptr::write_bytes(to.add(len), 0, old - kept - len);
        } else {
            *place = bytes.sub(kept);
        }
    }
}
