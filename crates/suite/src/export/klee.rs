//! KLEE: the values of a harness as objects, in the order of its calls, which is how KLEE replays them.

use super::Exported;
use crate::error::{Result, write};
use crate::ktest::{Ktest, encode};
use crate::source::Source;
use crate::test::Test;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

pub fn export(tests: &[Test], to: &Path) -> Result<Exported> {
    let mut exported = Exported::default();
    for test in tests {
        let objects: Vec<_> = test
            .bytes
            .nondet()
            .filter_map(|(source, bytes)| match source {
                Source::Nondet { name, .. } => Some((name.clone(), bytes.to_vec())),
                _ => None,
            })
            .collect();
        // Arguments have a place of their own.
        if !exported.holds_values(test, |source| !matches!(source, Source::Arg(_))) {
            continue;
        }
        if objects.is_empty() {
            exported.leave_out(test, "it has no values of a harness");
            continue;
        }
        let args = test.command.arguments(&test.bytes);
        let args = std::iter::once(test.command.name()).chain(args.iter().map(|arg| arg.as_os_str()));
        let ktest = Ktest { args: args.map(|arg| arg.as_bytes().to_vec()).collect(), objects };
        exported.written += 1;
        write(&to.join(format!("test{:06}.ktest", exported.written)), &encode(&ktest))?;
    }
    Ok(exported)
}
