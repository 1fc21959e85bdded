//! Is a file a program of ours? Its section headers say so.

use crate::sys;
use core::mem::{MaybeUninit, size_of};

const NAME: &[u8] = b".offshoot\0";

#[derive(Clone, Copy, Default)]
pub struct Program {
    pub is_ours: bool,
    /// No dynamic linker, so nobody can be loaded into it.
    pub is_static: bool,
}

/// Neither, if it is no ELF file for this machine.
pub fn look_at(fd: i32) -> Program {
    let mut program = Program::default();
    let Some(header) = read::<libc::Elf64_Ehdr>(fd, 0) else { return program };
    if header.e_ident[..4] != *b"\x7fELF" || header.e_ident[4] != 2 {
        return program;
    }
    let segment =
        |number: u16| read::<libc::Elf64_Phdr>(fd, header.e_phoff + u64::from(number) * u64::from(header.e_phentsize));
    program.is_static =
        !(0..header.e_phnum.min(64)).filter_map(segment).any(|segment| segment.p_type == libc::PT_INTERP);
    // Sections: name (an offset into the table of names) first, 64 bytes each.
    let (count, size) = (usize::from(header.e_shnum), usize::from(header.e_shentsize));
    if count == 0 || size != size_of::<libc::Elf64_Shdr>() || header.e_shstrndx as usize >= count {
        return program;
    }
    let section = |number: usize| read::<libc::Elf64_Shdr>(fd, header.e_shoff + (number * size) as u64);
    let Some(names) = section(usize::from(header.e_shstrndx)) else { return program };
    let mut text = [0; 4096];
    let length = sys::pread(fd, &mut text[..(names.sh_size as usize).min(4096)], names.sh_offset);
    // Names may share their ends: `.offshoot` is there if a section starts with it.
    let Some(at) = text[..length].windows(NAME.len()).position(|window| window == NAME) else { return program };
    // A program has some forty sections: one read, as a rule.
    let mut headers = [0; 64 * size_of::<libc::Elf64_Shdr>()];
    let mut first = 0;
    while first < count && !program.is_ours {
        let wanted = (count - first).min(64) * size;
        let length = sys::pread(fd, &mut headers[..wanted], header.e_shoff + (first * size) as u64);
        let name = |section: &[u8]| section.first_chunk().map(|name| u32::from_le_bytes(*name) as usize);
        program.is_ours = headers[..length].chunks_exact(size).any(|section| name(section) == Some(at));
        first += 64;
    }
    program
}

fn read<T: Copy>(fd: i32, offset: u64) -> Option<T> {
    let mut value = MaybeUninit::<T>::zeroed();
    let bytes = unsafe { core::slice::from_raw_parts_mut(value.as_mut_ptr().cast::<u8>(), size_of::<T>()) };
    (sys::pread(fd, bytes, offset) == size_of::<T>()).then(|| unsafe { value.assume_init() })
}
