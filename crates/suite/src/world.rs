//! What a recorded command found around it, beside the bytes that it read. Commands that users name have none of it: they
//! see the machine as it is.

use crate::text::Text;
use offshoot_base::{Thing, What};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct World {
    /// Paths that the command met, relative ones as it named them. Times are no part of a test's id: they are others each
    /// time.
    pub things: BTreeMap<PathBuf, Thing>,
    pub umask: Option<u32>,
    /// It is no part of the id either: a suite is the same one on a day with less time.
    pub nice: Option<i32>,
    /// The command's variables are all that there were. Otherwise the machine may add what the command never asked for.
    pub whole_env: bool,
    /// Standard input was a pipe, or something else that cannot be wound back.
    pub piped: bool,
    /// There was no standard input. Bytes that a test has for it are nobody's then.
    pub stdin_closed: bool,
    /// Where standard output and standard error went.
    pub outputs: [Sink; 2],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sink {
    /// Where what is written can be compared.
    #[default]
    Kept,
    /// /dev/null: some programs look.
    Null,
    /// /dev/full, on which every write fails.
    Full,
    /// There was none.
    Closed,
}

impl Sink {
    /// Behind the `>` of a shell.
    pub fn redirection(self) -> Option<&'static str> {
        match self {
            Sink::Kept => None,
            Sink::Null => Some(" /dev/null"),
            Sink::Full => Some(" /dev/full"),
            Sink::Closed => Some("&-"),
        }
    }
}

impl World {
    pub fn is_empty(&self) -> bool {
        *self == World::default()
    }

    /// All that a run can tell, in an order of its own.
    pub(crate) fn digest(&self, mut field: impl FnMut(u8, &[u8])) {
        for (path, thing) in &self.things {
            field(b'w', path.as_os_str().as_bytes());
            match &thing.what {
                What::Absent => field(b'0', b""),
                What::Directory => field(b'1', &thing.mode.to_le_bytes()),
                What::Link(to) => field(b'2', to.as_os_str().as_bytes()),
                What::File { size } => {
                    field(b'3', &thing.mode.to_le_bytes());
                    field(b'4', &size.to_le_bytes());
                }
            }
        }
        if let Some(umask) = self.umask {
            field(b'u', &umask.to_le_bytes());
        }
        if self.whole_env {
            field(b'e', b"");
        }
        let input = if self.stdin_closed { 2 } else { u8::from(self.piped) };
        if input != 0 || self.outputs != [Sink::Kept; 2] {
            let [out, err] = self.outputs.map(|sink| sink as u8);
            field(b'f', &[input, out, err]);
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JsonWorld {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    things: Vec<JsonThing>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    umask: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nice: Option<i32>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    whole_env: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    piped: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    stdin_closed: bool,
    #[serde(default)]
    outputs: [Sink; 2],
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonThing {
    path: Text,
    #[serde(rename = "is")]
    what: JsonWhat,
    mode: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    modified: Option<(i64, i64)>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum JsonWhat {
    Absent,
    Directory,
    Link { to: Text },
    File { size: u64 },
}

impl From<&World> for JsonWorld {
    fn from(world: &World) -> JsonWorld {
        let thing = |(path, thing): (&PathBuf, &Thing)| JsonThing {
            path: path.into(),
            what: match &thing.what {
                What::Absent => JsonWhat::Absent,
                What::Directory => JsonWhat::Directory,
                What::Link(to) => JsonWhat::Link { to: to.into() },
                What::File { size } => JsonWhat::File { size: *size },
            },
            mode: thing.mode,
            modified: thing.modified,
        };
        JsonWorld {
            things: world.things.iter().map(thing).collect(),
            umask: world.umask,
            nice: world.nice,
            whole_env: world.whole_env,
            piped: world.piped,
            stdin_closed: world.stdin_closed,
            outputs: world.outputs,
        }
    }
}

impl From<JsonWorld> for World {
    fn from(json: JsonWorld) -> World {
        let thing = |thing: JsonThing| {
            let what = match thing.what {
                JsonWhat::Absent => What::Absent,
                JsonWhat::Directory => What::Directory,
                JsonWhat::Link { to } => What::Link(to.into_os().into()),
                JsonWhat::File { size } => What::File { size },
            };
            (PathBuf::from(thing.path.into_os()), Thing { what, mode: thing.mode, modified: thing.modified })
        };
        World {
            things: json.things.into_iter().map(thing).collect(),
            umask: json.umask,
            nice: json.nice,
            whole_env: json.whole_env,
            piped: json.piped,
            stdin_closed: json.stdin_closed,
            outputs: json.outputs,
        }
    }
}
