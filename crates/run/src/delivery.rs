//! What one run gets that differs from the base invocation.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use offshoot_trace::serve::record;

use crate::invocation::{Invocation, Stdin};
use crate::place::inputs_file;
use crate::{Error, Result};

/// Bytes by source, as traces name sources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delivery {
    /// `arg[i]`: 1 is the first behind the program's name.
    pub args: Vec<(usize, Vec<u8>)>,
    pub stdin: Option<Vec<u8>>,
    /// `file:PATH`, relative to the working directory; they need not exist.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// `env:NAME`.
    pub env: Vec<(OsString, Vec<u8>)>,
    /// With their whole names, `nondet:NAME#k`.
    pub nondet: Vec<(String, Vec<u8>)>,
}

impl Delivery {
    /// The same run as an invocation of its own.
    pub fn apply<'a>(&self, base: &Invocation<'a>) -> Result<Invocation<'a>> {
        let mut invocation = base.clone();
        for (index, bytes) in &self.args {
            let place = index.checked_sub(1).and_then(|at| invocation.args.get_mut(at));
            *place.ok_or(Error::NoSuchArgument(*index, base.args.len()))? = OsString::from_vec(bytes.clone());
        }
        if let Some(bytes) = &self.stdin {
            invocation.stdin = match base.stdin {
                Stdin::Pipe(_) => Stdin::Pipe(bytes.clone()),
                Stdin::Closed => Stdin::Closed,
                _ => Stdin::Bytes(bytes.clone()),
            };
        }
        for (path, bytes) in &self.files {
            invocation.files.retain(|(known, _)| known != path);
            invocation.files.push((path.clone(), bytes.clone()));
        }
        for (name, bytes) in &self.env {
            invocation.env.push((name.clone(), Some(OsString::from_vec(bytes.clone()))));
        }
        if !self.nondet.is_empty() {
            invocation.nondet.clone_from(&self.nondet);
        }
        Ok(invocation)
    }

    /// As records for the server's board (`offshoot_trace::serve`).
    pub(crate) fn records(&self, base: &Invocation<'_>) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        for (index, bytes) in &self.args {
            if *index == 0 || *index > base.args.len() {
                return Err(Error::NoSuchArgument(*index, base.args.len()));
            }
            push(&mut out, record::ARGUMENT, *index, &[], without_nul(bytes)?);
        }
        for (name, bytes) in &self.env {
            push(&mut out, record::VARIABLE, 0, name.as_bytes(), without_nul(bytes)?);
        }
        let nondet = if self.nondet.is_empty() { &base.nondet } else { &self.nondet };
        if !nondet.is_empty() {
            push(&mut out, record::INPUTS, 0, &[], &inputs_file(nondet));
        }
        Ok(out)
    }
}

fn push(out: &mut Vec<u8>, kind: u32, number: usize, name: &[u8], bytes: &[u8]) {
    // What does not fit into 32 bits does not fit on the board either, and is never read.
    for word in [kind, number as u32, name.len() as u32, bytes.len() as u32] {
        out.extend(word.to_ne_bytes());
    }
    out.extend(name);
    out.push(0);
    out.extend(bytes);
    out.push(0);
}

fn without_nul(bytes: &[u8]) -> Result<&[u8]> {
    if bytes.contains(&0) {
        return Err(Error::Nul(OsStr::from_bytes(bytes).to_string_lossy().into_owned()));
    }
    Ok(bytes)
}
