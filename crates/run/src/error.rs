use std::io;
use std::path::PathBuf;

pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("cannot {what} {}: {source}", path.display())]
    File { what: &'static str, path: PathBuf, source: io::Error },
    #[error("cannot {what}: {source}")]
    System { what: &'static str, source: io::Error },
    #[error("cannot start {}: {source}", program.display())]
    Exec { program: PathBuf, source: io::Error },
    #[error("cannot find `{}` in PATH", .0.display())]
    NotFound(PathBuf),
    #[error("cannot build the sandbox ({step}): {source}; `offshoot doctor` says how to mend it")]
    Sandbox { step: String, source: io::Error },
    #[error("`{}` contains a NUL byte and cannot be handed to a program", .0.escape_debug())]
    Nul(String),
    #[error("the list of symbolic inputs is {0} bytes long, the trace has room for {1}")]
    SymbolicTooLong(usize, usize),
    #[error("there is no argument {0} to change; the command has {1}")]
    NoSuchArgument(usize, usize),
    #[error("cannot give the program its own {}: that needs the full sandbox; `offshoot doctor` says why there is none", .0.display())]
    FilesNeedSandbox(PathBuf),
}

impl Error {
    pub(crate) fn file(what: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::File { what, path: path.into(), source }
    }

    pub(crate) fn system<E: Into<io::Error>>(what: &'static str) -> impl FnOnce(E) -> Error {
        move |source| Error::System { what, source: source.into() }
    }
}
