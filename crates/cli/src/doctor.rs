//! `offshoot doctor`

use crate::failure::Failure;
use clap::Args;
use offshoot_base::Exit;
use std::process::ExitCode;

/// Check this machine and say how to mend what is missing.
#[derive(Args)]
pub struct Doctor {}

impl Doctor {
    pub fn run(self) -> Result<ExitCode, Failure> {
        let resources = offshoot_compile::Resource::find();
        let folder = resources.runtime().and_then(|r| Some(r.parent()?.to_path_buf())).unwrap_or_default();
        let mut all_well = true;
        for check in offshoot_run::doctor::checks(&folder) {
            let mark = if check.ok { "ok  " } else { "FAIL" };
            println!("{mark} {:<32} {}", check.name, check.detail);
            if !check.ok {
                all_well = false;
                println!("     {:<32} {}", "", check.how_to_mend);
            }
        }
        Ok(if all_well { Exit::Clean } else { Exit::Inconclusive }.into())
    }
}
