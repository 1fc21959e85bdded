//! The order of the crates in docs/architecture.md is the order of their dependencies.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// First column of the table whose first column is headed `crate`, from top to bottom.
fn documented() -> Vec<String> {
    let text = read(&root().join("docs/architecture.md"));
    let rows = text.lines().skip_while(|line| !line.starts_with("| crate |")).skip(2);
    let cells = rows.map_while(|line| line.strip_prefix('|')?.split('|').next());
    cells.flat_map(|cell| cell.split('·')).map(|name| name.trim().trim_matches('`').to_owned()).collect()
}

fn present() -> BTreeSet<String> {
    let folders = fs::read_dir(root().join("crates")).expect("crates");
    let names = folders.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
    names.filter(|name| root().join("crates").join(name).join("Cargo.toml").exists()).collect()
}

/// Crates of this workspace that a crate is linked with. What only its tests use may be anywhere.
fn dependencies(name: &str) -> Vec<String> {
    let manifest = read(&root().join("crates").join(name).join("Cargo.toml"));
    let mut counts = false;
    let mut found = Vec::new();
    for line in manifest.lines() {
        if let Some(section) = line.strip_prefix('[') {
            counts = section.contains("dependencies") && !section.contains("dev-dependencies");
            // `[dependencies.offshoot-NAME]`
            let own = section.split_once("dependencies.offshoot-").filter(|_| counts);
            found.extend(own.map(|(_, name)| name.trim_end_matches(']').to_owned()));
        } else if let Some(rest) = line.strip_prefix("offshoot-").filter(|_| counts) {
            found.extend(rest.split(['.', ' ', '=']).next().map(str::to_owned));
        }
    }
    found
}

#[test]
fn every_crate_is_in_the_table() {
    let documented: BTreeSet<String> = documented().into_iter().collect();
    let missing: Vec<_> = present().difference(&documented).cloned().collect();
    assert!(missing.is_empty(), "not in the table of docs/architecture.md: {missing:?}");
}

#[test]
fn a_crate_depends_only_on_crates_above_it() {
    let order = documented();
    let mut edges = 0;
    for (index, name) in order.iter().enumerate().filter(|(_, name)| present().contains(*name)) {
        for dependency in dependencies(name) {
            edges += 1;
            assert!(
                order[..index].contains(&dependency),
                "{name} depends on {dependency}, which is not above it in the table of docs/architecture.md"
            );
        }
    }
    assert!(edges > 0, "no dependencies found; has the form of the manifests changed?");
}

/// Terms and figures are computed, not fetched: nothing in `expr` and `coverage` opens a file or starts a process.
#[test]
fn expr_and_coverage_do_no_io() {
    let mut folders = vec![root().join("crates/expr/src"), root().join("crates/coverage/src")];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a source folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            files += 1;
            let text = read(&path);
            for forbidden in ["std::fs", "std::process", "std::net", "std::env"] {
                assert!(!text.contains(forbidden), "{} uses {forbidden}", path.display());
            }
        }
    }
    assert!(files > 0);
}
