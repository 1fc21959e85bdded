//! Forms in which a test is the bytes of its seed file or standard input, and nothing else.

use super::Exported;
use crate::error::{Result, make_folder, write};
use crate::test::{Origin, Test};
use crate::text::hex;
use sha1::{Digest, Sha1};
use std::collections::HashMap;
use std::path::Path;

pub fn plain(tests: &[Test], to: &Path) -> Result<Exported> {
    inputs(tests, |test, input| write(&to.join(test.id().as_str()), input))
}

pub fn libfuzzer(tests: &[Test], to: &Path) -> Result<Exported> {
    inputs(tests, |_, input| write(&to.join(hex(&Sha1::digest(input))), input))
}

/// To `queue/`, so that the folder is an instance that afl-fuzz can sync with. Inputs that are there under an earlier
/// number are not written twice.
pub fn afl(tests: &[Test], to: &Path) -> Result<Exported> {
    let queue = to.join("queue");
    make_folder(&queue)?;
    let mut by_input: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut by_id = HashMap::new();
    inputs(tests, |test, input| {
        let next = by_input.len();
        let number = *by_input.entry(input.to_vec()).or_insert(next);
        by_id.insert(test.id(), number);
        if number < next {
            return Ok(());
        }
        let parent = match &test.origin {
            Origin::Generated { parent, .. } => by_id.get(parent),
            _ => None,
        };
        let name = match parent {
            Some(parent) => format!("id:{number:06},src:{parent:06},time:0,execs:0,op:offshoot"),
            None => format!("id:{number:06},time:0,execs:0,orig:{}", test.id()),
        };
        write(&queue.join(name), input)
    })
}

fn inputs(tests: &[Test], mut write: impl FnMut(&Test, &[u8]) -> Result<()>) -> Result<Exported> {
    let mut exported = Exported::default();
    for test in tests {
        match test.seed() {
            Some(input) => {
                write(test, input)?;
                exported.written += 1;
            }
            None => exported.leave_out(test, "it has no seed file and no standard input"),
        }
    }
    Ok(exported)
}
