//! Where the kernel gives no namespaces: read everything, write only in a private directory.

use std::os::fd::OwnedFd;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, Scope,
};

use crate::sys;

/// A rule set that a child only has to enter.
pub fn ruleset(private: &Path, trace: Option<&Path>) -> Result<OwnedFd, String> {
    let writes = AccessFs::from_write(ABI::V5);
    let build = || -> Result<Option<OwnedFd>, Box<dyn std::error::Error>> {
        // Best effort from version to version of the interface; `gaps` names what that leaves open.
        let mut rules = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(writes)?
            .handle_access(AccessNet::from_all(ABI::V4))?
            .scope(Scope::from_all(ABI::V6))?
            .create()?;
        rules = rules.add_rule(PathBeneath::new(PathFd::new(private)?, writes))?;
        let file = AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev;
        let devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/random", "/dev/urandom"];
        for path in devices.into_iter().map(Path::new).chain(trace) {
            if let Ok(fd) = PathFd::new(path) {
                rules = rules.add_rule(PathBeneath::new(fd, file))?;
            }
        }
        Ok(rules.into())
    };
    match build() {
        Ok(Some(fd)) => Ok(fd),
        Ok(None) => Err("this kernel has no Landlock".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// What a program can still do outside, in words for the user.
pub fn gaps() -> Vec<String> {
    let abi = sys::landlock_abi();
    let mut gaps = vec![
        "landlock only: files outside a private directory cannot be written, programs that must write there fail"
            .into(),
        "landlock only: UDP and existing Unix sockets stay reachable".into(),
    ];
    if abi < 6 {
        gaps.push(format!("landlock version {abi}: signals to other processes of this user are not stopped"));
    }
    if abi < 4 {
        gaps.push(format!("landlock version {abi}: TCP is not stopped"));
    }
    if abi < 3 {
        gaps.push(format!("landlock version {abi}: existing files can be truncated"));
    }
    gaps
}
