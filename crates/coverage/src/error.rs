//! What can be wrong with the sections of a program or the files of a run.

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MappingError {
    #[error("{section} has format version {version}; versions 6 and 7 (up to clang 19) can be read")]
    Version { section: &'static str, version: u64 },
    #[error("{section} ends at byte {at} in the middle of {what}")]
    Truncated { section: &'static str, at: usize, what: &'static str },
    #[error("{section} is malformed at byte {at}: {what}")]
    Malformed { section: &'static str, at: usize, what: String },
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    #[error("__llvm_prf_data is {bytes} bytes, which is no multiple of {record}, the size of a record of LLVM 19")]
    DataSize { bytes: usize, record: usize },
    #[error("record {record} of __llvm_prf_data has no counters")]
    NoCounters { record: usize },
    #[error("record {record} of __llvm_prf_data points outside of {section}: bytes {start} to {end} of {size}")]
    Outside { record: usize, section: &'static str, start: i128, end: i128, size: usize },
}
