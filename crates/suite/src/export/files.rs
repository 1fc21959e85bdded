//! Forms in which a test is the bytes of its seed file or standard input, and nothing else.

use super::Exported;
use crate::error::{Error, Result, failed, make_folder, read, write};
use crate::import::queue_number;
use crate::test::{Origin, Test};
use crate::text::hex;
use sha1::{Digest, Sha1};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

pub fn plain(tests: &[Test], to: &Path) -> Result<Exported> {
    inputs(tests, |test, input| write(&to.join(test.id().as_str()), input))
}

pub fn libfuzzer(tests: &[Test], to: &Path) -> Result<Exported> {
    inputs(tests, |_, input| write(&to.join(hex(&Sha1::digest(input))), input))
}

/// To `queue/`, so that the folder is an instance that afl-fuzz can sync with. Numbers go on behind those that are there,
/// and inputs that are there under an earlier number are not written twice.
pub fn afl(tests: &[Test], to: &Path) -> Result<Exported> {
    let queue = to.join("queue");
    make_folder(&queue)?;
    let (mut by_input, mut next) = inputs_of(&queue)?;
    let mut by_id = HashMap::new();
    inputs(tests, |test, input| {
        let known = by_input.get(&Sha1::digest(input)[..]).copied();
        let number = known.unwrap_or(next);
        by_id.insert(test.id(), number);
        if known.is_some() {
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
        let file = queue.join(name);
        next = behind(number, &file)?;
        by_input.insert(Sha1::digest(input).to_vec(), number);
        write(&file, input)
    })
}

/// The number of each input of a queue, by its SHA-1, and the number behind the last.
fn inputs_of(queue: &Path) -> Result<(HashMap<Vec<u8>, u32>, u32)> {
    let (mut numbers, mut next) = (HashMap::new(), 0);
    for entry in fs::read_dir(queue).map_err(failed("read", queue))? {
        let path = entry.map_err(failed("read", queue))?.path();
        let Some(number) = queue_number(&path) else { continue };
        next = next.max(behind(number, &path)?);
        if path.is_file() {
            numbers.insert(Sha1::digest(read(&path)?).to_vec(), number);
        }
    }
    Ok((numbers, next))
}

fn behind(number: u32, file: &Path) -> Result<u32> {
    number.checked_add(1).ok_or_else(|| Error::LastNumber { file: file.to_path_buf() })
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
