//! The paths of a log: each as the process first met it, with the bytes that it read there.

use super::log::Log;
use super::{Beside, too_large};
use offshoot_trace::recording::{Thing, content, what};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

pub struct Around {
    pub things: BTreeMap<PathBuf, offshoot_base::Thing>,
    pub files: Vec<(PathBuf, Vec<u8>)>,
    pub stdin: Vec<u8>,
    /// Files whose bytes somebody wanted, whether they were kept or not.
    pub read: BTreeSet<PathBuf>,
    /// No folder had too many files to be listed.
    pub is_whole: bool,
}

struct Met {
    /// Relative to the working directory if it is in there, as the program named it.
    name: PathBuf,
    first: Thing,
    target: PathBuf,
    bytes: Option<Vec<u8>>,
}

impl Around {
    pub fn new(log: &Log<'_>, beside: &Beside<'_>, cwd: &Path, losses: &mut Vec<String>) -> Around {
        let mut met: BTreeMap<PathBuf, Met> = BTreeMap::new();
        let mut listed = Vec::new();
        let (mut read, mut is_whole) = (BTreeSet::new(), true);
        for (thing, path, inside) in &log.things {
            let place = normal(Path::new(OsStr::from_bytes(path)));
            let known = met.entry(place.clone()).or_insert_with(|| Met {
                name: name(path, log.cwd),
                first: *thing,
                target: PathBuf::from(OsStr::from_bytes(if thing.what == what::LINK { inside } else { b"" })),
                bytes: None,
            });
            match (thing.what, thing.content) {
                // Its time may be another by now; its bytes the recorder has taken before the program could change them.
                (what::FILE, content::HERE | content::BESIDE | content::LEFT_OUT)
                    if known.first.what == what::FILE && known.bytes.is_none() =>
                {
                    read.insert(known.name.clone());
                    match bytes(thing, inside, beside) {
                        Ok(bytes) => known.bytes = Some(bytes),
                        Err(()) => losses.push(too_large(&known.name.display().to_string(), thing.size)),
                    }
                }
                (what::DIRECTORY, content::HERE) if known.first.what == what::DIRECTORY => {
                    listed.push((place, known.name.clone(), *inside));
                }
                (what::DIRECTORY, content::LEFT_OUT) => {
                    is_whole = false;
                    losses.push(format!("{} has too many files to be listed", known.name.display()));
                }
                _ => {}
            }
        }
        let mut things = BTreeMap::new();
        let mut files = Vec::new();
        things.insert(
            cwd.to_path_buf(),
            offshoot_base::Thing { what: offshoot_base::What::Directory, mode: log.start.cwd_mode, modified: None },
        );
        for (place, folder, names) in listed {
            for entry in names.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()) {
                let (kind, name) = (entry[0], OsStr::from_bytes(&entry[1..]));
                let inside = place.join(name);
                let is_way = || met.range(inside.clone()..).next().is_some_and(|(next, _)| next.starts_with(&inside));
                // A link on the way to something leads somewhere, and nobody asked where: it will be a folder, if need be.
                if met.contains_key(&inside) || (kind == b'l' && is_way()) {
                    continue;
                }
                let what = match kind {
                    b'd' => offshoot_base::What::Directory,
                    b'f' => offshoot_base::What::File { size: 0 },
                    b'l' => offshoot_base::What::Link(name.into()),
                    _ => {
                        losses.push(is_special(&folder.join(name)));
                        continue;
                    }
                };
                let mode = if kind == b'd' { 0o755 } else { 0o644 };
                things.insert(folder.join(name), offshoot_base::Thing { what, mode, modified: None });
            }
        }
        for (place, met) in met {
            if place == cwd {
                continue;
            }
            let what = match met.first.what {
                what::ABSENT => offshoot_base::What::Absent,
                what::FILE => offshoot_base::What::File { size: met.first.size },
                what::DIRECTORY => offshoot_base::What::Directory,
                what::LINK => offshoot_base::What::Link(met.target),
                _ => {
                    losses.push(is_special(&met.name));
                    continue;
                }
            };
            let modified = matches!(what, offshoot_base::What::File { .. } | offshoot_base::What::Directory);
            let modified = modified.then_some((met.first.seconds, met.first.nanoseconds as i64));
            things.insert(met.name.clone(), offshoot_base::Thing { what, mode: met.first.mode, modified });
            files.extend(met.bytes.map(|bytes| (met.name, bytes)));
        }
        let stdin = match &log.stdin {
            Some((thing, inside)) => bytes(thing, inside, beside).unwrap_or_else(|()| {
                losses.push(too_large("standard input", thing.size));
                Vec::new()
            }),
            None => log.input.clone(),
        };
        Around { things, files, stdin, read, is_whole }
    }
}

fn is_special(name: &Path) -> String {
    format!("{} is a pipe, a socket or a device", name.display())
}

/// An error if they were left out.
fn bytes(thing: &Thing, inside: &[u8], beside: &Beside<'_>) -> Result<Vec<u8>, ()> {
    match thing.content {
        content::HERE => Ok(inside.to_vec()),
        content::BESIDE => beside(OsStr::from_bytes(inside)).ok_or(()),
        _ => Err(()),
    }
}

/// What the program wrote behind its working directory.
fn name(path: &[u8], cwd: &[u8]) -> PathBuf {
    let below = path.strip_prefix(cwd).filter(|rest| rest.starts_with(b"/"));
    // Of several slashes each but one is superfluous, and what begins with one is no name in a folder.
    let inside = below.map(|rest| &rest[rest.iter().take_while(|byte| **byte == b'/').count()..]);
    PathBuf::from(OsStr::from_bytes(inside.filter(|rest| !rest.is_empty()).unwrap_or(path)))
}

/// One place, one name, as far as names tell.
pub fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(normal.pop()),
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}
