//! Which of the linker's inputs hold something of ours.

use crate::record::Carried;
use object::read::archive::ArchiveFile;
use object::{Object, ObjectKind, ObjectSection};
use offshoot_model::section::{self, BlobKind, SECTION};
use std::path::Path;

/// A file that cannot be read or is no ELF file (a linker script) holds nothing of ours; the linker will say the rest.
pub fn carried(path: &Path) -> Carried {
    let Ok(data) = std::fs::read(path) else { return Carried::Nothing };
    if data.starts_with(b"!<arch>") || data.starts_with(b"!<thin>") {
        let members = members(path, &data);
        let ours = members.iter().filter(|member| has_units(member)).count();
        return match ours {
            0 => Carried::Nothing,
            _ if ours == members.len() => Carried::Everything,
            _ => Carried::Mixed,
        };
    }
    match object::File::parse(&*data) {
        Ok(_) if !has_units(&data) => Carried::Nothing,
        Ok(file) if file.kind() == ObjectKind::Relocatable => Carried::Everything,
        Ok(_) => Carried::SharedLibrary,
        Err(_) => Carried::Nothing,
    }
}

/// The contents of an archive's members, those of thin archives read from where they are.
pub fn members(path: &Path, data: &[u8]) -> Vec<Vec<u8>> {
    let Ok(archive) = ArchiveFile::parse(data) else { return Vec::new() };
    let folder = path.parent().unwrap_or(Path::new(""));
    let content = |member: object::read::archive::ArchiveMember| {
        if archive.is_thin() {
            std::fs::read(folder.join(String::from_utf8_lossy(member.name()).as_ref())).ok()
        } else {
            member.data(data).ok().map(<[u8]>::to_vec)
        }
    };
    archive.members().filter_map(|member| content(member.ok()?)).collect()
}

/// Does an ELF file carry bitcode? (The libc models carry a model, but no bitcode.)
pub fn has_units(data: &[u8]) -> bool {
    let Ok(file) = object::File::parse(data) else { return false };
    let mut sections = file.sections().filter(|found| found.name() == Ok(SECTION));
    sections.any(|found| {
        let data = found.uncompressed_data().unwrap_or_default();
        section::blobs(&data).is_ok_and(|blobs| blobs.iter().any(|blob| blob.kind == BlobKind::Unit as u32))
    })
}
