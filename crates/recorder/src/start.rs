//! Before the program's first constructor.

use crate::exec;
use crate::files;
use crate::hooks::HOOKS;
use crate::log::{self, Text, bytes_of};
use crate::sys::{self, Pages};
use crate::{elf, environment, patch, streams};
use core::ffi::{c_char, c_int};
use core::slice::from_ref;
use offshoot_trace::recording::{Kind, Start, VERSION};

pub unsafe extern "C" fn start(argc: c_int, argv: *mut *mut c_char, envp: *mut *mut c_char) {
    unsafe {
        let Some((limit, folder)) = environment::learn(envp) else { return };
        let fd = sys::open(c"/proc/self/exe", libc::O_RDONLY, 0);
        let program = elf::look_at(fd);
        sys::close(fd);
        exec::set_up(folder, program.is_ours);
        if !program.is_ours {
            let mut path = [0; sys::PATH_SIZE];
            let length = sys::readlink(c"/proc/self/exe", &mut path);
            exec::note_other(b"", &path[..length]);
            if patch::install(from_ref(&exec::HOOK)) {
                environment::hide(envp);
            }
            return;
        }
        files::set_up(folder, limit);
        if !log::begin(folder) {
            exec::set_up(folder, false);
            return;
        }
        let (kinds, stdin) = streams::look();
        // Our own two variables are no part of it.
        environment::hide(envp);
        write_start(argc, argv, envp, kinds);
        if let Some(data) = stdin {
            files::take_stdin(&data);
        }
        if !patch::install(&HOOKS) {
            log::append(Kind::Cut, &[]);
        }
    }
}

unsafe fn write_start(argc: c_int, argv: *mut *mut c_char, envp: *mut *mut c_char, streams: [u8; 4]) {
    let mut path = [0; sys::PATH_SIZE + 1];
    let program = sys::readlink(c"/proc/self/exe", &mut path[..sys::PATH_SIZE]);
    let mut folder = [0; sys::PATH_SIZE + 1];
    let cwd = sys::getcwd(&mut folder[..sys::PATH_SIZE]);
    let mut here = Text::new();
    here.push(&folder[..cwd]);
    let cwd_mode = sys::lstat(here.c_str()).map_or(0o755, |data| data.st_mode & 0o7777);
    unsafe {
        let umask = libc::umask(0);
        libc::umask(umask);
        let count = argc.max(0) as usize;
        let arguments = (0..count).map(|at| sys::c_bytes(*argv.add(at)));
        let variables = environment::variables(envp.cast_const().cast()).map(|variable| sys::c_bytes(variable));
        let strings = arguments.chain(variables);
        let size: usize = strings.clone().map(|text| text.len() + 1).sum();
        let Some(mut pages) = Pages::new(size.max(1)) else { return log::append(Kind::Cut, &[]) };
        let (mut at, mut written) = (0, 0);
        for text in strings {
            pages.bytes()[at..at + text.len()].copy_from_slice(text);
            at += text.len() + 1;
            written += 1;
        }
        let start = Start {
            version: VERSION,
            pid: sys::getpid() as u32,
            arguments: count as u32,
            variables: (written - count) as u32,
            umask,
            cwd_mode,
            priority: sys::getpriority(),
            streams,
        };
        // With the NUL behind each; both buffers are longer than what they hold.
        let (program, cwd) = (&path[..=program], &folder[..=cwd]);
        log::append(Kind::Start, &[bytes_of(&start), program, cwd, &pages.bytes()[..size]]);
    }
}
