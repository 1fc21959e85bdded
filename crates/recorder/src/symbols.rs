//! libc's functions, by its own table of symbols. The dynamic linker could tell us where they are, but not how long,
//! unless it looks at every symbol for each.

use core::ffi::{CStr, c_int, c_void};
use core::mem::size_of;

pub struct Libc {
    base: u64,
    symbols: *const libc::Elf64_Sym,
    strings: *const u8,
    /// `DT_GNU_HASH`: buckets, first symbol, words of a filter, a shift; the filter, the buckets, the chains.
    hash: *const u32,
}

pub struct Function {
    pub at: *mut u8,
    pub size: usize,
}

const DT_NULL: i64 = 0;
const DT_STRTAB: i64 = 5;
const DT_SYMTAB: i64 = 6;
const DT_GNU_HASH: i64 = 0x6FFF_FEF5;

#[repr(C)]
struct Dynamic {
    tag: i64,
    value: u64,
}

impl Libc {
    pub fn find() -> Option<Libc> {
        let mut found = None;
        unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut found).cast()) };
        found
    }

    pub fn function(&self, name: &CStr) -> Option<Function> {
        let hash =
            name.to_bytes().iter().fold(5381u32, |hash, byte| hash.wrapping_mul(33).wrapping_add(u32::from(*byte)));
        unsafe {
            let [buckets, first, words] = [*self.hash, *self.hash.add(1), *self.hash.add(2)];
            let table = self.hash.add(4 + words as usize * 2);
            let mut number = *table.add((hash % buckets) as usize);
            if number < first {
                return None;
            }
            loop {
                let known = *table.add((buckets + number - first) as usize);
                let symbol = &*self.symbols.add(number as usize);
                // The last bit says that a chain ends.
                if known | 1 == hash | 1
                    && symbol.st_info & 0xF == 2
                    && CStr::from_ptr(self.strings.add(symbol.st_name as usize).cast()) == name
                {
                    return Some(Function {
                        at: (self.base + symbol.st_value) as *mut u8,
                        size: symbol.st_size as usize,
                    });
                }
                if known & 1 == 1 {
                    return None;
                }
                number += 1;
            }
        }
    }
}

unsafe extern "C" fn look(info: *mut libc::dl_phdr_info, _: usize, found: *mut c_void) -> c_int {
    unsafe {
        let info = &*info;
        let is_libc = !info.dlpi_name.is_null() && CStr::from_ptr(info.dlpi_name).to_bytes().ends_with(b"/libc.so.6");
        if !is_libc {
            return 0;
        }
        let headers = core::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum));
        let Some(header) = headers.iter().find(|header| header.p_type == libc::PT_DYNAMIC) else { return 1 };
        let mut entry = (info.dlpi_addr + header.p_vaddr) as *const Dynamic;
        let (mut symbols, mut strings, mut hash) = (0, 0, 0);
        while (*entry).tag != DT_NULL {
            match (*entry).tag {
                DT_SYMTAB => symbols = (*entry).value,
                DT_STRTAB => strings = (*entry).value,
                DT_GNU_HASH => hash = (*entry).value,
                _ => {}
            }
            entry = entry.byte_add(size_of::<Dynamic>());
        }
        if symbols != 0 && strings != 0 && hash != 0 {
            *found.cast::<Option<Libc>>() = Some(Libc {
                base: info.dlpi_addr,
                symbols: symbols as *const libc::Elf64_Sym,
                strings: strings as *const u8,
                hash: hash as *const u32,
            });
        }
        1
    }
}
