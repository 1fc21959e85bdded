//! Folders of inputs: afl-fuzz's queues, libFuzzer's corpora, anybody's files.

use super::{Import, is_hidden};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// `DIR/id:…`, or `DIR/queue/id:…`, or `DIR/INSTANCE/queue/id:…`.
pub fn afl(import: &mut Import, path: &Path) {
    let mut queues = Vec::new();
    if path.join("queue").is_dir() {
        queues.push(path.join("queue"));
    } else {
        let instances = import.entries(path).into_iter().map(|instance| instance.join("queue"));
        queues.extend(instances.filter(|queue| queue.is_dir()));
    }
    if queues.is_empty() {
        queues.push(path.to_path_buf());
    }
    for queue in queues {
        for file in import.entries(&queue) {
            let name = file.file_name().unwrap_or_default().as_bytes();
            if is_hidden(&file) || name.starts_with(b"README") {
                continue;
            }
            if queue_number(&file).is_some() {
                input(import, &file);
            } else {
                import.problem(&file, "not an entry of a queue of afl-fuzz (id:…)");
            }
        }
    }
}

/// Of `id:000123,…`; file systems that cannot have a colon get an underscore.
pub fn queue_number(path: &Path) -> Option<u32> {
    let name = path.file_name()?.to_string_lossy();
    let number = name.strip_prefix("id:").or_else(|| name.strip_prefix("id_"))?;
    number.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok()
}

/// Every file that is not hidden below `path`, or `path` itself.
pub fn files(import: &mut Import, path: &Path) {
    if !path.is_dir() {
        return input(import, path);
    }
    for entry in import.shown(path) {
        // A link to a folder may lead round in circles.
        if entry.is_dir() && !entry.is_symlink() {
            files(import, &entry);
        } else {
            input(import, &entry);
        }
    }
}

fn input(import: &mut Import, path: &Path) {
    if let Some(bytes) = import.read(path) {
        import.add(path, import.command.clone(), import.command.on_seed(bytes));
    }
}
