//! The models, units and link line of an ELF file.

use crate::module::Module;
use crate::section::{self, BlobKind, LinkLine, SectionError, Unit};
use object::{Object, ObjectSection};
use std::path::Path;

#[derive(Debug, Default)]
pub struct Program {
    /// With the uid that the run-time library reports.
    pub modules: Vec<(u64, Module)>,
    pub units: Vec<Unit>,
    pub link: Option<LinkLine>,
}

#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("cannot read {path}: {source}")]
    Io { path: String, source: std::io::Error },
    #[error("{path} is not an ELF file")]
    NotElf { path: String },
    #[error("{path} was not built by offshoot; build it with CC=offshoot-cc")]
    NotInstrumented { path: String },
    #[error("{path}: {source}")]
    Section { path: String, source: SectionError },
}

impl Program {
    pub fn read(path: &Path) -> Result<Program, ReadError> {
        let name = || path.display().to_string();
        let data = std::fs::read(path).map_err(|source| ReadError::Io { path: name(), source })?;
        let file = object::File::parse(&*data).map_err(|_| ReadError::NotElf { path: name() })?;
        let damaged = |source| ReadError::Section { path: name(), source };
        let mut program = Program::default();
        let mut seen = false;
        for section in file.sections().filter(|s| s.name() == Ok(section::SECTION)) {
            seen = true;
            let data = section.uncompressed_data().map_err(|_| damaged(SectionError::Damaged(0)))?;
            for blob in section::blobs(&data).map_err(damaged)? {
                match blob.kind {
                    k if k == BlobKind::Model as u32 => {
                        program.modules.push((blob.uid, blob.decode().map_err(damaged)?));
                    }
                    k if k == BlobKind::Unit as u32 => program.units.push(blob.decode().map_err(damaged)?),
                    k if k == BlobKind::Link as u32 => program.link = Some(blob.decode().map_err(damaged)?),
                    _ => {}
                }
            }
        }
        if seen { Ok(program) } else { Err(ReadError::NotInstrumented { path: name() }) }
    }
}
